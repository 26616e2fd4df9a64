"""The shape of a model: where its fields go, and what it refuses when it is made."""

from typing import Annotated, Any, Literal

import pytest
from msgspec import ValidationError, convert, field

from evalcore.families.reviews.models import BlindScore, BlindVerdictFields, ExclusionFields
from evalcore.shapes.faults import faults
from evalcore.shapes.fields import TEXT, Constant, Document, ListOf
from evalcore.shapes.models import Number, Place, RecordModel, Timestamp, as_json, shape_of


class Inner(RecordModel, kw_only=True):
    """One score."""

    placed = Place("judgments.{}", "Judge")
    score: Number | None = None
    passages: Annotated[list[str], ListOf(TEXT, filled=True), "judgments.evidence"]


class Note(RecordModel, kw_only=True):
    """One note."""

    type: Annotated[Literal["note"], Place("documents.kind", "Data")] = "note"
    note_schema: Annotated[int, Constant(1), Place("raw", "Data")] = field(name="schema")
    inner: Inner | None = None
    others: list[Inner] = field(default_factory=list)
    said_by: Annotated[str | list[str], Place("notes.author", "Data")]
    said_at: Annotated[Timestamp | None, Place("notes.created_at", "Data")] = None


NOTE = Document("note", shape_of(Note), "notes/<id>.json")
VALID = {"schema": 1, "saidBy": "ana", "others": [{"passages": ["a"]}]}


def test_the_fields_of_a_model_are_listed_by_their_json_names() -> None:
    """A model inside a model is listed by its fields, may it be null or not, or one of a list."""
    assert NOTE.about == "One note."
    assert [tuple(leaf) for leaf in NOTE.leaves] == [
        ("type", "documents.kind", "Data"),
        ("schema", "raw", "Data"),
        ("inner.score", "judgments.score", "Judge"),
        ("inner.passages[]", "judgments.evidence", "Judge"),
        ("others[].score", "judgments.score", "Judge"),
        ("others[].passages[]", "judgments.evidence", "Judge"),
        ("saidBy", "notes.author", "Data"),
        ("saidBy[]", "notes.author", "Data"),
        ("saidAt", "notes.created_at", "Data"),
    ]


@pytest.mark.parametrize(
    ("changed", "pointer", "said"),
    [
        ({"saidBy": 3}, "/saidBy", '"saidBy" must be text or a list, but is 3.'),
        ({"type": None}, "/type", "\"type\" must be 'note', but is null."),
        ({"schema": 2}, "/schema", '"schema" must be 1, but is 2.'),
        ({"saidAt": "now"}, "/saidAt", '"saidAt" must be an ISO 8601 date and time'),
        ({"inner": {}}, "/inner", '"passages" is missing.'),
        ({"inner": {"passages": 3}}, "/inner/passages", '"passages" must be a list, but is 3.'),
        (
            {"others": [{"passages": []}]},
            "/others/0/passages",
            '"passages" must have at least one item.',
        ),
    ],
)
def test_what_a_model_does_not_describe_is_a_fault(
    changed: dict[str, object], pointer: str, said: str
) -> None:
    """It names the field."""
    (fault,) = faults(NOTE, VALID | changed)
    assert (fault.pointer, fault.message[: len(said)]) == (pointer, said)


def test_a_field_has_its_json_name_alone() -> None:
    """Nobody reads it by the name that it has in Python."""
    (fault,) = faults(NOTE, {"schema": 1, "said_by": "ana"})
    assert fault.message == '"saidBy" is missing.'


@pytest.mark.parametrize(
    "changed",
    [{}, {"saidBy": ["ana", "ben"]}, {"inner": None}, {"saidAt": "2026-01-01"}, {"x": [None]}],
)
def test_what_a_model_describes_is_read(changed: dict[str, object]) -> None:
    """It is written as it was read, without what is null and what no model names."""
    value = VALID | changed
    assert faults(NOTE, value) == []
    written = {"type": "note", **{name: value[name] for name in value.keys() - {"x"}}}
    assert as_json(convert(value, Note)) == {n: each for n, each in written.items() if each}


def test_the_fields_of_a_record_are_made_by_python_names_and_checked_by_their_shape() -> None:
    """The error is the sentence of the strict check, also of a model inside a model."""
    study = "s", "p", "2026-01-01T00:00:00Z"
    names: dict[str, Any] = dict(zip(("study", "pair", "judged_at"), study, strict=True))
    scores = [BlindScore(criterion="c", left=4, right=4.0)]
    made = BlindVerdictFields(**names, winner=None, rationale="Both fail.", scores=scores)
    assert [(type(each.left), type(each.right)) for each in made.scores] == [(int, float)]
    with pytest.raises(ValidationError, match='"reason" must not be blank'):
        ExclusionFields(test_run_id="r", reason=" ")
    with pytest.raises(ValidationError, match='"left" must be a finite number'):
        scores[0].left = float("nan")
        BlindVerdictFields(**names, winner=None, rationale="Both fail.", scores=scores)
