"""Read typed values from parsed JSON; another type is a problem, never a crash."""

import math
from collections.abc import Iterator
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any, Final

import orjson

from evalcore.disk.reader import Reader
from evalcore.errors import UnknownName
from evalcore.problems import pointer

_KINDS: Final = {
    bool: "true or false", int: "a number", float: "a number", str: "a text", list: "a list",
    dict: "an object",
}  # fmt: skip


class Node:
    """A JSON value with its pointer in a document, read with type checks.

    Every getter returns None (or nothing) if the field is absent or null, and reports a problem
    `wrong-type` if it has an unexpected type.
    """

    __slots__ = ("_at", "_key", "path", "reader", "suite", "value")

    def __init__(
        self, reader: Reader, path: str, value: Any, at: str = "", suite: str | None = None
    ) -> None:
        self.reader = reader
        self.path = path
        self.value = value
        self.suite = suite
        self._at = at
        self._key: str | int | None = None

    @property
    def at(self) -> str:
        """The pointer of this value, built on demand."""
        key = self._key
        if key is not None:
            self._at += f"/{key}" if type(key) is int else pointer(key)
            self._key = None
        return self._at

    def _below(self, value: Any, key: str | int) -> "Node":
        """Return the node of a field or item with this value."""
        at = self._at if self._key is None else self.at
        node = Node(self.reader, self.path, value, at, self.suite)
        node._key = key
        return node

    def get(self, key: str) -> Any:
        """Return the raw field, or None."""
        return self.value.get(key) if type(self.value) is dict else None

    def has(self, *keys: str) -> bool:
        """Return whether any of the fields is present and not null."""
        return any(self.get(key) is not None for key in keys)

    def child(self, key: str | int) -> "Node":
        """Return the node of a field or item; an empty one if it is absent."""
        if isinstance(key, str):
            value = self.value.get(key) if type(self.value) is dict else None
        else:
            known = isinstance(self.value, list) and -len(self.value) <= key < len(self.value)
            value = self.value[key] if known else None
        return self._below(value, key)

    def text(self, key: str) -> str | None:
        """Return a string field; a number is converted to text."""
        value = self.value.get(key) if type(self.value) is dict else None
        if value is None or isinstance(value, str):
            return value
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            return str(value)
        self.wrong(key, "a text")
        return None

    def number(self, key: str) -> float | None:
        """Return a finite number field; a string of digits (also with % or a sign) is not one."""
        value = self.value.get(key) if type(self.value) is dict else None
        if value is None or type(value) is int:
            return value
        if isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value):
            return value
        self.wrong(key, "a number")
        return None

    def whole(self, key: str) -> int | None:
        """Return a whole-number field."""
        value = self.number(key)
        if value is None:
            return None
        if value == int(value) and abs(value) < 2**53:
            return int(value)
        self.wrong(key, "a whole number")
        return None

    def flag(self, key: str) -> bool | None:
        """Return a true-or-false field; 1 and 0 are read as such, and noted."""
        value = self.get(key)
        if value is None or isinstance(value, bool):
            return value
        if type(value) is int and value in (0, 1):
            said = f"{key!r} is {value}, which was read as {'true' if value else 'false'}."
            self.note("info", "flag-as-number", said, "Write true or false, not 1 or 0.", key)
            return value == 1
        self.wrong(key, "true or false")
        return None

    def time(self, key: str) -> datetime | None:
        """Return a time from ISO 8601 text; without a zone it is UTC."""
        value = self.get(key)
        if value is None or value == "":
            return None
        parsed = parse_time(value)
        if parsed is None:
            self.wrong(key, "a time in ISO 8601 form")
        return parsed

    def items(self, key: str | None = None) -> "Iterator[Node]":
        """Yield the objects of a list field (or of this list), and report other items."""
        for item in self.all_items(key):
            if isinstance(item.value, dict):
                yield item
            else:
                item.type_problem("an object")

    def all_items(self, key: str | None = None) -> "Iterator[Node]":
        """Yield the items of a list field (or of this list) of any type."""
        base = self if key is None else self.child(key)
        if base.value is None:
            return
        if not isinstance(base.value, list):
            base.type_problem("a list")
            return
        for index, value in enumerate(base.value):
            yield base._below(value, index)

    def fields(self, key: str | None = None) -> "Iterator[tuple[str, Node]]":
        """Yield (name, node) of an object field (or of this object)."""
        base = self if key is None else self.child(key)
        if base.value is None:
            return
        if not isinstance(base.value, dict):
            base.type_problem("an object")
            return
        for name, value in base.value.items():
            yield name, base._below(value, name)

    def texts(self, key: str) -> list[tuple[str, str]]:
        """Return (text, pointer) of each string in a list field; a string is a list of one."""
        value = self.get(key)
        if isinstance(value, str):
            return [(value, self.at + pointer(key))] if value else []
        found = []
        for item in self.all_items(key):
            if isinstance(item.value, str):
                found.append((item.value, item.at))
            else:
                item.type_problem("a text")
        return found

    def wrong(self, key: str, wanted: str) -> None:
        """Report that a field has an unexpected type."""
        self.child(key).type_problem(wanted, key)

    def type_problem(self, wanted: str, name: str | None = None) -> None:
        """Report that this value has an unexpected type."""
        what = f"{name!r}" if name else "This value"
        self.reader.problem(
            self.path,
            self.at,
            "error",
            "wrong-type",
            f"{what} is {kind_of(self.value)}, not {wanted}; it was not read.",
            f"Write {wanted}.",
            self.suite,
        )

    def note(
        self, severity: Any, code: str, message: str, hint: str = "", key: str | None = None
    ) -> None:
        """Report a problem at this value, or at its field `key`."""
        at = self.at + pointer(key) if key is not None else self.at
        self.reader.problem(self.path, at, severity, code, message, hint, self.suite)


def fields_in(value: Any) -> dict[str, Any]:
    """Return the fields of an object, of anything else none."""
    return value if isinstance(value, dict) else {}


def parse_time(value: object) -> datetime | None:
    """Return an aware datetime from ISO 8601 text, or None."""
    return _parsed_time(value) if isinstance(value, str) else None


def decoded(value: Any) -> Any:
    """Return a list or object written as JSON text; anything else unchanged."""
    if isinstance(value, str) and value.lstrip()[:1] in ("[", "{"):
        try:
            return orjson.loads(value)
        except ValueError:
            return value
    return value


def time_text(moment: datetime) -> str:
    """Return an aware time in UTC as evalcore writes it into documents: to the millisecond."""
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def now_text() -> str:
    """Return the current time as evalcore writes it into documents."""
    return time_text(datetime.now(UTC))


@lru_cache(maxsize=1024)
def _parsed_time(text: str) -> datetime | None:
    """Return a time; a document has the same one in several places."""
    try:
        parsed = datetime.fromisoformat(text.strip())
        return parsed.astimezone(UTC) if parsed.tzinfo else parsed.replace(tzinfo=UTC)
    except (ValueError, OverflowError):
        return None


def kind_of(value: object) -> str:
    """Return the JSON type of a value in words."""
    return _KINDS.get(type(value), "null")


def value_at(value: Any, source: str, pointer: str) -> Any:
    """Return the JSON value at a pointer of the value of a whole file.

    Raises:
        UnknownName: the value has no such place.
    """
    for part in pointer.split("/")[1:] if pointer else []:
        key = part.replace("~1", "/").replace("~0", "~")
        try:
            value = value[_position(key)] if isinstance(value, list) else value[key]
        except (KeyError, IndexError, ValueError, TypeError) as error:
            raise UnknownName("place", f"{source}#{pointer}", []) from error
    return value


def _position(key: str) -> int:
    """Return the list position in a part of a pointer; only digits are valid."""
    if not key.isdecimal():
        raise KeyError(key)
    return int(key)
