"""How a browser for the tests is found, and what is said when there is none."""

from pathlib import Path

import pytest

from tools import browser


@pytest.fixture
def empty_machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the home of a machine that has no browser and can install none."""
    for folder in ("bin", "home", "venv"):
        (tmp_path / folder).mkdir()
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.delenv("EVALCORE_BROWSER", raising=False)
    monkeypatch.delenv("PLAYWRIGHT_BROWSERS_PATH", raising=False)
    monkeypatch.setattr(browser, "MAC_PROGRAMS", ())
    monkeypatch.setattr(browser, "PATH_FILE", tmp_path / "venv" / "browser-path")
    monkeypatch.setattr(browser, "MISSING_FILE", tmp_path / "venv" / "browser-missing")
    monkeypatch.setattr("sys.executable", str(tmp_path / "bin" / "python"))
    return tmp_path


def program(path: Path) -> Path:
    """Write something that can be run."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("#!/bin/sh\n", "utf-8")
    path.chmod(0o755)
    return path


def test_the_named_browser_is_believed(
    empty_machine: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """EVALCORE_BROWSER comes before a browser that is installed."""
    program(empty_machine / "bin" / "chromium")
    named = program(empty_machine / "elsewhere" / "chrome")
    monkeypatch.setenv("EVALCORE_BROWSER", str(named))
    assert browser.find() == named


def test_an_installed_browser_is_found(empty_machine: Path) -> None:
    """A Chromium on the path is taken."""
    installed = program(empty_machine / "bin" / "chromium")
    assert browser.find() == installed


def test_the_browser_without_windows_comes_first(empty_machine: Path) -> None:
    """It needs less of the processor."""
    program(empty_machine / "bin" / "chromium")
    installed = program(empty_machine / "bin" / "chromium-headless-shell")
    assert browser.find() == installed


@pytest.mark.parametrize("offered", browser.DEBIAN_BROWSERS)
def test_debian_installs_the_first_browser_that_it_offers(
    monkeypatch: pytest.MonkeyPatch, offered: str
) -> None:
    """Older releases have no package of the one without windows."""
    asked: list[str] = []

    def run(command: list[str]) -> str:
        asked.append(command[-1])
        return "" if command[-1] == offered else "no such package"

    monkeypatch.setattr(browser, "run", run)
    assert browser._install_from_debian() == ""
    known = browser.DEBIAN_BROWSERS
    assert asked[1:] == list(known[: known.index(offered) + 1])


def test_the_browser_of_playwright_is_found(
    empty_machine: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What Playwright downloaded earlier is taken when the system has none."""
    folder = empty_machine / "playwright"
    monkeypatch.setenv("PLAYWRIGHT_BROWSERS_PATH", str(folder))
    downloaded = program(folder / "chromium-1200" / "chrome-linux64" / "chrome")
    assert browser.find() == downloaded


def test_word_is_left_of_the_browser(empty_machine: Path) -> None:
    """The tests read the browser's path from a file, and an old reason is gone."""
    browser.MISSING_FILE.write_text("an earlier reason\n", "utf-8")
    installed = program(empty_machine / "bin" / "chromium")
    browser.main()
    assert browser.PATH_FILE.read_text("utf-8").strip() == str(installed)
    assert not browser.MISSING_FILE.exists()


def test_no_browser_is_said_with_the_reason(
    empty_machine: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Where none can be had, one sentence says that browser tests are skipped, and why."""
    browser.main()
    said = capsys.readouterr().out
    assert "Browser tests will be skipped" in said
    assert "playwright install" in browser.MISSING_FILE.read_text("utf-8")
    assert not browser.PATH_FILE.exists()
