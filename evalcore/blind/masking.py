"""Take out of a text what would tell which version made it: a view, the files stay as they are."""

import re
from collections.abc import Iterable
from typing import Final, NamedTuple

from evalcore.counting.memo import memoize_per_workspace
from evalcore.workspace.opened import Workspace

HIDDEN: Final = "▒▒▒"
_SHORTEST: Final = 2
_MOST: Final = 5_000
"""So many names are looked for; a folder of more versions than that is not judged by hand."""
_GENERAL: Final = (
    r"(?<![\w/])/(?:home|Users|root|tmp|var|private|work|workspace|mnt|opt|srv|data)/[^\s'\"`)<>|]+",
    r"[A-Za-z]:\\[^\s'\"`)<>|]+",
    r"(?<![\w.])(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{7,64}(?![\w])",
    r"(?<![\w.])v(?:ersion)?[ _-]?\d+(?:\.\d+)*(?![\w])",
    r"(?<![\w])iteration[ _-]?\d+(?![\w])",
)
_AUTHOR: Final = re.compile(
    r"\bas (?:an? )?(?:AI|claude|gpt|chatgpt|gemini|llama|mistral|large language model)\b"
    r"|\bI(?:'m| am) (?:claude|gpt|chatgpt|gemini|llama|mistral|codex|copilot|an AI)\b"
    r"|\b(?:made|written|generated|created|powered) (?:by|with|using) "
    r"(?:claude|gpt|chatgpt|openai|gemini|llama|mistral|codex|copilot|anthropic)\b"
    r"|\b(?:in|for|since) (?:this|the (?:new|old|previous|last|latest)) (?:version|iteration)\b"
    r"|\b(?:previous|earlier|last|old|new) version of (?:the|this) (?:skill|prompt)\b"
    r"|\b(?:with|without|using) the skill\b|\bthe skill (?:says|tells|instructs|recommends)\b"
    r"|\bco-authored-by:",
    re.IGNORECASE,
)


class Masked(NamedTuple):
    """A text for a judge, and how many passages were taken out of it."""

    text: str
    passages: int


class Mask:
    """Masks names, paths and hashes; each stretch becomes the same three signs."""

    def __init__(self, names: Iterable[str], root: str) -> None:
        """Take in names that would tell a version, and the folder whose paths would.

        Names of one sign or of digits only tell nothing.
        """
        known = {name.strip() for name in names}
        telling = (name for name in known if len(name) >= _SHORTEST and not name.isdecimal())
        longest = sorted(telling, key=lambda name: (-len(name), name))[:_MOST]
        words = [rf"(?<!\w){re.escape(name)}(?!\w)" for name in longest]
        places = rf"{re.escape(root)}[^\s'\"`)<>|]*"
        self._telling = re.compile("|".join([places, *words, *_GENERAL]), re.IGNORECASE)

    def __call__(self, text: str) -> Masked:
        """Return a text without what tells."""
        return Masked(*self._telling.subn(HIDDEN, text))


def names_author(text: str) -> bool:
    """Return whether a text seems to say who or which version wrote it."""
    return _AUTHOR.search(text) is not None


@memoize_per_workspace
def mask_of(ws: Workspace, suite: str) -> Mask:
    """Return the mask of a suite: its versions, configurations and models, and where they are."""
    tables = ws.tables
    names: set[str] = set()
    for table, columns in _TELLING.items():
        frame = getattr(tables, table)
        here = frame[frame["suite"] == suite]
        for column in columns:
            names.update(map(str, here[column].dropna().unique()))
    return Mask(names, str(ws.root))


_TELLING: Final = {
    "versions": ("version",),
    "runs": ("version", "configuration", "model"),
}
