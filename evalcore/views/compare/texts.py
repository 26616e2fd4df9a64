"""Texts that differ: outputs of two runs of one case, and the skills, prompts and suggestions."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, TypeVar

from evalcore.comparing.content import Changes, Kind, content_changes
from evalcore.comparing.memo import memoize_per_pair
from evalcore.comparing.model import Side
from evalcore.comparing.suggestions import Status, Suggestion, suggestions
from evalcore.texts import Diff, diff
from evalcore.views.blocks.base import Block
from evalcore.views.blocks.comparison import Suggestions
from evalcore.views.blocks.page import Say
from evalcore.views.compare.case import OpenCase
from evalcore.views.files.outputs import Output, OutputFile, load_output
from evalcore.views.run.grading import no_output
from evalcore.views.words import wording

Named = TypeVar("Named")
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


def file_pairs(opened: OpenCase) -> dict[str, FilePair]:
    """Return the outputs of the open runs by name: those of both first, texts before others."""
    of_a, of_b = ({file.name: file for file in side.files} for side in (opened.a, opened.b))
    if len(of_a) == len(of_b) == 1 and not of_a.keys() & of_b.keys():
        first, second = next(iter(of_a.values())), next(iter(of_b.values()))
        return {second.name: FilePair(second.name, first, second)}

    def rank(pair: FilePair) -> tuple[bool, bool, str]:
        shown = any(file is not None and file.kind in _SHOWN for file in (pair.a, pair.b))
        return pair.a is None or pair.b is None, shown, pair.name

    pairs = [FilePair(name, of_a.get(name), of_b.get(name)) for name in {**of_b, **of_a}]
    return {pair.name: pair for pair in sorted(pairs, key=rank)}


def chosen(known: Mapping[str, Named], name: str | None) -> Named:
    """Return what has that name, else the first."""
    return known[name] if name is not None and name in known else next(iter(known.values()))


def outputs_of(opened: OpenCase, pair: FilePair) -> tuple[Output | None, Output | None]:
    """Read both files of a pair."""
    a, b = (
        None if file is None else load_output(side.side.ws, file.path)
        for side, file in ((opened.a, pair.a), (opened.b, pair.b))
    )
    return a, b


def output_difference(a: Output | None, b: Output | None) -> Diff | None:
    """Return how two outputs differ; None if one of them is not shown as text."""
    first, second = ("" if found is None else found.text for found in (a, b))
    return None if first is None or second is None else text_difference(first, second)


@lru_cache(maxsize=8)
def text_difference(a: str, b: str) -> Diff:
    """Return the difference of two texts, cached so that it is split into portions once."""
    return diff(a, b)


def missing_outputs(opened: OpenCase) -> tuple[str, ...]:
    """Return a sentence for each side without output, naming the places searched."""
    return tuple(
        f"{letter}: {no_output(side.evidence.run)}"
        for letter, side in (("A", opened.a), ("B", opened.b))
        if side.evidence is not None and not side.files
    )


@memoize_per_pair
def texts(a: Side, b: Side) -> tuple[Changes, tuple[Suggestion, ...]]:
    """Return the text changes between two sides, and what was suggested about A.

    Both are read once for each snapshot.
    """
    changes = content_changes(a, b)
    return changes, suggestions(a, b, changes)


def texts_sentence(changes: Changes) -> str:
    """Say how many texts differ."""
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


def text_labels(changes: Changes) -> dict[str, str]:
    """Return the label of each changed text in the choice, by its path."""
    return {
        file.path: " · ".join(part for part in (file.path, _KINDS[file.kind]) if part)
        for file in changes.files
    }


def suggestion_blocks(suggested: Sequence[Suggestion]) -> list[Block]:
    """Describe the suggestions of analyses and whether they were applied; empty without any."""
    if not suggested:
        return []
    counted = [
        f"{n:,} {status}"
        for status in _MARKS
        if (n := sum(one.status == status for one in suggested))
    ]
    total = wording.count(len(suggested), "suggestion")
    title = f"{total} of the analyses about A: {', '.join(counted)}"
    items = []
    for one in suggested[:MAX_SHOWN]:
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
    beyond = len(suggested) - MAX_SHOWN
    if beyond > 0:
        blocks.append(Say(f"And {beyond:,} more in the analyses.", quiet=True))
    return blocks
