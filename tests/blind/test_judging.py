"""Verdicts of blind judges: complete, once for each pair, and corrected only by new records."""

import pytest

from evalcore.blind.creating import bound_secret
from evalcore.blind.criteria import SETS
from evalcore.blind.drawing import a_is_left
from evalcore.blind.judging import (
    Answer,
    give_verdict,
    open_task,
    take_back,
    take_part,
    tasks,
)
from evalcore.blind.keys import keep_secret, new_secret
from evalcore.errors import CannotJudge, StaleTask, UnknownName
from evalcore.judging.hiding import workspace_for
from evalcore.judging.model import Judge
from evalcore.judging.storing.store import new_id
from evalcore.workspace.opened import Workspace
from tests.blind.study import created, now, opened, said
from tests.judging.copies import ANA, BEN

CEM = Judge("cem-1", "Cem")
WHOLE = {each.name: (3, 3) for each in SETS["description"]}


def test_each_pair_once_and_each_side_half_the_time_left(ws: Workspace) -> None:
    """Four tasks; in two of them A stands left."""
    study = created(ws, ANA)
    found = [opened(ws, study, place=place) for place in range(4)]
    assert {each.pair.pair for each in found} == {"p001", "p002", "p003", "p004"}
    assert sum(each.left == each.pair.run_a for each in found) == 2
    secret = bound_secret(study)
    assert secret is not None
    left = a_is_left(secret, ANA.id, study.fields.pairs)
    assert all((each.left == each.pair.run_a) == left[each.pair.pair] for each in found)


def test_a_verdict_is_stored_as_it_stood_on_the_screen(ws: Workspace) -> None:
    """Left or right, never a version; the pair is then done for this judge only."""
    study = created(ws, ANA, BEN)
    receipt = said(ws, study, "left")
    text = (ws.root / receipt.path).read_text()
    assert '"left"' in text
    assert "iteration" not in text
    after = now(ws, study.id)
    assert (len(after.open_for(ANA)), len(after.open_for(BEN))) == (3, 4)
    assert len(tasks(after, ANA)) == 4


def test_the_same_submission_is_stored_once(ws: Workspace) -> None:
    """A second click, or a message that arrives twice."""
    study, name = created(ws, ANA), new_id()
    assert said(ws, study, "tie", submission=name).new
    assert not said(ws, now(ws, study.id), "tie", submission=name).new
    assert len(now(ws, study.id).verdicts) == 1


def test_a_second_verdict_replaces_the_first_as_a_correction(ws: Workspace) -> None:
    """Both records stay; the newer one stands, and keeps when the first was given."""
    study = created(ws, ANA)
    first = said(ws, study, "left")
    since = now(ws, study.id).verdicts[0].since
    said(ws, now(ws, study.id), "right")
    (stands,) = now(ws, study.id).verdicts
    assert stands.fields.winner == "right"
    assert stands.since == since
    assert (ws.root / first.path).is_file()


def test_a_verdict_taken_back_opens_the_pair_again(ws: Workspace) -> None:
    """Only one's own, and only one that stands."""
    study = created(ws, ANA, BEN)
    said(ws, study, "left")
    pair = opened(ws, study).pair.pair
    with pytest.raises(CannotJudge, match="no verdict of yours"):
        take_back(ws, now(ws, study.id), pair, BEN)
    take_back(ws, now(ws, study.id), pair, ANA)
    assert len(now(ws, study.id).open_for(ANA)) == 4
    with pytest.raises(CannotJudge, match="no verdict of yours"):
        take_back(ws, now(ws, study.id), pair, ANA)


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        (Answer("left", WHOLE, "  "), "needs a reason"),
        (Answer("left", {}, "Better."), "has no score"),
        (Answer("left", {"beauty": (1, 2)}, "Better."), "not a criterion"),
    ],
)
def test_an_incomplete_answer_is_refused(ws: Workspace, answer: Answer, why: str) -> None:
    """With a sentence; nothing is stored."""
    study = created(ws, ANA, criteria="description")
    with pytest.raises(CannotJudge, match=why):
        give_verdict(ws, study, opened(ws, study), answer, ANA, new_id())
    assert not now(ws, study.id).verdicts


@pytest.mark.parametrize(("left", "right", "fits"), [(1, 5, True), (0, 5, False), (1, 6, False)])
def test_scores_stay_on_their_scale(ws: Workspace, left: int, right: int, fits: bool) -> None:
    """From 1 to 5, both ends included, on both sides."""
    study = created(ws, ANA, criteria="description")
    scores = {each.name: (left, right) for each in study.fields.criteria}
    answer = Answer("right", scores, "Better.")
    if fits:
        give_verdict(ws, study, opened(ws, study), answer, ANA, new_id())
        assert len(now(ws, study.id).verdicts) == 1
        return
    with pytest.raises(CannotJudge, match="from 1 to 5"):
        give_verdict(ws, study, opened(ws, study), answer, ANA, new_id())


def test_an_output_that_changed_after_the_draw_cannot_be_judged(ws: Workspace) -> None:
    """It is said, and nothing is stored."""
    study = created(ws, ANA)
    task = opened(ws, study)
    outputs = str(ws.tables.runs.set_index("run_id").loc[task.left, "outputs"])
    next(file for file in (ws.root / outputs).rglob("*") if file.is_file()).write_text("other")
    assert opened(ws, study).changed
    with pytest.raises(StaleTask, match="changed"):
        said(ws, study, "left")


def test_enough_judges_for_a_pair_are_enough(ws: Workspace) -> None:
    """With one judge for each pair, a second one gets those that are left."""
    study = created(ws, per_task=1)
    take_part(ws, study, ANA, "joined")
    study = now(ws, study.id)
    take_part(ws, study, BEN, "joined")
    study = now(ws, study.id)
    bens = opened(ws, study, BEN)
    place = next(
        place for place in range(4) if opened(ws, study, ANA, place).pair.pair == bens.pair.pair
    )
    said(ws, study, "left", place=place)
    after = now(ws, study.id)
    assert len(after.open_for(BEN)) == 3
    with pytest.raises(CannotJudge, match="Enough judges"):
        give_verdict(ws, after, bens, Answer("tie", {}, "Same."), BEN, new_id())


def test_who_is_not_asked_cannot_judge_or_join(ws: Workspace) -> None:
    """Where judges are named."""
    study = created(ws, ANA)
    with pytest.raises(CannotJudge, match="other judges"):
        take_part(ws, study, CEM, "joined")
    with pytest.raises(CannotJudge, match="not a judge"):
        give_verdict(ws, study, opened(ws, study), Answer("tie", {}, "Same."), CEM, new_id())


def test_a_task_is_its_judges_own(ws: Workspace) -> None:
    """The name that another judge has for a pair opens nothing."""
    study = created(ws, ANA, BEN)
    with pytest.raises(UnknownName):
        open_task(ws, study, BEN, next(iter(tasks(study, ANA))))


def test_runs_are_hidden_until_the_judge_has_compared_all(ws: Workspace) -> None:
    """From the judges of the study only, with the runs beside those drawn; the last verdict opens.

    One run of three is drawn for each case and side: the others were made the same way.
    """
    study = created(ws, ANA)
    drawn = {run for pair in study.fields.pairs for run in (pair.run_a, pair.run_b)}
    places = {run.rpartition("#")[0] for run in drawn}
    known = ws.tables.runs["run_id"].astype(str)
    runs = {run for run in known if run.rpartition("#")[0] in places}
    assert len(runs) == 3 * len(drawn)
    assert workspace_for(ws, ANA).hidden.runs == runs
    assert not workspace_for(ws, BEN).hidden
    for _ in range(4):
        study = now(ws, study.id)
        left = {pair.pair for pair in study.open_for(ANA)}
        assert workspace_for(ws, ANA).hidden.runs == runs
        place = next(at for at in range(4) if opened(ws, study, ANA, at).pair.pair in left)
        said(ws, study, "tie", place=place)
    assert not workspace_for(ws, ANA).hidden


def test_what_others_said_is_hidden_until_the_judge_has_compared_all(ws: Workspace) -> None:
    """Also the files of their verdicts."""
    study = created(ws, ANA, BEN)
    path = said(ws, study, "left", BEN).path
    assert workspace_for(ws, ANA).hidden.covers(path)
    assert not workspace_for(ws, CEM).hidden.covers(path)
    for place in range(4):
        said(ws, now(ws, study.id), "tie", place=place)
    assert not workspace_for(ws, ANA).hidden.covers(path)


def test_who_gives_up_sees_the_runs_and_judges_no_more(ws: Workspace) -> None:
    """It is on record, and cannot be undone by joining again."""
    study = created(ws)
    take_part(ws, study, ANA, "joined")
    assert workspace_for(ws, ANA).hidden
    task = opened(ws, now(ws, study.id))
    receipt = take_part(ws, now(ws, study.id), ANA, "gave up")
    assert (ws.root / receipt.path).is_file()
    after = now(ws, study.id)
    assert not workspace_for(ws, ANA).hidden
    with pytest.raises(CannotJudge, match="other judges"):
        take_part(ws, after, ANA, "joined")
    with pytest.raises(CannotJudge, match="have finished it"):
        give_verdict(ws, after, task, Answer("tie", {}, "Same."), ANA, new_id())


def test_without_the_secret_nobody_can_judge(ws: Workspace) -> None:
    """It is said where one can."""
    study = created(ws, ANA)
    keep_secret(study.id, new_secret())
    with pytest.raises(CannotJudge, match="not on this machine"):
        tasks(study, ANA)
