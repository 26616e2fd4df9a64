"""How a script is run in the sandbox, and what is said where there is none."""

import os
import sys
from pathlib import Path

import pytest

from evalcore.disk.temporary import NOBODY
from evalcore.sandbox import bubblewrap
from evalcore.sandbox.bubblewrap import Limits, run_command, run_script

root_only = pytest.mark.skipif(os.geteuid() != 0, reason="only root can become another user")


@pytest.fixture
def no_bwrap(monkeypatch: pytest.MonkeyPatch) -> None:
    """Take bubblewrap from the path."""
    bubblewrap.missing.cache_clear()
    monkeypatch.setattr(bubblewrap, "_HOST_PATH", "/nowhere")
    monkeypatch.setattr(bubblewrap, "missing", bubblewrap.missing.__wrapped__)


@pytest.mark.usefixtures("no_bwrap")
def test_without_bubblewrap_nothing_runs(tmp_path: Path) -> None:
    """The reason is a sentence, and no other way is tried."""
    reason = bubblewrap.missing()
    assert reason
    assert reason.endswith(".")
    for ended in (
        run_script(b"touch x", files=tmp_path),
        run_command(["touch", "x"], folder_rw=tmp_path),
    ):
        assert (ended.how, ended.why) == ("not_started", reason)
    assert not list(tmp_path.iterdir())


def test_a_sandbox_that_does_not_work_is_said(
    reachable: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the system forbids namespaces, what bubblewrap says is passed on."""
    program = reachable / "bwrap"
    program.write_text(
        "#!/bin/sh\necho 'bwrap: No permissions to create new namespace' >&2; exit 1"
    )
    program.chmod(0o755)
    usual = bubblewrap._HOST_PATH
    monkeypatch.setattr(bubblewrap, "_HOST_PATH", f"{reachable}:{usual}")
    monkeypatch.setattr(bubblewrap, "_HOST", {"PATH": f"{reachable}:{usual}"})
    bubblewrap._offered.cache_clear()
    reason = bubblewrap.missing.__wrapped__()
    bubblewrap._offered.cache_clear()
    if sys.platform == "linux":
        assert reason
        assert "No permissions to create new namespace" in reason


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere that is said first")
def test_a_machine_whose_calls_are_not_known_has_no_sandbox(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Without a filter of system calls nothing runs."""
    monkeypatch.setattr("platform.machine", lambda: "riscv64")
    reason = bubblewrap.missing.__wrapped__()
    assert reason == (
        "The sandbox knows the system calls of x86_64 and aarch64 only, not of riscv64."
    )


@pytest.mark.usefixtures("bwrap")
def test_a_sandbox_that_cannot_be_seen_runs_nothing(
    reachable: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What could not be held to its limits is not let in."""

    def refused(*_given: object) -> None:
        raise PermissionError(13, "Permission denied")

    assert bubblewrap.missing() is None  # known from here on
    monkeypatch.setattr("evalcore.sandbox.inside.folder", refused)
    ended = run_command(["touch", "x"], folder_rw=reachable)
    assert ended.how == "not_started"
    assert "it cannot be seen from outside: [Errno 13] Permission denied" in ended.why
    assert not list(reachable.iterdir())


@pytest.mark.usefixtures("bwrap")
def test_exactly_these_bytes_run(tmp_path: Path) -> None:
    """Also those that are no text, and the script has no input."""
    script = b"printf '%s|' \xff\xfe 'a\\b'; cat; echo $0; exit 5"
    ended = run_script(script, files=tmp_path)
    assert (ended.how, ended.code) == ("exited", 5)
    assert ended.stdout == b"\xff\xfe|a\\b|/script\n"


@pytest.mark.usefixtures("bwrap")
def test_the_folders_are_where_it_looks(tmp_path: Path) -> None:
    """The files are in its working folder, those of the skill beside."""
    files, skill = tmp_path / "files", tmp_path / "skill"
    (files / "inner").mkdir(parents=True)
    skill.mkdir()
    (files / "inner" / "a.txt").write_text("A")
    (skill / "b.sh").write_text("#!/bin/bash\necho B\n")
    (skill / "b.sh").chmod(0o755)
    ended = run_script(b"pwd; cat inner/a.txt; /skill/b.sh", files=files, script_files=skill)
    assert ended.stdout == b"/work\nAB\n", ended.stderr


@pytest.mark.usefixtures("bwrap")
def test_files_that_only_their_owner_may_read_are_read(tmp_path: Path) -> None:
    """The user's own files are there for the script, whoever starts it."""
    (tmp_path / "a.txt").write_text("A")
    (tmp_path / "a.txt").chmod(0o600)
    tmp_path.chmod(0o700)
    assert run_script(b"cat a.txt", files=tmp_path).stdout == b"A"
    assert (tmp_path / "a.txt").stat().st_uid == os.geteuid()


@pytest.mark.usefixtures("bwrap")
def test_a_folder_that_is_not_there_is_said(tmp_path: Path) -> None:
    """So is one that is a link."""
    (tmp_path / "link").symlink_to("/etc")
    for name in ("none", "link"):
        ended = run_script(b"true", files=tmp_path / name)
        assert ended.how == "not_started"
        assert name in ended.why


@pytest.mark.usefixtures("bwrap")
def test_it_can_be_stopped(tmp_path: Path) -> None:
    """A stop ends the whole sandbox."""
    assert run_script(b"sleep 1000", files=tmp_path, stopped=lambda: True).how == "stopped"


@pytest.mark.usefixtures("bwrap")
def test_a_command_that_is_not_there_has_a_code(reachable: Path) -> None:
    """The sandbox was made, so this is the command's own failure."""
    ended = run_command(["no-such-program"], folder_rw=reachable)
    assert (ended.how, ended.code) == ("exited", 127)


@pytest.mark.usefixtures("bwrap")
@root_only
def test_root_gives_a_copy_without_links_pipes_and_sockets(tmp_path: Path) -> None:
    """Links stay links, and what could lead out of the sandbox is left out."""
    (tmp_path / "link").symlink_to("/etc/shadow")
    (tmp_path / "folder").symlink_to("/root")
    os.mkfifo(tmp_path / "pipe")
    ended = run_script(b"ls -A; readlink link; cat link folder/*", files=tmp_path)
    assert ended.stdout == b"folder\nlink\n/etc/shadow\n"


@pytest.mark.usefixtures("bwrap")
@root_only
def test_root_gives_only_what_is_in_the_folder(reachable: Path) -> None:
    """The target of a link keeps its owner, and so does a file with a name outside."""
    target = reachable / "target"
    target.write_text("x")
    folder = reachable / "copy"
    folder.mkdir()
    (folder / "link").symlink_to(target)
    (folder / "hard").hardlink_to(target)
    ended = run_command(["bash", "-c", "id -u; echo more >> hard; touch made"], folder_rw=folder)
    assert (ended.code, ended.stdout) == (0, f"{NOBODY}\n".encode()), ended.stderr
    assert (target.stat().st_uid, target.read_text()) == (0, "x")
    assert (folder / "made").exists()


def test_the_usual_limits_are_finite() -> None:
    """Nothing is without a limit by default."""
    assert all(0 < value < 2**40 for value in Limits())
