"""What is installed is the whole program: commands, dashboard and demo workspace."""

import http.client
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import sysconfig
import tarfile
import threading
import tomllib
import zipfile
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
SECONDS_TO_START = 90


def build(kind: str, folder: Path, source: Path = ROOT) -> Path:
    """Build a distribution of the checkout with the build tool that is installed."""
    command = [sys.executable, "-m", "hatchling", "build", "-t", kind, "-d", str(folder)]
    subprocess.run(command, cwd=source, check=True, capture_output=True)
    (built,) = folder.iterdir()
    return built


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a wheel of this checkout."""
    return build("wheel", tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the programs folder of a new environment that holds the wheel.

    The libraries come from the environment of the tests: a path file adds its packages, and since
    path files in there are not followed, the checkout itself stays out of reach.
    """
    venv = tmp_path_factory.mktemp("installed") / "venv"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(venv)], check=True)
    python = venv / "bin" / "python"
    pip = [sys.executable, "-m", "pip", "--python", str(python), "install", "--quiet"]
    offline = ["--no-deps", "--no-index", "--disable-pip-version-check", str(wheel)]
    subprocess.run([*pip, *offline], check=True, capture_output=True)
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    packages = venv / "lib" / version / "site-packages"
    (packages / "libraries.pth").write_text(f"{sysconfig.get_path('purelib')}\n", "utf-8")
    return venv / "bin"


@pytest.fixture
def elsewhere(tmp_path: Path) -> dict[str, str]:
    """Return an environment whose home is a new folder, so that nothing of the user is touched."""
    kept = {name: os.environ[name] for name in ("LANG", "PATH") if name in os.environ}
    return kept | {"HOME": str(tmp_path), "PYTHONDONTWRITEBYTECODE": "1"}


def data_files(folder: Path) -> set[str]:
    """Return the files of a folder of the checkout, relative to the checkout."""
    return {
        path.relative_to(ROOT).as_posix()
        for path in folder.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }


def test_wheel_holds_the_dashboard(wheel: Path) -> None:
    """The start page, every page and the settings travel inside the package."""
    pages = data_files(ROOT / "pages")
    expected = {"app.py", ".streamlit/config.toml", *pages}
    held = set(zipfile.ZipFile(wheel).namelist())
    assert {f"evalcore/_app/{name}" for name in expected} - held == set()


def test_wheel_holds_every_file_of_the_package(wheel: Path) -> None:
    """Modules, the type marker and the demo workspace are all there, outputs folders included."""
    assert data_files(ROOT / "evalcore") - set(zipfile.ZipFile(wheel).namelist()) == set()


def test_wheel_holds_nothing_else(wheel: Path) -> None:
    """No tests, no tools, no compiled files: the package and its metadata only."""
    names = zipfile.ZipFile(wheel).namelist()
    ours = r"(evalcore|evalcore_workspace-[^/]+\.dist-info)/"
    foreign = [name for name in names if not re.match(ours, name)]
    assert foreign == []
    assert [name for name in names if name.endswith(".pyc")] == []


def test_source_distribution_builds_the_same(tmp_path: Path) -> None:
    """The source distribution holds all that the wheel is made of, and the tests."""
    with tarfile.open(build("sdist", tmp_path)) as archive:
        held = {name.partition("/")[2] for name in archive.getnames()}
    folders = ("evalcore", "pages", "tests")
    expected = set().union(*(data_files(ROOT / folder) for folder in folders))
    assert (expected | {"app.py", ".streamlit/config.toml", "constraints.txt"}) - held == set()


def instructions(name: str) -> list[str]:
    """Return what follows an instruction of the Dockerfile, each time it stands there."""
    text = (ROOT / "Dockerfile").read_text("utf-8").replace("\\\n", "")
    return re.findall(rf"^{name} (.+)$", text, re.MULTILINE)


def test_the_container_is_made_of_what_the_wheel_needs(wheel: Path, tmp_path: Path) -> None:
    """Built from what it copies alone, and from nothing else of a checkout, it is the same."""
    source = tmp_path / "source"
    for line in instructions("COPY"):
        *names, target = line.split()
        for name in (each for each in names if not line.startswith("--from")):
            if (ROOT / name).is_dir():
                shutil.copytree(ROOT / name, source / target)
            else:
                (source / target).mkdir(parents=True, exist_ok=True)
                shutil.copy(ROOT / name, source / target)
    made = build("wheel", tmp_path / "made", source)
    held = [set(zipfile.ZipFile(file).namelist()) for file in (made, wheel)]
    assert held[0] == held[1]


def test_the_container_runs_as_nobody_and_opens_no_port() -> None:
    """Its files belong to root, and what it listens on is the user's choice."""
    assert instructions("USER") == ["10001:10001"]
    assert instructions("ENTRYPOINT") == ['["evalcore"]']
    assert instructions("EXPOSE") == instructions("VOLUME") == instructions("ADD") == []


def test_the_program_has_the_name_that_it_is_started_by(wheel: Path) -> None:
    """`uvx --from . evalcore` and pipx look for it in the distribution."""
    archive = zipfile.ZipFile(wheel)
    (entries,) = [name for name in archive.namelist() if name.endswith("entry_points.txt")]
    assert "evalcore = evalcore.__main__:run" in archive.read(entries).decode().splitlines()
    readme = (ROOT / "README.md").read_text("utf-8")
    assert "uvx --from . evalcore demo" in readme
    assert "pipx install ." in readme


def test_installed_command_answers_from_another_folder(
    installed: Path, elsewhere: dict[str, str], tmp_path: Path
) -> None:
    """`evalcore --help` names its commands wherever it is called."""
    said = subprocess.run(
        [installed / "evalcore", "--help"],
        cwd=tmp_path,
        env=elsewhere,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    for command in ("open", "demo", "check", "tables", "doctor"):
        assert re.search(rf"\b{command}\b", said), f"{command} is missing in: {said}"


def free_port() -> int:
    """Return a port of this machine that nothing listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def printed_address(server: subprocess.Popen[str]) -> str:
    """Return the address that a starting dashboard prints; fail with what it said instead."""
    said: list[str] = []
    stop = threading.Timer(SECONDS_TO_START, server.kill)
    stop.start()
    try:
        assert server.stdout is not None
        for line in server.stdout:
            said.append(line)
            if found := re.search(r"http://127\.0\.0\.1:\d+/\S*token=\S+", line):
                return found[0]
    finally:
        stop.cancel()
    pytest.fail(f"evalcore open printed no address, but: {''.join(said)}")


@pytest.fixture
def address(installed: Path, elsewhere: dict[str, str], tmp_path: Path) -> Iterator[str]:
    """Return the address of a dashboard that the installed command serves from another folder."""
    python = [str(installed / "python"), "-c", "import evalcore.demo as d; print(d.__path__[0])"]
    said = subprocess.run(python, env=elsewhere, capture_output=True, text=True, check=True)
    demo = Path(said.stdout.strip()) / "workspace"
    assert demo.is_dir()
    options = ["--no-browser", "--port", str(free_port())]
    server = subprocess.Popen(
        [installed / "evalcore", "open", demo, *options],
        cwd=tmp_path,
        env=elsewhere,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )
    with server:
        try:
            yield printed_address(server)
        finally:
            os.killpg(server.pid, signal.SIGTERM)
            try:
                server.wait(SECONDS_TO_START)
            except subprocess.TimeoutExpired:
                os.killpg(server.pid, signal.SIGKILL)


def status(address: str, *, token: bool) -> int:
    """Return what the dashboard answers to a plain request, with its token or without."""
    parts = urlsplit(address)
    connection = http.client.HTTPConnection(parts.netloc, timeout=SECONDS_TO_START)
    connection.request("GET", f"{parts.path}?{parts.query}" if token else parts.path)
    try:
        return connection.getresponse().status
    finally:
        connection.close()


def test_installed_dashboard_opens_from_another_folder(address: str) -> None:
    """The printed address lets one in; the same address without its token does not."""
    assert status(address, token=True) in {200, 303}
    assert status(address, token=False) == 403


def test_every_dependency_is_pinned() -> None:
    """Each library that pyproject.toml asks for has one tested version, within its bounds."""
    lines = (ROOT / "constraints.txt").read_text("utf-8").splitlines()
    pins = dict(line.split("==") for line in lines if line and not line.startswith("#"))
    wanted = [*PROJECT["dependencies"], *chain(*PROJECT["optional-dependencies"].values())]
    for requirement in map(Requirement, wanted):
        name = canonicalize_name(requirement.name)
        if name == PROJECT["name"]:
            continue  # an extra that takes in another one
        assert name in pins
        assert requirement.specifier.contains(pins[name]), f"{requirement} excludes {pins[name]}"


def test_constraints_name_no_address() -> None:
    """The pins work with whatever package index a machine is set up for."""
    lines = (ROOT / "constraints.txt").read_text("utf-8").splitlines()
    pins = [line for line in lines if line and not line.startswith("#")]
    assert [line for line in pins if not re.fullmatch(r"[\w.-]+==[\w.]+", line)] == []
