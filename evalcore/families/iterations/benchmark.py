"""The benchmark documents of a suite: what they say of their version, of its skill and models.

The `meta.json` of the open standard's runner says such things beside them.
"""

from datetime import datetime
from itertools import chain
from typing import Final

from evalcore.disk.reader import MISSING, Reader
from evalcore.disk.values import Node
from evalcore.families.base import Plan
from evalcore.families.iterations.listed import Listed, listed
from evalcore.families.iterations.measures import moment
from evalcore.layouts.iterations import CURRENT, version_of

DATES: Final = ("date", "generated", "generated_at", "created_at")
ABOUT: Final = "metadata"
NOBODY: Final = "none"
"""The judge of a runner whose checks needed none."""


class Benchmarks:
    """The benchmark documents of one suite."""

    def __init__(self, plan: Plan, reader: Reader) -> None:
        self.plan = plan
        self.documents: list[tuple[str, Node]] = []
        """Version and document of each, those of an iteration's own folder first."""
        self.by_version: dict[str, Node] = {}
        """The first document of each version."""
        self._listed: dict[str, list[Listed]] = {}
        self._unread: list[str] = []
        """The versions with a document that could not be read."""
        for path in sorted(plan.of("benchmark"), key=lambda path: (path.count("/"), path)):
            value = reader.json(path)
            node = Node(reader, path, value, "", plan.suite)
            version = version_of(path) or CURRENT
            if value is not MISSING and isinstance(value, dict):
                self.documents.append((version, node))
                self.by_version.setdefault(version, node)
                continue
            if value is not MISSING:
                node.type_problem("an object")
            if version != CURRENT:
                self._unread.append(version)
        self._meta: dict[str, Node] = {}
        """Version to what its runner says of it."""
        for path in sorted(plan.of("meta")):
            value = reader.json(path)
            node = Node(reader, path, value if isinstance(value, dict) else {}, "", plan.suite)
            self._meta.setdefault(version_of(path) or CURRENT, node)

    @property
    def versions(self) -> list[str]:
        """The versions whose benchmark says anything, or could not be read."""
        return [*(name for name, node in self.by_version.items() if node.value), *self._unread]

    @property
    def skill_name(self) -> str | None:
        """The skill that the first benchmark which names one is about."""
        places = (place for _, node in self.documents for place in (node.child(ABOUT), node))
        stated = (_text(place, "skill_name") for place in places)
        runner = (_text(node, "name") for node in self._meta.values())
        return next(filter(None, chain(stated, runner)), None)

    def listed(self, document: Node) -> list[Listed]:
        """Return the runs that one of the documents lists."""
        if document.path not in self._listed:
            self._listed[document.path] = listed(document)
        return self._listed[document.path]

    def model(self, version: str) -> str | None:
        """Return the executor model that a version's benchmark names."""
        keys = ("executor_model", "model")
        names = (_text(place, key) for place in self._places(version) for key in keys)
        return next(filter(None, names), None) or self._runner(version, "target")

    def judge(self, version: str) -> str | None:
        """Return the model that a version's runner says it was judged by."""
        name = self._runner(version, "judge")
        return None if name == NOBODY else name

    def _runner(self, version: str, key: str) -> str | None:
        node = self._meta.get(version)
        return None if node is None else _text(node, key)

    def created_at(self, version: str) -> datetime | None:
        """Return when a version's benchmark was made."""
        places = self._places(version)
        for node in places:
            stated = node.get("timestamp")
            if stated is not None and not is_placeholder(str(stated)):
                found = moment(stated) or node.time("timestamp")
                if found:
                    return found
        dates = (moment(node.get(key)) for node in places for key in DATES)
        return next(filter(None, dates), None)

    @property
    def is_blank(self) -> bool:
        """Whether the benchmark of no version says only what it is about."""
        node = self.by_version.get(CURRENT)
        return node is not None and not any(v for key, v in node.value.items() if key != ABOUT)

    def purpose(self, version: str) -> str | None:
        """Return what a version's benchmark says it was made for."""
        texts = (_text(place, "purpose") for place in self._places(version))
        return next((text for text in texts if text and text.strip()), None)

    def planned(self, version: str) -> int | None:
        """Return how many runs of each case and configuration a version's benchmark states."""
        runs = [node.get("runs_per_configuration") for node in self._places(version)[:1]]
        return next((n for n in runs if type(n) is int and 0 < n < 2**53), None)

    def _places(self, version: str) -> list[Node]:
        """Return where a version's benchmark speaks of itself: its metadata, then its top."""
        node = self.by_version.get(version)
        beside = [self._meta[version]] if version in self._meta else []
        if node is None:
            return beside
        about = [node.child(ABOUT)] if isinstance(node.get(ABOUT), dict) else []
        return [*about, node, *beside]


def _text(place: Node, key: str) -> str | None:
    """Return a text that was filled in."""
    text = place.get(key)
    return text if isinstance(text, str) and text and not is_placeholder(text) else None


def is_placeholder(text: str) -> bool:
    """Say whether a text is a template's `<gap>` that was never filled in."""
    return text.startswith("<") and text.endswith(">")


def note_percent(document: Node) -> None:
    """Note that the pass rates of a benchmark are written as percent."""
    what, hint = "Pass rates are written as percent.", "Write them as fractions from 0 to 1."
    document.note("info", "rates-as-percent", what, hint)
