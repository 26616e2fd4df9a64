"""Outputs in the list of Gradings: how they begin, as text, of the rows that are shown."""

import json
from pathlib import Path
from typing import Any

import pytest

from evalcore import Workspace
from evalcore.counting import run_files
from evalcore.counting.cells import typed
from evalcore.counting.outcomes import Column, outcomes
from evalcore.tables.rows import Row, RunRow
from evalcore.views.blocks.plain import escaped
from evalcore.views.gradings import outputs
from evalcore.views.gradings.grid import PAGE, GridQuery, grid
from evalcore.views.gradings.outputs import (
    BEGINNING,
    at_a_word,
    beside_block,
    columns_beside,
    outputs_block,
)
from tests.made import SUITE, case, run, suite, version, workspace

HOSTILE = "<script>window.ran=1</script> ![x](http://127.0.0.1:9/beacon)"


@pytest.mark.parametrize(
    ("text", "limit", "shown"),
    [
        ("Fixed the import.", 40, "Fixed the import."),
        ("  Fixed \n\n the\timport.  ", 40, "Fixed the import."),
        ("Fixed the import of files", 22, "Fixed the import of…"),
        ("Fixed the import of files", 18, "Fixed the import…"),
        ("x" * 50, 22, "x" * 20 + "…"),
        ("発布説明更新修復", 26, "発布説明…"),
        ("وصف طويل جدا للحالة", 62, "وصف طويل…"),
        ('"""""""""""', 12, '"""""…'),
        ("", 12, ""),
    ],
)
def test_a_beginning_is_cut_by_bytes_after_a_word(text: str, limit: int, shown: str) -> None:
    """What is sent has so many bytes however the text is written."""
    assert at_a_word(text, limit) == shown
    assert escaped(shown.removesuffix("…")) <= limit


def made(tmp_path: Path, *given: Row) -> Workspace:
    """Return a workspace of two versions with some runs of three cases."""
    cases = (case(case_id=name) for name in "abc")
    return workspace(tmp_path, suite(), version("v0", 0), version("v1", 1), *cases, *given)


def texts(ws: Workspace, **asked: Any) -> list[str]:
    """Return what the column of outputs shows."""
    found: list[str] = outputs_block(ws, grid(ws, GridQuery(SUITE, **asked)))["outputs"]
    return found


def test_the_first_output_of_the_run_that_a_row_opens_is_shown(tmp_path: Path) -> None:
    """As it is written; of another column it says so, and what has none says that."""
    (tmp_path / "a").mkdir()
    (tmp_path / "a/transcript.md").write_text("Thinking.")
    (tmp_path / "a/b.html").write_text(HOSTILE)
    (tmp_path / "a/c.md").write_text("Second.")
    (tmp_path / "b.md").write_text("Of the version before.")
    ws = made(
        tmp_path,
        run(run_id="a", case_id="a", version="v1", outputs="a"),
        run(run_id="b", case_id="b", version="v0", outputs="b.md"),
    )
    block = outputs_block(ws, grid(ws, GridQuery(SUITE)))
    assert block["outputOf"] == "output of v1"
    assert block["outputs"] == [HOSTILE, "in v0: Of the version before.", "no output"]


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ({"outputs": "gone"}, "no output"),
        ({"outputs": "../beyond.md"}, "no output"),
        ({"outputs": "x.png"}, "x.png: not shown as text"),
        ({"outputs": "x.bin"}, "x.bin: not shown as text"),
        ({"outputs": "empty.md"}, "empty.md: empty"),
        ({"status": "hidden"}, "hidden until you have judged"),
        ({"origin": "record", "source": "r.json", "pointer": ""}, "From the record."),
    ],
)
def test_what_is_no_text_says_what_it_is(
    tmp_path: Path, given: dict[str, object], shown: str
) -> None:
    """Never an empty cell, and nothing from outside of the folder."""
    (tmp_path.parent / "beyond.md").write_text("Outside.")
    (tmp_path / "x.png").write_bytes(b"\x89PNG")
    (tmp_path / "x.bin").write_bytes(b"a\0b")
    (tmp_path / "empty.md").write_text(" \n")
    (tmp_path / "r.json").write_text(json.dumps({"fields": {"actualOutput": "From the record."}}))
    assert texts(made(tmp_path, run(case_id="a", version="v1", **given)))[0] == shown


def test_only_the_rows_of_the_page_are_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However many cases match, one file a row is read, and no more of it than is needed."""
    rows: list[Row] = [suite()]
    for number in range(3 * PAGE - 10):
        (tmp_path / f"{number}.md").write_text("长" * 9_000)
        rows += [case(case_id=f"{number}"), run(run_id=f"{number}", case_id=f"{number}",
                                                outputs=f"{number}.md")]  # fmt: skip
    ws, read = workspace(tmp_path, *rows), list[int]()

    def counted(ws: Workspace, path: str, most: int) -> str | None:
        read.append(most)
        return run_files.read_text(ws, path, most)

    monkeypatch.setattr(outputs, "read_text", counted)
    assert [len(texts(ws, page=page)) for page in (1, 3)] == [PAGE, PAGE - 10]
    assert (len(read), max(read)) == (2 * PAGE - 10, outputs.MAX_READ)
    assert len(json.dumps(texts(ws))) <= PAGE * (BEGINNING + 12)


@pytest.fixture
def three(tmp_path: Path) -> Workspace:
    """One case in four versions: two files, one changed line, none, and not run."""
    files = {
        "v0/a.md": "One\nTwo ropes are here\nThree\n",
        "v0/b.md": "B",
        "v1/a.md": "One\nTwo ropes are not here\nFour\nFive\nSix\n",
        "v2/c.md": "",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    rows: list[Row] = [
        suite(),
        *(version(f"v{n}", n) for n in range(5)),
        case(case_id="a"),
        case(case_id="b"),
    ]
    rows += [run(run_id=f"r{n}", case_id="a", version=f"v{n}", outputs=f"v{n}") for n in range(4)]
    return workspace(tmp_path, *rows, run(run_id="b", case_id="b", version="v4"))


def beside(ws: Workspace, *keys: str, name: str | None = None, of: int = 0) -> dict[str, Any]:
    """Return what stands side by side for the run in v`of`."""
    found = outcomes(ws, SUITE)
    (run_row,) = typed(ws, "runs", RunRow, [of])
    columns = columns_beside(found, keys, Column(f"v{of}", "-"))
    return beside_block(ws, found, run_row, columns, name)


@pytest.mark.parametrize(
    ("keys", "columns"),
    [
        ((), []),
        (("gone",), []),
        (("v0",), []),
        (("v3",), ["v0", "v3"]),
        (("v3", "v1"), ["v1", "v3"]),
        (("v4", "v3", "v2", "v1", "v0"), ["v0", "v1", "v2", "v3"]),
    ],
)
def test_two_to_four_columns_stand_in_their_order(
    three: Workspace, keys: tuple[str, ...], columns: list[str]
) -> None:
    """One alone stands beside that of the open run."""
    found = outcomes(three, SUITE)
    places = columns_beside(found, keys, Column("v0", "-"))
    assert [found.columns[place].key for place in places] == columns


def test_what_differs_from_the_first_output_is_marked(three: Workspace) -> None:
    """Words inside a line, lines that are only here, and how many of the first are not."""
    found = beside(three, "v0", "v1")
    first, second = found["sides"]
    assert found["first"] == "v0"
    assert (first["file"], first["run"], second["run"]) == ("a.md", "r0", "r1")
    assert first["lines"] == [(1, ["One"], 0), (2, ["Two ropes are here"], 0), (3, ["Three"], 0)]
    assert second["lines"][:2] == [(1, ["One"], 0), (2, ["Two ropes are ", "not ", "here"], 0)]
    assert (None, [], 1) in second["lines"]
    assert (5, ["", "Six"], 0) in second["lines"]
    assert (first["cut"], second["cut"]) == ("", "")


def test_what_has_no_output_says_so(three: Workspace) -> None:
    """An empty file, a folder that is gone, and a case that was not run; the first text leads."""
    found = beside(three, "v1", "v2", "v3", "v4", of=2)
    assert [side["said"] for side in found["sides"]] == [
        "",
        "This file is empty.",
        "No output saved for this run; looked in v3.",
        "This case has no run here.",
    ]
    assert found["first"] == "v1"


def test_the_file_that_is_open_is_looked_for_in_each(three: Workspace) -> None:
    """Where it is not, the first one stands there under its own name."""
    sides = beside(three, "v0", "v1", name="b.md")["sides"]
    assert [side["file"] for side in sides] == ["b.md", "a.md"]


@pytest.mark.parametrize("text", ["Wort um Wort\n" * 20_000, "長" * 90_000, "x\n" * 99_000])
def test_outputs_side_by_side_are_cut_by_bytes_with_a_sign(tmp_path: Path, text: str) -> None:
    """However long they are, all of them together stay within what is sent."""
    rows: list[Row] = [suite(), case(case_id="a")]
    for number in range(4):
        (tmp_path / f"{number}.md").write_text(text if number % 2 else f"{number}\n{text}")
        rows += [
            version(f"v{number}", number),
            run(run_id=f"r{number}", case_id="a", version=f"v{number}", outputs=f"{number}.md"),
        ]
    found = beside(workspace(tmp_path, *rows), "v0", "v1", "v2", "v3")
    assert len(json.dumps(found)) < outputs.SIDES + 4_000
    for side in found["sides"]:
        assert side["cut"].startswith("cut here: ") or side["lines"][-1][1][-1].endswith("…")


def test_a_file_that_is_also_of_a_hidden_run_is_not_shown(tmp_path: Path) -> None:
    """Another run that names it gives nothing away."""
    (tmp_path / "a.md").write_text("Secret.")
    rows = [run(run_id=name, case_id=name, version="v1", outputs="a.md") for name in "ab"]
    ws = made(tmp_path, *rows)
    assert texts(ws)[:2] == ["Secret."] * 2
    assert texts(ws.hiding({"a"}, "ana"))[:2] == ["hidden until you have judged", "no output"]
