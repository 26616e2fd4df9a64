"""A small workspace with all five families in it, and what a workspace says, as plain values."""

import os
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pandas as pd

from evalcore import Workspace
from tests.families.build import write

SEEDS = Path(__file__).resolve().parent.parent / "data" / "seeds"
FAMILIES = (
    "activation",
    "descriptions",
    "improve",
    "iterations",
    "records",
    "records_sharded",
    "rubric",
)

LONG_AGO = 1_600_000_000_000_000_000
"""A time (nanoseconds) that no reading can be too close to."""


def settle(root: Path) -> None:
    """Make all files and folders old, so that an index of them may be trusted."""
    for folder, _, names in os.walk(root, topdown=False):
        for name in (*names, ""):
            os.utime(Path(folder, name), ns=(LONG_AGO, LONG_AGO), follow_symlinks=False)


def everything(ws: Workspace) -> dict[str, Any]:
    """All tables with their texts, the problems and what was not recognised."""
    found: dict[str, Any] = {"unrecognised": ws.unrecognised, "problems": ws.problems}
    for name in ws.tables.names:
        table: pd.DataFrame = getattr(ws.tables, name)
        kinds = {column: str(kind) for column, kind in table.dtypes.items()}
        found[name] = [kinds, list(_rows(table))]
    found["texts"] = ws.tables.text("judgments").to_dict("list")
    return found


def in_any_order(ws: Workspace) -> dict[str, Any]:
    """Every row of every table with its texts, how often it stands there, and what is unknown."""
    found: dict[str, Any] = {"unrecognised": sorted(ws.unrecognised)}
    for name in ws.tables.names:
        table: pd.DataFrame = getattr(ws.tables, name)
        if name == "judgments":
            table = table.join(ws.tables.text(name))
        found[name] = Counter(_rows(table))
    return found


def _rows(table: pd.DataFrame) -> Iterator[tuple[Any, ...]]:
    """Every row as plain values, all that is missing alike; most tables of a test are empty."""
    if table.empty:
        return iter(())
    columns = (column.tolist() for _, column in table.items())
    return zip(
        *(["∅" if pd.isna(value) else value for value in column] for column in columns), strict=True
    )


def tree(root: Path) -> dict[str, tuple[Any, ...]]:
    """Every name below a folder with kind, mode, mtime and content."""
    found = {}
    for path in sorted([root, *root.rglob("*")]):
        about = path.lstat()
        content = path.read_bytes() if path.is_file() else b""
        found[str(path)] = (about.st_mode, about.st_mtime_ns, about.st_size, content)
    return found


def small(root: Path) -> Path:
    """Two suites: a skill with one grading, and one iteration with two runs."""
    grading = {"expectations": [{"text": "It works well", "passed": True, "evidence": "log"}]}
    return write(
        root,
        {
            "w/iteration-1/eval-1/with_skill/grading.json": grading,
            "w/iteration-1/eval-1/without_skill/grading.json": grading,
            "w/iteration-1/eval-1/with_skill/timing.json": {"total_tokens": 5},
        },
    )
