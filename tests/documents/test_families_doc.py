"""`docs/families.md`: every field has a place, every place exists, and the page is what it says."""

import pytest

from evalcore.documents import FAMILIES
from evalcore.documents.fields import field_paths
from evalcore.documents.places import PLACES, RAW
from evalcore.tables.rows import TABLES, columns
from tools.families_doc import PAGE, render

KINDS = [(family, found.kind) for family, documents in FAMILIES.items() for found in documents]


@pytest.mark.parametrize(("family", "kind"), KINDS, ids="-".join)
def test_every_field_has_a_place_and_every_place_a_field(family: str, kind: str) -> None:
    """No field of a document is forgotten, and none is listed that no model has."""
    model = next(found.model for found in FAMILIES[family] if found.kind == kind)
    assert set(PLACES[family][kind]) == set(field_paths(model))


@pytest.mark.parametrize(("family", "kind"), KINDS, ids="-".join)
def test_every_place_is_a_column_or_raw(family: str, kind: str) -> None:
    """A place names a column that a table has."""
    known = {f"{name}.{column}" for name, row in TABLES.items() for column in columns(row)} | {RAW}
    named = {
        column for place in PLACES[family][kind].values() for column in place.columns.split(", ")
    }
    assert named - known == set()


def test_the_places_cover_all_families() -> None:
    """All five families are listed, with no kind of document beyond the models'."""
    assert {(family, kind) for family, kinds in PLACES.items() for kind in kinds} == set(KINDS)


def test_the_page_is_up_to_date() -> None:
    """The page is what `python -m tools.families_doc --write` writes now."""
    assert PAGE.read_text(encoding="utf-8") == render()
