"""A case is executed in a fresh copy that holds its files and the skill, and no answer."""

import json
from pathlib import Path

import pytest

from evalcore.engine.executing.case_folder import case_folder, produced_in
from evalcore.engine.kept import kept
from evalcore.engine.plan import Template
from evalcore.engine.store import RunFolder
from evalcore.errors import CannotRun
from evalcore.sandbox.bubblewrap import missing
from tests.engine.conftest import Made, fake, planned, ran, write

CANARY = "CANARY-4471"


def _with_answers(root: Path) -> Path:
    """Put a canary into everything that tells the answer."""
    skill, workspace = root / "writer", root / "writer-workspace"
    run = workspace / "iteration-1/eval-1/with_skill/run-1"
    write(
        run / "grading.json", {"expectations": [{"text": CANARY, "passed": True, "evidence": ""}]}
    )
    write(workspace / "benchmark.json", {"notes": [CANARY]})
    for path in (
        skill / "evals/secret.md",
        skill / ".git/config",
        skill / "reviews/eval-judgment/x.json",
        skill / "eval/benchmark.json",
        workspace / "skill-snapshot/SKILL.md",
    ):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(CANARY)
    return root


def test_an_executor_sees_no_answer(made: Made) -> None:
    """What lies around it is no expectation, grading, other version or git."""
    root = _with_answers(made("look", expectations=["Undecided."]))
    assert "SKILL.md" in _reply(ran(root))
    assert CANARY not in _reply(ran(root))


def test_an_executor_that_knows_the_path_of_the_folder_finds_nothing_there(made: Made) -> None:
    """The workspace and the plans of runs are hidden from it."""
    if reason := missing():
        pytest.skip(reason)
    root = _with_answers(made("x", expectations=["Undecided."]))
    made(f"look={root} look={root.parent / 'state'}", expectations=["Undecided."])
    reply = _reply(ran(root))
    assert CANARY not in reply
    assert "plan.json" not in reply


def test_an_executor_that_is_to_see_the_folder_does(made: Made) -> None:
    """The control: the same program finds the canary if it is not hidden."""
    root = _with_answers(made("x", expectations=["Undecided."]))
    made(f"look={root}", expectations=["Undecided."])
    assert CANARY in _reply(ran(root, fake(sees_workspace=True)))


def _reply(folder: RunFolder) -> str:
    """Return the reply of a run that waits for people, so that it is still kept."""
    done = kept(folder, 0)
    assert done is not None
    return done.execution.reply


@pytest.mark.parametrize(
    ("configuration", "seen"),
    [("with_skill", "New words."), ("without_skill", None), ("old_skill", "Old words.")],
)
def test_configurations_differ_only_by_the_skill_that_is_laid(
    made: Made, configuration: str, seen: str | None
) -> None:
    """It lies in the same place, under the same name."""
    root = made("look")
    (root / "writer/SKILL.md").write_text("New words.")
    old = root / "writer-workspace/skill-snapshot/SKILL.md"
    old.parent.mkdir(parents=True)
    old.write_text("Old words.")
    folder = planned(root, configurations=(configuration,))
    with case_folder(folder.plan, folder.plan.runs[0], "skill") as laid:
        texts = {path.name: path.read_text() for path in laid.path.rglob("*.md")}
        assert laid.skill == (None if seen is None else "skill/writer")
    assert texts == ({} if seen is None else {"SKILL.md": seen})


def test_the_files_of_a_case_are_laid_where_it_names_them(made: Made) -> None:
    """They are copies: changing them changes nothing in the folder."""
    root = made("write=evals/files/in.txt")
    _name_file(root, "evals/files/in.txt")
    ran(root)
    assert (root / "writer/evals/files/in.txt").read_text() == "given"
    outputs = root / "writer-workspace/iteration-1/eval-1/with_skill/run-1/outputs"
    assert (outputs / "evals/files/in.txt").read_text() == "done\n"


def test_a_file_that_is_not_there_is_said_before_the_start(made: Made) -> None:
    """Nothing is planned without it."""
    root = made("write=a.txt")
    _name_file(root, "evals/files/gone.txt", content=None)
    with pytest.raises(CannotRun, match=r"gone\.txt is not in this folder"):
        planned(root)


@pytest.mark.parametrize("name", ["../../outside.txt", "/etc/hostname", "evals/../../../x"])
def test_a_file_outside_the_workspace_is_refused(made: Made, tmp_path: Path, name: str) -> None:
    """Whatever a case names, only files of the folder are laid out."""
    (tmp_path / "outside.txt").write_text(CANARY)
    root = made("look")
    _name_file(root, name, content=None)
    with pytest.raises(CannotRun):
        planned(root)


def test_a_link_in_a_skill_is_not_followed(made: Made, tmp_path: Path) -> None:
    """What it leads to is not the skill's."""
    secret = tmp_path / "secret.txt"
    secret.write_text(CANARY)
    root = made("look", expectations=["Undecided."])
    (root / "writer/notes.md").symlink_to(secret)
    reply = _reply(ran(root))
    assert "SKILL.md" in reply
    assert CANARY not in reply


def test_links_and_pipes_that_a_run_leaves_are_not_kept(made: Made) -> None:
    """Only regular files are outputs."""
    root = made("link=/etc/hostname pipe=p write=a.txt")
    ran(root)
    outputs = root / "writer-workspace/iteration-1/eval-1/with_skill/run-1/outputs"
    assert [path.name for path in outputs.iterdir()] == ["a.txt"]


def test_only_what_was_made_or_changed_was_produced(made: Made) -> None:
    """Files that were laid and stayed as they were are none; nor is what lies in the skill."""
    folder = planned(made("look"))
    with case_folder(folder.plan, folder.plan.runs[0], "skill") as laid:
        (laid.path / "b.txt").write_text("new")
        (laid.path / "skill/writer/extra.md").write_text("new")
        assert produced_in(laid, 10) == ["b.txt"]
        assert produced_in(laid, 0) == []


def test_an_answer_without_files_is_an_output(made: Made) -> None:
    """What the executor said stands in reply.md."""
    root = made("hello")
    ran(root)
    outputs = root / "writer-workspace/iteration-1/eval-1/with_skill/run-1/outputs"
    assert (outputs / "reply.md").read_text() == "done hello"


def test_the_folder_is_gone_afterwards(made: Made) -> None:
    """Nothing of a case stays behind in the folder for temporary files."""
    folder = planned(made("look"))
    with case_folder(folder.plan, folder.plan.runs[0], "skill") as laid:
        path = laid.path
        assert path.is_dir()
    assert not path.exists()


def test_a_variable_is_passed_only_by_its_name(made: Made, monkeypatch: pytest.MonkeyPatch) -> None:
    """A key of the user is not in the environment of an executor that does not need it."""
    monkeypatch.setenv("SOME_API_KEY", CANARY)
    root = made("env=SOME_API_KEY", expectations=["Undecided."])
    assert "SOME_API_KEY=None" in _reply(ran(root))
    assert f"SOME_API_KEY={CANARY}" in _reply(ran(root, fake(env=("SOME_API_KEY",))))


def test_placeholders_are_replaced_once(made: Made, tmp_path: Path) -> None:
    """A prompt that holds a placeholder is handed over as it is."""
    script = tmp_path / "show.sh"
    script.write_text('#!/bin/sh\nprintf "%s|" "$@"\n')
    script.chmod(0o755)
    template = Template(command=(str(script), "{prompt}", "{skill}", "--s={skill}", "x"))
    root = made("say {skill} {case} {prompt}")
    executor = fake()
    executor = type(executor)("show", "command", template, "yours")
    ran(root, executor)
    reply = root / "writer-workspace/iteration-1/eval-1/with_skill/run-1/outputs/reply.md"
    said = reply.read_text()
    assert said == "say {skill} {case} {prompt}|skill/writer|--s=skill/writer|x|"


def _name_file(root: Path, name: str, content: str | None = "given") -> None:
    evals = root / "writer/evals/evals.json"
    value = json.loads(evals.read_text())
    value["evals"][0]["files"] = [name]
    evals.write_text(json.dumps(value))
    if content is not None:
        path = root / "writer" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content)
