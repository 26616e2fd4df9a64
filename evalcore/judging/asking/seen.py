"""What a judge could have seen of a run before judging it, as far as this server knows."""

from collections.abc import Collection
from datetime import UTC, datetime

from evalcore.counting.cells import typed, where
from evalcore.counting.run_criteria import run_row
from evalcore.families.base import is_review
from evalcore.families.reviews.review import Review, Seen
from evalcore.judging.model import Judge, Task
from evalcore.judging.storing.run_reviews import reviews_of_run
from evalcore.judging.storing.shown import Period, Periods
from evalcore.tables.rows import JudgmentRow
from evalcore.workspace.opened import Workspace


def seen_before(
    ws: Workspace,
    task: Task,
    records: tuple[Review, ...],
    judge: Judge,
    shown: Periods,
    told: Collection[Seen] = (),
    hidden: Period | None = None,
) -> list[Seen]:
    """Return what a judge could have seen of a run before: recorded scores, other people's.

    `shown` is when the scores of the suite were shown to this judge, except of what was hidden
    then: this run in `hidden`. `told` is what the reasons of the queue tell of. Who has judged it
    whole has been shown all scores there are.
    """
    now = datetime.now(UTC)
    if task.judged:
        shown = (*shown, Period(now, now))
        hidden = None
    last = last_seen(shown, hidden, now)
    found: list[Seen] = []
    if (last is not None or "recorded" in told) and _has_recorded(ws, task.run_id):
        found.append("recorded")
    times = reviews_of_run(records, task.run_id).times
    first = min((each.first for name, each in times.items() if name != judge.id), default=None)
    if first is not None and ("others" in told or (last is not None and first <= last)):
        found.append("others")
    return found


def last_seen(
    shown: Periods, hidden: Period | None = None, now: datetime | None = None
) -> datetime | None:
    """Return when the scores of a suite were last shown while a run was open; None if never."""
    at = now or datetime.now(UTC)
    times = (_last_open(period, hidden, at) for period in shown)
    return max((each for each in times if each is not None), default=None)


def _last_open(period: Period, hidden: Period | None, now: datetime) -> datetime | None:
    """Return the last moment of a period when the run was not hidden; None without one."""
    last = min(period.last, now)
    if hidden is None or last < hidden.first or last > hidden.last:
        return last
    return hidden.first if period.first < hidden.first else None


def _has_recorded(ws: Workspace, run_id: str) -> bool:
    """Return whether a run has scores in the suite's own files."""
    run = run_row(ws, run_id)
    if run.score is not None or run.passed is not None or run.fraction is not None:
        return True
    rows = typed(ws, "judgments", JudgmentRow, where(ws, "judgments", run_id=run_id))
    return any(
        not is_review(row.source) and (row.score is not None or row.passed is not None)
        for row in rows
    )
