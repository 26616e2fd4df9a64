"""What judged a run again stands beside the recorded score, and a difference is visible."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from evalcore.tables.rows import JudgmentRow, Row
from evalcore.views.run.criteria import NOT_COUNTED, item_block
from evalcore.views.run.evidence import evidence
from evalcore.views.run.head import head_block
from tests import made
from tests.counting.peopled import opened, said
from tests.views.panel_json import panel_json

DAY = datetime(2026, 3, 1, 9, 30, tzinfo=UTC)
RULE = "evalcore-rules"


def again(criterion: str, score: float, **given: Any) -> JudgmentRow:
    """Return what a rule said when it judged a criterion again."""
    return said(criterion, RULE, score, judge_type="heuristic", **given)


def block(root: Path, *rows: Row) -> dict[str, Any]:
    """Return the one criterion of r1, which the judge gave 4 of 5."""
    ws = opened(root, made.case(), made.run(judge="gpt"), *rows)
    (item,) = evidence(ws, "r1").items
    found: dict[str, Any] = panel_json(item_block(item))
    return found


def recorded(criterion: str = "tone", **given: Any) -> JudgmentRow:
    """Return the recorded judgment."""
    return made.judgment(criterion, judge="gpt", score=4.0, min_score=1.0, max_score=5.0, **given)


def test_it_has_its_name_what_it_is_and_its_own_score(tmp_path: Path) -> None:
    """People stand before it; the recorded score keeps its place and its words."""
    found = block(
        tmp_path,
        recorded(passed=True),
        again("tone", 2.0, judged_at=DAY, rationale="'x' is missing."),
        said("tone", "ana", 4.0),
    )
    assert found["score"] == "4 of 5"
    assert [one["who"] for one in found["people"]] == ["ana", f"{RULE} (rule)"]
    rule = found["people"][1]
    assert rule["score"] == "2 of 5, recorded: 4 of 5"
    assert rule["about"] == ["1 Mar 2026, 09:30 UTC"]
    assert rule["texts"] == [{"label": "", "text": "'x' is missing."}]
    assert all(RULE not in text["label"] for text in found["texts"])


def test_one_that_agrees_says_its_score_alone(tmp_path: Path) -> None:
    """There is nothing to compare."""
    (rule,) = block(tmp_path, recorded(), again("tone", 4.0))["people"]
    assert rule["score"] == "4 of 5"


def test_an_older_one_folds_under_the_newer(tmp_path: Path) -> None:
    """It was judged once more, not corrected."""
    old = again("tone", 4.0, status="superseded")
    (rule,) = block(tmp_path, recorded(), old, again("tone", 2.0, judged_at=DAY))["people"]
    assert rule["old"][0]["label"].startswith("judged once more on 1 Mar 2026")


def test_a_stale_one_says_so(tmp_path: Path) -> None:
    """And it is not counted in the head."""
    rows = (recorded(), again("tone", 2.0, status="stale"))
    (rule,) = block(tmp_path, *rows)["people"]
    assert rule["stale"] == NOT_COUNTED["stale"]
    assert head(tmp_path / "head", *rows)["people"] == ""


def test_without_a_recorded_score_nothing_is_compared(tmp_path: Path) -> None:
    """Nor is it said that only people judged it."""
    found = block(tmp_path, again("tone", 2.0))
    assert found["score"] == "not scored"
    assert found["texts"] == [{"label": "why not scored", "text": "it has no recorded score"}]
    assert found["people"][0]["score"] == "2 of 5"


def head(root: Path, *rows: Row) -> dict[str, Any]:
    """Return the head of r1, which the judge gave 4.2 of 5."""
    root.mkdir(exist_ok=True)
    run = made.run(passed=True, score=4.2, max_score=5.0, judge="gpt")
    ws = opened(root, made.case(), run, *rows)
    return head_block(evidence(ws, "r1"), {"r1": "pass"})


def test_the_head_says_in_how_many_criteria_it_differs(tmp_path: Path) -> None:
    """And that the verdict beside it is the recorded one; no person judged."""
    rows = [recorded("tone"), recorded("facts"), again("tone", 2.0), again("facts", 4.0)]
    found = head(tmp_path, *rows)
    assert found["people"] == f"judged again by {RULE} (rule): 2 criteria, 1 not as recorded"
    assert found["verdict"] == "recorded: passed, 4.2 of 5"


def test_the_head_says_that_all_is_as_recorded(tmp_path: Path) -> None:
    """One criterion is not several."""
    found = head(tmp_path, recorded(), again("tone", 4.0))
    assert found["people"] == f"judged again by {RULE} (rule): 1 criterion, all as recorded"
