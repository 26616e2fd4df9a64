"""What of a version needs attention: weak criteria, flaky cases, and runs without a result."""

from collections.abc import Sequence
from typing import Final

from evalcore.comparing.values import missing_runs
from evalcore.counting.outcomes import outcomes
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
    heads,
)
from evalcore.views.overview.column import (
    LISTED,
    NO_SCORE,
    WORDS,
    Ended,
    Weak,
    ended,
    flaky_cases,
    not_run,
)
from evalcore.views.overview.summary import Overview
from evalcore.views.words import wording
from evalcore.views.words.score_source import scores_words, unscored_words
from evalcore.workspace.opened import Workspace

NONE_SCORED: Final = "no criterion is scored"
SHOWN: Final = 4
"""How many flaky cases are listed; one link leads to all of them."""


def weak_blocks(found: Overview) -> list[Block]:
    """Describe the weakest criteria of the column in focus."""
    weak, focus = found.weak, wording.column_words(found.line.focus)
    if found.line.focus is None:
        return [Heading("Weakest criteria"), Say("Not known before the first run.", quiet=True)]
    asked, by = wording.count(weak.asked, "criterion"), scores_words(found.scores)
    if not weak.first:
        passed = f"{'the' if weak.asked == 1 else 'all'} {asked} passed"
        said = f"{focus}: {passed if weak.asked else NONE_SCORED}{by}"
        return [Heading("Weakest criteria", said)]
    hint = f"{focus}: {weak.losing:,} of {asked} not fully met{by}"
    if all(weak.cases == 1 for weak in weak.first):
        hint += ", each used in one case"
    head = heads("criterion", "0 to 100 %", "#mean over cases")
    rows = [_weak(found.line.suite, one) for one in weak.first]
    return [Heading("Weakest criteria", hint), Table("Weakest criteria", head, rows)]


def _weak(suite: str, weak: Weak) -> Row:
    about = " · ".join(filter(None, (weak.about, weak.case and f"only in {weak.case}")))
    there = link("gradings", suite=suite)
    if weak.failed:
        there = link("gradings", suite=suite, criterion=weak.criterion)
    value = wording.percent(weak.value)
    if weak.failed is None and weak.top is not None:
        value = wording.score(weak.value * weak.top, weak.top)
    likely = ""
    if weak.low is not None and weak.high is not None:
        low, high = (wording.percent(end).removesuffix(" %") for end in (weak.low, weak.high))
        likely = f"Likely between {low} and {high} %"
    bar = Bar(weak.value, None, None, "worse" if weak.failed else "plain")
    failed = f"✗ failed in {weak.failed:,}" if weak.failed and weak.cases > 1 else ""
    return Row(
        [
            Cell(weak.criterion, sub=about, link=there, clamp=True),
            Cell("", title=likely, bar=bar),
            Cell(f"{value} over {wording.count(weak.cases, 'case')}", sub=failed, num=True),
        ]
    )


def look_blocks(ws: Workspace, found: Overview) -> list[Block]:
    """Describe the flaky cases, and the runs without a result."""
    if found.line.focus is None:
        return []
    return [*_flaky_blocks(ws, found), *_ended_blocks(ws, found)]


def _flaky_blocks(ws: Workspace, found: Overview) -> list[Block]:
    suite, focus = found.line.suite, found.line.focus
    assert focus is not None
    if not found.repeated:
        why = "Not measured: every case ran once, and it takes a second run of a case to see it."
        return [Heading("Flaky cases"), Say(why, quiet=True)]
    several = f"{wording.count(found.repeated, 'case')} with two runs or more"
    flaky = flaky_cases(ws, suite, focus, found.scores)[:SHOWN]
    if not flaky:
        return [Heading("Flaky cases", f"none of {several}")]
    total, rows = found.counts["flaky"], []
    for one in flaky:
        there = link("gradings", suite=suite, filter="flaky", run=one.run_id)
        name = Cell(one.name, link=there, clamp=True, id=one.case_id)
        passed = Cell(f"≈ {one.passed:,} of {one.runs:,}", mark="flaky", num=True)
        rows.append(Row([name, passed]))
    blocks: list[Block] = [
        Heading("Flaky cases", f"{total:,} of {several}"),
        Table("Flaky cases", heads("case", "#runs passed"), rows),
    ]
    if total > len(flaky):
        there = link("gradings", suite=suite, filter="flaky")
        blocks.append(Links("", [Chip(text=f"All {total:,} flaky cases", link=there)]))
    return blocks


def _ended_blocks(ws: Workspace, found: Overview) -> list[Block]:
    suite, focus, n = found.line.suite, found.line.focus, found.line.rate.runs
    assert focus is not None
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
        for one in ended(ws, suite, focus, found.scores)
    ]

    def of_cases(n: int, what: str, cases: Sequence[tuple[str, str]]) -> Fold:
        """Return a count with its cases, each with what is said of it."""
        entries = [
            Entry(case, about, link("gradings", suite=suite, case=case))
            for case, about in cases[:LISTED]
        ]
        more = len(cases) - len(entries)
        return Fold(n=n, mark="unscored", what=what, entries=entries, more=more)

    if idle := not_run(ws, suite, focus):
        what = f"{wording.noun(len(idle), 'case')} without a run"
        items.append(of_cases(len(idle), what, [(case, "") for case in idle]))
    if missing := missing_runs(ws, suite, focus):
        gone, ids = sum(n for n, _ in missing.values()), outcomes(ws, suite).cases["case_id"]
        cases = [(str(ids[at]), f"{n:,} of {of:,}") for at, (n, of) in missing.items()]
        where = wording.count(len(cases), "case")
        items.append(
            of_cases(gone, f"planned {wording.noun(gone, 'run')} missing, in {where}", cases)
        )
    runs, name = wording.count(n, "run"), wording.column_words(focus)
    if items:
        title = Heading("Runs to look at", f"of {runs} in {name}")
        return [title, Folds("Runs to look at", items)]
    are, all_ = ("is", "the") if n == 1 else ("are", "all")
    by = scores_words(found.scores)
    return [Heading("Runs", f"{all_} {runs} of {name} finished and {are} scored{by}")]


def _ended_words(one: Ended, scores: Scores) -> str:
    runs = wording.noun(one.n, "run")
    if one.status == NO_SCORE and scores == "human":
        return f"{runs} {unscored_words(scores)}"
    word = f"{runs} {WORDS.get(one.status, f'with the status {one.status}')}"
    if one.status == NO_SCORE:
        return word
    return f"{word}, {'counted as failed' if one.counts else 'not in the rates'}"
