"""The values of a document as paths."""

from evalcore.shapes.fields import (
    COUNT,
    OBJECT,
    TEXT,
    TEXTS,
    Choice,
    Either,
    Field,
    ListOf,
    MapOf,
    Shape,
    leaves,
)

ITEM = Shape("An item.", Field("text", TEXT), Field("notes", TEXTS))


def paths(shape: Shape) -> list[str]:
    return [leaf.path for leaf in leaves(shape)]


def test_lists_and_objects_are_listed_by_what_they_hold() -> None:
    """An item of a list is `[]`; an object is its fields."""
    shape = Shape("", Field("name", TEXT), Field("items", ListOf(ITEM)), Field("one", ITEM))
    assert paths(shape) == [
        "name",
        "items[].text",
        "items[].notes[]",
        "one.text",
        "one.notes[]",
    ]


def test_a_name_that_the_writer_chose_is_a_star() -> None:
    """The name itself is a value with a place, and so is what is below it."""
    scores = Field("scores", MapOf(ITEM), "comparison_scores.criterion")
    found = leaves(Shape("", scores, Field("calls", MapOf(COUNT)), Field("any", OBJECT)))
    assert [leaf.path for leaf in found] == [
        "scores.*",
        "scores.*.text",
        "scores.*.notes[]",
        "calls.*",
        "any",
    ]
    assert found[0].column == "comparison_scores.criterion"


def test_fields_without_a_fixed_name_come_last() -> None:
    """The names that the writer chose are next to the fixed ones."""
    inner = Shape("", Field("delta", TEXT), others=Field("*", ITEM, "benchmarks.configuration"))
    found = leaves(Shape("", Field("summary", inner)))
    assert [leaf.path for leaf in found] == [
        "summary.delta",
        "summary.*",
        "summary.*.text",
        "summary.*.notes[]",
    ]
    assert found[1].column == "benchmarks.configuration"


def test_every_form_of_a_value_is_listed_once() -> None:
    """A text or an object is both; objects of several shapes share the fields of one name."""
    a = Shape("", Field("type", TEXT), Field("pattern", TEXT))
    b = Shape("", Field("type", TEXT), Field("count", COUNT))
    shape = Shape(
        "",
        Field("notes", Either(ITEM), "notes.text"),
        Field("checks", ListOf(Choice("type", {"a": a, "b": b}))),
    )
    assert paths(shape) == [
        "notes",
        "notes.text",
        "notes.notes[]",
        "checks[].type",
        "checks[].pattern",
        "checks[].count",
    ]


def test_a_shape_is_extended_by_name() -> None:
    """A field of the same name is replaced in its place, another is added at the end."""
    more = ITEM.with_fields("More.", Field("score", COUNT), Field("text", COUNT))
    assert [(field.name, field.type) for field in more.fields] == [
        ("text", COUNT),
        ("notes", TEXTS),
        ("score", COUNT),
    ]


def test_a_field_has_its_names_in_order() -> None:
    """Its own name comes first."""
    assert Field("passed", TEXT, aliases=("pass", "met")).names == ("passed", "pass", "met")
