"""Pending work of a suite: unscored, to review, unresolved, unattributed, unanswered."""

from collections import Counter
from collections.abc import Iterator
from typing import Any, Final, NamedTuple

import numpy as np
import pandas as pd

from evalcore.counting.cells import typed, where
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
from evalcore.views.blocks.base import Link, link
from evalcore.views.blocks.page import Entry
from evalcore.views.gradings.grid import case_name
from evalcore.views.gradings.reasons import line
from evalcore.views.overview.runs import LISTED, run_names
from evalcore.views.run.remarks import FEEDBACK_WORDS
from evalcore.views.words.wording import column_words, noun
from evalcore.workspace.opened import Workspace

MAX_TEXT: Final = 240
SUGGESTIONS: Final = frozenset(
    {"suggestion", "suggested", "vague", "missing", "review", "aggregate"}
)


class PendingItem(NamedTuple):
    """One kind of pending work: the number, what it is, and the first entries.

    `places` is the number of places; fewer than `n` if several are in one. With a `link` all of
    them are listed there, and none here.
    """

    n: int
    what: str
    entries: tuple[Entry, ...]
    places: int
    link: Link | None = None


@memoize_per_workspace
def pending_items(ws: Workspace, suite: str, focus: Column | None) -> tuple[PendingItem, ...]:
    """Return the pending work of a suite; feedback only that on the column in focus.

    Raises:
        UnknownName: the workspace has no such suite.
    """
    found = (
        _unscored(ws, suite),
        _stale(ws, suite),
        *human_pending_items(ws, suite),
        _reviews(ws, suite),
        _failures(ws, suite),
        _unknown_sides(ws, suite),
        _feedback(ws, suite, focus),
        _drafts(ws, suite),
    )
    return tuple(wait for wait in found if wait.n)


def _unscored(ws: Workspace, suite: str) -> PendingItem:
    """Return the judgments without a score, of runs that count."""
    runs = outcomes(ws, suite).runs
    chosen = runs[(runs["unscored"] > 0) & (runs["outcome"] != OUTSIDE)]
    total = int(chosen["unscored"].sum())
    what = f"{noun(total, 'judgment')} without a score"
    return PendingItem(
        total, what, _of_runs(ws, suite, chosen, chosen["unscored"], "without a score"), len(chosen)
    )


def _stale(ws: Workspace, suite: str) -> PendingItem:
    """Return the recorded scores whose output changed afterwards.

    Those of people wait on the page for judging; what a rule or a model judged again waits for
    nobody.
    """
    rows = np.flatnonzero(coded(ws, "judgments", "status").among({"stale"}))
    rows = rows[~from_reviews(ws, "judgments")[rows] & ~np.isin(rows, people_rows(ws))]
    return _outdated(ws, suite, run_of(ws, "judgments")[rows], "of an output that changed since")


def _outdated(ws: Workspace, suite: str, scored: Numbers, what: str) -> PendingItem:
    """Return outdated scores, listed by run; `scored` has the run of each."""
    per_run = pd.Series(scored).value_counts()
    runs = outcomes(ws, suite).runs
    chosen = runs[runs.index.isin(per_run.index)]
    n = per_run.reindex(chosen.index)
    total = int(n.sum())
    entries = _of_runs(ws, suite, chosen, n, "out of date")
    return PendingItem(total, f"{noun(total, 'score')} {what}", entries, len(chosen))


def _of_runs(
    ws: Workspace, suite: str, runs: pd.DataFrame, n: "pd.Series[int]", what: str
) -> tuple[Entry, ...]:
    """Return an entry for each run, the newest column first."""
    first = runs.sort_values("column", ascending=False, kind="stable").head(LISTED)
    columns = outcomes(ws, suite).columns
    names = run_names(ws, suite, first.index.to_numpy(), first["case"].to_numpy())
    return tuple(
        Entry(
            name.case,
            f"{columns[column].key}, run {name.run}: {int(amount)} {what}",
            link("gradings", suite=suite, run=name.run_id),
        )
        for name, column, amount in zip(names, first["column"], n[first.index], strict=True)
    )


def _reviews(ws: Workspace, suite: str) -> PendingItem:
    rows = where(ws, "notes", suite=suite, kind="needs_review")
    notes = typed(ws, "notes", NoteRow, rows[::-1][:LISTED])
    entries = (_entry(suite, note.text, note.version, note, note.run_id) for note in notes)
    return PendingItem(
        len(rows), f"{noun(len(rows), 'note')} asking for a review", tuple(entries), len(rows)
    )


def _failures(ws: Workspace, suite: str) -> PendingItem:
    rows = np.intersect1d(where(ws, "failures", suite=suite), current_failures(ws))
    rows = rows[ws.tables.failures["resolved_at"].isna().to_numpy()[rows]]
    entries = tuple(
        _entry(suite, row.description or row.failure_type, row.severity, row, row.run_id)
        for row in typed(ws, "failures", FailureRow, rows[:LISTED])
    )
    return PendingItem(len(rows), f"{noun(len(rows), 'failure')} not resolved", entries, len(rows))


def _unknown_sides(ws: Workspace, suite: str) -> PendingItem:
    rows = where(ws, "comparisons", suite=suite)
    table = ws.tables.comparisons
    lacking = table["version_a"].isna() | table["version_b"].isna()
    rows = rows[lacking.to_numpy()[rows]]
    entries = tuple(
        _entry(suite, row.case_id or row.comparison_id, "which version was A is not recorded", row)
        for row in typed(ws, "comparisons", ComparisonRow, rows[:LISTED])
    )
    what = f"{noun(len(rows), 'comparison')} without a version"
    return PendingItem(len(rows), what, entries, len(rows))


def _feedback(ws: Workspace, suite: str, focus: Column | None) -> PendingItem:
    """Return the feedback about the column in focus, or its version, without an action."""
    rows = where(ws, "feedback", suite=suite) if focus else np.empty(0, np.int64)
    if focus is None or not len(rows):
        return PendingItem(0, "", (), 0)
    table = ws.tables.feedback
    unanswered = table["text"].notna() & (table["text"].str.strip() != "") & table["action"].isna()
    rows = rows[(unanswered & table["kind"].isin(SUGGESTIONS)).to_numpy()[rows]]
    rows = rows[_speaks_of(ws, suite, focus, rows)]
    rows = rows[~_decided(ws, suite, rows)]
    entries = tuple(
        _entry(suite, row.text, _of_feedback(row), row, row.run_id)
        for row in typed(ws, "feedback", FeedbackRow, rows[:LISTED])
    )
    what = f"open grader {noun(len(rows), 'suggestion')} for {column_words(focus)}"
    return PendingItem(len(rows), what, entries, len(rows))


def _decided(ws: Workspace, suite: str, rows: Numbers) -> Numbers:
    """Return which feedback rows are suggestions that people accepted or rejected."""
    decided = decided_texts(ws, suite)
    texts = ws.tables.feedback["text"].iloc[rows].tolist()
    return np.array([isinstance(text, str) and text.strip() in decided for text in texts], bool)


def _of_feedback(row: FeedbackRow) -> str:
    """Return the kind of feedback, and its target if that is not repeated in the text."""
    kind = FEEDBACK_WORDS.get(row.kind or "", row.kind or "")
    target = row.target if row.target != row.text else None
    return " · ".join(part for part in (kind, target or row.case_id) if part)


def _speaks_of(ws: Workspace, suite: str, focus: Column, rows: Numbers) -> Numbers:
    """Return which feedback rows are about a run of a column, or about its version."""
    found, run = outcomes(ws, suite), run_of(ws, "feedback")[rows]
    runs = found.runs.index[found.runs["column"] == found.columns.index(focus)]
    own = np.isin(run, runs.to_numpy())
    own |= (run < 0) & coded(ws, "feedback", "version").among({focus.version})[rows]
    return own


def _drafts(ws: Workspace, suite: str) -> PendingItem:
    rows = where(ws, "cases", suite=suite, status="draft")
    entries = tuple(
        Entry(
            case_name({"case_id": row.case_id, "prompt": row.prompt, "name": row.name}),
            "not in the rates",
            link("data", suite=suite, dview="cases", dcase=row.case_id),
        )
        for row in typed(ws, "cases", CaseRow, rows[:LISTED])
    )
    return PendingItem(len(rows), f"draft {noun(len(rows), 'case')} to finish", entries, len(rows))


def _entry(
    suite: str, text: str | None, about: str | None, row: Any, run: str | None = None
) -> Entry:
    """Return an entry that links to the run, else to the place in the document."""
    if run is not None:
        there = link("gradings", suite=suite, run=run)
    else:
        there = link("data", suite=suite, dview="files", file=row.source, at=row.pointer or None)
    return Entry(line(text or "no text", MAX_TEXT), about or "", there)


def human_pending_items(ws: Workspace, suite: str) -> Iterator[PendingItem]:
    """Yield the pending work of a suite on the Judge page, each with the link that lists it."""
    yield _stale_of_people(ws, suite)
    # What the queue lists for somebody who has judged nothing.
    found = queue(ws, suite, Judge("", ""), load_reviews(review_folder(ws, suite)))
    n = Counter(name for entry in found.entries for name in entry.why)
    review = sum(entry.run_id in found.review for entry in found.entries)
    yield _behind(suite, n["requested"], "sent to judging", "requested")
    yield _behind(suite, n["disagreement"], "that people score differently", "disagreement")
    yield _behind(suite, review, "to review", REVIEW)


def _behind(suite: str, n: int, what: str, reason: str) -> PendingItem:
    """Return so many runs, and the link to the queue with only those of this reason."""
    there = link("judge", suite=suite, v=None, c=None, reason=reason)
    return PendingItem(n, f"{noun(n, 'run')} {what}", (), 0, there)


def _stale_of_people(ws: Workspace, suite: str) -> PendingItem:
    """Return the outdated scores of people; a judge's own are also in the queue."""
    rows = people_rows(ws)
    rows = rows[coded(ws, "judgments", "status").among({"stale"})[rows]]
    runs = judged_run(ws)[rows]
    what = "by people out of date: output, prompt or criterion changed"
    return _outdated(ws, suite, runs[~excluded(ws)[runs]], what)
