"""Start the dashboard as a process of its own, on this machine only."""

from __future__ import annotations

import http.client
import os
import secrets
import signal
import socket
import subprocess
import sys
import time
import webbrowser
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from urllib.parse import urlencode

from evalcore.errors import CannotServe, WorkspaceNotFound
from evalcore.recent import remember

ADDRESS: Final = "127.0.0.1"
# The same port every time while it is free, so that kept addresses go on working.
USUAL_PORT: Final = 8421
_START_SECONDS: Final = 60.0
_STOP_SECONDS: Final = 10.0


@dataclass(frozen=True)
class Dashboard:
    """A dashboard process, and the address that admits one browser."""

    process: subprocess.Popen[bytes]
    port: int
    token: str
    url: str

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


def launch(
    workspace: Path,
    *,
    port: int | None = None,
    browser: bool = True,
    page: str = "overview",
    address: str = ADDRESS,
) -> int:
    """Serve the dashboard on `workspace` until it is stopped and return the exit code.

    `port` None takes the usual port, or any free one. Raises `WorkspaceNotFound` when there is no
    such folder and `CannotServe` when the address or the port cannot be used.
    """
    require_local(address)
    # Without a wish, a second try takes any port: another dashboard may have taken the usual one
    # between our look at it and the child's.
    for chosen in [None, 0] if port is None else [port]:
        code = _serve(start(workspace, port=chosen, page=page), workspace, browser=browser)
        if code is not None:
            return code
    raise CannotServe("The dashboard did not start; see above.")


def _serve(dashboard: Dashboard, workspace: Path, *, browser: bool) -> int | None:
    """Wait for the end of a dashboard and return its exit code; None when it never answered."""
    with _stopping_on_request(dashboard) as asked:
        if not dashboard.wait_until_ready():
            dashboard.stop()
            return 0 if asked else None
        _say(f"evalcore shows {workspace.resolve()}\n\n    {dashboard.url}\n")
        _say("The address lets in one browser, once. Stop with Ctrl-C.")
        if browser and _has_screen():
            webbrowser.open(dashboard.url)
        code = dashboard.process.wait()
    return 0 if asked else code if code >= 0 else 128 - code


def start(workspace: Path, *, port: int | None = None, page: str = "overview") -> Dashboard:
    """Start the dashboard on `workspace` and return at once, before it answers."""
    if not workspace.is_dir():
        raise WorkspaceNotFound(workspace)
    app = app_file()
    name = remember(workspace)
    chosen = free_port(port)
    token = secrets.token_urlsafe(32)
    flags = {
        "server.address": ADDRESS,
        "server.port": str(chosen),
        "server.headless": "true",
        "browser.gatherUsageStats": "false",
    }
    command = [sys.executable, "-m", "streamlit", "run", str(app)]
    command += [f"--{option}={value}" for option, value in flags.items()]
    process = subprocess.Popen(  # noqa: S603 - our own interpreter and script, no shell
        command,
        # Python and Streamlit both read from the current folder, which may be the workspace:
        # nothing that lies there may be imported or set an option.
        cwd=app.parent,
        env=_environment(token, name),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
    )
    query = urlencode({"w": name, "token": token})
    return Dashboard(process, chosen, token, f"http://{ADDRESS}:{chosen}/{page}?{query}")


def require_local(address: str) -> None:
    """Raise `CannotServe` unless `address` is only reachable from this machine."""
    if address not in {ADDRESS, "localhost"}:
        raise CannotServe(
            f"The dashboard answers on {ADDRESS} only, not on {address}: there is no login yet. "
            "Leave the address out; from another machine, use an SSH tunnel."
        )


def free_port(wanted: int | None) -> int:
    """Return `wanted`, or for None the default port or any free one; 0 is any.

    Raises `CannotServe` when the wanted port is taken.
    """
    for candidate in [USUAL_PORT, 0] if wanted is None else [wanted]:
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
    package = Path(__file__).resolve().parent
    places = [package / "_app" / "app.py", package.parent / "app.py"]
    for place in places:
        if place.is_file():
            return place
    raise CannotServe(f"The dashboard is not at {places[0]}. Install evalcore again.")


def _environment(token: str, name: str) -> dict[str, str]:
    # Streamlit's variables would win over the dashboard's own settings, the protective ones too.
    kept = {key: value for key, value in os.environ.items() if not key.startswith("STREAMLIT_")}
    return kept | {"EVALCORE_TOKEN": token, "EVALCORE_OPEN": name}


def _has_screen() -> bool:
    # Without one, a browser that runs in the terminal would be found and would spend the token.
    named = ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER")
    return sys.platform == "darwin" or any(os.environ.get(name) for name in named)


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


@contextmanager
def _stopping_on_request(dashboard: Dashboard) -> Iterator[list[int]]:
    """Forward interrupt and termination signals to the started process, and only to it.

    The list holds the received signals.
    """
    asked: list[int] = []

    def stop(number: int, _frame: object) -> None:
        asked.append(number)
        if dashboard.process.poll() is None:
            dashboard.process.terminate()

    numbers = (signal.SIGINT, signal.SIGTERM)
    before = {number: signal.signal(number, stop) for number in numbers}
    try:
        yield asked
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        dashboard.stop()


def _say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()
