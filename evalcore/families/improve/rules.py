"""The rules of the `improve` family: cases that can fail, on criteria that can be checked."""

import re
from typing import Any, Final

from evalcore.families.base import Rules
from evalcore.families.linting import objects, warning
from evalcore.problems import Problem
from evalcore.texts.vague import vague_words

_KEBAB: Final = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")


def lint(path: str, kind: str, value: Any) -> list[Problem]:
    """Return the violations of rules in one document; any JSON value is accepted.

    Problems reported on reading, such as a score that contradicts `passed`, are not repeated.
    """
    del kind  # the fields of the documents tell them apart
    found: list[Problem] = []
    if not isinstance(value, dict):
        return found

    def warn(at: str, code: str, message: str, hint: str) -> None:
        found.append(warning(path, at, code, message, hint))

    ids: set[str] = set()
    for at, case in objects(value, "cases"):
        case_id = case.get("id")
        if isinstance(case_id, str):
            if case_id in ids:
                message = f"The id {case_id!r} is used by another case too."
                warn(at + "/id", "duplicate-case", message, "Give each case its own id.")
            if not _KEBAB.fullmatch(case_id):
                message = f"The id {case_id!r} is not in kebab-case."
                hint = "Use lowercase letters, digits and single hyphens."
                warn(at + "/id", "not-kebab-case", message, hint)
            ids.add(case_id)
        expectations = objects(case, "expectations", at)
        if not any(expectation.get("required") is True for _, expectation in expectations):
            where = at + ("/expectations" if "expectations" in case else "")
            message = "No expectation of this case is required, so the case can never fail."
            warn(where, "nothing-required", message, "Mark at least one as required.")
        labels: set[str] = set()
        for place, expectation in expectations:
            label, text = expectation.get("criterion"), expectation.get("description")
            if isinstance(label, str):
                if label in labels:
                    message = f"The label {label!r} appears twice in this case."
                    hint = "Give each expectation its own label."
                    warn(place + "/criterion", "duplicate-criterion", message, hint)
                labels.add(label)
            if text is None or (isinstance(text, str) and not text.strip()):
                where = place + ("/description" if "description" in expectation else "")
                message = "This expectation has no description, so nothing says what would fail it."
                warn(where, "empty-description", message, "Say what the output must show.")
            elif isinstance(text, str) and (word := vague_words(text)):
                message = f"{word!r} leaves open what would fail this."
                hint = "Say what can be seen or counted."
                warn(place + "/description", "vague-criterion", message, hint)
    for at, result in objects(value, "results"):
        if result.get("score") is None and isinstance(result.get("passed"), bool):
            message = (
                "passed is set without a score, though it follows from the score: 3 or more passes."
            )
            hint = "Write the score; never set passed by itself."
            warn(at + "/passed", "passed-without-score", message, hint)
    for at, suggestion in objects(value, "suggestions"):
        missing = [key for key in ("before", "after") if not suggestion.get(key)]
        if missing:
            message = (
                f"This suggestion has no {' and no '.join(missing)}, so it cannot be applied "
                "without reading the whole skill again."
            )
            warn(at, "suggestion-not-actionable", message, "Write the text before and after.")
    return found


RULES: Final = Rules(of_document=lint)
