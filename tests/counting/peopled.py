"""Workspaces whose runs people judged beside the recorded judge."""

from pathlib import Path

from evalcore.tables.rows import JudgmentRow, Row, RunScoreRow
from evalcore.workspace.opened import Workspace
from tests import made

HEADLINES = {
    "improve": "share of runs passed",
    "records": "share of runs passed",
    "rubric": "overall efficiency",
    "descriptions": "pass_rate",
    "iterations": "pass_rate",
}


def opened(root: Path, *rows: Row, family: str = "improve") -> Workspace:
    """Return a workspace with one suite of a family, v0 and v1, and these rows."""
    suite = made.suite(family)._replace(headline=HEADLINES[family])
    return made.workspace(root, suite, made.version("v0", 0), made.version("v1", 1), *rows)


def of(
    run_id: str,
    judge: str,
    score: float | None,
    top: float,
    passed: bool | None = None,
    judged: int = 1,
    expected: int = 1,
) -> RunScoreRow:
    """Return what a person makes of a run; `adjudicated` is a judge too."""
    return made.row(
        RunScoreRow,
        run_id=run_id,
        judge=judge,
        judge_type="human",
        score=score,
        max_score=top,
        passed=passed,
        judged=judged,
        expected=expected,
        origin="review",
    )


def said(
    label: str, judge: str, score: float | None, run_id: str = "r1", **given: object
) -> JudgmentRow:
    """Return what a person says of one criterion of a run, from 1 to 5; 3 passes."""
    base: dict[str, object] = {
        "run_id": run_id,
        "judge": judge,
        "judge_type": "human",
        "score": score,
        "fraction": None if score is None else score / 5,
        "source": f"reviews/eval-judgment/{judge}-{run_id}-{label}.json",
        "pointer": "",
    }
    passed = None if score is None else score >= 3
    return made.judgment(label, passed, **{**base, **given})
