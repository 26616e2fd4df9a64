"""The interface of a family that writes the runs of any suite as its own tool has them."""

import re
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from typing import Final, NamedTuple

from evalcore.tables.rows import CaseRow, CriterionRow, JudgmentRow, RunRow, SuiteRow, VersionRow

ODD: Final = re.compile(r"[^A-Za-z0-9]+")
"""What plain file names do without."""


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


def score_of(row: JudgmentRow) -> float | None:
    """Return the score of a judgment, of a verdict alone 1 or 0."""
    return row.score if row.score is not None or row.passed is None else float(row.passed)


def made_at(version: VersionRow, now: datetime) -> datetime:
    """Return when a version was made; those without a time are in their order, from `now` on."""
    return version.created_at or now + timedelta(seconds=version.position or 0)


def file_part(text: str) -> str:
    """Return a text as a part of a plain file name."""
    return ODD.sub("-", text).strip("-")


class Exporting(NamedTuple):
    """How a family writes a suite: files by plain names, and a sentence on how to open them."""

    write: Callable[[Exported], Iterator[tuple[str, bytes]]]
    next_step: str
