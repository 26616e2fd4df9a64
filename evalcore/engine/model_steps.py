"""Steps of a run that ask a model: several at once, within limits, until somebody stops them."""

import time
from collections import deque
from collections.abc import Callable, Iterable
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from typing import Final, NamedTuple, Protocol, TypeVar

from evalcore.disk.values import now_text
from evalcore.engine.journal import AnyEvent, StepFailed
from evalcore.engine.model_answers import Unanswered
from evalcore.engine.store import RunFolder

TICK: Final = 0.2
"""Seconds between two looks at whether somebody asked the run to stop."""

Note = Callable[[AnyEvent], None]
Item = TypeVar("Item")


class Stop(NamedTuple):
    """How a run ends before its steps are done, and why."""

    how: str
    why: str


class Taken(Protocol):
    """An answer of a model, which says what it took."""

    @property
    def calls(self) -> int:
        """How often a server was asked."""

    @property
    def tokens(self) -> int | None:
        """Tokens, as far as they are known."""

    @property
    def cost_usd(self) -> float | None:
        """Money, as far as it is known."""


Found = TypeVar("Found", bound=Taken)


@dataclass
class Used:
    """What a run used so far, and when its process began."""

    calls: int
    tokens: int
    cost_usd: float
    began: float

    def add(self, one: Taken) -> None:
        """Count what an answer took, instead of the calls that were expected of it."""
        self.calls += one.calls
        self.tokens += one.tokens or 0
        self.cost_usd += one.cost_usd or 0.0


class ModelSteps:
    """Asks a model for the steps of one run; `stop` is what stopped it, if something did."""

    def __init__(self, folder: RunFolder, note: Note, used: Used) -> None:
        self.folder, self.plan, self.note, self.used = folder, folder.plan, note, used
        self.stop: Stop | None = None

    def ask(
        self,
        items: Iterable[Item],
        act: Callable[[Item], Found],
        came: Callable[[Found], None],
        step: Callable[[Item], str],
        calls: int = 1,
    ) -> None:
        """Let `act` ask of each item in so many `calls`, and give what comes back to `came`."""
        waiting, working = deque(items), dict[Future[Found], Item]()
        with ThreadPoolExecutor(self.plan.limits.concurrency, "evalcore-step") as pool:
            while waiting or working:
                self.look(calls * bool(waiting))
                while waiting and self._has_room(len(working)):
                    item = waiting.popleft()
                    self.used.calls += calls
                    working[pool.submit(act, item)] = item
                    self.look(calls * bool(waiting))
                if not working:
                    return
                done, _ = wait(working, timeout=TICK, return_when=FIRST_COMPLETED)
                for future in done:
                    self.used.calls -= calls
                    self._back(future, step(working.pop(future)), came)

    def _has_room(self, working: int) -> bool:
        return self.stop is None and working < self.plan.limits.concurrency

    def _back(self, future: "Future[Found]", step: str, came: Callable[[Found], None]) -> None:
        try:
            found = future.result()
        except Unanswered as error:
            self.unanswered(step, error)
            return
        self.used.add(found)
        came(found)

    def unanswered(self, step: str, error: Unanswered) -> None:
        """Note that the model could not be asked; the others would not be answered either."""
        self.note(StepFailed(now_text(), step, error.why))
        self.look()
        if self.stop is None:
            self.stop = Stop("interrupted", error.why)

    def is_stopped(self) -> bool:
        """Return whether somebody asked the run to stop at once."""
        return self.folder.asked_to_stop() == "now"

    def look(self, ahead: int = 0) -> None:
        """See whether somebody asked to stop, or a bound leaves no room for so many calls ahead."""
        if self.folder.asked_to_stop():
            self.stop = Stop("cancelled", "It was cancelled.")
        elif self.stop is None and ahead:
            used, spent = self.used, time.monotonic() - self.used.began
            after = used.calls + ahead - 1
            why = self.plan.limits.reached(after, used.tokens, used.cost_usd, spent)
            self.stop = None if why is None else Stop("budget_stopped", why)
