"""The link to the new run that a verdict asks for: so many runs of each case on both sides."""

from typing import Final

from evalcore.comparing.model import Comparison
from evalcore.engine.planning import offer_of
from evalcore.errors import CannotRun
from evalcore.families.running import ONLY, Offer
from evalcore.views.blocks.base import Block, Link, link
from evalcore.views.blocks.page import Chip, Links
from evalcore.views.verdict.reach import runs_advised
from evalcore.views.words.wording import count
from evalcore.workspace.opened import Workspace

SEPARATOR: Final = "\n"
"""Between several values in one address parameter: no name of ours has it."""
FIELDS: Final = (
    "id",
    "new",
    "versions",
    "configurations",
    "cases",
    "n",
    "executor",
    "judge",
    "again",
    "model",
    "steps",
    "commands",
    "judge_models",
)
"""The parameters of the Runs page."""
MOST_CASES: Final = 60
"""More cases than an address should hold: then all of the suite are filled in."""


def to_new(**filled: str | None) -> Link:
    """Return the link to a new run, filled in."""
    return link("runs", **{**dict.fromkeys(FIELDS), "new": "1", **filled})


def prepare_blocks(ws: Workspace, found: Comparison) -> list[Block]:
    """Return the link to the runs that are advised; nothing if none are, or they cannot be made.

    Both sides must be what can be run now: the skill of an older iteration is not there any more.
    """
    verdict = found.verdict
    runs = None if verdict is None else runs_advised(verdict)
    sides = [(side.column.version, side.column.configuration) for side in (found.a, found.b)]
    if runs is None or found.a.suite != found.b.suite or found.a.workspace or found.b.workspace:
        return []
    if not _can_be_run(ws, found.b.suite, sides):
        return []
    cases = [pair.case_id for pair in found.pairs]
    configurations = dict.fromkeys(each for _, each in sides if each != ONLY)
    where = to_new(
        suite=found.b.suite,
        versions=SEPARATOR.join(dict.fromkeys(version for version, _ in sides)),
        configurations=SEPARATOR.join(configurations) or None,
        cases=SEPARATOR.join(cases) if len(cases) <= MOST_CASES else None,
        n=str(runs),
    )
    words = f"Prepare {count(runs, 'more run')} of each case on both sides"
    return [Links("", [Chip(text=words, link=where, title="Nothing starts before you say so")])]


def _can_be_run(ws: Workspace, suite: str, sides: list[tuple[str, str]]) -> bool:
    try:
        offer: Offer = offer_of(ws, suite)
    except CannotRun:
        return False
    able = {(each.version, each.configuration) for each in offer.targets if each.why_not is None}
    # The form asks for versions and configurations apart: every pair of them would be run.
    asked = {(version, each) for version, _ in sides for _, each in sides}
    return asked == set(sides) and asked <= able
