"""The rows on other people's workspaces: first opens, or a row that is left out."""

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from benchmarks import __main__ as command
from benchmarks import report
from benchmarks.measure import Result
from benchmarks.process import run
from benchmarks.real_rows import NAMED_BY

ITEMS = [{"text": "It answers", "passed": True, "evidence": "Yes."}]


def grading(root: Path, number: int, **fields: object) -> None:
    path = root / f"a-workspace/iteration-1/eval-{number}/with_skill/run-1/grading.json"
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps(fields), "utf-8")


@pytest.fixture
def rows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Sequence[Result]:
    """Keep the rows that are printed."""
    monkeypatch.setenv("EVALCORE_BENCH_DIR", str(tmp_path / "bench"))
    shown: list[Result] = []

    def line(result: Result) -> str:
        shown.append(result)
        return result.what

    monkeypatch.setattr(report, "line", line)
    return shown


def test_both_first_opens_are_rows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, rows: Sequence[Result]
) -> None:
    """All folders are opened as one workspace, and each as its own."""
    for name in ("b", "c"):
        grading(tmp_path / "real" / name, 1, expectations=ITEMS)
    monkeypatch.setenv(NAMED_BY, str(tmp_path / "real"))
    assert command.main(["--rows", "real", "--rounds", "1"]) == 0
    assert [row.detail.partition(",")[0] for row in rows] == ["2 files", "2 workspaces"]


def test_without_real_workspaces_the_row_says_that_it_is_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, rows: Sequence[Result]
) -> None:
    """It says how to name their folder; that is no failure."""
    monkeypatch.setenv(NAMED_BY, str(tmp_path / "nowhere"))
    assert command.main(["--rows", "real"]) == 0
    assert [row.detail for row in rows] == [
        "left out: EVALCORE_REALWORLD does not name a folder of workspaces"
    ]


def test_a_broken_file_does_not_keep_the_others_from_being_parsed(tmp_path: Path) -> None:
    """The floor reads what people have, which is not always JSON, and lines one by one."""
    (tmp_path / "a.json").write_text("{", "utf-8")
    (tmp_path / "b.jsonl").write_text("{}\n{}\n", "utf-8")
    (tmp_path / "cache").mkdir()
    assert run("R", {"root": str(tmp_path)}, cache=tmp_path / "cache").answer == 2
