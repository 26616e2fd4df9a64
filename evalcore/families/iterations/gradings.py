"""One run's documents to rows: grading.json, structural.json and timing.json of a run folder."""

from typing import NamedTuple

from evalcore.disk.reader import MISSING
from evalcore.disk.values import Node
from evalcore.families.iterations.checks import read_items
from evalcore.families.iterations.remarks import add_remarks
from evalcore.families.iterations.rubric import read_rubric
from evalcore.families.iterations.runs import (
    NO_CHECKS,
    RUBRIC_MAX,
    Checks,
    Desk,
    Facts,
    Measured,
    Place,
    RunFiles,
    check_summary,
)
from evalcore.families.iterations.structural import Structure, read_structural
from evalcore.families.iterations.timing import read_timing
from evalcore.ids import run_id
from evalcore.tables.rows import RunRow, RunScoreRow


class _Found(NamedTuple):
    """All that the documents of one run tell."""

    checks: Checks
    structure: Structure
    mean: float | None
    dimensions: dict[str, float]
    used: Measured
    by_rubric: bool

    @property
    def score(self) -> tuple[float | None, float | None, float | None]:
        """Score, maximum and fraction of the run."""
        if self.by_rubric:
            fraction = None if self.mean is None else self.mean / RUBRIC_MAX
            return self.mean, RUBRIC_MAX, fraction
        if not self.checks.scored:
            return None, None, None
        return float(self.checks.passed), float(self.checks.scored), self.checks.rate

    @property
    def passed(self) -> bool | None:
        """False when the gate failed; nothing else decides about a run."""
        return False if self.structure.gate is False else None

    @property
    def status(self) -> str:
        """What became of the run."""
        if self.structure.blocked:
            return "not_run"
        return "gate_failed" if self.structure.gate is False else "completed"


def read_run(desk: Desk, place: Place, files: RunFiles) -> Facts:
    """Add the rows of one run and return its numbers."""
    at, case = place.at, place.case
    key = run_id(place.suite, case.case_id, at.version, at.configuration, at.run)
    doc = _document(desk, files)
    checks = read_items(desk, key, case, doc) if files.grading_path else NO_CHECKS
    structure = read_structural(desk, key, case, files.structural_path)
    mean, dimensions = read_rubric(desk, key, place, doc)
    by_rubric = place.rubric and bool(dimensions or case.dimensions or files.structural_path)
    used = read_timing(desk, files.timing_path, doc)
    found = _Found(checks, structure, mean, dimensions, used, by_rubric)
    _add_rows(desk, key, place, files, found)
    if files.grading_path:
        check_summary(doc, checks)
        add_remarks(desk.rows, key, place, doc)
    counted = (checks.passed, checks.scored) if checks.scored else (None, None)
    return Facts(
        at.version, at.configuration, case.case_id, key, checks.rate, structure.checks.rate,
        None if mean is None else mean / RUBRIC_MAX, used.seconds, used.tokens, dimensions,
        *counted,
    )  # fmt: skip


def _document(desk: Desk, files: RunFiles) -> Node:
    """Return the grading as an object; anything else is noted and read as an empty one."""
    path, value = files.grading_path, files.grading
    if path and value is not MISSING and not isinstance(value, dict):
        desk.node(path, value).wrong_here("an object")
    return desk.node(path or "", value if isinstance(value, dict) else {})


def _add_rows(desk: Desk, key: str, place: Place, files: RunFiles, found: _Found) -> None:
    at, used, structural = place.at, found.used, found.structure.checks
    score, top, fraction = found.score
    counted = structural if structural.scored else found.checks
    desk.rows.add(
        RunRow(key, place.suite, place.case.case_id, at.version, at.configuration, at.run,
               f"{at.version}/{at.configuration}", "grading", found.status, found.passed, score,
               top, fraction, counted.passed if counted.scored else None, counted.scored or None,
               None, found.structure.gate, None, place.judge, "llm", None, place.model,
               used.started, used.seconds, used.tokens, used.cost, files.outputs,
               files.grading_path or files.structural_path, "")
    )  # fmt: skip
    judged = len(found.dimensions) + found.checks.scored + structural.scored
    expected = max(len(place.case.dimensions), len(found.dimensions))
    expected += found.checks.all + structural.all
    desk.rows.add(
        RunScoreRow(key, place.judge, "llm", score, top, found.passed, judged, expected)
    )  # fmt: skip
