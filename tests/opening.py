"""A folder that would like to be run, and what processes do when they read it."""

import json
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

TRACED = "execve,execveat,connect,socket"
# All other calls go on at full speed.
OPTIONS = ("-f", "--seccomp-bpf", "-qq", "-e", f"trace={TRACED}")


def tracer() -> str:
    """Return strace where it can trace; the test is skipped elsewhere."""
    found = shutil.which("strace")
    if found is None:
        pytest.skip("strace is not installed")
    tried = subprocess.run([found, *OPTIONS, "true"], capture_output=True, check=False)
    if tried.returncode:
        pytest.skip(f"strace may not trace here: {tried.stderr.decode().strip()}")
    return found


def write_hostile(root: Path) -> Path:
    """Make a folder in which everything that could be run or fetched would leave a trace.

    `plain` beside it is a copy whose versions can be compared.
    """
    skill, pwn = root / "$(touch PWN)", root.parent / "PWN"
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


def programs_and_connections(log: Path) -> tuple[list[str], list[str]]:
    """Return the programs that were started, and the sockets that lead out of this machine."""
    text = log.read_text("utf-8", "replace")
    programs = re.findall(r'execve(?:at)?\((?:AT_FDCWD, )?"([^"]*)".*= 0$', text, re.MULTILINE)
    return programs, re.findall(r"(?:connect|socket)\(.*AF_(?!UNIX|NETLINK)\w+.*", text)
