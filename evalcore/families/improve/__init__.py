"""The `improve` family: expectations scored 1 to 5, version by version, next to a history."""

from evalcore.families.base import SHARE, Family, Update, later
from evalcore.families.improve.documents import PASS_AT
from evalcore.families.improve.find import find
from evalcore.families.improve.read import folders_of, read, root_of, update
from evalcore.families.scoring import Scoring, mean_of_all

_MEANINGS = (
    (1.0, "missing, or the opposite of what was asked"),
    (2.0, "begun, but much of it is lacking"),
    (3.0, "just enough, without depth"),
    (4.0, "good, with care for detail"),
    (5.0, "nothing left to wish for"),
)


FAMILY = Family(
    name="improve",
    about="Versions of a skill, each criterion scored 1 to 5 and passed from 3.",
    documents=later("improve.documents", "DOCUMENTS"),
    rules=later("improve.rules", "RULES"),
    aggregates=later("improve.writing", "AGGREGATES"),
    running=later("improve.writing", "RUNNING"),
    comparing=later("improve.writing", "COMPARING"),
    versioning=later("improve.writing", "VERSIONING"),
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
        passed_when="all required criteria passed",
        score_is="mean of all",
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
