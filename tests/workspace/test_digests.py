"""Digests tell whether files are as they were written."""

import os
from pathlib import Path

import pytest

from evalcore.disk import handles
from evalcore.workspace.digests import BLOCK, checked, digests, with_digest


def of_a_file(path: Path) -> str:
    """The digest of one file."""
    with handles.folder(path.parent) as folder:
        return digests(folder, [path.name])[path.name]


@pytest.mark.parametrize("size", [1, BLOCK - 1, BLOCK, BLOCK + 1, 2 * BLOCK])
def test_every_bit_counts(tmp_path: Path, size: int) -> None:
    """A bit turned over at the beginning or the end, or a byte less, is another digest."""
    data, path = os.urandom(size), tmp_path / "file"
    found = set()
    changed = (bytes([data[0] ^ 1]) + data[1:], data[:-1] + bytes([data[-1] ^ 128]), data[:-1])
    for content in (data, *changed):
        path.write_bytes(content)
        found.add(of_a_file(path))
    assert len(found) == 1 + len(changed)
    path.write_bytes(data)
    assert of_a_file(path) in found


def test_bytes_come_back_from_beside_their_digest() -> None:
    """What was put together comes back, whatever it holds."""
    assert [checked(with_digest(data)) for data in (b"", b"a\nb\n")] == [b"", b"a\nb\n"]


@pytest.mark.parametrize("data", [b"", b"\n", b"{}", with_digest(b"ab")[:-1], with_digest(b"")[1:]])
def test_other_bytes_are_refused(data: bytes) -> None:
    """Bytes that lost their digest or their end are an error that a reader can catch."""
    with pytest.raises(ValueError, match="does not match"):
        checked(data)
