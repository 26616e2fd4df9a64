"""Makes bubblewrap available for the tests of the sandbox where it can.

`python -m tools.sandbox` installs it from Debian's packages as root, and writes the reason why
there is no sandbox to `.venv/sandbox-missing`. It ends with 0 either way: the tests that need it
then skip and give that reason.
"""

import os
import shutil
from pathlib import Path

from evalcore.sandbox import bubblewrap
from tools import browser

MISSING_FILE = Path(__file__).resolve().parent.parent / ".venv" / "sandbox-missing"


def install() -> str:
    """Fetch bubblewrap from Debian's packages; return why it could not be had."""
    if not shutil.which("apt-get"):
        return "it is not installed, and there is no apt-get"
    if os.geteuid() != 0:
        return "it is not installed, and only root may install it (apt-get install bubblewrap)"
    print("No bubblewrap here: installing Debian's …", flush=True)
    # A list that cannot be renewed is no reason to stop: an older one may do.
    browser.run(["apt-get", "update", "-q"])
    return browser.run(["apt-get", "install", "-q", "-y", "--no-install-recommends", "bubblewrap"])


def main() -> None:
    """Fetch bubblewrap where it is missing, try it, and leave word for the tests."""
    reason = "" if shutil.which("bwrap") else install()
    reason = reason or bubblewrap.missing() or ""
    MISSING_FILE.unlink(missing_ok=True)
    if reason:
        MISSING_FILE.write_text(f"{reason}\n", encoding="utf-8")
        print(f"Tests of the sandbox will be skipped: {reason.rstrip('.')}.")
    else:
        print(f"Sandbox: {shutil.which('bwrap')}")


if __name__ == "__main__":
    main()
