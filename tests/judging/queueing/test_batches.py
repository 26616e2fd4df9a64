"""The independent batches of a suite: who asked for what, and how far each judge is."""

from pathlib import Path

import pytest

from evalcore.judging.answering.independent import (
    Judges,
    chosen,
    drawn,
    judges_named,
    reveal,
    start_batch,
)
from evalcore.judging.hiding import workspace_for
from evalcore.judging.queueing.batches import Progress, batches, progress_of, runs_to_draw
from evalcore.judging.storing.judges import remember_judge
from evalcore.workspace.opened import Workspace
from tests.judging.copies import ANA, BEN, NOTES, judged, readable

RUNS = tuple(f"{NOTES}::breaking-change@{version}/-#1" for version in ("v0", "v1", "v2"))


@pytest.fixture(autouse=True)
def nobody(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let this machine know no judge."""
    monkeypatch.setenv("EVALCORE_STATE_DIR", str(tmp_path / "state"))


def test_a_batch_says_how_far_each_judge_is(ws: Workspace) -> None:
    """Whole runs that they judged or gave up, for everybody to see; never a score."""
    judges = Judges((ANA.id, BEN.id))
    start_batch(ws, drawn(RUNS, 2), judges, BEN, reason="Is the model kind?")
    (batch,) = batches(ws, NOTES)
    assert (batch.author, batch.reason, batch.random) == (BEN.id, "Is the model kind?", True)
    assert (batch.runs, batch.out_of) == (2, 3)
    assert batch.judges == (Progress(ANA.id, 0, 0), Progress(BEN.id, 0, 0))
    one, two = sorted(workspace_for(ws, ANA).hidden.runs)
    judged(ws, one, ANA)
    reveal(ws, two, ANA)
    seen = workspace_for(ws, BEN)
    assert batches(seen, NOTES)[0].judges == (Progress(ANA.id, 1, 1), Progress(BEN.id, 0, 0))


def test_a_judge_is_told_how_far_they_are_with_open_batches(ws: Workspace) -> None:
    """One that is done counts no more."""
    assert progress_of(ws, NOTES, ANA) == (0, 0)
    start_batch(ws, chosen(RUNS[:1], 1), Judges((ANA.id,)), BEN)
    start_batch(ws, chosen(RUNS[1:], 2), Judges((ANA.id,)), BEN)
    judged(ws, RUNS[1], ANA)
    assert progress_of(ws, NOTES, ANA) == (1, 3)
    judged(ws, RUNS[0], ANA)
    assert progress_of(ws, NOTES, ANA) == (1, 2)
    assert progress_of(ws, NOTES, BEN) == (0, 0)


def test_runs_are_drawn_from_what_can_be_judged(ws: Workspace) -> None:
    """Of chosen versions, configurations and cases, or of all; hidden ones too."""
    every = runs_to_draw(ws, NOTES)
    assert set(every) == readable(ws)
    of = runs_to_draw(ws, NOTES, versions=["v0", "v1"], cases=["breaking-change"])
    assert {run.partition("/")[0] for run in of} == {run.partition("/")[0] for run in RUNS[:2]}
    assert runs_to_draw(ws, NOTES, configurations=["other"]) == ()
    start_batch(ws, chosen(RUNS, 3), Judges((ANA.id,)), BEN)
    assert runs_to_draw(workspace_for(ws, ANA), NOTES) == every


def test_judges_are_meant_by_id_by_name_or_by_a_new_name(ws: Workspace) -> None:
    """A name of this machine is that judge; the batch of a new one is theirs once they come."""
    ana = remember_judge("Ana", None)
    found = judges_named([ana.id, "ana", "ben-77c0", "Dora"], {ana.id, "ben-77c0"})
    assert found == Judges((ana.id, "ben-77c0"), ("Dora",))
    start_batch(ws, chosen(RUNS, 3), Judges((), ("Dora",)), BEN)
    assert batches(ws, NOTES)[0].judges == (Progress("Dora", 0, 0),)
    dora = remember_judge("DORA", "another browser")
    judged(ws, RUNS[0], dora)
    assert batches(ws, NOTES)[0].judges == (Progress(dora.id, 1, 0),)
    assert progress_of(ws, NOTES, dora) == (1, 3)
