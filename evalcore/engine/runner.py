"""Carry out a plan: hand out test runs, journal what comes back, and write it."""

import heapq
import os
import socket
import time
from collections import Counter, deque
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ThreadPoolExecutor, wait
from typing import Final

from evalcore import __version__
from evalcore.disk.creating import is_full
from evalcore.disk.values import now_text
from evalcore.engine.again import OutputChanged, SecondJudgments
from evalcore.engine.benchmarked import write_benchmark_runs
from evalcore.engine.claims import Claims
from evalcore.engine.failure_analysis.working import analyze_failures
from evalcore.engine.finishing import write_answered
from evalcore.engine.improving.working import after_runs, before_runs
from evalcore.engine.journal import (
    Aggregated,
    AnyEvent,
    Begun,
    Ended,
    Executed,
    Failed,
    Journal,
    Judged,
    Moved,
    Started,
    Written,
    events,
)
from evalcore.engine.kept import Kept, kept, tries, tries_of
from evalcore.engine.model_steps import Stop, Used
from evalcore.engine.people import ask, is_left_to_people, output_digest, reviews_of
from evalcore.engine.plan import Plan, with_runs
from evalcore.engine.progress import Progress, further_calls, progress_of
from evalcore.engine.store import RunFolder
from evalcore.engine.task import Outcome, outcome_of, perform, refusal
from evalcore.engine.writing import Placed, write_aggregates, write_run
from evalcore.errors import AlreadyStored, CannotRun, CannotWrite, EvalcoreError
from evalcore.families.graded import Graded
from evalcore.families.running import Execution, TestRun
from evalcore.judging.storing.stored_reviews import ReviewFolder

TICK: Final = 0.2
"""Seconds between two looks at whether somebody asked the run to stop."""

FIRST_WAIT: Final = 1.0
MAX_WAIT: Final = 60.0
"""Seconds before a failed case is tried again: doubled each time, up to this."""

PATIENCE: Final = 10.0
"""Seconds in which test runs end by themselves when a run is cancelled at once."""

MAX_WRITES: Final = 64
"""So many results may wait to be journaled and written; each is kept beside the journal."""

_AGAIN: Final = frozenset({"error", "rate_limited"})


class Runner:
    """Works on one run in this process, which must hold the run's lock."""

    def __init__(
        self,
        folder: RunFolder,
        pool: Executor,
        where: str = "threads",
        is_lost: Callable[[], bool] = lambda: False,
    ) -> None:
        self._folder, self._pool, self._where, self._is_lost = folder, pool, where, is_lost
        self._planned: Plan = folder.plan
        self._known: Progress = progress_of(self._planned, events(folder.path))
        self._plan: Plan = self._known.plan
        self._claims = Claims(self._planned)
        self._places = Counter[str]()
        self._unwritten = set[int]()
        self._journal = Journal(folder.path)
        self._queue: deque[int] = deque()
        self._later: list[tuple[float, int]] = []
        self._failures: dict[int, int] = {}
        self._working: dict[Future[bytes], int] = {}
        self._writer = ThreadPoolExecutor(1, "evalcore-writer")
        self._writes: deque[Future[None]] = deque()
        self._written: list[int] = []
        self._attempts = tries(folder)
        used = sum(each.calls for each in self._known.asked)
        used += sum(map(further_calls, self._known.runs))
        self._calls = sum(n for at, n in self._attempts.items() if self._executed(at)) + used
        self._tokens, self._cost = self._known.tokens, self._known.cost_usd
        self._began = time.monotonic()
        self._reviews: ReviewFolder | None = None
        self._second: SecondJudgments | None = None
        self._stop: str | None = None
        self._why = ""
        self._asked_now: float | None = None

    def work(self) -> str:
        """Do everything that is left of the plan; return how it ended."""
        self._note(Begun(now_text(), os.getpid(), socket.gethostname(), self._where))
        try:
            self._heed(before_runs(self._folder, self._note))
            if self._stop is None:
                self._claim()
            self._resume()
            while self._queue or self._later or self._working:
                self._look()
                self._hand_out()
                if self._stop and not self._working:
                    break
                self._take_back()
            self._wait_for_writes(0)
            self._finish()
        finally:
            self._writer.shutdown()
            self._journal.close()
        return self._stop or "finished"

    def _claim(self) -> None:
        """Own the places of all test runs that are left, before any of them is executed.

        Whose place another run owns gets the next number; a stored output, which stays where it is,
        is left for later.
        """
        if why := refusal(self._folder, __version__):
            self._interrupt(f"Not run: {why}")
            return
        moved: dict[int, TestRun] = {}
        try:
            for index, one in enumerate(self._known.runs):
                if not one.is_done:
                    run, is_new = self._plan.runs[index], kept(self._folder, index) is None
                    try:
                        owned = self._claims.own(self._planned.runs[index], run, is_new=is_new)
                    except CannotRun as error:
                        self._failed(index, error)
                        continue
                    self._places[owned.place] += 1
                    if owned != run:
                        moved[index] = owned
        except CannotWrite as error:
            self._interrupt(f"{error} Nothing more was executed.")
        if moved:
            self._move(moved)

    def _move(self, moved: dict[int, TestRun]) -> None:
        self._note(Moved(now_text(), moved))
        self._plan = with_runs(self._plan, moved)

    def _release(self, index: int) -> None:
        """Give up the claim of a place when all that is written there is written."""
        run = self._plan.runs[index]
        self._places[run.place] -= 1
        if self._places[run.place] <= 0:
            self._claims.release(self._planned.runs[index], run)

    def _resume(self) -> None:
        """Take up each test run where its journal ends: no journaled step is repeated.

        What is kept was executed, though a killed process may not have come to journal it.
        """
        for index, one in enumerate(self._known.runs):
            if one.is_done:
                if one.has_grading:
                    self._folder.drop(index)  # an earlier process died before it did this
                if not self._places[self._plan.runs[index].place]:
                    self._release(index)
                continue
            if index in self._unwritten:
                continue
            if kept(self._folder, index) is None:
                self._queue.append(index)  # not executed, or what it produced was not on disk
            elif one.execution is not None and one.graded is not None:
                self._write(index, Outcome(one.execution, one.graded))
            else:
                self._calls += self._plan.judge_calls(index)
                self._working[self._submitted(index)] = index

    def _look(self) -> None:
        """See whether somebody asked to stop, or a bound is reached."""
        asked = self._folder.asked_to_stop()
        if asked:
            self._stop, self._why = "cancelled", "It was cancelled."
            if asked == "now":
                self._cancel_late()
        else:
            self._stop_at_bound()

    def _cancel_late(self) -> None:
        """Give test runs the time to end what they started; then wait for them no longer."""
        now = time.monotonic()
        self._asked_now = self._asked_now or now
        if now - self._asked_now > PATIENCE:
            for future in self._working:
                future.cancel()

    def _bound(self) -> str | None:
        if not (self._queue or self._later):
            return None
        spent = time.monotonic() - self._began
        return self._plan.limits.reached(self._calls, self._tokens, self._cost, spent)

    def _hand_out(self) -> None:
        now = time.monotonic()
        while self._later and self._later[0][0] <= now:
            self._queue.append(heapq.heappop(self._later)[1])
        while self._queue and not self._stop and len(self._working) < self._plan.limits.concurrency:
            index = self._queue.popleft()
            self._attempts[index] = self._attempts.get(index, 0) + 1
            self._calls += self._executed(index) + self._plan.judge_calls(index)
            self._note(Started(now_text(), index, self._attempts[index]), durable=False)
            self._working[self._submitted(index)] = index
            self._stop_at_bound()

    def _stop_at_bound(self) -> None:
        if self._stop is None and (why := self._bound()):
            self._stop, self._why = "budget_stopped", why

    def _submitted(self, index: int) -> "Future[bytes]":
        self._folder.hand_out(index)
        return self._pool.submit(perform, str(self._folder.path), index, __version__)

    def _take_back(self) -> None:
        """Wait for test runs to come back, hand out the next ones, then journal and write.

        A thread of its own writes: that takes a while, in which nobody shall wait for work.
        """
        if not self._working:
            time.sleep(TICK if self._later else 0)
            return
        done, _ = wait(self._working, timeout=TICK, return_when=FIRST_COMPLETED)
        back = [(self._working.pop(future), future) for future in done]
        self._look()
        cancelled = self._asked_now is None and any(future.cancelled() for _, future in back)
        if cancelled or self._is_lost():
            self._interrupt("The connection to the cluster was lost.")
            self._working.clear()  # what was handed out meanwhile may never come back
        for index, future in back:
            if not future.cancelled():
                self._came_back(index, _outcome(future))
        if self._plan.models or self._plan.agent:  # what it took is known only now
            self._stop_at_bound()
        self._hand_out()
        self._wait_for_writes(MAX_WRITES)

    def _wait_for_writes(self, most: int) -> None:
        """Wait until at most so many results are not written; an error of one is raised here."""
        while self._writes and (len(self._writes) > most or self._writes[0].done()):
            self._writes.popleft().result()

    def _came_back(self, index: int, outcome: Outcome) -> None:
        """Count what a test run used, and let it be written."""
        if outcome.refused:  # not journaled: a worker that can will do it when the run is resumed
            self._interrupt(f"Not run: {outcome.execution.why}")
            return
        self._count_lost(index)
        self._count(index, outcome.execution)
        self._count_judging(index, outcome.graded)
        if outcome.execution.status in _AGAIN and not outcome.tried and not self._stop:
            self._try_later(index)
        tried = self._tried(index)
        self._writes.append(self._writer.submit(self._one_back, index, tried, outcome))

    def _interrupt(self, why: str) -> None:
        if self._stop is None:
            self._stop, self._why = "interrupted", why

    def _count(self, index: int, execution: Execution) -> None:
        """Count what a try used, unless an earlier process has counted it."""
        if self._tried(index) not in self._known.runs[index].used:
            self._calls += 0 if execution.calls is None else execution.calls - 1
            self._tokens += execution.tokens or 0
            self._cost += execution.cost_usd or 0.0

    def _count_judging(self, index: int, graded: Graded | None) -> None:
        """Count what models used that judged, instead of what was expected of them."""
        self._calls -= self._plan.judge_calls(index)
        if graded is not None and graded.judging is not None:
            self._calls += graded.judging.calls
            self._tokens += graded.judging.tokens or 0
            self._cost += graded.judging.cost_usd or 0.0

    def _count_lost(self, index: int) -> None:
        """Count tries that were lost with their worker and begun again by another one."""
        lost = tries_of(self._folder, index) - self._attempts.get(index, 0)
        if lost > 0:
            self._attempts[index] = self._attempts.get(index, 0) + lost
            self._calls += lost * self._executed(index)

    def _executed(self, index: int) -> bool:
        return self._plan.executor.kind != "stored" and self._plan.runs[index].stored is None

    def _tried(self, index: int) -> int:
        return max(self._attempts.get(index, 0), 1)

    def _one_back(self, index: int, tried: int, outcome: Outcome) -> None:
        execution, graded = outcome.execution, outcome.graded
        self._note(Executed(now_text(), index, execution, tried), durable=graded is None)
        if graded is not None:
            self._note(Judged(now_text(), index, graded))
            self._write(index, outcome)

    def _try_later(self, index: int) -> None:
        """Let a test run be tried again after a while, unless it failed too often."""
        self._failures[index] = failures = self._failures.get(index, 0) + 1
        if failures <= self._plan.limits.retries:
            wait_for = min(FIRST_WAIT * 2 ** (failures - 1), MAX_WAIT)
            heapq.heappush(self._later, (time.monotonic() + wait_for, index))

    def _write(self, index: int, outcome: Outcome) -> None:
        done = kept(self._folder, index)
        if done is None or outcome.graded is None:
            return
        if self._plan.runs[index].again:
            self._store_again(index, outcome.execution, outcome.graded)
            return
        output = None
        try:
            placed = self._placed(index, done, outcome.graded)
            run = self._plan.runs[index]
            if not placed.graded and is_left_to_people(outcome.execution, outcome.graded):
                output = output_digest(self._plan, run)
                self._reviews = self._reviews or reviews_of(self._plan)
                ask(self._reviews, self._plan, index, outcome.graded, output)
        except (EvalcoreError, OSError) as error:
            self._failed(index, error)
            return
        self._note(Written(now_text(), index, placed.paths, placed.graded, output), durable=False)
        self._release(index)
        if placed.graded:
            self._written.append(index)

    def _placed(self, index: int, done: Kept, graded: Graded) -> Placed:
        """Write a test run to its place; where somebody else's files are, to the next one."""
        while True:
            run = self._plan.runs[index]
            try:
                return write_run(self._plan, run, done, graded)
            except AlreadyStored:
                if run.stored is not None:
                    raise
                self._move({index: self._claims.another(self._planned.runs[index], run)})

    def _failed(self, index: int, error: Exception) -> None:
        """Note that nothing was stored of a test run; on a full disk no other is begun."""
        self._unwritten.add(index)
        self._note(Failed(now_text(), index, str(error)))
        if is_full(error):
            self._interrupt(str(error))

    def _store_again(self, index: int, execution: Execution, graded: Graded) -> None:
        """Store what was decided beside the grading that there is; the aggregates are not of it."""
        try:
            self._second = self._second or SecondJudgments(self._plan)
            paths = self._second.store(index, execution, graded)
        except (EvalcoreError, OSError) as error:
            if isinstance(error, OutputChanged):
                self._folder.drop(index)  # another try takes the output as it is then
            self._failed(index, error)
            return
        self._note(Written(now_text(), index, paths, True), durable=False)
        self._release(index)
        self._written.append(index)

    def _finish(self) -> None:
        if self._plan.runs and not self._plan.again:
            self._take_answers()
            self._aggregate()
            why = write_benchmark_runs(self._folder, self._journal)
            self._why = self._why or why
        if self._stop is None:
            used = Used(self._calls, self._tokens, self._cost, self._began)
            steps = after_runs if self._plan.failures is None else analyze_failures
            self._heed(steps(self._folder, self._note, used))
        for index, one in enumerate(progress_of(self._planned, events(self._folder.path)).runs):
            # What was not executed, or failed and is tried anew, gets a place when it is resumed.
            if not one.is_done and kept(self._folder, index) is None:
                self._release(index)
        if self._stop is None and self._unwritten:
            why = f"{len(self._unwritten):,} of its test runs are not stored."
            self._stop, self._why = "interrupted", self._why or why
        self._note(Ended(now_text(), self._stop or "finished", self._why))

    def _heed(self, stop: Stop | None) -> None:
        """Take in what stopped the steps beside the test runs."""
        if stop is not None:
            self._stop, self._why = stop

    def _aggregate(self) -> None:
        try:
            found = write_aggregates(self._plan)
        except (EvalcoreError, OSError) as error:
            self._interrupt(f"The aggregates were not written: {error}")
        else:
            self._note(Aggregated(now_text(), found.paths, found.messages))

    def _take_answers(self) -> None:
        """Write the gradings of test runs that people judged while others were still executed."""
        try:
            write_answered(self._folder, self._journal)
        except (EvalcoreError, OSError) as error:
            self._why = self._why or f"People's answers were not written: {error}"

    def _note(self, event: AnyEvent, *, durable: bool = True) -> None:
        """Journal an event; what was kept of runs is dropped once it is on disk that they are done.

        If the power failed before, they would be executed again.
        """
        self._journal.add(event, durable=durable)
        if durable:
            for index in self._written:
                self._folder.drop(index)
            self._written.clear()


def note_refusal(folder: RunFolder, where: str, why: str) -> None:
    """Journal that a run could not begin, or go on; the process must hold the run's lock."""
    journal = Journal(folder.path)
    try:
        journal.add(Begun(now_text(), os.getpid(), socket.gethostname(), where))
        journal.add(Ended(now_text(), "interrupted", why))
    finally:
        journal.close()


def _outcome(future: "Future[bytes]") -> Outcome:
    """Return what came back; a worker that was lost is an error, which is tried again."""
    error = future.exception()
    if error is not None:
        cause = _innermost(error)
        why = f"The worker failed ({type(cause).__name__}: {cause})."
        return Outcome(Execution("error", why[:600]))
    return outcome_of(future.result())


def _innermost(error: BaseException) -> BaseException:
    """Return what an error began with: a group, or one raised from another, says less."""
    seen = list[BaseException]()  # two may be raised from each other
    while error not in seen:
        seen.append(error)
        if isinstance(error, BaseExceptionGroup):
            error = error.exceptions[0]
        error = error.__cause__ or error
    return error
