"""The two sides that an address names, or the reason why there are none; and their verdict."""

from dataclasses import dataclass, field, replace
from typing import Final

from evalcore.comparing.model import Comparison, Side
from evalcore.comparing.sides import (
    columns_of,
    default_sides,
    newest_side,
    side_of,
    sides_of_version,
)
from evalcore.counting.cells import family_of
from evalcore.counting.outcomes import Column, waiting_runs
from evalcore.errors import CannotCompare, UnknownName
from evalcore.validating.compared import JudgeError
from evalcore.views.blocks.base import Block, link
from evalcore.views.blocks.page import Chip, Links, Verdict
from evalcore.views.compare.case import Home
from evalcore.views.verdict.judge_error import error_sentence
from evalcore.views.verdict.limits import grade_step, waits
from evalcore.views.verdict.method import how
from evalcore.views.verdict.reach import is_saturated
from evalcore.views.verdict.sentence import cautions, lead, rest
from evalcore.views.words.wording import column_words
from evalcore.workspace.opened import Workspace

MAX_NAME: Final = 80


@dataclass(frozen=True, eq=False)
class SideSource:
    """A suite of an open workspace that a side is taken from, and what its place is called.

    `home` are the parameters that lead to its runs on Gradings; None if none do, as for a revision.
    `messages` say which requests could not be met.
    """

    ws: Workspace
    suite: str
    name: str = ""
    home: Home = field(default_factory=dict)
    messages: tuple[str, ...] = ()

    def but(self, sentence: str) -> "SideSource":
        """Return this source with one more message."""
        return replace(self, messages=(*self.messages, sentence))

    @property
    def columns(self) -> tuple[Column, ...]:
        """The versions and configurations that can be a side."""
        return columns_of(self.ws, self.suite)

    @property
    def labels(self) -> dict[str, str]:
        """The label of each column in the choice, by its key."""
        return {column.key: column_words(column) for column in self.columns}


def sides_of(
    of_a: SideSource,
    of_b: SideSource,
    requested_sides: tuple[str | None, str | None],
    version: str | None,
    configuration: str | None,
) -> tuple[Side | None, Side | None, tuple[str, ...]]:
    """Return the requested sides A and B, else the default ones, and what could not be met.

    A side is None where there are not two. `version` and `configuration` are those chosen for the
    whole page; they set the default.
    """
    usual: tuple[Side | None, Side | None]
    if of_a.ws is of_b.ws and of_a.suite == of_b.suite:
        usual = default_sides(of_a.ws, of_a.suite, version, configuration) or (None, None)
    else:
        newest_a, newest_b = (
            newest_side(each.ws, each.suite, version, configuration) for each in (of_a, of_b)
        )
        usual = newest_a, newest_b
    messages: list[str] = []
    a = _requested(of_a, requested_sides[0], "A", usual[0], messages)
    b = _requested(of_b, requested_sides[1], "B", usual[1], messages)
    # The side that was not asked for gives way to the one that was.
    if a is not None and b is not None:
        if requested_sides[0] is not None and requested_sides[1] is None:
            b = _other(a, b, of_b)
        elif requested_sides[1] is not None and requested_sides[0] is None:
            a = _other(b, a, of_a)
    return a, b, tuple(messages)


def named(found: Comparison, a: str, b: str) -> Comparison:
    """Return a comparison of two sources with their names; one of a single source is unchanged."""
    if found.a.workspace == found.b.workspace == "":
        return found
    return replace(found, a=replace(found.a, workspace=a), b=replace(found.b, workspace=b))


def too_few(source: SideSource) -> str:
    """Return the sentence for a suite without a second side, with the next step."""
    columns = source.columns
    nothing = "Nothing that was run here has a score yet, so there is nothing to compare. "
    if not columns and waiting_runs(source.ws)[source.suite]:
        return nothing + grade_step(family_of(source.ws, source.suite).name)
    if not columns:
        return f"{nothing}Run the cases in two versions, or with and without the skill."
    return (
        f"A second version or configuration is needed: only {column_words(columns[0])} has scores. "
        "Run the same cases in another version, or without the skill; or compare with another "
        "folder or revision."
    )


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


def quick_pairs(ws: Workspace, suite: str, a: Side, b: Side) -> tuple[tuple[str, str, str], ...]:
    """Return the default pairs of a suite other than the one shown: words, and keys of A and B."""
    offered: list[tuple[str, Side, Side]] = []
    latest = default_sides(ws, suite, None, b.column.configuration)
    if latest and latest[0].column.configuration == latest[1].column.configuration:
        offered.append(("Latest against previous", *latest))
    if both := sides_of_version(ws, suite, b.column.version):
        baseline, tested = (side.column.configuration for side in both)
        offered.append((f"{tested} against {baseline}", *both))
    return tuple(
        (words, first.column.key, second.column.key)
        for words, first, second in offered
        if (first.column.key, second.column.key) != (a.column.key, b.column.key)
    )


def head_blocks(found: Comparison, error: JudgeError | None = None) -> list[Block]:
    """Describe the verdict and what to know of it; without a verdict, no number of either side.

    With `error`, the verdict is the one that the judge's error leaves, if that could be computed.
    """
    word = found.verdict.word if found.verdict is not None else ""
    after = rest(found)
    if error is not None:
        word = word if error.rate is None else error.word
        after = f"{error_sentence(error)} {after}"
    known = list(cautions(found))
    blocks: list[Block] = [Verdict(lead(found), word, list(how(found)), rest=after, cautions=known)]
    if waits(found) and not found.a.workspace:
        there = link("judge", suite=found.b.suite, v=None, c=None, reason="ungraded")
        blocks.append(Links("", [Chip(text="Judge the waiting outputs", link=there)]))
    elif is_saturated(found) and not found.a.workspace:
        there = link("rubric", suite=found.b.suite, version=found.b.column.version)
        blocks.append(Links("", [Chip(text="See the criteria that never fail", link=there)]))
    return blocks
