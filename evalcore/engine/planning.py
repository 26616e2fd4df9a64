"""Make a plan of what somebody asks for, from the documents of an open workspace."""

import json
import os
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

import msgspec

from evalcore import __version__
from evalcore.disk.files import Files
from evalcore.disk.outputs import outputs_digest
from evalcore.disk.parsing import MISSING, parse
from evalcore.engine.plan import Executor, JudgeKind, Limits, Plan, digest_of
from evalcore.engine.templates import executors
from evalcore.engine.workspace_executors import executors_beside
from evalcore.errors import CannotRun, PathOutside, UnknownName
from evalcore.families.registry import family
from evalcore.families.running import ONLY, Case, Criterion, Offer, Running, Suite, Target, TestRun
from evalcore.judging.storing.store import new_id
from evalcore.judging.storing.stored_reviews import review_folder
from evalcore.tables.cells import cells
from evalcore.workspace.opened import Workspace

RULES_FILE: Final = "rules.json"
MAX_RUNS: Final = 100_000
MAX_NAME: Final = 150
MAX_JUDGES: Final = 20

ALL: Final = "all"
FAILING: Final = "failing"
TAG: Final = "tag:"


class Request(msgspec.Struct, frozen=True):
    """What somebody asks for; what is left empty is what the suite's documents say.

    `cases` are ids, or one of "all", "failing" and "tag:NAME".
    """

    executor: Executor
    versions: tuple[str, ...] = ()
    configurations: tuple[str, ...] = ()
    cases: tuple[str, ...] = (ALL,)
    runs: int | None = None
    judge: JudgeKind = "rules"
    limits: Limits = Limits()
    structural_only: bool = False
    unsafe_no_sandbox: bool = False
    judges: int = 1


def suite_of(ws: Workspace, name: str) -> tuple[Suite, Running]:
    """Return a suite for planning, and what its family does for new runs.

    Raises:
        UnknownName: there is no such suite.
        CannotRun: its family has no new runs.
    """
    names = ("suite", "name", "root", "skill_path", "family", "runs_per_case")
    rows = {row[0]: row for row in cells(ws.tables, "suites", *names)}
    if name not in rows:
        raise UnknownName("suite", name, rows)
    _, title, root, skill, kind, count = rows[name]
    running = family(kind).running()
    if running is None:
        raise CannotRun(f"New runs of {kind} suites are not supported: {name} is one.")
    count = int(count) if count is not None and count == count else None  # noqa: PLR0124 - NaN
    suite = Suite(name, title, root, skill, count, ws.tables, Files(ws.root), ws.raw)
    return suite, running


def offer_of(ws: Workspace, name: str) -> Offer:
    """Return what can be run in a suite."""
    suite, running = suite_of(ws, name)
    return running.offer(suite)


def case_names(ws: Workspace, name: str) -> tuple[dict[str, str], list[str]]:
    """Return the names of a suite's cases by their ids, and the tags that they have."""
    names = ("suite", "case_id", "name", "tags", "status")
    rows = [row[1:] for row in cells(ws.tables, "cases", *names) if row[0] == name]
    tags = {str(tag) for _, _, each, _ in rows for tag in json.loads(each or "[]")}
    return {case: title or case for case, title, _, _ in rows}, sorted(tags)


def executors_of(ws: Workspace, name: str) -> dict[str, Executor]:
    """Return what can execute the cases of a suite: executors of the user, ready ones, its own."""
    rows = cells(ws.tables, "cases", "suite", "source")
    source = next((source for own, source in rows if own == name and source is not None), None)
    return {**executors_beside(ws.root, source), **executors()}


def cases_of(ws: Workspace, name: str) -> tuple[Suite, list[Case]]:
    """Return a suite with all its active cases."""
    suite, running = suite_of(ws, name)
    found = _cases(ws, suite, running, (ALL,))
    return suite, [running.case(suite, each) for each, _ in found]


def make_plan(ws: Workspace, name: str, request: Request) -> Plan:
    """Return the plan of a request; nothing is written or started.

    Raises:
        UnknownName: there is no such suite, version, configuration or case.
        CannotRun: nothing of what is asked for can be run; the message says why.
    """
    suite, running = suite_of(ws, name)
    if request.judge == "human" and not running.shows_ungraded:
        raise CannotRun(
            f"People cannot judge new runs of {_family_of(ws, name)} suites yet: such a run has no "
            "place before it is judged. Choose the judge rules."
        )
    if not 1 <= request.judges <= MAX_JUDGES:
        raise CannotRun(f"A run is judged by 1 to {MAX_JUDGES} people, not {request.judges}.")
    offer, at = running.offer(suite), datetime.now(UTC).isoformat(timespec="milliseconds")
    targets = _targets(offer, request)
    found = list(_cases(ws, suite, running, request.cases))
    cases = [running.case(suite, each) for each, why in found if why is None]
    left_out = {each.id: why for each, why in found if why is not None}
    runs = [
        run
        for case in cases
        for target in targets
        for run in _runs(suite, running, case, target, request.runs or offer.runs, at, request)
    ]
    if not runs:
        raise CannotRun(next(iter(left_out.values()), _nothing(request)))
    if len(runs) > MAX_RUNS:
        raise CannotRun(f"That is {len(runs):,} test runs; at most {MAX_RUNS:,} are made at once.")
    asked = {run.case for run in runs}
    return Plan(
        id=new_id(),
        workspace=os.path.realpath(ws.root),
        suite=name,
        family=_family_of(ws, name),
        name=suite.name,
        at=at.replace("+00:00", "Z"),
        executor=request.executor,
        judge=request.judge,
        limits=request.limits,
        cases={case.id: case for case in cases if case.id in asked},
        left_out=left_out,
        runs=tuple(runs),
        skills=_skills(ws.root, runs),
        asked={case.id: digest_of(case) for case in cases if case.id in asked},
        unfinished=review_folder(ws, name).unfinished,
        root=suite.root,
        skill_path=suite.skill_path,
        structural_only=request.structural_only,
        unsafe_no_sandbox=request.unsafe_no_sandbox,
        judges=request.judges,
        evalcore=__version__,
    )


def _family_of(ws: Workspace, name: str) -> str:
    return str(dict(cells(ws.tables, "suites", "suite", "family"))[name])


def _nothing(request: Request) -> str:
    if request.executor.kind == "stored":
        return (
            "No output is stored that has no grading yet. Choose an executor that executes the "
            "cases, or other versions."
        )
    return "There is nothing to run: choose other cases or versions."


def _targets(offer: Offer, request: Request) -> list[Target]:
    """Return what is to be run, of what can be."""
    for what, wanted, known in (
        ("version", request.versions, {each.version for each in offer.targets}),
        ("configuration", request.configurations, {each.configuration for each in offer.targets}),
    ):
        for name in wanted:
            if name not in known:
                raise UnknownName(what, name, known)
    chosen = offer.chosen
    if request.versions or request.configurations:
        versions = request.versions or tuple(each.version for each in offer.chosen)
        configurations = request.configurations or tuple(
            {each.configuration for each in offer.chosen}
        )
        chosen = tuple(
            each
            for each in offer.targets
            if each.version in versions and each.configuration in configurations
        )
    missing = next((each for each in chosen if each.why_not is not None), None)
    if missing is not None and request.executor.kind != "stored":
        raise CannotRun(f"{_named(missing)} cannot be run: {missing.why_not}")
    if not chosen:
        raise CannotRun("The suite has no version that can be run.")
    return list(chosen)


def _named(target: Target) -> str:
    return target.version if target.configuration == ONLY else " ".join(target[:2])


def _runs(
    suite: Suite,
    running: Running,
    case: Case,
    target: Target,
    count: int,
    at: str,
    request: Request,
) -> list[TestRun]:
    if request.executor.kind == "stored":
        return _stored_runs(suite, case, target)
    return running.runs(suite, case, target, count, at)


def _stored_runs(suite: Suite, case: Case, target: Target) -> list[TestRun]:
    """Return the test runs of a case that produced something and have no grading."""
    names = ("suite", "case_id", "version", "configuration", "run", "run_id", "status", "outputs")
    wanted = (suite.suite, case.id, target.version, target.configuration)
    return [
        TestRun(key, case.id, *wanted[2:], str(run), _above(outputs, case.id), None, outputs)
        for *of, run, key, status, outputs in cells(suite.tables, "runs", *names)
        if tuple(of) == wanted and status == "pending" and outputs
    ]


def _above(outputs: str, case: str) -> str:
    """Return the place of a run from that of its outputs: a folder, or the document of a case."""
    return outputs.removesuffix("/outputs").removesuffix(f"/{case}.json")


def _skills(root: Path, runs: Iterable[TestRun]) -> dict[str, str]:
    paths = dict.fromkeys(run.skill for run in runs if run.skill is not None)
    return {path: outputs_digest(root, path) or "" for path in paths}


def _cases(
    ws: Workspace, suite: Suite, running: Running, wanted: Sequence[str]
) -> Iterator[tuple[Case, str | None]]:
    """Yield the chosen active cases with their criteria, and why one cannot be run."""
    names = (
        "suite", "case_id", "name", "prompt", "tags", "files", "status", "source", "pointer",
    )  # fmt: skip
    rows = [row[1:] for row in cells(ws.tables, "cases", *names) if row[0] == suite.suite]
    chosen = _chosen(ws, suite.suite, [(row[0], row[3]) for row in rows], wanted)
    criteria = _criteria(ws, suite)
    for case_id, name, prompt, _, files, status, source, pointer in rows:
        if case_id not in chosen or (status not in (None, "active") and case_id not in wanted):
            continue
        names_of_files = [each for each in json.loads(files or "[]") if isinstance(each, str)]
        bases = [*running.bases(suite), *([] if source is None else [source.rpartition("/")[0]])]
        laid = {each: _first_file(suite, bases, each) for each in names_of_files}
        rules = _rules(suite, source)
        case = Case(
            id=case_id,
            name=name,
            prompt=prompt or "",
            criteria=tuple(_with_rules(each, case_id, rules) for each in criteria(case_id, source)),
            files=tuple(path for path in laid.values() if path is not None),
            laid=tuple(name for name, path in laid.items() if path is not None),
            source=source,
            definition=_definition(ws, source, pointer),
        )
        yield case, _why_not(case_id, laid)


def _definition(ws: Workspace, source: str | None, pointer: str | None) -> Any:
    return None if source is None else ws.raw(source, pointer or "")


def _chosen(
    ws: Workspace, suite: str, cases: Sequence[tuple[str, str | None]], wanted: Sequence[str]
) -> set[str]:
    known = [case for case, _ in cases]
    found: set[str] = set()
    for each in wanted:
        if each == ALL:
            found |= set(known)
        elif each == FAILING:
            found |= set(_failing(ws, suite))
        elif each.startswith(TAG):
            tag = each.removeprefix(TAG)
            tagged = {case: json.loads(tags or "[]") for case, tags in cases}
            known_tags = {str(each) for tags in tagged.values() for each in tags}
            if tag not in known_tags:
                raise UnknownName("tag", tag, known_tags)
            found |= {case for case, tags in tagged.items() if tag in tags}
        elif each in known:
            found.add(each)
        else:
            raise UnknownName("case", each, known)
    return found


def _failing(ws: Workspace, suite: str) -> Iterator[str]:
    """Yield the cases with a run of the newest version that did not do all it should."""
    versions = [
        (position, label)
        for own, label, position in cells(ws.tables, "versions", "suite", "version", "position")
        if own == suite
    ]
    newest = max(versions, default=(0, None))[1]
    names = ("suite", "version", "case_id", "passed", "fraction")
    for own, version, case, passed, fraction in cells(ws.tables, "runs", *names):
        low = fraction is not None and fraction < 1
        if (own, version) == (suite, newest) and (passed is False or (passed is None and low)):
            yield case


def _criteria(ws: Workspace, suite: Suite) -> Any:
    """Return a function that gives the criteria which the document of a case defines."""
    names = (
        "suite", "case_id", "kind", "criterion", "description", "min_score", "max_score",
        "weight", "required", "critical", "guide", "source", "pointer",
    )  # fmt: skip
    by_case: dict[str, list[tuple[Any, ...]]] = {}
    for own, case, *rest in cells(ws.tables, "criteria", *names):
        if own == suite.suite and rest[0] != "convention" and rest[-2] is not None:
            by_case.setdefault(case, []).append(tuple(rest))

    def found(case: str, source: str | None) -> Iterator[Criterion]:
        rows = by_case.get(case, [])
        own = [row for row in rows if row[-2] == source]
        for kind, name, text, low, high, weight, required, critical, guide, of, at in own or rows:
            definition = ws.raw(of, at or "") if kind == "structural" else None
            yield Criterion(
                kind, name, text or name, low, high, weight, required, critical, guide,
                definition=definition,
            )  # fmt: skip

    return found


def _first_file(suite: Suite, bases: Sequence[str], name: str) -> str | None:
    """Return the path in the workspace of a file that a case names; None if it is not there."""
    return next(filter(None, (_file(suite, base, name) for base in bases)), None)


def _why_not(case: str, laid: dict[str, str | None]) -> str | None:
    """Return why a case cannot be run: its id is no name of a file, or a file is missing."""
    if "/" in case or "\0" in case or case in ("", ".", "..") or len(case.encode()) > MAX_NAME:
        return f"The case {case[:60]!r} cannot be run: its id is no name for a file."
    missing = [name for name, path in laid.items() if path is None]
    if missing:
        return f"The case {case!r} cannot be run: its file {missing[0]} is not in this folder."
    return None


def _file(suite: Suite, base: str, name: str) -> str | None:
    path = name if base in (".", "") else f"{base}/{name}"
    try:
        os.close(suite.files.open(path))
    except (OSError, PathOutside, ValueError):
        return None
    return path


Rules = dict[str, dict[str, list[str]]]


def _rules(suite: Suite, source: str | None) -> Rules:
    """Return the rules beside a document of cases: case or * → criterion → rules.

    Raises:
        CannotRun: the file is not of that form.
    """
    if source is None:
        return {}
    path = "/".join([*source.split("/")[:-1], RULES_FILE])
    try:
        value = parse(suite.files.read(path))
    except (OSError, PathOutside):
        return {}
    try:
        if value is MISSING:
            raise ValueError("it is not JSON")
        found = msgspec.convert(value, dict[str, dict[str, str | list[str]]])
    except ValueError as error:
        raise CannotRun(f"{path} cannot be read: {error}. docs/rules.md shows its form.") from error
    return {
        case: {name: [rules] if isinstance(rules, str) else rules for name, rules in each.items()}
        for case, each in found.items()
    }


def _with_rules(criterion: Criterion, case: str, rules: Rules) -> Criterion:
    for key in (case, "*"):
        if criterion.name in rules.get(key, {}):
            return msgspec.structs.replace(criterion, rules=tuple(rules[key][criterion.name]))
    return criterion
