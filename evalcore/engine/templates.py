"""Ready commands for the agent programs that people have, and those of the user's configuration.

The ready ones are written from the public documentation of each program.
"""

import shutil
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import msgspec

from evalcore.demo import is_demo
from evalcore.demo.agent import COMMAND
from evalcore.engine.plan import Executor, Reading, Template
from evalcore.errors import CannotRun
from evalcore.folders import config_dir

STORED: Final = "stored"
MODEL: Final = "openai"
DEMO: Final = "demo"
CONFIG: Final = "executors.toml"

READY: Final = {
    DEMO: Template(command=COMMAND, about="A small program for the suites of the demo"),
    "claude": Template(
        # Edits of files in its folder are accepted; whatever else would be asked is refused.
        # Its events are kept as the steps of the run; with -p it prints them only when verbose.
        command=("claude", "-p", "--output-format", "stream-json", "--verbose",
                 "--permission-mode", "acceptEdits"),
        about="Claude Code",
        skills=".claude/skills",
        env=("ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL", "CLAUDE_CONFIG_DIR"),
        reading=Reading(
            form="jsonl",
            reply="result",
            when="type=result",
            model="message.model",
            # What was cached is not in `input_tokens`, unlike that of the others.
            tokens=("usage.input_tokens", "usage.cache_creation_input_tokens",
                    "usage.cache_read_input_tokens", "usage.output_tokens"),
            cost="total_cost_usd",
            failed="is_error",
        ),
        tried=False,
    ),
    "codex": Template(
        # Writes in its folder and in those for temporary files, without network; `-`: from stdin.
        command=("codex", "exec", "--json", "--skip-git-repo-check", "--sandbox",
                 "workspace-write", "-"),
        about="Codex",
        skills=".agents/skills",
        env=("OPENAI_API_KEY", "CODEX_API_KEY", "CODEX_HOME"),
        reading=Reading(
            form="jsonl",
            reply="item.text",
            when="item.type=agent_message",  # a summary of what it thought has a text too
            tokens=("usage.input_tokens", "usage.output_tokens"),
            failed="error",
        ),
        tried=False,
    ),
    "gemini": Template(
        # It reads a skill only once a person agrees; nothing else is allowed but edits of files.
        # Folders that are not trusted are the user's to trust: GEMINI_CLI_TRUST_WORKSPACE.
        command=("gemini", "--output-format", "json", "--approval-mode", "auto_edit",
                 "--allowed-tools", "activate_skill"),
        about="Gemini CLI",
        skills=".gemini/skills",
        env=("GEMINI_API_KEY", "GOOGLE_API_KEY", "GEMINI_CLI_TRUST_WORKSPACE"),
        reading=Reading(
            form="json",
            reply="response",
            tokens=("stats.models.*.tokens.total",),
            failed="error",
        ),
        tried=False,
    ),
    "opencode": Template(
        # What its configuration would ask is refused; by default that is leaving its folder.
        command=("opencode", "run", "--format", "json"),
        about="OpenCode",
        skills=".opencode/skills",
        env=("OPENCODE_CONFIG", "OPENCODE_PERMISSION"),
        reading=Reading(
            form="jsonl",
            reply="part.text",
            when="type=text",
            tokens=("part.tokens.input", "part.tokens.output", "part.tokens.reasoning",
                    "part.tokens.cache.read", "part.tokens.cache.write"),
            cost="part.cost",
            failed="error",
            each_line=True,
        ),
        tried=False,
    ),
}  # fmt: skip


def config_path() -> Path:
    """Return the file of the user's own executors; `EVALCORE_CONFIG_DIR` wins."""
    return config_dir() / CONFIG


def executors() -> dict[str, Executor]:
    """Return the executors that can be chosen by name: the user's own, then the ready ones.

    Raises:
        CannotRun: the user's configuration cannot be read.
    """
    found = {STORED: Executor(STORED, "stored")}
    for name, template in _own().items():
        found[name] = Executor(name, "command", template, "yours")
    found.setdefault(MODEL, Executor(MODEL, "model"))
    for name, template in READY.items():
        found.setdefault(name, Executor(name, "command", template))
    return found


def why_missing(executor: Executor) -> str:
    """Return that the program of an executor is not installed; empty where nothing is missing.

    What a workspace names runs in the sandbox, and is looked for there.
    """
    template = executor.template
    if template is None or executor.origin == "workspace" or shutil.which(template.command[0]):
        return ""
    return f"{template.command[0]} is not installed, or not on the PATH."


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
