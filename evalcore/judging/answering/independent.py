"""Start an independent batch, and give up judging one of its runs independently."""

import secrets
from collections.abc import Container, Iterable, Sequence
from random import Random
from typing import Final, Literal, NamedTuple

from evalcore.errors import CannotJudge, CannotWrite
from evalcore.families.reviews.models import (
    DrawnFrom,
    IndependentBatchFields,
    RevealFields,
)
from evalcore.judging.hiding import hidden_runs
from evalcore.judging.limits import LIMITS, stored
from evalcore.judging.model import Judge, Receipt
from evalcore.judging.storing.judges import is_named, known_judges
from evalcore.judging.storing.populations import by_column, runs_sha256
from evalcore.judging.storing.record_factory import make_record, part_of, suite_of
from evalcore.judging.storing.store import new_id, store
from evalcore.judging.storing.stored_reviews import review_folder
from evalcore.workspace.opened import Workspace

MOST: Final = 500
"""Upper limit of runs in one batch."""
MAX_JUDGES: Final = 20


class Draw(NamedTuple):
    """The runs of a batch: how they were chosen, and out of how many.

    `population` are those that they were drawn from; none where they were chosen.
    """

    runs: tuple[str, ...]
    drawn: Literal["random", "chosen"]
    out_of: int
    population: tuple[str, ...] = ()


class Judges(NamedTuple):
    """Who is to judge: ids of judges, and names of those who have no id yet."""

    ids: tuple[str, ...]
    names: tuple[str, ...] = ()


class Started(NamedTuple):
    """The result of starting a batch: its id, its receipts, and why the rest failed."""

    batch: str
    receipts: tuple[Receipt, ...]
    failed: str | None = None


def drawn(runs: Sequence[str], number: int, chance: Random | None = None) -> Draw:
    """Return so many of the runs, drawn at random without replacement, or all if they are fewer."""
    known = list(dict.fromkeys(runs))
    taken = (chance or secrets.SystemRandom()).sample(known, min(number, len(known)))
    return Draw(tuple(taken), "random", len(known), tuple(known))


def chosen(runs: Sequence[str], out_of: int) -> Draw:
    """Return exactly these runs; all there are leave nothing to chance."""
    known = tuple(dict.fromkeys(runs))
    return Draw(known, "chosen", out_of, known if len(known) == out_of else ())


def judges_named(entries: Iterable[str], known: Container[str]) -> Judges:
    """Return the judges meant by some entries: known ids, names of this machine, or new names."""
    ids, names = list[str](), list[str]()
    for entry in dict.fromkeys(entries):
        own = (judge.id for judge in known_judges() if is_named(judge, [entry], [entry]))
        found = entry if entry in known else next(own, None)
        (names if found is None else ids).append(found or entry)
    return Judges(tuple(dict.fromkeys(ids)), tuple(names))


def start_batch(
    ws: Workspace,
    draw: Draw,
    judges: Judges,
    author: Judge,
    *,
    reason: str = "",
    submission: str | None = None,
) -> Started:
    """Ask judges to judge some runs independently; from now on their scores are hidden from them.

    Raises:
        CannotJudge: there is no run or no judge, there are too many, or the reason is too long.
        CannotWrite: none of them could be written.
        UnknownName: one is no run's id.
    """
    if not draw.runs:
        raise CannotJudge("No run is left to judge. Choose other runs.")
    if len(draw.runs) > MOST:
        raise CannotJudge(f"At most {MOST} runs are in one batch. Choose fewer.")
    named = len(judges.ids) + len(judges.names)
    if not named:
        raise CannotJudge("Say who is to judge them.")
    if named > MAX_JUDGES:
        raise CannotJudge(f"At most {MAX_JUDGES} judges are asked at once. Choose fewer.")
    batch, receipts = submission or new_id(), list[Receipt]()
    population = [
        DrawnFrom(column=column, runs=len(of), sha256=runs_sha256(of))
        for column, of in by_column(draw.population).items()
    ]
    for run in draw.runs:
        fields = IndependentBatchFields(
            test_run_id=run,
            batch=batch,
            judges=list(judges.ids),
            names=[stored(name, LIMITS.name, "The name") for name in judges.names],
            drawn=draw.drawn,
            out_of=draw.out_of,
            population=population,
            reason=stored(reason, LIMITS.reason, "The reason"),
        )
        record = make_record(fields, author, part_of(batch, run))
        try:
            receipts.append(store(review_folder(ws, suite_of(run)), record))
        except CannotWrite as error:
            if not receipts:
                raise
            return Started(batch, tuple(receipts), str(error))
    return Started(batch, tuple(receipts))


def reveal(ws: Workspace, run_id: str, judge: Judge) -> Receipt | None:
    """Store that a judge gives up judging a run independently; None if it is not hidden from them.

    Raises:
        CannotWrite: it could not be written.
        UnknownName: it is no run's id.
    """
    suite = suite_of(run_id)
    asking = hidden_runs(ws, suite, judge).get(run_id)
    if asking is None:
        return None
    fields = RevealFields(test_run_id=run_id, batch=asking.batch)
    name = part_of(asking.batch, f"{judge.id} {run_id}")
    return store(review_folder(ws, suite), make_record(fields, judge, name))
