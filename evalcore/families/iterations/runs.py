"""What the runs of a suite are read with, and the numbers that they give."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, NamedTuple

from evalcore.disk.reader import Json, Reader
from evalcore.disk.values import Node
from evalcore.families.iterations.case import Case
from evalcore.families.iterations.documents import HINTS
from evalcore.ids import run_id
from evalcore.layouts.iterations import RunLocation
from evalcore.shapes.judge import UNNAMED, Judge
from evalcore.shapes.remarks import About, RemarkColumns, Remarks
from evalcore.tables.builder import Rows
from evalcore.tables.gathered import Gathered

RUBRIC_MAX: Final = 5.0
_RUN: Final = (
    "run_id", "case_id", "version", "configuration", "run", "benchmark_run", "origin", "status",
    "passed", "score", "max_score", "fraction", "checks_passed", "checks_total", "gate_passed",
    "judge", "judge_type", "model", "started_at", "duration_s", "tokens", "cost_usd", "outputs",
    "source", "pointer",
)  # fmt: skip
"""The columns of a run that its documents tell."""
_SCORE: Final = (
    "run_id", "judge", "judge_type", "score", "max_score", "passed", "judged", "expected", "origin",
)  # fmt: skip

REMARKS: Final = Remarks(
    notes=dict.fromkeys(("user_notes_summary", "notes", "note", "qualitative_notes"), "user_notes"),
    feedback=("eval_feedback",),
)


class Facts(NamedTuple):
    """The numbers of one run that aggregates are made of.

    `path` leads from its iteration's folder to its own; empty where it has none. `unscored` of its
    items have no verdict, and are not in `total`.
    """

    version: str
    configuration: str
    case_id: str
    run_id: str
    pass_rate: float | None
    structural_rate: float | None = None
    normalized: float | None = None
    seconds: float | None = None
    tokens: float | None = None
    dimensions: Mapping[str, float] = {}
    passed: int | None = None
    total: int | None = None
    path: str = ""
    unscored: int = 0


class Checks(NamedTuple):
    """How many of a list of pass/fail items passed; `unscored` ones have no verdict."""

    passed: int
    scored: int
    unscored: int

    @classmethod
    def of(cls, verdicts: Sequence[bool | None]) -> "Checks":
        """Return how many of some verdicts are a pass; None is a missing one."""
        unscored = verdicts.count(None)
        return cls(verdicts.count(True), len(verdicts) - unscored, unscored)

    @property
    def rate(self) -> float | None:
        """The share of scored items that passed."""
        return self.passed / self.scored if self.scored else None

    @property
    def all(self) -> int:
        """How many items there are, with or without a verdict."""
        return self.scored + self.unscored


NO_CHECKS: Final = Checks(0, 0, 0)


class Measured(NamedTuple):
    """Time, tokens and money of one run; None is not measured."""

    seconds: float | None
    tokens: float | None
    cost: float | None
    started: datetime | None


class SuiteContext:
    """What every reader of one suite works with."""

    def __init__(self, reader: Reader, rows: Rows, suite: str) -> None:
        self.reader = reader
        self.rows = rows
        self.suite = suite
        self.remarks = RemarkColumns(suite, rows, REMARKS)
        self.judgments = rows.tables["judgments"]
        self.runs = Gathered(rows.tables["runs"], _RUN, suite=suite)
        self.scores = Gathered(rows.tables["run_scores"], _SCORE)
        self.judged: dict[str, int] = {}
        """Path to the number of items judged in it."""
        self.tolerated: set[tuple[str, str]] = set()
        """File and code of what was read by tolerance and noted."""
        self._unread: dict[tuple[str, str | None], list[str]] = {}

    def node(self, path: str, value: Json, at: str = "") -> Node:
        """Return a value of a document as a node."""
        return Node(self.reader, path, value, at, self.suite)

    def count(self, path: str, judged: int) -> None:
        """Add to the number of items judged in a document."""
        self.judged[path] = self.judged.get(path, 0) + judged

    def warn(self, path: str, at: str, code: str, message: str, hint: str) -> None:
        """Note what is wrong in a document."""
        self.reader.problem(path, at, "warning", code, message, hint, self.suite)

    def tolerate(
        self, path: str, at: str, code: str, message: str, hint: str = HINTS["grading"]
    ) -> None:
        """Note what was read by tolerance, once a file and code."""
        if (path, code) not in self.tolerated:
            self.tolerated.add((path, code))
            self.reader.problem(path, at, "info", code, message, hint, self.suite)

    def unread_result(self, path: str, at: str, word: str | None) -> None:
        """Note at `flush` a verdict that is not known, or a number without a total where None."""
        self._unread.setdefault((path, word), []).append(at)

    def flush(self) -> None:
        """Add the rows of all runs and remarks, and note all verdicts, taken in so far."""
        for (path, word), places in self._unread.items():
            if word is None:
                code, what = "no-total", "A number that is no rate has no total"
                hint = "Write the total beside it, or a pass_rate from 0 to 1."
            else:
                code, what = "unknown-verdict", f"The verdict {word!r} is neither a pass nor a fail"
                hint = "Write passed: true or false, or a pass_rate from 0 to 1."
            times = f" ({len(places)} times in this file)" if len(places) > 1 else ""
            message = f"{what}{times}, so it counts as not scored."
            self.reader.problem(path, places[0], "warning", code, message, hint, self.suite)
        self._unread.clear()
        self.runs.flush()
        self.scores.flush()
        self.remarks.flush()


@dataclass(eq=False)
class Run:
    """One run while it is read: its place and case, who judged it, and its documents by path."""

    context: SuiteContext
    at: RunLocation
    case: Case
    judge: Judge = UNNAMED
    model: str | None = None
    grading: str | None = None
    structural: str | None = None
    timing: str | None = None
    outputs: str | None = None
    number: Any = None
    """The run number that its grading states."""
    counts: bool = True
    """Whether its judgments count; those of a second grading do not."""

    def __post_init__(self) -> None:
        self.id = run_id(self.context.suite, *self.key)
        self.by = self.judge.of_judgments
        """The judge that each judgment of an item names."""

    @property
    def key(self) -> tuple[str, str, str, str]:
        """Case, version, configuration and number."""
        return self.case.case_id, self.at.version, self.at.configuration, self.at.run

    @property
    def about(self) -> About:
        """The run as the remarks on it name it."""
        return About(self.id, self.case.case_id, self.at.version)

    def add_row(
        self,
        origin: str,
        status: str,
        used: Measured,
        source: str | None,
        pointer: str | None = None,
        *,
        scored: tuple[float | None, float | None, float | None] = (None, None, None),
        checks: tuple[int | None, int | None] = (None, None),
        passed: bool | None = None,
        gate_passed: bool | None = None,
    ) -> None:
        """Add its row; `origin` is what kind of document states it.

        `scored` are its score, the most that it could have and its share; `checks` are how many
        passed of how many.
        """
        at = self.at
        self.context.runs.add(
            (self.id, self.case.case_id, at.version, at.configuration, at.run,
             f"{at.version}/{at.configuration}", origin, status, passed, *scored, *checks,
             gate_passed, self.judge.name, self.judge.type, self.model, used.started, used.seconds,
             used.tokens, used.cost, self.outputs, source, pointer)
        )  # fmt: skip

    def add_score(
        self,
        score: float | None,
        max_score: float | None,
        judged: int,
        expected: int,
        passed: bool | None = None,
    ) -> None:
        """Add its score, for which so many of the expected judgments were there."""
        judge, kind, origin = self.judge.of_score
        self.context.scores.add(
            (self.id, judge, kind, score, max_score, passed, judged, expected, origin)
        )

    def add_judgment(
        self,
        by: Judge,
        kind: str,
        criterion: str,
        score: float | None,
        path: str,
        at: str,
        passed: bool | None = None,
        evidence: str | None = None,
    ) -> None:
        """Add the judgment of one criterion by a judge; without a score it was not scored."""
        low, high = (1.0, RUBRIC_MAX) if kind == "rubric" else (0.0, 1.0)
        fraction = None if score is None else score / high
        status = "superseded" if not self.counts else "unscored" if score is None else "scored"
        # A plain tuple in the order of `JudgmentRow`: by name it takes thrice the time.
        self.context.judgments.add(
            (self.id, kind, criterion, by.name, by.type, score, low, high, fraction, passed,
             None, None, None, status, None, path, at, None, evidence or None)
        )  # fmt: skip
