"""Write the runs of any suite as logs of Inspect, and people's scores for its scorers."""

import json
import math
from collections import defaultdict
from collections.abc import Iterator
from io import BytesIO
from typing import Any, Final
from zipfile import ZIP_DEFLATED, ZipFile

import orjson

from evalcore.families.exporting import (
    ODD,
    Exported,
    ExportedRun,
    Exporting,
    asked,
    file_part,
    score_of,
)
from evalcore.families.inspect.logs import HEADER, START, SUMMARIES
from evalcore.ids import derived_id
from evalcore.numbers import mean
from evalcore.shapes.judge import HUMAN
from evalcore.tables.rows import JudgmentRow


def write(found: Exported) -> Iterator[tuple[str, bytes]]:
    """Yield a log for each version and configuration, and a file of each person's scores of it."""
    for version, made, of_version in sorted(found.by_version(), key=lambda each: each[0]):
        by_configuration: dict[str, list[ExportedRun]] = defaultdict(list)
        for each in of_version:
            by_configuration[str(each.run.configuration)].append(each)
        for configuration, own in sorted(by_configuration.items()):
            runs = list(_epochs(own))
            model = next((each.run.model for _, each in runs if each.run.model), None)
            model = model or (configuration if configuration != "-" else "none")
            # `none` is the provider of a model that Inspect does not have to start to score a log.
            model = model if "/" in model else f"none/{model}"
            name = derived_id(f"{found.suite.suite} {version}", configuration)
            told = {
                "eval_id": name,
                "run_id": derived_id(str(found.suite.suite), version),
                "created": made.isoformat(),
                "task": found.name,
                "task_id": derived_id(str(found.suite.suite), configuration),
                "dataset": {
                    "name": found.name,
                    "samples": len({each.run.case_id for _, each in runs}),
                },
                "model": model,
                "config": {"epochs": max(epoch for epoch, _ in runs)},
                "tags": [f"{version} {configuration}".removesuffix(" -")],
            }
            stem = "_".join(map(file_part, (made.isoformat(), found.name, name[:8])))
            yield f"{stem}.eval", _log(told, [_sample(found, model, *each) for each in runs])
            for judge, scores in _of_people(runs).items():
                name = f"{ODD.sub('-', judge)[:40]}-{derived_id(judge, '')[:4]}"
                yield f"{stem}_scores_{name}.json", json.dumps(scores, indent=1).encode()


def _epochs(runs: list[ExportedRun]) -> Iterator[tuple[int, ExportedRun]]:
    """Yield runs with their epochs: their own numbers, or their places where they have none."""
    of_case: dict[str | None, list[ExportedRun]] = defaultdict(list)
    for each in runs:
        of_case[each.run.case_id].append(each)
    for own in of_case.values():
        numbers = [each.run.run or "" for each in own]
        is_numbered = all(map(str.isdecimal, numbers)) and len(set(map(int, numbers))) == len(own)
        for at, each in enumerate(own, start=1):
            yield int(each.run.run or 0) if is_numbered else at, each


def _sample(found: Exported, model: str, epoch: int, each: ExportedRun) -> dict[str, Any]:
    run, case = each.run, found.case(each.run)
    said = found.output(run) or ""
    answer = {"role": "assistant", "content": said}
    sample: dict[str, Any] = {
        "id": run.case_id,
        "epoch": epoch,
        "input": asked(case),
        "target": case.expected or "",
        "messages": [{"role": "user", "content": asked(case)}, answer],
        "output": {
            "model": model,
            "choices": [{"message": answer, "stop_reason": "stop"}],
            "completion": said,
        },
        "scores": {
            str(row.criterion): _score(row) for row in each.judgments if row.judge_type != HUMAN
        },
        "metadata": {"evalcore": {"run": run.run_id, "status": run.status}},
        "model_usage": {},
        "total_time": run.duration_s,
        "started_at": run.started_at.isoformat() if run.started_at is not None else None,
    }
    if run.tokens:
        usage = {"input_tokens": 0, "output_tokens": 0, "total_tokens": int(run.tokens)}
        sample["model_usage"] = {
            model: usage | ({"total_cost": run.cost_usd} if run.cost_usd else {})
        }
    if run.status == "error":
        said = "The run ended with an error."
        sample["error"] = {"message": said, "traceback": "", "traceback_ansi": ""}
    return {name: value for name, value in sample.items() if value is not None}


def _score(row: JudgmentRow) -> dict[str, Any]:
    told = {
        "judge": row.judge,
        "judge_type": row.judge_type,
        "kind": row.kind,
        "max": row.max_score,
    }
    return {"value": score_of(row), "explanation": row.rationale, "metadata": {"evalcore": told}}


def _of_people(runs: list[tuple[int, ExportedRun]]) -> dict[str, list[dict[str, Any]]]:
    """Return what each person scored: of one criterion a number, of several one for each name.

    Inspect wants the same names everywhere; where a person did not score one it is NaN.
    """
    found: dict[str, dict[tuple[Any, int], list[JudgmentRow]]] = defaultdict(dict)
    for epoch, each in runs:
        for row in each.judgments:
            if row.judge_type == HUMAN and score_of(row) is not None:
                of_judge = found[row.judge or "unnamed"]
                of_judge.setdefault((each.run.case_id, epoch), []).append(row)
    records: dict[str, list[dict[str, Any]]] = {}
    for judge, scored in found.items():
        names = dict.fromkeys(str(row.criterion) for rows in scored.values() for row in rows)
        records[judge] = [
            {
                "id": case_id,
                "epoch": epoch,
                "value": score_of(rows[0])
                if len(names) == 1
                else dict.fromkeys(names, math.nan)
                | {str(row.criterion): score_of(row) for row in rows},
                "explanation": "\n".join(
                    f"{row.criterion}: {row.rationale}" for row in rows if row.rationale
                ),
                "metadata": {"judge": judge},
            }
            for (case_id, epoch), rows in scored.items()
        ]
    return records


def _log(told: dict[str, Any], samples: list[dict[str, Any]]) -> bytes:
    """Return a log as Inspect writes it: the header, each sample, and their summaries."""
    numbers: dict[str, list[float | None]] = defaultdict(list)
    for sample in samples:
        for name, score in sample["scores"].items():
            numbers[name].append(score["value"])
    start = {"version": 2, "eval": told, "plan": {"name": "plan", "steps": [], "config": {}}}
    scores = [
        {
            "name": name,
            "scorer": name,
            "params": {},
            "metrics": {"mean": {"name": "mean", "value": mean(own), "params": {}}},
        }
        for name, own in numbers.items()
        if mean(own) is not None
    ]
    counted = {"total_samples": len(samples), "completed_samples": len(samples), "scores": scores}
    times = {"started_at": told["created"], "completed_at": told["created"], "model_usage": {}}
    header = {**start, "status": "success", "results": counted, "stats": times}
    without = ("messages", "output")
    summaries = [
        {name: value for name, value in sample.items() if name not in without}
        | {"error": sample.get("error", {}).get("message"), "completed": True}
        for sample in samples
    ]
    held = BytesIO()
    with ZipFile(held, "w", ZIP_DEFLATED) as zipped:
        for name, value in (
            (START, start),
            *((f"samples/{each['id']}_epoch_{each['epoch']}.json", each) for each in samples),
            (SUMMARIES, summaries),
            (HEADER, header),
        ):
            zipped.writestr(name, orjson.dumps(value))
    return held.getvalue()


EXPORTING: Final = Exporting(
    write,
    "Open the logs with `inspect view --log-dir`, or `read_eval_log`. Files of people's scores, "
    "if there are any, are for a scorer that returns `precomputed_scores(FILE)`: `inspect score`.",
)
