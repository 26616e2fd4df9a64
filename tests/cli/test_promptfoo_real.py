"""What promptfoo itself exports is read with the counts that promptfoo gives.

The tests are skipped unless EVALCORE_PROMPTFOO names the program `promptfoo`.
"""

import json
import os
import re
import subprocess
from collections import Counter
from pathlib import Path

import pytest

from evalcore import Workspace, open_workspace
from evalcore.counting.cells import typed
from evalcore.tables.rows import JudgmentRow, RunRow
from tests.cli.conftest import Invoke

PROGRAM = os.environ.get("EVALCORE_PROMPTFOO", "")
pytestmark = pytest.mark.skipif(
    not PROGRAM, reason="no promptfoo (EVALCORE_PROMPTFOO names the program)"
)

CONFIG = """
description: Capital answers
prompts:
  - {id: short, label: Short, raw: 'Name the capital: {{city}}'}
  - 'Please be so kind and name {{city}} as the capital of {{country}}.'
providers: [{id: echo, label: Echo A}, file://broken.js]
tests:
  - description: Paris is named
    vars: {city: Paris, country: France}
    assert:
      - {type: contains, value: '{{city}}', metric: Accuracy}
      - type: assert-set
        metric: Style
        threshold: 0.5
        assert:
          - {type: icontains, value: please, weight: 2}
          - {type: javascript, value: 'output.length < 60'}
      - type: max-score
  - vars: {city: Oslo, country: Norway}
    threshold: 0.6
    assert:
      - {type: equals, value: 'Name the capital: Oslo', weight: 3}
      - {type: javascript, value: 'output.length / 100', metric: Length}
  - vars: {city: [Rome, Lima], country: Italy}
    assert:
      - {type: llm-rubric, value: Names the capital, provider: 'file://judge.js'}
      - {type: contains, value: Rome}
      - {type: contains, value: Rome}
  - vars: {city: Bern, country: Switzerland}
"""
BROKEN = """module.exports = class { id() { return 'broken'; }
  async callApi(prompt) { return /Oslo/.test(prompt) ? {error: 'no <b>model</b>'}
    : {output: prompt.toUpperCase(), tokenUsage: {total: 30}, cost: 0.0021}; } };"""
JUDGE = """module.exports = class { id() { return 'judge'; } async callApi(prompt) {
  return {output: JSON.stringify({pass: !/Lima/.test(prompt), score: 0.5, reason: 'So.'})}; } };"""


def promptfoo(folder: Path, *arguments: str) -> str:
    """Run promptfoo with its store in the folder, and return what it said."""
    quiet = ("TELEMETRY", "UPDATE", "REMOTE_GENERATION")
    own = {f"PROMPTFOO_DISABLE_{name}": "1" for name in quiet}
    own |= {"PROMPTFOO_CONFIG_DIR": str(folder / "store"), "HOME": str(folder)}
    done = subprocess.run(
        [PROGRAM, *arguments],
        cwd=folder,
        env={**os.environ, **own},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    return done.stdout + done.stderr


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """A folder where promptfoo evaluated twice and wrote what it writes, and what it said."""
    folder = tmp_path_factory.mktemp("made")
    (folder / "promptfooconfig.yaml").write_text(CONFIG, encoding="utf-8")
    (folder / "broken.js").write_text(BROKEN, encoding="utf-8")
    (folder / "judge.js").write_text(JUDGE, encoding="utf-8")
    (folder / "out").mkdir()
    options = ("--repeat", "2", "--no-cache", "--no-progress-bar", "--no-table")
    said = promptfoo(folder, "eval", *options, "-o", "out/1.json", "-o", "out/1.jsonl")
    promptfoo(folder, "eval", *options, "-o", "out/2.json")
    return folder, said


def runs_of(ws: Workspace) -> list[RunRow]:
    return typed(ws, "runs", RunRow, range(len(ws.tables.runs)))


def ends(runs: list[RunRow]) -> list[int]:
    """How many passed, failed, and ended in an error."""
    found = Counter((run.status, run.passed) for run in runs)
    return [found["completed", True], found["completed", False], found["error", None]]


def test_the_counts_are_those_that_promptfoo_prints(made: tuple[Path, str]) -> None:
    """Of each evaluation; the lines of the first tell the same results and count nowhere."""
    folder, said = made
    ws = open_workspace(folder / "out", cache=False)
    printed = [int(number) for number in re.findall(r"(\d+) (?:passed|failed|errors?) \(", said)]
    runs = runs_of(ws)
    for name in ("1.json", "2.json"):
        assert ends([run for run in runs if run.source == name]) == printed
    assert sum(printed) == 40
    found = {(each.path, each.code) for each in ws.problems if each.severity != "info"}
    assert found == set()
    assert [each.path for each in ws.problems if each.code == "results-repeated"] == ["1.jsonl"]
    assert len(ws.tables.versions) == 2
    assert len(ws.tables.cases) == 5


def test_scores_verdicts_and_reasons_are_those_of_the_file(made: tuple[Path, str]) -> None:
    """Of each result by its id, and of each component result in its place."""
    folder, _ = made
    ws = open_workspace(folder / "out", cache=False)
    value = json.loads((folder / "out" / "1.json").read_text(encoding="utf-8"))
    runs = [run for run in runs_of(ws) if run.source == "1.json"]
    by_place = {run.pointer: run for run in runs}
    listed = value["results"]["results"]
    assert len(by_place) == len(listed)
    judgments = typed(ws, "judgments", JudgmentRow, range(len(ws.tables.judgments)))
    found = {(row.source, row.pointer): row for row in judgments}
    for at, result in enumerate(listed):
        run = by_place[f"/results/results/{at}"]
        if result["failureReason"] == 2:
            assert (run.status, run.score) == ("error", None)
            continue
        assert (run.passed, run.score) == (result["success"], result["score"])
        path, _, place = str(run.outputs).partition("#")
        assert ws.raw(path, place) == result["response"]["output"]
        for number, part in enumerate(result["gradingResult"].get("componentResults") or []):
            row = found["1.json", f"{run.pointer}/gradingResult/componentResults/{number}"]
            assert (row.passed, row.score, row.rationale) == (
                part["pass"],
                part["score"],
                part["reason"],
            )


def test_lines_alone_tell_the_same(made: tuple[Path, str], tmp_path: Path) -> None:
    """Without the file of version 3, lines give as many runs that ended so, in as many cases."""
    folder, _ = made
    both = []
    for name in ("1.json", "1.jsonl"):
        (tmp_path / name).mkdir()
        (tmp_path / name / name).write_bytes((folder / "out" / name).read_bytes())
        ws = open_workspace(tmp_path / name, cache=False)
        both.append((ends(runs_of(ws)), len(ws.tables.cases), len(ws.tables.judgments)))
    assert both[0] == both[1]


def test_what_is_written_is_taken_in_and_given_back(
    made: tuple[Path, str], tmp_path: Path, invoke: Invoke
) -> None:
    """promptfoo imports the runs with people's judgments, and exports them unchanged."""
    folder, _ = made
    told = invoke("export", folder / "out", "--to", "promptfoo", "--out", tmp_path / "out")
    assert told.exit_code == 0, told.output
    compared = ("success", "score", "failureReason", "response", "vars", "gradingResult", "error")
    for path in sorted((tmp_path / "out").iterdir()):
        value = json.loads(path.read_text(encoding="utf-8"))
        rated = {"type": "human", "metric": "Truth"}
        parts = value["results"]["results"][0]["gradingResult"]["componentResults"]
        parts.append({"pass": True, "score": 1, "reason": "Fine.", "assertion": rated})
        path.write_text(json.dumps(value), encoding="utf-8")
        assert "successfully imported" in promptfoo(tmp_path, "import", str(path))
        promptfoo(tmp_path, "export", "eval", value["evalId"], "-o", "back.json")
        back = json.loads((tmp_path / "back.json").read_text(encoding="utf-8"))["results"]
        for name in ("successes", "failures", "errors"):
            assert back["stats"][name] == value["results"]["stats"][name]
        both = [
            {
                (each["testIdx"], each["promptIdx"]): {name: each.get(name) for name in compared}
                for each in listed
            }
            for listed in (value["results"]["results"], back["results"])
        ]
        assert both[0] == both[1]
        (tmp_path / "back.json").unlink()
