"""What a run produced is listed within bounds and inside the workspace."""

import hashlib
from pathlib import Path

import pytest

from evalcore.disk.outputs import MAX_DIGESTED, MAX_DIGESTED_BYTES, list_outputs, outputs_digest
from evalcore.errors import PathOutside
from tests.families.build import write


def test_outputs_are_listed_within_bounds(tmp_path: Path) -> None:
    """Regular files below a folder, a single file, or nothing; links are left out."""
    write(tmp_path, {"out/b.txt": "22", "out/in/a.txt": "1", "secret": "x"})
    (tmp_path / "out/link.txt").symlink_to(tmp_path / "secret")
    assert [tuple(f) for f in list_outputs(tmp_path, "out")] == [
        ("out/b.txt", 2),
        ("out/in/a.txt", 1),
    ]
    assert [f.path for f in list_outputs(tmp_path, "out/b.txt")] == ["out/b.txt"]
    assert list_outputs(tmp_path, "nowhere") == []
    assert len(list_outputs(tmp_path, "out", limit=1)) == 1


def test_a_folder_outside_is_refused(tmp_path: Path) -> None:
    """Neither dots nor a link lead to what lies beside the workspace."""
    root = write(tmp_path / "root", {"a.json": "{}"})
    (root / "outputs").symlink_to(tmp_path)
    for folder in ("outputs", "..", "/etc"):
        with pytest.raises(PathOutside):
            list_outputs(root, folder)


def test_a_digest_is_that_of_sorted_paths_and_contents(tmp_path: Path) -> None:
    """sha256 over the lines `path NUL sha256 LF`, paths being those below the folder."""
    write(tmp_path, {"out/b.txt": "22", "out/in/a.txt": "1"})
    lines = b"".join(
        name + b"\0" + hashlib.sha256(content).hexdigest().encode() + b"\n"
        for name, content in ((b"b.txt", b"22"), (b"in/a.txt", b"1"))
    )
    assert outputs_digest(tmp_path, "out") == hashlib.sha256(lines).hexdigest()


def test_equal_outputs_have_one_digest_wherever_they_lie(tmp_path: Path) -> None:
    """The folder's own name says nothing; a name below it, or one letter, does."""
    write(
        tmp_path, {"v0/out/a.txt": "1", "v1/out/a.txt": "1", "v2/out/b.txt": "1", "one/a.txt": "1"}
    )
    first, second, renamed = (outputs_digest(tmp_path, f"v{n}/out") for n in range(3))
    assert first == second != renamed
    assert outputs_digest(tmp_path, "one/a.txt") == first
    write(tmp_path, {"v1/out/a.txt": "2"})
    assert outputs_digest(tmp_path, "v1/out") != first


def test_what_is_not_there_or_too_much_has_no_digest(tmp_path: Path) -> None:
    """Nothing, too many files, too many bytes, and what lies outside: nobody can tell."""
    write(tmp_path / "root", {"many/0.txt": "", "large/a.bin": "", "empty/in/x": "", "out/a": "1"})
    root = tmp_path / "root"
    (root / "empty/in/x").unlink()
    for number in range(1, MAX_DIGESTED):
        (root / f"many/{number}.txt").touch()
    assert outputs_digest(root, "many") is not None
    (root / "many/more.txt").touch()
    with (root / "large/a.bin").open("wb") as file:
        file.truncate(MAX_DIGESTED_BYTES + 1)
    (root / "link").symlink_to(tmp_path)
    for folder in ("many", "large", "empty", "nowhere", "link", ".."):
        assert outputs_digest(root, folder) is None
