"""Store review records durably: each once, complete, with a receipt."""

import hashlib
import json
import os
import re
import secrets
import stat
import threading
import time
from collections.abc import Mapping
from typing import Any, Final

from msgspec import convert
from msgspec.structs import replace

from evalcore.disk.creating import create
from evalcore.disk.parsing import parse
from evalcore.errors import AlreadyStored, CannotWrite
from evalcore.families.reviews.models import BY_TYPE, Basis, ReviewRecord, RunIdentity
from evalcore.families.reviews.review import UNFINISHED
from evalcore.judging.model import Receipt
from evalcore.judging.storing.stored_reviews import ReviewFolder
from evalcore.judging.storing.sweeping import sweep_sometimes
from evalcore.shapes.faults import faults
from evalcore.shapes.models import as_json

_ID: Final = re.compile(r"[0-9a-f-]{36}")
_COUNTER_BITS: Final = 12
_RANDOM_BITS: Final = 62
_TIMES: Final = ("judgedAt", "resolvedAt", "comparedAt", "ranAt")
_WRITE: Final = stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH
_DATED: Final = ("createdAt", "updatedAt")


def store(folder: ReviewFolder, record: ReviewRecord) -> Receipt:
    """Write a record to disk and return the receipt; only then it counts as stored.

    Storing it again is safe: the same id with the same content, apart from times, returns the
    receipt of the stored record. Many threads and processes may store at once.

    Raises:
        AlreadyStored: other content is stored under its id; it was left unchanged.
        CannotWrite: the record is invalid or cannot be written; no partial record is left behind.
            The message says why and what to do.
    """
    value = as_json(_with_run(folder, record))
    return store_at(folder, record.id, _path(folder, record, value), value)


def store_first(folder: ReviewFolder, record: ReviewRecord) -> Receipt:
    """Write a record to disk as `store` does; what is there under its id stays and counts."""
    try:
        return store(folder, record)
    except AlreadyStored as error:
        if error.now is None:
            raise
        path = error.path.relative_to(folder.root).as_posix()
        return Receipt(record.id, hashlib.sha256(error.now).hexdigest(), path, False)


def store_at(folder: ReviewFolder, name: str, path: str, value: Mapping[str, Any]) -> Receipt:
    """Write the record of an id to a path of the workspace, as `store` does; it raises the same."""
    data = _data(folder, path, value)
    sweep_sometimes(folder)
    try:
        new = create(folder.root, path, data, unfinished=folder.unfinished)
    except AlreadyStored as error:
        if error.now is None or _timeless(parse(error.now)) != _timeless(parse(data)):
            raise
        data, new = error.now, False
    return Receipt(name, hashlib.sha256(data).hexdigest(), path, new)


def _with_run(folder: ReviewFolder, record: ReviewRecord) -> ReviewRecord:
    """Return a record that says of its run what identifies it, whatever folder is opened."""
    run = record.fields.get("testRunId")
    about = folder.suite.identity(run) if folder.suite is not None and run is not None else None
    if about is None:
        return record
    said = replace(record.evalcore or Basis(), run=convert(about, RunIdentity))
    return replace(record, evalcore=said)


def _path(folder: ReviewFolder, record: ReviewRecord, value: Mapping[str, Any]) -> str:
    """Return the path of a record after checking that it is valid."""
    document = BY_TYPE.get(record.type)
    if document is None or not _ID.fullmatch(record.id):
        why = f"{record.type!r} with the id {record.id!r} is not a record that evalcore writes"
        raise CannotWrite(folder.root / folder.path, why)
    path = folder.path_of(record.type, record.id)
    if found := faults(document, value, limit=1):
        message = f"{found[0].pointer or 'the record'}: {found[0].message.rstrip('.')}"
        raise CannotWrite(folder.root / path, message)
    return path


def _data(folder: ReviewFolder, path: str, value: Mapping[str, Any]) -> bytes:
    try:
        text = json.dumps(value, ensure_ascii=False, indent=2, allow_nan=False)
        return text.encode() + b"\n"
    except ValueError as error:
        why = "its text holds half of a character, or a number is not finite; type it again"
        raise CannotWrite(folder.root / path, why) from error


def _timeless(value: Any) -> Any:
    """Return a record without its times, which differ if the same is stored a second time."""
    if not isinstance(value, dict) or not isinstance(value.get("fields"), dict):
        return value
    fields = {key: each for key, each in value["fields"].items() if key not in _TIMES}
    plain = {key: each for key, each in value.items() if key not in _DATED}
    return plain | {"fields": fields}


def unwritable(folder: ReviewFolder) -> str | None:
    """Return a sentence that says why nothing can be stored here; None if it can.

    Nothing is written to find out, so a disk may still turn out to be full.
    """
    names = folder.path.split("/")
    above = [os.path.join(folder.root, *names[:depth]) for depth in range(len(names) + 1)]  # noqa: PTH118
    inner = [os.path.join(above[-1], name) for name in (UNFINISHED, *BY_TYPE)]  # noqa: PTH118
    there = [path for path in above if os.path.lexists(path)]
    for path in (*there, *filter(os.path.lexists, inner)):
        is_link = os.path.islink(path) and path != above[0]  # noqa: PTH114
        if is_link or not os.path.isdir(path):  # noqa: PTH112
            what = "a link, and links are not followed" if is_link else "not a folder"
            return f"Nothing can be stored: {path} is {what}. Put a folder there."
    return next(filter(None, map(_closed, (there[-1:] or above[:1]) + inner)), None)


def _closed(path: str) -> str | None:
    """Return why no file can be created in a folder; None if one can, or there is no folder."""
    if not os.path.lexists(path):
        return None
    try:
        read_only = os.statvfs(path).f_flag & os.ST_RDONLY
    except OSError as error:
        return f"Nothing can be stored: {path} cannot be inspected ({error.strerror})."
    if read_only:
        return f"Nothing can be stored: {path} is on a read-only disk. Open a copy to judge in."
    if not os.stat(path).st_mode & _WRITE:  # noqa: PTH116 - root may write there all the same
        return f"Nothing can be stored: {path} is read-only. Open a copy to judge in."
    effective = os.access in os.supports_effective_ids
    if not os.access(path, os.W_OK | os.X_OK, effective_ids=effective):
        return (
            f"Nothing can be stored: you have no permission to write in {path}. Ask for it, or "
            "open a copy to judge in."
        )
    return None


_last = 0
_lock = threading.Lock()


def new_id() -> str:
    """Return a new submission id, larger than any that this process created before.

    A UUID of version 7 (RFC 9562): the time in ms, then a counter that begins at random in each
    millisecond (method 1 of section 6.2, which also carries on where a clock goes back), then
    62 random bits.
    """
    global _last  # noqa: PLW0603 - ids of all threads grow together
    # A counter that begins in its lower half has room to grow within the millisecond.
    first = secrets.randbits(_COUNTER_BITS - 1)
    with _lock:
        _last = max(_last + 1, (time.time_ns() // 1_000_000 << _COUNTER_BITS) | first)
        ms, counter = _last >> _COUNTER_BITS, _last & (1 << _COUNTER_BITS) - 1
    rest = 0b10 << _RANDOM_BITS | secrets.randbits(_RANDOM_BITS)
    digits = f"{ms:012x}7{counter:03x}{rest:016x}"
    return "-".join((digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:]))
