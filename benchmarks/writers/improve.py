"""`improve`: ten versions of a skill, three runs each, criteria scored 1 to 5."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from benchmarks.prose import Prose
from benchmarks.writers.common import (
    FEWEST,
    MOST,
    STEPS,
    File,
    Json,
    Made,
    Plan,
    case_count,
    half_up,
    moment,
    score,
    skill_text,
    slot,
)

SKILL = "release-notes"
WORKSPACE = f"{SKILL}-workspace"
_CONVENTIONS = (
    "frontmatter", "description_field", "token_efficiency", "progressive_disclosure",
    "type_alignment",
)  # fmt: skip


class Criterion(NamedTuple):
    label: str
    description: str
    required: bool
    hardness: float


class Case(NamedTuple):
    id: str
    prompt: str
    criteria: tuple[Criterion, ...]


@lru_cache(maxsize=64)
def case(plan: Plan, number: int) -> Case:
    """Return the definition of one case; its first criterion is required."""
    prose = plan.prose("case", number)
    rng, taken = prose.rng, set[str]()
    criteria = tuple(
        Criterion(
            f"check-{position + 1}",
            prose.check(taken),
            position == 0 or rng.random() < 0.5,
            rng.uniform(-0.6, 0.9),
        )
        for position in range(rng.randint(FEWEST, MOST))
    )
    return Case(f"case-{number + 1:05}", f"{prose.prompt()} (Task {number + 1}.)", criteria)


def opening(plan: Plan) -> Iterator[File]:
    """Yield the files that do not depend on what the gradings say."""
    cases = [_case_document(case(plan, n)) for n in range(case_count(plan.gradings))]
    evals = {"version": "1.0", "skill": f"/home/ana/skills/{SKILL}", "cases": cases}
    yield File(f"{SKILL}/evals/evals.json", evals)
    yield File(f"{SKILL}/SKILL.md", skill_text(SKILL, "Writes release notes."))
    for version in range(STEPS):
        text = skill_text(SKILL, f"Writes release notes, draft {version}.")
        yield File(f"{WORKSPACE}/v{version}/skill/SKILL.md", text)


def _case_document(found: Case) -> Json:
    expectations = [
        {"criterion": c.label, "description": c.description, "required": c.required}
        for c in found.criteria
    ]
    return {"id": found.id, "prompt": found.prompt, "files": [], "expectations": expectations}


def grading(plan: Plan, index: int) -> Made:
    """Return one grading.json."""
    place = slot(index)
    asked = case(plan, place.case)
    prose = plan.prose("grading", index)
    scores = [score(prose.rng, place.step, c.hardness) for c in asked.criteria]
    path = f"{WORKSPACE}/grading/{asked.id}_v{place.step}_run{place.run}.json"
    document = {
        "case_id": asked.id,
        "version": place.step,
        "run": place.run,
        **_totals(asked, scores),
        "results": [
            {
                "criterion": criterion.label,
                "score": value,
                "passed": value >= 3,
                "reasoning": prose.reasoning(),
            }
            for criterion, value in zip(asked.criteria, scores, strict=True)
        ],
        "overall": _overall(asked, scores),
        **_rest(prose),
    }
    return Made((File(path, document),), len(scores), (sum(scores), len(scores)))


def _totals(asked: Case, scores: list[int]) -> Json:
    required = [value for c, value in zip(asked.criteria, scores, strict=True) if c.required]
    return {
        "overall_score": half_up(sum(scores), len(scores), 1),
        "required_score": half_up(sum(required), len(required), 1),
    }


def _overall(asked: Case, scores: list[int]) -> str:
    pairs = zip(asked.criteria, scores, strict=True)
    return "pass" if all(value >= 3 for c, value in pairs if c.required) else "fail"


def _rest(prose: Prose) -> Json:
    rng = prose.rng
    conventions = {
        key: {"passed": rng.random() < 0.8, "details": prose.sentence()} for key in _CONVENTIONS
    }
    claims = [
        {"claim": prose.sentence(), "verified": rng.random() < 0.7, "evidence": prose.sentence()}
        for _ in range(rng.randint(0, 3))
    ]
    return {
        "convention_compliance": conventions,
        "claims": claims,
        "user_notes_summary": prose.sentence() if rng.random() < 0.5 else "",
        "eval_feedback": prose.sentence() if rng.random() < 0.3 else "",
        "execution_metrics": {},
    }


def closing(plan: Plan, facts: Iterable[tuple[float, ...]]) -> Iterator[File]:
    """Yield history.json with the mean over cases of each case's mean."""
    runs: dict[tuple[int, int], list[Fraction]] = defaultdict(list)
    for index, (total, count) in enumerate(facts):
        place = slot(index)
        runs[place.step, place.case].append(Fraction(int(total), int(count)))
    cases: dict[int, list[Fraction]] = defaultdict(list)
    for (step, _), values in runs.items():
        cases[step].append(sum(values, Fraction()) / len(values))
    versions = [_version(plan, step, cases.get(step)) for step in range(STEPS)]
    history = {"versions": versions, "current_version": STEPS - 1}
    yield File(f"{WORKSPACE}/history.json", history)


def _version(plan: Plan, step: int, values: list[Fraction] | None) -> Json:
    mean = sum(values, Fraction()) / len(values) if values else None
    return {
        "version": step,
        "timestamp": moment(7 * step),
        "description": "baseline" if step == 0 else plan.prose("version", step).sentence(),
        "git_hash": f"{plan.chance('hash', step).getrandbits(160):040x}",
        "path": f"v{step}/skill",
        "average_score": None if mean is None else half_up(mean.numerator, mean.denominator, 2),
    }
