"""`evalcore failures --analyze`: ask a model why runs failed, and follow what it says."""

from pathlib import Path
from typing import NamedTuple

from evalcore.cli import running
from evalcore.engine.failure_analysis.planning import plan_failures
from evalcore.engine.plan import Executor, Limits, Plan
from evalcore.engine.planning import Request
from evalcore.engine.templates import STORED
from evalcore.workspace.opened import Workspace


class Asked(NamedTuple):
    """What the command line asks for: failed runs by their ids, or all that are open."""

    path: Path
    suite: str | None
    runs: tuple[str, ...]
    model: str
    limits: Limits


def explain(asked: Asked, *, dry: bool, as_json: bool) -> int:
    """Plan which failures are asked about, start that and follow it; return 1 unless all was done.

    Runs that the judge of this machine has yet to judge are left out.
    """

    def planned(ws: Workspace, name: str, _: Executor) -> Plan:
        return plan_failures(ws, name, asked.runs, asked.model, asked.limits)

    wanted = running.Asked(
        path=asked.path, suite=asked.suite, executor=STORED, request=Request, dry=dry
    )
    return running.run(wanted, as_json=as_json, planned=planned)
