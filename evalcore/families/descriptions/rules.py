"""The rules of the `descriptions` family: assertions that can fail, weights that count."""

import re
from typing import Any, Final

from evalcore.families.base import Rules
from evalcore.families.linting import objects, warning
from evalcore.problems import Problem, pointer
from evalcore.texts.vague import vague_words

_HASH: Final = re.compile(r"(?:sha256:)?[0-9a-f]{64}", re.IGNORECASE)


def lint(path: str, kind: str, value: Any) -> list[Problem]:
    """Return the violations of rules in one document; any JSON value is accepted."""
    del kind  # the fields of the documents tell them apart
    found: list[Problem] = []
    if not isinstance(value, dict):
        return found

    def warn(at: str, code: str, message: str, hint: str) -> None:
        found.append(warning(path, at, code, message, hint))

    ids: set[str] = set()
    for at, case in objects(value, "test_cases"):
        case_id = case.get("id")
        if isinstance(case_id, str):
            if case_id in ids:
                message = f"The id {case_id!r} is used by another test case too."
                warn(at + "/id", "duplicate-case", message, "Give each test case its own id.")
            ids.add(case_id)
        items = case.get("assertions")
        if items is None or items == []:
            where = at + ("/assertions" if "assertions" in case else "")
            message = "This test case has no assertions, so it has no score."
            warn(where, "no-assertions", message, "Write what its output must show.")
        seen: set[str] = set()
        for index, text in enumerate(items if isinstance(items, list) else ()):
            if not isinstance(text, str):
                continue
            place = at + pointer("assertions", index)
            if not text.strip():
                warn(
                    place, "empty-assertion", "This assertion is empty.", "Write it, or remove it."
                )
            elif text in seen:
                message = "This assertion appears twice in the test case, so it counts twice."
                warn(place, "duplicate-criterion", message, "Remove one.")
            elif word := vague_words(text):
                message = f"{word!r} leaves open what would fail this."
                warn(place, "vague-criterion", message, "Say what can be seen or counted.")
            seen.add(text)
        weight = case.get("weight")
        if isinstance(weight, int | float) and weight < 0:
            message = f"The weight {weight} is below 0, so a better answer lowers the score."
            warn(at + "/weight", "negative-weight", message, "Write 0 or more.")
    for at, entry in objects(value, "entries"):
        digest = entry.get("description_hash")
        if isinstance(digest, str) and not _HASH.fullmatch(digest):
            message = f"{digest[:80]!r} is not a SHA-256 in hexadecimal."
            hint = "Write the 64 digits of the hash of the description's text."
            warn(at + "/description_hash", "hash-form", message, hint)
    return found


RULES: Final = Rules(of_document=lint)
