"""Write what is remembered: as records beside a suite, or in the form and place of its store."""

import hashlib
import posixpath
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, Final, NamedTuple

from evalcore.counting.cells import family_of
from evalcore.disk.files import Files
from evalcore.disk.parsing import MISSING
from evalcore.disk.values import now_text, time_text, value_at
from evalcore.errors import CannotWrite, ChangedMeanwhile, UnknownName
from evalcore.families.base import is_review
from evalcore.families.remembering import NewRecord
from evalcore.families.reviews.models import (
    FIELDS,
    Basis,
    Fields,
    ReviewRecord,
    renewed,
    without_nulls,
)
from evalcore.families.reviews.review import BY_RULE
from evalcore.judging.model import Receipt
from evalcore.judging.storing.record_factory import one_or_list
from evalcore.judging.storing.store import store, store_at
from evalcore.judging.storing.stored_reviews import review_folder
from evalcore.proposals.proposal import Target, stored, write
from evalcore.shapes.faults import faults
from evalcore.shapes.judge import BLOCK
from evalcore.shapes.models import shape_of
from evalcore.tables.cells import cells
from evalcore.workspace.opened import Workspace

AGENT: Final = "eval-agent"
ORCHESTRATOR: Final = "orchestrator"
"""Who sends what is told of an evaluation, and to whom, by the names of seed 001."""

TRIES: Final = 5
"""So often a record is read again that others change at the same moment."""

_TICK: Final = timedelta(milliseconds=1)
_LATEST: Final = datetime.max.replace(tzinfo=UTC) - _TICK
"""A document may state the last moment that there is; nothing is later."""


class New(NamedTuple):
    """A record to write; `about` names what it is of, where records have titles.

    It is dated `at`, else now. Writing the same id with the same content again does nothing.
    `judging` is how a model was asked that says it.
    """

    type: str
    id: str
    fields: Fields | Mapping[str, Any]
    supersedes: tuple[str, ...] = ()
    about: str = ""
    at: str | None = None
    judging: Mapping[str, Any] | None = None


class Current(NamedTuple):
    """A record as the tables know it: its type and id, its file and its place there."""

    type: str
    id: str
    source: str
    pointer: str


def after(*known: datetime | None) -> str:
    """Return the current time, later than the newest known one even if the clock went back."""
    newest = max((each for each in known if each is not None), default=None)
    now = datetime.now(UTC)
    now = now.replace(microsecond=now.microsecond // 1000 * 1000)
    if newest is None or now > newest:
        return time_text(now)
    return time_text(min(newest, _LATEST) + _TICK)


def remember(
    ws: Workspace, suite: str, new: Sequence[New], author: str = BY_RULE
) -> tuple[Receipt, ...]:
    """Write records of a suite, one after the other, and return their receipts.

    Raises:
        UnknownName: there is no such suite.
        AlreadyStored: another record has the id of one.
        CannotWrite: one is invalid or cannot be written; writing all again completes it.
    """
    folder, placing = review_folder(ws, suite), family_of(ws, suite).placing()
    if placing is None:
        return tuple(
            store(
                folder,
                ReviewRecord(
                    id=each.id,
                    type=each.type,
                    fields=without_nulls(each.type, _as_json(each.fields)),
                    created_at=each.at or now_text(),
                    created_by=author,
                    supersedes=one_or_list(each.supersedes),
                    evalcore=None if each.judging is None else Basis(judging=dict(each.judging)),
                ),
            )
            for each in new
        )
    written = list[Receipt]()
    documents = _documents(ws, suite)
    for each in new:
        at, fields = each.at or now_text(), _as_json(each.fields)
        record = NewRecord(each.type, each.id, fields, each.about, at, author, each.supersedes)
        path, value = placing(documents, record)
        if each.judging is not None:
            value[BLOCK] = {"judging": dict(each.judging)}
        written.append(store_at(folder, each.id, path, value))
    return tuple(written)


def stored_already(ws: Workspace, name: str, path: str) -> Receipt:
    """Return the receipt of a record that is there: of its id, at a path of the workspace."""
    data = Files(ws.root).read(path)
    return Receipt(name, hashlib.sha256(data).hexdigest(), path, False)


def place_of(ws: Workspace, suite: str, kind: str) -> str:
    """Return the folder in which a new record of a type will lie, or folders below it, with `/`.

    Raises:
        UnknownName: there is no such suite.
    """
    placing = family_of(ws, suite).placing()
    if placing is None:
        return f"{review_folder(ws, suite).path}/{kind}/"
    documents = _documents(ws, suite)
    ends = (NewRecord(kind, digit * 36, {}, "", now_text(), BY_RULE) for digit in "0f")
    return f"{posixpath.commonpath([placing(documents, each)[0] for each in ends])}/"


def revise(
    ws: Workspace,
    suite: str,
    current: Current,
    change: Callable[[Mapping[str, Any]], dict[str, Any]],
    new_id: str,
    author: str = BY_RULE,
    at: str | None = None,
) -> Receipt | None:
    """Change fields of a record: a store's in place, any other by a record that replaces it.

    `change` returns the changed fields, given all; it may be called again where others change the
    record at the same moment. The receipt is None where it was changed in place.

    Raises:
        UnknownName: there is no such suite.
        ChangedMeanwhile: others changed the record each time; the message names the fields.
        CannotWrite: it cannot be written; the message says why and what to do.
    """
    in_store = family_of(ws, suite).placing() is not None and not is_review(current.source)
    if in_store and current.source.endswith(".json"):
        _change_in_place(ws, suite, current, change, at)
        return None
    held = ws.raw(current.source, current.pointer).get("fields") or {}
    fields = {**held, **change(held)}
    # A store keeps what other tools wrote as they wrote it, be it valid here or not.
    made = fields if in_store else _valid(ws, current, fields)
    new = New(current.type, new_id, made, (current.id,), at=at)
    return remember(ws, suite, [new], author)[0]


def _valid(ws: Workspace, current: Current, fields: dict[str, Any]) -> dict[str, Any]:
    """Return the fields of a record that replaces another one beside a suite."""
    if found := faults(shape_of(FIELDS[current.type]), fields, limit=1):
        at, message = found[0]
        where = f" at {at}" if at else ""
        why = f"the {current.type} that it replaces is not valid{where}: {message.rstrip('.')}"
        raise CannotWrite(ws.root / current.source, why)
    return renewed(current.type, fields)


def _change_in_place(
    ws: Workspace,
    suite: str,
    current: Current,
    change: Callable[[Mapping[str, Any]], dict[str, Any]],
    at: str | None,
) -> None:
    files, target = Files(ws.root), Target(suite, None, current.source)
    for left in reversed(range(TRIES)):
        read = stored(files, current.source)
        if read is None or read.value is MISSING:
            why = "it no longer exists, or cannot be read; open the folder again"
            raise CannotWrite(ws.root / current.source, why)
        record = _record_at(read.value, current)
        if record is None:
            why = f"the {current.type} {current.id!r} no longer exists; open the folder again"
            raise CannotWrite(ws.root / current.source, why)
        value = _replaced(read.value, current.pointer, _changed(record, change, at))
        proposal = target.changed(read, value)
        if proposal.state == "left":
            raise CannotWrite(ws.root / current.source, " ".join(proposal.messages))
        try:
            write(ws.root, proposal)
        except ChangedMeanwhile:
            if not left:
                raise
        else:
            return


def _record_at(value: Any, current: Current) -> dict[str, Any] | None:
    """Return a record in the value of its file; None if it is not there any more."""
    try:
        record = value_at(value, current.source, current.pointer)
    except UnknownName:  # others took records out of the file
        return None
    same = isinstance(record, dict) and record.get("id", current.id) == current.id
    return record if same else None


def _changed(
    record: dict[str, Any],
    change: Callable[[Mapping[str, Any]], dict[str, Any]],
    at: str | None,
) -> dict[str, Any]:
    fields = record.get("fields") or {}
    dated = {"updatedAt": at or now_text()} if "updatedAt" in record else {}
    return {**record, "fields": {**fields, **change(fields)}, **dated}


def _replaced(value: Any, pointer: str, record: dict[str, Any]) -> Any:
    """Return the value of a file with one of its records replaced."""
    if not pointer:
        return record
    at = int(pointer.removeprefix("/"))
    return [*value[:at], record, *value[at + 1 :]]


def _as_json(fields: Fields | Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields of a new record as a store has them, as those are that are taken over."""
    return fields.with_nulls() if isinstance(fields, Fields) else dict(fields)


def _documents(ws: Workspace, suite: str) -> list[tuple[str, str]]:
    """Return the documents (path, kind) of a suite's own family."""
    own = family_of(ws, suite).name
    rows = cells(ws.tables, "documents", "path", "kind", "family", "suite")
    return [(path, kind) for path, kind, by, of in rows if of == suite and by == own]
