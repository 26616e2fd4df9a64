"""`evalcore rows`: how a table would be read, shown and stored."""

import json
from pathlib import Path

import pytest

from evalcore import open_workspace
from tests.cli.conftest import Invoke

TABLE = "Nr;Version;Frage;Antwort;Note\n007;alt;2+2?;=2+2;3,5\n007;neu;2+2?;4;4,5\n"


@pytest.fixture
def table(tmp_path: Path) -> Path:
    """A table of a spreadsheet."""
    path = tmp_path / "w" / "noten.csv"
    path.parent.mkdir()
    path.write_text(TABLE)
    return path


def test_it_shows_which_column_is_what_and_writes_nothing(invoke: Invoke, table: Path) -> None:
    """With the first rows as they would be read, and what is not sure."""
    said = invoke("rows", table)
    assert said.exit_code == 0
    assert "2 rows, read as 1 case, 2 versions, 2 runs, 2 scores." in said.stdout
    assert ["case", "Nr", "007", "007"] in [line.split() for line in said.stdout.splitlines()]
    assert "The scale of 'Note' is taken to be 1 to 5, from its values." in said.stdout
    assert [each.name for each in table.parent.iterdir()] == ["noten.csv"]


def test_what_it_stores_makes_the_table_a_suite(invoke: Invoke, table: Path) -> None:
    """The table is not changed, and a change of it is noticed by the next open."""
    assert invoke("rows", table, "--write").exit_code == 0
    assert table.read_text() == TABLE
    ws = open_workspace(table.parent)
    assert ws.tables.runs["score"].tolist() == [3.5, 4.5]
    assert ws.raw("noten.csv", "/0/Antwort") == "=2+2"
    table.write_text(TABLE.replace("3,5", "2,5"))
    assert open_workspace(table.parent).tables.runs["score"].tolist() == [2.5, 4.5]


def test_it_stores_over_nothing(invoke: Invoke, table: Path) -> None:
    """A mapping that somebody has changed stays as it is."""
    mapping = table.with_name("noten.rows.json")
    mapping.write_text("{}")
    said = invoke("rows", table, "--write")
    assert (said.exit_code, mapping.read_text()) == (2, "{}")
    assert "exists already" in said.stderr


def test_columns_that_are_named_are_taken(invoke: Invoke, table: Path) -> None:
    """One that is not there is refused with those that are."""
    options = ("--case", "Frage", "--configuration", "Nr", "--criterion", "Note")
    mapping = json.loads(invoke("rows", table, *options, "--json").stdout)["mapping"]
    assert (mapping["case"], mapping["configuration"]) == ("Frage", "Nr")
    assert mapping["criteria"] == [{"name": "Note", "score": "Note", "low": 1, "high": 5}]
    said = invoke("rows", table, "--case", "Fall")
    assert said.exit_code == 2
    assert "Antwort" in said.stderr


@pytest.mark.parametrize(
    ("name", "data", "why"),
    [
        ("t.csv", b"", "it has no rows"),
        ("t.txt", b"a\n1\n", "it is no .csv"),
        ("t.parquet", b"PAR1", "cannot be read as a Parquet file"),
        ("t.json", b'{"a": 1}', "is an object, not a list"),
        ("gone.csv", None, "No such file"),
    ],
)
def test_what_is_no_table_is_refused(
    invoke: Invoke, tmp_path: Path, name: str, data: bytes | None, why: str
) -> None:
    """It says why, and nothing is written."""
    if data is not None:
        (tmp_path / name).write_bytes(data)
    said = invoke("rows", tmp_path / name, "--write")
    assert said.exit_code == 2
    assert why.lower() in said.stderr.lower()
    assert not list(tmp_path.glob("*.rows.json"))


def test_a_cell_cannot_steer_the_terminal(invoke: Invoke, tmp_path: Path) -> None:
    """What a table holds is shown as text."""
    path = tmp_path / "t.csv"
    path.write_text("id,score\n\x1b[31m[red]x[/red],1\n")
    said = invoke("rows", path)
    assert "\x1b" not in said.stdout
    assert "[red]x[/red]" in said.stdout
