"""The golden documents: which file of `tests/data/seeds` is which kind of document."""

import json
from fnmatch import fnmatch
from pathlib import Path
from typing import Any, NamedTuple

from evalcore.families.iterations.rubric_documents import CHECKS, QUALITY_RUBRIC
from evalcore.families.registry import dialect
from evalcore.shapes.fields import Document, Shape

SEEDS = Path(__file__).parent.parent / "data" / "seeds"

_RUN = "skill-workspace/iteration-1/eval-1/*/run-1"

KINDS: dict[str, dict[str, str]] = {
    "improve": {
        "skill/evals/evals.json": "evals",
        "skill-workspace/history.json": "history",
        "skill-workspace/grading/*.json": "grading",
        "skill-workspace/comparison.json": "comparison",
        "skill-workspace/analysis.json": "analysis",
    },
    "rubric": {
        "skill/evals/evals.json": "evals",
        f"{_RUN}/structural.json": "structural",
        f"{_RUN}/grading.json": "grading",
        f"{_RUN}/timing.json": "timing",
        "skill-workspace/iteration-1/benchmark.json": "benchmark",
        "skill-workspace/iteration-1/eval_feedback_aggregate.json": "eval_feedback_aggregate",
    },
    "descriptions": {
        "skill/eval/eval_metadata.json": "eval_metadata",
        "skill/eval/runs/*/grading/*.json": "grading",
        "skill/eval/benchmark.json": "benchmark",
        "skill/eval/comparisons/*.json": "comparison",
    },
    "iterations": {
        "skill/evals/evals.json": "evals",
        "skill-workspace/iteration-1/eval-1/eval_metadata.json": "eval_metadata",
        f"{_RUN}/grading.json": "grading",
        f"{_RUN}/timing.json": "timing",
        "skill-workspace/iteration-1/benchmark.json": "benchmark",
        "skill-workspace/iteration-1/feedback.json": "feedback",
        "skill-workspace/history.json": "history",
        "skill-workspace/iteration-1/eval-1/comparison-1.json": "comparison",
        "skill-workspace/iteration-1/eval-1/analysis.json": "analysis",
    },
    "activation": {
        "skill/evals/trigger-results.json": "trigger_results",
        "skill/evals/*/results.json": "trigger_loop",
    },
    "inspect": {"log.json": "log"},
    "rows": {"table.rows.json": "row_mapping"},
    "promptfoo": {
        "results.json": "promptfoo_export",
        "table.json": "promptfoo_table",
        "lines/result.json": "promptfoo_lines",
    },
}


class Golden(NamedTuple):
    """One golden document and what describes it."""

    path: str
    family: str
    kind: str
    described: Document | Shape

    def read(self) -> Any:
        return json.loads((SEEDS / self.path).read_text(encoding="utf-8"))


def document(family: str, kind: str) -> Document:
    return next(found for found in dialect(family).documents().kinds if found.kind == kind)


def _kind(family: str, path: str) -> str | None:
    if family.startswith("records"):
        record = json.loads((SEEDS / path).read_text(encoding="utf-8"))
        return str(record.get("type") or record["minionTypeId"])
    inside = path.split("/", 1)[1]
    return next((kind for glob, kind in KINDS[family].items() if fnmatch(inside, glob)), None)


def goldens() -> list[Golden]:
    """Every document below `tests/data/seeds`, outputs of runs left out."""
    found = [
        Golden(
            "fragments/rubric_structural_expectation.json",
            "rubric",
            "",
            CHECKS["file_exists"],
        ),
        Golden("fragments/rubric_quality_rubric.json", "rubric", "", QUALITY_RUBRIC),
    ]
    of_set = document("activation", "trigger_set")
    item = "fragments/activation_trigger_set.json"
    found.append(Golden(item, "activation", "trigger_set", of_set))
    weighted = document("iterations", "checklist")
    checklist = "fragments/iterations_checklist.json"
    found.append(Golden(checklist, "iterations", "checklist", weighted))
    tie = document("improve", "tie")
    found.append(Golden("fragments/improve_tie.json", "improve", "tie", tie))
    found += [
        Golden(f"fragments/review_{kind.kind}.json", "reviews", kind.kind, kind)
        for kind in dialect("reviews").documents().kinds
    ]
    for file in sorted(SEEDS.rglob("*.json")):
        path = file.relative_to(SEEDS).as_posix()
        folder = path.split("/", 1)[0]
        if folder == "fragments":
            continue
        family = folder.removesuffix("_sharded")
        kind = _kind(folder, path)
        if kind is not None:
            found.append(Golden(path, family, kind, document(family, kind)))
    return found
