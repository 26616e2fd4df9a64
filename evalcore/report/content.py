"""What a report says of a suite, in the order of its reading: blocks and pictures of the pages."""

from collections.abc import Iterator
from typing import Final, NamedTuple

from msgspec.structs import replace

from evalcore.comparing.compare import compare
from evalcore.comparing.model import Comparison
from evalcore.comparing.sides import two_sides
from evalcore.counting.cells import family_of
from evalcore.counting.choices import TOP
from evalcore.counting.people import Scores
from evalcore.judging.hiding import hidden_for_readers, workspace_for_readers
from evalcore.judging.storing.stored_reviews import load_reviews, review_folder
from evalcore.report.packed import packed, runs_of
from evalcore.trends.metrics import HEADLINE, metric_named
from evalcore.validating.trust import trust
from evalcore.views.blocks.base import Block
from evalcore.views.blocks.page import Heading, Links, Say
from evalcore.views.charts.caption import newest_run, stem
from evalcore.views.charts.model import Picture
from evalcore.views.compare.case import changed_criterion
from evalcore.views.compare.cases import counts_block, list_block
from evalcore.views.compare.rates import lost_blocks, measure_blocks, repeat_blocks
from evalcore.views.compare.sides import head_blocks
from evalcore.views.compare.slices import slice_blocks
from evalcore.views.compare.state import PAGE, Shown, View, listed
from evalcore.views.judge.agreement import Whose, agreement_blocks, agreements, criterion_names
from evalcore.views.judge.trust import trust_blocks
from evalcore.views.overview.attention import weak_blocks
from evalcore.views.overview.summary import Overview, overview
from evalcore.views.overview.tables import benchmark_blocks, version_blocks
from evalcore.views.overview.top import (
    headline_comparisons,
    headline_drawn,
    likely_range,
    verdict_alone,
)
from evalcore.views.run.head import MAX_TITLE
from evalcore.views.series.chart import line_picture, with_gaps
from evalcore.views.trends.page import drawn_lines, found_of
from evalcore.views.trends.page import head_blocks as trend_blocks
from evalcore.views.trends.state import View as TrendView
from evalcore.views.verdict.limits import capital
from evalcore.views.verdict.picture import verdict_picture
from evalcore.views.verdict.sentence import cautions, rest
from evalcore.views.verdict.sides import side_words
from evalcore.views.words import wording
from evalcore.workspace.opened import Workspace

LISTED: Final = 100
"""So many changed cases are listed; the evidence has the runs of all."""
SLICES: Final = 2
"""So many pages of criteria and tags are shown, those with a verdict first."""

CHANGED: Final[tuple[Shown, ...]] = ("regressed", "improved")
Part = Block | Picture


class Asked(NamedTuple):
    """What is asked of a report.

    `sides` are the keys of A and B, None for the usual ones; `trend` is a metric to follow over the
    versions. `judging` adds how far judges agree and a model can be trusted, `outputs` what the
    runs wrote and did.
    """

    suite: str
    sides: tuple[str, str] | None = None
    scores: Scores = "recorded"
    trend: str | None = None
    judging: bool = False
    outputs: bool = False


class Section(NamedTuple):
    """A part of a report below its title; the first one has none."""

    title: str
    parts: tuple[Part, ...]


class Content(NamedTuple):
    """All that a report says; `stem` is the usual name of its file without extension.

    `evidence` is what `packed` makes of so many `runs`, with their `outputs` or without.
    """

    title: str
    source: str
    stem: str
    sections: tuple[Section, ...]
    runs: int
    evidence: str
    outputs: bool


def content(ws: Workspace, asked: Asked) -> Content:
    """Return what a report says of a suite.

    Runs of blind studies that are not closed are not in it: whoever reads it may still judge them.

    Raises:
        UnknownName: the workspace has no such suite, version, configuration or metric.
        CannotCompare: the two sides cannot be compared.
    """
    whole, ws, suite = ws, workspace_for_readers(ws), asked.suite
    if asked.sides is None:
        found = headline_comparisons(ws, suite, scores=asked.scores).first
    else:
        found = compare(*two_sides(ws, suite, *asked.sides), asked.scores)
    name = ws.name if suite == TOP else suite
    title = name
    if found is not None:
        title = f"{name}: {side_words(found.b)} against {side_words(found.a)}"
    about = overview(ws, suite, scores=asked.scores)
    sections = [
        Section("", (*_hidden(whole, ws), *_verdict(ws, about, found, asked.scores))),
        Section("Cases that changed", tuple(_cases(ws, found))),
        Section("Criteria and tags", tuple(_criteria(about, found))),
        Section("What it took", tuple(_details(found))),
        Section("Over versions", (*_chart(ws, about, asked.scores), *version_blocks(about))),
        Section("Trend", tuple(_trend(ws, asked))),
        Section("Benchmarks", tuple(benchmark_blocks(about))),
        Section("Judging", tuple(_judging(ws, asked))),
    ]
    source = f"{ws.name} · {newest_run(ws, suite)}"
    kept = tuple(section for section in sections if section.parts)
    changed = [] if found is None else _changed(ws, found)
    runs = runs_of(ws, suite, changed)
    name = stem(ws.name, suite, "report")
    evidence = packed(ws, runs, changed, with_outputs=asked.outputs)
    return Content(title, source, name, kept, len(runs), evidence, asked.outputs)


def _changed(ws: Workspace, found: Comparison) -> list[str]:
    """Return the cases that got worse or better, in the order of their lists."""
    return [case for shown in CHANGED for case in listed(found, ws, View(filter=shown)).ids]


def _hidden(whole: Workspace, ws: Workspace) -> Iterator[Block]:
    """Say how many runs are left out because an open blind study compares them."""
    if ws is not whole:
        runs = wording.open_study_runs(hidden_for_readers(whole, ws))
        yield Say(f"Not in this report: {runs}.")


def _verdict(
    ws: Workspace, about: Overview, found: Comparison | None, scores: Scores
) -> Iterator[Part]:
    if found is not None:
        yield from (block for block in head_blocks(found) if _is_said(block))
        made, said = verdict_picture(ws, found), {rest(found), *cautions(found)}
        facts = tuple(fact for fact in made.caption.facts if fact not in said)
        chart = made.chart._replace(sentence="")  # it and these facts stand above the picture
        yield Picture(made.caption._replace(facts=facts), chart)
        return
    focus = about.line.focus
    yield verdict_alone(about, focus and likely_range(ws, about.line.suite, focus, scores))


def _cases(ws: Workspace, found: Comparison | None) -> Iterator[Block]:
    """Yield the cases that got worse and better, those that got worse first."""
    if found is None or found.verdict is None:
        return
    yield counts_block(found, View())
    a, b = two_sides(ws, found.b.suite, found.a.column.key, found.b.column.key)
    pairs = {pair.case_id: pair for pair in found.pairs}

    def criterion(case_id: str) -> str:
        return wording.line(changed_criterion(found, a, b, pairs[case_id]), MAX_TITLE)

    for shown in CHANGED:
        view = View(filter=shown)
        cases = listed(found, ws, view)
        if not cases.every:
            continue
        yield Heading(capital(shown), wording.count(len(cases.every), "case"))
        pages = range(1, -(-len(cases.every) // PAGE) + 1)
        for page in pages[: LISTED // PAGE]:
            block = list_block(found, cases, View(filter=shown, page=page))
            rows = [row | {"criterion": criterion(row["id"])} for row in block.rows]
            yield replace(block, rows=rows)


def _criteria(about: Overview, found: Comparison | None) -> Iterator[Block]:
    """Yield the criteria of both sides compared, and the weakest ones of the newest."""
    if found is not None and found.slices:
        for page in range(1, SLICES + 1):
            sentence, *blocks = slice_blocks(found, View(slices=page), click="")
            yield from (sentence, *blocks) if page == 1 else blocks
            if len(blocks) < 2:
                break
    yield from weak_blocks(about)


def _details(found: Comparison | None) -> Iterator[Block]:
    if found is not None and found.verdict is not None:
        yield from lost_blocks(found)
        yield from measure_blocks(found)
        yield from repeat_blocks(found)


def _chart(ws: Workspace, about: Overview, scores: Scores) -> Iterator[Part]:
    """Yield the headline over the versions, with what it says as a sentence in the picture."""
    suite = about.line.suite
    drawn = headline_drawn(ws, suite, scores)
    if drawn is not None:
        chart = with_gaps(ws, suite, HEADLINE, drawn.chart, scores)
        yield line_picture(ws, suite, HEADLINE, chart, scores)


def _trend(ws: Workspace, asked: Asked) -> Iterator[Part]:
    """Yield the direction of a metric, its alerts and its chart, as the Trends page has them."""
    if asked.trend is None:
        return
    metric = metric_named(ws, asked.suite, asked.trend)
    view = TrendView(metric=metric.key, alerts=True)
    found = found_of(ws, asked.suite, view, None, asked.scores)
    yield from (
        each for each in trend_blocks(ws, asked.suite, found, asked.scores) if _is_said(each)
    )
    chart = drawn_lines(ws, asked.suite, found, asked.scores)
    if chart is not None:
        yield line_picture(ws, asked.suite, metric, chart, asked.scores)


def _judging(ws: Workspace, asked: Asked) -> Iterator[Block]:
    """Yield how far people agree, and how far a model as judge can be trusted."""
    if not asked.judging:
        return
    suite, whose = asked.suite, Whose()
    counted, recorded = agreements(ws, suite, whose)
    names = criterion_names(ws, suite, whose)
    trusted = trust(ws, suite, load_reviews(review_folder(ws, suite)))
    yield Heading("Agreement")
    blocks = agreement_blocks(counted, whose, names, recorded)
    yield from (each for each in blocks if _is_said(each))
    yield Heading("Trust in the model as judge")
    here = family_of(ws, suite).judged_here
    yield from (each for each in trust_blocks(trusted, judged_here=here) if _is_said(each))


def _is_said(block: Block) -> bool:
    """Return whether a block says something, and does not only offer what else could be shown."""
    return not isinstance(block, Links)
