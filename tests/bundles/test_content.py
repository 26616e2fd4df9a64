"""A bundle says what the folder says, and holds nothing that is hidden or was not asked for."""

import json
import os
from hashlib import sha256
from pathlib import Path

import pytest

from evalcore.blind.closing import close
from evalcore.bundles.content import content
from evalcore.bundles.reading import opened
from evalcore.bundles.unpacking import unpack
from evalcore.disk.outputs import LEFT_OUT, list_outputs, outputs_digest, stand_in
from evalcore.judging.hiding import studies
from evalcore.tables.rows import TABLES
from evalcore.workspace.opened import Workspace, open_workspace
from tests.bundles.made import bundled
from tests.conftest import REALWORLD
from tests.judging.copies import INVOICES, NOTES, NOTES_RUN, SUPPORT, copied, judged
from tests.report.parsed import DEMO
from tests.twin_folders import BEN, LETTERS, files, twin

FOLDERS = [DEMO, *sorted(path for path in REALWORLD.glob("*") if path.is_dir())]


def other_tables(one: Workspace, two: Workspace) -> list[str]:
    """Return the tables that two snapshots do not share."""
    pairs = ((name, getattr(one.tables, name), getattr(two.tables, name)) for name in TABLES)
    return [name for name, here, there in pairs if not here.equals(there)]


def in_bundle(file: Path) -> dict[str, bytes]:
    """Return the files of a bundle below its folder, and its manifest."""
    with opened(file) as bundle:
        start = f"{bundle.manifest.root}/"
        found = {each.path.removeprefix(start): data for each, data in bundle.files()}
        return found | {"": bundle.sealed.data}


@pytest.mark.parametrize("outputs", [False, True])
@pytest.mark.parametrize("folder", FOLDERS, ids=lambda path: path.name)
def test_the_tables_of_a_bundle_are_those_of_its_folder(
    folder: Path, tmp_path: Path, *, outputs: bool
) -> None:
    """All of them; without the outputs, what is wrong inside those is not told."""
    here = open_workspace(folder, cache=False)
    file = bundled(here, tmp_path / "x.zip", outputs=outputs)
    there = open_workspace(unpack(file).root, cache=False)
    odd = other_tables(here, there)
    assert odd == [] if outputs else set(odd) <= {"problems"}


def test_one_suite_is_the_same_without_the_others(tmp_path: Path) -> None:
    """Its rows, and none of another suite."""
    here = copied(tmp_path / "from", NOTES, INVOICES, SUPPORT)
    there = open_workspace(unpack(bundled(here, tmp_path / "x.zip", INVOICES)).root, cache=False)
    for name in ("runs", "cases", "criteria", "versions", "documents"):
        rows = getattr(here.tables, name)
        own = [*map(str, rows[rows["suite"] == INVOICES].itertuples(index=False))]
        assert own == [*map(str, getattr(there.tables, name).itertuples(index=False))]


def test_the_same_files_give_the_same_bytes(notes: Workspace, tmp_path: Path) -> None:
    """Whatever their dates, and wherever they lie."""
    first = bundled(notes, tmp_path / "1.zip").read_bytes()
    other = copied(tmp_path / "other", NOTES)
    for path in other.root.rglob("*"):
        os.utime(path, (0, 0))
    assert bundled(open_workspace(other.root), tmp_path / "2.zip").read_bytes() == first


def test_outputs_are_left_out_and_stand_for_themselves(notes: Workspace, tmp_path: Path) -> None:
    """A judgment is as fresh as it was, two runs that differ still do, and no file is listed."""
    ws = copied(tmp_path / "from", NOTES)
    judged(ws, NOTES_RUN)
    ws = open_workspace(ws.root, cache=False)
    found = in_bundle(bundled(ws, tmp_path / "x.zip", outputs=False))
    wrote = [path for path in found if "/runs/" in path]
    assert {Path(path).name for path in wrote} == {LEFT_OUT}
    assert len({found[path] for path in wrote}) > 50
    there = open_workspace(unpack(tmp_path / "x.zip").root, cache=False)
    assert other_tables(ws, there) == []
    outputs = there.tables.runs["outputs"].dropna().astype(str)
    assert [each for place in outputs for each in list_outputs(there.root, place)] == []


def test_outputs_that_documents_hold_are_sent_and_said(tmp_path: Path) -> None:
    """A log or a record cannot be sent without them; asked for, they need no sentence."""
    ws = open_workspace(DEMO)
    for suite, runs in (("logs/handbook_answers", 28), (SUPPORT, 35), (NOTES, 0)):
        said = content(ws, [suite], outputs=False).left_out
        held = [f"In it all the same: outputs of {runs} runs, as their documents hold them."]
        assert list(said) == (held if runs else [])
        assert content(ws, [suite], outputs=True).left_out == ()


def test_no_run_can_pass_for_another(tmp_path: Path) -> None:
    """What stands for outputs in a bundle is an output elsewhere: a run may have written it."""
    ws = copied(tmp_path / "from", NOTES)
    place = ws.root / str(ws.tables.runs["outputs"].iloc[0])
    before = outputs_digest(ws.root, str(ws.tables.runs["outputs"].iloc[0]))
    (place / LEFT_OUT).write_bytes(stand_in("0" * 64))
    now = outputs_digest(ws.root, str(ws.tables.runs["outputs"].iloc[0]))
    assert now not in (before, "0" * 64)
    listed = list_outputs(ws.root, str(ws.tables.runs["outputs"].iloc[0]))
    assert LEFT_OUT in {Path(each.path).name for each in listed}


def test_only_the_files_of_cases_that_lie_in_the_suite_are_sent(tmp_path: Path) -> None:
    """A document may name any file: neither one of another folder nor a hidden one is sent."""
    home = tmp_path / "w/pdf/evals"
    home.mkdir(parents=True)
    given = ("files/in.txt", ".env", "../../other/key.txt", "/etc/passwd", "../../.git/config")
    for name in given[:3]:
        (home / name).parent.mkdir(parents=True, exist_ok=True)
        (home / name).write_text("x")
    cases = [{"id": 1, "prompt": "p", "expectations": ["e"], "files": given}]
    (home / "evals.json").write_text(json.dumps({"skill_name": "pdf", "evals": cases}))
    ws = open_workspace(tmp_path / "w", cache=False)
    found = content(ws, ["pdf"], outputs=True)
    assert found.paths == ("pdf/evals/evals.json", "pdf/evals/files/in.txt")


@pytest.mark.parametrize("outputs", [False, True])
def test_what_an_open_study_compares_is_not_sent(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, outputs: bool
) -> None:
    """Twins in which the other version made what is compared give the same bytes."""
    told = []
    for swapped in (False, True):
        monkeypatch.setenv("EVALCORE_STATE_DIR", str(tmp_path / f"{swapped}"))
        ws = twin(tmp_path / f"w{swapped}", tmp_path / f"{swapped}", swapped=swapped, seed=1)
        told.append(bundled(ws, tmp_path / f"{swapped}.zip", outputs=outputs).read_bytes())
        kinds = {path.split("/")[-2] for path in in_bundle(tmp_path / f"{swapped}.zip") if path}
        assert kinds.isdisjoint({"blind-study", "blind-key", "blind-verdict"})
        # The control: all files of the folder tell.
        all_files = "".join(files(ws.root))
        told.append(all_files.encode())
    assert told[0] == told[2]
    assert told[1] != told[3]


def test_a_study_is_sent_once_it_is_closed(tmp_path: Path, state: Path) -> None:
    """With its key: then anybody may know the sides."""
    ws = twin(tmp_path / "w", state, swapped=False, seed=1)
    for study in studies(ws, LETTERS):
        close(ws, study, BEN)
    ws = open_workspace(ws.root, cache=False)
    found = in_bundle(bundled(ws, tmp_path / "x.zip", LETTERS))
    kinds = {path.split("/")[-2] for path in found if path}
    assert {"blind-study", "blind-key", "blind-verdict"} <= kinds


@pytest.mark.parametrize("name", ["a\nb", "a\\b", "C:", "a\u202eb", "x" * 210])
def test_a_name_that_cannot_be_sent_is_left_out_and_said(tmp_path: Path, name: str) -> None:
    """Whatever else is there travels."""
    for case in ("plain", name):
        run = tmp_path / f"w/pdf-workspace/iteration-1/{case}/with_skill"
        run.mkdir(parents=True)
        (run / "grading.json").write_text('{"expectations": [{"text": "t", "passed": true}]}')
    ws = open_workspace(tmp_path / "w", cache=False)
    found = content(ws, ["pdf"], outputs=True)
    (missing,) = set(ws.opened.listing.paths) - set(found.paths)
    assert [repr(missing)[:100] in each for each in found.left_out] == [True]
    there = open_workspace(unpack(bundled(ws, tmp_path / "x.zip")).root, cache=False)
    assert [*there.tables.cases["case_id"].astype(str)] == ["plain"]


def test_links_are_not_followed_out_of_the_folder(tmp_path: Path) -> None:
    """Neither a document nor an output of another place is sent."""
    ws = copied(tmp_path / "from", NOTES)
    secret = tmp_path / "secret.json"
    secret.write_text('{"key": "hunter2"}')
    runs = ws.tables.runs
    place = ws.root / str(runs.loc[runs["run_id"] == NOTES_RUN, "outputs"].iloc[0])
    (place / "more.json").symlink_to(secret)
    (place / "all").symlink_to(tmp_path)
    (ws.root / "release-notes-workspace/grading/more_v1_run1.json").symlink_to(secret)
    ws = open_workspace(ws.root, cache=False)
    found = in_bundle(bundled(ws, tmp_path / "x.zip"))
    assert not any(b"hunter2" in data for data in found.values())


def test_a_file_that_compresses_like_a_bomb_is_sent(tmp_path: Path) -> None:
    """It is stored as it is, so that whoever opens the bundle need not trust it."""
    ws = copied(tmp_path / "from", NOTES)
    runs = ws.tables.runs
    place = ws.root / str(runs.loc[runs["run_id"] == NOTES_RUN, "outputs"].iloc[0])
    (place / "zeros.bin").write_bytes(bytes(3_000_000))
    found = in_bundle(bundled(open_workspace(ws.root, cache=False), tmp_path / "x.zip"))
    zeros = next(data for path, data in found.items() if path.endswith("zeros.bin"))
    assert sha256(zeros).digest() == sha256(bytes(3_000_000)).digest()
