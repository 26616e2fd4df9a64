"""How far a run is: computed from its plan and its journal, and from nothing else."""

import copy
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final, Literal

from evalcore.engine.found import AnalysisFound, FailureFound, PairVerdict
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
from evalcore.engine.plan import Plan, with_runs
from evalcore.families.graded import Graded, Judging
from evalcore.families.running import Execution

State = Literal["planned", "running", "finished", "cancelled", "interrupted", "budget_stopped"]

RETRIED: Final = frozenset(
    {"error", "rate_limited", "interrupted", "cancelled", "budget_stopped", "not_run"}
)
"""Statuses of test runs that a resumed run executes again."""


@dataclass
class RunProgress:
    """One test run: what is done of it, how often it was tried, and what went wrong.

    `attempts` counts tries that were handed out, also those whose answer was lost; `used` has the
    answers of the others by their number.
    """

    attempts: int = 0
    execution: Execution | None = None
    graded: Graded | None = None
    paths: tuple[str, ...] = ()
    is_written: bool = False
    has_grading: bool = False
    output: str | None = None
    failed: str = ""
    used: dict[int, Execution] = field(default_factory=dict)
    is_in_work: bool = False
    is_lost: bool = False

    @property
    def status(self) -> str:
        """What became of it, in the words of the runs table; "pending" until it is executed.

        It is "interrupted" when the process died that had it in work.
        """
        if self.is_lost:
            return "interrupted"
        if self.execution is None:
            return "pending"
        if self.execution.status == "completed" and not self.has_grading:
            return "pending"
        return self.execution.status

    @property
    def is_done(self) -> bool:
        """Whether nothing is left to do, now or when the run is resumed."""
        return self.execution is not None and self.is_written

    def begin(self) -> None:
        """Note that a try is handed out."""
        self.is_in_work, self.is_lost = True, False

    def answer(self, execution: Execution, attempts: int) -> None:
        """Note how a try went; one that is reported twice counts once."""
        self.execution, self.graded = execution, None
        later = attempts < self.attempts  # the next one was handed out before this was journaled
        self.attempts = max(self.attempts, attempts)
        self.used[attempts] = execution
        self.is_in_work, self.is_lost = self.is_in_work and later, False

    def lose(self) -> None:
        """Note that the process died that worked on it, if one did."""
        self.is_lost, self.is_in_work = self.is_lost or self.is_in_work, False


@dataclass
class Progress:
    """The state of a run and of each of its test runs, with what it used so far.

    `plan` has the test runs where they are now; the indexes of those that `moved` got another place
    than planned.
    `benchmarked` are the benchmark runs by version and configuration, `pairs` the comparisons of a
    model by case, `explained` what it says of failures by run, `steps` what is done beside the test
    runs, `failed` why a step could not be done, by their names.
    """

    plan: Plan
    runs: list[RunProgress]
    how: str = ""
    why: str = ""
    begun: str = ""
    changed: str = ""
    processes: int = 0
    aggregated: tuple[str, ...] = ()
    messages: tuple[str, ...] = ()
    benchmarked: dict[str, Benchmarked] = field(default_factory=dict)
    pairs: dict[str, PairVerdict] = field(default_factory=dict)
    analysis: AnalysisFound | None = None
    explained: dict[str, FailureFound] = field(default_factory=dict)
    steps: dict[str, StepDone] = field(default_factory=dict)
    failed: dict[str, str] = field(default_factory=dict)
    moved: set[int] = field(default_factory=set)
    is_open: bool = False
    is_lost: bool = False
    log: list[AnyEvent] = field(default_factory=list)

    @property
    def calls(self) -> int:
        """Tries of an executor that were handed out, and calls of models, as many as they took."""
        executed = (
            one for run, one in zip(self.plan.runs, self.runs, strict=True) if run.stored is None
        )
        tried = sum(one.attempts + further_calls(one) for one in executed)
        return tried + sum(each.calls for each in self.asked)

    @property
    def judgings(self) -> list[Judging]:
        """How a model judged the test runs that it judged so far."""
        found = (each.graded.judging for each in self.runs if each.graded is not None)
        return [each for each in found if each is not None]

    @property
    def asked(self) -> list[Judging | PairVerdict | AnalysisFound | FailureFound]:
        """Everything that a model was asked, with what it took."""
        last = [] if self.analysis is None else [self.analysis]
        return [*self.judgings, *self.pairs.values(), *last, *self.explained.values()]

    @property
    def tokens(self) -> int:
        """Tokens used, as far as executors tell."""
        used = sum(done.tokens or 0 for each in self.runs for done in each.used.values())
        return used + sum(each.tokens or 0 for each in self.asked)

    @property
    def cost_usd(self) -> float:
        """Money spent, as far as executors tell."""
        spent = sum(done.cost_usd or 0.0 for each in self.runs for done in each.used.values())
        return spent + sum(each.cost_usd or 0.0 for each in self.asked)

    @property
    def done(self) -> int:
        """Test runs with nothing left to do, and steps that are done."""
        return sum(each.is_done for each in self.runs) + len(self.steps)

    @property
    def total(self) -> int:
        """Test runs and steps of the plan."""
        return len(self.runs) + len(self.plan.step_names)

    @property
    def statuses(self) -> Counter[str]:
        """How many test runs have each status."""
        return Counter(each.status for each in self.runs)

    def lose(self) -> None:
        """Note that the process died that worked on the run; what others hold stays as it is."""
        self.is_lost = True
        self.runs = [copy.copy(each) for each in self.runs]
        for each in self.runs:
            each.lose()


def further_calls(one: RunProgress) -> int:
    """Return how many calls the answered tries of a test run took beyond one for each."""
    return sum(done.calls - 1 for done in one.used.values() if done.calls is not None)


def written_paths(found: Progress) -> list[str]:
    """Return the paths of everything that a run wrote so far."""
    return [
        *(path for one in found.runs for path in one.paths),
        *found.aggregated,
        *(path for each in found.benchmarked.values() for path in each.paths),
        *(path for step in found.steps.values() for path in step.paths),
    ]


def progress_of(plan: Plan, events: Iterable[AnyEvent]) -> Progress:
    """Return how far a run is by the events of its journal."""
    found = Progress(plan, [RunProgress() for _ in plan.runs])
    for event in events:
        take_in(found, event)
    return found


def take_in(found: Progress, event: AnyEvent) -> None:
    """Change how far a run is by one more event."""
    found.log.append(event)
    found.changed = event.at
    match event:
        case Begun():
            found.lose()  # what an earlier process had in work, and did not answer, is gone
            found.is_lost = False
            found.begun = found.begun or event.at
            found.processes += 1
            found.is_open, found.how, found.why = True, "", ""
        case Started(run=index, attempt=attempt):
            found.runs[index].attempts = max(found.runs[index].attempts, attempt)
            found.runs[index].begin()
        case Executed(run=index):
            found.runs[index].answer(event.execution, event.attempts)
        case Judged(run=index):
            found.runs[index].graded = event.graded
        case Written(run=index):
            one = found.runs[index]
            one.paths, one.is_written, one.has_grading = event.paths, True, event.graded
            one.output = event.output
            one.failed = ""
        case Failed(run=index):
            found.runs[index].failed = event.why
        case Aggregated():
            found.aggregated, found.messages = event.paths, event.messages
        case Benchmarked():
            found.benchmarked[event.column] = event
        case Ended():
            found.is_open, found.how, found.why = False, event.how, event.why
        case _:
            _take_other(found, event)


def _take_other(found: Progress, event: AnyEvent) -> None:
    """Change how far a run is by where its test runs are, and by what happened beside them."""
    match event:
        case Moved():
            found.plan = with_runs(found.plan, event.runs)
            found.moved.update(event.runs)
        case Compared():
            found.pairs[event.pair.case] = event.pair
        case Analyzed():
            found.analysis = event.found
        case Explained():
            found.explained[event.found.run] = event.found
        case StepDone():
            found.steps[event.step] = event
            found.failed.pop(event.step, None)
        case StepFailed():
            found.failed[event.step] = event.why
