"""What the writers share: the shape of a workspace, chance, and exact rounding."""

import random
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple

from benchmarks.prose import Prose

Json = Any
START = datetime(2026, 1, 5, 8, tzinfo=UTC)
FEWEST, MOST = 3, 8


class File(NamedTuple):
    """A file to write: text as it is, anything else as JSON."""

    path: str
    content: Json


class Made(NamedTuple):
    """One grading: its files, how many judgments they hold, and what later sums need of it.

    `judgments` counts scored criteria, without conventions.
    """

    files: tuple[File, ...]
    judgments: int
    fact: tuple[float, ...]


class Plan(NamedTuple):
    """Which workspace: how many gradings, from which seed."""

    gradings: int
    seed: int

    def chance(self, *place: object) -> random.Random:
        """Return the random generator of one place, the same whoever asks and when."""
        return random.Random("/".join(map(str, (self.seed, *place))))

    def prose(self, *place: object) -> Prose:
        """Return texts drawn with the chance of one place."""
        return Prose(self.chance(*place), self.seed)


class Slot(NamedTuple):
    """Where a grading stands: a case, a step in time (or a step and a side), a run from 1 on."""

    case: int
    step: int
    run: int


RUNS = 3
STEPS = 10
PER_CASE = RUNS * STEPS


def slot(index: int) -> Slot:
    """Return the place of grading `index`: 10 steps x 3 runs a case."""
    return Slot(index // PER_CASE, index % PER_CASE // RUNS, index % RUNS + 1)


def case_count(gradings: int, per_case: int = PER_CASE) -> int:
    """Return how many cases so many gradings need."""
    return -(-gradings // per_case)


def half_up(numerator: int, denominator: int, places: int) -> float:
    """Return a fraction of whole numbers rounded half-up, decided without floats."""
    scale: int = 10**places
    return (2 * numerator * scale + denominator) // (2 * denominator) / scale


def score(rng: random.Random, step: int, hardness: float) -> int:
    """Return 1 to 5, better in later steps and worse for hard criteria."""
    drawn = rng.gauss(3.1 + 0.14 * step - hardness, 1.1)
    return min(5, max(1, round(drawn)))


def passes(rng: random.Random, step: int, hardness: float) -> bool:
    """Return pass or fail with the same chances as a score of 3 or more."""
    return score(rng, step, hardness) >= 3


def moment(days: float, seconds: float = 0.0) -> str:
    """Return a point in time in ISO 8601: whole seconds after `days`, and `seconds` more."""
    passed = timedelta(seconds=round(days * 86_400)) + timedelta(seconds=seconds)
    return (START + passed).isoformat().replace("+00:00", "Z")


def summary(passed: Sequence[bool]) -> Json:
    """Return the counts of a list of checks, as skill-creator writes them."""
    good = sum(passed)
    return {
        "passed": good,
        "failed": len(passed) - good,
        "total": len(passed),
        "pass_rate": half_up(good, len(passed), 2),
    }


def skill_text(name: str, description: str) -> str:
    """Return a small SKILL.md."""
    return f"---\nname: {name}\ndescription: {description}\n---\n\n# {name}\n\nRead, sort, write.\n"
