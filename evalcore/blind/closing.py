"""End a blind study: tell its secret, so that anyone can check and unblind the verdicts."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from evalcore.blind.creating import bound_secret
from evalcore.blind.judging import take_part
from evalcore.blind.unblinding import Unblinded, unblinded
from evalcore.errors import CannotJudge, UnknownName
from evalcore.families.reviews.models import BlindKeyFields
from evalcore.judging.hiding import studies
from evalcore.judging.model import Judge, Receipt
from evalcore.judging.storing.record_factory import make_record, part_of
from evalcore.judging.storing.store import store
from evalcore.judging.storing.stored_reviews import review_folder
from evalcore.judging.studies import Study
from evalcore.workspace.opened import Workspace

_NOT_HERE: Final = (
    "The secret of this study is not on this machine. Go to the machine that created it."
)


class Revealed(NamedTuple):
    """What a study showed of its sides; `why_not` says why nothing can be told."""

    verdicts: tuple[Unblinded, ...]
    why_not: str | None = None


def close(ws: Workspace, study: Study, author: Judge, *, without_key: bool = False) -> Receipt:
    """Store the end of a study with its secret; closing twice has no effect.

    Raises:
        CannotJudge: the secret is not here, and the study is not closed `without_key`.
        CannotWrite: it could not be written.
    """
    secret = bound_secret(study)
    if secret is None and not without_key:
        raise CannotJudge(
            f"{_NOT_HERE} If it is lost, close without it; then nobody can find out which side "
            "was which."
        )
    fields = BlindKeyFields(study=study.id, secret=None if secret is None else secret.hex())
    record = make_record(fields, author, part_of(study.id, "key"))
    return store(review_folder(ws, study.suite), record)


def revealed(study: Study) -> Revealed:
    """Return the verdicts of a closed study with its sides."""
    if study.closed is None:
        return Revealed((), "The study is open. Close it first; then judging ends.")
    secret = None if study.secret is None else bound_secret(study)
    if secret is None:
        told = "its key file was gone" if study.secret is None else "its key is not the one it had"
        return Revealed((), f"The study was closed without revealing which was which: {told}.")
    return Revealed(unblinded(study, secret))


def reveal_to(ws: Workspace, study: Study, judge: Judge) -> tuple[Unblinded, ...]:
    """Return what a judge said of the sides, and end their part: no verdict changes afterwards.

    Raises:
        CannotJudge: pairs are left to compare in a study of the suite, as they may show the same
            outputs; or the secret is not on this machine.
        CannotWrite: it could not be written that they were told.
    """
    left = sum(len(each.open_for(judge)) for each in studies(ws, study.suite))
    if left:
        raise CannotJudge(f"{judge.id} has {left} pairs left to compare. Judge them first.")
    secret = bound_secret(study)
    if secret is None:
        raise CannotJudge(_NOT_HERE)
    if study.takes_part(judge):
        take_part(ws, study, judge, "revealed")
    return tuple(each for each in unblinded(study, secret) if each.judge == judge.id)


def study_named(studies: Sequence[Study], name: str | None) -> Study:
    """Return the study whose id begins so; without a name the only one.

    Raises:
        UnknownName: there is none, or several begin so.
        CannotJudge: there is none at all, or several and none is named.
    """
    if not studies:
        raise CannotJudge("There is no blind study here. Create one with: evalcore blind create.")
    if name is None:
        if len(studies) > 1:
            known = ", ".join(study.id for study in studies)
            raise CannotJudge(f"There are several studies; name one with --study: {known}.")
        return studies[0]
    found = [study for study in studies if study.id.startswith(name)]
    if len(found) != 1:
        raise UnknownName("study", name, [study.id for study in studies])
    return found[0]
