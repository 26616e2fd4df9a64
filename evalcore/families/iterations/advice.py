"""Where a document that was not placed would be read, or what it lacks."""

from collections.abc import Mapping, Sequence
from itertools import takewhile
from typing import Any, Final

from evalcore.disk.reader import Json
from evalcore.families.base import Advice, Plan
from evalcore.families.iterations.claimed_files import is_benchmark
from evalcore.layouts.iterations import ITERATION, container_of
from evalcore.layouts.order import natural
from evalcore.layouts.shapes import content_of, holds_items, holds_scores, list_of_cases, stated_in
from evalcore.names import CASES, PROMPT, first

FAMILIES: Final = frozenset({"iterations", "rubric"})
OF_VERSION: Final = {
    "benchmark.json": "benchmark",
    "feedback.json": "feedback",
    "comparison.json": "comparison",
    "analysis.json": "analysis",
}
ITEMS: Final = "It lacks a list `expectations` of {text, passed, evidence}."
AS_GRADING: Final = "With one for each run, it is read as `{}`."
FEW: Final = 8
"""So many fields of an eval are named at most."""
PROMPTS: Final = Advice("It lacks a list `evals` of {id, prompt} at its top.")
RUNS: Final = (
    "It lacks `runs` with an `eval_id`, a `configuration` and a `result` each, or a `run_summary`."
)
NO_TOTAL: Final = (
    "It lacks `total` beside {!r}: write of how many, under the eval and the configuration."
)


def advice(path: str, value: Json, plans: Sequence[Plan]) -> Advice | None:
    """Return what to do with an unread document; None if it is none of this layout."""
    name = path.rpartition("/")[2]
    kind = _kind(name, value)
    if kind is None or not isinstance(value, (dict, list)):
        return None
    mine = [plan for plan in plans if plan.family in FAMILIES]
    named = _named(path, value, mine)
    if kind == "evals":
        return _evals_advice(path, value, named)
    if kind == "benchmark" and not is_benchmark(value):
        stated = stated_in(value)
        if stated is None or stated.has_total:
            return Advice(RUNS)
        return Advice(NO_TOTAL.format(stated.name))
    place = _place(path, value, kind, named or _nearest(path, mine))
    if kind == "grading" and not holds_items(value):
        return Advice(ITEMS if name == "grading.json" else f"{ITEMS} {AS_GRADING.format(place)}")
    return _moved(place)


def _moved(place: str) -> Advice:
    return Advice(f"To have it read, move it to `{place}`.", misplaced=True)


def _kind(name: str, value: Json) -> str | None:
    """Return the kind of document that a file is by its name, else by its content."""
    fields: Mapping[str, Any] = value if isinstance(value, dict) else {}
    if {"case_id", "results"} <= fields.keys() or "test_cases" in fields:
        return None
    if name in OF_VERSION:
        return OF_VERSION[name]
    if name in ("evals.json", "eval_metadata.json", "grading.json"):
        return name.removesuffix(".json")
    if {"reviews", "status"} <= fields.keys():
        return "feedback"
    if "run_summary" in fields or {"runs", "metadata"} <= fields.keys():
        return "benchmark"
    if {"eval_id", "assertions"} <= fields.keys() and not holds_items(value):
        return "eval_metadata"
    found = content_of(value)
    if holds_items(value) or found is None:
        stated = "benchmark" if stated_in(value) is not None or holds_scores(value) else None
        return "grading" if holds_items(value) else stated
    return {"item": "grading", "case": "evals", "run": "benchmark"}.get(found.what)


def _named(path: str, value: Any, plans: Sequence[Plan]) -> Plan | None:
    """Return the suite of the skill that a document names, one with evals before others."""
    stated = value.get("skill_name") if isinstance(value, dict) else None
    names = {path.rpartition("/")[2].removesuffix(".json")}
    names |= {stated} if isinstance(stated, str) else set()
    same = [plan for plan in plans if plan.suite.rpartition("/")[2] in names]
    return max(same, key=lambda plan: bool(plan.of("evals")), default=None)


def _nearest(path: str, plans: Sequence[Plan]) -> Plan | None:
    """Return the suite whose runs lie nearest to a document's folder."""
    folders = path.split("/")[:-1]

    def shared(plan: Plan) -> int:
        """Return how many folders the two paths begin with in common."""
        pairs = zip(folders, plan.root.split("/"), strict=False)
        return len(list(takewhile(lambda pair: pair[0] == pair[1], pairs)))

    near = max(plans, key=shared, default=None)
    return near if near is None or shared(near) > 0 or near.root == "" else None


def _evals_advice(path: str, value: Any, plan: Plan | None) -> Advice:
    """Return where evals would be read: as a skill's evals.json, or in the one that it has."""
    key = list_of_cases(value) or CASES[0]
    items = value.get(key) if isinstance(value, dict) else value
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
    return _moved(f"{skill}/evals/evals.json" if skill else "evals/evals.json")


def _place(path: str, value: Any, kind: str, plan: Plan | None) -> str:
    """Return the path at which a document would be read.

    It is in the version that its path names, else in the last of its suite, else in the first.
    """
    folder = path.rpartition("/")[0]
    root, files = (plan.root, plan.files) if plan is not None else (folder, ())
    found = container_of(folder)
    if found is not None and found[0] == root and ITERATION.match(found[1]):
        version = found[1]
    else:
        start = len(root) + 1 if root else 0
        names = {place[start:].partition("/")[0] for place, _ in files if place.startswith(root)}
        version = max(filter(ITERATION.match, names), key=natural, default="iteration-1")
    above = f"{root}/{version}" if root else version
    if kind not in ("grading", "eval_metadata"):
        return f"{above}/{kind}.json"
    eval_id = value.get("eval_id") if isinstance(value, dict) else None
    case = f"{above}/eval-{eval_id}" if isinstance(eval_id, (int, str)) else f"{above}/<eval>"
    name = "eval_metadata.json" if kind == "eval_metadata" else "<configuration>/grading.json"
    return f"{case}/{name}"
