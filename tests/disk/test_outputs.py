"""What a run produced is listed within bounds and inside the workspace."""

from pathlib import Path

import pytest

from evalcore.disk.outputs import list_outputs
from evalcore.errors import PathOutside
from tests.families.build import write


def test_outputs_are_listed_within_bounds(tmp_path: Path) -> None:
    """Regular files below a folder, a single file, or nothing; links are left out."""
    write(tmp_path, {"out/b.txt": "22", "out/in/a.txt": "1", "secret": "x"})
    (tmp_path / "out/link.txt").symlink_to(tmp_path / "secret")
    assert [tuple(f) for f in list_outputs(tmp_path, "out")] == [
        ("out/b.txt", 2), ("out/in/a.txt", 1),
    ]  # fmt: skip
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
