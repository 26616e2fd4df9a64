"""Write the runs of any suite as tables of one row a judgment, with the mapping that reads them."""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Any, Final

import orjson

from evalcore.disk.values import time_text
from evalcore.families.base import SCHEMA
from evalcore.families.exporting import Exported, ExportedRun, Exporting, score_of
from evalcore.families.rows.mapping import ENDING
from evalcore.tables.exported import BOM, csv_text
from evalcore.tables.rows import CaseRow, CriterionRow, JudgmentRow

MOST_ROWS: Final = 50_000
MOST_BYTES: Final = 32 * 1024 * 1024
"""A table of JSON lines goes on in another file behind so many."""

_RUN: Final = (
    "status",
    "model",
    "tokens",
    "cost_usd",
    "duration_s",
    "passed",
    "score",
    "max_score",
)
_TEXTS: Final = ("title", "prompt", "expected", "output", "started_at", *_RUN)
"""What a run has once: it stands in the first of its rows."""
_KEYS: Final = ("case", "version", "configuration", "run")
_OF_CRITERION: Final = (
    "kind", "criterion", "description", "required", "weight", "low", "high", "pass_at", "score",
    "passed", "judge", "judge_type", "judged_at", "rationale", "evidence",
)  # fmt: skip
_DEFINED: Final = ("description", "required", "weight", "pass_at")
_COLUMN: Final = {"score": "criterion_score", "passed": "criterion_passed"}
_HEAD: Final = (*_KEYS, *_TEXTS, *(_COLUMN.get(name, name) for name in _OF_CRITERION))


def write(found: Exported) -> Iterator[tuple[str, bytes]]:
    """Yield the tables: JSON lines, which the mapping reads, and a CSV for spreadsheets."""
    name = re.sub(r"[^\w.-]+", "-", found.suite.name or "runs").strip("-.")[:80] or "runs"
    asked: dict[str | None, dict[tuple[str | None, str | None], CriterionRow]] = defaultdict(dict)
    for criterion in found.criteria:
        asked[criterion.case_id][criterion.kind, criterion.criterion] = criterion
    rows: list[dict[str, Any]] = []
    for each in found.runs:
        if each.run.case_id is not None:
            output = found.output(each.run)
            rows += _rows(each, found.case(each.run), asked[each.run.case_id], output)
    parts: list[list[bytes]] = []
    size = MOST_BYTES
    for row in rows:
        line = orjson.dumps({key: of for key, of in row.items() if of is not None}) + b"\n"
        size += len(line)
        if size > MOST_BYTES or len(parts[-1]) == MOST_ROWS:
            parts.append([])
            size = len(line)
        parts[-1].append(line)
    there = {name for row in rows for name, of in row.items() if of is not None}
    tables = []
    for number, lines in enumerate(parts, start=1):
        tables.append(f"{name}-{number}.jsonl" if len(parts) > 1 else f"{name}.jsonl")
        yield tables[-1], b"".join(lines)
    yield f"{name}.csv", BOM + csv_text(_HEAD, ([*map(row.get, _HEAD)] for row in rows)).encode()
    mapping: dict[str, Any] = {
        "schema": SCHEMA,
        "name": found.suite.name,
        "tables": tables,
        "versions": list(found.versions),
        **{name: name for name in (*_KEYS, *_TEXTS) if name in there},
        "criteria": [],
    }
    if "passed" not in there:  # where a family does not say it, nothing may work it out
        mapping["passed"] = {"is": None}
    if "criterion" in there:
        columns = {name: _COLUMN.get(name, name) for name in _OF_CRITERION}
        mapping["criteria"] = [{name: own for name, own in columns.items() if own in there}]
    yield f"{name}{ENDING}", orjson.dumps(mapping, option=orjson.OPT_INDENT_2)


def _rows(
    each: ExportedRun,
    case: CaseRow,
    asked: Mapping[tuple[str | None, str | None], CriterionRow],
    output: str | None,
) -> Iterator[dict[str, Any]]:
    """Yield a row for each judgment of a run, then for each criterion that has no score."""
    run = each.run
    keys = dict(zip(_KEYS, (run.case_id, run.version, run.configuration, run.run), strict=True))
    once = {name: getattr(run, name) for name in _RUN} | {
        "title": case.name,
        "prompt": case.prompt,
        "expected": case.expected,
        "output": output,
        "started_at": run.started_at and time_text(run.started_at),
    }
    judged = {(row.kind, row.criterion) for row in each.judgments}
    unscored = [
        JudgmentRow(run.run_id, row.kind, row.criterion, run.judge, run.judge_type)._replace(
            min_score=row.min_score, max_score=row.max_score
        )
        for key, row in asked.items()
        if each.judgments and key not in judged
    ]
    first: dict[str, Any] = {**keys, **once}
    for row in (*each.judgments, *unscored):
        score = score_of(row)
        high = row.max_score if row.max_score is not None else score
        told = {**row._asdict(), "score": score, "low": row.min_score, "high": high}
        told["judged_at"] = row.judged_at and time_text(row.judged_at)
        known = asked.get((row.kind, row.criterion))
        if known is not None:
            told |= {name: getattr(known, name) for name in _DEFINED}
        yield first | {_COLUMN.get(name, name): told.get(name) for name in _OF_CRITERION}
        first = keys
    if first is not keys:
        yield first


EXPORTING: Final = Exporting(
    write,
    "Open the folder with `evalcore open`, or the CSV with a spreadsheet: there a ' stands before "
    "what would be a formula.",
)
