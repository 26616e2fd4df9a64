"""What can be decided on the version of a comparison, and what has been decided."""

from typing import NamedTuple

from evalcore.approvals.standing import decisions, to_withdraw
from evalcore.comparing.model import Side
from evalcore.counting.cells import where
from evalcore.errors import EvalcoreError
from evalcore.memory.evidence import Evidence, evidence_of, shared_benchmarks
from evalcore.views.approvals.words import decision_blocks, history_blocks
from evalcore.views.blocks.base import Block


class Offered(NamedTuple):
    """The decision on B in place of A: the current one, the evidence, or why there is none.

    `evidence` is None where it cannot be told, which `why` says. `to_withdraw` says that there is
    something to take back. `history` are all decisions on B.
    """

    suite: str
    version: str
    baseline: str
    to_withdraw: bool
    evidence: Evidence | None
    why: str
    blocks: tuple[Block, ...]
    history: tuple[Block, ...]


def benchmarks_to_choose(a: Side, b: Side) -> dict[str, str]:
    """Return the names of the benchmarks by which B can be decided on, by their ids."""
    return shared_benchmarks(b.ws, b.suite, b.column.version, a.column.version)


def offered(a: Side, b: Side, benchmark: str | None = None) -> Offered | None:
    """Return what can be decided on B; None in a suite without benchmarks and decisions.

    The sides are two versions of one suite.
    """
    ws, suite = b.ws, b.suite
    version, baseline = b.column.version, a.column.version
    if a.ws is not ws or a.suite != suite or version == baseline or ws.hidden:
        return None
    history = tuple(each for each in decisions(ws, suite) if each.row.version == version)
    if not history and not len(where(ws, "benchmark_definitions", suite=suite)):
        return None
    try:
        evidence, why = evidence_of(ws, suite, version, baseline, benchmark), ""
    except EvalcoreError as fault:
        evidence, why = None, str(fault)
    here = (each for each in history if each.current and each.row.baseline == baseline)
    blocks = tuple(decision_blocks((version, baseline), next(here, None), evidence))
    granted = any(each.baseline == baseline for each in to_withdraw(ws, suite, version))
    told = tuple(history_blocks(history))
    return Offered(suite, version, baseline, granted, evidence, why, blocks, told)
