"""`python -m benchmarks`: rows as they are done, and an end when the time is used up."""

import json
from pathlib import Path

import pytest

from benchmarks import __main__ as command
from benchmarks.bench import Sizes
from benchmarks.rows import ROWS


@pytest.fixture(autouse=True)
def _own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep workspaces and figures out of the places of a real run."""
    monkeypatch.setenv("EVALCORE_BENCH_DIR", str(tmp_path / "bench"))
    monkeypatch.setattr(command, "RESULTS", tmp_path / "results.json")


def test_without_time_every_row_is_said_to_be_left_out(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nothing is generated or measured, and that is no failure."""
    assert command.main(["--minutes", "0"]) == 0
    assert capsys.readouterr().out.count("    left out") == len(ROWS)
    assert not [path for path in (tmp_path / "bench").iterdir() if path.is_dir()]


def test_rows_are_printed_and_kept_one_by_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A small workspace is generated, measured, shown, and its figures are written."""
    monkeypatch.setattr(command, "QUICK", Sizes(main=20, others=10, million=20))
    out = tmp_path / "figures.json"
    asked = ["--quick", "--rows", "reopen", "--rounds", "1", "--out", str(out)]
    assert command.main(asked) == 0
    shown = capsys.readouterr().out
    kept = json.loads(out.read_text("utf-8"))["results"]
    assert [result["row"] for result in kept] == ["reopen"]
    assert kept[0]["what"] in shown
    assert "NOT" not in shown


def test_figures_of_some_rows_are_not_those_of_a_release(tmp_path: Path) -> None:
    """Only a complete run writes where the figures belong."""
    command.main(["--minutes", "0", "--rows", "open"])
    command.main(["--minutes", "0", "--quick"])
    command.main(["--minutes", "0", "--pages", "judge"])
    assert not (tmp_path / "results.json").exists()


def test_a_page_that_is_none_is_refused_with_those_that_are(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """A misspelt name must not measure nothing."""
    with pytest.raises(SystemExit):
        command.main(["--minutes", "0", "--rows", "pages", "--pages", "judge,blnd"])
    assert "no page 'blnd'; there are overview, compare" in capsys.readouterr().err
