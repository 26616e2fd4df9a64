"""The `descriptions` family: assertions passed or failed, for each version of a description."""

from typing import TYPE_CHECKING

from evalcore.families.base import Documents, Family
from evalcore.families.descriptions.find import find, placed
from evalcore.families.descriptions.read import HEADLINE, read

if TYPE_CHECKING:
    from evalcore.families.aggregating import Aggregates
    from evalcore.families.comparing import Comparing
    from evalcore.families.linting import Rules
    from evalcore.families.running import Running


def _documents() -> Documents:
    from evalcore.families.descriptions.documents import DOCUMENTS

    return Documents(DOCUMENTS)


def _rules() -> "Rules":
    from evalcore.families.descriptions.rules import RULES

    return RULES


def _aggregates() -> "Aggregates":
    from evalcore.families.descriptions.aggregates import AGGREGATES

    return AGGREGATES


def _comparing() -> "Comparing":
    from evalcore.families.descriptions.comparing import COMPARING

    return COMPARING


def _running() -> "Running":
    from evalcore.families.descriptions.running import RUNNING

    return RUNNING


FAMILY = Family(
    name="descriptions",
    about="Assertions passed or failed, for each version of a skill's description.",
    documents=_documents,
    rules=_rules,
    aggregates=_aggregates,
    running=_running,
    comparing=_comparing,
    looks_like=("eval/eval_metadata.json",),
    headline=HEADLINE,
    find=find,
    placed=placed,
    read=read,
    file_names=frozenset({"benchmark.json", "eval_metadata.json"}),
    shapes=(
        frozenset({"test_case_id", "assertions"}),
        frozenset({"test_cases", "skill_name"}),
        frozenset({"entries", "description_version"}),
        frozenset({"version_a", "version_b", "criteria_scores"}),
    ),
    stored={"/overall_score": "fraction"},
    skill_text="description",
    names_run="run_id",
)
