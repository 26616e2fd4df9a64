"""Hidden runs in the queue of their judge: first, mixed, and with no word of anybody."""

from evalcore.judging.answering.excluding import exclude
from evalcore.judging.answering.independent import Judges, chosen, start_batch
from evalcore.judging.answering.submitting import skip
from evalcore.judging.hiding import alias, asked_independently, workspace_for
from evalcore.judging.model import Entry, Queue
from evalcore.judging.queueing.queue import queue
from evalcore.judging.storing.stored_reviews import load_reviews, review_folder
from evalcore.workspace.opened import Workspace
from tests.judging.copies import ANA, BEN, NOTES, answers, judged, taken
from tests.reviewing import record_id

RUNS = tuple(f"{NOTES}::breaking-change@{version}/-#1" for version in ("v0", "v1", "v2", "v3"))


def asked(ws: Workspace) -> None:
    """Ask Ana, in a batch with the same id each time."""
    draw = chosen(RUNS, len(RUNS))
    start_batch(ws, draw, Judges((ANA.id,)), BEN, submission=record_id(1))


def waiting(ws: Workspace, **given: object) -> Queue:
    """Return Ana's queue as she sees the workspace."""
    seen = workspace_for(ws, ANA)
    records = load_reviews(review_folder(seen, NOTES))
    return queue(seen, NOTES, ANA, records, **given)  # type: ignore[arg-type]


def of_batch(found: Queue) -> list[Entry]:
    """Return the entries of the batch."""
    return [entry for entry in found.entries if "independent" in entry.why]


def test_they_come_first_and_say_only_who_asked(ws: Workspace) -> None:
    """Whatever others scored, sent or disagreed on; neither case nor column is named."""
    for judge, score in ((BEN, 1.0), (BEN._replace(id="cem-1"), 5.0)):
        judged(ws, RUNS[0], judge, answers(taken(ws, RUNS[0], judge), score))
    asked(ws)
    found = waiting(ws)
    entries = of_batch(found)
    assert list(found.entries[: len(RUNS)]) == entries
    assert {entry.run_id for entry in entries} == set(RUNS)
    of = asked_independently(ws, NOTES, ANA)
    names = [alias(entry.run_id, of[entry.run_id], ANA) for entry in entries]
    assert names == sorted(names)
    for entry in entries:
        (reason,) = entry.reasons
        assert reason.startswith(f"independent batch · from {BEN.name} · 20")
        assert (entry.case, entry.column, entry.state) == ("", "", "pending")


def test_a_choice_of_versions_does_not_tell_which_of_them_it_has(ws: Workspace) -> None:
    """All of them stay, whatever runs are chosen."""
    asked(ws)
    found = waiting(ws, only={RUNS[0]})
    assert {entry.run_id for entry in found.entries} == set(RUNS)
    assert len(of_batch(waiting(ws, only="independent"))) == len(RUNS)


def test_what_the_judge_did_is_told(ws: Workspace) -> None:
    """Begun, skipped, or left out by themselves; not what others left out."""
    asked(ws)
    skip(ws, RUNS[0], ANA)
    exclude(ws, RUNS[1], "odd", ANA)
    exclude(ws, RUNS[2], "odd", BEN)
    found = {entry.run_id: entry.state for entry in of_batch(waiting(ws, drafts={RUNS[3]}))}
    assert found == {RUNS[0]: "skipped", RUNS[2]: "pending", RUNS[3]: "draft"}


def test_once_judged_a_run_is_like_any_other(ws: Workspace) -> None:
    """It is named, and stands where its state puts it."""
    asked(ws)
    judged(ws, RUNS[0], ANA)
    found = waiting(ws)
    assert len(of_batch(found)) == len(RUNS) - 1
    (entry,) = (entry for entry in found.entries if entry.run_id == RUNS[0])
    assert (entry.state, entry.column) == ("submitted", "v0")
