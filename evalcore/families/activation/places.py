"""Name the suites of trigger sets by where their files lie."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from evalcore.disk.reader import Reader
from evalcore.families.base import Plan

FOLDERS: Final = frozenset(
    {"evals", "eval", "evaluation", "evaluations", "tests", "test", "triggers", "trigger-evals",
     "trigger_evals"}
)  # fmt: skip
WORKSPACE: Final = "-workspace"
TRIGGERS: Final = "triggers"

Found = tuple[str, str, "Place"]
"""(path, kind, place) of a file of a suite."""


class Place(NamedTuple):
    """The folder of the skill that a file's path tells (`""` is the root), None if none."""

    skill: str | None

    @property
    def name(self) -> str | None:
        """The name of that folder; the root has none."""
        return self.skill.rpartition("/")[2] or None if self.skill else None


def place_of(path: str) -> Place:
    """Return the skill whose evaluation folder, or workspace, holds a file."""
    parts = path.split("/")[:-1]
    for index in range(len(parts) - 1, -1, -1):
        if parts[index].endswith(WORKSPACE):
            return Place("/".join([*parts[:index], parts[index].removesuffix(WORKSPACE)]))
        if parts[index].lower() in FOLDERS:
            inside = index + 1 < len(parts)
            # What lies deeper in the root's own folder may be about any of several skills.
            return Place(None if inside and index == 0 else "/".join(parts[:index]))
    return Place(None)


def plans_of(
    reader: Reader, suites: Sequence[Sequence[Found]], names: Sequence[frozenset[str]]
) -> list[Plan]:
    """Return one plan for each suite, whose documents name these skills.

    The id is `<skill> (triggers)` where one skill has one set, which no folder is named, else the
    path of the first file.
    """
    skills = [_skill(reader, found, named) for found, named in zip(suites, names, strict=True)]
    wanted = Counter(skill for skill in skills if skill is not None)
    plans = []
    for found, skill in zip(suites, skills, strict=True):
        first = found[0][0]
        root = first.rpartition("/")[0]
        files = tuple((path, kind) for path, kind, _ in found)
        alone = skill is not None and wanted[skill] == 1
        suite = (f"{skill} ({TRIGGERS})" if skill else TRIGGERS) if alone else _stem(first)
        plans.append(Plan(suite, "activation", root, skill, files))
    return sorted(plans, key=lambda plan: plan.suite)


def _skill(reader: Reader, found: Sequence[Found], named: frozenset[str]) -> str | None:
    """Return the folder of the one skill of a suite: by its place, else by its name."""
    if len(named) > 1:
        return None
    if found[0][2].skill is not None:
        return found[0][2].skill
    same = _folders(reader.listing.folders, named)
    return same[0] if len(same) == 1 else None


def _folders(folders: Iterable[str], named: frozenset[str]) -> list[str]:
    return [path for path in folders if path.rpartition("/")[2] in named] if named else []


def _stem(path: str) -> str:
    folder, slash, name = path.rpartition("/")
    return f"{folder}{slash}{name.rpartition('.')[0] or name}"
