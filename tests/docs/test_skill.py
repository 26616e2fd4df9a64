"""The skill for agents: what it teaches is what evalcore reads and does, and it has evals."""

import json
import re
import shlex
from pathlib import Path
from typing import Any

import pytest
import typer

import evalcore.cli.main  # noqa: F401 - registers the commands
from evalcore.checks.conventions import conventions
from evalcore.checks.produced import Produced
from evalcore.checks.rule_lines import parse
from evalcore.cli.agent_tools import AgentTools
from evalcore.cli.app import app
from evalcore.cli.opening import Followed
from evalcore.lint.run import check
from evalcore.workspace.opened import Workspace, open_workspace

SKILLS = Path(__file__).resolve().parents[2] / "skills"
TEXT = (SKILLS / "evalcore" / "SKILL.md").read_text("utf-8")
FENCED = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
PLACES = {
    "evals": "my-skill/evals/evals.json",
    "expectations": "my-skill-workspace/iteration-1/one-fix/with_skill/grading.json",
}
COMMANDS = [
    line
    for language, text in FENCED.findall(TEXT)
    if language == "sh"
    for line in text.splitlines()
]


def examples() -> dict[str, Any]:
    """Return the documents that the skill shows, by the place that it names for each."""
    shown = [json.loads(text) for language, text in FENCED.findall(TEXT) if language == "json"]
    found = {path: value for value in shown for key, path in PLACES.items() if key in value}
    assert len(found) == len(shown) == len(PLACES)
    return found


@pytest.fixture(scope="module")
def ws() -> Workspace:
    """Return the folder of skills of this checkout."""
    return open_workspace(SKILLS, cache=False)


def test_evalcore_reads_its_own_evals_without_a_word(ws: Workspace) -> None:
    """Seven cases, each with its files and what can fail, and no problem, not even a note."""
    assert ws.tables.suites["suite"].tolist() == ["evalcore"]
    assert len(ws.tables.cases) == 7
    assert set(ws.tables.criteria["case_id"]) == set(ws.tables.cases["case_id"])
    assert list(ws.problems) + check(ws) == []


def test_every_rule_of_its_evals_can_be_decided(ws: Workspace) -> None:
    """None is a word that no rule has; every case leaves something to a reader too."""
    texts = ws.tables.criteria["description"].tolist()
    ruled = [text for text in texts if "rule:" in text]
    assert [text for text in ruled if not isinstance(parse(text), list)] == []
    assert 0 < len(ruled) < len(texts)


def test_it_keeps_the_conventions_of_skills() -> None:
    """Those that `evalcore run` decides for the skills of others."""
    found = conventions(Produced(SKILLS, "evalcore"))
    assert {name: outcome.passed for name, outcome in found.items()} == dict.fromkeys(
        ("frontmatter", "description_field", "token_efficiency"), True
    )


def test_what_it_shows_is_read_without_a_word(tmp_path: Path) -> None:
    """Both documents, where it says that they are: a case with its rules, and a run of it."""
    for path, value in examples().items():
        assert f"`{path.rpartition('/')[0]}/" in TEXT or f"`{path}`" in TEXT
        (tmp_path / path).parent.mkdir(parents=True)
        (tmp_path / path).write_text(json.dumps(value), "utf-8")
    (tmp_path / "my-skill/SKILL.md").write_text("---\nname: my-skill\ndescription: x\n---\nx\n")
    opened = open_workspace(tmp_path, cache=False)
    assert list(opened.problems) + check(opened) == []
    assert opened.tables.cases["name"].tolist() == ["one-fix"]
    assert opened.tables.judgments["passed"].tolist() == [True]
    ruled = [text for text in opened.tables.criteria["description"] if "rule:" in text]
    assert [len(parse(text)) for text in ruled] == [1, 1]


def test_every_rule_that_it_names_is_one() -> None:
    """With arguments of the right kind."""
    (line,) = [line for line in TEXT.splitlines() if line.startswith("- A line `rule:`")]
    named = re.findall(r"`([a-z_]+ [^`]+)`", line)
    assert len(named) > 5
    assert [name for name in named if not isinstance(parse(f"rule: {name}"), list)] == []


@pytest.mark.parametrize("line", COMMANDS)
def test_every_command_that_it_names_is_one(line: str) -> None:
    """With the options and arguments that it has."""
    program, name, *rest = shlex.split(line)
    assert program == "evalcore"
    command = typer.main.get_command(app).commands[name]  # type: ignore[attr-defined]
    command.make_context(name, rest)


def test_it_names_the_five_words_of_a_verdict() -> None:
    """And what each of the exit codes means."""
    words = ("better", "worse", "better on these cases", "worse on these cases", "can't tell")
    assert [word for word in words if f"`{word}`" not in TEXT] == []
    assert "0 fine, 1 the answer is no, 2 it could not be done" in TEXT


def test_every_tool_that_it_names_is_one() -> None:
    """And the fields that it tells an agent to look at are those of answers."""
    section = TEXT[TEXT.index("## With tools") : TEXT.index("## Text of a folder")]
    tools = AgentTools(Followed(SKILLS))
    known = {tool.__name__ for tool in (*tools.reading, *tools.writing)}
    named = set(re.findall(r"`(\w+_\w+)`", section))
    assert named - {"next_cursor"} <= known
    assert len(named & known) >= 5
    assert {"sides", "listed", "next_cursor", "reason"} <= set(re.findall(r"`(\w+)`", section))


def test_the_page_on_agents_lists_the_tools() -> None:
    """Each in its row, and no other."""
    page = (SKILLS.parent / "docs" / "agents.md").read_text("utf-8")
    tools = AgentTools(Followed(SKILLS))
    known = [tool.__name__ for tool in (*tools.reading, *tools.writing)]
    assert re.findall(r"^\| `(\w+)` \|", page, re.MULTILINE) == known
