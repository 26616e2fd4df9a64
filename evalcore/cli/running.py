"""`evalcore run` and `evalcore runs`: start test runs, follow them, and list them."""

import sys
import time
from collections import Counter
from collections.abc import Callable, Collection, Iterator
from itertools import chain
from pathlib import Path
from typing import Any, Final

import msgspec

from evalcore.cli.answering import Answer, fields, print_lines
from evalcore.cli.notifying import OnRegression, told
from evalcore.cli.opening import author, hidden_here, open_for_judge
from evalcore.cli.planned import plan_document, plan_lines
from evalcore.cli.screen import progress as progress_bar
from evalcore.cli.screen import told_progress
from evalcore.cli.terminal import harmless
from evalcore.engine.activity import activities
from evalcore.engine.estimate import estimate
from evalcore.engine.finishing import Finished, finish_all
from evalcore.engine.people import left_open
from evalcore.engine.plan import NEXT, Executor, OfBenchmark, Plan
from evalcore.engine.planning import Request, executors_of, make_plan
from evalcore.engine.process import start
from evalcore.engine.progress import Progress, written_paths
from evalcore.engine.store import RunFolder, all_runs, new_run, run_folder
from evalcore.engine.templates import usual_executor
from evalcore.errors import CannotRun, NothingToRun, SuiteNotNamed, UnknownName
from evalcore.tables.cells import cells
from evalcore.views.runs.outcome_words import (
    control_words,
    explained,
    is_hidden,
    missing_of,
    outcome_words,
    remarks,
    second_words,
    unscored_of,
)
from evalcore.views.runs.words import activity_words, moved_words
from evalcore.workspace.hidden import STATUS as HIDDEN
from evalcore.workspace.opened import Workspace

POLL: Final = 0.3
_SHOWN: Final = 8
MAX_UNSCORED: Final = 1_000


def run(
    path: Path,
    suite: str | None,
    request: Callable[[Executor], Request],
    *,
    executor: str | None,
    dry: bool,
    as_json: bool,
    cluster: str | None = None,
    tell: OnRegression | None = None,
    planned: Callable[[Workspace, str, Request], Plan] = make_plan,
) -> Answer:
    """Plan a run, start its process and follow it; the answer is no unless all of it was done.

    With `dry` the plan is the answer, and nothing is started. `tell` is told of a regression.
    """
    scheduler = _checked(cluster)
    ws = open_for_judge(path)
    with progress_bar("Planning"):
        suites = [each for (each,) in cells(ws.tables, "suites", "suite")]
        if suite is None and len(suites) != 1:
            raise SuiteNotNamed(ws.root, suites)
        name = suite or suites[0]
        known = executors_of(ws, name)
        by = executor or usual_executor(known, ws.root)
        if by not in known:
            raise UnknownName("executor", by, known)
        plan = planned(ws, name, request(known[by]))
        expected = estimate(ws.tables, plan)
    if dry:
        return Answer(lambda: plan_document(plan, expected), plan_lines(plan, expected))
    if not as_json:
        sys.stderr.write("".join(f"{line}\n" for line in plan_lines(plan, expected)))
    folder = new_run(plan)
    start(folder, scheduler)
    return _followed(folder, tell)


def judging(ws: Workspace, suite: str, request: Request) -> Plan:
    """Plan the judging of stored outputs without a grading; where there is none, of the graded."""
    try:
        return make_plan(ws, suite, request)
    except NothingToRun:
        return make_plan(ws, suite, msgspec.structs.replace(request, again=True))


def of_benchmark(name: str | None, triggered_by: str | None, notes: str) -> OfBenchmark | None:
    """Return the benchmark that a run is asked to be a run of; None without one."""
    if name is None:
        return None
    return OfBenchmark(name, triggered_by=triggered_by or author().id, notes=notes)


def resume(name: str, cluster: str | None, tell: OnRegression | None) -> Answer:
    """Go on with a run where it stopped, in threads or on a cluster, and follow it."""
    folder = run_folder(name)
    start(folder, _checked(cluster))
    return _followed(folder, tell)


def _checked(cluster: str | None) -> str | None:
    """Return the address of a cluster before anything is planned for it."""
    if cluster is None:
        return None
    from evalcore.engine.cluster import cluster_address  # noqa: PLC0415 - quick start

    return cluster_address(cluster)


def cancel(name: str, *, now: bool) -> int:
    """Ask a run to stop: after the cases in work, or at once.

    Raises:
        CannotRun: nobody works on it.
    """
    folder = run_folder(name)
    if not folder.is_worked_on():
        raise CannotRun(f"Run {folder.id} is not running: it is {folder.state()}.")
    folder.ask_to_stop("now" if now else "gently")
    what = "stops now" if now else "stops when its current cases are done"
    resumed = f"Resume it with `evalcore run --resume {folder.id[:13]}`."
    print_lines([f"Run {folder.id} {what}. {resumed}"])
    return 0


def runs(path: Path, *, write: bool) -> Answer:
    """List the runs of a folder, newest first; with `write`, write what people answered first."""
    root = path.expanduser().absolute()
    answered = finish_all(root) if write else Finished()
    found = [run_document(folder) for folder in all_runs(root)]
    none = "No run was started here. `evalcore run PATH` starts one."
    lines = chain(
        _answered_lines(answered) if write else (),
        chain.from_iterable(map(_run_lines, found)) if found else [none],
    )
    return Answer(lambda: found, lines, 1 if answered.waiting else 0)


def _answered_lines(answered: Finished) -> Iterator[str]:
    """Yield what became of the test runs that were left to people."""
    if answered.written or not answered.waiting:
        many = len(answered.written)
        yield f"{many:,} grading{'s' * (many != 1)} written from people's answers."
    yield from (f"  {path}" for path in answered.aggregated)
    yield from (f"  {name}: {why}" for name, why in answered.waiting[:_SHOWN])
    if len(answered.waiting) > _SHOWN:
        yield f"  and {len(answered.waiting) - _SHOWN:,} more are waiting for people"


def _followed(folder: RunFolder, tell: OnRegression | None) -> Answer:
    """Show how a run goes until its process ends; return what became of it."""
    with told_progress("Running") as step:
        for found in _progress(folder):
            step(found.done, found.total, _doing(folder, found))
    value = run_document(folder)
    unscored = value["unscored"] if folder.plan.models else 0
    missing = value["steps"]["missing"] if value["steps"] is not None else []
    made = value["benchmark"]["runs"] if value["benchmark"] is not None else []
    fell = [each["id"] for each in made if each["regression"]]
    done = value["state"] == "finished" and not (value["not_done"] or unscored or missing or fell)
    answer = Answer(lambda: value, _run_lines(value), 0 if done else 1)
    if tell is None or not fell:
        return answer
    return told(answer, tell, open_for_judge(Path(folder.plan.workspace)), value["suite"], fell)


def _doing(folder: RunFolder, found: Progress) -> str:
    """Return what a test run in work is doing just now; empty if none tells."""
    told = [activity_words(each) for each in activities(folder.path, found).values()]
    more = f" (and {len(told) - 1:,} more)" if len(told) > 1 else ""
    return harmless(f"{told[0]}{more}") if told else ""


def _progress(folder: RunFolder) -> Iterator[Progress]:
    """Yield how far a run is until nobody works on it; a process needs a moment to begin."""
    begun = time.monotonic()
    while True:
        found = folder.progress()
        yield found
        ended = found.processes and not found.is_open
        late = time.monotonic() - begun > 30 and not found.processes
        if (ended or late or found.is_open) and not folder.is_worked_on():
            yield folder.progress()
            return
        time.sleep(POLL)


def run_document(folder: RunFolder) -> dict[str, Any]:
    """Return a run as the JSON document that `--json` prints; nothing of what is hidden here."""
    found = folder.progress()
    plan = found.plan
    hidden = hidden_here(Path(plan.workspace)).runs
    unscored = [each._asdict() for each in unscored_of(found, hidden)]
    shown = [(plan.runs[at].run_id, one) for at, one in enumerate(found.runs)]
    statuses = Counter(HIDDEN if run in hidden else one.status for run, one in shown)
    problems = [
        {
            "run_id": run,
            **fields(one, "status", "attempts"),
            "why": one.failed or (one.execution.why if one.execution else ""),
        }
        for run, one in shown
        if run not in hidden and (one.failed or (one.execution is not None and one.execution.why))
    ]
    return {
        "id": folder.id,
        "suite": plan.suite,
        "state": folder.state(found),
        "why": found.why,
        "planned_at": plan.at,
        "executor": plan.executor.name,
        "judge": plan.judge,
        "executor_model": None if plan.agent is None else plan.agent.model.name,
        "models": [each.name for each in plan.models],
        "again": plan.again,
        "runs": len(plan.runs),
        "done": found.done,
        "not_done": found.total - found.done,
        "statuses": dict(statuses),
        "calls": found.calls,
        "tokens": found.tokens or None,
        "cost_usd": found.cost_usd or None,
        "problems": problems,
        "left_to_people": [
            {"run_id": run, "criteria": [name for _, name in left_open(one.graded)]}
            for run, one in shown
            if run not in hidden
            and one.is_written
            and not one.has_grading
            and left_open(one.graded)
        ],
        "written": written_paths(found),
        "steps": _steps_document(found, hidden),
        "benchmark": _benchmark_document(found, hidden),
        "moved": moved_words(found),
        "messages": [*plan.not_again, *found.messages],
        "second_judgments": [] if statuses[HIDDEN] else second_words(found),
        "unscored": len(unscored),
        "unscored_criteria": unscored[:MAX_UNSCORED],
        "controls": control_words(found, hidden),
        "remarks": remarks(found, hidden),
    }


def _steps_document(found: Progress, hidden: frozenset[str]) -> dict[str, Any] | None:
    """Return what came of the steps beside the test runs; None where there are none."""
    steps = found.plan.steps
    if not found.plan.step_names:
        return None
    said = {"missing": missing_of(found, hidden), "said": outcome_words(found, hidden)}
    if steps is None:
        failures = [msgspec.to_builtins(each) for each in explained(found, hidden)]
        return {"failures": failures, **said}
    shown = not is_hidden(found.plan, hidden)
    return {
        "a": steps.version_a,
        "b": steps.version_b,
        "model": steps.model.name,
        "pairs": [msgspec.to_builtins(each) for each in found.pairs.values() if shown],
        "analysis": msgspec.to_builtins(found.analysis) if shown else None,
        "version": next((one.version for name, one in found.steps.items() if name == NEXT), ""),
        **said,
    }


def _benchmark_document(found: Progress, hidden: Collection[str]) -> dict[str, Any] | None:
    """Return the benchmark of a run and the benchmark runs that it wrote; None without one.

    How far a pass rate fell is left out while runs of the suite are `hidden` from the judge.
    """
    if found.plan.benchmark is None:
        return None
    told = not is_hidden(found.plan, hidden)
    written = [
        {
            "of": each.column,
            "id": each.benchmark_run,
            "regression": (each.regression or None) if told else None,
        }
        for each in found.benchmarked.values()
    ]
    return {"name": found.plan.benchmark.name, "runs": written}


def _run_lines(value: dict[str, Any]) -> list[str]:
    statuses = ", ".join(f"{count:,} {name}" for name, count in value["statuses"].items())
    total = value["done"] + value["not_done"]
    done = f"{value['done']:,} of {total:,} done{f' ({statuses})' if statuses else ''}"
    lines = [f"{value['id']}  {value['suite']}  {value['state']}: {done}"]
    if value["why"]:
        lines.append(f"  {value['why']}")
    shown = value["problems"][:_SHOWN]
    lines += [f"  {each['run_id']}: {each['status']}. {each['why']}" for each in shown]
    if len(value["problems"]) > _SHOWN:
        lines.append(f"  and {len(value['problems']) - _SHOWN:,} more (all with --json)")
    lines += [
        f"  {each['run_id']} waits for people: {', '.join(each['criteria'])}"
        for each in value["left_to_people"][:_SHOWN]
    ]
    lines += [f"  {each}" for each in (*value["moved"], *value["second_judgments"])]
    if value["models"] and value["unscored"]:
        lines.append(f"  {value['unscored']:,} criteria were left unscored:")
        lines += [
            f"    {each['run_id']} {each['criterion']}: {each['why']}"
            for each in value["unscored_criteria"][:_SHOWN]
        ]
    if value["steps"] is not None:
        lines += [f"  {each}" for each in (*value["steps"]["said"], *value["steps"]["missing"])]
    if value["benchmark"] is not None:
        made = value["benchmark"]["runs"]
        lines += [f"  Regression: {each['regression']}" for each in made if each["regression"]]
        lines += [f"  Benchmark run of {each['of']}: {each['id']}" for each in made]
        if not made:
            name = value["benchmark"]["name"]
            lines.append(f"  No run of the benchmark {name!r} is written yet.")
    lines += [f"  {each}" for each in (*value["controls"], *value["remarks"][:_SHOWN])]
    if value["state"] in ("interrupted", "cancelled", "budget_stopped") or value["not_done"]:
        lines.append(f"  Resume with: evalcore run --resume {value['id'][:13]}")
    return lines
