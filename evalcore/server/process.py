"""The process of a dashboard: how it is started, given its tokens, and ended."""

from __future__ import annotations

import http.client
import os
import secrets
import socket
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from urllib.parse import urlencode

from evalcore.errors import CannotServe, WorkspaceNotFound
from evalcore.recent import last_port, remember
from evalcore.starting import start_python

ADDRESS: Final = "127.0.0.1"
# The first port of a folder. It gets the same every time while that is free, so that kept addresses
# go on working.
USUAL_PORT: Final = 8421
_START_SECONDS: Final = 60.0
_STOP_SECONDS: Final = 10.0


@dataclass(frozen=True)
class Dashboard:
    """A dashboard process, and the first token that admits one browser.

    Tokens go through its standard input, which no other process can read. The process ends when
    that is closed, as the system does however this process ends.
    """

    process: subprocess.Popen[bytes]
    port: int
    token: str
    workspace: str

    @property
    def url(self) -> str:
        """The address that admits one browser."""
        return self._url(self.token)

    def new_url(self) -> str:
        """Return an address that admits another browser.

        Raises `CannotServe` when the process has ended.
        """
        token = secrets.token_urlsafe(32)
        self.accept(token)
        return self._url(token)

    def accept(self, token: str) -> None:
        """Let the process accept a token; raises `CannotServe` when it has ended."""
        assert self.process.stdin is not None
        try:
            self.process.stdin.write(f"{token}\n".encode("ascii"))
            self.process.stdin.flush()
        except OSError as error:
            raise CannotServe("The dashboard has ended. Run `evalcore open` again.") from error

    def _url(self, token: str) -> str:
        query = urlencode({"w": self.workspace, "token": token})
        return f"http://{ADDRESS}:{self.port}/overview?{query}"

    def told(self) -> Iterator[tuple[int, int]]:
        """Yield how many files are read, and of how many, until the workspace is."""
        for line in self.process.stdout or ():
            done, _, whole = line.partition(b" ")
            if done.isdigit() and whole.strip().isdigit():
                yield int(done), int(whole)

    def wait_until_ready(self) -> bool:
        """Return True when it answers, False if it ended or did not answer for a minute."""
        end = time.monotonic() + _START_SECONDS
        while time.monotonic() < end and self.process.poll() is None:
            if _answers(self.port):
                return True
            time.sleep(0.05)
        return False

    def stop(self) -> int:
        """End the process, by force if necessary, and return its exit code."""
        if self.process.poll() is None:
            self.process.terminate()
        try:
            return self.process.wait(_STOP_SECONDS)
        except subprocess.TimeoutExpired:
            self.process.kill()
            return self.process.wait()
        finally:
            assert self.process.stdin is not None
            with suppress(OSError):
                self.process.stdin.close()


def start(
    workspace: Path,
    *,
    port: int | None = None,
    tells: bool = False,
    prepare: Callable[[], object] | None = None,
) -> Dashboard:
    """Start the dashboard on `workspace` and return at once, before it answers.

    If it `tells` how far reading is, `Dashboard.told` must be read to its end. `prepare` makes the
    folder while the process starts, which reads nothing before its first token.
    """
    if prepare is None and not workspace.is_dir():
        raise WorkspaceNotFound(workspace)
    app, chosen = app_file(), free_port(port, last_port(workspace))
    name = remember(workspace, chosen)
    # Streamlit reads settings in the current folder, which may be the workspace.
    environment = _environment() | {"EVALCORE_OPEN": name}
    command = ["-m", "streamlit", "run", str(app)]
    return spawn(
        command,
        chosen,
        name,
        environment=environment,
        folder=app.parent,
        tells=tells,
        prepare=prepare,
    )


def spawn(
    command: Sequence[str],
    port: int,
    workspace: str,
    *,
    environment: Mapping[str, str],
    folder: Path,
    tells: bool = False,
    prepare: Callable[[], object] | None = None,
) -> Dashboard:
    """Run Python with `command` and Streamlit's options as the process of a dashboard.

    It waits for its first token, which it gets after `prepare`.
    """
    flags = {
        "server.address": ADDRESS,
        "server.port": str(port),
        "server.headless": "true",
        "browser.gatherUsageStats": "false",
    }
    options = [f"--{option}={value}" for option, value in flags.items()]
    process = start_python(
        [*command, *options],
        environment={
            **environment,
            "EVALCORE_OWNED": "1",
            "EVALCORE_TELLS": "1" if tells else "",
        },
        cwd=folder,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE if tells else subprocess.DEVNULL,
    )
    found = Dashboard(process, port, secrets.token_urlsafe(32), workspace)
    try:
        if prepare is not None:
            prepare()
        found.accept(found.token)
    except BaseException:
        found.stop()
        raise
    return found


def require_local(address: str) -> None:
    """Raise `CannotServe` unless `address` is only reachable from this machine."""
    if address not in {ADDRESS, "localhost"}:
        raise CannotServe(
            f"The dashboard answers on {ADDRESS} only, not on {address}: there is no login yet. "
            "Leave the address out; from another machine, use an SSH tunnel."
        )


def free_port(wanted: int | None, last: int | None = None) -> int:
    """Return `wanted`, or for None the `last` port, the usual or any free one; 0 is any.

    Raises `CannotServe` when the wanted port is taken.
    """
    for candidate in [last or USUAL_PORT, USUAL_PORT, 0] if wanted is None else [wanted]:
        with socket.socket() as probe:
            # As the server does: a port whose last connections are just closing is free.
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind((ADDRESS, candidate))
            except (OSError, OverflowError):
                continue
            return int(probe.getsockname()[1])
    raise CannotServe(f"Port {wanted} is in use or not allowed. Leave the port out to take any.")


def app_file() -> Path:
    """Return the dashboard's script: inside the installed package, or beside it in a checkout."""
    package = Path(__file__).resolve().parents[1]
    places = [package / "_app" / "app.py", package.parent / "app.py"]
    for place in places:
        if place.is_file():
            return place
    raise CannotServe(f"The dashboard is not at {places[0]}. Install evalcore again.")


def _environment() -> dict[str, str]:
    # Streamlit's variables would win over the dashboard's own settings, the protective ones too.
    return {key: value for key, value in os.environ.items() if not key.startswith("STREAMLIT_")}


def _answers(port: int) -> bool:
    connection = http.client.HTTPConnection(ADDRESS, port, timeout=2)
    try:
        connection.request("GET", "/_stcore/health")
        # Without a cookie the answer is a refusal, which is an answer.
        connection.getresponse().read()
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()
    return True
