"""The versions of a suite: iteration folders in natural order, with what history.json says."""

import re

from evalcore.disk.reader import MISSING, Reader
from evalcore.disk.values import Node
from evalcore.families.base import Plan
from evalcore.families.iterations.benchmark import Benchmarks
from evalcore.families.iterations.runs import Facts
from evalcore.layouts.iterations import CURRENT, ITERATION
from evalcore.tables.builder import Rows
from evalcore.tables.rows import VersionRow

DIGITS = re.compile(r"(\d+)")


def natural(text: str) -> list[tuple[int, str]]:
    """Return a sort key that puts iteration-10 after iteration-9."""
    return [
        (int(part), "") if part.isdigit() else (-1, part.lower()) for part in DIGITS.split(text)
    ]


def add_versions(
    plan: Plan, reader: Reader, rows: Rows, facts: list[Facts], benchmarks: Benchmarks
) -> None:
    """Add one row a version, oldest first."""
    named = _history(plan, reader)
    found = {fact.version for fact in facts} | set(benchmarks.versions)
    order = sorted(found, key=natural)
    known = {version: _said(version, named) for version in order}
    if any(version in named for version in order):
        for label in reversed([label for label in named if label not in known]):
            order.insert(0, label)
            known[label] = named[label]
    for position, version in enumerate(order):
        node = known.get(version)
        path = f"{plan.root}/{version}" if plan.root else version
        real = version != CURRENT and ITERATION.match(version)
        best, rate, source, at = _told(node)
        rows.add(
            VersionRow(plan.suite, version, position, _described(node), benchmarks.made_at(version),
                       None, None, path if real else None, best, rate, source, at)
        )  # fmt: skip


def _history(plan: Plan, reader: Reader) -> dict[str, Node]:
    """Return the entries of history.json by their label."""
    named: dict[str, Node] = {}
    for path in plan.of("history"):
        value = reader.json(path)
        if value is MISSING:
            continue
        for node in Node(reader, path, value, suite=plan.suite).items("iterations"):
            label = node.text("version") or node.text("iteration")
            if label is not None:
                named[label] = node
    return named


def _said(version: str, named: dict[str, Node]) -> Node | None:
    """Return the history's entry of an iteration folder: by its name, else by the number in it."""
    if version in named:
        return named[version]
    number = DIGITS.search(version)
    node = (named.get(f"v{number.group(1)}") or named.get(number.group(1))) if number else None
    if node is not None:
        node.note(
            "info",
            "history-by-number",
            f"This entry was taken for the folder {version!r} by its number.",
            f"Write {version!r} as its version.",
            "version",
        )
    return node


def _told(node: Node | None) -> tuple[bool | None, float | None, str | None, str | None]:
    """Return whether an entry is the best so far, its stored score, and where it stands."""
    if node is None:
        return None, None, None, None
    return node.flag("is_current_best"), node.number("expectation_pass_rate"), node.path, node.at


def _described(node: Node | None) -> str | None:
    if node is None:
        return None
    said = (
        node.text("description"),
        node.text("notes") if isinstance(node.get("notes"), str) else None,
        node.text("grading_result"),
        f"from {node.text('parent')}" if node.has("parent") else None,
    )
    return ", ".join(part for part in said if part) or None
