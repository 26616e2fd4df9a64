"""What a model is shown of a failed run: task, expectation, criteria, output, and how it came."""

from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Final, NamedTuple

import msgspec

from evalcore.blind.neutral import named_outputs
from evalcore.counting.cells import family_of
from evalcore.counting.run_criteria import run_row
from evalcore.counting.run_files import beside, read_text, role_of
from evalcore.engine.planning import suite_of
from evalcore.errors import EvalcoreError
from evalcore.failures.detail import Affected, Failure
from evalcore.families.running import KnownRun
from evalcore.judging.asking.asked import asked, case_row
from evalcore.tables.rows import RunRow
from evalcore.workspace.opened import Workspace

MAX_FILE: Final = 400_000
"""Bytes of one file that are read for a model."""
MAX_CRITERIA: Final = 200


class Text(NamedTuple):
    """A file or a log by its name; `text` is None where it cannot be read as text."""

    name: str
    text: str | None


class Criterion(NamedTuple):
    """A criterion of the run as it is worded, and how it failed; `result` is empty if it did not.

    `key` is `kind:criterion`.
    """

    key: str
    words: str
    result: str


class Material(NamedTuple):
    """Everything that a model is shown of one failed run.

    `how` are transcript, notes and the log of tool calls: how the output came about.
    """

    run: str
    prompt: str
    expected: str
    ended: str
    criteria: tuple[Criterion, ...]
    output: tuple[Text, ...]
    how: tuple[Text, ...]
    replaces: tuple[str, ...]

    @property
    def affected(self) -> tuple[Criterion, ...]:
        """The criteria that may be affected: those that failed, else all of them."""
        return tuple(each for each in self.criteria if each.result) or self.criteria


def material(ws: Workspace, failure: Failure) -> Material:
    """Return what a model is shown of a failure whose run is here.

    Raises:
        UnknownName: the run is no longer there.
    """
    run = run_row(ws, failure.run_id or "")
    case = case_row(ws, run)
    files = named_outputs(ws, run.run_id or "")
    produced = {name: path for name, path in files.items() if _is_output(name)}
    others = {name: path for name, path in files.items() if name not in produced}
    others |= {PurePosixPath(path).name: path for path, _ in beside(ws, run)}
    return Material(
        run=run.run_id or "",
        prompt=(case and case.prompt) or "",
        expected=(case and case.expected) or "",
        ended=run.status or "",
        criteria=tuple(_criteria(ws, run, failure.failed))[:MAX_CRITERIA],
        output=tuple(_texts(ws, produced)),
        how=(*_texts(ws, others), *_tool_calls(ws, run)),
        replaces=tuple(filter(None, failure.replaces)),
    )


def _is_output(name: str) -> bool:
    return role_of(PurePosixPath(name).name) == "output"


def _texts(ws: Workspace, paths: dict[str, str]) -> Iterator[Text]:
    for name, path in paths.items():
        yield Text(name, read_text(ws, path, MAX_FILE))


def _criteria(ws: Workspace, run: RunRow, failed: tuple[Affected, ...]) -> Iterator[Criterion]:
    """Yield the criteria that failed, in the order of the scores, then the others of the run."""
    known = {each.key: each for each in asked(ws, run.run_id or "")}
    for each in failed:
        wording = known.get(each.key)
        words = each.criterion if wording is None else _worded(wording.name, wording.description)
        score = "" if each.score is None else f" with {each.score:g}"
        most = "" if each.max_score is None or not score else f" of {each.max_score:g}"
        yield Criterion(each.key, words, f"failed{score}{most}. {each.reason}".strip())
    keys = {each.key for each in failed}
    for key, other in known.items():
        if key not in keys:
            yield Criterion(key, _worded(other.name, other.description), "")


def _worded(name: str, description: str) -> str:
    return f"{name}: {description}" if description else name


def _tool_calls(ws: Workspace, run: RunRow) -> Iterator[Text]:
    """Yield the log of the tools that the agent called, where the family keeps one."""
    running = family_of(ws, run.suite).running()
    if running is None:
        return
    known = KnownRun(**{name: getattr(run, name) for name in KnownRun._fields})
    try:
        log = running.tool_calls(suite_of(ws, run.suite or "")[0], known)
    except EvalcoreError:
        return
    if log not in (None, "", [], {}):
        text = log if isinstance(log, str) else msgspec.json.encode(log).decode()
        yield Text("tool calls", text)
