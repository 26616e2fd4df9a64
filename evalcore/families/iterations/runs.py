"""What a run's documents are read with, and the numbers that they give."""

from datetime import datetime
from typing import Final, NamedTuple

from evalcore.disk.reader import Json, Reader
from evalcore.disk.values import Node
from evalcore.families.iterations.cases import Case
from evalcore.layouts.iterations import RunPlace
from evalcore.numbers import disagrees
from evalcore.tables.builder import Rows

RUBRIC_MAX: Final = 5.0
WHOLE: Final = ("passed", "failed", "total")


class Place(NamedTuple):
    """A run with everything around it that its rows need."""

    suite: str
    at: RunPlace
    case: Case
    judge: str | None
    rubric: bool
    model: str | None


class RunFiles(NamedTuple):
    """The documents of one run: paths, and the value of its grading (None: it has none)."""

    grading: Json
    grading_path: str | None
    structural_path: str | None
    timing_path: str | None
    outputs: str | None


class Measured(NamedTuple):
    """Time, tokens and money of one run; None is not measured."""

    seconds: float | None
    tokens: float | None
    cost: float | None
    started: datetime | None


class Facts(NamedTuple):
    """The numbers of one run that aggregates are made of."""

    version: str
    configuration: str
    case_id: str
    run_id: str
    pass_rate: float | None
    structural_rate: float | None
    normalized: float | None
    seconds: float | None
    tokens: float | None
    dimensions: dict[str, float]
    passed: int | None
    total: int | None


class Checks(NamedTuple):
    """How many of a list of pass/fail items passed; `unscored` ones have no verdict."""

    passed: int
    scored: int
    unscored: int

    @property
    def rate(self) -> float | None:
        """The share of scored items that passed."""
        return self.passed / self.scored if self.scored else None

    @property
    def all(self) -> int:
        """How many items there are, with or without a verdict."""
        return self.scored + self.unscored


NO_CHECKS: Final = Checks(0, 0, 0)


class Desk:
    """What every reader of one suite works with."""

    def __init__(self, reader: Reader, rows: Rows, suite: str) -> None:
        self.reader = reader
        self.rows = rows
        self.suite = suite
        self.add_judgment = rows.tables["judgments"].add
        self.judged: dict[str, int] = {}
        """Path to the number of items judged in it."""

    def node(self, path: str, value: Json, at: str = "") -> Node:
        """Return a value of a document as a node."""
        return Node(self.reader, path, value, at, self.suite)

    def count(self, path: str, judged: int) -> None:
        """Add to the number of items judged in a document."""
        self.judged[path] = self.judged.get(path, 0) + judged


def check_summary(doc: Node, checks: Checks) -> None:
    """Compare a stored summary with its own list."""
    summary = doc.get("summary")
    if type(summary) is not dict or not checks.scored:
        return
    total, rate = checks.all, checks.passed / checks.all
    told = tuple(summary.get(key) for key in ("passed", "total", "failed", "pass_rate"))
    if told == (checks.passed, total, total - checks.passed, rate):
        return
    node = doc.child("summary")
    compare(node, "passed", float(checks.passed))
    compare(node, "failed", float(total - checks.passed))
    compare(node, "total", float(total))
    compare(node, "pass_rate", rate)


def compare(node: Node, key: str, computed: float) -> None:
    """Note a stored number that its parts do not give."""
    stored = node.number(key)
    if stored is None:
        return
    if (stored != computed) if key in WHOLE else disagrees(stored, computed):
        node.note(
            "warning",
            "derived-mismatch",
            f"{key} is {stored:g}, its parts give {computed:.6g}.",
            f"Recompute {key}.",
            key,
        )
