"""The files of a run are listed and read on demand, within bounds, and never beyond the root."""

import json
import os
import struct
import zlib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalcore.views.files.outputs import MAX_TEXT, OutputFile, load_output, output_files
from evalcore.workspace.opened import Workspace
from tests import made


def put(root: Path, path: str, data: str | bytes) -> None:
    """Write one file with its folders."""
    target = root / path
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(data.encode() if isinstance(data, str) else data)


def png(width: int = 2, height: int = 2) -> bytes:
    """Return the beginning of a PNG file of this size."""
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    chunk = b"IHDR" + header
    return (
        b"\x89PNG\r\n\x1a\n" + struct.pack(">I", 13) + chunk + struct.pack(">I", zlib.crc32(chunk))
    )


def listed(ws: Workspace, **given: object) -> list[OutputFile]:
    """Return the files of a run with these columns."""
    return output_files(ws, made.run(**given))


@pytest.fixture
def ws(tmp_path: Path) -> Workspace:
    """Return an empty workspace."""
    return made.workspace(tmp_path)


def test_files_of_the_outputs_folder_are_listed_by_their_kind(ws: Workspace) -> None:
    """Every file below the folder is there, with its name below it, size and kind."""
    for name in ("a.md", "deep/b.json", "c.csv", "d.py", "e.png", "f.pdf", "g", "h.svg", "i.jsonl"):
        put(ws.root, f"r/out/{name}", "1234")
    kinds = {file.name: (file.kind, file.size) for file in listed(ws, outputs="r/out")}
    assert kinds == {
        "a.md": ("markdown", 4),
        "deep/b.json": ("json", 4),
        "c.csv": ("csv", 4),
        "d.py": ("code", 4),
        "e.png": ("image", 4),
        "f.pdf": ("binary", 4),
        "g": ("text", 4),
        "h.svg": ("code", 4),
        "i.jsonl": ("jsonl", 4),
    }


def test_outputs_may_be_one_file(ws: Workspace) -> None:
    """A run whose output is a single file lists that file."""
    put(ws.root, "eval/runs/a1/case.json", "{}")
    assert [file.name for file in listed(ws, outputs="eval/runs/a1/case.json")] == ["case.json"]


def test_a_run_without_outputs_lists_nothing(ws: Workspace) -> None:
    """No folder named, a folder that is gone and a folder outside all give no files."""
    assert listed(ws, outputs=None) == []
    assert listed(ws, outputs="not/there") == []
    assert listed(ws, outputs="../..") == []
    assert listed(ws, outputs="a\0b") == []


def test_transcript_and_notes_beside_the_grading_belong_to_the_run(ws: Workspace) -> None:
    """They come after the outputs; other files of the run folder are documents, not outputs."""
    put(ws.root, "i/c/run-1/outputs/result.md", "done")
    put(ws.root, "i/c/run-1/outputs/user_notes.md", "unsure")
    for name in ("transcript.md", "transcript-2.jsonl", "grading.json", "readme.md"):
        put(ws.root, f"i/c/run-1/{name}", "x")
    files = listed(ws, outputs="i/c/run-1/outputs", source="i/c/run-1/grading.json")
    assert [(file.name, file.role) for file in files] == [
        ("result.md", "output"),
        ("user_notes.md", "notes"),
        ("transcript-2.jsonl", "transcript"),
        ("transcript.md", "transcript"),
    ]


def test_a_folder_of_many_gradings_lends_no_transcript(ws: Workspace) -> None:
    """Where gradings of several runs lie together, a transcript belongs to none of them."""
    put(ws.root, "grading/transcript.md", "x")
    assert listed(ws, source="grading/case-1_v0_run1.json") == []


def test_fields_of_a_record_are_its_output_files(ws: Workspace) -> None:
    """A record that holds its output itself shows each field as a file."""
    fields = {"actualOutput": {"answer": "Yes.", "a/b": {"n": 1}}}
    put(ws.root, "runs/1.json", json.dumps({"id": "1", "fields": fields}))
    files = listed(ws, origin="record", source="runs/1.json")
    assert [(file.name, file.kind) for file in files] == [("a/b", "json"), ("answer", "text")]
    shown = [load_output(ws, file.path) for file in files]
    assert [output.text for output in shown] == ['{\n  "n": 1\n}', "Yes."]


def test_a_record_among_others_shows_its_own_output(ws: Workspace) -> None:
    """In a file of many records the run's pointer says which; it may name the output itself."""
    records = [{"fields": {"actualOutput": {"n": name}}} for name in ("first", "second")]
    put(ws.root, "runs.json", json.dumps(records))
    for pointer in ("/1", "/1/fields/actualOutput"):
        (file,) = listed(
            ws, origin="record", source="runs.json", pointer=pointer, outputs="runs.json"
        )
        assert load_output(ws, file.path).text == "second"


def test_an_output_that_is_no_object_is_one_file(ws: Workspace) -> None:
    """A plain text as actualOutput is shown as one file."""
    put(ws.root, "runs/1.json", json.dumps({"fields": {"actualOutput": "Yes."}}))
    (file,) = listed(ws, origin="record", source="runs/1.json")
    assert load_output(ws, file.path).text == "Yes."


@pytest.mark.parametrize(
    "name", ["out/link.txt", "../secret.txt", "out/folder/secret.txt", "pipe", "gone"]
)
def test_nothing_outside_and_nothing_but_files_is_read(tmp_path: Path, name: str) -> None:
    """Links out, paths out, pipes and files that are gone are unreadable, with the reason."""
    root = tmp_path / "root"
    put(tmp_path, "secret.txt", "secret")
    put(root, "out/a.txt", "a")
    (root / "out/link.txt").symlink_to(tmp_path / "secret.txt")
    (root / "out/folder").symlink_to(tmp_path)
    os.mkfifo(root / "pipe")
    ws = made.workspace(root)
    output = load_output(ws, name)
    assert (output.kind, output.text, output.data) == ("unreadable", None, None)
    assert output.note
    assert [file.path for file in listed(ws, outputs="out")] == ["out/a.txt"]


def test_a_linked_transcript_is_not_followed(tmp_path: Path) -> None:
    """A transcript that is a link out of the workspace is not listed."""
    put(tmp_path, "secret.md", "secret")
    put(tmp_path, "root/r/grading.json", "{}")
    (tmp_path / "root/r/transcript.md").symlink_to(tmp_path / "secret.md")
    assert listed(made.workspace(tmp_path / "root"), source="r/grading.json") == []


def test_markdown_is_its_source(ws: Workspace) -> None:
    """What was judged is shown exactly, frontmatter and HTML as text."""
    put(ws.root, "a.md", "---\nname: x\n---\n<script>alert(1)</script>")
    output = load_output(ws, "a.md")
    assert (output.kind, output.note) == ("markdown", "")
    assert output.text == "---\nname: x\n---\n<script>alert(1)</script>"


def test_json_is_exact_text_and_a_value(ws: Workspace) -> None:
    """JSON can be shown as it was written and as a tree."""
    put(ws.root, "a.json", '{"b":1.10,\n"a":[true]}')
    output = load_output(ws, "a.json")
    assert (output.text, output.value) == ('{"b":1.10,\n"a":[true]}', {"b": 1.1, "a": [True]})


@pytest.mark.parametrize("text", ["{'a': 1}", "", "[" * 5000, '{"a": NaN}'])
def test_broken_json_is_shown_as_text(ws: Workspace, text: str) -> None:
    """What is not JSON stays readable, and it is said."""
    put(ws.root, "a.json", text)
    output = load_output(ws, "a.json")
    assert (output.kind, output.text) == ("text", text)
    assert "not valid JSON" in output.note


def test_json_lines_are_values(ws: Workspace) -> None:
    """Each line is a value; lines that are none are counted."""
    put(ws.root, "a.jsonl", '{"a":1}\n\nbroken\n[2]\n')
    output = load_output(ws, "a.jsonl")
    assert output.value == [{"a": 1}, [2]]
    assert output.note == "1 line of it: not valid JSON."


@pytest.mark.parametrize(
    ("name", "text"),
    [("a.csv", 'n,x\n1,"a, b"\n'), ("a.csv", 'n;x\n1;"a, b"\n'), ("a.tsv", "n\tx\n1\ta, b\n")],
)
def test_tables_are_cells(ws: Workspace, name: str, text: str) -> None:
    """Comma, semicolon and tab separate; every cell is text."""
    put(ws.root, name, text)
    assert load_output(ws, name).rows == (("n", "x"), ("1", "a, b"))


def test_large_tables_are_bounded_and_say_so(ws: Workspace) -> None:
    """At most 500 rows and 50 columns are shown, of how many is said."""
    put(ws.root, "a.csv", (",".join(map(str, range(60))) + "\n") * 701)
    output = load_output(ws, "a.csv")
    assert output.rows is not None
    assert (len(output.rows), len(output.rows[0])) == (501, 50)
    assert output.note == (
        "The first 500 of 700 rows are shown. The first 50 of 60 columns are shown."
    )


def test_a_table_that_cannot_be_split_is_text(ws: Workspace) -> None:
    """A cell beyond what a table can hold shows the file as text."""
    put(ws.root, "a.csv", 'a\n"' + "x" * 200_000)
    output = load_output(ws, "a.csv")
    assert output.kind == "text"
    assert "Shown as text" in output.note


def test_code_names_its_language(ws: Workspace) -> None:
    """The ending chooses the highlighting; SVG is source, never a picture."""
    put(ws.root, "a.py", "print()")
    put(ws.root, "a.svg", "<svg onload='alert(1)'/>")
    assert load_output(ws, "a.py").language == "python"
    drawing = load_output(ws, "a.svg")
    assert (drawing.kind, drawing.language, drawing.data) == ("code", "xml", None)


def test_long_text_is_cut_and_says_so(ws: Workspace) -> None:
    """Two megabytes are shown, and the size of the whole is named."""
    put(ws.root, "a.txt", "é\n" * (MAX_TEXT // 2))
    output = load_output(ws, "a.txt")
    assert output.text is not None
    assert len(output.text.encode()) <= MAX_TEXT
    assert output.note == "Cut after 2 MB of 3 MB."


def test_text_that_is_not_utf8_is_replaced_and_said(ws: Workspace) -> None:
    """Bytes that are no text are shown as the replacement mark; a real one is not counted."""
    put(ws.root, "a.txt", b"caf\xe9 \xef\xbf\xbd")
    output = load_output(ws, "a.txt")
    assert output.text == "caf\ufffd \ufffd"
    assert output.note == "Not UTF-8 in 1 place, shown as \ufffd."


def test_utf16_and_byte_order_marks_are_read(ws: Workspace) -> None:
    """Text that another system wrote is text."""
    put(ws.root, "a.txt", "Grüße".encode("utf-16"))
    put(ws.root, "b.json", b"\xef\xbb\xbf[1]")
    assert load_output(ws, "a.txt").text == "Grüße"
    assert load_output(ws, "b.json").value == [1]


@pytest.mark.parametrize(
    ("name", "data", "note"),
    [
        ("a.pdf", b"%PDF-" + b"x" * 12_283, "Not shown: 12 KB of application/pdf."),
        ("a.txt", b"a\0b", "Not shown: 3 bytes of binary data."),
        ("a.png", b"<svg/>", "Not shown: 6 bytes named as PNG, which it is not."),
        ("a.png", png()[:20], "Not shown: 20 bytes of PNG; its header is damaged."),
        (
            "a.png",
            png(60_000, 60_000),
            "Not shown: 33 bytes of PNG; 3,600,000,000 pixels are too many to show.",
        ),
    ],
)
def test_what_is_not_shown_says_what_it_is(
    ws: Workspace, name: str, data: bytes, note: str
) -> None:
    """Binary data, false images and images that would fill the memory are named, not shown."""
    put(ws.root, name, data)
    output = load_output(ws, name)
    assert (output.kind, output.text, output.data, output.note) == ("binary", None, None, note)


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("a.png", png()),
        ("a.gif", b"GIF89a" + struct.pack("<HH", 3, 4)),
        ("a.jpg", b"\xff\xd8\xff\xe0\x00\x04ab\xff\xc0\x00\x11\x08\x00\x05\x00\x06"),
        ("a.webp", b"RIFF\x00\x00\x00\x00WEBPVP8X" + b"\0" * 8 + b"\x01\0\0\x01\0\0"),
        ("a.webp", b"RIFF\x00\x00\x00\x00WEBPVP8L" + b"\0" * 5 + b"\x01\0\0\0"),
        ("a.webp", b"RIFF\x00\x00\x00\x00WEBPVP8 " + b"\0" * 10 + b"\x01\0\x02\0"),
    ],
)
def test_images_are_shown_by_their_first_bytes(ws: Workspace, name: str, data: bytes) -> None:
    """PNG, JPEG, GIF and WebP that prove to be so are given as bytes."""
    put(ws.root, name, data)
    output = load_output(ws, name)
    assert (output.kind, output.data, output.note) == ("image", data, "")


def test_an_image_under_another_images_name_is_said(ws: Workspace) -> None:
    """The name may lie; the bytes decide."""
    put(ws.root, "a.jpg", png())
    assert load_output(ws, "a.jpg").note == "The file is PNG, whatever its name says."


@given(
    data=st.binary(max_size=300),
    name=st.sampled_from(["json", "csv", "jsonl", "png", "webp", "jpg", "txt"]),
)
def test_any_bytes_under_any_name_are_shown_or_explained(
    tmp_path_factory: pytest.TempPathFactory, data: bytes, name: str
) -> None:
    """No content breaks the reading: there is something to show, or a note."""
    root = tmp_path_factory.mktemp("any")
    put(root, f"a.{name}", data)
    output = load_output(made.workspace(root), f"a.{name}")
    assert output.text is not None or output.data is not None or output.note


def test_what_tells_of_a_hidden_run_is_not_shown(ws: Workspace) -> None:
    """However its path is known."""
    put(ws.root, "runs/1/outputs/answer.md", "It passes.")
    run = made.run(outputs="runs/1/outputs", source="runs/1/grading.json")
    suite = made.suite()._replace(root="runs")
    hidden = made.workspace(ws.root, suite, run).hiding({"r1"}, "ana-1")
    found = load_output(hidden, "runs/1/outputs/answer.md")
    assert (found.text, found.kind) == (None, "unreadable")
    assert found.note.startswith("Hidden until you have judged")
    assert listed(hidden) == []
