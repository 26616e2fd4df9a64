"""How a run is described to its judge: scales, keys, files in portions, and nobody's opinion."""

import json
from pathlib import Path

import pytest

from evalcore.judging.asking.names import short_names
from evalcore.judging.model import Asked, Basis, OwnJudgment, Task
from evalcore.views.judge.task import criterion_block, file_blocks, task_block
from tests.made import suite, workspace

LIMIT = 150 * 1024


def asked(key: str = "rubric:tone", **given: object) -> Asked:
    """Return a criterion from 1 to 5."""
    base: dict[str, object] = {
        "key": key,
        "kind": "rubric",
        "criterion": "tone",
        "name": "tone",
        "description": "Speaks plainly.",
        "low": 1.0,
        "high": 5.0,
        "pass_fail": False,
        "choices": (1.0, 2.0, 3.0, 4.0, 5.0),
        "anchors": (),
        "guide": None,
        "weight": None,
        "required": None,
        "sha256": "c" * 64,
        "pass_at": 5.0,
    }
    return Asked(**{**base, **given})  # type: ignore[arg-type]


def task(**given: object) -> Task:
    """Return a task of one criterion."""
    base: dict[str, object] = {
        "run_id": "s::c@v1/-#1",
        "suite": "s",
        "case_id": "c",
        "name": "The letter",
        "prompt": "Write a letter.",
        "expected": None,
        "files": (),
        "criteria": (asked(),),
        "basis": Basis("a" * 64, "b" * 64, {"rubric:tone": "c" * 64}),
        "ids": {"rubric:tone": "id"},
        "mine": {},
    }
    return Task(**{**base, **given})  # type: ignore[arg-type]


def mine(score: float | None = 4.0, stale: str | None = None) -> OwnJudgment:
    """Return what I stored."""
    return OwnJudgment("m1", "rubric:tone", score, "Kind words.", ("Dear",), "high", stale)


def keys(found: Asked) -> list[str]:
    """Return the keys of a criterion's scores."""
    return [choice["key"] for choice in criterion_block(found)["choices"]]


def test_whole_numbers_have_their_own_digit() -> None:
    """On a scale from 0 the first score has the digit 0."""
    assert keys(asked()) == ["1", "2", "3", "4", "5"]
    assert keys(asked(low=0.0, high=2.0, choices=(0.0, 1.0, 2.0))) == ["0", "1", "2"]


def test_on_a_finer_scale_the_digit_counts_the_choices() -> None:
    """The n-th score has digit n, and any number will do beside them."""
    found = asked(low=0.0, high=1.0, choices=(0.0, 0.25, 0.5, 0.75, 1.0), fine=True)
    assert keys(found) == ["1", "2", "3", "4", "5"]
    assert criterion_block(found)["fine"] is True


def test_pass_and_fail_have_letters_too() -> None:
    """0 and f fail, 1 and p pass."""
    found = criterion_block(asked(low=0.0, high=1.0, choices=(0.0, 1.0), pass_fail=True))
    assert [(one["label"], one["key"]) for one in found["choices"]] == [
        ("fails", "0 f"),
        ("passes", "1 p"),
    ]


def test_a_scale_without_choices_says_its_ends_and_anchors() -> None:
    """Any number between them is a score."""
    found = criterion_block(
        asked(low=0.0, high=100.0, choices=None, anchors=((50.0, "half of it"),))
    )
    assert found["choices"] is None
    assert (found["low"], found["high"], found["anchors"]) == (0.0, 100.0, ["50: half of it"])


def test_anchors_stand_at_their_scores() -> None:
    """A score without one stands there without words."""
    found = criterion_block(asked(anchors=((1.0, "rude"), (5.0, "warm"))))
    assert [one["anchor"] for one in found["choices"]] == ["rude", "", "", "", "warm"]
    assert found["anchored"] is True


def test_required_and_weight_are_said() -> None:
    """A weight of 1 needs no words."""
    assert criterion_block(asked(required=True, weight=2.0))["hint"] == "required · weight 2"
    assert criterion_block(asked(weight=1.0))["hint"] == ""


def test_a_run_is_judged_when_every_score_is_mine_and_none_is_stale() -> None:
    """Taken back is not judged."""
    assert task(mine={"rubric:tone": mine()}).judged
    assert not task().judged
    assert not task(mine={"rubric:tone": mine(None)}).judged
    assert not task(mine={"rubric:tone": mine(stale="the output changed since")}).judged


def test_files_are_called_by_what_differs() -> None:
    """Parts of a document by their place in it."""
    assert short_names(["a/outputs/x/one.md", "a/outputs/two.md"]) == {
        "a/outputs/x/one.md": "x/one.md",
        "a/outputs/two.md": "two.md",
    }
    assert short_names(["r/rec.json#/fields/actualOutput/text"]) == {
        "r/rec.json#/fields/actualOutput/text": "text"
    }


def test_the_open_file_comes_in_portions(tmp_path: Path) -> None:
    """A long one says which of its lines are there; small ones beside it come at once."""
    (tmp_path / "long.txt").write_text("".join(f"line {n}\n" for n in range(30_000)), "utf-8")
    (tmp_path / "short.txt").write_text("brief", "utf-8")
    ws = workspace(tmp_path, suite())
    long, short = file_blocks(ws, ("long.txt", "short.txt"), None, 2)
    assert (long["on"], long["part"]) == (True, 2)
    assert long["parts"] > 2
    assert long["lines"].endswith("of 30,000")
    assert short["text"] == "brief"


def test_an_image_and_a_missing_file_are_said(tmp_path: Path) -> None:
    """There is no text of them to judge in the panel."""
    (tmp_path / "x.png").write_bytes(b"no image")
    ws = workspace(tmp_path, suite())
    image, gone = file_blocks(ws, ("x.png", "gone.txt"))
    assert (image["text"], gone["text"]) == (None, None)
    assert image["note"]
    assert gone["note"] == "The file is no longer there."


@pytest.mark.parametrize("sign", ["x", "語", "\u200f", "🙂"])
def test_whatever_the_size_little_is_sent(tmp_path: Path, sign: str) -> None:
    """Forty criteria, a long prompt and several long outputs stay within the bound."""
    for name in "abc":
        (tmp_path / name).write_text(f"{sign * 2_000} " * 50, "utf-8")
    many = tuple(
        asked(
            f"rubric:{n}",
            description=sign * 2_000,
            guide=sign * 900,
            anchors=tuple((float(score), sign * 300) for score in range(1, 6)),
        )
        for n in range(40)
    )
    ws = workspace(tmp_path, suite())
    given = task(criteria=many, prompt=sign * 200_000, expected=sign * 9_000, files=tuple("abc"))
    assert len(json.dumps(task_block(ws, given))) < LIMIT
