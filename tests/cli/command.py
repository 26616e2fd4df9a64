"""Starts `evalcore` as a user does, in a process of its own."""

import os
import subprocess
import sys
from pathlib import Path

SEEDS = Path(__file__).parent.parent / "data" / "seeds"
ROOT = Path(__file__).resolve().parent.parent.parent


def environment(home: Path, **more: str) -> dict[str, str]:
    """Return an environment whose home is a new folder, with this checkout importable."""
    kept = {name: os.environ[name] for name in ("LANG", "PATH") if name in os.environ}
    return kept | {
        "HOME": str(home),
        "PYTHONPATH": str(ROOT),
        **more,
    }


def evalcore(*arguments: str | Path, home: Path, **more: str) -> subprocess.CompletedProcess[str]:
    """Run a command to its end with its output in pipes."""
    return subprocess.run(
        [sys.executable, "-m", "evalcore", *map(str, arguments)],
        env=environment(home, **more),
        cwd=home,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
