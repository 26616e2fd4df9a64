"""The runs that a judge judges independently, as they stand in the judge's queue."""

from collections.abc import Collection

from evalcore.counting.review_rows import records_of_status
from evalcore.families.reviews.review import Review
from evalcore.ids import within
from evalcore.judging.hiding import Asking, alias, asked_independently, criteria_of
from evalcore.judging.model import Entry, Judge
from evalcore.judging.queueing.reasons import REASONS
from evalcore.judging.queueing.run_state import queue_state
from evalcore.judging.storing.names import person
from evalcore.judging.storing.run_reviews import reviews_of_run
from evalcore.workspace.opened import Workspace

INDEPENDENT = REASONS["independent"]


def hidden_entries(
    ws: Workspace,
    suite: str,
    judge: Judge,
    records: tuple[Review, ...],
    drafts: Collection[str],
) -> list[Entry]:
    """Return the entries of the runs of a suite that are hidden here, mixed as `alias` orders them.

    They say who asked, and what the judge did; nothing of the run, or of what others did. A run
    that the judge excluded is left out.
    """
    if not ws.hidden:
        return []
    asked, typed = asked_independently(ws, suite, judge), {within(run) for run in drafts}
    hidden = [(run, asking) for run, asking in asked.items() if run in ws.hidden.runs]
    hidden.sort(key=lambda pair: alias(pair[0], pair[1], judge))
    found = (_entry(ws, run, asking, judge, records, typed) for run, asking in hidden)
    return [entry for entry in found if entry is not None]


def _entry(
    ws: Workspace,
    run: str,
    asking: Asking,
    judge: Judge,
    records: tuple[Review, ...],
    typed: Collection[str],
) -> Entry | None:
    reviews = reviews_of_run(records, run)
    if reviews.excluded:
        return None
    wanted, stale = criteria_of(ws, run), records_of_status(ws.unmasked, "stale")
    state = queue_state(reviews, judge.id, wanted, stale, (), within(run) in typed).state
    words = INDEPENDENT.words.format(person(asking.author), f"{asking.since:%Y-%m-%d}")
    return Entry(run, "", "", state, INDEPENDENT.priority, (words,), ("independent",))
