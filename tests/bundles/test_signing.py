"""A bundle is signed and checked with ssh-keygen, only where that is asked for."""

import shutil
import subprocess
from pathlib import Path
from zipfile import ZipFile

import pytest

from evalcore.bundles.reading import opened
from evalcore.bundles.signing import Key, signer
from evalcore.bundles.unpacking import unpack
from evalcore.errors import BundleRefused, CannotBundle
from tests.bundles.made import FILE, entry, forged, manifest_of, with_seal

pytestmark = pytest.mark.skipif(
    shutil.which("ssh-keygen") is None, reason="OpenSSH's ssh-keygen is not installed"
)


def made(folder: Path, name: str, *options: str) -> Key:
    """Make a key, and allow it to sign as its name."""
    file = folder / name
    subprocess.run(
        ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", name, "-f", file, *options],
        check=True,
    )
    return Key(file)


@pytest.fixture
def ana(tmp_path: Path) -> Key:
    """A key that may sign."""
    return made(tmp_path, "ana")


@pytest.fixture
def allowed(tmp_path: Path, ana: Key) -> Path:
    """The file of allowed signers, which names Ana."""
    file = tmp_path / "allowed"
    public = ana.file.with_suffix(".pub").read_text()
    file.write_text(f"ana@example.org {public}")
    return file


def with_signature(out: Path, signature: bytes) -> Path:
    """Write a bundle with a signature."""
    forged(out, {FILE: b"{}"})
    with ZipFile(out, "a") as archive:
        archive.writestr(entry("manifest.json.sig"), signature)
    return with_seal(out)


def test_who_signed_is_said_only_where_it_was_checked(
    tmp_path: Path, ana: Key, allowed: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Opening without signers starts no process."""
    data = manifest_of({FILE: b"{}"})
    file = with_signature(tmp_path / "x.zip", ana.signed(data))
    assert unpack(file, allowed).signed_by == "ana@example.org"
    monkeypatch.setattr(subprocess, "Popen", lambda *_, **__: pytest.fail("A process."))
    found = unpack(file)
    assert (found.signed_by, found.has_signature) == (None, True)


def test_a_wrong_signature_is_refused(tmp_path: Path, ana: Key, allowed: Path) -> None:
    """Of another text, of somebody else, for another purpose, damaged, or none."""
    data = manifest_of({FILE: b"{}"})
    right, bob = ana.signed(data), made(tmp_path, "bob")
    (tmp_path / "text").write_bytes(data)
    subprocess.run(
        ["ssh-keygen", "-q", "-Y", "sign", "-f", ana.file, "-n", "git", tmp_path / "text"],
        check=True,
        capture_output=True,
    )
    wrong = {
        "other text": ana.signed(data + b" "),
        "somebody else": bob.signed(data),
        "a commit's": (tmp_path / "text.sig").read_bytes(),
        "damaged": right.replace(b"A", b"B"),
        "empty": b"",
        "large": bytes(100_000),
        "text": b"-----BEGIN SSH SIGNATURE-----\n",
    }
    for signature in wrong.values():
        with pytest.raises(BundleRefused, match=r"manifest\.json\.sig"):
            unpack(with_signature(tmp_path / "x.zip", signature), allowed)
    with pytest.raises(BundleRefused, match="it is not signed"):
        unpack(forged(tmp_path / "x.zip", {FILE: b"{}"}), allowed)


def test_a_signature_holds_for_every_file(tmp_path: Path, ana: Key, allowed: Path) -> None:
    """Another content under a manifest that was signed is found by its sha256."""
    data = manifest_of({FILE: b"{}"})
    with ZipFile(tmp_path / "x.zip", "w") as archive:
        archive.writestr(entry("manifest.json"), data)
        archive.writestr(entry("manifest.json.sig"), ana.signed(data))
        archive.writestr(entry(FILE), b"[]")
    with opened(tmp_path / "x.zip", allowed) as bundle:
        assert bundle.signed_by == "ana@example.org"
        with pytest.raises(BundleRefused, match="its content was changed"):
            [*bundle.files()]


def test_a_key_that_cannot_sign_says_why(tmp_path: Path) -> None:
    """One that is not there, is none, or asks for its passphrase, which nobody can give here."""
    locked = made(tmp_path, "locked")
    subprocess.run(
        ["ssh-keygen", "-q", "-p", "-P", "", "-N", "secret", "-f", locked.file], check=True
    )
    (tmp_path / "none").write_text("no key")
    for file in (locked.file, tmp_path / "none"):
        with pytest.raises(CannotBundle, match="could not be signed"):
            Key(file).signed(b"x")
    with pytest.raises(CannotBundle, match="There is no key"):
        Key(tmp_path / "missing").signed(b"x")
    with pytest.raises(CannotBundle, match="There is no file"):
        signer(b"x", b"y", tmp_path / "missing")


def test_without_ssh_keygen_that_is_said(
    tmp_path: Path, ana: Key, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the next step."""
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(CannotBundle, match=r"OpenSSH's ssh-keygen; install it\."):
        ana.signed(b"x")
