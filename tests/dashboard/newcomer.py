"""A skill that nobody evaluated yet, and a program of the user that executes its cases."""

import sys
from pathlib import Path
from typing import Final

from tests.dashboard.live import write

SUITE: Final = "changelog-helper"
CASES: Final = ("added", "fixed", "removed")
# It copies what the skill says, so that another version of the skill has other outputs.
_PROGRAM: Final = """
import pathlib, sys, time
time.sleep(float(sys.argv[1]))
asked = sys.stdin.read()
skill = next(iter(sorted(pathlib.Path(".").rglob("SKILL.md"))), None)
said = skill.read_text() if skill else ""
pathlib.Path("changes.md").write_text(f"{asked}\\n{said}")
"""


def write_skill(root: Path) -> Path:
    """Write a skill with three cases, whose one criterion a rule cannot decide."""
    skill = root / SUITE
    skill.mkdir(parents=True)
    (skill / "SKILL.md").write_text("---\nname: changelog-helper\n---\nList what changed.\n")
    expectation = {"criterion": "clear", "description": "Reads well", "required": True}
    cases: list[dict[str, object]] = [
        {"id": name, "prompt": f"Describe what was {name}.", "files": []}
        | {"expectations": [expectation]}
        for name in CASES
    ]
    write(skill / "evals/evals.json", {"version": "1.0", "skill": str(skill), "cases": cases})
    return skill


def write_executor(config: Path, seconds: float) -> None:
    """Configure the program as the user's own executor, which takes so long for each case."""
    config.mkdir(parents=True, exist_ok=True)
    program = config / "program.py"
    program.write_text(_PROGRAM)
    command = f'["{sys.executable}", "{program}", "{seconds}"]'
    (config / "executors.toml").write_text(f'[mine]\ncommand = {command}\nskills = "skills"\n')
