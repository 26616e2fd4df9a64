"""The fields of a document as paths."""

from evalcore.documents.fields import field_paths
from evalcore.documents.improve import ComparisonDocument, EvalsDocument
from evalcore.documents.records import EvalTrendRecord
from evalcore.documents.rubric import RunSummary


def test_lists_and_objects_are_listed_by_what_they_hold() -> None:
    """An item of a list is `[]`; an object is its fields."""
    assert field_paths(EvalsDocument)[:4] == (
        "version",
        "skill",
        "cases[].id",
        "cases[].prompt",
    )


def test_a_name_that_the_writer_chose_is_a_star() -> None:
    """The name itself is a field, and so is what stands below it."""
    assert field_paths(ComparisonDocument)[3:] == ("scores.*", "scores.*.A", "scores.*.B")


def test_fields_have_their_json_names() -> None:
    """Records name their fields in camelCase; both forms of a union are listed."""
    paths = field_paths(EvalTrendRecord)
    assert {"fields.dataPoints", "fields.dataPoints[].date", "schema", "minionTypeId"} <= set(paths)


def test_the_narrower_type_of_a_subclass_counts() -> None:
    """Configurations are read with the rubric's metrics where the rubric's summary says so."""
    assert "*.rubric_dimensions.*.mean" in field_paths(RunSummary)
