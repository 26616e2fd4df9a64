"""`evalcore export`: the runs of any suite, and people's scores, as another tool has them."""

import json
from pathlib import Path
from zipfile import ZipFile

import pytest

import evalcore.demo
from evalcore import open_workspace
from evalcore.counting.cells import typed
from evalcore.tables.rows import JudgmentRow, RunRow
from tests.cli.conftest import Invoke
from tests.families.inspect_logs import entries, sample, write_eval
from tests.reviewing import Reviews

DEMO = Path(evalcore.demo.__file__).parent / "workspace"


def judged(folder: Path, suite: str) -> list[tuple[str, str, str, float]]:
    """What counts of a suite: case, run, criterion and score, without what people said."""
    ws = open_workspace(folder, cache=False)
    found = typed(ws, "runs", RunRow, range(len(ws.tables.runs)))
    runs = {run.run_id: run for run in found if run.suite == suite}
    rows = typed(ws, "judgments", JudgmentRow, range(len(ws.tables.judgments)))
    return sorted(
        (
            str(runs[row.run_id].case_id),
            str(runs[row.run_id].run),
            str(row.criterion),
            float(row.score or 0),
        )
        for row in rows
        if row.run_id in runs and row.judge_type != "human" and row.status == "scored"
    )


def test_a_suite_written_as_logs_of_inspect_is_the_same_suite(
    invoke: Invoke, tmp_path: Path
) -> None:
    """Each version and configuration is a log; cases, runs and scores come back."""
    out = tmp_path / "out"
    said = invoke("export", DEMO, "--to", "inspect", "--suite", "release-notes", "--out", out)
    assert said.exit_code == 0
    assert "86 runs of release-notes in 4 files" in said.stdout
    assert "inspect view" in said.stdout
    assert judged(out, "release-notes") == judged(DEMO, "release-notes")
    ws = open_workspace(out, cache=False)
    assert {each.code for each in ws.problems} == set()
    assert list(ws.tables.versions["description"]) == ["v0", "v1", "v2", "v3"]


def test_what_people_scored_is_a_file_for_each_of_them(invoke: Invoke, tmp_path: Path) -> None:
    """A record names sample and epoch; of several criteria those not scored are NaN."""
    out = tmp_path / "out"
    invoke("export", DEMO, "--to", "inspect", "--suite", "support-agent", "--out", out)
    # Runs have ids of their own there, which are numbered as epochs.
    scored = [
        sorted(
            (case, criterion, score) for case, _, criterion, score in judged(root, "support-agent")
        )
        for root in (out, DEMO)
    ]
    assert scored[0] == scored[1]
    files = sorted(out.glob("*_scores_*.json"))
    assert files
    for file in files:
        with ZipFile(out / f"{file.name.partition('_scores_')[0]}.eval") as log:
            listed = json.loads(log.read("summaries.json"))
        known = {(each["id"], each["epoch"]) for each in listed}
        records = json.loads(file.read_text())
        assert {(each["id"], each["epoch"]) for each in records} <= known
        assert len({isinstance(each["value"], dict) for each in records}) == 1
        assert (
            len({tuple(each["value"]) for each in records if isinstance(each["value"], dict)}) < 2
        )


@pytest.mark.parametrize(
    ("to", "why"), [("nothing", "There is no format"), ("improve", "There is no format")]
)
def test_only_what_can_be_written_is(invoke: Invoke, tmp_path: Path, to: str, why: str) -> None:
    """A name of no family, or of one that writes no others, is refused, and nothing is made."""
    out = tmp_path / "out"
    said = invoke("export", DEMO, "--to", to, "--suite", "release-notes", "--out", out)
    assert said.exit_code == 2
    assert why in said.stderr
    assert not out.exists()


def test_no_file_is_replaced(invoke: Invoke, tmp_path: Path) -> None:
    """A second export to the same folder is refused, and the first stays as it was."""
    out = tmp_path / "out"
    given = ("export", DEMO, "--to", "inspect", "--suite", "release-notes", "--out", out)
    invoke(*given)
    before = {path: path.read_bytes() for path in out.iterdir()}
    said = invoke(*given)
    assert said.exit_code == 2
    assert "exists already" in said.stderr
    assert {path: path.read_bytes() for path in out.iterdir()} == before


def test_what_a_person_says_of_a_log_comes_back_for_inspect(invoke: Invoke, tmp_path: Path) -> None:
    """The judgment is a record beside the log, counts as any other, and the log stays as it is."""
    log = write_eval(tmp_path / "w" / "logs" / "a.eval", entries(sample("a"), sample("b")))
    before = log.read_bytes()
    run = "logs/sums::a@2026-01-02 03%3A04%3A05/acme%2Flarge#1"
    Reviews(tmp_path / "w", "logs").judge(run, "expectation:match", 0)
    ws = open_workspace(tmp_path / "w", cache=False)
    rows = typed(ws, "judgments", JudgmentRow, range(len(ws.tables.judgments)))
    said = [(row.run_id, row.score, row.status) for row in rows if row.judge_type == "human"]
    assert said == [(run, 0.0, "scored")]
    out = tmp_path / "out"
    assert invoke("export", tmp_path / "w", "--to", "inspect", "--out", out).exit_code == 0
    (file,) = out.glob("*_scores_ana-1-*.json")
    records = json.loads(file.read_text())
    assert [(each["id"], each["epoch"], each["value"]) for each in records] == [("a", 1, 0.0)]
    assert log.read_bytes() == before
