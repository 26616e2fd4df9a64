"""What was recorded of two versions on Compare: by benchmarks, and by models that judged blind."""

from collections import Counter
from typing import Final

from evalcore.benchmarks.definitions import RETIRED, benchmarks
from evalcore.benchmarks.messages import open_instructions
from evalcore.comparing.model import Comparison, Side
from evalcore.counting.cells import typed, where
from evalcore.counting.memo import memoize_per_workspace
from evalcore.errors import CannotBenchmark
from evalcore.memory.comparing_versions import VersionComparison, answered_by, compare_versions
from evalcore.memory.recommending import scores_words
from evalcore.shapes.judge import MODEL
from evalcore.tables.rows import ComparisonRow
from evalcore.views.blocks.base import Block, link
from evalcore.views.blocks.page import Cell, Chip, Heading, Links, Row, Say, Table, heads
from evalcore.views.run.remarks import comparison_blocks
from evalcore.views.words import wording
from evalcore.workspace.opened import Workspace

TITLE: Final = "By benchmark"
BY_MODEL: Final = "Compared by a model"
MAX_STORED: Final = 10
LISTED: Final = 200
FOLD: Final = 8
MAX_TEXT: Final = 300


Offer = tuple[VersionComparison, tuple[str, ...]]
"""A comparison that can be recorded, and the sentences before its button."""


def by_benchmark(a: Side, b: Side) -> tuple[list[Block], list[Offer]] | None:
    """Return what benchmarks say of two versions of one suite, and what can be recorded.

    None where nothing is stored, nothing can be recorded and nobody waits, and for readers from
    whom runs are hidden.
    """
    if a.ws is not b.ws or a.suite != b.suite or a.ws.hidden:
        return None
    ws, suite = a.ws, a.suite
    stored = [row for row in _stored(a, b) if row.benchmark is not None]
    stored.sort(
        key=lambda row: row.compared_at.timestamp() if row.compared_at is not None else 0.0,
        reverse=True,
    )
    offers = list[Offer]()
    for made in _comparisons(ws, suite, a.column.key, b.column.key):
        if made.stored is None:
            who = (each.sender or "Somebody" for each in answered_by(ws, made))
            asks = [f"{name} asks for this comparison." for name in who]
            versions, scores = (made.a.version, made.b.version), (made.score_a, made.score_b)
            words = scores_words(made.benchmark.name, versions, scores, made.cases)
            offers.append((made, (*asks, words)))
    waiting = open_instructions(ws, suite)
    if not (stored or offers or waiting):
        return None
    blocks = [*comparison_blocks(ws, stored[:MAX_STORED], TITLE)]
    if not stored:
        blocks.insert(0, Heading(TITLE))
    names = {each.id: each.name for each in benchmarks(ws, suite)} | {None: "no benchmark"}
    chips = [
        Chip(
            text=f"{each.a} against {each.b} by {names.get(each.benchmark, each.benchmark)}",
            link=link("compare", a=each.a, b=each.b),
        )
        for each in waiting
        if each.a and each.b
    ]
    if chips:
        blocks.append(Links("Asked for and not answered", chips))
    if lacking := len(waiting) - len(chips):
        said = wording.count(lacking, "instruction")
        blocks.append(Say(f"{said} to compare versions names no two versions.", quiet=True))
    if len(stored) > MAX_STORED:
        more = wording.count(len(stored) - MAX_STORED, "older comparison")
        blocks.append(Say(f"{more} on the Data page.", quiet=True))
    return blocks, offers


def _stored(a: Side, b: Side) -> list[ComparisonRow]:
    """Return the stored comparisons of the versions of two sides of one suite."""
    both = {a.column.version, b.column.version}
    every = typed(a.ws, "comparisons", ComparisonRow, where(a.ws, "comparisons", suite=a.suite))
    return [row for row in every if {row.version_a, row.version_b} == both]


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


def model_comparison_blocks(found: Comparison, a: Side, b: Side) -> list[Block]:
    """Describe the comparisons of models of A and B, newest documents last; nothing without any."""
    if a.ws is not b.ws or a.suite != b.suite:
        return []
    stored = [row for row in _stored(a, b) if row.judge_type == MODEL]
    if not stored:
        return []
    won, rows = Counter[str](), []
    for row in stored:
        # A document's own A is the side that chance put there.
        version = {"A": row.version_a, "B": row.version_b}.get(row.winner or "")
        word = "tie" if row.winner == "tie" else "no winner"
        if version is not None:
            word = "B won" if version == found.b.column.version else "A won"
        won[word] += 1
        said = wording.short(row.summary or "", MAX_TEXT)
        cells = [Cell(row.case_id or "not known", id=row.comparison_id), Cell(word, sub=said)]
        rows.append(Row(cells))
    counted = f"B won {won['B won']:,}, A won {won['A won']:,}, {wording.count(won['tie'], 'tie')}"
    judges = ", ".join(dict.fromkeys(row.judge or "a model that is not named" for row in stored))
    comparisons = wording.count(len(stored), "comparison")
    return [
        Heading(BY_MODEL, judges),
        Say(f"{counted}, of {comparisons}. This is no part of the verdict above."),
        Table(BY_MODEL, heads("Case", "Better"), rows[:LISTED], fold=FOLD),
    ]
