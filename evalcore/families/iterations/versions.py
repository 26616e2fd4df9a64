"""The versions of a suite in order, with what history.json and benchmarks say of them."""

import re
from datetime import datetime

from evalcore.disk.reader import Reader
from evalcore.families.base import Plan
from evalcore.families.iterations.benchmark import Benchmarks
from evalcore.families.iterations.history import HistoryEntry, read_history
from evalcore.layouts.iterations import CURRENT, ITERATION
from evalcore.layouts.order import in_order, is_baseline_version
from evalcore.tables.builder import Rows
from evalcore.tables.rows import VersionRow


def add_versions(
    plan: Plan, reader: Reader, rows: Rows, run: set[str], benchmarks: Benchmarks
) -> None:
    """Add one row a version, oldest first; `run` are those that have runs."""
    named = read_history(plan, reader)
    stated = set(benchmarks.versions) - ({CURRENT} if benchmarks.is_blank else set())
    found = run | stated
    known = {version: _described(version, named) for version in sorted(found)}
    described = {version: _description(known[version], benchmarks, version) for version in known}
    made = {version: _made(known[version], benchmarks, version) for version in known}
    baselines = frozenset(name for name in known if is_baseline_version(name, described[name]))
    order = in_order(made, baselines)
    _note_numbers({version: known[version] for version in order})
    if any(version in named for version in order):
        for label in reversed([label for label in named if label not in known]):
            order.insert(0, label)
            known[label] = named[label]
    for position, version in enumerate(order):
        entry = known.get(version)
        path = f"{plan.root}/{version}" if plan.root else version
        real = version != CURRENT and ITERATION.match(version)
        rows.add(
            VersionRow(
                suite=plan.suite,
                version=version,
                position=position,
                description=described.get(version, entry.description if entry else None),
                created_at=made.get(version, entry.created_at if entry else None),
                path=path if real else None,
                is_current=entry.best if entry else None,
                stored_score=entry.score if entry else None,
                source=entry.node.path if entry else None,
                pointer=entry.node.at if entry else None,
                runs_per_case=benchmarks.planned(version),
            )
        )


def _description(entry: HistoryEntry | None, benchmarks: Benchmarks, version: str) -> str | None:
    """Return what history.json says of a version, else the purpose that its benchmark states."""
    return (entry.description if entry else None) or benchmarks.purpose(version)


def _made(entry: HistoryEntry | None, benchmarks: Benchmarks, version: str) -> datetime | None:
    """Return when a version was made: as its benchmark says, else as history.json does."""
    return benchmarks.created_at(version) or (entry.created_at if entry else None)


def _described(version: str, named: dict[str, HistoryEntry]) -> HistoryEntry | None:
    """Return the history's entry of an iteration folder: by its name, else by the number in it."""
    if version in named:
        return named[version]
    number = re.search(r"(\d+)", version)
    return (named.get(f"v{number.group(1)}") or named.get(number.group(1))) if number else None


def _note_numbers(known: dict[str, HistoryEntry | None]) -> None:
    """Note, once, that entries were joined to folders by a number alone."""
    version, entry = next(
        ((v, entry) for v, entry in known.items() if entry is not None and entry.label != v),
        (None, None),
    )
    if entry is not None:
        entry.node.note(
            "info",
            "history-by-number",
            f"Entries were matched to folders by their number, this one to {version!r}.",
            f"Write {version!r} as its version.",
            "version",
        )
