"""What waits for a person's judgment, behind a door to the page for judging."""

from pathlib import Path

from evalcore.tables.rows import ExclusionRow, RequestRow
from evalcore.views.blocks.base import link
from evalcore.views.overview.pending import PendingItem, human_pending_items, pending_items
from tests import made
from tests.counting.peopled import opened, said


def test_stale_scores_requests_and_divided_people_wait(tmp_path: Path) -> None:
    """Each is counted once; which runs are disputed only the queue says, with a reason to judge."""
    asked = made.row(RequestRow, suite=made.SUITE, run_id="r1", kind="approval-request")
    passed_over = made.row(RequestRow, suite=made.SUITE, run_id="r1", kind="skip")
    ws = opened(
        tmp_path,
        made.case(),
        made.run(passed=True),
        asked,
        asked,
        passed_over,
        said("tone", "ana", 5.0),
        said("tone", "bo", 1.0),
        said("form", "ana", 4.0),
        said("form", "bo", 4.0),
        said("plan", "ana", 4.0, status="stale"),
    )
    stale, *others = pending_items(ws, made.SUITE, None)
    assert stale[:2] == (1, "score by people out of date: output, prompt or criterion changed")
    assert [entry.link.query["run"] for entry in stale.entries] == ["r1"]
    assert others == [
        PendingItem(1, what, (), 0, link("judge", suite=made.SUITE, v=None, c=None, reason=reason))
        for what, reason in (
            ("run sent to judging", "requested"),
            ("run that people score differently", "disagreement"),
        )
    ]


def test_a_run_with_a_reason_to_look_waits_until_somebody_judges_it(tmp_path: Path) -> None:
    """A judge that gave no score is such a reason; a run without one is not counted."""
    rows = (made.case(), made.run(passed=True), made.judgment("tone", None, run_id="r1"))
    looks = [
        wait for wait in human_pending_items(opened(tmp_path / "one", *rows), made.SUITE) if wait.n
    ]
    assert [(wait.n, wait.what) for wait in looks] == [(1, "run to review")]
    judged = opened(tmp_path / "two", *rows, said("tone", "ana", 5.0))
    assert not [wait for wait in human_pending_items(judged, made.SUITE) if wait.n]


def test_what_people_said_of_an_excluded_run_does_not_wait(tmp_path: Path) -> None:
    """The queue behind the door leaves the run out, too."""
    asked = made.row(RequestRow, suite=made.SUITE, run_id="r1", kind="approval-request")
    gone = made.row(ExclusionRow, suite=made.SUITE, run_id="r1", reason="wrong file")
    ws = opened(
        tmp_path,
        made.case(),
        made.run(passed=True),
        asked,
        gone,
        said("tone", "ana", 5.0),
        said("tone", "bo", 1.0),
        said("plan", "ana", 4.0, status="stale"),
    )
    assert not [wait for wait in human_pending_items(ws, made.SUITE) if wait.n]
