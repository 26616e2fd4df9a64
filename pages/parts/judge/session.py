"""A judge's session: what it shows, what it keeps between messages, and its records."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any, Final, get_args

from evalcore import Workspace
from evalcore.engine.finishing import finish_run
from evalcore.errors import EvalcoreError
from evalcore.families.reviews.review import Seen
from evalcore.judging.answering.submitting import read_back, submit
from evalcore.judging.asking.seen import last_seen, seen_before
from evalcore.judging.asking.tasks import task
from evalcore.judging.hiding import (
    alias,
    asked_independently,
    hidden_during,
    is_judged,
    whole_since,
)
from evalcore.judging.model import Answer, Judge, Queue, ReadBack, Receipt, Task
from evalcore.judging.queueing.queue import queue
from evalcore.judging.queueing.reasons import told_by
from evalcore.judging.storing.drafts import drop, load, runs_with_drafts, save
from evalcore.judging.storing.run_reviews import reviews_of_run
from evalcore.judging.storing.shown import shown_to
from evalcore.judging.storing.stored_reviews import ReviewFolder, load_reviews, review_folder
from evalcore.views.blocks.base import PanelData
from evalcore.views.judge.batches import seen_words
from evalcore.views.judge.messages import draft_of, task_as_shown
from evalcore.views.judge.queue import View, entry_of
from pages.parts.judge_name import shown_to_browser
from pages.parts.state import Choice

SEEN: Final = get_args(Seen)
NOBODY: Final = Judge("", "")
Place = tuple[str, str]
"""A workspace and a suite."""


@dataclass
class Work:
    """What is on the screen and the result of the last act, each with what it is about.

    `receipt` is of a suite; `notes` are the ids under which notes are stored, by suite, run and
    words; `missed` is a suite, the run of its address, and the one shown instead.
    """

    shown: tuple[Place | None, PanelData] = (None, {})
    answer: tuple[Place | None, PanelData | None] = (None, None)
    receipt: tuple[str | None, PanelData | None] = (None, None)
    missed: tuple[str | None, str, str | None] = (None, "", None)
    notes: dict[tuple[str, str | None, str], str] = field(default_factory=dict)
    draft: dict[str, Any] = field(default_factory=lambda: {"run": None})


@dataclass
class JudgeSession:
    """A judge's session: the suite, and the view of the address.

    `same` says that the screen must stay as it is, although there may be something newer. Runs that
    are hidden in the workspace have an alias in everything that leaves the server, which does not
    tell their versions; the judge is shown their outputs all the same.
    """

    ws: Workspace
    suite: str
    judge: Judge | None
    view: View
    choice: Choice
    work: Work
    same: bool = False

    @property
    def whole(self) -> Workspace:
        """The snapshot with what is hidden from the judge."""
        return self.ws.unmasked

    @property
    def reviews(self) -> ReviewFolder:
        """The records of the suite that the judge may see."""
        return review_folder(self.ws, self.suite)

    @property
    def _runs(self) -> dict[str, str]:
        """The runs that the judge was asked to judge independently, by their aliases."""
        if self.judge is None:
            return {}
        asked = asked_independently(self.ws, self.suite, self.judge)
        return {alias(run, asking, self.judge): run for run, asking in asked.items()}

    def run_of(self, name: str) -> str:
        """Return the id of a run by its alias; a name that is none is returned as it is."""
        return self._runs.get(name, name)

    def aliased(self, value: Any) -> Any:
        """Return data for the browser with the aliases of hidden runs in place of their ids."""
        hidden = self.ws.hidden.runs
        names = {run: name for name, run in self._runs.items() if run in hidden} if hidden else {}
        return _renamed(value, names) if names else value

    def parameters(self) -> dict[str, str | None]:
        """Return the view as address parameters."""
        found: dict[str, str | None] = self.aliased(self.view.parameters())
        return found

    @property
    def who(self) -> Judge:
        """The judge, None if no name is set."""
        return self.judge or NOBODY

    def queue(self) -> Queue:
        """Return this judge's queue over the runs of the chosen version and configuration."""
        column = (self.choice.version, self.choice.configuration)
        records = load_reviews(self.reviews)
        return queue(self.ws, self.suite, self.who, records, self.drafts(), column=column)

    def task(self, run: str) -> Task:
        """Return the judging task of a run for this judge."""
        hidden = run in self.ws.hidden.runs
        return task(self.whole, run, self.who, load_reviews(self.reviews), independent=hidden)

    def store(
        self, now: Task, shown: Mapping[str, Any], given: Sequence[Answer], *, partial: bool
    ) -> tuple[Task, tuple[Receipt, ...], tuple[ReadBack, ...]]:
        """Store answers to a task as a tab has `shown` it; return that, and what the disk holds."""
        answered, seen = task_as_shown(now, shown), self.seen(now, given)
        receipts = submit(self.whole, answered, given, self.who, partial=partial, seen=seen)
        return answered, receipts, read_back(self.reviews, receipts)

    def seen(self, of: Task, answers: Iterable[Answer]) -> list[Seen]:
        """Return what this judge could have seen of a run before, as far as this server knows.

        Who scores what a rule decided has been shown what the rule said.
        """
        entry = entry_of(self.queue(), of.run_id)
        about = self.whole, of, load_reviews(review_folder(self.whole, self.suite)), self.who
        hidden = hidden_during(self.ws, of.run_id, self.who)
        told, own = told_by(entry.why if entry else ()), shown_to(self.reviews, self.who.id)
        if self._withdrawn(of.run_id) is not None:
            told = set(SEEN)
        found = seen_before(*about, own, told, hidden)
        # What was shown before a name was set was hidden from nobody.
        found += seen_before(*about, shown_to_browser(self.reviews))
        if any(each.key in of.decided for each in answers):
            found.append("recorded")
        return sorted(set(found), key=SEEN.index)

    def seen_already(self, run: str) -> list[str]:
        """Say that the judge's scores of a hidden run will not count as independent, if they won't.

        It is said alike of all runs: which of them have scores would tell of them.
        """
        own = shown_to(self.reviews, self.who.id)
        known = (
            last_seen(own, hidden_during(self.ws, run, self.who)),
            last_seen(shown_to_browser(self.reviews)),
            self._withdrawn(run),
        )
        times = [when for when in known if when is not None]
        return [seen_words("You", max(times))] if times else []

    def _withdrawn(self, run: str) -> datetime | None:
        """Return since when the judge could see what others gave a run that they judged, and undid.

        None where they did not judge it whole, or where their scores stand.
        """
        of = self.whole, run, reviews_of_run(load_reviews(self.reviews), run), self.who.id
        return None if is_judged(*of) else whole_since(*of)

    def drafts(self) -> frozenset[str]:
        """Return the runs for which this judge has a draft."""
        return runs_with_drafts(self.ws.root, self.judge.id) if self.judge else frozenset()

    def draft(self, run: str) -> dict[str, Any] | None:
        """Return this judge's draft for a run."""
        return load(self.ws.root, self.judge.id, run) if self.judge else None

    def keep(self, value: object) -> str | None:
        """Save a draft, or delete it if it is empty; return why that failed."""
        draft = draft_of(value)
        if self.judge is None or not isinstance(value, dict):
            return None
        run = self.run_of(str(value.get("run")))
        if draft is None:
            self.forget(run)
            return None
        draft["run"] = run
        try:
            save(self.ws.root, self.judge.id, run, draft)
        except EvalcoreError as fault:
            return f"The draft is saved in this window only: {fault}"
        return None

    def forget(self, run: str) -> None:
        """Delete the draft for a run."""
        if self.judge is not None:
            drop(self.ws.root, self.judge.id, run)


def _renamed(value: Any, names: Mapping[str, str]) -> Any:
    """Return plain data with some of its texts replaced."""
    if isinstance(value, dict):
        return {key: _renamed(each, names) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_renamed(each, names) for each in value]
    return names.get(value, value) if isinstance(value, str) else value


def write_answered(root: Path, run: str) -> str:
    """Write the grading of a run that evalcore made, if people have judged it now; say so.

    The scores are stored whatever becomes of it: the next judgment writes it, or
    `evalcore runs --write`.
    """
    try:
        found = finish_run(root, run)
    except (EvalcoreError, OSError) as fault:
        return f"The scores are stored; the grading of the run is not written yet: {fault}"
    return "The grading of the run is written." if found.written else ""
