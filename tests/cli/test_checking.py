"""`evalcore check`: the document for programs, the page for people."""

import json
import shutil
from pathlib import Path
from textwrap import indent
from typing import Any

import pytest

from evalcore import open_workspace
from evalcore.demo import minimal_folder
from evalcore.judging.asking.asked import asked
from evalcore.lint import check
from evalcore.problems import RANKS
from evalcore.views.data.problems import matching, problem_count
from evalcore.views.data.state import data_view
from evalcore.views.first_screen import BEGIN
from evalcore.views.first_screen import DEMO as SHOWN_FIRST
from evalcore.views.overview.sentences import facts, rate_sentence
from evalcore.views.overview.summary import overview, suite_lines
from evalcore.views.problems import problems_of
from tests.cli.command import SEEDS, evalcore
from tests.cli.conftest import Invoke
from tests.judging.copies import answers, judged, taken
from tests.reviewing import Reviews
from tests.workspace.trees import FAMILIES

DEMO = Path(__file__).parents[2] / "evalcore/demo/workspace"
RUN = "letters-workspace/iteration-1/case-0/with_skill"


def document(invoke: Invoke, path: Path) -> dict[str, Any]:
    """Return what `check --json` prints, which is one JSON document."""
    value = json.loads(invoke("check", path, "--json").stdout)
    assert isinstance(value, dict)
    return value


@pytest.mark.parametrize("name", FAMILIES)
def test_the_examples_of_each_family_pass(invoke: Invoke, name: str) -> None:
    """They end with 0: warnings and notes are no reason to fail."""
    done = invoke("check", SEEDS / name)
    assert done.exit_code == 0
    assert "0 errors" in done.stdout.splitlines()[-1]


def test_the_document_has_exactly_the_documented_fields(invoke: Invoke) -> None:
    """At the top, and in each kind of entry."""
    value = document(invoke, SEEDS / "rubric")
    assert list(value) == ["root", "suites", "documents", "problems", "unrecognised"]
    assert value["root"] == str(SEEDS / "rubric")
    expected = {
        "suites": {
            "suite",
            "name",
            "family",
            "cases",
            "versions",
            "runs",
            "judgments",
            "comparisons",
            "waiting",
        },
        "documents": {"path", "family", "kind", "suite", "records"},
        "problems": {"path", "pointer", "severity", "code", "message", "hint"},
    }
    for part, fields in expected.items():
        assert value[part], f"no {part} in the example"
        assert all(set(entry) == fields for entry in value[part])


@pytest.mark.parametrize("name", FAMILIES)
def test_counts_are_those_of_the_tables(invoke: Invoke, name: str) -> None:
    """Suite by suite, and judged items are those that figures are made of."""
    tables = open_workspace(SEEDS / name, cache=False).tables
    suites = document(invoke, SEEDS / name)["suites"]
    for field, table in (
        ("cases", tables.cases),
        ("versions", tables.versions),
        ("runs", tables.runs),
        ("judgments", tables.counted()),
        ("comparisons", tables.comparisons),
    ):
        assert sum(suite[field] for suite in suites) == len(table), field


def test_conventions_are_no_judged_items(invoke: Invoke) -> None:
    """The example of the family that has them judges fewer items than it has judgments."""
    tables = open_workspace(SEEDS / "improve", cache=False).tables
    (suite,) = document(invoke, SEEDS / "improve")["suites"]
    assert 0 < suite["judgments"] < len(tables.judgments)


def test_what_people_said_beside_the_gradings_adds_no_judgment(
    invoke: Invoke, tmp_path: Path
) -> None:
    """Its record is a document of its own."""
    root = tmp_path / "workspace"
    shutil.copytree(SEEDS / "iterations", root)
    ws = open_workspace(root, cache=False)
    run = str(ws.tables.runs["run_id"].iloc[0])
    (place,) = ws.tables.suites["root"]
    before = document(invoke, root)
    Reviews(root, place).judge(run, asked(ws, run)[0].key, 1)
    after = document(invoke, root)
    assert after["suites"] == before["suites"]
    assert len(after["documents"]) == len(before["documents"]) + 1


def test_an_error_ends_with_one_and_hides_nothing(invoke: Invoke, tmp_path: Path) -> None:
    """A broken file is one problem; the other runs are counted as before."""
    root = tmp_path / "workspace"
    shutil.copytree(SEEDS / "iterations", root)
    before = document(invoke, root)["suites"][0]["runs"]
    (broken,) = root.glob("**/without_skill/run-1/grading.json")
    broken.write_text('{"expectations": [')
    done = invoke("check", root, "--json")
    value = json.loads(done.stdout)
    assert done.exit_code == 1
    assert [p["path"] for p in value["problems"] if p["severity"] == "error"] == [
        broken.relative_to(root).as_posix()
    ]
    assert value["suites"][0]["runs"] >= before - 1


def test_files_that_could_not_be_placed_are_listed(invoke: Invoke, tmp_path: Path) -> None:
    """They look like evaluations and lie where none is expected."""
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "old.json").write_text('{"eval_id": 1, "assertions": []}')
    assert document(invoke, tmp_path)["unrecognised"] == ["notes/old.json"]


def test_a_regression_is_printed_and_is_no_error(invoke: Invoke, tmp_path: Path) -> None:
    """The demo's newest benchmark run of one suite dropped: both figures, and what newly fails."""
    shutil.copytree(DEMO / "sql-helper", tmp_path / "sql-helper")
    done = invoke("check", tmp_path)
    (line,) = (line for line in done.stdout.splitlines() if "fell from" in line)
    fell = "sql-helper fell from 100 % to 90 % (10.4 points) at e4470b9d"
    assert f"{fell}; 2 newly failing runs." in line
    assert done.exit_code == 0
    benchmark = tmp_path / "sql-helper/eval/benchmark.json"
    value = json.loads(benchmark.read_text())
    value["entries"] = value["entries"][:3]
    benchmark.write_text(json.dumps(value))
    assert "Regressions" not in invoke("check", tmp_path).stdout


def test_an_empty_folder_says_what_to_do(invoke: Invoke, tmp_path: Path) -> None:
    """As its first page does, and it is no error."""
    folder = tmp_path / "empty"
    folder.mkdir()
    done = invoke("check", folder)
    assert done.exit_code == 0
    first = f"{BEGIN} evalcore init SKILL"
    assert (
        f"{folder} is empty.\n{SHOWN_FIRST}\n{first}\nThis is enough to begin with:\n"
        in done.stdout
    )
    assert indent(minimal_folder(), "  ") in done.stdout
    assert done.stdout.splitlines()[-1] == (
        "0 suites, 0 runs, 0 judged items; 0 errors, 0 warnings, 0 notes"
    )


def test_problems_of_one_kind_are_grouped(invoke: Invoke, tmp_path: Path) -> None:
    """The number, the first places with pointer and message, how many more, and the hint once."""
    for number in range(7):
        folder = tmp_path / f"letters-workspace/iteration-1/case-{number}/with_skill"
        folder.mkdir(parents=True)
        (folder / "grading.json").write_text('{"expectations": [{"text": "a"}]}')
    lines = invoke("check", tmp_path).stdout.splitlines()
    start = next(i for i, line in enumerate(lines) if line.split() == ["no-verdict", "7", "places"])
    assert lines[start + 1].startswith(
        "    letters-workspace/iteration-1/case-0/with_skill/grading.json#/expectations/0  "
    )
    assert lines[start + 4] == "    and 4 more (all with --json)"
    assert lines[start + 5].startswith("    → ")
    assert lines[-1] == "1 suite, 7 runs, 0 judged items; 0 errors, 1 warning, 0 notes"
    assert len(document(invoke, tmp_path)["problems"]) >= 7


def test_suites_that_never_ran_come_last(invoke: Invoke, tmp_path: Path) -> None:
    """They are no result; the others stand in the order in which they were found."""
    shutil.copytree(SEEDS / "iterations", tmp_path / "z")
    expected = [{"criterion": "tabs", "description": "There are tabs", "required": True}]
    case = {"id": "tabs", "prompt": "Draw tabs", "files": [], "expectations": expected}
    (tmp_path / "a/evals").mkdir(parents=True)
    (tmp_path / "a/evals/evals.json").write_text(
        json.dumps({"version": "1", "skill": "a", "cases": [case]})
    )
    runs = [suite["runs"] for suite in document(invoke, tmp_path)["suites"]]
    assert [number > 0 for number in runs] == [True, False]


def test_a_pipe_gets_text_only(tmp_path: Path) -> None:
    """No colours, no progress, nothing on stderr."""
    done = evalcore("check", SEEDS / "rubric", home=tmp_path)
    assert done.returncode == 0
    assert "\x1b" not in done.stdout
    assert done.stderr == ""


def test_json_is_one_document_and_nothing_else(tmp_path: Path) -> None:
    """Also where a program forces colours; what is not ASCII is escaped."""
    done = evalcore("check", SEEDS / "rubric", "--json", home=tmp_path, FORCE_COLOR="1")
    value, end = json.JSONDecoder().raw_decode(done.stdout)
    assert done.stdout[end:] == "\n"
    assert value["suites"][0]["family"] == "rubric"
    assert done.stdout.isascii()
    assert done.stderr == ""


@pytest.mark.parametrize("form", [[], ["--json"]])
def test_hostile_names_and_texts_do_not_reach_the_terminal(tmp_path: Path, form: list[str]) -> None:
    """Escape sequences and markup in folder names, keys and values are only shown."""
    folder = tmp_path / "evil\x1b[31m[bold]-workspace" / "iteration-1" / "case" / "with_skill"
    folder.mkdir(parents=True)
    key = "\\u001b]0;owned\\u0007[link=https://example.org]x"
    item = '{"text": "a", "passed": "\\u001b[2J\\u202e"}'
    (folder / "grading.json").write_text(
        f'{{"expectations": [{item}], "rubric_scores": {{"{key}": 9}}}}'
    )
    done = evalcore("check", tmp_path, *form, home=tmp_path)
    assert "Traceback" not in done.stderr
    assert {char for char in done.stdout if ord(char) < 32} <= {"\n"}
    assert "\u202e" not in done.stdout
    assert "[bold]" in done.stdout
    assert "[link=https://example.org]" in done.stdout


def test_a_terminal_without_the_characters_gets_escapes(tmp_path: Path) -> None:
    """An encoding that lacks an arrow is no reason to fail."""
    done = evalcore("check", SEEDS / "rubric", home=tmp_path, PYTHONIOENCODING="ascii")
    assert done.returncode == 0
    assert "\\u2192" in done.stdout


@pytest.mark.parametrize(
    "name", ["z5labs+ai", "kimsanguine+AI_PM_Skills", "liush2yuxjtu+onepager-skill-iterations"]
)
def test_real_workspaces_have_runs_and_no_error(invoke: Invoke, realworld: Path, name: str) -> None:
    """Folders of the standard layouts, written by other people's tools, are read whole."""
    value = document(invoke, realworld / name)
    assert sum(suite["runs"] for suite in value["suites"]) > 0
    assert sum(suite["judgments"] for suite in value["suites"]) > 0
    assert [p for p in value["problems"] if p["severity"] == "error"] == []


def test_pages_commands_and_tables_count_alike(invoke: Invoke, tmp_path: Path) -> None:
    """A writer's habit in every file of two suites is one note, and a copy is no judged item."""
    items = [{"description": "a", "pass": True}, {"description": "b", "pass": False}]
    for suite in ("letters", "mails"):
        for case in range(5):
            folder = tmp_path / f"{suite}-workspace/iteration-1/case-{case}/with_skill"
            folder.mkdir(parents=True)
            (folder / "grading.json").write_text(json.dumps({"assertions": items}))
            (folder / "eval_metadata.json").write_text("{}")
    queries = [
        {
            "query": f"q{n}",
            "should_trigger": n % 2 == 0,
            "triggers": 0,
            "runs": 3,
            "errored": int(n > 2),
        }
        for n in range(5)
    ]
    (tmp_path / "triggers.json").write_text(json.dumps(queries))
    lines = invoke("check", tmp_path).stdout.splitlines()
    ws = open_workspace(tmp_path, cache=False)
    problems = problems_of(check(ws), complete=True)

    assert lines[-1].startswith("3 suites, 25 runs, 33 judged items; 0 errors, ")
    listed = {name: len(matching(problems, data_view({"severity": name}, True))) for name in RANKS}
    counts = listed["error"], listed["warning"], listed["info"]
    assert lines[-1].endswith("{} errors, {} warning, {} notes".format(*counts))
    assert problems.n == sum(counts[:2])
    assert any("item-field, list-name  20 places" in line for line in lines)
    of_json = {each["suite"]: each for each in document(invoke, tmp_path)["suites"]}
    counted = ws.tables.counted()["suite"].astype(str).value_counts()
    for line in suite_lines(ws):
        said = of_json[line.suite]
        assert (said["runs"], said["cases"], said["versions"]) == (
            line.runs, line.cases, line.versions,
        )  # fmt: skip
        assert line.runs == int((ws.tables.runs["suite"] == line.suite).sum())
        assert said["judgments"] == counted[line.suite]
        shown = problem_count(problems, line.suite)
        assert shown.n == len(matching(problems, data_view({"dsuite": line.suite}, True)))


def test_what_makes_a_measurement_doubtful_comes_before_its_rate(
    invoke: Invoke, tmp_path: Path
) -> None:
    """First of the warnings, on Overview, in its list of suites, in a comparison and over time."""
    for name, hits in (("one", 0), ("two", 3)):
        queries = [
            {"query": f"q{n}", "should_trigger": n < 3, "triggers": hits * (n < 3), "runs": 3}
            for n in range(6)
        ]
        of = {"skill_name": "g", "description": name, "results": [*queries, queries[0]]}
        (tmp_path / f"{name}.json").write_text(json.dumps(of))
    doubt = "0 of 18 runs activated the skill, though 3 of 6 queries should: the measurement itself"
    lines = invoke("check", tmp_path).stdout.splitlines()
    assert lines[lines.index("Warnings: contradictory, or against a rule") + 1].split()[0] == (
        "never-activated"
    )
    ws = open_workspace(tmp_path, cache=False)
    (suite,) = ws.tables.suites["suite"].tolist()
    assert rate_sentence(overview(ws, suite, "one").line, None).startswith(doubt)
    assert rate_sentence(overview(ws, suite, "two").line, None).startswith("two answered 100 %")
    assert invoke("compare", tmp_path, "one", "two").stdout.startswith(doubt)
    assert invoke("trends", tmp_path).stdout.startswith(f"one: {doubt}")


def test_outputs_without_a_grading_are_counted_and_to_be_graded(
    tmp_path: Path, invoke: Invoke
) -> None:
    """From the first output on: `check` says how many wait, and `compare` what to do."""
    for side in ("with_skill", "without_skill"):
        folder = tmp_path / f"here/tabs-workspace/iteration-1/one/{side}/outputs"
        folder.mkdir(parents=True)
        (folder / "answer.md").write_text(side)
    here = tmp_path / "here"
    shown = invoke("check", here).stdout
    assert "1 suite, 2 runs (2 waiting for a grading), 0 judged items" in shown
    assert [each["waiting"] for each in document(invoke, here)["suites"]] == [2]
    assert "Grade the waiting outputs" in invoke("compare", here).stderr
    assert "left out: 1 run waiting for a grading" in facts(overview(open_workspace(here), "tabs"))


def test_outputs_that_a_person_judged_are_compared_by_that(tmp_path: Path, invoke: Invoke) -> None:
    """Without any grading of a model."""
    here, case = tmp_path / "here", {"id": 7, "prompt": "Do it", "expectations": ["Runs"]}
    (here / "tabs/evals").mkdir(parents=True)
    evals = {"skill_name": "tabs", "evals": [case]}
    (here / "tabs/evals/evals.json").write_text(json.dumps(evals))
    for side in ("with_skill", "without_skill"):
        folder = here / f"tabs-workspace/iteration-1/eval-7/{side}/outputs"
        folder.mkdir(parents=True)
        (folder / "answer.md").write_text(side)
    ws = open_workspace(here)
    for run, score in zip(ws.tables.runs["run_id"].tolist(), (1.0, 0.0), strict=True):
        judged(ws, run, given=answers(taken(ws, run), score))
    shown = invoke("compare", here, "--scores", "human").stdout
    assert "100 % against 0 % on 1 case by people's scores" in shown
    about = facts(overview(open_workspace(here), "tabs", scores="human"))
    assert "people's scores of 1 of 1 run, by 1 person" in about
