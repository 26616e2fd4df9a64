"""Resolve the name of a side, and choose the two sides compared by default."""

from evalcore.comparing.model import Side
from evalcore.comparing.values import values_by_case
from evalcore.counting.focus import focus_of
from evalcore.counting.outcomes import FIRST_SIDES, SECOND_SIDES, Column
from evalcore.counting.score_source import rates_by
from evalcore.errors import CannotCompare, UnknownName
from evalcore.workspace.opened import Workspace


def columns_of(ws: Workspace, suite: str) -> tuple[Column, ...]:
    """Return the versions and configurations of a suite that have a value, in their order.

    Raises:
        UnknownName: the workspace has no such suite.
    """
    known = rates_by(ws, "human-first")  # who has only people's scores can be compared by them
    if suite not in known:
        raise UnknownName("suite", suite, known)
    return tuple(column for column, rate in known[suite].items() if rate.value is not None)


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


def default_sides(
    ws: Workspace, suite: str, version: str | None = None, configuration: str | None = None
) -> tuple[Side, Side] | None:
    """Return the default sides, older first: the newest, and the one to compare it with; else None.

    The newest is compared with the previous version of the same configuration, else the baseline of
    its version, else any other side. Sides that share cases with it are preferred.
    """
    columns = columns_of(ws, suite)
    focus, before = focus_of(columns, version, configuration)
    if focus is None or len(columns) < 2:
        return None
    known = [] if before is None else [before]
    others = sorted(
        (place for place in range(len(columns)) if place != focus),
        key=lambda place: (columns[place].version != columns[focus].version, abs(place - focus)),
    )
    mine = values_by_case(ws, suite, columns[focus], "recorded").keys()
    ranked = [*known, *others]
    # Looked at one after the other, as the first one nearly always shares cases.
    sharing = (
        place
        for place in ranked
        if not mine.isdisjoint(values_by_case(ws, suite, columns[place], "recorded"))
    )
    first, second = sorted((next(sharing, ranked[0]), focus))
    return Side(ws, suite, columns[first]), Side(ws, suite, columns[second])


def sides_of_version(ws: Workspace, suite: str, version: str) -> tuple[Side, Side] | None:
    """Return the baseline of a version and its tested side as (A, B); None without both."""
    columns = [column for column in columns_of(ws, suite) if column.version == version]
    baseline = [column for column in columns if column.configuration in SECOND_SIDES]
    tested = [column for column in columns if column.configuration in FIRST_SIDES]
    if not baseline or not tested:
        return None
    return Side(ws, suite, baseline[0]), Side(ws, suite, tested[0])
