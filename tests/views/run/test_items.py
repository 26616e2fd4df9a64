"""Each criterion of a run stands with its score, its reasons, its anchor and its judge."""

import json
from pathlib import Path

import pytest

from evalcore.counting.cells import has, typed, where
from evalcore.counting.guides import instructions
from evalcore.counting.run_criteria import criteria_by_key
from evalcore.problems import Problem
from evalcore.tables.rows import CriterionRow, JudgmentRow
from evalcore.views.run.items import Item, anchor, judged_items
from tests import made

GUIDE = json.dumps({"1": "poor", "3": "fair", "5": "fine", "n/a": "no"})


def items(
    *judgments: JudgmentRow,
    criteria: tuple[CriterionRow, ...] = (),
    problems: tuple[Problem, ...] = (),
    **run: object,
) -> list[Item]:
    """Return the items of one run."""
    return judged_items(made.run(**run), judgments, criteria_by_key(criteria), problems)


def test_failing_comes_first_then_unscored_then_the_rest() -> None:
    """What needs eyes stands on top: failed, unscored, scored without a verdict, passed."""
    found = items(
        made.judgment("a", True),
        made.judgment("b", None, score=4.0, status="scored"),
        made.judgment("c", None),
        made.judgment("d", False),
    )
    assert [(item.criterion, item.mark) for item in found] == [
        ("d", "fail"),
        ("c", "unscored"),
        ("b", "scored"),
        ("a", "pass"),
    ]
    assert len({item.sign for item in found}) == 4


def test_among_failures_the_required_and_the_worst_come_first() -> None:
    """A required criterion outranks an optional one, a lower score a higher one."""
    found = items(
        made.judgment("mild", False, score=2.0, fraction=0.4),
        made.judgment("bad", False),
        made.judgment("must", False, score=2.0, fraction=0.4),
        criteria=(made.criterion("must", required=True), made.criterion("bad")),
    )
    assert [item.criterion for item in found] == ["must", "bad", "mild"]


def test_passing_stay_in_the_order_of_the_definition() -> None:
    """Position decides where the result does not."""
    found = items(
        made.judgment("x"),
        made.judgment("y"),
        criteria=(made.criterion("y", position=0), made.criterion("x", position=1)),
    )
    assert [item.criterion for item in found] == ["y", "x"]


def test_a_criterion_brings_its_definition() -> None:
    """Description, weight, scale, pass mark and where it is defined come from the criterion."""
    rule = made.criterion(
        "a",
        description="Has a title",
        required=True,
        weight=2.0,
        pass_at=3.0,
        guide=GUIDE,
        source="evals.json",
        pointer="/cases/0",
    )
    (item,) = items(made.judgment("a", True, score=3.0), criteria=(rule,))
    assert (item.name, item.required, item.weight, item.pass_at) == ("Has a title", True, 2.0, 3.0)
    assert (item.anchor, item.defined_in, item.defined_at) == ("fair", "evals.json", "/cases/0")


@pytest.mark.parametrize(
    ("score", "words"),
    [
        (3.0, "fair"),
        (4.0, "between 3: fair and 5: fine"),
        (2.5, "between 1: poor and 3: fair"),
        (0.0, "below 1: poor"),
        (7.0, "above 5: fine"),
        (None, None),
    ],
)
def test_an_anchor_says_what_a_score_means(score: float | None, words: str | None) -> None:
    """An anchored score has its own text; another one stands between its neighbours."""
    assert anchor(GUIDE, score) == words


@pytest.mark.parametrize("guide", [None, "", "{}", "[1]", "3", '"Judge fairly."', "no JSON"])
def test_a_guide_without_anchors_gives_none(guide: str | None) -> None:
    """Instructions and broken guides have no anchors."""
    assert anchor(guide, 3.0) is None


def test_a_guide_may_be_instructions() -> None:
    """A guide that is a text is shown as the judge's instructions."""
    assert instructions('"Judge fairly."') == "Judge fairly."
    assert instructions(GUIDE) is None


def test_a_defined_criterion_without_judgment_is_unscored() -> None:
    """It is shown with its reason, never as failed and never left out."""
    (item,) = items(criteria=(made.criterion("a", description="Has a title"),))
    assert (item.mark, item.score, item.reason) == (
        "unscored",
        None,
        "the grading has no judgment of it",
    )


def test_a_failed_gate_explains_what_was_not_judged() -> None:
    """Where the run did not get as far as the judge, that is the reason."""
    (item,) = items(criteria=(made.criterion("a", kind="rubric"),), status="gate_failed")
    assert item.reason == "the structural gate failed, so it was not judged"


def test_an_unscored_judgment_gives_the_fault_found_there() -> None:
    """The problem at the judgment's place is its reason; a fault elsewhere is not."""
    fault = Problem("grading/r1.json", "/results/a/score", "error", "scale", "Score 9 is above 5.")
    other = Problem("grading/r1.json", "/results/ab", "error", "scale", "Something else.")
    found = items(made.judgment("a", None), made.judgment("b", None), problems=(other, fault))
    assert {item.criterion: item.reason for item in found} == {
        "a": "Score 9 is above 5.",
        "b": "the grading gives no score that could be read",
    }


def test_other_judges_stand_beside_the_recorded_one() -> None:
    """A human score never takes the place of the machine's."""
    human = made.judgment("a", True, judge="ann-3f2a", judge_type="human")
    machine = made.judgment("a", False, judge="gpt", judge_type="llm")
    (item,) = items(human, machine, judge="gpt", judge_type="llm")
    assert (item.judge, item.mark) == ("gpt", "fail")
    assert [(other.judge, other.mark) for other in item.also] == [("ann-3f2a", "pass")]


def test_a_superseded_score_is_kept_beside_the_newer_one() -> None:
    """What was replaced by a newer record is shown, but not first."""
    old = made.judgment("a", False, status="superseded")
    (item,) = items(old, made.judgment("a", True))
    assert (item.mark, [other.status for other in item.also]) == ("pass", ["superseded"])


def test_made_rows_survive_the_tables(tmp_path: Path) -> None:
    """Rows taken out of the tables are those put in, with their long texts."""
    rows = [made.judgment("a", True, rationale="why"), made.judgment("b", None, run_id="r2")]
    ws = made.workspace(tmp_path, *rows)
    assert typed(ws, "judgments", JudgmentRow, where(ws, "judgments", run_id="r2")) == [rows[1]]
    assert typed(ws, "judgments", JudgmentRow, [0]) == [rows[0]]
    assert list(where(ws, "judgments", run_id="r1", criterion="b")) == []
    assert list(where(ws, "judgments", run_id="unknown")) == []
    assert list(where(ws, "judgments", judge=None)) == [0, 1]
    assert has(ws, "judgments", "criterion", "a")
    assert not has(ws, "judgments", "criterion", "c")


def test_a_score_that_is_only_superseded_stands_last() -> None:
    """A failed one too: it counts in nothing, but is there to be read."""
    found = items(made.judgment("a", False, status="superseded"), made.judgment("b", True))
    assert [(item.criterion, item.status) for item in found] == [
        ("b", "scored"),
        ("a", "superseded"),
    ]
