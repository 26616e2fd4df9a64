"""The benchmark documents of a suite: what they say of their version, of its skill and models.

The `meta.json` of the open standard's runner says such things beside them.
"""

from itertools import chain
from typing import Final

from evalcore.disk.reader import MISSING, Reader
from evalcore.disk.values import Node
from evalcore.families.base import Plan
from evalcore.families.iterations.listed import Listed, listed
from evalcore.layouts.iterations import CURRENT, version_of

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
        self.unread: list[str] = []
        """The versions with a document that could not be read."""
        self._listed: dict[str, list[Listed]] = {}
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
                self.unread.append(version)
        self._meta: dict[str, Node] = {}
        """Version to what its runner says of it."""
        for path in sorted(plan.of("meta")):
            value = reader.json(path)
            node = Node(reader, path, value if isinstance(value, dict) else {}, "", plan.suite)
            self._meta.setdefault(version_of(path) or CURRENT, node)

    @property
    def skill_name(self) -> str | None:
        """The skill that the first benchmark which names one is about."""
        places = (place for _, node in self.documents for place in (node.child(ABOUT), node))
        stated = (filled(place, "skill_name") for place in places)
        runner = (filled(node, "name") for node in self._meta.values())
        return next(filter(None, chain(stated, runner)), None)

    def listed(self, document: Node) -> list[Listed]:
        """Return the runs that one of the documents lists."""
        if document.path not in self._listed:
            self._listed[document.path] = listed(document)
        return self._listed[document.path]

    def model(self, version: str) -> str | None:
        """Return the executor model that a version's benchmark names, else its runner."""
        keys = ("executor_model", "model")
        names = (filled(place, key) for place in self.places(version) for key in keys)
        return next(filter(None, names), None) or self._runner(version, "target")

    def judge(self, version: str) -> str | None:
        """Return the model that a version's runner says it was judged by."""
        name = self._runner(version, "judge")
        return None if name == NOBODY else name

    def _runner(self, version: str, key: str) -> str | None:
        node = self._meta.get(version)
        return None if node is None else filled(node, key)

    def places(self, version: str) -> list[Node]:
        """Return what describes a version: its benchmark's metadata and top, then its runner."""
        node = self.by_version.get(version)
        beside = [self._meta[version]] if version in self._meta else []
        if node is None:
            return beside
        about = [node.child(ABOUT)] if isinstance(node.get(ABOUT), dict) else []
        return [*about, node, *beside]


def filled(place: Node, key: str) -> str | None:
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
