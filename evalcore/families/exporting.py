"""The interface of a family that writes the runs of any suite as its own tool has them."""

from collections.abc import Callable, Iterator
from typing import NamedTuple

from evalcore.tables.rows import CaseRow, CriterionRow, JudgmentRow, RunRow, SuiteRow, VersionRow


class ExportedRun(NamedTuple):
    """A run with its judgments, those of people among them (`judge_type` is `human`)."""

    run: RunRow
    judgments: tuple[JudgmentRow, ...]


class Exported(NamedTuple):
    """A suite of any family to be written, in the order in which it is shown.

    `output` returns what a run produced as text, None without any; of several files each has its
    name before it.
    """

    suite: SuiteRow
    versions: tuple[VersionRow, ...]
    cases: tuple[CaseRow, ...]
    criteria: tuple[CriterionRow, ...]
    runs: tuple[ExportedRun, ...]
    output: Callable[[RunRow], str | None]


class Exporting(NamedTuple):
    """How a family writes a suite: files by plain names, and a sentence on how to open them."""

    write: Callable[[Exported], Iterator[tuple[str, bytes]]]
    next_step: str
