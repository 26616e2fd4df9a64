"""The texts of two versions (skill, description or prompt), and which of them differ."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final, Literal

from evalcore.comparing.model import Side
from evalcore.comparing.version_texts import (
    Content,
    description,
    is_old,
    prompt_record,
    skill_now,
    snapshot,
    version_folder,
    without,
)
from evalcore.counting.cells import family_of
from evalcore.counting.outcomes import UNASSIGNED
from evalcore.counting.rates import rates
from evalcore.families.base import SkillText

Kind = Literal["changed", "added", "removed"]

_READERS: Final[dict[SkillText, Callable[[Side], Content]]] = {
    "version folder": version_folder,
    "skill snapshot": snapshot,
    "description": description,
    "prompt record": prompt_record,
}
_ORDER: Final[tuple[Kind, ...]] = ("changed", "added", "removed")


@dataclass(frozen=True)
class FileChange:
    """One text on both sides; None where the side has none of that path."""

    path: str
    kind: Kind
    a: str | None
    b: str | None


@dataclass(frozen=True)
class Changes:
    """The texts of two sides compared: changed ones first, then those of one side.

    `note` says why there is nothing to compare, or what else to know; `same` counts the equal
    texts, which are not in `files`.
    """

    a: Content
    b: Content
    files: tuple[FileChange, ...]
    same: int
    note: str

    @property
    def comparable(self) -> bool:
        """Whether both sides have texts."""
        return self.a.files is not None and self.b.files is not None


def content_of(side: Side) -> Content:
    """Return the texts of a side's version, as far as the workspace has them.

    The suite's family says where they are. For the newest version of a skill, the skill's own
    folder is used if there is no copy, and the note says so.
    """
    configuration = side.column.configuration
    if without(configuration):
        return Content("", None, f"{configuration} runs without the skill, so it has no text.")
    own = family_of(side.ws, side.suite)
    found = _READERS[own.skill_text](side)
    is_stand_in = own.of_skill and found.files is None and _is_newest(side)
    now = skill_now(side) if is_stand_in else None
    if now is None:
        return found
    note = f"This is the skill in {now.source} as it is now; it may have changed since it was run."
    return Content(now.source, now.files, f"{note} {now.note}".strip())


def content_changes(a: Side, b: Side) -> Changes:
    """Return which texts differ between two sides, which may be of different workspaces.

    Between two workspaces without copies of a version's texts, the skills' own folders are
    compared.
    """
    first, second = content_of(a), content_of(b)
    if a.ws.root != b.ws.root and (first.files is None or second.files is None):
        first, second = _folders(a, b) or (first, second)
    if bare := next((side.column for side in (a, b) if without(side.column.configuration)), None):
        note = f"{bare.configuration} runs without the skill, so there is no text to compare."
        return Changes(first, second, (), 0, note)
    if first.files is None or second.files is None:
        missing = [
            f"{letter}: {found.note}"
            for letter, found in (("A", first), ("B", second))
            if found.files is None
        ]
        note = f"There is no text to compare. {' '.join(missing)}"
        return Changes(first, second, (), 0, note)
    files = _changes(first.files, second.files)
    same = len(first.files.keys() | second.files.keys()) - len(files)
    return Changes(first, second, files, same, _note(a, b, first, second))


def _is_newest(side: Side) -> bool:
    """Return whether a side ran the newest version."""
    versions = [
        column.version for column in rates(side.ws)[side.suite] if column.version != UNASSIGNED
    ]
    newest = bool(versions) and versions[-1] == side.column.version
    return newest and not is_old(side.column.configuration)


def _folders(a: Side, b: Side) -> tuple[Content, Content] | None:
    """Return the skill's own folder in two workspaces; None unless both have it."""
    if without(a.column.configuration) or without(b.column.configuration):
        return None
    first, second = skill_now(a), skill_now(b)
    return (first, second) if first is not None and second is not None else None


def _note(a: Side, b: Side, first: Content, second: Content) -> str:
    one_place = a.ws.root == b.ws.root and first.source == second.source
    if one_place and first.files == second.files:  # one document may hold several texts
        return f"Both sides ran the same text, {first.source}."
    note = [
        f"{letter}: {found.note}" for letter, found in (("A", first), ("B", second)) if found.note
    ]
    return " ".join(note)


def _changes(a: Mapping[str, str], b: Mapping[str, str]) -> tuple[FileChange, ...]:
    found = []
    for path in a.keys() | b.keys():
        first, second = a.get(path), b.get(path)
        if first != second:
            kind: Kind = "added" if first is None else "removed" if second is None else "changed"
            found.append(FileChange(path, kind, first, second))
    return tuple(sorted(found, key=_rank))


def _rank(change: FileChange) -> tuple[bool, int, str]:
    return change.path != "SKILL.md", _ORDER.index(change.kind), change.path
