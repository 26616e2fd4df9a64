"""skill-creator's iterations (`iterations`), and `rubric`, which adds structure and scores."""

from dataclasses import replace

from evalcore.families.base import Computed, Family, later
from evalcore.families.iterations.advice import NAMED, advice
from evalcore.families.iterations.find import find, find_left
from evalcore.families.iterations.suite import HEADLINE, read
from evalcore.families.scoring import Scoring, rubric_first

_SUMMARY: dict[str, Computed] = {
    "/summary/passed": "items_passed",
    "/summary/total": "items_total",
    "/summary/pass_rate": "items_rate",
}

FAMILY = Family(
    name="iterations",
    about="Expectations passed or failed, with and without a skill; `rubric` extends it.",
    documents=later("iterations.documents", "DOCUMENTS"),
    rules=later("iterations.rules", "ITERATIONS"),
    aggregates=later("iterations.aggregates", "ITERATIONS"),
    running=later("iterations.running", "ITERATIONS"),
    looks_like=("iteration-N/…/grading.json",),
    headline=HEADLINE["iterations"],
    find=find,
    find_left=find_left,
    read=read,
    file_names=frozenset(NAMED),
    shapes=(
        frozenset({"skill_name", "evals"}),
        frozenset({"eval_id", "assertions"}),
        frozenset({"expectations", "summary"}),
        frozenset({"assertion_results"}),
        frozenset({"run_summary"}),
        frozenset({"runs", "metadata"}),
        frozenset({"reviews", "status"}),
    ),
    advice=advice,
    without_skill=True,
    bare_verdicts=True,
    stored={**_SUMMARY, "/pass_rate": "items_rate", "/result/pass_rate": "items_rate"},
    of_skill=True,
    stored_prompts="beside runs",
)

RUBRIC = replace(
    FAMILY,
    name="rubric",
    about="Structural checks as a gate, then a rubric scored 1 to 5 by a judge.",
    documents=later("iterations.rubric_documents", "DOCUMENTS"),
    rules=later("iterations.rules", "RUBRIC"),
    aggregates=later("iterations.aggregates", "RUBRIC"),
    running=later("iterations.running", "RUBRIC"),
    looks_like=(),
    headline=HEADLINE["rubric"],
    file_names=frozenset({"structural.json", "eval_feedback_aggregate.json"}),
    shapes=(
        frozenset({"expectations", "gate_passed"}),
        frozenset({"rubric_scores"}),
        frozenset({"suggestions", "total_runs"}),
    ),
    scaled=True,
    scoring=Scoring(rule=rubric_first, score_is="weighted mean of the rubric"),
    stored={
        "/rubric_summary/weighted_mean": "score",
        "/rubric_summary/normalized": "fraction",
        **_SUMMARY,
    },
)
