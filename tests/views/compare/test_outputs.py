"""The outputs of two runs of one case: paired by name, and compared."""

from pathlib import Path

from evalcore.views.blocks.base import PanelData
from evalcore.views.compare.case import OpenCase, open_case
from evalcore.views.compare.state import View
from evalcore.views.compare.texts import (
    FilePair,
    chosen,
    file_pairs,
    missing_outputs,
    output_difference,
    outputs_of,
)
from evalcore.views.files.diff import diff_block
from tests.views.compared import sides


def opened(root: Path) -> OpenCase:
    """Return the case with the first run of each side open."""
    found, a, b = sides(root, greets=(0, 2))
    case = open_case(found, a, b, View(case="case-1", ra=1, rb=1))
    assert case is not None
    return case


def shown(case: OpenCase, pair: FilePair) -> PanelData:
    """Return how the two outputs of a pair differ, as it is drawn."""
    difference = output_difference(*outputs_of(case, pair))
    assert difference is not None
    return diff_block(difference, pair.name)


def write(root: Path, run: str, **files: str) -> None:
    """Write Markdown files as outputs of a run."""
    (root / f"out/{run}").mkdir(parents=True)
    for name, text in files.items():
        (root / f"out/{run}/{name}.md").write_text(f"{text}\n", "utf-8")


def test_outputs_are_paired_by_name_and_those_of_both_sides_come_first(tmp_path: Path) -> None:
    """A file of one side alone says whose it is."""
    write(tmp_path, "v1-1", b="one", old="two")
    write(tmp_path, "v2-1", a="three", b="four")
    pairs = file_pairs(opened(tmp_path))
    assert [pair.label for pair in pairs.values()] == [
        "b.md",
        "a.md · only in B",
        "old.md · only in A",
    ]
    assert chosen(pairs, "old.md").b is None
    assert chosen(pairs, "gone.md").name == "b.md"


def test_one_output_a_side_is_compared_whatever_it_is_called(tmp_path: Path) -> None:
    """Line by line, and within a line word by word."""
    write(tmp_path, "v1-1", old="a late parcel")
    write(tmp_path, "v2-1", new="a parcel")
    case = opened(tmp_path)
    (pair,) = file_pairs(case).values()
    assert pair.label == "old.md → new.md"
    given = shown(case, pair)
    assert given["summary"] == "1 line of 1 only in A, 1 line of 1 only in B."
    assert given["rows"][0][0] == "changed"
    assert missing_outputs(case) == ()


def test_an_output_of_one_side_alone_is_all_new(tmp_path: Path) -> None:
    """The side that lacks it is empty, and it says where outputs were looked for."""
    write(tmp_path, "v2-1", letter="Dear Mrs Iwasaki")
    case = opened(tmp_path)
    (pair,) = file_pairs(case).values()
    given = shown(case, pair)
    assert given["summary"] == "A is empty; B has 1 line."
    assert missing_outputs(case) == ("A: No output saved for this run; looked in out/v1-1.",)


def test_what_is_no_text_is_not_compared_as_text(tmp_path: Path) -> None:
    """Two images are shown beside each other instead."""
    for run in ("v1-1", "v2-1"):
        write(tmp_path, run)
        (tmp_path / f"out/{run}/page.png").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(64))
    case = opened(tmp_path)
    (pair,) = file_pairs(case).values()
    a, b = outputs_of(case, pair)
    assert output_difference(a, b) is None
    assert a is not None
    assert a.kind == "image"


def test_sides_without_outputs_say_where_they_were_looked_for(tmp_path: Path) -> None:
    """Never an empty place."""
    case = opened(tmp_path)
    assert file_pairs(case) == {}
    assert missing_outputs(case) == (
        "A: No output saved for this run; looked in out/v1-1.",
        "B: No output saved for this run; looked in out/v2-1.",
    )
