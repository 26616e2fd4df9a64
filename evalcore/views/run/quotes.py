"""Locate a judge's quotes in the output."""

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from itertools import accumulate
from typing import Final, Literal, NamedTuple

from evalcore.texts.plain import fold, squeeze, unmarked

How = Literal["exact", "spacing", "parts", "case", "markup", "name"]

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
    texts = _Texts(files)
    return [texts.find(quote) for quote in wanted]


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
        self.squeezed = squeeze(text)

    @cached_property
    def _ends(self) -> list[int]:
        """For each line, the number of non-space characters up to its end."""
        return list(accumulate(len(squeeze(line)) for line in self.text.split("\n")))

    def line(self, at: int) -> int:
        """Return the line, from 1, of an offset into the squeezed text."""
        return bisect_right(self._ends, at) + 1

    def find(self, parts: Sequence[str]) -> int | None:
        """Return the offset of the first part that the others follow within bounded gaps."""
        at = self.squeezed.find(parts[0])
        for _ in range(MAX_STARTS):
            if at < 0:
                return None
            if self._follow(parts[1:], at + len(parts[0])):
                return at
            at = self.squeezed.find(parts[0], at + 1)
        return None

    def _follow(self, parts: Sequence[str], end: int) -> bool:
        for part in parts:
            at = self.squeezed.find(part, end, end + MAX_GAP)
            if at < 0:
                return False
            end = at + len(part)
        return True


class _Texts:
    """The texts to search, each in the forms needed so far: one for each of `_STEPS`."""

    def __init__(self, files: Iterable[tuple[str, str]]) -> None:
        self.files: list[tuple[str, str]] = []
        self._forms: list[list[_Form]] = []
        left = MAX_SCANNED
        for path, text in files:
            self.files.append((path, readable(path, text[:left])))
            left -= len(text)
            if left <= 0:
                break

    def find(self, quote: str) -> Found:
        """Locate one quote, with increasing tolerance; it may also be the name of a file."""
        for path, text in self.files:
            at = text.find(quote)
            if at >= 0:
                return Found(quote, path, text.count("\n", 0, at) + 1, "exact")
        for path, _ in self.files:
            if path == quote or path.endswith("/" + quote.removeprefix("./").removeprefix("/")):
                return Found(quote, path, None, "name")
        parts = _parts(quote)
        if sum(len(squeeze(part)) for part in parts) < MIN_CHARS:
            return Found(quote)
        how: How
        for number, (how, step) in enumerate(_STEPS):
            parts = [step(part) for part in parts]
            wanted = [squeeze(part) for part in parts]
            for (path, _), form in zip(self.files, self._in_form(number), strict=True):
                place = form.find(wanted) if all(wanted) else None
                if place is not None:
                    joined = how == "spacing" and len(parts) > 1
                    return Found(quote, path, form.line(place), "parts" if joined else how)
        return Found(quote)

    def _in_form(self, number: int) -> list[_Form]:
        if len(self._forms) <= number:
            texts = [form.text for form in self._forms[-1]] if number else None
            step, plain = _STEPS[number][1], [text for _, text in self.files]
            self._forms.append([_Form(step(text)) for text in texts or plain])
        return self._forms[number]


def _parts(quote: str) -> list[str]:
    """Return what an ellipsis joins in a quote."""
    return [part for part in _ELLIPSIS.split(quote) if len(squeeze(part)) >= MIN_PART]


def _bare(text: str) -> str:
    return squeeze(unmarked(fold(text)))


def _unescape(match: "re.Match[str]") -> str:
    if match[1]:
        return chr(int(match[1], 16))
    return _ESCAPED.get(match[2], match[2])
