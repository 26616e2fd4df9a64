"""The documents of the `rubric` family: structural checks first, then a rubric scored 1 to 5."""

from typing import Final

from evalcore.families.base import Documents
from evalcore.families.iterations import documents
from evalcore.families.iterations.documents import RUN_FOLDER
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


def _check(kind: str, about: str, *fields: Field, any_of: tuple[str, ...] = ()) -> Shape:
    return Shape(
        about,
        Field("id", TEXT, "criteria.criterion", parts.DEFINED),
        Field("description", TEXT, "criteria.description", parts.DEFINED),
        Field("critical", FLAG, "criteria.critical", parts.DEFINED),
        Field("type", Text(words=(kind,)), RAW, parts.DEFINED),
        *fields,
        any_of=any_of,
    )


PATTERN: Final = Field("pattern", TEXT, RAW, parts.DEFINED)

WORDS: Final = (
    optional("match", TEXT, RAW, parts.DEFINED),
    optional("match_any", TEXTS, RAW, parts.DEFINED),
    optional("match_regex", TEXT, RAW, parts.DEFINED),
)
CONTENT: Final = (PATTERN, *WORDS)
"""The files to look at, and what to find: a text, one of several, or a regular expression."""

CALL: Final = (Field("tool", TEXT, RAW, parts.DEFINED), *WORDS)
OF_TOOL: Final = (optional("tool", TEXT, RAW, parts.DEFINED), *WORDS)
"""The uses of tools that are meant: by the tool's name, and by what stands in its arguments."""

FINDS: Final = ("match", "match_any", "match_regex")

CHECKS: Final = {
    "file_exists": _check("file_exists", "At least one file matches the glob `pattern`.", PATTERN),
    "file_contains": _check(
        "file_contains",
        "A file that matches `pattern` holds what is to be found.",
        *CONTENT,
        any_of=FINDS,
    ),
    "file_not_contains": _check(
        "file_not_contains",
        "No file that matches `pattern` holds it, save near a text of `except_context`.",
        *CONTENT,
        Field("except_context", TEXTS, RAW, parts.DEFINED, absent=True),
        any_of=FINDS,
    ),
    "no_errors": _check("no_errors", "The transcript shows no error."),
    "file_count": _check(
        "file_count",
        "The number of files that match `pattern`, compared with `count` by `operator`.",
        PATTERN,
        Field("count", COUNT, RAW, parts.DEFINED),
        Field("operator", Text(words=("==", ">=", "<=")), RAW, parts.DEFINED),
    ),
    "used_tool": _check(
        "used_tool",
        "A tool of that name was used, with what is to be found; `*` is any part of a name.",
        *CALL,
    ),
    "not_used_tool": _check("not_used_tool", "No such tool was used.", *CALL),
    "used_skill": _check(
        "used_skill",
        "The skill was used: by its tool, or by reading its SKILL.md. Without `skill`, any.",
        optional("skill", TEXT, RAW, parts.DEFINED),
    ),
    "tool_order": _check(
        "tool_order",
        "These tools were used in this order; others may stand between them.",
        Field("tools", TEXTS, RAW, parts.DEFINED),
    ),
    "max_steps": _check(
        "max_steps",
        "At most `count` uses of tools and answers; with `tool`, uses of that tool.",
        Field("count", COUNT, RAW, parts.DEFINED),
        *OF_TOOL,
    ),
    "max_tool_errors": _check(
        "max_tool_errors",
        "At most `count` uses of tools failed.",
        Field("count", COUNT, RAW, parts.DEFINED),
        *OF_TOOL,
    ),
    "read_file": _check(
        "read_file", "A file whose path ends as the glob `pattern` was read.", PATTERN
    ),
    "wrote_file": _check(
        "wrote_file", "A file whose path ends as the glob `pattern` was written.", PATTERN
    ),
    "custom_script": _check(
        "custom_script",
        "A bash command; exit code 0 passes.",
        Field("script", TEXT, RAW, parts.DEFINED),
    ),
}
"""The structural checks by type; a critical one that fails closes the gate."""

ANCHORS: Final = Shape(
    "What a score of 1, 3 and 5 means.",
    Field("1", TEXT, "criteria.guide", parts.CRITERIA),
    Field("3", TEXT, "criteria.guide", parts.CRITERIA),
    Field("5", TEXT, "criteria.guide", parts.CRITERIA),
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
    optional("time_seconds", STATISTIC),
    optional("tokens", STATISTIC),
    optional("rubric_normalized", STATISTIC),
    optional("overall_efficiency", STATISTIC),
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
    Field("skill_name", TEXT, RAW, parts.DOCUMENTS),
    Field("iteration", COUNT, "feedback.version", parts.ABOUT),
    Field("total_runs", COUNT, RAW, parts.DOCUMENTS),
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
