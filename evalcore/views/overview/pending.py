"""Pending work of a suite, and the problems of its files: each a count with its first entries."""

from collections.abc import Iterator, Sequence
from typing import Any, Final

import numpy as np
import pandas as pd

from evalcore.counting.cells import typed, where
from evalcore.counting.choices import suites_without_runs
from evalcore.counting.coded import Numbers, coded
from evalcore.counting.failure_rows import current_failures
from evalcore.counting.joined import judged_run, run_of
from evalcore.counting.memo import memoize_per_workspace
from evalcore.counting.outcomes import Column, outcomes
from evalcore.counting.people import people_rows
from evalcore.counting.review_rows import excluded, from_reviews
from evalcore.counting.tally import OUTSIDE
from evalcore.judging.model import REVIEW, Judge
from evalcore.judging.queueing.queue import queue
from evalcore.judging.storing.stored_reviews import load_reviews, review_folder
from evalcore.rubrics.suggestions import decided_texts
from evalcore.tables.rows import CaseRow, ComparisonRow, FailureRow, FeedbackRow, NoteRow
from evalcore.views.blocks.base import Block, link
from evalcore.views.blocks.page import Chip, Entry, Fold, Folds, Heading, Links, Say
from evalcore.views.data.problems import problem_count
from evalcore.views.gradings.grid import case_name
from evalcore.views.overview.column import LISTED, run_names
from evalcore.views.problems import SEVERITIES, Problems
from evalcore.views.run.remarks import FEEDBACK_WORDS
from evalcore.views.verdict.prepare import to_new
from evalcore.views.words.wording import column_words, line, noun
from evalcore.workspace.opened import Workspace

MAX_TEXT: Final = 240
SUGGESTIONS: Final = frozenset(
    {"suggestion", "suggested", "vague", "missing", "review", "aggregate"}
)
_SEVERITIES: Final = {"error": ("error", "fail"), "warning": ("warning", "warn"),
                      "info": ("note", None)}  # fmt: skip


def pending_blocks(suite: str, items: Sequence[Fold], problems: Problems) -> list[Block]:
    """Describe the pending work of a suite, and the problems of its files."""
    work = Folds("To do", items) if items else Say("Nothing to do.", quiet=True)
    folds = []
    for severity in SEVERITIES:
        found = problem_count(problems, suite, severity)
        if found.n:
            word, mark = _SEVERITIES[severity]
            what = noun(found.n, word)
            folds.append(Fold(n=found.n, what=what, mark=mark, about=found.first, link=found.link))
    listed: list[Block] = [Folds("Data problems", folds)] if folds else []
    hint = "" if folds else "none found"
    if not problems.complete:
        hint = "found so far" if folds else "none found while loading"
        every = Chip(text="Check all files", link=problem_count(problems, suite).link)
        listed.append(Links("", [every]))
    return [Heading("To do"), work, Heading("Data problems", hint), *listed]


@memoize_per_workspace
def pending_items(ws: Workspace, suite: str, focus: Column | None) -> tuple[Fold, ...]:
    """Return the pending work of a suite; feedback only that on the column in focus.

    Raises:
        UnknownName: the workspace has no such suite.
    """
    found = (
        _to_run(ws, suite),
        _unscored(ws, suite),
        _stale(ws, suite),
        *human_pending_items(ws, suite),
        _reviews(ws, suite),
        _failures(ws, suite),
        _unknown_sides(ws, suite),
        *_feedback(ws, suite, focus),
        _drafts(ws, suite),
    )
    return tuple(wait for wait in found if wait.n)


def _to_run(ws: Workspace, suite: str) -> Fold:
    """Return the cases of a suite of which there is no run at all."""
    n = len(where(ws, "cases", suite=suite)) if suite in suites_without_runs(ws) else 0
    return Fold(n=n, what=f"{noun(n, 'case')} to run", link=to_new(suite=suite))


def _unscored(ws: Workspace, suite: str) -> Fold:
    """Return the judgments without a score, of runs that count."""
    runs = outcomes(ws, suite).runs
    chosen = runs[(runs["unscored"] > 0) & (runs["outcome"] != OUTSIDE)]
    total = int(chosen["unscored"].sum())
    what = f"{noun(total, 'judgment')} without a score"
    return _of_runs(ws, suite, chosen["unscored"], what, "without a score")


def _stale(ws: Workspace, suite: str) -> Fold:
    """Return the recorded scores whose output changed afterwards.

    Those of people wait on the page for judging; what a rule or a model judged again waits for
    nobody.
    """
    rows = np.flatnonzero(coded(ws, "judgments", "status").among({"stale"}))
    rows = rows[~from_reviews(ws, "judgments")[rows] & ~np.isin(rows, people_rows(ws))]
    return _outdated(ws, suite, run_of(ws, "judgments")[rows], "of an output that changed since")


def _outdated(ws: Workspace, suite: str, scored: Numbers, what: str) -> Fold:
    """Return outdated scores, listed by run; `scored` has the run of each."""
    per_run = pd.Series(scored).value_counts()
    runs = outcomes(ws, suite).runs.index
    n = per_run.reindex(runs[runs.isin(per_run.index)])
    return _of_runs(ws, suite, n, f"{noun(int(n.sum()), 'score')} {what}", "out of date")


def _of_runs(ws: Workspace, suite: str, n: "pd.Series[int]", what: str, each: str) -> Fold:
    """Return work that runs have, the newest column first; `n` is how much of it each run has."""
    found = outcomes(ws, suite)
    runs = found.runs.loc[n.index].sort_values("column", ascending=False, kind="stable")
    first = runs.head(LISTED)
    names = run_names(ws, suite, first.index.to_numpy(), first["case"].to_numpy())
    entries = tuple(
        Entry(
            name.case,
            f"{found.columns[column].key}, run {name.run}: {int(amount)} {each}",
            link("gradings", suite=suite, run=name.run_id),
        )
        for name, column, amount in zip(names, first["column"], n[first.index], strict=True)
    )
    return Fold(n=int(n.sum()), what=what, entries=entries, more=len(n) - len(entries))


def _reviews(ws: Workspace, suite: str) -> Fold:
    rows = where(ws, "notes", suite=suite, kind="needs_review")
    entries = [
        _entry(suite, note.text, note.version, note, note.run_id)
        for note in typed(ws, "notes", NoteRow, rows[::-1][:LISTED])
    ]
    return _fold(len(rows), f"{noun(len(rows), 'note')} asking for a review", entries)


def _failures(ws: Workspace, suite: str) -> Fold:
    rows = np.intersect1d(where(ws, "failures", suite=suite), current_failures(ws))
    rows = rows[ws.tables.failures["resolved_at"].isna().to_numpy()[rows]]
    entries = [
        _entry(suite, row.description or row.failure_type, row.severity, row, row.run_id)
        for row in typed(ws, "failures", FailureRow, rows[:LISTED])
    ]
    return _fold(len(rows), f"{noun(len(rows), 'failure')} not resolved", entries)


def _unknown_sides(ws: Workspace, suite: str) -> Fold:
    rows = where(ws, "comparisons", suite=suite)
    table = ws.tables.comparisons
    lacking = table["version_a"].isna() | table["version_b"].isna()
    rows = rows[lacking.to_numpy()[rows]]
    entries = [
        _entry(suite, row.case_id or row.comparison_id, "which version was A is not recorded", row)
        for row in typed(ws, "comparisons", ComparisonRow, rows[:LISTED])
    ]
    return _fold(len(rows), f"{noun(len(rows), 'comparison')} without a version", entries)


def _feedback(ws: Workspace, suite: str, focus: Column | None) -> Iterator[Fold]:
    """Yield the feedback about the column in focus, or its version, without an action."""
    table, rows = ws.tables.feedback, where(ws, "feedback", suite=suite)
    if focus is None or not len(rows):
        return
    unanswered = table["text"].notna() & (table["text"].str.strip() != "") & table["action"].isna()
    rows = rows[(unanswered & table["kind"].isin(SUGGESTIONS)).to_numpy()[rows]]
    # It is about a run of the column, or about no run but its version.
    found, run = outcomes(ws, suite), run_of(ws, "feedback")[rows]
    runs = found.runs.index[found.runs["column"] == found.columns.index(focus)]
    about = np.isin(run, runs.to_numpy())
    about |= (run < 0) & coded(ws, "feedback", "version").among({focus.version})[rows]
    rows = rows[about]
    # Nobody has accepted or rejected it as a suggestion.
    decided = decided_texts(ws, suite)
    texts = table["text"].iloc[rows].tolist()
    open_ = [not (isinstance(text, str) and text.strip() in decided) for text in texts]
    rows = rows[np.array(open_, bool)]
    entries = []
    for row in typed(ws, "feedback", FeedbackRow, rows[:LISTED]):
        kind = FEEDBACK_WORDS.get(row.kind or "", row.kind or "")
        target = (row.target if row.target != row.text else None) or row.case_id
        words = " · ".join(filter(None, (kind, target)))
        entries.append(_entry(suite, row.text, words, row, row.run_id))
    what = f"open grader {noun(len(rows), 'suggestion')} for {column_words(focus)}"
    yield _fold(len(rows), what, entries)


def _drafts(ws: Workspace, suite: str) -> Fold:
    rows = where(ws, "cases", suite=suite, status="draft")
    entries = [
        Entry(
            case_name({"case_id": row.case_id, "prompt": row.prompt, "name": row.name}),
            "not in the rates",
            link("data", suite=suite, dview="cases", dcase=row.case_id),
        )
        for row in typed(ws, "cases", CaseRow, rows[:LISTED])
    ]
    return _fold(len(rows), f"draft {noun(len(rows), 'case')} to finish", entries)


def _fold(n: int, what: str, entries: Sequence[Entry]) -> Fold:
    return Fold(n=n, what=what, entries=tuple(entries), more=n - len(entries))


def _entry(
    suite: str, text: str | None, about: str | None, row: Any, run: str | None = None
) -> Entry:
    """Return an entry that links to the run, else to the place in the document."""
    if run is not None:
        there = link("gradings", suite=suite, run=run)
    else:
        there = link("data", suite=suite, dview="files", file=row.source, at=row.pointer or None)
    return Entry(line(text or "no text", MAX_TEXT), about or "", there)


def human_pending_items(ws: Workspace, suite: str) -> Iterator[Fold]:
    """Yield the pending work of a suite on the Judge page, each with the link that lists it."""
    # A judge's own outdated scores are also in the queue.
    rows = people_rows(ws)
    rows = rows[coded(ws, "judgments", "status").among({"stale"})[rows]]
    runs = judged_run(ws)[rows]
    what = "by people out of date: output, prompt or criterion changed"
    yield _outdated(ws, suite, runs[~excluded(ws)[runs]], what)
    # What the queue lists for somebody who has judged nothing.
    found = queue(ws, suite, Judge("", ""), load_reviews(review_folder(ws, suite)))
    every = np.arange(len(found.order))
    n, review = found.reasons(every), len(found.reviewed(every))
    for amount, words, reason in (
        (n["requested"], "sent to judging", "requested"),
        (n["disagreement"], "that people score differently", "disagreement"),
        (review, "to review", REVIEW),
    ):
        there = link("judge", suite=suite, v=None, c=None, reason=reason)
        yield Fold(n=amount, what=f"{noun(amount, 'run')} {words}", link=there)
