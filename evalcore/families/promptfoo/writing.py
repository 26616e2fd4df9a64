"""Write the runs of any suite as evaluations that promptfoo imports, with people's judgments."""

from collections import Counter
from collections.abc import Iterator
from itertools import chain
from typing import Any, Final

import orjson

from evalcore.families.base import IN_RATES
from evalcore.families.exporting import Exported, ExportedRun, Exporting, asked, file_part
from evalcore.families.promptfoo.read import BY_PERSON, ERROR, UNCHECKED
from evalcore.ids import derived_id
from evalcore.shapes.judge import HUMAN, MODEL
from evalcore.tables.rows import CaseRow, JudgmentRow

_ENDS: Final = {"successes": "Pass", "failures": "Fail", "errors": "Error"}


def write(found: Exported) -> Iterator[tuple[str, bytes]]:
    """Yield one evaluation for each version, with a column for each configuration."""
    for version, made, runs in found.by_version():
        columns = sorted({each.run.configuration or "-" for each in runs})
        repeats: Counter[tuple[str | None, str]] = Counter()
        tests: dict[tuple[str | None, int], int] = {}
        results = []
        for each in runs:
            column = each.run.configuration or "-"
            repeats[each.run.case_id, column] += 1
            place = each.run.case_id, repeats[each.run.case_id, column]
            at_test = tests.setdefault(place, len(tests)), columns.index(column)
            said = found.output(each.run) or ""
            results.append(_result(each, found.case(each.run), at_test, said))
        summary = {
            "version": 3,
            "timestamp": made.isoformat(),
            "prompts": [_prompt(column, at, results) for at, column in enumerate(columns)],
            "results": results,
            "stats": {end: sum(_end(each) == end for each in results) for end in _ENDS},
        }
        stem = "-".join(map(file_part, (found.name, version)))
        own = derived_id(f"{found.suite.suite} {version}", "promptfoo")
        value = {
            "evalId": f"eval-{own}",
            "results": summary,
            "config": {"description": found.name, "tests": [], "prompts": [], "providers": columns},
            "metadata": {"evaluationCreatedAt": made.isoformat()},
        }
        yield f"{stem[:80]}-{own[:8]}.json", orjson.dumps(value, option=orjson.OPT_INDENT_2)


def _result(each: ExportedRun, case: CaseRow, place: tuple[int, int], said: str) -> dict[str, Any]:
    """Return a run as a result of promptfoo; `place` is its row and its column."""
    run = each.run
    column = run.configuration or "-"
    failed = run.status not in IN_RATES  # to promptfoo all others are errors
    variables = {"prompt": asked(case)}
    components = [] if failed else list(map(_component, each.judgments))
    passed = bool(run.passed if run.passed is not None else (run.fraction or 0) >= 1) and not failed
    score = 0.0 if failed else run.fraction if run.fraction is not None else float(passed)
    reasons = (part["reason"] for part in components if not part["pass"])
    reason = next(reasons, f"The run is {run.status}.")
    if passed:
        reason = "All assertions passed" if components else UNCHECKED
    named = {
        part["assertion"]["metric"]: part["score"]
        for part in components
        if part["assertion"]["type"] != BY_PERSON
    }
    grade = {"pass": passed, "score": score, "reason": reason, "namedScores": named}
    used = {"total": int(run.tokens or 0), "prompt": 0, "completion": 0, "cached": 0}
    return {
        "id": derived_id(str(run.run_id), "promptfoo"),
        "testIdx": place[0],
        "promptIdx": place[1],
        "promptId": derived_id(column, "promptfoo"),
        "testCase": {"description": case.name or case.case_id, "vars": variables, "assert": []},
        "vars": variables,
        "provider": {"id": run.model or column, "label": column},
        "prompt": {"raw": variables["prompt"], "label": "{{prompt}}"},
        "response": {"output": said, "tokenUsage": used},
        "error": None if passed else reason,
        "success": passed,
        "score": score,
        "failureReason": ERROR if failed else int(not passed),
        "gradingResult": None if failed else {**grade, "componentResults": components},
        "namedScores": named,
        "latencyMs": round((run.duration_s or 0) * 1000),
        "cost": run.cost_usd or 0,
        "tokenUsage": used,
        "metadata": {"evalcoreRun": run.run_id},
    }


def _component(row: JudgmentRow) -> dict[str, Any]:
    """Return a judgment as a component result; a person's is a rating that names its criterion."""
    person = row.judge_type == HUMAN
    share = row.fraction if row.fraction is not None else float(row.passed is not False)
    kind = BY_PERSON if person else "llm-rubric" if row.judge_type == MODEL else "javascript"
    asserted: dict[str, Any] = {"type": kind, "metric": row.criterion, "value": row.criterion}
    if row.passed is None:
        asserted["metricOnly"] = True
    return {
        "pass": row.passed is not False,
        "score": share,
        "reason": row.rationale or "",
        "assertion": asserted | ({"provider": row.judge} if row.judge and not person else {}),
        "metadata": {"judge": row.judge},
    }


def _end(result: dict[str, Any]) -> str:
    if result["success"]:
        return "successes"
    return "errors" if result["failureReason"] == ERROR else "failures"


def _prompt(column: str, at: int, results: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the head of a column, with what promptfoo counts there."""
    own = [each for each in results if each["promptIdx"] == at]
    grades = [each["gradingResult"] for each in own if each["gradingResult"] is not None]
    parts = list(chain.from_iterable(grade["componentResults"] for grade in grades))
    scores: Counter[str] = Counter()
    for each in own:
        scores.update(each["namedScores"])
    metrics = {
        **{f"test{word}Count": sum(_end(each) == end for each in own)
           for end, word in _ENDS.items()},
        "score": sum(each["score"] for each in own),
        "assertPassCount": sum(part["pass"] for part in parts),
        "assertFailCount": sum(not part["pass"] for part in parts),
        "totalLatencyMs": sum(each["latencyMs"] for each in own),
        "tokenUsage": {"total": sum(each["tokenUsage"]["total"] for each in own)},
        "namedScores": scores,
        "namedScoresCount": Counter(name for each in own for name in each["namedScores"]),
        "cost": sum(each["cost"] for each in own),
    }  # fmt: skip
    named = {"raw": "{{prompt}}", "label": "{{prompt}}", "id": derived_id(column, "promptfoo")}
    return {**named, "provider": column, "metrics": metrics}


EXPORTING: Final = Exporting(
    write, "Take each file in with `promptfoo import FILE`, and see it with `promptfoo view`."
)
