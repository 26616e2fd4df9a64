"""Whether the suggestions of an analysis were applied, by the text of the next version."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Literal, NamedTuple

from evalcore.comparing.content import Changes
from evalcore.comparing.model import Side
from evalcore.comparing.skill_places import unfounded
from evalcore.counting.cells import typed, where
from evalcore.counting.choices import versions_of
from evalcore.tables.rows import AnalysisRow
from evalcore.texts.plain import fold, squeeze, unmarked

Status = Literal["applied", "partly", "not applied", "unknown"]

MAX_TEXT: Final = 512 * 1024
MAX_SUGGESTION: Final = 8_000
MIN_PASSAGE: Final = 10
"""Minimum length, without spaces, of a passage to search for; half of it in CJK scripts."""
MIN_REPLACED: Final = 4
"""Minimum length of a sentence to be replaced; see MIN_PASSAGE."""
MIN_RUN: Final = 20
"""Minimum length of a common substring that counts as a quote; see MIN_PASSAGE."""

_ITEM: Final = re.compile(r"(?m)^[ \t]*(?:[-*+•]|\d{1,3}[.)])[ \t]+")
_SENTENCE: Final = re.compile(r"(?<=[.!?;])\s+|(?<=[。！？；])|\n+")
_END: Final = ".,:;!?…。、！？；"
_WIDE: Final = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")


class Assessment(NamedTuple):
    """Whether a suggestion was applied, and the reason as a sentence."""

    status: Status
    why: str


@dataclass(frozen=True)
class Suggestion:
    """A suggestion, the version it is about, and whether it was applied in B.

    `unfounded` says that the text to replace is not in the skill, if so.
    """

    row: AnalysisRow
    version: str
    status: Status
    why: str
    unfounded: str | None = None


def suggestions(a: Side, b: Side, changes: Changes) -> tuple[Suggestion, ...]:
    """Return the suggestions about A, or about versions up to B, and whether B applies them.

    An analysis of two versions suggests changes to the later one, whichever won, so it counts as an
    analysis of that one. Between two workspaces only those about A count. An analysis that names no
    version is left out.
    """
    order = _order(a)
    start = order.get(a.column.version)
    if start is None:
        return ()
    one = a.ws.root == b.ws.root and a.suite == b.suite
    end = order.get(b.column.version, start) if one else start + 1
    first, second = (_joined(changes, side) for side in ("a", "b"))
    found = []
    for row in _rows(a):
        version = _about(row, order)
        if version is not None and start <= order[version] < end:
            assessment = _no_text(changes) or is_applied(row.before, row.after, first, second)
            found.append(Suggestion(row, version, *assessment, unfounded(a.ws, row)))
    return tuple(found)


def is_applied(before: str | None, after: str | None, a: str, b: str) -> Assessment:
    """Return whether text B applies the change of `before` into `after` that was suggested for A.

    Case, white space, typographic quotes, Markdown and list numbers are ignored. The suggested
    sentences are those of `after` that are not in A.

    - *applied*: all of them are in B; or `after` only shortens `before`, which is gone.
    - *partly*: some are in B; or none is, but `before`, which was in A, is gone.
    - *not applied*: none is in B and `before` is still there; or there is no `before` in A, but
      `after` quotes the text (20 characters in a row), so it would have been found.
    - *unknown*: `after` describes a change in other words, was in A already, or is too short to
      search for. A summary never counts as not applied.
    """
    first, second = _Text(a), _Text(b)
    asked = [part for part in _passages(after) if part not in first.form]
    if not _passages(after):
        return Assessment("unknown", "It names no text to search for.")
    had, has = first.holds(before), second.holds(before)
    if not asked:
        return _shortened(had, has)
    done = sum(part in second.form for part in asked)
    if done == len(asked):
        return Assessment("applied", "The suggested text is in B and not in A.")
    if done:
        return Assessment("partly", f"{done} of the {len(asked)} suggested sentences are in B.")
    if had and not has:
        return Assessment(
            "partly",
            "The text to replace is gone, but the suggested text is not literally in B.",
        )
    if first.quoted_in(after) or (had and _Text(before or "").quoted_in(after)):
        return Assessment(
            "not applied",
            "The suggested text is not in B"
            + (", and the text to replace still is." if has else "."),
        )
    return Assessment(
        "unknown", "It describes a change without quoting text, so it cannot be found in B."
    )


def _shortened(had: bool, has: bool) -> Assessment:
    """Assess a suggestion whose text was already in A: it can only remove something."""
    if had and not has:
        return Assessment("applied", "The text to remove is gone; the rest was in A already.")
    if had:
        return Assessment("not applied", "The text to replace is still in B.")
    return Assessment("unknown", "The suggested text was in A already.")


class _Text:
    """A text in its normalized form for searching."""

    def __init__(self, text: str) -> None:
        self.form = _searched(text)

    def holds(self, passage: str | None) -> bool:
        """Return whether every sentence of a passage is in the text; False for an empty passage."""
        parts = _passages(passage, MIN_REPLACED)
        return bool(parts) and all(part in self.form for part in parts)

    def quoted_in(self, passage: str | None) -> bool:
        """Return whether a passage has a long common substring with the text."""
        plain = _plain(passage or "")
        size = _least(plain, MIN_RUN)
        runs = {plain[at : at + size] for at in range(len(plain) - size + 1)}
        form = self.form
        return bool(runs) and any(form[at : at + size] in runs for at in range(len(form)))


def _passages(text: str | None, least: int = MIN_PASSAGE) -> list[str]:
    """Return the normalized sentences of a text that are long enough to search for."""
    sentences = _SENTENCE.split((text or "")[:MAX_SUGGESTION])
    parts = (_plain(sentence).rstrip(_END) for sentence in sentences)
    return [part for part in parts if len(part) >= _least(part, least)]


@lru_cache(maxsize=4)
def _searched(text: str) -> str:
    return _plain(text[:MAX_TEXT])


def _plain(text: str) -> str:
    return squeeze(unmarked(fold(_ITEM.sub("", text))))


def _least(text: str, size: int) -> int:
    return size // 2 if _WIDE.search(text) else size


def _no_text(changes: Changes) -> Assessment | None:
    if changes.comparable:
        return None
    return Assessment("unknown", "The texts of both sides are needed, and they are not saved.")


def _joined(changes: Changes, side: str) -> str:
    """Return all texts of a side, joined with separators."""
    files = (changes.a if side == "a" else changes.b).files or {}
    return "\n\0\n".join(files.values())


def _order(side: Side) -> dict[str, int]:
    """Return the position of each version of a suite."""
    known = sorted(versions_of(side.ws, side.suite), key=lambda row: row.position or 0)
    return {row.version: at for at, row in enumerate(known) if row.version is not None}


def _rows(side: Side) -> Iterator[AnalysisRow]:
    """Yield the analyses that suggest a change: suggestions, and findings with a new text."""
    places = where(side.ws, "analyses", suite=side.suite)
    for row in typed(side.ws, "analyses", AnalysisRow, places):
        if row.kind == "suggestion" or row.after:
            yield row


def _about(row: AnalysisRow, order: dict[str, int]) -> str | None:
    """Return the later of the versions that an analysis is about."""
    versions = (version for version in (row.winner_version, row.loser_version) if version in order)
    return max(versions, key=lambda version: order[str(version)], default=None)
