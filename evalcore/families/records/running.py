"""New test runs of the `records` family: a test-run with its judgments, and why it failed."""

import uuid
from collections.abc import Iterator, Sequence
from typing import Any, Final

import msgspec

from evalcore.families.base import CURRENT
from evalcore.families.graded import Graded, Json, Verdict, explained, whole
from evalcore.families.records.placing import envelope, place
from evalcore.families.records.shapes import AGENT_RUN, SHARDS
from evalcore.families.records.tool_calls import tool_calls
from evalcore.families.running import (
    ONLY,
    Case,
    Criterion,
    Document,
    Execution,
    KnownRun,
    Offer,
    Running,
    Suite,
    Target,
    TestRun,
    test_run,
    value_there,
)
from evalcore.numbers import at_least
from evalcore.shapes.judge import BLOCK, HUMAN, own_block, written_from
from evalcore.shapes.prompts import prompt_in
from evalcore.tables.cells import cells

RULES_CONFIDENCE: Final = 1.0
"""A rule decides the same whenever it is asked."""

OUTPUT: Final = "/fields/actualOutput"

PROMPT_SHA256: Final = "promptSha256"
"""The field of `evalcore` in a record that says which text of a prompt version was executed."""

_FAILURES: Final = {"timeout": "timeout", "refused": "refusal"}


class RecordRuns(Running):
    """A run is a record of its own beside the test case; a version is a prompt's.

    What the agent made of a case is an agent-run, from which the test-run follows when all of it
    is judged.
    """

    has_conventions = False

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
        asked, named = prompt_in(case.definition.get("prompt")), prompt_in(target.version)
        if asked is not None and (target.version == CURRENT or named not in (None, asked)):
            return []
        names = [str(uuid.uuid4()) for _ in range(count)]
        home = case.source
        assert home is not None, case.id
        return [
            test_run(suite, case, target, name, place(home, "test-run", name)) for name in names
        ]

    def next_place(self, run: TestRun) -> tuple[str, str]:
        """Return another new id, and its place."""
        name = str(uuid.uuid4())
        return name, place(run.place, "test-run", name)

    def grading_path(self, run: TestRun) -> str:
        """Return the place: the test-run is written last."""
        return run.place

    def of_stored(self, suite: Suite, run: TestRun, known: KnownRun) -> TestRun:
        """Return the test run of an agent-run: its times are those of the execution."""
        source, at = known.source or "", known.pointer or ""
        record, made = suite.raw(source, at), suite.raw(source, f"{at}/fields")
        execution = {
            "agentRunId": record.get("id"),
            "startedAt": made.get("startedAt"),
            "durationMs": made.get("durationMs"),
            PROMPT_SHA256: own_block(record).get(PROMPT_SHA256),
        }
        return msgspec.structs.replace(
            run,
            place=place(source, "test-run", _file_name(run)),
            execution=execution,
        )

    def shown(self, run: TestRun) -> str:
        """Return the output in the record of the agent-run."""
        return place(run.place, AGENT_RUN, _part(run, AGENT_RUN)) + f"#{OUTPUT}"

    def stored(self, suite: Suite, run: KnownRun) -> str | None:
        """Return the output inside the record of a run, or its own files where it has some."""
        if run.outputs not in (None, run.source) or run.source is None:
            return super().stored(suite, run)
        held = f"{(run.pointer or '').removesuffix(OUTPUT)}{OUTPUT}"
        return f"{run.source}#{held}" if value_there(suite, run.source, held) else None

    def tool_calls(self, suite: Suite, run: KnownRun) -> Json:
        """Return the log of the agent-run that the run follows from."""
        return tool_calls(suite, run)

    def score(self, criterion: Criterion, verdict: Verdict) -> float:
        """Return the score on the scale of the criterion."""
        return _score(criterion, verdict)

    def documents(self, case: Case, run: TestRun, done: Execution) -> list[Document]:
        """Return the record of the agent-run, from which the test-run follows."""
        fields = {
            "testRunId": run.run,
            "testCaseId": case.id,
            "promptVersionRef": run.version,
            "actualOutput": _output(done),
            "status": done.status,
            "startedAt": done.started_at,
            "durationMs": _milliseconds(done),
        }
        made = _record(case, run, AGENT_RUN, _part(run, AGENT_RUN), fields)
        return [_with_prompt(made, done.prompt_sha256)]

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
        made = run.execution or {
            "agentRunId": _part(run, AGENT_RUN),
            "startedAt": done.started_at,
            "durationMs": _milliseconds(done),
            PROMPT_SHA256: done.prompt_sha256,
        }
        run_fields = {
            "testCaseId": case.id,
            "agentRunId": made["agentRunId"],
            "promptVersionRef": run.version,
            "actualOutput": _output(done),
            "passed": passed,
            "totalScore": round(total, 9),
            "maxPossibleScore": round(most, 9),
            "ranAt": made["startedAt"],
            "durationMs": made["durationMs"],
            "judgeType": graded.judge_type,
        }
        found = [_judged(case, run, each, scores, known, graded) for each in graded.judged]
        if not passed:
            why = _failure(run, done, graded, scores, known)
            name = _part(run, "eval-failure failure")
            found.append(_record(case, run, "eval-failure", name, why, graded.judged_at))
        whole = _record(case, run, "test-run", run.run, run_fields)
        return [*found, _with_prompt(whole, made.get(PROMPT_SHA256))]


def _with_prompt(made: Document, sha256: Json) -> Document:
    """Return a record that says by its sha256 which text of a prompt was executed, if one was."""
    if isinstance(sha256, str):
        made.value[BLOCK] = {PROMPT_SHA256: sha256}
    return made


def _output(done: Execution) -> dict[str, Any]:
    return done.output if isinstance(done.output, dict) else {}


def _milliseconds(done: Execution) -> int:
    return round((done.seconds or 0.0) * 1000)


def _judged(
    case: Case,
    run: TestRun,
    verdict: Verdict,
    scores: dict[str, float],
    known: dict[str, Criterion],
    graded: Graded,
) -> Document:
    """Return the record of a verdict; in a grading by people it names their records."""
    fields = {
        "testRunId": run.run,
        "criterionId": verdict.name,
        "score": scores[verdict.name],
        "maxScore": _high(known[verdict.name]),
        "rationale": explained(verdict),
        "judgedBy": graded.judge,
        "judgedByType": graded.judge_type,
        "judgedAt": graded.judged_at,
    }
    is_rule = not verdict.judgment_ids and graded.judging is None
    confidence = RULES_CONFIDENCE if is_rule else verdict.confidence
    if confidence is not None:
        fields["confidence"] = confidence
    name = _part(run, f"eval-judgment {verdict.name}")
    made = _record(case, run, "eval-judgment", name, fields)
    if graded.judge_type == HUMAN:
        made.value.update(written_from(verdict.judgment_ids))
    elif graded.judging is not None:
        made.value[BLOCK] = {"judging": graded.judging.about}
    return made


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
        "rootCause": "",
        "resolvedAt": None,
        "resolutionNotes": None,
    }


def _part(run: TestRun, part: str) -> str:
    """Return the id of one of the records of a run, always the same one."""
    return str(uuid.uuid5(_key(run), part))


def _key(run: TestRun) -> uuid.UUID:
    """Return the id of a run; of one that another tool named, one that follows from its name."""
    try:
        return uuid.UUID(run.run)
    except ValueError:
        return uuid.uuid5(uuid.NAMESPACE_OID, run.run)


def _file_name(run: TestRun) -> str:
    """Return the name of the file of a run, which is no path whatever its id is."""
    return str(_key(run))


def _record(
    case: Case, run: TestRun, kind: str, name: str, fields: dict[str, Any], at: str = ""
) -> Document:
    """Return a record beside the others of its store; of `at`, else of the time in its fields."""
    times = (at, *(fields.get(each) for each in ("judgedAt", "ranAt", "startedAt")))
    at = next(filter(None, times), "")
    sharded = case.definition["record"] == SHARDS
    path = run.place if kind == "test-run" else place(run.place, kind, name)
    return Document(path, envelope(kind, name, case.name or case.id, fields, at, sharded=sharded))


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
    """Return the score that was given, else that of the achieved share of the scale."""
    if verdict.score is not None:
        return whole(verdict.score)
    low = criterion.low or 0.0
    return round(low + (_high(criterion) - low) * (verdict.share or 0.0), 9)


RUNNING: Final = RecordRuns()
