"""Ready commands for the agent programs that people have, and those of the user's configuration.

The ready ones are written from the public documentation of each program.
"""

import os
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import msgspec
import platformdirs

from evalcore.demo import is_demo
from evalcore.demo.agent import COMMAND
from evalcore.engine.plan import Executor, Reading, Template
from evalcore.errors import CannotRun

STORED: Final = "stored"
DEMO: Final = "demo"
CONFIG: Final = "executors.toml"

READY: Final = {
    DEMO: Template(command=COMMAND, about="A small program for the suites of the demo"),
    "claude": Template(
        command=("claude", "-p", "--output-format", "json", "--permission-mode", "acceptEdits"),
        about="Claude Code",
        skills=".claude/skills",
        env=("ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL", "CLAUDE_CONFIG_DIR"),
        reading=Reading(
            form="json",
            reply="result",
            tokens=("usage.input_tokens", "usage.output_tokens"),
            cost="total_cost_usd",
            failed="is_error",
        ),
        tried=False,
    ),
    "codex": Template(
        command=("codex", "exec", "--json", "--skip-git-repo-check", "--sandbox",
                 "workspace-write", "-"),
        about="Codex",
        skills=".agents/skills",
        env=("OPENAI_API_KEY", "CODEX_API_KEY", "CODEX_HOME"),
        reading=Reading(
            form="jsonl",
            reply="item.text",
            tokens=("usage.input_tokens", "usage.output_tokens"),
        ),
        tried=False,
    ),
    "gemini": Template(
        command=("gemini", "--prompt", "{prompt}", "--output-format", "json",
                 "--approval-mode", "auto_edit"),
        about="Gemini CLI",
        skills=".gemini/skills",
        env=("GEMINI_API_KEY", "GOOGLE_API_KEY"),
        reading=Reading(form="json", reply="response"),
        tried=False,
    ),
    "opencode": Template(
        command=("opencode", "run", "{prompt}"),
        about="OpenCode",
        skills=".opencode/skills",
        env=("OPENCODE_CONFIG",),
        tried=False,
    ),
}  # fmt: skip


def config_path() -> Path:
    """Return the file of the user's own executors; `EVALCORE_CONFIG_DIR` wins."""
    chosen = os.environ.get("EVALCORE_CONFIG_DIR")
    return (Path(chosen) if chosen else platformdirs.user_config_path("evalcore")) / CONFIG


def executors() -> dict[str, Executor]:
    """Return the executors that can be chosen by name: the user's own, then the ready ones.

    Raises:
        CannotRun: the user's configuration cannot be read.
    """
    found = {STORED: Executor(STORED, "stored")}
    for name, template in _own().items():
        found[name] = Executor(name, "command", template, "yours")
    for name, template in READY.items():
        found.setdefault(name, Executor(name, "command", template))
    return found


def usual_executor(known: Mapping[str, Executor], root: Path) -> str:
    """Return the executor that is meant where nobody chooses: the user's own, if there is one.

    The demo has a program of its own; anywhere else stored outputs are graded.
    """
    own = next((name for name, each in known.items() if each.origin == "yours"), None)
    return own or (DEMO if is_demo(root) else STORED)


def _own() -> dict[str, Template]:
    path = config_path()
    try:
        value = tomllib.loads(path.read_text("utf-8"))
        return msgspec.convert(value, dict[str, Template])
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as error:  # TOML, UTF-8 and types are all ValueErrors
        raise CannotRun(f"{path} cannot be read: {error}. Correct it, then try again.") from error
