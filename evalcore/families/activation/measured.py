"""Gather the runs of all documents by description; the same runs in two documents count once."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from evalcore.families.activation.blocks import About
from evalcore.families.activation.items import squeezed
from evalcore.families.activation.outcomes import Run
from evalcore.families.activation.totals import Share

Runs = dict[str, list[Run]]
"""Case id to the runs of its query."""

_GENERIC: Final = frozenset({"results", "result", "output", "optimization-result", "summary"})


class Key(NamedTuple):
    """What tells descriptions apart: the text, or the file and iteration without one."""

    text: str | None
    path: str = ""
    iteration: int | None = None


class Version(NamedTuple):
    """One description, labelled, with its text where it is known and its measurements."""

    label: str
    description: str | None
    measured: "list[Measurement]"


@dataclass
class Measurement:
    """The runs of one description in one document; `trial` where each run is a file of its own."""

    path: str
    about: About
    runs: Runs = field(default_factory=dict)
    shares: list[tuple[str | None, str, Share]] = field(default_factory=list)
    """Split, `stored` or `computed`, and the share of its queries."""
    trial: bool = False

    def repeats(self, other: "Measurement") -> bool:
        """Say whether these are the runs of another document: all counts are the same."""
        if self.path == other.path or _apart(self.about.marks, other.about.marks):
            return False
        if None not in (models := (self.about.model, other.about.model)) and len(set(models)) > 1:
            return False
        both = self.runs.keys() & other.runs.keys()
        return bool(both) and all(_count(self.runs[c]) == _count(other.runs[c]) for c in both)

    def join(self, other: "Measurement") -> None:
        """Take what only the other document has; a trial's runs are in their order."""
        for case, runs in other.runs.items():
            if case not in self.runs or (other.trial and not self.trial):
                self.runs[case] = runs
        self.shares += other.shares
        self.trial |= other.trial


class Measurements:
    """All measurements of a suite, by description in the order met."""

    def __init__(self) -> None:
        self._by_description: dict[Key, list[Measurement]] = {}
        self.repeated: list[tuple[Measurement, Measurement]] = []

    def add(self, new: Measurement) -> None:
        """Add the runs of a document, unless another document has them already."""
        known = self._by_description.setdefault(_key(new.about, new.path), [])
        same = next((each for each in known if new.repeats(each)), None)
        if same is None:
            known.append(new)
            return
        if not new.trial:
            self.repeated.append((new, same))
        same.join(new)

    def versions(self) -> Iterator[Version]:
        """Yield the descriptions in order, each with a label of its own."""
        taken: set[str] = set()
        for found in self._by_description.values():
            label = _free(_label(found), found[0].path, taken)
            taken.add(label)
            yield Version(label, found[0].about.description, found)


def _key(about: About, path: str) -> Key:
    if about.description is not None:
        return Key(squeezed(about.description))
    return Key(None, path, about.iteration)


def _label(found: list[Measurement]) -> str:
    """Return the iteration of a description, else the label, else the name of its document."""
    iteration = next((m.about.iteration for m in found if m.about.iteration is not None), None)
    if iteration is not None:
        return f"iteration-{iteration}"
    label = next((m.about.label for m in found if m.about.label is not None), None)
    return label or _name(found[0].path)


def _name(path: str) -> str:
    """Return the name of a file, or of its folder where all such files have the same name."""
    folder, _, name = path.rpartition("/")
    stem = name.rpartition(".")[0]
    above = folder.rpartition("/")[2]
    return above if stem.lower() in _GENERIC and above else stem or name


def _free(label: str, path: str, taken: set[str]) -> str:
    """Return a label that no other description has: with its document, then with a number."""
    if label not in taken:
        return label
    named = f"{label} ({_name(path)})"
    number = 2
    while named in taken:
        named, number = f"{label} ({_name(path)} {number})", number + 1
    return named


def _count(runs: list[Run]) -> tuple[int, int]:
    return len(runs), sum(run.activated for run in runs)


def _apart(one: tuple[str, ...], two: tuple[str, ...]) -> bool:
    return bool(one) and bool(two) and one != two
