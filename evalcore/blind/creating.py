"""Create a blind study: draw its secret, and bind the study to it before anybody judges."""

import hmac
from collections.abc import Sequence
from datetime import datetime
from typing import Any, NamedTuple

from evalcore.blind.drawing import commitment
from evalcore.blind.keys import as_secret, keep_secret, new_secret, secret_of
from evalcore.blind.proposing import Proposal
from evalcore.disk.creating import turn
from evalcore.errors import CannotJudge
from evalcore.families.reviews.models import (
    BlindCriterion,
    BlindStudyFields,
)
from evalcore.families.reviews.review import BLIND_STUDY, Drawn
from evalcore.judging.answering.independent import MAX_JUDGES, Judges
from evalcore.judging.answering.writing import receipt_of
from evalcore.judging.hiding import studies
from evalcore.judging.limits import LIMITS, stored
from evalcore.judging.model import Judge, Receipt
from evalcore.judging.storing.judging_rule import rule_of
from evalcore.judging.storing.record_factory import make_record
from evalcore.judging.storing.store import new_id, store
from evalcore.judging.storing.stored_reviews import load_reviews, review_folder
from evalcore.judging.studies import Study
from evalcore.workspace.opened import Workspace


class Design(NamedTuple):
    """How a study is judged: by which criteria and judges, and how many of them for each pair.

    Where no judge is named, whoever joins judges. `per_task` of None means all who take part.
    """

    criteria: Sequence[BlindCriterion]
    judges: Judges
    per_task: int | None = None
    drawn: Drawn = "one"

    @property
    def per_pair(self) -> int | None:
        """How many judges each pair will have; None where that is everyone who joins."""
        return self.per_task or (len(self.judges.ids) + len(self.judges.names)) or None


def create_study(
    ws: Workspace,
    suite: str,
    proposal: Proposal,
    design: Design,
    author: Judge,
    submission: str | None = None,
    since: datetime | None = None,
) -> Receipt:
    """Store a study; its secret is kept on this machine first, so that none is ever without.

    One of the same design that was stored `since` is this one: both were asked for at once.

    Raises:
        CannotJudge: more judges are asked for each pair than there are, or too many.
        CannotWrite: the secret or the study could not be written.
        UnknownName: the workspace has no such suite.
    """
    criteria, judges, per_task, drawn = design
    named = len(judges.ids) + len(judges.names)
    if named > MAX_JUDGES or (per_task or 1) > MAX_JUDGES:
        raise CannotJudge(f"At most {MAX_JUDGES} judges are asked at once. Choose fewer.")
    if named and per_task is not None and per_task > named:
        raise CannotJudge(f"{per_task} judges for each pair are more than are named. Name more.")
    folder, study = review_folder(ws, suite), submission or new_id()
    with turn(ws.root):
        secret = secret_of(study) or new_secret()
        fields = BlindStudyFields(
            side_a=proposal.a,
            side_b=proposal.b,
            pairs=list(proposal.pairs),
            criteria=list(criteria),
            judges=list(judges.ids),
            names=[stored(name, LIMITS.name, "The name") for name in judges.names],
            judges_per_task=per_task,
            drawn=drawn,
            reasons=rule_of(load_reviews(folder)).reasons,
            commitment=commitment(secret, (proposal.a, proposal.b), proposal.pairs),
        )
        newer = (each for each in studies(ws, suite) if since is not None and each.since >= since)
        for each in newer:
            if _design(each.fields) == _design(fields):
                return receipt_of(folder, BLIND_STUDY, each.id)
        keep_secret(study, secret)
        return store(folder, make_record(fields, author, study))


def _design(fields: BlindStudyFields) -> tuple[list[str], dict[str, Any]]:
    """Return what a study was asked for: what it has without what was drawn."""
    cases, told = sorted(pair.case_id for pair in fields.pairs), fields.written()
    return cases, {name: told[name] for name in told if name not in ("pairs", "commitment")}


def bound_secret(study: Study) -> bytes | None:
    """Return the secret that a study is bound to: that of its key record, else the one kept here.

    None where it is not here, or is another than the one that the study was bound to.
    """
    told = None if study.secret is None else as_secret(study.secret)
    secret = told or secret_of(study.id)
    if secret is None:
        return None
    fields = study.fields
    made = commitment(secret, (fields.side_a, fields.side_b), fields.pairs)
    return secret if hmac.compare_digest(made, fields.commitment) else None
