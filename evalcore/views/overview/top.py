"""The top of the overview: the verdicts of the default comparisons, and a link for each count."""

from typing import Final, NamedTuple

from evalcore.comparing.compare import compare
from evalcore.comparing.model import Comparison
from evalcore.comparing.sides import default_sides, sides_of_version
from evalcore.counting.case_values import case_values
from evalcore.counting.focus import Filter
from evalcore.counting.memo import memoize_per_workspace
from evalcore.counting.outcomes import Column
from evalcore.counting.people import Scores
from evalcore.statistics.intervals import mean_interval
from evalcore.statistics.planning import FEWEST
from evalcore.views.blocks.base import Block, Link, link
from evalcore.views.blocks.page import Chip, Heading, Links, Say, Verdict
from evalcore.views.charts.model import LineChart
from evalcore.views.data.problems import problem_count
from evalcore.views.overview.sentences import (
    Range,
    coverage,
    facts,
    method,
    missing_side,
    planned_words,
    rate_sentence,
)
from evalcore.views.overview.summary import Overview
from evalcore.views.problems import Problems
from evalcore.views.series.chart import Drawn, Request, chart_blocks, drawn
from evalcore.views.verdict.changes import change_counts
from evalcore.views.verdict.limits import capital
from evalcore.views.verdict.method import how
from evalcore.views.verdict.sentence import cautions, lead, rest
from evalcore.views.verdict.sides import side_words
from evalcore.views.words import wording
from evalcore.views.words.marks import FILTER_WORDS
from evalcore.workspace.opened import Workspace

_STATES: Final[tuple[tuple[Filter, str], ...]] = (
    ("failing", "fail"),
    ("flaky", "flaky"),
    ("unscored", "unscored"),
)
OPEN: Final = "can't tell"


class HeadlineComparisons(NamedTuple):
    """The newest version against the previous one, and against its baseline.

    None if there are not two sides. `second` compares the configurations of the newest version if
    `first` compares versions.
    """

    first: Comparison | None
    second: Comparison | None


@memoize_per_workspace
def headline_comparisons(
    ws: Workspace,
    suite: str,
    version: str | None = None,
    configuration: str | None = None,
    scores: Scores = "recorded",
) -> HeadlineComparisons:
    """Return the default comparisons of a suite.

    Raises:
        UnknownName: the workspace has no such suite.
    """
    sides = default_sides(ws, suite, version, configuration)
    if sides is None:
        return HeadlineComparisons(None, None)
    a, b = sides
    first = compare(a, b, scores)
    if a.column.version == b.column.version:
        return HeadlineComparisons(first, None)
    second = sides_of_version(ws, suite, b.column.version)
    return HeadlineComparisons(first, compare(*second, scores) if second else None)


@memoize_per_workspace
def likely_range(
    ws: Workspace, suite: str, column: Column, scores: Scores = "recorded"
) -> tuple[float, float] | None:
    """Return the 95 % interval of a column's rate over its cases; None below two cases.

    Raises:
        UnknownName: the workspace has no such suite.
    """
    found = case_values(ws, suite, scores).get(column)
    return None if found is None else mean_interval(found)


def headline_drawn(ws: Workspace, suite: str, scores: Scores = "recorded") -> Drawn | None:
    """Return the headline per version, one line for each configuration; None below two points.

    Versions of several prompts (`prompt@number`) form a line for each prompt. No line is broken
    yet; see `with_gaps`.
    """
    found = drawn(ws, suite, Request(), scores)
    if found is None or sum(len(series.points) for series in found.chart.series) < 2:
        return None
    return found


def chart_head(suite_headline: str, found: Drawn, chart: LineChart) -> list[Block]:
    """Describe the chart: its title, what it says, and the link to Trends if that draws more."""
    blocks = [Heading(f"{capital(suite_headline)} by version"), *chart_blocks(chart)]
    if found.first == 1 and not found.others:
        return blocks
    what = f"all {wording.count(found.total, 'version')}" if found.first > 1 else "all lines"
    return [*blocks, Links("", [Chip(text=f"{what} in Trends", link=link("trends"))])]


def top_blocks(
    found: Overview, compared: HeadlineComparisons, likely: Range, problems: Problems
) -> list[Block]:
    """Describe the verdicts and counts; without two sides, the rate and what is missing."""
    line, first = found.line, compared.first
    end: list[Block] = [_states(found, problems)] if found.ran else []
    end.append(Say(facts(found), quiet=True))
    if first is None:
        return [verdict_alone(found, likely), *end]
    rate, few = rate_sentence(line, likely), coverage(found)
    reached = [rate, *how(first), *method(found)[1:]]
    blocks: list[Block] = [_verdict(first, few, reached)]
    if first.verdict is not None:
        # The number of cases by direction of change.
        items = [
            Chip(
                text=one.word,
                n=one.n,
                mark=one.mark,
                title=f"{one.hint}: open in Compare",
                link=compare_link(first, filter=one.key),
            )
            for one in change_counts(first)
        ]
        label = f"Of {wording.count(first.verdict.cases, 'case')}, against {side_words(first.a)}"
        blocks.append(Links(label, items, counts=True))
    if compared.second is not None:
        blocks.append(_verdict(compared.second, "", [], small=True))
    return [*blocks, *end]


def verdict_alone(found: Overview, likely: Range) -> Verdict:
    """Describe what is known where there are no two sides: the rate, and what is missing."""
    rate, few, line = rate_sentence(found.line, likely), coverage(found), found.line
    missing = missing_side(line)
    if found.plan is not None:
        missing = f"{missing} {planned_words(found.plan, line.headline)}"
    return Verdict(f"{few}. {rate}" if few else rate, how=method(found), rest=missing)


def _verdict(found: Comparison, few: str, reached: list[str], *, small: bool = False) -> Verdict:
    """Describe a verdict as a link to its comparison; `few` says first how little was run."""
    text, after, word = lead(found), rest(found), found.verdict.word if found.verdict else ""
    little = found.verdict is None or (found.verdict.cases < FEWEST and word == OPEN)
    if few and little:
        text, after = f"{few}: too few to compare.", f"{text} {after}"
    elif few:
        text = f"{few}. {text}"
    there, known = compare_link(found), cautions(found)
    return Verdict(text, word, reached, there, small, after, cautions=known)


def compare_link(found: Comparison, **query: str | None) -> Link:
    """Return the link to Compare with both sides chosen."""
    sides = {"a": found.a.column.key, "b": found.b.column.key}
    return link("compare", suite=found.b.suite, **sides, **query)


def _states(found: Overview, problems: Problems) -> Links:
    """Describe the failing, flaky and unscored cases of the column in focus, and the problems."""
    suite, items = found.line.suite, []
    for key, mark in _STATES:
        (word, hint), n = FILTER_WORDS[key], found.counts[key]
        # No case ran twice: that none of them is flaky is not known.
        unknown = key == "flaky" and not found.repeated
        items.append(
            Chip(
                text=f"{word}: {wording.NOT_MEASURED}" if unknown else word,
                n=None if unknown else n,
                mark=None if unknown else mark,
                title=f"{hint}: open in Gradings",
                link=link("gradings", suite=suite, filter=key),
            )
        )
    wrong = problem_count(problems, suite)
    if problems.complete:
        text = f"{wording.noun(wrong.n, 'problem')} in its files"
        items.append(Chip(text=text, n=wrong.n, title="Open in Data", link=wrong.link))
    else:
        text = f"{wording.count(wrong.n, 'problem')} found so far · check all"
        items.append(Chip(text=text, title="Check every file in Data", link=wrong.link))
    label = f"Of {wording.count(found.ran, 'case')} run in {wording.column_words(found.line.focus)}"
    return Links(label, items, counts=True)
