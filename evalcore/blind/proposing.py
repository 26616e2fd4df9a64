"""What a blind study of two sides would compare: pairs of runs of a case, and what is left out."""

from collections.abc import Collection, Sequence
from random import Random
from typing import Final, NamedTuple

from evalcore.comparing.comparability import ran
from evalcore.comparing.model import Side
from evalcore.counting.digests import output_digests, without_output
from evalcore.counting.memo import memoize_per_workspace
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


_Run = tuple[str, str]
"""The id of a run, and the digest of its output."""
_Comparable = tuple[str, list[_Run], list[_Run]]
"""A case, and its runs with an output on each side."""


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
    wanted = tuple(dict.fromkeys(cases) or known)
    found, left_out = _comparable(a.ws, a.suite, a.column, b.column, wanted)
    pairs: list[BlindPair] = []
    for case, runs_a, runs_b in found:
        first = len(pairs)
        most = min(len(runs_a), len(runs_b)) if drawn == "all" else 1
        both = zip(chance.sample(runs_a, most), chance.sample(runs_b, most), strict=True)
        pairs += [
            BlindPair(
                pair=f"p{number:03}",
                case_id=case,
                run_a=run_a,
                run_b=run_b,
                output_a=output_a,
                output_b=output_b,
            )
            for number, ((run_a, output_a), (run_b, output_b)) in enumerate(both, first + 1)
        ]
    if not pairs:
        raise CannotJudge("No case has an output on both sides. Choose others, or run them first.")
    if len(pairs) > MOST:
        raise CannotJudge(f"At most {MOST} pairs are in one study. Choose fewer cases or runs.")
    return Proposal(a.column.key, b.column.key, tuple(pairs), left_out)


def minutes(pairs: int, criteria: int, judges: int) -> int:
    """Return about how many minutes so many judges need together."""
    seconds = SECONDS + 2 * criteria * SECONDS_A_SCORE
    return max(1, round(pairs * judges * seconds / 60))


@memoize_per_workspace
def _comparable(
    ws: Workspace, suite: str, a: Column, b: Column, cases: tuple[str, ...]
) -> tuple[tuple[_Comparable, ...], tuple[tuple[str, str], ...]]:
    """Return the cases that have outputs of both sides, and why others are left out.

    Once there are more than a study may hold, no further outputs are read.
    """
    runs_a, runs_b = (_with_outputs(ws, suite, column) for column in (a, b))
    found: list[_Comparable] = []
    left_out: list[tuple[str, str]] = []
    for case in cases:
        of_a, of_b = (
            [(run, output) for run, output in output_digests(ws, of.get(case, ())) if output]
            for of in (runs_a, runs_b)
        )
        if of_a and of_b:
            found.append((case, of_a, of_b))
            if len(found) > MOST:
                break
            continue
        lacks = (column.key for column, runs in ((a, of_a), (b, of_b)) if not runs)
        left_out.append((case, f"No output of {' and '.join(lacks)}."))
    return tuple(found), tuple(left_out)


def _with_outputs(ws: Workspace, suite: str, column: Column) -> dict[str, list[int]]:
    """Return the runs (positions) of a column that say of an output, by case."""
    found = outcomes(ws, suite)
    runs = found.runs["case"][(found.runs["column"] == found.columns.index(column)).to_numpy()]
    runs = runs[~without_output(ws)[runs.index]]
    ids, by_case = found.cases["case_id"].astype(str).tolist(), dict[str, list[int]]()
    for at, case in zip(runs.index.tolist(), runs.tolist(), strict=True):
        by_case.setdefault(ids[case], []).append(at)
    return by_case
