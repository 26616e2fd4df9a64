"""The documents of the `iterations` family: what is asked, each run, and the runs side by side."""

from collections.abc import Sequence
from typing import Final

from evalcore.disk.reader import Json
from evalcore.families.base import Documents, Part
from evalcore.layouts.shapes import list_of_cases
from evalcore.names import CASES, EVIDENCE, ITEMS, STANDARD_ITEMS, VERDICT, WORDING
from evalcore.shapes import judge, parts
from evalcore.shapes.fields import (
    COUNT,
    FLAG,
    FRACTION,
    FROM_1,
    MEAN_5,
    NUMBER,
    POSITIVE,
    RAW,
    SCORE_5,
    TEXT,
    TEXTS,
    TIME,
    WHOLE,
    Document,
    Either,
    Field,
    ListOf,
    MapOf,
    Number,
    Shape,
    Text,
    Type,
    optional,
)


def raw(kind: Type, *names: str, shown: str = parts.DOCUMENTS) -> list[Field]:
    """Return fields of one type that stay in the document."""
    return [Field(name, kind, RAW, shown) for name in names]


def optional_raw(kind: Type, *names: str) -> list[Field]:
    """Return fields of one type that stay in the document of a run, and may be absent or null."""
    return [optional(name, kind, RAW, parts.DOCUMENT) for name in names]


EVAL: Final = Shape(
    "One eval; `files` are relative to the skill. Younger files say `assertions`.",
    Field("id", WHOLE, "cases.case_id", parts.GRID),
    Field("prompt", TEXT, "cases.prompt", parts.CASE),
    Field("expected_output", TEXT, "cases.expected", parts.CASE),
    Field("files", TEXTS, "cases.files", parts.CASE, absent=True),
    optional("expectations", TEXTS, "criteria.description", parts.DEFINED),
    optional("assertions", TEXTS, "criteria.description", parts.DEFINED),
)

EVALS: Final = Shape(
    "The evals of a skill.",
    *raw(TEXT, "skill_name"),
    Field("evals", ListOf(EVAL)),
)

CHECKLIST_ITEM: Final = Shape(
    "What is checked of the output, and how many points it is worth.",
    *raw(TEXT, "name"),
    Field("description", TEXT, "criteria.description", parts.DEFINED),
    Field("max_score", NUMBER, "criteria.weight", parts.DEFINED),
)

CHECKLIST: Final = Shape(
    "The weighted criteria of one case, which the `task.md` beside it asks.",
    Field("context", TEXT, RAW, parts.DOCUMENTS, absent=True),
    Field("type", TEXT, RAW, parts.DOCUMENTS, absent=True),
    Field("checklist", ListOf(CHECKLIST_ITEM)),
)

EVAL_METADATA: Final = Shape(
    "One eval as it was asked in one iteration.",
    Field("eval_id", WHOLE, "cases.case_id", parts.GRID),
    Field("eval_name", TEXT, "cases.name", parts.GRID),
    Field("prompt", TEXT, "cases.prompt", parts.CASE),
    Field("assertions", TEXTS, "criteria.description", parts.DEFINED),
)

EXPECTATION: Final = Shape(
    "One expectation, passed or failed, with the evidence for it.",
    Field("text", TEXT, "judgments.criterion", parts.CRITERIA, WORDING[1:]),
    Field("passed", FLAG, "judgments.passed", parts.CRITERIA, VERDICT[1:]),
    Field("evidence", TEXT, "judgments.evidence", parts.CRITERIA, EVIDENCE[1:], absent=True),
)

SUMMARY: Final = Shape(
    "How many of the checks passed; `pass_rate` is 0 to 1.",
    Field("passed", COUNT, "runs.checks_passed", parts.RUN),
    *raw(COUNT, "failed", shown=parts.DOCUMENT),
    Field("total", COUNT, "runs.checks_total", parts.RUN),
    Field("pass_rate", FRACTION, "runs.fraction", parts.RUN),
)

METRICS: Final = Shape(
    "What the executor did: calls by tool, steps, errors, and characters written.",
    Field("tool_calls", MapOf(COUNT), RAW, parts.DOCUMENT, absent=True),
    *optional_raw(COUNT, "total_tool_calls", "total_steps"),
    Field("files_created", TEXTS, RAW, parts.DOCUMENT, absent=True),
    *optional_raw(COUNT, "errors_encountered", "output_chars", "transcript_chars"),
)

TOTAL_SECONDS: Final = optional("total_duration_seconds", POSITIVE, "runs.duration_s", parts.RUN)

RUN_TIMING: Final = Shape(
    "Seconds that the executor and the grader took.",
    *optional_raw(POSITIVE, "executor_duration_seconds", "grader_duration_seconds"),
    TOTAL_SECONDS,
)

CLAIM: Final = Shape(
    "Something the executor said of its work, its kind, and whether it holds.",
    Field("claim", TEXT, "claims.claim", parts.CLAIMS),
    Field("type", TEXT, "claims.type", parts.CLAIMS),
    Field("verified", FLAG, "claims.verified", parts.CLAIMS),
    Field("evidence", TEXT, "claims.evidence", parts.CLAIMS),
)

USER_NOTES: Final = Shape(
    "What the executor was not sure of, wants looked at, or worked around.",
    Field("uncertainties", TEXTS, "notes.text", parts.NOTES, absent=True),
    Field("needs_review", TEXTS, "notes.text", parts.NOTES, absent=True),
    Field("workarounds", TEXTS, "notes.text", parts.NOTES, absent=True),
)

SUGGESTION: Final = Shape(
    "A way to make the evals better; without `assertion` it is about all of them.",
    optional("assertion", TEXT, "feedback.target", parts.FEEDBACK),
    Field("reason", TEXT, "feedback.text", parts.FEEDBACK),
)

EVAL_FEEDBACK: Final = Shape(
    "What the grader says of the evals themselves.",
    Field("suggestions", ListOf(SUGGESTION), absent=True),
    optional("overall", TEXT, "feedback.text", parts.FEEDBACK),
)

JUDGE: Final = judge.JUDGE._replace(
    aliases=("grader", "judge_model", "grader_model", "judged_by", "graded_by")
)

GRADING: Final = Shape(
    "The expectations of one run, graded.",
    Field("expectations", ListOf(EXPECTATION), aliases=ITEMS[1:], accepted=STANDARD_ITEMS[1:]),
    Field("summary", SUMMARY, absent=True),
    JUDGE,
    judge.JUDGE_TYPE,
    optional("execution_metrics", METRICS),
    optional("timing", RUN_TIMING),
    optional("claims", ListOf(CLAIM)),
    optional("user_notes_summary", Either(USER_NOTES), "notes.text", parts.NOTES),
    optional("eval_feedback", Either(EVAL_FEEDBACK), "feedback.text", parts.FEEDBACK),
)
"""What the executor did not supply is absent."""

TIMING: Final = Shape(
    "Tokens and wall clock of one run.",
    Field("total_tokens", COUNT, "runs.tokens", parts.RUN, null=True),
    Field("duration_ms", POSITIVE, "runs.duration_s", parts.RUN, null=True),
    TOTAL_SECONDS,
    optional("executor_start", TIME, "runs.started_at", parts.RUN),
    *optional_raw(TIME, "executor_end"),
    *optional_raw(POSITIVE, "executor_duration_seconds"),
    *optional_raw(TIME, "grader_start", "grader_end"),
    *optional_raw(POSITIVE, "grader_duration_seconds"),
)
"""What was not measured is null."""

METADATA: Final = Shape(
    "What was run: the skill, the models, the evals and how often each.",
    *raw(TEXT, "skill_name"),
    optional("skill_path", TEXT, RAW, parts.DOCUMENTS),
    optional("executor_model", TEXT, "runs.model", parts.RUN),
    optional("analyzer_model", TEXT, RAW, parts.DOCUMENTS),
    Field("timestamp", TIME, "versions.created_at", parts.OVERVIEW),
    Field("evals_run", ListOf(Either(WHOLE)), RAW, parts.DOCUMENTS),
    Field("runs_per_configuration", FROM_1, "versions.runs_per_case", parts.OVERVIEW),
)

RUN_RESULT: Final = Shape(
    "The numbers of one run; 0 seconds or tokens mean that they were not measured.",
    Field("pass_rate", FRACTION, "runs.fraction", parts.RUN),
    Field("passed", COUNT, "runs.checks_passed", parts.RUN),
    *raw(COUNT, "failed", shown=parts.DOCUMENT),
    Field("total", COUNT, "runs.checks_total", parts.RUN),
    optional("time_seconds", POSITIVE, "runs.duration_s", parts.RUN),
    optional("tokens", POSITIVE, "runs.tokens", parts.RUN),
    *optional_raw(COUNT, "tool_calls", "errors"),
)

BENCHMARK_RUN: Final = Shape(
    "One run of one eval in one configuration.",
    Field("eval_id", WHOLE, "runs.case_id", parts.GRID),
    optional("eval_name", TEXT, "cases.name", parts.GRID),
    Field("configuration", TEXT, "runs.configuration", parts.GRID),
    Field("run_number", FROM_1, "runs.run", parts.GRID),
    Field("result", RUN_RESULT),
    Field("expectations", ListOf(EXPECTATION), absent=True),
    Field("notes", TEXTS, "notes.text", parts.NOTES, absent=True),
)

STATISTIC: Final = Shape(
    "A metric over runs; a single run has no `stddev`.",
    Field("mean", NUMBER, "benchmarks.mean", parts.ABOUT),
    optional("stddev", POSITIVE, "benchmarks.stddev", parts.ABOUT),
    optional("min", NUMBER, "benchmarks.min", parts.ABOUT),
    optional("max", NUMBER, "benchmarks.max", parts.ABOUT),
)

CONFIGURATION: Final = Shape(
    "The metrics of one configuration.",
    Field("pass_rate", STATISTIC),
    optional("time_seconds", STATISTIC),
    optional("tokens", STATISTIC),
)

DELTA: Final = Shape(
    'The first configuration minus the second: a number, or signed text like "+0.50".',
    *(
        optional(name, Either(NUMBER), "benchmarks.mean, benchmarks.text", parts.ABOUT)
        for name in ("pass_rate", "time_seconds", "tokens")
    ),
)

RUN_SUMMARY: Final = Shape(
    "The configurations by name, and the difference between the first two.",
    optional("delta", DELTA),
    others=Field("*", CONFIGURATION, "benchmarks.configuration", parts.ABOUT),
)

BENCHMARK: Final = Shape(
    "The runs of one iteration, side by side and summed up.",
    optional("metadata", METADATA),
    Field("runs", ListOf(BENCHMARK_RUN), absent=True),
    Field("run_summary", RUN_SUMMARY),
    Field("notes", TEXTS, "notes.text", parts.ABOUT, absent=True),
)

REVIEW: Final = Shape(
    "What a reader wrote about one run; an empty text means nothing to say.",
    Field("run_id", TEXT, "feedback.run_id", parts.FEEDBACK),
    Field("feedback", TEXT, "feedback.text", parts.FEEDBACK),
    Field("timestamp", TEXT, "feedback.created_at", parts.FEEDBACK),
)

FEEDBACK: Final = Shape(
    "What a reader wrote about the runs of one iteration.",
    Field("reviews", ListOf(REVIEW)),
    Field("status", Text(words=("in_progress", "complete")), RAW, parts.DOCUMENTS),
)

OUTCOME: Final = Text(words=("baseline", "won", "lost", "tie"))

ITERATION: Final = Shape(
    "One version, its parent, and how it did against it.",
    Field("version", TEXT, "versions.version", parts.OVERVIEW),
    Field("parent", TEXT, "versions.description", parts.OVERVIEW, null=True),
    Field("expectation_pass_rate", FRACTION, "versions.stored_score", parts.OVERVIEW, null=True),
    Field("grading_result", OUTCOME, "versions.description", parts.OVERVIEW),
    Field("is_current_best", FLAG, "versions.is_current", parts.OVERVIEW),
)

HISTORY: Final = Shape(
    "The versions of a skill and the best of them.",
    *raw(TIME, "started_at"),
    *raw(TEXT, "skill_name"),
    Field("current_best", TEXT, "versions.is_current", parts.OVERVIEW),
    Field("iterations", ListOf(ITERATION)),
)

MEAN_10: Final = Number(low=1, high=10)
WINNER: Final = Text(words=("A", "B", "TIE"))
PRIORITY: Final = Text(words=("high", "medium", "low"))
CATEGORY: Final = Text(
    words=("instructions", "tools", "examples", "error_handling", "structure", "references")
)


def _rubric_side(side: str) -> Shape:
    score = f"comparison_scores.criterion, comparison_scores.score_{side}"
    return Shape(
        "One side scored 1 to 5 by a rubric made for the prompt; `overall_score` is 1 to 10.",
        Field("content", MapOf(SCORE_5), score, parts.COMPARISONS),
        Field("structure", MapOf(SCORE_5), score, parts.COMPARISONS),
        *raw(MEAN_5, "content_score", "structure_score"),
        Field("overall_score", MEAN_10, f"comparisons.total_{side}", parts.COMPARISONS),
    )


def _sides(about: str, a: Shape, b: Shape) -> Shape:
    return Shape(about, Field("A", a), Field("B", b))


QUALITY: Final = Shape(
    "One side as a whole, 1 to 10, with what is good and bad about it.",
    *raw(MEAN_10, "score"),
    *raw(TEXTS, "strengths", "weaknesses"),
)

DETAIL: Final = Shape(
    "One expectation, passed or failed.", *raw(TEXT, "text"), *raw(FLAG, "passed")
)

EXPECTATIONS: Final = Shape(
    "The expectations that one side met.",
    *raw(COUNT, "passed", "total"),
    *raw(FRACTION, "pass_rate"),
    Field("details", ListOf(DETAIL)),
)

COMPARISON: Final = Shape(
    "Two outputs of one prompt, compared blind by a rubric made for it.",
    Field("winner", WINNER, "comparisons.winner", parts.COMPARISONS),
    Field("reasoning", TEXT, "comparisons.summary", parts.COMPARISONS),
    Field("rubric", _sides("Both sides' rubric scores.", _rubric_side("a"), _rubric_side("b"))),
    Field("output_quality", _sides("Both sides as a whole.", QUALITY, QUALITY)),
    optional(
        "expectation_results",
        _sides("The expectations that both sides met.", EXPECTATIONS, EXPECTATIONS),
    ),
)

COMPARISON_SUMMARY: Final = Shape(
    "Which side won and which skills stood behind the two.",
    *raw(WINNER, "winner"),
    *raw(TEXT, "winner_skill", "loser_skill", "comparator_reasoning"),
)

INSTRUCTION_SCORE: Final = Shape(
    "How well the instructions were followed, 1 to 10, and where not.",
    *raw(MEAN_10, "score"),
    *raw(TEXTS, "issues"),
)

INSTRUCTION_FOLLOWING: Final = Shape(
    "How well winner and loser followed their instructions.",
    Field("winner", INSTRUCTION_SCORE),
    Field("loser", INSTRUCTION_SCORE),
)

IMPROVEMENT: Final = Shape(
    "A change to the losing skill and what it would bring.",
    *raw(PRIORITY, "priority"),
    Field("category", CATEGORY, "analyses.area", parts.COMPARISONS),
    Field("suggestion", TEXT, "analyses.after", parts.COMPARISONS),
    Field("expected_impact", TEXT, "analyses.reasoning", parts.COMPARISONS),
)

INSIGHTS: Final = Shape(
    "How winner and loser went about the task.",
    *raw(TEXT, "winner_execution_pattern", "loser_execution_pattern"),
)

ANALYSIS: Final = Shape(
    "Why the winner of a comparison won, and what would improve the loser.",
    Field("comparison_summary", COMPARISON_SUMMARY),
    Field("winner_strengths", TEXTS, "analyses.reasoning", parts.COMPARISONS),
    Field("loser_weaknesses", TEXTS, "analyses.reasoning", parts.COMPARISONS),
    Field("instruction_following", INSTRUCTION_FOLLOWING),
    Field("improvement_suggestions", ListOf(IMPROVEMENT)),
    Field("transcript_insights", INSIGHTS),
)

EVAL_FOLDER: Final = "<workspace>/iteration-<N>/<eval>"
RUN_FOLDER: Final = f"{EVAL_FOLDER}/<configuration>/run-<R>"

ITERATIONS: Final = (
    Document("evals", EVALS, "<skill>/evals/evals.json"),
    Document("checklist", CHECKLIST, "<skill>/evals/<scenario>/criteria.json"),
    Document("eval_metadata", EVAL_METADATA, f"{EVAL_FOLDER}/eval_metadata.json"),
    Document("grading", GRADING, f"{RUN_FOLDER}/grading.json"),
    Document("timing", TIMING, f"{RUN_FOLDER}/timing.json"),
    Document("benchmark", BENCHMARK, "<workspace>/iteration-<N>/benchmark.json"),
    Document("feedback", FEEDBACK, "<workspace>/iteration-<N>/feedback.json"),
    Document("history", HISTORY, "<workspace>/history.json"),
    Document("comparison", COMPARISON, f"{EVAL_FOLDER}/comparison-<N>.json"),
    Document("analysis", ANALYSIS, f"{EVAL_FOLDER}/analysis.json"),
)
HINTS: Final = {each.kind: each.hint for each in ITERATIONS}
"""How each is written, which one decides for all that are written otherwise."""


def documented(path: str, kind: str, value: Json) -> Sequence[Part]:
    """Return the document in a file; none where it has no model, as a single eval or a bare map."""
    other = kind == "evals" and path.rpartition("/")[2] == "case.json"
    if kind == "feedback" and isinstance(value, dict):
        as_map = value.keys().isdisjoint(("reviews", "status"))
        other = bool(value) and as_map and all(isinstance(text, str) for text in value.values())
    elif kind == "evals":
        other = other or list_of_cases(value) not in (None, CASES[0])
    return () if other else ((kind, "", value),)


DOCUMENTS: Final = Documents(ITERATIONS, loose=True, inside=documented)
