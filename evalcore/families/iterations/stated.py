"""Rows of what documents state of the runs of a version: numbers of their own, and remarks."""

from collections.abc import Mapping

from evalcore.disk.values import Node
from evalcore.tables.builder import Rows
from evalcore.tables.rows import BenchmarkRow, NoteRow


class Stated:
    """Adds what documents state of one version of a suite."""

    def __init__(self, rows: Rows, suite: str, version: str | None) -> None:
        self.rows = rows
        self.suite = suite
        self.version = version

    def number(
        self,
        node: Node,
        configuration: str | None,
        metric: str,
        stats: Mapping[str, float | None],
        case_id: str | None = None,
    ) -> None:
        """Add the statistics of a metric, with the text where a number was written as one."""
        self.rows.add(
            BenchmarkRow(
                suite=self.suite,
                version=self.version,
                configuration=configuration,
                case_id=case_id,
                metric=metric,
                mean=stats.get("mean"),
                median=stats.get("median"),
                stddev=stats.get("stddev"),
                min=stats.get("min"),
                max=stats.get("max"),
                origin="stored",
                text=node.value if isinstance(node.value, str) else None,
                source=node.path,
                pointer=node.at,
            )
        )

    def note(
        self,
        text: str | None,
        source: str,
        pointer: str,
        target: str | None = None,
        run_id: str | None = None,
    ) -> None:
        """Add a remark on the version, on something in it, or on one run."""
        self.rows.add(
            NoteRow(
                suite=self.suite,
                run_id=run_id,
                version=self.version,
                kind="benchmark",
                target=target,
                text=text,
                source=source,
                pointer=pointer,
            )
        )
