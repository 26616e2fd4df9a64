"""What rules are applied to: the text of a run's output, its values and its files."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from evalcore.checks.outcome import Outcome, capped
from evalcore.checks.produced import Produced
from evalcore.checks.skill_file import skill_file
from evalcore.disk.parsing import MISSING, Json
from evalcore.texts.plain import fold

MAX_TEXT: Final = 4 * 1024 * 1024
_SUBJECT: Final = re.compile(r"subject:[ \t]*", re.IGNORECASE)
_BETWEEN: Final = re.compile(r"[\W_]+")


@dataclass(frozen=True)
class Subject:
    """A run's output: all text joined, and where known the values and the files.

    A text of more than 4 MiB characters is judged by no rule, nor is one of which `unread` says why
    a part is missing.
    """

    text: str
    expected: Json = MISSING
    actual: Json = MISSING
    produced: Produced | None = None
    unread: str = ""


class Undecided(Exception):
    """A rule that cannot be applied; the message is a sentence that says why."""


def part_of(subject: Subject, part: str) -> str:
    """Return the text that a rule is about, without blanks around it.

    Raises:
        Undecided: there is no such part, or it is too long.
    """
    if part.startswith("file:"):
        path = part.removeprefix("file:")
        paths = subject.produced.matching(path) if subject.produced else []
        if subject.produced is None or isinstance(paths, Outcome) or len(paths) != 1:
            raise Undecided(f"The run did not produce exactly one file {capped(path, 80)}.")
        text, why = subject.produced.text(paths[0])
        if text is None or why:
            raise Undecided(f"{why}.")
        return text.strip()
    if part == "skill":
        found = skill_file(subject.produced) if subject.produced else None
        if found is None or isinstance(found, str):
            raise Undecided(found or "The run produced no SKILL.md.")
        return found.body.strip()
    if len(subject.text) > MAX_TEXT:
        raise Undecided(f"The output has more than {MAX_TEXT:,} characters.")
    if subject.unread:
        raise Undecided(f"Not all of the output is known: {subject.unread}.")
    return _first_line(subject.text) if part == "subject" else subject.text.strip()


def _first_line(text: str) -> str:
    line = text.strip().partition("\n")[0].strip()
    if not line or line.startswith(("```", "---", "#")):
        raise Undecided("The first line of the output is not a subject line.")
    return _SUBJECT.sub("", line, count=1) if _SUBJECT.match(line) else line


def expected_value(values: Json, path: str, what: str) -> Any:
    """Return the value at a dotted path, of which the whole may also be one key.

    Raises:
        Undecided: there is none.
    """
    if values is MISSING:
        raise Undecided(f"There is no {what} output to compare.")
    if isinstance(values, Mapping) and path in values:
        return values[path]
    value = values
    for key in path.split("."):
        if isinstance(value, list) and key.isascii() and key.isdigit() and len(key) < 10:
            value = value[int(key)] if int(key) < len(value) else MISSING
        else:
            value = value.get(key, MISSING) if isinstance(value, Mapping) else MISSING
    if value is MISSING:
        raise Undecided(f"The {what} output has no {capped(path, 80)}.")
    return value


def nearly(text: str, wanted: str) -> bool:
    """Return whether a text contains another one but for case, typography, marks and spaces."""
    bare = _BETWEEN.sub("", fold(wanted))
    return not bare or bare in _BETWEEN.sub("", fold(text))
