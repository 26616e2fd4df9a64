"""Files are opened name by name: nothing that happens to the names leads out of the root."""

import os
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from evalcore.disk.files import DEEPEST, MAX_BYTES, Files, TooLarge, inside
from evalcore.errors import PathOutside
from tests.families.build import write

OUTSIDE = "what lies outside"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A folder with a few files, beside a secret."""
    write(tmp_path / "outside", {"a.json": OUTSIDE, "b/a.json": OUTSIDE})
    return write(tmp_path / "root", {"a.json": "1", "b/a.json": "2", "b/c/a.json": "3"})


def test_files_are_read_in_any_order(root: Path) -> None:
    """From the root, from folders, back and forth, and again."""
    files = Files(root)
    for path in ("b/c/a.json", "a.json", "b/a.json", "b/c/a.json", "b/a.json", "a.json"):
        assert files.read(path) == (root / path).read_bytes()
    files.close()
    assert files.read("b/a.json") == b"2"


@pytest.mark.parametrize(
    ("path", "target"),
    [("x.json", "a.json"), ("x.json", "b/c/a.json"), ("x.json", "y.json"), ("x", "b/c")],
)
def test_links_inside_are_followed(root: Path, path: str, target: str) -> None:
    """To a file, through a second link, or to a folder; also by the absolute path."""
    (root / "y.json").symlink_to("b/a.json")
    for way in (target, root / target):
        (root / path).symlink_to(way)
        read = Files(root).read(path if path.endswith(".json") else f"{path}/a.json")
        assert read in (b"1", b"2", b"3")
        (root / path).unlink()


@pytest.mark.parametrize(
    "path",
    [
        "../outside/a.json",
        "b/../../outside/a.json",
        "/etc/hostname",
        "out.json",
        "out/a.json",
        "out/b/a.json",
        "twice.json",
        "b/out.json",
    ],
)
def test_nothing_leads_outside(root: Path, path: str) -> None:
    """Neither dots, nor an absolute path, nor a link, nor a link to a link."""
    (root / "out.json").symlink_to(root.parent / "outside/a.json")
    (root / "b/out.json").symlink_to("../../outside/a.json")
    (root / "out").symlink_to(root.parent / "outside")
    (root / "twice.json").symlink_to("out.json")
    with pytest.raises(PathOutside):
        Files(root).read(path)
    with pytest.raises(PathOutside):
        inside(root, path)


def test_a_plain_path_inside_may_have_dots(root: Path) -> None:
    """Dots that stay inside are resolved; the workspace itself may be opened through a link."""
    (root.parent / "link").symlink_to(root)
    for name in ("root", "link"):
        files = Files(root.parent / name)
        assert (
            files.read("b/../a.json") == files.read("./a.json") == files.read("b/c/..//../a.json")
        )
    assert inside(root, "b/../a.json") == root.resolve() / "a.json"


@pytest.mark.parametrize(
    "path",
    [
        "gone.json",
        "b/gone/a.json",
        "a.json/b",
        "ring.json",
        "b",
        "",
        "a\0b",
        "a\0/b",
        "\udcff.json",
        "n" * 300,
        "ring/a.json",
    ],
)
def test_what_is_no_file_is_an_error(root: Path, path: str) -> None:
    """Nothing there, a folder, a ring of links, and names that are none."""
    (root / "ring.json").symlink_to("ring.json")
    (root / "ring").symlink_to("ring")
    with pytest.raises(OSError):
        Files(root).read(path)


def test_a_pipe_keeps_what_is_in_it(root: Path) -> None:
    """A pipe is refused at once, and what another program wrote into it stays there."""
    os.mkfifo(root / "pipe.json")
    pipe = os.open(root / "pipe.json", os.O_RDWR | os.O_NONBLOCK)
    os.write(pipe, b"mine")
    with pytest.raises(OSError, match="not a regular file"):
        Files(root).read("pipe.json")
    assert os.read(pipe, 10) == b"mine"
    os.close(pipe)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may make devices")
@pytest.mark.parametrize("number", [os.makedev(1, 3), os.makedev(1, 5), os.makedev(5, 0)])
def test_a_device_is_refused(root: Path, number: int) -> None:
    """Neither the empty one, nor the endless one, nor a terminal is read."""
    try:
        os.mknod(root / "a.dev", 0o20600, number)
        os.close(os.open(root / "a.dev", os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY))
    except OSError as error:
        pytest.skip(f"no such device here: {error}")
    with pytest.raises(OSError, match="not a regular file"):
        Files(root).read("a.dev")


def test_a_large_file_is_refused(root: Path) -> None:
    """Above the bound a file is not read."""
    (root / "a.json").write_bytes(b" " * 40_000)
    with pytest.raises(TooLarge):
        Files(root).read("a.json", limit=39_999)
    assert len(Files(root).read("a.json", limit=40_000)) == 40_000
    with (root / "a.json").open("r+b") as file:
        file.truncate(MAX_BYTES + 1)
    with pytest.raises(TooLarge):
        Files(root).read("a.json")


def test_a_file_that_grows_while_it_is_read_ends(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However quick its writer is, no more than the bound is read."""
    (root / "a.json").write_bytes(b"x" * 40_000)
    read = os.pread

    def grows(handle: int, count: int, at: int) -> bytes:
        with (root / "a.json").open("ab") as file:
            file.write(b"x" * 2_000_000)
        return read(handle, count, at)

    monkeypatch.setattr(os, "pread", grows)
    with pytest.raises(TooLarge):
        Files(root).read("a.json", limit=10_000_000)


def held(root: Path) -> int:
    """How many files and folders below the root this process holds open.

    Others are left out: what earlier tests left behind may be closed at any moment.
    """
    links = (os.path.realpath(name) for name in Path("/dev/fd").iterdir())
    return sum(link.startswith(str(root.resolve())) for link in links)


def test_folders_may_lie_deep_but_not_endlessly(root: Path) -> None:
    """Up to a bound each is entered; few are held open, whatever is read."""
    deep = "/".join(["d"] * DEEPEST)
    write(root, {f"{deep}/a.json": "deep", **{f"w{n}/a.json": "wide" for n in range(200)}})
    files, before = Files(root), held(root)
    assert files.read(f"{deep}/a.json") == b"deep"
    for number in range(200):
        assert files.read(f"w{number}/a.json") == b"wide"
        assert held(root) <= before + DEEPEST + 2
    (root / deep / "d").mkdir()
    with pytest.raises(OSError, match="folders deep"):
        files.read(f"{deep}/d/a.json")
    del files
    assert held(root) == before


def swap_file(root: Path) -> None:
    """Put a link out of the root in the place of a file."""
    (root / "new").symlink_to(root.parent / "outside/a.json")
    (root / "new").replace(root / "b/a.json")


def swap_folder(root: Path) -> None:
    """Put a link out of the root in the place of a folder."""
    (root / "b").rename(root / "old")
    (root / "b").symlink_to(root.parent / "outside")


@pytest.mark.parametrize("swap", [swap_file, swap_folder])
@pytest.mark.parametrize("first", [True, False])
def test_what_becomes_a_link_is_not_followed_out(
    root: Path, swap: Callable[[Path], None], first: bool
) -> None:
    """Between listing and reading, also when the folder was entered before."""
    files = Files(root)
    if first:
        files.read("a.json")
    swap(root)
    with pytest.raises(PathOutside):
        files.read("b/a.json")


def test_names_that_change_all_the_time_lead_nowhere(root: Path) -> None:
    """A folder and a file that become links and back, many times a second: never the outside."""
    stop = threading.Event()
    (root / "link").symlink_to(root.parent / "outside")
    (root / "link.json").symlink_to(root.parent / "outside/a.json")

    def swap() -> None:
        while not stop.is_set():
            for one, two in (("b", "link"), ("a.json", "link.json")):
                (root / one).rename(root / "aside")
                (root / two).rename(root / one)
                (root / one).rename(root / two)
                (root / "aside").rename(root / one)

    thread = threading.Thread(target=swap)
    thread.start()
    found, end = set(), time.monotonic() + 1.0
    try:
        while time.monotonic() < end:
            for path in ("b/a.json", "a.json"):
                try:
                    found.add(Files(root).read(path))
                except (OSError, PathOutside):
                    found.add(b"refused")
    finally:
        stop.set()
        thread.join()
    assert OUTSIDE.encode() not in found
    assert found >= {b"1", b"2", b"refused"}
