"""The versions of a suite in order, with what history.json and benchmarks say of them."""

import re
from collections.abc import Iterator
from datetime import datetime
from typing import Any, Final

from evalcore.disk.reader import MISSING, Reader
from evalcore.disk.values import Node
from evalcore.families.base import Plan
from evalcore.families.iterations.amounts import finite, rate
from evalcore.families.iterations.benchmark import ABOUT, Benchmarks, filled, is_placeholder
from evalcore.families.iterations.figures import moment
from evalcore.families.iterations.words import as_text
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
DATES: Final = ("date", "generated", "generated_at", "created_at")
"""Of a benchmark."""
TIMES: Final = ("timestamp", "date", "created_at")
TEXTS: Final = ("description", "summary", "notes", "grading_result", "result", "type", "kind")
DIFFERENCES: Final = (
    "delta", "delta_vs_baseline", "delta_pass_rate", "improvement", "baseline_pass_rate",
)  # fmt: skip
STEPS: Final = ("step", "epoch", "action", "candidate_hash", "gate_score", "candidate_gate_score")


def add_versions(
    plan: Plan, reader: Reader, rows: Rows, run: set[str], benchmarks: Benchmarks
) -> None:
    """Add one row a version, oldest first; `run` are those that have runs.

    An entry of the history is that of a folder by its name, else by the number in it. What it says
    of a version goes before the purpose that a benchmark states, its time after the benchmark's.
    """
    named = _history(plan, reader)
    stated = {name for name, node in benchmarks.by_version.items() if node.value}
    current = benchmarks.by_version.get(CURRENT)
    if current is not None and not any(v for key, v in current.value.items() if key != ABOUT):
        stated.discard(CURRENT)  # a benchmark of no version that only says what it is about
    known: dict[str, VersionRow] = {}
    for version in sorted({*run, *stated, *benchmarks.unread}):
        number = re.search(r"\d+", version)
        labels = (version, f"v{number[0]}", number[0]) if number else (version,)
        entry = next((named[label] for label in labels if label in named), None)
        entry = entry or VersionRow(plan.suite, version, 0)
        places = benchmarks.places(version)
        purposes = (text for place in places if (text := filled(place, "purpose")))
        purpose = next((text for text in purposes if text.strip()), None)
        known[version] = entry._replace(
            description=entry.description or purpose,
            created_at=_made(places) or entry.created_at,
        )
    baselines = (name for name, row in known.items() if is_baseline_version(name, row.description))
    made = {name: row.created_at for name, row in known.items()}
    order = in_order(made, frozenset(baselines))
    odd = next((version for version in order if known[version].version != version), None)
    if odd is not None:
        path, at = known[odd].source or "", f"{known[odd].pointer}/version"
        what = f"Entries were matched to folders by their number, this one to {odd!r}."
        hint = f"Write {odd!r} as its version."
        reader.problem(path, at, "info", "history-by-number", what, hint, plan.suite)
    if any(version in named for version in order):
        earlier = [label for label in named if label not in known]
        order, known = [*earlier, *order], {**named, **known}
    for position, version in enumerate(order):
        path = f"{plan.root}/{version}" if plan.root else version
        runs = [place.get("runs_per_configuration") for place in benchmarks.places(version)[:1]]
        rows.add(
            known[version]._replace(
                version=version,
                position=position,
                path=path if version != CURRENT and ITERATION.match(version) else None,
                runs_per_case=next((n for n in runs if type(n) is int and 0 < n < 2**53), None),
            )
        )


def _history(plan: Plan, reader: Reader) -> dict[str, VersionRow]:
    """Return what the suite's histories say of each version, by its label."""
    named: dict[str, VersionRow] = {}
    for path in plan.of("history"):
        value = reader.json(path)
        if value is MISSING:
            continue
        root = Node(reader, path, value, suite=plan.suite)
        best = _words(root.get("current_best"))
        entries = list(_entries(root))
        for node, label in entries:
            flag, parent = node.get("is_current_best"), _words(node.get("parent"))
            texts = [_words(node.get(key)) for key in TEXTS]
            written = ((key.replace("_", " "), _words(node.get(key))) for key in DIFFERENCES)
            texts += [f"{key} {text}" for key, text in (*written, ("from", parent)) if text]
            is_best = flag if isinstance(flag, bool) else None if best is None else label == best
            times = (moment(node.get(key)) for key in TIMES)
            scores = (_score(key, node.get(key)) for key in SCORES)
            named[label] = VersionRow(
                suite=plan.suite,
                version=label,
                position=0,
                description=", ".join(filter(None, texts)) or None,
                created_at=next((time for time in times if time is not None), None),
                is_current=is_best,
                stored_score=next((score for score in scores if score is not None), None),
                source=path,
                pointer=node.at,
            )
        is_empty = value in ({}, []) or any(root.get(key) == [] for key in LISTS)
        if not entries and not is_empty:
            what = "This history names no versions; it is shown as a document only."
            hint = "Write {iterations: [{version, expectation_pass_rate}]} to see it as versions."
            root.note("info", "other-history", what, hint)
    return named


def _made(places: list[Node]) -> datetime | None:
    """Return when a version's benchmark was made, as the first of its places says."""
    for node in places:
        stated = node.get("timestamp")
        if stated is not None and not is_placeholder(str(stated)):
            found = moment(stated) or node.time("timestamp")
            if found:
                return found
    dates = (moment(node.get(key)) for node in places for key in DATES)
    return next(filter(None, dates), None)


def _score(key: str, value: Any) -> float | None:
    """Return a stored pass rate: percent and parts as a fraction, any other scale as it is."""
    value = value.get("mean") if isinstance(value, dict) else value
    found = rate(value) if "pass_rate" in key else None
    return found.value if found is not None else finite(value)


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
    text = as_text(value)
    return (text.strip() or None) if text is not None and isinstance(value, str) else text
