"""Write what a test run produced, and its documents, into the workspace: each once."""

import os
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec

from evalcore.aggregates.propose import proposals
from evalcore.disk.creating import create_all
from evalcore.disk.files import Files
from evalcore.engine.kept import EVENTS, MAX_FILE, Kept
from evalcore.engine.plan import Plan
from evalcore.errors import AlreadyStored, CannotWrite, UnknownName
from evalcore.families.graded import Graded
from evalcore.families.registry import family
from evalcore.families.running import Document, Execution, Running, TestRun
from evalcore.names import REPLY
from evalcore.proposals.proposal import Proposal, write
from evalcore.steps.model import Step, as_text
from evalcore.workspace.opened import Workspace, open_workspace

MAX_CALLS: Final = 500
MAX_LOGGED: Final = 4_000


class Placed(NamedTuple):
    """The files of a test run in the workspace, and whether its grading is among them."""

    paths: tuple[str, ...]
    graded: bool


def running_of(plan: Plan) -> Running:
    """Return what the family of a plan does for new runs."""
    found = family(plan.family).running()
    assert found is not None, plan.family
    return found


def write_run(plan: Plan, run: TestRun, done: Kept, graded: Graded) -> Placed:
    """Write the outputs of a test run, then its documents; what is there already stays.

    Raises:
        AlreadyStored: a file of somebody else is in the place of one.
        CannotWrite: one cannot be written; writing again completes it.
    """
    running, case, execution = running_of(plan), plan.case(run), whole(done)
    if running.transcript(run) is None:  # then its document has the log of the calls
        calls = done.steps(by_model=plan.agent is not None).calls[:MAX_CALLS]
        log = [_logged(step) for step in calls]
        execution = msgspec.structs.replace(execution, tool_calls=log or None)
    files: list[tuple[str, bytes]] = []
    documents: list[Document] = []
    if run.stored is None:
        files += _outputs(running, run, done)
        documents += running.documents(case, run, execution)
    gradings = running.grading(case, run, execution, graded)
    paths = _written(plan, files, [*documents, *gradings])
    return Placed(paths, bool(gradings) and graded.complete)


def write_gradings(
    plan: Plan, run: TestRun, execution: Execution, graded: Graded
) -> tuple[str, ...]:
    """Write the documents of the verdicts on a test run, the grading last; return their paths.

    Raises:
        AlreadyStored: somebody else's grading is in its place.
        CannotWrite: one cannot be written; writing again completes it.
    """
    gradings = running_of(plan).grading(plan.case(run), run, execution, graded)
    return _written(plan, [], gradings)


def write_documents(plan: Plan, documents: Sequence[Document]) -> tuple[str, ...]:
    """Write documents of no single test run; return their paths.

    Raises:
        AlreadyStored: something else is in the place of one.
        CannotWrite: one cannot be written; writing again completes it.
    """
    return _written(plan, [], documents)


def _written(
    plan: Plan, files: Sequence[tuple[str, bytes]], documents: Sequence[Document]
) -> tuple[str, ...]:
    """Write shared documents, where there is none yet, then files and the other documents.

    What is there already is compared first, so that nothing is laid beside another run's files.
    """
    shared = [document for document in documents if document.shared]
    for document in shared:
        with suppress(AlreadyStored):
            _create(plan, [_as_file(document)])
    own = [*files, *(_as_file(document) for document in documents if not document.shared)]
    root = Path(plan.workspace)
    _create(plan, sorted(own, key=lambda file: not os.path.lexists(root / file[0])))
    return (*(document.path for document in shared), *(path for path, _ in own))


def whole(done: Kept) -> Execution:
    """Return the execution with the texts of produced files, for families that keep no files."""
    texts = {name: data.decode("utf-8", "replace") for name, data in done.files()}
    if not texts:
        return done.execution
    said = done.execution.output
    output = {**said, **texts} if isinstance(said, dict) else texts
    return msgspec.structs.replace(done.execution, output=output)


def _outputs(running: Running, run: TestRun, done: Kept) -> Iterator[tuple[str, bytes]]:
    folder, transcript = running.outputs(run), running.transcript(run)
    if folder is not None:
        yield from ((f"{folder}/{name}", data) for name, data in done.files())
        if not done.execution.files and done.execution.reply:
            yield f"{folder}/{REPLY}", done.execution.reply.encode()
    text = done.transcript
    if transcript is not None and text:
        yield transcript, text.encode()
    if transcript is not None and done.events:
        yield events_beside(transcript), done.events


def events_beside(transcript: str) -> str:
    """Return where the events of an executor are kept, by the place of its transcript."""
    return f"{transcript.rpartition('/')[0]}/{EVENTS}"


def _logged(step: Step) -> dict[str, Any]:
    """Return a call as records of seed 001 log it, long texts cut."""
    about: dict[str, Any] = {"tool": step.tool, "status": step.status}
    for name, value in (("input", step.arguments), ("output", step.result)):
        about[name] = None if value is None else as_text(value)[:MAX_LOGGED]
    if step.duration_s is not None:
        about["durationMs"] = round(step.duration_s * 1000)
    return {name: value for name, value in about.items() if value is not None}


def _as_file(document: Document) -> tuple[str, bytes]:
    data = msgspec.json.format(msgspec.json.encode(document.value), indent=2) + b"\n"
    return document.path, data


def _create(plan: Plan, files: Sequence[tuple[str, bytes]]) -> None:
    create_all(Path(plan.workspace), files, unfinished=plan.unfinished, limit=MAX_FILE)


class Aggregated(NamedTuple):
    """The aggregate documents that were written, and why others were not."""

    paths: tuple[str, ...]
    messages: tuple[str, ...]


def write_aggregates(plan: Plan) -> Aggregated:
    """Write the aggregates of the versions that were run, as `evalcore aggregate` does."""
    root = Path(plan.workspace)
    paths: list[str] = []
    messages: list[str] = []
    for proposal in _proposals(plan, open_workspace(root)):
        messages += [] if proposal.path is None else proposal.messages
        try:
            write(root, proposal)
        except CannotWrite as error:
            messages.append(str(error))
        else:
            if proposal.data is not None and proposal.path is not None:
                paths.append(proposal.path)
    return Aggregated(tuple(dict.fromkeys(paths)), tuple(dict.fromkeys(messages)))


def _proposals(plan: Plan, workspace: Workspace) -> Iterator[Proposal]:
    """Yield what shall become of the aggregates; a version that nothing was written of has none."""
    own = running_of(plan).aggregates(
        workspace.tables, Files(workspace.root), plan.suite, plan.runs
    )
    if own is not None:
        yield from own
        return
    for version in dict.fromkeys(run.version for run in plan.runs):
        with suppress(UnknownName):
            yield from proposals(workspace, plan.suite, version)
