"""`evalcore run`, `runs`, `executors` and `allow`: what they print, start, and end with."""

import json
import re
import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from evalcore.cli import allowing
from evalcore.demo import packaged
from evalcore.engine.scripts_of_workspace import Waiting
from tests.cli.conftest import Invoke


@pytest.fixture
def demo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the demo, and no executors of the user."""
    monkeypatch.setenv("EVALCORE_CONFIG_DIR", str(tmp_path / "config"))
    root = tmp_path / "demo"
    shutil.copytree(packaged(), root)
    return root


def _own(tmp_path: Path, **templates: list[str]) -> None:
    """Write executors of the user."""
    lines = [f"[{name}]\ncommand = {json.dumps(line)}\n" for name, line in templates.items()]
    (tmp_path / "config").mkdir(exist_ok=True)
    (tmp_path / "config/executors.toml").write_text("".join(lines))


def _json(text: str) -> Any:
    return json.loads(text)


def test_a_dry_run_says_what_would_run_and_starts_nothing(invoke: Invoke, demo: Path) -> None:
    """Cases, executor, what it takes, and where it writes."""
    before = set(demo.rglob("*"))
    said = invoke("run", demo, "--suite", "commit-helper", "--dry-run")
    assert said.exit_code == 0
    assert "10 test runs of 5 cases: iteration-4 with_skill, " in said.stdout
    assert "as your user, with network access, in a fresh copy of each case" in said.stdout
    assert "from the mean of 40 earlier runs" in said.stdout
    assert set(demo.rglob("*")) == before
    assert "No run was started here" in invoke("runs", demo).stdout


def test_a_dry_run_as_json_is_one_document(invoke: Invoke, demo: Path) -> None:
    """With each test run, each file, and the estimate."""
    said = invoke("run", demo, "--suite", "sql-helper", "--dry-run", "--json")
    value = _json(said.stdout)
    assert len(value["runs"]) == 8
    assert value["estimate"]["runs"] == 8
    assert any(path.endswith("grading/dedupe-rows.json") for path in value["writes"])


def test_a_run_is_followed_to_its_end_and_listed_afterwards(invoke: Invoke, demo: Path) -> None:
    """Exit code 0: everything was done."""
    said = invoke("run", demo, "--suite", "sql-helper", "--json")
    assert said.exit_code == 0, said.output
    value = _json(said.stdout)
    assert (value["state"], value["done"], value["not_done"]) == ("finished", 8, 0)
    assert "sql-helper/eval/benchmark.json" in value["written"]
    (listed,) = _json(invoke("runs", demo, "--json").stdout)
    assert listed["id"] == value["id"]
    assert invoke("check", demo).exit_code == invoke("check", packaged()).exit_code


def test_a_run_that_is_not_done_ends_with_1_and_says_how_to_go_on(
    invoke: Invoke, demo: Path, tmp_path: Path
) -> None:
    """Each reason stands beside its test run."""
    _own(tmp_path, broken=["false"])
    said = invoke("run", demo, "--suite", "sql-helper", "--executor", "broken", "--retries", "0")
    assert said.exit_code == 1
    assert "0 of 8 done (8 error)" in said.stdout
    assert "It ended with code 1." in said.stdout
    found = re.search(r"evalcore run --resume ([0-9a-f-]+)", said.stdout)
    assert found is not None
    again = invoke("run", "--resume", found[1])
    assert again.exit_code == 1
    assert "8 error" in again.stdout


def test_an_executor_that_is_not_installed_is_not_run(invoke: Invoke, demo: Path) -> None:
    """That is no fault of the version, and nothing is written."""
    said = invoke("run", demo, "--suite", "sql-helper", "--executor", "gemini", "--json")
    value = _json(said.stdout)
    if shutil.which("gemini"):
        pytest.skip("gemini is installed here")
    assert value["statuses"] == {"not_run": 8}
    assert "not installed" in value["problems"][0]["why"]
    assert value["written"] == []


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["--suite", "nobody"], "no suite 'nobody'"),
        (["--suite", "sql-helper", "--executor", "nobody"], "no executor 'nobody'"),
        ([], "8 suites; name one with --suite"),
        (["--suite", "sql-helper", "--executor", "stored"], "no stored output without"),
        (["--suite", "sql-helper", "--again", "--executor", "demo"], "Only stored outputs"),
        (["--suite", "sql-helper", "--again", "--judge", "human"], "on the Judge page"),
    ],
)
def test_a_wrong_request_ends_with_2_and_one_sentence(
    invoke: Invoke, demo: Path, arguments: list[str], why: str
) -> None:
    """Nothing is started."""
    said = invoke("run", demo, *arguments)
    assert said.exit_code == 2
    assert why in said.stderr
    assert said.stderr.count("\n") == 1


def test_stored_outputs_are_judged_again_beside_their_gradings(invoke: Invoke, demo: Path) -> None:
    """It says how many, and where the records come; what the check finds is as before."""
    asked = ("run", demo, "--suite", "release-notes", "--version", "v3", "--again")
    before = invoke("check", demo).stdout
    dry = invoke(*asked, "--dry-run").stdout
    assert "27 test runs of 12 cases: v3" in dry
    assert "nobody: stored outputs are judged again; judged by rules." in dry
    assert "no calls, no cost" in dry
    assert "1 test run is not judged again, because its grading cannot be read" in dry
    assert "  release-notes-workspace/reviews/eval-judgment/" in dry
    planned = _json(invoke(*asked, "--dry-run", "--json").stdout)
    assert (planned["again"], len(planned["runs"]), len(planned["not_again"])) == (True, 27, 1)
    said = invoke(*asked)
    assert said.exit_code == 0, said.output
    assert "86 criteria of 27 test runs stored as separate records" in said.stdout
    (listed,) = _json(invoke("runs", demo, "--json").stdout)
    assert (listed["again"], listed["done"], len(listed["written"])) == (True, 27, 86)
    assert all("/reviews/eval-judgment/" in path for path in listed["written"])
    assert invoke("check", demo).stdout == before


def test_without_a_folder_the_command_says_what_is_missing(invoke: Invoke) -> None:
    """Only resuming and cancelling need none."""
    said = invoke("run")
    assert said.exit_code == 2
    assert "Name the folder" in said.stderr


def test_a_run_that_nobody_works_on_cannot_be_cancelled(invoke: Invoke, demo: Path) -> None:
    """The message says what it is instead."""
    value = _json(invoke("run", demo, "--suite", "sql-helper", "--json").stdout)
    said = invoke("run", "--cancel", value["id"])
    assert said.exit_code == 2
    assert "is not running: it is finished" in said.stderr


def test_executors_are_listed_with_where_they_come_from(
    invoke: Invoke, demo: Path, tmp_path: Path
) -> None:
    """A ready template says that we did not try it."""
    del demo
    _own(tmp_path, mine=[sys.executable, "x.py"])
    said = invoke("executors").stdout
    assert re.search(r"mine +.*x\.py  \(yours\)", said)
    assert re.search(r"codex .*based on public documentation, not tested", said)
    names = [each["name"] for each in _json(invoke("executors", "--json").stdout)]
    known = {"stored", "openai", "demo", "mine", "claude", "codex", "gemini", "opencode"}
    assert known == set(names)


def test_allow_shows_every_script_and_says_whether_it_is_allowed(
    invoke: Invoke, demo: Path
) -> None:
    """It ends with 1 until all are."""
    first = invoke("allow", demo)
    assert first.exit_code == 1
    assert first.stdout.count("not allowed") == 2
    assert '  | test "$(cat batch.csv | wc -l)" -eq 4' in first.stdout
    assert invoke("allow", demo, "--yes").exit_code == 0
    assert "not allowed" not in invoke("allow", demo).stdout
    assert invoke("allow", demo, "--no").exit_code == 1


def test_one_script_can_be_allowed_by_its_id(invoke: Invoke, demo: Path) -> None:
    """The other stays as it is."""
    ids = [each["id"] for each in _json(invoke("allow", demo, "--json").stdout)]
    invoke("allow", demo)
    invoke("allow", demo, "--yes", "--only", ids[0][:12])
    assert _allowed(invoke, demo) == {ids[0]: True, ids[1]: False}


def _allowed(invoke: Invoke, folder: Path) -> dict[str, bool]:
    return {each["id"]: each["allowed"] for each in _json(invoke("allow", folder, "--json").stdout)}


def _change_script(demo: Path) -> None:
    """Change one script by one character."""
    evals = demo / "invoice-extractor/evals/evals.json"
    evals.write_text(evals.read_text("utf-8").replace("-eq 4", "-eq 5", 1), "utf-8")


def _add_file(demo: Path) -> None:
    """Let a file be there that a script names; it was shown without it."""
    (demo / "invoice-extractor/batch.csv").write_text("x")


def _look_at_one(invoke: Invoke, demo: Path) -> None:
    first, *_ = _allowed(invoke, demo)
    invoke("allow", demo, "--only", first)


@pytest.mark.parametrize(
    ("look", "then", "allowed"),
    [
        (None, None, 0),
        (lambda invoke, demo: invoke("allow", demo, "--json"), None, 0),
        (lambda invoke, demo: invoke("allow", demo, "--yes"), None, 0),
        (_look_at_one, None, 1),
        (lambda invoke, demo: invoke("allow", demo), _change_script, 1),
        (lambda invoke, demo: invoke("allow", demo), _add_file, 1),
        (lambda invoke, demo: invoke("allow", demo), None, 2),
    ],
    ids=["never", "named only", "as refused", "one", "changed", "one file more", "all"],
)
def test_only_what_was_shown_is_allowed(
    invoke: Invoke,
    demo: Path,
    look: Callable[[Invoke, Path], None] | None,
    then: Callable[[Path], None] | None,
    allowed: int,
) -> None:
    """Each byte of it; else it is said how to look, and nothing changes."""
    if look:
        look(invoke, demo)
    if then:
        then(demo)
    said = invoke("allow", demo, "--yes")
    assert sum(_allowed(invoke, demo).values()) == allowed
    assert said.exit_code == (0 if allowed == 2 else 1)
    assert (f"Look at it with: evalcore allow {demo}" in said.stderr) == (allowed < 2)


def test_what_was_shown_in_one_folder_is_not_allowed_in_its_copy(
    invoke: Invoke, demo: Path
) -> None:
    """The place is part of what was shown."""
    copy = demo.with_name("copy")
    shutil.copytree(demo, copy)
    invoke("allow", demo)
    assert invoke("allow", copy, "--yes").exit_code == 1
    assert not any(_allowed(invoke, copy).values())
    assert invoke("allow", demo, "--yes").exit_code == 0


def test_a_change_while_it_is_shown_is_not_allowed(
    invoke: Invoke, demo: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is remembered as shown is what was printed, whatever the folder holds by then."""
    document = allowing.lines

    def lines(found: list[Waiting]) -> Iterator[str]:
        yield from document(found)
        _change_script(demo)

    with monkeypatch.context() as meanwhile:
        meanwhile.setattr(allowing, "lines", lines)
        invoke("allow", demo)
    invoke("allow", demo, "--yes")
    assert sorted(_allowed(invoke, demo).values()) == [False, True]


def test_hidden_characters_of_a_script_are_shown(invoke: Invoke, demo: Path) -> None:
    """What is allowed is what is read."""
    evals = demo / "invoice-extractor/evals/evals.json"
    text = evals.read_text("utf-8")
    evals.write_text(text.replace("-eq 4", "-eq 4 # \\u202e hidden", 1), "utf-8")
    assert "\\u202e hidden" in invoke("allow", demo).stdout
