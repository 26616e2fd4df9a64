"""Checks that are written as objects, such as `{"type": "contains", "value": "FormGroup"}`."""

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

import orjson

from evalcore import names

PLACES: Final = ("path", "file", "filename")
PATTERNS: Final = ("pattern", "patterns", "regex")
_VALUES: Final = (
    "value", "values", *PATTERNS, "substring", "substrings", "string", "strings", "expected",
    *PLACES,
)  # fmt: skip
"""Fields with what a check looks for; where there are several, the first has it."""
_ABOUT: Final = frozenset(
    (*names.WORDING, *names.VERDICT, *names.EVIDENCE, *names.WEIGHT, "id", "name", "group",
     "severity", "critical", "required", "message")
)  # fmt: skip
"""Fields that say nothing of what is checked."""
MOST_WORDS: Final = 3
"""Of the name of a type."""


class Check(NamedTuple):
    """A check of a type: `value` is what it looks for, from the field `field`; None without one.

    `others` are further fields that say what is checked.
    """

    type: str
    field: str | None
    value: Any
    others: Mapping[str, Any]

    @property
    def words(self) -> str:
        """The check as its author wrote it, as `contains: FormGroup (file: form.ts)`."""
        said = self.type if self.field is None else f"{self.type}: {_shown(self.value)}"
        more = ", ".join(f"{name}: {_shown(value)}" for name, value in self.others.items())
        return f"{said} ({more})" if more else said


def check_of(fields: Mapping[str, Any]) -> Check | None:
    """Return the check that an object is: with a type, or with one field, which names the type.

    None of an object that is neither.
    """
    told = {name: value for name, value in fields.items() if value not in (None, "", [], {})}
    kind = next((name for name in names.CHECK_TYPE if _is_type(told.get(name))), None)
    given = {name: told[name] for name in told if name not in _ABOUT and name != kind}
    if kind is None:
        lone = next(iter(given)) if len(given) == 1 and "id" not in told else None
        return None if lone is None else Check(lone, lone, given[lone], {})
    field = next((name for name in _VALUES if name in given), None)
    value = None if field is None else given.pop(field)
    return Check(told[kind], field, value, given)


def _is_type(value: Any) -> bool:
    """Say whether a value is the name of a type and no sentence."""
    return isinstance(value, str) and len(value.split()) <= MOST_WORDS


def _shown(value: Any) -> str:
    if isinstance(value, list) and all(isinstance(each, str) for each in value):
        return ", ".join(value)
    try:
        return value if isinstance(value, str) else orjson.dumps(value).decode()
    except TypeError:  # nested too deeply
        return "…"
