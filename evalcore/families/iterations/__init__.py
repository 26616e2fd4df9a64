"""skill-creator's iterations (`iterations`), and what structure and rubric add (`rubric`).

Two families of one layout: one finder decides which of them a suite is.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from evalcore.disk.reader import Json
from evalcore.families.base import Computed, Documents, Family, Part
from evalcore.families.iterations.advice import advice
from evalcore.families.iterations.find import find, find_left
from evalcore.families.iterations.suite import HEADLINE, read
from evalcore.families.scoring import Scoring, rubric_first
from evalcore.layouts.shapes import list_of_cases
from evalcore.names import CASES

if TYPE_CHECKING:
    from evalcore.families.aggregating import Aggregates
    from evalcore.families.linting import Rules
    from evalcore.families.running import Running

_SUMMARY: dict[str, Computed] = {
    "/summary/passed": "items_passed",
    "/summary/total": "items_total",
    "/summary/pass_rate": "items_rate",
}

ONE_EVAL = "case.json"


def _documents() -> Documents:
    from evalcore.families.iterations.documents import ITERATIONS

    return Documents(ITERATIONS, loose=True, inside=_documented)


def _rubric_documents() -> Documents:
    from evalcore.families.iterations.documents import ITERATIONS
    from evalcore.families.iterations.rubric_documents import RUBRIC

    return Documents(RUBRIC, shared=ITERATIONS, inside=_documented)


def _documented(path: str, kind: str, value: Json) -> Sequence[Part]:
    """Return the document in a file.

    Without a model of its own is one that is a single eval, a list of evals under another name, or
    the open standard's feedback: a map of eval to text.
    """
    other = kind == "evals" and path.rpartition("/")[2] == ONE_EVAL
    if kind == "feedback" and isinstance(value, dict):
        as_map = value.keys().isdisjoint(("reviews", "status"))
        other = bool(value) and as_map and all(isinstance(text, str) for text in value.values())
    elif kind == "evals":
        other = other or list_of_cases(value) not in (None, CASES[0])
    return () if other else ((kind, "", value),)


def _rules() -> "Rules":
    from evalcore.families.iterations.rules import ITERATIONS

    return ITERATIONS


def _rubric_rules() -> "Rules":
    from evalcore.families.iterations.rules import RUBRIC

    return RUBRIC


def _aggregates() -> "Aggregates":
    from evalcore.families.iterations.aggregates import ITERATIONS

    return ITERATIONS


def _rubric_aggregates() -> "Aggregates":
    from evalcore.families.iterations.aggregates import RUBRIC

    return RUBRIC


def _running() -> "Running":
    from evalcore.families.iterations.running import ITERATIONS

    return ITERATIONS


def _rubric_running() -> "Running":
    from evalcore.families.iterations.running import RUBRIC

    return RUBRIC


FAMILY = Family(
    name="iterations",
    about="Expectations passed or failed, with and without a skill; `rubric` extends it.",
    documents=_documents,
    rules=_rules,
    aggregates=_aggregates,
    running=_running,
    looks_like=("iteration-N/…/grading.json",),
    headline=HEADLINE["iterations"],
    find=find,
    find_left=find_left,
    read=read,
    file_names=frozenset(
        {
            "evals.json",
            "eval_metadata.json",
            "grading.json",
            "benchmark.json",
            "feedback.json",
            "comparison.json",
            "analysis.json",
        }
    ),
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
    documents=_rubric_documents,
    rules=_rubric_rules,
    aggregates=_rubric_aggregates,
    running=_rubric_running,
    looks_like=(),
    headline=HEADLINE["rubric"],
    file_names=frozenset({"structural.json", "eval_feedback_aggregate.json"}),
    shapes=(
        frozenset({"expectations", "gate_passed"}),
        frozenset({"rubric_scores"}),
        frozenset({"suggestions", "total_runs"}),
    ),
    scaled=True,
    scoring=Scoring(rule=rubric_first),
    stored={
        "/rubric_summary/weighted_mean": "score",
        "/rubric_summary/normalized": "fraction",
        **_SUMMARY,
    },
)
