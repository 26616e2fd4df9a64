"""Suites are called by short names, and those without runs come last."""

import json
from pathlib import Path

import pytest

from evalcore.counting.choices import short_names, suite_called, suite_ids, suite_names
from evalcore.workspace.opened import Workspace, open_workspace


def workspace(root: Path, graded: tuple[str, ...], defined: tuple[str, ...] = ()) -> Workspace:
    """Return a workspace with a run in some folders, and with cases only in others."""
    for folder in graded:
        at = root / folder / "iteration-1/eval-1/with_skill/grading.json"
        at.parent.mkdir(parents=True)
        at.write_text(json.dumps({"expectations": [{"text": "a", "passed": True}]}), "utf-8")
    for folder in defined:
        at = root / folder / "evals/evals.json"
        at.parent.mkdir(parents=True)
        at.write_text(json.dumps({"evals": [{"id": 1, "prompt": "p"}]}), "utf-8")
    return open_workspace(root, cache=False)


@pytest.mark.parametrize(
    ("suites", "names"),
    [
        ([], []),
        ([".", "alpha"], [".", "alpha"]),
        (["plugins/audit/skills/audit", "skills/pdf"], ["audit", "pdf"]),
        (["a/skills/pdf", "b/skills/pdf"], ["a/skills/pdf", "b/skills/pdf"]),
        (["pdf", "b/pdf", "c/pdf"], ["pdf", "b/pdf", "c/pdf"]),
    ],
)
def test_suites_are_called_by_the_end_of_their_path(suites: list[str], names: list[str]) -> None:
    """As short as tells them apart, so that the names fit the sidebar."""
    assert list(short_names(suites).values()) == names


def test_the_suite_at_the_top_is_called_as_its_folder(tmp_path: Path) -> None:
    """Its id, a dot, says nothing; where another has the name, a slash tells them apart."""
    assert suite_names(workspace(tmp_path / "skills", ("",))) == {".": "skills"}
    both = suite_names(workspace(tmp_path / "pdf", ("", "tools/pdf")))
    assert both == {".": "pdf/", "tools/pdf": "pdf"}


def test_suites_without_runs_come_last(tmp_path: Path) -> None:
    """A page that is asked for none begins with one that has something to show."""
    assert suite_ids(workspace(tmp_path, ("b", "d"), ("a", "c"))) == ("b", "d", "a", "c")


@pytest.mark.parametrize(
    ("asked", "suite"),
    [
        ("x/skills/pdf", "x/skills/pdf"),
        ("x", None),
        ("skills/pdf", None),
        ("pdf", None),
        ("doc", "y/skills/doc"),
        ("skills/doc", "y/skills/doc"),
        ("oc", None),
        ("", None),
    ],
)
def test_a_suite_can_be_asked_for_by_a_name_that_only_it_has(
    tmp_path: Path, asked: str, suite: str | None
) -> None:
    """Its id, or the end of its path from any slash on."""
    ws = workspace(tmp_path, ("x/skills/pdf", "z/skills/pdf", "y/skills/doc"))
    assert suite_called(ws, asked) == suite
