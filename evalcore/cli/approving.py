"""`evalcore approval`: what was decided on versions, and new decisions."""

from pathlib import Path
from typing import Final

from evalcore.approvals.standing import decisions
from evalcore.cli.answering import Answer, fields
from evalcore.cli.app import NO
from evalcore.cli.opening import author, by_suite, open_for_judge, open_suite, suites_of
from evalcore.memory import approving
from evalcore.memory.approving import Outcome, Waiver
from evalcore.memory.evidence import evidence_of
from evalcore.views.approvals import decision_words
from evalcore.views.words.wording import moment

NONE: Final = "No version is decided on here. Approve one with: evalcore approval approve."


def listed(path: Path, suite: str | None) -> Answer:
    """List the decisions of a suite, or of all."""
    ws = open_for_judge(path)
    found = {name: decisions(ws, name) for name in suites_of(ws, suite)}
    documents = [
        {
            **fields(each.row, "suite", "approval", "version", "baseline", "decision"),
            **fields(each, "state", "why", "current", "in_force"),
            **fields(each.row, "reason", "owner", "expires_at", "author", "created_at", "source"),
        }
        for of in found.values()
        for each in of
    ]
    lines = by_suite(
        {
            name: [f"{moment(each.row.created_at)}  {decision_words(each)}" for each in of]
            for name, of in found.items()
        }
    )
    return Answer(lambda: documents, lines or [NONE])


def approve(
    path: Path, suite: str | None, version: str, over: str, benchmark: str | None, reason: str
) -> Answer:
    """Approve a version, or store that it was refused; the answer is no if it was."""
    ws, name = open_suite(path, suite)
    evidence = evidence_of(ws, name, version, over, benchmark)
    return _told(approving.approve(ws, name, evidence, author(), reason))


def waive(
    path: Path, suite: str | None, version: str, over: str, benchmark: str | None, waiver: Waiver
) -> Answer:
    """Waive the rule for a version."""
    ws, name = open_suite(path, suite)
    evidence = evidence_of(ws, name, version, over, benchmark)
    return _told(approving.waive(ws, name, evidence, author(), waiver))


def withdraw(path: Path, suite: str | None, version: str, over: str | None, reason: str) -> Answer:
    """Take back the decision on a version."""
    ws, name = open_suite(path, suite)
    return _told(approving.withdraw(ws, name, (version, over), author(), reason))


def _told(outcome: Outcome) -> Answer:
    receipt = outcome.receipt
    lines = [
        f"{outcome.decision.capitalize()}: {outcome.reason}",
        f"{'Written' if receipt.new else 'It was there already'}: {receipt.path}",
    ]
    document = fields(outcome, "decision", "reason") | fields(receipt, "path", "id")
    return Answer(lambda: document, lines, NO if outcome.decision == "refused" else 0)
