"""What a blind study of two sides would compare: pairs of runs of a case, and what is left out."""

from collections.abc import Collection, Sequence
from random import Random
from typing import Final, NamedTuple

from evalcore.comparing.case_pair import runs_of_case
from evalcore.comparing.comparability import ran
from evalcore.comparing.model import Side
from evalcore.counting.digests import output_digest
from evalcore.counting.outcomes import UNASSIGNED, Column, outcomes
from evalcore.errors import CannotJudge, UnknownName
from evalcore.families.reviews.models import BlindPair
from evalcore.families.reviews.review import Drawn
from evalcore.workspace.opened import Workspace

MOST: Final = 500
"""Upper limit of pairs in one study."""
SECONDS: Final = 90
"""Estimate for reading two outputs and giving a verdict, without scores."""
SECONDS_A_SCORE: Final = 8


class Proposal(NamedTuple):
    """The pairs of a study, and why cases of the suite are not in it (case, sentence)."""

    a: str
    b: str
    pairs: tuple[BlindPair, ...]
    left_out: tuple[tuple[str, str], ...]

    @property
    def identical(self) -> int:
        """How many pairs have the same output on both sides."""
        return sum(pair.output_a == pair.output_b for pair in self.pairs)

    @property
    def runs(self) -> list[str]:
        """The runs that it compares, pair by pair."""
        return [run for pair in self.pairs for run in (pair.run_a, pair.run_b)]

    def holds(self, runs: Collection[str]) -> bool:
        """Return whether it compares one of some runs."""
        return any(run in runs for run in self.runs)

    @property
    def cases(self) -> int:
        """How many cases it compares: each counts once."""
        return len({pair.case_id for pair in self.pairs})


class _Run(NamedTuple):
    id: str
    output: str


def sides(ws: Workspace, suite: str) -> tuple[Column, ...]:
    """Return what a blind comparison is proposed of: versions and configurations, also unscored.

    Runs of no known version are of several, perhaps: they are a side only to who names it.

    Raises:
        UnknownName: the workspace has no such suite.
    """
    return tuple(each for each in outcomes(ws, suite).columns if each.version != UNASSIGNED)


def side_named(ws: Workspace, suite: str, name: str) -> Side:
    """Return the side that `VERSION` or `VERSION@CONFIGURATION` names, also one without scores.

    Raises:
        UnknownName: the suite has no such side, or several of that version.
    """
    columns = outcomes(ws, suite).columns
    exact = [column for column in columns if column.key == name]
    found = exact or [column for column in columns if column.version == name]
    if len(found) != 1:
        near = [column.key for column in found or sides(ws, suite)]
        raise UnknownName("side", name, near)
    return Side(ws, suite, found[0])


def propose(
    a: Side, b: Side, *, chance: Random, cases: Sequence[str] = (), drawn: Drawn = "one"
) -> Proposal:
    """Return the pairs of two sides of one suite; `chance` draws the runs where a case has several.

    With `all`, as many pairs of a case as the side with fewer runs has. `cases` names cases by id;
    none means all.

    Raises:
        UnknownName: no side ran one of `cases`.
        CannotJudge: both sides are the same, or nothing can be compared.
    """
    if a.column == b.column:
        raise CannotJudge("Both sides are the same. Choose two versions or configurations.")
    of_a, of_b = (ran(side.ws, side.suite, side.column) for side in (a, b))
    known = dict.fromkeys([*of_a, *of_b])
    for case in cases:
        if case not in known:
            raise UnknownName("case", case, known)
    pairs: list[BlindPair] = []
    left_out: list[tuple[str, str]] = []
    for case in dict.fromkeys(cases) or known:
        runs_a, runs_b = (_runs(side, case) for side in (a, b))
        if not runs_a or not runs_b:
            lacks = " and ".join(
                side.column.key for side, runs in ((a, runs_a), (b, runs_b)) if not runs
            )
            left_out.append((case, f"No output of {lacks}."))
            continue
        first = len(pairs)
        most = min(len(runs_a), len(runs_b)) if drawn == "all" else 1
        both = zip(chance.sample(runs_a, most), chance.sample(runs_b, most), strict=True)
        pairs += [
            BlindPair(
                pair=f"p{number:03}",
                case_id=case,
                run_a=one.id,
                run_b=two.id,
                output_a=one.output,
                output_b=two.output,
            )
            for number, (one, two) in enumerate(both, first + 1)
        ]
    if not pairs:
        raise CannotJudge("No case has an output on both sides. Choose others, or run them first.")
    if len(pairs) > MOST:
        raise CannotJudge(f"At most {MOST} pairs are in one study. Choose fewer cases or runs.")
    return Proposal(a.column.key, b.column.key, tuple(pairs), tuple(left_out))


def minutes(pairs: int, criteria: int, judges: int) -> int:
    """Return about how many minutes so many judges need together."""
    seconds = SECONDS + 2 * criteria * SECONDS_A_SCORE
    return max(1, round(pairs * judges * seconds / 60))


def _runs(side: Side, case: str) -> list[_Run]:
    """Return the runs of a case with an output that can be read."""
    ids = (str(side.ws.tables.runs["run_id"].iloc[at]) for at in runs_of_case(side, case))
    found = ((run, output_digest(side.ws, run)) for run in ids)
    return [_Run(run, output) for run, output in found if output is not None]
