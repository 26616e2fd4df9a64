"""Runs of any suite are written as evaluations of promptfoo, which tell the same."""

from collections import Counter
from pathlib import Path

import evalcore.demo
from evalcore import Workspace, open_workspace
from evalcore.counting.cells import typed, where
from evalcore.tables.rows import JudgmentRow, RunRow, RunScoreRow
from tests.cli.conftest import Invoke
from tests.families.promptfoo_exports import component, export, grading, result, write

DEMO = Path(evalcore.demo.__file__).parent / "workspace"
COUNTED = ("completed", "gate_failed", "timeout", "refused", "length_cut")

Told = tuple[int, Counter[float], Counter[bool]]


def told(ws: Workspace, suite: str) -> Told:
    """How many runs do not count, the scores of the others, and whether people judged them."""
    runs = typed(ws, "runs", RunRow, where(ws, "runs", suite=suite))
    counted = {run.run_id: run for run in runs if run.status in COUNTED}
    scores = Counter(round(run.fraction, 9) for run in counted.values() if run.fraction is not None)
    judgments = typed(ws, "judgments", JudgmentRow, range(len(ws.tables.judgments)))
    by = Counter(
        row.judge_type == "human"
        for row in judgments
        if row.run_id in counted and row.status == "scored"
    )
    return len(runs) - len(counted), scores, by


def test_a_suite_of_any_family_comes_back(tmp_path: Path, invoke: Invoke) -> None:
    """As many runs with the same scores, and as many judgments by people and by others."""
    before = open_workspace(DEMO, cache=False)
    for at, suite in enumerate(before.tables.suites["suite"]):
        out = tmp_path / str(at)
        said = invoke("export", DEMO, "--suite", suite, "--to", "promptfoo", "--out", out)
        assert said.exit_code == 0, said.output
        after = open_workspace(out, cache=False)
        assert list(after.problems) == []
        (name,) = after.tables.suites["suite"]
        lost, scores, judged = told(before, suite)
        errors, shown, kept = told(after, name)
        assert (errors, kept) == (lost, judged), suite
        # A run that counts without a score of its own is one that failed.
        assert shown - scores == Counter({0.0: (shown - scores).total()}), suite
        assert not scores - shown, suite


def test_a_persons_judgment_names_who_and_of_what(tmp_path: Path, invoke: Invoke) -> None:
    """It comes back as that person's, of that criterion, and decides nothing."""
    held = component("human", False, metric="Truth", reason="Wrong.", metadata={"judge": "ana"})
    checked = grading(component(metric="Truth"), held)
    write(tmp_path / "a" / "r.json", export(result(gradingResult=checked)))
    said = invoke("export", tmp_path / "a", "--to", "promptfoo", "--out", tmp_path / "b")
    assert said.exit_code == 0, said.output
    for folder in ("a", "b"):
        ws = open_workspace(tmp_path / folder, cache=False)
        rows = typed(ws, "judgments", JudgmentRow, range(len(ws.tables.judgments)))
        found = [(row.criterion, row.judge_type, row.judge, row.passed) for row in rows]
        assert found == [("Truth", "heuristic", None, True), ("Truth", "human", "ana", False)]
        (run,) = typed(ws, "runs", RunRow, range(1))
        assert (run.passed, run.checks_passed, run.checks_total) == (True, 1, 1)
        assert typed(ws, "run_scores", RunScoreRow, range(len(ws.tables.run_scores))) == []


def test_scores_without_a_verdict_have_none_there(tmp_path: Path, invoke: Invoke) -> None:
    """To promptfoo they only measure, and each repeat is a test of its own."""
    held = [result(n, namedScores={"depth": 0.7}, gradingResult=None) for n in range(2)]
    write(tmp_path / "a" / "r.json", export(*held))
    said = invoke("export", tmp_path / "a", "--to", "promptfoo", "--out", tmp_path / "b")
    assert said.exit_code == 0, said.output
    ws = open_workspace(tmp_path / "b", cache=False)
    rows = typed(ws, "judgments", JudgmentRow, range(len(ws.tables.judgments)))
    assert [(row.criterion, row.fraction, row.passed) for row in rows] == [("depth", 0.7, None)] * 2
    (path,) = (tmp_path / "b").iterdir()
    assert [ws.raw(path.name, f"/results/results/{at}/testIdx") for at in (0, 1)] == [0, 1]


def test_nothing_is_replaced(tmp_path: Path, invoke: Invoke) -> None:
    """A second export into the same folder is refused, and the first one stays as it is."""
    write(tmp_path / "a" / "r.json", export(result()))
    command = ("export", tmp_path / "a", "--to", "promptfoo", "--out", tmp_path / "b")
    assert invoke(*command).exit_code == 0
    (path,) = (tmp_path / "b").iterdir()
    first = path.read_bytes()
    assert invoke(*command).exit_code != 0
    assert path.read_bytes() == first
