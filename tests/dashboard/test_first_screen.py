"""The first screen of a folder without evaluations, and of one with a single grading."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from evalcore.demo import minimal_folder
from evalcore.views.first_screen import steps_from_nothing
from tests.dashboard.live import PAGES
from tests.disk.closed import close

Run = Callable[..., AppTest]
GRADING = {"expectations": [{"text": "Names the month", "passed": True, "evidence": "“May”"}]}


def holding(root: Path, *names: str) -> Path:
    """Return a folder with a grading under each of some names."""
    root.mkdir()
    for name in names:
        (root / name).write_text(json.dumps(GRADING), encoding="utf-8")
    return root


def texts(app: AppTest) -> list[str]:
    """Return the sentences in the main area of a page."""
    return [text.value for text in app.main.text]


def steps(root: Path) -> list[str]:
    """Return the commands of the steps of a folder in which nothing is evaluated."""
    return [step.command for step in steps_from_nothing(str(root))]


def pages_of(run: Run, root: Path) -> AppTest:
    """Run every page but the overview, none of which fails, and return the overview."""
    for page in PAGES[1:]:
        assert not run(page, root).exception, page
    app = run("overview", root)
    assert not app.exception
    return app


def test_an_empty_folder_says_so_and_leads_to_another(run: Run, tmp_path: Path) -> None:
    """With the command, and what would be enough to begin with."""
    root = holding(tmp_path / "empty")
    app = pages_of(run, root)
    assert texts(app)[0] == f"{root} is empty."
    assert [code.value for code in app.code] == [
        *steps(root),
        "evalcore open FOLDER",
        minimal_folder(),
    ]


def test_a_folder_of_code_shows_what_would_be_enough(run: Run, tmp_path: Path) -> None:
    """After what was looked for, and where."""
    root = holding(tmp_path / "code")
    (root / "main.py").write_text("print(1)", encoding="utf-8")
    app = pages_of(run, root)
    assert texts(app)[0] == f"No evaluation was found in {root}: it has no JSON file."
    assert [code.value for code in app.code] == [*steps(root), minimal_folder()]


def test_a_file_that_fits_nowhere_is_named_with_a_link_to_its_problem(
    run: Run, tmp_path: Path
) -> None:
    """The problem on Data says where it would be read."""
    root = holding(tmp_path / "lost", "result.json")
    app = pages_of(run, root)
    assert texts(app)[0].endswith(f"is not read in {root}: result.json.")
    (link,) = app.main.get("page_link")
    assert link.proto.page == "data"
    assert link.proto.query_string == "w=lost&dview=problems&code=unrecognised"
    data = run("data", root, dview="problems", code="unrecognised")
    shown = " ".join(element.proto.json for element in data.get("bidi_component"))
    assert "iteration-1/<eval>/<configuration>/grading.json" in shown


def test_a_folder_that_cannot_be_read_says_why(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No page calls it empty."""
    root = holding(tmp_path / "closed")
    close(monkeypatch, root)
    app = pages_of(run, root)
    said = f"{root} could not be read: permission denied."
    assert texts(app)[0] == said
    assert [code.value for code in app.code] == [f"ls -ld {root}"]


def test_a_single_grading_is_a_suite_of_one_run(run: Run, tmp_path: Path) -> None:
    """skill-creator's own document, without any folder around it, has every page."""
    root = holding(tmp_path / "one", "grading.json")
    app = pages_of(run, root)
    (verdict, *_) = (json.loads(each.proto.json) for each in app.get("bidi_component"))
    assert "passed 100 % of its checks over 1 case (1 run)" in str(verdict)
