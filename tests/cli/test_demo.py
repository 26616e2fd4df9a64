"""`evalcore demo`: a copy that is the user's own."""

import http.client
import os
import re
import signal
import socket
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from evalcore.demo import copy_demo, demo_dir, packaged
from tests.cli.command import environment


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the folder that the demo is copied to."""
    monkeypatch.setenv("EVALCORE_DEMO_DIR", str(tmp_path / "data" / "demo"))
    return tmp_path / "data" / "demo"


def contents(folder: Path) -> dict[str, bytes]:
    """Return the files of a folder: path to bytes."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


def test_the_copy_is_the_demo_whole(home: Path) -> None:
    """Every file, outputs of runs included, and nothing is left beside it."""
    assert copy_demo() == home
    assert contents(home) == contents(packaged())
    assert list(home.parent.iterdir()) == [home]


def test_a_copy_that_is_there_stays_as_it_is(home: Path) -> None:
    """What the user changed or removed is neither overwritten nor brought back."""
    copy_demo()
    changed, removed = sorted(path for path in home.rglob("*.json"))[:2]
    changed.write_text("mine")
    removed.unlink()
    assert copy_demo() == home
    assert changed.read_text() == "mine"
    assert not removed.exists()


def test_fresh_copies_lie_beside_the_first(home: Path) -> None:
    """demo-2, demo-3, each whole; the first keeps its changes."""
    (copy_demo() / "mine.txt").write_text("mine")
    assert [copy_demo(fresh=True).name for _ in range(2)] == ["demo-2", "demo-3"]
    assert contents(home.with_name("demo-3")) == contents(packaged())
    assert (home / "mine.txt").read_text() == "mine"


def test_fresh_without_a_copy_is_the_first(home: Path) -> None:
    """There is nothing beside which it could lie."""
    assert copy_demo(fresh=True) == home


def test_a_read_only_package_gives_a_copy_that_can_be_changed(home: Path) -> None:
    """Files and folders of the copy belong to the user."""
    copy_demo()
    assert all(os.access(path, os.W_OK) for path in home.rglob("*"))


def test_a_file_in_its_place_is_left_alone(home: Path) -> None:
    """The copy takes the next name."""
    home.parent.mkdir(parents=True)
    home.write_text("mine")
    assert copy_demo().name == "demo-2"
    assert home.read_text() == "mine"


def test_it_lies_in_the_state_folder_where_that_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else in the user's data folder, which is not the state's."""
    monkeypatch.delenv("EVALCORE_DEMO_DIR")
    monkeypatch.setenv("EVALCORE_STATE_DIR", str(tmp_path / "state"))
    assert demo_dir() == tmp_path / "state" / "demo"
    monkeypatch.delenv("EVALCORE_STATE_DIR")
    assert demo_dir().parts[-2:] == ("evalcore", "demo")


def test_the_command_serves_the_copy_until_it_is_stopped(home: Path, tmp_path: Path) -> None:
    """It prints an address that answers, and Ctrl-C ends it with 0."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-m", "evalcore", "demo", "--no-browser", "--port", str(port)]
    env = environment(tmp_path, EVALCORE_DEMO_DIR=str(home))
    with subprocess.Popen(
        command,
        env=env,
        cwd=tmp_path,
        text=True,
        start_new_session=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    ) as server:
        stop = threading.Timer(90, server.kill)
        stop.start()
        try:
            assert server.stdout is not None
            said = ""
            while not (found := re.search(r"http://127\.0\.0\.1:(\d+)/", said)):
                line = server.stdout.readline()
                assert line, f"it ended with: {said}"
                said += line
            assert int(found[1]) == port
            assert str(home) in said
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
            connection.request("GET", "/overview")
            assert connection.getresponse().status == 403
            connection.close()
            server.send_signal(signal.SIGINT)
            assert server.wait(30) == 0
        finally:
            stop.cancel()
            if server.poll() is None:
                server.kill()
    assert home.is_dir()
