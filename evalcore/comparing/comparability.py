"""Whether the numbers of two sides are comparable: fully, for some cases, or not at all."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Final, NamedTuple

from evalcore.comparing.memo import memoize_per_pair
from evalcore.comparing.model import (
    Break,
    Comparability,
    Level,
    OtherCriterion,
    Reason,
    Side,
    What,
)
from evalcore.comparing.prompts import other_prompts
from evalcore.comparing.provenance import UNNAMED, Differing, other_judges, other_models
from evalcore.comparing.shared_criteria import Match, shared_criteria
from evalcore.counting.coded import distinct
from evalcore.counting.memo import memoize_per_workspace
from evalcore.counting.outcomes import Column, outcomes
from evalcore.counting.people import Scores
from evalcore.counting.rates import SET_ASIDE
from evalcore.layouts.order import natural
from evalcore.workspace.opened import Workspace

NAMED: Final = 8
"""Maximum number of cases named in a sentence; the rest is counted."""
_REMARKS: Final[frozenset[What]] = frozenset({"judge", "executor", "sides", "names"})
"""Differences that leave nothing out: they are named, as they may explain a change."""


class Shared(NamedTuple):
    """What both sides have in common.

    `incomparable` are the cases that ran on both sides but share no prompt or no criterion;
    `criteria` the cases of which only some criteria are shared. `asked` counts the criteria of each
    case on either side.
    """

    incomparable: Mapping[str, Reason]
    criteria: Mapping[str, Match]
    asked: Mapping[str, int]


class _Checked(NamedTuple):
    """The comparability of two sides, and what they share."""

    fair: Comparability
    shared: Shared


class _Sides(NamedTuple):
    """Two sides with their names for sentences, and the cases that ran on each or on both."""

    a: str
    b: str
    only_a: tuple[str, ...]
    only_b: tuple[str, ...]
    both: tuple[str, ...]


def comparability(a: Side, b: Side, scores: Scores = "recorded") -> Comparability:
    """Return what makes the numbers of two sides incomparable, and what is unknown.

    An aspect that is not recorded on both sides is unknown and never a difference; it counts as
    known if both sides record it for one case. Draft and deprecated cases are not compared, nor is
    the recorded judge if only human scores count.

    Raises:
        UnknownName: a workspace has no such suite.
    """
    return _checked(a, b, people=scores == "human").fair


def shared(a: Side, b: Side, scores: Scores = "recorded") -> Shared:
    """Return the cases and criteria that the sides share, and the cases that they do not.

    Raises:
        UnknownName: a workspace has no such suite.
    """
    return _checked(a, b, people=scores == "human").shared


@memoize_per_pair
def _checked(a: Side, b: Side, *, people: bool) -> _Checked:
    first, second = (ran(side.ws, side.suite, side.column) for side in (a, b))
    sides = _Sides(
        *side_names(a, b),
        tuple(case for case in first if case not in second),
        tuple(case for case in second if case not in first),
        tuple(case for case in first if case in second),
    )
    prompts, compared = other_prompts(a, b, sides.both)
    matches = shared_criteria(a, b, sides.both)
    made = {
        what: check(a, b, sides.both)
        for what, check in _MADE_BY.items()
        if not (people and what == "judge")
    }
    found = [*_headline(a, b), *_cases(sides)]
    if prompts:
        found.append(_break("prompts", sides, Differing(prompts, (), (), compared)))
    if matches.differing:
        found.append(_criteria_break(sides, matches.differing))
    for what, differing in made.items():
        found += _remarks(what, sides, differing)
    found += _both_changed(a, b)
    known = {"prompts": compared, "criteria": len(matches.asked)}
    known |= {what: differing.compared for what, differing in made.items()}
    unknown = tuple(what for what in _RECORDED if sides.both and known.get(what) == 0)
    none = [case for case, match in matches.differing.items() if not match.a]
    partly = {case: match for case, match in matches.differing.items() if match.a}
    incomparable: dict[str, Reason] = dict.fromkeys(none, "other criteria")
    incomparable |= dict.fromkeys(prompts, "other prompt")
    shared = Shared(incomparable, partly, matches.asked)
    level = _level(sides, found, shared.incomparable)
    return _Checked(Comparability(level, tuple(found), unknown), shared)


_RECORDED: Final[tuple[What, ...]] = ("prompts", "criteria", "judge", "executor")
_MADE_BY: Final[dict[What, Callable[[Side, Side, Iterable[str]], Differing]]] = {
    "judge": other_judges,
    "executor": other_models,
}


def _remarks(what: What, sides: _Sides, found: Differing) -> Iterator[Break]:
    """Yield who judged or ran otherwise, and names that are taken for the same one."""
    if found.cases:
        yield _break(what, sides, found)
    if found.aliases:
        a, b = (", ".join(sorted(names)) for names in zip(*found.aliases, strict=True))
        yield Break("names", a, b, (), "", stops=False, remark=True)


def _both_changed(a: Side, b: Side) -> Iterator[Break]:
    """Yield a remark if version and configuration both changed."""
    one, two = a.column, b.column
    if one.version != two.version and one.configuration != two.configuration:
        yield Break("sides", one.key, two.key, (), "", stops=False, remark=True)


def _level(sides: _Sides, found: list[Break], excluded: Mapping[str, Reason]) -> Level:
    if len(excluded) == len(sides.both) or any(each.stops for each in found):
        return "nothing"
    return "part" if any(not each.remark for each in found) else "whole"


def side_names(a: Side, b: Side) -> tuple[str, str]:
    """Return distinguishable names of two sides."""
    names = a.column.key, b.column.key
    if names[0] != names[1]:
        return names
    homes = a.ws.name, b.ws.name
    if homes[0] == homes[1]:
        homes = ("A", "B") if a.suite == b.suite else (a.suite, b.suite)
    return f"{names[0]} of {homes[0]}", f"{names[1]} of {homes[1]}"


@memoize_per_workspace
def ran(ws: Workspace, suite: str, column: Column) -> dict[str, None]:
    """Return the cases in force that have runs in a column, in their order.

    Raises:
        UnknownName: the workspace has no such suite.
    """
    found = outcomes(ws, suite)
    place = found.columns.index(column) if column in found.columns else -1
    mine = found.runs["case"].to_numpy()[found.runs["column"].to_numpy() == place]
    mine = distinct(mine, len(found.cases))
    aside = found.cases["status"].isin(SET_ASIDE).to_numpy(bool)
    ids = found.cases["case_id"].tolist()
    return {str(ids[at]): None for at in mine[~aside[mine]].tolist()}


def _headline(a: Side, b: Side) -> list[Break]:
    one, two = outcomes(a.ws, a.suite).headline, outcomes(b.ws, b.suite).headline
    if one == two:
        return []
    mend = "Choose two versions of suites with the same headline metric."
    return [Break("headline", one, two, (), mend, True)]


def _cases(sides: _Sides) -> list[Break]:
    cases = (*sides.only_a, *sides.only_b)
    if not cases and sides.both:
        return []
    a, b = (_count(len(sides.both) + len(only)) for only in (sides.only_a, sides.only_b))
    steps = [
        f"Run {_these(missing, 'missing case')} in {side}"
        for missing, side in ((sides.only_a, sides.b), (sides.only_b, sides.a))
        if missing
    ]
    mend = ". ".join(steps) or "Run the same cases on both sides"
    if not sides.both and len(steps) > 1:
        mend = f"{steps[0]}, or choose two versions that ran the same cases"
    return [Break("cases", a, b, cases, f"{mend}.", not sides.both)]


def _break(what: What, sides: _Sides, found: Differing) -> Break:
    whole = len(found.cases) == len(sides.both)
    cases = tuple(case for case in sides.both if case in found.cases)
    a, b = (" and ".join(names) for names in (found.a, found.b))
    these = _these(cases, "case") if not whole else "all cases"
    mends: dict[What, str] = {
        "prompts": f"Run {these} of {sides.a} again with the prompts of {sides.b}.",
        "judge": f"Judge {these} of {sides.a} and {sides.b} by one judge."
        if UNNAMED in found.b
        else f"Re-grade {these} of {sides.a} with {b}, as {sides.b} was graded.",
        "executor": f"Run {these} of {sides.a} again with {b}, as {sides.b} was run.",
    }
    remark = what in _REMARKS
    return Break(what, a, b, () if whole else cases, mends[what], whole and not remark, remark)


def _criteria_break(sides: _Sides, differing: Mapping[str, Match]) -> Break:
    cases = tuple(case for case in sides.both if case in differing)
    whole = len(cases) == len(sides.both)
    these = _these(cases, "case") if not whole else "all cases"
    other: tuple[OtherCriterion, ...] = tuple(
        each for case in cases for each in differing[case].other
    )
    return Break(
        what="criteria",
        a="",
        b="",
        cases=() if whole else cases,
        mend=f"Re-grade {these} of {sides.a} with the criteria of {sides.b}.",
        stops=whole and not any(match.a for match in differing.values()),
        criteria=other,
    )


def _these(cases: tuple[str, ...], noun: str) -> str:
    """Return the number and names of some cases: `the 2 missing cases (tabs, links)`."""
    named = ", ".join(sorted(cases, key=natural)[:NAMED])
    more = f" and {len(cases) - NAMED} more" if len(cases) > NAMED else ""
    many = f"the {len(cases):,} {noun}s" if len(cases) != 1 else f"the {noun}"
    return f"{many} ({named}{more})"


def _count(cases: int) -> str:
    return f"{cases:,} case{'' if cases == 1 else 's'}"
