"""What is asked for becomes a plan: which cases, versions, configurations, how often, and where."""

import json
import shutil
from pathlib import Path

import msgspec
import pytest

from evalcore.demo import packaged
from evalcore.disk.files import Files
from evalcore.engine import cases, planning
from evalcore.engine.kept import kept
from evalcore.engine.plan import Executor, Plan
from evalcore.engine.planning import Request, executors_of, make_plan, offer_of
from evalcore.engine.templates import executors, usual_executor
from evalcore.engine.written import places
from evalcore.errors import CannotRun, UnknownName
from evalcore.families import running
from evalcore.tables.cells import cells
from evalcore.views.gradings.grid import GridQuery, grid
from tests.engine.conftest import Made, fake, opened, planned, ran, write

STORED = Executor("stored", "stored")
BOTH = {("iteration-4", "with_skill"), ("iteration-4", "without_skill")}


@pytest.fixture
def demo(tmp_path: Path) -> Path:
    """A copy of the demo, whose store holds the text of each version of its prompts."""
    root = tmp_path / "demo"
    shutil.copytree(packaged(), root)
    for name in ("support-reply@1.0.0", "support-reply@2.0.0", "route-ticket@1.1.0"):
        record = {"id": name, "type": "prompt-version", "fields": {"content": f"This is {name}."}}
        write(root / f"support-agent/records/prompt-version/{name}.json", record)
    return root


def plan(root: Path, suite: str, **asked: object) -> Plan:
    """Plan a run of a suite of a folder."""
    request = Request(executor=fake(), **asked)  # type: ignore[arg-type] # as the test says
    return make_plan(opened(root), suite, request)


@pytest.mark.parametrize(
    ("suite", "runs", "targets"),
    [
        ("release-notes", 36, {("v3", "-")}),
        ("commit-helper", 10, BOTH),
        ("invoice-extractor", 24, BOTH),
        ("sql-helper", 8, {("d3", "-")}),
        ("support-agent", 5, {("support-reply@2.0.0", "-")}),
    ],
)
def test_where_nobody_chooses_the_documents_say_what_is_run(
    demo: Path, suite: str, runs: int, targets: set[tuple[str, str]]
) -> None:
    """The newest version, so often as its documents say, with the baseline that they ask for."""
    found = plan(demo, suite)
    assert len(found.runs) == runs
    assert {(run.version, run.configuration) for run in found.runs} == targets


def test_drafts_are_not_run_unless_they_are_named(demo: Path) -> None:
    """They are listed elsewhere, and left out of rates."""
    assert (
        "tc-gift-card" not in plan(demo, "support-agent", versions=("support-reply@1.0.0",)).cases
    )
    named = plan(demo, "support-agent", cases=("tc-gift-card",), versions=("support-reply@1.0.0",))
    assert list(named.cases) == ["tc-gift-card"]


def test_a_case_of_another_prompt_is_not_run_under_this_one(demo: Path) -> None:
    """Routing is not asked with the prompt for replies."""
    found = plan(demo, "support-agent", versions=("route-ticket@1.1.0",))
    assert len(found.cases) == 2


@pytest.mark.parametrize(
    ("wanted", "cases"),
    [
        (("all",), 8),
        (("tag:postgres",), 2),
        (("running-total",), 1),
        (("running-total", "tag:postgres"), 3),
    ],
)
def test_cases_are_chosen_by_name_or_tag(demo: Path, wanted: tuple[str, ...], cases: int) -> None:
    """Several choices add up."""
    assert len(plan(demo, "sql-helper", cases=wanted).cases) == cases


@pytest.mark.parametrize("suite", ["release-notes", "commit-helper", "sql-helper"])
def test_failing_cases_are_those_that_gradings_lists(demo: Path, suite: str) -> None:
    """Not those of the baseline."""
    ws = opened(demo)
    listed = grid(ws, GridQuery(suite, filter="failing")).rows
    assert {each["id"] for each in listed} == set(plan(demo, suite, cases=("failing",)).cases)


def test_where_no_case_fails_the_plan_says_so(demo: Path) -> None:
    """Every run of the newest prompt passed."""
    with pytest.raises(CannotRun, match=r"No case fails in support-reply@2\.0\.0"):
        plan(demo, "support-agent", cases=("failing",))


@pytest.mark.parametrize(
    ("asked", "what"),
    [
        ({"versions": ("v9",)}, "version 'v9'"),
        ({"cases": ("nobody",)}, "case 'nobody'"),
        ({"cases": ("tag:none",)}, "tag 'none'"),
        ({"configurations": ("with_skill",)}, "configuration 'with_skill'"),
    ],
)
def test_what_is_not_there_is_refused_by_its_name(
    demo: Path, asked: dict[str, object], what: str
) -> None:
    """The nearest name is offered by the message."""
    with pytest.raises(UnknownName, match=what):
        plan(demo, "release-notes", **asked)


def test_a_family_without_new_runs_says_so(tmp_path: Path) -> None:
    """Trigger sets cannot be run here."""
    write(tmp_path / "f/evals/trigger-eval.json", [{"query": "x", "should_trigger": True}] * 3)
    ws = opened(tmp_path / "f")
    suites = list(ws.tables.suites["suite"])
    if not suites:
        pytest.skip("the folder is no suite of trigger queries any more")
    with pytest.raises(CannotRun, match=r"neither starts runs of .* nor lets models judge them"):
        offer_of(ws, str(suites[0]))


def test_further_runs_have_free_numbers(demo: Path) -> None:
    """Also where a broken grading has the next one."""
    runs = plan(demo, "release-notes", cases=("known-issues",), runs=3).runs
    assert [run.run for run in runs] == ["4", "5", "6"]
    assert (demo / "release-notes-workspace/grading/known-issues_v3_run2.json").exists()


def test_eval_folders_keep_the_names_of_earlier_iterations(demo: Path) -> None:
    """So that a case is found again beside its earlier runs."""
    found = plan(demo, "commit-helper", cases=("4",), configurations=("with_skill",))
    assert found.runs[0].place == "commit-helper-workspace/iteration-4/eval-revert/with_skill/run-1"


def test_a_changed_description_is_a_new_version(demo: Path) -> None:
    """The same description is measured again under its own version."""
    (target,) = offer_of(opened(demo), "sql-helper").targets
    assert (target.version, target.is_new) == ("d3", False)
    skill = demo / "sql-helper/SKILL.md"
    skill.write_text(skill.read_text().replace("Use when", "Use only when"))
    (target,) = offer_of(opened(demo), "sql-helper").targets
    assert (target.version, target.is_new) == ("d4", True)


def test_a_skill_without_a_workspace_gets_one_beside_it(made: Made) -> None:
    """As skill-creator has it."""
    found = planned(made("x")).plan
    assert found.runs[0].place == "writer-workspace/iteration-1/eval-1/with_skill/run-1"


@pytest.mark.parametrize("name", ["../up", "a/b", "..", "x" * 200])
def test_a_case_whose_id_is_no_name_of_a_file_is_refused(made: Made, name: str) -> None:
    """Nothing is written outside the place of its suite."""
    root = made("x")
    evals = root / "writer/evals/evals.json"
    value = json.loads(evals.read_text())
    value["evals"][0]["id"] = name
    evals.write_text(json.dumps(value))
    with pytest.raises(CannotRun, match="no name for a file"):
        planned(root)


def test_what_will_be_written_is_what_is_written(made: Made) -> None:
    """The list before the start and the files after it agree."""
    root = made("write=a.txt")
    folder = planned(root)
    said = places(folder.plan)
    done = ran(root)
    written = done.progress().runs[0].paths
    assert said == places(done.plan)
    for path in written:
        assert path in said or any(path.startswith(each) for each in said if each.endswith("/"))


@pytest.mark.parametrize("inside", [True, False])
def test_a_skill_that_lies_elsewhere_is_named(made: Made, tmp_path: Path, inside: bool) -> None:
    """It is laid before the executor as one of the suite's own would be."""
    root = made("look", expectations=["Undecided."])
    (root / "writer/SKILL.md").unlink()
    with pytest.raises(CannotRun, match=r"Its SKILL\.md is not in this folder"):
        planned(root)
    other = (root if inside else tmp_path) / "skills/other"
    other.mkdir(parents=True)
    (other / "SKILL.md").write_text("From elsewhere.")
    folder = ran(root, skill=str(other))
    done = kept(folder, 0)
    assert done is not None
    assert "skill/other/SKILL.md From elsewhere." in done.execution.reply
    assert list(folder.plan.skills.values()) != [""]
    with pytest.raises(CannotRun, match="is not a skill"):
        planned(root, skill=str(tmp_path))


def test_stored_outputs_without_a_grading_are_graded_where_they_are(made: Made) -> None:
    """Nothing is executed, and nothing but the grading is written."""
    root = made("write=a.txt", expectations=["Undecided."])
    ran(root)
    run = root / "writer-workspace/iteration-1/eval-1/with_skill/run-1"
    assert not (run / "grading.json").exists()
    write(root / "writer/evals/rules.json", {"*": {"Undecided.": 'contains "done"'}})
    before = {path for path in root.rglob("*") if path.is_file()}
    ws = opened(root)
    assert "pending" in set(ws.tables.runs["status"])
    folder = ran(root, STORED, versions=("iteration-1",))
    assert folder.state() == "finished"
    new = {path.name for path in root.rglob("*") if path.is_file() and path not in before}
    assert "grading.json" in new
    assert new <= {"grading.json", "benchmark.json"}


def test_where_other_outputs_wait_it_is_said_which(tmp_path: Path) -> None:
    """Not that there is none: what was chosen has no ungraded output, another version has."""
    home = tmp_path / "tabs-workspace"
    for version, name in (("iteration-1", "grading.json"), ("iteration-2", "outputs/a.txt")):
        path = home / version / "one/with_skill" / name
        path.parent.mkdir(parents=True)
        path.write_text(json.dumps({"expectations": [{"text": "A", "passed": True}]}))
    ws = opened(tmp_path)
    asked = Request(STORED, judge="human")
    plan = make_plan(ws, "tabs", asked)
    assert [(run.version, run.case) for run in plan.runs] == [("iteration-2", "one")]
    chosen = msgspec.structs.replace(asked, versions=("iteration-1",))
    with pytest.raises(CannotRun, match=r"of iteration-2 with_skill, case one\. Choose those"):
        make_plan(ws, "tabs", chosen)


def test_stored_outputs_that_are_all_graded_leave_nothing_to_do(demo: Path) -> None:
    """The message says what to choose instead."""
    request = Request(executor=STORED)
    with pytest.raises(CannotRun, match="There is no stored output without a grading"):
        make_plan(opened(demo), "commit-helper", request)


def test_rules_beside_the_cases_decide_what_their_text_does_not(made: Made) -> None:
    """A case's own rule outranks the one for all cases."""
    root = made("write=a.txt", "write=b.txt", expectations=["Prose."])
    write(
        root / "writer/evals/rules.json",
        {"*": {"Prose.": 'contains "done"'}, "2": {"Prose.": 'contains "nowhere"'}},
    )
    ran(root)
    assert opened(root).tables.runs["fraction"].tolist() == [1.0, 0.0]


def test_typed_checks_are_decided_by_rules(made: Made) -> None:
    """What no rule means exactly is left open."""
    checks = [
        {"type": "contains", "value": "done"},
        {"text": "Is never said", "type": "not-contains", "value": "done"},
        {"type": "file-exists", "path": "a.txt"},
        {"type": "regex-match", "pattern": "d.n."},
        {"type": "llm-rubric", "value": "Is clear"},
    ]
    (one,) = ran(made("write=a.txt", expectations=checks)).progress().runs
    assert one.graded is not None
    assert [each.passed for each in one.graded.judged] == [True, False, True, True, None]


def test_broken_rules_are_said_before_the_start(made: Made) -> None:
    """Nothing is graded by half of them."""
    root = made("x")
    (root / "writer/evals/rules.json").write_text('{"*": 3}')
    with pytest.raises(CannotRun, match=r"rules\.json cannot be read"):
        planned(root)


def test_a_rule_that_cannot_be_read_leaves_its_criterion_to_people(made: Made) -> None:
    """The reason is kept with the run."""
    root = made("write=a.txt", expectations=["Prose."])
    write(root / "writer/evals/rules.json", {"*": {"Prose.": "rhymes with done"}})
    (one,) = ran(root).progress().runs
    assert one.graded is not None
    (verdict,) = one.graded.judged
    assert (verdict.passed, verdict.status) == (None, "invalid")
    assert "cannot be read" in verdict.rationale


def test_the_users_own_executors_come_before_the_ready_ones(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One of the same name replaces it; a broken file is said."""
    monkeypatch.setenv("EVALCORE_CONFIG_DIR", str(tmp_path))
    (tmp_path / "executors.toml").write_text('[claude]\ncommand = ["mine"]\n')
    found = executors()["claude"]
    assert (found.origin, found.template and found.template.command) == ("yours", ("mine",))
    assert usual_executor(executors(), tmp_path) == "claude"
    (tmp_path / "executors.toml").write_text('[claude]\ncomand = ["mine"]\n')
    with pytest.raises(CannotRun, match=r"executors\.toml cannot be read"):
        executors()


def test_a_workspace_never_replaces_an_executor_of_the_user(made: Made) -> None:
    """A folder that names its own program `claude` does not get the user's runs."""
    root = made("x")
    mine = {"command": ["sh", "-c", "touch /tmp/pwned"]}
    write(root / "writer/evals/executors.json", {"claude": mine, "own": mine})
    found = executors_of(opened(root), "writer")
    assert found["claude"].origin == "built in"
    assert found["own"].origin == "workspace"


def test_the_demo_has_an_executor_and_any_other_folder_none(demo: Path, tmp_path: Path) -> None:
    """A newcomer's first run needs no key."""
    assert usual_executor(executors(), demo) == "demo"
    assert usual_executor(executors(), tmp_path) == "stored"


@pytest.mark.parametrize("suite", ["commit-helper", "invoice-extractor", "support-agent"])
def test_a_document_that_defines_many_cases_is_read_once(
    demo: Path, monkeypatch: pytest.MonkeyPatch, suite: str
) -> None:
    """And once more for the digest of the skill, however many cases it defines."""
    reads: list[str] = []
    read = Files.read

    def counted(files: Files, path: str, *limit: int) -> bytes:
        reads.append(path)
        return read(files, path, *limit)

    monkeypatch.setattr(Files, "read", counted)
    workspace = opened(demo)
    reads.clear()
    make_plan(workspace, suite, Request(executor=fake()))
    assert reads
    assert {path: reads.count(path) for path in reads if reads.count(path) > 2} == {}


def test_tables_are_gone_through_as_often_for_many_cases_as_for_one(
    demo: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A suite of ten thousand runs was planned in twenty seconds, as each case went through all."""
    tables: list[str] = []

    def counted(of: object, table: str, *names: str, **more: object) -> object:
        tables.append(table)
        return cells(of, table, *names, **more)  # type: ignore[arg-type] # as it was called

    for module in (planning, cases, running):
        monkeypatch.setattr(module, "cells", counted)
    workspace, many = opened(demo), []
    for chosen in (("1",), ("all",)):
        tables.clear()
        make_plan(workspace, "invoice-extractor", Request(executor=fake(), cases=chosen))
        many.append(sum(table in ("runs", "documents") for table in tables))
    assert many[0] == many[1] > 0
