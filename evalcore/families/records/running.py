"""New test runs of the `records` family: a test-run with its judgments, and why it failed."""

import uuid
from collections.abc import Iterator, Sequence
from typing import Any, Final

import msgspec

from evalcore.families.records.shapes import SHARDS
from evalcore.families.running import (
    ONLY,
    Case,
    Criterion,
    Document,
    Execution,
    Graded,
    Offer,
    Running,
    Suite,
    Target,
    TestRun,
    Verdict,
    test_run,
)
from evalcore.numbers import at_least
from evalcore.tables.cells import cells

RULES_CONFIDENCE: Final = 1.0
"""A rule decides the same whenever it is asked."""

_FAILURES: Final = {"timeout": "timeout", "refused": "refusal"}


class RecordRuns(Running):
    """A run is a record of its own beside the test case; a version is a prompt's."""

    has_conventions = False
    shows_ungraded = False

    def offer(self, suite: Suite) -> Offer:
        """Return the prompt versions of cases and earlier runs; the newest is chosen."""
        rows = cells(suite.tables, "versions", "suite", "version")
        labels = [label for own, label in rows if own == suite.suite]
        targets = tuple(Target(label, ONLY, None) for label in labels)
        return Offer(targets, targets[-1:], 1)

    def bases(self, suite: Suite) -> Sequence[str]:
        """Return nothing: inputs are part of the record."""
        del suite
        return []

    def case(self, suite: Suite, case: Case) -> Case:
        """Return a case with the rubric that judges it, and its expected outputs."""
        record = case.definition if isinstance(case.definition, dict) else {}
        fields = record.get("fields", record)
        rubric = _rubric(suite, fields.get("rubricId"))
        definition = {
            "record": _form(record),
            "threshold": rubric.get("passingThreshold"),
            "prompt": fields.get("promptVersionRef"),
        }
        expected = fields.get("expectedOutputs")
        criteria = tuple(_of_rubric(case.criteria, rubric))
        return msgspec.structs.replace(
            case, definition=definition, expected=expected, criteria=criteria
        )

    def runs(self, suite: Suite, case: Case, target: Target, count: int, at: str) -> list[TestRun]:
        """Return runs with new ids, in the place of records; none for another prompt's version."""
        del at
        if _prompt(case.definition.get("prompt")) not in (None, _prompt(target.version)):
            return []
        names = [str(uuid.uuid4()) for _ in range(count)]
        home = case.source
        assert home is not None, case.id
        return [
            test_run(suite, case, target, name, _place(home, "test-run", name)) for name in names
        ]

    def shown(self, run: TestRun) -> str | None:
        """Return nothing: the output is recorded with its judgments."""
        del run
        return None

    def documents(self, case: Case, run: TestRun, done: Execution) -> list[Document]:
        """Return nothing: a run is recorded with its judgments."""
        del case, run, done
        return []

    def grading(self, case: Case, run: TestRun, done: Execution, graded: Graded) -> list[Document]:
        """Return the judgments, why the run failed where it did, and last the run itself."""
        if not graded.complete or not graded.judged:
            return []
        known = {each.name: each for each in case.criteria}
        scores = {each.name: _score(known[each.name], each) for each in graded.judged}
        total = sum((known[name].weight or 0.0) * score for name, score in scores.items())
        most = sum((each.weight or 0.0) * _high(each) for each in known.values())
        threshold = case.definition.get("threshold")
        failed = done.status != "completed"
        passed = not failed and threshold is not None and at_least(total, threshold)
        run_fields = {
            "testCaseId": case.id,
            "promptVersionRef": run.version,
            "actualOutput": done.output if isinstance(done.output, dict) else {},
            "passed": passed,
            "totalScore": round(total, 9),
            "maxPossibleScore": round(most, 9),
            "ranAt": done.started_at,
            "durationMs": round((done.seconds or 0.0) * 1000),
            "judgeType": graded.judge_type,
        }
        judged = [(each, _judgment(run, each, scores, known, graded)) for each in graded.judged]
        found = [_record(case, run, "eval-judgment", each.name, made) for each, made in judged]
        if not passed:
            why = _failure(run, done, graded, scores, known)
            found.append(_record(case, run, "eval-failure", "failure", why))
        return [*found, _record(case, run, "test-run", None, run_fields)]


def _judgment(
    run: TestRun,
    verdict: Verdict,
    scores: dict[str, float],
    known: dict[str, Criterion],
    graded: Graded,
) -> dict[str, Any]:
    return {
        "testRunId": run.run,
        "criterionId": verdict.name,
        "score": scores[verdict.name],
        "maxScore": _high(known[verdict.name]),
        "rationale": verdict.rationale,
        "judgedBy": graded.judge,
        "judgedByType": graded.judge_type,
        "judgedAt": graded.judged_at,
        "confidence": RULES_CONFIDENCE,
    }


def _failure(
    run: TestRun,
    done: Execution,
    graded: Graded,
    scores: dict[str, float],
    known: dict[str, Criterion],
) -> dict[str, Any]:
    worst = [each for each in graded.judged if scores[each.name] < _high(known[each.name])]
    kind = _FAILURES.get(done.status, "wrong-output")
    said = done.why or "; ".join(each.rationale for each in worst)
    return {
        "testRunId": run.run,
        "failureType": kind,
        "description": said or "The total is below the passing threshold.",
        "affectedCriterionIds": [each.name for each in worst],
        "severity": "major",
        "rootCause": None,
        "resolvedAt": None,
        "resolutionNotes": None,
    }


def _record(
    case: Case, run: TestRun, kind: str, part: str | None, fields: dict[str, Any]
) -> Document:
    """Return a record beside the others of its store; its id follows from the run's."""
    name = run.run if part is None else str(uuid.uuid5(uuid.UUID(run.run), f"{kind} {part}"))
    at = fields.get("judgedAt") or fields.get("ranAt") or ""
    times = {"createdAt": at, "updatedAt": at} if at else {}
    if case.definition["record"] == SHARDS:
        head = {"id": name, "title": f"{kind} of {case.name or case.id}", "minionTypeId": kind}
    else:
        head = {"id": name, "type": kind}
    return Document(_place(run.place, kind, name), {**head, "fields": fields, **times})


def _place(home: str, kind: str, name: str) -> str:
    """Return the path of a record of a type in the store of the record at `home`."""
    parts = home.split("/")
    if SHARDS in parts:
        top = parts[: parts.index(SHARDS) + 1]
        return "/".join([*top, name[:2], name[2:4], f"{name}.json"])
    folder = parts[:-1]
    if folder and folder[-1] in ("test-case", "test-run"):
        folder[-1] = kind
    return "/".join([*folder, f"{name}.json"])


def _prompt(version: Any) -> str | None:
    """Return the name of the prompt in a version like support-reply@1.2.0."""
    return version.partition("@")[0] if isinstance(version, str) and "@" in version else None


def _form(record: dict[str, Any]) -> str:
    return SHARDS if "minionTypeId" in record else "record"


def _rubric(suite: Suite, name: Any) -> dict[str, Any]:
    """Return the fields of a rubric by its id; nothing if it is not in the store."""
    for path in suite.documents.get("rubric", ()):
        value = suite.raw(path, "")
        for each in value if isinstance(value, list) else [value]:
            if isinstance(each, dict) and each.get("id") == name and "fields" in each:
                return dict(each["fields"])
    return {}


def _of_rubric(criteria: Sequence[Criterion], rubric: dict[str, Any]) -> Iterator[Criterion]:
    listed = rubric.get("criteriaIds")
    wanted = listed if isinstance(listed, list) else None
    return (each for each in criteria if wanted is None or each.name in wanted)


def _high(criterion: Criterion) -> float:
    return 1.0 if criterion.high is None else criterion.high


def _score(criterion: Criterion, verdict: Verdict) -> float:
    low = criterion.low or 0.0
    return round(low + (_high(criterion) - low) * (verdict.share or 0.0), 9)


RUNNING: Final = RecordRuns()
