"""The criteria of the column in focus: mean, spread, ends and distribution, weakest first."""

from typing import Final

from evalcore.counting.focus import focus_columns
from evalcore.counting.outcomes import Column
from evalcore.counting.people import Scores
from evalcore.counting.score_source import outcomes_by
from evalcore.rubrics.spread import NEAR, Spread, scaled
from evalcore.views.blocks.base import Block
from evalcore.views.blocks.page import Bar, Cell, Heading, Row, Say, Step, Table, Verdict
from evalcore.views.charts.caption import picture
from evalcore.views.charts.model import Axis, BarRow, Bars, Picture
from evalcore.views.charts.model import Bar as ChartBar
from evalcore.views.rubric.paging import page_of, pagers
from evalcore.views.rubric.state import RubricView
from evalcore.views.rubric.words import KINDS, abouts, named, of_top, score
from evalcore.views.words import wording
from evalcore.views.words.score_source import scores_words
from evalcore.workspace.opened import Workspace

PAGE: Final = 25
NAMED: Final = 3
SHARES: Final = Axis(0.0, 1.0, ((0.0, "lowest score"), (0.5, "middle"), (1.0, "highest score")))


def focus_column(
    ws: Workspace, suite: str, version: str | None, configuration: str | None, scores: Scores
) -> tuple[int, Column] | None:
    """Return the column in focus and its position; None without runs."""
    found = outcomes_by(ws, suite, scores)
    at, _ = focus_columns(found, version, configuration)
    return None if at is None else (at, found.columns[at])


def top_blocks(found: tuple[Spread, ...], column: Column, scores: Scores) -> list[Verdict]:
    """Describe in a sentence which criterion is weakest, and where scores vary much."""
    name, whose = wording.column_words(column), scores_words(scores)
    criteria = wording.count(len(found), "criterion")
    weak = [one for one in found if one.share < 1 - NEAR]
    if not weak:
        return [Verdict(f"{name}: the highest score in all {criteria}{whose}.")]
    first = weak[0]
    mean = f"{score(first.mean, first.top)}{of_top(first.top)}"
    over = f"over {wording.count(first.cases, 'case')}{whose}"
    lead = f"{name}: “{named(first.criterion)}” is the weakest of {criteria}, {mean} {over}."
    return [Verdict(lead, rest=_rest(found, weak))]


def _rest(found: tuple[Spread, ...], weak: list[Spread]) -> str:
    parts = [f"{len(weak):,} of them lose points; the others have the highest score in every run."]
    if len(weak) == len(found):
        parts = ["All of them lose points."]
    unstable = [one for one in found if one.unstable]
    varied = [one for one in found if one.varies and not one.unstable]
    if unstable:
        parts.append(f"Runs of the same case differ a lot in {_list(unstable)}.")
    if varied:
        parts.append(f"Scores vary a lot between cases in {_list(varied)}.")
    return " ".join(parts)


def _list(of: list[Spread]) -> str:
    names = [f"“{named(one.criterion)}”" for one in of[:NAMED]]
    more = f" and {len(of) - NAMED:,} more" if len(of) > NAMED else ""
    return f"{', '.join(names)}{more}"


def criteria_blocks(
    ws: Workspace, suite: str, found: tuple[Spread, ...], column: Column, view: RubricView
) -> list[Block]:
    """Describe the criteria of a column as a table."""
    about = abouts(ws, suite)
    head = [
        ("Criterion", False),
        ("Mean over cases", True),
        ("Lowest to highest score", False),
        ("Spread", True),
        ("From – to", True),
        ("N", True),
        ("Scores", False),
    ]
    page = page_of(view.listed, len(found), PAGE)
    shown = found[page.start : page.stop]
    rows = [_row(one, about.get(one.criterion, ""), column, view) for one in shown]
    hint = f"{wording.column_words(column)}, weakest first"
    blocks: list[Block] = [Heading("Criteria", hint), Table("Criteria", head, rows)]
    blocks += pagers(view, "listed", page, wording.count(len(found), "criterion"))
    note = (
        "Spread is the sample standard deviation over all judgments; ± within is that of runs of "
        "one case. It is marked ≈ where it is a quarter of the scale or more."
    )
    return [*blocks, Say(note, quiet=True)]


def _row(one: Spread, about: str, column: Column, view: RubricView) -> Row:
    kind = KINDS.get(one.criterion.kind, one.criterion.kind)
    to = view.to(criterion=one.criterion.key, at=column.key, runs=1)
    likely = ""
    if one.low is not None and one.high is not None:
        likely = f"likely {score(one.low, one.top)} to {score(one.high, one.top)}"
    return Row(
        [
            Cell(
                named(one.criterion),
                sub=" · ".join(filter(None, (kind, about))),
                link=to,
                clamp=True,
                id=one.criterion.key,
            ),
            Cell(f"{score(one.mean, one.top)}{of_top(one.top)}", sub=likely, num=True),
            Cell("", bar=bar_of(one)),
            _spread(one),
            Cell(
                f"{score(one.lowest, one.top)} – {score(one.highest, one.top)}", num=True, keep=True
            ),
            Cell(
                wording.count(one.judged, "judgment"),
                sub=wording.count(one.cases, "case"),
                num=True,
            ),
            Cell("", steps=steps_of(one), title=scores_in_words(one)),
        ],
        on=view.criterion == one.criterion.key,
    )


def _spread(one: Spread) -> Cell:
    if one.stddev is None:
        return Cell("needs 2 judgments", num=True, quiet=True)
    within = "" if one.within is None else f"± {_deviation(one.within, one)} within"
    high = one.varies or one.unstable
    mark = f"{'≈ ' if high else ''}{_deviation(one.stddev, one)}"
    return Cell(mark, sub=within, num=True, mark="flaky" if high else None)


def _deviation(value: float, one: Spread) -> str:
    return wording.fixed(value) if one.rated else f"{wording.number(100 * value, 0)} points"


def bar_of(one: Spread) -> Bar:
    """Return the mean with its interval on the scale."""
    low, high = (
        None if value is None else scaled(value, one.least, one.top)
        for value in (one.low, one.high)
    )
    return Bar(one.share, low, high)


def steps_of(one: Spread) -> list[Step]:
    """Return the distribution over the scores, each with its count in words."""
    most = max(n for _, n in one.scores)
    return [Step(n / most, _step(one, at, n)) for at, n in one.scores]


def _step(one: Spread, at: float, n: int) -> str:
    if not one.rated and not one.stepped and at in {0.0, 1.0}:
        return f"{'passed' if at else 'failed'}: {n:,}"
    from_ = "from " if one.stepped else ""
    return f"{from_}{score(at, one.top)}: {n:,}"


def scores_in_words(one: Spread) -> str:
    """Return the distribution in words: `1: 0, 2: 3, 3: 4`."""
    return ", ".join(step.title for step in steps_of(one))


def criteria_picture(
    ws: Workspace, suite: str, found: tuple[Spread, ...], column: Column, scores: Scores
) -> Picture:
    """Return the means of the criteria of a column as bars on their scales."""
    about = abouts(ws, suite)
    rows = tuple(
        BarRow(
            named(one.criterion),
            about.get(one.criterion, ""),
            (_chart_bar(one),),
        )
        for one in found
    )
    name = wording.column_words(column)
    sentence = f"Criteria of {name}, weakest first: the mean over cases on each one's own scale."
    chart = Bars(sentence, (), rows, SHARES)
    judged = wording.count(sum(one.judged for one in found), "judgment")
    facts = [f"{judged}. Whiskers are 95 % intervals over cases."]
    return picture(ws, suite, chart, f"Criteria of {name}", facts, scores)


def _chart_bar(one: Spread) -> ChartBar:
    bar = bar_of(one)
    text = f"{score(one.mean, one.top)}{of_top(one.top)}, {wording.count(one.cases, 'case')}"
    return ChartBar(one.share, bar.low, bar.high, text)
