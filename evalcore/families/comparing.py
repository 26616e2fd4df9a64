"""The interface of a family for blind comparisons, by people or by a model."""

import re
from collections.abc import Callable, Iterable, Mapping
from hashlib import sha256
from math import ceil, floor, fsum
from types import MappingProxyType
from typing import Final, Literal, NamedTuple

from evalcore.families.graded import Json
from evalcore.families.running import Document, below
from evalcore.numbers import whole
from evalcore.shapes.judge import BLIND, BLOCK, HUMAN, VERSIONS, written_from
from evalcore.tables.snapshot import Tables

Better = Literal["left", "right", "tie", "both bad"]


class Said(NamedTuple):
    """One verdict: the versions as they stood before the judge, and what the judge said of them.

    `id` is the verdict's record. `scores` are those of left and right by criterion, `reasons` what
    was said of them, `differences` what made the difference. `about` says how a model judged.
    """

    id: str
    case: str
    left: str
    right: str
    winner: Better
    scores: Mapping[str, tuple[float, float]]
    rationale: str
    judge: str
    at: str
    judge_type: str = HUMAN
    reasons: Mapping[str, tuple[str, str]] = MappingProxyType({})
    differences: tuple[str, ...] = ()
    about: Mapping[str, Json] = MappingProxyType({})

    @property
    def explained(self) -> str:
        """The rationale, with what no form has a word for."""
        return f"Both are bad. {self.rationale}" if self.winner == "both bad" else self.rationale


class Compared(NamedTuple):
    """Verdicts on two versions: of a study that has ended, or of a model.

    `scale` is that of all its criteria, None without criteria or where they differ. `share_b` is
    the mean preference for version B over `cases`, 0 to 1; `notes` say what it is worth.
    """

    id: str
    suite: str
    root: str
    tables: Tables
    version_a: str
    version_b: str
    scale: tuple[int, int] | None
    share_b: float
    cases: int
    notes: str
    ended_at: str
    verdicts: tuple[Said, ...]

    def below(self, *names: str) -> str:
        """Return a path below the folder that holds versions and runs."""
        return below(self.root, *names)


class Written(NamedTuple):
    """The documents of a study, and sentences on what they cannot say."""

    documents: tuple[Document, ...] = ()
    left_out: tuple[str, ...] = ()


class Suggestion(NamedTuple):
    """A change to one area of a skill, as text before and after."""

    area: str
    before: str
    after: str
    reasoning: str


class Analysis(NamedTuple):
    """Why one version won against another, and what to change; `about` says how a model saw it."""

    winner: str
    loser: str
    strengths: tuple[str, ...] = ()
    weaknesses: tuple[str, ...] = ()
    suggestions: tuple[Suggestion, ...] = ()
    about: Mapping[str, Json] = MappingProxyType({})


class Comparing(NamedTuple):
    """How a family writes comparisons, and the set of criteria that its form has scores for."""

    write: Callable[[Compared], Written]
    criteria: str = "none"
    analysis: Callable[[Compared, Analysis], Document] | None = None


_PLAIN: Final = re.compile(r"[0-9a-f-]{36}")


def name_of(said: Said) -> str:
    """Return the name of a verdict's documents; of an id that somebody made up, a digest."""
    plain = _PLAIN.fullmatch(said.id) is not None
    return said.id if plain else sha256(said.id.encode("utf-8", "surrogatepass")).hexdigest()[:32]


SIDE: Final[Mapping[Better, str]] = {"left": "A", "right": "B", "tie": "tie", "both bad": "tie"}
"""In documents A is what stood left, which chance decided; so the labels tell no order."""


def compared_by(said: Said) -> dict[str, Json]:
    """Return the fields that say who judged, by which record or prompt, and which versions."""
    if said.judge_type == HUMAN:
        block = written_from([said.id])[BLOCK]
    else:
        block = {"judging": dict(said.about)}
    told = {VERSIONS: {"A": said.left, "B": said.right}, BLIND: True}
    return {"judge": said.judge, "judge_type": said.judge_type, BLOCK: {**block, **told}}


def contradicts(said: Said) -> bool:
    """Return whether the side with the lower total won, which forms with a winner exclude."""
    left, right = (fsum(pair[at] for pair in said.scores.values()) for at in (0, 1))
    return (left < right and said.winner == "left") or (right < left and said.winner == "right")


def scored(said: Said) -> Iterable[tuple[str, float, float]]:
    """Yield (criterion, score of A, score of B), whole numbers as people write them."""
    for name, (left, right) in said.scores.items():
        yield name, whole(left), whole(right)


def scored_whole(said: Said) -> Iterable[tuple[str, int, int]]:
    """Yield scores as whole numbers, for forms without halves.

    Halves are rounded up and down in turn, so that the totals stay within one half and in order.
    """
    a_up, b_up = said.winner != "right", said.winner != "left"
    for name, a, b in scored(said):
        yield name, ceil(a) if a_up else floor(a), ceil(b) if b_up else floor(b)
        a_up, b_up = a_up ^ (a != int(a)), b_up ^ (b != int(b))
