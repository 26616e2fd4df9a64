"""`evalcore improve`: improve a skill, or let a model compare two of its versions."""

from evalcore.cli.running import Asked, run
from evalcore.engine.improving.planning import plan_comparison, plan_improvement
from evalcore.engine.plan import Executor, Plan
from evalcore.engine.templates import STORED
from evalcore.workspace.opened import Workspace


def improve(asked: Asked, against: str | None, *, apply: bool, as_json: bool) -> int:
    """Plan the improvement of a skill, start it and follow it; return 1 unless all was done."""

    def planned(workspace: Workspace, name: str, executor: Executor) -> Plan:
        request = asked.request(executor)
        return plan_improvement(workspace, name, request, against=against, apply=apply)

    return run(asked, as_json=as_json, planned=planned)


def compare(asked: Asked, versions: tuple[str, str], *, as_json: bool) -> int:
    """Let a model compare two versions, the earlier one first; return 1 unless all was done."""

    def planned(workspace: Workspace, name: str, _: Executor) -> Plan:
        request = asked.request(Executor(STORED, "stored"))
        return plan_comparison(workspace, name, *versions, request)

    return run(asked, as_json=as_json, planned=planned)
