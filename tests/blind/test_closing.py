"""Only the end of a study tells which side was which, and then nothing changes any more."""

import pytest

from evalcore.blind.closing import close, reveal_to, revealed, study_named
from evalcore.blind.judging import Answer, give_verdict, take_back
from evalcore.blind.keys import keep_secret, new_secret
from evalcore.errors import CannotJudge, UnknownName
from evalcore.judging.storing.store import new_id
from evalcore.judging.studies import Study
from evalcore.workspace.opened import Workspace
from tests.blind.study import created, now, opened, said
from tests.judging.copies import ANA, BEN


def all_left(ws: Workspace, study: Study) -> Study:
    """Let Ana find the left output better everywhere."""
    for place in range(4):
        said(ws, now(ws, study.id), "left", place=place, knows=place == 0)
    return now(ws, study.id)


def test_an_open_study_tells_nothing(ws: Workspace) -> None:
    """It says what to do."""
    assert revealed(all_left(ws, created(ws, ANA))) == ((), revealed(created(ws, ANA)).why_not)
    assert "Close it first" in (revealed(created(ws, ANA)).why_not or "")


def test_closed_each_verdict_is_about_its_side(ws: Workspace) -> None:
    """Left everywhere is A twice and B twice; who knew is kept."""
    study = all_left(ws, created(ws, ANA))
    close(ws, study, BEN)
    found = revealed(now(ws, study.id)).verdicts
    assert sorted(each.won for each in found) == ["a", "a", "b", "b"]
    assert {(each.won, each.a) for each in found} == {("a", "left"), ("b", "right")}
    assert sum(each.knows for each in found) == 1


def test_scores_follow_their_side(ws: Workspace) -> None:
    """What stood left has the left score."""
    study = created(ws, ANA, criteria="description")
    scores = {each.name: (5.0, 1.0) for each in study.fields.criteria}
    for place in range(4):
        task = opened(ws, study, ANA, place)
        give_verdict(ws, study, task, Answer("left", scores, "Better."), ANA, new_id())
    close(ws, now(ws, study.id), BEN)
    for each in revealed(now(ws, study.id)).verdicts:
        assert set(each.scores.values()) == {(5.0, 1.0) if each.a == "left" else (1.0, 5.0)}


def test_closed_nothing_changes_any_more(ws: Workspace) -> None:
    """No verdict, no correction; closing twice is closing once."""
    study = created(ws, ANA)
    said(ws, study, "left")
    first = close(ws, now(ws, study.id), BEN)
    closed = now(ws, study.id)
    with pytest.raises(CannotJudge, match="closed"):
        said(ws, closed, "right")
    with pytest.raises(CannotJudge, match="closed"):
        take_back(ws, closed, opened(ws, closed).pair.pair, ANA)
    assert close(ws, closed, BEN) == first._replace(new=False)


def test_a_judge_is_told_only_when_done_and_judges_no_more(ws: Workspace) -> None:
    """Others go on; their verdicts are not told."""
    study = created(ws, ANA, BEN)
    said(ws, study, "left")
    with pytest.raises(CannotJudge, match="3 pairs left"):
        reveal_to(ws, now(ws, study.id), ANA)
    done = all_left(ws, study)
    said(ws, done, "tie", BEN)
    found = reveal_to(ws, now(ws, study.id), ANA)
    assert {each.judge for each in found} == {ANA.id}
    assert len(found) == 4
    with pytest.raises(CannotJudge, match="have finished it"):
        said(ws, now(ws, study.id), "right")
    said(ws, now(ws, study.id), "tie", BEN, place=1)


def test_without_its_secret_it_is_closed_only_when_asked_so(ws: Workspace) -> None:
    """Then nobody learns which was which, and that is said."""
    study = all_left(ws, created(ws, ANA))
    keep_secret(study.id, new_secret())
    with pytest.raises(CannotJudge, match="close without it"):
        close(ws, study, BEN)
    close(ws, study, BEN, without_key=True)
    found = revealed(now(ws, study.id))
    assert found.verdicts == ()
    assert "its key file was gone" in (found.why_not or "")


def test_a_key_that_is_not_the_right_one_tells_nothing(ws: Workspace) -> None:
    """Somebody wrote another key record: it does not fit the commitment."""
    study = all_left(ws, created(ws, ANA))
    close(ws, study, BEN)
    forged = now(ws, study.id)._replace(secret=new_secret().hex())
    assert revealed(forged).verdicts == ()
    assert "not the one it had" in (revealed(forged).why_not or "")


def test_a_study_is_named_by_the_beginning_of_its_id(ws: Workspace) -> None:
    """The only one needs no name; several do."""
    one = created(ws, ANA)
    assert study_named([one], None) is one
    assert study_named([one], one.id[:35]) is one
    other = created(ws, ANA)
    with pytest.raises(CannotJudge, match="several"):
        study_named([one, other], None)
    with pytest.raises(UnknownName):
        study_named([one, other], one.id[:2])
    with pytest.raises(CannotJudge, match="no blind study"):
        study_named([], None)
