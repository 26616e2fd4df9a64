"""What needs attention: weak criteria, flaky cases, failed runs and pending work."""

from collections.abc import Iterable
from typing import Final

from evalcore.counting.people import Scores
from evalcore.views.blocks.base import Block, link
from evalcore.views.blocks.page import (
    Bar,
    Cell,
    Chip,
    Entry,
    Fold,
    Folds,
    Heading,
    Links,
    Row,
    Say,
    Table,
)
from evalcore.views.overview.pending import PendingItem
from evalcore.views.overview.problem_counts import by_severity, problem_count
from evalcore.views.overview.runs import LISTED, NO_SCORE, WORDS, Ended, Flaky
from evalcore.views.overview.summary import Overview
from evalcore.views.overview.weak_criteria import Weak
from evalcore.views.problems import Problems
from evalcore.views.words import wording
from evalcore.views.words.score_source import scores_words, unscored_words

NONE_SCORED: Final = "no criterion is scored"
SHOWN: Final = 4
"""How many flaky cases are listed; one link leads to all of them."""
_SEVERITIES: Final = {"error": ("error", "fail"), "warning": ("warning", "warn"),
                      "info": ("note", None)}  # fmt: skip


def weak_blocks(found: Overview) -> list[Block]:
    """Describe the weakest criteria of the column in focus."""
    weak, focus = found.weak, wording.column_words(found.line.focus)
    if found.line.focus is None:
        return [Heading("Weakest criteria"), Say("Not known before the first run.", quiet=True)]
    if not weak.first:
        all_ = "the" if weak.asked == 1 else "all"
        passed = f"{all_} {wording.count(weak.asked, 'criterion')} passed"
        said = f"{focus}: {passed if weak.asked else NONE_SCORED}{scores_words(found.scores)}"
        return [Heading("Weakest criteria", said)]
    asked = wording.count(weak.asked, "criterion")
    hint = f"{focus}: {weak.losing:,} of {asked} not fully met{scores_words(found.scores)}"
    if all(weak.cases == 1 for weak in weak.first):
        hint += ", each used in one case"
    head = [("criterion", False), ("0 to 100 %", False), ("mean over cases", True)]
    rows = [Row(_weak_cells(found.line.suite, one)) for one in weak.first]
    return [Heading("Weakest criteria", hint), Table("Weakest criteria", head, rows)]


def _weak_cells(suite: str, weak: Weak) -> list[Cell]:
    about = " · ".join(part for part in (weak.about, weak.case and f"only in {weak.case}") if part)
    there = link("gradings", suite=suite, criterion=weak.criterion) if weak.failed else None
    if there is None:
        there = link("gradings", suite=suite)
    graded = weak.failed is None and weak.top is not None
    value = (
        wording.score(weak.value * weak.top, weak.top)
        if graded and weak.top is not None
        else wording.percent(weak.value)
    )
    failed = f"✗ failed in {weak.failed:,}" if weak.failed and weak.cases > 1 else ""
    return [
        Cell(weak.criterion, sub=about, link=there, clamp=True),
        Cell("", title=_likely(weak), bar=Bar(weak.value, None, None, _fill(weak))),
        Cell(f"{value} over {wording.count(weak.cases, 'case')}", sub=failed, num=True),
    ]


def _fill(weak: Weak) -> str:
    return "worse" if weak.failed else "plain"


def _likely(weak: Weak) -> str:
    """Return the range that a criterion's mean is likely in; empty for one case."""
    if weak.low is None or weak.high is None:
        return ""
    low, high = (wording.percent(end).removesuffix(" %") for end in (weak.low, weak.high))
    return f"Likely between {low} and {high} %"


def look_blocks(
    found: Overview, flaky: tuple[Flaky, ...], ended: tuple[Ended, ...], not_run: tuple[str, ...]
) -> list[Block]:
    """Describe the flaky cases, and the runs without a result."""
    if found.line.focus is None:
        return []
    return [*_flaky_blocks(found, flaky), *_ended_blocks(found, ended, not_run)]


def _flaky_blocks(found: Overview, flaky: tuple[Flaky, ...]) -> list[Block]:
    several = wording.count(found.repeated, "case")
    if not found.repeated:
        why = "Not measured: every case ran once, and it takes a second run of a case to see it."
        return [Heading("Flaky cases"), Say(why, quiet=True)]
    if not flaky:
        hint = f"none of {several} with two runs or more"
        return [Heading("Flaky cases", hint)]
    suite, flaky = found.line.suite, flaky[:SHOWN]
    title = Heading("Flaky cases", f"{found.counts['flaky']:,} of {several} with two runs or more")
    rows = [
        Row(
            [
                Cell(
                    one.name,
                    link=link("gradings", suite=suite, filter="flaky", run=one.run_id),
                    clamp=True,
                    id=one.case_id,
                ),
                Cell(
                    f"≈ {one.passed:,} of {one.runs:,}",
                    mark="flaky",
                    num=True,
                ),
            ]
        )
        for one in flaky
    ]
    head = [("case", False), ("runs passed", True)]
    blocks = [title, Table("Flaky cases", head, rows)]
    return [*blocks, *([_all_flaky(found)] if found.counts["flaky"] > len(flaky) else [])]


def _all_flaky(found: Overview) -> Links:
    """Describe the link to all flaky cases if the list names only the first ones."""
    there = link("gradings", suite=found.line.suite, filter="flaky")
    return Links("", [Chip(text=f"All {found.counts['flaky']:,} flaky cases", link=there)])


def _ended_blocks(found: Overview, ended: Iterable[Ended], not_run: tuple[str, ...]) -> list[Block]:
    suite, focus = found.line.suite, wording.column_words(found.line.focus)
    items = [
        Fold(
            n=one.n,
            what=_ended_words(one, found.scores),
            mark="fail" if one.counts else "unscored",
            entries=[
                Entry(run.case, f"run {run.run}", link("gradings", suite=suite, run=run.run_id))
                for run in one.runs
            ],
            more=one.n - len(one.runs),
        )
        for one in ended
    ]
    if not_run:
        items.append(
            Fold(
                n=len(not_run),
                mark="unscored",
                what=f"{wording.count(len(not_run), 'case').partition(' ')[2]} without a run",
                entries=[
                    Entry(case, "", link("gradings", suite=suite, case=case))
                    for case in not_run[:LISTED]
                ],
                more=max(len(not_run) - LISTED, 0),
            )
        )
    runs, by = wording.count(found.line.rate.runs, "run"), scores_words(found.scores)
    if not items:
        return [Heading("Runs", _all_scored(found.line.rate.runs, focus, by))]
    title = Heading("Runs to look at", f"of {runs} in {focus}")
    return [title, Folds("Runs to look at", items)]


def _all_scored(runs: int, focus: str, by: str) -> str:
    if runs == 1:
        return f"the 1 run of {focus} finished and is scored{by}"
    return f"all {wording.count(runs, 'run')} of {focus} finished and are scored{by}"


def _ended_words(one: Ended, scores: Scores) -> str:
    runs = wording.noun(one.n, "run")
    if one.status == NO_SCORE and scores == "human":
        return f"{runs} {unscored_words(scores)}"
    word = f"{runs} {WORDS.get(one.status, f'with the status {one.status}')}"
    if one.status == NO_SCORE:
        return word
    return f"{word}, {'counted as failed' if one.counts else 'not in the rates'}"


def pending_blocks(
    found: Overview, pending_items: tuple[PendingItem, ...], problems: Problems
) -> list[Block]:
    """Describe pending work, and the problems of the files."""
    items = [
        Fold(
            n=wait.n,
            what=wait.what,
            entries=wait.entries,
            more=wait.places - len(wait.entries),
            link=wait.link,
        )
        for wait in pending_items
    ]
    blocks: list[Block] = [Heading("To do")]
    if items:
        blocks.append(Folds("To do", items))
    else:
        blocks.append(Say("Nothing to do.", quiet=True))
    return [*blocks, *_problem_blocks(found.line.suite, problems)]


def _problem_blocks(suite: str, problems: Problems) -> list[Block]:
    counts = by_severity(problems, suite)
    items = []
    for severity, one in counts.items():
        word, mark = _SEVERITIES[severity]
        what = wording.noun(one.n, word)
        items.append(Fold(n=one.n, what=what, mark=mark, about=one.first, link=one.link))
    listed: list[Block] = [Folds("Data problems", items)] if items else []
    if problems.complete:
        return [Heading("Data problems", "" if items else "none found"), *listed]
    head = Heading("Data problems", "found so far" if items else "none found while loading")
    every = Chip(text="Check all files", link=problem_count(problems, suite).link)
    return [head, *listed, Links("", [every])]
