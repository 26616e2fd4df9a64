"""Whether the numbers of two sides are comparable: fully, for some cases, or not at all."""

from collections.abc import Callable, Iterable, Mapping
from typing import Final, NamedTuple

from evalcore.comparing.criteria_sets import other_criteria
from evalcore.comparing.memo import memoize_per_pair
from evalcore.comparing.model import Break, Comparability, Level, Reason, Side, What
from evalcore.comparing.prompts import other_prompts
from evalcore.comparing.provenance import Differing, other_judges, other_models
from evalcore.counting.coded import distinct
from evalcore.counting.memo import memoize_per_workspace
from evalcore.counting.outcomes import Column, outcomes
from evalcore.counting.people import Scores
from evalcore.counting.rates import SET_ASIDE
from evalcore.layouts.order import natural
from evalcore.workspace.opened import Workspace

NAMED: Final = 8
"""Maximum number of cases named in a sentence; the rest is counted."""
_REASONS: Final[dict[What, Reason]] = {
    "prompts": "other prompt",
    "criteria": "other criteria",
    "judge": "other judge",
    "executor": "other model",
}


class _Checked(NamedTuple):
    """The comparability of two sides, and the cases that must not be compared."""

    fair: Comparability
    incomparable_cases: Mapping[str, Reason]


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


def incomparable_cases(a: Side, b: Side, scores: Scores = "recorded") -> Mapping[str, Reason]:
    """Return the cases that ran on both sides but must not be compared, and why.

    Raises:
        UnknownName: a workspace has no such suite.
    """
    return _checked(a, b, people=scores == "human").incomparable_cases


@memoize_per_pair
def _checked(a: Side, b: Side, *, people: bool) -> _Checked:
    sides = _sides(a, b)
    found = [*_headline(a, b), *_cases(sides)]
    unknown: list[What] = []
    excluded: dict[str, Reason] = {}
    for what, check in _CHECKS.items():
        if not sides.both or (people and what == "judge"):
            continue
        differing = check(a, b, sides.both)
        if not differing.compared:
            unknown.append(what)
        elif differing.cases:
            found.append(_break(what, sides, differing))
            excluded = {**dict.fromkeys(differing.cases, _REASONS[what]), **excluded}
    return _Checked(
        Comparability(_level(sides, found, excluded), tuple(found), tuple(unknown)), excluded
    )


def _prompts(a: Side, b: Side, cases: Iterable[str]) -> Differing:
    other, compared = other_prompts(a, b, cases)
    return Differing(other, (), (), compared)


def _criteria(a: Side, b: Side, cases: Iterable[str]) -> Differing:
    other, compared = other_criteria(a, b, cases)
    return Differing(other, (), (), compared)


_CHECKS: Final[dict[What, Callable[[Side, Side, Iterable[str]], Differing]]] = {
    "prompts": _prompts,
    "criteria": _criteria,
    "judge": other_judges,
    "executor": other_models,
}


def _level(sides: _Sides, found: list[Break], excluded: Mapping[str, Reason]) -> Level:
    if len(excluded) == len(sides.both) or any(each.stops for each in found):
        return "nothing"
    return "part" if found else "whole"


def _sides(a: Side, b: Side) -> _Sides:
    first, second = (ran(side.ws, side.suite, side.column) for side in (a, b))
    return _Sides(
        *side_names(a, b),
        tuple(case for case in first if case not in second),
        tuple(case for case in second if case not in first),
        tuple(case for case in first if case in second),
    )


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
        "criteria": f"Judge {these} of {sides.a} again by the criteria of {sides.b}.",
        "judge": f"Judge {these} of {sides.a} again with {b}, as {sides.b} was judged.",
        "executor": f"Run {these} of {sides.a} again with {b}, as {sides.b} was run.",
    }
    return Break(what, a, b, () if whole else cases, mends[what], whole)


def _these(cases: tuple[str, ...], noun: str) -> str:
    """Return the number and names of some cases: `the 2 missing cases (tabs, links)`."""
    named = ", ".join(sorted(cases, key=natural)[:NAMED])
    more = f" and {len(cases) - NAMED} more" if len(cases) > NAMED else ""
    many = f"the {len(cases):,} {noun}s" if len(cases) != 1 else f"the {noun}"
    return f"{many} ({named}{more})"


def _count(cases: int) -> str:
    return f"{cases:,} case{'' if cases == 1 else 's'}"
