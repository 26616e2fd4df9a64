"""Write the gradings of test runs that people have judged: each once, whenever that is noticed.

What is to be written is journaled first, so that a process that dies in between leaves nothing
that the next one would write otherwise.
"""

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final, NamedTuple

from evalcore.disk.values import now_text
from evalcore.engine.answers import Missing, graded_by_people
from evalcore.engine.benchmarked import owes_benchmark_runs, write_benchmark_runs
from evalcore.engine.journal import Aggregated, Failed, Journal, Judged, Written, events
from evalcore.engine.kept import kept
from evalcore.engine.people import close, is_left_to_people, output_digest
from evalcore.engine.plan import Plan
from evalcore.engine.progress import Progress, RunProgress, progress_of
from evalcore.engine.store import RunFolder, all_runs
from evalcore.engine.writing import whole, write_aggregates, write_gradings
from evalcore.errors import CannotRun, CannotWrite, EvalcoreError
from evalcore.families.graded import Graded
from evalcore.families.running import TestRun
from evalcore.judging.storing.stored_reviews import ReviewFolder, review_folder
from evalcore.shapes.judge import HUMAN
from evalcore.tables.cells import cells
from evalcore.workspace.opened import Workspace, open_workspace

_BUSY: Final = "The run is in progress; it writes people's answers when it ends."
_GONE: Final = "The run is no longer in the folder: nothing can be written of it."
_NOT_KEPT: Final = "What it produced is no longer kept on this machine. Start a new run."
_CHANGED: Final = "Its output has changed since it was judged. Start a new run."


class Waiting(NamedTuple):
    """A test run that people have not judged yet, or that cannot be written, and why."""

    run_id: str
    why: str


class Finished(NamedTuple):
    """The test runs whose gradings were written, those that wait, and the aggregates."""

    written: tuple[str, ...] = ()
    waiting: tuple[Waiting, ...] = ()
    aggregated: tuple[str, ...] = ()
    messages: tuple[str, ...] = ()


def finish_run(workspace: Path, run_id: str) -> Finished:
    """Write the grading of a test run if people have judged it; of any other run, do nothing.

    Raises:
        EvalcoreError: it cannot be written; finishing again completes it.
    """
    found, about = Finished(), run_id.rpartition("#")[0]
    for folder in all_runs(workspace):
        # Its number may be another one than planned.
        if any(run.run_id.rpartition("#")[0] == about for run in _runs_of(folder)):
            found = _joined(found, finish(folder))
    return found


def finish_all(workspace: Path) -> Finished:
    """Write the gradings of all test runs of a workspace that people have judged."""
    found = Finished()
    for folder in all_runs(workspace):
        found = _joined(found, finish(folder))
    return found


def finish(folder: RunFolder) -> Finished:
    """Write the gradings of the test runs of one run that people have judged, then aggregates."""
    progress = folder.progress()
    open_ = [progress.plan.runs[index].run_id for index, _ in _open(progress)]
    if not open_ and not _owes_aggregates(progress) and not owes_benchmark_runs(progress):
        return Finished()
    try:
        with folder.lock():
            return _finished(folder)
    except CannotRun:
        return Finished((), tuple(Waiting(name, _BUSY) for name in open_))


def _finished(folder: RunFolder) -> Finished:
    journal = Journal(folder.path)
    try:
        found = write_answered(folder, journal)
        progress = folder.progress()
        if _owes_aggregates(progress):
            made = write_aggregates(progress.plan)
            journal.add(Aggregated(now_text(), made.paths, made.messages))
            found = found._replace(aggregated=made.paths, messages=made.messages)
        why = (
            write_benchmark_runs(folder, journal) if owes_benchmark_runs(folder.progress()) else ""
        )
        return found._replace(messages=(*found.messages, why)) if why else found
    finally:
        journal.close()


def write_answered(folder: RunFolder, journal: Journal) -> Finished:
    """Write the gradings that people's records allow; the run's lock must be held."""
    progress = progress_of(folder.plan, events(folder.path))
    plan, open_ = progress.plan, list(_open(progress))
    if not open_:
        return Finished()
    writer = _Writer(folder, plan, journal, open_workspace(Path(plan.workspace)))
    written, waiting = list[str](), list[Waiting]()
    for index, one in open_:
        name = plan.runs[index].run_id
        why = writer.write(index, one)
        if why is None:
            written.append(name)
        else:
            waiting.append(Waiting(name, why))
    return Finished(tuple(written), tuple(waiting))


class _Writer:
    """Writes the gradings of one run, from the workspace as it is now."""

    def __init__(
        self, folder: RunFolder, plan: Plan, journal: Journal, workspace: Workspace
    ) -> None:
        self._folder, self._plan = folder, plan
        self._journal, self._workspace = journal, workspace
        self._here = {name for (name,) in cells(workspace.tables, "runs", "run_id")}

    def write(self, index: int, one: RunProgress) -> str | None:
        """Write the grading of a test run; return why it is not written, if it is not."""
        run, graded = self._plan.runs[index], one.graded
        if graded is None:
            return _GONE
        if not (graded.judge_type == HUMAN and graded.complete):
            found = self._answered(index, one, graded)
            if isinstance(found, Missing):
                return found.why
            graded = found
            self._journal.add(Judged(now_text(), index, graded))
        done = kept(self._folder, index)
        if done is None:
            return _NOT_KEPT
        try:
            paths = write_gradings(self._plan, run, whole(done), graded)
        except CannotWrite as error:
            if one.failed != str(error):
                self._journal.add(Failed(now_text(), index, str(error)))
            return str(error)
        everything = tuple(dict.fromkeys((*one.paths, *paths)))
        self._journal.add(Written(now_text(), index, everything, True, one.output))
        self._folder.drop(index)
        with suppress(EvalcoreError, OSError):  # the scores show all the same that it is answered
            close(self._reviews, self._plan, index)
        return None

    @property
    def _reviews(self) -> ReviewFolder:
        path = review_folder(self._workspace, self._plan.suite).path
        return ReviewFolder(self._workspace.root, path)

    def _answered(self, index: int, one: RunProgress, graded: Graded) -> Graded | Missing:
        run = self._plan.runs[index]
        if run.run_id not in self._here:
            return Missing(_GONE)
        if one.output is not None and output_digest(self._plan, run) != one.output:
            return Missing(_CHANGED)
        return graded_by_people(self._workspace, run.run_id, graded, self._plan.judges)


def _open(progress: Progress) -> Iterator[tuple[int, RunProgress]]:
    """Yield the test runs that are written, have no grading yet, and are left to people."""
    for index, one in enumerate(progress.runs):
        if one.is_written and not one.has_grading:
            taken = one.graded is not None and one.graded.judge_type == HUMAN
            if taken or is_left_to_people(one.execution, one.graded):
                yield index, one


def _owes_aggregates(progress: Progress) -> bool:
    """Return whether a grading was written after the aggregates; a second judgment is none."""
    owes = False
    if progress.plan.again:
        return owes
    for event in progress.log:
        if isinstance(event, Aggregated):
            owes = False
        elif isinstance(event, Written):
            owes = owes or event.graded
    return owes


def _runs_of(folder: RunFolder) -> tuple[TestRun, ...]:
    """Return the test runs of a run; none where its plan cannot be read."""
    try:
        return folder.plan.runs
    except CannotRun:
        return ()


def _joined(one: Finished, two: Finished) -> Finished:
    return Finished(
        one.written + two.written,
        one.waiting + two.waiting,
        tuple(dict.fromkeys(one.aggregated + two.aggregated)),
        tuple(dict.fromkeys(one.messages + two.messages)),
    )
