"""What benchmarks say of the two versions on Compare: what is stored, and what can be recorded."""

from collections.abc import Mapping
from typing import Final, NamedTuple

from evalcore.benchmarks.definitions import RETIRED, benchmarks
from evalcore.benchmarks.messages import Instruction, open_instructions
from evalcore.comparing.model import Side
from evalcore.counting.cells import typed, where
from evalcore.counting.memo import memoize_per_workspace
from evalcore.errors import CannotBenchmark
from evalcore.memory.comparing_versions import VersionComparison, answered_by, compare_versions
from evalcore.memory.recommending import scores_words
from evalcore.tables.rows import ComparisonRow
from evalcore.views.blocks.base import Block, link
from evalcore.views.blocks.page import Chip, Heading, Links, Say
from evalcore.views.run.comparisons import comparison_blocks
from evalcore.views.words import wording
from evalcore.workspace.opened import Workspace

TITLE: Final = "By benchmark"
MAX_STORED: Final = 10


class Offer(NamedTuple):
    """A comparison that can be recorded, and the sentences before its button."""

    made: VersionComparison
    words: tuple[str, ...]


class ByBenchmark(NamedTuple):
    """The stored comparisons of two versions, and those that can be recorded."""

    blocks: tuple[Block, ...]
    offers: tuple[Offer, ...]


def by_benchmark(a: Side, b: Side) -> ByBenchmark | None:
    """Return what benchmarks say of two versions of one suite.

    None where nothing is stored, nothing can be recorded and nobody waits, and for readers from
    whom runs are hidden.
    """
    if a.ws is not b.ws or a.suite != b.suite or a.ws.hidden:
        return None
    ws, suite = a.ws, a.suite
    stored = _stored(ws, suite, {a.column.version, b.column.version})
    made = _comparisons(ws, suite, a.column.key, b.column.key)
    offers = tuple(_offer(ws, each) for each in made if each.stored is None)
    waiting = open_instructions(ws, suite)
    if not (stored or offers or waiting):
        return None
    names = {each.id: each.name for each in benchmarks(ws, suite)}
    blocks = [*comparison_blocks(ws, stored[:MAX_STORED], TITLE), *_waiting(waiting, names)]
    if not stored:
        blocks.insert(0, Heading(TITLE))
    if len(stored) > MAX_STORED:
        more = wording.count(len(stored) - MAX_STORED, "older comparison")
        blocks.append(Say(f"{more} on the Data page.", quiet=True))
    return ByBenchmark(tuple(blocks), offers)


def _stored(ws: Workspace, suite: str, versions: set[str]) -> list[ComparisonRow]:
    """Return the stored comparisons of two versions by a benchmark, newest first."""
    found = [
        row
        for row in typed(ws, "comparisons", ComparisonRow, where(ws, "comparisons", suite=suite))
        if row.benchmark is not None and {row.version_a, row.version_b} == versions
    ]
    return sorted(
        found,
        key=lambda row: row.compared_at.timestamp() if row.compared_at is not None else 0.0,
        reverse=True,
    )


@memoize_per_workspace
def _comparisons(ws: Workspace, suite: str, a: str, b: str) -> tuple[VersionComparison, ...]:
    """Return the comparison by each benchmark in use that ran for both sides."""
    found = []
    for each in benchmarks(ws, suite):
        if each.status != RETIRED:
            try:
                found.append(compare_versions(ws, each, a, b))
            except CannotBenchmark:
                continue  # it did not run for both
    return tuple(found)


def _offer(ws: Workspace, made: VersionComparison) -> Offer:
    asked = answered_by(ws, made)
    who = [f"{each.sender or 'Somebody'} asks for this comparison." for each in asked]
    names, scores = (made.a.version, made.b.version), (made.score_a, made.score_b)
    return Offer(made, (*who, scores_words(made.benchmark.name, names, scores, made.cases)))


def _waiting(asked: tuple[Instruction, ...], names: Mapping[str, str]) -> list[Block]:
    """Describe the instructions that nobody has answered, each a link to its two versions."""
    chips = [
        Chip(
            text=f"{each.a} against {each.b} by {_benchmark(each.benchmark, names)}",
            link=link("compare", a=each.a, b=each.b),
        )
        for each in asked
        if each.a and each.b
    ]
    blocks: list[Block] = [Links("Asked for and not answered", chips)] if chips else []
    if lacking := len(asked) - len(chips):
        said = wording.count(lacking, "instruction")
        blocks.append(Say(f"{said} to compare versions names no two versions.", quiet=True))
    return blocks


def _benchmark(named: str | None, names: Mapping[str, str]) -> str:
    return "no benchmark" if named is None else names.get(named, named)
