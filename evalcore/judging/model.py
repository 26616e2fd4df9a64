"""Data types of judging: judge, task, answer, receipt and queue."""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Final, Literal, NamedTuple, get_args

import numpy as np

from evalcore.counting.coded import Numbers, numbered
from evalcore.families.reviews.basis import Wording
from evalcore.families.reviews.review import REQUIRED, Decided, Reasons, needs_reason
from evalcore.ids import within

State = Literal[
    "pending", "draft", "submitted", "skipped", "needs another judge", "cannot be judged"
]
"""The state of a run for one judge.

`needs another judge`: this judge has judged it and another one is needed (one was requested, or
judges disagree). A run whose judgment is stale is pending again. `cannot be judged`: its output is
not saved, and no record of a person asks for a judgment.
"""
STATES: Final[tuple[State, ...]] = get_args(State)

Level = Literal["low", "medium", "high"]
"""A judge's confidence as a word; records store a number too: low 0.33, medium 0.67, high 1."""


class Judge(NamedTuple):
    """A person who judges; `id` is the name with a short suffix that is stored on this machine."""

    id: str
    name: str


class Asked(NamedTuple):
    """One criterion that a judge scores; `key` is `kind:criterion`.

    A pass/fail criterion has the scale 0 to 1 and `choices` of two. `choices` are the scores
    offered as single keys, ascending, if there are at most 11; None for a finer scale, where any
    number from `low` to `high` is valid. With `fine`, other numbers are valid too. `anchors` are
    (score, what deserves it); `description` is empty if the name says it all. A score passes from
    `pass_at` on; where nothing says what passes, only the highest does.
    """

    key: str
    kind: str
    criterion: str
    name: str
    description: str
    low: float
    high: float
    pass_fail: bool
    choices: tuple[float, ...] | None
    anchors: tuple[tuple[float, str], ...]
    guide: str | None
    weight: float | None
    required: bool | None
    sha256: str
    pass_at: float
    fine: bool = False


class Basis(NamedTuple):
    """The basis of the judgments of a run: each is a sha256, None if there is nothing.

    `criteria` holds one for each criterion by its key. `wordings` are what documents say of the
    prompt (`PROMPT`) and, by key, of each criterion that is not only mentioned by gradings.
    """

    output: str | None
    prompt: str | None
    criteria: Mapping[str, str]
    wordings: Mapping[str, Wording] = {}


class OwnJudgment(NamedTuple):
    """A judge's own stored judgment of one criterion; `stale` says what changed since, or None.

    `id` is its `standing_id`: that of its record, unless several stand side by side.
    """

    id: str
    key: str
    score: float | None
    rationale: str
    evidence: tuple[str, ...]
    level: Level | None
    stale: str | None


class Task(NamedTuple):
    """One run as a judge sees it, without any other judge's or model's opinion.

    `files` are paths of output files relative to the workspace. `ids` holds the submission id of
    each criterion by its key, created once for a task and saved in the draft, so that storing twice
    has no further effect. `mine` are the judge's own stored judgments by key, `reasons` for which
    scores the suite requires a reason. `decided` is what rules decided, which need not be judged.
    """

    run_id: str
    suite: str
    case_id: str
    name: str
    prompt: str | None
    expected: str | None
    files: tuple[str, ...]
    criteria: tuple[Asked, ...]
    basis: Basis
    ids: Mapping[str, str]
    mine: Mapping[str, OwnJudgment]
    reasons: Reasons = REQUIRED
    decided: Mapping[str, Decided] = {}

    @property
    def left(self) -> tuple[Asked, ...]:
        """The criteria that are left to people."""
        return tuple(each for each in self.criteria if each.key not in self.decided)

    @property
    def judged(self) -> bool:
        """Whether all that is left has the judge's own score, and nothing changed since."""
        known = [self.mine.get(each.key) for each in self.left]
        return bool(known) and all(
            each is not None and each.score is not None and each.stale is None for each in known
        )

    def needs_reason(self, of: Asked, score: float) -> bool:
        """Return whether a score of a criterion needs a reason in words."""
        return needs_reason(self.reasons, score < of.pass_at)


class Answer(NamedTuple):
    """A judge's answer for one criterion."""

    key: str
    score: float
    rationale: str
    evidence: tuple[str, ...] = ()
    level: Level | None = None


class Receipt(NamedTuple):
    """Proof that a record is on disk: its id, the sha256 of its bytes, its path.

    `new` is false if the same record was already stored.
    """

    id: str
    sha256: str
    path: str
    new: bool


class ReadBack(NamedTuple):
    """The stored record of a receipt, as read from disk.

    `intact` says that the bytes match the receipt; if they do not, or the file is gone, `score` is
    None and the texts are empty. `score` is also None if the judge withdrew it.
    """

    id: str
    key: str
    score: float | None
    low: float | None
    high: float | None
    rationale: str
    evidence: tuple[str, ...]
    level: Level | None
    intact: bool


class Entry(NamedTuple):
    """One run of a queue.

    The queue is ordered by `priority`, the largest first. `reasons` say in words why a person
    should look, the weightiest first, and never which way anybody judged; `why` are their names.
    """

    run_id: str
    case: str
    column: str
    state: State
    priority: float
    reasons: tuple[str, ...]
    why: tuple[str, ...] = ()


REVIEW: Final = "review"
"""The name of the filter by `Queue.review`, which stands among the reasons."""


Kind = tuple[State, tuple[str, ...]]
"""The state of an entry, and the names of its reasons."""


@dataclass(frozen=True, eq=False)
class Queue:
    """A judge's queue: which runs are in it in which order, and how many are in each state.

    There may be many, so what is asked of all of them is asked of arrays. Runs have numbers:
    `order` are those of the queue, and `described`, `kind` (one of the `kinds`) and `review`,
    whether it is to review, are by number, as are `numbers` by the part of a run's id after the
    suite.
    """

    order: Numbers
    counts: Mapping[State, int]
    described: Numbers
    kinds: tuple[Kind, ...]
    kind: Numbers
    review: Numbers
    numbers: Mapping[str, int]

    @cached_property
    def entries(self) -> tuple[Entry, ...]:
        """All entries in order."""
        return tuple(self.described[self.order].tolist())

    def entry(self, place: int) -> Entry:
        """Return the entry at a position, from 0 on."""
        found: Entry = self.described[self.order[place]]
        return found

    def place(self, run: str | None) -> int | None:
        """Return the position of a run, from 0 on; None if it is not in the queue."""
        number = None if run is None else self.numbers.get(within(run))
        if number is None or self.described[number].run_id != run:
            return None
        return next(iter(np.flatnonzero(self.order == number).tolist()), None)

    def kept(self, keep: Callable[[State, tuple[str, ...]], bool]) -> Numbers:
        """Return the positions of the entries that are kept by state and names of reasons."""
        wanted = np.array([keep(*kind) for kind in self.kinds], bool)
        return np.flatnonzero(wanted[self.kind[self.order]])

    def reviewed(self, places: Numbers) -> Numbers:
        """Return which of some positions are to review."""
        return places[self.review[self.order[places]]]

    def states(self, places: Numbers) -> Counter[State]:
        """Return how many of some entries (positions) are in each state."""
        found: Counter[State] = Counter()
        for (state, _), n in self._kinds(places):
            found[state] += n
        return found

    def reasons(self, places: Numbers) -> Counter[str]:
        """Return how many of some entries (positions) have each reason, the first found first."""
        found: Counter[str] = Counter()
        for (_, why), n in self._kinds(places):
            found.update(dict.fromkeys(why, n))
        return found

    def _kinds(self, places: Numbers) -> list[tuple[Kind, int]]:
        """Return the kinds of some entries in the order in which they occur, with their numbers."""
        there, of_row, first = numbered(self.kind[self.order[places]], len(self.kinds))
        n = np.bincount(of_row, minlength=len(there))
        return [(self.kinds[there[at]], int(n[at])) for at in np.argsort(first).tolist()]
