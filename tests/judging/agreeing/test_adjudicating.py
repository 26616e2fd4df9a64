"""Deciding between judges: what is stored, what is refused, and storing once."""

import json
from pathlib import Path
from typing import Any

import pytest

from evalcore.errors import StaleTask
from evalcore.families.reviews.models import BY_TYPE
from evalcore.judging.agreeing.adjudicating import Decision, adjudicate
from evalcore.judging.storing.store import new_id
from evalcore.judging.storing.stored_reviews import load_reviews, review_folder
from evalcore.shapes.faults import faults
from evalcore.workspace.opened import Workspace
from tests import made
from tests.judging.agreeing.test_disagreements import ADA, BEN, CLEO, run_of, says, suite, waiting


@pytest.fixture
def ws(tmp_path: Path) -> Workspace:
    """Return a suite in which Ada and Ben disagree on the tone of one run."""
    found = suite(tmp_path)
    says(found, ADA, 1, 1)
    says(found, BEN, 1, 5)
    return found


def decision(ws: Workspace, score: float = 4, why: str = "Friendly, yet late.") -> Decision:
    """Return a decision on what Ada sees now."""
    (one,) = waiting(ws, ADA).open
    return Decision(one.run_id, one.asked.key, score, why, one.ids, one.over, new_id())


def stored(ws: Workspace) -> list[dict[str, Any]]:
    """Return the adjudications on the disk."""
    folder = ws.root / review_folder(ws, made.SUITE).path / "adjudication"
    return [json.loads(path.read_text("utf-8")) for path in sorted(folder.glob("*.json"))]


def test_an_adjudication_is_a_record_with_what_was_weighed(ws: Workspace) -> None:
    """Score, scale, reason, who, which judgments, and what the run rests on."""
    given = decision(ws)
    receipt = adjudicate(ws, given, ADA)
    (value,) = stored(ws)
    assert faults(BY_TYPE["adjudication"], value) == []
    assert receipt.new and receipt.id == value["id"] == given.submission
    assert value["createdBy"] == ADA.id
    fields = value["fields"]
    assert (fields["testRunId"], fields["criterionId"]) == (run_of(1), "expectation:tone")
    assert (fields["score"], fields["minScore"], fields["maxScore"]) == (4, 1, 5)
    assert fields["rationale"] == "Friendly, yet late."
    assert fields["judgmentIds"] == sorted(given.judgment_ids)
    assert set(value["evalcore"]) == {
        "promptSha256",
        "criterionSha256",
        "run",
    }


def test_the_same_submission_is_stored_once(ws: Workspace) -> None:
    """A second click gives the receipt of the first."""
    given = decision(ws)
    first, second = adjudicate(ws, given, ADA), adjudicate(ws, given, ADA)
    assert (first.id, first.sha256) == (second.id, second.sha256)
    assert not second.new
    assert len(stored(ws)) == 1


def test_a_judgment_that_came_meanwhile_is_not_decided_over(ws: Workspace) -> None:
    """Who came is named, and nothing is stored."""
    given = decision(ws)
    says(ws, CLEO, 1, 2)
    with pytest.raises(StaleTask, match=CLEO.id):
        adjudicate(ws, given, ADA)
    assert stored(ws) == []


def test_a_judgment_that_went_meanwhile_is_not_decided_over(ws: Workspace) -> None:
    """Ben corrected himself: his first score is not what stands."""
    given = decision(ws)
    tone = next(
        each.id
        for each in load_reviews(review_folder(ws, made.SUITE))
        if each.created_by == BEN.id and each.fields["score"] == 5
    )
    says(ws, BEN, 1, 2, None, supersedes=tone)
    with pytest.raises(StaleTask):
        adjudicate(ws, given, ADA)


def test_two_who_decide_at_once_do_not_both_count(ws: Workspace) -> None:
    """The second is told that somebody else decided."""
    ada, ben = decision(ws, 4), decision(ws, 2)
    adjudicate(ws, ada, ADA)
    with pytest.raises(StaleTask, match=ADA.id):
        adjudicate(ws, ben, BEN)


def test_a_later_decision_replaces_the_earlier_one(ws: Workspace) -> None:
    """It supersedes it; both stay on the disk."""
    first = adjudicate(ws, decision(ws), ADA)
    says(ws, CLEO, 1, 2)
    adjudicate(ws, decision(ws, 2), ADA)
    assert [each.get("supersedes") for each in stored(ws)] == [None, first.id]


@pytest.mark.parametrize(("score", "why"), [(4, "  "), (9, "Too good.")])
def test_a_reason_and_a_score_on_the_scale_are_required(
    ws: Workspace, score: float, why: str
) -> None:
    """Nothing is stored without them."""
    with pytest.raises(ValueError):
        adjudicate(ws, decision(ws, score, why), ADA)
    assert stored(ws) == []


def test_a_criterion_that_is_not_asked_any_more_is_refused(ws: Workspace) -> None:
    """The case was edited since the page was drawn."""
    with pytest.raises(StaleTask):
        adjudicate(ws, decision(ws)._replace(key="expectation:gone"), ADA)
