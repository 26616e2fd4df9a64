"""The link to the new run that a verdict asks for: so many runs of each case on both sides."""

from collections.abc import Iterable
from itertools import product
from typing import Final

from evalcore.comparing.model import Comparison
from evalcore.errors import CannotRun
from evalcore.families.running import ONLY
from evalcore.views.blocks.base import Block, Link, link
from evalcore.views.blocks.page import Chip, Links
from evalcore.views.verdict.reach import runs_advised
from evalcore.views.words.wording import count
from evalcore.workspace.opened import Workspace

SEPARATOR: Final = "\n"
"""Between several values in one address parameter: no name of ours has it."""
FIELDS: Final = (
    "id", "new", "versions", "configurations", "cases", "n", "executor", "judge", "again", "model",
    "steps", "commands", "judge_models",
)  # fmt: skip
"""The parameters of the Runs page."""
MOST_CASES: Final = 60
"""More cases than an address should hold: then all of the suite are filled in."""


def to_new(**filled: object) -> Link:
    """Return the link to a new run, filled in."""
    parameters = {name: parameter_of(value) for name, value in filled.items()}
    return link("runs", **{**dict.fromkeys(FIELDS), "new": "1", **parameters})


def parameter_of(value: object) -> str | None:
    """Return a value of the form as an address parameter; None for what is not chosen."""
    if isinstance(value, bool):
        return "1" if value else None
    if isinstance(value, str) or value is None:
        return value
    return (SEPARATOR.join(value) or None) if isinstance(value, Iterable) else str(value)


def prepare_blocks(ws: Workspace, found: Comparison) -> list[Block]:
    """Return the link to the runs that are advised; nothing if none are, or they cannot be made.

    Both sides must be what can be run now: the skill of an older iteration is not there any more.
    """
    runs = None if found.verdict is None else runs_advised(found.verdict)
    if runs is None or found.a.suite != found.b.suite or found.a.workspace or found.b.workspace:
        return []
    sides = [(side.column.version, side.column.configuration) for side in (found.a, found.b)]
    versions = dict.fromkeys(version for version, _ in sides)
    configurations = dict.fromkeys(each for _, each in sides)
    from evalcore.engine.planning import offer_of  # noqa: PLC0415 - few verdicts advise runs

    try:
        targets = offer_of(ws, found.b.suite).targets
    except CannotRun:
        return []
    able = {(each.version, each.configuration) for each in targets if each.why_not is None}
    # The form asks for versions and configurations apart: every pair of them would be run.
    asked = set(product(versions, configurations))
    if asked != set(sides) or not asked <= able:
        return []
    cases = [pair.case_id for pair in found.pairs]
    where = to_new(
        suite=found.b.suite,
        versions=versions,
        configurations=[each for each in configurations if each != ONLY],
        cases=cases if len(cases) <= MOST_CASES else None,
        n=runs,
    )
    words = f"Prepare {count(runs, 'more run')} of each case on both sides"
    return [Links("", [Chip(text=words, link=where, title="Nothing starts before you say so")])]
