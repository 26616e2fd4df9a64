"""Texts that differ: outputs of two runs of one case, and the skills, prompts and suggestions."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Final, NamedTuple

from evalcore.comparing.content import Changes, FileChange, Kind, content_changes
from evalcore.comparing.memo import memoize_per_pair
from evalcore.comparing.model import Side
from evalcore.comparing.suggestions import Status, Suggestion, suggestions
from evalcore.texts import Diff, diff
from evalcore.views.blocks.base import Block, PanelData
from evalcore.views.blocks.comparison import Suggestions
from evalcore.views.blocks.page import Say
from evalcore.views.compare.case import OpenCase
from evalcore.views.files.diff import diff_block, diff_portions
from evalcore.views.files.outputs import Output, OutputFile, load_output
from evalcore.views.run.grading import no_output
from evalcore.views.words import wording

_SHOWN: Final = ("image", "binary")
MAX_SHOWN: Final = 40
_KINDS: Final[dict[Kind, str]] = {"changed": "", "added": "only in B", "removed": "only in A"}
_MARKS: Final[dict[Status, str]] = {
    "applied": "pass",
    "partly": "flaky",
    "not applied": "fail",
    "unknown": "none",
}


@dataclass(frozen=True)
class FilePair:
    """One output of both runs; None on a side without an output of that name."""

    name: str
    a: OutputFile | None
    b: OutputFile | None

    @property
    def label(self) -> str:
        """The name, with the side that alone has it."""
        if self.a is None:
            return f"{self.name} · only in B"
        if self.b is None:
            return f"{self.name} · only in A"
        return self.name if self.a.name == self.b.name else f"{self.a.name} → {self.b.name}"


@dataclass(frozen=True)
class OutputPair:
    """Two outputs as far as they are shown, and how their texts differ (None: not as text)."""

    a: Output | None
    b: Output | None
    difference: Diff | None
    notes: tuple[str, ...]


def file_pairs(opened: OpenCase) -> tuple[FilePair, ...]:
    """Return the outputs of the open runs: those of both first, texts before other files."""
    of_a, of_b = ({file.name: file for file in side.files} for side in (opened.a, opened.b))
    if len(of_a) == len(of_b) == 1 and not of_a.keys() & of_b.keys():
        first, second = next(iter(of_a.values())), next(iter(of_b.values()))
        return (FilePair(second.name, first, second),)

    def rank(pair: FilePair) -> tuple[bool, bool, str]:
        shown = any(file is not None and file.kind in _SHOWN for file in (pair.a, pair.b))
        return pair.a is None or pair.b is None, shown, pair.name

    names = dict.fromkeys([*of_b, *of_a])
    pairs = [FilePair(name, of_a.get(name), of_b.get(name)) for name in names]
    return tuple(sorted(pairs, key=rank))


def chosen_pair(pairs: tuple[FilePair, ...], name: str | None) -> FilePair:
    """Return the pair of that name, else the first one."""
    return next((pair for pair in pairs if pair.name == name), pairs[0])


def output_pair(opened: OpenCase, pair: FilePair) -> OutputPair:
    """Read both files of a pair and compare their texts."""
    a, b = (
        None if file is None else load_output(side.side.ws, file.path)
        for side, file in ((opened.a, pair.a), (opened.b, pair.b))
    )
    notes = tuple(
        f"{letter}: {found.note}"
        for letter, found in (("A", a), ("B", b))
        if found is not None and found.note
    )
    first, second = ("" if found is None else found.text for found in (a, b))
    unlike = None if first is None or second is None else text_difference(first, second)
    return OutputPair(a, b, unlike, notes)


def outputs_block(found: OutputPair, pair: FilePair, portion: int) -> PanelData:
    """Describe the differences of two outputs, one portion of them."""
    if found.difference is None:
        return {"rows": [], "notes": [], "summary": "Not shown as text.", "label": pair.name}
    return diff_block(found.difference, pair.name, portion=portion)


@lru_cache(maxsize=8)
def text_difference(a: str, b: str) -> Diff:
    """Return the difference of two texts, cached so that it is split into portions once."""
    return diff(a, b)


def portions_of(found: OutputPair) -> int:
    """Return how many portions the differences have."""
    return 1 if found.difference is None else diff_portions(found.difference)


def missing_outputs(opened: OpenCase) -> tuple[str, ...]:
    """Return a sentence for each side without output, naming the places searched."""
    return tuple(
        f"{letter}: {no_output(side.evidence.run)}"
        for letter, side in (("A", opened.a), ("B", opened.b))
        if side.evidence is not None and not side.files
    )


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
    items = []
    for one in found.suggested[:MAX_SHOWN]:
        about = (one.row.area, f"about {one.version}", one.why, one.unfounded)
        items.append(
            {
                "word": one.status,
                "mark": _MARKS[one.status],
                "text": one.row.after or one.row.reasoning or "no text",
                "sub": " · ".join(filter(None, about)),
            }
        )
    blocks: list[Block] = [Say(title, big=True), Suggestions(items)]
    beyond = len(found.suggested) - MAX_SHOWN
    if beyond > 0:
        blocks.append(Say(f"And {beyond:,} more in the analyses.", quiet=True))
    return blocks
