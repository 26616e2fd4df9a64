"""Decisions on versions as they stand now: in force, or lapsed and why."""

import hashlib
import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from typing import Any, Final, Literal, NamedTuple

import numpy as np

from evalcore.benchmarks.members import members, row_of
from evalcore.comparing.content import content_of
from evalcore.comparing.model import Side
from evalcore.comparing.version_texts import without
from evalcore.counting.cells import typed, where
from evalcore.counting.joined import run_of
from evalcore.counting.memo import memoize_per_workspace
from evalcore.counting.outcomes import columns_of_runs
from evalcore.families.base import is_review
from evalcore.tables.rows import ApprovalRow, BenchmarkRunRow, JudgmentRow, RunRow
from evalcore.workspace.opened import Workspace

State = Literal["approved", "waived", "refused", "withdrawn", "lapsed", "undecided"]
IN_FORCE: Final[tuple[State, ...]] = ("approved", "waived")

_OF_RUN: Final = (
    "run_id", "status", "passed", "score", "max_score", "fraction", "checks_passed",
    "checks_total", "gate_passed",
)  # fmt: skip
_OF_JUDGMENT: Final = ("run_id", "kind", "criterion", "score", "max_score", "passed", "status")


class Decision(NamedTuple):
    """A decision on a version as it is now; `why` says why it lapsed, or what it is not bound to.

    `current` is the one that stands for its version in place of its baseline: others are history,
    and so is a question that was refused while another decision is in force.
    """

    row: ApprovalRow
    state: State
    why: str
    current: bool

    @property
    def in_force(self) -> bool:
        """Whether the version may replace its baseline by this decision."""
        return self.current and self.state in IN_FORCE


def decisions(ws: Workspace, suite: str, now: datetime | None = None) -> tuple[Decision, ...]:
    """Return the decisions on the versions of a suite, the newest first.

    One lapses when the version or its evidence is another than it was decided on, and a waiver
    when its time is over (`now`: the current one).

    Raises:
        UnknownName: the workspace has no such suite.
    """
    moment = now or datetime.now(UTC)
    current = {each.row.approval for each in standing(ws, suite, moment)}
    return tuple(
        _decision(ws, suite, row, moment)._replace(current=row.approval in current)
        for row in approval_rows(ws, suite)
    )


def standing(ws: Workspace, suite: str, now: datetime | None = None) -> Iterator[Decision]:
    """Yield the current decision for each version and baseline, of those that can be read.

    The newest one, but a refusal takes nothing back: who asks and is refused changes no decision
    that is in force.

    Raises:
        UnknownName: the workspace has no such suite.
    """
    moment = now or datetime.now(UTC)
    for rows in _by_pair(ws, suite).values():
        newest, decided = rows[0], _decided(rows)
        if decided is not None and decided is not newest:
            found = _decision(ws, suite, decided, moment)
            if found.state in IN_FORCE:
                yield found
                continue
        yield _decision(ws, suite, newest, moment)


def to_withdraw(ws: Workspace, suite: str, version: str) -> tuple[ApprovalRow, ...]:
    """Return what lets a version replace a baseline, or did until it lapsed; one a baseline.

    Raises:
        UnknownName: the workspace has no such suite.
    """
    decided = (_decided(rows) for of, rows in _by_pair(ws, suite).items() if of[0] == version)
    return tuple(row for row in decided if row is not None and row.decision in IN_FORCE)


@memoize_per_workspace
def _by_pair(ws: Workspace, suite: str) -> dict[tuple[str | None, str | None], list[ApprovalRow]]:
    """Return the readable decisions of each version and baseline, the newest first."""
    found = defaultdict(list)
    for row in approval_rows(ws, suite):
        if row.decision is not None:
            found[row.version, row.baseline].append(row)
    return found


def _decided(rows: Sequence[ApprovalRow]) -> ApprovalRow | None:
    """Return the newest of some decisions that is no refusal."""
    return next((row for row in rows if row.decision != "refused"), None)


@memoize_per_workspace
def approval_rows(ws: Workspace, suite: str) -> tuple[ApprovalRow, ...]:
    """Return the rows of the decisions of a suite, the newest first."""

    def order(row: ApprovalRow) -> tuple[float, str]:
        return row.created_at.timestamp() if row.created_at is not None else 0.0, row.approval or ""

    rows = typed(ws, "approvals", ApprovalRow, where(ws, "approvals", suite=suite))
    return tuple(sorted(rows, key=order, reverse=True))


@memoize_per_workspace
def version_sha256(ws: Workspace, suite: str, version: str) -> str | None:
    """Return the digest of the texts of a version; None if the workspace has none.

    It is the sha256 over the sorted lines `path NUL sha256 LF` of its texts.

    Raises:
        UnknownName: the workspace has no such suite.
    """
    columns = [each for each in columns_of_runs(ws, suite).columns if each.version == version]
    tested = [each for each in columns if not without(each.configuration)]
    texts = content_of(Side(ws, suite, tested[0])).files if tested else None
    if texts is None:
        return None
    return _digest((path, _sha256(text.encode())) for path, text in sorted(texts.items()))


@memoize_per_workspace
def evidence_sha256(ws: Workspace, suite: str, benchmark_runs: tuple[str, ...]) -> str | None:
    """Return the digest of benchmark runs with their test runs and the recorded judgments of them.

    None if one of the benchmark runs is not here, or there is none. Judgments of people and second
    judgments, which change no recorded score, are left out.
    """
    rows = [row_of(ws, suite, name) for name in benchmark_runs]
    known = [row for row in rows if row is not None]
    if len(known) != len(rows) or not known:
        return None
    lines = [line for row in known for line in _of_benchmark_run(ws, row)]
    return _digest(sorted(lines))


def benchmark_runs_of(row: ApprovalRow) -> tuple[str, ...]:
    """Return the ids of the benchmark runs that a decision rests on."""
    return tuple(json.loads(row.benchmark_runs)) if row.benchmark_runs else ()


def _decision(ws: Workspace, suite: str, row: ApprovalRow, moment: datetime) -> Decision:
    """Return a decision as one that stands; it may have lapsed."""
    if row.decision not in IN_FORCE:
        state: State = row.decision if row.decision is not None else "undecided"  # type: ignore[assignment]
        return Decision(row, state, "", True)
    why = ""
    if row.expires_at is not None and row.expires_at <= moment:
        why = "It has ended."
    if row.version_sha256 is not None and not why:
        now = version_sha256(ws, suite, row.version or "")
        if now is None:
            why = f"The text of {row.version} is no longer in the workspace."
        elif now != row.version_sha256:
            why = f"The text of {row.version} was changed since."
    if row.evidence_sha256 is not None and not why:
        evidence = evidence_sha256(ws, suite, benchmark_runs_of(row))
        if evidence is None:
            why = "The benchmark runs that it is based on are missing."
        elif evidence != row.evidence_sha256:
            why = "The runs that it is based on, or their scores, have changed since."
    if why:
        return Decision(row, "lapsed", why, True)
    unbound = (
        "The text of the version was not in the workspace, so a change of it would not be seen."
    )
    return Decision(row, row.decision, "" if row.version_sha256 else unbound, True)


def _of_benchmark_run(ws: Workspace, row: int) -> Iterator[tuple[str, ...]]:
    """Yield what a benchmark run states, and how its test runs ended and were judged."""
    (stated,) = typed(ws, "benchmark_runs", BenchmarkRunRow, [row])
    values = _cells(stated, ("overall_score", "pass_rate"))
    yield "benchmark-run", str(stated.benchmark_run), *values
    runs = members(ws).of(row)
    for run in typed(ws, "runs", RunRow, runs):
        yield "test-run", *_cells(run, _OF_RUN)
    judged = np.flatnonzero(np.isin(run_of(ws, "judgments"), runs)).tolist()
    for judgment in typed(ws, "judgments", JudgmentRow, judged):
        if not is_review(judgment.source):
            yield "judgment", *_cells(judgment, _OF_JUDGMENT)


def _cells(row: Any, names: Sequence[str]) -> Iterator[str]:
    for name in names:
        text = str(getattr(row, name))
        # The part of a run's id before `::` depends on the folder that is opened.
        yield text.rpartition("::")[2] if name == "run_id" else text


def _digest(lines: Iterable[tuple[str, ...]]) -> str:
    return _sha256("".join("\0".join(line) + "\n" for line in lines).encode())


def _sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
