"""The rules of the `improve` family: cases that can fail, on criteria that can be checked."""

import re
from collections.abc import Iterator
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
    if not isinstance(value, dict):
        return []
    return [*_cases(path, value), *_results(path, value), *_suggestions(path, value)]


def _cases(path: str, value: dict[str, Any]) -> Iterator[Problem]:
    seen: set[str] = set()
    for at, case in objects(value, "cases"):
        case_id = case.get("id")
        if isinstance(case_id, str):
            if case_id in seen:
                yield warning(
                    path,
                    at + "/id",
                    "duplicate-case",
                    f"The id {case_id!r} is used by another case too.",
                    "Give each case its own id.",
                )
            if not _KEBAB.fullmatch(case_id):
                yield warning(
                    path,
                    at + "/id",
                    "not-kebab-case",
                    f"The id {case_id!r} is not in kebab-case.",
                    "Use lowercase letters, digits and single hyphens.",
                )
            seen.add(case_id)
        yield from _expectations(path, at, case)


def _expectations(path: str, at: str, case: dict[str, Any]) -> Iterator[Problem]:
    found = objects(case, "expectations", at)
    if not any(expectation.get("required") is True for _, expectation in found):
        yield warning(
            path,
            at + ("/expectations" if "expectations" in case else ""),
            "nothing-required",
            "No expectation of this case is required, so the case can never fail.",
            "Mark at least one as required.",
        )
    labels: set[str] = set()
    for place, expectation in found:
        label = expectation.get("criterion")
        if isinstance(label, str):
            if label in labels:
                yield warning(
                    path,
                    place + "/criterion",
                    "duplicate-criterion",
                    f"The label {label!r} appears twice in this case.",
                    "Give each expectation its own label.",
                )
            labels.add(label)
        yield from _description(path, place, expectation)


def _description(path: str, at: str, expectation: dict[str, Any]) -> Iterator[Problem]:
    text = expectation.get("description")
    if text is None or (isinstance(text, str) and not text.strip()):
        where = at + ("/description" if "description" in expectation else "")
        yield warning(
            path,
            where,
            "empty-description",
            "This expectation has no description, so nothing says what would fail it.",
            "Say what the output must show.",
        )
    elif isinstance(text, str) and (word := vague_words(text)):
        yield warning(
            path,
            at + "/description",
            "vague-criterion",
            f"{word!r} leaves open what would fail this.",
            "Say what can be seen or counted.",
        )


def _results(path: str, value: dict[str, Any]) -> Iterator[Problem]:
    for at, result in objects(value, "results"):
        if result.get("score") is None and isinstance(result.get("passed"), bool):
            yield warning(
                path,
                at + "/passed",
                "passed-without-score",
                "passed is set without a "
                "score, though it follows from the score: 3 or more passes.",
                "Write the score; never set passed by itself.",
            )


def _suggestions(path: str, value: dict[str, Any]) -> Iterator[Problem]:
    for at, suggestion in objects(value, "suggestions"):
        missing = [key for key in ("before", "after") if not suggestion.get(key)]
        if missing:
            yield warning(
                path,
                at,
                "suggestion-not-actionable",
                "This suggestion has no "
                f"{' and no '.join(missing)}, so it cannot be applied without reading "
                "the whole skill again.",
                "Write the text before and after.",
            )


RULES: Final = Rules(of_document=lint)
