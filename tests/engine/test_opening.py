"""Reading a hostile folder starts no process and opens no connection: seen from outside."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.command import environment

TRACED = "execve,execveat,connect,socket"
OPENING = """
import sys
from evalcore.lint import check
from evalcore.workspace.opened import open_workspace
found = open_workspace(sys.argv[1])
check(found)
print(len(found.tables.cases))
"""
READS = {
    "check": ("check", "."),
    "tables": ("tables", ".", "--out", "../out", "--format", "csv"),
    "compare": ("compare", "../plain"),
    "rubric": ("rubric", "."),
    "failures": ("failures", "."),
    "runs": ("runs", "."),
    "dry run": ("run", ".", "--executor", "theirs", "--dry-run"),
    "scripts": ("allow", "."),
    "executors": ("executors",),
}
SAID = {
    "check": "iteration-1",
    "tables": "22 tables",
    "compare": "iteration-2",
    "runs": "No run was started here",
    "dry run": "6 test runs of 2 cases",
    "scripts": "not allowed",
    "executors": "stored",
}


@pytest.fixture(scope="module")
def strace() -> str:
    """Return strace where it can trace; the test is skipped elsewhere."""
    found = shutil.which("strace")
    if found is None:
        pytest.skip("strace is not installed")
    tried = subprocess.run([found, "-f", "true"], capture_output=True, check=False)
    if tried.returncode:
        pytest.skip(f"strace may not trace here: {tried.stderr.decode().strip()}")
    return found


@pytest.fixture
def hostile(tmp_path: Path) -> Path:
    """Make a folder in which everything that could be run or fetched would leave a trace."""
    root = tmp_path / "folder"
    skill, pwn = root / "$(touch PWN)", tmp_path / "PWN"
    skill.mkdir(parents=True)
    (skill / "SKILL.md").write_text("---\nname: `touch PWN`\ndescription: Use when\n---\nWrite.\n")
    check = {"id": "s1", "type": "custom_script", "script": f"touch {pwn}", "critical": True}
    evals = [
        {
            "id": number,
            "prompt": f"$(touch {pwn})",
            "expectations": ["Undecided."],
            "structural_expectations": [{**check, "description": f"; touch {pwn}"}],
        }
        for number in (1, 2)
    ]
    config = {"judge_model": "http://127.0.0.1:9/$(touch PWN)", "structural_gate": True}
    document = {"skill_name": "x", "eval_config": config, "evals": evals}
    (skill / "evals").mkdir()
    (skill / "evals/evals.json").write_text(json.dumps(document))
    template = {"command": ["touch", str(pwn)], "env": ["HOME"]}
    (skill / "evals/executors.json").write_text(json.dumps({"theirs": template}))
    for number in (1, 2):
        run = root / f"$(touch PWN)-workspace/iteration-{number}/eval-1/with_skill/run-1"
        (run / "outputs").mkdir(parents=True)
        (run / "outputs/`touch PWN`;$(touch PWN).md").write_text("![x](http://192.0.2.1/x.png)")
        grade = {"text": "Undecided.", "passed": True, "evidence": "<img src=http://192.0.2.1/>"}
        (run / "grading.json").write_text(json.dumps({"expectations": [grade]}))
        found = {"id": "s1", "text": "", "type": "custom_script", "passed": True, "evidence": ""}
        structural = {"expectations": [found], "gate_passed": True}
        (run / "structural.json").write_text(json.dumps(structural))
    (root / "bash").write_text(f"#!/bin/sh\ntouch {pwn}\n")
    (root / "bash").chmod(0o755)
    (root / "sitecustomize.py").write_text(f"open({str(pwn)!r}, 'w')\n")
    (root / "link").symlink_to("/etc")
    (root / "pipe.json").symlink_to("/dev/tcp/192.0.2.1/80")
    _plain(root, root.parent / "plain")
    os.mkfifo(root / "fifo.json")
    return root


def _plain(root: Path, plain: Path) -> None:
    """Copy a folder without its structural checks, so that its versions can be compared."""
    shutil.copytree(root, plain, symlinks=True, ignore=shutil.ignore_patterns("structural.json"))
    (document,) = plain.glob("*/evals/evals.json")
    value = json.loads(document.read_text())
    del value["eval_config"]
    for each in value["evals"]:
        del each["structural_expectations"]
    document.write_text(json.dumps(value))


def _traced(strace: str, root: Path, *command: str) -> tuple[list[str], list[str], str]:
    """Run a command in a folder; return the programs it started and what it connected to."""
    log = root.parent / "trace"
    done = subprocess.run(
        [strace, "-f", "-qq", "-o", str(log), "-e", f"trace={TRACED}", *command],
        cwd=root,
        env=environment(root.parent / "home", PYTHONSAFEPATH="1"),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert "Traceback" not in done.stderr, done.stderr
    text = log.read_text("utf-8", "replace")
    programs = re.findall(r'execve(?:at)?\((?:AT_FDCWD, )?"([^"]*)".*= 0$', text, re.MULTILINE)
    far = re.findall(r"(?:connect|socket)\(.*AF_(?!UNIX|NETLINK)\w+.*", text)
    return programs, far, done.stdout + done.stderr


@pytest.mark.parametrize("name", READS)
def test_a_command_that_reads_starts_nothing(strace: str, hostile: Path, name: str) -> None:
    """The interpreter itself is the only program, and nothing is connected to."""
    command = (sys.executable, "-m", "evalcore", *READS[name])
    programs, far, said = _traced(strace, hostile, *command)
    assert (set(programs), far) == ({sys.executable}, [])
    assert SAID.get(name, "") in said
    assert not list(hostile.parent.rglob("PWN"))


def test_opening_starts_nothing(strace: str, hostile: Path) -> None:
    """Nor does reading and checking it by the functions that the pages use."""
    programs, far, said = _traced(strace, hostile, sys.executable, "-c", OPENING, str(hostile))
    assert (set(programs), far) == ({sys.executable}, [])
    assert int(said) == 2
    assert not list(hostile.parent.rglob("PWN"))


def test_the_trace_shows_a_program_and_a_connection(strace: str, hostile: Path) -> None:
    """The control: what one of them would do is found out."""
    code = (
        "import socket, subprocess; subprocess.run(['touch', 'PWN']); s = socket.socket();"
        "s.connect_ex(('127.0.0.1', 9))"
    )
    programs, far, _ = _traced(strace, hostile, sys.executable, "-c", code)
    assert len(programs) == 2
    assert len(far) >= 2
    assert (hostile / "PWN").exists()
