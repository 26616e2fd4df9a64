"""Recent workspaces: short names for folders, kept on this machine."""

import json
from pathlib import Path
from threading import Thread

import pytest

from evalcore.errors import WorkspaceNotFound
from evalcore.folders import state_dir
from evalcore.recent import KEPT, Recent, added, last_port, recent_workspaces, remember, resolve


@pytest.fixture(autouse=True)
def own_state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give each test a memory of its own."""
    monkeypatch.setenv("EVALCORE_STATE_DIR", str(tmp_path / "state"))
    return tmp_path / "state"


def folder(tmp_path: Path, *parts: str) -> Path:
    """Make a folder."""
    path = tmp_path.joinpath(*parts)
    path.mkdir(parents=True)
    return path


def test_a_remembered_folder_is_found_by_its_name(tmp_path: Path) -> None:
    """The name is the folder's own, made plain, and leads back to the folder."""
    path = folder(tmp_path, "My Skills (2)")
    assert remember(path) == "my-skills-2"
    assert resolve("my-skills-2") == path


def test_a_name_stays_with_its_folder(tmp_path: Path) -> None:
    """Opening a folder again gives the same name and no second entry."""
    path = folder(tmp_path, "skills")
    assert remember(path) == remember(path / ".." / "skills")
    assert [recent.path for recent in recent_workspaces()].count(path) == 1


@pytest.mark.parametrize("typed", ["{home}/evals", "~/evals", "evals", " evals/ "])
def test_a_typed_path_adds_its_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, typed: str
) -> None:
    """Whole, or from the home of the person on, with what a copied line has around it."""
    monkeypatch.setenv("HOME", str(tmp_path))
    path = folder(tmp_path, "evals")
    assert resolve(added(typed.format(home=tmp_path))) == path


@pytest.mark.parametrize(
    "typed", ["nothing", "evals/README.md", "~nobody-of-that-name/x", "x" * 5000, "a\0b"]
)
def test_a_typed_path_without_a_folder_adds_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, typed: str
) -> None:
    """A file, a name that nobody has, and what is no path; the message is short."""
    monkeypatch.setenv("HOME", str(tmp_path))
    (folder(tmp_path, "evals") / "README.md").write_text("")
    with pytest.raises(WorkspaceNotFound) as fault:
        added(typed)
    assert len(str(fault.value)) < 400
    assert recent_workspaces() == []


def test_a_port_stays_with_its_folder_until_another_is_named(tmp_path: Path) -> None:
    """Opening without one keeps it; a folder that was never served has none."""
    served, other = folder(tmp_path, "served"), folder(tmp_path, "other")
    for port in (8500, None):
        remember(served, port)
        remember(other)
        assert (last_port(served), last_port(other)) == (8500, None)
    remember(served, 8501)
    assert last_port(served) == 8501


@pytest.mark.parametrize("port", ["8500", True, 8500.0, None, []])
def test_a_damaged_port_costs_only_itself(own_state: Path, tmp_path: Path, port: object) -> None:
    """The folder is found all the same."""
    path = folder(tmp_path, "skills")
    remember(path)
    entry = {"name": "skills", "path": str(path), "opened_at": "2026", "port": port}
    (own_state / "recent.json").write_text(json.dumps([entry]), "utf-8")
    assert resolve("skills") == path
    assert last_port(path) is None


def test_two_folders_of_one_name_get_two_names(tmp_path: Path) -> None:
    """The second one gets a number."""
    names = [remember(folder(tmp_path, parent, "skills")) for parent in "ab"]
    assert names == ["skills", "skills-2"]


@pytest.mark.parametrize("text", ["/etc", "../skills", "", ".", "skills/", "unknown"])
def test_only_names_are_resolved(tmp_path: Path, text: str) -> None:
    """A path is not a name, even the path of a remembered folder."""
    path = folder(tmp_path, "skills")
    remember(path)
    assert resolve(text) is None
    assert resolve(str(path)) is None


@pytest.mark.parametrize("name", ["...", "?!", "-"])
def test_a_folder_without_letters_gets_a_plain_name(tmp_path: Path, name: str) -> None:
    """Where nothing of the folder's name can stand in an address, it is called a workspace."""
    assert remember(folder(tmp_path, name)) == "workspace"


def test_the_last_opened_comes_first(tmp_path: Path) -> None:
    """The list is ordered by when each was opened last."""
    first, second = folder(tmp_path, "first"), folder(tmp_path, "second")
    for path in (first, second, first):
        remember(path)
    assert [recent.name for recent in recent_workspaces()] == ["first", "second"]


def test_the_oldest_are_forgotten(tmp_path: Path) -> None:
    """No more than a screenful is kept."""
    for number in range(KEPT + 2):
        remember(folder(tmp_path, f"w{number}"))
    names = [recent.name for recent in recent_workspaces()]
    assert len(names) == KEPT
    assert "w0" not in names


@pytest.mark.parametrize("content", ["", "{", "[1, null, {}]", '{"name": "x"}', '"text"'])
def test_a_broken_list_is_an_empty_one(own_state: Path, tmp_path: Path, content: str) -> None:
    """A damaged file costs the list, never the opening."""
    own_state.mkdir()
    (own_state / "recent.json").write_text(content, "utf-8")
    assert recent_workspaces() == []
    assert remember(folder(tmp_path, "skills")) == "skills"
    assert [recent.name for recent in recent_workspaces()] == ["skills"]


def test_opening_several_at_once_loses_none(tmp_path: Path) -> None:
    """Writers take turns."""
    paths = [folder(tmp_path, f"w{number}") for number in range(8)]
    threads = [Thread(target=remember, args=(path,)) for path in paths]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert {recent.path for recent in recent_workspaces()} == set(paths)


def test_the_list_is_for_its_owner_only(tmp_path: Path) -> None:
    """Others on the machine cannot read what was opened."""
    remember(folder(tmp_path, "skills"))
    assert state_dir().stat().st_mode & 0o077 == 0
    assert not list(state_dir().glob("*.tmp"))


def test_a_folder_that_cannot_be_looked_for_is_not_there() -> None:
    """The list is drawn whatever its folders are: looking for one raises nothing."""
    assert not Recent("long", Path("/" + "a" * 300), "2026-01-01").is_there
    assert Recent("root", Path("/"), "2026-01-01").is_there
