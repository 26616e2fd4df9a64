"""Show the results as a table on the terminal, and keep them as JSON."""

import json
import os
import platform
from collections.abc import Iterable
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from benchmarks.measure import Result

PACKAGES = ("evalcore", "orjson", "msgspec", "numpy", "pandas", "pyarrow", "duckdb", "streamlit")


def show(results: Iterable[Result], console: Console) -> None:
    """Print one line a result."""
    table = Table(title="Speed: medians of fresh processes", title_justify="left")
    for heading in ("what", "workspace"):
        table.add_column(heading)
    for heading in ("wall", "CPU", "ratio", "by CPU", "target", "ambition", "rounds"):
        table.add_column(heading, justify="right", no_wrap=True)
    for heading in ("verdict", "detail"):
        table.add_column(heading)
    for result in results:
        table.add_row(
            result.what,
            result.workspace,
            _seconds(result.wall_s),
            _seconds(result.cpu_s),
            f"{result.ratio:.3g} {result.unit}" if result.ratio is not None else "–",
            _number(result.cpu_ratio),
            _number(result.target),
            _number(result.ambition),
            str(result.rounds or "–"),
            result.verdict,
            result.detail,
        )
    console.print(table)


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
