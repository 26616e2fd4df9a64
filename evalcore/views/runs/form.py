"""What the forms of new runs offer, and what a filled in one will do.

One runs cases; others let a model improve a skill, compare two versions, or say why runs failed.
"""

from collections.abc import Iterator, Mapping
from itertools import islice
from pathlib import Path
from shlex import quote
from types import MappingProxyType
from typing import Final, NamedTuple

from msgspec.structs import replace

from evalcore.benchmarks.definitions import RETIRED, benchmarks
from evalcore.counting.outcomes import waiting_runs
from evalcore.demo import is_demo
from evalcore.engine.cases import ALL, BENCHMARK, FAILING, TAG, case_names
from evalcore.engine.estimate import Estimate
from evalcore.engine.own_commands import typed_executor
from evalcore.engine.plan import Executor, OfBenchmark, Plan
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
from evalcore.engine.templates import DEMO, STORED, why_missing
from evalcore.engine.written import places
from evalcore.errors import CannotRun
from evalcore.families.running import Offer, Target
from evalcore.models.configuration import configuration
from evalcore.sandbox.visible import visible
from evalcore.views.blocks.base import Block
from evalcore.views.blocks.page import Cell, Row, Say, Table
from evalcore.views.runs.state import to_run
from evalcore.views.runs.words import (
    AGAIN_KEEPS,
    BESIDE,
    agent_notes,
    agent_words,
    asked_words,
    calls_words,
    in_progress_words,
    judge_words,
    limit_words,
    prompt_notes,
    targets,
    unexecuted_words,
)
from evalcore.views.words import wording
from evalcore.workspace.opened import Workspace

CHOSEN: Final = "chosen"
TYPED: Final = "\ncommand"
"""The choice of a command that is typed: no executor and no address has such a name."""
FILES_SHOWN: Final = 12
MISSING_SHOWN: Final = 3
SCRIPTS_SHOWN: Final = 20
UNTESTED: Final = " Its template is based on public documentation and was not tested."


class Offered(NamedTuple):
    """What can be chosen: cases by how, versions, configurations, how often, and by what.

    `graded` are the versions and configurations of which stored outputs can be judged again,
    `models` the configured ones, of which `model` judges and `executing` executes where nobody
    chooses. `benchmarks` are the active ones, their names by id. `missing` says of executors why
    they cannot be used, `waits` whether stored outputs wait for a grading.
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
    missing: Mapping[str, str] = MappingProxyType({})
    waits: bool = False
    is_demo: bool = False

    @property
    def ways(self) -> list[str]:
        """What can execute, those whose program is not installed last, and a command to type."""
        there = [each for each in self.executors if each not in self.missing]
        return [*there, TYPED, *self.missing]

    @property
    def usual_way(self) -> str:
        """What executes where nobody chooses: never something that can do nothing now."""
        own = next((n for n, each in self.executors.items() if each.origin == "yours"), None)
        if own is not None and own not in self.missing:
            return own
        if self.is_demo:
            return DEMO
        if self.waits:
            return STORED
        ready = (n for n, each in self.executors.items() if each.kind == "command" and n != DEMO)
        return next((each for each in ready if each not in self.missing), TYPED)


def offered(ws: Workspace, suite: str) -> Offered:
    """Return what a new run of a suite can be.

    Raises:
        CannotRun: its family has no new runs, or a file of executors cannot be read.
    """
    offer, known = offer_of(ws, suite), configuration()
    model, ways_of = usual_model(ws, suite, known), executors_of(ws, suite)
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
        ways_of,
        tuple(dict.fromkeys(name for name in (model, known.executor, *known.models) if name)),
        model,
        known.executor,
        every,
        {name: why for name, each in ways_of.items() if (why := why_missing(each))},
        waiting_runs(ws)[suite] > 0,
        is_demo(ws.root),
    )


def models_of(ws: Workspace, suite: str) -> tuple[tuple[str, ...], str]:
    """Return the models that can be asked, and the one that is where nobody chooses.

    Raises:
        CannotRun: the models of the user cannot be read.
    """
    known = configuration()
    model = usual_model(ws, suite, known)
    return tuple(dict.fromkeys(name for name in (model, *known.models) if name)), model


def plan_of(ws: Workspace, suite: str, asked: Request, by: str = "") -> Plan:
    """Return the plan of a filled in form; nothing is started.

    Its cases may be those of a benchmark, of which this is then a run that `by` starts.

    Raises:
        CannotRun: nothing of it can be run.
        UnknownName: something that is asked for is not there.
    """
    named = next((each for each in asked.cases if each.startswith(BENCHMARK)), None)
    if named is not None:
        benchmark = OfBenchmark(named.removeprefix(BENCHMARK), triggered_by=by)
        asked = replace(asked, cases=(ALL,), benchmark=benchmark)
    return make_plan(ws, suite, asked)


def plan_blocks(ws: Workspace, plan: Plan, expected: Estimate | None = None) -> list[Block]:
    """Describe what a plan will do before it starts: how much, by what, and where it writes.

    `expected` is what its test runs will take; a plan that has none needs no estimate.
    """
    executed = executed_blocks(plan, expected) if expected is not None else []
    cases = len(plan.steps.cases if plan.steps is not None else plan.cases)
    in_cases = wording.count(cases, "case")
    blocks: list[Block]
    if (asked := plan.failures) is not None:
        blocks = [Say(f"A model is asked {asked_words(asked)}.", big=True)]
    elif (steps := plan.steps) is not None:
        compared = f"{steps.version_b} against {steps.version_a} in {in_cases}."
        blocks = [*_in_progress(plan), Say(compared, big=True), *(executed if plan.runs else [])]
    else:
        runs = wording.count(len(plan.runs), "test run")
        blocks = [*_in_progress(plan), Say(f"{runs} of {in_cases}: {targets(plan)}.", big=True)]
        if plan.benchmark:
            blocks.append(Say(f"As a run of the benchmark {plan.benchmark.name}."))
        blocks += [*executed, *map(Say, plan.not_again)]
    blocks += map(Say, (*calls_words(plan), *limit_words(plan)))

    left_out = list(plan.left_out.values())
    blocks += map(Say, left_out[:MISSING_SHOWN])
    if (more := len(left_out) - MISSING_SHOWN) > 0:
        blocks.append(Say(f"{more:,} more cases cannot be run."))
    if waiting := len(list(not_allowed(plan))):
        scripts = f"{wording.count(waiting, 'script')} of this folder will not run until you allow"
        blocks.append(Say(f"{scripts} them in the terminal: evalcore allow {quote(str(ws.root))}"))
    return blocks


def file_blocks(plan: Plan) -> tuple[str, list[Block]]:
    """Return how many files a plan will write in words, and the list of the first ones."""
    paths = list(places(plan))
    rows = [Row([Cell(path, id=path)]) for path in paths[:FILES_SHOWN]]
    if (more := len(paths) - FILES_SHOWN) > 0:
        rows.append(Row([Cell(f"and {more:,} more", quiet=True)]))
    title = f"{wording.count(len(paths), 'file')} will be written"
    return title, [Table(title, (("File", False),), rows)]


def _in_progress(plan: Plan) -> list[Block]:
    """Describe the runs of the same suite that are in progress, each with its page."""
    found = in_progress(Path(plan.workspace), plan.suite)
    rows = [
        Row([Cell(in_progress_words(each), link=to_run(each.id), id=each.id)]) for each in found
    ]
    return [Table("In progress", ((BESIDE, False),), rows)] if rows else []


def executed_blocks(plan: Plan, expected: Estimate) -> list[Block]:
    """Describe by what a plan is executed and judged, and what that takes."""
    template = plan.executor.template
    if plan.agent is not None and plan.executes:
        how = f"Executed by {agent_words(plan.agent)}; judged by {judge_words(plan)}."
    elif template is not None and plan.executes:
        where = "as your user, with network access"
        if plan.sandboxed:
            where = "in the sandbox, without network access"
        tried = "" if template.tried or plan.sandboxed else UNTESTED
        command = " ".join(template.command)
        how = f"Runs {command} {where}, in a fresh copy of each case.{tried}"
    elif plan.again:
        by = judge_words(plan)
        how = f"Stored outputs are judged again by {by}; the result is kept {AGAIN_KEEPS}."
    else:
        how = "Stored outputs without a grading are graded."
    takes = unexecuted_words(plan)
    if plan.executes:
        parts = []
        if expected.seconds is not None:
            parts.append(f"about {wording.duration(expected.seconds)}")
        if expected.tokens is not None:
            parts.append(f"{wording.tokens(expected.tokens)} tokens")
        if expected.cost_usd is not None:
            parts.append(wording.cost(expected.cost_usd))
        takes = f"Expected from {expected.known:,} earlier runs: {', '.join(parts)}."
        if not parts:
            takes = "Time and cost are unknown: no earlier run of this suite was measured."
    return [Say(each) for each in (how, takes, *prompt_notes(plan), *agent_notes(plan))]


def waiting_scripts(plan: Plan) -> Iterator[tuple[str, str]]:
    """Yield what would run if the user allowed it: where it stands, and its exact text.

    Characters that are not seen are written as escapes.
    """
    for command in islice(not_allowed(plan), SCRIPTS_SHOWN):
        yield visible(str(command.path)), visible(command.text)
        for path, data in command.files.items():
            text = data.decode("utf-8", "backslashreplace")
            yield f"{visible(str(path))}, called by it", visible(text)


def executor_label(found: Offered, name: str) -> str:
    """Return what an executor is called in the form; stored outputs are executed by nothing."""
    if name == TYPED:
        return "your own command …"
    if name == STORED:
        return "nothing: stored outputs are judged"
    return f"{name} · not installed" if name in found.missing else name


def chosen_executor(found: Offered, name: str, command: str) -> Executor:
    """Return the executor that is chosen in the form; `command` is what is typed.

    Raises:
        CannotRun: its program is not installed, or the command is none.
    """
    if name == TYPED:
        return typed_executor(command, found.executors)
    executor = found.executors[name]
    if name in found.missing:
        what = executor.template.about if executor.template else ""
        install = f"Install {what or name}" + ", then start evalcore again"
        raise CannotRun(
            f"{found.missing[name]} {install}; or choose “{executor_label(found, TYPED)}”."
        )
    return executor


def start_words(plan: Plan, expected: Estimate | None = None) -> str:
    """Return what the button says: `Start 24 runs (about $1.80)`, `Improve: 12 runs and 25 calls`.

    `expected` is what its test runs will take.
    """
    runs = len(plan.runs)
    if (asked := plan.failures) is not None:
        return f"Ask: {wording.count(len(asked.runs), 'call')}"
    if (steps := plan.steps) is not None:
        calls = wording.count(2 * len(steps.cases) + steps.analyze, "call")
        first = f"{wording.count(runs, 'run')} and " if runs else ""
        return f"{'Improve' if steps.analyze else 'Compare'}: {first}{calls}"
    cost = None if expected is None else expected.cost_usd
    about = f" (about {wording.cost(cost)})" if cost else ""
    if plan.executes:
        return f"Start {wording.count(runs, 'run')}{about}"
    return f"Judge {wording.count(runs, 'stored output')}{about}"
