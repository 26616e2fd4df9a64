"""The rows of a suite that another tool holds, in its logs, exports, results or tables."""

from collections.abc import Iterable
from typing import Any

from evalcore.families.base import Plan
from evalcore.families.scoring import Criterion
from evalcore.ids import run_id
from evalcore.tables.builder import Rows
from evalcore.tables.rows import (
    CriterionRow,
    DocumentRow,
    JudgmentRow,
    NoteRow,
    RunRow,
    SuiteRow,
)


class Suite:
    """Adds the rows of one suite as its files are read."""

    def __init__(self, plan: Plan, rows: Rows, name: str, headline: str) -> None:
        self.id = plan.suite
        self.add = rows.add
        self._family = plan.family
        self._known: set[tuple[str, ...]] = set()
        skill = None if plan.skill_path is None else plan.skill_path or "."
        self.add(SuiteRow(self.id, name, plan.family, plan.root or ".", skill, headline))

    def document(self, path: str, kind: str, records: int) -> None:
        """Add a file of the suite."""
        self.add(DocumentRow(path, self._family, kind, self.id, records))

    def is_new(self, *what: str) -> bool:
        """Return whether a case, or a criterion of one, is met for the first time."""
        is_new = what not in self._known
        self._known.add(what)
        return is_new

    def criterion(
        self, case_id: str, asked: Criterion, position: int, source: str | None, at: str | None
    ) -> None:
        """Add a criterion of a case."""
        kind, name, about, required, weight, low, high, mark, _, _ = asked
        row = CriterionRow(self.id, case_id, kind, name, about, required, None, weight, low, high)
        self.add(row._replace(pass_at=mark, position=position, source=source, pointer=at))

    def run(self, case_id: str, version: str, configuration: str, run: str) -> RunRow:
        """Return the row of a run, of which the rest is to be filled in."""
        place = case_id, version, configuration, run
        return RunRow(run_id(self.id, *place), self.id, *place, origin="log")

    def note(self, run: RunRow, text: str, at: str | None, **told: Any) -> None:
        """Add a note beside a run, from a place in its document."""
        note = NoteRow(self.id, run.run_id, run.version, "user_notes", None, text, run.source, at)
        self.add(note._replace(**told))


def judged(run: str | None, of: Criterion, score: float | None, **told: Any) -> JudgmentRow:
    """Return a judgment on the scale of its criterion, which without a score is unscored."""
    told.setdefault("status", "unscored" if score is None else "scored")
    told.setdefault("fraction", share(score, of.high))
    return JudgmentRow(
        run, of.kind, of.name, score=score, min_score=of.low, max_score=of.high, **told
    )


def share(score: float | None, high: float | None) -> float | None:
    """Return what a score is of the highest one, None below 0."""
    return None if score is None or not high or score < 0 else score / high


def checks(judgments: Iterable[JudgmentRow]) -> dict[str, Any]:
    """Return the columns of a run that count its verdicts, missing where it has none."""
    verdicts = [row.passed for row in judgments if row.passed is not None]
    passed, total = (sum(verdicts), len(verdicts)) if verdicts else (None, None)
    return {"checks_passed": passed, "checks_total": total}
