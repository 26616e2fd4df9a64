"""The steps of a run, read from its transcript or its record when somebody asks."""

from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

from evalcore.counting.cells import typed
from evalcore.counting.named_records import named_record
from evalcore.counting.run_files import read_text, with_steps
from evalcore.disk.head import read_head
from evalcore.errors import EvalcoreError
from evalcore.steps.model import NO_STEPS, Steps, as_text
from evalcore.steps.reading import MAX_BYTES, read_log, read_steps
from evalcore.tables.builder import TableBuilder
from evalcore.tables.columns import FinishedColumn
from evalcore.tables.held import output_pointer, record_pointer
from evalcore.tables.rows import RunRow, StepRow
from evalcore.workspace.opened import Workspace

_LOG: Final = "/fields/toolCallsLog"
_AGENT_RUN: Final = ("agent-run",)


def steps_of(ws: Workspace, run: RunRow) -> Steps:
    """Return the steps of a run as they can be read now; none where it has no transcript.

    Of several transcripts the one that tells most of tools, then the one with most steps. What is
    hidden from the judge is not read.
    """
    found = [*_logs(ws, run)]
    for path in _visible(ws, run):
        with suppress(EvalcoreError, OSError, ValueError):  # gone, or no file: it tells nothing
            if output_pointer(run) is not None:
                record = read_text(ws, path, MAX_BYTES)
                found.append(read_steps((record or "").encode(), path))
                continue
            about = (ws.root / path).stat()
            found.append(_of_file(ws.root, path, (about.st_size, about.st_mtime_ns)))
    return max(found, key=lambda each: (len(each.calls), each.understood), default=NO_STEPS)


def may_have_steps(ws: Workspace, run: RunRow) -> bool:
    """Return whether something is there that may tell a run's steps; no transcript is read."""
    return bool(_visible(ws, run)) or any(found.steps for found in _logs(ws, run))


def columns_of_steps(ws: Workspace) -> Mapping[str, FinishedColumn]:
    """Return the columns of the table `steps`: those of all runs, in their order."""
    table = TableBuilder(StepRow)
    for run in typed(ws, "runs", RunRow, range(ws.tables.rows("runs"))):
        found = steps_of(ws, run)
        for step in found.steps:
            table.add(
                StepRow(
                    run_id=run.run_id,
                    source=found.source,
                    arguments=None if step.arguments is None else as_text(step.arguments),
                    **{name: getattr(step, name) for name in _SAME},
                )
            )
    return table.finished()


_SAME: Final = (
    "position", "turn", "parent", "kind", "tool", "status", "started_at", "duration_s", "tokens",
    "cost_usd", "pointer", "text", "result",
)  # fmt: skip
"""The columns that say of a step what it says itself."""


def _visible(ws: Workspace, run: RunRow) -> list[str]:
    """Return the files that may tell a run's steps, without those hidden from the judge."""
    return [path for path in with_steps(ws, run) if not ws.hidden.covers(path)]


# Whoever reads the steps of a run opens them one after the other: 30 MB are read once.
@lru_cache(maxsize=4)
def _of_file(root: Path, path: str, _changed: tuple[int, int]) -> Steps:
    """Return the steps of a file, read again when its size or time changed."""
    return read_steps(read_head(root, path, MAX_BYTES).data, path)


def _logs(ws: Workspace, run: RunRow) -> Iterator[Steps]:
    """Yield the log of a run that is a record, or of the agent-run that it follows from."""
    if run.origin != "record" or run.source is None:
        return
    try:
        record: Any = ws.raw(run.source, record_pointer(run))
    except EvalcoreError:
        return
    fields = record.get("fields") if isinstance(record, dict) else None
    about: Mapping[str, Any] = fields if isinstance(fields, dict) else {}
    if log := about.get("toolCallsLog"):
        yield read_log(log, run.source, f"{record_pointer(run)}{_LOG}")
    elif isinstance(name := about.get("agentRunId"), str):
        made = named_record(ws, run.suite or "", _AGENT_RUN, name)
        fields = made.record.get("fields") if made is not None else None
        if made is not None and isinstance(fields, dict) and not ws.hidden.covers(made.path):
            yield read_log(fields.get("toolCallsLog"), made.path, f"{made.pointer}{_LOG}")
