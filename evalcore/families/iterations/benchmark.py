"""The benchmark documents of a suite: what they say of their version, of its skill and models.

The `meta.json` of the open standard's runner says such things beside them.
"""

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
            value, version = reader.json(path), version_of(path) or CURRENT
            node = Node(reader, path, value, "", plan.suite)
            if value is not MISSING and isinstance(value, dict):
                self.documents.append((version, node))
                self.by_version.setdefault(version, node)
                continue
            if value is not MISSING:
                node.type_problem("an object")
            if version != CURRENT:
                self.unread.append(version)
        self._runner: dict[str, Node] = {}
        """Version to what its runner says of it."""
        for path in sorted(plan.of("meta")):
            node = Node(reader, path, reader.json(path), "", plan.suite)
            self._runner.setdefault(version_of(path) or CURRENT, node)

    @property
    def skill_name(self) -> str | None:
        """The skill that the first benchmark which names one is about."""
        about = (place for _, node in self.documents for place in (node.child(ABOUT), node))
        stated = [filled(place, "skill_name") for place in about]
        runner = [filled(node, "name") for node in self._runner.values()]
        return next(filter(None, (*stated, *runner)), None)

    def listed(self, document: Node) -> list[Listed]:
        """Return the runs that one of the documents lists."""
        if document.path not in self._listed:
            self._listed[document.path] = listed(document)
        return self._listed[document.path]

    def model(self, version: str) -> str | None:
        """Return the executor model that a version's benchmark names, else its runner."""
        keys = ("executor_model", "model")
        names = [filled(place, key) for place in self.places(version) for key in keys]
        return next(filter(None, names), None) or filled(self._runner.get(version), "target")

    def judge(self, version: str) -> str | None:
        """Return the model that a version's runner says it was judged by."""
        name = filled(self._runner.get(version), "judge")
        return None if name == NOBODY else name

    def places(self, version: str) -> list[Node]:
        """Return what describes a version: its benchmark's metadata and top, then its runner."""
        node, runner = self.by_version.get(version), self._runner.get(version)
        about = (
            node.child(ABOUT) if node is not None and isinstance(node.get(ABOUT), dict) else None
        )
        return [place for place in (about, node, runner) if place is not None]


def filled(place: Node | None, key: str) -> str | None:
    """Return a text that was filled in."""
    text = None if place is None else place.get(key)
    return text if isinstance(text, str) and text and not is_placeholder(text) else None


def is_placeholder(text: str) -> bool:
    """Say whether a text is a template's `<gap>` that was never filled in."""
    return text.startswith("<") and text.endswith(">")


def note_percent(document: Node) -> None:
    """Note that the pass rates of a benchmark are written as percent."""
    what, hint = "Pass rates are written as percent.", "Write them as fractions from 0 to 1."
    document.note("info", "rates-as-percent", what, hint)
