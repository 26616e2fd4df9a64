"""`evalcore benchmark`: what it prints, what it writes, and how it ends."""

import json
import shlex
import sys
from pathlib import Path

import pytest

from evalcore.judging.answering.independent import Judges, chosen, start_batch
from evalcore.judging.model import Judge
from evalcore.judging.storing.judges import remember_judge
from evalcore.workspace.opened import open_workspace
from tests.cli.conftest import Invoke
from tests.judging.copies import SUPPORT, copied
from tests.memory.benchmarked import written

pytestmark = pytest.mark.usefixtures("worked_here")

CREATE = ("create", "--dimension", "quality", "--cases", "case-0", "--cases", "case-1")


def benchmark(invoke: Invoke, root: Path, *arguments: str) -> tuple[int, str, str]:
    """Run `evalcore benchmark`; the first argument is its command."""
    done = invoke("benchmark", arguments[0], root, *arguments[1:])
    return done.exit_code, done.stdout, done.stderr


def test_a_drop_ends_with_one_and_is_told_at_once(invoke: Invoke, tmp_path: Path) -> None:
    """With both figures, what newly fails, and what was written."""
    root = tmp_path / "folder"
    written(root, "pp", "pf")
    created = benchmark(invoke, root, *CREATE, "Weekly")
    assert created[:2] == (0, created[1])
    assert created[1].startswith("Created the benchmark 'Weekly' of 2 cases: notes-workspace/")
    code, said, _ = benchmark(invoke, root, "run", "Weekly", "--version", "v0")
    assert code == 0
    assert "Weekly of v0: 100 % passed, score 1.00" in said
    code, said, _ = benchmark(invoke, root, "run", "Weekly")
    assert code == 1
    assert "Weekly fell from 100 % to 50 % in v1 (50 points)." in said
    assert "1 run newly fails." in said
    assert "5 follow-up records written." in said
    code, said, wrong = benchmark(invoke, root, "run", "Weekly")
    assert (code, said) == (2, "")
    assert "used already, for the benchmark run" in wrong


def test_an_older_version_that_runs_later_ends_with_zero(invoke: Invoke, tmp_path: Path) -> None:
    """It is said why its lower rate is no regression."""
    root = tmp_path / "folder"
    written(root, "pf", "pp")
    benchmark(invoke, root, *CREATE, "Weekly")
    benchmark(invoke, root, "run", "Weekly", "--version", "v1")
    code, said, _ = benchmark(invoke, root, "run", "Weekly", "--version", "v0")
    assert code == 0
    assert "v0 is earlier than v1, so this is no regression." in said
    assert "fell" not in said


def test_a_document_has_the_figures_and_what_was_written(invoke: Invoke, tmp_path: Path) -> None:
    """Following up again writes nothing, and tells the same."""
    root = tmp_path / "folder"
    written(root, "pp", "pf")
    benchmark(invoke, root, *CREATE, "Weekly")
    benchmark(invoke, root, "run", "Weekly", "--version", "v0")
    _, said, _ = benchmark(invoke, root, "run", "Weekly", "--json", "--triggered-by", "cron")
    found = json.loads(said)
    assert (found["level"], found["points"], found["certainty"]) == (
        "critical",
        0.5,
        "could be noise",
    )
    assert found["newlyFailing"] == ["notes::case-1@v1/-#1"]
    assert len(found["written"]) == 5
    code, said, _ = benchmark(invoke, root, "follow-up", found["benchmarkRun"], "--json")
    assert (code, json.loads(said)) == (1, {**found, "written": []})
    _, said, _ = benchmark(invoke, root, "show", "Weekly", "--json")
    shown = json.loads(said)
    assert [run["triggeredBy"] for run in shown["runs"]] == ["cron", "terminal"]
    assert shown["dropped"]


def test_benchmarks_are_listed(invoke: Invoke, tmp_path: Path) -> None:
    """With their last run and direction; retired ones too, and where there is none it is said."""
    ws = copied(tmp_path / "folder", SUPPORT)
    code, said, _ = benchmark(invoke, ws.root, "list")
    first, second = said.splitlines()
    assert code == 0
    assert first.startswith("Reply quality, weekly (reply quality; active): 5 cases")
    assert "improving over 5 runs" in first
    assert "too early (2 runs)" in second
    benchmark(invoke, ws.root, "retire", "Routing accuracy")
    assert "(routing accuracy; retired)" in benchmark(invoke, ws.root, "list")[1]
    written(tmp_path / "none", "p")
    said = benchmark(invoke, tmp_path / "none", "list")[1]
    assert said == "There is no benchmark here; `evalcore benchmark create` makes one.\n"


def test_all_cases_are_those_of_a_benchmark_without_any_named(
    invoke: Invoke, tmp_path: Path
) -> None:
    """And the judge of this machine is its owner and author."""
    root = tmp_path / "folder"
    written(root, "pp")
    ana = remember_judge("Ana", None)
    benchmark(invoke, root, "create", "All", "--dimension", "quality")
    shown = json.loads(benchmark(invoke, root, "show", "All", "--json")[1])
    assert (len(shown["cases"]), shown["owner"], shown["lastRun"]) == (8, ana.id, None)


def test_new_runs_of_a_benchmark_end_with_one_where_it_fell(
    invoke: Invoke, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The terminal says so at once; a judge with hidden runs is not told how far."""
    monkeypatch.setenv("EVALCORE_CONFIG_DIR", str(tmp_path / "config"))
    root = tmp_path / "folder"
    for name, words in (("good", "done"), ("bad", "nothing")):
        line = json.dumps([sys.executable, "-I", "-c", f"print({words!r})"])
        write(tmp_path / "config/executors.toml", f"[{name}]\ncommand = {line}\n")
    write(root / "writer/SKILL.md", "---\nname: writer\ndescription: Use when\n---\nWrite.\n")
    case = {"id": 1, "prompt": "Go.", "expected_output": "", "expectations": ['contains "done"']}
    write(root / "writer/evals/evals.json", json.dumps({"skill_name": "writer", "evals": [case]}))
    run = ("run", root, "--configuration", "with_skill", "--executor")
    assert invoke(*run, "good").exit_code == 0
    assert benchmark(invoke, root, "create", "Weekly", "--dimension", "quality")[0] == 0
    done = invoke(*run, "good", "--benchmark", "Weekly")
    assert done.exit_code == 0
    assert "Benchmark run of iteration-" in done.stdout
    told = tmp_path / "told.json"
    write(tmp_path / "tell.py", f"import sys; open({str(told)!r}, 'w').write(sys.stdin.read())")
    words = shlex.join([sys.executable, "-I", str(tmp_path / "tell.py")])
    tell = ("--on-regression", words)
    done = invoke(*run, "bad", "--benchmark", "Weekly", "--triggered-by", "cron", *tell)
    assert done.exit_code == 1
    assert json.loads(told.read_text("utf-8"))["fields"]["subject"] == "benchmark-regression"
    assert "Regression: The pass rate of Weekly fell from 100.0 % to 0.0 %" in done.stdout
    shown = json.loads(benchmark(invoke, root, "show", "Weekly", "--json")[1])
    assert [each["triggeredBy"] for each in shown["runs"]] == ["cron", "terminal"]
    ana = remember_judge("Ana", None)
    ws = open_workspace(root)
    last = (str(ws.tables.runs["run_id"].iloc[-1]),)
    start_batch(ws, chosen(last, 9), Judges((ana.id,)), Judge("ben-1", "Ben"))
    assert "Regression" not in invoke("runs", root).stdout


def write(path: Path, text: str) -> None:
    """Add a text to a file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a", encoding="utf-8") as file:
        file.write(text)


def test_what_is_hidden_from_the_judge_is_not_run(invoke: Invoke, tmp_path: Path) -> None:
    """The figures would tell how runs ended that are to be judged independently."""
    root = tmp_path / "folder"
    ws = written(root, "pp", "pf")
    ana = remember_judge("Ana", None)
    benchmark(invoke, root, *CREATE, "Weekly")
    runs = ("notes::case-1@v1/-#1",)
    start_batch(ws, chosen(runs, 9), Judges((ana.id,)), Judge("ben-1", "Ben"))
    code, said, wrong = benchmark(invoke, root, "run", "Weekly", "--version", "v1")
    assert (code, said) == (2, "")
    assert "hidden from you until you have judged them" in wrong
    assert not list(root.rglob("benchmark-run"))
