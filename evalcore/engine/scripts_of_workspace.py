"""The scripts and executors that the suites of a workspace name, allowed or not."""

from collections.abc import Iterator
from typing import NamedTuple

from evalcore.engine.plan import Plan
from evalcore.engine.planning import cases_of, executors_of
from evalcore.engine.scripts import command_of, scripts_of
from evalcore.engine.workspace_executors import command_of_executor
from evalcore.families.registry import family
from evalcore.sandbox.trust import Command, is_allowed
from evalcore.tables.cells import cells
from evalcore.workspace.opened import Workspace


class Waiting(NamedTuple):
    """A script with the suite and the cases that name it; an executor has no cases."""

    suite: str
    command: Command
    cases: tuple[str, ...]


def waiting(ws: Workspace, suite: str | None = None) -> Iterator[Waiting]:
    """Yield each script of a workspace once, with its cases.

    Raises:
        UnknownName: there is no such suite.
        CannotAllow: a script names too many or too large files.
    """
    for name, kind in cells(ws.tables, "suites", "suite", "family"):
        if suite in (None, name) and family(kind).running() is not None:
            yield from _of_suite(ws, name)


def _of_suite(ws: Workspace, suite: str) -> Iterator[Waiting]:
    about, cases = cases_of(ws, suite)
    found: dict[tuple[str | None, str], list[str]] = {}
    first = {}
    for case in cases:
        for text in scripts_of(case):
            found.setdefault((case.source, text), []).append(case.id)
            first[case.source, text] = case
    for (source, text), named in found.items():
        case = first[source, text]
        yield Waiting(suite, command_of(ws.root, about.skill_path, case, text), tuple(named))
    base = ws.root / (about.skill_path or about.root)
    for executor in executors_of(ws, suite).values():
        if executor.origin == "workspace":
            yield Waiting(suite, command_of_executor(ws.root, base, executor), ())


def not_allowed(ws: Workspace, plan: Plan) -> Iterator[Command]:
    """Yield the scripts of a plan, and its executor, that the user has not allowed."""
    seen = set()
    for case in plan.cases.values():
        for text in scripts_of(case):
            if (case.source, text) not in seen:
                seen.add((case.source, text))
                command = command_of(plan.workspace, plan.skill_path, case, text)
                if not is_allowed(command):
                    yield command
    if plan.executor.origin == "workspace":
        base = ws.root / (plan.skill_path or plan.root)
        command = command_of_executor(ws.root, base, plan.executor)
        if not is_allowed(command):
            yield command
