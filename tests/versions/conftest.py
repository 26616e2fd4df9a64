"""A skill of two files beside nothing else, and its workspace once it is begun."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from evalcore.versions import initialise

TEXT = "---\nname: notes\ndescription: Use when somebody asks for notes.\n---\n\nWrite notes.\n"


@pytest.fixture(autouse=True)
def folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep what opening a workspace keeps in folders of the test."""
    monkeypatch.setenv("EVALCORE_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("EVALCORE_STATE_DIR", str(tmp_path / "state"))


@pytest.fixture
def skill(tmp_path: Path) -> Path:
    """Return the folder of a skill without test cases."""
    root = tmp_path / "skills" / "notes"
    (root / "references").mkdir(parents=True)
    (root / "SKILL.md").write_text(TEXT, "utf-8")
    (root / "references" / "style.md").write_text("Short.\n", "utf-8")
    return root


@pytest.fixture
def home(skill: Path) -> Path:
    """Return the workspace of the skill with version 0."""
    return initialise(skill).workspace


def files(root: Path) -> dict[str, bytes]:
    """Return every file below a folder, by path."""
    return {
        str(path.relative_to(root)): path.read_bytes()
        for path in root.rglob("*")
        if path.is_file() and not path.is_symlink()
    }


def history(home: Path) -> Any:
    """Return history.json."""
    return json.loads((home / "history.json").read_text("utf-8"))


def change(home: Path, edit: Callable[[Any], None], **style: Any) -> None:
    """Change history.json as a tool of somebody else does."""
    value = history(home)
    edit(value)
    (home / "history.json").write_text(json.dumps(value, **style), "utf-8")


def entries(home: Path, field: str) -> list[Any]:
    """Return one field of every entry of history.json."""
    return [entry[field] for entry in history(home)["versions"]]


def names(home: Path) -> list[str]:
    """Return the names in a folder, in order."""
    return sorted(path.name for path in home.iterdir())
