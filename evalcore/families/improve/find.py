"""Find the suites of the `improve` family, and join each workspace to its test cases."""

import re
from collections import defaultdict
from collections.abc import Collection, Mapping
from typing import Final, NamedTuple

from evalcore.disk.reader import MISSING, Reader
from evalcore.families.base import ClaimedFile, Loose, Plan, suite_id
from evalcore.layouts.shapes import are_scored_cases

GRADING_NAME: Final = re.compile(r"(?P<case>.+)_v(?P<version>\d+)_run(?P<run>\d+)\.json")
RUN_FOLDER: Final = re.compile(r"(?P<version>v\d+)/runs(?:/(?P<case>[^/]+))?/run-(?P<run>\d+)")
RUN_PLACE: Final = re.compile(RUN_FOLDER.pattern + r"/grading\.json")
_RUNS: Final = re.compile(r"(?:(?P<root>.*?)/)?v\d+/runs(?:/.*)?")
_VERSION: Final = re.compile(r"v\d+")
_OTHER_GRADINGS: Final = re.compile(r"(?:.*/)?runs/[^/]+/grading")

_Names = Mapping[str, list[str]]
"""Folder to the names of its files."""


class _Skill(NamedTuple):
    """A file of test cases: the folder of its skill and its case ids (None if unreadable).

    One that is not `ours` lists cases in the words of another tool.
    """

    path: str
    cases: frozenset[str] | None
    ours: bool = True

    def fits(self, graded: frozenset[str]) -> bool:
        """Say whether these may be the cases of a workspace in which some were graded."""
        return bool(graded & (self.cases or frozenset())) if graded else self.ours


def find(reader: Reader, loose: Loose) -> list[Plan]:  # noqa: ARG001 - this family goes by path
    """Return one plan for each workspace, and one for each skill that has test cases only."""
    names: dict[str, list[str]] = defaultdict(list)
    for path in reader.listing.paths:
        folder, _, name = path.rpartition("/")
        names[folder].append(name)
    roots = _roots(reader, names)
    produced: dict[str, list[str]] = defaultdict(list)
    for folder in names if roots else ():
        root = _produced_by(folder, roots)
        if root is not None:
            produced[root].append(folder)
    outputs = {folder for folders in produced.values() for folder in folders}
    skills: dict[str, _Skill] = {}
    for folder, listed in names.items():
        if "evals.json" not in listed or folder in outputs:
            continue
        path = below(folder, "evals.json")
        value = reader.peek(path)
        parent, _, last = folder.rpartition("/")
        home = parent if last == "evals" else folder
        if value is MISSING:
            skills[path] = _Skill(home, None)
        elif isinstance(value, dict) and isinstance(value.get("cases"), list):
            cases = (each for each in value["cases"] if isinstance(each, dict) and "id" in each)
            ids = frozenset(str(case["id"]) for case in cases)
            skills[path] = _Skill(home, ids, are_scored_cases(value))
    plans: list[Plan] = []

    def free_id(*wanted: str) -> str:
        taken = {plan.suite for plan in plans}
        return next(
            (each for each in wanted if each not in taken), f"{wanted[-1]}#{len(plans) + 1}"
        )

    joined = set()
    for root in sorted(roots):
        files: list[ClaimedFile] = []
        comparisons, gradings = below(root, "comparisons"), below(root, "grading")
        for folder, usual in ((root, ""), (comparisons, "comparison"), (gradings, "grading")):
            for name in names.get(folder, ()):
                starts = (kind for kind in ("comparison", "analysis") if name.startswith(kind))
                kind = next(starts, usual)
                if folder == root and name == "history.json":
                    kind = "history"
                elif folder == gradings and GRADING_NAME.fullmatch(name):
                    kind = "grading"
                if kind and name.endswith(".json"):
                    files.append((below(folder, name), kind))
        for path in (f"{folder}/{name}" for folder in produced[root] for name in names[folder]):
            is_graded = RUN_PLACE.fullmatch(path.removeprefix(below(root, "")))
            files.append((path, "grading" if is_graded else "output"))
        files.sort()
        evals, skill, home = _cases_of(reader, root, skills, files)
        if evals is not None:
            files.append((evals, "evals"))
            joined.add(evals)
        suite = free_id(suite_id(home), suite_id(root), root or ".")
        plans.append(Plan(suite, "improve", root, skill, tuple(files)))
    for evals, found in sorted(skills.items()):
        if evals not in joined and found.cases is not None and found.ours:
            suite = free_id(suite_id(found.path), found.path or ".", evals)
            plans.append(Plan(suite, "improve", found.path, found.path, ((evals, "evals"),)))
    return plans


def below(folder: str, name: str) -> str:
    """Return the path of `name` in `folder`, where `""` is the workspace's root."""
    return f"{folder}/{name}" if folder else name


def _roots(reader: Reader, names: _Names) -> set[str]:
    """Return the folders with a history or gradings, except those produced by a run."""
    roots = set()
    for folder, listed in names.items():
        parent, _, last = folder.rpartition("/")
        if "history.json" in listed:
            value = reader.peek(below(folder, "history.json"))
            held = isinstance(value, dict) and isinstance(value.get("versions"), list)
            if held or (value is MISSING and _versions(reader, folder)):
                roots.add(folder)
        if last == "grading" and not _OTHER_GRADINGS.fullmatch(folder):
            held = any(map(GRADING_NAME.fullmatch, listed))
            if not held:
                value = reader.peek(f"{folder}/{listed[0]}")
                held = isinstance(value, dict) and {"case_id", "results", "version"} <= value.keys()
            if held:
                roots.add(parent)
    return {root for root in roots if _produced_by(root, roots) is None}


def _produced_by(folder: str, roots: Collection[str]) -> str | None:
    """Return the workspace of which a run produced a folder."""
    found = _RUNS.fullmatch(folder)
    root = (found["root"] or "") if found else None
    return root if root in roots else None


def _versions(reader: Reader, root: str) -> list[int]:
    """Return the numbers of the folders `vN/skill` in a workspace, the latest first."""
    folders = filter(_VERSION.fullmatch, reader.subfolders.get(root, ()))
    there = (each for each in folders if below(root, f"{each}/skill") in reader.listing.folders)
    return sorted((int(each[1:10]) for each in there), reverse=True)


def _cases_of(
    reader: Reader, root: str, skills: Mapping[str, _Skill], files: list[ClaimedFile]
) -> tuple[str | None, str | None, str]:
    """Return the test cases of a workspace, the skill they are of, and what names the suite."""
    places = (path.rpartition("/")[2] for path, kind in files if kind == "grading")
    graded = frozenset(found["case"] for found in map(GRADING_NAME.fullmatch, places) if found)
    # In the sibling of the same name, or in a skill around the workspace.
    bare = root.removesuffix("-workspace")
    sibling = below(bare, "evals/evals.json")
    near = skills.get(sibling) if bare != root else None
    if near is not None and (near.ours or near.fits(graded)):
        return sibling, bare, bare
    folder = root
    while True:
        for path in (below(folder, "evals/evals.json"), below(folder, "evals.json")):
            known = skills.get(path)
            # A skill further up may be another one: it is not ours when no case is.
            if known and (known.cases is None or known.fits(graded)):
                return path, known.path, known.path
        if not folder:
            break
        folder = folder.rpartition("/")[0]
    # Inside the latest version that has some, which no walk enters.
    for number in _versions(reader, root):
        skill = below(root, f"v{number}/skill")
        path = f"{skill}/evals/evals.json"
        if reader.extra(path) is not None:  # noqa: S610 - a file beside the listed ones
            return path, skill, root
    same = [path for path, known in skills.items() if graded and known.cases == graded]
    if len(same) == 1:
        home = skills[same[0]].path
        return same[0], home, home
    return None, None, root
