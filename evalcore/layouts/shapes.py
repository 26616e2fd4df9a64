"""Tell by its shape whether a JSON value is an evaluation document."""

from typing import Any

NAMES = frozenset(
    {"grading.json", "structural.json", "benchmark.json", "eval_metadata.json", "feedback.json",
     "evals.json", "comparison.json", "analysis.json", "eval_feedback_aggregate.json"}
)  # fmt: skip

SHAPES: tuple[frozenset[str], ...] = tuple(
    frozenset(keys.split())
    for keys in (
        "case_id results overall_score",
        "versions current_version",
        "winner scores reasoning",
        "winner_version loser_version",
        "expectations summary",
        "expectations gate_passed",
        "rubric_scores",
        "test_case_id assertions",
        "test_cases skill_name",
        "entries description_version",
        "version_a version_b criteria_scores",
        "run_summary",
        "runs metadata",
        "eval_id assertions",
        "skill_name evals",
        "reviews status",
        "assertion_results",
        "suggestions total_runs",
    )
)


def looks_like_evaluation(path: str, value: Any) -> bool:
    """Say whether an unclaimed file is an evaluation document by name or by shape.

    A file that could not be read has no shape (`value` None) and counts by its name alone.
    """
    return path.rpartition("/")[2] in NAMES or has_shape(value)


def has_shape(value: Any) -> bool:
    """Say whether a JSON value has the fields of an evaluation document."""
    return isinstance(value, dict) and any(keys <= value.keys() for keys in SHAPES)
