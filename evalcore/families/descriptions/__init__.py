"""The `descriptions` family: assertions passed or failed, for each version of a description."""

from evalcore.families.base import Family, later
from evalcore.families.descriptions.find import find, placed
from evalcore.families.descriptions.read import HEADLINE, read

FAMILY = Family(
    name="descriptions",
    about="Assertions passed or failed, for each version of a skill's description.",
    documents=later("descriptions.documents", "DOCUMENTS"),
    rules=later("descriptions.rules", "RULES"),
    aggregates=later("descriptions.writing", "AGGREGATES"),
    running=later("descriptions.writing", "RUNNING"),
    comparing=later("descriptions.writing", "COMPARING"),
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
