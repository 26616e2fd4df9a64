"""Locate a judge's quotes in the output."""

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from functools import cache, cached_property
from itertools import accumulate
from typing import Final, Literal, NamedTuple

from evalcore.texts.plain import fold, squeeze, unmarked

How = Literal["exact", "spacing", "parts", "case", "markup", "name"]
HOW: Final = {
    "spacing": "with other spacing",
    "parts": "in parts",
    "case": "with other capitals or marks",
    "markup": "without its Markdown marks",
}

MAX_QUOTES: Final = 20
MAX_EVIDENCE: Final = 40_000
MAX_QUOTE: Final = 2_000
MIN_CHARS: Final = 8
MIN_PART: Final = 4
MAX_SCANNED: Final = 4 * 1024 * 1024
MAX_GAP: Final = 4_000
MAX_STARTS: Final = 40
MAX_MARKED: Final = 20_000
"""How far after the beginning of its line a quote with other signs is looked for."""

# Every pattern stops at the next opening or closing mark of its own, so a scan stays linear.
_MARKS: Final = tuple(
    re.compile(pattern)
    for pattern in (
        r"```[^\n`]*\n(?P<q>[^`]+)```",
        r"(?<!`)(`{1,2})(?!`)(?P<q>[^`\n]+)\1(?!`)",
        r"“(?P<q>[^“”]+)”",
        r"„(?P<q>[^„“”]+)[“”]",
        r"«(?P<q>[^«»]+)»",
        r"»(?P<q>[^«»]+)«",
        r"「(?P<q>[^「」]+)」",
        r"『(?P<q>[^『』]+)』",
        r"‘(?P<q>(?:[^‘’]|(?<=\w)’(?=\w))++)’",
        r'(?<![\w\\])"(?P<q>[^"\n]+)"(?!\w)',
        r"(?<![\w\\'])'(?P<q>(?:[^'\n]|(?<=\w)'(?=\w))++)'(?!\w)",
    )
)
_ELLIPSIS: Final = re.compile(r"\s*(?:\[\s*(?:\.{3}|…)\s*\]|\(\s*(?:\.{3}|…)\s*\)|\.{3,}|…)\s*")
_ESCAPE: Final = re.compile(r"\\(?:u([0-9a-fA-F]{4})|(.))")
_LETTER: Final = re.compile(
    r"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u[0-9a-fA-F]{4}|\\.|.", re.DOTALL
)
_ESCAPED: Final = {"n": " ", "r": " ", "t": " ", "b": " ", "f": " "}


class Found(NamedTuple):
    """The place of a quoted passage; `path` is None if it was not found.

    `line` counts from 1. `how`: `exact`; `spacing` (other white space); `parts` (what an ellipsis
    joins, in order); `case` (other capitals or typographic marks); `markup` (without Markdown's
    marks); `name` (the quote names the file itself, so there is no line).
    """

    quote: str
    path: str | None = None
    line: int | None = None
    how: How | None = None


def quotes(text: str) -> list[str]:
    """Return the passages that `text` quotes, in order, each once; at most 20."""
    text = text[:MAX_EVIDENCE]
    spans = sorted(
        (
            (match.start(), -match.end(), match["q"].strip())
            for mark in _MARKS
            for match in mark.finditer(text)
        ),
    )
    found: dict[str, None] = {}
    reached = -1
    for start, negative_end, quote in spans:
        if start < reached:
            continue  # inside the quote before it
        reached = -negative_end
        if len(squeeze(quote)) >= MIN_CHARS and len(quote) <= MAX_QUOTE:
            found.setdefault(quote)
        if len(found) == MAX_QUOTES:
            break
    return list(found)


def find_quotes(wanted: Sequence[str], files: Iterable[tuple[str, str]]) -> list[Found]:
    """Locate each quote in the files' texts: exactly first, then with increasing tolerance.

    At most 4 MB of text are searched; the files are (path, text), searched in order.
    """
    texts, left = list[tuple[str, str]](), MAX_SCANNED
    for path, text in files:
        texts.append((path, readable(path, text[:left])))
        left -= len(text)
        if left <= 0:
            break

    @cache
    def forms(number: int) -> list[_Form]:
        """Return the texts without what the steps up to this one ignore."""
        before = (
            [form.text for form in forms(number - 1)] if number else [text for _, text in texts]
        )
        return [_Form(_STEPS[number][1](text)) for text in before]

    def find(quote: str) -> Found:
        for path, text in texts:
            at = text.find(quote)
            if at >= 0:
                return Found(quote, path, text.count("\n", 0, at) + 1, "exact")
        for path, _ in texts:
            if path == quote or path.endswith("/" + quote.removeprefix("./").removeprefix("/")):
                return Found(quote, path, None, "name")
        parts = _parts(quote)
        if sum(len(squeeze(part)) for part in parts) < MIN_CHARS:
            return Found(quote)
        for number, (how, step) in enumerate(_STEPS):
            parts = [step(part) for part in parts]
            squeezed = [squeeze(part) for part in parts]
            for (path, _), form in zip(texts, forms(number), strict=True):
                line = form.line_of(squeezed) if all(squeezed) else None
                if line is not None:
                    joined = how == "spacing" and len(parts) > 1
                    return Found(quote, path, line, "parts" if joined else how)
        return Found(quote)

    return [find(quote) for quote in wanted]


def spans(found: Found, text: str, start: int) -> list[tuple[int, int]]:
    """Return where a quote that was found is in the file's text from `start` on, part by part."""
    at = text.find(found.quote, start)
    if found.how == "exact" and at >= 0:
        return [(at, at + len(found.quote))]
    places: list[tuple[int, int]] = []
    letters = ""
    for sign in _LETTER.finditer(text, start, start + MAX_MARKED):
        plain = _bare(readable(found.path or "", sign[0]))
        letters += plain
        places += [sign.span()] * len(plain)
    marked, end = [], 0
    for part in map(_bare, _parts(found.quote)):
        begin = letters.find(part, end) if part else -1
        if begin >= 0:
            end = begin + len(part)
            marked.append((places[begin][0], places[end - 1][1]))
    return marked


def readable(path: str, text: str) -> str:
    """Return a file's text as a judge reads it: JSON without escapes, on the same lines."""
    if not path.lower().endswith((".json", ".jsonl", ".ndjson", ".ipynb")) or "\\" not in text:
        return text
    plain = _ESCAPE.sub(_unescape, text)
    return plain.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


_STEPS: Final[tuple[tuple[How, Callable[[str], str]], ...]] = (
    ("spacing", str),
    ("case", fold),
    ("markup", unmarked),
)
"""What is ignored, one thing more at a time, and how a text is brought into that form."""


class _Form:
    """A text without white space for matching, with a mapping back to lines."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._squeezed = squeeze(text)

    @cached_property
    def _ends(self) -> list[int]:
        """For each line, the number of non-space characters up to its end."""
        return list(accumulate(len(squeeze(line)) for line in self.text.split("\n")))

    def line_of(self, parts: Sequence[str]) -> int | None:
        """Return the line, from 1, of the first part that the others follow within bounded gaps."""
        first, *others = parts
        at = self._squeezed.find(first)
        for _ in range(MAX_STARTS):
            if at < 0:
                break
            end = at + len(first)
            for part in others:
                begin = self._squeezed.find(part, end, end + MAX_GAP)
                if begin < 0:
                    break
                end = begin + len(part)
            else:
                return bisect_right(self._ends, at) + 1
            at = self._squeezed.find(first, at + 1)
        return None


def _parts(quote: str) -> list[str]:
    """Return what an ellipsis joins in a quote."""
    return [part for part in _ELLIPSIS.split(quote) if len(squeeze(part)) >= MIN_PART]


def _bare(text: str) -> str:
    return squeeze(unmarked(fold(text)))


def _unescape(match: "re.Match[str]") -> str:
    if match[1]:
        return chr(int(match[1], 16))
    return _ESCAPED.get(match[2], match[2])
