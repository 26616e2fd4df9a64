"""Whether the suggestions of an analysis were taken up, told by the text of the next version."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Literal, NamedTuple

from evalcore.comparing.content import Changes
from evalcore.comparing.model import Side
from evalcore.counting.cells import typed, where
from evalcore.tables.rows import AnalysisRow, VersionRow
from evalcore.texts.plain import fold, squeeze, unmarked

Status = Literal["applied", "partly", "not applied", "not told"]

MAX_TEXT: Final = 512 * 1024
MAX_SUGGESTION: Final = 8_000
MIN_PASSAGE: Final = 10
"""Characters without spaces of a passage that is looked for; half of them where it is no Latin."""
MIN_REPLACED: Final = 4
"""The same of a sentence that is to be replaced; see MIN_PASSAGE."""
MIN_RUN: Final = 20
"""Characters in a row that a suggestion shares with a text when it quotes it; see MIN_PASSAGE."""

_ITEM: Final = re.compile(r"(?m)^[ \t]*(?:[-*+•]|\d{1,3}[.)])[ \t]+")
_SENTENCE: Final = re.compile(r"(?<=[.!?;])\s+|(?<=[。！？；])|\n+")
_END: Final = ".,:;!?…。、！？；"
_WIDE: Final = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")


class Told(NamedTuple):
    """Whether a suggestion was applied, and what that was read from, as a sentence."""

    status: Status
    why: str


@dataclass(frozen=True)
class Suggestion:
    """A suggestion, the version it was made about, and whether B took it up."""

    row: AnalysisRow
    version: str
    status: Status
    why: str


def suggestions(a: Side, b: Side, changes: Changes) -> tuple[Suggestion, ...]:
    """Return what was suggested about A, or about versions between A and B, and became of it in B.

    An analysis of two versions is made when both are there and asks for changes of the later one,
    whichever won: so the later one decides. Of two workspaces only those about A count. An analysis
    that names no version belongs to none.
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
            told = _no_text(changes) or is_applied(row.before, row.after, first, second)
            found.append(Suggestion(row, version, *told))
    return tuple(found)


def is_applied(before: str | None, after: str | None, a: str, b: str) -> Told:
    """Tell by two texts whether the change of `before` into `after` was made from A to B.

    Letters' case, white space, typographic quotes, Markdown's marks and the numbers of lists do not
    count. What is asked for are the sentences of `after` that do not stand in A.

    - *applied*: all of them stand in B; or `after` only shortens `before`, which is gone.
    - *partly*: some stand in B; or none does, but `before`, which stood in A, is gone.
    - *not applied*: none stands in B and `before` is still there; or there is no `before` in A, but
      `after` quotes the text (20 characters in a row), so it would have been found.
    - *not told*: `after` describes a change in words of its own, stood in A already, or is too
      short to be looked for. A summary is never held for something that was not done.
    """
    first, second = _Text(a), _Text(b)
    asked = [part for part in _passages(after) if part not in first.form]
    if not _passages(after):
        return Told("not told", "It names no text that could be looked for.")
    had, has = first.holds(before), second.holds(before)
    if not asked:
        return _shortened(had, has)
    done = sum(part in second.form for part in asked)
    if done == len(asked):
        return Told("applied", "What it asks for stands in B and not in A.")
    if done:
        return Told("partly", f"{done} of the {len(asked)} sentences it asks for stand in B.")
    if had and not has:
        return Told(
            "partly",
            "What it wants replaced is gone, but what it asks for does not stand "
            "in B in its words.",
        )
    if first.quoted_in(after) or (had and _quotes(before, after)):
        return Told(
            "not applied",
            "What it asks for does not stand in B"
            + (", and what it wants replaced still does." if has else "."),
        )
    return Told("not told", "It describes a change and quotes no text, so B cannot tell.")


def _shortened(had: bool, has: bool) -> Told:
    """Tell of a suggestion whose text stood in A: it may only take something away."""
    if had and not has:
        return Told("applied", "What it wants removed is gone; the rest stood in A already.")
    if had:
        return Told("not applied", "What it wants replaced still stands in B.")
    return Told("not told", "What it asks for stood in A already.")


class _Text:
    """A text as it is searched."""

    def __init__(self, text: str) -> None:
        self.form = _searched(text)

    def holds(self, passage: str | None) -> bool:
        """Say whether every sentence of a passage stands in the text; of nothing, none does."""
        parts = _passages(passage, MIN_REPLACED)
        return bool(parts) and all(part in self.form for part in parts)

    def quoted_in(self, passage: str | None) -> bool:
        """Say whether a passage has a long run of characters in common with the text."""
        plain = _plain(passage or "")
        size = _least(plain, MIN_RUN)
        runs = {plain[at : at + size] for at in range(len(plain) - size + 1)}
        form = self.form
        return bool(runs) and any(form[at : at + size] in runs for at in range(len(form)))


def _quotes(before: str | None, after: str | None) -> bool:
    return _Text(before or "").quoted_in(after)


def _passages(text: str | None, least: int = MIN_PASSAGE) -> list[str]:
    """Return the sentences of a text in the form that is searched, long enough ones only."""
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


def _no_text(changes: Changes) -> Told | None:
    if changes.comparable:
        return None
    return Told("not told", "The texts of both sides are needed, and they are not kept.")


def _joined(changes: Changes, side: str) -> str:
    """Return all texts of a side, apart from each other."""
    files = (changes.a if side == "a" else changes.b).files or {}
    return "\n\0\n".join(files.values())


def _order(side: Side) -> dict[str, int]:
    """Return the place of each version of a suite."""
    rows = typed(side.ws, "versions", VersionRow, where(side.ws, "versions", suite=side.suite))
    known = sorted(rows, key=lambda row: row.position or 0)
    return {row.version: at for at, row in enumerate(known) if row.version is not None}


def _rows(side: Side) -> Iterator[AnalysisRow]:
    """Yield what asks for a change: every suggestion, and other findings that have a new text."""
    places = where(side.ws, "analyses", suite=side.suite)
    for row in typed(side.ws, "analyses", AnalysisRow, places):
        if row.kind == "suggestion" or row.after:
            yield row


def _about(row: AnalysisRow, order: dict[str, int]) -> str | None:
    """Return the later one of the versions that an analysis is about."""
    versions = (version for version in (row.winner_version, row.loser_version) if version in order)
    return max(versions, key=lambda version: order[str(version)], default=None)
