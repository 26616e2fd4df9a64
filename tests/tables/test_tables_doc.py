"""`docs/tables.md`: every column of every table has a meaning, and the page is what it says."""

import pytest

from evalcore import open_workspace
from evalcore.demo import packaged
from evalcore.tables.rows import ALL_TABLES, columns
from tools.tables_doc import COUNTED, PAGE, SHARED, meanings, render


@pytest.mark.parametrize("table", ALL_TABLES)
def test_every_column_says_what_it_means(table: str) -> None:
    """In a comment beside it, or once for all tables that have it."""
    found = meanings(table)
    assert list(found) == list(columns(ALL_TABLES[table]))
    assert [column for column, text in found.items() if not text] == []


def test_what_several_tables_share_is_said_once() -> None:
    """A shared meaning is that of at least two tables, and no comment repeats it."""
    for name, text in SHARED.items():
        having = [table for table, row in ALL_TABLES.items() if name in columns(row)]
        assert len(having) > 1, name
        assert any(meanings(table)[name] == text for table in having), name


def test_the_counted_judgments_have_these_columns() -> None:
    """The page lists the columns of `tables.counted()` as they are."""
    assert list(COUNTED) == list(open_workspace(packaged()).tables.counted())


def test_every_table_and_column_stands_on_the_page() -> None:
    """By name; long texts say how they are fetched."""
    page = PAGE.read_text("utf-8")
    for table, row in ALL_TABLES.items():
        part = page[page.index(f"### `{table}`") :].partition("### `")[2].partition("### `")[0]
        assert [name for name in columns(row) if f"| `{name}` |" not in part] == []
    assert 'tables.text("judgments"' in page


def test_the_page_is_up_to_date() -> None:
    """The page is what `python -m tools.tables_doc --write` writes now."""
    assert PAGE.read_text(encoding="utf-8") == render()
