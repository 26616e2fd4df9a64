"""Where the fields of documents go that evalcore itself writes."""

from typing import Annotated, Literal

from pydantic import Field

from evalcore.shapes.models import Place, SeedModel, Written


class Inner(SeedModel):
    score: Annotated[float | None, Place("judgments.score", "Judge")] = None
    passages: Annotated[list[str], Place("judgments.evidence", "Judge")]


class Record(SeedModel):
    """One record."""

    type: Annotated[str, Place("documents.kind", "Data")]
    record_schema: Annotated[int, Place("raw", "Data")] = Field(alias="schema")
    inner: Inner | None = None


class Note(Record):
    """One note."""

    type: Literal["note"] = "note"


def test_the_fields_of_a_model_are_listed_by_their_json_names() -> None:
    """A model inside a model is listed by its fields, may it be null or not."""
    note = Written("note", Note, "notes/<id>.json")
    assert note.about == "One note."
    assert [tuple(leaf) for leaf in note.leaves] == [
        ("type", "documents.kind", "Data"),
        ("schema", "raw", "Data"),
        ("inner.score", "judgments.score", "Judge"),
        ("inner.passages[]", "judgments.evidence", "Judge"),
    ]
