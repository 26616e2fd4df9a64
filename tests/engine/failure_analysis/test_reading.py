"""What counts as an answer on a failure: exactly what was asked for, and nothing else."""

import json
from typing import Any

import pytest

from evalcore.engine.failure_analysis.asking import both_ends
from evalcore.engine.failure_analysis.material import Criterion
from evalcore.engine.failure_analysis.reading import MAX_QUOTE, MAX_TEXT, Said, read_answer
from evalcore.engine.model_answers import Invalid

FAILED = (
    Criterion("expectation:year", "It names the year.", "failed. No year."),
    Criterion("expectation:title", "It has a title.", "failed."),
)
GOOD: dict[str, Any] = {
    "gap": "No year.",
    "failure_type": "wrong-output",
    "criteria": ["c2"],
    "severity": "minor",
    "root_cause": "It did not look.",
    "evidence": [" In spring ", ""],
    "lesson": "Look first.",
}


def read(**given: Any) -> Said | Invalid:
    return read_answer(json.dumps({**GOOD, **given}), FAILED)


def test_a_valid_answer_is_read_with_the_criteria_it_names() -> None:
    assert read() == Said(
        "No year.",
        "wrong-output",
        ("expectation:title",),
        "minor",
        "It did not look.",
        ("In spring",),
        "Look first.",
    )


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ({"gap": ""}, "no gap"),
        ({"root_cause": None}, "no root cause"),
        ({"lesson": 3}, "no lesson"),
        ({"gap": "text"}, "sent the form back"),
        ({"failure_type": "boredom"}, "failure_type 'boredom' is none of"),
        ({"failure_type": None}, "failure_type None is none of"),
        ({"severity": "Minor"}, "severity 'Minor' is none of"),
        ({"criteria": ["c3"]}, "names the criterion 'c3', which did not fail"),
        ({"criteria": [1]}, "names the criterion 1"),
        ({"criteria": "c1"}, "no list"),
        ({"criteria": []}, "none of the criteria that failed"),
        ({"evidence": "x"}, "evidence of the model is no list"),
        ({"evidence": [3]}, "evidence of the model is no list"),
    ],
)
def test_anything_else_counts_for_nothing(given: dict[str, Any], why: str) -> None:
    """The reason names what is wrong."""
    found = read(**given)
    assert isinstance(found, Invalid)
    assert why in found.why


@pytest.mark.parametrize("text", ["", "No.", "[]", '{"gap": NaN}', '{"gap": "a", "gap": "b"}'])
def test_what_is_no_object_counts_for_nothing(text: str) -> None:
    assert isinstance(read_answer(text, FAILED), Invalid)


def test_without_a_failed_criterion_none_has_to_be_named() -> None:
    """As for a run that ran out of time: the criteria of the run may be named."""
    open_ = tuple(each._replace(result="") for each in FAILED)
    said = json.dumps({**GOOD, "criteria": []})
    found = read_answer(said, open_)
    assert isinstance(found, Said)
    assert found.criteria == ()


def test_texts_are_bounded() -> None:
    """Each is cut, and of quotes so many are kept."""
    found = read(gap="g" * (MAX_TEXT + 1), evidence=["q" * (MAX_QUOTE + 1)] * 9)
    assert isinstance(found, Said)
    assert (len(found.gap), len(found.evidence), len(found.evidence[0])) == (MAX_TEXT, 8, MAX_QUOTE)


def test_a_long_transcript_keeps_both_ends() -> None:
    """A cause may stand at the beginning or at the end; the middle is counted."""
    assert both_ends("abcdef", 6) == "abcdef"
    assert both_ends("abcdefg", 6) == "abc\n[1 characters left out]\nefg"
