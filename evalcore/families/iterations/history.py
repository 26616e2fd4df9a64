"""The versions of a suite as its history.json tells them, in the shapes that tools write."""

from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from evalcore.disk.reader import MISSING, Reader
from evalcore.disk.values import Node
from evalcore.families.base import Plan
from evalcore.families.iterations.amounts import finite, rate
from evalcore.families.iterations.measures import moment
from evalcore.layouts.iterations import ITERATION

LABELS: Final = ("version", "iteration", "name", "label", "id")
LISTS: Final = ("iterations", "versions", "history", "entries")
SCORES: Final = (
    "expectation_pass_rate", "pass_rate", "with_skill_pass_rate", "score", "overall_score",
    "average_score",
)  # fmt: skip
TIMES: Final = ("timestamp", "date", "created_at")
TEXTS: Final = ("description", "summary", "notes", "grading_result", "result", "type", "kind")
DIFFERENCES: Final = (
    "delta", "delta_vs_baseline", "delta_pass_rate", "improvement", "baseline_pass_rate",
)  # fmt: skip
STEPS: Final = ("step", "epoch", "action", "candidate_hash", "gate_score", "candidate_gate_score")


class HistoryEntry(NamedTuple):
    """What a history says of one version."""

    node: Node
    label: str
    best: bool | None

    @property
    def score(self) -> float | None:
        """The stored pass rate: percent and parts as a fraction, any other scale as it is."""
        for key in SCORES:
            value = self.node.get(key)
            value = value.get("mean") if isinstance(value, dict) else value
            found = rate(value) if "pass_rate" in key else None
            number = found.value if found is not None else finite(value)
            if number is not None:
                return number
        return None

    @property
    def description(self) -> str | None:
        """What the entry says of itself in words, its differences as they are written."""
        found = [_words(self.node.get(key)) for key in TEXTS]
        found += [
            f"{key.replace('_', ' ')} {text}"
            for key in DIFFERENCES
            if (text := _words(self.node.get(key)))
        ]
        parent = _words(self.node.get("parent"))
        found += [f"from {parent}"] if parent else []
        return ", ".join(part for part in found if part) or None

    @property
    def created_at(self) -> Any:
        """When the version was made."""
        return next((m for key in TIMES if (m := moment(self.node.get(key))) is not None), None)


def read_history(plan: Plan, reader: Reader) -> dict[str, HistoryEntry]:
    """Return the entries of the suite's histories by their label."""
    named: dict[str, HistoryEntry] = {}
    for path in plan.of("history"):
        value = reader.json(path)
        if value is MISSING:
            continue
        root = Node(reader, path, value, suite=plan.suite)
        best = _words(root.get("current_best"))
        entries = list(_entries(root))
        for node, label in entries:
            flag = node.get("is_current_best")
            is_best = flag if isinstance(flag, bool) else None if best is None else label == best
            named[label] = HistoryEntry(node, label, is_best)
        if not entries and value not in ({}, []) and not _is_empty(root):
            root.note(
                "info",
                "other-history",
                "This history names no versions; it is shown as a document only.",
                "Write {iterations: [{version, expectation_pass_rate}]} to see it as versions.",
            )
    return named


def _is_empty(root: Node) -> bool:
    return any(root.get(key) == [] for key in LISTS)


def _entries(root: Node) -> Iterator[tuple[Node, str]]:
    """Yield the entries that name a version."""
    key = next((key for key in LISTS if isinstance(root.get(key), list)), None)
    if key is None and not isinstance(root.value, list):
        for name, node in root.fields() if isinstance(root.value, dict) else ():
            if ITERATION.match(name) and isinstance(node.value, dict):
                yield node, name
        return
    for node in root.items(key):
        label = next((words for k in LABELS if (words := _words(node.get(k)))), None)
        if label is not None and not (key is None and any(node.has(step) for step in STEPS)):
            yield node, label


def _words(value: Any) -> str | None:
    """Return a text or a number as words; a list of texts as one."""
    if isinstance(value, str):
        return value.strip() or None
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return str(value)
    if isinstance(value, list) and value and all(isinstance(item, str) for item in value):
        return "; ".join(value)
    return None
