"""Decisions about suggestions of graders: read back, replaced, taken back, and kept apart."""

import json
from pathlib import Path

import pytest

from evalcore.counting.outcomes import outcomes
from evalcore.errors import CannotJudge
from evalcore.judging.answering.deciding import Decided, decide
from evalcore.judging.limits import LIMITS
from evalcore.rubrics.suggestions import Suggestion, run_ids, suggestions
from evalcore.views.overview.pending import pending_items
from evalcore.workspace.opened import Workspace, open_workspace
from tests.judging.notes_and_exclusions import ANA, BEN, FOLDER, RUN, SUITE, small

TEXT = "Say which flag is meant."


def suggesting(root: Path) -> Workspace:
    """Return a small suite of which one grading suggests something."""
    small(root)
    path = root / FOLDER / "iteration-1/eval-1/with_skill/run-1/grading.json"
    value = json.loads(path.read_text("utf-8"))
    value["eval_feedback"] = {"suggestions": [TEXT]}
    path.write_text(json.dumps(value), "utf-8")
    return open_workspace(root, cache=False)


def only(root: Path) -> Suggestion:
    """Return the only suggestion of the folder as it is now."""
    (one,) = suggestions(open_workspace(root, cache=False), SUITE)
    return one


def test_a_decision_is_read_back(tmp_path: Path) -> None:
    """With its author, its reason and the id of its record; the suggestion is not open any more."""
    ws = suggesting(tmp_path)
    assert only(tmp_path).state == "open"
    assert run_ids(ws, only(tmp_path).runs) == [RUN]
    said = Decided(TEXT, None, RUN, "accepted", "The case names it.")
    receipt = decide(ws, SUITE, said, ANA)
    one = only(tmp_path)
    assert one.state == "accepted"
    (decision,) = one.decisions
    assert (decision.reason, decision.author, decision.record) == (
        "The case names it.",
        ANA.id,
        receipt.id,
    )
    assert open_workspace(tmp_path, cache=False).tables.problems.empty


def test_a_later_decision_replaces_the_one_it_saw(tmp_path: Path) -> None:
    """Whoever made it; `open` takes all back."""
    ws = suggesting(tmp_path)
    first = decide(ws, SUITE, Decided(TEXT, None, None, "accepted"), ANA)
    second = decide(ws, SUITE, Decided(TEXT, None, None, "rejected", "No."), BEN, [first.id])
    assert [each.decision for each in only(tmp_path).decisions] == ["rejected"]
    decide(ws, SUITE, Decided(TEXT, None, None, "open"), ANA, [second.id])
    assert only(tmp_path).state == "open"


def test_decisions_that_did_not_see_each_other_both_stand(tmp_path: Path) -> None:
    """The newest counts; nothing is lost."""
    ws = suggesting(tmp_path)
    decide(ws, SUITE, Decided(TEXT, None, None, "accepted"), ANA)
    decide(ws, SUITE, Decided(TEXT, None, None, "rejected"), BEN)
    assert {each.decision for each in only(tmp_path).decisions} == {"accepted", "rejected"}


def test_a_second_click_stores_nothing_more(tmp_path: Path) -> None:
    """The submission is the id of the record."""
    ws = suggesting(tmp_path)
    said = Decided(TEXT, None, None, "accepted")
    name = "0195f3a0-7c1e-7000-8000-0000000000aa"
    first = decide(ws, SUITE, said, ANA, submission=name)
    again = decide(ws, SUITE, said, ANA, submission=name)
    assert (first.id, again.id, again.new) == (name, name, False)


def test_a_reason_has_an_end(tmp_path: Path) -> None:
    """What is too long is refused, not cut."""
    ws = suggesting(tmp_path)
    with pytest.raises(CannotJudge):
        decide(ws, SUITE, Decided(TEXT, None, None, "accepted", "x" * (LIMITS.reason + 1)), ANA)


def test_overview_does_not_ask_for_what_was_decided(tmp_path: Path) -> None:
    """The remark leaves the pending work."""

    def pending() -> list[str]:
        ws = open_workspace(tmp_path, cache=False)
        column = outcomes(ws, SUITE).columns[-1]
        return [item.what for item in pending_items(ws, SUITE, column) if "suggestion" in item.what]

    ws = suggesting(tmp_path)
    assert len(pending()) == 1
    decide(ws, SUITE, Decided(TEXT, None, RUN, "rejected"), ANA)
    assert not pending()
