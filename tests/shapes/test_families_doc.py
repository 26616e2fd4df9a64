"""`docs/families.md`: every field has a place, every place exists, and the page is what it says."""

import pytest

from evalcore.families.registry import dialects
from evalcore.shapes import parts
from evalcore.shapes.fields import RAW, Document
from evalcore.tables.rows import TABLES, columns
from tools.families_doc import PAGE, render

KINDS = [
    pytest.param(found, id=f"{each.name}-{found.kind}")
    for each in dialects()
    for found in each.documents().kinds
]


@pytest.mark.parametrize("kind", KINDS)
def test_every_field_stands_in_a_column_and_is_shown_in_a_part_of_a_page(kind: Document) -> None:
    """A field names columns that a table has, or the raw document, and a part of a page."""
    known = {f"{name}.{column}" for name, row in TABLES.items() for column in columns(row)} | {RAW}
    pages = {value for name, value in vars(parts).items() if name.isupper()}
    for leaf in kind.leaves:
        assert set(leaf.column.split(", ")) <= known, leaf
        assert leaf.shown in pages, leaf


@pytest.mark.parametrize("kind", KINDS)
def test_every_field_is_named(kind: Document) -> None:
    """Whatever rows it shares: no field is lost where fields of one place stand together."""
    page = PAGE.read_text(encoding="utf-8")
    assert [leaf.path for leaf in kind.leaves if f"`{leaf.path}`" not in page] == []


def test_the_page_is_up_to_date() -> None:
    """The page is what `python -m tools.families_doc --write` writes now."""
    assert PAGE.read_text(encoding="utf-8") == render()
