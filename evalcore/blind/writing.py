"""Write a closed study as the documents of its folder's family, beside the records that it is."""

import json
from typing import NamedTuple

from evalcore.blind.closing import close, revealed
from evalcore.blind.proposing import side_named
from evalcore.blind.results import case_results
from evalcore.blind.unblinding import Unblinded
from evalcore.counting.cells import family_of
from evalcore.disk.creating import create
from evalcore.disk.values import time_text
from evalcore.errors import AlreadyStored, UnknownName
from evalcore.families.comparing import Better, Compared, Said, Written
from evalcore.families.running import ONLY, Document, values_of
from evalcore.judging.hiding import studies
from evalcore.judging.model import Judge, Receipt
from evalcore.judging.storing.stored_reviews import review_folder
from evalcore.judging.studies import Study
from evalcore.statistics.preferences import preference_verdict, win_rate
from evalcore.statistics.verdict import Verdict
from evalcore.workspace.opened import Workspace


class Ended(NamedTuple):
    """A study after its end: the receipt of its key, which documents were written, and what not.

    `paths` are those that this call created; what existed was left alone.
    """

    study: Study
    receipt: Receipt
    paths: tuple[str, ...]
    left_out: tuple[str, ...]


def end(ws: Workspace, study: Study, author: Judge, *, without_key: bool = False) -> Ended:
    """Close a study and write its verdicts as documents of its family.

    Ending it again writes what is missing, and changes nothing.

    Raises:
        CannotJudge: the secret is not here, and the study is not closed `without_key`.
        CannotWrite: something could not be written; ending it again writes the rest.
    """
    receipt = close(ws, study, author, without_key=without_key)
    closed = next(each for each in studies(ws, study.suite) if each.id == study.id)
    found = documents(ws, closed)
    unfinished = review_folder(ws, study.suite).unfinished
    paths = tuple(each.path for each in found.documents if _created(ws, each, unfinished))
    return Ended(closed, receipt, paths, found.left_out)


def documents(ws: Workspace, study: Study) -> Written:
    """Return a closed study as the documents of its family."""
    verdicts, why_not = revealed(study)
    if why_not is not None:
        return Written()
    ((root,), *_) = values_of(ws.tables, "suites", study.suite, "root")
    comparing = family_of(ws, study.suite).comparing()
    blind = [each for each in verdicts if not each.knows]
    if comparing is None:
        return Written()
    if not blind:
        return _nothing("no verdict counts")
    try:
        a, b = (_version(ws, study, side) for side in (study.fields.side_a, study.fields.side_b))
    except UnknownName as fault:
        return _nothing(str(fault).rstrip("."))
    if a is None or b is None:
        return _nothing("their form names versions, and these are configurations")
    return comparing.write(_compared(ws, study, root or "", (a, b), blind))


def _nothing(why: str) -> Written:
    return Written(left_out=(f"No documents of the family: {why}.",))


def _compared(
    ws: Workspace, study: Study, root: str, versions: tuple[str, str], blind: list[Unblinded]
) -> Compared:
    shares = [case.preference for case in case_results(study, blind)]
    scales = {(each.low, each.high) for each in study.fields.criteria}
    rate = win_rate(shares)
    assert study.closed is not None, study.id
    assert rate is not None, study.id
    return Compared(
        id=study.id,
        suite=study.suite,
        root=root,
        tables=ws.tables,
        version_a=versions[0],
        version_b=versions[1],
        scale=scales.pop() if len(scales) == 1 else None,
        share_b=rate.value,
        cases=len(shares),
        notes=_notes(study, versions[1], preference_verdict(shares)),
        ended_at=time_text(study.closed),
        verdicts=tuple(_said(each, versions) for each in blind),
    )


def _notes(study: Study, b: str, found: Verdict | None) -> str:
    word = found.word if found is not None else "can't tell"
    said = word if word == "can't tell" else f"{b} is {word}"
    return (
        f"Blind study {study.id} by people: {said}. The scores are mean preferences, in which a "
        "tie counts half."
    )


def _said(each: Unblinded, versions: tuple[str, str]) -> Said:
    """Return a verdict as it stood on the screen, with the versions that stood there."""
    is_a_left = each.a == "left"
    left, right = versions if is_a_left else versions[::-1]
    scores = {name: pair if is_a_left else pair[::-1] for name, pair in each.scores.items()}
    winner: Better
    match each.won:
        case "tie" | "both bad" as even:
            winner = even
        case side:
            winner = "left" if (side == "a") == is_a_left else "right"
    return Said(
        id=each.id,
        case=each.pair.case_id,
        left=left,
        right=right,
        winner=winner,
        scores=scores,
        rationale=each.rationale,
        judge=each.judge,
        at=each.at,
    )


def _version(ws: Workspace, study: Study, side: str) -> str | None:
    """Return the version of a side; None where a configuration was compared."""
    column = side_named(ws, study.suite, side).column
    return column.version if column.configuration == ONLY else None


def _created(ws: Workspace, document: Document, unfinished: str) -> bool:
    """Create a document; one that exists is somebody's by now, and stays as it is."""
    text = json.dumps(document.value, ensure_ascii=False, indent=2, allow_nan=False)
    data = f"{text}\n".encode("utf-8", "replace")
    try:
        return create(ws.root, document.path, data, unfinished=unfinished)
    except AlreadyStored:
        return False
