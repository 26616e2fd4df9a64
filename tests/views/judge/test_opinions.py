"""My scores beside those of others and the recorded judge's."""

from datetime import UTC, datetime
from typing import Any

from evalcore.judging.asking.other_scores import OtherScore
from evalcore.judging.limits import LIMITS
from evalcore.judging.model import Asked, Basis, OwnJudgment, Task
from evalcore.views.judge.opinions import opinions
from evalcore.views.judge.task import short_key

KEY = "expectation:greets"
ASKED = Asked(
    KEY, "expectation", "greets", "greets", "", 1, 5, False, None, (), None, None, None, "", 5
)
TASK = Task(
    "r1",
    "s",
    "case-1",
    "case-1",
    None,
    None,
    (),
    (ASKED,),
    Basis(None, None, {}),
    {},
    {KEY: OwnJudgment("m", KEY, 4, "Kind words.", ("Dear",), "high", None)},
)


def other(**given: Any) -> OtherScore:
    """Return what Bob stored."""
    base: dict[str, Any] = {
        "key": KEY,
        "judge": "bob-2222",
        "judge_type": "human",
        "recorded": False,
        "score": 2.0,
        "low": 1.0,
        "high": 5.0,
        "rationale": "Says nothing.",
        "evidence": ("Hi",),
        "level": "low",
        "judged_at": datetime(2026, 1, 2, 3, 4, tzinfo=UTC),
        "stale": None,
    }
    return OtherScore(**{**base, **given})


MODEL = other(judge=None, judge_type="llm", recorded=True, score=1.0, level=None)


def test_mine_stands_first_and_everybody_has_a_name_and_a_score_in_words() -> None:
    """A person with the time, the recorded judge with what it is."""
    rows = opinions(TASK, (other(), MODEL))[short_key(KEY)]
    assert [(row["who"], row["name"], row["score"], row["hint"]) for row in rows] == [
        ("mine", "me", "4 of 5", "confidence: high"),
        ("person", "Bob", "2 of 5", "confidence: low · 2 Jan 2026, 03:04 UTC"),
        ("machine", "the recorded judge", "1 of 5", "model"),
    ]
    assert [row["mark"] for row in rows] == ["scored"] * 3
    assert [row.get("differs", False) for row in rows] == [False, True, True]
    assert rows[1]["why"] == "Says nothing."
    assert rows[1]["evidence"] == ["Hi"]


def test_a_judgment_without_a_score_and_a_stale_one_say_so() -> None:
    """Neither is a 0."""
    rows = opinions(TASK, (other(stale="the output changed since"), MODEL._replace(score=None)))[
        short_key(KEY)
    ]
    assert rows[1]["hint"].endswith("the output changed since")
    assert rows[2]["score"] == "not scored"


def test_the_same_score_and_one_on_another_scale_differ_in_nothing() -> None:
    """A judge of 1 to 10 cannot be held against one of 1 to 5."""
    rows = opinions(TASK, (other(score=4.0), other(score=8.0, high=10.0)))[short_key(KEY)]
    assert [row.get("differs", False) for row in rows] == [False, False, False]


def test_what_is_not_asked_any_more_has_no_place() -> None:
    """It stands in Gradings."""
    rows = opinions(TASK, (other(key="expectation:gone"),))
    assert [row["who"] for row in rows[short_key(KEY)]] == ["mine"]


def test_passages_beyond_those_that_are_shown_are_counted() -> None:
    """A recorded judge may quote more than a person can store."""
    many = tuple(f"passage {number}" for number in range(LIMITS.passages + 5))
    rows = opinions(TASK, (MODEL._replace(evidence=many),))[short_key(KEY)]
    assert len(rows[1]["evidence"]) == LIMITS.passages
    assert rows[1]["hint"] == "model · 20 of 25 passages"
