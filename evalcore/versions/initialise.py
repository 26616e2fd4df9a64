"""Begin to evaluate a skill: test cases to fill in, and a workspace with its first version."""

import os
from pathlib import Path
from typing import Final, NamedTuple

from evalcore.disk.creating import why
from evalcore.disk.files import Files
from evalcore.disk.handles import folder, listed
from evalcore.disk.listing import shown
from evalcore.errors import CannotSnapshot, CannotWrite, ChangedMeanwhile, WorkspaceNotFound
from evalcore.families.versioning import Versioning
from evalcore.layouts.iterations import ITERATION
from evalcore.proposals.proposal import stored
from evalcore.versions.copying import Contents, contents_of, copied, digest_of
from evalcore.versions.placing import numbers_in, place, put_in_place, unfinished
from evalcore.versions.recording import (
    commit_of,
    recorded,
    version_of,
    versioning,
    write_new,
)

ENDING: Final = "-workspace"
FIRST: Final = "baseline"


class Begun(NamedTuple):
    """What was written, and what was there already; `messages` are sentences."""

    skill: Path
    definitions: Path
    definitions_written: bool
    workspace: Path
    workspace_written: bool
    versions: tuple[str, ...]
    git_hash: str | None
    messages: tuple[str, ...]


def initialise(skill: Path, workspace: Path | None = None) -> Begun:
    """Create the test cases of a skill and its workspace, where they are missing.

    Nothing that exists is changed. Without `workspace` it is the folder `<skill>-workspace` beside.

    Raises:
        WorkspaceNotFound: the skill is not a folder.
        CannotSnapshot: the skill cannot be copied, or something else has its place.
        CannotWrite: it cannot be written.
    """
    root, home = _places(skill, workspace)
    _, how = versioning()
    _check(root, home, how)
    contents = contents_of(root, home)
    has_skill = any(each.path == "SKILL.md" for each in contents.files)
    messages = [] if has_skill else [f"There is no SKILL.md in {root} yet."]
    there = recorded(home, how) if home.is_dir() else None
    wrote = _definitions(root, how)
    if there is not None:
        names = tuple(f"v{each.number}" for each in there.versions)
        messages.append(
            f"{home / how.history} lists {_counted(len(names))} already; it was left unchanged. "
            "`evalcore snapshot` adds one."
        )
        return Begun(root, root / how.definitions, wrote, home, False, names, None, tuple(messages))
    contents = contents_of(root, home)
    made, git_hash, remark = _first(contents, home, how)
    messages += [*contents.remarks, remark]
    return Begun(
        root, root / how.definitions, wrote, home, made, ("v0",), git_hash, tuple(messages)
    )


def _places(skill: Path, workspace: Path | None) -> tuple[Path, Path]:
    root = Path(os.path.abspath(skill.expanduser()))  # noqa: PTH100 - `..` without links
    if not root.is_dir():
        raise WorkspaceNotFound(root)
    if not root.name:
        raise CannotSnapshot("The root of the disk is not a skill. Name the skill's folder.")
    beside = root.with_name(root.name + ENDING)
    chosen = beside if workspace is None else workspace.expanduser()
    return root, Path(os.path.abspath(chosen))  # noqa: PTH100


def _check(root: Path, home: Path, how: Versioning) -> None:
    """Refuse folders in which something else would become mixed up with the new documents."""
    if os.path.realpath(root) == os.path.realpath(home):
        raise CannotSnapshot(f"{root} cannot be skill and workspace at once. Name another folder.")
    if stored(Files(root), how.history) is not None:
        raise CannotSnapshot(
            f"{root} has a {how.history}, so it is a workspace. Name the skill's folder."
        )
    cases = stored(Files(root), how.definitions)
    if cases is not None and not how.is_definitions(cases.value):
        raise CannotSnapshot(
            f"{root / how.definitions} exists, but contains no list of cases: it may be for "
            "another tool. Nothing was written; rename it, or correct it."
        )
    if os.path.lexists(home) and not home.is_dir():
        raise CannotSnapshot(f"{home} is not a folder. Name another one with --workspace.")
    if home.is_dir() and stored(Files(home), how.history) is None:
        with folder(home) as handle:
            names = listed(handle)
        if numbers_in(names) - {0} or any(map(ITERATION.match, names)):
            raise CannotSnapshot(
                f"{home} has versions or iterations, but no {how.history}; it was left "
                "unchanged. Name another folder with --workspace."
            )


def _definitions(root: Path, how: Versioning) -> bool:
    """Write test cases to begin with; False if there are some."""
    if os.path.lexists(root / how.definitions):
        return False
    try:
        with folder(root, how.definitions.split("/")[:-1], make=True):
            pass
        write_new(root, how.definitions, how.example(shown(str(root))))
    except ChangedMeanwhile:
        return False
    except OSError as error:
        raise CannotWrite(root / how.definitions, why(error)) from error
    return True


def _first(contents: Contents, home: Path, how: Versioning) -> tuple[bool, str | None, str]:
    """Make the first version; return whether this call did, its commit, and a remark."""
    try:
        home.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise CannotWrite(home, why(error)) from error
    with unfinished(home) as copy:
        done = copied(contents, copy)
        commit = commit_of(contents, done)
        if not put_in_place(home, copy, 0) and digest_of(home, place(0)) != done.digest:
            raise CannotSnapshot(
                f"{home / place(0)} exists, but differs from the current skill, and no "
                f"{how.history} lists it; it was left unchanged. Name another folder with "
                "--workspace."
            )
    remark = f"v0 is in no commit: {commit.why}." if commit.sha is None else ""
    try:
        write_new(home, how.history, how.new_history(version_of(0, place(0), FIRST, commit)))
    except ChangedMeanwhile:
        return False, None, f"{home / how.history} was written by somebody else meanwhile."
    return True, commit.sha, remark or f"v0 is the skill at commit {commit.sha}."


def _counted(number: int) -> str:
    return f"{number:,} version{'s' * (number != 1)}"
