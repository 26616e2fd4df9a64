"""`records`: one file a record; ten versions of a prompt, three test runs each, weights."""

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple

from benchmarks.prose import Prose
from benchmarks.writers.common import (
    FEWEST,
    MOST,
    File,
    Json,
    Made,
    Plan,
    case_count,
    moment,
    score,
    slot,
)

STORE = "quality-store"
CASES_PER_RUBRIC = 20
THRESHOLD = 3.0
MAX_SCORE = 5


class Criterion(NamedTuple):
    id: str
    hundredths: int  # the weight
    hardness: float


@lru_cache(maxsize=64)
def rubric(plan: Plan, number: int) -> tuple[Criterion, ...]:
    """Return the criteria of one rubric; their weights sum to 1."""
    rng = plan.chance("rubric", number)
    count = rng.randint(FEWEST, MOST)
    weights = [100 // count] * count
    weights[0] += 100 - sum(weights)
    return tuple(
        Criterion(f"crit-{number + 1:04}-{n + 1}", weight, rng.uniform(-0.6, 0.9))
        for n, weight in enumerate(weights)
    )


def record(kind: str, name: str, day: float, /, **fields: Json) -> File:
    """Return one record in its envelope."""
    at = moment(day)
    content = {"id": name, "type": kind, "fields": fields, "createdAt": at, "updatedAt": at}
    return File(f"{STORE}/{kind}/{name}.json", content)


def opening(plan: Plan) -> Iterator[File]:
    """Yield the rubrics, their criteria and the test cases."""
    cases = case_count(plan.gradings)
    for number in range(case_count(cases, CASES_PER_RUBRIC)):
        yield from _rubric_records(plan, number)
    for number in range(cases):
        prose = plan.prose("case", number)
        yield record(
            "test-case",
            _case_id(number),
            0.1,
            name=f"Task {number + 1}",
            description=prose.sentence(),
            agentId="writer-agent",
            skillId="answering",
            promptVersionRef="answer-prompt-v1",
            inputs={"question": prose.prompt()},
            expectedOutputs={"answer": prose.sentence()},
            rubricId=_rubric_id(number // CASES_PER_RUBRIC),
            tags=[f"area-{number % 7}"],
            status="active",
            createdAt=moment(0.1),
            createdBy="ana",
        )


def _rubric_records(plan: Plan, number: int) -> Iterator[File]:
    prose = plan.prose("guide", number)
    criteria = rubric(plan, number)
    yield record(
        "rubric",
        _rubric_id(number),
        0.0,
        name=f"Answers, set {number + 1}",
        description=prose.sentence(),
        criteriaIds=[criterion.id for criterion in criteria],
        passingThreshold=THRESHOLD,
        version=1,
        isActive=True,
    )
    taken = set[str]()
    for criterion in criteria:
        yield record(
            "rubric-criterion",
            criterion.id,
            0.0,
            rubricId=_rubric_id(number),
            name=prose.check(taken),
            description=prose.sentence(),
            weight=criterion.hundredths / 100,
            scoringGuide=prose.sentence(),
            minScore=1,
            maxScore=MAX_SCORE,
        )


def _case_id(number: int) -> str:
    return f"case-{number + 1:05}"


def _rubric_id(number: int) -> str:
    return f"rubric-{number + 1:04}"


def grading(plan: Plan, index: int) -> Made:
    """Return one test run with its judgments, and a failure record where it failed."""
    place = slot(index)
    criteria = rubric(plan, place.case // CASES_PER_RUBRIC)
    prose = plan.prose("grading", index)
    scores = [score(prose.rng, place.step, criterion.hardness) for criterion in criteria]
    pairs = list(zip(criteria, scores, strict=True))
    total = sum(criterion.hundredths * value for criterion, value in pairs) / 100
    name = f"run-{index + 1:07}"
    day = 7.0 * place.step + prose.rng.random()
    files = [_run(prose, place.case, place.step, name, day, total)]
    for criterion, value in pairs:
        files.append(_judgment(prose, name, day, criterion, value))
    if total < THRESHOLD:
        low = [criterion.id for criterion, value in pairs if value < 3]
        files.append(_failure(prose, name, day, low))
    return Made(tuple(files), len(scores), ())


def _run(prose: Prose, case: int, step: int, name: str, day: float, total: float) -> File:
    return record(
        "test-run",
        name,
        day,
        testCaseId=_case_id(case),
        agentRunId=f"agent-{name}",
        promptVersionRef=f"answer-prompt-v{step + 1}",
        actualOutput={"answer": prose.reasoning(0.5)},
        passed=total >= THRESHOLD,
        totalScore=total,
        maxPossibleScore=MAX_SCORE,
        ranAt=moment(day),
        durationMs=prose.rng.randint(900, 60_000),
        judgeType="llm",
    )


def _judgment(prose: Prose, run: str, day: float, criterion: Criterion, value: int) -> File:
    return record(
        "eval-judgment",
        f"{run}-{criterion.id}",
        day,
        testRunId=run,
        criterionId=criterion.id,
        score=value,
        maxScore=MAX_SCORE,
        rationale=prose.reasoning(),
        judgedBy="judge-large-2026-01",
        judgedByType="llm",
        judgedAt=moment(day + 0.01),
        confidence=round(prose.rng.uniform(0.5, 1.0), 2),
    )


def _failure(prose: Prose, run: str, day: float, criteria: list[str]) -> File:
    kinds = ("wrong-output", "hallucination", "format-error")
    return record(
        "eval-failure",
        f"failure-of-{run}",
        day + 0.02,
        testRunId=run,
        failureType=prose.rng.choice(kinds),
        description=prose.sentence(),
        affectedCriterionIds=criteria,
        severity=prose.rng.choice(("critical", "major", "minor")),
        rootCause=prose.sentence(),
        resolvedAt=None,
        resolutionNotes="",
    )


def closing(plan: Plan, facts: Iterable[tuple[float, ...]]) -> Iterator[File]:
    """Yield nothing: the records of a store stand for themselves."""
    del plan, facts
    yield from ()
