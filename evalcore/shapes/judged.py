"""Read judged items by a table that says what their fields mean, however they are written."""

from collections.abc import Callable, Container, Mapping, Sequence
from datetime import datetime
from operator import attrgetter
from types import MappingProxyType
from typing import Annotated, Any, Final, Literal, NamedTuple

import msgspec

from evalcore.disk.values import Node
from evalcore.numbers import at_least
from evalcore.problems import pointer
from evalcore.shapes.columns import Criterion
from evalcore.shapes.fields import Field, Number, Shape, Text
from evalcore.shapes.judge import MODEL, RULE, UNNAMED, Judge, judge_from
from evalcore.shapes.restated import NAMES as DEFINED_NAMES
from evalcore.tables.rows import JudgmentRow

# No value but null is both above 1 and below 0.
_ABSENT: Final[Any] = Annotated[int, msgspec.Meta(gt=1, lt=0)] | None
_NONE: Final[Mapping[str, bool]] = MappingProxyType({})


class Items(NamedTuple):
    """What the judged items of one field of a document mean.

    `shape` is that of an item; its columns say which field holds the label, the score, the verdict
    and the reasons. Where there is a score, `passes_at` or more passes and the verdict repeats it.
    Else the verdict gives a score of 1 or 0; it is true or false, or a word: of `words` those of
    the documentation, of `spellings` others that are understood. `defined` says where labels are.
    """

    field: str
    kind: str
    shape: Shape
    passes_at: float = 1
    words: Mapping[str, bool] = _NONE
    spellings: Mapping[str, bool] = _NONE
    defined: str = ""

    def holds(self, column: str) -> Field | None:
        """Return the field of an item that a column of the judgments is read from."""
        name = f"judgments.{column}"
        return next((field for field in self.shape.fields if field.column == name), None)

    @property
    def scale(self) -> tuple[float, float]:
        """The lowest and the highest score."""
        score = self.holds("score")
        if score is None or not isinstance(score.type, Number):
            return 0, 1
        return score.type.low or 0, score.type.high or 1

    def criterion(self, name: str, key: str | int, judge: Judge = UNNAMED) -> Criterion:
        """Return what judgments of one criterion share; `key` is its item's place in the field."""
        at = f"/{self.field}/{key}" if isinstance(key, int) else pointer(self.field, key)
        by = judge.of_judgments
        return Criterion(self.kind, name, at, *self.scale, self.passes_at, by.name, by.type)


Columns = Mapping[str, Sequence[Any]]
"""The values of the fields of some objects, by the name of the field."""


def documented(
    items: Items, fixed: Items | None = None
) -> Callable[[Any], tuple[Columns, Mapping[str, Any], Judge] | None]:
    """Return what gets the columns of a grading's judged items, those in `fixed`, and its judge.

    None is a grading that is not as documented in all of them, which is read with tolerance. So is
    one that repeats something of the definition of a criterion, and a person's, which may name the
    records that it was written from. This is the quick way for what most documents hold.
    """
    listed_type: Any = Annotated[list[_struct(items.shape)], msgspec.Meta(min_length=1)]  # type: ignore[misc]
    fields: list[tuple[str, Any]] = [(items.field, listed_type)]
    if fixed is not None:
        fields.append((fixed.field, dict[str, _struct(fixed.shape)]))  # type: ignore[misc]
    who = [("judge", str | None, None), ("judge_type", Literal[MODEL, RULE] | None, None)]
    whole = msgspec.defstruct("Documented", [*fields, *who], gc=False)
    names = tuple(field.name for field in items.shape.fields)
    values_of = attrgetter(*names)

    def columns(value: Any) -> tuple[Columns, Mapping[str, Any], Judge] | None:
        try:
            found: Any = msgspec.convert(value, whole)
        except msgspec.ValidationError:
            return None
        listed = zip(*map(values_of, getattr(found, items.field)), strict=True)
        held = {} if fixed is None else getattr(found, fixed.field)
        is_named = found.judge is not None or found.judge_type is not None
        judge = judge_from((found.judge,), found.judge_type) if is_named else UNNAMED
        return dict(zip(names, listed, strict=True)), held, judge

    return columns


def _struct(shape: Shape) -> Any:
    """Return the type of objects with the fields of a shape, and of no definition."""
    needed = [(each.name, _annotation(each)) for each in shape.fields if not each.absent]
    others = [(each.name, _annotation(each), None) for each in shape.fields if each.absent]
    refused = {f"refused_{name}": name for name in sorted(DEFINED_NAMES - {*shape.by_name})}
    others += [(attribute, _ABSENT, None) for attribute in refused]
    return msgspec.defstruct("Item", [*needed, *others], gc=False, rename=refused)


def _annotation(field: Field) -> Any:
    """Return the type of a field of judged items, for msgspec."""
    kind: Any = bool
    if isinstance(field.type, Text):
        kind = Literal[field.type.words] if field.type.words else str
    elif isinstance(field.type, Number):
        bounds = msgspec.Meta(ge=field.type.low, le=field.type.high)
        kind = Annotated[int if field.type.whole else float, bounds]
    return kind | None if field.null else kind


class Subject(NamedTuple):
    """The run whose items are read, and who judged them."""

    run_id: str
    judged_at: datetime | None = None
    judge: Judge = UNNAMED


def label_of(node: Node, items: Items) -> str | None:
    """Return the label of an item, or None after noting why it has none."""
    field = items.holds("criterion")
    if not isinstance(node.value, dict) or field is None:
        node.type_problem("an object")
        return None
    label = node.text(field.name)
    if not label:
        node.note(
            "error",
            "missing-label",
            f"This result names no {field.name}.",
            f'Write {items.defined} under "{field.name}".',
        )
    return label or None


def judgment(node: Node, items: Items, name: str, subject: Subject) -> JudgmentRow:
    """Return the judgment of one item, which is an object; what is odd about it is noted."""
    score, passed = _by_score(node, items) if items.holds("score") else _by_verdict(node, items)
    confidence, level = _confidence(node, items)
    row = unscored(node.path, node.at, items, name, subject)
    if score is not None:
        fraction = score / items.scale[1]
        row = row._replace(score=score, fraction=fraction, passed=passed, status="scored")
    rationale, evidence = items.holds("rationale"), items.holds("evidence")
    return row._replace(
        confidence=confidence,
        confidence_level=level,
        rationale=node.text(rationale.name) or None if rationale else None,
        evidence=node.text(evidence.name) or None if evidence else None,
    )


def unscored(path: str, at: str, items: Items, name: str, subject: Subject) -> JudgmentRow:
    """Return the judgment of a criterion that a document has no result for."""
    low, high = items.scale
    judge = subject.judge.of_judgments
    return JudgmentRow(
        run_id=subject.run_id,
        kind=items.kind,
        criterion=name,
        judge=judge.name,
        judge_type=judge.type,
        min_score=low,
        max_score=high,
        judged_at=subject.judged_at,
        status="unscored",
        source=path,
        pointer=at,
    )


def numbered(label: str, taken: Container[str]) -> str:
    """Return `label`, or `label#2`, `label#3` and so on where it is taken."""
    name, number = label, 2
    while name in taken:
        name, number = f"{label}#{number}", number + 1
    return name


def _by_score(node: Node, items: Items) -> tuple[float | None, bool | None]:
    """Return score and verdict of an item that has a score; a verdict beside it only repeats it.

    What is not on the scale is noted, and no score.
    """
    (low, high), field, verdict = items.scale, items.holds("score"), items.holds("passed")
    assert field is not None
    score, whole = node.number(field.name), isinstance(field.type, Number) and field.type.whole
    hint = f"Write a score of {low:g} to {high:g}."
    if score is None and not node.has(field.name):
        what = "There is no score, so this counts as not judged, whatever passed says."
        node.note("warning", "missing-score", what, hint)
    elif score is not None and not low <= score <= high:
        what = f"The score {score} is not between {low:g} and {high:g}"
        what += ", so this counts as not judged."
        node.note("warning", "score-out-of-range", what, hint, field.name)
        score = None
    elif score is not None and score != int(score) and whole:
        what = f"The score {score} is not a whole number; it is used as it is."
        known = [str(each) for each in range(int(low), int(high) + 1)]
        hint = f"Write {', '.join(known[:-1])} or {known[-1]}."
        node.note("warning", "score-not-whole", what, hint, field.name)
    passed = None if score is None else at_least(score, items.passes_at)
    stated = None if verdict is None else node.flag(verdict.name)
    if verdict is not None and None not in (passed, stated) and stated is not passed:
        what = f"{verdict.name} is {str(stated).lower()}, but the score {score} gives "
        what += f"{str(passed).lower()}: {items.passes_at:g} or more passes."
        hint = f"Derive {verdict.name} from the score."
        node.note("warning", "derived-mismatch", what, hint, verdict.name)
    return score, passed


def _by_verdict(node: Node, items: Items) -> tuple[float | None, bool | None]:
    """Return score and verdict of an item that only has a verdict, true or false or a word."""
    field = items.holds("passed")
    assert field is not None
    if not items.words:
        passed = node.flag(field.name)
        return None if passed is None else float(passed), passed
    value = node.get(field.name)
    word = value.strip().lower() if isinstance(value, str) else None
    hint = "Write " + " or ".join(f'"{each}"' for each in items.words) + "."
    passed = items.words.get(word, items.spellings.get(word)) if word is not None else None
    if passed is None:
        message = (
            f"The {field.name} is neither {' nor '.join(items.words)}, so this counts as not "
            "judged."
        )
        at = None if value is None else field.name
        node.note("warning", "unknown-result", message, hint, at)
        return None, None
    if word not in items.words:
        meant = next(each for each, means in items.words.items() if means is passed)
        message = f"The {field.name} {value!r} was read as {meant}."
        node.note("info", "odd-result", message, hint, field.name)
    return float(passed), passed


def _confidence(node: Node, items: Items) -> tuple[float | None, str | None]:
    """Return a confidence as a number, or as a word where one is written."""
    field = items.holds("confidence_level")
    if field is None:
        return None, None
    value = node.get(field.name)
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return node.number(field.name), None
    word = node.text(field.name)
    known = field.type.words if isinstance(field.type, Text) else ()
    if not word or word.strip().lower() in known:
        return None, word.strip().lower() if word else None
    node.note(
        "info",
        "unknown-confidence",
        f"The confidence {word!r} is none of {', '.join(known)}; it is kept as written.",
        "Write one of the three words.",
        field.name,
    )
    return None, word
