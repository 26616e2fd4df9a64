"""The versions of a suite in order, with what history.json and benchmarks say of them."""

import re
from collections.abc import Iterator
from datetime import datetime
from typing import Any, Final, NamedTuple

from evalcore.disk.reader import MISSING, Reader
from evalcore.disk.values import Node
from evalcore.families.base import Plan
from evalcore.families.iterations.amounts import finite, rate
from evalcore.families.iterations.benchmark import Benchmarks
from evalcore.families.iterations.measures import moment
from evalcore.layouts.iterations import CURRENT, ITERATION
from evalcore.layouts.order import in_order, is_baseline_version
from evalcore.tables.builder import Rows
from evalcore.tables.rows import VersionRow

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
    """What a history says of one version, in the shapes that tools write."""

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
        for key in DIFFERENCES:
            text = _words(self.node.get(key))
            found.append(f"{key.replace('_', ' ')} {text}" if text else None)
        parent = _words(self.node.get("parent"))
        found.append(f"from {parent}" if parent else None)
        return ", ".join(part for part in found if part) or None

    @property
    def created_at(self) -> datetime | None:
        """When the version was made."""
        return next((m for key in TIMES if (m := moment(self.node.get(key))) is not None), None)


def add_versions(
    plan: Plan, reader: Reader, rows: Rows, run: set[str], benchmarks: Benchmarks
) -> None:
    """Add one row a version, oldest first; `run` are those that have runs.

    An entry of the history is that of a folder by its name, else by the number in it. What it says
    of a version goes before the purpose that a benchmark states, its time after the benchmark's.
    """
    named = _history(plan, reader)
    stated = set(benchmarks.versions) - ({CURRENT} if benchmarks.is_blank else set())
    known: dict[str, HistoryEntry | None] = {}
    described: dict[str, str | None] = {}
    made: dict[str, datetime | None] = {}
    for version in sorted(run | stated):
        entry, number = named.get(version), re.search(r"\d+", version)
        if entry is None and number is not None:
            entry = named.get(f"v{number[0]}") or named.get(number[0])
        known[version] = entry
        described[version] = (entry.description if entry else None) or benchmarks.purpose(version)
        made[version] = benchmarks.created_at(version) or (entry.created_at if entry else None)
    baselines = frozenset(name for name in known if is_baseline_version(name, described[name]))
    order = in_order(made, baselines)
    for version in order:
        entry = known[version]
        if entry is not None and entry.label != version:
            entry.node.note(
                "info",
                "history-by-number",
                f"Entries were matched to folders by their number, this one to {version!r}.",
                f"Write {version!r} as its version.",
                "version",
            )
            break
    if any(version in named for version in order):
        for label in reversed([label for label in named if label not in known]):
            order.insert(0, label)
            known[label] = named[label]
    for position, version in enumerate(order):
        entry = known[version]
        path = f"{plan.root}/{version}" if plan.root else version
        rows.add(
            VersionRow(
                suite=plan.suite,
                version=version,
                position=position,
                description=described.get(version, entry.description if entry else None),
                created_at=made.get(version, entry.created_at if entry else None),
                path=path if version != CURRENT and ITERATION.match(version) else None,
                is_current=entry.best if entry else None,
                stored_score=entry.score if entry else None,
                source=entry.node.path if entry else None,
                pointer=entry.node.at if entry else None,
                runs_per_case=benchmarks.planned(version),
            )
        )


def _history(plan: Plan, reader: Reader) -> dict[str, HistoryEntry]:
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
        is_empty = value in ({}, []) or any(root.get(key) == [] for key in LISTS)
        if not entries and not is_empty:
            root.note(
                "info",
                "other-history",
                "This history names no versions; it is shown as a document only.",
                "Write {iterations: [{version, expectation_pass_rate}]} to see it as versions.",
            )
    return named


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
