"""The script files that a command names are hashed, and those bytes run."""

import os
import threading
from pathlib import Path

import pytest

from evalcore.errors import CannotAllow, PathOutside
from evalcore.sandbox.bubblewrap import SKILL, run_script
from evalcore.sandbox.scripts import MAX_BYTES, MAX_FILES, laid_out, referenced
from evalcore.sandbox.trust import Command, allow, is_allowed


@pytest.fixture
def skill(tmp_path: Path) -> Path:
    """Return the folder of a skill with scripts."""
    folder = tmp_path / "skill"
    (folder / "scripts" / "inner").mkdir(parents=True)
    (folder / "scripts" / "check.py").write_text("import helper\nimport inner.deep\n")
    (folder / "scripts" / "helper.py").write_text("print('helped')\n")
    (folder / "scripts" / "inner" / "deep.py").write_text("")
    (folder / "scripts" / "other.py").write_text("print('other')\n")
    (folder / "run.sh").write_text("echo run\n")
    return folder


def names(found: dict[Path, bytes], skill: Path) -> set[str]:
    """Return the paths below a skill."""
    return {str(path.relative_to(skill)) for path in found}


@pytest.mark.parametrize(
    "text",
    [
        "bash run.sh",
        "./run.sh",
        "bash '/skill/run.sh' && x",
        'bash "$SKILL_DIR/run.sh"',
        "bash ${SKILL}/run.sh; echo",
        "x=run.sh\n$x",
        "cat<run.sh|sh",
        "`cat run.sh`",
        "bash skill/./run.sh",
    ],
)
def test_a_named_file_is_found(skill: Path, text: str) -> None:
    """However a shell may write its name."""
    assert referenced(text, skill) == {skill / "run.sh": b"echo run\n"}


def test_what_a_named_file_names_is_found(skill: Path) -> None:
    """A module that it imports, from its own folder."""
    found = referenced("python scripts/check.py outputs", skill)
    assert names(found, skill) == {"scripts/check.py", "scripts/helper.py", "scripts/inner/deep.py"}


@pytest.mark.parametrize("text", ["", "echo hi", "bash ../secret", "cat /etc/passwd", "a\0b", "."])
def test_nothing_else_is_found(skill: Path, text: str) -> None:
    """Neither a file outside nor a word that names none."""
    (skill.parent / "secret").write_text("x")
    assert referenced(text, skill) == {}


def test_links_are_not_followed(skill: Path) -> None:
    """Neither one to a file nor one to a folder."""
    (skill / "link.sh").symlink_to("run.sh")
    (skill / "folder").symlink_to("scripts")
    (skill / "out.sh").symlink_to("/etc/passwd")
    assert referenced("bash link.sh out.sh folder/nothing.py", skill) == {}
    found = referenced("python folder/other.py", skill)
    assert skill / "folder" / "other.py" not in found


def test_a_pipe_keeps_nobody_waiting(skill: Path) -> None:
    """What is no regular file is not read."""
    os.mkfifo(skill / "pipe.sh")
    assert referenced("bash pipe.sh scripts", skill) == {}


def test_too_many_files_are_refused(skill: Path) -> None:
    """They are not left out silently."""
    for index in range(MAX_FILES + 1):
        (skill / f"{index}.sh").write_text("")
    text = " ".join(f"{index}.sh" for index in range(MAX_FILES))
    assert len(referenced(text, skill)) == MAX_FILES
    with pytest.raises(CannotAllow, match="more than 64 files"):
        referenced(f"{text} {MAX_FILES}.sh", skill)


def test_a_large_file_is_refused(skill: Path) -> None:
    """It is named."""
    with (skill / "large.sh").open("wb") as file:
        file.truncate(MAX_BYTES + 1)
    with pytest.raises(CannotAllow, match=r"large\.sh is too large"):
        referenced("bash large.sh", skill)


def test_the_files_are_laid_out_and_removed(skill: Path) -> None:
    """At their places, with their bytes, and nothing else."""
    files = referenced("bash run.sh scripts/other.py", skill)
    with laid_out(files, skill) as folder:
        made = [path for path in folder.rglob("*") if path.is_file()]
        assert {str(path.relative_to(folder)) for path in made} == names(files, skill)
        assert (folder / "run.sh").read_bytes() == b"echo run\n"
    assert not folder.exists()


@pytest.mark.parametrize("path", ["/etc/x", "../x", "a/../../x"])
def test_nothing_is_laid_out_elsewhere(skill: Path, path: str) -> None:
    """A path that leaves the folder is refused."""
    with pytest.raises(PathOutside), laid_out({skill / path: b""}, skill):
        pass


@pytest.mark.usefixtures("bwrap")
def test_a_file_that_is_swapped_after_the_check_does_not_run(
    skill: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What runs are the bytes that were checked, whatever the disk says by then."""
    monkeypatch.setenv("EVALCORE_STATE_DIR", str(tmp_path / "state"))
    text = f"bash {SKILL}/run.sh; ls {SKILL}"
    command = Command(skill / "evals.json", text, referenced(text, skill))
    allow(command)
    assert is_allowed(command)
    (skill / "run.sh").write_text("echo swapped\n")
    with laid_out(command.files, skill) as folder:
        ended = run_script(command.text.encode(), files=tmp_path, script_files=folder)
    assert ended.stdout == b"run\nrun.sh\n", ended.why
    assert not is_allowed(command._replace(files=referenced(text, skill)))


def test_bytes_that_were_not_allowed_never_pass(
    skill: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file is swapped all the time: each check passes with the allowed bytes, or not at all."""
    monkeypatch.setenv("EVALCORE_STATE_DIR", str(tmp_path / "state"))
    path, text = skill / "run.sh", "bash run.sh"
    good, evil = path.read_bytes(), b"echo evil\n"
    allow(Command(skill / "evals.json", text, {path: good}))
    (skill / "evil").symlink_to("/etc/passwd")
    done = threading.Event()

    def swap() -> None:
        spare = skill / "spare"
        while not done.is_set():
            for data in (evil, good, good + evil, None):
                if data is None:
                    spare.symlink_to("/etc/passwd")
                else:
                    spare.write_bytes(data)
                spare.replace(path)

    thread = threading.Thread(target=swap)
    thread.start()
    try:
        seen = [Command(skill / "evals.json", text, referenced(text, skill)) for _ in range(1000)]
    finally:
        done.set()
        thread.join()
    passed = [each for each in seen if is_allowed(each)]
    assert {each.files[path] for each in passed} <= {good}
    assert len(passed) < len(seen)
