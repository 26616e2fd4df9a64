"""What the form of a new run offers, and what a filled in one asks for."""

from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from pathlib import Path
from shlex import quote
from types import MappingProxyType
from typing import Final, NamedTuple

from evalcore.benchmarks.definitions import RETIRED, benchmarks
from evalcore.engine.cases import ALL, BENCHMARK, FAILING, TAG, case_names
from evalcore.engine.estimate import Estimate
from evalcore.engine.plan import STEPS, Executor, JudgeKind, Limits, OfBenchmark, Plan
from evalcore.engine.planning import (
    Request,
    executors_of,
    graded_of,
    make_plan,
    offer_of,
)
from evalcore.engine.planning_models import usual_model
from evalcore.engine.scripts_of_workspace import not_allowed
from evalcore.engine.store import in_progress
from evalcore.engine.templates import STORED
from evalcore.engine.written import places
from evalcore.families.running import Offer, Target
from evalcore.models.configuration import configuration
from evalcore.sandbox.visible import visible
from evalcore.views.blocks.base import Block
from evalcore.views.blocks.page import Cell, Heading, Row, Say, Table
from evalcore.views.runs.agent_words import agent_notes, agent_words
from evalcore.views.runs.model_words import unexecuted_words
from evalcore.views.runs.state import to_run
from evalcore.views.runs.words import (
    AGAIN_KEEPS,
    BESIDE,
    in_progress_words,
    judge_words,
    prompt_notes,
    targets,
)
from evalcore.views.words import wording
from evalcore.workspace.opened import Workspace

CHOSEN: Final = "chosen"
FILES_SHOWN: Final = 6
MISSING_SHOWN: Final = 3
SCRIPTS_SHOWN: Final = 20
UNTESTED: Final = " Its template is based on public documentation and was not tested."


class Offered(NamedTuple):
    """What can be chosen: cases by how, versions, configurations, how often, and by what.

    `graded` are the versions and configurations of which stored outputs can be judged again,
    `models` the configured ones, of which `model` judges and `executing` executes where nobody
    chooses. `benchmarks` are the active ones, their names by id.
    """

    cases: tuple[str, ...]
    case_ids: dict[str, str]
    versions: tuple[str, ...]
    configurations: tuple[str, ...]
    usual: Offer
    graded: tuple[Target, ...]
    executors: dict[str, Executor]
    models: tuple[str, ...] = ()
    model: str = ""
    executing: str = ""
    benchmarks: Mapping[str, str] = MappingProxyType({})


class Filled(NamedTuple):
    """The form as somebody filled it in; `by` is who did."""

    cases: tuple[str, ...]
    versions: tuple[str, ...]
    configurations: tuple[str, ...]
    runs: int
    executor: str
    judge: JudgeKind
    judges: int
    limits: Limits
    again: bool = False
    models: tuple[str, ...] = ()
    votes: int = 1
    controls: int = 0
    repeats: int = 1
    executing: str = ""
    steps: int = STEPS
    commands: bool = False
    by: str = ""


def offered(ws: Workspace, suite: str) -> Offered:
    """Return what a new run of a suite can be.

    Raises:
        CannotRun: its family has no new runs, or a file of executors cannot be read.
    """
    offer, known = offer_of(ws, suite), configuration()
    model = usual_model(ws, suite, known)
    names, tags = case_names(ws, suite)
    every = {each.id: each.name for each in benchmarks(ws, suite) if each.status != RETIRED}
    ways = (*(f"{BENCHMARK}{each}" for each in every), *(f"{TAG}{tag}" for tag in tags))
    return Offered(
        (ALL, FAILING, *ways, CHOSEN),
        names,
        tuple(dict.fromkeys(each.version for each in offer.targets)),
        tuple(dict.fromkeys(each.configuration for each in offer.targets)),
        offer,
        graded_of(ws, suite),
        executors_of(ws, suite),
        tuple(dict.fromkeys(name for name in (model, known.executor, *known.models) if name)),
        model,
        known.executor,
        every,
    )


def plan_of(ws: Workspace, suite: str, found: Offered, filled: Filled) -> Plan:
    """Return the plan that a filled in form asks for; nothing is started.

    Raises:
        CannotRun: nothing of it can be run.
        UnknownName: something that is asked for is not there.
    """
    benchmark = _benchmark(filled)
    request = Request(
        executor=found.executors[filled.executor],
        versions=filled.versions,
        configurations=filled.configurations,
        cases=(ALL,) if benchmark is not None else filled.cases,
        benchmark=benchmark,
        runs=filled.runs,
        judge=filled.judge,
        judges=filled.judges,
        limits=filled.limits,
        again=filled.again,
        models=filled.models,
        votes=filled.votes,
        controls=filled.controls,
        repeats=filled.repeats,
        executing=filled.executing,
        steps=filled.steps,
        commands=filled.commands,
    )
    return make_plan(ws, suite, request)


def _benchmark(filled: Filled) -> OfBenchmark | None:
    """Return the benchmark whose cases are chosen, if one's are."""
    named = next((each for each in filled.cases if each.startswith(BENCHMARK)), None)
    if named is None:
        return None
    return OfBenchmark(named.removeprefix(BENCHMARK), triggered_by=filled.by)


def plan_blocks(ws: Workspace, plan: Plan, expected: Estimate) -> list[Block]:
    """Describe what a plan will do before it starts: how much, by what, and where it writes."""
    what = (
        f"{wording.count(len(plan.runs), 'test run')} of {wording.count(len(plan.cases), 'case')}"
    )
    blocks: list[Block] = [
        *in_progress_blocks(plan),
        Say(f"{what}: {targets(plan)}.", big=True),
        *([Say(f"As a run of the benchmark {plan.benchmark.name}.")] if plan.benchmark else []),
        *executed_blocks(plan, expected),
        *(Say(why) for why in plan.not_again),
    ]
    return [*blocks, *files_block(ws, plan)]


def in_progress_blocks(plan: Plan) -> list[Block]:
    """Describe the runs of the same suite that are in progress, each with its page."""
    found = in_progress(Path(plan.workspace), plan.suite)
    rows = [
        Row([Cell(in_progress_words(each), link=to_run(each.id), id=each.id)]) for each in found
    ]
    return [Table("In progress", ((BESIDE, False),), rows)] if rows else []


def executed_blocks(plan: Plan, expected: Estimate) -> list[Block]:
    """Describe by what a plan is executed and judged, and what that takes."""
    return [
        Say(_how(plan)),
        Say(_expected(expected) if plan.executes else unexecuted_words(plan)),
        *(Say(note) for note in (*prompt_notes(plan), *agent_notes(plan))),
    ]


def files_block(ws: Workspace, plan: Plan) -> list[Block]:
    """Describe what of a plan cannot be run or waits for permission, and where it writes."""
    blocks: list[Block] = [Say(why) for why in list(plan.left_out.values())[:MISSING_SHOWN]]
    more = len(plan.left_out) - MISSING_SHOWN
    if more > 0:
        blocks.append(Say(f"{more:,} more cases cannot be run."))
    waits = list(not_allowed(plan))
    if waits:
        scripts = wording.count(len(waits), "script")
        said = f"{scripts} of this folder will not run until you allow them"
        blocks.append(Say(f"{said} in the terminal: evalcore allow {quote(str(ws.root))}"))
    title = Heading("Files that will be written", wording.count(len(places(plan)), "file"))
    return [*blocks, title, _files(plan)]


def waiting_scripts(plan: Plan) -> Iterator[tuple[str, str]]:
    """Yield what would run if the user allowed it: where it stands, and its exact text.

    Characters that are not seen are written as escapes.
    """
    for command in islice(not_allowed(plan), SCRIPTS_SHOWN):
        yield visible(str(command.path)), visible(command.text)
        for path, data in command.files.items():
            text = data.decode("utf-8", "backslashreplace")
            yield f"{visible(str(path))}, called by it", visible(text)


def executor_label(name: str) -> str:
    """Return what an executor is called in the form; stored outputs are executed by nothing."""
    return "nothing: stored outputs are judged" if name == STORED else name


def start_words(plan: Plan, expected: Estimate) -> str:
    """Return what the button says: `Start 24 runs (about $1.80)`, `Judge 3 stored outputs`."""
    about = f" (about {wording.cost(expected.cost_usd)})" if expected.cost_usd else ""
    if plan.executes:
        return f"Start {wording.count(len(plan.runs), 'run')}{about}"
    return f"Judge {wording.count(len(plan.runs), 'stored output')}{about}"


def _how(plan: Plan) -> str:
    template = plan.executor.template
    if plan.agent is not None and plan.executes:
        return f"Executed by {agent_words(plan.agent)}; judged by {judge_words(plan)}."
    if template is None or not plan.executes:
        if plan.again:
            by = judge_words(plan)
            return f"Stored outputs are judged again by {by}; the result is kept {AGAIN_KEEPS}."
        return "Stored outputs without a grading are graded."
    command = " ".join(template.command)
    if plan.sandboxed:
        where = "in the sandbox, without network access"
    else:
        where = "as your user, with network access"
    tried = "" if template.tried or plan.sandboxed else UNTESTED
    return f"Runs {command} {where}, in a fresh copy of each case.{tried}"


def _expected(found: Estimate) -> str:
    parts = []
    if found.seconds is not None:
        parts.append(f"about {wording.duration(found.seconds)}")
    if found.tokens is not None:
        parts.append(f"{wording.tokens(found.tokens)} tokens")
    if found.cost_usd is not None:
        parts.append(wording.cost(found.cost_usd))
    if not parts:
        return "Time and cost are unknown: no earlier run of this suite was measured."
    return f"Expected from {found.known:,} earlier runs: {', '.join(parts)}."


def _files(plan: Plan) -> Table:
    paths = places(plan)
    shown = [Row([Cell(path, id=path)]) for path in _first(paths)]
    left = len(paths) - FILES_SHOWN
    if left > 0:
        shown.append(Row([Cell(f"and {left:,} more", quiet=True)]))
    return Table("Files that will be written", (("File", False),), shown)


def _first(paths: Iterable[str]) -> list[str]:
    return list(paths)[:FILES_SHOWN]
