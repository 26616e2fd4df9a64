"""What a workspace names runs only as it was allowed, and only in the sandbox."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from evalcore.engine.planning import executors_of
from evalcore.engine.scripts_of_workspace import not_allowed, waiting
from evalcore.engine.store import RunFolder
from evalcore.sandbox.bubblewrap import missing
from evalcore.sandbox.trust import allow, trust_id
from tests.engine.conftest import Made, opened, planned, ran, write

SCRIPT = 'test "$(cat out.txt)" = done && bash $SKILL/scripts/more.sh'
PLACE = "writer-workspace/iteration-1/eval-1/with_skill/run-1"
NO_SANDBOX = "The sandbox needs bwrap, which is not installed: install bubblewrap."


@pytest.fixture
def sandbox() -> None:
    """Skip a test where there is no sandbox."""
    if reason := missing():
        pytest.skip(reason)


@pytest.fixture
def no_sandbox(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let this machine have none."""
    for module in ("bubblewrap", "hiding"):
        monkeypatch.setattr(f"evalcore.sandbox.{module}.missing", lambda: NO_SANDBOX)


@pytest.fixture
def scripted(made: Made) -> Path:
    """Make a folder with a critical check by a script, which runs another file of the skill."""
    root = made("write=out.txt")
    check = {"id": "s1", "type": "custom_script", "script": SCRIPT, "critical": True}
    _change(root, lambda entry: entry.update(structural_expectations=[check]))
    (root / "writer/scripts").mkdir(exist_ok=True)
    (root / "writer/scripts/more.sh").write_text("echo more\n")
    return root


@pytest.fixture
def own_executor(made: Made) -> Path:
    """Make a folder that names an executor of its own, a program of the skill."""
    root = made("write out")
    template = {"command": ["bash", "scripts/agent.sh", "{case}"]}
    write(root / "writer/evals/executors.json", {"theirs": template})
    (root / "writer/scripts").mkdir(exist_ok=True)
    (root / "writer/scripts/agent.sh").write_text(
        f'echo done > out.txt; ls {root} > seen.txt 2>&1; echo "done in $1"\n'
    )
    return root


def _change(root: Path, change: Callable[[dict[str, Any]], Any]) -> None:
    path = root / "writer/evals/evals.json"
    value = json.loads(path.read_text())
    change(value["evals"][0])
    path.write_text(json.dumps(value))


def _allow(root: Path) -> None:
    for each in waiting(opened(root)):
        allow(each.command)


def _check(root: Path, place: str = PLACE) -> dict[str, Any]:
    (found,) = json.loads((root / place / "structural.json").read_text())["expectations"]
    assert isinstance(found, dict)
    return found


def _by_theirs(root: Path, **asked: Any) -> RunFolder:
    suite = str(opened(root).tables.suites["suite"].iloc[0])
    return ran(root, executors_of(opened(root), suite)["theirs"], **asked)


def _status(root: Path) -> list[Any]:
    return list(opened(root).tables.runs["status"])


def test_a_script_that_is_not_allowed_does_not_run(scripted: Path) -> None:
    """The check says so, its gate stays closed, and the run was not judged."""
    ran(scripted, runs=1)
    found = _check(scripted)
    assert (found["passed"], found["status"]) == (None, "not_run")
    assert "not allowed" in found["evidence"]
    assert not (scripted / PLACE / "grading.json").exists()
    assert _status(scripted) == ["not_run"]


def test_an_allowed_script_runs_in_the_sandbox(sandbox: None, scripted: Path) -> None:
    """It sees what was produced and the skill's files that it names."""
    _allow(scripted)
    ran(scripted, runs=1)
    found = _check(scripted)
    assert (found["passed"], found.get("status")) == (True, None)
    assert found["evidence"] == "Exit code 0. It said: more"
    assert (scripted / PLACE / "grading.json").exists()


@pytest.mark.parametrize(
    "script",
    [
        "exec 3<>/dev/tcp/127.0.0.1/9",
        "echo x > out.txt",
        "ls {root}",
        "test -e /etc/passwd",
        "exit 3",
    ],
    ids=["network", "writing", "the folder", "the system's files", "its own failure"],
)
def test_what_an_allowed_script_may_not_do_fails_its_check(
    sandbox: None, scripted: Path, script: str
) -> None:
    """It reaches nothing outside, and a failure is a verdict."""
    text = script.format(root=scripted)
    _change(scripted, lambda entry: entry["structural_expectations"][0].update(script=text))
    _allow(scripted)
    ran(scripted, runs=1)
    found = _check(scripted)
    assert (found["passed"], found.get("status")) == (False, None)
    assert (scripted / PLACE / "outputs/out.txt").read_text() == "done\n"


@pytest.mark.parametrize("what", ["its text", "a space", "a file that it names", "the document"])
def test_any_change_takes_the_permission_back(scripted: Path, what: str) -> None:
    """The bytes and the place were allowed, nothing else."""
    _allow(scripted)
    more = {"its text": f"{SCRIPT}; true", "a space": f"{SCRIPT} "}
    if what in more:
        _change(
            scripted, lambda entry: entry["structural_expectations"][0].update(script=more[what])
        )
    elif what == "the document":
        scripted = scripted.rename(scripted.with_name("moved"))
    else:
        (scripted / "writer/scripts/more.sh").write_text("echo other\n")
    ran(scripted, runs=1)
    assert _check(scripted)["status"] == "not_run"


def test_without_a_sandbox_an_allowed_script_does_not_run(no_sandbox: None, scripted: Path) -> None:
    """Nothing runs outside of it, and the check says what is missing."""
    _allow(scripted)
    ran(scripted, runs=1)
    found = _check(scripted)
    assert (found["passed"], found["status"]) == (None, "not_run")
    assert found["evidence"] == NO_SANDBOX
    assert _status(scripted) == ["not_run"]


def test_who_types_it_runs_an_allowed_script_without_a_sandbox(
    no_sandbox: None, scripted: Path
) -> None:
    """One that is not allowed does not run even so."""
    ran(scripted, runs=1, unsafe_no_sandbox=True)
    assert _check(scripted)["status"] == "not_run"
    _allow(scripted)
    ran(scripted, runs=1, unsafe_no_sandbox=True)
    second = PLACE.replace("iteration-1", "iteration-2")
    assert _check(scripted, second)["passed"] is True


def test_an_executor_of_the_folder_that_is_not_allowed_does_not_run(own_executor: Path) -> None:
    """Nothing is written, and the reason names the next step."""
    folder = _by_theirs(own_executor)
    (one,) = folder.progress().runs
    assert one.status == "not_run"
    assert one.execution is not None
    assert "`evalcore allow`" in one.execution.why
    assert not list(own_executor.rglob("iteration-*"))


def test_an_allowed_executor_of_the_folder_runs_in_the_sandbox(
    sandbox: None, own_executor: Path
) -> None:
    """It writes into its copy of the case, and the folder is not there for it."""
    _allow(own_executor)
    folder = _by_theirs(own_executor)
    assert [one.status for one in folder.progress().runs] == ["completed"]
    outputs = own_executor / PLACE / "outputs"
    assert (outputs / "out.txt").read_text() == "done\n"
    assert "No such file" in (outputs / "seen.txt").read_text()
    assert "done in /work" in (own_executor / PLACE / "transcript.md").read_text()


@pytest.mark.parametrize("what", ["the command", "a variable", "its program"])
def test_any_change_of_an_executor_takes_the_permission_back(own_executor: Path, what: str) -> None:
    """Also what it is given, and the files that it names."""
    _allow(own_executor)
    template: dict[str, Any] = {"command": ["bash", "scripts/agent.sh", "{case}"]}
    if what == "the command":
        template["command"].append("x")
    elif what == "a variable":
        template["env"] = ["SOME_API_KEY"]
    else:
        (own_executor / "writer/scripts/agent.sh").write_text("echo other\n")
    write(own_executor / "writer/evals/executors.json", {"theirs": template})
    (one,) = _by_theirs(own_executor).progress().runs
    assert one.status == "not_run"


def test_without_a_sandbox_an_allowed_executor_does_not_run(
    no_sandbox: None, own_executor: Path
) -> None:
    """It does where somebody types that it shall."""
    _allow(own_executor)
    (one,) = _by_theirs(own_executor).progress().runs
    assert one.execution is not None
    assert (one.status, one.execution.why) == ("not_run", NO_SANDBOX)
    (one,) = _by_theirs(own_executor, unsafe_no_sandbox=True).progress().runs
    assert one.status == "completed"


_ENDLESS = "i=0; while :; do : > {}/$((i++)); done"


def test_an_executor_beyond_its_limits_is_a_failure_of_the_version(
    sandbox: None, own_executor: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As one that takes too long: it is not tried again, and what it made is kept."""
    monkeypatch.setattr("evalcore.sandbox.inside.MAX_FILES", 200)
    (own_executor / "writer/scripts/agent.sh").write_text(_ENDLESS.format("/work"))
    _allow(own_executor)
    (one,) = _by_theirs(own_executor).progress().runs
    assert one.execution is not None
    assert (one.status, one.attempts) == ("length_cut", 1)
    assert one.execution.why == "It made more than 200 files in /work and was ended."
    assert (own_executor / PLACE / "outputs/0").exists()
    assert list(opened(own_executor).tables.runs["fraction"]) == [0.0]


def test_a_script_beyond_its_limits_fails_its_check(
    sandbox: None, scripted: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is decided: the script could have stayed within them."""
    monkeypatch.setattr("evalcore.sandbox.inside.MAX_FILES", 200)
    script = _ENDLESS.format("/tmp")
    _change(scripted, lambda entry: entry["structural_expectations"][0].update(script=script))
    _allow(scripted)
    ran(scripted, runs=1)
    found = _check(scripted)
    assert (found["passed"], found.get("status")) == (False, None)
    assert found["evidence"] == "It made more than 200 files in /tmp and was ended."


def test_a_folder_cannot_allow_itself(own_executor: Path) -> None:
    """What stands in it says nothing about what may run."""
    for each in waiting(opened(own_executor)):
        known = trust_id(each.command)
        for home in (".evalcore", "state", "writer"):
            write(own_executor / home / f"trust/{known}.json", {"trust_id": known})
    (one,) = _by_theirs(own_executor).progress().runs
    assert one.status == "not_run"


def test_what_is_allowed_in_a_folder_opened_through_a_link_runs(
    sandbox: None, scripted: Path
) -> None:
    """A run works on the folder itself, whatever name it was opened by."""
    link = scripted.with_name("link")
    link.symlink_to(scripted)
    _allow(link)
    ran(link, runs=1)
    assert _check(scripted)["passed"] is True


def test_what_waits_to_be_allowed_is_what_a_run_would_refuse(scripted: Path) -> None:
    """Also in a folder that was opened through a link."""
    link = scripted.with_name("link")
    link.symlink_to(scripted)
    plan = planned(link, runs=1).plan
    assert len(list(not_allowed(plan))) == 1
    _allow(link)
    assert list(not_allowed(plan)) == []
