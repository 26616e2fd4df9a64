"""`evalcore bundle` sends a folder as one file; what is said in it comes back as another."""

import json
import re
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest

from evalcore.bundles.reading import opened
from evalcore.bundles.unpacked import unpacked_at
from evalcore.bundles.unpacking import unpack
from evalcore.workspace.opened import open_workspace
from tests.blind.study import created
from tests.cli.command import ROOT
from tests.cli.conftest import Invoke
from tests.judging.copies import ANA, INVOICES, NOTES, NOTES_RUN, copied, judged

DOCS = (ROOT / "docs" / "sharing.md").read_text("utf-8")
BUNDLES = DOCS[DOCS.index("## Bundles") :]
CALLS = [line.partition("#")[0].strip() for line in BUNDLES.splitlines() if "evalcore " in line[:9]]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with two suites."""
    return copied(tmp_path / "FOLDER", NOTES, INVOICES).root


def test_it_says_what_is_in_the_bundle_and_what_is_not(
    invoke: Invoke, folder: Path, tmp_path: Path
) -> None:
    """Its size, the outputs, and how to open it; a report of each suite is in it."""
    out = tmp_path / "x.evc.zip"
    done = invoke("bundle", folder, "--out", out)
    assert done.exit_code == 0, done.stderr
    first, outputs, how = done.stdout.splitlines()
    assert re.fullmatch(rf"{out} written: [\d,]+ files, \d+ KB, [\d,]+ KB unpacked\.", first)
    assert outputs.startswith("The output files of the runs are not in it")
    assert how == "To open it: evalcore open x.evc.zip"
    with opened(out) as bundle:
        names = [each.path for each in bundle.manifest.files]
    assert [each for each in names if each.startswith("reports/")] == [
        "reports/folder-invoice-extractor-report.html",
        "reports/folder-release-notes-report.html",
    ]


def test_it_counts_the_runs_of_open_studies(invoke: Invoke, folder: Path, tmp_path: Path) -> None:
    """They are not in it: whoever opens it may still judge them."""
    created(open_workspace(folder), ANA)
    done = invoke("bundle", folder, "--suite", INVOICES, "--out", tmp_path / "x.evc.zip")
    said = r"Not in it: \d+ runs of blind studies that are not closed yet\."
    assert [line for line in done.stdout.splitlines() if re.fullmatch(said, line)], done.stdout


def test_the_same_folder_gives_the_same_file(invoke: Invoke, folder: Path, tmp_path: Path) -> None:
    """And none is replaced unasked."""
    out = tmp_path / "x.evc.zip"
    invoke("bundle", folder, "--out", out)
    data = out.read_bytes()
    again = invoke("bundle", folder, "--out", out)
    assert (again.exit_code, "--force" in again.stderr) == (2, True)
    forced = invoke("bundle", folder, "--out", out, "--force", "--json")
    assert (json.loads(forced.stdout)["bytes"], out.read_bytes()) == (len(data), data)
    assert {path.name for path in tmp_path.iterdir()} <= {"FOLDER", "x.evc.zip", "cache", "state"}


@pytest.mark.parametrize(
    "arguments",
    [
        ("check", "{}", "--json"),
        ("failures", "{}", "--json"),
        ("messages", "{}", "--json"),
        ("views", "{}", "--json"),
        ("compare", "{}", "--suite", NOTES, "--json"),
        ("trends", "{}", "--suite", INVOICES, "--json"),
        ("rubric", "{}", "--suite", INVOICES, "--json"),
        ("trust", "{}", "--suite", NOTES, "--json"),
    ],
)
def test_commands_say_of_a_bundle_what_they_say_of_its_folder(
    invoke: Invoke, folder: Path, tmp_path: Path, arguments: tuple[str, ...]
) -> None:
    """They open it the same way."""
    out = tmp_path / "x.evc.zip"
    invoke("bundle", folder, "--out", out)
    one, two = (invoke(*(each.format(path) for each in arguments)).stdout for path in (folder, out))
    there = two.replace(str(unpack(out).root), "").replace(str(out), "")
    assert one.replace(str(folder), "") == there
    assert one


def test_a_bundle_is_compared_with_a_folder(invoke: Invoke, folder: Path, tmp_path: Path) -> None:
    """As the other side."""
    out = tmp_path / "x.evc.zip"
    invoke("bundle", folder, "--suite", NOTES, "--out", out)
    done = invoke("compare", folder, "v3", "v3", "--suite", NOTES, "--with", out)
    assert done.exit_code == 0, done.stderr


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("bundle",), "Name the folder to bundle"),
        (("bundle", "FOLDER"), "--out FILE.evc.zip"),
        (("bundle", "FOLDER", "--out", "x.tar"), "must end in .zip"),
        (("bundle", "FOLDER", "--out", "no/x.zip"), "x.zip was not written"),
        (("bundle", "FOLDER", "--out", "x.zip", "--suite", "s"), "There is no suite"),
        (("bundle", "FOLDER", "--out", "x.zip", "--signers", "f"), "Not all of that goes with"),
        (("bundle", "FOLDER", "--out", "x.zip", "--sign", "key"), "There is no key"),
        (("bundle", "nowhere", "--out", "x.zip"), "does not exist"),
        (("bundle", "empty", "--out", "x.zip"), "has no suite"),
        (("bundle", "--reply", "FOLDER", "--out", "x.zip"), "FOLDER is no bundle"),
        (("bundle", "FOLDER", "--reply", "r.zip", "--out", "x.zip"), "Not all of that goes with"),
        (("bundle", "--take", "r.zip"), "Name the folder too"),
        (("bundle", "--take", "r.zip", "FOLDER"), "There is no file r.zip"),
        (("bundle", "--take", "r.zip", "FOLDER", "--out", "x"), "Not all of that goes with"),
        (("check", "no.zip"), "no.zip was not opened"),
        (("open", "no.zip"), "no.zip was not opened"),
        (("open", "FOLDER", "--signers", "f"), "FOLDER is no bundle"),
    ],
)
def test_what_cannot_be_done_names_the_next_step(
    invoke: Invoke,
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    arguments: tuple[str, ...],
    said: str,
) -> None:
    """Exit code 2, one sentence, and no file."""
    monkeypatch.chdir(folder.parent)
    (folder.parent / "no.zip").write_text("hello")
    (folder.parent / "empty").mkdir()
    done = invoke(*arguments)
    assert (done.exit_code, said in done.stderr) == (2, True), done.stderr
    assert done.stderr.count("\n") == 1
    left = {path.name for path in folder.parent.iterdir()}
    assert left <= {"FOLDER", "no.zip", "empty", "cache", "state"}


def test_a_record_in_the_way_is_named(invoke: Invoke, folder: Path, tmp_path: Path) -> None:
    """With the exit code that says no."""
    invoke("bundle", folder, "--with-outputs", "--out", tmp_path / "x.zip")
    judged(open_workspace(unpack(tmp_path / "x.zip").root), NOTES_RUN)
    invoke("bundle", "--reply", tmp_path / "x.zip", "--out", tmp_path / "r.zip")
    invoke("bundle", "--take", tmp_path / "r.zip", folder)
    path = next((folder / "release-notes-workspace/reviews").glob("*/*.json"))
    path.write_text("{}")
    done = invoke("bundle", "--take", tmp_path / "r.zip", folder)
    assert (done.exit_code, path.name in done.stdout) == (1, True)


def test_the_docs_are_what_runs(
    invoke: Invoke, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every line of the page, one after the other; `open` is left to the tests of the server."""
    if shutil.which("ssh-keygen") is None:
        pytest.skip("OpenSSH's ssh-keygen is not installed")
    monkeypatch.chdir(tmp_path)
    key = tmp_path / "id_ed25519"
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", key], check=True)
    public = key.with_suffix(".pub").read_text()
    (tmp_path / "allowed_signers").write_text(f"ana@example.org {public}")
    assert len(CALLS) == 7
    for call in CALLS:
        words = shlex.split(call)[1:]
        if words[0] == "open":
            root = unpack(tmp_path / words[1]).root
            assert unpacked_at(root) is not None
            judged(open_workspace(root), NOTES_RUN)
            continue
        done = invoke(*words)
        assert done.exit_code == 0, (call, done.stderr)
    assert "signed by ana@example.org" in done.stdout
