"""Replies to a bundle: the records that were made in it, and how they come back.

A record is created once and never changed, so that those of many people can be put together by
their names alone: the same bytes are there already, and other bytes are never written over.
"""

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

from evalcore.bundles.content import Content
from evalcore.bundles.reading import Bundle, opened
from evalcore.bundles.unpacked import Unpacked
from evalcore.disk.creating import MAX_BYTES, create
from evalcore.disk.parsing import MISSING, parse
from evalcore.errors import AlreadyStored, BundleRefused, CannotBundle
from evalcore.families.reviews.lookup import run_named
from evalcore.families.reviews.models import BY_TYPE
from evalcore.families.reviews.review import (
    ADJUDICATION,
    DECISION,
    FAILURE,
    JUDGMENT,
    REVEAL,
    SAVED_VIEW,
    Review,
    review_of,
)
from evalcore.judging.storing.stored_reviews import load_reviews, review_folder
from evalcore.shapes.faults import faults
from evalcore.workspace.opened import Workspace

ANSWERS: Final = (
    JUDGMENT, ADJUDICATION, "note", "skip", "exclusion", "approval-request", REVEAL, FAILURE,
    DECISION, SAVED_VIEW,
)  # fmt: skip
"""What people say of runs. What opens gates or begins a study is not taken from a file."""
_KNOWN: Final = (("suites", "suite"), ("runs", "run_id"))
_RECORD: Final = re.compile(r"(?P<folder>.+)/(?P<kind>[a-z-]+)/(?P<id>[0-9a-f-]{36})\.json")


class Taken(NamedTuple):
    """What became of the records of a reply.

    `authors` wrote so many of the `new` ones; `known` were there already. `refused` are sentences
    on those that were not stored, `unattached` so many whose run is not in the folder.
    """

    new: int
    known: int
    authors: dict[str, int]
    unattached: int
    refused: tuple[str, ...]
    signed_by: str | None


class _Record(NamedTuple):
    path: str
    data: bytes
    review: Review


def reply_content(unpacked: Unpacked) -> Content:
    """Return the records that were made in an unpacked bundle.

    Raises:
        CannotBundle: there are none.
    """
    manifest = unpacked.manifest
    known = {each.path for each in manifest.files}
    new = [
        path.relative_to(unpacked.root).as_posix()
        for suite in manifest.suites
        for path in sorted((unpacked.root / suite.reviews).glob("*/*.json"))
        if path.relative_to(unpacked.root.parent.parent).as_posix() not in known
    ]
    records = filter(None, map(_RECORD.fullmatch, new))
    paths = {found[0] for found in records if found["kind"] in ANSWERS}
    if not paths:
        raise CannotBundle(
            f"Nothing was judged in {unpacked.root} yet, so there is nothing to reply. Open it "
            "with evalcore open and judge there."
        )
    others = Counter(path.split("/")[-2] for path in new if path not in paths)
    said = (
        f"Left out: {number:,} of the type {kind}, which replies do not carry."
        for kind, number in sorted(others.items())
    )
    return Content(tuple(manifest.suites), tuple(sorted(paths)), tuple(said))


def take(ws: Workspace, file: Path, signers: Path | None = None) -> Taken:
    """Store the records of a reply in the workspace that the bundle was made of.

    All of them are checked before the first one is stored. Taking a reply again is safe.

    Raises:
        BundleRefused: it is no whole and harmless reply, or its records are of no suite here.
        CannotBundle: signatures cannot be checked here.
        CannotWrite: a record cannot be written; taking the reply again stores the rest.
    """
    with opened(file, signers) as bundle:
        if bundle.manifest.kind != "reply":
            raise BundleRefused(file, "", "it is no reply to a bundle; open it with evalcore open")
        records = list(_records(ws, bundle))
    new, known, refused = list[_Record](), 0, list[str]()
    for each in records:
        unfinished = f"{each.path.rsplit('/', 2)[0]}/.tmp"
        try:
            if create(ws.root, each.path, each.data, unfinished=unfinished):
                new.append(each)
            else:
                known += 1
        except AlreadyStored:
            refused.append(
                f"Not stored: {each.path}. Another record has that name here, and stays."
            )
    about_runs = {each.review.id for each in new if run_named(each.review) is not None}
    authors = Counter(each.review.created_by for each in new)
    whole = ws.unmasked
    suites, runs = (set(getattr(whole.tables, table)[name].astype(str)) for table, name in _KNOWN)
    stored = (each for suite in suites for each in load_reviews(review_folder(whole, suite)))
    unattached = len(about_runs - {each.id for each in stored if run_named(each) in runs})
    return Taken(len(new), known, dict(authors), unattached, tuple(refused), bundle.signed_by)


def _records(ws: Workspace, bundle: Bundle) -> Iterator[_Record]:
    """Yield the records of a reply, each checked as one that evalcore stores itself."""
    homes = {review_folder(ws, suite).path for suite in ws.tables.suites["suite"].astype(str)}
    start = f"{bundle.manifest.root}/"
    for each, data in bundle.files():
        path = each.path.removeprefix(start)
        found = _RECORD.fullmatch(path)
        value = parse(data) if len(data) <= MAX_BYTES else MISSING
        review = review_of(value, path)
        if found is None or found["kind"] not in ANSWERS or review is None:
            raise BundleRefused(bundle.file, each.path, "it is no record of what people judge")
        if (review.type, review.id) != (found["kind"], found["id"]):
            raise BundleRefused(bundle.file, each.path, "it is not the record that its name says")
        if fault := next(iter(faults(BY_TYPE[review.type], value, limit=1)), None):
            why = f"{fault.pointer or 'it'}: {fault.message.rstrip('.')}"
            raise BundleRefused(bundle.file, each.path, why)
        if found["folder"] not in homes:
            why = f"no suite of {ws.root} keeps its records there; name the folder that was sent"
            raise BundleRefused(bundle.file, each.path, why)
        yield _Record(path, data, review)
