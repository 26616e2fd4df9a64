"""The seeds' own documents fit the models and come back from them unchanged."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec import convert

from evalcore.families.registry import dialect, dialects
from evalcore.families.reviews.models import ReviewRecord, renewed
from evalcore.shapes.faults import faults
from evalcore.shapes.fields import ANYTHING, Choice, Either, ListOf, MapOf, Shape, Type
from evalcore.shapes.models import as_json
from evalcore.shapes.relations import RELATIONS
from tests.shapes.golden import SEEDS, goldens

SHARED = Path(__file__).parents[3] / "shared" / "seeds"
GOLDENS = goldens()
OF_MODELS = [each for each in GOLDENS if each.family == "reviews"]

# Names that the writer of a document chooses; they stand for any name.
CHOSEN = {
    "description_quality",
    "type_specific_quality",
    "content_value",
    "tdd_philosophy",
    "fake_driven_correctness",
    "with_skill",
}

needs_seeds = pytest.mark.skipif(
    not SHARED.is_dir(), reason="the seed documents are not beside the checkout"
)


def _exact(value: Any) -> str:
    # As text, 4 and 4.0 differ, and so do 1 and true.
    return json.dumps(value, sort_keys=True, ensure_ascii=False)


def test_golden_document_has_no_fault(subtests: pytest.Subtests) -> None:
    """A document written by the seeds' rules is exactly what its model describes."""
    for golden in GOLDENS:
        with subtests.test(golden.path):
            assert faults(golden.described, golden.read()) == []


UNKNOWN = {"x-colour": {"deep": [1, 2.0, None, "ä"]}}


def test_golden_document_comes_back_unchanged(subtests: pytest.Subtests) -> None:
    """What a record takes over from one of our own has the same values and types of numbers."""
    for golden in OF_MODELS:
        with subtests.test(golden.path):
            original = golden.read()
            assert _exact(_renewed(original)) == _exact(original)


def test_unknown_fields_survive(subtests: pytest.Subtests) -> None:
    """A field that no model names is taken over as it was."""
    for golden in OF_MODELS:
        with subtests.test(golden.path):
            original = golden.read()
            enriched = original | {"fields": original["fields"] | UNKNOWN}
            assert faults(golden.described, enriched) == []
            assert _exact(_renewed(enriched)) == _exact(enriched)


def _renewed(value: dict[str, Any]) -> dict[str, Any]:
    """The record with the fields of one that replaces it, without those that are written anew."""
    found = renewed(value["type"], value["fields"])
    said = {name: found.get(name) for name in value["fields"]}
    known: dict[str, Any] = as_json(convert(value | {"fields": said}, ReviewRecord))
    return {name: known[name] for name in value}


def _filled(value: Any, kind: Type) -> Any:
    """The value with an unknown field in every object that a shape describes."""
    match kind:
        case ListOf(item) if isinstance(value, list):
            return [_filled(each, item) for each in value]
        case MapOf(item) if isinstance(value, dict):
            return {key: _filled(each, item) for key, each in value.items()}
        case Either(other):
            return _filled(value, other)
        case Choice(by, shapes):
            return _filled(value, shapes[value[by]])
        case Shape() if isinstance(value, dict):
            types = {name: field.type for name, field in kind.by_name.items()}
            other = ANYTHING if kind.others is None else kind.others.type
            filled = {key: _filled(each, types.get(key, other)) for key, each in value.items()}
            return filled | (UNKNOWN if kind.others is None else {})
    return value


def test_unknown_fields_are_no_fault(subtests: pytest.Subtests) -> None:
    """A field that no shape names is none, in whatever object it stands."""
    for golden in GOLDENS:
        with subtests.test(golden.path):
            described = golden.described
            shape = described if isinstance(described, Shape) else getattr(described, "shape", None)
            assert isinstance(shape, Shape)
            filled = _filled(golden.read(), shape)
            assert "x-colour" in _exact(filled)
            assert faults(shape, filled) == []


def test_every_kind_of_document_has_a_golden() -> None:
    """No document of a family is without an example."""
    shown = {(golden.family, golden.kind) for golden in GOLDENS}
    kinds = {(family, found.kind) for family, found in _kinds()}
    assert kinds - shown == set()


def _kinds() -> Iterator[tuple[str, Any]]:
    for each in dialects():
        for found in each.documents().kinds:
            yield each.name, found


def _blocks(number: str, language: str) -> list[str]:
    text = next(SHARED.glob(f"{number}_*")).read_text(encoding="utf-8")
    return re.findall(rf"```{language}\n(.*?)```", text, re.DOTALL)


def _without_comments(block: str) -> str:
    return re.sub(r'("(?:\\.|[^"\\])*")|//[^\n]*', lambda found: found[1] or "", block)


@needs_seeds
@pytest.mark.parametrize("number", ["000", "002"])
def test_every_example_of_the_seeds_is_a_golden_document(number: str) -> None:
    """Each JSON example is a golden document, value for value, its comments left out."""
    known = {_exact(golden.read()) for golden in GOLDENS}
    examples = [_exact(json.loads(_without_comments(block))) for block in _blocks(number, "json")]
    assert len(examples) >= 5
    assert [example for example in examples if example not in known] == []


def _keys(number: str) -> set[str]:
    if number == "001":
        blocks = "\n".join(_blocks(number, "ts"))
        return set(re.findall(r"^\s*(\w+):", re.sub(r"//[^\n]*", "", blocks), re.MULTILINE))
    blocks = _without_comments("\n".join(_blocks(number, "json")))
    return set(re.findall(r'"([^"\\]+)"\s*:', blocks))


@needs_seeds
@pytest.mark.parametrize(
    ("number", "family"),
    [("000", "improve"), ("001", "records"), ("002", "rubric"), ("004", "descriptions")],
)
def test_every_key_of_the_seeds_is_a_field(number: str, family: str) -> None:
    """Each key that a seed document names is a field of a model of its family."""
    fields = {
        part.removesuffix("[]")
        for found in dialect(family).documents().kinds
        for leaf in found.leaves
        for part in leaf.path.split(".")
    }
    keys = _keys(number)
    assert len(keys) >= 30
    assert keys - fields - CHOSEN == set()


@needs_seeds
def test_every_relation_of_the_seeds_is_known() -> None:
    """The eleven relations are those of the seed, in its order."""
    found = re.findall(
        r"^([a-z-]+) +--(\w+)--> +([a-z-]+)$",
        next(SHARED.glob("001_*")).read_text(encoding="utf-8"),
        re.MULTILINE,
    )
    assert found == [each[:3] for each in RELATIONS]


def test_golden_folders_hold_no_other_json() -> None:
    """Each JSON file is a golden document or what a run of it put out."""
    known = {golden.path for golden in GOLDENS}
    others = {file.relative_to(SEEDS).as_posix() for file in SEEDS.rglob("*.json")} - known
    assert [path for path in others if not re.search(r"/eval/runs/[^/]+/[^/]+\.json$", path)] == []
