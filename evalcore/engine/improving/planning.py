"""Plan what improves a skill: runs of two versions, their comparison, and what follows from it."""

from collections.abc import Sequence
from itertools import product
from pathlib import Path
from random import SystemRandom
from typing import Final

import msgspec

from evalcore.blind.criteria import SETS
from evalcore.blind.proposing import propose, side_named
from evalcore.comparing.comparability import ran
from evalcore.comparing.model import Side
from evalcore.counting.cells import family_of
from evalcore.engine.cases import ALL
from evalcore.engine.executing.case_folder import is_laid
from evalcore.engine.plan import Plan, Steps
from evalcore.engine.planning import (
    Chosen,
    Request,
    cases_of,
    make_plan,
    stored_runs,
    suite_of,
)
from evalcore.engine.planning_models import usual_model
from evalcore.errors import CannotJudge, CannotRun, CannotSnapshot, UnknownName
from evalcore.families.running import ONLY, Case, Running, Suite, Target, TestRun
from evalcore.models.configuration import Model, configuration, model_of
from evalcore.versions import foresee
from evalcore.versions.snapshot import Foreseen
from evalcore.workspace.opened import Workspace

RUNS: Final = 3
"""How often each case is run while a skill is improved (seed 000)."""
MOST: Final = 500
"""So many cases are compared at most."""


def can_compare(ws: Workspace, name: str) -> bool:
    """Return whether the documents of a suite have a form for comparisons of a model."""
    comparing = family_of(ws, name).comparing()
    return comparing is not None and bool(SETS.get(comparing.criteria))


def can_improve(ws: Workspace, name: str) -> bool:
    """Return whether a suite keeps versions of a skill that can be compared and analyzed."""
    found = family_of(ws, name)
    comparing = found.comparing()
    return found.versioning() is not None and comparing is not None and bool(comparing.analysis)


def plan_comparison(ws: Workspace, name: str, a: str, b: str, request: Request) -> Plan:
    """Return the plan that only lets a model compare two versions, case by case.

    Raises:
        CannotRun: the suite has no form for that, or nothing can be compared.
        UnknownName: there is no such version.
    """
    if not can_compare(ws, name):
        raise CannotRun(
            f"{name} has no documents for comparisons by a model: its family keeps none with "
            "scores. People can compare blind: evalcore blind create."
        )
    sides = [side_named(ws.unmasked, name, each) for each in (a, b)]
    if any(side.column.configuration != ONLY for side in sides):
        raise CannotRun("A model compares versions, and these are configurations.")
    first, second = (side.column.version for side in sides)
    compared, left_out = _with_outputs(sides, () if request.cases == (ALL,) else request.cases)
    model = _model(ws, name, request)
    steps = Steps(model, first, second, compared, left_out=left_out)
    return make_plan(ws, name, request, _no_runs, steps)


def plan_improvement(
    ws: Workspace, name: str, request: Request, *, against: str | None = None, apply: bool = True
) -> Plan:
    """Return the plan that improves a skill.

    Version B is the newest one, or the skill as it is now where no version is like it; A is
    `against`, else the version before B. What lacks outputs or gradings is executed and graded.

    Raises:
        CannotRun: the suite cannot be improved, or there is nothing to compare.
        UnknownName: there is no such suite, version or case.
    """
    suite, running = suite_of(ws, name)
    if not can_improve(ws, name):
        raise CannotRun(
            f"{name} keeps no versions of a skill, which improving needs. `evalcore init` begins "
            "a workspace that does; --compare-only compares two versions of other suites."
        )
    now = _now(ws, name, request)
    targets = list(running.offer(suite).targets)
    if now is not None and now.is_new:
        targets.append(Target(now.version, ONLY, suite.below(now.version, "skill"), is_new=True))
    a, b = _two(targets, against)
    if b.is_new and request.executor.kind == "stored":
        raise CannotRun(
            f"The skill changed: it becomes {b.version}, which has no outputs yet. Choose an "
            "executor that executes the cases."
        )
    cases = tuple(case.id for case in cases_of(ws, name, request.cases)[1])
    left_out: tuple[str, ...] = ()
    if request.executor.kind == "stored":
        sides = [side_named(ws.unmasked, name, each.version) for each in (a, b)]
        cases, left_out = _with_outputs(sides, cases)
    if len(cases) > MOST:
        raise CannotRun(f"At most {MOST} cases are compared at once. Name some with --cases.")
    steps = Steps(
        _model(ws, name, request),
        a.version,
        b.version,
        cases,
        snapshot=now.digest if now is not None and b.is_new else None,
        skill=str(now.skill) if now is not None and b.is_new else "",
        analyze=True,
        apply=apply,
        left_out=left_out,
    )
    is_unnamed = not (request.executing or configuration().executor)
    if request.executor.kind == "model" and is_unnamed:
        request = msgspec.structs.replace(request, executing=steps.model.name)
    return make_plan(ws, name, request, _missing((a, b)), steps)


def _with_outputs(
    sides: Sequence[Side], cases: Sequence[str]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the cases that have an output on both sides, and sentences on the others.

    Raises:
        CannotRun: there is none.
    """
    known = {case for each in sides for case in ran(each.ws, each.suite, each.column)}
    wanted = [each for each in cases if each in known]
    if cases and not wanted:
        raise CannotRun("None of these cases has a run on either side. Run them first.")
    try:
        found = propose(*sides, chance=SystemRandom(), cases=wanted)
    except CannotJudge as error:
        raise CannotRun(str(error)) from error
    left = dict(found.left_out) | {each: "It has no run." for each in cases if each not in known}
    said = tuple(f"{case} is not compared. {why}" for case, why in left.items())
    return tuple(each.case_id for each in found.pairs), said


def _model(ws: Workspace, name: str, request: Request) -> Model:
    """Return the model that compares: the first one that is asked for, else the usual judge."""
    known = configuration()
    return model_of(next(iter(request.models), "") or usual_model(ws, name, known), known)


def _now(ws: Workspace, name: str, request: Request) -> Foreseen | None:
    """Return which version the skill is as it is now; None where it is not here."""
    skill = None if request.skill is None else Path(request.skill)
    try:
        return foresee(ws.root, is_laid, suite=name, skill=skill)
    except CannotSnapshot:
        if request.skill is not None:
            raise
        return None


def _two(targets: Sequence[Target], against: str | None) -> tuple[Target, Target]:
    """Return the versions to compare: the newest, and the one that is named or stands before it."""
    known = [each.version for each in targets]
    if against is not None and against not in known:
        raise UnknownName("version", against, known)
    if len(targets) < 2:
        raise CannotRun(
            "There is only one version, and nothing to compare it with. Change the skill, then "
            "improve again: the changed skill becomes the next version."
        )
    first = targets[-2] if against is None else targets[known.index(against)]
    if first is targets[-1]:
        raise CannotRun(f"{first.version} is the newest version: name an earlier one.")
    return first, targets[-1]


def _no_runs(*_: object) -> tuple[list[TestRun], tuple[str, ...]]:
    return [], ()


def _missing(targets: Sequence[Target]) -> Chosen:
    """Return what chooses the runs that are not graded yet, and those that are not there."""

    def chosen(
        suite: Suite, running: Running, cases: Sequence[Case], at: str, request: Request
    ) -> tuple[list[TestRun], tuple[str, ...]]:
        found: list[TestRun] = []
        for case, target in product(cases, targets):
            found += stored_runs(suite, running, case, target)
            if request.executor.kind != "stored":
                count = _lacking(suite, running, case, target, request.runs or RUNS)
                found += running.runs(suite, case, target, count, at)
        return found, ()

    return chosen


def _lacking(suite: Suite, running: Running, case: Case, target: Target, wanted: int) -> int:
    """Return how many runs a case lacks: up to the wanted number, and one with an output."""
    known = [run for run in suite.runs_of(case, target) if not running.is_unread(run)]
    has_output = any(running.stored(suite, each) for each in known)
    return max(wanted - len(known), 0 if has_output else 1)
