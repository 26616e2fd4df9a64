"""The criteria of the column in focus: mean, spread, ends and distribution, weakest first."""

from typing import Final

from evalcore.counting.focus import focus_columns
from evalcore.counting.outcomes import Column
from evalcore.counting.people import Scores
from evalcore.counting.score_source import outcomes_by
from evalcore.numbers import disagrees
from evalcore.rubrics.quality import findings
from evalcore.rubrics.spread import NEAR, Spread, scaled
from evalcore.tables.exported import Listing
from evalcore.views.blocks.base import Block
from evalcore.views.blocks.page import Bar, Cell, Heading, Row, Say, Step, Table, Verdict, heads
from evalcore.views.blocks.paging import page_of
from evalcore.views.charts.caption import picture
from evalcore.views.charts.model import Axis, BarRow, Bars, Picture
from evalcore.views.charts.model import Bar as ChartBar
from evalcore.views.gradings.version import about_version
from evalcore.views.rubric.state import RubricView
from evalcore.views.rubric.words import KINDS, abouts, named, of_top, pagers, score
from evalcore.views.words import wording
from evalcore.views.words.score_source import scores_words
from evalcore.workspace.opened import Workspace

PAGE: Final = 25
NAMED: Final = 3
SHARES: Final = Axis(0.0, 1.0, ((0.0, "lowest score"), (0.5, "middle"), (1.0, "highest score")))
FOLD = 6
FIGURES = ("mean", "stddev", "min", "max")
HEAD = (
    "kind", "criterion", "about", "min_score", "max_score", "mean", "low", "high", "stddev",
    "stddev_within_cases", "min", "max", "cases", "judgments", "faults",
)  # fmt: skip


def focus_column(
    ws: Workspace, suite: str, version: str | None, configuration: str | None, scores: Scores
) -> tuple[int, Column] | None:
    """Return the column in focus and its position; None without runs."""
    found = outcomes_by(ws, suite, scores)
    at, _ = focus_columns(found, version, configuration)
    return None if at is None else (at, found.columns[at])


def top_blocks(
    ws: Workspace, suite: str, found: tuple[Spread, ...], column: Column, scores: Scores
) -> list[Verdict]:
    """Describe in a sentence which criterion is weakest, and where scores vary much."""
    name, whose = wording.column_words(column), scores_words(scores)
    only = len(found) == 1
    criteria = wording.count(len(found), "criterion")
    weak = [one for one in found if one.share < 1 - NEAR]
    if not weak:
        where = "its only criterion" if only else f"all {criteria}"
        return [Verdict(f"{name}: the highest score in {where}{whose}.")]
    first = weak[0]
    over = f"over {wording.count(first.cases, 'case')}{whose}"
    among = "the only criterion" if only else f"the weakest of {criteria}"
    weakest = f"“{named(ws, suite, first.criterion)}” is {among}"
    parts = []
    if len(weak) < len(found):
        lose = "loses" if len(weak) == 1 else "lose"
        others = "the other has" if len(found) - len(weak) == 1 else "the others have"
        parts = [f"{len(weak):,} of them {lose} points; {others} the highest score in every run."]
    elif not only:
        parts = ["All of them lose points."]
    unstable = [one for one in found if one.unstable]
    varied = [one for one in found if one.varies and not one.unstable]
    if unstable:
        parts.append(f"Runs of the same case differ a lot in {_list(ws, suite, unstable)}.")
    if varied:
        parts.append(f"Scores vary a lot between cases in {_list(ws, suite, varied)}.")
    return [Verdict(f"{name}: {weakest}, {mean_words(first)} {over}.", rest=" ".join(parts))]


def _list(ws: Workspace, suite: str, of: list[Spread]) -> str:
    names = [f"“{named(ws, suite, one.criterion)}”" for one in of[:NAMED]]
    more = f" and {len(of) - NAMED:,} more" if len(of) > NAMED else ""
    return f"{', '.join(names)}{more}"


def criteria_blocks(
    ws: Workspace, suite: str, found: tuple[Spread, ...], column: Column, view: RubricView
) -> list[Block]:
    """Describe the criteria of a column as a table."""
    about = abouts(ws, suite)
    head = heads(
        "Criterion",
        "#Mean over cases",
        "Lowest to highest score",
        "#Spread",
        "#From – to",
        "#N",
        "Scores",
    )
    page = page_of(view.listed, len(found), PAGE)
    rows = []
    for one in found[page.rows]:
        name = named(ws, suite, one.criterion)
        rows.append(_row(one, name, about.get(one.criterion, ""), column, view))
    hint = f"{wording.column_words(column)}, weakest first"
    note = (
        "Spread is the sample standard deviation over all judgments; ± within is that of runs of "
        "one case, where there are several. It is marked ≈ where it is a quarter of the scale "
        "or more."
    )
    return [
        Heading("Criteria", hint),
        Table("Criteria", head, rows),
        *pagers(view, "listed", page, wording.count(len(found), "criterion")),
        Say(note, quiet=True),
    ]


def _row(one: Spread, name: str, about: str, column: Column, view: RubricView) -> Row:
    criterion = one.criterion
    first = Cell(
        name,
        sub=" · ".join(filter(None, (KINDS.get(criterion.kind, criterion.kind), about))),
        link=view.to(criterion=criterion.key, at=column.key, runs=1),
        clamp=True,
        id=criterion.key,
    )
    likely = ""
    if one.low is not None and one.high is not None:
        likely = f"likely {score(one.low, one.top)} to {score(one.high, one.top)}"
    spread = Cell("needs 2 judgments", num=True, quiet=True)
    if one.stddev is not None:
        # Of a single case it is the spread itself, a second time.
        within = ""
        if one.within is not None and one.cases > 1:
            within = f"± {_deviation(one.within, one)} within"
        high = one.varies or one.unstable
        text = f"{'≈ ' if high else ''}{_deviation(one.stddev, one)}"
        spread = Cell(text, sub=within, num=True, mark="flaky" if high else None)
    ends = f"{score(one.lowest, one.top)} – {score(one.highest, one.top)}"
    judged, cases = wording.count(one.judged, "judgment"), wording.count(one.cases, "case")
    return Row(
        [
            first,
            Cell(mean_words(one), sub=likely, num=True),
            Cell("", bar=bar_of(one)),
            spread,
            Cell(ends, num=True, keep=True),
            Cell(judged, sub=cases, num=True),
            scores_cell(one),
        ],
        on=view.criterion == criterion.key,
    )


def _deviation(value: float, one: Spread) -> str:
    return wording.fixed(value) if one.rated else f"{wording.number(100 * value, 0)} points"


def mean_words(one: Spread) -> str:
    """Return the mean of a criterion on its scale."""
    return f"{score(one.mean, one.top)}{of_top(one.top)}"


def bar_of(one: Spread) -> Bar:
    """Return the mean with its interval on the scale."""
    low, high = (
        None if value is None else scaled(value, one.least, one.top)
        for value in (one.low, one.high)
    )
    return Bar(one.share, low, high)


def scores_cell(one: Spread) -> Cell:
    """Describe the distribution over the scores, and in words: `1: 0, 2: 3, 3: 4`."""
    most, steps = max(n for _, n in one.scores), []
    for at, n in one.scores:
        words = f"{'from ' if one.stepped else ''}{score(at, one.top)}"
        if not one.rated and not one.stepped and at in {0.0, 1.0}:
            words = "passed" if at else "failed"
        steps.append(Step(n / most, f"{words}: {n:,}"))
    return Cell("", steps=steps, title=", ".join(step.title for step in steps))


def criteria_picture(
    ws: Workspace, suite: str, found: tuple[Spread, ...], column: Column, scores: Scores
) -> Picture:
    """Return the means of the criteria of a column as bars on their scales."""
    about, name = abouts(ws, suite), wording.column_words(column)
    rows = []
    for one in found:
        bar, text = bar_of(one), f"{mean_words(one)}, {wording.count(one.cases, 'case')}"
        drawn = ChartBar(one.share, bar.low, bar.high, text)
        rows.append(BarRow(named(ws, suite, one.criterion), about.get(one.criterion, ""), (drawn,)))
    sentence = f"Criteria of {name}, weakest first: the mean over cases on each one's own scale."
    chart = Bars(sentence, (), tuple(rows), SHARES)
    judged = wording.count(sum(one.judged for one in found), "judgment")
    facts = [f"{judged}. Whiskers are 95 % intervals over cases."]
    return picture(ws, suite, chart, f"Criteria of {name}", facts, scores)


def criteria_listing(
    ws: Workspace, suite: str, found: tuple[Spread, ...], scores: Scores
) -> Listing:
    """Return a row for each criterion of a column to export; faults are of all versions.

    Where criteria have no common scale, scores are shares of the highest score.
    """
    about = abouts(ws, suite)
    faults: dict[int, list[str]] = {}
    for fault in findings(ws, suite, scores):
        faults.setdefault(fault.criterion, []).append(fault.fault)
    rows = [
        (
            *one.criterion,
            about.get(one.criterion),
            *(one.least, one.top, one.mean, one.low, one.high, one.stddev, one.within),
            *(one.lowest, one.highest, one.cases, one.judged),
            ", ".join(faults.get(one.key, ())) or None,
        )
        for one in found
    ]
    return Listing("criteria", HEAD, rows)


def stored_blocks(ws: Workspace, suite: str, column: Column) -> list[Block]:
    """Describe the aggregates that files store of a column's version, beside the computed ones."""
    found = about_version(ws, suite, column)
    hint = f"{column.version}: from the files, with our own figures where they differ"
    title = Heading("Stored summaries", hint)
    if found.hidden:
        return [title, Say(f"Its summaries are {wording.HIDDEN} its runs.", quiet=True)]
    if not found.metrics:
        return []
    stored = {name: both for name, both in found.metrics.items() if both[0] is not None}
    kept = [
        figure
        for figure in FIGURES
        if any(getattr(row, figure) is not None for row, _ in stored.values())
    ]
    if not kept:
        return []
    rows = []
    for name, both in stored.items():
        cells = [Cell(name)]
        for figure in kept:
            theirs, ours = (getattr(row, figure) if row is not None else None for row in both)
            wrong = theirs is not None and ours is not None and disagrees(theirs, ours)
            mine = f"ours {wording.number(ours, 4)}" if wrong else ""
            text = "not stored" if theirs is None else wording.number(theirs, 4)
            mark = "fail" if wrong else None
            cells.append(Cell(text, sub=mine, num=True, quiet=theirs is None, mark=mark))
        rows.append(Row(cells))
    head = heads("Aggregate", *(f"#{name}" for name in kept))
    return [title, Table("Stored summaries", head, rows, fold=FOLD)]
