"""The records of one suite: by their type, and where each is in the tables."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Final, NamedTuple

import numpy as np

from evalcore.chains.joins import Column, first_of_each, named, with_word
from evalcore.chains.relations import SENT
from evalcore.counting.coded import Numbers, coded
from evalcore.counting.joined import judged_run
from evalcore.families.registry import family
from evalcore.workspace.hidden import STATUS as HIDDEN
from evalcore.workspace.opened import Workspace

NOWHERE: Final = np.zeros(0, np.int64)
IDS: Final[Mapping[str, Column]] = {
    "test-case": Column("cases", "case_id"),
    "rubric-criterion": Column("criteria", "criterion"),
    "test-run": Column("runs", "run_id"),
    "eval-judgment": Column("judgments", "source"),
    "benchmark-run": Column("benchmark_runs", "benchmark_run"),
    "eval-trend": Column("trend_points", "trend_id"),
    "eval-failure": Column("failures", "failure_id"),
    "prompt-comparison": Column("comparisons", "comparison_id"),
    "benchmark": Column("benchmark_definitions", "benchmark"),
    "approval": Column("approvals", "approval"),
    **dict.fromkeys(SENT, Column("messages", "message")),
}
"""The table of each type of record, and the column of the names of its records."""
SEVERAL_ROWS: Final = frozenset({"rubric-criterion", "eval-trend"})
KIND_OF_SENT: Final = Column("messages", "kind")
RECORD_OF_RUN: Final = Column("runs", "run")
"""Where the ids of the test runs of a store are: as records name them."""


class Records(NamedTuple):
    """Some records of one type: rows of its table, else their ids.

    `names` are records without a row, `missing` those that others name and that are not here.
    """

    type: str
    rows: Numbers = NOWHERE
    names: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()

    @property
    def total(self) -> int:
        """How many there are, with those that are not here."""
        return len(self.rows) + len(self.names) + len(self.missing)


@dataclass(frozen=True)
class SuiteRecords:
    """The records of one suite of a workspace."""

    ws: Workspace
    suite: str

    @cached_property
    def is_store(self) -> bool:
        """Whether the suite is a store of records, with ids of their own."""
        suites, families = (coded(self.ws, "suites", name) for name in ("suite", "family"))
        at = np.flatnonzero(suites.codes == suites.places([self.suite])[0])
        return len(at) > 0 and family(families.words[families.codes[at[0]]]).is_store

    def ids(self, kind: str) -> Column | None:
        """Return the column with the ids by which other records name those of a type."""
        return RECORD_OF_RUN if kind == "test-run" and self.is_store else IDS.get(kind)

    def named(self, kind: str, name: str) -> Records:
        """Return the record of a type with an id; a test run is also known by its run id."""
        column = IDS.get(kind)
        if column is None:
            return Records(kind, names=(name,))
        rows = self.of_kind(kind, self.here(column.table, named(self.ws, column, [name])))
        if not len(rows) and kind == "test-run":
            rows = self.here("runs", named(self.ws, RECORD_OF_RUN, [name]))
            rows = rows if self.is_store else NOWHERE
        return self.once(Records(kind, rows, missing=() if len(rows) else (name,)))

    def of_kind(self, kind: str, rows: Numbers) -> Numbers:
        """Return those rows of a table that are of one type: several share that of messages."""
        return with_word(self.ws, KIND_OF_SENT, rows, kind) if kind in SENT else rows

    def once(self, records: Records) -> Records:
        """Return records, each of them once: a trend and a criterion have several rows."""
        column = IDS.get(records.type)
        if column is None or records.type not in SEVERAL_ROWS:
            return records
        return records._replace(rows=first_of_each(self.ws, column, records.rows))

    def here(self, table: str, rows: Numbers) -> Numbers:
        """Return those of some rows that are of this suite."""
        of = rows
        if table == "judgments":
            of = judged_run(self.ws)[rows]
            rows, of = rows[of >= 0], of[of >= 0]
            table = "runs"
        suites = coded(self.ws, table, "suite")
        mine: Numbers = rows[suites.codes[of] == suites.places([self.suite])[0]]
        return mine

    def seen(self, records: Records) -> Records:
        """Return records without the test runs whose results are hidden from the reader."""
        if records.type != "test-run" or not self.ws.hidden:
            return records
        status = coded(self.ws, "runs", "status")
        shown = status.codes[records.rows] != status.places([HIDDEN])[0]
        return records._replace(rows=records.rows[shown])
