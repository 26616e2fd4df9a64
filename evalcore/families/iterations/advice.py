"""Advice on unread documents: where each would be read, or what is missing in it."""

from collections.abc import Sequence
from typing import Final

from evalcore.families.base import Advice, Plan
from evalcore.families.iterations.find import is_benchmark
from evalcore.layouts.iterations import ITERATION, container_of
from evalcore.layouts.order import in_common, natural
from evalcore.layouts.shapes import Document, list_of_cases
from evalcore.names import CASES, PROMPT, first

FAMILIES: Final = frozenset({"iterations", "rubric"})
NAMED: Final = {
    "benchmark.json": "benchmark",
    "feedback.json": "feedback",
    "comparison.json": "comparison",
    "analysis.json": "analysis",
    "evals.json": "evals",
    "eval_metadata.json": "eval_metadata",
    "grading.json": "grading",
}
HOLDING: Final = {"item": "grading", "case": "evals", "run": "benchmark"}
MOVED: Final = "To have it read, move it to `{}`."
FEW: Final = 8
"""So many fields of an eval are named at most."""
PROMPTS: Final = Advice("It lacks a list `evals` of {id, prompt} at its top.")


def advice(path: str, document: Document, plans: Sequence[Plan]) -> Advice | None:
    """Return what to do with an unread document; None if it is not of this layout."""
    folder, _, name = path.rpartition("/")
    kind = _kind(name, document)
    if kind is None or not isinstance(document.value, (dict, list)):
        return None
    mine = [plan for plan in plans if plan.family in FAMILIES]
    stated = document.fields.get("skill_name")
    names = {name.removesuffix(".json"), stated if isinstance(stated, str) else None}
    # The suite of the skill that the document names: one with evals before others.
    same = [plan for plan in mine if plan.suite.rpartition("/")[2] in names]
    plan = max(same, key=lambda each: bool(each.of("evals")), default=None)
    if kind == "evals":
        return _evals_advice(path, document, plan)
    if kind == "benchmark" and not is_benchmark(document.value):
        if document.stated is None or document.stated.has_total:
            return Advice(
                "It lacks `runs` with an `eval_id`, a `configuration` and a `result` each, or a "
                "`run_summary`."
            )
        return Advice(
            f"It lacks `total` beside {document.stated.name!r}: write of how many, under the eval "
            "and the configuration."
        )
    if plan is None:  # the suite whose runs lie nearest
        near = max(mine, key=lambda each: in_common(path, each.root), default=None)
        known = near is not None and (near.root == "" or in_common(path, near.root) > 0)
        plan = near if known else None
    # In the version that the path names, else in the last of the suite, else in the first.
    root, files = (plan.root, plan.files) if plan is not None else (folder, ())
    found = container_of(folder)
    if found is not None and found[0] == root and ITERATION.match(found[1]):
        version = found[1]
    else:
        start = len(root) + 1 if root else 0
        versions = {each[start:].partition("/")[0] for each, _ in files if each.startswith(root)}
        version = max(filter(ITERATION.match, versions), key=natural, default="iteration-1")
    place = f"{root}/{version}" if root else version
    if kind in ("grading", "eval_metadata"):
        eval_id = document.fields.get("eval_id")
        place += f"/eval-{eval_id}" if isinstance(eval_id, (int, str)) else "/<eval>"
        place += "/<configuration>" if kind == "grading" else ""
    place += f"/{kind}.json"
    if kind == "grading" and not document.holds_items:
        step = "It lacks a list `expectations` of {text, passed, evidence}."
        more = f" With one for each run, it is read as `{place}`."
        return Advice(step if name == "grading.json" else step + more)
    return Advice(MOVED.format(place), misplaced=True)


def _kind(name: str, document: Document) -> str | None:
    """Return the kind of document that a file is by its name, else by its content."""
    fields = document.fields.keys()
    if {"case_id", "results"} <= fields or "test_cases" in fields:
        return None
    if name in NAMED:
        return NAMED[name]
    if {"reviews", "status"} <= fields:
        return "feedback"
    if "run_summary" in fields or {"runs", "metadata"} <= fields:
        return "benchmark"
    if document.holds_items:
        return "grading"
    if {"eval_id", "assertions"} <= fields:
        return "eval_metadata"
    if document.content is not None:
        return HOLDING.get(document.content.what)
    return "benchmark" if document.stated is not None or document.holds_scores else None


def _evals_advice(path: str, document: Document, plan: Plan | None) -> Advice:
    """Return where evals would be read: as a skill's evals.json, or in the one that it has."""
    key = list_of_cases(document.value) or CASES[0]
    items = document.fields.get(key) if document.fields else document.value
    listed = [each for each in items if isinstance(each, dict)] if type(items) is list else []
    if not listed:
        return PROMPTS
    if not any(isinstance(first(each, PROMPT), str) for each in listed):
        fields = ", ".join(f"`{name[:60]}`" for name in list(listed[0])[:FEW])
        return Advice(
            f"The entries of its list `{key}` have {fields}: write what is asked as `prompt`."
        )
    known = plan.of("evals") if plan is not None else []
    if known:
        return Advice(f"To have its evals read, add them to `{known[0]}`.", misplaced=True)
    folder, _, name = path.rpartition("/")
    skill = plan.skill_path or plan.root if plan is not None else folder
    if plan is None and name != "evals.json":
        skill = path.removesuffix(".json")
    place = f"{skill}/evals/evals.json" if skill else "evals/evals.json"
    return Advice(MOVED.format(place), misplaced=True)
