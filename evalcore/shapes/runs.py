"""Gather the rows of graded runs: the run itself, its score, and its document."""

from collections.abc import Sequence
from typing import Any, Final

from evalcore.tables.builder import Rows
from evalcore.tables.gathered import Gathered

ABOUT: Final = (
    "run_id", "case_id", "version", "run", "source", "outputs", "judge", "judge_type",
)  # fmt: skip
"""The columns that name a run, and its judge, which come first in a row of `RunColumns.runs`."""


class RunColumns:
    """The runs, scores and documents of the gradings of one suite; added at `flush`."""

    def __init__(
        self,
        rows: Rows,
        suite: str,
        family: str,
        measured: Sequence[str],
        scored: Sequence[str],
        **same: Any,
    ) -> None:
        """Begin a suite.

        A row of `runs` has the columns `ABOUT` and then `measured`, one of `run_scores` those in
        `scored` after the run's id, judge, its type and origin, one of `documents` path and number
        of judged items. `same` are further columns that runs and scores share.
        """
        self.runs = Gathered(
            rows.tables["runs"],
            (*ABOUT, *measured),
            suite=suite,
            configuration="-",
            origin="grading",
            status="completed",
            pointer="",
            **same,
        )
        self.run_scores = Gathered(
            rows.tables["run_scores"], ("run_id", "judge", "judge_type", "origin", *scored), **same
        )
        self.documents = Gathered(
            rows.tables["documents"],
            ("path", "records"),
            family=family,
            kind="grading",
            suite=suite,
        )

    def flush(self) -> None:
        """Add the rows gathered so far."""
        for table in (self.runs, self.run_scores, self.documents):
            table.flush()
