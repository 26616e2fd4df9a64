"""A family from outside the package, registered by its one line, is read, checked and shown."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from evalcore import open_workspace
from evalcore.aggregates.propose import proposals
from evalcore.counting.outcomes import outcomes
from evalcore.errors import UnknownFamily
from evalcore.families import registry
from evalcore.judging.storing.judges import remember_judge
from evalcore.lint import check
from evalcore.views.run.evidence import evidence
from evalcore.views.run.remarks import stored_blocks
from tests.checklists import FAMILY
from tests.dashboard.live import write
from tests.reviewing import Reviews
from tests.views.panel_json import panel_json

Run = Callable[..., AppTest]
STEPS = ("Warm the pot", "Wait two minutes")
GREEN = "tea::green@v2/-#1"


@pytest.fixture
def registered(monkeypatch: pytest.MonkeyPatch) -> None:
    """Register the family: nothing else in evalcore is changed for it."""
    monkeypatch.setattr(registry, "FAMILIES", (*registry.FAMILIES, FAMILY))


@pytest.fixture
def tea(tmp_path: Path) -> Path:
    """Return a folder with one suite: two tasks in two rounds, the first of which failed once."""
    root = tmp_path / "kitchen"
    tasks = {name: {"ask": f"Make {name} tea.", "steps": STEPS} for name in ("green", "black")}
    write(root / "tea/checklist.json", {"tasks": tasks})
    for version, task, waited in (
        ("v1", "green", False),
        ("v1", "black", True),
        ("v2", "green", True),
        ("v2", "black", True),
    ):
        done = {STEPS[0]: True, STEPS[1]: waited}
        place = root / f"tea/rounds/{version}"
        write(place / f"{task}.json", {"task": task, "done": done, "share": 1})
    (root / "tea/rounds/v1/recipe").mkdir()
    (root / "tea/rounds/v1/recipe/recipe.txt").write_text("Boil.\n", "utf-8")
    (root / "tea/rounds/v2/recipe").mkdir()
    (root / "tea/rounds/v2/recipe/recipe.txt").write_text("Boil, and wait.\n", "utf-8")
    return root


def panels(app: AppTest) -> str:
    """Return all that the page's panels and sentences are given, as one text."""
    assert not app.exception
    given = [element.proto.json for element in app.get("bidi_component")]
    return "\n".join([*given, *(text.value for text in app.text)])


def test_its_documents_become_rows(registered: None, tea: Path) -> None:
    """A suite, its runs and their judgments; no file is left over and nothing is wrong."""
    ws = open_workspace(tea, cache=False)
    assert ws.tables.suites[["suite", "family"]].to_numpy().tolist() == [["tea", "checklists"]]
    assert ws.tables.runs["passed"].tolist() == [True, False, True, True]
    assert len(ws.tables.judgments) == 8
    assert (ws.unrecognised, ws.problems) == ([], [])
    assert "checklist.json." in registry.looked_for()


def test_the_check_knows_its_shapes_and_its_rules(registered: None, tea: Path) -> None:
    """A field of another type and a task without steps are named with their places."""
    assert check(open_workspace(tea, cache=False)) == []
    write(tea / "tea/checklist.json", {"tasks": {"green": {"ask": "Tea.", "steps": []}}})
    write(tea / "tea/rounds/v1/green.json", {"task": "green", "done": {"a": True}, "share": "all"})
    found = {(each.code, each.pointer) for each in check(open_workspace(tea, cache=False))}
    assert found == {("no-steps", "/tasks/green"), ("not-as-documented", "/share")}


def test_a_stray_document_of_it_is_named(registered: None, tea: Path) -> None:
    """What looks like one of its documents and lies elsewhere is told by its shape."""
    write(tea / "elsewhere/round.json", {"task": "green", "done": {}})
    assert open_workspace(tea, cache=False).unrecognised == ["elsewhere/round.json"]


def test_its_own_writer_proposes_its_aggregates(registered: None, tea: Path) -> None:
    """From the tables."""
    (found,) = proposals(open_workspace(tea, cache=False))
    assert (found.path, json.loads(found.data or b"")) == ("tea/tally.json", {"v1": 0.5, "v2": 1.0})


def test_its_values_stand_beside_those_that_a_file_states(registered: None, tea: Path) -> None:
    """The share that a round states is compared with the steps that are done."""
    ws = open_workspace(tea, cache=False)
    found = evidence(ws, "tea::green@v1/-#1")
    _, block = panel_json(stored_blocks(ws, found.run, found.items))
    assert block["facts"] == [["share", "stored 1, ours 0.5", True]]


def test_a_persons_scores_count_by_its_rule(registered: None, tea: Path) -> None:
    """The worst step makes the score."""
    reviews = Reviews(tea, "tea")
    for step, score in zip(STEPS, (5, 2), strict=True):
        reviews.judge(GREEN, f"assertion:{step}", score, scale=(1, 5))
    (row,) = open_workspace(tea, cache=False).tables.run_scores.to_dict("records")
    assert (row["run_id"], row["score"], row["max_score"], row["passed"]) == (GREEN, 2, 5, False)


@pytest.mark.parametrize(
    ("page", "query", "shown"),
    [
        ("overview", {}, "v2 passes more than v1: 100 % against 50 % on 2 cases"),
        ("gradings", {}, "Wait two minutes"),
        ("compare", {"a": "v1", "b": "v2", "tab": "texts"}, "1 file changed from A to B."),
        ("judge", {"run": GREEN}, "Make green tea."),
        ("data", {}, "checklists"),
    ],
)
def test_its_runs_are_on_every_page(
    registered: None, run: Run, tea: Path, page: str, query: dict[str, str], shown: str
) -> None:
    """Overview, Gradings, Compare, Judge and Data show what it has."""
    remember_judge("Ana", None)
    assert shown in panels(run(page, tea, suite="tea", **query))


def test_a_judge_is_asked_on_its_scale(registered: None, run: Run, tea: Path) -> None:
    """What its scores mean is shown beside them, where the documents give none."""
    remember_judge("Ana", None)
    write(tea / "tea/rounds/v2/green.json", {"task": "green", "done": {"Pour": True}})
    app = run("judge", tea, suite="tea", run=GREEN)
    assert "as the empress likes it" in panels(app)


def test_an_index_of_another_set_of_families_is_not_used(
    tea: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was stored with a family is read again without it, and its name is refused by then."""
    monkeypatch.setenv("EVALCORE_CACHE_DIR", str(tmp_path / "cache"))
    with monkeypatch.context() as patched:
        patched.setattr(registry, "FAMILIES", (*registry.FAMILIES, FAMILY))
        before = open_workspace(tea)
    with pytest.raises(UnknownFamily, match="'checklists'"):
        outcomes(before, "tea")
    assert open_workspace(tea).tables.suites.empty


def test_opening_loads_neither_rules_nor_writers() -> None:
    """They are imported when somebody checks or writes."""
    code = (
        "import sys, evalcore.workspace.opened\n"
        "sys.exit(any(name.rpartition('.')[2] in ('rules', 'aggregates', 'strict', 'proposal') "
        "for name in sys.modules if name.startswith('evalcore.')))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
