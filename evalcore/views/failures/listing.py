"""The list of failures, newest first or by shared cause, one page of it."""

from collections.abc import Iterable, Sequence
from typing import Final

from evalcore.failures.causes import COMPARED, Cause, causes, span
from evalcore.failures.detail import Failure, described, split_kind
from evalcore.failures.query import matching
from evalcore.views.blocks.base import Block, link
from evalcore.views.blocks.page import Cell, Chip, Heading, Links, Pager, Row, Say, Table
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
from evalcore.views.gradings.reasons import line, named
from evalcore.views.words import wording

IN_A_CAUSE: Final = 3
"""So many failures of a cause are listed; a link leads to all with its criterion."""
MAX_NAME: Final = 80
MAX_CRITERION: Final = 100
MAX_REASON: Final = 140
NOTHING: Final = "No failure matches these filters. Click a selected filter to remove it."
_HEAD: Final = (("Case", False), ("Type", False), ("What failed", False), ("Run", False))


def list_blocks(state: FailuresState, open_place: int | None) -> list[Block]:
    """Describe one page of the list."""
    if state.view.group == BY_CAUSE:
        return _by_cause(state, open_place)
    places = matching(state.ws, state.suite, state.query, state.scores)
    if not len(places):
        return [Say(NOTHING)]
    page, pages = _page(state, len(places), PAGE)
    shown = places[(page - 1) * PAGE : page * PAGE].tolist()
    listed = described(state.ws, state.suite, shown, state.scores)
    table = _table(state, "Failures, newest version first", listed, open_place)
    return [table, _pager(state, page, pages, PAGE, wording.count(len(places), "failure"))]


def _by_cause(state: FailuresState, open_place: int | None) -> list[Block]:
    found = causes(state.ws, state.suite, state.query, state.scores)
    if not found.causes:
        return [Say(NOTHING)]
    page, pages = _page(state, len(found.causes), CAUSES_A_PAGE)
    shown = found.causes[(page - 1) * CAUSES_A_PAGE : page * CAUSES_A_PAGE]
    blocks: list[Block] = []
    if found.compared < found.total:
        blocks.append(
            Say(
                f"The newest {COMPARED:,} of {found.total:,} failures are compared by their "
                "reasons; the others are grouped by criterion.",
                quiet=True,
            )
        )
    for cause in shown:
        blocks += _cause(state, cause, open_place)
    every = wording.count(len(found.causes), "cause")
    return [*blocks, _pager(state, page, pages, CAUSES_A_PAGE, every)]


def _cause(state: FailuresState, cause: Cause, open_place: int | None) -> list[Block]:
    named_by = cause.criterion and named(state.ws, state.suite, cause.criterion)
    name = named_by or TYPE_WORDS.get(cause.reason, cause.reason)
    hint = " · ".join((wording.count(len(cause.places), "failure"), *_since(state, cause)))
    blocks: list[Block] = [Heading(line(name, MAX_CRITERION), hint)]
    if cause.criterion and cause.reason:
        blocks.append(Say(line(cause.reason, 2 * MAX_REASON), quiet=True))
    listed = described(state.ws, state.suite, cause.places[:IN_A_CAUSE], state.scores)
    blocks.append(_table(state, f"Failures of {line(name, MAX_NAME)}", listed, open_place))
    if len(cause.places) > IN_A_CAUSE and cause.criterion:
        every = f"All failures of {line(cause.criterion, MAX_NAME)}"
        where = to(state.view, criterion=cause.criterion, group=None)
        blocks.append(Links("", [Chip(text=every, link=where)]))
    return blocks


def _since(state: FailuresState, cause: Cause) -> Iterable[str]:
    first, last, gone = span(state.ws, state.suite, cause)
    if first is None or last is None:
        return ()
    told = f"only {last}" if first == last else f"{first} to {last}"
    return (f"{told}, not seen since",) if gone else (f"since {first}",)


def _page(state: FailuresState, total: int, size: int) -> tuple[int, int]:
    pages = max(-(-total // size), 1)
    return min(state.view.page, pages), pages


def _pager(state: FailuresState, page: int, pages: int, size: int, every: str) -> Pager:
    text = every if pages == 1 else f"{every} · page {page:,} of {pages:,}, {size} each"
    return Pager(
        text,
        to(state.view, page=page - 1) if page > 1 else None,
        to(state.view, page=page + 1) if page < pages else None,
    )


def _table(
    state: FailuresState, label: str, listed: Sequence[Failure], open_place: int | None
) -> Table:
    rows = [_row(state, each, on=each.place == open_place) for each in listed]
    return Table(label, _HEAD, rows)


def _row(state: FailuresState, found: Failure, *, on: bool) -> Row:
    first = found.failed[0] if found.failed else None
    name = first.criterion if first else split_kind(next(iter(found.stated), ""))[1]
    reason = first.reason if first and found.origin == "guess" else found.description
    more = len(found.failed) - 1
    what = named(state.ws, state.suite, name) if name else "no criterion"
    # A person's word needs no mark; what is resolved was looked at by somebody.
    standing = "resolved" if found.resolved_at is not None else ORIGIN_WORDS[found.origin]
    said = (GRADE_WORDS[found.severity or "not-said"], "conflict" if found.conflict else standing)
    case = Cell(
        line(case_words(state.ws, found), MAX_NAME),
        sub=place_words(found),
        link=to(state.view, failure=key_of(found)),
        id=f"failure {key_of(found)}",
    )
    return Row(
        [
            case,
            Cell(type_words(found), sub=" · ".join(said), keep=True),
            Cell(
                f"{what} (and {more:,} more)" if more > 0 else what,
                sub=line(reason, MAX_REASON),
            ),
            _run(found),
        ],
        on,
    )


def _run(found: Failure) -> Cell:
    """Return the link to a failure's run in Gradings."""
    if found.run_id is None:
        return Cell("missing", quiet=True, keep=True)
    where = link("gradings", run=found.run_id)
    return Cell("Gradings", link=where, id=f"run {key_of(found)}", keep=True)
