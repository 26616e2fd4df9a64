"""`evalcore steps`: what an agent did in a run."""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from evalcore.cli.answering import Answer, fields
from evalcore.cli.opening import open_for_judge, suite_of
from evalcore.counting.cells import typed, where
from evalcore.counting.run_criteria import run_row
from evalcore.counting.run_steps import steps_of
from evalcore.errors import EvalcoreError, UnknownName
from evalcore.steps.model import Step, Steps, as_text
from evalcore.tables.cells import cells
from evalcore.tables.rows import RunRow
from evalcore.views.words.wording import count
from evalcore.workspace.opened import Workspace

LINE = 100


class Wanted(NamedTuple):
    """Which run is asked for: by its id, or by what it is of."""

    run: str | None
    suite: str | None
    case: str | None
    version: str | None
    configuration: str | None


def answer(path: Path, wanted: Wanted) -> Answer:
    """Return the steps of one run.

    Raises:
        EvalcoreError: no run is meant, or several are.
    """
    ws = open_for_judge(path)
    run = run_row(ws, wanted.run) if wanted.run else _only(ws, path, wanted)
    found = steps_of(ws, run)
    document = {
        "run_id": run.run_id,
        **fields(found, "source", "unread", "left_out", "has_tools"),
        "stated": found.stated._asdict(),
    }
    return Answer(
        lambda: document | {"steps": [step._asdict() for step in found.steps]}, _lines(run, found)
    )


def _only(ws: Workspace, path: Path, wanted: Wanted) -> RunRow:
    if not wanted.case or not wanted.version:
        raise EvalcoreError("Name a run with --run, or with --case and --version.")
    asked = {
        "suite": suite_of(ws, path, wanted.suite),
        "case_id": wanted.case,
        "version": wanted.version,
    }
    if wanted.configuration:
        asked["configuration"] = wanted.configuration
    runs = typed(ws, "runs", RunRow, where(ws, "runs", **asked))
    if not runs:
        cases = cells(ws.tables, "runs", "case_id", "suite")
        known = dict.fromkeys(case for case, suite in cases if suite == asked["suite"])
        if wanted.case not in known:
            raise UnknownName("case", wanted.case, known)
        raise UnknownName(
            "run of",
            f"{wanted.case}@{wanted.version}",
            ws.tables.runs["run_id"].head(2000).dropna(),
        )
    if len(runs) > 1:
        ids = ", ".join(str(run.run_id) for run in runs[:4])
        raise EvalcoreError(f"{len(runs):,} runs are meant; name one with --run: {ids}.")
    return runs[0]


def _lines(run: RunRow, found: Steps) -> Iterator[str]:
    if not found.steps:
        yield f"{run.run_id} has no transcript that tells its steps."
        return
    failed = sum(step.status == "error" for step in found.steps)
    turns = found.steps[-1].turn
    said = [count(turns, "turn"), count(len(found.calls), "tool call")]
    said += [count(failed, "error")] if failed else []
    yield f"{run.run_id}: {', '.join(said)}. From {found.source}."
    turn = 0
    for step in found.steps:
        if step.turn != turn:
            turn = step.turn
            yield f"Turn {turn}"
        yield f"  {'✗' if step.status == 'error' else ' '} {_line(step)}"
        if step.status == "error" and step.result:
            yield f"      {_cut(step.result)}"
    if found.unread:
        yield f"{count(found.unread, 'part')} of it could not be understood."
    if found.left_out:
        yield f"{count(found.left_out, 'more step')}, not listed."


def _line(step: Step) -> str:
    took = "" if step.duration_s is None else f" ({step.duration_s:.1f} s)"
    if step.tool:
        asked = step.arguments
        if isinstance(asked, dict):
            subject, *more = [*asked.items()] or [("", "")]
            numbers = [f"{name}={value}" for name, value in more if isinstance(value, int)]
            asked = " ".join([_cut(as_text(subject[1])), *numbers])
        given = "" if asked is None else f" {_cut(as_text(asked))}"
        return f"{step.tool}{given}{took}"
    return f"{step.kind.replace('_', ' ')}: {_cut(step.text or step.result or '')}"


def _cut(text: str) -> str:
    line = " ".join(text[: 4 * LINE].split())
    return line if len(line) <= LINE else f"{line[: LINE - 1]}…"
