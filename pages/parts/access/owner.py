"""The pipe from `evalcore open`: tokens come through it, and its end is the end of the server.

It is standard input: unlike arguments and environment, no other process can read it, and the
system closes it however `evalcore open` ends.
"""

from __future__ import annotations

import os
import secrets
import signal
import sys
import time
from io import FileIO
from threading import Thread
from typing import Final

from pages.parts.access.gate import Gate

_OWNED: Final = "EVALCORE_OWNED"
_GRACE_SECONDS: Final = 1.0


def take_tokens(gate: Gate) -> None:
    """Let `gate` accept the tokens that `evalcore open` sends, the first before this returns.

    Started by hand, a new token is drawn and the address that carries it goes to standard error.
    """
    if os.environ.pop(_OWNED, None) is None:
        token = secrets.token_urlsafe(32)
        gate.accept(token)
        sys.stderr.write(f"Open the dashboard with /?token={token}\n")
        return
    # Unbuffered: a reader that waits in a buffer has its lock, and Ctrl-C would end in an abort.
    pipe = open(sys.stdin.fileno(), "rb", buffering=0, closefd=False)  # noqa: SIM115 - read on
    _accept(pipe.readline(), gate)
    Thread(target=_follow, args=(pipe, gate), name="owner", daemon=True).start()


def _follow(pipe: FileIO, gate: Gate) -> None:
    """Accept further tokens; when the pipe ends, end the server."""
    for line in pipe:
        _accept(line, gate)
    os.kill(os.getpid(), signal.SIGTERM)
    # What is being stored is written in one step: it is there, or was never acknowledged.
    time.sleep(_GRACE_SECONDS)
    os._exit(1)


def _accept(line: bytes, gate: Gate) -> None:
    # An empty line is the end of the pipe, and no token.
    if token := line.decode("ascii", "replace").strip():
        gate.accept(token)
