"""What people say of a criterion and a run, in words beside the recorded judge."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from evalcore.families.reviews.review import ADJUDICATED
from evalcore.tables.rows import ExclusionRow, Row
from evalcore.views.run.criteria import NOT_COUNTED, item_block
from evalcore.views.run.evidence import evidence
from evalcore.views.run.head import head_block
from tests import made
from tests.counting.peopled import of, opened, said
from tests.views.panel_json import panel_json

DAY = datetime(2026, 3, 1, 9, 30, tzinfo=UTC)


def people(root: Path, *rows: Row, **run: Any) -> list[dict[str, Any]]:
    """Return what people say of the one criterion of r1."""
    ws = opened(root, made.case(), made.run(judge="gpt", **run), *rows)
    (item,) = evidence(ws, "r1").items
    found: list[dict[str, Any]] = panel_json(item_block(item))["people"]
    return found


def head(root: Path, *rows: Row) -> dict[str, Any]:
    """Return the head of r1, which the judge gave 4.2 of 5."""
    run = made.run(passed=True, score=4.2, max_score=5.0, judge="gpt")
    ws = opened(root, made.case(), run, *rows)
    return head_block(evidence(ws, "r1"), {"r1": "pass"})


def test_an_adjudication_stands_first_then_people_by_name(tmp_path: Path) -> None:
    """Each with score, time and how sure; none of them is the recorded judge."""
    found = people(
        tmp_path,
        made.judgment("tone", judge="gpt"),
        said("tone", "bo", 4.0, judged_at=DAY),
        said("tone", ADJUDICATED, 3.0),
        said("tone", "ana", 2.0, confidence_level="low"),
    )
    assert [(one["who"], one["score"]) for one in found] == [
        (ADJUDICATED, "3 of 5"),
        ("ana", "2 of 5"),
        ("bo", "4 of 5"),
    ]
    assert found[1]["about"] == ["confidence low"]
    assert found[2]["about"] == ["1 Mar 2026, 09:30 UTC"]


def test_a_score_of_one_that_no_mark_decides_is_a_number(tmp_path: Path) -> None:
    """As the recorded score beside it; a verdict is a word."""
    given = said("tone", "ana", 0.7, min_score=0.0, max_score=1.0)._replace(passed=None)
    (one,) = people(tmp_path, given)
    assert one["score"] == "0.7 of 1"


def test_a_corrected_score_folds_under_the_newer_one(tmp_path: Path) -> None:
    """It says when it was corrected, and what it was."""
    old = said("tone", "ana", 4.0, status="superseded", rationale="Warm.")
    new = said("tone", "ana", 2.0, judged_at=DAY, rationale="Too warm.")
    (one,) = people(tmp_path, made.judgment("tone", judge="gpt"), old, new)
    assert (one["score"], one["olds"]) == ("2 of 5", "1 earlier score")
    assert one["old"] == [
        {"label": "corrected on 1 Mar 2026, 09:30 UTC; was 4 of 5", "text": "Warm."}
    ]


def test_a_stale_score_says_what_it_waits_for(tmp_path: Path) -> None:
    """It is shown, and does not count."""
    (one,) = people(tmp_path, said("tone", "ana", 2.0, status="stale"))
    assert one["stale"] == NOT_COUNTED["stale"]


def test_a_person_never_stands_in_the_judge_s_place(tmp_path: Path) -> None:
    """Where only people judged a criterion, the recorded score is missing in words."""
    ws = opened(tmp_path, made.case(), made.run(judge="gpt"), said("tone", "ana", 2.0))
    (item,) = evidence(ws, "r1").items
    block = panel_json(item_block(item))
    assert (block["score"], len(block["people"])) == ("not scored", 1)
    assert block["texts"] == [{"label": "why not scored", "text": "only people have judged it"}]


def test_the_head_counts_people_and_names_their_scores(tmp_path: Path) -> None:
    """Beside the recorded one, which keeps its words."""
    found = head(tmp_path, of("r1", "ana", 3.7, 5.0), of("r1", "bo", 4.0, 5.0))
    assert found["people"] == "2 people judged: 3.7 and 4 of 5 (recorded 4.2)"
    assert found["verdict"] == "recorded: passed, 4.2 of 5"


def test_the_head_names_an_adjudication_and_parts(tmp_path: Path) -> None:
    """Whoever judged some criteria only has no score of the whole."""
    part = of("r1", "cy", None, 5.0, judged=1, expected=3)
    whole = of("r1", "ana", 3.0, 5.0), of("r1", ADJUDICATED, 2.0, 5.0)
    assert head(tmp_path, *whole, part)["people"] == (
        "1 person judged: 3 of 5; adjudicated: 2 of 5; 1 person judged a part (recorded 4.2)"
    )
    assert head(tmp_path, part)["people"] == "1 person judged it in part (recorded 4.2)"
    assert (head(tmp_path)["people"], head(tmp_path)["excluded"]) == ("", "")


def test_the_head_says_who_left_the_run_out_and_why(tmp_path: Path) -> None:
    """The run stays where it is, with its reason."""
    gone = made.row(
        ExclusionRow,
        suite=made.SUITE,
        run_id="r1",
        reason="The wrong file.",
        author="ana-3f2a",
        created_at=DAY,
    )
    assert head(tmp_path, gone)["excluded"] == (
        "excluded from the rates by Ana on 1 Mar 2026, 09:30 UTC: The wrong file."
    )
