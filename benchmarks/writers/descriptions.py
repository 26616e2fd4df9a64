"""`descriptions`: runs of a hundred cases, ten versions of a skill's description, pass or fail."""

import hashlib
import statistics
from collections.abc import Iterable, Iterator
from fractions import Fraction
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
    half_up,
    moment,
    passes,
    skill_text,
)

SKILL = "support-answer"
CASES = 100
VERSIONS = 10


class Case(NamedTuple):
    id: str
    prompt: str
    texts: tuple[str, ...]
    hardness: tuple[float, ...]
    weight: float


@lru_cache(maxsize=CASES)
def case(plan: Plan, number: int) -> Case:
    """Return the definition of one case."""
    prose = plan.prose("case", number)
    taken = set[str]()
    texts = tuple(prose.check(taken) for _ in range(prose.rng.randint(FEWEST, MOST)))
    hardness = tuple(prose.rng.uniform(-0.6, 0.9) for _ in texts)
    weight = prose.rng.choice((1.0, 1.0, 1.0, 2.0))
    return Case(f"tc-{number + 1:03}", prose.prompt(), texts, hardness, weight)


def _run_count(plan: Plan) -> int:
    return case_count(plan.gradings, CASES)


def _version(plan: Plan, run: int) -> int:
    return run * VERSIONS // _run_count(plan) + 1


def _run_name(run: int) -> str:
    return f"run-{run + 1:05}"


def _description(plan: Plan, version: int) -> str:
    return f"Answers support questions. {plan.prose('description', version).sentence()}"


def opening(plan: Plan) -> Iterator[File]:
    """Yield eval_metadata.json and the skill with its newest description."""
    cases = [
        {
            "id": found.id,
            "prompt": found.prompt,
            "assertions": list(found.texts),
            "tags": [f"area-{number % 7}"],
            "weight": found.weight,
        }
        for number in range(min(CASES, plan.gradings))
        for found in (case(plan, number),)
    ]
    metadata = {"skill_name": SKILL, "version": "1.2.0", "test_cases": cases}
    yield File(f"{SKILL}/eval/eval_metadata.json", metadata)
    newest = _version(plan, _run_count(plan) - 1)
    yield File(f"{SKILL}/SKILL.md", skill_text(SKILL, _description(plan, newest)))


def grading(plan: Plan, index: int) -> Made:
    """Return one grading of one case in one run."""
    run, number = divmod(index, CASES)
    asked = case(plan, number)
    prose = plan.prose("grading", index)
    step = _version(plan, run) - 1
    passed = [passes(prose.rng, step, hard) for hard in asked.hardness]
    seconds = half_up(prose.rng.randint(30, 1800), 10, 1)
    path = f"{SKILL}/eval/runs/{_run_name(run)}/grading/{asked.id}.json"
    document = _document(prose, asked, passed, run, seconds)
    fact = (sum(passed), len(passed), seconds)
    return Made((File(path, document),), len(passed), fact)


def _document(prose: Prose, asked: Case, passed: list[bool], run: int, seconds: float) -> Json:
    start = 2.0 * run + prose.rng.random()
    return {
        "test_case_id": asked.id,
        "run_id": _run_name(run),
        "timestamp": moment(start + 0.2),
        "assertions": [_assertion(prose, *pair) for pair in zip(asked.texts, passed, strict=True)],
        "overall_score": half_up(sum(passed), len(passed), 4),
        "factual_issues": [prose.sentence()] if prose.rng.random() < 0.2 else [],
        "eval_critique": {
            "vague_assertions": [prose.sentence()] if prose.rng.random() < 0.3 else [],
            "missing_coverage": [prose.sentence()] if prose.rng.random() < 0.3 else [],
            "suggested_assertions": [prose.sentence()] if prose.rng.random() < 0.3 else [],
        },
        "timing": {
            "start": moment(start),
            "end": moment(start, seconds),
            "duration_seconds": seconds,
        },
    }


def _assertion(prose: Prose, text: str, passed: bool) -> Json:
    found = {
        "assertion": text,
        "result": "pass" if passed else "fail",
        "confidence": prose.rng.choice(("high", "high", "medium", "low")),
        "evidence": prose.reasoning(),
    }
    return {**found, "notes": prose.sentence()} if prose.rng.random() < 0.4 else found


def closing(plan: Plan, facts: Iterable[tuple[float, ...]]) -> Iterator[File]:
    """Yield benchmark.json with one entry a run."""
    every = list(facts)
    runs = [every[start : start + CASES] for start in range(0, len(every), CASES)]
    yield File(
        f"{SKILL}/eval/benchmark.json",
        {
            "skill_name": SKILL,
            "description_version": _version(plan, len(runs) - 1),
            "created_at": moment(0),
            "entries": [_entry(plan, run, found) for run, found in enumerate(runs)],
        },
    )


def _entry(plan: Plan, run: int, facts: list[tuple[float, ...]]) -> Json:
    version = _version(plan, run)
    exact = [Fraction(int(good), int(count)) for good, count, _ in facts]
    shown = [half_up(int(good), int(count), 4) for good, count, _ in facts]
    text = _description(plan, version)
    return {
        "description_version": version,
        "description_hash": hashlib.sha256(text.encode()).hexdigest(),
        "run_id": _run_name(run),
        "timestamp": moment(2.0 * run + 1.5),
        "scores": {
            "mean": _shown(sum(exact, Fraction()) / len(exact)),
            "median": _shown(statistics.median(exact)),
            "std_dev": round(statistics.stdev(exact), 4) if len(exact) > 1 else None,
            "min": min(shown),
            "max": max(shown),
        },
        "per_test_case": [
            {
                "test_case_id": case(plan, number).id,
                "score": shown[number],
                "duration_seconds": seconds,
            }
            for number, (_, _, seconds) in enumerate(facts)
        ],
        "total_duration_seconds": round(sum(seconds for *_, seconds in facts), 1),
        "num_test_cases": len(facts),
    }


def _shown(value: Fraction) -> float:
    return half_up(value.numerator, value.denominator, 4)
