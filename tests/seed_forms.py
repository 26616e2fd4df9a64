"""A strict reader of the seeds' documents, written by hand from their words, not from our shapes.

It knows where evalcore goes beyond them, each with the page of docs that says so: `EXTRA` fields,
and values marked as ours.
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from typing import Any

Complaints = Iterator[str]
Check = Callable[[str, Any], Complaints]

EXTRA = {"judge", "judge_type", "evalcore", "run_id", "createdBy", "supersedes", "schema"}


def of(
    kind: type | tuple[type, ...], *words: Any, low: float = -1e300, high: float = 1e300
) -> Check:
    """Return a check of a plain value: its type, its words, its bounds."""

    def check(at: str, value: Any) -> Complaints:
        kinds = kind if isinstance(kind, tuple) else (kind,)
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        if type(value) not in kinds:
            yield f"{at}: {value!r} is no {kind}"
        elif (words and value not in words) or (is_number and not low <= value <= high):
            yield f"{at}: {value!r} is not allowed"

    return check


TEXT, FLAG, NUMBER = of(str), of(bool), of((int, float))
SHARE, COUNT, OBJECT = of((int, float), low=0, high=1), of(int, low=0), of(dict)


def time(at: str, value: Any) -> Complaints:
    """ISO 8601, with a zone."""
    try:
        if datetime.fromisoformat(value).tzinfo is None:
            yield f"{at}: {value!r} has no zone"
    except (ValueError, TypeError):
        yield f"{at}: {value!r} is no time"


def ours(check: Check, *values: Any) -> Check:
    """Allow values that evalcore documents and the seed does not have."""
    return lambda at, value: iter(()) if value in values else check(at, value)


def many(check: Check) -> Check:
    """A list of such values."""

    def checked(at: str, value: Any) -> Complaints:
        if not isinstance(value, list):
            yield f"{at}: {value!r} is no list"
            return
        for number, each in enumerate(value):
            yield from check(f"{at}/{number}", each)

    return checked


def each(check: Check) -> Check:
    """An object whose names are data."""

    def checked(at: str, value: Any) -> Complaints:
        yield from OBJECT(at, value)
        for name, one in value.items() if isinstance(value, dict) else ():
            yield from check(f"{at}/{name}", one)

    return checked


def form(fields: Mapping[str, Check], **optional: Check) -> Check:
    """An object with exactly these fields, and those of evalcore."""

    def checked(at: str, value: Any) -> Complaints:
        if not isinstance(value, dict):
            yield f"{at}: {value!r} is no object"
            return
        yield from (f"{at}: {name} is missing" for name in fields if name not in value)
        known = {**fields, **optional}
        for name, one in value.items():
            if name in known:
                yield from known[name](f"{at}/{name}", one)
            elif name not in EXTRA:
                yield f"{at}: {name} is unknown"

    return checked


# 000
FIXED = ("frontmatter", "description_field", "token_efficiency", "progressive_disclosure",
         "type_alignment")  # fmt: skip
CONVENTION = form({"passed": ours(FLAG, None), "details": TEXT})  # null: docs/decisions/0044
RESULT = form({"criterion": TEXT, "score": of(int, low=1, high=5), "passed": FLAG,
               "reasoning": TEXT})  # fmt: skip
SIDES = form({"A": of(int, low=1, high=10), "B": of(int, low=1, high=10)},
             justification_A=TEXT, justification_B=TEXT)  # fmt: skip
IMPROVE = {
    "evals": form({"version": TEXT, "skill": TEXT, "cases": many(form({
        "id": TEXT, "prompt": TEXT, "files": many(TEXT), "expectations": many(form({
            "criterion": TEXT, "description": TEXT, "required": FLAG}))}))}),
    "history": form({"current_version": COUNT, "versions": many(form({
        "version": COUNT, "timestamp": time, "description": TEXT, "git_hash": ours(TEXT, None),
        "path": TEXT, "average_score": ours(NUMBER, None)}))}),
    "grading": form({
        "case_id": TEXT, "version": COUNT, "run": of(int, low=1),  # beyond 3: docs/decisions/0044
        "overall_score": of((int, float), low=1, high=5), "results": many(RESULT),
        "required_score": ours(of((int, float), low=1, high=5), None),
        "overall": of(str, "pass", "fail"),
        "convention_compliance": form(dict.fromkeys(FIXED, CONVENTION)),
        "claims": many(form({"claim": TEXT, "verified": FLAG, "evidence": TEXT})),
        "user_notes_summary": TEXT, "eval_feedback": TEXT, "execution_metrics": OBJECT}),
    "comparison": form({"eval_prompt": TEXT, "winner": of(str, "A", "B", "tie"), "reasoning": TEXT,
                        "scores": each(SIDES)}),  # a tie: docs/families.md
    "analysis": form({"winner_version": TEXT, "loser_version": TEXT, "strengths": many(TEXT),
                      "weaknesses": many(TEXT), "suggestions": many(form({
                          "area": TEXT, "before": TEXT, "after": TEXT, "reasoning": TEXT}))}),
}  # fmt: skip

# 001
JUDGED_BY = of(str, "llm", "human", "heuristic")
UNSET = ours(time, None)
RECORDS = {
    "test-run": form({
        "testCaseId": TEXT, "agentRunId": TEXT, "promptVersionRef": TEXT, "actualOutput": OBJECT,
        "passed": FLAG, "totalScore": NUMBER, "maxPossibleScore": NUMBER, "ranAt": time,
        "durationMs": NUMBER, "judgeType": JUDGED_BY}),
    "eval-judgment": form({
        "testRunId": TEXT, "criterionId": TEXT, "score": NUMBER, "maxScore": NUMBER,
        "rationale": of(str), "judgedBy": TEXT, "judgedByType": JUDGED_BY, "judgedAt": time},
        confidence=SHARE),
    "benchmark": form({
        "name": TEXT, "description": TEXT, "testCaseIds": many(TEXT), "dimension": TEXT,
        "passingThreshold": NUMBER, "ownerId": TEXT, "status": of(str, "active", "retired")},
        lastRunAt=UNSET, lastScore=ours(NUMBER, None)),
    "benchmark-run": form({
        "benchmarkId": TEXT, "testRunIds": many(TEXT), "overallScore": NUMBER, "passRate": SHARE,
        "ranAt": time, "triggeredBy": TEXT, "notes": TEXT}),
    "eval-trend": form({
        "benchmarkId": TEXT, "dimension": TEXT, "dataPoints": TEXT, "lastComputedAt": time,
        "direction": of(str, "improving", "degrading", "stable")}),
    "prompt-comparison": form({
        "benchmarkId": TEXT, "promptVersionA": TEXT, "promptVersionB": TEXT, "scoreA": NUMBER,
        "scoreB": NUMBER, "winner": ours(TEXT, None), "sampleSize": COUNT, "comparedAt": time,
        "notes": TEXT}),
    "eval-failure": form({
        "testRunId": TEXT, "description": TEXT, "affectedCriterionIds": many(TEXT),
        "failureType": of(str, "wrong-output", "hallucination", "format-error", "timeout",
                          "refusal"),
        "severity": of(str, "critical", "major", "minor"), "rootCause": TEXT},
        resolvedAt=UNSET, resolutionNotes=ours(TEXT, None)),
}  # fmt: skip

# 002
CHECK_TYPES = ("file_exists", "file_contains", "file_not_contains", "no_errors", "file_count",
               "custom_script")  # fmt: skip
SUMMARY = form({"passed": COUNT, "failed": COUNT, "total": COUNT, "pass_rate": SHARE})
SPREAD = form(dict.fromkeys(("mean", "stddev", "min", "max"), ours(NUMBER, None)))
CLAIM = form({"claim": TEXT, "type": TEXT, "verified": FLAG, "evidence": TEXT})
RUBRIC = {
    "structural": form({
        "expectations": many(form({
            "id": TEXT, "text": TEXT, "type": of(str, *CHECK_TYPES), "evidence": TEXT,
            "passed": ours(FLAG, None), "critical": FLAG},  # null: docs/decisions/0044
            status=of(str, "not_run", "invalid"))),
        "summary": form({"passed": COUNT, "failed": COUNT, "total": COUNT,
                         "pass_rate": ours(SHARE, None)}),
        "gate_passed": FLAG}),
    "grading": form({
        "expectations": many(form({"text": TEXT, "passed": FLAG, "evidence": TEXT})),
        "summary": SUMMARY, "claims": many(CLAIM)},
        rubric_scores=each(form({"score": of(int, low=1, high=5), "evidence": TEXT})),
        rubric_summary=form({"weighted_mean": of((int, float), low=1, high=5),
                             "max_possible": of((int, float), 5), "normalized": SHARE}),
        eval_feedback=form({"suggestions": many(form({"reason": TEXT}, assertion=TEXT)),
                            "overall": TEXT})),
    "eval_feedback_aggregate": form({
        "skill_name": TEXT, "iteration": of(int, low=1), "total_runs": of(int, low=1),
        "suggestions": many(form({
            "frequency": of(int, low=1), "assertion": ours(TEXT, None), "reason": TEXT,
            "action": TEXT}))}),
    "benchmark": form({"run_summary": OBJECT}, metadata=OBJECT, runs=many(OBJECT),
                      notes=many(TEXT)),
}  # fmt: skip

# 004
DESCRIPTIONS = {
    "grading": form({
        "test_case_id": TEXT, "timestamp": time, "overall_score": SHARE,
        "assertions": many(form({
            "assertion": TEXT, "result": of(str, "pass", "fail"), "evidence": TEXT,
            "confidence": of(str, "high", "medium", "low")}, notes=TEXT)),
        "factual_issues": many(TEXT),
        "eval_critique": form(dict.fromkeys(
            ("vague_assertions", "missing_coverage", "suggested_assertions"), many(TEXT))),
        "timing": form({"start": time, "end": time, "duration_seconds": NUMBER})}),
    "benchmark": form({
        "skill_name": TEXT, "description_version": NUMBER, "created_at": time,
        "entries": many(form({
            "description_version": NUMBER, "description_hash": TEXT, "timestamp": time,
            "scores": form({
                **dict.fromkeys(("mean", "median", "min", "max"), NUMBER),
                "std_dev": ours(NUMBER, None)}),  # of one value: docs/families.md
            "per_test_case": many(form({"test_case_id": TEXT, "score": NUMBER,
                                        "duration_seconds": NUMBER})),
            "total_duration_seconds": NUMBER, "num_test_cases": COUNT}))}),
    "comparison": form({
        "comparison_id": TEXT, "timestamp": time, "version_a": NUMBER, "version_b": NUMBER,
        "test_case_id": TEXT, "total_score_a": NUMBER, "total_score_b": NUMBER,
        "criteria_scores": many(form({
            "criterion": TEXT, "justification_a": TEXT, "justification_b": TEXT,
            **dict.fromkeys(("score_a", "score_b"), of((int, float), low=1, high=5))})),
        "winner": of(str, "A", "B", "tie"), "key_differentiators": many(TEXT), "summary": TEXT}),
}  # fmt: skip

PLACES: Mapping[str, Mapping[str, str]] = {
    "improve": {
        "evals": r"evals/evals", "history": "history", "grading": r"grading/[^/]+_v\d+_run\d+",
        "comparison": "comparison[^/]*", "analysis": "analysis[^/]*",
    },
    "rubric": {name: name for name in RUBRIC},
    "iterations": {"grading": "grading"},
    "descriptions": {
        "grading": "grading/[^/]+", "benchmark": "eval/benchmark",
        "comparison": "comparisons/[^/]+",
    },
    "records": {},
}  # fmt: skip
FORMS = {"improve": IMPROVE, "rubric": RUBRIC, "iterations": RUBRIC, "descriptions": DESCRIPTIONS}


def complaints(family: str, path: str, text: str) -> tuple[str, list[str]]:
    """Return what a document is, empty for none of a seed, and what is wrong with it."""
    value = json.loads(text, parse_constant=lambda name: f"the number {name}")
    kind = value.get("type", value.get("minionTypeId")) if isinstance(value, dict) else None
    if kind in RECORDS and "fields" in value:
        wrong = [*TEXT("id", value.get("id")), *RECORDS[kind](kind, value["fields"])]
        return kind, [*wrong, *time("createdAt", value.get("createdAt"))]
    for kind, place in PLACES[family].items():
        if re.search(rf"(?:^|/){place}\.json$", path):
            return kind, [*FORMS[family][kind]("", value), *_told(value)]
    return "", []


def _told(value: Any) -> Complaints:
    """What documents say of their own numbers must hold."""
    if "total_score_a" in value:
        a, b = value["total_score_a"], value["total_score_b"]
        ahead = "A" if a > b else "B" if b > a else "tie"
        if ahead not in ("tie", value["winner"]):
            yield f"the winner is {value['winner']}, of {a} and {b}"
    for summary in (value.get("summary"),):
        if isinstance(summary, dict) and summary["passed"] + summary["failed"] != summary["total"]:
            yield f"passed and failed are not the total: {summary}"
    if "convention_compliance" in value:
        for result in value["results"]:
            if result["passed"] != (result["score"] >= 3):
                yield f"passed does not follow from the score: {result}"
