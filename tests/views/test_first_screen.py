"""A folder without suites says what it lacks and leads on by one step."""

import json
from pathlib import Path

import pytest

from evalcore.demo import minimal_folder
from evalcore.views.first_screen import DEMO, OPEN, FirstScreen, first_screen
from evalcore.workspace.opened import open_workspace
from tests.disk.closed import close

GRADING = {"expectations": [{"text": "Names the month", "passed": True}]}


def screen_of(root: Path) -> FirstScreen:
    """Return the first screen of a folder."""
    return first_screen(open_workspace(root, cache=False))


def write(path: Path, value: object) -> None:
    """Write a JSON file and the folders above it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value), encoding="utf-8")


def test_an_empty_folder_leads_to_another_one(tmp_path: Path) -> None:
    """It says that nothing is there, and shows what would be enough."""
    shown = screen_of(tmp_path)
    assert shown.said == (f"{tmp_path} is empty.", DEMO)
    assert (shown.command, shown.example, shown.link) == (OPEN, minimal_folder(), "")


@pytest.mark.parametrize(
    ("files", "why"),
    [
        (("main.py",), "it has no JSON file"),
        (("package.json",), "its 1 JSON file is something else"),
        (("package.json", "src/tsconfig.json"), "its 2 JSON files are something else"),
    ],
)
def test_a_folder_of_code_says_what_was_looked_for(
    tmp_path: Path, files: tuple[str, ...], why: str
) -> None:
    """The documents that would be found, and the smallest folder that has one."""
    for name in files:
        write(tmp_path / name, {"name": "x"})
    shown = screen_of(tmp_path)
    assert shown.said[0] == f"No evaluation was found in {tmp_path}: {why}."
    assert shown.said[1].startswith("Looked in every folder for evals/evals.json")
    assert (shown.command, shown.link, shown.example) == ("", "", minimal_folder())


def test_a_folder_of_tables_says_how_to_read_them(tmp_path: Path) -> None:
    """Rows may be runs, which only a person can say."""
    for name in ("b.csv", "a b.jsonl", "c.txt"):
        (tmp_path / name).write_text("{}")
    shown = screen_of(tmp_path)
    assert shown.said[1] == "It holds tables: a b.jsonl, b.csv."
    assert [each.command for each in shown.steps if each.state == "next"] == [
        f"evalcore rows '{tmp_path}/a b.jsonl'"
    ]


def test_files_that_fit_nowhere_are_named_with_a_link_to_their_problems(tmp_path: Path) -> None:
    """The first three, and how many more there are."""
    for number in range(5):
        write(tmp_path / f"result-{number}.json", GRADING)
    shown = screen_of(tmp_path)
    names = "result-0.json, result-1.json, result-2.json and 2 more"
    assert shown.said == (
        f"5 files look like evaluations, but are not read in {tmp_path}: {names}.",
    )
    assert (shown.link, shown.code) == ("See on Data why, and what each needs", "unrecognised")
    assert not shown.command
    assert not shown.example


def test_a_folder_that_cannot_be_read_says_why(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The command shows who may read it, whatever the name of the folder is."""
    root = tmp_path / "of others"
    root.mkdir()

    close(monkeypatch, root)
    shown = screen_of(root)
    assert shown.said == (f"{root} could not be read: permission denied.",)
    assert shown.command == f"ls -ld '{root}'"
    assert not shown.example


def test_folders_inside_that_cannot_be_read_are_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is in them is not known: nobody is told that there is none."""
    (tmp_path / "closed").mkdir()
    close(monkeypatch, tmp_path / "closed")
    shown = screen_of(tmp_path)
    assert shown.said[0].endswith("but 1 place in it could not be read: closed.")
    assert (shown.link, shown.code) == ("See why on Data", "unreadable")
