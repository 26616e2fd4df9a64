"""What the tests of the sandbox share."""

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from evalcore.sandbox import bubblewrap
from tools import sandbox


@pytest.fixture(scope="session")
def bwrap() -> None:
    """Skip a test where there is no sandbox, with the reason."""
    if reason := bubblewrap.missing():
        if sandbox.MISSING_FILE.is_file():
            reason = sandbox.MISSING_FILE.read_text(encoding="utf-8").strip()
        pytest.skip(f"no sandbox: {reason}")


@pytest.fixture
def reachable() -> Iterator[Path]:
    """Return a temporary folder that every user of this machine can reach."""
    with tempfile.TemporaryDirectory(dir="/var/tmp", prefix="evalcore-") as folder:
        Path(folder).chmod(0o755)
        yield Path(folder)
