"""How the tests of the sandbox start programs and look for those that are left."""

import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from evalcore.sandbox.bubblewrap import Limits
from evalcore.sandbox.child import Ended, run

PLAIN = {"PATH": "/usr/local/bin:/usr/bin:/bin"}
ROOT = Path(__file__).resolve().parents[2]
NOBODY = 65534

# Our own Python may lie in the home of root, where no other user can start it.
_PYTHON = Path("/usr/bin/python3")
_RUN = """
import pickle, sys
from evalcore.sandbox.bubblewrap import Limits, run_script
script, files, limits = pickle.load(sys.stdin.buffer)
ended = run_script(script, files=files, limits=Limits(*limits))
sys.stdout.buffer.write(pickle.dumps(tuple(ended)))
"""


def plain(*command: str, cwd: Path = Path("/"), seconds: float = 60.0, **options: Any) -> Ended:
    """Run a command with a plain environment."""
    return run(command, cwd=cwd, env=PLAIN, seconds=seconds, **options)


def python(code: str, *arguments: str, **options: Any) -> Ended:
    """Run Python code."""
    return plain(sys.executable, "-c", code, *arguments, **options)


def survivors(word: str) -> list[int]:
    """Return the processes that live and have a word in their command line."""
    return [
        int(entry.name)
        for entry in Path("/proc").iterdir()
        if entry.name.isdecimal() and word in _command_line(entry)
    ]


def _command_line(process: Path) -> str:
    try:
        return (process / "cmdline").read_bytes().decode("utf-8", "replace")
    except OSError:
        return ""


def started_by_nobody(script: bytes, files: Path, limits: Limits) -> Ended:
    """Run a script in the sandbox as an ordinary user does; only root can start this.

    The test is skipped where such a user cannot start Python 3.11 on this checkout.
    """
    files.chmod(0o755)
    command = [str(_PYTHON), "-c", _RUN]
    try:
        done = subprocess.run(
            command,
            input=pickle.dumps((script, files, tuple(limits))),
            cwd=ROOT,
            env=PLAIN | {"PYTHONDONTWRITEBYTECODE": "1"},
            user=NOBODY,
            group=NOBODY,
            extra_groups=[],
            capture_output=True,
            check=False,
        )
    except OSError as error:
        pytest.skip(f"an ordinary user cannot start Python here: {error}")
    if b"ImportError" in done.stderr or b"ModuleNotFoundError" in done.stderr:
        pytest.skip("the system's Python cannot import evalcore")
    assert done.returncode == 0, done.stderr
    return Ended(*pickle.loads(done.stdout))
