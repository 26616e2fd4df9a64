"""Show each result as a line on the terminal, and keep all of them as JSON."""

import json
import os
import platform
from collections.abc import Iterable
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from benchmarks.measure import Result
from evalcore.errors import DISTRIBUTION

PACKAGES = (DISTRIBUTION, "orjson", "msgspec", "numpy", "pandas", "pyarrow", "duckdb", "streamlit")
LINE = "{:42} {:18} {:>8} {:>8} {:>8} {:>8} {:14} {:>7} {:>8} {:>3}  {}"


def heading() -> str:
    """Return the first line of the table."""
    return LINE.format(
        "what",
        "workspace",
        "wall",
        "CPU",
        "ratio",
        "by CPU",
        "times",
        "target",
        "ambition",
        "n",
        "verdict",
    )


def line(result: Result) -> str:
    """Return one line of the table, and a second one where there is more to say."""
    shown = LINE.format(
        result.what,
        result.workspace,
        _seconds(result.wall_s),
        _seconds(result.cpu_s),
        _number(result.ratio),
        _number(result.cpu_ratio),
        result.unit,
        _number(result.target),
        _number(result.ambition),
        result.rounds or "–",
        result.verdict,
    ).rstrip()
    return f"{shown}\n    {result.detail}" if result.detail else shown


def keep(results: Iterable[Result], path: Path, settings: dict[str, Any]) -> None:
    """Write the results with what they were measured on; nothing names the machine."""
    content = {
        "machine": {
            "system": platform.system(),
            "processor": platform.machine(),
            "cores": os.cpu_count(),
            "python": platform.python_version(),
        },
        "versions": {name: found for name in PACKAGES if (found := _version(name))},
        "settings": settings,
        "results": [_kept(result) for result in results],
    }
    path.write_text(json.dumps(content, indent=2, ensure_ascii=False) + "\n", "utf-8")


def _kept(result: Result) -> dict[str, Any]:
    fields = {name: value for name, value in result._asdict().items() if value not in (None, "")}
    shown = {k: float(f"{v:.4g}") if isinstance(v, float) else v for k, v in fields.items()}
    return {**shown, "verdict": result.verdict}


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def _seconds(value: float | None) -> str:
    if value is None:
        return "–"
    return f"{value:.2f} s" if value >= 1 else f"{value * 1000:.0f} ms"


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:.3g}"
