"""Criteria as blocks: score on its scale, what the score means, reasons, quotes, the output."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from evalcore import Workspace
from evalcore.views.run.criteria import (
    convention_blocks,
    criteria_blocks,
    excerpt_block,
    item_block,
)
from evalcore.views.run.evidence import Excerpt, evidence
from evalcore.views.run.items import Item
from evalcore.views.run.quotes import Found
from tests.families.build import write
from tests.made import case, criterion, judgment, run, suite, workspace
from tests.views.panel_json import panel_json

SCORED = Item(
    "expectation",
    "grouping",
    "pass",
    "Groups the entries",
    score=4.0,
    min_score=1.0,
    max_score=5.0,
    pass_at=3.0,
    anchor="Good",
    required=True,
)


def test_a_score_stands_on_its_scale_with_the_pass_mark() -> None:
    """Five steps, four of them filled, the limit after the second; the anchor says it in words."""
    block = panel_json(item_block(SCORED))
    assert block["score"] == "4 of 5"
    label = "4 of 5, passes at 3"
    assert block["scale"] == {"label": label, "steps": 5, "reached": 4, "limit": 2}
    assert block["anchor"] == "4 means: Good"
    assert block["tags"] == ["grouping", "required", "passes at 3"]


@pytest.mark.parametrize(
    "given",
    [{"max_score": 100.0}, {"min_score": 0.5}, {"score": None}, {"max_score": None}],
)
def test_a_scale_that_cannot_be_drawn_is_not(given: dict[str, Any]) -> None:
    """Too many steps, broken ones, or no score: the words alone stand there."""
    assert panel_json(item_block(replace(SCORED, **given)))["scale"] is None


def test_a_check_passed_or_failed_and_has_no_scale() -> None:
    """`1 of 1` would say less than `passed`."""
    block = panel_json(
        item_block(Item("assertion", "a", "pass", score=1.0, min_score=0.0, max_score=1.0))
    )
    assert (block["score"], block["scale"]) == ("passed", None)


def test_what_is_not_scored_says_why() -> None:
    """Never a zero, never an empty place."""
    block = panel_json(item_block(Item("rubric", "tone", "unscored", reason="the judge refused")))
    assert block["score"] == "not scored"
    assert block["texts"] == [{"label": "why not scored", "text": "the judge refused"}]


def test_judge_confidence_and_time_stand_beside() -> None:
    """Who judged, how sure, by which weight; a check is no judge."""
    item = replace(SCORED, judge="gpt", judge_type="llm", confidence=0.8, weight=0.5, critical=True)
    assert panel_json(item_block(item))["tags"][2:] == [
        "critical",
        "weight 0.5",
        "passes at 3",
        "judge gpt (model)",
        "confidence 80 %",
    ]
    assert (
        "judged by a check"
        in panel_json(item_block(replace(SCORED, judge_type="heuristic")))["tags"]
    )


def test_another_judge_stands_beside_and_not_instead() -> None:
    """Its score and its reasons are a text of their own."""
    other = replace(SCORED, judge="ann", score=2.0, rationale="Unsorted.")
    texts = panel_json(item_block(replace(SCORED, rationale="Fine.", also=(other,))))["texts"]
    assert texts == [
        {"label": "", "text": "Fine."},
        {"label": "ann: 2 of 5", "text": "Unsorted."},
    ]


def test_quotes_say_where_they_stand() -> None:
    """Found with file and line, found loosely with how, or not found at all."""
    found = (
        Found("one", "out/a.md", 3, "exact"),
        Found("two", "out/a.md", None, "name"),
        Found("three", "out/a.md", 9, "spacing"),
        Found("four"),
    )
    quotes = panel_json(item_block(replace(SCORED, quotes=found)))["quotes"]
    assert [(quote["location"], quote["how"]) for quote in quotes] == [
        ("a.md, line 3", ""),
        ("a.md", ""),
        ("a.md, line 9", "other spacing"),
        (None, ""),
    ]


@pytest.fixture
def gated(tmp_path: Path) -> Workspace:
    """A run with a passed check, a passed and a failed criterion, a convention, and an output."""
    write(tmp_path, {"out/short.md": "one\ntwo\nthree\n"})
    return workspace(
        tmp_path,
        suite("rubric"),
        case(),
        criterion("s", "structural"),
        criterion("a"),
        run(outputs="out", gate_passed=True),
        judgment("s", kind="structural", judge_type="heuristic"),
        judgment("a"),
        judgment("b", passed=False, evidence="It ends with “three or so”, “the three of it”."),
        judgment("c", kind="convention", passed=False),
    )


def test_what_failed_comes_first_with_the_output_beside_it(gated: Workspace) -> None:
    """The whole of a short file is shown, also when the quoted passage is not in it."""
    blocks = panel_json(criteria_blocks(evidence(gated, "r1")))
    assert [(block["t"], block.get("title") or block.get("text")) for block in blocks] == [
        ("heading", "Criteria · 1 failed, 1 passed"),
        ("item", "b"),
        ("excerpt", None),
        ("item", "a"),
        ("heading", "Structure · 1 passed"),
        ("item", "s"),
    ]
    assert blocks[2]["texts"] == ["one\ntwo\nthree\n"]
    assert blocks[4]["hint"] == "gate passed"


def test_the_excerpt_marks_the_passage_and_ends_three_lines_after_it() -> None:
    """Every second text is marked; where the file goes on there is a sign."""
    text = "\n".join(f"line {n}" for n in range(1, 11))
    given = Excerpt("out/a.md", 5, text, ((7, 13), (14, 20)))
    block = panel_json(excerpt_block(given))
    assert block["texts"] == ["line 1\n", "line 2", "\n", "line 3", "\nline 4\nline 5\nline 6 …"]
    assert block["where"] == "from line 5"


def test_the_excerpt_says_whose_quote_is_marked_where_it_is_not_the_failed_one_above() -> None:
    """A passage that another criterion quotes is no evidence for the one that it stands below."""
    given = Excerpt("out/a.md", 1, "line 1", ((0, 6),), "Names\nthe month")
    assert panel_json(excerpt_block(given, "Names\nthe month"))["where"] == ""
    assert panel_json(excerpt_block(given, "Is short"))["where"] == "quoted for “Names the month”"
    below = replace(given, line=5)
    assert excerpt_block(below, "Is short").where == "from line 5 · quoted for “Names the month”"


def test_a_failed_gate_leads(tmp_path: Path) -> None:
    """The judge was not asked, so the checks are what there is to read first."""
    ws = workspace(
        tmp_path,
        suite("rubric"),
        case(),
        criterion("tone", "rubric"),
        run(status="gate_failed", gate_passed=False),
        judgment("s", kind="structural", passed=False),
    )
    blocks = panel_json(criteria_blocks(evidence(ws, "r1")))
    assert blocks[0]["text"] == "Structure · 1 failed"
    assert (blocks[0]["hint"], blocks[0]["mark"]) == (
        "gate failed: not judged",
        "fail",
    )
    assert blocks[-1]["texts"][0]["text"] == "the structural gate failed, so it was not judged"


def test_conventions_stand_apart(gated: Workspace) -> None:
    """They are counted in no rate, so they are not among the criteria."""
    (title, item) = panel_json(convention_blocks(evidence(gated, "r1")))
    assert (title["text"], item["title"]) == ("Conventions · 1 failed", "c")
