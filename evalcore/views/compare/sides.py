"""The two sides that an address names, or the reason why there are none."""

from dataclasses import dataclass, replace
from typing import Final

from evalcore.comparing.model import Comparison, Side
from evalcore.comparing.sides import columns_of, default_sides, newest_side, side_of
from evalcore.counting.outcomes import Column, waiting_runs
from evalcore.errors import CannotCompare, UnknownName
from evalcore.views.verdict.lost import GRADE
from evalcore.views.words.wording import column_words
from evalcore.workspace.opened import Workspace

MAX_NAME: Final = 80


@dataclass(frozen=True, eq=False)
class SideSource:
    """A suite of an open workspace, and its columns that have a value."""

    ws: Workspace
    suite: str

    @property
    def columns(self) -> tuple[Column, ...]:
        """The versions and configurations that can be a side."""
        return columns_of(self.ws, self.suite)

    @property
    def labels(self) -> dict[str, str]:
        """The label of each column in the choice, by its key."""
        return {column.key: column_words(column) for column in self.columns}


@dataclass(frozen=True, eq=False)
class Sides:
    """The compared sides; None if there are not two, then `messages` has the reason."""

    a: Side | None
    b: Side | None
    messages: tuple[str, ...]


def sides_of(
    of_a: SideSource,
    of_b: SideSource,
    requested_sides: tuple[str | None, str | None],
    version: str | None,
    configuration: str | None,
) -> Sides:
    """Return the requested sides as (A, B), else the default ones.

    `version` and `configuration` are those chosen for the whole page; they set the default.
    """
    messages: list[str] = []
    usual_a, usual_b = _usual(of_a, of_b, version, configuration)
    a = _requested(of_a, requested_sides[0], "A", usual_a, messages)
    b = _requested(of_b, requested_sides[1], "B", usual_b, messages)
    if (
        a is not None
        and b is not None
        and requested_sides[0] is not None
        and requested_sides[1] is None
    ):
        b = _other(a, b, of_b)
    if (
        a is not None
        and b is not None
        and requested_sides[1] is not None
        and requested_sides[0] is None
    ):
        a = _other(b, a, of_a)
    return Sides(a, b, tuple(messages))


def named(found: Comparison, a: str, b: str) -> Comparison:
    """Return a comparison of two sources with their names; one of a single source is unchanged."""
    if found.a.workspace == found.b.workspace == "":
        return found
    return replace(found, a=replace(found.a, workspace=a), b=replace(found.b, workspace=b))


def too_few(source: SideSource) -> str:
    """Return the sentence for a suite without a second side, with the next step."""
    columns = source.columns
    if not columns and waiting_runs(source.ws)[source.suite]:
        return f"Nothing that was run here has a score yet, so there is nothing to compare. {GRADE}"
    if not columns:
        return (
            "Nothing that was run here has a score yet, so there is nothing to compare. "
            "Run the cases in two versions, or with and without the skill."
        )
    return (
        f"A second version or configuration is needed: only {column_words(columns[0])} has scores. "
        "Run the same cases in another version, or without the skill; or compare with another "
        "folder or revision."
    )


def _usual(
    of_a: SideSource, of_b: SideSource, version: str | None, configuration: str | None
) -> tuple[Side | None, Side | None]:
    if of_a.ws is of_b.ws and of_a.suite == of_b.suite:
        return default_sides(of_a.ws, of_a.suite, version, configuration) or (None, None)
    a, b = (newest_side(each.ws, each.suite, version, configuration) for each in (of_a, of_b))
    return a, b


def _requested(
    source: SideSource, requested: str | None, letter: str, usual: Side | None, messages: list[str]
) -> Side | None:
    if requested is None:
        return usual
    try:
        return side_of(source.ws, source.suite, requested)
    except (UnknownName, CannotCompare):
        instead = "" if usual is None else f"; {letter} is {column_words(usual.column)} instead"
        messages.append(f"Nothing called “{requested[:MAX_NAME]}” has scores here{instead}.")
        return usual


def _other(taken: Side, usual: Side, source: SideSource) -> Side:
    """Return the default side, or another one if that is already taken."""
    same = taken.ws is source.ws and taken.suite == source.suite and taken.column == usual.column
    if not same:
        return usual
    rest = [column for column in source.columns if column != taken.column]
    return Side(source.ws, source.suite, rest[-1]) if rest else usual
