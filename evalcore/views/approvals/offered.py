"""What can be decided on the version of a comparison, and what stands there."""

from typing import NamedTuple

from evalcore.approvals.standing import Decision, decisions
from evalcore.comparing.model import Side
from evalcore.counting.cells import where
from evalcore.errors import EvalcoreError
from evalcore.memory.evidence import Evidence, evidence_of, shared_benchmarks
from evalcore.views.approvals.words import decision_blocks, history_blocks
from evalcore.views.blocks.base import Block


class Offered(NamedTuple):
    """The decision on B in place of A: what stands, the evidence, and why there is none.

    `evidence` is None where it cannot be told, which `why` says. `history` are all decisions on B.
    """

    suite: str
    version: str
    baseline: str
    found: Decision | None
    evidence: Evidence | None
    why: str
    blocks: tuple[Block, ...]
    history: tuple[Block, ...]

    @property
    def to_withdraw(self) -> bool:
        """Whether there is something to take back."""
        return self.found is not None and self.found.state in ("approved", "waived", "lapsed")


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
    found = next(iter(history), None)
    blocks = tuple(decision_blocks(version, found, evidence))
    told = tuple(history_blocks(history))
    return Offered(suite, version, baseline, found, evidence, why, blocks, told)
