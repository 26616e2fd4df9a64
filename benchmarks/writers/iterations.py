"""`iterations`: five iterations, with and without the skill, three runs each, pass or fail."""

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
    half_up,
    passes,
    skill_text,
    slot,
    summary,
)

SKILL = "incident-report"
WORKSPACE = f"{SKILL}-workspace"
SIDES = ("with_skill", "without_skill")


class Eval(NamedTuple):
    id: int
    name: str
    prompt: str
    expected: str
    texts: tuple[str, ...]
    hardness: tuple[float, ...]


@lru_cache(maxsize=64)
def eval_case(plan: Plan, number: int) -> Eval:
    """Return the definition of one eval."""
    prose = plan.prose("eval", number)
    taken = set[str]()
    texts = tuple(prose.check(taken) for _ in range(prose.rng.randint(FEWEST, MOST)))
    hardness = tuple(prose.rng.uniform(-0.6, 0.9) for _ in texts)
    name = f"report-{number + 1:04}"
    return Eval(number + 1, name, prose.prompt(), prose.sentence(), texts, hardness)


def opening(plan: Plan) -> Iterator[File]:
    """Yield evals.json."""
    evals = [eval_case(plan, n) for n in range(case_count(plan.gradings))]
    cases = [
        {
            "id": e.id,
            "prompt": e.prompt,
            "expected_output": e.expected,
            "files": [],
            "expectations": list(e.texts),
        }
        for e in evals
    ]
    yield File(f"{SKILL}/SKILL.md", skill_text(SKILL, "Writes incident reports."))
    yield File(f"{SKILL}/evals/evals.json", {"skill_name": SKILL, "evals": cases})


class Place(NamedTuple):
    """Where a run of this layout stands."""

    case: int
    iteration: int
    side: str
    run: int

    def folder(self, workspace: str, eval_name: str) -> str:
        """Return the folder of the eval in its iteration."""
        return f"{workspace}/iteration-{self.iteration + 1}/eval-{eval_name}"


def place_of(index: int) -> Place:
    """Return the place of grading `index`: 5 iterations x 2 sides x 3 runs an eval."""
    found = slot(index)
    return Place(found.case, found.step // 2, SIDES[found.step % 2], found.run)


def grading(plan: Plan, index: int) -> Made:
    """Return grading.json and timing.json of one run, with the eval's metadata beside the first."""
    place = place_of(index)
    asked = eval_case(plan, place.case)
    prose = plan.prose("grading", index)
    better = 2 * place.iteration if place.side == SIDES[0] else -2
    passed = [passes(prose.rng, better, hard) for hard in asked.hardness]
    folder = place.folder(WORKSPACE, asked.name)
    run = f"{folder}/{place.side}/run-{place.run}"
    files = [
        File(f"{run}/grading.json", _document(prose, asked, passed)),
        File(f"{run}/timing.json", timing(prose)),
    ]
    if place.side == SIDES[0] and place.run == 1:
        files.append(File(f"{folder}/eval_metadata.json", _metadata(asked)))
    return Made(tuple(files), len(passed), ())


def _metadata(asked: Eval) -> Json:
    return {
        "eval_id": asked.id,
        "eval_name": asked.name,
        "prompt": asked.prompt,
        "assertions": list(asked.texts),
    }


def _document(prose: Prose, asked: Eval, passed: list[bool]) -> Json:
    rng = prose.rng
    return {
        "expectations": [
            {"text": text, "passed": good, "evidence": prose.reasoning()}
            for text, good in zip(asked.texts, passed, strict=True)
        ],
        "summary": summary(passed),
        "execution_metrics": {
            "tool_calls": {"Read": rng.randint(1, 9), "Write": rng.randint(1, 4)},
            "total_tool_calls": rng.randint(2, 13),
            "total_steps": rng.randint(2, 20),
            "errors_encountered": rng.randint(0, 2),
            "output_chars": rng.randint(900, 9000),
            "transcript_chars": rng.randint(4000, 40000),
        },
        "claims": claims(prose),
        "user_notes_summary": {
            "uncertainties": [prose.sentence()] if rng.random() < 0.5 else [],
            "needs_review": [],
            "workarounds": [prose.sentence()] if rng.random() < 0.2 else [],
        },
        "eval_feedback": feedback(prose, asked.texts[0]),
    }


def claims(prose: Prose) -> list[Json]:
    """Return up to three claims of the executor."""
    kinds = ("factual", "process", "quality")
    return [
        {
            "claim": prose.sentence(),
            "type": prose.rng.choice(kinds),
            "verified": prose.rng.random() < 0.7,
            "evidence": prose.sentence(),
        }
        for _ in range(prose.rng.randint(0, 3))
    ]


def feedback(prose: Prose, assertion: str) -> Json:
    """Return what the grader says of the evals, often nothing much."""
    suggestions = []
    if prose.rng.random() < 0.4:
        suggestions.append({"assertion": assertion, "reason": prose.sentence()})
    if prose.rng.random() < 0.2:
        suggestions.append({"reason": prose.sentence()})
    return {"suggestions": suggestions, "overall": prose.sentence()}


def timing(prose: Prose) -> Json:
    """Return timing.json of one run."""
    milliseconds = prose.rng.randint(9_000, 180_000)
    return {
        "total_tokens": prose.rng.randint(2_000, 60_000),
        "duration_ms": milliseconds,
        "total_duration_seconds": half_up(milliseconds, 1000, 1),
    }


def closing(plan: Plan, facts: Iterable[tuple[float, ...]]) -> Iterator[File]:
    """Yield nothing: this family's summary is written by a tool of its own."""
    del plan, facts
    yield from ()
