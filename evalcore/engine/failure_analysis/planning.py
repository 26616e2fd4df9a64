"""Plan of which failed runs a model is asked why they failed."""

from collections.abc import Sequence
from typing import Final

from evalcore import __version__
from evalcore.disk.values import now_text
from evalcore.engine.plan import Executor, FailureSteps, Limits, Plan
from evalcore.engine.planning import place_of
from evalcore.engine.planning_models import usual_model
from evalcore.engine.templates import STORED
from evalcore.errors import CannotRun, NothingToRun, UnknownName
from evalcore.failures.detail import Failure, described
from evalcore.failures.find import failures
from evalcore.failures.query import Query, matching
from evalcore.judging.storing.store import new_id
from evalcore.judging.storing.stored_reviews import review_folder
from evalcore.models.configuration import configuration, model_of
from evalcore.tables.cells import cells
from evalcore.workspace.opened import Workspace

MOST: Final = 500
"""So many failures are asked about in one run at most."""
BY_PEOPLE: Final = "{} left unchanged: a person classified it, which a model does not overrule."
BY_MODELS: Final = "{} left unchanged: a model classified it before. Name the run to ask again."
GONE: Final = "{} left out, as the runs are not here."


def plan_failures(
    ws: Workspace,
    name: str,
    runs: Sequence[str] = (),
    model: str = "",
    limits: Limits | None = None,
) -> Plan:
    """Return the plan that asks a model why runs failed; nothing is written or started.

    Without `runs` these are all failures that are open, and of which neither a person nor a model
    said anything yet.

    Raises:
        UnknownName: there is no such suite, or one of the runs did not fail.
        NothingToRun: nothing is left to ask.
        CannotRun: no model is named, or too many runs are chosen.
    """
    suites = {
        row[0]: row[1:] for row in cells(ws.tables, "suites", "suite", "name", "family", "root")
    }
    if name not in suites:
        raise UnknownName("suite", name, suites)
    chosen, left_out = _chosen(ws, name, runs)
    if not chosen:
        raise NothingToRun(" ".join(left_out) or "There is no open failure to ask about.")
    if len(chosen) > MOST:
        raise CannotRun(
            f"That is {len(chosen):,} failures; at most {MOST} are asked about at once. Name runs."
        )
    known = configuration()
    asked = model_of(model or usual_model(ws, name, known), known)
    title, kind, root = suites[name]
    return Plan(
        id=new_id(),
        workspace=str(place_of(ws)),
        suite=name,
        family=str(kind),
        name=str(title or name),
        at=now_text(),
        executor=Executor(STORED, "stored"),
        judge="none",
        limits=limits or Limits(),
        cases={},
        runs=(),
        skills={},
        asked={},
        unfinished=review_folder(ws, name).unfinished,
        root=str(root or "."),
        failures=FailureSteps(asked, chosen, left_out),
        evalcore=__version__,
    )


def failures_by_run(ws: Workspace, suite: str) -> dict[str, Failure]:
    """Return the failure of each run that is here; of several a person's, else an open one."""
    found = [each for each in described(ws, suite, range(len(failures(ws, suite)))) if each.run_id]
    found.sort(key=lambda each: (each.origin != "person", each.resolved_at is not None))
    return {each.run_id or "": each for each in reversed(found)}


def _chosen(
    ws: Workspace, suite: str, runs: Sequence[str]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the runs to ask about, and sentences on those that were chosen and are not."""
    known = failures_by_run(ws, suite)
    for run in runs:
        if run not in known:
            raise UnknownName("failed run", run, known)
    every = described(ws, suite, matching(ws, suite, Query(state="open")))
    wanted = dict.fromkeys(runs or (each.run_id for each in every if each.run_id))
    origins = {run: known[run].origin for run in wanted}
    left = {"person", "model"} - ({"model"} if runs else set())
    counts = (
        (BY_PEOPLE, sum(origin == "person" for origin in origins.values())),
        (BY_MODELS, sum(origin == "model" and origin in left for origin in origins.values())),
        (GONE, 0 if runs else sum(each.run_id is None for each in every)),
    )
    said = tuple(words.format(_are(n)) for words, n in counts if n)
    return tuple(run for run, origin in origins.items() if origin not in left), said


def _are(n: int) -> str:
    return "1 failure is" if n == 1 else f"{n:,} failures are"
