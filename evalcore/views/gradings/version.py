"""Details of a version and configuration: its record, its notes, its stored aggregates."""

from dataclasses import dataclass
from typing import Final

from evalcore.counting.cells import typed, where
from evalcore.counting.outcomes import Column
from evalcore.numbers import disagrees
from evalcore.tables.rows import (
    AnalysisRow,
    BenchmarkRow,
    ComparisonRow,
    FeedbackRow,
    NoteRow,
    VersionRow,
)
from evalcore.views.blocks.base import Block
from evalcore.views.blocks.evidence import Facts, source_block
from evalcore.views.blocks.page import Heading, Say
from evalcore.views.run.remarks import (
    analysis_block,
    comparison_blocks,
    feedback_blocks,
    note_blocks,
)
from evalcore.views.words import wording
from evalcore.workspace.hidden import STATUS as HIDDEN
from evalcore.workspace.opened import Workspace

MAX_ROWS: Final = 60
PLACES: Final = 3

Both = tuple[BenchmarkRow | None, BenchmarkRow | None]
"""An aggregate as the files store it, and as the runs give it."""


@dataclass(frozen=True)
class AboutVersion:
    """Details of a version apart from its runs; `column` is the one in focus.

    `metrics` are aggregates over the suite by name; `notes` and `feedback` are about no single run,
    `comparisons` about no single case, `analyses` about no comparison. `hidden` says that some of
    all that is withheld, as it adds up runs that are hidden from the reader.
    """

    column: Column
    version: VersionRow | None
    metrics: dict[str, Both]
    notes: tuple[NoteRow, ...]
    feedback: tuple[FeedbackRow, ...]
    comparisons: tuple[ComparisonRow, ...]
    analyses: tuple[AnalysisRow, ...]
    hidden: bool = False

    @property
    def title(self) -> str:
        """The contents in one line."""
        counts = (
            (len(self.metrics), "summary"),
            (len(self.notes), "note"),
            (len(self.feedback), "suggestion"),
            (len(self.comparisons), "comparison"),
            (len(self.analyses), "finding"),
        )
        parts = [wording.count(n, noun) for n, noun in counts if n]
        parts += [f"stored summaries {wording.HIDDEN}"] if self.hidden else []
        return ", ".join(parts) or "nothing more"


def about_version(ws: Workspace, suite: str, column: Column) -> AboutVersion:
    """Return the details of a version and configuration."""
    versions = where(ws, "versions", suite=suite, version=column.version)
    notes = where(ws, "notes", suite=suite, run_id=None)
    feedback = where(ws, "feedback", suite=suite, run_id=None, case_id=None)
    pairs = where(ws, "comparisons", suite=suite, case_id=None)
    analyses = where(ws, "analyses", suite=suite, comparison_id=None)
    of = (None, column.version)
    return AboutVersion(
        column=column,
        version=next(iter(typed(ws, "versions", VersionRow, versions)), None),
        metrics=_metrics(ws, suite, column),
        notes=tuple(r for r in typed(ws, "notes", NoteRow, notes) if r.version in of),
        feedback=tuple(r for r in typed(ws, "feedback", FeedbackRow, feedback) if r.version in of),
        comparisons=tuple(
            row
            for row in typed(ws, "comparisons", ComparisonRow, pairs)
            if column.version in (row.version_a, row.version_b)
        ),
        analyses=tuple(
            row
            for row in typed(ws, "analyses", AnalysisRow, analyses)
            if column.version in (row.winner_version, row.loser_version)
            or (row.winner_version, row.loser_version) == (None, None)
        ),
        hidden=len(where(ws, "runs", suite=suite, version=column.version, status=HIDDEN)) > 0,
    )


def about_blocks(ws: Workspace, about: AboutVersion) -> list[Block]:
    """Describe the details of a version and configuration."""
    blocks: list[Block] = [Heading(about.column.version)]
    if about.version is not None:
        row, created = about.version, about.version.created_at
        facts = [
            ("description", row.description),
            ("created", wording.moment(created) if created is not None else None),
            ("commit", row.git_hash),
            ("content hash", row.content_hash),
            ("folder", row.path),
            ("current", "yes" if row.is_current else None),
        ]
        if known := [(name, words, True) for name, words in facts if words]:
            blocks.append(Facts(known))
        if row.source:
            blocks.append(source_block("Recorded in", row.source, row.pointer))
    if about.hidden:
        blocks.append(Say(f"What adds up its runs is {wording.HIDDEN} them.", quiet=True))
    if about.metrics:
        metrics = list(about.metrics.items())[:MAX_ROWS]
        blocks.append(Heading("Summaries", "as the files store them, and ours from the runs"))
        numbers = [(name, _beside(*both), True) for name, both in metrics]
        blocks.append(Facts(numbers, wide=True))
    blocks += note_blocks(about.notes[:MAX_ROWS], "Notes")
    blocks += feedback_blocks(
        about.feedback[:MAX_ROWS], "Feedback and suggestions about the version"
    )
    blocks += comparison_blocks(ws, about.comparisons[:MAX_ROWS], "Comparisons of versions")
    if about.analyses:
        found = (analysis_block(ws, row) for row in about.analyses[:MAX_ROWS])
        blocks += [Heading("Findings about versions"), *found]
    return blocks


def _metrics(ws: Workspace, suite: str, column: Column) -> dict[str, Both]:
    """Return the aggregates of every configuration of the version, the chosen one first."""
    found = where(ws, "benchmarks", suite=suite, version=column.version, case_id=None)
    rows = typed(ws, "benchmarks", BenchmarkRow, found)
    rows.sort(key=lambda row: row.configuration != column.configuration)
    by_name: dict[str, dict[str | None, BenchmarkRow]] = {}
    for row in rows:
        side = f" · {row.configuration}" if row.configuration not in (None, "-") else ""
        by_name.setdefault(f"{row.metric or 'no name'}{side}", {})[row.origin] = row
    return {name: (of.get("stored"), of.get("computed")) for name, of in by_name.items()}


def _beside(stored: BenchmarkRow | None, computed: BenchmarkRow | None) -> str:
    """Return an aggregate as it is stored and as we compute it, and whether they differ."""
    parts, means = [], []
    for whose, row in (("stored", stored), ("ours", computed)):
        if row is None:
            continue
        if row.mean is None:
            parts.append(f"{whose} {row.text or wording.NOT_MEASURED}")
            continue
        means.append(row.mean)
        others = (("median", row.median), ("±", row.stddev), ("min", row.min), ("max", row.max))
        more = [f"{name} {wording.number(n, PLACES)}" for name, n in others if n is not None]
        more += [f"n {row.n}"] if row.n is not None else []
        mean = wording.number(row.mean, PLACES)
        parts.append(f"{whose} {mean} ({', '.join(more)})" if more else f"{whose} {mean}")
    if len(means) == 2 and disagrees(*means):
        parts.append("they differ")
    return "\n".join(parts)
