"""One run: how far it is, what became of each test run, and what was written."""

from collections.abc import Collection, Mapping
from types import MappingProxyType
from typing import Final

from evalcore.engine.activity import Activity
from evalcore.engine.journal import (
    Aggregated,
    Analyzed,
    AnyEvent,
    Begun,
    Benchmarked,
    Compared,
    Ended,
    Executed,
    Explained,
    Failed,
    Judged,
    Moved,
    Started,
    StepDone,
    StepFailed,
    Written,
)
from evalcore.engine.people import left_open
from evalcore.engine.plan import FAILURE, Plan
from evalcore.engine.progress import Progress, RunProgress, State, written_paths
from evalcore.families.running import TestRun, named
from evalcore.ids import parse_run_id
from evalcore.views.blocks.base import Block, link
from evalcore.views.blocks.page import Cell, Entry, Fold, Folds, Heading, Row, Say, Table
from evalcore.views.runs.outcome_words import case_words, is_hidden, second_words
from evalcore.views.runs.words import (
    ORDER,
    STATE_WORDS,
    STATUS_WORDS,
    activity_words,
    does_words,
    done_words,
    moment_words,
    moved_words,
    state_words,
    used_words,
)
from evalcore.views.words import wording
from evalcore.workspace.hidden import STATUS as HIDDEN

LISTED: Final = 200
JOURNAL_LISTED: Final = 40
FILES_LISTED: Final = 60
MAX_WHY: Final = 200
OPEN_NAMED: Final = 3
_HEAD: Final = (("Test run", False), ("Status", False), ("Tries", True), ("Took", True))
_MARKS: Final = {"timeout": "fail", "error": "fail", "refused": "fail"}
WAITING: Final = "waiting"
RUNNING: Final = "running"


def status_of(one: RunProgress, state: State) -> str:
    """Return the status of a test run; one that is written without a grading waits for people."""
    if one.is_in_work and state == "running":
        return RUNNING
    if one.execution is not None and one.execution.status == "completed":
        return WAITING if one.is_written and not one.has_grading else "completed"
    return one.status


def head_blocks(
    plan: Plan, found: Progress, state: State, hidden: Collection[str] = ()
) -> list[Block]:
    """Describe a run in a few sentences: what it does, how far it is, what it used."""
    counted = dict.fromkeys((*ORDER, HIDDEN), 0)
    for run, one in zip(plan.runs, found.runs, strict=True):
        counted[HIDDEN if run.run_id in hidden else status_of(one, state)] += 1
    said = ", ".join(
        f"{n:,} {STATUS_WORDS.get(name, wording.HIDDEN)}" for name, n in counted.items() if n
    )
    lines: list[Block] = [
        Heading(f"{plan.suite}: {state_words(state, found)[0]}", f"{done_words(found)} done"),
        *([Say(f"{said}.")] if said else []),
    ]
    if found.why:
        lines.append(Say(found.why))
    does = "; ".join(does_words(plan))
    about = f"{does}; {used_words(found)}. Planned {moment_words(plan.at)}."
    return [*lines, Say(about, quiet=True)]


def runs_blocks(
    plan: Plan,
    found: Progress,
    state: State,
    hidden: Collection[str] = (),
    doing: Mapping[int, Activity] = MappingProxyType({}),
) -> list[Block]:
    """Describe the test runs of a run, those with a fault first; of `hidden` ones nothing.

    `doing` is what those in work tell of themselves.
    """
    if not plan.runs:
        return []
    ranks = {"completed": 3, "pending": 2, RUNNING: 1}

    def rank(at: int) -> int:
        if plan.runs[at].run_id in hidden:  # how it ended would tell
            return 1
        one = found.runs[at]
        return 0 if one.failed else ranks.get(status_of(one, state), 0)

    order = sorted(range(len(plan.runs)), key=rank)
    rows = []
    for at in order[:LISTED]:
        run = plan.runs[at]
        if run.run_id in hidden:
            name = Cell(f"{_case(plan, run)} · run {run.run[:13]}", id=run.run_id)
            rows.append(Row([name, Cell(wording.HIDDEN, quiet=True), Cell(""), Cell("")]))
        else:
            rows.append(_row(plan, run, found.runs[at], state, doing.get(at)))
    blocks: list[Block] = [Table("Test runs", _HEAD, rows, fold=40)]
    if len(order) > LISTED:
        more = f"{LISTED} of {len(order):,} test runs, those with a fault first."
        blocks.append(Say(f"{more} `evalcore runs --json` has every reason.", quiet=True))
    return blocks


def _row(
    plan: Plan, run: TestRun, one: RunProgress, state: State, activity: Activity | None
) -> Row:
    name = status_of(one, state)
    why = one.failed or (one.execution.why if one.execution else "")
    if name == RUNNING and activity is not None:
        why = activity_words(activity)
    why = wording.short(why, MAX_WHY)
    decided = ""
    if one.graded is not None and (verdicts := (*one.graded.judged, *one.graded.checks)):
        passed = sum(each.passed is True for each in verdicts)
        unknown = sum(each.passed is None for each in verdicts)
        open_ = f", {unknown:,} undecided" if unknown else ""
        decided = f"{passed:,} of {len(verdicts):,} passed{open_}"
        if name == WAITING and (names := [each for _, each in left_open(one.graded)]):
            decided += f"; people decide {wording.listed(names[:OPEN_NAMED])}"
            more = len(names) - OPEN_NAMED
            decided += f" and {more:,} more" if more > 0 else ""
    where = named(run.version, run.configuration)
    seconds = one.execution.seconds if one.execution else None
    is_there = one.is_written and parse_run_id(run.run_id) is not None
    shown = link("gradings", run=run.run_id) if is_there and one.has_grading else None
    return Row(
        [
            Cell(f"{_case(plan, run)} · run {run.run[:13]}", sub=where, link=shown, id=run.run_id),
            Cell(
                "not written" if one.failed else STATUS_WORDS[name],
                sub=why or decided,
                mark="fail" if one.failed else _MARKS.get(name),
            ),
            Cell(f"{one.attempts:,}", num=True),
            Cell("" if seconds is None else wording.duration(seconds), num=True, keep=True),
        ]
    )


def written_blocks(found: Progress) -> list[Block]:
    """Describe what was written, and what was not and why."""
    paths = written_paths(found)
    folds = []
    if paths:
        entries = [Entry(path, "", link("data", file=path)) for path in paths[:FILES_LISTED]]
        more = max(len(paths) - FILES_LISTED, 0)
        thing = "record" if found.plan.again else "file"
        what = f"{thing if len(paths) == 1 else wording.plural(thing)} written"
        folds.append(Fold(n=len(paths), what=what, entries=entries, more=more))
    blocks: list[Block] = [Folds("Written", folds)] if folds else []
    messages = [
        *moved_words(found), *second_words(found), *found.plan.not_again, *found.messages,
    ]  # fmt: skip
    return [*blocks, *(Say(message, quiet=True) for message in messages)]


def journal_blocks(plan: Plan, found: Progress, hidden: Collection[str] = ()) -> list[Block]:
    """Describe the last events of a run, newest first; none of `hidden` test runs."""

    def is_secret(event: AnyEvent) -> bool:
        if isinstance(event, Explained):
            return event.found.run in hidden
        if isinstance(event, StepDone | StepFailed):
            return event.step.removeprefix(FAILURE) in hidden
        if isinstance(event, Benchmarked):  # how far the pass rate fell tells of all its runs
            return is_hidden(plan, hidden)
        index = getattr(event, "run", None)
        return isinstance(index, int) and plan.runs[index].run_id in hidden

    log = [event for event in found.log if not is_secret(event)]
    last = list(enumerate(log))[-JOURNAL_LISTED:]
    rows = [  # each with its time of day, in UTC
        Row([Cell(event.at[11:19], keep=True, id=f"event {at}"), Cell(_told(plan, event))])
        for at, event in reversed(last)
    ]
    hint = "" if len(log) <= JOURNAL_LISTED else f"the last {JOURNAL_LISTED} of {len(log):,}"
    head = (("When", False), ("What", False))
    return [Heading("Journal", hint), Table("Journal", head, rows, fold=12)]


def _told(plan: Plan, event: AnyEvent) -> str:
    """Return what happened, as a sentence; of a step without who won."""

    def step(name: str) -> str:
        is_failure = name.startswith(FAILURE)
        return case_words(name.removeprefix(FAILURE)) if is_failure else name.capitalize()

    match event:
        case Explained():
            done = "answered" if event.found.is_valid else f"no answer. {event.found.why}"
            return f"{case_words(event.found.run)}: {done}".removesuffix(".") + "."
        case Compared():
            done = "compared" if event.pair.winner else f"no verdict. {event.pair.why}"
            return f"{event.pair.case}: {done}".removesuffix(".") + "."
        case Analyzed():
            return f"Analysis: {event.found.why or 'answered.'}"
        case StepDone():
            made = f" {event.version} made." if event.version else ""
            files = wording.count(len(event.paths), "file")
            return f"{step(event.step)}: done, {files} written.{made}"
        case StepFailed():
            return f"{step(event.step)}: not done. {event.why}"
        case Begun():
            return f"Process {event.pid} on {event.host} began ({event.where})."
        case Moved():
            return f"{wording.count(len(event.runs), 'test run')} got other numbers."
        case Aggregated():
            return f"Aggregates: {wording.count(len(event.paths), 'file')} written."
        case Benchmarked():
            made = wording.count(len(event.paths), "record")
            told = (
                f"Benchmark run of {event.column}: {event.benchmark_run}, {made} of what follows."
            )
            return f"{told} {event.regression}".strip()
        case Ended():
            return f"{STATE_WORDS.get(event.how, event.how).capitalize()}. {event.why}".strip()  # type: ignore[call-overload] # what ended is a state
    run = plan.runs[event.run]
    name = f"{_case(plan, run)} · {named(run.version, run.configuration)} · run {run.run[:13]}"
    match event:
        case Started():
            said = f"try {event.attempt} began."
        case Executed():
            said = f"{STATUS_WORDS[event.execution.status]}. {event.execution.why}".strip()
        case Judged():
            decided = sum(each.passed is not None for each in event.graded.judged)
            said = f"{decided} of {len(event.graded.judged)} criteria decided."
        case Written():
            thing = "record" if plan.again else "file"
            said = f"{wording.count(len(event.paths), thing)} written."
        case Failed():
            said = f"not written. {event.why}"
    return f"{name}: {said}"


def _case(plan: Plan, run: TestRun) -> str:
    return plan.case(run).name or run.case
