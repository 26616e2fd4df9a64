"""`evalcore doctor`: one screen for a user whose folder looks wrong."""

import sys
from pathlib import Path

from evalcore import __version__
from tests.cli.command import SEEDS
from tests.cli.conftest import Invoke


def test_it_says_what_is_installed_and_kept_where(invoke: Invoke, tmp_path: Path) -> None:
    """Versions, the three folders, and the next step."""
    done = invoke("doctor")
    assert done.exit_code == 0
    python = ".".join(map(str, sys.version_info[:3]))
    assert done.stdout.startswith(f"evalcore {__version__}, Python {python}")
    for part in ("streamlit ", "pandas ", str(tmp_path / "state"), str(tmp_path / "cache")):
        assert part in done.stdout
    assert done.stdout.splitlines()[-1].startswith("Next: ")


def test_it_says_what_is_recognised_in_a_folder(invoke: Invoke) -> None:
    """Suites, documents, the size of the index, and how to go on."""
    done = invoke("doctor", SEEDS / "rubric")
    assert done.exit_code == 0
    assert "rubric" in done.stdout
    assert "documents recognised" in done.stdout
    assert "KB" in done.stdout.partition("index of this folder")[2]
    assert "evalcore open" in done.stdout.splitlines()[-1]


def test_a_folder_without_evaluations_gets_another_next_step(
    invoke: Invoke, tmp_path: Path
) -> None:
    """What files should look like, and where some are to be seen."""
    folder = tmp_path / "empty"
    folder.mkdir()
    last = invoke("doctor", folder).stdout.splitlines()[-1]
    assert "docs/families.md" in last
    assert "evalcore demo" in last


def test_a_state_that_cannot_be_kept_is_a_no(invoke: Invoke, tmp_path: Path) -> None:
    """Without it no folder can be opened in the browser, so the answer is 1."""
    (tmp_path / "state").write_text("a file where a folder should be")
    done = invoke("doctor")
    assert done.exit_code == 1
    assert "NOT WRITABLE" in done.stdout


def test_it_fits_on_a_screen(invoke: Invoke, tmp_path: Path) -> None:
    """However many suites a folder has."""
    for number in range(60):
        folder = tmp_path / f"w/s{number:02}-workspace/iteration-1/case/with_skill"
        folder.mkdir(parents=True)
        (folder / "grading.json").write_text('{"expectations": [{"text": "a", "passed": true}]}')
    lines = invoke("doctor", tmp_path / "w").stdout.splitlines()
    assert "  and 48 more suites" in lines
    assert len(lines) <= 24
