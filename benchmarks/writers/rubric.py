"""`rubric`: structural checks as a gate, then expectations and weighted dimensions, 1 to 5."""

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple

from benchmarks.prose import Prose
from benchmarks.writers.common import (
    File,
    Json,
    Made,
    Plan,
    case_count,
    half_up,
    passes,
    score,
    skill_text,
    slot,
    summary,
)
from benchmarks.writers.iterations import SIDES, claims, feedback, place_of, timing

SKILL = "migration-guide"
WORKSPACE = f"{SKILL}-workspace"
GATE_FAILURES = 0.03
_DIMENSIONS = ("accuracy", "completeness", "order_of_steps", "tone", "examples")
_TYPES: tuple[Json, ...] = (
    {"type": "file_exists", "pattern": "*.md"},
    {"type": "file_contains", "pattern": "*.md", "match": "## Rollback"},
    {"type": "file_not_contains", "pattern": "*.md", "match_any": ["TBD", "lorem ipsum"]},
    {"type": "no_errors"},
    {"type": "file_count", "pattern": "*.md", "count": 1, "operator": "=="},
)


class Dimension(NamedTuple):
    name: str
    description: str
    halves: int  # the weight, in halves
    hardness: float


class Eval(NamedTuple):
    id: int
    name: str
    prompt: str
    checks: tuple[str, ...]
    texts: tuple[str, ...]
    dimensions: tuple[Dimension, ...]


@lru_cache(maxsize=64)
def eval_case(plan: Plan, number: int) -> Eval:
    """Return the definition of one eval: 3 to 5 checks, 3 to 8 judged criteria."""
    prose = plan.prose("eval", number)
    rng, taken = prose.rng, set[str]()
    checks = tuple(prose.check(taken) for _ in range(rng.randint(3, 5)))
    texts = tuple(prose.check(taken) for _ in range(rng.randint(1, 3)))
    dimensions = tuple(
        Dimension(name, prose.sentence(), rng.randint(1, 4), rng.uniform(-0.6, 0.9))
        for name in _DIMENSIONS[: rng.randint(2, 5)]
    )
    name = f"guide-{number + 1:04}"
    return Eval(number + 1, name, prose.prompt(), checks, texts, dimensions)


def opening(plan: Plan) -> Iterator[File]:
    """Yield evals.json with its gate and its rubric."""
    evals = [_definition(plan, eval_case(plan, n)) for n in range(case_count(plan.gradings))]
    config = {
        "runs_per_eval": 3,
        "structural_gate": True,
        "judge_model": "judge-large-2026-01",
        "baseline_comparison": True,
    }
    document = {"skill_name": SKILL, "eval_config": config, "evals": evals}
    yield File(f"{SKILL}/SKILL.md", skill_text(SKILL, "Writes migration guides."))
    yield File(f"{SKILL}/evals/evals.json", document)


def _definition(plan: Plan, asked: Eval) -> Json:
    prose = plan.prose("anchors", asked.id)
    dimensions = [
        {
            "id": f"Q{position + 1}",
            "name": dimension.name,
            "description": dimension.description,
            "weight": dimension.halves / 2,
            "scoring": {anchor: prose.sentence() for anchor in ("1", "3", "5")},
        }
        for position, dimension in enumerate(asked.dimensions)
    ]
    checks = [
        {"id": f"S{n + 1}", "description": text, **_TYPES[n], "critical": n == 0}
        for n, text in enumerate(asked.checks)
    ]
    return {
        "id": asked.id,
        "name": asked.name,
        "prompt": asked.prompt,
        "expected_output": prose.sentence(),
        "files": [],
        "structural_expectations": checks,
        "quality_rubric": {"dimensions": dimensions},
    }


def grading(plan: Plan, index: int) -> Made:
    """Return the documents of one run; behind a failed gate nothing was judged."""
    place = place_of(index)
    asked = eval_case(plan, place.case)
    prose = plan.prose("grading", index)
    step = 2 * place.iteration if place.side == SIDES[0] else -2
    checks = [n > 0 and passes(prose.rng, step + 4, 0.0) for n in range(len(asked.checks))]
    checks[0] = prose.rng.random() >= GATE_FAILURES
    folder = place.folder(WORKSPACE, asked.name)
    run = f"{folder}/{place.side}/run-{place.run}"
    files = [
        File(f"{run}/structural.json", _structural(prose, asked, checks)),
        File(f"{run}/timing.json", timing(prose)),
    ]
    judged = 0
    if checks[0]:
        files.append(File(f"{run}/grading.json", _judged(prose, asked, step)))
        judged = len(asked.texts) + len(asked.dimensions)
    if slot(index).step % 2 == 0 and place.run == 1:
        metadata = {"eval_id": asked.id, "eval_name": asked.name, "prompt": asked.prompt}
        assertions = [*asked.checks, *asked.texts]
        files.append(File(f"{folder}/eval_metadata.json", {**metadata, "assertions": assertions}))
    return Made(tuple(files), len(checks) + judged, ())


def _structural(prose: Prose, asked: Eval, checks: list[bool]) -> Json:
    expectations = [
        {
            "id": f"S{n + 1}",
            "text": asked.checks[n],
            "type": _TYPES[n]["type"],
            "passed": good,
            "evidence": prose.sentence(),
            "critical": n == 0,
        }
        for n, good in enumerate(checks)
    ]
    return {"expectations": expectations, "summary": summary(checks), "gate_passed": checks[0]}


def _judged(prose: Prose, asked: Eval, step: int) -> Json:
    passed = [passes(prose.rng, step, 0.2) for _ in asked.texts]
    scores = [score(prose.rng, step, dimension.hardness) for dimension in asked.dimensions]
    return {
        "expectations": [
            {"text": text, "passed": good, "evidence": prose.reasoning()}
            for text, good in zip(asked.texts, passed, strict=True)
        ],
        "summary": summary(passed),
        "rubric_scores": {
            dimension.name: {"score": value, "evidence": prose.reasoning(1.3)}
            for dimension, value in zip(asked.dimensions, scores, strict=True)
        },
        "rubric_summary": _rubric_summary(asked, scores),
        "claims": claims(prose),
        "eval_feedback": feedback(prose, asked.texts[0]),
    }


def _rubric_summary(asked: Eval, scores: list[int]) -> Json:
    weight = sum(dimension.halves for dimension in asked.dimensions)
    pairs = zip(asked.dimensions, scores, strict=True)
    total = sum(dimension.halves * value for dimension, value in pairs)
    return {
        "weighted_mean": half_up(total, weight, 2),
        "max_possible": 5.0,
        "normalized": half_up(total, 5 * weight, 3),
    }


def closing(plan: Plan, facts: Iterable[tuple[float, ...]]) -> Iterator[File]:
    """Yield nothing: this family's summary is written by a tool of its own."""
    del plan, facts
    yield from ()
