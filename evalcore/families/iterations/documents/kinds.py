"""The kinds of documents of both families, and where they lie."""

from typing import Final

from evalcore.families.iterations.documents import (
    benchmark,
    cases,
    comparisons,
    progress,
    rubric,
    runs,
)
from evalcore.shapes.fields import Document

EVALS: Final = "<skill>/evals/evals.json"
HISTORY: Final = "<workspace>/history.json"
ITERATION: Final = "<workspace>/iteration-<N>"
EVAL: Final = f"{ITERATION}/<eval>"
RUN: Final = f"{EVAL}/<configuration>/run-<R>"

TIMING: Final = Document("timing", runs.TIMING, f"{RUN}/timing.json")

ITERATIONS: Final = (
    Document("evals", cases.EVALS, EVALS),
    Document("eval_metadata", cases.EVAL_METADATA, f"{EVAL}/eval_metadata.json"),
    Document("grading", runs.GRADING, f"{RUN}/grading.json"),
    TIMING,
    Document("benchmark", benchmark.BENCHMARK, f"{ITERATION}/benchmark.json"),
    Document("feedback", progress.FEEDBACK, f"{ITERATION}/feedback.json"),
    Document("history", progress.HISTORY, HISTORY),
    Document("comparison", comparisons.COMPARISON, f"{EVAL}/comparison-<N>.json"),
    Document("analysis", comparisons.ANALYSIS, f"{EVAL}/analysis.json"),
)

RUBRIC: Final = (
    Document("evals", rubric.EVALS, EVALS),
    Document("structural", rubric.STRUCTURAL, f"{RUN}/structural.json"),
    Document("grading", rubric.GRADING, f"{RUN}/grading.json"),
    TIMING,
    Document("benchmark", rubric.BENCHMARK, f"{ITERATION}/benchmark.json"),
    Document(
        "eval_feedback_aggregate",
        rubric.EVAL_FEEDBACK_AGGREGATE,
        f"{ITERATION}/eval_feedback_aggregate.json",
    ),
)
