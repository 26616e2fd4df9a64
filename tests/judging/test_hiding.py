"""Runs of independent batches are hidden from their judges until they have judged them."""

from datetime import datetime
from itertools import pairwise

import pytest

from evalcore.judging.answering.independent import Judges, chosen, reveal, start_batch
from evalcore.judging.answering.submitting import submit, undo
from evalcore.judging.hiding import (
    FOREVER,
    alias,
    asked_independently,
    hidden_during,
    hidden_runs,
    workspace_for,
)
from evalcore.judging.model import Judge
from evalcore.judging.storing.shown import Period
from evalcore.judging.storing.stored_reviews import load_reviews, review_folder
from evalcore.workspace.opened import Workspace
from tests.judging.copies import ANA, BEN, NOTES, NOTES_RUN, answers, judged, records, taken
from tests.reviewing import record_id

SECOND = f"{NOTES}::breaking-change@v1/-#1"
CEM = Judge("cem-1", "Cem")


def asked(
    ws: Workspace,
    *judges: Judge,
    runs: tuple[str, ...] = (NOTES_RUN, SECOND),
    submission: str | None = None,
) -> None:
    """Ask judges to judge some runs independently."""
    ids = tuple(judge.id for judge in judges)
    start_batch(ws, chosen(runs, len(runs)), Judges(ids), BEN, submission=submission)


def hidden(ws: Workspace, judge: Judge = ANA) -> set[str]:
    """Return the runs that are hidden from a judge."""
    return set(hidden_runs(ws, NOTES, judge))


def test_runs_are_hidden_from_the_judges_of_their_batch_only(ws: Workspace) -> None:
    """Whoever only looks sees everything, also who asked for it."""
    asked(ws, ANA)
    assert hidden(ws, ANA) == {NOTES_RUN, SECOND}
    assert hidden(ws, BEN) == set()
    assert workspace_for(ws, ANA).hidden.runs == {NOTES_RUN, SECOND}
    assert workspace_for(ws, BEN) is ws
    assert workspace_for(ws, None) is ws
    assert workspace_for(workspace_for(ws, ANA), None) is ws


def test_a_run_opens_once_its_judge_has_judged_all_of_it(ws: Workspace) -> None:
    """Not with some of its criteria, nor with what another judge stores; Undo hides it again."""
    asked(ws, ANA, CEM)
    given = answers(taken(ws, NOTES_RUN))
    judged(ws, NOTES_RUN, CEM, given)
    judged_in_part(ws)
    assert hidden(ws, ANA) == {NOTES_RUN, SECOND}
    receipts = judged(ws, NOTES_RUN, ANA, given)
    assert hidden(ws, ANA) == {SECOND}
    assert hidden(ws, CEM) == {SECOND}
    undo(ws, NOTES_RUN, ANA, [each.id for each in receipts])
    assert hidden(ws, ANA) == {NOTES_RUN, SECOND}


def judged_in_part(ws: Workspace) -> None:
    """Let Ana score one criterion."""
    of = taken(ws, NOTES_RUN)
    submit(ws, of, answers(of)[:1], ANA, partial=True)


def test_who_had_judged_a_run_before_keeps_seeing_it(ws: Workspace) -> None:
    """They know its scores, so there is nothing to hide."""
    judged(ws, NOTES_RUN, ANA)
    asked(ws, ANA)
    assert hidden(ws) == {SECOND}


def test_a_run_that_was_given_up_opens_until_somebody_asks_again(ws: Workspace) -> None:
    """That is on record; giving it up twice is once."""
    asked(ws, ANA)
    receipt = reveal(ws, NOTES_RUN, ANA)
    assert receipt is not None
    assert reveal(ws, NOTES_RUN, ANA) is None
    assert hidden(ws) == {SECOND}
    (record,) = (each for each in records(ws, NOTES) if each.type == "reveal")
    (batch,) = {each.fields["batch"] for each in records(ws, NOTES) if each.type != "reveal"}
    assert record.fields == {"testRunId": NOTES_RUN, "batch": batch}
    asked(ws, ANA, runs=(NOTES_RUN,))
    assert hidden(ws) == {NOTES_RUN, SECOND}
    assert reveal(ws, NOTES_RUN, ANA) is not None
    assert hidden(ws) == {SECOND}


def test_only_a_judge_gives_up_what_is_hidden_from_them(ws: Workspace) -> None:
    """Another's run stays hidden from them."""
    asked(ws, ANA)
    assert reveal(ws, NOTES_RUN, BEN) is None
    assert hidden(ws) == {NOTES_RUN, SECOND}


@pytest.mark.parametrize("name", ["Dora Doe", "dora  DOE", "Dora\u200b Doe"])
def test_a_judge_who_had_no_id_yet_is_meant_by_the_name(ws: Workspace, name: str) -> None:
    """As the same name is the same judge on one machine."""
    start_batch(ws, chosen([NOTES_RUN], 1), Judges((), (name,)), BEN)
    assert hidden(ws, Judge("dora-doe-77aa", "Dora Doe")) == {NOTES_RUN}
    assert hidden(ws, Judge("dora-1", "Dora")) == set()


def when(ws: Workspace) -> Period | None:
    """Return when the run was hidden from Ana."""
    return hidden_during(ws, NOTES_RUN, ANA)


def written(ws: Workspace, kind: str) -> datetime:
    """Return when the newest record of a type was stored."""
    return max(each.created_at for each in records(ws, NOTES) if each.type == kind)


def test_a_run_is_hidden_from_its_batch_on_until_it_is_given_up(ws: Workspace) -> None:
    """Asked for again, it is hidden from then on."""
    assert when(ws) is None
    asked(ws, ANA, runs=(NOTES_RUN,))
    first = written(ws, "independent-batch")
    assert when(ws) == Period(first, FOREVER)
    reveal(ws, NOTES_RUN, ANA)
    assert when(ws) == Period(first, written(ws, "reveal"))
    asked(ws, ANA, runs=(NOTES_RUN,))
    assert when(ws) == Period(written(ws, "independent-batch"), FOREVER)


def test_a_run_is_hidden_until_it_was_judged_whole_for_the_first_time(ws: Workspace) -> None:
    """Taking that back hides nothing again."""
    asked(ws, ANA)
    receipts = judged(ws, NOTES_RUN, ANA)
    opened = written(ws, "eval-judgment")
    undo(ws, NOTES_RUN, ANA, [each.id for each in receipts])
    found = when(ws)
    assert found is not None
    assert found.last == opened


def test_who_had_judged_a_run_before_its_batch_was_never_kept_from_it(ws: Workspace) -> None:
    """So their corrections are not independent."""
    judged(ws, NOTES_RUN, ANA)
    asked(ws, ANA)
    assert when(ws) is None


def test_others_records_of_a_hidden_run_are_left_out(ws: Workspace) -> None:
    """The judge's own stay, and those of other runs."""
    judged(ws, NOTES_RUN, BEN)
    judged(ws, SECOND, BEN)
    asked(ws, ANA, runs=(NOTES_RUN,))
    judged_in_part(ws)
    seen = load_reviews(review_folder(workspace_for(ws, ANA), NOTES))
    assert seen is load_reviews(review_folder(workspace_for(ws, ANA), NOTES))
    left = [each for each in records(ws, NOTES) if each not in seen]
    assert {(each.created_by, each.fields["testRunId"]) for each in left} == {(BEN.id, NOTES_RUN)}
    assert {each.created_by for each in seen if each.fields["testRunId"] == NOTES_RUN} == {
        ANA.id,
        BEN.id,  # who asked
    }
    judged(ws, NOTES_RUN, ANA)
    assert load_reviews(review_folder(workspace_for(ws, ANA), NOTES)) == records(ws, NOTES)


def test_the_name_of_a_hidden_run_tells_nothing_and_mixes_the_versions(ws: Workspace) -> None:
    """Every judge has another order, and no order has all of one version first."""
    runs = tuple(ws.tables.runs["run_id"].astype(str))
    asked(ws, ANA, BEN, runs=runs, submission=record_id(1))
    orders = []
    for judge in (ANA, BEN):
        found = asked_independently(ws, NOTES, judge)
        names = {alias(run, asking, judge): run for run, asking in found.items()}
        assert len(names) == len(runs)
        assert not any(part in name for name in names for part in ("v0", "breaking", "::"))
        orders.append([names[name] for name in sorted(names)])
    assert orders[0] != orders[1]
    for order in orders:
        versions = [run.partition("@")[2].partition("/")[0] for run in order]
        turns = sum(one != two for one, two in pairwise(versions))
        assert turns > len(runs) / 2
