"""What waits for a person, each with its count and a door; and what is wrong in the files."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from evalcore import Workspace
from evalcore.counting.outcomes import Column
from evalcore.tables.rows import (
    ComparisonRow,
    FailureRow,
    FeedbackRow,
    NoteRow,
    ProblemRow,
    Row,
)
from evalcore.views.blocks.page import Fold
from evalcore.views.overview.pending import pending_blocks, pending_items
from evalcore.views.problems import Problems, problems_at_open
from tests import made
from tests.views.panel_json import panel_json

V0, V1 = Column("v0", "-"), Column("v1", "-")
LOOK = "run to review"
TIME = datetime(2026, 5, 1, tzinfo=UTC)


def opened(root: Path, *rows: Row) -> Workspace:
    """Return a suite with two versions and a run in each."""
    return made.workspace(
        root,
        made.suite(),
        *(made.version(name, place) for place, name in enumerate(("v0", "v1"))),
        *(made.run(run_id=f"r-{name}", version=name, fraction=1.0) for name in ("v0", "v1")),
        *rows,
    )


def only(ws: Workspace, focus: Column | None = V1) -> Fold:
    """Return the only thing that waits; which runs are worth a look is tested on its own."""
    (wait,) = (
        each
        for each in pending_items(ws, made.SUITE, focus)
        if LOOK not in each.what.replace("runs", "run")
    )
    return wait


def test_nothing_waits(tmp_path: Path) -> None:
    """One quiet sentence says so."""
    ws = opened(tmp_path)
    assert pending_items(ws, made.SUITE, V1) == ()
    blocks = panel_json(pending_blocks(made.SUITE, (), Problems(())))
    assert blocks[1]["text"] == "Nothing to do."


def test_judgments_without_a_score_wait(tmp_path: Path) -> None:
    """Counted as judgments, listed as the runs that have them, of every version."""
    open_ = [made.judgment(label, None, run_id="r-v0") for label in ("tone", "facts")]
    wait = only(opened(tmp_path, *open_))
    assert (wait.n, wait.what, wait.more) == (2, "judgments without a score", 0)
    assert wait.entries[0].about == "v0, run 1: 2 without a score"
    assert wait.entries[0].link.query["run"] == "r-v0"


def test_stale_scores_wait(tmp_path: Path) -> None:
    """Their output changed after they were given."""
    wait = only(opened(tmp_path, made.judgment("tone", run_id="r-v1", status="stale")))
    assert (wait.n, wait.what) == (1, "score of an output that changed since")


def test_notes_that_ask_for_a_review_wait(tmp_path: Path) -> None:
    """Other notes do not."""
    about = {"suite": made.SUITE, "run_id": "r-v0", "version": "v0"}
    wait = only(
        opened(
            tmp_path,
            made.row(NoteRow, **about, kind="needs_review", text="Is this acceptable?"),
            made.row(NoteRow, **about, kind="user_notes", text="Done."),
        )
    )
    assert (wait.n, wait.what) == (1, "note asking for a review")
    assert (wait.entries[0].text, wait.entries[0].about) == ("Is this acceptable?", "v0")


def test_failures_wait_until_they_are_resolved(tmp_path: Path) -> None:
    """One without a run leads to its document."""
    rows = [
        made.row(
            FailureRow,
            suite=made.SUITE,
            failure_id=f"f{n}",
            description="Wrong total",
            severity="major",
            source=f"f{n}.json",
            pointer="",
            resolved_at=at,
        )
        for n, at in enumerate((TIME, None))
    ]
    wait = only(opened(tmp_path, *rows))
    assert (wait.n, wait.what) == (1, "failure not resolved")
    assert wait.entries[0].link.page == "data"
    assert wait.entries[0].link.query["file"] == "f1.json"


def test_comparisons_that_name_no_version_wait(tmp_path: Path) -> None:
    """One that names both is fine."""
    both = [
        made.row(
            ComparisonRow,
            comparison_id=f"c{n}",
            suite=made.SUITE,
            case_id="case-1",
            version_a=a,
            version_b=b,
            winner="A",
            source=f"c{n}.json",
            pointer="",
        )
        for n, (a, b) in enumerate((("v0", "v1"), (None, None)))
    ]
    wait = only(opened(tmp_path, *both))
    assert (wait.n, wait.what) == (1, "comparison without a version")
    assert wait.entries[0].link.query["file"] == "c1.json"


def test_remarks_on_the_version_in_focus_wait_for_an_action(tmp_path: Path) -> None:
    """Those on other versions, those with an action and those without words do not."""
    rows = [
        made.row(
            FeedbackRow,
            suite=made.SUITE,
            run_id=run,
            kind=kind,
            text=text,
            action=action,
            source="f.json",
            pointer="",
        )
        for run, kind, text, action in (
            ("r-v1", "suggestion", "Say who ordered.", None),
            ("r-v1", "suggestion", "Done already.", "changed"),
            ("r-v1", "review", "  ", None),
            ("r-v1", "overall", "No suggestions.", None),
            ("r-v0", "suggestion", "Of old.", None),
        )
    ]
    ws = opened(tmp_path, *rows)
    wait = only(ws)
    assert (wait.n, wait.what) == (1, "open grader suggestion for v1")
    assert (wait.entries[0].text, wait.entries[0].about) == ("Say who ordered.", "suggestion")
    assert only(ws, V0).entries[0].text == "Of old."


def test_draft_cases_wait(tmp_path: Path) -> None:
    """They lead to their definition."""
    wait = only(opened(tmp_path, made.case(case_id="new", name="A new case", status="draft")))
    assert (wait.n, wait.what) == (1, "draft case to finish")
    assert wait.entries[0].link.query == {
        "suite": made.SUITE,
        "dview": "cases",
        "dcase": "new",
    }


def test_a_long_list_says_how_much_it_leaves_out(tmp_path: Path) -> None:
    """Twelve are named, the rest is counted."""
    drafts = [made.case(case_id=f"c{n}", status="draft") for n in range(15)]
    ws = opened(tmp_path, *drafts)
    found = pending_items(ws, made.SUITE, V1)
    (_, folds, *_) = panel_json(pending_blocks(made.SUITE, found, Problems(())))
    assert (folds["items"][0]["n"], folds["items"][0]["more"]) == (15, 3)


def test_problems_are_counted_worst_first(tmp_path: Path) -> None:
    """Each severity is a door to its list, and says the first of them."""
    rows = [
        made.row(
            ProblemRow,
            path=f"{number}.json",
            pointer="",
            severity=severity,
            code="x",
            suite=suite,
            message=f"A {severity} of {suite}.",
        )
        for number, (severity, suite) in enumerate(
            (
                ("warning", made.SUITE),
                ("error", made.SUITE),
                ("warning", made.SUITE),
                ("error", "elsewhere"),
            )
        )
    ]
    ws = opened(tmp_path, *rows)
    *_, title, folds, every = panel_json(pending_blocks(made.SUITE, (), problems_at_open(ws)))
    assert (title["text"], title["hint"]) == ("Data problems", "found so far")
    assert every["items"][0]["text"] == "Check all files"
    items = folds["items"]
    assert [(item["n"], item["what"]) for item in items] == [(1, "error"), (2, "warnings")]
    assert items[0]["about"] == f"A error of {made.SUITE}."
    assert items[1]["link"]["query"] == {
        "suite": made.SUITE,
        "dview": "problems",
        "dsuite": made.SUITE,
        "severity": "warning",
    }


@pytest.mark.parametrize(
    ("complete", "words"), [(True, "none found"), (False, "none found while loading")]
)
def test_no_problem_is_said(complete: bool, words: str) -> None:
    """And whether everything has been looked at."""
    blocks = panel_json(pending_blocks(made.SUITE, (), Problems((), complete)))
    title = {"t": "heading", "text": "Data problems", "hint": words, "mark": None}
    assert title in blocks
    assert (blocks[-1] == title) is complete
