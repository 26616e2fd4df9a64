"""`evalcore open` serves on this machine only and ends what it started."""

import os
import signal
import socket
import subprocess
import sys
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest

from evalcore import server
from evalcore.errors import CannotServe, WorkspaceNotFound
from tests.dashboard.live import ROOT, any_port

OPEN = (
    "import sys; from pathlib import Path; from evalcore.server import launch;"
    "sys.exit(launch(Path(sys.argv[1]), port=int(sys.argv[2]), browser=False))"
)


def test_it_serves_until_it_is_interrupted(small_workspace: Path, tmp_path: Path) -> None:
    """The printed address works once; an interrupt ends the server too; nothing was written."""
    hostile = tmp_path / "here"
    hostile.mkdir()
    # Started from a folder that tries to take part: neither module nor setting may count.
    (hostile / "pandas.py").write_text("raise SystemExit('imported from the folder')", "utf-8")
    (hostile / ".streamlit").mkdir()
    (hostile / ".streamlit/config.toml").write_text("[server]\nbaseUrlPath='x'\n", "utf-8")
    before = {path: path.stat().st_mtime_ns for path in small_workspace.rglob("*")}
    environment = os.environ | {
        "EVALCORE_STATE_DIR": str(tmp_path / "state"),
        "EVALCORE_CACHE_DIR": str(tmp_path / "cache"),
        "PYTHONPATH": str(ROOT),
        "STREAMLIT_SERVER_ADDRESS": "0.0.0.0",
        "STREAMLIT_CLIENT_SHOW_ERROR_DETAILS": "full",
    }
    port = any_port()
    command = [sys.executable, "-P", "-c", OPEN, str(small_workspace), str(port)]
    with subprocess.Popen(
        command, cwd=hostile, env=environment, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        lines = [process.stdout.readline() for _ in range(5)]
        (url,) = [line.strip() for line in lines if "http://" in line]
        found = urlsplit(url)
        assert (found.hostname, found.port, found.path) == ("127.0.0.1", port, "/overview")
        assert parse_qs(found.query)["w"] == ["skills"]
        assert [status(url), status(url)] == [303, 403]
        process.send_signal(signal.SIGINT)
        assert process.wait(20) == 0
    with pytest.raises(OSError, match="refused"):
        socket.create_connection(("127.0.0.1", port), timeout=2)
    assert before == {path: path.stat().st_mtime_ns for path in small_workspace.rglob("*")}


def status(url: str) -> int:
    """Return the status of a GET, without following where it leads."""
    parts = urlsplit(url)
    connection = HTTPConnection(parts.netloc, timeout=20)
    connection.request("GET", f"{parts.path}?{parts.query}")
    code = connection.getresponse().status
    connection.close()
    return code


def test_a_missing_folder_is_named(tmp_path: Path) -> None:
    """Nothing is started, nothing remembered."""
    with pytest.raises(WorkspaceNotFound, match="does not exist"):
        server.launch(tmp_path / "gone", browser=False)


@pytest.mark.parametrize("address", ["0.0.0.0", "::", "192.168.1.4", "my-laptop.local", ""])
def test_an_address_that_others_reach_is_refused(small_workspace: Path, address: str) -> None:
    """The sentence says why, and what to do instead."""
    with pytest.raises(CannotServe, match="SSH tunnel"):
        server.launch(small_workspace, browser=False, address=address)


def test_a_wanted_port_in_use_is_refused() -> None:
    """Another program's port is left to it."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(CannotServe, match=f"Port {port}"):
            server.free_port(port)
    assert server.free_port(port) == port


def test_without_a_wish_any_free_port_will_do(monkeypatch: pytest.MonkeyPatch) -> None:
    """The usual port while it is free, else another one."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        monkeypatch.setattr(server, "USUAL_PORT", taken.getsockname()[1])
        assert server.free_port(None) != taken.getsockname()[1]


def test_the_app_lies_beside_the_package_or_in_it() -> None:
    """A checkout and an installed package both find the dashboard and its settings."""
    assert server.app_file().name == "app.py"
    assert (server.app_file().parent / ".streamlit" / "config.toml").is_file()
    assert (server.app_file().parent / "pages" / "overview.py").is_file()
