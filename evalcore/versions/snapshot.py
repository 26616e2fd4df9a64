"""Add the skill as it is now to its workspace, as a new version."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from evalcore.disk.creating import turn
from evalcore.disk.outputs import outputs_digest
from evalcore.errors import (
    CannotSnapshot,
    CannotWrite,
    MayBeWritten,
    SuiteNotNamed,
    UnknownName,
)
from evalcore.families.versioning import Version, Versioning
from evalcore.proposals.patching import Difference
from evalcore.tables.cells import cells
from evalcore.versions.copying import Contents, Copied, contents_of, copied, digest_of
from evalcore.versions.initialise import ENDING
from evalcore.versions.placing import (
    numbers_in,
    numbers_on_disk,
    place,
    put_in_place,
    take_back,
    unfinished,
)
from evalcore.versions.recording import (
    Recorded,
    commit_of,
    recorded,
    version_of,
    versioning,
    write_changed,
)
from evalcore.workspace.opened import Workspace, open_workspace


class Taken(NamedTuple):
    """What became of a snapshot; `version` is the newest one if nothing was written."""

    skill: Path
    workspace: Path
    version: str
    written: bool
    git_hash: str | None = None
    files: int = 0
    changes: tuple[Difference, ...] = ()
    messages: tuple[str, ...] = ()


class Foreseen(NamedTuple):
    """Which version the skill is as it is now: one that is kept, or the next one (`is_new`).

    `digest` is that of its own files, `skill` its folder.
    """

    version: str
    is_new: bool
    digest: str
    skill: Path


class _Suite(NamedTuple):
    """A workspace with a list of versions: its suite if it is read as one, and what opened it."""

    opened: Workspace
    suite: str | None
    home: Path
    skill: Path | None


class _Made(NamedTuple):
    contents: Contents
    copy: Copied
    place: Path


def take_snapshot(
    path: Path,
    *,
    suite: str | None = None,
    skill: Path | None = None,
    description: str = "",
    force: bool = False,
) -> Taken:
    """Copy a skill into its workspace as the next version, and record it there.

    Without `force` nothing is written if the skill is as in the newest version. A copy without a
    record, left by a snapshot that was killed, is recorded if the skill is still the same.

    Raises:
        WorkspaceNotFound: the workspace or the skill is not a folder.
        SuiteNotNamed: there are several lists of versions, or none.
        CannotSnapshot: the skill is not found or cannot be copied, or the list cannot be read.
        ChangedMeanwhile: somebody else wrote the list meanwhile.
        CannotWrite: it cannot be written.
    """
    name, how = versioning()
    found = _chosen(open_workspace(path), name, how, suite)
    if recorded(found.home, how) is None:
        raise CannotSnapshot(f"{found.home} has no {how.history}. `evalcore init` makes it.")
    root = _skill(found, skill)
    contents = contents_of(root, found.home)
    if not contents.files:
        raise CannotSnapshot(f"{root} has no files. Name the skill's folder with --skill.")
    with unfinished(found.home) as into:
        made = _Made(contents, copied(contents, into), into)
        commit = commit_of(contents, made.copy)
        with turn(found.home) as alone:
            now = recorded(found.home, how)
            if now is None:
                raise CannotSnapshot(f"{found.home / how.history} was removed; look at it.")
            newest = now.versions[-1] if now.versions else None
            if not force and newest is not None and _is_as(found.home, newest, made.copy):
                said = f"The skill is as in v{newest.number}; nothing was written."
                return Taken(root, found.home, f"v{newest.number}", False, messages=(said,))
            number, ours = _put(found, now, made)
            version = version_of(number, place(number), description, commit)
            changes = _record(found, how, now, version, undo=ours and alone)
    remark = () if commit.sha else (f"v{number} is in no commit: {commit.why}.",)
    return Taken(
        root,
        found.home,
        f"v{number}",
        True,
        commit.sha,
        len(contents.files),
        changes,
        (*contents.remarks, *remark),
    )


def foresee(
    path: Path,
    enters: Callable[[str], bool],
    *,
    suite: str | None = None,
    skill: Path | None = None,
) -> Foreseen:
    """Return which version a snapshot of the skill would be; nothing is written.

    The folders that `enters` names are compared with all versions that are kept.

    Raises:
        CannotSnapshot: the skill is not found or too large, or there is no list of versions.
    """
    name, how = versioning()
    found = _chosen(open_workspace(path), name, how, suite)
    now = recorded(found.home, how)
    if now is None:
        raise CannotSnapshot(f"{found.home} has no {how.history}. `evalcore init` makes it.")
    root = _skill(found, skill)
    digest = outputs_digest(root.parent, root.name, enters)
    if digest is None:
        raise CannotSnapshot(f"{root} is empty, or too large for a skill.")
    for each in reversed(now.versions):
        if outputs_digest(found.home, each.path or place(each.number), enters) == digest:
            return Foreseen(f"v{each.number}", False, digest, root)
    number = max(_taken(found, now), default=-1) + 1
    return Foreseen(f"v{number}", True, digest, root)


def _chosen(opened: Workspace, family: str, how: Versioning, suite: str | None) -> _Suite:
    """Return the one suite with a list of versions, or the one that is named."""
    rows = list(cells(opened.tables, "suites", "suite", "family", "root", "skill_path"))
    found = [
        _Suite(opened, name, opened.root / (at or ""), None if to is None else opened.root / to)
        for name, of, at, to in rows
        if of == family and os.path.lexists(opened.root / (at or "") / how.history)
    ]
    names = [each.suite or "" for each in found]
    if suite is not None:
        if suite not in names:
            raise UnknownName("suite with versions", suite, names)
        return found[names.index(suite)]
    if len(found) == 1:
        return found[0]
    if not found and os.path.lexists(opened.root / how.history):
        return _Suite(opened, None, opened.root, None)
    if not found:
        raise CannotSnapshot(
            f"{opened.root} has no workspace with a {how.history}. `evalcore init` makes one."
        )
    raise SuiteNotNamed(opened.root, names)


def _skill(found: _Suite, chosen: Path | None) -> Path:
    """Return the folder of the skill: as chosen, as it was found, or beside its workspace."""
    if chosen is not None:
        root = Path(os.path.abspath(chosen.expanduser()))  # noqa: PTH100 - `..` without links
        if not root.is_dir():
            raise CannotSnapshot(f"{root} is not a folder. Name the skill's folder with --skill.")
    else:
        beside = found.home.with_name(found.home.name.removesuffix(ENDING))
        places = [each for each in (found.skill, beside) if each is not None]
        root = next((each for each in places if _is_skill(each, found.home)), found.home)
    if os.path.realpath(root) == os.path.realpath(found.home):
        raise CannotSnapshot(
            f"The skill of {found.home} was not found next to it. Name its folder with --skill."
        )
    return root


def _is_skill(place: Path, home: Path) -> bool:
    """Return whether a folder may be the skill as it is now: no link, no copy of a version."""
    if place == home or place.is_symlink() or not place.is_dir():
        return False
    return not (place.is_relative_to(home) and numbers_in([place.relative_to(home).parts[0]]))


def _is_as(home: Path, version: Version, copy: Copied) -> bool:
    """Return whether the copy of a version is equal to a new one."""
    return digest_of(home, version.path or place(version.number)) == copy.digest


def _put(found: _Suite, now: Recorded, made: _Made) -> tuple[int, bool]:
    """Give the new copy a number; an equal one without a record is taken instead of it.

    Returns the number, and whether the copy is new.
    """
    newest = max((each.number for each in now.versions), default=-1)
    for number in sorted(numbers_on_disk(found.home)):
        if number > newest and digest_of(found.home, place(number)) == made.copy.digest:
            return number, False
    number = max(_taken(found, now), default=-1) + 1
    if not put_in_place(found.home, made.place, number):
        raise CannotSnapshot(
            f"{found.home / f'v{number}'} was made by somebody else meanwhile; try again."
        )
    return number, True


def _taken(found: _Suite, now: Recorded) -> set[int]:
    """Return the numbers of versions that are listed, graded or on disk."""
    known = cells(found.opened.tables, "versions", "suite", "version")
    graded = numbers_in([str(label) for name, label in known if name == found.suite])
    listed = {each.number for each in now.versions}
    return listed | graded | numbers_on_disk(found.home)


def _record(
    found: _Suite, how: Versioning, now: Recorded, version: Version, *, undo: bool
) -> tuple[Difference, ...]:
    """Add a version to the list; `undo` takes its copy back if that is refused."""
    try:
        value = how.with_version(now.document.value, version, found.opened.tables, found.suite)
        return write_changed(found.home, how.history, now.document, value).found
    except MayBeWritten:
        raise
    except CannotWrite:
        if undo:
            take_back(found.home, version.number)
        raise
