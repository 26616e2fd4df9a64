"""What others said is seen by whoever said something themselves."""

import pytest

from evalcore.judging.answering.submitting import submit, take_back
from evalcore.judging.asking.other_scores import OtherScore, other_scores
from evalcore.judging.model import Judge
from evalcore.workspace.opened import Workspace, reopened
from tests.judging.copies import (
    ANA,
    BEN,
    NOTES,
    NOTES_RUN,
    answers,
    judged,
    records,
    reset,
    taken,
)


@pytest.fixture
def ws(opened: Workspace) -> Workspace:
    """The copy, where Ben has judged a run."""
    found = reset(opened, NOTES)
    judged(found, NOTES_RUN, BEN, answers(taken(found, NOTES_RUN, BEN), 2.0, "Ben says so."))
    return found


def seen(ws: Workspace, judge: Judge = ANA) -> tuple[OtherScore, ...] | None:
    """Return what a judge may see of others."""
    return other_scores(ws, taken(ws, NOTES_RUN, judge), records(ws, NOTES), judge)


def test_nobody_is_seen_before_i_judged(ws: Workspace) -> None:
    """Neither people nor the recorded judge; not for a part either."""
    assert seen(ws) is None
    of = taken(ws, NOTES_RUN)
    submit(ws, of, answers(of)[:-1], ANA, partial=True)
    assert seen(ws) is None


def test_others_stand_beside_mine_once_i_judged(ws: Workspace) -> None:
    """By criterion in its order, people first, then the recorded judge with its rationale."""
    judged(ws, NOTES_RUN)
    found = seen(ws)
    assert found is not None
    keys = [each.key for each in taken(ws, NOTES_RUN).criteria]
    assert [each.key for each in found] == [key for key in keys for _ in range(2)]
    people, recorded = found[::2], found[1::2]
    assert {(each.judge, each.score, each.rationale) for each in people} == {
        (BEN.id, 2, "Ben says so.")
    }
    assert all(each.recorded and each.rationale and each.score is not None for each in recorded)
    assert {each.judge_type for each in recorded} == {"llm"}


def test_my_own_scores_are_not_among_them(ws: Workspace) -> None:
    """Nor are records of people taken for the recorded judge, once they were read."""
    judged(ws, NOTES_RUN)
    found = seen(reopened(ws))
    assert found == seen(ws)
    assert ANA.id not in {each.judge for each in found or ()}


def test_what_was_taken_back_is_not_shown(ws: Workspace) -> None:
    """The recorded judge stands alone then."""
    judged(ws, NOTES_RUN)
    take_back(ws, NOTES_RUN, BEN)
    assert all(each.recorded for each in seen(ws) or ())


def test_nobody_is_seen_again_until_i_judged_what_changed(ws: Workspace) -> None:
    """My score is of another output; what it would be now is still mine to say."""
    judged(ws, NOTES_RUN)
    (ws.root / taken(ws, NOTES_RUN).files[0]).write_text("Something else", "utf-8")
    assert seen(ws) is None
    judged(ws, NOTES_RUN)
    found = seen(ws)
    assert found is not None
    assert {each.stale for each in found if not each.recorded} == {"the output changed since"}
