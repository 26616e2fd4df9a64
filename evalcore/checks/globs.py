"""Patterns of file names as graders write them; matching is bounded for any pattern."""

import fnmatch
import re
from typing import Final, NamedTuple

MAX_PATTERN: Final = 500
MAX_SEGMENTS: Final = 40
_ANY_DEPTH: Final = "**"


class Glob(NamedTuple):
    """A pattern of relative paths, a segment for each folder; None is any number of folders."""

    segments: tuple[re.Pattern[str] | None, ...]

    def matches(self, path: str) -> bool:
        """Return whether a relative path matches, in time segments × folders."""
        names = path.split("/")
        # reached[i]: the segments so far match the first i names.
        reached = [True] + [False] * len(names)
        for segment in self.segments:
            if segment is None:
                first = reached.index(True) if True in reached else len(reached)
                reached = [place >= first for place in range(len(reached))]
            else:
                reached = [False] + [
                    before and segment.match(name) is not None
                    for before, name in zip(reached, names, strict=False)
                ]
        return reached[-1]


def parse_glob(pattern: str) -> Glob | str:
    """Return a pattern that can be matched, or the sentence that says why it cannot.

    `*`, `?` and `[abc]` stay within a name, `**` matches any number of folders, upper and lower
    case differ. A pattern without a slash matches the name of a file in any folder.
    """
    if fault := _fault(pattern):
        return fault
    segments = [part for part in pattern.split("/") if part not in ("", ".")]
    if len(segments) == 1:
        segments.insert(0, _ANY_DEPTH)
    return Glob(tuple(map(_segment, segments)))


def _segment(text: str) -> re.Pattern[str] | None:
    # The library's translation holds each star's match fast, so that it is never tried again.
    return None if text == _ANY_DEPTH else re.compile(fnmatch.translate(text))


def _fault(pattern: str) -> str | None:
    parts = pattern.split("/")
    if not pattern.strip():
        return "The pattern is empty; name files, such as *.md."
    if len(pattern) > MAX_PATTERN or len(parts) > MAX_SEGMENTS:
        return f"The pattern has more than {MAX_PATTERN} characters or {MAX_SEGMENTS} folders."
    if "\0" in pattern or "\\" in pattern:
        return "The pattern has a NUL or a backslash; folders are separated by a slash."
    if pattern[0] in "/~":
        return "The pattern is absolute; name files relative to the folder of the run's outputs."
    if ".." in parts:
        return "The pattern leads out of the run's outputs (..); name files inside them."
    if parts[-1] in ("", "."):
        return "The pattern names a folder; name the files in it, such as folder/*."
    return None
