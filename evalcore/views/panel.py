"""The plain blocks that evidence is made of, ready to be drawn anywhere, and the words on them."""

import json
from collections.abc import Iterable
from typing import Any, Final

from evalcore.counting.focus import Filter
from evalcore.problems import Problem

Block = dict[str, Any]

BUDGET: Final = 48_000
MAX_TEXT: Final = 9_000
MAX_TITLE: Final = 600

FILTER_WORDS: Final[dict[Filter, tuple[str, str]]] = {
    "all": ("all", "Every case of the suite"),
    "failing": ("failing", "Cases with a failed run in the column in focus"),
    "changed": ("changed", "Cases whose result differs from the version before"),
    "flaky": ("flaky", "Cases whose runs disagree with each other"),
    "unscored": ("not scored", "Cases that were run, with something that has no score"),
    "people": ("judged by people", "Cases with a run that a person judged"),
    "differ": (
        "people and judge disagree",
        "Cases where people say passed and the recorded judge failed, or scores lie far apart",
    ),
    "excluded": ("excluded", "Cases with a run that a person left out of the rates"),
}
MARK_WORDS: Final = {
    "pass": "passed",
    "fail": "failed",
    "unscored": "not scored",
    "scored": "scored",
    "outside": "not in the rates",
}


def heading(text: str, hint: str = "", mark: str | None = None) -> Block:
    """Return a heading with a few words beside it; `mark` colours it."""
    return {"t": "heading", "text": text, "hint": hint, "mark": mark}


def say(text: str) -> Block:
    """Return a quiet sentence."""
    return {"t": "text", "text": text}


def prompt(label: str, text: str) -> Block:
    """Return a long text under its label, clamped until more is asked for."""
    return {"t": "prompt", "label": label, "text": text}


def facts_block(facts: Iterable[tuple[str, str, bool]]) -> Block:
    """Return facts as (name, words, whether it is known)."""
    return {"t": "facts", "facts": [list(fact) for fact in facts]}


def source_block(label: str, path: str, pointer: str | None) -> Block:
    """Return the place of a document, to copy."""
    return {"t": "source", "label": label, "path": path, "pointer": pointer or ""}


def problem_block(problem: Problem) -> Block:
    """Describe a fault of a document with its hint."""
    return {"t": "problem", "severity": problem.severity, "code": problem.code,
            "message": problem.message, "hint": problem.hint}  # fmt: skip


def note_block(title: str, text: str | None, mark: str | None = None, word: str = "",
               tags: Iterable[str | None] = ()) -> Block:  # fmt: skip
    """Describe one remark: a title, a text, and small words beside it."""
    texts = [said("", text)] if text else []
    return {"t": "note", "mark": mark, "word": word, "title": title,
            "tags": [tag for tag in tags if tag], "texts": texts}  # fmt: skip


def said(label: str, text: str) -> Block:
    """Return a text with a small label, as remarks and criteria hold them."""
    return {"label": label, "text": text}


def within(blocks: Iterable[Block], budget: int = BUDGET) -> list[Block]:
    """Return blocks whose texts together stay within a budget of bytes, each cut text saying so.

    What does not fit is cut short and never left out; the whole of it stands in the raw document.
    """
    left = budget

    def cut(value: Any, key: str = "") -> Any:
        nonlocal left
        if isinstance(value, dict):
            return {name: cut(item, name) for name, item in value.items()}
        if isinstance(value, list):
            return [cut(item, key) for item in value]
        if not isinstance(value, str) or key in ("t", "path", "pointer"):
            return value
        shown = _short(value, MAX_TEXT if left > 0 else MAX_TITLE)
        left -= escaped(shown)
        return shown

    return [cut(block) for block in blocks]


def _short(text: str, limit: int) -> str:
    """Return a text within so many bytes of JSON; a cut one says how long it is."""
    if len(text) * 12 <= limit or escaped(text) <= limit:
        return text
    keep = max(limit * len(text) // escaped(text) - 60, 40)
    return f"{text[:keep]}… (cut here; {len(text):,} characters, whole in the raw document)"


def escaped(text: str) -> int:
    """Return how many bytes a text takes as JSON of ASCII characters."""
    return len(json.dumps(text))
