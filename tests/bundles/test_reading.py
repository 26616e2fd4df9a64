"""Whatever is wrong with a bundle is found before anything of it is used, and named."""

import stat
import struct
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any
from zipfile import ZIP_BZIP2, ZIP_DEFLATED, ZIP_STORED, ZipFile, ZipInfo

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from evalcore.bundles.manifest import SEALED_BY
from evalcore.bundles.reading import opened
from evalcore.bundles.unpacking import unpack
from evalcore.errors import BundleRefused
from evalcore.workspace.opened import Workspace
from tests.bundles.made import FILE, HOME, NAME, bundled, entry, forged, manifest_of
from tests.cli.payloads import PAYLOADS

FLIPS = 1_000


def tree(root: Path) -> dict[str, bytes]:
    """Return every file below a folder."""
    return {
        path.relative_to(root).as_posix(): path.read_bytes()
        for path in root.rglob("*")
        if path.is_file()
    }


def read(file: Path) -> dict[str, bytes]:
    """Return all that a bundle holds, read to its end."""
    with opened(file) as bundle:
        return {each.path: data for each, data in bundle.files()} | {"": bundle.sealed.data}


def test_flipped_bits_are_refused(tmp_path: Path) -> None:
    """Each of 1,000, also where no file depends on it, as on the dates and padding of a zip."""
    texts = {f"{HOME}/iteration-{at}/grading.json": b'{"at": %d}' % at * 9 for at in range(9)}
    file = forged(tmp_path / "x.zip", texts)
    data, chance = file.read_bytes(), Random(38)
    read(file)  # as it was
    for _ in range(FLIPS):
        at, bit = chance.randrange(len(data)), chance.randrange(8)
        file.write_bytes(data[:at] + bytes([data[at] ^ 1 << bit]) + data[at + 1 :])
        with pytest.raises(BundleRefused) as error:
            read(file)
        assert str(file) in str(error.value)


def test_every_flipped_bit_of_content_is_refused_by_name(tmp_path: Path) -> None:
    """Also where the checksums of the zip were made to fit: the sha256 is in the manifest."""
    content = b'{"score": 4}'
    for at in range(len(content) * 8):
        changed = bytearray(content)
        changed[at // 8] ^= 1 << at % 8
        listed = [{"path": FILE, "size": len(content), "sha256": sha256(content).hexdigest()}]
        said = forged(tmp_path / "x.zip", {FILE: bytes(changed)}, listed=listed)
        with pytest.raises(BundleRefused, match="its content was changed") as error:
            read(said)
        assert FILE in str(error.value)


@pytest.mark.parametrize("length", [0, 1, 21, 22, 100, -1, -30])
def test_a_part_of_a_bundle_is_none(sent: Path, length: int) -> None:
    """However much of it is there."""
    sent.write_bytes(sent.read_bytes()[:length])
    with pytest.raises(BundleRefused):
        read(sent)


NAMES = [
    "/etc/passwd", "../x.json", "a/../../x.json", "..", ".", "", "a//b.json", "a/", "a\\b.json",
    "..\\x.json", "C:/x.json", "C:x.json", "x.json:stream", "a\nb.json", "a\tb.json", "a\x7fb.json",
    "a\u202ejson", "a\u2028b", "\x1b[2J.json", ".git/config", "sub/.GIT/hooks/post-checkout",
    "a/" * 60 + "x.json", "x" * 300, "é" * 150, "\u2066x.json", "./x.json", "~/../x.json/..",
]  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_a_name_that_means_another_place_is_refused(tmp_path: Path, state: Path, name: str) -> None:
    """In the list of the zip and in the manifest, and nothing is written anywhere."""
    before = tree(tmp_path)
    file = forged(tmp_path / "x.zip", {f"{HOME}/{name}": b"{}"})
    with pytest.raises(BundleRefused):
        unpack(file)
    file.unlink()
    assert tree(tmp_path) == before
    assert not state.exists()


@pytest.mark.parametrize("payload", [each for each in PAYLOADS if each.isprintable()])
def test_a_name_is_text_or_refused(tmp_path: Path, state: Path, payload: str) -> None:
    """Markup and commands in names are names: a file stands below the folder, or none at all."""
    file = forged(tmp_path / "x.zip", {f"{HOME}/{payload}": b"{}"})
    try:
        root = unpack(file).root
    except BundleRefused:
        assert not state.exists()
    else:
        assert [*tree(root)] == [payload]


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=150)
@given(
    st.text(st.characters(exclude_categories=["Cs"]) | st.sampled_from("./\\:~\0 "), max_size=12)
)
def test_no_name_leads_out_of_the_folder(tmp_path: Path, state: Path, name: str) -> None:
    """Whatever it is."""
    file = tmp_path / "x.zip"
    try:
        forged(file, {f"{HOME}/{name}": b"{}"})
        unpack(file)
    except (BundleRefused, struct.error):
        pass
    outside = {path.name for path in tmp_path.iterdir()} - {"x.zip", "state", "cache"}
    assert outside == set()
    assert {path.name for path in state.glob("*")} <= {"bundles"}


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("a.json", "A.json"), ("a/x.json", "A/x.json"), ("a/x.json", "A/y.json"),
        ("straße.json", "STRASSE.json"), ("\u00e9.json", "e\u0301.json"), ("a", "a/x.json"),
        ("a/x.json", "a"), ("ﬁ.json", "fi.json"),
    ],
)  # fmt: skip
def test_names_that_are_one_on_some_system_are_refused(
    tmp_path: Path, one: str, other: str
) -> None:
    """Both by case and by the form of their letters, and a file that is a folder too."""
    with ZipFile(tmp_path / "x.zip", "w") as archive:
        files = {f"{HOME}/{one}": b"{}", f"{HOME}/{other}": b"{}"}
        archive.writestr(entry("manifest.json"), manifest_of(files))
        for name in (one, other):
            archive.writestr(entry(f"{HOME}/{name}"), b"{}")
    with pytest.raises(BundleRefused, match="on some systems"):
        read(tmp_path / "x.zip")


def test_a_name_that_stands_there_twice_is_refused(tmp_path: Path) -> None:
    """Whoever lists the zip might see the one, and whoever unpacks it the other."""
    with ZipFile(tmp_path / "x.zip", "w") as archive:
        archive.writestr(entry("manifest.json"), manifest_of({FILE: b"{}"}))
        archive.writestr(entry(FILE), b"{}")
        with pytest.warns(UserWarning, match="Duplicate name"):
            archive.writestr(entry(FILE), b"{}")
    with pytest.raises(BundleRefused, match="on some systems"):
        read(tmp_path / "x.zip")


def _bomb(archive: ZipFile) -> None:
    archive.writestr(entry(FILE), bytes(30_000_000))


def _link(archive: ZipFile) -> None:
    archive.writestr(entry(FILE, stat.S_IFLNK | 0o777), b"/etc/passwd")


def _device(archive: ZipFile) -> None:
    archive.writestr(entry(FILE, stat.S_IFCHR | 0o600), b"")


def _folder(archive: ZipFile) -> None:
    archive.writestr(entry(f"{HOME}/sub/", stat.S_IFDIR | 0o700), b"")


def _another_way(archive: ZipFile) -> None:
    info = entry(FILE)
    info.compress_type = ZIP_BZIP2
    archive.writestr(info, b"{}")


@pytest.mark.parametrize(
    ("adds", "said"),
    [
        (_bomb, "it grows to 30,000,000 bytes"),
        (_link, "it is a link"),
        (_device, "it is a link or no regular file"),
        (_folder, "no regular file"),
        (_another_way, "compressed in another way"),
    ],
)
def test_what_a_bundle_never_holds_is_refused(
    tmp_path: Path, adds: Callable[[ZipFile], None], said: str
) -> None:
    """Before a byte of it is unpacked."""
    with ZipFile(tmp_path / "x.zip", "w") as archive:
        archive.writestr(entry("manifest.json"), manifest_of({FILE: b"{}"}))
        adds(archive)
    with pytest.raises(BundleRefused, match=said):
        read(tmp_path / "x.zip")


def test_entries_that_share_their_bytes_are_a_bomb(tmp_path: Path) -> None:
    """Each is small enough, and all of them together are more than the file can hold."""
    names = [f"{HOME}/{at:04}.json" for at in range(2_000)]
    kernel = bytes(range(256)) * 256 + bytes(64 * 150_000)
    with ZipFile(tmp_path / "x.zip", "w") as archive:
        archive.writestr(entry("manifest.json"), manifest_of(dict.fromkeys(names, kernel[:1])))
        archive.writestr(entry(names[0]), kernel[:10_000])
        first = archive.NameToInfo[names[0]]
        for name in names[1:]:
            again = ZipInfo(name)
            again.header_offset, again.CRC = first.header_offset, first.CRC
            again.compress_type, again.external_attr = ZIP_DEFLATED, first.external_attr
            again.compress_size, again.file_size = first.compress_size, 60_000
            archive.filelist.append(again)
    with pytest.raises(BundleRefused):
        read(tmp_path / "x.zip")


def test_an_encrypted_entry_is_refused(tmp_path: Path) -> None:
    """By its mark: nobody is asked for a password."""
    file = forged(tmp_path / "x.zip", {FILE: b"{}"})
    data = bytearray(file.read_bytes())
    at = data.rfind(b"PK\1\2")
    data[at + 8] |= 1
    file.write_bytes(data)
    with pytest.raises(BundleRefused, match="it is encrypted"):
        read(file)


def test_a_long_list_of_files_is_not_read(tmp_path: Path) -> None:
    """Its length stands at the end of the file."""
    file = forged(tmp_path / "x.zip", {FILE: b"{}"})
    data = bytearray(file.read_bytes())
    end = len(data) - SEALED_BY
    data[end - 10 : end - 6] = struct.pack("<L", 0xFFFFFFF0)
    file.write_bytes(data)
    with pytest.raises(BundleRefused, match="it lists more than 250,000 files"):
        read(file)


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ({"format": "zip"}, "no manifest that this evalcore reads"),
        ({"version": 2}, "no manifest that this evalcore reads"),
        ({"made_by": "evalcore 1, signed by Ana"}, "no manifest that this evalcore reads"),
        ({"more": 1}, "no manifest that this evalcore reads"),
        ({"fingerprint": "0" * 64}, "its fingerprint is not that of its files"),
        ({"workspace": ".."}, "no name of a folder"),
        ({"workspace": "a/b"}, "no name of a folder"),
        ({"workspace": ""}, "no name of a folder"),
        ({"workspace": "other"}, "neither below data nor a report"),
        ({"suites": [{"suite": "s", "reviews": "../reviews"}]}, "is no folder of records"),
        ({"suites": [{"suite": "s", "reviews": "all"}]}, "is no folder of records"),
        ({"folders": ["../x"]}, "not a plain path"),
        ({"folders": ["reviews/a.json"]}, "on some systems"),
        ({"kind": "reply"}, "it holds answers to a bundle"),
    ],
)
def test_a_manifest_says_what_is_there(
    tmp_path: Path, state: Path, said: dict[str, Any], why: str
) -> None:
    """In a form that this version knows."""
    with pytest.raises(BundleRefused, match=why):
        unpack(forged(tmp_path / "x.zip", {FILE: b"{}"}, **said))
    assert not state.exists()


def test_files_and_manifest_are_the_same_list(tmp_path: Path) -> None:
    """None is missing, none is more, none has another size."""
    listed = manifest_of({FILE: b"{}"})
    for name, files in {
        "it is missing": {},
        "does not list it": {FILE: b"{}", f"{HOME}/more.json": b"{}"},
        "its size was changed": {FILE: b"{ }"},
    }.items():
        with ZipFile(tmp_path / "x.zip", "w", ZIP_STORED) as archive:
            archive.writestr("manifest.json", listed)
            for path, data in files.items():
                archive.writestr(path, data)
        with pytest.raises(BundleRefused, match=name):
            read(tmp_path / "x.zip")


def test_only_reports_stand_beside_the_data(tmp_path: Path) -> None:
    """Another place is refused, also one that looks like theirs."""
    for name in ("x.json", "data/x.json", "data/other/x.json", "reports/a/b.html", "reports/x.js"):
        with pytest.raises(BundleRefused, match="neither below data nor a report"):
            read(forged(tmp_path / "x.zip", {name: b"{}"}))


def test_what_is_no_zip_is_no_bundle(tmp_path: Path) -> None:
    """Nor is a zip of something else; each says so."""
    (tmp_path / "x.zip").write_bytes(b"PK\3\4" + bytes(200))
    with pytest.raises(BundleRefused, match="it is no bundle"):
        read(tmp_path / "x.zip")
    with ZipFile(tmp_path / "x.zip", "w") as archive:
        archive.writestr("readme.txt", "hello")
    with pytest.raises(BundleRefused, match="so it is no bundle"):
        read(tmp_path / "x.zip")


def test_a_whole_bundle_is_read(notes: Workspace, tmp_path: Path) -> None:
    """The control of all that is refused above."""
    found = read(bundled(notes, tmp_path / "x.zip"))
    assert len(found) > 100
    assert f"data/{NAME}/release-notes/SKILL.md" not in found
