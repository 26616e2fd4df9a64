"""The proposed change of one document: create it, change values in it, or leave it alone."""

import json
from pathlib import Path
from typing import Final, Literal, NamedTuple

import msgspec

from evalcore.disk.files import MAX_BYTES, Files
from evalcore.disk.parsing import MISSING, parsed
from evalcore.disk.replacing import digest, put
from evalcore.errors import ChangedMeanwhile, PathOutside
from evalcore.numbers import disagrees
from evalcore.proposals.patching import Difference, Json, differences, patched, written

State = Literal["new", "changed", "same", "left"]

OURS: Final = "n"
"""A field that the formats do not have: nobody else's document is given it."""

HALF: Final = 0.5e-4 + 1e-9
"""Numbers are written with four decimals; one that has more of them says the same so near."""

NAMED: Final = 6
"""So many changed fields are named to whoever lost a race."""


class Proposal(NamedTuple):
    """One document, its proposed change, and sentences that say why.

    `data` is the new content if there is one to write, `read` the content when it was read. `path`
    is None if a suite or a version has no such document.
    """

    suite: str
    version: str | None
    path: str | None
    state: State
    messages: tuple[str, ...] = ()
    found: tuple[Difference, ...] = ()
    data: bytes | None = None
    read: bytes | None = None


class Stored(NamedTuple):
    """A stored document; `value` is MISSING if it is not plain JSON."""

    data: bytes
    value: Json


class Target(NamedTuple):
    """The document of some aggregates, with their suite and version."""

    suite: str
    version: str | None
    path: str

    def left(self, *messages: str) -> Proposal:
        """Return the proposal to leave the document alone, with the reasons."""
        return Proposal(self.suite, self.version, self.path, "left", messages)

    def fresh(self, value: Json, *messages: str) -> Proposal:
        """Return the proposal of a new document; `msgspec.Raw` in it is already JSON."""
        data = msgspec.json.format(msgspec.json.encode(value), indent=2) + b"\n"
        return self._written("new", data, messages)

    def replaced(self, stored: Stored, value: Json, *messages: str) -> Proposal:
        """Return the proposal to replace a document of another shape."""
        data = written(value).encode() + b"\n"
        return self._written("changed", data, messages, read=stored.data)

    def changed(self, stored: Stored, value: Json, *messages: str) -> Proposal:
        """Return the proposal to change a stored document; only the differences are touched."""
        try:
            found = tuple(differences(stored.value, value))
            if not found:
                return Proposal(self.suite, self.version, self.path, "same", messages)
            text = patched(stored.data.decode(), found, value)
            missed = next(differences(json.loads(text), value), None)
        except RecursionError:
            return self.left("It is nested too deeply to be changed in places.")
        if missed is not None:
            return self.left(
                f"Its text cannot be changed in places, as {missed.dotted_path} shows."
            )
        return self._written("changed", text.encode(), messages, found, stored.data)

    def _written(
        self,
        state: State,
        data: bytes,
        messages: tuple[str, ...],
        found: tuple[Difference, ...] = (),
        read: bytes | None = None,
    ) -> Proposal:
        if len(data) > MAX_BYTES:
            return self.left(f"It would have {len(data):,} bytes; at most {MAX_BYTES:,} are read.")
        return Proposal(self.suite, self.version, self.path, state, messages, found, data, read)


def stored(files: Files, path: str) -> Stored | None:
    """Return a stored document; None if there is none."""
    try:
        data = files.read(path)
    except FileNotFoundError:
        return None
    except (OSError, PathOutside):
        return Stored(b"", MISSING)
    if parsed(data)[1] is not None:
        return Stored(data, MISSING)
    try:
        return Stored(data, json.loads(data))  # with whole numbers of any size
    except RecursionError:
        return Stored(data, MISSING)


def merged(old: Json, new: Json, exact: Json = None) -> Json:
    """Return a new value merged into an old one: fields that the new one lacks stay.

    So do numbers that are equal to `new`, or to the alternative computation `exact`, in fewer
    decimals.
    """
    if isinstance(old, dict) and isinstance(new, dict):
        other = exact if isinstance(exact, dict) else {}
        return old | {
            name: merged(old.get(name), value, other.get(name))
            for name, value in new.items()
            if name in old or name != OURS
        }
    return old if _same(old, new) or (exact is not None and _same(old, exact)) else new


def _same(old: Json, new: Json) -> bool:
    numbers = all(type(each) in (int, float) for each in (old, new))
    if new is None and type(old) in (int, float) and not old:
        return True  # many tools write 0 where nothing can be told
    if not numbers or not old or not new:
        return bool(old == new)
    return abs(old - new) <= HALF or not disagrees(old, new)


def write(root: Path, proposal: Proposal) -> None:
    """Write the document of a proposal.

    Raises:
        ChangedMeanwhile: somebody else wrote it since it was read; the message names the fields.
        MayBeWritten: it was written, perhaps.
        CannotWrite: it cannot be written; the message says why and what to do.
    """
    if proposal.data is None or proposal.path is None:
        return
    read = proposal.read
    seen = None if read is None else digest(read)
    try:
        put(root, proposal.path, proposal.data, seen=seen)
    except ChangedMeanwhile as error:
        what = _fields(read, error.now)
        raise ChangedMeanwhile(root / proposal.path, error.now, what) from error


def _fields(read: bytes | None, now: bytes | None) -> str:
    """Return the fields changed by somebody else, as the end of a sentence."""
    if read is None or now is None:
        return ""
    was, value = (parsed(data)[0] for data in (read, now))
    if MISSING in (was, value):
        return ""
    gone = (each for each in differences(value, was) if each.before is None)
    found = list(dict.fromkeys(each.dotted_path for each in (*differences(was, value), *gone)))
    more = f" and {len(found) - NAMED} more" if len(found) > NAMED else ""
    return f" ({', '.join(found[:NAMED])}{more})" if found else ""
