"""The files of a run are seen within bounds, and nothing outside its folder is."""

import os
import socket
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalcore.checks import produced
from evalcore.checks.outcome import Outcome
from evalcore.checks.produced import MAX_TEXT, Produced
from evalcore.disk.files import DEEPEST
from evalcore.errors import PathOutside
from tests.families.build import write


def test_files_are_listed_by_paths_below_the_outputs(tmp_path: Path) -> None:
    """Sorted, and relative to the folder of the outputs."""
    write(tmp_path, {"run/out/b.md": "b", "run/out/in/a.md": "a", "run/else.md": "x"})
    seen = Produced(tmp_path, "run/out")
    assert seen.paths == ("b.md", "in/a.md")
    assert seen.complete
    assert seen.matching("*.md") == ["b.md", "in/a.md"]
    assert seen.matching("in/*") == ["in/a.md"]
    assert seen.text("in/a.md").text == "a"


def test_a_single_file_is_the_only_one(tmp_path: Path) -> None:
    """A run's outputs may be one file, whose neighbours are none of them."""
    write(tmp_path, {"out/a.md": "a", "out/b.md": "b"})
    seen = Produced(tmp_path, "out/a.md")
    assert seen.paths == ("a.md",)
    assert seen.text("a.md").text == "a"
    assert seen.text("b.md").text is None


def test_a_run_without_a_folder_produced_nothing(tmp_path: Path) -> None:
    """That is known, so nothing is left out."""
    seen = Produced(tmp_path, "nowhere")
    assert seen.paths == ()
    assert seen.complete


@pytest.mark.parametrize("folder", ["..", "/etc", "a/../..", "link", "a\0b"])
def test_a_folder_outside_is_refused(tmp_path: Path, folder: str) -> None:
    """Neither dots nor a link lead out of the workspace."""
    root = tmp_path / "root"
    root.mkdir()
    (root / "link").symlink_to(tmp_path)
    with pytest.raises(PathOutside):
        Produced(root, folder)


def test_only_regular_files_are_seen(tmp_path: Path) -> None:
    """Links, pipes and sockets are neither listed nor opened."""
    write(tmp_path, {"out/a.md": "a", "secret.md": "secret", "folder/s.md": "secret"})
    out = tmp_path / "out"
    (out / "link.md").symlink_to(tmp_path / "secret.md")
    (out / "folder").symlink_to(tmp_path / "folder")
    (out / "gone.md").symlink_to(tmp_path / "gone.md")
    os.mkfifo(out / "pipe.md")
    with socket.socket(socket.AF_UNIX) as server:
        before = Path.cwd()
        os.chdir(out)  # an address of a socket is a short path
        server.bind("socket.md")
        os.chdir(before)
        seen = Produced(tmp_path, "out")
    assert seen.paths == ("a.md",)
    assert seen.complete


def test_a_file_that_became_a_link_is_not_followed_out(tmp_path: Path) -> None:
    """What stands in its place after it was listed is not read."""
    write(tmp_path, {"out/a.md": "a", "secret.md": "secret"})
    seen = Produced(tmp_path, "out")
    (tmp_path / "out/a.md").unlink()
    (tmp_path / "out/a.md").symlink_to(tmp_path / "secret.md")
    text, why = seen.text("a.md")
    assert text is None
    assert why == "a.md leads out of the run's outputs"


def test_a_file_that_became_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    """Nor one that was removed."""
    write(tmp_path, {"out/a.md": "a", "out/b.md": "b"})
    seen = Produced(tmp_path, "out")
    for name in ("a.md", "b.md"):
        (tmp_path / "out" / name).unlink()
    os.mkfifo(tmp_path / "out/a.md")
    assert seen.text("a.md").text is None
    assert seen.text("b.md") == (None, "b.md cannot be read (No such file or directory)")


def test_more_files_than_the_limit_are_left_out_and_said(tmp_path: Path) -> None:
    """As many as the limit are all; one more is not."""
    write(tmp_path, {"out/1": "", "out/2": "", "out/in/3": ""})
    assert Produced(tmp_path, "out", limit=3).complete
    cut = Produced(tmp_path, "out", limit=2)
    assert len(cut.paths) == 2
    assert not cut.complete


def test_folders_without_end_are_left_out_and_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is looked at is bounded even if none of it is a file."""
    for name in "abc":
        (tmp_path / "out" / name).mkdir(parents=True)
    monkeypatch.setattr(produced, "MAX_ENTRIES", 3)
    assert Produced(tmp_path, "out").complete
    monkeypatch.setattr(produced, "MAX_ENTRIES", 2)
    assert not Produced(tmp_path, "out").complete


def test_folders_too_deep_are_left_out_and_said(tmp_path: Path) -> None:
    """What could not be opened is not listed."""
    deep = tmp_path.joinpath("out", *["d"] * (DEEPEST - 1))
    deep.mkdir(parents=True)
    (deep / "a.md").write_text("a")
    seen = Produced(tmp_path, "out")
    assert seen.complete
    assert [seen.text(path).text for path in seen.paths] == ["a"]
    (deep / "d").mkdir()
    assert not Produced(tmp_path, "out").complete


def test_the_largest_text_is_read(tmp_path: Path) -> None:
    """One byte more is said to be too many."""
    write(tmp_path, {"out/a": "x" * MAX_TEXT, "out/b": "x" * (MAX_TEXT + 1)})
    seen = Produced(tmp_path, "out")
    assert seen.text("a") == ("x" * MAX_TEXT, "")
    assert seen.text("b") == (None, "b has 4,194,305 bytes, of which 4,194,304 are read")


def test_what_is_not_utf8_is_decoded_as_far_as_possible(tmp_path: Path) -> None:
    """A byte that is no text cannot hide the rest of the file."""
    out = write(tmp_path, {"out/a": ""}) / "out"
    (out / "a").write_bytes(b"TODO \xff\0")
    (out / "b").write_bytes("Größe".encode("utf-16"))
    (out / "c").write_bytes("\ufeffGröße".encode())
    seen = Produced(tmp_path, "out")
    text, why = seen.text("a")
    assert text == "TODO \ufffd\0"
    assert why.startswith("a is not text")
    assert seen.text("b") == seen.text("c") == ("Größe", "")


def test_a_faulty_pattern_is_an_invalid_outcome(tmp_path: Path) -> None:
    """It says why it is none."""
    found = Produced(tmp_path, "").matching("../*")
    assert isinstance(found, Outcome)
    assert found.status == "invalid"


@given(st.text(max_size=40), st.text(max_size=40))
def test_nothing_outside_is_ever_matched_or_read(
    tmp_path_factory: pytest.TempPathFactory, pattern: str, path: str
) -> None:
    """Whatever is asked for, only listed files answer."""
    root = tmp_path_factory.getbasetemp() / "asked"
    write(root, {"out/a.md": "a", "secret.md": "secret"})
    seen = Produced(root, "out")
    found = seen.matching(pattern)
    assert isinstance(found, Outcome) or set(found) <= {"a.md"}
    assert seen.text(path).text in (None, "a")
    assert seen.text(f"../{path}").text is None
