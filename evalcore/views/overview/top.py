"""The top of the overview: the verdicts, and a link for each count."""

from collections.abc import Iterator
from typing import Final

from evalcore.comparing.model import Comparison
from evalcore.counting.focus import Filter
from evalcore.statistics.planning import FEWEST
from evalcore.views.blocks.base import Block, Link, link
from evalcore.views.blocks.page import Chip, Links, Say, Verdict
from evalcore.views.overview.headline_comparisons import HeadlineComparisons
from evalcore.views.overview.planned import planned_words
from evalcore.views.overview.problem_counts import ProblemCount, problem_count
from evalcore.views.overview.sentences import (
    Range,
    coverage,
    facts,
    method,
    missing_side,
    rate_sentence,
)
from evalcore.views.overview.summary import Overview
from evalcore.views.problems import Problems
from evalcore.views.verdict.changes import change_counts
from evalcore.views.verdict.sentence import cautions, how, lead, rest, side_words
from evalcore.views.words import wording
from evalcore.views.words.marks import FILTER_WORDS

_STATES: Final[tuple[tuple[Filter, str], ...]] = (
    ("failing", "fail"),
    ("flaky", "flaky"),
    ("unscored", "unscored"),
)
OPEN: Final = "can't tell"


def top_blocks(
    found: Overview, compared: HeadlineComparisons, likely: Range, problems: Problems
) -> list[Block]:
    """Describe the verdicts and counts; without two sides, the rate and what is missing."""
    line, first = found.line, compared.first
    rate, few = rate_sentence(line, likely), coverage(found)
    counts = [_states(found, problems)] if found.ran else []
    if first is None:
        missing = missing_side(line)
        if found.plan is not None:
            missing = f"{missing} {planned_words(found.plan, line.headline)}"
        said = Verdict(f"{few}. {rate}" if few else rate, how=method(found), rest=missing)
        return [said, *counts, Say(facts(found), quiet=True)]
    reached = [rate, *how(first), *method(found)[1:]]
    blocks: list[Block] = [_verdict(first, few, reached), *_changes(first)]
    if compared.second is not None:
        blocks.append(_verdict(compared.second, "", [], small=True))
    return [*blocks, *counts, Say(facts(found), quiet=True)]


def _verdict(found: Comparison, few: str, reached: list[str], *, small: bool = False) -> Verdict:
    """Describe a verdict as a link to its comparison; `few` says first how little was run."""
    text, after = lead(found), rest(found)
    little = found.verdict is None or (found.verdict.cases < FEWEST and _word(found) == OPEN)
    if few and little:
        text, after = f"{few}: too few to compare.", f"{text} {after}"
    elif few:
        text = f"{few}. {text}"
    there, known = compare_link(found), cautions(found)
    return Verdict(text, _word(found), reached, there, small, after, cautions=known)


def _word(found: Comparison) -> str:
    return found.verdict.word if found.verdict is not None else ""


def compare_link(found: Comparison, **query: str | None) -> Link:
    """Return the link to Compare with both sides chosen."""
    sides = {"a": found.a.column.key, "b": found.b.column.key}
    return link("compare", suite=found.b.suite, **sides, **query)


def _changes(found: Comparison) -> Iterator[Links]:
    """Describe the number of cases by direction of change; empty if nothing is compared."""
    if found.verdict is None:
        return
    items = [
        Chip(
            text=one.word,
            n=one.n,
            mark=one.mark,
            title=f"{one.hint}: open in Compare",
            link=compare_link(found, filter=one.key),
        )
        for one in change_counts(found)
    ]
    label = f"Of {wording.count(found.verdict.cases, 'case')}, against {side_words(found.a)}"
    yield Links(label, items, counts=True)


def _states(found: Overview, problems: Problems) -> Links:
    """Describe the number of failing, flaky and unscored cases of the column in focus."""
    items = [_state(found, key, mark) for key, mark in _STATES]
    items.append(_problems(problem_count(problems, found.line.suite), problems))
    label = f"Of {wording.count(found.ran, 'case')} run in {wording.column_words(found.line.focus)}"
    return Links(label, items, counts=True)


def _problems(found: ProblemCount, problems: Problems) -> Chip:
    if problems.complete:
        text = f"{wording.noun(found.n, 'problem')} in its files"
        return Chip(text=text, n=found.n, title="Open in Data", link=found.link)
    text = f"{wording.count(found.n, 'problem')} found so far · check all"
    return Chip(text=text, title="Check every file in Data", link=found.link)


def _state(found: Overview, key: Filter, mark: str) -> Chip:
    (word, hint), n = FILTER_WORDS[key], found.counts[key]
    # No case ran twice: that none of them is flaky is not known.
    unknown = key == "flaky" and not found.repeated
    return Chip(
        text=f"{word}: {wording.NOT_MEASURED}" if unknown else word,
        n=None if unknown else n,
        mark=None if unknown else mark,
        title=f"{hint}: open in Gradings",
        link=link("gradings", suite=found.line.suite, filter=key),
    )
