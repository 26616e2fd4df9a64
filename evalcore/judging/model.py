"""What a judge is asked, what a judge answers, and what becomes of it."""

from collections.abc import Mapping
from typing import Final, Literal, NamedTuple

State = Literal["pending", "draft", "submitted", "skipped", "needs others"]
"""Where a run stands for one judge.

`needs others`: I judged it, and it waits for a further judge (one was asked for, or judges
disagree). A run whose judgment went stale is pending again.
"""
STATES: Final[tuple[State, ...]] = ("pending", "draft", "submitted", "skipped", "needs others")

Level = Literal["low", "medium", "high"]
"""How sure a judge is, as a word; records keep the share too: low 0.33, medium 0.67, high 1."""


class Judge(NamedTuple):
    """A person who judges: `id` is the name and a short suffix kept on this machine."""

    id: str
    name: str


class Asked(NamedTuple):
    """One criterion that a judge scores; `key` is `kind:criterion`.

    A pass/fail criterion has the scale 0 to 1 and `choices` of two. `choices` are all scores that
    a key can give, ascending, where there are at most 11; None for a finer scale, where any number
    from `low` to `high` will do. With `fine` any number will do beside the choices. `anchors` are
    (score, what deserves it); `description` is empty where the name says it all.
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
    fine: bool = False


class Basis(NamedTuple):
    """What the judgments of a run rest on; each is a sha256, None where there is nothing.

    `criteria` holds one for each criterion by its key. Those in `loose` are worded by gradings
    alone, as far as this folder tells: that is no other wording than the one that was judged.
    """

    output: str | None
    prompt: str | None
    criteria: Mapping[str, str]
    loose: frozenset[str] = frozenset()


class Mine(NamedTuple):
    """My stored judgment of one criterion; `stale` says what changed since, None when nothing."""

    id: str
    key: str
    score: float | None
    rationale: str
    evidence: tuple[str, ...]
    level: Level | None
    stale: str | None


class Task(NamedTuple):
    """One run as a judge sees it: nothing of what anybody else, or a model, made of it.

    `files` are paths of output files relative to the workspace. `ids` holds the submission id of
    each criterion by its key, made once for a task and kept in the draft, so that to store twice
    is to store once. `mine` are my stored judgments by key.
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
    mine: Mapping[str, Mine]


class Answer(NamedTuple):
    """What a judge says of one criterion."""

    key: str
    score: float
    rationale: str
    evidence: tuple[str, ...] = ()
    level: Level | None = None


class Receipt(NamedTuple):
    """Proof that a record is on the disk: its id, the sha256 of its bytes, its path.

    `new` is false where the same record was there already.
    """

    id: str
    sha256: str
    path: str
    new: bool


class ReadBack(NamedTuple):
    """What a receipt stands for, as it lies on the disk.

    `intact` says that the bytes are those of the receipt; where they are not, or are gone, `score`
    is None and the texts are empty. `score` is None too where the judge took it back.
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

    `worth` orders the queue, the largest first; `reasons` say in words why a person should look,
    the weightiest first, and never which way anybody judged. `why` are their names, in that order.
    """

    run_id: str
    case: str
    column: str
    state: State
    worth: float
    reasons: tuple[str, ...]
    why: tuple[str, ...] = ()


class Queue(NamedTuple):
    """What one judge has before them: entries in order, all states, and how many are in each."""

    entries: tuple[Entry, ...]
    counts: Mapping[State, int]
