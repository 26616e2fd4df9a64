"""The interface of a family that writes the runs of any suite as its own tool has them."""

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime, timedelta
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
    versions: Mapping[str | None, VersionRow]
    cases: Mapping[str | None, CaseRow]
    criteria: tuple[CriterionRow, ...]
    runs: tuple[ExportedRun, ...]
    output: Callable[[RunRow], str | None]

    @property
    def name(self) -> str:
        """What the suite is called."""
        return self.suite.name or str(self.suite.suite)

    def case(self, run: RunRow) -> CaseRow:
        """Return the case of a run."""
        return self.cases.get(run.case_id) or CaseRow(self.suite.suite, run.case_id)

    def by_version(self) -> Iterator[tuple[str, datetime, list[ExportedRun]]]:
        """Yield each version of which there are runs, when it was made, and its runs.

        Those without a time are in their order, from now on.
        """
        now, runs = datetime.now(UTC).replace(microsecond=0), defaultdict(list)
        for each in self.runs:
            runs[each.run.version].append(each)
        for at, (version, own) in enumerate(runs.items()):
            row = self.versions.get(version) or VersionRow(self.suite.suite, version, at)
            yield str(version), row.created_at or now + timedelta(seconds=row.position or 0), own


def score_of(row: JudgmentRow) -> float | None:
    """Return the score of a judgment, of a verdict alone 1 or 0."""
    return row.score if row.score is not None or row.passed is None else float(row.passed)


def asked(case: CaseRow) -> str:
    """Return what a case asks, without a prompt what it is called."""
    return case.prompt or case.name or str(case.case_id)


def file_part(text: str) -> str:
    """Return a text as a part of a plain file name."""
    return ODD.sub("-", text).strip("-")


class Exporting(NamedTuple):
    """How a family writes a suite: files by plain names, and a sentence on how to open them."""

    write: Callable[[Exported], Iterator[tuple[str, bytes]]]
    next_step: str
