"""The interface of a family for comparisons by people: how a blind study is written."""

import re
from collections.abc import Callable, Iterable, Mapping
from hashlib import sha256
from typing import Final, Literal, NamedTuple

from evalcore.families.running import Document, Json, whole
from evalcore.shapes.judge import HUMAN, written_from
from evalcore.tables.cells import cells
from evalcore.tables.snapshot import Tables

Better = Literal["left", "right", "tie", "both bad"]


class Said(NamedTuple):
    """One verdict: the versions as they stood on the screen, and what the judge said of them.

    `id` is the verdict's record. `scores` are those of left and right by criterion.
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


class Compared(NamedTuple):
    """A study of two versions that has ended.

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
        return "/".join((*(() if self.root in (".", "") else (self.root,)), *names))


class Written(NamedTuple):
    """The documents of a study, and sentences on what they cannot say."""

    documents: tuple[Document, ...] = ()
    left_out: tuple[str, ...] = ()


Comparing = Callable[[Compared], Written]

_PLAIN: Final = re.compile(r"[0-9a-f-]{36}")


def name_of(said: Said) -> str:
    """Return the name of a verdict's documents; of an id that somebody made up, a digest."""
    plain = _PLAIN.fullmatch(said.id) is not None
    return said.id if plain else sha256(said.id.encode("utf-8", "surrogatepass")).hexdigest()[:32]


SIDE: Final[Mapping[Better, str]] = {"left": "A", "right": "B", "tie": "tie", "both bad": "tie"}
"""In documents A is what stood left, which chance decided; so the labels tell no order."""


def judged_by(said: Said) -> dict[str, Json]:
    """Return the fields that say who judged, and from which record that is."""
    return {"judge": said.judge, "judge_type": HUMAN, **written_from([said.id])}


def scored(said: Said) -> Iterable[tuple[str, float, float]]:
    """Yield (criterion, score of A, score of B), whole numbers as people write them."""
    for name, (left, right) in said.scores.items():
        yield name, whole(left), whole(right)


def values_of(tables: Tables, table: str, suite: str, *names: str) -> list[tuple[Json, ...]]:
    """Return columns of the rows of a suite in a table."""
    return [row[1:] for row in cells(tables, table, "suite", *names) if row[0] == suite]
