"""Outputs are only observed: what was judged or compared is still what the run produced."""

from pathlib import Path

import pytest

from evalcore.workspace.opened import Workspace
from tests.blind.study import created
from tests.hard_rules.found import counts, described, found, now, problems
from tests.judging.copies import (
    ANA,
    BEN,
    INVOICE_RUN,
    INVOICES,
    NOTES,
    NOTES_RUN,
    SUPPORT,
    copied,
    judged,
)
from tests.reviewing import Reviews

CODE = "output-changed"
OTHERS = 85
"""The runs of the demo's release notes whose outputs are here, beside the one that is judged."""
KEPT = 7
"""The other runs of its support agent whose judges said what the output was."""


@pytest.fixture
def notes(tmp_path: Path) -> Workspace:
    """The release notes of the demo, of which nobody judged anything."""
    return copied(tmp_path, NOTES)


def modify(ws: Workspace, run: str) -> None:
    """Add a line to the first output file of a run."""
    runs = ws.tables.runs.set_index("run_id")
    place = ws.root / str(runs.loc[run, "outputs"])
    file = place if place.is_file() else next(p for p in sorted(place.rglob("*")) if p.is_file())
    file.write_bytes(file.read_bytes() + b"\n")


def test_without_any_record_of_an_output_the_rule_cannot_be_checked(notes: Workspace) -> None:
    """What nobody wrote down is not counted as kept."""
    assert counts(notes, NOTES, "outputs") == (0, 0, OTHERS + 1)
    assert found(notes, NOTES, "outputs").standing == "cannot be checked"
    assert problems(notes, CODE) == []


def test_an_output_that_is_as_it_was_judged_keeps_the_rule(notes: Workspace) -> None:
    """All judgments of one run are of one output, so they count once."""
    judged(notes, NOTES_RUN)
    ws = now(notes)

    assert counts(ws, NOTES, "outputs") == (1, 0, OTHERS)
    assert found(ws, NOTES, "outputs").standing == "kept"


def test_an_output_changed_after_it_was_judged_breaks_the_rule_once(notes: Workspace) -> None:
    """It is reported at the run, with the records that say so behind it."""
    judged(notes, NOTES_RUN)
    modify(notes, NOTES_RUN)
    ws = now(notes)

    assert counts(ws, NOTES, "outputs") == (0, 1, OTHERS)
    (problem,) = problems(ws, CODE)
    run = ws.tables.runs.set_index("run_id").loc[NOTES_RUN]
    assert (problem.path, problem.severity, problem.suite) == (run["source"], "warning", NOTES)
    assert "has changed since it was judged. 3 more records say the same." in problem.message
    (broken,) = described(ws, NOTES, "outputs")
    assert [place.what for place in broken.places] == ["run", *["eval-judgment"] * 4]
    assert all(ws.raw(place.path, place.pointer) for place in broken.places[1:])


def test_an_output_that_was_judged_again_keeps_the_rule(notes: Workspace) -> None:
    """A judgment that another one replaced says no more what the scores rest on."""
    judged(notes, NOTES_RUN)
    modify(notes, NOTES_RUN)
    judged(now(notes), NOTES_RUN)
    ws = now(notes)

    assert counts(ws, NOTES, "outputs") == (1, 0, OTHERS)


def test_one_judge_of_the_old_output_is_enough_to_break_the_rule(notes: Workspace) -> None:
    """The judgments of another judge are not replaced by one's own."""
    judged(notes, NOTES_RUN, BEN)
    modify(notes, NOTES_RUN)
    judged(now(notes), NOTES_RUN, ANA)
    ws = now(notes)

    assert counts(ws, NOTES, "outputs") == (0, 1, OTHERS)


def test_an_output_that_is_gone_breaks_the_rule(notes: Workspace) -> None:
    """Taking it away is a change too."""
    judged(notes, NOTES_RUN)
    runs = notes.tables.runs.set_index("run_id")
    for file in sorted((notes.root / str(runs.loc[NOTES_RUN, "outputs"])).rglob("*")):
        file.unlink()
    ws = now(notes)

    assert counts(ws, NOTES, "outputs")[1] == 1


def test_an_output_inside_a_record_is_compared_too(tmp_path: Path) -> None:
    """A store has outputs in its test-runs; each judgment of them states what they were.

    Two people have judged seven other runs of it.
    """
    ws = copied(tmp_path, SUPPORT)
    runs = ws.tables.runs
    run = str(runs.loc[runs["suite"] == SUPPORT, "run_id"].iloc[0])
    judged(ws, run)
    path = ws.root / str(runs.set_index("run_id").loc[run, "source"])
    text = path.read_text("utf-8")
    path.write_text(text.replace('"actualOutput": {', '"actualOutput": {"added": 1,', 1), "utf-8")

    assert counts(now(ws), SUPPORT, "outputs")[:2] == (7, 1)


def test_an_output_changed_in_a_blind_study_breaks_the_rule(tmp_path: Path) -> None:
    """A study says of both sides of each pair what was compared."""
    ws = copied(tmp_path, INVOICES)
    study = created(ws, ANA)
    ws = now(ws)
    both = {run for pair in study.fields.pairs for run in (pair.run_a, pair.run_b)}
    kept, broken, _ = counts(ws, INVOICES, "outputs")
    assert (kept, broken) == (len(both), 0)

    modify(ws, study.fields.pairs[0].run_b)
    ws = now(ws)

    assert counts(ws, INVOICES, "outputs")[:2] == (len(both) - 1, 1)
    (broken_run,) = described(ws, INVOICES, "outputs")
    assert broken_run.id == study.fields.pairs[0].run_b
    assert "since it was put into a blind study" in broken_run.message
    assert ws.raw(*broken_run.places[1][1:]) == study.fields.pairs[0].output_b


def test_a_run_that_is_hidden_from_a_judge_is_not_told_of(tmp_path: Path) -> None:
    """What was judged of it would say more than the judge may see."""
    ws = copied(tmp_path, INVOICES)
    judged(ws, INVOICE_RUN, BEN)
    modify(ws, INVOICE_RUN)
    ws = now(ws)
    assert counts(ws, INVOICES, "outputs")[1] == 1

    assert counts(ws.hiding({INVOICE_RUN}, ANA.id), INVOICES, "outputs")[1] == 0


def test_a_request_says_what_the_output_was_when_it_states_it(notes: Workspace) -> None:
    """Those of new runs do; those of people state nothing, and are checked once it is judged."""
    said = Reviews(notes.root, f"{NOTES}-workspace")
    said.put("approval-request", {"testRunId": NOTES_RUN, "reason": "Look at it."})
    assert counts(now(notes), NOTES, "outputs") == (0, 0, OTHERS + 1)

    other = {"outputSha256": "0" * 64}
    said.put("approval-request", {"testRunId": NOTES_RUN, "reason": "New."}, evalcore=other)
    ws = now(notes)
    assert counts(ws, NOTES, "outputs") == (0, 1, OTHERS)
    assert "since it was sent to judging" in described(ws, NOTES, "outputs")[0].message
