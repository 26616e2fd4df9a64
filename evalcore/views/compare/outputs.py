"""The outputs of two runs of one case, paired by name, and their differences."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from evalcore.texts import Diff, diff
from evalcore.views.blocks.base import PanelData
from evalcore.views.compare.case import OpenCase, OpenSide
from evalcore.views.files.content import Output
from evalcore.views.files.diff import diff_block, diff_portions
from evalcore.views.files.outputs import OutputFile, load_output
from evalcore.views.run.grading import no_output

_SHOWN: Final = ("image", "binary")


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
    names = dict.fromkeys([*of_b, *of_a])
    pairs = [FilePair(name, of_a.get(name), of_b.get(name)) for name in names]
    return tuple(sorted(pairs, key=_rank))


def chosen_pair(pairs: tuple[FilePair, ...], name: str | None) -> FilePair:
    """Return the pair of that name, else the first one."""
    return next((pair for pair in pairs if pair.name == name), pairs[0])


def output_pair(opened: OpenCase, pair: FilePair) -> OutputPair:
    """Read both files of a pair and compare their texts."""
    a, b = _loaded(opened.a, pair.a), _loaded(opened.b, pair.b)
    sentences = [
        f"{letter}: {found.note}"
        for letter, found in (("A", a), ("B", b))
        if found is not None and found.note
    ]
    texts = [found.text if found is not None else "" for found in (a, b)]
    if texts[0] is None or texts[1] is None:
        return OutputPair(a, b, None, tuple(sentences))
    return OutputPair(a, b, text_difference(texts[0], texts[1]), tuple(sentences))


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


def _loaded(side: OpenSide, file: OutputFile | None) -> Output | None:
    return None if file is None else load_output(side.side.ws, file.path)


def _rank(pair: FilePair) -> tuple[bool, bool, str]:
    kinds: Iterable[OutputFile] = (file for file in (pair.a, pair.b) if file is not None)
    return pair.a is None or pair.b is None, any(file.kind in _SHOWN for file in kinds), pair.name
