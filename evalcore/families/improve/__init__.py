"""The `improve` family: expectations scored 1 to 5, version by version, next to a history."""

from typing import TYPE_CHECKING

from evalcore.families.base import SHARE, Documents, Family, Update
from evalcore.families.improve.definitions import PASS_AT
from evalcore.families.improve.find import find
from evalcore.families.improve.read import read
from evalcore.families.improve.update import folders_of, root_of, update
from evalcore.families.scoring import Scoring, mean_of_all

if TYPE_CHECKING:
    from evalcore.families.aggregating import Aggregates
    from evalcore.families.comparing import Comparing
    from evalcore.families.linting import Rules
    from evalcore.families.running import Running
    from evalcore.families.versioning import Versioning

_MEANINGS = (
    (1.0, "missing, or the opposite of what was asked"),
    (2.0, "begun, but much of it is lacking"),
    (3.0, "just enough, without depth"),
    (4.0, "good, with care for detail"),
    (5.0, "nothing left to wish for"),
)


def _documents() -> Documents:
    from evalcore.families.improve.documents import DOCUMENTS, inside

    return Documents(DOCUMENTS, inside=inside)


def _rules() -> "Rules":
    from evalcore.families.improve.rules import RULES

    return RULES


def _aggregates() -> "Aggregates":
    from evalcore.families.improve.aggregates import AGGREGATES

    return AGGREGATES


def _comparing() -> "Comparing":
    from evalcore.families.improve.comparing import COMPARING

    return COMPARING


def _running() -> "Running":
    from evalcore.families.improve.running import RUNNING

    return RUNNING


def _versioning() -> "Versioning":
    from evalcore.families.improve.versioning import VERSIONING

    return VERSIONING


FAMILY = Family(
    name="improve",
    about="Versions of a skill, each criterion scored 1 to 5 and passed from 3.",
    documents=_documents,
    rules=_rules,
    aggregates=_aggregates,
    running=_running,
    comparing=_comparing,
    versioning=_versioning,
    looks_like=("evals/evals.json", "grading/<case>_v<N>_run<R>.json"),
    headline=SHARE,
    find=find,
    read=read,
    update=Update(root_of, folders_of, ("history",), update),
    file_names=frozenset({"evals.json", "grading.json", "comparison.json", "analysis.json"}),
    shapes=(
        frozenset({"case_id", "results", "overall_score"}),
        frozenset({"versions", "current_version"}),
        frozenset({"winner", "scores", "reasoning"}),
        frozenset({"winner_version", "loser_version"}),
    ),
    scaled=True,
    verdicts=True,
    scoring=Scoring(
        rule=mean_of_all,
        pass_at=PASS_AT,
        five=frozenset({"expectation", "assertion", "rubric"}),
        meanings=_MEANINGS,
    ),
    stored={
        "/overall_score": "score",
        "/required_score": "required_score",
        "/overall": "passed",
    },
    skill_text="version folder",
    names_run="run",
    of_skill=True,
    stored_prompts="version folder",
)
