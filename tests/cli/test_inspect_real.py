"""Logs that Inspect itself wrote are read as it reads them, and it opens what is written for it.

The tests are skipped unless EVALCORE_INSPECT names a Python that has `inspect-ai`;
EVALCORE_INSPECT_LOGS may name a folder with further logs, such as those of its own tests.
"""

import json
import math
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

import evalcore.demo
from evalcore import open_workspace
from evalcore.counting.cells import typed
from evalcore.errors import UnknownName
from evalcore.tables.rows import JudgmentRow, RunRow
from tests.cli.conftest import Invoke

DEMO = Path(evalcore.demo.__file__).parent / "workspace"
PYTHON = os.environ.get("EVALCORE_INSPECT", "")
MORE = os.environ.get("EVALCORE_INSPECT_LOGS", "")
pytestmark = pytest.mark.skipif(
    not PYTHON, reason="no inspect-ai (EVALCORE_INSPECT names a Python that has it)"
)

MADE = '''
import sys
from inspect_ai import Task, eval
from inspect_ai.dataset import Sample
from inspect_ai.model import ModelOutput, ModelUsage, get_model
from inspect_ai.model._providers.mockllm import MockLLM
from inspect_ai.scorer import Score, accuracy, includes, mean, scorer
from inspect_ai.solver import generate, use_tools
from inspect_ai.tool import tool

async def counted(self, output, *given):  # counting tokens would ask the network
    output.usage = ModelUsage(input_tokens=10, output_tokens=3, total_tokens=13)
MockLLM._ensure_default_usage = counted

@tool
def add():
    async def execute(x: int, y: int) -> int:
        """Add two numbers.

        Args:
            x: first
            y: second
        """
        return x + y
    return execute

@scorer(metrics={"*": [mean()]})
def graded():
    async def score(state, target):
        n = len(state.output.completion)
        held = {"tone": n % 5, "ok": n % 2 == 0, "share": 0.25, "none": float("nan")}
        return Score(value=held, explanation="by length", answer=state.output.completion)
    return score

@scorer(metrics=[accuracy()])
def letters():
    async def score(state, target):
        return Score(value="CIPN"[len(str(state.sample_id)) % 4])
    return score

names = ["a", "bb", "ccc", "dddd", "a/b..c", 7]
samples = [Sample(id=name, input=f"Add {name}", target="sum") for name in names]
solver = [use_tools(add()), generate()]
task = Task(name="sums", dataset=samples, solver=solver, epochs=2,
            scorer=[includes(), graded(), letters()])
calls = [ModelOutput.for_tool_call("mockllm/model", "add", {"x": 1, "y": 2}),
         ModelOutput.from_content("mockllm/model", "The sum is 3")] * 30
model = get_model("mockllm/model", custom_outputs=calls, memoize=False)
folder = sys.argv[1]
eval(task, model=model, log_dir=folder + "/eval", display="none")
eval(task, model="mockllm/model", log_dir=folder + "/json", log_format="json", display="none")
eval(task, model="mockllm/model", log_dir=folder + "/limit", display="none", message_limit=1)
eval(task, model="mockllm/model", log_dir=folder + "/unscored", display="none", score=False)
'''

READ = """
import json, math, sys
from inspect_ai.log import read_eval_log
from inspect_ai.scorer import value_to_float

def flat(name, value):
    if isinstance(value, dict):
        return [(f"{name}/{key}", each) for key, each in value.items()]
    if isinstance(value, list):
        return [(f"{name}/{at}", each) for at, each in enumerate(value, 1)]
    return [(name, value)]

def number(value):
    missing = value is None or (isinstance(value, float) and math.isnan(value))
    return None if missing else value_to_float()(value)

found = {}
for path in sys.argv[1:]:
    log = read_eval_log(path)
    found[path] = {
        "task": log.eval.task,
        "samples": [[str(s.id), s.epoch, s.output.completion] for s in log.samples or []],
        "scores": [[str(s.id), s.epoch, key, number(value)]
                   for s in log.samples or [] for name, score in (s.scores or {}).items()
                   for key, value in flat(name, score.value)],
    }
print(json.dumps(found))
"""

SCORED = """
import json, sys
from inspect_ai import score
from inspect_ai.log import read_eval_log
from inspect_ai.scorer import mean, precomputed_scores, scorer

several = isinstance(json.load(open(sys.argv[2]))[0]["value"], dict)

@scorer(metrics={"*": [mean()]} if several else [mean()])
def human():
    return precomputed_scores(sys.argv[2], on_missing="unscored")

log = score(read_eval_log(sys.argv[1]), human(), action="append", display="none")
print(json.dumps([[str(s.id), s.epoch, s.scores["human"].value]
                  for s in log.samples if "human" in s.scores]))
"""


def inspect(code: str, *given: Path) -> Any:
    """What a program prints that has Inspect."""
    done = subprocess.run(
        [PYTHON, "-c", code, *map(str, given)], capture_output=True, text=True, check=True
    )
    printed = done.stdout.strip().rpartition("\n")[2]
    return json.loads(printed) if printed[:1] in ("{", "[") else None


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Logs of the mock model, in every form."""
    folder = tmp_path_factory.mktemp("logs")
    inspect(MADE, folder)
    return folder


def as_inspect_has_it(folder: Path) -> dict[str, Any]:
    """What evalcore reads of the one log in a folder, in the form of `READ`."""
    ws = open_workspace(folder, cache=False)
    assert [each for each in ws.problems if each.severity == "error"] == []
    runs = {run.run_id: run for run in typed(ws, "runs", RunRow, range(len(ws.tables.runs)))}
    judged = typed(ws, "judgments", JudgmentRow, range(len(ws.tables.judgments)))
    samples = []
    for run in runs.values():
        path, _, place = (run.outputs or "").partition("#")
        try:
            said = ws.raw(path, place)
        except UnknownName:
            said = ""
        samples.append([run.case_id, int(run.run or 0), said or ""])
    scores = [
        [runs[row.run_id].case_id, int(runs[row.run_id].run or 0), row.criterion, row.score]
        for row in judged
    ]
    return {"task": ws.tables.suites["name"][0], "samples": samples, "scores": scores}


def test_each_log_is_read_as_inspect_reads_it(made: Path, tmp_path: Path) -> None:
    """Samples, epochs, outputs and each value of each score, of all its own forms and versions."""
    paths = [path for root in (made, Path(MORE or made)) for path in root.rglob("*.*")]
    paths = sorted({path for path in paths if path.suffix in (".eval", ".json")})
    paths = [
        path for path in paths if '"eval"' in path.read_text("latin-1") or path.suffix != ".json"
    ]
    assert len(paths) >= 4
    for number, (name, truth) in enumerate(inspect(READ, *paths).items()):
        folder = tmp_path / str(number)
        folder.mkdir()
        shutil.copy(name, folder)
        found = as_inspect_has_it(folder)
        assert found["task"] == truth["task"], name
        assert sorted(found["samples"]) == sorted(truth["samples"]), name
        assert sorted(found["scores"], key=str) == sorted(truth["scores"], key=str), name


@pytest.mark.parametrize("suite", ["release-notes", "sql-helper", "invoice-extractor"])
def test_inspect_opens_what_is_written_for_it(invoke: Invoke, tmp_path: Path, suite: str) -> None:
    """A suite of any family: evalcore reads the same of it again."""
    out = tmp_path / "out"
    invoke("export", DEMO, "--to", "inspect", "--suite", suite, "--out", out)
    logs = sorted(out.glob("*.eval"))
    for number, (name, truth) in enumerate(inspect(READ, *logs).items()):
        folder = tmp_path / str(number)
        folder.mkdir()
        shutil.copy(name, folder)
        found = as_inspect_has_it(folder)
        assert truth["scores"]
        assert sorted(found["scores"], key=str) == sorted(truth["scores"], key=str)
        assert sorted(found["samples"]) == sorted(truth["samples"])


def test_inspect_takes_the_scores_of_people(invoke: Invoke, tmp_path: Path) -> None:
    """As a scorer that returns `precomputed_scores`: each is there as it was given."""
    out = tmp_path / "out"
    invoke("export", DEMO, "--to", "inspect", "--suite", "support-agent", "--out", out)
    files = sorted(out.glob("*_scores_*.json"))
    assert files
    for file in files:
        log = out / f"{file.name.partition('_scores_')[0]}.eval"
        given = json.loads(file.read_text())
        taken = {(each[0], each[1]): each[2] for each in inspect(SCORED, log, file)}
        for record in given:
            value, found = record["value"], taken[record["id"], record["epoch"]]
            if isinstance(value, dict):
                value = {name: each for name, each in value.items() if not math.isnan(each)}
                found = {name: each for name, each in found.items() if name in value}
            assert found == value
