"""What a judgment rests on is compared with what the same document says now."""

from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalcore.families.reviews.basis import (
    Prompt,
    View,
    Wording,
    changed,
    criterion_sha256,
    criterion_wording,
    prompt_sha256,
    prompt_wording,
)
from evalcore.families.scoring import Criterion

GRADING = "pdf-workspace/iteration-1/eval-1/with_skill/grading.json"
EVALS, SEEN = "pdf/evals/evals.json", "../../../../pdf/evals/evals.json"
METADATA, NEAR = "pdf-workspace/iteration-1/eval-1/eval_metadata.json", "../eval_metadata.json"
OTHER = "0" * 64


def view(*files: str, grading: str = GRADING) -> View:
    """Return the view from a run's grading in a workspace with some files."""
    return View(grading, {grading, *files}.__contains__)


def prompt(text: str, document: str | None = EVALS, seen_from: View | None = None) -> Wording:
    """Return the wording of a prompt without files."""
    found = prompt_wording(Prompt(text, None, document), seen_from or view(EVALS, METADATA))
    assert found is not None
    return found


def criterion(**given: Any) -> Criterion:
    """Return a described criterion with anchors, on a scale from 1 to 5."""
    base: dict[str, Any] = {
        "kind": "rubric", "name": "tone", "description": "It is kind.", "required": None,
        "weight": None, "low": 1.0, "high": 5.0, "pass_at": None, "guide": '{"1": "rude"}',
        "source": EVALS,
    }  # fmt: skip
    return Criterion(**{**base, **given})


def stated(now: Wording) -> dict[str, object]:
    """Return what a record of a judgment made now states of the prompt."""
    return {"promptSha256": now.sha256, "promptSource": now.source}


def parts(basis: Mapping[str, object], now: Wording | None) -> list[str]:
    """Return what changed where the prompt is worded so now."""
    return [*changed(basis, lambda: None, now, None)]


def test_a_document_is_named_as_the_run_s_grading_sees_it() -> None:
    """The same from whatever folder both are opened."""
    assert prompt("Sum up.").source == SEEN
    inside = view(METADATA, grading=GRADING)
    assert prompt("Sum up.", METADATA, inside).source == NEAR
    part = view("eval-1/eval_metadata.json", grading="eval-1/with_skill/grading.json")
    assert prompt("Sum up.", "eval-1/eval_metadata.json", part).source == NEAR


@given(st.text(min_size=1), st.text(min_size=1))
def test_the_same_document_is_compared(then: str, now: str) -> None:
    """Another text is a change, the same is none."""
    assert parts(stated(prompt(then)), prompt(now)) == (["prompt"] if then != now else [])


def test_another_document_is_no_change() -> None:
    """`evals.json` and the metadata of a run may word a prompt differently from the start."""
    assert parts(stated(prompt("Sum up.")), prompt("Sum up!", METADATA)) == []
    assert parts(stated(prompt("Sum up!", METADATA)), prompt("Sum up.")) == []


def test_a_document_in_another_folder_stands_for_one_that_is_gone() -> None:
    """A renamed folder hides no change; one that is still there, or lies outside, is not meant."""
    then, renamed = stated(prompt("Sum up.")), "pdf-2/evals/evals.json"
    assert parts(then, prompt("Sum up!", renamed, view(renamed))) == ["prompt"]
    assert parts(then, prompt("Sum up.", renamed, view(renamed))) == []
    assert parts(then, prompt("Sum up!", renamed, view(renamed, EVALS))) == []
    part = view("evals.json", grading="eval-1/with_skill/grading.json")
    assert parts(then, prompt("Sum up!", "evals.json", part)) == []


@pytest.mark.parametrize("source", [7, ["x"], "", "/etc/passwd", "../" * 99, "a\0b", "\ud800"])
def test_a_hostile_source_is_no_document(source: object) -> None:
    """It is compared with nothing, or as one that is not stated, and opens no file."""
    basis = {"promptSha256": OTHER, "promptSource": source}
    unstated = not isinstance(source, str)
    assert parts(basis, prompt("Sum up.")) == (["prompt"] if unstated else [])


def test_what_is_not_stated_or_not_known_is_not_compared() -> None:
    """Nor is the output read for a record that states none."""
    assert parts({}, prompt("Sum up.")) == []
    assert parts({"promptSha256": 7}, prompt("Sum up.")) == []
    assert parts({"promptSha256": OTHER}, None) == []
    assert changed({}, lambda: pytest.fail("The output was read."), None, None) == []
    assert changed({"outputSha256": OTHER}, lambda: None, None, None) == ["output"]


@pytest.mark.parametrize("low", [1.0, None])
@pytest.mark.parametrize("guide", ['{"1": "rude"}', None])
@pytest.mark.parametrize("described", [None, "tone"])
def test_an_older_record_may_have_known_less_of_a_criterion(
    described: str | None, guide: str | None, low: float | None
) -> None:
    """Gradings alone tell its name, perhaps its scale and the family's anchors."""
    high = None if low is None else 5.0
    basis = {"criterionSha256": criterion_sha256("rubric", "tone", described, low, high, guide)}
    now = criterion_wording(criterion(), view(EVALS))
    assert changed(basis, lambda: None, None, now) == []
    # A record that names the document knew all of it.
    assert changed({**basis, "criterionSource": SEEN}, lambda: None, None, now) == ["criterion"]


@pytest.mark.parametrize(
    "other", [{"description": "It is curt."}, {"low": 0.0}, {"description": None, "high": 3.0}]
)
def test_an_older_record_of_another_wording_or_scale_is_stale(other: dict[str, Any]) -> None:
    """What was known then and is not the same now is a change."""
    basis = {"criterionSha256": criterion_wording(criterion(**other), view(EVALS)).sha256}
    now = criterion_wording(criterion(), view(EVALS))
    assert changed(basis, lambda: None, None, now) == ["criterion"]


def test_an_older_record_may_not_have_known_the_files() -> None:
    """The same text without the names of files is no change; another text is one."""
    now = prompt_wording(Prompt("Sum up.", '["a.txt"]', EVALS), view(EVALS))
    assert parts({"promptSha256": prompt_sha256("Sum up.")}, now) == []
    assert parts({"promptSha256": prompt_sha256("Sum up!")}, now) == ["prompt"]
    assert prompt_wording(Prompt(None, "[]", EVALS), view(EVALS)) is None
