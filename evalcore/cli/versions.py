"""`evalcore init` and `evalcore snapshot`: versions of a skill."""

import sys
from pathlib import Path

from evalcore.cli.hiding import hidden_here
from evalcore.cli.json_text import json_text
from evalcore.cli.screen import progress
from evalcore.cli.terminal import harmless
from evalcore.problems import pointer
from evalcore.versions import initialise, take_snapshot


def init(skill: Path, workspace: Path | None, *, as_json: bool) -> int:
    """Write what is missing and print what was written, and what was there."""
    with progress("Copying"):
        begun = initialise(skill, workspace)
    if as_json:
        written = (begun.definitions_written, begun.workspace_written)
        places = zip((begun.definitions, begun.workspace), written, strict=True)
        definitions, home = ({"path": str(path), "written": new} for path, new in places)
        document = {
            "skill": str(begun.skill),
            "definitions": definitions,
            "workspace": home,
            "versions": begun.versions,
            "git_hash": begun.git_hash,
            "messages": begun.messages,
        }
        sys.stdout.write(json_text(document))
        return 0
    lines = [
        f"{begun.definitions}: {_state(new=begun.definitions_written)}",
        f"{begun.workspace}: {_state(new=begun.workspace_written)}",
        *begun.messages,
    ]
    if begun.definitions_written:
        lines.append("Next: replace the example with your own cases.")
    _say(lines)
    return 0


def snapshot(
    workspace: Path,
    description: str,
    skill: Path | None,
    suite: str | None,
    *,
    force: bool,
    as_json: bool,
) -> int:
    """Take a snapshot and print what was written."""
    with progress("Copying"):
        taken = take_snapshot(
            workspace, suite=suite, skill=skill, description=description, force=force
        )
    hidden = bool(hidden_here(workspace))
    changes = () if hidden else taken.changes  # averages of all runs, among them
    if as_json:
        document = {
            "skill": str(taken.skill),
            "workspace": str(taken.workspace),
            "version": taken.version,
            "written": taken.written,
            "git_hash": taken.git_hash,
            "files": taken.files,
            "changes": [
                {"pointer": pointer(*each.path), "before": each.before, "after": each.after}
                for each in changes
            ],
            "messages": taken.messages,
        }
        sys.stdout.write(json_text(document))
        return 0
    lines = list(taken.messages)
    if taken.written:
        files = f"{taken.files:,} file{'s' * (taken.files != 1)}"
        lines.insert(0, f"{taken.workspace}: {taken.version} written, {files} of {taken.skill}.")
        lines += [
            f"{each.dotted_path}: {'nothing' if each.before is None else each.before} "
            f"→ {each.after}"
            for each in changes
            if each.path[-1] == "average_score"
        ]
    _say(lines)
    return 0


def _state(*, new: bool) -> str:
    return "written, new" if new else "already there"


def _say(lines: list[str]) -> None:
    sys.stdout.write("".join(f"{harmless(line)}\n" for line in lines))
