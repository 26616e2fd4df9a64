"""The documents of the `rubric` family: structural checks first, then a rubric scored 1 to 5."""

from typing import Final

from evalcore.families.base import Documents
from evalcore.families.iterations import documents
from evalcore.families.iterations.documents import RUN_FOLDER, raw
from evalcore.names import EVIDENCE, ITEMS
from evalcore.shapes import parts
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
    Choice,
    Document,
    Field,
    ListOf,
    MapOf,
    Shape,
    Text,
    optional,
)

EVAL_CONFIG: Final = Shape(
    "How the evals run: how often, with a gate before the judge, who judges, with a baseline.",
    Field("runs_per_eval", FROM_1, "suites.runs_per_case", parts.OVERVIEW, absent=True),
    optional("structural_gate", FLAG, RAW, parts.DEFINED),
    optional("judge_model", TEXT, "suites.judge_model", parts.OVERVIEW),
    optional("baseline_comparison", FLAG, RAW, parts.DEFINED),
)
"""Evals run three times where `runs_per_eval` is absent."""


def _check(kind: str, about: str, *fields: Field, finds: bool = False) -> tuple[str, Shape]:
    """Return a type of check with its shape; one that `finds` says what in one of three ways."""
    said = (
        Field("id", TEXT, "criteria.criterion", parts.DEFINED),
        Field("description", TEXT, "criteria.description", parts.DEFINED),
        Field("critical", FLAG, "criteria.critical", parts.DEFINED),
        *raw(Text(words=(kind,)), "type", shown=parts.DEFINED),
    )
    return kind, Shape(about, *said, *fields, any_of=FINDS if finds else ())


FINDS: Final = ("match", "match_any", "match_regex")
PATTERN, SCRIPT, TOOL = raw(TEXT, "pattern", "script", "tool", shown=parts.DEFINED)
COUNTED: Final = Field("count", COUNT, RAW, parts.DEFINED)
WORDS: Final = tuple(
    optional(name, TEXTS if name == "match_any" else TEXT, RAW, parts.DEFINED) for name in FINDS
)
"""What to find: a text, one of several, or a regular expression."""
OF_TOOL: Final = (optional("tool", TEXT, RAW, parts.DEFINED), *WORDS)
"""The uses of tools that are meant: by the tool's name, and by what stands in its arguments."""
EXCEPT: Final = Field("except_context", TEXTS, RAW, parts.DEFINED, absent=True)
OPERATOR: Final = Field("operator", Text(words=("==", ">=", "<=")), RAW, parts.DEFINED)
CONTENT: Final = (PATTERN, *WORDS)

CHECKS: Final = dict((
    _check("file_exists", "At least one file matches the glob `pattern`.", PATTERN),
    _check("file_contains", "A file that matches `pattern` holds what is to be found.", *CONTENT,
           finds=True),
    _check("file_not_contains",
           "No file that matches `pattern` holds it, save near a text of `except_context`.",
           *CONTENT, EXCEPT, finds=True),
    _check("no_errors", "The transcript shows no error."),
    _check("file_count",
           "The number of files that match `pattern`, compared with `count` by `operator`.",
           PATTERN, COUNTED, OPERATOR),
    _check("used_tool",
           "A tool of that name was used, with what is to be found; `*` is any part of a name.",
           TOOL, *WORDS),
    _check("not_used_tool", "No such tool was used.", TOOL, *WORDS),
    _check("used_skill",
           "The skill was used: by its tool, or by reading its SKILL.md. Without `skill`, any.",
           optional("skill", TEXT, RAW, parts.DEFINED)),
    _check("tool_order", "These tools were used in this order; others may stand between them.",
           *raw(TEXTS, "tools", shown=parts.DEFINED)),
    _check("max_steps",
           "At most `count` uses of tools and answers; with `tool`, uses of that tool.",
           COUNTED, *OF_TOOL),
    _check("max_tool_errors", "At most `count` uses of tools failed.", COUNTED, *OF_TOOL),
    _check("read_file", "A file whose path ends as the glob `pattern` was read.", PATTERN),
    _check("wrote_file", "A file whose path ends as the glob `pattern` was written.", PATTERN),
    _check("custom_script", "A bash command; exit code 0 passes.", SCRIPT),
))  # fmt: skip
"""The structural checks by type; a critical one that fails closes the gate."""

ANCHORS: Final = Shape(
    "What a score of 1, 3 and 5 means.",
    *(Field(score, TEXT, "criteria.guide", parts.CRITERIA) for score in "135"),
)

DIMENSION: Final = Shape(
    "One dimension of the rubric; a higher weight counts more in the weighted mean.",
    Field("id", TEXT, RAW, parts.DEFINED),
    Field("name", TEXT, "criteria.criterion", parts.DEFINED),
    Field("description", TEXT, "criteria.description", parts.DEFINED),
    Field("weight", POSITIVE, "criteria.weight", parts.DEFINED),
    Field("scoring", ANCHORS),
)

QUALITY_RUBRIC: Final = Shape(
    "The dimensions that the judge scores.", Field("dimensions", ListOf(DIMENSION))
)

EVAL: Final = documents.EVAL.with_fields(
    "One eval with structural checks and a rubric.",
    Field("name", TEXT, "cases.name", parts.GRID),
    Field("structural_expectations", ListOf(Choice("type", CHECKS))),
    Field("quality_rubric", QUALITY_RUBRIC),
)

EVALS: Final = documents.EVALS.with_fields(
    "The evals of a skill.",
    Field("evals", ListOf(EVAL)),
    optional("eval_config", EVAL_CONFIG),
)

CHECK_RESULT: Final = Shape(
    "One structural check, passed or failed, with the evidence for it; null where it was not run.",
    Field("id", TEXT, "judgments.criterion", parts.CHECKS),
    Field("text", TEXT, "criteria.description", parts.CHECKS),
    Field("type", Text(words=tuple(CHECKS)), RAW, parts.CHECKS),
    Field("passed", FLAG, "judgments.passed", parts.CHECKS, null=True),
    Field("evidence", TEXT, "judgments.evidence", parts.CHECKS),
    Field("critical", FLAG, "criteria.critical", parts.CHECKS),
)

# The rubric decides the score of a run; the checks passed are counts beside it.
SUMMARY: Final = documents.SUMMARY.with_fields(
    "How many of the checks passed, of those that were run; no rate where none was.",
    Field("pass_rate", FRACTION, RAW, parts.DOCUMENT, null=True),
)

STRUCTURAL: Final = Shape(
    "The structural checks of one run.",
    Field("expectations", ListOf(CHECK_RESULT)),
    Field("summary", SUMMARY),
    Field("gate_passed", FLAG, "runs.gate_passed", parts.CHECKS),
)
"""A closed gate skips the judge."""

RUBRIC_SCORE: Final = Shape(
    "One dimension scored 1 to 5, and why.",
    Field("score", SCORE_5, "judgments.score", parts.CRITERIA),
    Field("evidence", TEXT, "judgments.evidence", parts.CRITERIA),
)

RUBRIC_SUMMARY: Final = Shape(
    "The weighted mean of the scores, and the same as a share of 5.",
    Field("weighted_mean", MEAN_5, "runs.score", parts.RUN),
    Field("max_possible", NUMBER, "runs.max_score", parts.RUN),
    Field("normalized", FRACTION, "runs.fraction", parts.RUN),
)

EXPECTATION: Final = documents.EXPECTATION.with_fields(
    documents.EXPECTATION.about,
    Field("evidence", TEXT, "judgments.evidence", parts.CRITERIA, EVIDENCE[1:]),
)

GRADING: Final = documents.GRADING.with_fields(
    "The expectations and the rubric of one run, graded.",
    Field("expectations", ListOf(EXPECTATION), aliases=ITEMS[1:]),
    Field("summary", SUMMARY),
    optional("rubric_scores", MapOf(RUBRIC_SCORE), "judgments.criterion", parts.CRITERIA),
    optional("rubric_summary", RUBRIC_SUMMARY),
)
"""There are no scores where nothing was judged."""

STATISTIC: Final = documents.STATISTIC.with_fields(
    "A metric over runs; `stddev` is null for a single run.",
    Field("stddev", POSITIVE, "benchmarks.stddev", parts.ABOUT, null=True),
)

CONFIGURATION: Final = documents.CONFIGURATION.with_fields(
    "The metrics of one configuration with the rubric's; `consistency` is null for one run.",
    Field("pass_rate", STATISTIC),
    *(
        optional(name, STATISTIC)
        for name in ("time_seconds", "tokens", "rubric_normalized", "overall_efficiency")
    ),
    optional("consistency", NUMBER, "benchmarks.mean", parts.ABOUT),
    optional("rubric_dimensions", MapOf(STATISTIC), "benchmarks.metric", parts.ABOUT),
)

RUN_SUMMARY: Final = documents.RUN_SUMMARY.with_fields(
    "The configurations by name, with the rubric's metrics.",
    others=Field("*", CONFIGURATION, "benchmarks.configuration", parts.ABOUT),
)

BENCHMARK: Final = documents.BENCHMARK.with_fields(
    "The runs of one iteration, summed up.", Field("run_summary", RUN_SUMMARY)
)

SUGGESTION: Final = Shape(
    "A way to make the evals better, in how many runs it came up, and what was decided on it.",
    Field("frequency", FROM_1, "feedback.frequency", parts.ABOUT),
    Field("assertion", TEXT, "feedback.target", parts.ABOUT, null=True),
    Field("reason", TEXT, "feedback.text", parts.ABOUT),
    Field("action", TEXT, "feedback.action", parts.ABOUT, null=True),
)

EVAL_FEEDBACK_AGGREGATE: Final = Shape(
    "What all runs of an iteration say of the evals.",
    *raw(TEXT, "skill_name"),
    Field("iteration", COUNT, "feedback.version", parts.ABOUT),
    *raw(COUNT, "total_runs"),
    Field("suggestions", ListOf(SUGGESTION)),
)

RUBRIC: Final = (
    Document("evals", EVALS, "<skill>/evals/evals.json"),
    Document("structural", STRUCTURAL, f"{RUN_FOLDER}/structural.json"),
    Document("grading", GRADING, f"{RUN_FOLDER}/grading.json"),
    Document("timing", documents.TIMING, f"{RUN_FOLDER}/timing.json"),
    Document("benchmark", BENCHMARK, "<workspace>/iteration-<N>/benchmark.json"),
    Document(
        "eval_feedback_aggregate",
        EVAL_FEEDBACK_AGGREGATE,
        "<workspace>/iteration-<N>/eval_feedback_aggregate.json",
    ),
)

DOCUMENTS: Final = Documents(RUBRIC, shared=documents.ITERATIONS, inside=documents.documented)
