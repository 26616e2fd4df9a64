"""The top of Compare: the verdict, its method, and what else differs between the sides."""

from evalcore.comparing.model import Comparison, Side
from evalcore.comparing.sides import default_sides, sides_of_version
from evalcore.counting.outcomes import Column
from evalcore.validating.compared import JudgeError
from evalcore.views.blocks.base import Block, link
from evalcore.views.blocks.page import Chip, Links, Verdict
from evalcore.views.verdict.judge_error import error_sentence
from evalcore.views.verdict.lost import waits
from evalcore.views.verdict.reach import is_saturated
from evalcore.views.verdict.sentence import cautions, how, lead, rest
from evalcore.workspace.opened import Workspace

Offered = tuple[str, str, str]
"""A pair that is one click away: its words, and the columns' keys."""


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


def quick_pairs(ws: Workspace, suite: str, a: Side, b: Side) -> tuple[Offered, ...]:
    """Return the default pairs of a suite other than the one shown, as A and B."""
    offered = (*_latest(ws, suite, b.column), *_sides(ws, suite, b.column))
    here = (a.column.key, b.column.key)
    return tuple(
        (words, first.key, second.key)
        for words, first, second in offered
        if (first.key, second.key) != here
    )


def _latest(ws: Workspace, suite: str, like: Column) -> list[tuple[str, Column, Column]]:
    """Return the newest version and the one before it, with the configuration of `like`."""
    usual = default_sides(ws, suite, None, like.configuration)
    if usual is None or usual[0].column.configuration != usual[1].column.configuration:
        return []
    return [("Latest against previous", usual[0].column, usual[1].column)]


def _sides(ws: Workspace, suite: str, like: Column) -> list[tuple[str, Column, Column]]:
    """Return the tested configuration of `like`'s version and its baseline."""
    found = sides_of_version(ws, suite, like.version)
    if found is None:
        return []
    first, second = (side.column for side in found)
    return [(f"{second.configuration} against {first.configuration}", first, second)]
