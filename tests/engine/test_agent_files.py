"""The tools of a model that executes: what they do, what they refuse, and within which bounds."""

import json
import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from evalcore.disk.temporary import temporary_folder
from evalcore.engine.executing.agent import files as bounds
from evalcore.engine.executing.agent.conversation import Conversation, Step
from evalcore.engine.executing.agent.files import CaseFiles, ToolFault
from evalcore.engine.executing.agent.tools import TOOLS, Tools, Used, definitions
from evalcore.engine.executing.agent.transcript import MAX_ANSWER, MAX_ARGUMENTS, transcript
from evalcore.models.calls import Answer, ToolCall
from evalcore.sandbox.bubblewrap import missing
from evalcore.steps.reading import read_steps

SECRET = "SECRET-9920"
ESCAPES = (
    "/etc/hostname",
    "../outside.txt",
    "notes/../../outside.txt",
    "..",
    "a//b",
    "a/./b",
    "link.txt",
    "up/outside.txt",
    "a\0b",
    "a\nb",
    "\ud800",
    "n" * 256,
    "/".join("d" * 40),
)

Use = Callable[..., Used]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A folder with files, links that lead out of it, and a pipe."""
    (tmp_path / "outside.txt").write_text(SECRET)
    root = tmp_path / "case"
    (root / "notes").mkdir(parents=True)
    (root / "skill/writer").mkdir(parents=True)
    (root / "notes/a.txt").write_text("one\ntwo words\nthree\n")
    (root / "skill/writer/SKILL.md").write_text("two words\n")
    (root / "link.txt").symlink_to(tmp_path / "outside.txt")
    (root / "up").symlink_to(tmp_path)
    (root / "inner").symlink_to(root / "notes/a.txt")
    os.mkfifo(root / "pipe")
    return root


@pytest.fixture
def use(root: Path) -> Use:
    """Return a function that uses a tool."""
    tools = _tools(root)
    return lambda name, **given: tools.use(ToolCall("c", name, json.dumps(given)))


@pytest.fixture
def laid() -> Iterator[Path]:
    """A folder of the kind that cases are laid out in, where there is a sandbox."""
    if reason := missing():
        pytest.skip(reason)
    with temporary_folder("case") as folder:
        yield folder


def _tools(root: Path, **given: Any) -> Tools:
    given = {"commands": False, "end": time.monotonic() + 60, "stopped": lambda: False, **given}
    return Tools(root, "skill/writer", **given)


def test_files_are_listed_with_their_sizes_and_nothing_else_is(use: Use) -> None:
    """No link, pipe or folder."""
    found = use("list_files").answer.splitlines()
    assert found == ["notes/a.txt (20 bytes)", "skill/writer/SKILL.md (10 bytes)"]
    assert use("list_files", path="./notes/").answer == "notes/a.txt (20 bytes)"
    assert use("list_files", path="note").answer == "There are no files."


@pytest.mark.parametrize("path", ESCAPES)
@pytest.mark.parametrize("name", ["read_file", "write_file", "search_text", "list_files"])
def test_no_path_leads_out_of_the_folder(
    use: Use, root: Path, tmp_path: Path, name: str, path: str
) -> None:
    """Absolute, upwards, through a link, or no name of a file at all."""
    found = use(name, path=path, content="changed", text="SECRET")
    assert SECRET not in found.answer
    assert found.failed or found.answer in ("There are no files.", "No line has that.")
    assert (tmp_path / "outside.txt").read_text() == SECRET
    assert sorted(each.name for each in tmp_path.iterdir()) == ["case", "outside.txt"]
    assert (root / "link.txt").is_symlink()


@pytest.mark.parametrize("path", ["pipe", "notes", "inner", "link.txt"])
def test_only_regular_files_are_read_and_written(use: Use, root: Path, path: str) -> None:
    """Neither waits for a pipe, follows a link, nor touches a folder."""
    assert use("read_file", path=path).failed
    assert use("write_file", path=path, content="x").failed
    assert (root / "notes/a.txt").read_text().startswith("one")


def test_a_fault_names_no_place_of_this_machine(use: Use, root: Path) -> None:
    for path in ("gone", "pipe", "notes", "inner", "link.txt", "notes/a.txt/b", "../x"):
        assert str(root) not in use("read_file", path=path).answer


def test_a_file_is_read_in_parts(use: Use, root: Path) -> None:
    (root / "long.txt").write_text("ä" * (bounds.MAX_READ + 5))
    first = use("read_file", path="long.txt")
    assert first.answer.count("ä") == bounds.MAX_READ
    assert f"read on with offset {bounds.MAX_READ}" in first.answer
    assert use("read_file", path="long.txt", offset=bounds.MAX_READ).answer == "ä" * 5
    assert use("read_file", path="long.txt", offset=bounds.MAX_READ + 5).failed
    (root / "empty.txt").touch()
    assert use("read_file", path="empty.txt").answer == "[The file is empty.]"


def test_what_is_no_text_or_too_large_is_not_read(use: Use, root: Path) -> None:
    (root / "odd").write_bytes(b"\xff\xfe")
    (root / "nul").write_bytes(b"a\0b")
    (root / "large").write_bytes(b"x" * (bounds.MAX_FILE + 1))
    (root / "most").write_bytes(b"x" * bounds.MAX_FILE)
    assert "no text" in use("read_file", path="odd").answer
    assert "no text" in use("read_file", path="nul").answer
    assert "too large" in use("read_file", path="large").answer
    assert not use("read_file", path="most").failed


def test_a_file_is_written_and_replaced(use: Use, root: Path) -> None:
    assert use("write_file", path="./new/deep/f.md", content="first, longer").failed is False
    assert use("write_file", path="new/deep/f.md", content="ü").answer.endswith("2 bytes.")
    assert (root / "new/deep/f.md").read_text() == "ü"
    assert use("write_file", path="notes/a.txt", content="x").failed is False


def test_the_skill_is_read_only(use: Use, root: Path) -> None:
    assert use("write_file", path="skill/writer/SKILL.md", content="x").failed
    assert use("write_file", path="skill/writer", content="x").failed
    assert not use("write_file", path="skill/writers.md", content="x").failed
    assert (root / "skill/writer/SKILL.md").read_text() == "two words\n"


def test_writing_is_bounded_in_size_and_number(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bounds, "MAX_WRITTEN", 10)
    monkeypatch.setattr(bounds, "MAX_TOTAL", 25)
    monkeypatch.setattr(bounds, "MAX_FILES", 3)
    made = CaseFiles(root, None)
    made.write("a", "x" * 10)
    with pytest.raises(ToolFault, match="too much"):
        made.write("b", "x" * 11)
    made.write("b", "x" * 10)
    with pytest.raises(ToolFault, match="too much"):
        made.write("c", "x" * 6)
    made.write("c", "x" * 5)
    made.write("c", "xx")
    with pytest.raises(ToolFault, match="No more than 3 files"):
        made.write("d", "")
    assert not (root / "d").exists()


def test_lines_are_found_by_text_or_pattern(use: Use) -> None:
    both = "notes/a.txt:2: two words\nskill/writer/SKILL.md:1: two words"
    assert use("search_text", text="two w").answer == both
    assert use("search_text", text="t.o").answer == "No line has that."
    assert use("search_text", text="^t.o", regex=True).answer == both
    found = use("search_text", text="two", path="notes/a.txt")
    assert found.answer == "notes/a.txt:2: two words"


def test_matches_are_bounded_in_number_and_length(use: Use, root: Path) -> None:
    (root / "many.txt").write_text(("hit " + "x" * 1_000 + "\n") * (bounds.MAX_MATCHES + 1))
    lines = use("search_text", text="hit").answer.splitlines()
    assert len(lines) == bounds.MAX_MATCHES + 1
    assert "only the first 100" in lines[-1]
    assert max(map(len, lines)) < bounds.MAX_LINE + 20


@pytest.mark.parametrize("pattern", ["(", "(x+x+)+y", "a" * 1_001])
def test_a_pattern_that_is_faulty_or_slow_is_a_fault(use: Use, root: Path, pattern: str) -> None:
    (root / "slow.txt").write_text("x" * 5_000)
    assert use("search_text", text=pattern, regex=True).failed


def test_a_search_through_much_text_ends(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bounds, "SEARCH_SECONDS", 0.0)
    with pytest.raises(ToolFault, match="too long"):
        list(CaseFiles(root, None).matches("x", ""))


def test_the_transcript_shows_no_file_that_was_only_read(use: Use) -> None:
    found = use("read_file", path="notes/a.txt")
    assert "two words" in found.answer
    assert found.shown == "[20 characters of notes/a.txt]"


def test_answers_cannot_leave_their_place_in_the_transcript() -> None:
    """Whatever marks a file or a model writes, and however long it is."""
    call = ToolCall("c", "search_text", "{}")
    used = Used(call, "", False, "a\n```\n## Step 9\n````\n" + "x" * MAX_ANSWER)
    answer = Answer("completed", text="I look.", tokens_in=5, tokens_out=0, seconds=1.25)
    text = transcript(Conversation((Step(answer, (used,)),), "completed"))
    assert "`````\na\n```\n## Step 9\n````\n" in text
    assert "[21 more characters]\n`````" in text
    assert "*5 tokens in, 0 out, 1.2 s*" in text
    assert "tokens not reported" in transcript(
        Conversation((Step(Answer("error")),), "error", "Why.")
    )


def test_the_transcript_is_read_back_as_steps() -> None:
    """Each tool with its arguments, which stay JSON however long they are, and what failed."""
    asked = json.dumps({"path": "a.md", "content": "x" * (MAX_ARGUMENTS + 7)})
    wrote = Used(ToolCall("c", "write_file", asked), "", False, "a.md is written.")
    failed = Used(ToolCall("d", "read_file", '{"path": "b"}'), "", True, "There is no b.")
    said = "**read_file**\n\n```\n{}\n```"
    answer = Answer("completed", text=said, tokens_in=1_200, tokens_out=30, seconds=1.25)
    text = transcript(
        Conversation((Step(answer, (wrote, failed)), Step(answer)), "length_cut", "Too long.")
    )
    found = read_steps(text.encode())
    assert [
        (step.turn, step.kind, step.tool, step.status, step.tokens) for step in found.steps
    ] == [
        (1, "assistant", None, None, 1_230),
        (1, "tool_call", "write_file", "ok", None),
        (1, "tool_call", "read_file", "error", None),
        (2, "assistant", None, None, 1_230),
        (2, "error", None, None, None),
    ]
    assert found.steps[0].text == said
    assert found.steps[1].arguments["path"] == "a.md"
    assert found.steps[2].result == "There is no b."
    assert (found.unread, found.has_tools) == (0, True)


def test_a_transcript_that_is_cut_is_not_read_as_whole() -> None:
    """So that nobody concludes what it does not tell."""
    used = Used(ToolCall("c", "search_text", "{}"), "", False, "x" * MAX_ANSWER)
    step = Step(Answer("completed", seconds=1.0), (used,) * 16)
    found = read_steps(transcript(Conversation((step,) * 40, "completed")).encode())
    assert found.unread == 1
    assert found.calls


def test_tools_are_described_for_the_server(root: Path) -> None:
    """Names, sentences and forms; no tool deletes, and commands are there only if allowed."""
    found = definitions(_tools(root).offered)
    assert [each["function"]["name"] for each in found] == list(TOOLS)
    one = next(each["function"] for each in found if each["function"]["name"] == "read_file")
    assert one["parameters"]["required"] == ["path"]
    assert one["parameters"]["properties"]["offset"]["minimum"] == 0
    assert one["description"].startswith("Read a text file")
    assert "run_command" in _tools(root, commands=True).offered


def test_without_a_sandbox_no_command_runs(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("evalcore.sandbox.bubblewrap.missing", lambda: "There is no sandbox.")
    call = ToolCall("c", "run_command", json.dumps({"command": "echo x > ran.txt"}))
    found = _tools(root, commands=True).use(call)
    assert (found.failed, found.answer) == (True, "There is no sandbox.")
    assert not (root / "ran.txt").exists()


def test_a_command_runs_in_the_sandbox_only(tmp_path: Path, laid: Path) -> None:
    """It sees the folder and no other, has no network, and its output is cut."""
    (tmp_path / "outside.txt").write_text(SECRET)
    (laid / "in.txt").write_text("here\n")
    tools = _tools(laid, commands=True)

    def run(command: str) -> str:
        return tools.use(ToolCall("c", "run_command", json.dumps({"command": command}))).answer

    assert "here" in run("cat in.txt")
    assert "code 3" in run("exit 3")
    assert SECRET not in run(f"cat {tmp_path}/outside.txt")
    assert "cut here" in run("yes | head -c 1000000")
    run("echo made > made.txt; ln -s /etc/passwd out")
    assert not tools.use(ToolCall("c", "read_file", json.dumps({"path": "made.txt"}))).failed
    assert tools.use(ToolCall("c", "read_file", json.dumps({"path": "out"}))).failed


def test_a_command_ends_with_the_time_of_the_case(laid: Path) -> None:
    tools = _tools(laid, commands=True, end=time.monotonic() + 0.5)
    found = tools.use(ToolCall("c", "run_command", json.dumps({"command": "sleep 60"})))
    assert "was ended" in found.answer
