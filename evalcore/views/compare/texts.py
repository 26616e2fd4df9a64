"""Changed texts of skill, prompt or description, and whether suggestions were applied."""

from typing import Final, NamedTuple

from evalcore.comparing.content import Changes, FileChange, Kind, content_changes
from evalcore.comparing.memo import memoize_per_pair
from evalcore.comparing.model import Side
from evalcore.comparing.suggestions import Status, Suggestion, suggestions
from evalcore.views.blocks.base import Block, PanelData
from evalcore.views.blocks.comparison import SuggestionLine, Suggestions
from evalcore.views.blocks.page import Say
from evalcore.views.compare.outputs import text_difference
from evalcore.views.files.diff import diff_block, diff_portions
from evalcore.views.words import wording

MAX_SHOWN: Final = 40
_KINDS: Final[dict[Kind, str]] = {"changed": "", "added": "only in B", "removed": "only in A"}
_MARKS: Final[dict[Status, str]] = {
    "applied": "pass",
    "partly": "flaky",
    "not applied": "fail",
    "unknown": "none",
}


class Texts(NamedTuple):
    """The texts that differ between two sides, and the suggestions made about the first one."""

    changes: Changes
    suggested: tuple[Suggestion, ...]


@memoize_per_pair
def texts(a: Side, b: Side) -> Texts:
    """Return the text changes between two sides; read once for each snapshot."""
    changes = content_changes(a, b)
    return Texts(changes, suggestions(a, b, changes))


def texts_sentence(found: Texts) -> str:
    """Say how many texts differ."""
    changes = found.changes
    if not changes.comparable:
        return changes.note
    same = f"; {wording.count(changes.same, 'file')} the same" if changes.same else ""
    if not changes.files:
        return f"Nothing changed in the text{same}. {changes.note}".strip()
    counts = [
        (sum(file.kind == kind for file in changes.files), word)
        for kind, word in (("changed", "changed"), ("added", "added"), ("removed", "removed"))
    ]
    first, *rest = [(n, word) for n, word in counts if n]
    changed = ", ".join(
        [f"{wording.count(first[0], 'file')} {first[1]}", *(f"{n:,} {word}" for n, word in rest)]
    )
    return f"{changed} from A to B{same}. {changes.note}".strip()


def text_labels(found: Texts) -> dict[str, str]:
    """Return the label of each changed text in the choice, by its path."""
    return {
        file.path: " · ".join(part for part in (file.path, _KINDS[file.kind]) if part)
        for file in found.changes.files
    }


def chosen_text(found: Texts, path: str | None) -> FileChange | None:
    """Return the text of that path, else the first changed one; None if none changed."""
    files = found.changes.files
    return next((file for file in files if file.path == path), files[0] if files else None)


def text_portions(file: FileChange) -> int:
    """Return how many portions the differences of a text have."""
    return diff_portions(text_difference(file.a or "", file.b or ""))


def text_block(file: FileChange, portion: int) -> PanelData:
    """Describe the differences of one text, one portion of them."""
    return diff_block(text_difference(file.a or "", file.b or ""), file.path, portion=portion)


def suggestion_blocks(found: Texts) -> list[Block]:
    """Describe the suggestions of analyses and whether they were applied; empty without any."""
    if not found.suggested:
        return []
    counted = [
        f"{n:,} {status}"
        for status in _MARKS
        if (n := sum(one.status == status for one in found.suggested))
    ]
    total = wording.count(len(found.suggested), "suggestion")
    title = f"{total} of the analyses about A: {', '.join(counted)}"
    items = [_suggestion(one) for one in found.suggested[:MAX_SHOWN]]
    blocks: list[Block] = [Say(title, big=True), Suggestions(items)]
    beyond = len(found.suggested) - MAX_SHOWN
    if beyond > 0:
        blocks.append(Say(f"And {beyond:,} more in the analyses.", quiet=True))
    return blocks


def _suggestion(one: Suggestion) -> SuggestionLine:
    row = one.row
    about = [row.area, f"about {one.version}", one.why, one.unfounded]
    return SuggestionLine(
        word=one.status,
        mark=_MARKS[one.status],
        text=row.after or row.reasoning or "no text",
        sub=" · ".join(part for part in about if part),
    )
