"""The top of the overview: the verdicts, and a link for each count."""

from collections.abc import Iterator
from typing import Final

from evalcore.comparing.model import Comparison
from evalcore.counting.focus import Filter
from evalcore.views.blocks.base import Block, Link, link
from evalcore.views.blocks.page import Chip, Links, Say, Verdict
from evalcore.views.overview.headline_comparisons import HeadlineComparisons
from evalcore.views.overview.planned import planned_words
from evalcore.views.overview.problem_counts import ProblemCount, problem_count
from evalcore.views.overview.sentences import (
    Range,
    method,
    missing_side,
    rate_sentence,
    sizes,
)
from evalcore.views.overview.summary import Overview
from evalcore.views.problems import Problems
from evalcore.views.verdict.sentence import how, lead, rest, side_words
from evalcore.views.words import wording
from evalcore.views.words.marks import FILTER_WORDS

_STATES: Final[tuple[tuple[Filter, str], ...]] = (
    ("failing", "fail"),
    ("flaky", "flaky"),
    ("unscored", "unscored"),
)
_CHANGES: Final = (
    ("improved", "up", "improved"),
    ("regressed", "down", "regressed"),
    ("same", "same", "same"),
)


def top_blocks(
    found: Overview, compared: HeadlineComparisons, likely: Range, problems: Problems
) -> list[Block]:
    """Describe the verdicts and counts; without two sides, the rate and what is missing."""
    line, first = found.line, compared.first
    rate = rate_sentence(line, likely)
    counts = [_states(found, problems)] if found.ran else []
    if first is None:
        rests = Say(f"{sizes(line)} {method(found)}", quiet=True)
        missing = missing_side(line)
        if found.plan is not None:
            missing = f"{missing} {planned_words(found.plan, line.headline)}"
        return [Verdict(rate), Say(missing, quiet=True), *counts, rests]
    blocks: list[Block] = [_verdict(first), *_changes(first)]
    if compared.second is not None:
        blocks.append(_verdict(compared.second, small=True))
    return [*blocks, *counts, Say(f"{sizes(line)} {rate} {method(found)}", quiet=True)]


def _verdict(found: Comparison, *, small: bool = False) -> Verdict:
    """Describe a verdict as a link to its comparison."""
    word = found.verdict.word if found.verdict is not None else ""
    how_ = [] if small else list(how(found))
    return Verdict(lead(found), word, how_, compare_link(found), small, rest(found))


def compare_link(found: Comparison, **query: str | None) -> Link:
    """Return the link to Compare with both sides chosen."""
    sides = {"a": found.a.column.key, "b": found.b.column.key}
    return link("compare", suite=found.b.suite, **sides, **query)


def _changes(found: Comparison) -> Iterator[Links]:
    """Describe the number of cases by direction of change; empty if nothing is compared."""
    if found.verdict is None:
        return
    counts = (found.verdict.up, found.verdict.down, found.verdict.same)
    items = [
        Chip(
            text=text,
            n=n,
            mark=mark if n else None,
            title="Open these cases in Compare",
            link=compare_link(found, filter=key),
        )
        for (key, mark, text), n in zip(_CHANGES, counts, strict=True)
    ]
    if found.left_out:
        items.append(
            Chip(
                text="left out",
                n=len(found.left_out),
                title="Cases that do not count, each with its reason: open in Compare",
                link=compare_link(found, filter="left"),
            )
        )
    label = f"Of {wording.count(found.verdict.cases, 'case')}, against {side_words(found.a)}"
    yield Links(label, items)


def _states(found: Overview, problems: Problems) -> Links:
    """Describe the number of failing, flaky and unscored cases of the column in focus."""
    items = [_state(found, key, mark) for key, mark in _STATES]
    items.append(_problems(problem_count(problems, found.line.suite), problems))
    label = f"Of {wording.count(found.ran, 'case')} run in {wording.column_words(found.line.focus)}"
    return Links(label, items)


def _problems(found: ProblemCount, problems: Problems) -> Chip:
    if problems.complete:
        return Chip(text="problems in its files", n=found.n, title="Open in Data", link=found.link)
    text = f"{wording.count(found.n, 'problem')} found so far · check all"
    return Chip(text=text, title="Check every file in Data", link=found.link)


def _state(found: Overview, key: Filter, mark: str) -> Chip:
    (word, hint), n = FILTER_WORDS[key], found.counts[key]
    # No case ran twice: that none of them is flaky is not known.
    unknown = key == "flaky" and not found.repeated
    return Chip(
        text=f"{word}: {wording.NOT_MEASURED}" if unknown else word,
        n=None if unknown else n,
        mark=mark if n else None,
        title=f"{hint}: open in Gradings",
        link=link("gradings", suite=found.line.suite, filter=key),
    )
