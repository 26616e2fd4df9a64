"""`evalcore open` serves on this machine only and ends what it started."""

import html
import os
import re
import signal
import socket
import stat
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import psutil  # type: ignore[import-untyped]
import pytest

from evalcore import server
from evalcore.errors import CannotServe, WorkspaceNotFound
from evalcore.server import opening
from evalcore.server import process as server_module
from tests.dashboard.live import PAGES, ROOT, any_port, own_state

OPEN = (
    "import sys; from pathlib import Path; from evalcore.server import launch;"
    "folder, port, view, browser = sys.argv[1:];"
    "port, view, browser = int(port) or None, view or None, bool(browser);"
    "sys.exit(launch(Path(folder), port=port, view=view, browser=browser))"
)
PATIENCE = 20.0


@dataclass
class Opened:
    """`evalcore open` in a process of its own, and the addresses that it printed."""

    process: subprocess.Popen[str]
    url: str

    @property
    def port(self) -> int:
        """The port that it serves on."""
        return urlsplit(self.url).port or 0

    def server(self) -> psutil.Process:
        """Return the process of the dashboard."""
        (found,) = psutil.Process(self.process.pid).children()
        return found


@contextmanager
def opened(
    folder: Path, state: Path, port: int = 0, cwd: Path = ROOT, view: str = "", **environment: str
) -> Iterator[Opened]:
    """Run `evalcore open`, whatever becomes of it in between."""
    given = os.environ | {
        "EVALCORE_STATE_DIR": str(state),
        "EVALCORE_CACHE_DIR": str(state / "cache"),
        "PYTHONPATH": str(ROOT),
        **environment,
    }
    command = [sys.executable, "-P", "-c", OPEN, str(folder), str(port), view]
    command.append(environment.get("BROWSER", ""))
    state.mkdir(exist_ok=True)
    with (
        (state / "terminal.log").open("a", encoding="utf-8") as log,
        subprocess.Popen(
            command,
            cwd=cwd,
            env=given,
            stdout=subprocess.PIPE,
            stderr=log,
            text=True,
            start_new_session=True,
        ) as process,
    ):
        try:
            yield Opened(process, printed(process))
        finally:
            process.kill()


def printed(process: subprocess.Popen[str]) -> str:
    """Return the address that it prints."""
    assert process.stdout is not None
    for line in process.stdout:
        if "http://" in line:
            return line.strip()
    raise AssertionError("it ended without an address")


def test_it_serves_until_it_is_interrupted(small_workspace: Path, tmp_path: Path) -> None:
    """The printed address works once; an interrupt ends the server too; nothing was written."""
    hostile = tmp_path / "here"
    hostile.mkdir()
    # Started from a folder that tries to take part: neither module nor setting may count.
    (hostile / "pandas.py").write_text("raise SystemExit('imported from the folder')", "utf-8")
    (hostile / ".streamlit").mkdir()
    (hostile / ".streamlit/config.toml").write_text("[server]\nbaseUrlPath='x'\n", "utf-8")
    before = {path: path.stat().st_mtime_ns for path in small_workspace.rglob("*")}
    others = {"STREAMLIT_SERVER_ADDRESS": "0.0.0.0", "STREAMLIT_CLIENT_SHOW_ERROR_DETAILS": "full"}
    port = any_port()
    with opened(small_workspace, tmp_path / "state", port, hostile, **others) as found:
        address = urlsplit(found.url)
        assert (address.hostname, address.port, address.path) == ("127.0.0.1", port, "/overview")
        assert parse_qs(address.query)["w"] == ["skills"]
        assert [status(found.url), status(found.url)] == [200, 403]
        found.process.send_signal(signal.SIGINT)
        assert found.process.wait(20) == 0
    with pytest.raises(OSError, match="refused"):
        socket.create_connection(("127.0.0.1", port), timeout=2)
    assert before == {path: path.stat().st_mtime_ns for path in small_workspace.rglob("*")}


def test_an_interrupted_server_ends_without_a_fatal_error(
    small_workspace: Path, tmp_path: Path
) -> None:
    """Ctrl-C in a terminal reaches the server itself, while it waits for further tokens."""
    with opened(small_workspace, tmp_path / "state") as found:
        assert status(found.url) == 200
        found.server().send_signal(signal.SIGINT)
        assert found.process.wait(20) == 1
    assert "Fatal" not in (tmp_path / "state/terminal.log").read_text("utf-8")


def ends(process: psutil.Process, patience: float = PATIENCE) -> bool:
    """Return whether a process ends soon; who reaps it then is not our concern."""
    end = time.monotonic() + patience
    while time.monotonic() < end:
        with suppress(psutil.NoSuchProcess):
            if process.is_running() and process.status() != psutil.STATUS_ZOMBIE:
                time.sleep(0.02)
                continue
        return True
    return False


ENDS = ("SIGHUP", "SIGTERM", "SIGINT", "SIGKILL", "SIGQUIT")


@pytest.fixture
def heard() -> Iterator[None]:
    """Hear what a terminal sends: what a shell starts in the background ignores some of it."""
    before = {each: signal.signal(each, signal.SIG_DFL) for each in (signal.SIGHUP, signal.SIGQUIT)}
    yield
    for each, handler in before.items():
        signal.signal(each, handler)


@pytest.mark.usefixtures("heard")
@pytest.mark.parametrize("end", ENDS)
def test_the_server_ends_with_its_owner(small_workspace: Path, tmp_path: Path, end: str) -> None:
    """Whatever ends `evalcore open`, nothing of it is left."""
    with opened(small_workspace, tmp_path / "state") as found:
        dashboard = found.server()
        found.process.send_signal(signal.Signals[end])
        assert ends(dashboard)


def test_a_server_without_a_pipe_stays_behind(small_workspace: Path, tmp_path: Path) -> None:
    """The control: a child that is not told of its owner's end serves on."""
    orphan = "import subprocess, sys; p = subprocess.Popen([sys.executable, '-c',"
    orphan += " 'import time; time.sleep(60)']); print(p.pid, flush=True); p.wait()"
    with subprocess.Popen(
        [sys.executable, "-c", orphan], stdout=subprocess.PIPE, text=True
    ) as owner:
        assert owner.stdout is not None
        child = psutil.Process(int(owner.stdout.readline()))
        owner.kill()
        assert not ends(child, 2)
        child.kill()


def test_a_second_open_gives_another_address_of_the_same_server(
    small_workspace: Path, tmp_path: Path
) -> None:
    """It ends at once, and its address admits one more browser while the first goes on.

    The folder of the state is deeper than the address of a socket may be long.
    """
    state = tmp_path / ("deep" * 20) / "state"
    state.parent.mkdir()
    with opened(small_workspace, state) as first:
        with opened(small_workspace, state) as second:
            assert second.process.wait(20) == 0
            assert second.port == first.port
            assert second.url != first.url
        assert [status(first.url), status(second.url), status(second.url)] == [200, 200, 403]
        (sock,) = (state / "running").glob("*.sock")
        assert stat.S_IMODE(sock.stat().st_mode) == 0o600
        assert stat.S_IMODE(sock.parent.stat().st_mode) == 0o700


def test_a_view_is_led_to_by_both_addresses(small_workspace: Path, tmp_path: Path) -> None:
    """A new dashboard and one that runs already begin with what `--view` names, and let in."""
    view = "gradings?suite=alpha&run=a::1@v1/x%231&w=elsewhere&token=stolen"
    state = tmp_path / "state"
    with opened(small_workspace, state, view=view) as first:
        with opened(small_workspace, state, view="data") as second:
            assert second.process.wait(20) == 0
        for found, page, query in (
            (first, "/gradings", {"suite": ["alpha"], "run": ["a::1@v1/x#1"]}),
            (second, "/data", {}),
        ):
            address = urlsplit(found.url)
            given = parse_qs(address.query)
            assert (address.path, given.pop("w")) == (page, ["skills"])
            assert given.pop("token") != ["stolen"]
            assert given == query
            assert status(found.url) == 200


@pytest.mark.parametrize(
    "view", ["", "parts", "../data", "//evil.example/data", "http://127.0.0.1/data", "Data?suite=a"]
)
def test_a_view_names_a_page_of_ours(small_workspace: Path, view: str) -> None:
    """Nothing else leads anywhere; the sentence lists the pages, and nothing is started."""
    with pytest.raises(CannotServe, match=re.escape(", ".join(sorted(PAGES)))):
        server.launch(small_workspace, browser=False, view=view)


def test_a_view_has_an_end(small_workspace: Path) -> None:
    """No address of ours is that long."""
    with pytest.raises(CannotServe, match="5,004 characters"):
        server.launch(small_workspace, browser=False, view="data" + "?" * 5000)


def test_a_dead_server_is_not_asked(small_workspace: Path, tmp_path: Path) -> None:
    """What a killed one left behind does not keep the next from serving."""
    state = tmp_path / "state"
    with opened(small_workspace, state) as first:
        first.process.kill()
        first.process.wait(20)
    with opened(small_workspace, state) as second:
        assert status(second.url) == 200


BROWSER = """#!/bin/sh
printf '%s\\n' "$@" > "$SEEN/arguments"
cat "${1#file://}" > "$SEEN/page"
ls -l "${1#file://}" > "$SEEN/rights"
"""


def test_nobody_else_can_read_the_token(small_workspace: Path, tmp_path: Path) -> None:
    """It is in no command line, environment, log or file but the private page that leads to it."""
    seen = tmp_path / "seen"
    seen.mkdir()
    browser = tmp_path / "browser"
    browser.write_text(BROWSER, "utf-8")
    browser.chmod(0o700)
    state = tmp_path / "state"
    with opened(small_workspace, state, SEEN=str(seen), BROWSER=str(browser)) as found:
        (token,) = parse_qs(urlsplit(found.url).query)["token"]
        assert found.url in html.unescape(until(seen / "rights", seen / "page"))
        assert token not in (seen / "arguments").read_text("utf-8")
        assert (seen / "rights").read_text("utf-8").startswith("-rw-------")
        status(found.url)
        assert holding(token, state) == [path for path in files(state) if path.suffix == ".html"]
        assert processes_showing(token) == []
        found.process.send_signal(signal.SIGINT)
        assert found.process.wait(20) == 0
    assert holding(token, tmp_path / "state") == []


def test_a_browser_from_a_snap_can_read_the_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It lies in the home, under a name that is not hidden, for this user alone, until the end."""
    given: list[str] = []
    monkeypatch.setenv("EVALCORE_STATE_DIR", str(tmp_path / "state"))
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("BROWSER", "any")
    monkeypatch.setattr(opening, "_SNAPS", tmp_path)
    monkeypatch.setattr("webbrowser.open", given.append)
    opening.open_in_browser("http://127.0.0.1:1/?w=a&token=b", tmp_path)
    (page,) = tmp_path.glob("evalcore-*.html")
    assert given == [page.as_uri()]
    assert stat.S_IMODE(page.stat().st_mode) == 0o600
    assert "?w=a&amp;token=b" in page.read_text("utf-8")
    opening.forget_page(tmp_path)
    assert not page.exists()


def test_a_token_in_an_argument_or_a_variable_is_found() -> None:
    """The control: the search finds what any user, or this one, can read of a process."""
    sleep = [sys.executable, "-c", "import time; time.sleep(60)"]
    with (
        subprocess.Popen([*sleep, "a-token-of-this-test"]) as told,
        subprocess.Popen(sleep, env={"TOKEN": "a-token-of-this-test"}) as given,
    ):
        assert set(processes_showing("a-token-of-this-test")) >= {told.pid, given.pid}
        told.kill()
        given.kill()


def until(last: Path, page: Path) -> str:
    """Wait until the browser has written its last file, and return what it saw."""
    end = time.monotonic() + 20
    while not (last.is_file() and last.stat().st_size) and time.monotonic() < end:
        time.sleep(0.02)
    return page.read_text("utf-8")


def files(folder: Path) -> list[Path]:
    """Return the files below a folder."""
    return sorted(path for path in folder.rglob("*") if path.is_file())


def holding(token: str, folder: Path) -> list[Path]:
    """Return the files below a folder that hold a token."""
    return [path for path in files(folder) if token.encode() in path.read_bytes()]


def processes_showing(token: str) -> list[int]:
    """Return the processes that have a token in their command line or environment."""
    found = []
    for process in psutil.process_iter():
        with suppress(psutil.Error):
            if any(token in text for text in (*process.cmdline(), *process.environ().values())):
                found.append(process.pid)
    return found


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
        monkeypatch.setattr(server_module, "USUAL_PORT", taken.getsockname()[1])
        assert server.free_port(None) != taken.getsockname()[1]


def test_a_folder_is_served_where_it_was_last_time(
    small_workspace: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Kept links open again; while something else has its port, another one is taken."""
    monkeypatch.setattr(server_module, "USUAL_PORT", any_port())
    other = tmp_path / "other"
    other.mkdir()
    with own_state(tmp_path / "state"):

        def served_on(folder: Path, port: int | None = None) -> int:
            dashboard = server.start(folder, port=port)
            dashboard.stop()
            return dashboard.port

        first = served_on(small_workspace, any_port())
        assert served_on(other) == server_module.USUAL_PORT
        assert served_on(small_workspace) == first
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", first))
            assert served_on(small_workspace) == server_module.USUAL_PORT
        assert served_on(other) == served_on(small_workspace) == server_module.USUAL_PORT


def test_the_app_lies_beside_the_package_or_in_it() -> None:
    """A checkout and an installed package both find the dashboard and its settings."""
    assert server.app_file().name == "app.py"
    assert (server.app_file().parent / ".streamlit" / "config.toml").is_file()
    assert (server.app_file().parent / "pages" / "overview.py").is_file()


def test_what_cannot_be_made_ends_what_was_started(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The folder is made while the process starts, which waits for it; nothing is left over."""
    monkeypatch.setenv("EVALCORE_STATE_DIR", str(tmp_path / "state"))

    before = psutil.Process().children()

    def full() -> None:
        assert len(psutil.Process().children()) > len(before)
        raise OSError(28, "No space left on device")

    with pytest.raises(OSError, match="No space left"):
        server.start(tmp_path / "made", port=0, prepare=full)
    assert psutil.Process().children() == before
