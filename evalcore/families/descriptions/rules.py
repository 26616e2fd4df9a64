"""The rules of the `descriptions` family: assertions that can fail, weights that count."""

import re
from collections.abc import Iterator
from typing import Any, Final

from evalcore.families.base import Rules
from evalcore.families.linting import objects, warning
from evalcore.problems import Problem, pointer
from evalcore.texts.vague import vague_words

_HASH: Final = re.compile(r"(?:sha256:)?[0-9a-f]{64}", re.IGNORECASE)


def lint(path: str, kind: str, value: Any) -> list[Problem]:
    """Return the violations of rules in one document; any JSON value is accepted."""
    del kind  # the fields of the documents tell them apart
    if not isinstance(value, dict):
        return []
    return [*_cases(path, value), *_entries(path, value)]


def _cases(path: str, value: dict[str, Any]) -> Iterator[Problem]:
    seen: set[str] = set()
    for at, case in objects(value, "test_cases"):
        case_id = case.get("id")
        if isinstance(case_id, str):
            if case_id in seen:
                yield warning(
                    path,
                    at + "/id",
                    "duplicate-case",
                    f"The id {case_id!r} is used by another test case too.",
                    "Give each test case its own id.",
                )
            seen.add(case_id)
        yield from _assertions(path, at, case)
        weight = case.get("weight")
        if isinstance(weight, int | float) and weight < 0:
            yield warning(
                path,
                at + "/weight",
                "negative-weight",
                f"The weight {weight} is below 0, so a better answer lowers the score.",
                "Write 0 or more.",
            )


def _assertions(path: str, at: str, case: dict[str, Any]) -> Iterator[Problem]:
    items = case.get("assertions")
    if items is None or items == []:
        where = at + ("/assertions" if "assertions" in case else "")
        yield warning(
            path,
            where,
            "no-assertions",
            "This test case has no assertions, so it has no score.",
            "Write what its output must show.",
        )
    seen: set[str] = set()
    for index, text in enumerate(items if isinstance(items, list) else ()):
        if not isinstance(text, str):
            continue
        place = at + pointer("assertions", index)
        if not text.strip():
            yield warning(
                path,
                place,
                "empty-assertion",
                "This assertion is empty.",
                "Write it, or remove it.",
            )
        elif text in seen:
            yield warning(
                path,
                place,
                "duplicate-criterion",
                "This assertion appears twice in the test case, so it counts twice.",
                "Remove one.",
            )
        elif word := vague_words(text):
            yield warning(
                path,
                place,
                "vague-criterion",
                f"{word!r} leaves open what would fail this.",
                "Say what can be seen or counted.",
            )
        seen.add(text)


def _entries(path: str, value: dict[str, Any]) -> Iterator[Problem]:
    for at, entry in objects(value, "entries"):
        digest = entry.get("description_hash")
        if isinstance(digest, str) and not _HASH.fullmatch(digest):
            yield warning(
                path,
                at + "/description_hash",
                "hash-form",
                f"{digest[:80]!r} is not a SHA-256 in hexadecimal.",
                "Write the 64 digits of the hash of the description's text.",
            )


RULES: Final = Rules(of_document=lint)
