"""Make a plan of what somebody asks for, from the documents of an open workspace."""

import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import product
from pathlib import Path
from typing import Any, Final

import msgspec

from evalcore import __version__
from evalcore.bundles.unpacked import unpacked_at
from evalcore.comparing.model import Side
from evalcore.comparing.sides import listed
from evalcore.comparing.version_texts import prompt_record
from evalcore.counting.cells import family_of
from evalcore.counting.memo import memoize_per_workspace
from evalcore.counting.outcomes import Column
from evalcore.disk.files import Files
from evalcore.disk.outputs import outputs_digest
from evalcore.disk.values import now_text, value_at
from evalcore.engine.benchmarked import benchmark_of
from evalcore.engine.cases import ALL, chosen_cases
from evalcore.engine.graded_runs import graded_runs, graded_targets, refuse_again
from evalcore.engine.plan import (
    STEPS,
    Executor,
    JudgeKind,
    Limits,
    OfBenchmark,
    Plan,
    Steps,
    VersionPrompt,
    digest_of,
    skill_at,
)
from evalcore.engine.planning_models import MAX_STEPS, executing_agent, judging_models
from evalcore.engine.templates import executors
from evalcore.engine.workspace_executors import executors_beside
from evalcore.errors import CannotRun, NothingToRun, UnknownName
from evalcore.families.base import CURRENT, PENDING
from evalcore.families.registry import family
from evalcore.families.running import (
    ONLY,
    Case,
    KnownRun,
    Offer,
    Running,
    Suite,
    Target,
    TestRun,
    named,
)
from evalcore.judging.storing.store import new_id
from evalcore.judging.storing.stored_reviews import review_folder
from evalcore.tables.cells import cells
from evalcore.tables.planned import planned_runs
from evalcore.workspace.opened import Workspace

MAX_RUNS: Final = 100_000
SKILL: Final = "SKILL.md"
KEPT: Final = 8
"""So many documents are kept while a plan is made."""
MAX_JUDGES: Final = 20
MAX_VOTES: Final = 15
MAX_REPEATS: Final = 20


class Request(msgspec.Struct, frozen=True):
    """What somebody asks for; what is left empty is what the suite's documents say.

    `cases` are ids, or one of "all", "failing" and "tag:NAME". `skill` is the folder of the skill,
    where it is not in this workspace or not found in it. `models` are the names of those that
    judge, each with so many `votes`; of `controls` test runs they are asked twice more. `again`
    judges stored outputs a second time that have a grading, `repeats` times. `executing` names the
    model that executes, where the executor is one, in so many `steps` and with `commands` if it
    shall run them. `benchmark` is the one whose cases are run, and that this is a run of.
    """

    executor: Executor
    versions: tuple[str, ...] = ()
    configurations: tuple[str, ...] = ()
    cases: tuple[str, ...] = (ALL,)
    skill: str | None = None
    runs: int | None = None
    judge: JudgeKind = "rules"
    limits: Limits = Limits()
    structural_only: bool = False
    unsafe_no_sandbox: bool = False
    judges: int = 1
    models: tuple[str, ...] = ()
    votes: int = 1
    controls: int = 0
    again: bool = False
    repeats: int = 1
    executing: str = ""
    steps: int = STEPS
    commands: bool = False
    benchmark: OfBenchmark | None = None


def place_of(ws: Workspace) -> Path:
    """Return the folder that runs work on, without links: its name is part of what is allowed."""
    return Path(os.path.realpath(ws.root))


def suite_of(ws: Workspace, name: str) -> tuple[Suite, Running]:
    """Return a suite for planning, and what its family does for new runs.

    Raises:
        UnknownName: there is no such suite.
        CannotRun: its family has no new runs.
    """
    names = ("suite", "name", "root", "skill_path", "family")
    rows = {row[0]: row for row in cells(ws.tables, "suites", *names)}
    if name not in rows:
        raise UnknownName("suite", name, rows)
    _, title, root, skill, kind = rows[name]
    running = family(kind).running()
    if running is None:
        said = f"evalcore neither starts runs of {kind} suites nor lets models judge them: {name}"
        raise CannotRun(f"{said} is one. {family(kind).started_with}".rstrip())
    count = planned_runs(ws.tables, name)
    suite = Suite(name, title, root, skill, count, ws.tables, Files(ws.root), _reading_once(ws))
    return suite, running


def _reading_once(ws: Workspace) -> Callable[[str, str], Any]:
    """Return what reads values of documents; one that defines many cases is read for all of them.

    Where each case has a document of its own, few are kept.
    """
    whole = lru_cache(maxsize=KEPT)(ws.raw)

    def raw(source: str, pointer: str) -> Any:
        return value_at(whole(source), source, pointer)

    return raw


def _refuse_bundle(ws: Workspace) -> None:
    """Refuse new runs in a bundle, which is a copy that stays as it was sent."""
    if unpacked_at(ws.root) is not None:
        raise CannotRun("This is an opened bundle, which is read-only: start new runs in a folder.")


def offer_of(ws: Workspace, name: str) -> Offer:
    """Return what can be run in a suite.

    Raises:
        UnknownName: there is no such suite.
        CannotRun: nothing can be run here; the message says why.
    """
    _refuse_bundle(ws)
    suite, running = suite_of(ws, name)
    return running.offer(suite)


@memoize_per_workspace
def graded_of(ws: Workspace, name: str) -> tuple[Target, ...]:
    """Return the versions and configurations of a suite that have runs, the newest version last."""
    suite, _ = suite_of(ws, name)
    present = {run.version for runs in suite.runs.values() for run in runs}
    return tuple(graded_targets(suite, tuple(present)))


def executors_of(ws: Workspace, name: str) -> dict[str, Executor]:
    """Return what can execute the cases of a suite: executors of the user, ready ones, its own."""
    return {**executors_beside(ws.root, _defined_in(ws, name)), **executors()}


@memoize_per_workspace
def _defined_in(ws: Workspace, name: str) -> str | None:
    """Return the document that defines the first case of a suite that says its document."""
    rows = cells(ws.tables, "cases", "suite", "source")
    return next((source for own, source in rows if own == name and source is not None), None)


def cases_of(ws: Workspace, name: str, wanted: Sequence[str] = (ALL,)) -> tuple[Suite, list[Case]]:
    """Return a suite with its active cases, all or the wanted ones."""
    suite, running = suite_of(ws, name)
    found = chosen_cases(ws, suite, running, wanted)
    return suite, [running.case(suite, each) for each, _ in found]


def make_plan(
    ws: Workspace,
    name: str,
    request: Request,
    chosen: "Chosen | None" = None,
    steps: Steps | None = None,
) -> Plan:
    """Return the plan of a request; nothing is written or started.

    `chosen` says which test runs are asked for, where the request alone does not; `steps` are what
    is done beside them, which may be all.

    Raises:
        UnknownName: there is no such suite, version, configuration or case.
        CannotRun: nothing of what is asked for can be run; the message says why.
    """
    _refuse_bundle(ws)
    request = _of_benchmark(ws, name, request)
    suite, running = suite_of(ws, name)
    suite = replace(suite, skill_path=_skill(ws.root, request.skill) or suite.skill_path)
    _refuse_counts(request)
    models = judging_models(ws, name, request.models) if request.judge == "model" else ()
    agent = executing_agent(
        request.executor, request.executing, request.steps, commands=request.commands
    )
    at, found = now_text(), list(chosen_cases(ws, suite, running, request.cases))
    # What is only judged again needs no files of its case.
    left_out = {} if request.again else {each.id: why for each, why in found if why is not None}
    cases = [running.case(suite, each) for each, _ in found if each.id not in left_out]
    runs, not_again = (chosen or _chosen)(suite, running, cases, at, request)
    if not runs and steps is None:
        raise NothingToRun(
            next(iter((*left_out.values(), *not_again)), None) or _nothing(suite, running, request)
        )
    if len(runs) > MAX_RUNS:
        raise CannotRun(f"That is {len(runs):,} test runs; at most {MAX_RUNS:,} are made at once.")
    asked = {run.case for run in runs}
    return Plan(
        id=new_id(),
        workspace=str(place_of(ws)),
        suite=name,
        family=family_of(ws, name).name,
        name=suite.name,
        at=at,
        executor=request.executor,
        judge=request.judge,
        limits=request.limits,
        cases={case.id: case for case in cases if case.id in asked},
        left_out=left_out,
        runs=tuple(runs),
        skills=_skills(ws.root, runs),
        prompts=_prompts(ws, name, runs),
        asked={case.id: digest_of(case) for case in cases if case.id in asked},
        unfinished=review_folder(ws, name).unfinished,
        root=suite.root,
        skill_path=suite.skill_path,
        structural_only=request.structural_only,
        unsafe_no_sandbox=request.unsafe_no_sandbox,
        judges=request.judges,
        models=models,
        votes=request.votes,
        controls=request.controls if models else 0,
        agent=agent,
        not_again=not_again,
        steps=steps,
        benchmark=request.benchmark,
        evalcore=__version__,
    )


def _of_benchmark(ws: Workspace, name: str, request: Request) -> Request:
    """Return a request with the cases of its benchmark, where it is of one.

    Raises:
        UnknownName, CannotBenchmark: there is none of that name, or several.
        CannotRun: it cannot be run so.
    """
    asked = request.benchmark
    if asked is None:
        return request
    if request.again or request.structural_only:
        raise CannotRun("A run of a benchmark executes and judges; it does not judge again.")
    found = benchmark_of(ws, name, asked, request.cases)
    named = msgspec.structs.replace(asked, name=found.name, id=found.id)
    return msgspec.structs.replace(request, cases=found.cases, benchmark=named)


def _refuse_counts(request: Request) -> None:
    """Refuse numbers that are out of bounds.

    Raises:
        CannotRun: there are too many of something, or too few.
    """
    for what, n, least, most in (
        ("A run is judged by {} people", request.judges, 1, MAX_JUDGES),
        ("A model gives {} votes", request.votes, 1, MAX_VOTES),
        ("Outputs are judged again {} times", request.repeats, 1, MAX_REPEATS),
        ("A run has {} controls", request.controls, 0, MAX_RUNS),
        ("A case is executed in {} steps", request.steps, 1, MAX_STEPS),
    ):
        if not least <= n <= most:
            raise CannotRun(f"{what.format(f'{least} to {most:,}')}, not {n:,}.")


def _chosen(
    suite: Suite, running: Running, cases: Sequence[Case], at: str, request: Request
) -> tuple[list[TestRun], tuple[str, ...]]:
    """Return the test runs that are asked for, and why others are not judged again."""
    if request.again:
        refuse_again(request.executor, request.judge, structural_only=request.structural_only)
        chosen = graded_targets(suite, request.versions, request.configurations)
        runs, others = graded_runs(suite, running, cases, chosen)
        return runs * request.repeats, others
    if request.executor.kind == "stored":
        waiting = graded_targets(suite, request.versions, request.configurations, running.waits)
        every = product(cases, waiting)
        return [run for each in every for run in stored_runs(suite, running, *each)], ()
    offer = running.offer(suite)
    targets, count = _targets(offer, request), request.runs or offer.runs
    runs = [
        run
        for case in cases
        for target in targets
        for run in running.runs(suite, case, target, count, at)
    ]
    return runs, ()


Chosen = Callable[
    [Suite, Running, Sequence[Case], str, Request], tuple[list[TestRun], tuple[str, ...]]
]
"""Says which test runs are asked for of which cases, and why others are not judged again."""


def _nothing(suite: Suite, running: Running, request: Request) -> str:
    if request.executor.kind != "stored":
        return "There is nothing to run: choose other cases or versions."
    pending = [
        (case, run) for case, runs in suite.runs.items() for run in runs if run.status == PENDING
    ]
    waiting = [
        (case, named(run.version, run.configuration))
        for case, run in pending
        if running.waits(run) and running.stored(suite, run)
    ]
    if waiting:
        cases, sides = (listed(dict.fromkeys(names)) for names in zip(*waiting, strict=True))
        return (
            "The stored outputs without a grading are of other versions or cases than were "
            f"chosen: of {sides}, case {cases}. Choose those."
        )
    unread = next((run.source for _, run in pending if running.is_unread(run)), None)
    if unread is not None:
        return f"The grading of what has no score cannot be read: correct {unread}, or remove it."
    return (
        "There is no stored output without a grading. Choose an executor that executes the "
        "cases, or other versions."
    )


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
    if missing is not None:
        raise CannotRun(
            f"{named(missing.version, missing.configuration)} cannot be run: {missing.why_not}"
        )
    if not chosen:
        raise CannotRun("The suite has no version that can be run.")
    return list(chosen)


def stored_runs(suite: Suite, running: Running, case: Case, target: Target) -> list[TestRun]:
    """Return the test runs of a case whose output is here and that have no grading."""
    return [
        running.of_stored(suite, _stored_run(case, each, stored), each)
        for each in suite.runs_of(case, target)
        if running.waits(each) and (stored := running.stored(suite, each))
    ]


def _stored_run(case: Case, known: KnownRun, stored: str) -> TestRun:
    return TestRun(
        known.run_id,
        case.id,
        known.version,
        known.configuration,
        known.run,
        _above(known.outputs or "", case.id),
        stored=stored,
    )


def _above(outputs: str, case: str) -> str:
    """Return the place of a run from that of its outputs: a folder, or the document of a case."""
    return outputs.removesuffix("/outputs").removesuffix(f"/{case}.json")


def _skills(root: Path, runs: Iterable[TestRun]) -> dict[str, str]:
    paths = dict.fromkeys(run.skill for run in runs if run.skill is not None)
    return {path: outputs_digest(*skill_at(root, path)) or "" for path in paths}


def _prompts(ws: Workspace, name: str, runs: Iterable[TestRun]) -> dict[str, VersionPrompt]:
    """Return the prompt versions that are executed, in a suite whose versions are prompts.

    Raises:
        CannotRun: no text of one is found: what would be executed is not that version.
    """
    versions = dict.fromkeys(run.version for run in runs if run.stored is None)
    if family_of(ws, name).skill_text != "prompt record":
        return {}
    found = {}
    for version in versions:
        if version == CURRENT:
            continue  # nothing names a prompt there
        content = prompt_record(Side(ws, name, Column(version, ONLY)))
        if content.files is None:
            why = f"no text of it is found. {content.note}"
            then = "Add a prompt-version record with its text, or choose another version."
            raise CannotRun(f"{version} cannot be run: {why} {then}")
        found[version] = VersionPrompt(content.files["prompt"], content.source)
    return found


def _skill(root: Path, given: str | None) -> str | None:
    """Return a skill's folder as somebody named it: relative to the workspace if it lies there.

    Raises:
        CannotRun: there is no skill.
    """
    if given is None:
        return None
    path = Path(given).expanduser()
    path = (
        path if path.is_absolute() else (root / path if (root / path).is_dir() else path.absolute())
    )
    if not (path / SKILL).is_file():
        raise CannotRun(f"{path} is not a skill: it has no {SKILL}. Name the folder of the skill.")
    real, home = path.resolve(), root.resolve()
    return str(real.relative_to(home)) if real.is_relative_to(home) else str(real)
