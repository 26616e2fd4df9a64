"""One place of one document is shown as it lies on disk, whatever state the file is in."""

from pathlib import Path

import pytest

from evalcore import Workspace
from evalcore.views.files import source_excerpt as looking
from evalcore.views.files.source_excerpt import source_excerpt
from tests import made


@pytest.fixture
def ws(tmp_path: Path) -> Workspace:
    """Return a workspace on an empty folder."""
    return made.workspace(tmp_path)


def write(ws: Workspace, name: str, text: str) -> None:
    """Write one file of the workspace."""
    (ws.root / name).write_text(text, encoding="utf-8")


def test_a_part_of_a_document_is_shown_as_json(ws: Workspace) -> None:
    """Exactly what the pointer names."""
    write(ws, "a.json", '{"cases": [{"id": 1}, {"id": 2}]}')
    found = source_excerpt(ws, "a.json", "/cases/1")
    assert (found.text, found.language, found.note) == ('{\n  "id": 2\n}', "json", "")


def test_a_bare_value_stands_in_what_is_around_it(ws: Workspace) -> None:
    """A number alone would say little."""
    write(ws, "a.json", '{"mean": 3, "n": 4}')
    found = source_excerpt(ws, "a.json", "/mean")
    assert found.note == "mean is 3; around it:"
    assert '"n": 4' in found.text


def test_a_place_that_is_missing_shows_the_nearest_one(ws: Workspace) -> None:
    """Problems also speak of what should be there."""
    write(ws, "a.json", '{"cases": [{"id": 1}]}')
    found = source_excerpt(ws, "a.json", "/cases/0/prompt/text")
    assert (found.pointer, found.note) == (
        "/cases/0",
        "There is nothing at /cases/0/prompt/text; around it:",
    )


def test_a_broken_file_shows_the_lines_around_the_fault(ws: Workspace) -> None:
    """The line is marked, and a sign is below the column."""
    write(ws, "a.json", '{\n  "id": 1,\n  "x": oops\n}\n')
    found = source_excerpt(ws, "a.json")
    lines = found.text.split("\n")
    assert found.note.startswith("Not valid JSON at line 3")
    marked = next(place for place, line in enumerate(lines) if line.startswith("▸"))
    assert lines[marked].startswith("▸ 3 │")
    assert lines[marked + 1].rstrip().endswith("^")


def test_a_very_long_line_is_cut_around_the_fault(ws: Workspace) -> None:
    """A minified file does not flood the page."""
    write(ws, "a.json", '{"x": "' + "y" * 50_000 + '", oops}')
    found = source_excerpt(ws, "a.json")
    assert "oops" in found.text
    assert len(found.text) < 1_000


def test_an_empty_file_is_called_empty(ws: Workspace) -> None:
    """Not an error of line 1."""
    write(ws, "a.json", " \n")
    assert source_excerpt(ws, "a.json").note == "The file is empty."


def test_a_line_of_json_lines_is_one_document(ws: Workspace) -> None:
    """The pointer's first part is the line."""
    write(ws, "a.jsonl", '{"id": 1}\n{"id": 2\n')
    assert source_excerpt(ws, "a.jsonl", "/0").text == '{\n  "id": 1\n}'
    assert "▸ 2 │" in source_excerpt(ws, "a.jsonl", "/1").text


def test_a_large_file_is_shown_in_its_beginning(
    ws: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It says how large the whole is."""
    monkeypatch.setattr(looking, "MAX_BYTES", 100)
    write(ws, "a.json", "[\n" + "1,\n" * 5_000 + "1]")
    found = source_excerpt(ws, "a.json")
    assert found.note == "15 KB: only its beginning is shown."
    assert len(found.text) < 200


@pytest.mark.parametrize("path", ["gone.json", "../outside.json", "/etc/passwd", "a\0b.json", "."])
def test_what_cannot_be_read_is_said(ws: Workspace, path: str) -> None:
    """A file that is gone, no file, or a path that leaves the workspace shows no byte."""
    found = source_excerpt(ws, path)
    assert (found.text, found.note[:18]) == ("", "It cannot be read:")


def test_a_link_out_of_the_workspace_is_not_followed(ws: Workspace) -> None:
    """What lies outside stays outside."""
    outside = ws.root.parent / "secret.json"
    outside.write_text('{"key": "hidden"}')
    (ws.root / "a.json").symlink_to(outside)
    assert "hidden" not in repr(source_excerpt(ws, "a.json"))
