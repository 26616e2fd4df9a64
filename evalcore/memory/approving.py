"""Approve a version on the evidence of benchmark runs, refuse it, waive the rule, or take it back.

Seed 001: never approve a change of a prompt version without a benchmark run that shows improvement.
Each decision is a record of its own, and none replaces another: one stands for each version and
baseline (`approvals.standing`).
"""

import json
from datetime import datetime, timedelta
from typing import NamedTuple

from msgspec.structs import asdict, replace

from evalcore.approvals.standing import (
    approval_rows,
    evidence_sha256,
    to_withdraw,
    version_sha256,
)
from evalcore.disk.values import parse_time
from evalcore.errors import CannotApprove
from evalcore.families.reviews.models import ApprovalFields
from evalcore.families.reviews.review import APPROVAL, ApprovalDecision
from evalcore.ids import derived_id
from evalcore.judging.limits import LIMITS, stored
from evalcore.judging.model import Judge, Receipt
from evalcore.memory.evidence import Evidence
from evalcore.memory.store import New, after, remember, stored_already
from evalcore.workspace.opened import Workspace


class Waiver(NamedTuple):
    """Who answers for a version without evidence, why, and until when (ISO 8601).

    A date without a time is in it to the end of the day, in UTC.
    """

    owner: str
    reason: str
    expires_at: str


class Outcome(NamedTuple):
    """What was decided on a version, the reason, and the receipt of the record."""

    decision: str
    reason: str
    receipt: Receipt


def approve(
    ws: Workspace,
    suite: str,
    evidence: Evidence,
    judge: Judge,
    reason: str = "",
    submission: str | None = None,
) -> Outcome:
    """Approve a version where the evidence shows improvement; else store that it was refused.

    Raises:
        CannotJudge: the reason is too long.
        CannotWrite: it cannot be written; the message says why and what to do.
    """
    said = stored(reason, LIMITS.reason, "The reason")
    decision: ApprovalDecision = "refused" if evidence.refusal else "approved"
    told = evidence.refusal or evidence.seen
    fields = _fields(ws, suite, evidence, decision, f"{told} {said}".strip())
    return _stored(ws, suite, fields, judge, submission)


def waive(
    ws: Workspace,
    suite: str,
    evidence: Evidence,
    judge: Judge,
    waiver: Waiver,
    submission: str | None = None,
) -> Outcome:
    """Let a version replace its baseline without such evidence, until a time.

    Raises:
        CannotApprove: owner or reason is missing, or the time is not one or is over.
        CannotJudge: a text is too long.
        CannotWrite: it cannot be written; the message says why and what to do.
    """
    owner = stored(waiver.owner, LIMITS.name, "The owner")
    why = stored(waiver.reason, LIMITS.reason, "The reason")
    if not owner or not why:
        raise CannotApprove(
            "A waiver needs an owner and a reason. Say who is responsible for it, and why."
        )
    ends, named = parse_time(waiver.expires_at), repr(waiver.expires_at[:60])
    if ends is not None and len(waiver.expires_at.strip()) == len("2027-01-31"):
        ends += timedelta(days=1, seconds=-1)
    if ends is None or ends <= datetime.now(ends.tzinfo):
        raise CannotApprove(
            f"A waiver needs an end date in the future, not {named}. Write it like 2027-01-31."
        )
    fields = _fields(ws, suite, evidence, "waived", why)
    fields = replace(fields, owner=owner, expires_at=ends.isoformat())
    return _stored(ws, suite, fields, judge, submission)


def withdraw(
    ws: Workspace,
    suite: str,
    pair: tuple[str, str | None],
    judge: Judge,
    reason: str,
    submission: str | None = None,
) -> Outcome:
    """Take back the decision that lets a version replace a baseline (None: the only one).

    Raises:
        CannotApprove: the reason is missing, or there is nothing to take back, or several.
        CannotWrite: it cannot be written; the message says why and what to do.
    """
    why = stored(reason, LIMITS.reason, "The reason")
    version, baseline = pair
    every = to_withdraw(ws, suite, version)
    found = [each for each in every if baseline in (None, each.baseline)]
    if not why:
        raise CannotApprove("Say why the approval is withdrawn: every decision has a reason.")
    if not found:
        over = "" if baseline is None else f" in place of {baseline}"
        raise CannotApprove(f"{version} is not approved{over}, so there is nothing to withdraw.")
    if len(found) > 1:
        names = " and ".join(sorted(each.baseline or "no baseline" for each in found))
        raise CannotApprove(f"{version} is approved in place of {names}. Name one with --over.")
    fields = ApprovalFields(
        version=version,
        baseline=found[0].baseline,
        benchmark_id=found[0].benchmark,
        decision="withdrawn",
        reason=why,
    )
    return _stored(ws, suite, fields, judge, submission)


def _stored(
    ws: Workspace, suite: str, fields: ApprovalFields, judge: Judge, submission: str | None
) -> Outcome:
    """Write a decision, unless the newest one is the same; at once, several write one."""
    rows = approval_rows(ws, suite)
    at = after(rows[0].created_at if rows else None)
    told = json.dumps(asdict(fields), ensure_ascii=False, separators=(",", ":"))
    before = [*(row.approval or "" for row in rows[:2]), "", ""]
    newest, identity = (derived_id(each, f"{judge.id} {told}") for each in before[1::-1])
    if rows and rows[0].approval == newest and rows[0].source is not None:
        receipt = stored_already(ws, newest, rows[0].source)
    else:
        new = New(APPROVAL, submission or identity, fields, about=fields.version, at=at)
        (receipt,) = remember(ws, suite, [new], judge.id)
    return Outcome(fields.decision, fields.reason, receipt)


def _fields(
    ws: Workspace, suite: str, evidence: Evidence, decision: ApprovalDecision, reason: str
) -> ApprovalFields:
    """Return a decision that is bound to the version's text and to its evidence."""
    names = tuple(run.of.benchmark_run or "" for run in evidence.runs)
    return ApprovalFields(
        version=evidence.version,
        baseline=evidence.baseline,
        benchmark_id=evidence.runs[0].of.benchmark if evidence.runs else None,
        decision=decision,
        reason=reason,
        comparison_id=evidence.comparison,
        benchmark_run_ids=list(names),
        version_sha256=version_sha256(ws, suite, evidence.version),
        evidence_sha256=evidence_sha256(ws, suite, names),
    )
