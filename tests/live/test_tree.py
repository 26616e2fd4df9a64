"""What a told path stands for: the files that a walk would list there."""

from pathlib import Path

import pytest

from evalcore.live.tree import Resolved, Tree

GRADING = "a-workspace/iteration-1/eval-1/with_skill/run-1/grading.json"


def written(root: Path, path: str) -> Path:
    """Write an empty document."""
    (root / path).parent.mkdir(parents=True, exist_ok=True)
    (root / path).write_text("{}")
    return root / path


@pytest.fixture
def tree(tmp_path: Path) -> Tree:
    """Return the tree of a folder with one grading."""
    written(tmp_path, GRADING)
    return Tree(tmp_path)


def test_a_tracked_file_stands_for_itself(tree: Tree) -> None:
    """Also one that is gone; other files do not count."""
    resolved = tree.resolved([GRADING, "gone.json", "notes.txt"])
    assert resolved == Resolved({GRADING, "gone.json"}, [])


def test_a_new_folder_stands_for_what_lies_in_it(tree: Tree, tmp_path: Path) -> None:
    """Its files, and all folders in it, which are to be watched from now on."""
    written(tmp_path, "new/deep/a.json")
    resolved = tree.resolved(["new"])
    assert resolved.files == {"new/deep/a.json"}
    assert sorted(resolved.folders) == ["new", "new/deep"]
    assert tree.resolved(["new"]) == Resolved(set(), [])


def test_a_folder_that_went_away_stands_for_what_lay_in_it(tree: Tree, tmp_path: Path) -> None:
    """Also for files that came after the first walk."""
    written(tmp_path, "a-workspace/late.json")
    tree.resolved(["a-workspace/late.json"])
    (tmp_path / "a-workspace").rename(tmp_path.with_name(f"{tmp_path.name}-away"))
    assert tree.resolved(["a-workspace"]).files == {GRADING, "a-workspace/late.json"}


@pytest.mark.parametrize(
    "folder",
    [".git", "node_modules", f"{GRADING.rpartition('/')[0]}/outputs", "b/.git", "b/v1/skill"],
)
def test_folders_that_no_walk_enters_stand_for_nothing(
    tree: Tree, tmp_path: Path, folder: str
) -> None:
    """Neither they nor the files in them."""
    written(tmp_path, f"{folder}/a.json")
    resolved = tree.resolved([folder, f"{folder}/a.json"])
    assert resolved == Resolved(set(), [])
    assert folder not in tree.folders


def test_a_link_out_of_the_folder_stands_for_nothing(tree: Tree, tmp_path: Path) -> None:
    """One to a file inside does."""
    (tmp_path / "out.json").symlink_to("/etc/hostname")
    (tmp_path / "in.json").symlink_to(tmp_path / GRADING)
    assert tree.resolved(["out.json", "in.json"]).files == {"in.json"}


def test_a_walk_finds_what_nobody_told_of(tree: Tree, tmp_path: Path) -> None:
    """New, changed and deleted files, and new folders."""
    changed = written(tmp_path, GRADING)
    changed.write_text("[]  ")
    written(tmp_path, "new/a.json")
    assert tree.walk_all() == Resolved({GRADING, "new/a.json"}, ["new"])
    changed.unlink()
    assert tree.walk_all() == Resolved({GRADING}, [])
    assert tree.walk_all() == Resolved(set(), [])


def test_new_folders_are_walked_a_second_time(tree: Tree, tmp_path: Path) -> None:
    """What came into them before they were watched is found then."""
    written(tmp_path, "new/a.json")
    tree.resolved(["new"])
    written(tmp_path, "new/more/b.json")
    assert tree.walk_again(["new"]) == Resolved({"new/a.json", "new/more/b.json"}, ["new/more"])
