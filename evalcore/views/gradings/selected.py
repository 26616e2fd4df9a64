"""What the filters of Gradings select: the cases to export, and their runs to send to judging."""

import math

import numpy as np

from evalcore.counting.coded import Numbers
from evalcore.counting.outcomes import Outcomes, ungraded
from evalcore.counting.tally import OUTSIDE
from evalcore.judging.answering.sending import MOST, Sent
from evalcore.tables.exported import Listing
from evalcore.views.gradings.grid import Grid
from evalcore.views.gradings.state import GradingsState
from evalcore.views.words.wording import column_words, count
from evalcore.workspace.opened import Workspace

HEAD = (
    "case_id", "name", "version", "configuration", "runs", "passed", "failed", "scored",
    "not_counted", "failed_criteria", "unscored_criteria", "score", "max_score", "share", "flaky",
)  # fmt: skip


def cases_listing(state: GradingsState, found: Grid) -> Listing:
    """Return a row for each matching case and version that has runs of it, in the order shown."""
    outcomes = state.outcomes
    columns = [
        at
        for at, column in enumerate(outcomes.columns)
        if state.configuration in {None, column.configuration}
    ]
    tallies = outcomes.tallies(found.cases, columns)
    names = outcomes.cases.get("name")
    rows = []
    for case in found.cases:
        name = None if names is None else names.iloc[case]
        about = (str(outcomes.cases["case_id"].iloc[case]), name if isinstance(name, str) else None)
        for at in columns:
            tally = tallies.get((case, at))
            if tally is None:
                continue
            scores = (tally.score, tally.max_score, tally.fraction)
            rows.append(
                (
                    *about,
                    *outcomes.columns[at],
                    tally.n - tally.hidden,
                    *(tally.passes, tally.fails, tally.scored, tally.outside - tally.hidden),
                    *(tally.failed, tally.unscored),
                    *(value if math.isfinite(value) else None for value in scores),
                    bool(tally.flaky),
                )
            )
    return Listing("cases", HEAD, rows)


def runs_to_send(ws: Workspace, found: Outcomes, shown: Grid) -> Numbers:
    """Return the runs (positions) of the matching cases in the column in focus, in their order.

    Runs outside the rates have nothing to judge, but for outputs that wait for a grading.
    """
    if shown.focus is None:
        return np.zeros(0, np.int64)
    column, case, outcome = (found.runs[name].to_numpy() for name in ("column", "case", "outcome"))
    here = np.flatnonzero(column == found.columns.index(shown.focus))
    runs: Numbers = found.runs.index.to_numpy()[here]
    place = np.full(len(found.cases), -1, np.int64)
    place[list(shown.cases)] = np.arange(len(shown.cases))
    order = place[case[here]]
    chosen = (order >= 0) & ((outcome[here] != OUTSIDE) | ungraded(ws)[runs])
    sent: Numbers = runs[chosen][np.argsort(order[chosen], kind="stable")]
    return sent


def run_ids(ws: Workspace, runs: Numbers) -> tuple[str, ...]:
    """Return the ids of runs (positions)."""
    return tuple(ws.tables.runs["run_id"].iloc[runs].astype(str))


def about_runs(runs: Numbers, shown: Grid) -> str:
    """Return which runs these are and, if they are too many, what to do."""
    if not len(runs):
        return "No run is left to send: take a filter away, or choose another version."
    if len(runs) > MOST:
        return f"{len(runs):,} runs are left; at most {MOST} are sent at once. Filter them first."
    return f"{count(len(runs), 'run')} of {column_words(shown.focus)}, as the filters leave them."


def sent_words(sent: Sent) -> str:
    """Return the result of sending runs: `12 runs were sent; 3 already waited`."""
    new, waited = len(sent.receipts), sent.waited
    parts = [f"{count(new, 'run')} {'was' if new == 1 else 'were'} sent"] if new else []
    parts += [f"{count(waited, 'run') if not new else waited} already waited"] if waited else []
    words = "; ".join(parts) or "No run was sent"
    return f"{words}. The rest was not: {sent.failed}" if sent.failed else f"{words}."
