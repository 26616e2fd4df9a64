"""Workspaces of one suite whose versions have given values."""

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from evalcore.tables.aggregated import BenchmarkRunRow, TrendPointRow
from evalcore.tables.rows import Row
from evalcore.workspace.opened import Workspace
from tests import made


def followed(
    root: Path,
    values: Sequence[float | None],
    *rows: Row,
    configuration: str = "-",
    **given: object,
) -> Workspace:
    """Return a workspace with one version a value, of one case and run each."""
    return made.workspace(
        root,
        made.suite("iterations"),
        *(made.version(f"v{at}", at) for at in range(len(values))),
        *(
            made.run(
                run_id=f"r{at}",
                version=f"v{at}",
                configuration=configuration,
                fraction=value,
                **given,
            )
            for at, value in enumerate(values)
        ),
        *rows,
    )


def benchmark_run(name: str, day: int, version: str = "v0", **given: object) -> BenchmarkRunRow:
    """Return a benchmark run of one day of May 2026."""
    base: dict[str, object] = {
        "suite": made.SUITE,
        "benchmark_run": name,
        "benchmark": "weekly",
        "version": version,
        "configuration": "-",
        "ran_at": datetime(2026, 5, day, tzinfo=UTC),
    }
    return made.row(BenchmarkRunRow, **{**base, **given})


def trend_point(day: int, score: float, direction: str = "improving") -> TrendPointRow:
    """Return one point of the stored trend `t1`."""
    return made.row(
        TrendPointRow,
        suite=made.SUITE,
        trend_id="t1",
        dimension="quality",
        date=datetime(2026, 5, day, tzinfo=UTC),
        score=score,
        direction=direction,
        source="t1.json",
    )
