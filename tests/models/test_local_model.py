"""A real small model on this machine, asked as a user's model is: nothing of it is made up.

What it says is its own and often foolish: what must hold is how that is taken up.
"""

import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from evalcore.engine.model_answers import PLACEHOLDER
from evalcore.models.calls import Answer, Call
from evalcore.models.client import complete
from evalcore.models.configuration import Model, model_of
from tests.cli.command import ROOT, evalcore
from tests.engine.people import iterations
from tests.judging.copies import DEMO
from tools import local_model

MODELS = """\
[endpoints.local]
base_url = "{url}/v1"
seconds = 240.0
[endpoints.words]
base_url = "{url}/v1"
seconds = 240.0
schema = false
[models.short]
endpoint = "local"
model = "gemma3-270m"
parameters = {{ max_tokens = 16, temperature = 0, seed = 1 }}
[models.judge]
endpoint = "local"
model = "gemma3-270m"
parameters = {{ max_tokens = 220, temperature = 0, seed = 1 }}
[models.judge-in-words]
endpoint = "words"
model = "gemma3-270m"
parameters = {{ max_tokens = 120, temperature = 0, seed = 1 }}
"""
SCHEMA = {
    "type": "object",
    "properties": {
        "score": {"type": "integer", "enum": [1, 2, 3, 4, 5]},
        "passed": {"type": "boolean"},
    },
    "required": ["score", "passed"],
    "additionalProperties": False,
}
CASE, VERSION, CRITERIA = "running-total", "d2", 2
"""One run, by two criteria: a second one would ask the same of the model."""
QUESTION = "Grade this greeting: Hello. Answer as JSON."


@dataclass(frozen=True)
class Server:
    """A running server of the model: its address, and a folder with a configuration for it."""

    url: str
    home: Path

    @property
    def variables(self) -> dict[str, str]:
        names = ("config", "state", "cache")
        return {f"EVALCORE_{name.upper()}_DIR": str(self.home / name) for name in names}


@pytest.fixture(scope="module")
def model_file() -> Path:
    """Return the model that `make test` put together; without it the test is skipped."""
    if local_model.PATH_FILE.is_file() and not local_model.missing():
        return Path(local_model.PATH_FILE.read_text("utf-8").strip())
    reason = "run `make test`, which fetches one"
    if local_model.MISSING_FILE.is_file():
        reason = local_model.MISSING_FILE.read_text("utf-8").strip()
    pytest.skip(f"no local model: {reason}")


@pytest.fixture(scope="module")
def server(model_file: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Serve the model in a process of its own, and end all of it afterwards."""
    home = tmp_path_factory.mktemp("local-model")
    log = home / "log.txt"
    with log.open("wb") as errors:
        process = subprocess.Popen(
            [sys.executable, "-m", "tests.models.local_server", str(model_file)],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=errors,
            start_new_session=True,
        )
    try:
        assert process.stdout is not None
        url = process.stdout.readline().decode().strip()
        assert url.startswith("http://127.0.0.1:"), log.read_text("utf-8", "replace")[-2000:]
        (home / "config").mkdir()
        (home / "config/models.toml").write_text(MODELS.format(url=url))
        yield Server(url, home)
    finally:
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()


@pytest.fixture
def ask(server: Server, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Answer]:
    """Return what asks a configured model one question."""
    monkeypatch.setenv("EVALCORE_CONFIG_DIR", str(server.home / "config"))

    def asked(name: str, content: str = QUESTION, **given: Any) -> Answer:
        model: Model = model_of(name)
        messages = [{"role": "user", "content": content}]
        return complete(model, Call(messages, seconds=model.seconds, **given))

    return asked


def test_doctor_finds_that_it_answers(server: Server) -> None:
    """With what it said and how many tokens that took."""
    found = evalcore("doctor", "--model", "short", home=server.home, **server.variables)
    assert found.returncode == 0, found.stdout + found.stderr
    assert "It answered '" in found.stdout
    assert " tokens, price not known)" in found.stdout


def test_an_answer_has_exactly_the_form_of_the_schema(ask: Callable[..., Answer]) -> None:
    """The server lets the model say nothing else, however small it is."""
    found = ask("judge", schema=SCHEMA)
    assert (found.status, found.form) == ("completed", "schema")
    value = json.loads(found.text)
    assert value.keys() == {"score", "passed"}
    assert value["score"] in {1, 2, 3, 4, 5}
    assert isinstance(value["passed"], bool)
    assert found.tokens_in
    assert found.tokens_out


def test_a_server_that_is_said_to_take_no_schema_is_asked_in_words(
    ask: Callable[..., Answer],
) -> None:
    """It then says what it likes."""
    found = ask("judge-in-words", schema=SCHEMA)
    assert found.form == "text"
    assert found.status in {"completed", "length_cut"}
    assert found.text


def test_its_answers_come_in_pieces_with_their_tokens(
    ask: Callable[..., Answer], server: Server
) -> None:
    """As they do to an executor; together they are the answer that comes at once."""
    heard: list[int] = []
    model = model_of("short")
    question = [{"role": "user", "content": QUESTION}]
    pieces = complete(model, Call(question, seconds=model.seconds), heard=heard.append)
    assert pieces.text == ask("short").text
    assert heard[-1] == len(pieces.text)
    assert len(heard) > 2
    assert pieces.tokens_out


def test_a_prompt_that_is_longer_than_its_context_is_refused_and_that_is_said(
    ask: Callable[..., Answer],
) -> None:
    """It is not shortened: that would be judged without having been seen."""
    found = ask("judge", content="Grade this. " * 3_000)
    assert found.status == "length_cut"
    assert "longer than gemma3-270m takes" in found.why
    assert found.code == 400


@pytest.mark.parametrize("model", ["judge", "judge-in-words"])
def test_it_judges_a_suite_and_what_it_says_is_a_score_or_kept_as_it_came(
    server: Server,
    tmp_path: Path,
    model: str,
) -> None:
    """Every criterion is scored in scale with a rationale, or unscored with reason and answer.

    A reply that cannot be read is asked for once more.
    """
    root = Path(shutil.copytree(DEMO, tmp_path / "demo"))
    variables = server.variables | {"EVALCORE_STATE_DIR": str(tmp_path / "state")}

    def said(*asked: str | Path) -> Any:
        return json.loads(evalcore(*asked, "--json", home=server.home, **variables).stdout)

    before = said("check", root)
    one = ("--suite", "sql-helper", "--version", VERSION, "--cases", CASE)
    value = said("judge", root, *one, "--model", model, "--concurrency", "1")
    figures = f"{value['runs']} runs, {value['tokens']} tokens, {value['unscored']} unscored"
    print(f"{model}: {figures}")  # noqa: T201 - figures are for reading
    assert (value["state"], value["not_done"]) == ("finished", 0)
    assert value["runs"] == 1
    assert 1 <= value["calls"] <= 2
    records = [json.loads((root / path).read_text("utf-8")) for path in value["written"]]
    assert value["unscored"] + len(records) == CRITERIA
    for each in records:
        fields = each["fields"]
        assert fields["minScore"] <= fields["score"] <= fields["maxScore"]
        assert len(fields["rationale"]) > len(PLACEHOLDER)
        assert fields["judgedByType"] == "llm"
        assert fields["judgedBy"] == "gemma3-270m"
    for each in value["unscored_criteria"]:
        assert each["why"]
        assert each["answer"]
    after = said("check", root)
    assert after["problems"] == before["problems"]


def test_it_executes_a_case_which_ends_with_a_status_and_its_transcript(
    server: Server, tmp_path: Path
) -> None:
    """Whatever it does with its tools: what it said is kept, and the folder opens clean."""
    root = tmp_path / "folder"
    iterations(root)
    variables = server.variables | {"EVALCORE_STATE_DIR": str(tmp_path / "state")}
    asked = ("--executor", "openai", "--model", "judge-in-words", "--max-steps", "3", "--runs", "1")
    one = ("--configuration", "with_skill", "--json")
    found = evalcore("run", root, *asked, *one, home=server.home, **variables)
    value = json.loads(found.stdout)
    assert (value["state"], value["runs"], value["not_done"]) == ("finished", 1, 0)
    assert set(value["statuses"]) <= {"completed", "length_cut", "pending"}
    assert 1 <= value["calls"] <= 3
    assert value["tokens"]
    (transcript,) = root.rglob("transcript.md")
    assert len(transcript.read_text("utf-8")) > 10
    after = evalcore("check", root, "--json", home=server.home, **variables)
    problems = json.loads(after.stdout)["problems"]
    assert [each for each in problems if each["severity"] != "info"] == []
    print(f"executor: {value['statuses']}, {value['calls']} calls, {value['tokens']} tokens")  # noqa: T201
