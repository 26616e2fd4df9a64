"""What waits for a person's judgment, behind a door to the page for judging."""

from pathlib import Path

from evalcore.tables.rows import RequestRow
from evalcore.views.overview_waits import waits
from tests import made
from tests.counting.peopled import opened, said


def test_stale_scores_requests_and_divided_people_wait(tmp_path: Path) -> None:
    """Each is counted once, and none of them is listed by name."""
    asked = made.row(RequestRow, suite=made.SUITE, run_id="r1", kind="approval-request")
    passed_over = made.row(RequestRow, suite=made.SUITE, run_id="r1", kind="skip")
    ws = opened(
        tmp_path, made.case(), made.run(passed=True), asked, asked, passed_over,
        said("tone", "ana", 5.0), said("tone", "bo", 1.0), said("form", "ana", 4.0),
        said("form", "bo", 4.0), said("plan", "ana", 4.0, status="stale"),
    )  # fmt: skip
    found = [(wait.n, wait.what, wait.entries) for wait in waits(ws, made.SUITE, None)]
    assert found == [
        (1, "score of people to give again: what it was of changed", ()),
        (1, "run sent to judging", ()),
        (1, "criterion that people score differently", ()),
    ]
    doors = [wait.door for wait in waits(ws, made.SUITE, None)]
    assert doors == [{"page": "judge", "query": {"suite": made.SUITE}}] * 3
