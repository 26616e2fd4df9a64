"""A fresh copy of a case: its files and the skill, and nothing that tells the answer."""

import os
import stat
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import MappingProxyType
from typing import Final, NamedTuple

from evalcore.disk.files import MAX_BYTES, Files
from evalcore.disk.outputs import list_outputs
from evalcore.disk.temporary import temporary_folder
from evalcore.engine.plan import Plan, skill_at
from evalcore.families.running import TestRun

MAX_SKILL_FILES: Final = 2_000
_ANSWERS: Final = frozenset(
    {".git", "evals", "eval", "reviews", "grading", "runs", "node_modules", ".venv", "__pycache__"}
)
"""Folders of a skill that are not laid out: they hold expectations, gradings or earlier runs."""


class CaseFolder(NamedTuple):
    """A folder to execute in; `skill` is where the skill is laid below it.

    `before` are the files that were laid, with size and time of change.
    """

    path: Path
    skill: str | None
    before: dict[str, tuple[int, int]]


@contextmanager
def case_folder(
    plan: Plan, run: TestRun, skills: str, own: Mapping[str, bytes] = MappingProxyType({})
) -> Iterator[CaseFolder]:
    """Yield a new folder with the files of a case and the skill below `skills`, then remove it.

    `own` are files that the executor needs, laid last.
    """
    with temporary_folder("case") as made:
        files = Files(plan.workspace)
        case = plan.case(run)
        for source, name in zip(case.files, case.laid, strict=True):
            _lay(made, name, files.read(source, MAX_BYTES))
        skill = None
        if run.skill is not None:
            skill = f"{skills}/{skill_name(plan)}"
            lay_skill(files, run.skill, made, skill)
        for name, data in own.items():
            _lay(made, name, data)
        yield CaseFolder(made, skill, dict(files_in(made)))


def skill_name(plan: Plan) -> str:
    """Return the name of the skill's folder: the same for each version of it."""
    name = (plan.skill_path or plan.name or "skill").rpartition("/")[2]
    return name if name not in ("", ".", "..") else "skill"


def lay_skill(files: Files, skill: str, made: Path, target: str) -> None:
    """Copy a skill's own files; what tells what is expected of it stays behind."""
    root, folder = skill_at(Path(files.root), skill)
    reader = files if root == Path(files.root) else Files(root)
    for each in list_outputs(root, folder, MAX_SKILL_FILES, is_laid):
        name = os.path.relpath(each.path, folder)
        _lay(made, f"{target}/{name}", reader.read(each.path, MAX_BYTES))


def is_laid(folder: str) -> bool:
    """Return whether a folder of a skill is laid before an agent, by its name."""
    return folder not in _ANSWERS and not folder.endswith("-workspace")


def _lay(made: Path, name: str, data: bytes) -> None:
    path = made / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)


def produced_in(folder: CaseFolder, limit: int) -> list[str]:
    """Return the files that were made or changed since the folder was laid out, sorted.

    Links, pipes and what the skill came with are left out; at most `limit`.
    """
    skill = f"{folder.skill}/" if folder.skill else None
    found = [
        name
        for name, seen in files_in(folder.path)
        if folder.before.get(name) != seen and not (skill and name.startswith(skill))
    ]
    return sorted(found)[:limit]


def files_in(root: Path) -> Iterator[tuple[str, tuple[int, int]]]:
    """Yield the regular files below a folder with size and time, never following a link."""
    for parent, folders, names in os.walk(root, followlinks=False):
        folders[:] = [name for name in folders if name not in (".git", "node_modules")]
        for name in names:
            path = os.path.join(parent, name)  # noqa: PTH118 - os.walk gives text
            about = os.lstat(path)
            if stat.S_ISREG(about.st_mode):
                yield os.path.relpath(path, root), (about.st_size, about.st_mtime_ns)
