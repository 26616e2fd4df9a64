"""Typed records linked by id: test cases, rubrics, runs, judgments, benchmarks."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from evalcore.disk.reader import Json
from evalcore.families.base import SHARE, Documents, Family, Part
from evalcore.families.records.reading import read
from evalcore.families.records.shapes import CONNECTIONS, document_type
from evalcore.families.records.stores import find, placed
from evalcore.families.scoring import Scoring, weighted_sum

if TYPE_CHECKING:
    from evalcore.families.comparing import Comparing
    from evalcore.families.linting import Rules
    from evalcore.families.remembering import Placing
    from evalcore.families.running import Running


def _documents() -> Documents:
    from evalcore.families.records.documents import DOCUMENTS

    return Documents(DOCUMENTS, inside=_records)


def _records(path: str, kind: str, value: Json) -> Sequence[Part]:
    """Return the records in a file, each a document of its own type."""
    del path, kind
    if not isinstance(value, list):
        return ((document_type(value), "", value),)
    return [(document_type(item), f"/{at}", item) for at, item in enumerate(value)]


def _rules() -> "Rules":
    from evalcore.families.records.rules import RULES

    return RULES


def _comparing() -> "Comparing":
    from evalcore.families.records.comparing import COMPARING

    return COMPARING


def _running() -> "Running":
    from evalcore.families.records.running import RUNNING

    return RUNNING


def _placing() -> "Placing":
    from evalcore.families.records.placing import placed

    return placed


FAMILY = Family(
    name="records",
    about=(
        "One record a file, joined by ids; totals are weighted sums. Records of other toolboxes "
        "may lie in the same store: `agent-run`, `skill-definition`, `prompt`, `prompt-version` "
        "and `proposal-draft`. What `agentRunId`, `skillId`, `promptVersionRef` and `promptRef` "
        "name must then be among them; of a type that the store does not hold, one note says how "
        "many records name one."
    ),
    documents=_documents,
    rules=_rules,
    running=_running,
    comparing=_comparing,
    placing=_placing,
    looks_like=("records with a type and fields",),
    headline=SHARE,
    find=find,
    placed=placed,
    read=read,
    by_content=True,
    scaled=True,
    verdicts=True,
    is_store=True,
    scoring=Scoring(rule=weighted_sum, by_total=True, five=frozenset()),
    stored={
        "/fields/totalScore": "score",
        "/fields/maxPossibleScore": "max_score",
        "/fields/passed": "passed",
    },
    connections=CONNECTIONS,
    skill_text="prompt record",
)
