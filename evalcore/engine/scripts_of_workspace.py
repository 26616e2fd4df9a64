"""The scripts and executors that the suites of a workspace name, allowed or not."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from evalcore.engine.plan import Plan
from evalcore.engine.planning import cases_of, executors_of, place_of
from evalcore.engine.scripts import command_of, scripts_of
from evalcore.engine.workspace_executors import command_of_executor
from evalcore.families.registry import family
from evalcore.families.running import Case
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
    root = place_of(ws)
    for command, named in _scripts(root, about.skill_path, cases):
        yield Waiting(suite, command, named)
    base = root / (about.skill_path or about.root)
    for executor in executors_of(ws, suite).values():
        if executor.origin == "workspace":
            yield Waiting(suite, command_of_executor(root, base, executor), ())


def not_allowed(plan: Plan) -> Iterator[Command]:
    """Return the scripts of a plan, and its executor, that the user has not allowed."""
    root = Path(plan.workspace)
    named = [command for command, _ in _scripts(root, plan.skill_path, plan.cases.values())]
    if plan.executor.origin == "workspace":
        base = root / (plan.skill_path or plan.root)
        named.append(command_of_executor(root, base, plan.executor))
    return (command for command in named if not is_allowed(command))


def _scripts(
    root: Path, skill: str | None, cases: Iterable[Case]
) -> Iterator[tuple[Command, tuple[str, ...]]]:
    """Yield each script that cases name once, with their ids."""
    found: dict[tuple[str | None, str], list[Case]] = {}
    for case in cases:
        for text in scripts_of(case):
            found.setdefault((case.source, text), []).append(case)
    for (_, text), named in found.items():
        yield command_of(root, skill, named[0], text), tuple(case.id for case in named)
