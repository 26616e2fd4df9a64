"""Nothing that lies in a workspace is imported, whatever is started in it."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple
from urllib.parse import parse_qs, urlsplit

import pytest
import typer
from typer.core import TyperGroup

import evalcore.cli.main  # noqa: F401 - registers the commands
from evalcore.cli.app import app
from evalcore.demo import copy_demo
from evalcore.engine.process import work
from evalcore.starting import start_python
from tests.blind.packet_files import data_of, saved, verdict
from tests.cli.command import ROOT, environment
from tests.dashboard.live import PAGES, Served
from tests.engine.clusters import Cluster
from tests.engine.comparing_model import KEY, both, comparing, kind_of, outputs, workspace
from tests.engine.conftest import Made, made, own_folders, planned  # noqa: F401 - fixtures
from tests.judging.copies import DEMO
from tests.planted import Planted, loaded_by_python
from tests.reliability.client import Session

Command = tuple[str, ...]

EACH = """
import json, sys
from evalcore.__main__ import run

codes = []
for arguments in json.loads(sys.argv[1]):
    sys.argv = ["evalcore", *arguments]
    try:
        run()
    except SystemExit as end:
        codes.append(end.code)
    else:
        codes.append(0)
print("\\n" + json.dumps(codes))
"""
"""The program `evalcore`, as pip writes it, for several commands one after the other."""

NOTES, INVOICES, WRITER = (
    ("--suite", name) for name in ("release-notes", "invoice-extractor", "writer")
)
SIDES = ("iteration-2@with_skill", "iteration-3@with_skill")

READING: tuple[Command, ...] = (
    ("check", "."),
    ("tables", ".", "--out", "tables"),
    ("steps", ".", "--run", "commit-helper::2@iteration-1/with_skill#1"),
    ("compare", ".", *NOTES, "v2", "v3", "--how", "--judge-error"),
    ("trends", ".", *NOTES, "--out", "chart.svg"),
    ("report", ".", *NOTES, "--out", "report.html"),
    ("rubric", ".", *INVOICES),
    ("trust", ".", "--suite", "sql-helper"),
    ("doctor", "."),
    ("executors",),
    ("models",),
    ("runs", "."),
    ("allow", "."),
    ("messages", "."),
    ("views", "."),
    ("bundle", ".", *NOTES, "--out", "notes.evc.zip"),
    ("rows", "table.csv"),
    ("mcp", "."),
)
WRITING: tuple[Command, ...] = (
    ("aggregate", "."),
    ("feedback", ".", "--write"),
    ("export", ".", *NOTES, "--to", "rows", "--out", "exported"),
    ("init", "new"),
    ("snapshot", ".", *WRITER, "--force"),
    ("benchmark", "create", ".", "B", "--dimension", "quality", *NOTES),
    ("benchmark", "run", ".", "B", "--version", "v3", *NOTES),
    ("benchmark", "list", ".", *NOTES),
    ("benchmark", "show", ".", "B", *NOTES),
    ("benchmark", "compare", ".", "B", "v2", "v3", "--take", *NOTES),
    ("benchmark", "follow-up", ".", "bench-2026-03-09", "--suite", "support-agent"),
    ("benchmark", "retire", ".", "B", *NOTES),
    ("approval", "approve", ".", "v3", "--over", "v2", "--benchmark", "B", *NOTES),
    ("approval", "waive", ".", "v3", "--over", "v2", "--owner", "Bo", "--reason", "x", "--until",
     "2099-01-01", *NOTES),
    ("approval", "withdraw", ".", "v3", "--reason", "y", *NOTES),
    ("approval", "list", ".", *NOTES),
    ("blind", "create", ".", *SIDES, *INVOICES),
    ("blind", "status", ".", *INVOICES),
    ("blind", "export", ".", "--out", "packet.html", *INVOICES),
)  # fmt: skip
RUNNING: tuple[Command, ...] = (
    ("run", ".", *NOTES, "--executor", "stored", "--again", "--cases", "breaking-change"),
    ("judge", ".", *WRITER, "--version", "v1", "--retries", "0"),
    ("improve", ".", *WRITER, "--compare-only", "--version", "v1", "--against", "v0"),
    ("failures", ".", *NOTES, "--analyze", "--all-open", "--max-calls", "1", "--retries", "0"),
)
ENDING: tuple[Command, ...] = (
    ("blind", "import", ".", "VERDICTS"),
    ("blind", "close", ".", *INVOICES),
    ("blind", "rank", ".", *INVOICES),
)
REFUSED: tuple[Command, ...] = (("blind", "reveal", ".", "--judge", "Ana", *INVOICES),)
"""Nobody judged as Ana: it is looked up, and the answer is 2."""
SERVING: tuple[Command, ...] = (("open", ".", "--no-browser"), ("demo", "--no-browser"))


class Ground(NamedTuple):
    """A workspace with modules in it, and the environment of who works there."""

    planted: Planted
    environment: dict[str, str]
    folder: Path

    @property
    def root(self) -> Path:
        """The workspace, in which everything is started."""
        return self.planted.root

    def do(self, *commands: Command) -> list[int]:
        """Run commands in the workspace, and return their exit codes."""
        done = subprocess.run(
            [sys.executable, str(self.folder / "bin/evalcore"), json.dumps(commands)],
            cwd=self.root,
            env=self.environment,
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        codes: list[int] = json.loads(done.stdout.splitlines()[-1])
        assert len(codes) == len(commands)
        return codes


@pytest.fixture(scope="module")
def ground(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Ground]:
    """Return the demo and a suite that can be improved, with a model that answers."""
    folder = tmp_path_factory.mktemp("planted")
    given = {f"EVALCORE_{kind.upper()}_DIR": str(folder / kind) for kind in KINDS}
    root = folder / "workspace"
    with ExitStack() as stack:
        patch = stack.enter_context(pytest.MonkeyPatch.context())
        patch.setenv("EVALCORE_DEMO_DIR", str(root))
        copy_demo()
        workspace(root)
        outputs(root, both())
        (root / "new").mkdir()
        (root / "new/SKILL.md").write_text("---\nname: new\ndescription: d\n---\nWrite.\n")
        (root / "table.csv").write_text("id,correct\n1,yes\n")
        (folder / "bin").mkdir()
        (folder / "bin/evalcore").write_text(EACH)
        (folder / "config").mkdir()
        fake = stack.enter_context(comparing(folder / "config/models.toml"))
        well = fake.reply
        fake.reply = lambda body: well(body) if kind_of(body) != "something else" else "No."
        yield Ground(
            Planted(root, folder / "run"),
            environment(folder, JUDGE_KEY=KEY, **given),
            folder,
        )


KINDS = ("state", "cache", "config", "demo")


def commands(of: object, path: Command = ()) -> Iterator[Command]:
    """Yield each command as it is typed."""
    if isinstance(of, TyperGroup):
        for name, each in of.commands.items():
            yield from commands(each, (*path, name))
    else:
        yield path


def test_every_command_is_started_here() -> None:
    """A new one is added to the lists above."""
    groups = (READING, WRITING, RUNNING, ENDING, REFUSED, SERVING)
    every = set(commands(typer.main.get_command(app)))
    lists = [line for group in groups for line in group]
    assert {max(n for n in (line[:2], line[:1]) if n in every) for line in lists} == every


def test_one_function_starts_python() -> None:
    """Another program is started by the sandbox alone, which finds it by an absolute path."""
    starts = re.compile(
        r"Popen\(|sys\.executable, |subprocess\.(?:run|call|check)|os\.(?:exec|spawn)"
    )
    found = {
        path.relative_to(ROOT).as_posix()
        for folder in ("evalcore", "pages")
        for path in (ROOT / folder).rglob("*.py")
        if starts.search(path.read_text())
    }
    own = {"evalcore/starting.py", "evalcore/sandbox/child.py", "evalcore/demo/agent/__init__.py"}
    assert found == own


def test_no_command_imports_what_lies_in_the_workspace(ground: Ground) -> None:
    """Nor does a process that one starts: a run, the look at other evalcores."""
    codes = dict(zip((*READING, *WRITING), ground.do(*READING, *WRITING), strict=True))
    assert ground.planted.run() == set()
    assert {line for line, code in codes.items() if code not in (0, 1)} == set()
    assert ground.do(*RUNNING) == [0, 0, 0, 1]
    assert ground.planted.run() == set()
    data = data_of((ground.root / "packet.html").read_bytes())
    file = saved(ground.folder, data, *(verdict(data, n) for n in range(len(data["tasks"]))))
    lines = [tuple(str(file) if word == "VERDICTS" else word for word in line) for line in ENDING]
    assert ground.do(*REFUSED, *lines) == [2, 0, 0, 0]
    assert ground.planted.run() == set()


@pytest.mark.parametrize("line", SERVING, ids=[line[0] for line in SERVING])
def test_no_page_imports_what_lies_in_the_workspace(ground: Ground, line: Command) -> None:
    """The dashboard is started in the workspace, and each page is opened."""
    with subprocess.Popen(
        [sys.executable, str(ground.folder / "bin/evalcore"), json.dumps([line])],
        cwd=ground.root,
        env=ground.environment,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            assert process.stdout is not None
            link = next(word for word in process.stdout if "?w=" in word).strip()
            asked, port = parse_qs(urlsplit(link).query), urlsplit(link).port
            served = Served(port or 0, asked["w"][0], asked["token"][0])
            served.let_in()
            for page in PAGES:
                with Session(served, page, suite="release-notes") as window:
                    window.open()
        finally:
            process.terminate()
    assert ground.planted.run() == set()


OPEN = """
import sys

STARTS = ("subprocess.Popen", "os.fork", "os.exec", "os.posix_spawn", "os.system", "socket.")

def hook(event, arguments):
    if event.startswith(STARTS):
        print(event)

import evalcore
import pandas
sys.addaudithook(hook)
{act}
"""


@pytest.mark.parametrize(
    ("act", "events"),
    [
        ("evalcore.open_workspace(sys.argv[1]).tables.runs", []),
        ("import os; os.waitpid(os.posix_spawn('/bin/true', ['true'], {}), 0)", ["os.posix_spawn"]),
    ],
)
def test_opening_starts_no_process_and_opens_no_socket(
    tmp_path: Path, act: str, events: list[str]
) -> None:
    """Whatever lies there is read by this process alone; the second row is the control."""
    done = subprocess.run(
        [sys.executable, "-P", "-c", OPEN.format(act=act), str(DEMO)],
        env=environment(tmp_path), capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert done.stdout.split() == events


@pytest.mark.usefixtures("own_folders")
def test_no_worker_imports_what_lies_in_the_workspace(
    tmp_path: Path,
    made: Made,  # noqa: F811 - the fixture
) -> None:
    """Scheduler and workers are started in it, as the documentation says."""
    folder = planned(made("write=a.txt", "write=b.txt"))
    planted = Planted(Path(folder.plan.workspace), tmp_path / "run")
    with Cluster(tmp_path / "dask", cwd=planted.root).add(1) as cluster:
        assert work(folder.id, cluster=cluster.address) == "finished"
    assert [one.status for one in folder.progress().runs] == ["completed"] * 2
    assert planted.run() == set()


@pytest.mark.parametrize(
    ("arguments", "runs"),
    [
        (["-m", "evalcore.engine", "none"], True),
        (["-c", "import secrets"], True),
        (["-P", "-m", "evalcore.engine", "none"], False),
    ],
)
def test_a_start_without_care_runs_what_lies_there(
    tmp_path: Path, arguments: list[str], runs: bool
) -> None:
    """Else the tests above would prove nothing."""
    planted = Planted(tmp_path / "workspace", tmp_path / "run", loaded_by_python(tmp_path / "m"))
    subprocess.run(
        [sys.executable, *arguments],
        cwd=planted.root,
        env=environment(tmp_path),
        stderr=subprocess.DEVNULL,
        check=False,
    )
    assert bool(planted.run()) == runs


@pytest.mark.parametrize("more", ["", ".:lib", f"{ROOT}:"])
def test_relative_entries_lead_nowhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, more: str
) -> None:
    """They name the workspace, or a folder in it: for modules, and for programs."""
    planted = Planted(tmp_path / "workspace", tmp_path / "run")
    Planted(planted.root / "lib", tmp_path / "run")
    monkeypatch.chdir(planted.root)
    monkeypatch.setenv("PYTHONPATH", more)
    monkeypatch.setenv("EVALCORE_STATE_DIR", "kept")
    code = "import os, secrets; print(os.environ['EVALCORE_STATE_DIR'])"
    with start_python(["-c", code], cwd="/", stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.read().decode().strip() == str(planted.root / "kept")
    assert planted.run() == set()


def test_python_m_leaves_the_current_folder_first(tmp_path: Path) -> None:
    """Python has imported some modules by then; all others are its own, and programs too."""
    without = loaded_by_python(tmp_path / "m") | {"evalcore"}
    planted = Planted(tmp_path / "workspace", tmp_path / "run", without)
    given = environment(tmp_path, PATH=f".:{os.environ['PATH']}:", PYTHONPATH=f"{ROOT}:lib")
    Planted(planted.root / "lib", tmp_path / "run", without)
    for arguments in (["check", "."], ["doctor"]):
        done = subprocess.run(
            [sys.executable, "-m", "evalcore", *arguments],
            cwd=planted.root,
            env=given,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
    assert planted.run() == set()


def test_a_program_is_not_found_in_the_current_folder(tmp_path: Path) -> None:
    """A browser is looked for by its name alone."""
    tool = tmp_path / "tool"
    tool.write_text("#!/bin/sh\n")
    tool.chmod(0o755)
    code = (
        "import shutil; from evalcore.starting import leave_current_folder\n"
        "before = shutil.which('tool'); leave_current_folder(); print(before, shutil.which('tool'))"
    )
    for path in (".", f"{os.environ['PATH']}:", ""):
        done = subprocess.run(
            [sys.executable, "-P", "-c", code],
            cwd=tmp_path,
            env=environment(tmp_path, PATH=path),
            capture_output=True,
            text=True,
            check=True,
        )
        assert done.stdout.split()[-1] == "None"
