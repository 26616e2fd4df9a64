"""Finds a Chromium for the browser tests and the screenshots, and fetches one where it can.

`python -m tools.browser` writes the program's path to `.venv/browser-path`, or the reason why
there is none to `.venv/browser-missing`. It ends with 0 either way: the tests that need a browser
then skip and give that reason.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

VENV = Path(__file__).resolve().parent.parent / ".venv"
PATH_FILE = VENV / "browser-path"
MISSING_FILE = VENV / "browser-missing"

# The one without windows comes first: it takes a fifth less of the processor for the same tests.
PROGRAMS = (
    "chromium-headless-shell",
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
)
MAC_PROGRAMS = (
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
)
PLAYWRIGHT_PATTERNS = (
    "chromium-*/chrome-linux*/chrome",
    "chromium-*/chrome-mac*/*.app/Contents/MacOS/*",
    "chromium_headless_shell-*/chrome-*/*headless*shell",
)
# The fonts are for the screenshots: without them non-Latin text is drawn as boxes.
DEBIAN_BROWSERS = ("chromium-headless-shell", "chromium")
DEBIAN_FONTS = ("fonts-noto-core", "fonts-noto-cjk")
SECONDS_TO_INSTALL = 900


def find() -> Path | None:
    """Return the first Chromium that is here, or None.

    An EVALCORE_BROWSER in the environment is believed before all others.
    """
    for candidate in _candidates():
        if candidate.is_file() and os.access(candidate, os.X_OK):
            return candidate
    return None


def _candidates() -> Iterator[Path]:
    if named := os.environ.get("EVALCORE_BROWSER"):
        yield Path(named)
    for program in PROGRAMS:
        if found := shutil.which(program):
            yield Path(found)
    yield from map(Path, MAC_PROGRAMS)
    for pattern in PLAYWRIGHT_PATTERNS:
        yield from sorted(_playwright_folder().glob(pattern), reverse=True)


def _playwright_folder() -> Path:
    if named := os.environ.get("PLAYWRIGHT_BROWSERS_PATH"):
        return Path(named)
    caches = "Library/Caches" if sys.platform == "darwin" else ".cache"
    return Path.home() / caches / "ms-playwright"


def install() -> str:
    """Fetch a Chromium, from Debian's packages as root and else as Playwright offers it.

    Returns why it could not be had; empty when the commands went well.
    """
    reasons = []
    if hasattr(os, "geteuid") and os.geteuid() == 0 and shutil.which("apt-get"):
        reason = _install_from_debian()
        if not reason:
            return ""
        reasons.append(reason)
    reason = run([sys.executable, "-m", "playwright", "install", "chromium"])
    return "; ".join([*reasons, reason]) if reason else ""


def _install_from_debian() -> str:
    print("No Chromium here: installing Debian's …", flush=True)
    # A list that cannot be renewed is no reason to stop: an older one may do.
    run(["apt-get", "update", "-q"])
    install = ["apt-get", "install", "-q", "-y", "--no-install-recommends", *DEBIAN_FONTS]
    reason = ""
    for name in DEBIAN_BROWSERS:
        reason = run([*install, name])
        if not reason:
            break
    return reason


def run(command: list[str]) -> str:
    """Run a command and return what went wrong in one line, or nothing."""
    shown = " ".join(Path(part).name if part == sys.executable else part for part in command[:4])
    environment = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
    try:
        done = subprocess.run(
            command,
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=SECONDS_TO_INSTALL,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"“{shown}” did not run ({type(error).__name__})"
    if done.returncode == 0:
        return ""
    said = (done.stderr or done.stdout).strip().splitlines()
    return f"“{shown}” failed ({said[-1].strip() if said else done.returncode})"


def main() -> None:
    """Find or fetch a browser and leave word for the tests."""
    browser, reason = find(), ""
    if browser is None:
        reason = install()
        browser = find()
    PATH_FILE.unlink(missing_ok=True)
    MISSING_FILE.unlink(missing_ok=True)
    if browser is not None:
        PATH_FILE.write_text(f"{browser}\n", encoding="utf-8")
        print(f"Browser: {browser}")
        return
    reason = reason or "no Chromium was found where one is usually installed"
    MISSING_FILE.write_text(f"{reason}\n", encoding="utf-8")
    print(f"Browser tests will be skipped, for no Chromium could be had: {reason}.")


if __name__ == "__main__":
    main()
