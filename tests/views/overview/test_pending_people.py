"""What waits for a person's judgment, behind a door to the page for judging."""

from pathlib import Path

from evalcore.judging.answering.sending import send
from evalcore.judging.answering.submitting import submit
from evalcore.judging.asking.tasks import task
from evalcore.judging.model import REVIEW, Answer
from evalcore.tables.rows import ExclusionRow, RequestRow
from evalcore.views.overview.pending import human_pending_items, pending_items
from evalcore.workspace.opened import Workspace, open_workspace
from tests import made
from tests.counting.peopled import opened, said
from tests.judging.notes_and_exclusions import ANA, BEN, OTHER, RUN, SUITE, records, small


def test_stale_scores_of_people_wait(tmp_path: Path) -> None:
    """They are counted as scores, and listed as the runs that have them."""
    scores = [said(name, "ana", 4.0, status="stale") for name in ("plan", "tone")]
    (stale,) = pending_items(
        opened(tmp_path, made.case(), made.run(passed=True), *scores), made.SUITE, None
    )
    assert (stale.n, stale.what) == (
        2,
        "scores by people out of date: output, prompt or criterion changed",
    )
    assert [entry.link.query["run"] for entry in stale.entries] == ["r1"]


def test_requests_and_divided_people_wait_on_judge(tmp_path: Path) -> None:
    """Each run is counted once, as its queue lists it; which one it is only the queue says."""
    ws = small(tmp_path)
    send(ws, [RUN, OTHER], "odd", ANA)
    assert waiting(ws) == {"requested": (2, "runs sent to judging")}
    for judge, score in ((ANA, 1.0), (BEN, 0.0)):
        of = task(ws, RUN, judge, records(ws))
        submit(ws, of, [Answer(each.key, score, "So it is.") for each in of.criteria], judge)
    assert waiting(ws) == {
        "requested": (1, "run sent to judging"),
        "disagreement": (1, "run that people score differently"),
    }


def waiting(ws: Workspace) -> dict[str | None, tuple[int, str]]:
    """Return what waits on Judge by the reason in its link, without what is to review."""
    now = open_workspace(ws.root, cache=False)
    items = [item for item in human_pending_items(now, SUITE) if item.n and item.link is not None]
    assert not any(item.entries for item in items)
    found = {item.link.query["reason"]: (item.n, item.what) for item in items if item.link}
    return {reason: words for reason, words in found.items() if reason != REVIEW}


def test_a_run_with_a_reason_to_look_waits_until_somebody_judges_it(tmp_path: Path) -> None:
    """A judge that gave no score is such a reason; a run without one is not counted."""
    run = made.run(passed=True, outputs="runs/r1")
    rows = (made.case(), run, made.judgment("tone", None, run_id="r1"))
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
