"""A family that no module of evalcore knows: lists of steps, ticked off for each round of tea."""

from evalcore.families.aggregating import Aggregates
from evalcore.families.base import SHARE, Documents, Family
from evalcore.families.scoring import Criteria, Scores, Scoring, Sum
from tests.checklists.aggregates import tallies
from tests.checklists.documents import DOCUMENTS
from tests.checklists.reading import find, read
from tests.checklists.rules import RULES


def _lowest(_: Scoring, criteria: Criteria, scores: Scores, __: float | None) -> Sum:
    """A round is as good as its worst step, out of 5."""
    worst = min(scores.values(), default=None)
    return worst, 5.0, None if worst is None else worst >= 4 and len(scores) == len(criteria)


FAMILY = Family(
    name="checklists",
    about="Steps ticked off, round by round.",
    looks_like=("checklist.json",),
    headline=SHARE,
    documents=lambda: Documents(DOCUMENTS),
    rules=lambda: RULES,
    aggregates=lambda: Aggregates(tallies),
    find=find,
    read=read,
    file_names=frozenset({"checklist.json"}),
    shapes=(frozenset({"task", "done"}),),
    verdicts=True,
    scoring=Scoring(
        rule=_lowest,
        five=frozenset({"assertion"}),
        meanings=((1.0, "spilt"), (5.0, "as the empress likes it")),
    ),
    stored={"/share": "items_rate"},
    skill_text="version folder",
)
