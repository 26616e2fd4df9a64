"""A zip of JSON entries is read entry by entry, within bounds, and never unpacked to disk."""

import os
import struct
import zlib
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZIP_LZMA, ZIP_STORED, ZipFile

import pyarrow as pa
import pytest

from evalcore.disk import archives
from evalcore.disk.archives import Archive, ArchiveFault, archive, is_archive
from evalcore.disk.documents import value_in
from evalcore.disk.files import Files
from evalcore.disk.listing import list_files
from evalcore.disk.parsing import MISSING
from evalcore.errors import UnknownName

ZSTD = pa.Codec("zstd")


def packed(method: int = ZIP_DEFLATED, **entries: bytes) -> bytes:
    """A zip with these entries, named `NAME.json`."""
    held = BytesIO()
    with ZipFile(held, "w", method) as written:
        for name, data in entries.items():
            written.writestr(f"{name}.json", data)
    return held.getvalue()


def by_method(method: int, raw: bytes, data: bytes) -> bytes:
    """A zip whose one entry is packed as `raw` by a method that `zipfile` cannot write."""
    made = bytearray(packed(ZIP_STORED, a=raw))
    place = made.rindex(b"PK\1\2")
    made[place + 10 : place + 12] = method.to_bytes(2, "little")
    made[place + 16 : place + 20] = zlib.crc32(data).to_bytes(4, "little")
    made[place + 24 : place + 28] = len(data).to_bytes(4, "little")
    return bytes(made)


def patched(data: bytes, offset: int, value: bytes) -> bytes:
    """A zip whose last entry in the list has other bytes at a place of its line."""
    place = data.rindex(b"PK\1\2") + offset
    return data[:place] + value + data[place + len(value) :]


def in_file(folder: Path, data: bytes) -> Files:
    (folder / "x.eval").write_bytes(data)
    return Files(folder)


TEXT = b'{"a": [1, 2, {"b/c": "found"}]}'


@pytest.mark.parametrize(
    "data",
    [
        packed(ZIP_STORED, a=TEXT),
        packed(ZIP_DEFLATED, a=TEXT),
        by_method(93, ZSTD.compress(TEXT, asbytes=True), TEXT),
        by_method(
            93, ZSTD.compress(TEXT[:9], asbytes=True) + ZSTD.compress(TEXT[9:], asbytes=True), TEXT
        ),
    ],
    ids=["stored", "deflate", "zstd", "zstd in two frames"],
)
def test_a_value_in_an_entry_is_found_by_its_pointer(tmp_path: Path, data: bytes) -> None:
    """The first part of the pointer is the name of the entry; the whole are names and sizes."""
    files = in_file(tmp_path, data)
    assert is_archive(files, "x.eval")
    assert value_in(files, "x.eval", "/a.json/a/2/b~1c") == "found"
    assert value_in(files, "x.eval", "/a.json") == {"a": [1, 2, {"b/c": "found"}]}
    assert value_in(files, "x.eval") == {"a.json": len(TEXT)}


def test_a_name_of_an_entry_is_only_a_name(tmp_path: Path) -> None:
    """One that climbs is found as it is written, and nothing is put anywhere."""
    with ZipFile(tmp_path / "x.eval", "w") as written:
        written.writestr("samples/../../a_epoch_1.json", "7")
    files = Files(tmp_path)
    assert value_in(files, "x.eval", "/samples~1..~1..~1a_epoch_1.json") == 7
    assert [each.name for each in tmp_path.iterdir()] == ["x.eval"]


def test_of_entries_of_one_name_the_last_counts(tmp_path: Path) -> None:
    """A tool that writes a sample again adds it at the end; that there are two is known."""
    with ZipFile(tmp_path / "x.eval", "w") as written:
        written.writestr("a.json", "1")
        with pytest.warns(UserWarning, match="Duplicate name"):
            written.writestr("a.json", "2")
    with archive(Files(tmp_path), "x.eval") as found:
        assert found.repeated == ["a.json"]
        assert found.json("a.json") == (2, None)


def test_nan_is_missing_however_long_the_entry_is(tmp_path: Path) -> None:
    """Python writes NaN for what was not scored, in lists of any length."""
    long = b'[NaN, "' + os.urandom(5 * 1024 * 1024).hex().encode() + b'"]'
    with archive(in_file(tmp_path, packed(a=b"[NaN]", b=long)), "x.eval") as found:
        assert found.json("a.json") == ([None], None)
        value, fault = found.json("b.json")
    assert (value[0], fault) == (None, None)


@pytest.mark.parametrize("text", [b"{", b"\xff\xfe\xfd", b"[" * 100_000, b""])
def test_an_entry_that_is_no_json_is_missing_and_says_why(tmp_path: Path, text: bytes) -> None:
    """Half a document, other bytes, or one nested too deeply."""
    with archive(in_file(tmp_path, packed(a=text)), "x.eval") as found:
        value, fault = found.json("a.json")
    assert value is MISSING
    assert fault is not None
    with pytest.raises(UnknownName):
        value_in(Files(tmp_path), "x.eval", "/a.json")


NOISE = os.urandom(4096)
BOMB = packed(a=b"\0" * (2 * 1024 * 1024))

HOSTILE: dict[str, tuple[bytes, str]] = {
    "encrypted": (patched(packed(a=TEXT), 8, b"\1"), "is encrypted"),
    "another method": (packed(ZIP_LZMA, a=TEXT), "method 14, which is unknown"),
    "another sum": (patched(packed(a=TEXT), 16, b"\0\0\0\0"), "size or sum"),
    "smaller than it says": (patched(packed(a=NOISE), 24, struct.pack("<L", 5000)), "size or sum"),
    "larger than it says": (patched(packed(a=NOISE), 24, struct.pack("<L", 50)), "size or sum"),
    "packed larger than the file": (
        patched(packed(a=TEXT), 20, struct.pack("<L", 10**6)),
        "ends behind the list",
    ),
    "elsewhere": (patched(packed(a=NOISE), 42, struct.pack("<L", 9)), "not where the list says"),
    "far too large": (patched(packed(a=TEXT), 24, struct.pack("<L", 10**9)), "1,000,000,000 bytes"),
    "a bomb": (BOMB, "more than 200 times"),
    "a bomb of zstd": (
        by_method(93, ZSTD.compress(b"\0" * 2**21, asbytes=True), b"\0" * 2**21),
        "more than 200 times",
    ),
    "broken deflate": (by_method(8, b"\xff" * 40, TEXT), "cannot be unpacked"),
    "broken zstd": (by_method(93, NOISE, TEXT), "cannot be unpacked"),
    "cut zstd": (
        by_method(93, ZSTD.compress(NOISE, asbytes=True)[:-9], NOISE),
        "cannot be unpacked",
    ),
    "no such entry": (packed(b=TEXT), "no entry 'a.json'"),
}


@pytest.mark.parametrize(("data", "why"), HOSTILE.values(), ids=HOSTILE)
def test_an_entry_out_of_bounds_is_refused(tmp_path: Path, data: bytes, why: str) -> None:
    """It is named with the reason, and no more is unpacked than it says it has."""
    with (
        archive(in_file(tmp_path, data), "x.eval") as found,
        pytest.raises(ArchiveFault, match=why),
    ):
        found.read("a.json")


WHOLE = packed(ZIP_DEFLATED, **{f"e{number}": TEXT for number in range(20)})


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"", "its end is missing"),
        (b"PK\3\4" + NOISE, "its end is missing"),
        (WHOLE[:-1], "its end is missing"),
        (WHOLE[:-30], "its end is missing"),
        (WHOLE.replace(b"PK\1\2", b"PKxx"), "no whole zip"),
        (WHOLE[:-12] + struct.pack("<L", 2**31 - 1) + WHOLE[-8:], "no whole zip|entries; at most"),
    ],
)
def test_a_file_that_is_no_whole_zip_is_refused(tmp_path: Path, data: bytes, why: str) -> None:
    """As a log is that is still being written, or was cut."""
    with pytest.raises(ArchiveFault, match=why), archive(in_file(tmp_path, data), "x.eval"):
        pass


def test_a_zip_of_a_million_entries_is_refused_before_they_are_listed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each would become an object: the number at its end is looked at first."""
    with ZipFile(tmp_path / "x.eval", "w", allowZip64=True) as written:
        for number in range(70_000):
            written.writestr(f"{number}", b"")
    monkeypatch.setattr(archives, "MAX_ENTRIES", 69_999)
    made: list[Archive] = []
    keep: Callable[..., None] = Archive.__init__

    def noted(archive: Archive, *given: object) -> None:
        made.append(archive)
        keep(archive, *given)

    monkeypatch.setattr(Archive, "__init__", noted)
    with (
        pytest.raises(ArchiveFault, match=r"lists 70,000 entries; at most 69,999 are read"),
        archive(Files(tmp_path), "x.eval"),
    ):
        pass
    assert not made


def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    """What is no regular file is refused."""
    os.mkfifo(tmp_path / "x.eval")
    with pytest.raises(OSError, match="not a regular file"):
        is_archive(Files(tmp_path), "x.eval")


def test_a_folder_with_the_name_of_an_archive_is_a_folder(tmp_path: Path) -> None:
    """A folder of a tool may be named so: it is entered and no problem."""
    (tmp_path / "x.eval").mkdir()
    (tmp_path / "x.eval" / "a.json").write_text("{}")
    (tmp_path / "y.eval").write_bytes(b"")
    listing = list_files(tmp_path)
    assert (listing.paths, listing.problems) == (["x.eval/a.json", "y.eval"], [])
