"""The list of failures, newest first or by shared cause, and the runs that count in no rate."""

from collections.abc import Sequence
from typing import Final

from evalcore.counting.cells import typed
from evalcore.counting.outcomes import UNREAD, outcomes
from evalcore.failures.causes import COMPARED, causes, span
from evalcore.failures.detail import described, split_kind
from evalcore.failures.find import EXCLUDED, NO_SCORE, failures
from evalcore.failures.query import matching
from evalcore.families.base import PENDING
from evalcore.tables.exported import Listing
from evalcore.tables.rows import RunRow
from evalcore.views.blocks.base import Block, link
from evalcore.views.blocks.page import (
    Cell,
    Chip,
    Entry,
    Fold,
    Folds,
    Heading,
    Links,
    Pager,
    Row,
    Say,
    Table,
    heads,
)
from evalcore.views.blocks.paging import Page, page_of, pager
from evalcore.views.failures.state import BY_CAUSE, CAUSES_A_PAGE, PAGE, FailuresState, to
from evalcore.views.failures.words import (
    GRADE_WORDS,
    ORIGIN_WORDS,
    TYPE_WORDS,
    case_words,
    key_of,
    place_words,
    type_words,
)
from evalcore.views.gradings.reasons import named
from evalcore.views.words import wording
from evalcore.views.words.score_source import unscored_words

IN_A_CAUSE: Final = 3
"""So many failures of a cause are listed; a link leads to all with its criterion."""
LISTED: Final = 10
OUTSIDE: Final = {
    "error": "ended with an error",
    "cancelled": "cancelled",
    "interrupted": "interrupted",
    "rate_limited": "stopped by a rate limit",
    "budget_stopped": "stopped by the budget",
    "not_run": "not run",
    PENDING: wording.UNGRADED,
    UNREAD: wording.UNREAD,
    EXCLUDED: "excluded by a person",
    "draft or deprecated case": "of draft or deprecated cases",
}
MAX_NAME: Final = 80
MAX_CRITERION: Final = 100
MAX_REASON: Final = 140
NOTHING: Final = "No failure matches these filters. Click a selected filter to remove it."
HEAD = (
    "run_id", "case_id", "version", "configuration", "run", "status", "type", "severity", "origin",
    "rule", "description", "root_cause", "criteria", "resolved_at", "resolution_notes", "author",
    "failure_id",
)  # fmt: skip


def failures_listing(state: FailuresState) -> Listing:
    """Return a row for each failure that the filters keep, in the order of the list."""
    places = matching(state.ws, state.suite, state.query, state.scores)
    rows = []
    for one in described(state.ws, state.suite, places.tolist(), state.scores):
        fields = one._asdict() | {
            "run_id": one.run_id or one.named_run,
            "criteria": ", ".join(one.criteria),
        }
        rows.append(tuple(fields[name] for name in HEAD))
    return Listing("failures", HEAD, rows)


def list_blocks(state: FailuresState, open_place: int | None) -> list[Block]:
    """Describe one page of the list."""
    if state.view.group == BY_CAUSE:
        return _by_cause(state, open_place)
    places = matching(state.ws, state.suite, state.query, state.scores)
    if not len(places):
        return [Say(NOTHING)]
    page = page_of(state.view.page, len(places), PAGE)
    table = _table(state, "Failures, newest version first", places[page.rows].tolist(), open_place)
    return [table, _pager(state, page, PAGE, "failure")]


def _by_cause(state: FailuresState, open_place: int | None) -> list[Block]:
    found = causes(state.ws, state.suite, state.query, state.scores)
    if not found.causes:
        return [Say(NOTHING)]
    page = page_of(state.view.page, len(found.causes), CAUSES_A_PAGE)
    blocks: list[Block] = []
    if found.compared < found.total:
        others = (
            f"The newest {COMPARED:,} of {found.total:,} failures are compared by their "
            "reasons; the others are grouped by criterion."
        )
        blocks.append(Say(others, quiet=True))
    for cause in found.causes[page.rows]:
        named_by = cause.criterion and named(state.ws, state.suite, cause.criterion)
        name = named_by or TYPE_WORDS.get(cause.reason, cause.reason)
        hints = [wording.count(len(cause.places), "failure")]
        first, last, gone = span(state.ws, state.suite, cause)
        if first is not None and last is not None:
            told = f"only {last}" if first == last else f"{first} to {last}"
            hints.append(f"{told}, not seen since" if gone else f"since {first}")
        blocks.append(Heading(wording.line(name, MAX_CRITERION), " · ".join(hints)))
        if cause.criterion and cause.reason:
            blocks.append(Say(wording.line(cause.reason, 2 * MAX_REASON), quiet=True))
        label = f"Failures of {wording.line(name, MAX_NAME)}"
        blocks.append(_table(state, label, cause.places[:IN_A_CAUSE], open_place))
        if len(cause.places) > IN_A_CAUSE and cause.criterion:
            every = f"All failures of {wording.line(cause.criterion, MAX_NAME)}"
            where = to(state.view, criterion=cause.criterion, group=None)
            blocks.append(Links("", [Chip(text=every, link=where)]))
    return [*blocks, _pager(state, page, CAUSES_A_PAGE, "cause")]


def _pager(state: FailuresState, page: Page, size: int, noun: str) -> Pager:
    text = wording.count(page.total, noun)
    if page.pages > 1:
        text += f" · page {page.number:,} of {page.pages:,}, {size} each"
    return pager(text, page, lambda number: to(state.view, page=number))


def _table(
    state: FailuresState, label: str, places: Sequence[int], open_place: int | None
) -> Table:
    rows = []
    for found in described(state.ws, state.suite, places, state.scores):
        first = found.failed[0] if found.failed else None
        name = first.criterion if first else split_kind(next(iter(found.stated), ""))[1]
        reason = first.reason if first and found.origin == "guess" else found.description
        more = len(found.failed) - 1
        what = named(state.ws, state.suite, name) if name else "no criterion"
        # A person's word needs no mark; what is resolved was looked at by somebody.
        standing = "resolved" if found.resolved_at is not None else ORIGIN_WORDS[found.origin]
        said = (
            GRADE_WORDS[found.severity or "not-said"],
            "conflict" if found.conflict else standing,
        )
        key = key_of(found)
        case = Cell(
            wording.line(case_words(state.ws, found), MAX_NAME),
            sub=place_words(found),
            link=to(state.view, failure=key),
            id=f"failure {key}",
        )
        failed = f"{what} (and {more:,} more)" if more > 0 else what
        row = Row(
            [
                case,
                Cell(type_words(found), sub=" · ".join(said), keep=True),
                Cell(failed, sub=wording.line(reason, MAX_REASON)),
            ],
            found.place == open_place,
        )
        rows.append(row)
    return Table(label, heads("Case", "Type", "What failed"), rows)


def outside_blocks(state: FailuresState) -> list[Block]:
    """Describe the runs of the chosen version that count in no rate; empty without any."""
    runs, chosen = outcomes(state.ws, state.suite).runs, state.chosen
    folds = []
    for why, every in failures(state.ws, state.suite, state.scores).outside.items():
        columns = runs["column"].loc[every].tolist()
        here = every[[chosen[column] for column in columns]]
        if not len(here):
            continue
        entries = [
            Entry(
                wording.line(row.case_id or "no case", 90),
                f"{row.version or ''} · run {row.run or ''}",
                link("gradings", run=row.run_id),
            )
            for row in typed(state.ws, "runs", RunRow, here[:LISTED])
        ]
        told = unscored_words(state.scores) if why == NO_SCORE else OUTSIDE.get(why, why)
        what = f"{wording.noun(len(here), 'run')} {told}"
        more = len(here) - len(entries)
        folds.append(Fold(n=len(here), what=what, entries=entries, more=more))
    if not folds:
        return []
    about = "These runs are not failures of the version and do not count."
    return [Heading("Not counted"), Say(about, quiet=True), Folds("Not counted", folds)]
