"""A bundle is unpacked once, read-only, whole or not at all, by however many processes."""

import shutil
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from evalcore.bundles import unpacking
from evalcore.bundles.manifest import sealed
from evalcore.bundles.unpacked import unpacked_at
from evalcore.bundles.unpacking import unpack
from evalcore.disk.unfinished import unfinished_name
from evalcore.engine.planning import Request, make_plan, offer_of
from evalcore.engine.templates import STORED, executors
from evalcore.errors import BundleRefused, CannotBundle, CannotRun, CannotWrite
from evalcore.judging.storing.store import unwritable
from evalcore.judging.storing.stored_reviews import review_folder
from evalcore.workspace.opened import Workspace, open_workspace
from tests.bundles.made import FILE, NAME, bundled, forged
from tests.cli.command import environment
from tests.judging.copies import NOTES, NOTES_RUN, judged

WRITE = stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH


def writable(root: Path) -> set[str]:
    """Return what may be written below a folder, by its path."""
    paths = (root, *root.rglob("*"))
    return {each.relative_to(root).as_posix() for each in paths if each.stat().st_mode & WRITE}


def test_only_the_folder_of_records_may_be_written(sent: Path) -> None:
    """The files of the bundle may not, wherever they stand."""
    root = unpack(sent).root
    assert root.name == NAME
    assert writable(root) == {"release-notes-workspace/reviews"}
    judged(open_workspace(root), NOTES_RUN)
    assert unpack(sent).root == root
    assert {path.split("/")[1] for path in writable(root)} == {"reviews"}


def test_no_run_is_started_in_a_bundle(sent: Path, notes: Workspace) -> None:
    """Neither is one offered; the folder that it was made of starts them as before."""
    ws = open_workspace(unpack(sent).root)
    for refused in (
        lambda: offer_of(ws, NOTES),
        lambda: make_plan(ws, NOTES, Request(executors()[STORED])),
    ):
        with pytest.raises(CannotRun, match="opened bundle, which is read-only"):
            refused()
    assert offer_of(notes, NOTES).targets


def test_without_outputs_nothing_can_be_judged(notes: Workspace, tmp_path: Path) -> None:
    """Nobody says what they have not seen; that holds for root too, who may write anywhere."""
    root = unpack(bundled(notes, tmp_path / "x.zip", outputs=False)).root
    assert writable(root) == set()
    folder = review_folder(open_workspace(root), NOTES)
    assert "is read-only. Open a copy to judge in." in (unwritable(folder) or "")


def test_the_same_bundle_is_the_same_folder(sent: Path, tmp_path: Path) -> None:
    """Whatever it is called; what was judged in it stays."""
    first = unpack(sent)
    receipts = judged(open_workspace(first.root), NOTES_RUN)
    other = shutil.copy(sent, tmp_path / "again.zip")
    again = unpack(Path(other))
    assert (again.root, again.digest) == (first.root, first.digest)
    assert all((again.root / receipt.path).is_file() for receipt in receipts)
    assert unpacked_at(first.root) == first


def test_another_folder_is_no_bundle(sent: Path, notes: Workspace, state: Path) -> None:
    """Nor is one whose manifest was changed."""
    root = unpack(sent).root
    assert unpacked_at(notes.root) is None
    assert unpacked_at(root.parent) is None
    assert unpacked_at(state / "bundles/x/data/y") is None


def test_what_was_changed_since_is_named_and_kept(sent: Path) -> None:
    """It is neither used nor replaced: what was judged beside it would be lost."""
    root = unpack(sent).root
    (grading,) = root.rglob("breaking-change_v0_run1.json")
    grading.chmod(0o600)
    grading.write_text("{}")
    with pytest.raises(CannotBundle, match="was changed since it was unpacked") as error:
        unpack(sent)
    assert str(grading) in str(error.value)
    assert grading.read_text() == "{}"


def test_a_refused_bundle_leaves_nothing(sent: Path, state: Path) -> None:
    """Also where its last file is the wrong one."""
    data = bytearray(sent.read_bytes())
    at = data.find(b"PK\1\2") - 400
    data[at] ^= 1
    sent.write_bytes(data)
    with pytest.raises(BundleRefused):
        unpack(sent)
    assert [*state.glob("bundles/*")] == []


def test_what_a_killed_process_left_is_removed(
    sent: Path, state: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By the next one; the folder of a process that is still at work stays."""
    for name in ("new-dead", "new-alive"):
        (state / "bundles" / name / "data").mkdir(parents=True)
    monkeypatch.setattr(unpacking, "is_abandoned", "dead".__eq__)
    unpack(sent)
    names = {path.name for path in (state / "bundles").iterdir()}
    assert names & {"new-dead", "new-alive"} == {"new-alive"}
    assert unfinished_name() not in names


def test_a_full_disk_leaves_nothing(
    sent: Path, state: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And says what to do."""

    def full(handle: int, data: bytes) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(unpacking, "write_all", full)
    with pytest.raises(CannotBundle, match="the disk is full; free some space"):
        unpack(sent)
    assert [*state.glob("bundles/*")] == []


def test_many_processes_unpack_one_bundle(sent: Path, state: Path, tmp_path: Path) -> None:
    """All get the same whole folder, and nothing else is left."""
    code = "import sys; from pathlib import Path; from evalcore.bundles.unpacking import unpack; "
    code += "print(unpack(Path(sys.argv[1])).root)"
    here = environment(tmp_path, EVALCORE_STATE_DIR=str(state))
    started = [
        subprocess.Popen(
            [sys.executable, "-c", code, sent], env=here, stdout=subprocess.PIPE, text=True
        )
        for _ in range(6)
    ]
    said = {each.communicate(timeout=120)[0].strip() for each in started}
    assert said == {str(unpack(sent).root)}
    assert len([*(state / "bundles").iterdir()]) == 1


def test_two_bundles_of_one_name_are_told_apart(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where somebody made two manifests with the same digits, the second one is refused."""
    monkeypatch.setattr(unpacking, "DIGITS", 0)
    unpack(forged(tmp_path / "1.zip", {FILE: b"{}"}))
    with pytest.raises((CannotBundle, CannotWrite)):
        unpack(forged(tmp_path / "2.zip", {FILE: b"[]"}))


def test_the_manifest_lies_beside_the_data(sent: Path) -> None:
    """Byte for byte, so that its signature can be checked by hand."""
    found = unpack(sent)
    data = (found.root.parent.parent / "manifest.json").read_bytes()
    assert sealed(data).digest == found.digest
