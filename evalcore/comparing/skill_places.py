"""Whether the text that a suggestion would replace stands in the skill it is about."""

from typing import Final

from evalcore.comparing.version_texts import Content, folder_texts
from evalcore.counting.cells import typed, where
from evalcore.counting.choices import versions_of
from evalcore.counting.memo import memoize_per_workspace
from evalcore.tables.rows import AnalysisRow, VersionRow
from evalcore.texts.places import places_of
from evalcore.workspace.opened import Workspace

NOT_THERE: Final = "The text to replace is not in the skill of {}."


def skill_folder(ws: Workspace, suite: str, version: str) -> str | None:
    """Return the folder that keeps the skill of a version; None if no document names one."""
    rows = typed(ws, "versions", VersionRow, where(ws, "versions", suite=suite, version=version))
    return next((row.path for row in rows if row.path), None)


@memoize_per_workspace
def skill_of(ws: Workspace, suite: str, version: str) -> Content | None:
    """Return the texts of a version's skill, without its test cases; None if they are not here."""
    folder = skill_folder(ws, suite, version)
    return None if folder is None else folder_texts(ws.root, folder)


def unfounded(ws: Workspace, row: AnalysisRow) -> str | None:
    """Return that the text which a suggestion would replace is nowhere in the skill, if so.

    An analysis of two versions is about the later one. Where its text is not here nothing is said;
    white space is not compared.
    """
    if row.kind != "suggestion" or not row.before or row.suite is None:
        return None
    version = _later(ws, row)
    skill = None if version is None else skill_of(ws, row.suite, version)
    if skill is None or places_of(row.before, skill.files or {}):
        return None
    return NOT_THERE.format(version)


def _later(ws: Workspace, row: AnalysisRow) -> str | None:
    """Return the later of the versions that an analysis names."""
    order = {each.version: each.position or 0 for each in versions_of(ws, row.suite)}
    named = [each for each in (row.winner_version, row.loser_version) if each in order]
    return max(named, key=lambda version: order[version], default=None)
