"""`evalcore steps`: what an agent did in a run."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from evalcore.cli.answering import Answer, fields
from evalcore.cli.opening import open_for_judge, suite_of
from evalcore.counting.cells import typed, where
from evalcore.counting.run_criteria import run_row
from evalcore.counting.run_steps import steps_of
from evalcore.errors import EvalcoreError, UnknownName
from evalcore.steps.model import CALLS, Step, Steps
from evalcore.tables.cells import cells
from evalcore.tables.rows import RunRow
from evalcore.views.run.steps import line_of, totals_words
from evalcore.views.words import wording
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
    return Answer(
        lambda: head(run, found) | {"steps": [step._asdict() for step in found.steps]},
        _lines(run, found),
    )


def head(run: RunRow, found: Steps) -> dict[str, Any]:
    """Return what a document says of the steps of a run before it lists them."""
    return {
        "run_id": run.run_id,
        **fields(found, "source", "unread", "left_out", "has_tools"),
        "stated": found.stated._asdict(),
    }


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
    said = totals_words(found)
    said += [wording.count(len(found.errors), "error")] if found.errors else []
    yield f"{run.run_id}: {', '.join(said)}. From {found.source}."
    turn = 0
    for step in found.steps:
        if step.turn != turn:
            turn = step.turn
            yield f"Turn {turn}"
        yield f"  {'✗' if step.status == 'error' else ' '} {_line(step)}"
        if step.status == "error" and step.result:
            yield f"      {wording.line(step.result, LINE)}"
    if found.unread:
        yield f"{wording.count(found.unread, 'part')} of it could not be understood."
    if found.left_out:
        yield f"{wording.count(found.left_out, 'more step')}, not listed."


def _line(step: Step) -> str:
    what, text = line_of(step)
    took = "" if step.duration_s is None else f" ({wording.duration(step.duration_s)})"
    if step.kind in CALLS:
        return f"{what} {text}{took}".replace("  ", " ")
    return f"{what}: {text}"
