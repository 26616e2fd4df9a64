"""The work on one test run that may happen anywhere: execute the case, then decide its criteria.

It gets ids, never texts or keys: the worker reads the plan from the run's folder.
"""

import functools
import socket
from pathlib import Path
from typing import Final, cast

import msgspec

from evalcore import __version__
from evalcore.disk.creating import is_full, why
from evalcore.disk.listing import is_empty
from evalcore.engine.activity import Teller
from evalcore.engine.executing.agent.execute import execute_by_model
from evalcore.engine.executing.command import execute
from evalcore.engine.executing.stored import read_stored
from evalcore.engine.grading import grade
from evalcore.engine.kept import Keeper, Kept, kept, note_try
from evalcore.engine.model_answers import Unanswered
from evalcore.engine.progress import RETRIED
from evalcore.engine.store import PLAN, RunFolder
from evalcore.errors import EvalcoreError
from evalcore.families.graded import Graded
from evalcore.families.running import Execution, RunStatus


class Outcome(msgspec.Struct, frozen=True):
    """What came of one try; the reply and the produced files are kept beside the journal.

    `refused` says that the worker can do nothing of this run, whatever is asked of it, `tried` that
    a fault is not tried again before the run is resumed: it was, as often as allowed.
    """

    execution: Execution
    graded: Graded | None = None
    refused: bool = False
    tried: bool = False


_encoder: Final = msgspec.msgpack.Encoder()
_decoder: Final = msgspec.msgpack.Decoder(Outcome)


def perform(folder: str, index: int, asked_by: str) -> bytes:
    """Execute a test run and decide its criteria; asked twice, it is executed once.

    `asked_by` is the evalcore that asks: a worker with another one refuses, and so does one that
    does not see the folders of the run. dask may ask again when the answer is there and stored,
    as it was on a worker that died: then nothing is executed.
    """
    run = _folder(folder)
    try:
        if why_not := refusal(run, asked_by):
            return _encoder.encode(Outcome(Execution("not_run", why_not), refused=True))
        if run.asked_to_stop() == "now":
            return _encoder.encode(Outcome(Execution("cancelled", "The run was cancelled.")))
        if run.is_stored(index):
            return _encoder.encode(Outcome(Execution("interrupted", "It is stored already.")))
        done = kept(run, index) or _executed(run, index)
        graded = _graded(run, index, done) if isinstance(done, Kept) else None
    except Unanswered as error:
        return _encoder.encode(_unanswered(error))
    except OSError as error:
        # On a full disk every further try would be paid, and lost as well.
        said = why(error) if is_full(error) else str(error)
        return _encoder.encode(Outcome(Execution("error", said), refused=is_full(error)))
    except EvalcoreError as error:
        return _encoder.encode(Outcome(Execution("error", str(error))))
    execution = done.execution if isinstance(done, Kept) else done
    slim = msgspec.structs.replace(execution, reply="", output=None)
    # Each call of a model was tried again; what it did before would be done and paid once more.
    return _encoder.encode(Outcome(slim, graded, tried=run.plan.agent is not None))


def _unanswered(error: Unanswered) -> Outcome:
    """Return that a model could not be asked; what was executed stays kept for when it can."""
    status: RunStatus = "error"
    if error.status in ("rate_limited", "cancelled"):
        status = cast("RunStatus", error.status)
    return Outcome(Execution(status, error.why), tried=True)


def version() -> str:
    """Return the evalcore of this process, which may be a worker on another machine."""
    return __version__


def refusal(run: RunFolder, asked_by: str) -> str | None:
    """Return a sentence why this process can do nothing of a run; None if it can."""
    if asked_by != __version__:
        return (
            f"The worker on {socket.gethostname()} has evalcore {__version__}, the run was started "
            f"by {asked_by}. Install the same one on all machines."
        )
    unseen = run.path if not (run.path / PLAN).exists() else Path(run.plan.workspace)
    # A mount point without its mount is a folder too, and there is nothing in it.
    if unseen == run.path or not unseen.exists():
        what = f"does not see {unseen}"
    elif is_empty(unseen):
        what = f"sees an empty folder at {unseen}"
    else:
        return None
    return (
        f"The worker on {socket.gethostname()} {what}. It has to be on a disk that all workers "
        "share, at the same place."
    )


def outcome_of(data: bytes) -> Outcome:
    """Return what `perform` returned."""
    return _decoder.decode(data)


def _executed(run: RunFolder, index: int) -> Kept | Execution:
    """Execute a test run; what is to be tried again, or was never run, is not kept."""
    keeper = Keeper(run, index)
    note_try(run, index)
    try:
        execution = _execution(run, index, keeper)
        if execution.status in RETRIED or execution.status == "not_run":
            return execution
        keeper.result(execution)
    finally:
        keeper.drop()
    return kept(run, index) or execution


def _execution(run: RunFolder, index: int, keeper: Keeper) -> Execution:
    """Return how the plan's executor executes a test run."""
    plan, test_run, teller = run.plan, run.plan.runs[index], Teller(run, index)

    def stopped() -> bool:
        return run.asked_to_stop() == "now"

    try:
        if test_run.stored is not None:
            return read_stored(plan, test_run, keeper.files)
        if plan.agent is not None:
            return execute_by_model(plan, test_run, plan.agent, stopped, keeper.files, teller.tell)
        template = plan.executor.template
        assert template is not None, plan.id
        return execute(plan, test_run, template, stopped, keeper.files, run.path.parent)
    finally:
        teller.end()


def _graded(run: RunFolder, index: int, done: Kept) -> Graded | None:
    """Return the verdicts; None if the run was cancelled, as a script was ended by that."""
    graded = grade(run, index, done)
    return None if run.asked_to_stop() == "now" else graded


@functools.lru_cache(maxsize=8)
def _folder(path: str) -> RunFolder:
    return RunFolder(Path(path))
