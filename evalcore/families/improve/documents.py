"""The documents of the `improve` family: expectations scored 1 to 5, version by version."""

from collections.abc import Sequence
from typing import Final

from evalcore.disk.reader import Json
from evalcore.families.base import Documents, Part
from evalcore.shapes import parts
from evalcore.shapes.fields import (
    COUNT,
    FLAG,
    FROM_1,
    MEAN_5,
    OBJECT,
    RAW,
    SCORE_5,
    SCORE_10,
    TEXT,
    TEXTS,
    TIME,
    Document,
    Field,
    ListOf,
    MapOf,
    Shape,
    Text,
)
from evalcore.shapes.judge import COMPARED_BY, JUDGE, JUDGE_TYPE, versions_in

PASS_AT: Final = 3
MAX_SCORE: Final = 5
CONVENTIONS: Final = {
    "frontmatter": "The frontmatter is valid and has a name and a description.",
    "description_field": "The description says when to use the skill, not how it works.",
    "token_efficiency": "The skill is as short as its kind allows.",
    "progressive_disclosure": "What matters most comes first, details later.",
    "type_alignment": "The skill has the parts that its type needs.",
}

KEBAB_CASE: Final = Text(pattern="[a-z0-9]+(-[a-z0-9]+)*", meaning="in kebab-case, like case-01")

EXPECTATION: Final = Shape(
    "One criterion of a case; a required one that fails fails the case.",
    Field("criterion", TEXT, "criteria.criterion", parts.DEFINED),
    Field("description", TEXT, "criteria.description", parts.DEFINED),
    Field("required", FLAG, "criteria.required", parts.DEFINED),
)

CASE: Final = Shape(
    "One test case: a prompt, files relative to the workspace, and what is expected.",
    Field("id", KEBAB_CASE, "cases.case_id", parts.GRID),
    Field("prompt", TEXT, "cases.prompt", parts.CASE),
    Field("files", TEXTS, "cases.files", parts.CASE),
    Field("expectations", ListOf(EXPECTATION)),
)

EVALS: Final = Shape(
    "The test cases of a skill.",
    Field("version", TEXT, RAW, parts.DOCUMENTS),
    Field("skill", TEXT, RAW, parts.DOCUMENTS),
    Field("cases", ListOf(CASE)),
)

VERSION: Final = Shape(
    "One version of the skill; `average_score` is null until it was graded.",
    Field("version", COUNT, "versions.version", parts.OVERVIEW),
    Field("timestamp", TIME, "versions.created_at", parts.OVERVIEW),
    Field("description", TEXT, "versions.description", parts.OVERVIEW),
    Field("git_hash", TEXT, "versions.git_hash", parts.OVERVIEW, null=True),
    Field("path", TEXT, "versions.path", parts.OVERVIEW),
    Field("average_score", MEAN_5, "versions.stored_score", parts.OVERVIEW, null=True),
)

HISTORY: Final = Shape(
    "The versions of a skill.",
    Field("versions", ListOf(VERSION)),
    Field("current_version", COUNT, "versions.is_current", parts.OVERVIEW),
)
"""`current_version` is an index into the versions."""

RESULT: Final = Shape(
    "One criterion scored 1 to 5; `passed` follows from a score of 3 or more.",
    Field("criterion", TEXT, "judgments.criterion", parts.CRITERIA),
    Field("score", SCORE_5, "judgments.score", parts.CRITERIA),
    Field("passed", FLAG, "judgments.passed", parts.CRITERIA),
    Field("reasoning", TEXT, "judgments.rationale", parts.CRITERIA),
)

CONVENTION: Final = Shape(
    "One convention of skill writing: followed or not, and why; null where nobody checked it.",
    Field("passed", FLAG, "judgments.passed", parts.CONVENTIONS, null=True),
    Field("details", TEXT, "judgments.rationale", parts.CONVENTIONS),
)

COMPLIANCE: Final = Shape(
    "The five fixed conventions, as far as they were checked, beyond the expectations.",
    *(Field(name, CONVENTION, absent=True) for name in CONVENTIONS),
)

CLAIM: Final = Shape(
    "Something the executor said of its work, and whether it holds.",
    Field("claim", TEXT, "claims.claim", parts.CLAIMS),
    Field("verified", FLAG, "claims.verified", parts.CLAIMS),
    Field("evidence", TEXT, "claims.evidence", parts.CLAIMS),
)

MEASURED: Final = "runs.duration_s, runs.tokens, runs.cost_usd"

GRADING: Final = Shape(
    "One run of one case, graded.",
    Field("case_id", TEXT, "runs.case_id", parts.GRID),
    Field("version", COUNT, "runs.version", parts.GRID),
    Field("run", FROM_1, "runs.run", parts.GRID),
    Field("overall_score", MEAN_5, "runs.score", parts.RUN),
    Field("required_score", MEAN_5, "runs.required_score", parts.RUN, null=True),
    Field("results", ListOf(RESULT)),
    Field("overall", Text(words=("pass", "fail")), "runs.passed", parts.RUN),
    Field("convention_compliance", COMPLIANCE),
    Field("claims", ListOf(CLAIM)),
    Field("user_notes_summary", TEXT, "notes.text", parts.NOTES),
    Field("eval_feedback", TEXT, "feedback.text", parts.FEEDBACK),
    Field("execution_metrics", OBJECT, MEASURED, parts.RUN),
    JUDGE,
    JUDGE_TYPE,
)
"""`overall_score` is the mean over all criteria, `required_score` over the required ones (null when
none is required), both to one decimal. `overall` is "pass" when every required criterion passed."""

SIDES: Final = Shape(
    "The scores of both sides in one dimension, 1 to 10.",
    Field("A", SCORE_10, "comparison_scores.score_a", parts.COMPARISONS),
    Field("B", SCORE_10, "comparison_scores.score_b", parts.COMPARISONS),
)

COMPARISON: Final = Shape(
    "Two outputs of one prompt, compared blind.",
    Field("eval_prompt", TEXT, "comparisons.case_id", parts.COMPARISONS),
    Field("winner", Text(words=("A", "B")), "comparisons.winner", parts.COMPARISONS),
    Field("reasoning", TEXT, "comparisons.summary", parts.COMPARISONS),
    Field("scores", MapOf(SIDES), "comparison_scores.criterion", parts.COMPARISONS),
    *COMPARED_BY,
)
"""A may be the younger or the older version."""

TIE: Final = Shape(
    "Two outputs of one prompt of which neither won, as evalcore writes it: other tools know none.",
    Field("eval_prompt", TEXT, "comparisons.case_id", parts.COMPARISONS),
    Field("winner", Text(words=("tie",)), "comparisons.winner", parts.COMPARISONS),
    Field("reasoning", TEXT, "comparisons.summary", parts.COMPARISONS),
    Field("scores", MapOf(SIDES), "comparison_scores.criterion", parts.COMPARISONS),
    Field("evalcore", OBJECT, "comparisons.version_a, comparisons.version_b", parts.COMPARISONS),
    *COMPARED_BY,
)

SUGGESTION: Final = Shape(
    "A change to one area of the skill, as text before and after.",
    Field("area", TEXT, "analyses.area", parts.COMPARISONS),
    Field("before", TEXT, "analyses.before", parts.COMPARISONS),
    Field("after", TEXT, "analyses.after", parts.COMPARISONS),
    Field("reasoning", TEXT, "analyses.reasoning", parts.COMPARISONS),
)

ANALYSIS: Final = Shape(
    "Why the winner of a comparison won, and what to change.",
    Field("winner_version", TEXT, "analyses.winner_version", parts.COMPARISONS),
    Field("loser_version", TEXT, "analyses.loser_version", parts.COMPARISONS),
    Field("strengths", TEXTS, "analyses.reasoning", parts.COMPARISONS),
    Field("weaknesses", TEXTS, "analyses.reasoning", parts.COMPARISONS),
    Field("suggestions", ListOf(SUGGESTION)),
)

KINDS: Final = (
    Document("evals", EVALS, "<skill>/evals/evals.json"),
    Document("history", HISTORY, "<workspace>/history.json"),
    Document("grading", GRADING, "<workspace>/grading/<case>_v<N>_run<R>.json"),
    Document("comparison", COMPARISON, "<workspace>/comparison.json"),
    Document("tie", TIE, "<workspace>/comparisons/comparison-<id>.json"),
    Document("analysis", ANALYSIS, "<workspace>/analysis.json"),
)


def _inside(path: str, kind: str, value: Json) -> Sequence[Part]:
    """Return the one document that a file holds; a tie of our own is no comparison of the form."""
    del path
    is_tie = kind == "comparison" and versions_in(value) and value.get("winner") == "tie"
    return (("tie" if is_tie else kind, "", value),)


DOCUMENTS: Final = Documents(KINDS, inside=_inside)
