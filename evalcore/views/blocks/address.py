"""The parameters of a page's address: a class whose fields say how each is read and written."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, fields
from typing import Any, Final, Self

MAX_DIGITS: Final = 6


@dataclass(frozen=True)
class Address:
    """What an address asks of a page, apart from the sidebar; each field is a `parameter`."""

    @classmethod
    def of(cls, given: Mapping[str, str | None]) -> Self:
        """Return what the parameters of an address ask for; what they cannot mean is ignored."""
        asked = {}
        for each in fields(cls):
            text = given.get(each.metadata["name"])
            value = None if text is None else each.metadata["read"](text)
            if value is not None:
                asked[each.name] = value
        return cls(**asked)

    def parameters(self) -> dict[str, str | None]:
        """Return the address parameters; None for defaults, which stay out of the address."""
        values = ((each, getattr(self, each.name)) for each in fields(self))
        return {
            each.metadata["name"]: None if value == each.default else each.metadata["write"](value)
            for each, value in values
            if each.metadata["write"] is not None
        }


def parameter(
    name: str,
    read: Callable[[str], Any] = str,
    default: Any = None,
    write: Callable[[Any], str] | None = str,
) -> Any:
    """Return a field for a parameter; `read` returns None for a text without a meaning.

    Without `write` it is never written.
    """
    return field(default=default, metadata={"name": name, "read": read, "write": write})


def choice(name: str, known: Collection[str], default: str | None = None) -> Any:
    """Return a field for a parameter that is one of a few words."""
    return parameter(name, lambda text: text if text in known else None, default)


def number(name: str, default: int | None = None, most: int = 999_999) -> Any:
    """Return a field for a parameter that is a positive number, `most` at most."""

    def read(text: str) -> int | None:
        plain = text.isascii() and text.isdigit() and len(text) <= MAX_DIGITS
        return int(text) if plain and 0 < int(text) <= most else None

    return parameter(name, read, default)


def flag(name: str, word: str = "1") -> Any:
    """Return a field that is true where the parameter is `word`."""
    return parameter(name, lambda text: text == word or None, False, lambda _: word)


def nonempty(text: str) -> str | None:
    """Return a text, or None for an empty one."""
    return text or None
