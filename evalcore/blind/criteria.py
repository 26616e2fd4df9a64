"""The sets of criteria that a blind study can score by."""

from collections.abc import Mapping, Sequence
from typing import Final

from evalcore.errors import UnknownName
from evalcore.families.reviews.models import BlindCriterion
from evalcore.judging.asking.asked import asked
from evalcore.workspace.opened import Workspace

SKILL: Final = "skill"
DESCRIPTION: Final = "description"
SUITE: Final = "suite"
NONE: Final = "none"
MOST: Final = 12


def _scale(high: int, *criteria: tuple[str, str]) -> tuple[BlindCriterion, ...]:
    return tuple(
        BlindCriterion(name=name, description=text, low=1, high=high) for name, text in criteria
    )


SETS: Final[Mapping[str, tuple[BlindCriterion, ...]]] = {
    # Seed 000, comparison.json.
    SKILL: _scale(
        10,
        ("description_quality", "Does the description say what it does and when to use it?"),
        ("convention_compliance", "Does it keep to the conventions of its kind?"),
        ("type_specific_quality", "Is it good as what it is: a skill, a prompt, an answer?"),
        ("token_efficiency", "Is every part worth its length?"),
        ("content_value", "How much does it help the one who asked?"),
    ),
    # Seed 004, comparison.json: criteria at 1 to 5.
    DESCRIPTION: _scale(
        5,
        ("accuracy", "Does it say what is true, and nothing else?"),
        ("completeness", "Is everything there that was asked for?"),
        ("clarity", "Is it understood at once?"),
    ),
    NONE: (),
}


def criteria_named(ws: Workspace, name: str, runs: Sequence[str]) -> tuple[BlindCriterion, ...]:
    """Return a set of criteria by its name; `suite` are those that people score on some runs.

    Raises:
        UnknownName: there is no such set.
    """
    if name in SETS:
        return SETS[name]
    if name != SUITE:
        raise UnknownName("set of criteria", name, (*SETS, SUITE))
    found: dict[str, BlindCriterion] = {}
    for run in runs:
        for each in asked(ws, run):
            low, high = int(each.low), int(each.high)
            if len(found) < MOST and low < high and (low, high) == (each.low, each.high):
                criterion = BlindCriterion(
                    name=each.name, description=each.description, low=low, high=high
                )
                found.setdefault(each.name, criterion)
    return tuple(found.values())
