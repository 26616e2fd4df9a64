"""Find the suites of the `descriptions` family: the folders named `eval` inside a skill."""

import re
from collections import defaultdict
from typing import Final

from evalcore.disk.reader import Reader
from evalcore.families.base import Loose, Plan, suite_id

# The folder may also be the opened one itself: then there is no `eval` in the path.
_PLACE: Final = re.compile(
    r"(?P<home>(?:.*/)?eval/)?(?:"
    r"(?P<eval_metadata>eval_metadata\.json)"
    r"|(?P<benchmark>benchmark\.json)"
    r"|(?P<comparison>comparisons/[^/]+\.json)"
    r"|(?P<grading>runs/[^/]+/grading/[^/]+\.json)"
    r"|(?P<output>runs/[^/]+/[^/]+\.json))"
)
_FIELDS: Final = {
    "eval_metadata": ("test_cases", ("skill_name", "version")),
    "benchmark": ("entries", ("skill_name", "description_version")),
    "comparison": ("criteria_scores", ("version_a", "version_b")),
    "grading": ("assertions", ("test_case_id", "run_id")),
}
"""The list of each kind, and what tells it from others without that."""
_AT_ROOT: Final = ("eval_metadata.json", "benchmark.json", "comparisons/", "runs/")
_LOOKED_AT: Final = 3
"""How many gradings or comparisons of a folder are looked into before it is judged by the rest."""


def find(reader: Reader, loose: Loose) -> list[Plan]:  # noqa: ARG001 - this family goes by path
    """Return one plan for each `eval` folder that holds at least one document of this family."""
    homes: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for path in reader.listing.paths:
        near = "eval/" in path or path.startswith(_AT_ROOT)
        if near and (found := _PLACE.fullmatch(path)):
            homes[found["home"] or ""][str(found.lastgroup)].append(path)
    plans = []
    for home, kinds in sorted(homes.items()):
        ours = set()
        for kind, (field, others) in _FIELDS.items():
            if any(
                isinstance(value, dict)
                and (isinstance(value.get(field), list) or all(name in value for name in others))
                for value in map(reader.peek, kinds.get(kind, [])[:_LOOKED_AT])
            ):
                ours.add(kind)
        if not ours:
            continue
        if ours.isdisjoint(("grading", "eval_metadata")):
            kinds.pop("output", None)
        files = [
            (path, kind)
            for kind, paths in kinds.items()
            for path in paths
            # Kinds that were not recognised may belong to another suite.
            if kind == "output" or kind in ours
        ]
        root = home.removesuffix("/")
        skill = root.removesuffix("eval").removesuffix("/") if root else None
        plans.append(Plan(suite_id(skill or ""), "descriptions", root, skill, tuple(sorted(files))))
    return plans


def placed(path: str) -> tuple[str, str] | None:
    """Return the suite's folder and the kind of the document that belongs at a path."""
    found = _PLACE.fullmatch(path)
    if found is None or found.lastgroup == "output":
        return None
    return (found["home"] or "").removesuffix("/"), str(found.lastgroup)
