"""What shall become of one document: written anew, changed in places, or left as it is."""

import json
from pathlib import Path
from typing import Final, Literal, NamedTuple

import msgspec

from evalcore.disk.files import MAX_BYTES, Files
from evalcore.disk.parsing import MISSING, parsed
from evalcore.disk.replacing import digest, put
from evalcore.errors import ChangedMeanwhile, PathOutside
from evalcore.folders import state_dir
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
    """One document, what shall become of it, and sentences that say why.

    `data` is its new content where there is one to write, `read` what it held when it was read.
    `path` is None where a suite or a version has no document to speak of.
    """

    suite: str
    version: str | None
    path: str | None
    state: State
    said: tuple[str, ...] = ()
    found: tuple[Difference, ...] = ()
    data: bytes | None = None
    read: bytes | None = None


class Stored(NamedTuple):
    """A document as it lies there; `value` is MISSING where it cannot be read as plain JSON."""

    data: bytes
    value: Json


class Target(NamedTuple):
    """A document that aggregates belong into, and whose they are."""

    suite: str
    version: str | None
    path: str

    def left(self, *said: str) -> Proposal:
        """Return that the document stays as it is, and why."""
        return Proposal(self.suite, self.version, self.path, "left", said)

    def fresh(self, value: Json, *said: str) -> Proposal:
        """Return a document that is not there yet; `msgspec.Raw` in it is JSON already."""
        data = msgspec.json.format(msgspec.json.encode(value), indent=2) + b"\n"
        return self._written("new", data, said)

    def replaced(self, stored: Stored, value: Json, *said: str) -> Proposal:
        """Return a document in place of one of another shape."""
        data = written(value).encode() + b"\n"
        return self._written("changed", data, said, read=stored.data)

    def changed(self, stored: Stored, value: Json, *said: str) -> Proposal:
        """Return a stored document with another value; nothing but the differences is touched."""
        try:
            found = tuple(differences(stored.value, value))
            if not found:
                return Proposal(self.suite, self.version, self.path, "same", said)
            text = patched(stored.data.decode(), found, value)
            missed = next(differences(json.loads(text), value), None)
        except RecursionError:
            return self.left("It is nested too deeply to be changed in places.")
        if missed is not None:
            return self.left(f"Its text cannot be changed in places, as {missed.place} shows.")
        return self._written("changed", text.encode(), said, found, stored.data)

    def _written(
        self,
        state: State,
        data: bytes,
        said: tuple[str, ...],
        found: tuple[Difference, ...] = (),
        read: bytes | None = None,
    ) -> Proposal:
        if len(data) > MAX_BYTES:
            return self.left(f"It would have {len(data):,} bytes; at most {MAX_BYTES:,} are read.")
        return Proposal(self.suite, self.version, self.path, state, said, found, data, read)


def stored(files: Files, path: str) -> Stored | None:
    """Return a document as it lies there; None where there is none."""
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


def kept(old: Json, new: Json, exact: Json = None) -> Json:
    """Return a new value in place of an old one: fields that it does not have stay.

    So do numbers that say the same in fewer decimals, as `new` or as `exact`, another way to work
    the new value out.
    """
    if isinstance(old, dict) and isinstance(new, dict):
        other = exact if isinstance(exact, dict) else {}
        return old | {
            name: kept(old.get(name), value, other.get(name))
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
        CannotWrite: it is a link, read-only, or held by another evalcore.
        OSError: it cannot be written.
    """
    if proposal.data is None or proposal.path is None:
        return
    read = proposal.read
    seen = None if read is None else digest(read)
    try:
        put(root, proposal.path, proposal.data, seen=seen, locks=state_dir() / "locks")
    except ChangedMeanwhile as error:
        what = _fields(read, error.now)
        raise ChangedMeanwhile(root / proposal.path, error.now, what) from error


def _fields(read: bytes | None, now: bytes | None) -> str:
    """Return the fields that somebody else changed, as the end of a sentence."""
    if read is None or now is None:
        return ""
    was, value = (parsed(data)[0] for data in (read, now))
    if MISSING in (was, value):
        return ""
    gone = (each for each in differences(value, was) if each.before is None)
    found = list(dict.fromkeys(each.place for each in (*differences(was, value), *gone)))
    more = f" and {len(found) - NAMED} more" if len(found) > NAMED else ""
    return f" ({', '.join(found[:NAMED])}{more})" if found else ""
