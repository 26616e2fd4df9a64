"""The README says how to begin, and its pictures, words and commands are those of the program."""

import json
import re
from pathlib import Path

import pytest
import typer

import evalcore.cli.main  # noqa: F401 - registers the commands
from evalcore.cli.app import app
from evalcore.demo import minimal_folder
from evalcore.workspace.opened import open_workspace
from pages.parts.sidebar import PAGES
from tools import screenshots

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text("utf-8")
SHOWING = (ROOT / "README.md", ROOT / "docs" / "pages.md")
MOST_LINES = 120
MOST_BYTES = 150_000


def pictures() -> set[Path]:
    """Return the pictures that the README and the page on the pages show."""
    return {
        (file.parent / path).resolve()
        for file in SHOWING
        for path in re.findall(r"!\[[^\]]+\]\(([^)]+)\)", file.read_text("utf-8"))
    }


def test_it_is_short_and_begins_with_two_commands() -> None:
    """What to type comes before what it is."""
    assert len(README.splitlines()) < MOST_LINES
    first = README[README.index("```sh") :].splitlines()[1:3]
    assert [line.partition("#")[0].strip() for line in first] == ["make demo", "make test"]


def test_every_page_of_the_sidebar_has_a_picture() -> None:
    """On the README or on the page on the pages, and `make screenshots` takes it."""
    shown = {path.stem for path in pictures()}
    assert set(PAGES) - shown == set()
    assert set(screenshots.PAGES) == set(PAGES)


def test_every_picture_is_there_and_small() -> None:
    """None is missing, none is left over."""
    assert pictures() == set((ROOT / "docs" / "images").iterdir())
    assert [path.name for path in pictures() if path.stat().st_size > MOST_BYTES] == []


def test_the_smallest_folder_is_one(tmp_path: Path) -> None:
    """Five lines that the README shows, and that make a suite with a run that passed."""
    assert minimal_folder() in README
    lines = minimal_folder().splitlines()
    assert len(lines) == 5
    names = [re.sub(r"^[^\w]*", "", line) for line in lines]
    file, _, content = names[-1].partition(" ")
    target = tmp_path.joinpath(*names[:-1], file)
    target.parent.mkdir(parents=True)
    target.write_text(json.dumps(json.loads(content)), "utf-8")
    opened = open_workspace(tmp_path, cache=False)
    assert opened.tables.suites["suite"].tolist() == ["my-skill"]
    assert opened.tables.judgments["passed"].tolist() == [True]


@pytest.mark.parametrize(
    "word",
    ["suite", "case", "version", "configuration", "run", "criterion", "grading", "judgment"],
)
def test_it_says_what_each_word_means(word: str) -> None:
    """One line each."""
    assert README.count(f"\n| {word} | ") == 1


def test_every_command_is_listed() -> None:
    """Groups by their name and those of their commands."""
    listed = (ROOT / "docs" / "commands.md").read_text("utf-8")
    for name, command in typer.main.get_command(app).commands.items():  # type: ignore[attr-defined]
        assert f"`evalcore {name}" in listed, name
        for part in getattr(command, "commands", {}):
            line = next(line for line in listed.splitlines() if f"`evalcore {name}" in line)
            assert re.search(rf"\b{part}\b", line), f"{name} {part}"
