"""`evalcore init` and `evalcore snapshot`: versions of a skill."""

import shlex
from pathlib import Path

from evalcore.cli.answering import Answer, fields
from evalcore.cli.opening import hidden_here
from evalcore.cli.screen import progress
from evalcore.problems import pointer
from evalcore.versions import initialise, take_snapshot


def init(skill: Path, workspace: Path | None) -> Answer:
    """Write what is missing; say what was written, and what was there."""
    with progress("Copying"):
        begun = initialise(skill, workspace)
    state = {True: "written, new", False: "already there"}
    document = {
        "skill": begun.skill,
        "definitions": {"path": begun.definitions, "written": begun.definitions_written},
        "workspace": {"path": begun.workspace, "written": begun.workspace_written},
        **fields(begun, "versions", "git_hash", "messages"),
    }
    lines = [
        f"{begun.definitions}: {state[begun.definitions_written]}",
        f"{begun.workspace}: {state[begun.workspace_written]}",
        *begun.messages,
    ]
    beside = begun.workspace.parent == begun.skill.parent
    place = shlex.quote(str(begun.skill.parent if beside else begun.workspace))
    if begun.definitions_written:
        lines.append(f"Next: replace the example in {begun.definitions} with your own cases.")
    lines.append(f"Open it, and run the cases from there: evalcore open {place}")
    return Answer(lambda: document, lines)


def snapshot(
    workspace: Path, description: str, skill: Path | None, suite: str | None, *, force: bool
) -> Answer:
    """Take a snapshot and say what was written."""
    with progress("Copying"):
        taken = take_snapshot(
            workspace, suite=suite, skill=skill, description=description, force=force
        )
    hidden = bool(hidden_here(workspace))
    changes = () if hidden else taken.changes  # averages of all runs, among them
    document = {
        **fields(taken, "skill", "workspace", "version", "written", "git_hash", "files"),
        "changes": [
            {"pointer": pointer(*each.path), **fields(each, "before", "after")} for each in changes
        ],
        "messages": taken.messages,
    }
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
    return Answer(lambda: document, lines)
