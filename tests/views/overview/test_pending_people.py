"""What waits for a person's judgment, behind a door to the page for judging."""

from pathlib import Path

from evalcore.tables.rows import ExclusionRow, RequestRow
from evalcore.views.blocks.base import link
from evalcore.views.overview.pending import human_pending_items, pending_items
from tests import made
from tests.counting.peopled import opened, said


def test_stale_scores_requests_and_divided_people_wait(tmp_path: Path) -> None:
    """Each is counted once, and none of them is listed by name."""
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
    found = [(wait.n, wait.what, wait.entries) for wait in pending_items(ws, made.SUITE, None)]
    assert found == [
        (1, "score by people out of date: output, prompt or criterion changed", ()),
        (1, "run sent to judging", ()),
        (1, "criterion that people score differently", ()),
    ]
    links = [wait.link for wait in pending_items(ws, made.SUITE, None)]
    assert links == [link("judge", suite=made.SUITE)] * 3


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
