"""An executor for tests: it does what the prompt on its standard input says."""

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
import uuid
from collections.abc import Callable
from pathlib import Path
from typing import Any

Act = Callable[[str], Any]
ASKED: list[str] = []


def main() -> None:
    """Do each word of the prompt in turn."""
    prompt = sys.stdin.read()
    ASKED.append(prompt)
    for word in prompt.split():
        name, _, value = word.partition("=")
        act: Act | None = ACTS.get(name)
        if act is not None:
            act(value)
    reply = "done " + prompt
    if "--json" in sys.argv:
        used = {"in": 100, "out": 20}
        _say(json.dumps({"result": reply, "usage": used, "cost": 0.25, "model": "m-1"}))
    else:
        _say(reply)


def _say(text: str) -> None:
    sys.stdout.write(f"{text}\n")


def _look(path: str) -> None:
    """Print everything that can be seen from here."""
    for parent, folders, names in os.walk(path or "."):
        folders[:] = [name for name in folders if not name.startswith("evalcore-case-")]
        for name in names:
            file = Path(parent) / name
            if file.is_file() and file.stat().st_size < 100_000:
                _say(f"{file} {file.read_text('utf-8', 'replace')}")


def _daemon(path: str) -> None:
    """Leave a process behind that goes on in a session of its own."""
    code = f"import time\nwhile True:\n open({path!r}, 'a').write('x'); time.sleep(.05)"
    subprocess.Popen(
        [sys.executable, "-c", code],
        start_new_session=True,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


def _alone(word: str) -> None:
    """Fail where a process has the word in its command line."""
    for each in Path("/proc").glob("[0-9]*/cmdline"):
        with contextlib.suppress(OSError):  # it has ended
            if word.encode() in each.read_bytes():
                sys.exit(9)


def _once(path: str) -> None:
    """Fail the first time."""
    if not Path(path).exists():
        Path(path).touch()
        sys.exit(7)


def _wait_once(path: str) -> None:
    """Take long the first time."""
    if not Path(path).exists():
        Path(path).touch()
        time.sleep(60)


def _torrent(size: str) -> None:
    """Print as many bytes, of which nobody keeps so many."""
    part = b"x" * 1_000_000
    for _ in range(int(size) // len(part)):
        sys.stdout.buffer.write(part)


def _note(path: str) -> None:
    with open(path, "a") as file:  # noqa: PTH123 - appended in one write
        file.write("started\n")


ACTS: dict[str, Act] = {
    "alone": _alone,
    "write": lambda name: Path(name).write_text("done\n"),
    "big": lambda size: Path("big.txt").write_text("x" * int(size)),
    "binary": lambda name: Path(name).write_bytes(b"\xff\x00\xfe"),
    "poison": lambda _: os.kill(os.getppid(), signal.SIGKILL),
    "unique": lambda name: Path(name).write_text(uuid.uuid4().hex),
    "wait": lambda seconds: time.sleep(float(seconds)),
    "exit": lambda code: sys.exit(int(code)),
    "refused": lambda why: sys.exit(why.replace("_", " ")),
    "crash": lambda _: os.kill(os.getpid(), signal.SIGSEGV),
    "flood": lambda size: sys.stdout.write("x" * int(size)),
    "bytes": lambda _: sys.stdout.buffer.write(b"\xff\xfe done \x80"),
    "link": lambda target: Path("link.txt").symlink_to(target),
    "pipe": os.mkfifo,
    "look": _look,
    "daemon": _daemon,
    "once": _once,
    "wait_once": _wait_once,
    "torrent": _torrent,
    "deaf": lambda _: signal.signal(signal.SIGTERM, signal.SIG_IGN),
    "count": lambda name: Path(name).write_text(f"{len(ASKED[0])} done"),
    "note": _note,
    "env": lambda name: _say(f"{name}={os.environ.get(name)}"),
}

if __name__ == "__main__":
    main()
