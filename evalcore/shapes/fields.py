"""The shape of a document: one table of its fields, from which it is read, checked and listed."""

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Final, NamedTuple

RAW: Final = "raw"
"""The place of a field that stays in the document, behind `source` and `pointer` of a row."""


class Text(NamedTuple):
    """A text: any, one of `words`, or one of the form that `pattern` describes as `meaning`.

    Without `blank` it holds more than white space.
    """

    words: tuple[str, ...] = ()
    pattern: str = ""
    meaning: str = ""
    blank: bool = True


class Number(NamedTuple):
    """A finite number within bounds, a whole one where `whole`."""

    low: float | None = None
    high: float | None = None
    whole: bool = False


class Flag(NamedTuple):
    """True or false."""


class Constant(NamedTuple):
    """This number, or what equals it."""

    value: int


class Time(NamedTuple):
    """A point in time as ISO 8601 text."""


class Anything(NamedTuple):
    """Any JSON value."""


class ListOf(NamedTuple):
    """A list of values of one type, at least one where it is `filled`."""

    item: "Type"
    filled: bool = False


class MapOf(NamedTuple):
    """An object whose names the writer chose."""

    item: "Type"


class Either(NamedTuple):
    """A text, or a value of one other type: a shape, a list, or a number.

    Where it is `serialized`, the text holds such a value as JSON.
    """

    other: "Type"
    serialized: bool = False


class Choice(NamedTuple):
    """Objects of several shapes, told apart by the text of the field `by`."""

    by: str
    shapes: Mapping[str, "Shape"]


class Field(NamedTuple):
    """One field of a document.

    `column` is the `table.column` that holds it (several joined by ", "), or `RAW`. `shown` is the
    page, and the part of it, that shows it. `aliases` are further names that tools write it under,
    most frequent first; `accepted` are those of another published standard, which are no deviation.
    A field must be there and not null unless `absent` or `null` allow it.
    """

    name: str
    type: "Type"
    column: str = RAW
    shown: str = ""
    aliases: tuple[str, ...] = ()
    absent: bool = False
    null: bool = False
    accepted: tuple[str, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """Its own name, then the others that tools write it under."""
        return (self.name, *self.aliases)


def optional(
    name: str, kind: "Type", column: str = RAW, shown: str = "", aliases: tuple[str, ...] = ()
) -> Field:
    """Return a field that may be absent or null."""
    return Field(name, kind, column, shown, aliases, absent=True, null=True)


class Shape:
    """An object with these fields; others are kept in the raw document and read by nobody.

    `others` describes the fields whose names the writer chose. `any_of` names fields of which at
    least one must be there.
    """

    def __init__(
        self, about: str, *fields: Field, others: Field | None = None, any_of: tuple[str, ...] = ()
    ) -> None:
        self.about = about
        self.fields = fields
        self.others = others
        self.any_of = any_of

    @cached_property
    def by_name(self) -> Mapping[str, Field]:
        """The fields by their names."""
        return {field.name: field for field in self.fields}

    def with_fields(self, about: str, *fields: Field, others: Field | None = None) -> "Shape":
        """Return this shape with fields replaced by their names, or added at the end."""
        own = {field.name: field for field in (*self.fields, *fields)}
        return Shape(about, *own.values(), others=others or self.others, any_of=self.any_of)


Type = Text | Number | Flag | Constant | Time | Anything | ListOf | MapOf | Either | Choice | Shape

TEXT: Final = Text()
FLAG: Final = Flag()
TIME: Final = Time()
ANYTHING: Final = Anything()
NUMBER: Final = Number()
POSITIVE: Final = Number(low=0)
FRACTION: Final = Number(low=0, high=1)
WHOLE: Final = Number(whole=True)
COUNT: Final = Number(low=0, whole=True)
FROM_1: Final = Number(low=1, whole=True)
MEAN_5: Final = Number(low=1, high=5)
SCORE_5: Final = Number(low=1, high=5, whole=True)
SCORE_10: Final = Number(low=1, high=10, whole=True)
TEXTS: Final = ListOf(TEXT)
OBJECT: Final = MapOf(ANYTHING)


class Leaf(NamedTuple):
    """One value that a document can hold, by its path like `results[].score`.

    `column` and `shown` are those of its field.
    """

    path: str
    column: str
    shown: str


class Document(NamedTuple):
    """A kind of file: its shape, and where it lies.

    `path` is relative to the workspace; words in angle brackets vary.
    """

    kind: str
    shape: Shape
    path: str

    @property
    def about(self) -> str:
        """What it holds, in a sentence."""
        return self.shape.about

    @property
    def leaves(self) -> tuple[Leaf, ...]:
        """Every value that it can hold, in order."""
        return leaves(self.shape)

    @property
    def hint(self) -> str:
        """What to write, for who wrote something else."""
        return f"Write {self.path.rpartition('/')[2]} as {form(self.shape)}."


def form(shape: Shape, depth: int = 1) -> str:
    """Return an object in short: `{expectations: [{text, passed}], summary: {total}}`.

    What may be absent and null is left out.
    """
    found = []
    for field in shape.fields:
        kind, listed = field.type, isinstance(field.type, ListOf)
        if isinstance(kind, ListOf):
            kind = kind.item
        if field.absent and field.null:
            continue
        inner = form(kind, depth - 1) if depth and isinstance(kind, Shape) else "{}"
        inside = f"[{inner}]" if listed else inner
        found.append(field.name if inner == "{}" else f"{field.name}: {inside}")
    return f"{{{', '.join(found)}}}"


def leaves(shape: Shape) -> tuple[Leaf, ...]:
    """Return every value of a shape once, in order.

    In a path, `[]` is an item of a list and `*` a name that the writer chose. An object is listed
    by its fields, unless it has none of its own.
    """
    found: dict[str, Leaf] = {}
    for path, field in _of_shape(shape, ""):
        found.setdefault(path, Leaf(path, field.column, field.shown))
    return tuple(found.values())


def _of_shape(shape: Shape, prefix: str) -> Iterator[tuple[str, Field]]:
    for field in shape.fields:
        yield from _of_type(field.type, prefix + field.name, field)
    if shape.others is not None:
        yield f"{prefix}*", shape.others
        yield from _of_type(shape.others.type, f"{prefix}*", shape.others)


def _of_type(kind: Type, path: str, field: Field) -> Iterator[tuple[str, Field]]:
    match kind:
        case ListOf(item):
            yield from _of_type(item, f"{path}[]", field)
        case MapOf(Anything()):
            yield path, field
        case MapOf(item):
            yield f"{path}.*", field
            yield from _of_type(item, f"{path}.*", field)
        case Either(other):
            yield path, field
            yield from _of_type(other, path, field)
        case Choice(_, shapes):
            for shape in shapes.values():
                yield from _of_shape(shape, f"{path}.")
        case Shape():
            yield from _of_shape(kind, f"{path}.")
        case _:
            yield path, field
