"""The walk: which files belong to a workspace, and which are only near it."""

import errno
import os
from pathlib import Path

import pytest

from evalcore.disk.listing import below, list_files, walk
from evalcore.errors import WorkspaceNotFound
from tests.families.build import write


def test_documents_are_listed_in_order(tmp_path: Path) -> None:
    """JSON and JSONL files of all folders, each with size and time; nothing else."""
    write(tmp_path, {"b.json": "{}", "a/z.jsonl": "12345", "a/note.md": "x", "c.JSON.txt": "x"})
    found = list_files(tmp_path)
    assert found.paths == ["a/z.jsonl", "b.json"]
    assert list(found.sizes) == [5, 2]
    assert found.mtimes[1] == (tmp_path / "b.json").stat().st_mtime_ns
    assert found.folders == {"a"}


def test_the_order_does_not_depend_on_the_file_system(tmp_path: Path) -> None:
    """A walk lists files as they come; the order of a listing is that of the paths."""
    names = [f"{number}.json" for number in (3, 1, 2)]
    write(tmp_path, {f"{folder}/{name}": "" for folder in "ba" for name in names})
    found = list_files(tmp_path)
    assert found.paths == [f"{f}/{n}.json" for f in "ab" for n in (1, 2, 3)]
    assert sorted(walk(tmp_path).paths) == found.paths


@pytest.mark.parametrize("folder", [".git", "node_modules", ".venv", "my.venv", "__pycache__"])
def test_tool_folders_are_not_entered(tmp_path: Path, folder: str) -> None:
    """What tools keep in a repository is no evaluation."""
    write(tmp_path, {f"{folder}/a.json": "{}", "a.json": "{}"})
    assert list_files(tmp_path).paths == ["a.json"]


@pytest.mark.parametrize(
    "folder",
    [
        "v0/skill",
        "v12/skill",
        "skill-snapshot",
        "iteration-1/skill-snapshot-2",
        "iteration-1/eval-1/with_skill/outputs",
        "a/run-1/outputs",
    ],
)
def test_evidence_is_seen_but_not_entered(tmp_path: Path, folder: str) -> None:
    """Outputs of runs and the content of versions hold other people's documents."""
    write(tmp_path, {f"{folder}/grading.json": "{}"})
    found = list_files(tmp_path)
    assert (found.paths, folder in found.folders) == ([], True)


def test_outputs_beside_a_grading_are_a_runs(tmp_path: Path) -> None:
    """Where a run's documents stand, `outputs` is that run's, whatever the folder's name."""
    write(tmp_path, {"odd/grading.json": "{}", "odd/outputs/grading.json": "{}"})
    assert list_files(tmp_path).paths == ["odd/grading.json"]


@pytest.mark.parametrize("folder", ["outputs", "version/skill", "skill"])
def test_other_folders_of_that_name_are_entered(tmp_path: Path, folder: str) -> None:
    """A folder is left out for where it stands, not for its name alone."""
    write(tmp_path, {f"{folder}/a.json": "{}"})
    assert list_files(tmp_path).paths == [f"{folder}/a.json"]


def test_a_link_to_a_file_inside_is_followed(tmp_path: Path) -> None:
    """A linked document is listed under the link's name, with the target's size."""
    write(tmp_path, {"real.json": "123"})
    (tmp_path / "link.json").symlink_to("real.json")
    found = list_files(tmp_path)
    assert (found.paths, list(found.sizes)) == (["link.json", "real.json"], [3, 3])
    assert found.problems == []


def test_links_to_elsewhere_are_said_and_not_followed(tmp_path: Path) -> None:
    """Links out of the root, to folders or to nowhere are remarks, each naming its place."""
    outside = write(tmp_path / "outside", {"secret.json": "{}", "folder/b.json": "{}"})
    root = write(tmp_path / "root", {"a/b.json": "{}"})
    (root / "out.json").symlink_to(outside / "secret.json")
    (root / "outfolder").symlink_to(outside / "folder")
    (root / "again").symlink_to("a")
    (root / "gone.json").symlink_to("nowhere")
    (root / "note.md").symlink_to(outside / "secret.json")
    found = list_files(root)
    assert found.paths == ["a/b.json"]
    assert [problem.path for problem in found.problems] == [
        "again",
        "gone.json",
        "out.json",
        "outfolder",
    ]
    assert {problem.code for problem in found.problems} == {"link-not-followed"}
    said = {problem.path: problem.message for problem in found.problems}
    assert "leads to a folder" in said["again"]
    assert "leads nowhere" in said["gone.json"]
    assert "out of the workspace" in said["out.json"]


def test_a_ring_of_links_ends(tmp_path: Path) -> None:
    """A link to its own parent is not entered."""
    write(tmp_path, {"a/b.json": "{}"})
    (tmp_path / "a/up").symlink_to(tmp_path)
    assert list_files(tmp_path).paths == ["a/b.json"]


def test_a_sibling_with_the_same_beginning_is_outside(tmp_path: Path) -> None:
    """`root2` does not lie inside `root`."""
    write(tmp_path, {"root2/a.json": "{}", "root/b.json": "{}"})
    (tmp_path / "root/out.json").symlink_to(tmp_path / "root2/a.json")
    assert list_files(tmp_path / "root").paths == ["b.json"]


def test_a_folder_named_like_a_document_is_said(tmp_path: Path) -> None:
    """It is entered as any other, and whoever looks for the document is told what it is."""
    write(tmp_path, {"a/grading.json/b.json": "{}"})
    found = list_files(tmp_path)
    assert found.paths == ["a/grading.json/b.json"]
    assert [(problem.path, problem.severity, problem.code) for problem in found.problems] == [
        ("a/grading.json", "warning", "folder-named-like-a-file")
    ]


def test_a_pipe_is_listed_without_waiting(tmp_path: Path) -> None:
    """A pipe with a document's name is listed; reading it tells what it is."""
    os.mkfifo(tmp_path / "a.json")
    assert list_files(tmp_path).paths == ["a.json"]


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_an_unreadable_folder_is_one_problem(tmp_path: Path) -> None:
    """A folder without permission hides only itself."""
    write(tmp_path, {"closed/a.json": "{}", "open/b.json": "{}"})
    (tmp_path / "closed").chmod(0)
    found = list_files(tmp_path)
    (tmp_path / "closed").chmod(0o700)
    assert (found.paths, [p.code for p in found.problems]) == (["open/b.json"], ["unreadable"])


def test_a_name_that_is_no_text_is_one_problem(tmp_path: Path) -> None:
    """A file name that is not UTF-8 is shown with its bytes, and hides no neighbour."""
    (tmp_path / os.fsdecode(b"\xff.json")).write_text("{}")
    write(tmp_path, {"a.json": "{}"})
    found = list_files(tmp_path)
    assert found.paths == ["a.json"]
    assert [(problem.path, problem.code) for problem in found.problems] == [
        ("\\udcff.json", "unreadable")
    ]


def test_odd_names_are_names(tmp_path: Path) -> None:
    """Spaces, quotes, control characters and every script are part of a name."""
    names = [' a".json', "b\n.json", "名.json", "🙂.json", "%2F.json", "-.json"]
    write(tmp_path, dict.fromkeys(names, "{}"))
    assert set(list_files(tmp_path).paths) == set(names)


@pytest.mark.parametrize("name", ["nowhere", "file.json"])
def test_only_a_folder_is_listed(tmp_path: Path, name: str) -> None:
    """What is no folder is refused."""
    write(tmp_path, {"file.json": "{}"})
    with pytest.raises(WorkspaceNotFound):
        list_files(tmp_path / name)


def test_below_a_folder(tmp_path: Path) -> None:
    """Paths below a folder are those that begin with it, not with its name alone."""
    write(tmp_path, {"a/b.json": "", "ab/c.json": ""})
    found = list_files(tmp_path)
    assert (list(below(found, "a")), list(below(found, ""))) == (["a/b.json"], found.paths)


def test_a_link_that_is_replaced_while_it_is_followed_is_a_problem(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The others are listed; the next walk sees what lies there then."""
    write(tmp_path, {"a.json": "{}", "b.json": "{}"})
    (tmp_path / "link.json").symlink_to("a.json")

    def realpath(path: str) -> str:
        raise OSError(errno.EINVAL, os.strerror(errno.EINVAL), path)

    root = walk(tmp_path)
    assert sorted(root.paths) == ["a.json", "b.json", "link.json"]
    whole = os.path.realpath
    monkeypatch.setattr(
        os.path,
        "realpath",
        lambda path: realpath(path) if str(path).endswith("link.json") else whole(path),
    )
    found = walk(tmp_path)
    assert sorted(found.paths) == ["a.json", "b.json"]
    assert [problem.path for problem in found.problems] == ["link.json"]
