"""Detect vague wording that judges will interpret differently."""

import re
from typing import Final

_PHRASES: Final = (
    "acceptable", "accurate enough", "adequate", "adequately", "appropriate", "appropriately",
    "as expected", "as needed", "beautiful", "best practices?", "clean", "clear", "clearly",
    "comprehensive", "concise", "correct", "correctly", "decent", "easy to (?:read|follow|use)",
    "effective", "effectively", "elegant", "engaging", "good", "great", "helpful",
    "high[- ]quality", "intuitive", "makes? sense", "meaningful", "nice", "nicely", "polished",
    "professional", "proper", "properly", "quality", "readable", "reasonable", "reasonably",
    "relevant", "robust", "satisfactory", "sensible", "suitable", "suitably", "sufficient",
    "sufficiently", "useful", "user[- ]friendly", "well[- ](?:\\w+)",
)  # fmt: skip
_VAGUE: Final = re.compile(r"\b(?:" + "|".join(_PHRASES) + r")\b", re.IGNORECASE)
_CONCRETE: Final = re.compile(
    r"""[0-9"`“”«»„「<>=*_{}\[\]$#\\]"""  # a number, a quotation, a pattern, a piece of code
    r"|(?<!\w)'[^']+'(?!\w)"
    r"|\w[./]\w"  # a file name or a path
    r"|\b[A-Z]{2,}\b|\b[a-z]+[A-Z]\w*",  # an abbreviation or an identifier
)
_MEASURED: Final = re.compile(
    r"\b(?:at (?:least|most)|every|each|all|none?|never|only|exactly|without|before|after|"
    r"contains?|includes?|lists?|names?|mentions?|cites?|refuses?|asks?|exists?|starts?|ends?|"
    r"between|under|above|fewer|more than|less than|same|both|one|two|three|first|last)\b",
    re.IGNORECASE,
)
MAX_LENGTH: Final = 2000
MAX_WORDS: Final = 25
"""A longer text is taken to say what it means by its words of praise."""


def vague_words(text: str) -> str | None:
    """Return the first vague wording of a short text without anything measurable; else None.

    English only: a text in another language is never called vague.
    """
    text = text[:MAX_LENGTH].strip()
    found = _VAGUE.search(text)
    if found is None or len(text.split()) > MAX_WORDS:
        return None
    if _CONCRETE.search(text) or _MEASURED.search(text):
        return None
    return found[0]
