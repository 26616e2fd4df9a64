"""What a picture says beside its chart: the same wherever and whenever it is made."""

import shutil
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalcore.demo import packaged
from evalcore.views.charts.caption import newest_run, picture, stem
from evalcore.workspace.opened import open_workspace
from tests.charts.pictured import line_chart


def test_a_caption_names_source_and_date(tmp_path: Path) -> None:
    """The folder's own name, never where it is on this machine; the date of the newest run."""
    shutil.copytree(packaged(), tmp_path / "mine")
    ws = open_workspace(tmp_path / "mine", cache=False)
    caption = picture(ws, "commit-helper", line_chart(), "Pass rate", ["12 cases."]).caption
    assert caption.source == "mine · commit-helper"
    assert caption.date == "newest run 28 Jan 2026"
    assert caption.facts == ("12 cases.", "Scores as recorded.")
    assert caption.stem == "mine-commit-helper-pass-rate"
    assert str(tmp_path) not in repr(caption)


def test_whose_scores_is_said(tmp_path: Path) -> None:
    """Also where they are people's."""
    ws = open_workspace(packaged(), cache=False)
    caption = picture(ws, "commit-helper", line_chart(), "x", [], "human").caption
    assert caption.facts == ("Counted by people's scores.",)


def test_a_folder_without_dates_says_so(tmp_path: Path) -> None:
    """Never the time of today."""
    (tmp_path / "s-workspace/iteration-1/eval-1/with_skill").mkdir(parents=True)
    (tmp_path / "s-workspace/iteration-1/eval-1/with_skill/grading.json").write_text(
        '{"expectations": [{"text": "a", "passed": true}]}'
    )
    assert newest_run(open_workspace(tmp_path, cache=False), "s") == "no date is recorded"


@pytest.mark.parametrize(
    ("parts", "expected"),
    [(("a/b", "../c"), "a-b-c"), (("<x>", "日本 語"), "x-日本-語"), (("..", "/"), "chart")],
)
def test_file_names_are_letters_digits_and_hyphens(parts: tuple[str, ...], expected: str) -> None:
    """No path, no sign that a system forbids."""
    assert stem(*parts) == expected


@given(st.text())
def test_no_file_name_leaves_its_folder(text: str) -> None:
    """Whatever a suite is called."""
    assert not set(stem(text)) & set("/\\:.\0")
    assert 0 < len(stem(text)) <= 80
