"""The demo workspace as plain files and values, read without evalcore."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.demo.faults import TRUNCATED

WORKSPACE = Path(__file__).parents[2] / "evalcore" / "demo" / "workspace"


def files(pattern: str = "**/*") -> list[Path]:
    """All files of the workspace that match, sorted."""
    return sorted(p for p in WORKSPACE.glob(pattern) if p.is_file())


def name(path: Path) -> str:
    """The path as the workspace's reader would write it."""
    return path.relative_to(WORKSPACE).as_posix()


def load(path: Path | str) -> Any:
    """One JSON document; a relative path is one of the workspace."""
    return json.loads((WORKSPACE / path).read_text(encoding="utf-8"))


def documents(pattern: str) -> Iterator[tuple[str, Any]]:
    """Every readable JSON document that matches, with its name."""
    for path in files(pattern):
        if name(path) not in TRUNCATED:
            yield name(path), load(path)


def close(stored: float, exact: float, decimals: int) -> bool:
    """Equal within one unit of the last decimal that the file prints."""
    return bool(abs(stored - exact) <= 10**-decimals + 1e-9)


def records() -> dict[str, dict[str, Any]]:
    """Every record of the support agent by id, its type under `type` in either layout."""
    found: dict[str, dict[str, Any]] = {}
    for pattern in ("support-agent/records/**/*.json", "support-agent/.minions/**/*.json"):
        for _, record in documents(pattern):
            record["type"] = record.get("type") or record["minionTypeId"]
            found[record["id"]] = record
    return found


def of_type(kind: str) -> list[dict[str, Any]]:
    """The records of one type."""
    return [r for r in records().values() if r["type"] == kind]


def listed(value: Any) -> list[str]:
    """A list of ids, also when it is stored as a string."""
    return list(json.loads(value)) if isinstance(value, str) else list(value)
