"""`evalcore approval`: what was decided on versions, and new decisions."""

from pathlib import Path
from typing import Any, NamedTuple

from evalcore.approvals.standing import Decision, decisions
from evalcore.cli.app import NO
from evalcore.cli.blind import TERMINAL, said
from evalcore.cli.hiding import open_for_judge
from evalcore.cli.trending import suite_of
from evalcore.judging.model import Judge
from evalcore.judging.storing.judges import only_known_judge
from evalcore.memory import approving
from evalcore.memory.approving import Outcome, Waiver
from evalcore.memory.evidence import Evidence, evidence_of
from evalcore.views.approvals import decision_words
from evalcore.views.words.wording import moment
from evalcore.workspace.opened import Workspace

NONE = "No version is decided on here. Approve one with: evalcore approval approve."


class Asked(NamedTuple):
    """A version, what it replaces, and by which benchmark."""

    path: Path
    suite: str | None
    version: str
    over: str
    benchmark: str | None


def listed(path: Path, suite: str | None, *, as_json: bool) -> int:
    """List the decisions of a suite."""
    ws, name = _opened(path, suite)
    found = decisions(ws, name)
    lines = [f"{moment(each.row.created_at)}  {decision_words(each)}" for each in found]
    return said([_document(each) for each in found], lines or [NONE], as_json=as_json)


def approve(asked: Asked, reason: str, *, as_json: bool) -> int:
    """Approve a version or store that it was refused; return 1 if it was."""
    ws, suite, evidence = _evidence(asked)
    outcome = approving.approve(ws, suite, evidence, _author(), reason)
    _told(outcome, as_json=as_json)
    return NO if outcome.decision == "refused" else 0


def waive(asked: Asked, *, owner: str, reason: str, until: str, as_json: bool) -> int:
    """Waive the rule for a version."""
    ws, suite, evidence = _evidence(asked)
    outcome = approving.waive(ws, suite, evidence, _author(), Waiver(owner, reason, until))
    return _told(outcome, as_json=as_json)


def withdraw(
    path: Path, suite: str | None, version: str, *, over: str | None, reason: str, as_json: bool
) -> int:
    """Take back the decision on a version."""
    ws, name = _opened(path, suite)
    done = approving.withdraw(ws, name, (version, over), _author(), reason)
    return _told(done, as_json=as_json)


def _opened(path: Path, suite: str | None) -> tuple[Workspace, str]:
    ws = open_for_judge(path)
    return ws, suite_of(ws, path, suite)


def _evidence(asked: Asked) -> tuple[Workspace, str, Evidence]:
    ws, suite = _opened(asked.path, asked.suite)
    return ws, suite, evidence_of(ws, suite, asked.version, asked.over, asked.benchmark)


def _author() -> Judge:
    return only_known_judge() or TERMINAL


def _told(outcome: Outcome, *, as_json: bool) -> int:
    document = {
        "decision": outcome.decision,
        "reason": outcome.reason,
        "path": outcome.receipt.path,
        "id": outcome.receipt.id,
    }
    lines = [
        f"{outcome.decision.capitalize()}: {outcome.reason}",
        f"{'Written' if outcome.receipt.new else 'It was there already'}: {outcome.receipt.path}",
    ]
    return said(document, lines, as_json=as_json)


def _document(found: Decision) -> dict[str, Any]:
    row = found.row
    return {
        "approval": row.approval,
        "version": row.version,
        "baseline": row.baseline,
        "decision": row.decision,
        "state": found.state,
        "why": found.why,
        "current": found.current,
        "in_force": found.in_force,
        "reason": row.reason,
        "owner": row.owner,
        "expires_at": row.expires_at.isoformat() if row.expires_at else None,
        "author": row.author,
        "created_at": row.created_at.isoformat() if row.created_at else None,
        "source": row.source,
    }
