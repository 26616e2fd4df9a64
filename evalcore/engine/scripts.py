"""The scripts that a workspace names: run only if the user allowed them, and only sandboxed."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

from evalcore.checks.outcome import Outcome, decided, not_run
from evalcore.engine.kept import FILES, Kept
from evalcore.engine.store import RunFolder
from evalcore.errors import CannotAllow
from evalcore.families.running import Case
from evalcore.sandbox.bubblewrap import Limits, run_script
from evalcore.sandbox.child import Ended, run
from evalcore.sandbox.environment import clean_environment
from evalcore.sandbox.scripts import laid_out, referenced
from evalcore.sandbox.trust import Command, is_allowed

SCRIPT: Final = "custom_script"
SCRIPT_SECONDS: Final = 60.0
_NOT_ALLOWED: Final = "The script is not allowed. `evalcore allow` shows it and what it would run."
_SAID: Final = 300


def script_runner(folder: RunFolder, case: Case, done: Kept) -> Callable[[str], Outcome]:
    """Return a function that decides a `custom_script` by its exit code, on what a run produced."""
    plan = folder.plan

    def run_one(text: str) -> Outcome:
        try:
            command = command_of(plan.workspace, plan.skill_path, case, text)
        except CannotAllow as error:
            return not_run(str(error))
        if not is_allowed(command):
            return not_run(_NOT_ALLOWED)
        produced = done.folder / FILES
        produced.mkdir(exist_ok=True)
        base = _base(plan.workspace, plan.skill_path, case)
        with laid_out(command.files, base) as skill:
            if plan.unsafe_no_sandbox:
                return _outcome(_unsafe(command.text, produced, skill))
            ended = run_script(
                command.text.encode(),
                files=produced,
                script_files=skill,
                limits=Limits(seconds=SCRIPT_SECONDS),
                stopped=lambda: folder.asked_to_stop() == "now",
            )
        return _outcome(ended)

    return run_one


def scripts_of(case: Case) -> Iterator[str]:
    """Yield the texts of the scripts that a case names."""
    for each in case.criteria:
        given = each.definition if isinstance(each.definition, dict) else {}
        if given.get("type") == SCRIPT and isinstance(given.get("script"), str):
            yield given["script"]


def command_of(workspace: str | Path, skill: str | None, case: Case, text: str) -> Command:
    """Return a script with the document that names it and the files that it names."""
    base = _base(workspace, skill, case)
    return Command(Path(workspace) / (case.source or ""), text, referenced(text, base))


def _base(workspace: str | Path, skill: str | None, case: Case) -> Path:
    """Return the folder that a script's files are looked for in: the skill, else the document's."""
    home = os.path.dirname(case.source or "") if skill is None else skill  # noqa: PTH120 - text
    return Path(workspace) / home


def _unsafe(text: str, produced: Path, skill: Path) -> Ended:
    """Run a script as the user, as they typed that they want it."""
    environment = {**clean_environment(), "SKILL": str(skill)}
    return run(["bash", "-c", text], cwd=produced, env=environment, seconds=SCRIPT_SECONDS)


def _outcome(ended: Ended) -> Outcome:
    if ended.how == "not_started":
        return not_run(ended.why)
    said = (ended.stdout + ended.stderr).decode("utf-8", "replace").strip()
    last = f" It said: {said[-_SAID:]}" if said else ""
    if ended.how == "exited" and ended.code == 0:
        return decided(True, f"Exit code 0.{last}")
    return decided(False, f"{ended.why}{last}")
