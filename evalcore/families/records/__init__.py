"""Typed records linked by id: test cases, rubrics, runs, judgments, benchmarks."""

from evalcore.families.base import SHARE, Family, later
from evalcore.families.records.find import find, placed
from evalcore.families.records.reading import read
from evalcore.families.records.shapes import CONNECTIONS
from evalcore.families.scoring import Scoring, weighted_sum

FAMILY = Family(
    name="records",
    about=(
        "One record a file, joined by ids; totals are weighted sums. Records of other toolboxes "
        "may lie in the same store: `agent-run`, `skill-definition`, `prompt`, `prompt-version` "
        "and `proposal-draft`. What `agentRunId`, `skillId`, `promptVersionRef` and `promptRef` "
        "name must then be among them; of a type that the store does not hold, one note says how "
        "many records name one."
    ),
    documents=later("records.documents", "DOCUMENTS"),
    rules=later("records.rules", "RULES"),
    running=later("records.writing", "RUNNING"),
    comparing=later("records.writing", "COMPARING"),
    placing=later("records.writing", "placed"),
    looks_like=("records with a type and fields",),
    headline=SHARE,
    find=find,
    placed=placed,
    read=read,
    by_content=True,
    scaled=True,
    verdicts=True,
    is_store=True,
    scoring=Scoring(
        rule=weighted_sum,
        passed_when="the total reached its threshold",
        score_is="weighted total",
        by_total=True,
        five=frozenset(),
    ),
    stored={
        "/fields/totalScore": "score",
        "/fields/maxPossibleScore": "max_score",
        "/fields/passed": "passed",
    },
    connections=CONNECTIONS,
    skill_text="prompt record",
)
