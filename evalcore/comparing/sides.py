"""Resolve the name of a side, and choose the two sides compared by default."""

from collections.abc import Iterable
from typing import Final

from evalcore.comparing.comparability import comparability, ran
from evalcore.comparing.model import Side
from evalcore.comparing.provenance import provenance
from evalcore.counting.focus import baselines_of, earlier_of, focus_of
from evalcore.counting.outcomes import FIRST_SIDES, SECOND_SIDES, Column
from evalcore.counting.score_source import rates_by
from evalcore.errors import CannotCompare, UnknownName
from evalcore.workspace.opened import Workspace

TRIED: Final = 8
"""So many earlier versions are looked at for one that is comparable."""
NAMED: Final = 8
"""So many names are listed in a message."""


def columns_of(ws: Workspace, suite: str) -> tuple[Column, ...]:
    """Return the versions and configurations of a suite that can be compared, in their order.

    These have a value, or the gate stopped all of their runs.

    Raises:
        UnknownName: the workspace has no such suite.
    """
    known = rates_by(ws, "human-first")  # who has only people's scores can be compared by them
    if suite not in known:
        raise UnknownName("suite", suite, known)
    return tuple(
        column
        for column, rate in known[suite].items()
        if rate.value is not None or rate.gate_failed
    )


def side_of(ws: Workspace, suite: str, name: str) -> Side:
    """Return the side that `VERSION` or `VERSION@CONFIGURATION` names.

    A version alone means its only configuration, else the one under test.

    Raises:
        UnknownName: the suite has no such side.
        CannotCompare: none of its runs counts.
    """
    columns = columns_of(ws, suite)
    exact = [column for column in columns if column.key == name]
    same = tuple(column for column in columns if column.version == name)
    if exact:
        return Side(ws, suite, exact[0])
    place, _ = focus_of(same, None, None)
    if place is None:
        if any(
            name in (column.key, column.version) for column in rates_by(ws, "human-first")[suite]
        ):
            raise CannotCompare(
                f"No run of {name} counts: they are left out of the rates, did not "
                "end, or have no score. Count some again, or name another "
                "version."
            )
        raise UnknownName("version", name, [column.key for column in columns])
    return Side(ws, suite, same[place])


def newest_side(
    ws: Workspace, suite: str, version: str | None = None, configuration: str | None = None
) -> Side | None:
    """Return the newest tested side of a suite, of a version or configuration if it has that.

    It is what a suite is compared by with one of another folder or revision. None without scores.
    """
    columns = columns_of(ws, suite)
    place, _ = focus_of(columns, version, configuration)
    if place is None:
        place, _ = focus_of(columns, None, None)
    return None if place is None else Side(ws, suite, columns[place])


def two_sides(ws: Workspace, suite: str, a: str | None, b: str | None) -> tuple[Side, Side]:
    """Return the two sides that are named, or the default ones if neither is.

    Raises:
        UnknownName: the suite has no such side, or the workspace no such suite.
        CannotCompare: only one is named, both are the same, or there are no two with scores.
    """
    require_both_or_none(a, b)
    if a is None or b is None:
        sides = default_sides(ws, suite)
        if sides is None:
            raise CannotCompare(
                f"The suite {suite!r} has no two versions or configurations with "
                f"scores. {_there_is(ws, suite)}"
            )
        return sides
    one, two = side_of(ws, suite, a), side_of(ws, suite, b)
    if one.column == two.column:
        raise CannotCompare(
            f"Both sides are {one.column.key}: a version is not compared with "
            f"itself. {_there_is(ws, suite)}"
        )
    return one, two


def require_both_or_none(a: str | None, b: str | None) -> None:
    """Raise `CannotCompare` if only one of two sides is named."""
    if (a is None) != (b is None):
        raise CannotCompare(
            "Name both sides, A and B, or none: then the newest version is compared "
            "against the one before."
        )


def _there_is(ws: Workspace, suite: str) -> str:
    keys = [column.key for column in columns_of(ws, suite)]
    return f"There is: {listed(keys)}." if keys else "It has no runs with scores."


def listed(names: Iterable[str]) -> str:
    """Return the first names of a list for a message, and how many more there are."""
    names = list(names)
    more = f" and {len(names) - NAMED:,} more" if len(names) > NAMED else ""
    return ", ".join(names[:NAMED]) + more


def default_sides(
    ws: Workspace, suite: str, version: str | None = None, configuration: str | None = None
) -> tuple[Side, Side] | None:
    """Return the default sides, older first: the newest, and the one to compare it with; else None.

    The newest is compared with the newest earlier version of the same configuration that shares
    criteria and cases with it (at least half as many as any earlier one), else with the baseline of
    its version, else with the side that is nearest: same configuration, same model, most shared
    cases.
    """
    columns = columns_of(ws, suite)
    focus, _ = focus_of(columns, version, configuration)
    if focus is None or len(columns) < 2:
        return None
    mine = ran(ws, suite, columns[focus]).keys()
    shared = tuple(len(mine & ran(ws, suite, column).keys()) for column in columns)
    earlier = [place for place in earlier_of(columns, focus) if shared[place]]
    most = max((shared[place] for place in earlier), default=0)
    near = [place for place in earlier[::-1] if 2 * shared[place] >= most][:TRIED]
    near += [place for place in baselines_of(columns, focus) if shared[place]]
    comparable = (p for p in near if _comparable(ws, suite, columns[p], columns[focus]))
    other = next(comparable, None)
    if other is None:
        other = near[0] if near else _nearest(ws, suite, columns, focus, shared)
    first, second = sorted((other, focus))
    return Side(ws, suite, columns[first]), Side(ws, suite, columns[second])


def _comparable(ws: Workspace, suite: str, a: Column, b: Column) -> bool:
    return comparability(Side(ws, suite, a), Side(ws, suite, b)).level != "nothing"


def _nearest(
    ws: Workspace,
    suite: str,
    columns: tuple[Column, ...],
    focus: int,
    shared: tuple[int, ...],
) -> int:
    """Return the other column that differs least from the one in focus."""
    models = [
        frozenset().union(*provenance(ws, suite, column).models.values()) for column in columns
    ]

    def likeness(place: int) -> tuple[bool, bool, bool, int, int]:
        return (
            shared[place] > 0,
            columns[place].configuration == columns[focus].configuration,
            models[place] == models[focus],
            shared[place],
            -abs(place - focus),
        )

    return max((place for place in range(len(columns)) if place != focus), key=likeness)


def sides_of_version(ws: Workspace, suite: str, version: str) -> tuple[Side, Side] | None:
    """Return the baseline of a version and its tested side as (A, B); None without both."""
    columns = [column for column in columns_of(ws, suite) if column.version == version]
    baseline = [column for column in columns if column.configuration in SECOND_SIDES]
    tested = [column for column in columns if column.configuration in FIRST_SIDES]
    if not baseline or not tested:
        return None
    return Side(ws, suite, baseline[0]), Side(ws, suite, tested[0])
