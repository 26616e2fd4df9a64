"""What a judge does in a blind study: take part, give verdicts, take them back, give up."""

from collections.abc import Mapping
from typing import NamedTuple

from evalcore.blind.creating import bound_secret
from evalcore.blind.drawing import a_is_left, order, task_id
from evalcore.counting.digests import digest_now
from evalcore.counting.run_criteria import run_row
from evalcore.disk.values import now_text
from evalcore.errors import CannotJudge, StaleTask, UnknownName
from evalcore.families.reviews.models import (
    Basis,
    BlindJudgeFields,
    BlindPair,
    BlindScore,
    BlindVerdictFields,
)
from evalcore.families.reviews.review import REQUIRED, Part, Winner, needs_reason
from evalcore.judging.answering.writing import TAKEN_BACK
from evalcore.judging.limits import LIMITS, stored
from evalcore.judging.model import Judge, Receipt
from evalcore.judging.storing.record_factory import make_record, part_of
from evalcore.judging.storing.store import store
from evalcore.judging.storing.stored_reviews import review_folder
from evalcore.judging.studies import BlindVerdict, Study
from evalcore.workspace.opened import Workspace


class Opened(NamedTuple):
    """A pair that a judge has open: the name of the task, and the runs left and right.

    It never leaves the server: `views.blind` makes of it what the judge is shown.
    """

    task: str
    pair: BlindPair
    left: str
    right: str
    changed: bool


class Answer(NamedTuple):
    """A judge's answer for one pair: left and right by criterion, the winner, and why.

    `at` is when it was given, None for now.
    """

    winner: Winner
    scores: Mapping[str, tuple[float, float]]
    rationale: str
    knows: bool = False
    at: str | None = None


def tasks(study: Study, judge: Judge) -> dict[str, BlindPair]:
    """Return the pairs that a judge has to compare or has compared, by their names, in their order.

    Raises:
        CannotJudge: the secret of the study is not on this machine.
    """
    mine = {*study.judged_by(judge.id), *(pair.pair for pair in study.open_for(judge))}
    every = all_tasks(study, secret_here(study), judge.id)
    return {task: pair for task, pair in every.items() if pair.pair in mine}


def all_tasks(study: Study, secret: bytes, judge: str) -> dict[str, BlindPair]:
    """Return all pairs of a study by their names for a judge, in the judge's order."""
    ordered = order(secret, judge, study.fields.pairs)
    return {task_id(secret, judge, pair): pair for pair in ordered}


def open_task(ws: Workspace, study: Study, judge: Judge, task: str) -> Opened:
    """Return a task of a judge with its runs left and right.

    Raises:
        CannotJudge: the secret of the study is not on this machine.
        UnknownName: there is no such task of this judge.
    """
    secret = secret_here(study)
    pair = pair_of(study, secret, judge.id, task)
    runs, outputs = (pair.run_a, pair.run_b), (pair.output_a, pair.output_b)
    now = tuple(_digest(ws, run) for run in runs)
    left, right = runs if a_is_left(secret, judge.id, study.fields.pairs)[pair.pair] else runs[::-1]
    return Opened(task, pair, left, right, now != outputs)


def pair_of(study: Study, secret: bytes, judge: str, task: str) -> BlindPair:
    """Return the pair that a judge knows by the name of a task.

    Raises:
        UnknownName: there is no such task of this judge.
    """
    found = all_tasks(study, secret, judge).get(task)
    if found is None:
        raise UnknownName("task", task, ())
    return found


def give_verdict(
    ws: Workspace, study: Study, task: Opened, answer: Answer, judge: Judge, submission: str
) -> Receipt:
    """Store a judge's verdict on a task; a second one replaces the first as a correction.

    Storing the same submission twice has no further effect.

    Raises:
        CannotJudge: the judge takes no part, the study is closed, or the answer is incomplete.
        StaleTask: an output changed since the study was made.
        CannotWrite: it could not be written.
    """
    require_part(study, judge)
    if task.changed:
        raise StaleTask("An output changed after the study was made, so it cannot be judged blind.")
    before = study.judged_by(judge.id).get(task.pair.pair)
    if before is None and task.pair not in study.open_for(judge):
        raise CannotJudge(
            "Enough judges have compared this pair in the meantime. Continue with the next."
        )
    reason = stored(answer.rationale, LIMITS.rationale, "The reason")
    if not reason and needs_reason(study.fields.reasons, answer.winner == "both bad"):
        raise CannotJudge("This verdict needs a reason. Give it in a few words.")
    fields = BlindVerdictFields(
        study=study.id,
        pair=task.pair.pair,
        winner=answer.winner,
        scores=_scores(study, answer.scores),
        rationale=reason,
        knows=answer.knows,
        judged_at=answer.at or now_text(),
    )
    return _store(ws, study, fields, judge, submission, before)


def take_back(ws: Workspace, study: Study, pair: str, judge: Judge) -> Receipt:
    """Store that a judge takes a verdict back; the pair is open again.

    Raises:
        CannotJudge: the study is closed, or there is no verdict to take back.
        CannotWrite: it could not be written.
    """
    require_part(study, judge)
    before = study.judged_by(judge.id).get(pair)
    if before is None:
        raise CannotJudge("There is no verdict of yours on this pair. Look at the next one.")
    fields = BlindVerdictFields(
        study=study.id, pair=pair, winner=None, rationale=TAKEN_BACK, judged_at=now_text()
    )
    return _store(ws, study, fields, judge, part_of(before.id, "taken back"), before)


def take_part(ws: Workspace, study: Study, judge: Judge, part: Part) -> Receipt:
    """Store that a judge joins a study, or that their part in it ends.

    Raises:
        CannotJudge: the study is closed or is for other judges, or the judge's part ended before.
        CannotWrite: it could not be written.
    """
    if part == "joined" and not study.may_join(judge):
        raise CannotJudge("This study is closed, or for other judges. Ask who created it.")
    if part != "joined":
        require_part(study, judge)
    return _record_part(ws, study, judge, part)


def invite(ws: Workspace, study: Study, judge: Judge) -> Receipt:
    """Store that a judge takes part whom the study did not name: one with a packet.

    Raises:
        CannotJudge: the study is closed.
        CannotWrite: it could not be written.
    """
    require_open(study)
    return _record_part(ws, study, judge, "joined")


def _record_part(ws: Workspace, study: Study, judge: Judge, part: Part) -> Receipt:
    fields = BlindJudgeFields(study=study.id, part=part)
    record = make_record(fields, judge, part_of(study.id, f"{judge.id} {part}"))
    return store(review_folder(ws, study.suite), record)


def require_open(study: Study) -> None:
    """Raise `CannotJudge` where a study is closed."""
    if study.closed is not None:
        raise CannotJudge("This study is closed: its verdicts cannot be changed.")


def require_part(study: Study, judge: Judge) -> None:
    """Raise `CannotJudge` where a study is closed or a judge takes no part in it."""
    require_open(study)
    if not study.takes_part(judge):
        raise CannotJudge("You are not a judge of this study, or you have finished it.")


def secret_here(study: Study) -> bytes:
    """Return the secret of a study.

    Raises:
        CannotJudge: it is not on this machine.
    """
    secret = bound_secret(study)
    if secret is None:
        raise CannotJudge(
            "The secret of this study is not on this machine. Judge on the machine that created "
            "it, or ask for a packet: evalcore blind export."
        )
    return secret


def _digest(ws: Workspace, run: str) -> str | None:
    try:
        return digest_now(ws, run_row(ws, run))
    except UnknownName:
        return None


def _scores(study: Study, given: Mapping[str, tuple[float, float]]) -> list[BlindScore]:
    """Return the scores of all criteria of a study.

    Raises:
        CannotJudge: one is missing or off its scale, or is of no criterion.
    """
    known = {each.name: each for each in study.fields.criteria}
    for name in given:
        if name not in known:
            raise CannotJudge(f"{name} is not a criterion of this study. Reload the page.")
    found = []
    for each in study.fields.criteria:
        left, right = given.get(each.name, (None, None))
        if left is None or right is None:
            raise CannotJudge(f"{each.name} has no score on one side. Score both.")
        if not (each.low <= left <= each.high and each.low <= right <= each.high):
            raise CannotJudge(f"{each.name} is scored from {each.low} to {each.high}.")
        found.append(BlindScore(criterion=each.name, left=left, right=right))
    return found


def _store(
    ws: Workspace,
    study: Study,
    fields: BlindVerdictFields,
    judge: Judge,
    submission: str,
    before: BlindVerdict | None,
) -> Receipt:
    replaced = None if before is None or before.id == submission else before.id
    rests = Basis(reasons=study.fields.reasons or REQUIRED)
    record = make_record(fields, judge, submission, replaced, rests)
    return store(review_folder(ws, study.suite), record)
