"""Find the suites of the `improve` family, and join each workspace to its test cases."""

import re
from collections import defaultdict
from typing import Final, NamedTuple

from evalcore.disk.reader import MISSING, Json, Reader
from evalcore.families.base import ClaimedFile, Loose, Plan, suite_id

GRADING_NAME: Final = re.compile(r"(?P<case>.+)_v(?P<version>\d+)_run(?P<run>\d+)\.json")
RUN_FOLDER: Final = re.compile(r"(?P<version>v\d+)/runs(?:/(?P<case>[^/]+))?/run-(?P<run>\d+)")
RUN_PLACE: Final = re.compile(RUN_FOLDER.pattern + r"/grading\.json")
_RUNS: Final = re.compile(r"(?:(?P<root>.*?)/)?v\d+/runs(?:/.*)?")
_VERSION_FOLDER: Final = re.compile(r"(?:(?P<root>.*)/)?v(?P<number>\d+)/skill")
_OTHER_GRADINGS: Final = re.compile(r"(?:.*/)?runs/[^/]+/grading")


class _Tree(NamedTuple):
    """The contents of a listing by folder: file names, and the numbers of `vN/skill` folders."""

    names: dict[str, list[str]]
    versions: dict[str, list[int]]


class _Skill(NamedTuple):
    """A file of test cases: the folder of its skill and its case ids (None if unreadable)."""

    path: str
    cases: frozenset[str] | None


def find(reader: Reader, loose: Loose) -> list[Plan]:  # noqa: ARG001 - this family goes by path
    """Return one plan for each workspace, and one for each skill that has test cases only."""
    tree = _tree(reader)
    roots = _roots(reader, tree)
    produced = _produced(tree, roots)
    skills = _skills(reader, tree, produced)
    plans: list[Plan] = []
    for root in sorted(roots):
        plans.append(_plan(reader, tree, root, skills, _files(tree, root, produced), plans))
    joined = {path for plan in plans for path in plan.of("evals")}
    for evals, skill in sorted(skills.items()):
        if evals not in joined and skill.cases is not None:
            suite = _free_id(plans, suite_id(skill.path), skill.path or ".", evals)
            plans.append(Plan(suite, "improve", skill.path, skill.path, ((evals, "evals"),)))
    return plans


def below(folder: str, name: str) -> str:
    """Return the path of `name` in `folder`, where `""` is the workspace's root."""
    return f"{folder}/{name}" if folder else name


def _tree(reader: Reader) -> _Tree:
    names: dict[str, list[str]] = defaultdict(list)
    for path in reader.listing.paths:
        folder, _, name = path.rpartition("/")
        names[folder].append(name)
    versions: dict[str, list[int]] = defaultdict(list)
    for folder in reader.listing.folders:
        if folder.endswith("/skill") and (found := _VERSION_FOLDER.fullmatch(folder)):
            versions[found["root"] or ""].append(int(found["number"][:9]))
    return _Tree(names, versions)


def _roots(reader: Reader, tree: _Tree) -> set[str]:
    """Return the folders with a history or gradings, except those produced by a run."""
    roots = set()
    for folder, names in tree.names.items():
        parent, _, last = folder.rpartition("/")
        if "history.json" in names and _is_history(reader, tree, folder):
            roots.add(folder)
        elsewhere = last != "grading" or _OTHER_GRADINGS.fullmatch(folder)
        if not elsewhere and _has_gradings(reader, folder, names):
            roots.add(parent)
    return {root for root in roots if not _inside_runs(root, roots)}


def _is_history(reader: Reader, tree: _Tree, folder: str) -> bool:
    value = reader.peek(below(folder, "history.json"))
    if value is MISSING:
        return folder in tree.versions
    return isinstance(value, dict) and isinstance(value.get("versions"), list)


def _has_gradings(reader: Reader, folder: str, names: list[str]) -> bool:
    if any(map(GRADING_NAME.fullmatch, names)):
        return True
    value = reader.peek(f"{folder}/{names[0]}")
    return isinstance(value, dict) and {"case_id", "results", "version"} <= value.keys()


def _inside_runs(folder: str, roots: set[str]) -> bool:
    """Return whether `folder` is inside the output of a run of one of the workspaces."""
    found = _RUNS.fullmatch(folder)
    return found is not None and (found["root"] or "") in roots


def _produced(tree: _Tree, roots: set[str]) -> dict[str, list[str]]:
    """Return the folders below `vN/runs` of each workspace."""
    produced: dict[str, list[str]] = defaultdict(list)
    for folder in tree.names if roots else ():
        found = _RUNS.fullmatch(folder)
        if found and (found["root"] or "") in roots:
            produced[found["root"] or ""].append(folder)
    return produced


def _skills(reader: Reader, tree: _Tree, produced: dict[str, list[str]]) -> dict[str, _Skill]:
    """Return the files of test cases, by path, except those produced by a run."""
    outputs = {folder for folders in produced.values() for folder in folders}
    skills: dict[str, _Skill] = {}
    for folder, names in tree.names.items():
        if "evals.json" not in names or folder in outputs:
            continue
        path = below(folder, "evals.json")
        value = reader.peek(path)
        parent, _, last = folder.rpartition("/")
        home = parent if last == "evals" else folder
        if value is MISSING:
            skills[path] = _Skill(home, None)
        elif isinstance(value, dict) and isinstance(value.get("cases"), list):
            skills[path] = _Skill(home, _ids(value["cases"]))
    return skills


def _ids(cases: list[Json]) -> frozenset[str]:
    return frozenset(str(case["id"]) for case in cases if isinstance(case, dict) and "id" in case)


def _files(tree: _Tree, root: str, produced: dict[str, list[str]]) -> list[ClaimedFile]:
    """Return the files of one workspace, each with its kind, in the order of their paths."""
    places: list[ClaimedFile] = []
    for name in tree.names.get(root, ()):
        kind = "history" if name == "history.json" else _kind(name, "")
        places.append((below(root, name), kind))
    places.extend(
        (below(root, f"comparisons/{name}"), _kind(name, "comparison"))
        for name in tree.names.get(below(root, "comparisons"), ())
    )
    for name in tree.names.get(below(root, "grading"), ()):
        kind = "grading" if GRADING_NAME.fullmatch(name) else _kind(name, "grading")
        places.append((below(root, f"grading/{name}"), kind))
    places = [place for place in places if place[1] and place[0].endswith(".json")]
    for folder in produced.get(root, ()):
        for name in tree.names[folder]:
            path = f"{folder}/{name}"
            graded = RUN_PLACE.fullmatch(path[len(root) + 1 if root else 0 :])
            places.append((path, "grading" if graded else "output"))
    return sorted(places)


def _kind(name: str, otherwise: str) -> str:
    for kind in ("comparison", "analysis"):
        if name.startswith(kind):
            return kind
    return otherwise


def _plan(
    reader: Reader,
    tree: _Tree,
    root: str,
    skills: dict[str, _Skill],
    files: list[ClaimedFile],
    plans: list[Plan],
) -> Plan:
    """Return the plan of one workspace, joined to its test cases if found."""
    names = (path.rpartition("/")[2] for path, kind in files if kind == "grading")
    graded = frozenset(found["case"] for found in map(GRADING_NAME.fullmatch, names) if found)
    evals, home = _beside(root, skills, graded)
    skill = home
    if evals is None:
        evals, skill = _in_version(reader, tree, root)
    if evals is None:
        same = [path for path, known in skills.items() if graded and known.cases == graded]
        if len(same) == 1:
            evals = same[0]
            home = skill = skills[evals].path
    if evals is not None:
        files = [*files, (evals, "evals")]
    names_of_suite = suite_id(root if home is None else home), suite_id(root), root or "."
    return Plan(_free_id(plans, *names_of_suite), "improve", root, skill, tuple(files))


def _beside(
    root: str, skills: dict[str, _Skill], graded: frozenset[str]
) -> tuple[str | None, str | None]:
    """Return the test cases in the sibling of the same name, or in a skill around the workspace."""
    bare = root.removesuffix("-workspace")
    sibling = below(bare, "evals/evals.json")
    if bare != root and sibling in skills:
        return sibling, bare
    folder = root
    while True:
        for path in (below(folder, "evals/evals.json"), below(folder, "evals.json")):
            known = skills.get(path)
            # A skill further up may be another one: it is not ours when no case is.
            if known and (not graded or known.cases is None or graded & known.cases):
                return path, known.path
        if not folder:
            return None, None
        folder = folder.rpartition("/")[0]


def _in_version(reader: Reader, tree: _Tree, root: str) -> tuple[str | None, str | None]:
    """Return the test cases inside the latest version that has some, which no walk enters."""
    for number in sorted(tree.versions.get(root, ()), reverse=True):
        skill = below(root, f"v{number}/skill")
        path = f"{skill}/evals/evals.json"
        if reader.extra(path) is not None:  # noqa: S610 - a file beside the listed ones
            return path, skill
    return None, None


def _free_id(plans: list[Plan], *names: str) -> str:
    """Return the first unused suite id."""
    taken = {plan.suite for plan in plans}
    return next((name for name in names if name not in taken), f"{names[-1]}#{len(plans) + 1}")
