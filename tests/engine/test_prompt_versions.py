"""A run of a prompt version executes that prompt: its text reaches whatever executes the case."""

import hashlib
import json
import sys
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import evalcore.cli.main  # noqa: F401 - registers the commands
from evalcore.cli.app import app
from evalcore.engine.estimate import estimate
from evalcore.engine.plan import Executor, Template
from evalcore.engine.planning import Request, make_plan, offer_of
from evalcore.errors import CannotRun
from evalcore.views.blocks.page import Say
from evalcore.views.runs.form import executed_blocks
from tests.engine.agent_script import OPENAI, playing
from tests.engine.conftest import opened, ran, write
from tests.engine.people import CASE_ID, STORE, store
from tests.models.fake_openai import fake_openai

TEXTS = {"pv-1": "Say it", "pv-2": "Say it well. {prompt} {case}"}
SEEN = (
    "import json,os,sys;"
    "files={n:open(n).read() for n in os.listdir('.')};"
    "print(json.dumps({'argv':sys.argv[1:],'stdin':sys.stdin.read(),'files':files}))"
)


def asking(root: Path, version: str | None) -> None:
    """Write a store without prompts, whose case names a version of one."""
    store(root)
    (root / STORE / "prompt-version/reply@1.json").unlink()
    path = root / STORE / f"test-case/{CASE_ID}.json"
    case = json.loads(path.read_text())
    case["fields"]["promptVersionRef"] = version
    write(path, case)


def versions(root: Path, **texts: str | None) -> Path:
    """Write a store whose case names pv-1, with a record for each version of its prompt."""
    asking(root, "pv-1")
    for number, (name, text) in enumerate((texts or TEXTS).items(), 1):
        fields = {"name": "say", "version": number} | ({} if text is None else {"content": text})
        record = {"id": name, "type": "prompt-version", "fields": fields}
        write(root / STORE / f"prompt-version/{name}.json", record)
    return root


def seeing(*arguments: str) -> Executor:
    """Return an executor that tells everything that it is given."""
    template = Template(command=(sys.executable, "-I", "-c", SEEN, *arguments))
    return Executor("seeing", "command", template, "yours")


def executed(
    root: Path, executor: Executor, version: str, **asked: Any
) -> tuple[dict[str, Any], list[Any]]:
    """Run a version; return what its executor saw, and the records that were written."""
    folder = ran(root, executor, configurations=(), versions=(version,), judge="human", **asked)
    made = [json.loads((root / path).read_text()) for path in folder.progress().runs[0].paths]
    return made[0]["fields"]["actualOutput"], made


def sha256(text: str) -> str:
    """Return the sha256 of a text."""
    return hashlib.sha256(text.encode()).hexdigest()


@pytest.mark.parametrize("version", TEXTS)
def test_a_command_is_given_the_prompt_of_its_version(tmp_path: Path, version: str) -> None:
    """As a file, and before the task where the command does not say where it takes it."""
    root, text = versions(tmp_path / "folder"), TEXTS[version]
    seen, made = executed(root, seeing(), version)
    assert seen["files"] == {"version-prompt.md": text}
    assert seen["stdin"] == f"{text}\n\nwrite=a.txt"
    assert made[0]["evalcore"] == {"promptSha256": sha256(text)}


def test_a_command_takes_the_prompt_where_it_names_it(tmp_path: Path) -> None:
    """Then the task is the case's alone; what a prompt holds is not filled in again."""
    root = versions(tmp_path / "folder")
    command = seeing("--system={version_prompt}", "{version_prompt_file}", "{prompt}")
    seen, _ = executed(root, command, "pv-2")
    system, file, task = seen["argv"]
    assert (system, task) == (f"--system={TEXTS['pv-2']}", "write=a.txt")
    assert (seen["stdin"], Path(file).name) == ("", "version-prompt.md")


def test_a_model_is_given_the_prompt_as_its_system_message(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever else it is told comes after it."""
    root = versions(tmp_path / "folder")
    with fake_openai() as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        monkeypatch.setenv("OPENAI_API_KEY", "none")
        playing(server, "done")
        for version, text in TEXTS.items():
            executed(root, OPENAI, version, executing="m-1")
            system, task = server.asked[-1].body["messages"]
            assert (system["role"], task["content"]) == ("system", "write=a.txt")
            assert system["content"].startswith(f"{text}\n\n")


def test_the_graded_run_says_which_text_was_executed(tmp_path: Path) -> None:
    """It follows from the agent-run, which said it first; so it does where that is graded later."""
    root = versions(tmp_path / "folder")
    executed(root, seeing(), "pv-2")
    write(
        root / STORE / "test-case/rules.json", {"*": {"done": "min_words 1", "tone": "min_words 1"}}
    )
    folder = ran(root, Executor("stored", "stored"), configurations=())
    for run in (folder, ran(root, seeing(), configurations=(), versions=("pv-2",))):
        *_, test = run.progress().runs[0].paths
        record = json.loads((root / test).read_text())
        assert record["type"] == "test-run"
        assert record["evalcore"] == {"promptSha256": sha256(TEXTS["pv-2"])}


def test_a_version_without_text_is_refused_with_the_reason(tmp_path: Path) -> None:
    """It would be executed as every other one; nothing is started."""
    root = versions(tmp_path / "folder", **{"pv-1": "Say it", "pv-2": None})
    with pytest.raises(CannotRun, match=r"pv-2 cannot be run: no text of it is found\. Looked"):
        ran(root, seeing(), configurations=(), versions=("pv-2",))


def test_a_prompt_version_is_a_version_before_anything_names_it(tmp_path: Path) -> None:
    """It is the newest, so it is what is run where nobody chooses."""
    root = versions(tmp_path / "folder")
    offer = offer_of(opened(root), "writer")
    assert [each.version for each in offer.targets] == ["pv-1", "pv-2"]
    assert [each.version for each in offer.chosen] == ["pv-2"]


@pytest.mark.parametrize(
    ("named", "records", "labels"),
    [
        ("say@1", {"a": ("say", 1), "b": ("say", 2)}, ["say@1", "say@2"]),
        ("a", {"a": ("say", 1), "b": ("say", 2)}, ["a", "b"]),
        ("say@1", {"b": ("say", 2), "z": ("zap", 1)}, ["zap@1", "say@1", "say@2"]),
        (None, {"a": ("say", 10), "b": ("say", 9)}, ["say@9", "say@10"]),
        (None, {}, []),
    ],
    ids=["by name", "by id", "those of another prompt first", "nothing names one", "none"],
)
def test_versions_are_called_as_the_store_calls_others(
    tmp_path: Path, named: str | None, records: dict[str, tuple[str, int]], labels: list[str]
) -> None:
    """By name and version, or by id; another prompt's is never the newest."""
    root = tmp_path / "folder"
    asking(root, named)
    listed = [
        {"id": name, "type": "prompt-version", "fields": {"name": own, "version": number}}
        for name, (own, number) in records.items()
    ]
    write(root / STORE / "all.json", listed)
    rows = opened(root).tables.versions.sort_values("position")
    assert rows["version"].tolist() == labels


def test_plan_and_form_say_which_prompt_is_sent(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With its place, its size and its sha256, before anything is started."""
    root, text = versions(tmp_path / "folder"), TEXTS["pv-2"]
    said = (
        f"pv-2: its prompt, {len(text)} characters from {STORE}/prompt-version/pv-2.json "
        f"(sha256 {sha256(text)[:12]}…), is sent before the task."
    )
    ws = opened(root)
    plan = make_plan(ws, "writer", Request(executor=seeing(), versions=("pv-2",)))
    blocks = executed_blocks(plan, estimate(ws.tables, plan))
    assert said in [each.text for each in blocks if isinstance(each, Say)]
    config = tmp_path / "config"
    config.mkdir()
    (config / "executors.toml").write_text('[own]\ncommand = ["true"]\n')
    asked = ["run", str(root), "--suite", "writer", "--version", "pv-2", "--executor", "own"]
    shown = CliRunner().invoke(app, [*asked, "--dry-run"], env={"COLUMNS": "300"})
    assert said in shown.stdout
    told = json.loads(CliRunner().invoke(app, [*asked, "--dry-run", "--json"]).stdout)
    source = f"{STORE}/prompt-version/pv-2.json"
    assert told["prompts"] == {"pv-2": {"sha256": sha256(text), "source": source, "text": text}}
