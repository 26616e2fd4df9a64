"""What a blind judge is shown of a pair: two files, and nothing of where they come from."""

import json
from base64 import b64encode
from pathlib import Path

from evalcore.blind.judging import Opened, open_task, tasks
from evalcore.judging.studies import Study
from evalcore.views.blind.task import blind_task, task_data, whole_text
from evalcore.workspace.opened import Workspace, open_workspace
from tests.blind.study import created
from tests.judging.copies import ANA

PIXEL = bytes.fromhex(
    "89504e470d0a1a0a0000000d4948445200000001000000010806000000"
    "1f15c4890000000d49444154789c6360000002000001e221bc330000000049454e44ae426082"
)


def first(ws: Workspace) -> tuple[Study, Opened]:
    """Create a study and open Ana's first task."""
    study = created(ws, ANA)
    return study, open_task(ws, study, ANA, next(iter(tasks(study, ANA))))


def folder(ws: Workspace, run: str) -> Path:
    """Return the folder of a run's outputs."""
    return ws.root / str(ws.tables.runs.set_index("run_id").loc[run, "outputs"])


def planted(ws: Workspace, files: dict[str, bytes]) -> Workspace:
    """Put files beside every output, and open the folder again."""
    for outputs in set(ws.tables.runs["outputs"].dropna()):
        for name, data in files.items():
            (ws.root / outputs / name).write_bytes(data)
    return open_workspace(ws.root, cache=False)


def test_nothing_tells_the_versions_cases_runs_or_dates(ws: Workspace) -> None:
    """Of all that goes to the browser, except the texts themselves."""
    study, opened = first(ws)
    told = json.dumps(task_data(blind_task(ws, study, opened)))
    secret = {opened.pair.output_a, opened.pair.output_b, opened.pair.pair, str(ws.root)}
    secret |= {opened.left, opened.right, opened.pair.case_id, study.id, study.since.isoformat()}
    assert not [each for each in secret if len(each) > 3 and each in told]
    assert "iteration-" not in told


def test_left_and_right_are_the_outputs_of_their_runs(ws: Workspace) -> None:
    """Under the same neutral name."""
    study, opened = first(ws)
    task = blind_task(ws, study, opened)
    for shown, run in ((task.left, opened.left), (task.right, opened.right)):
        files = [file for file in folder(ws, run).rglob("*") if file.is_file()]
        assert shown.text is not None
        assert any(shown.text == file.read_text() for file in files)
    assert task.left.name == task.right.name


def test_files_of_the_same_name_open_together(ws: Workspace) -> None:
    """A name that only one side has is empty on the other."""
    ws = planted(ws, {"notes_v2.mdx": b"See v2 in /home/ana/x.", "a" * 90 + ".longending": b"y"})
    study, opened = first(ws)
    (folder(ws, opened.left) / "only.txt").write_text("left only")
    task = blind_task(ws, study, opened)
    assert all("notes" not in name and "v2" not in name for name in task.files)
    assert sum(name.endswith(".mdx") for name in task.files) == 1
    named = next(name for name in task.files if name.endswith(".mdx"))
    chosen = blind_task(ws, study, opened, named)
    assert (chosen.left.name, chosen.right.name) == (named, named)
    assert chosen.left.text == "See ▒▒▒ in ▒▒▒"
    assert chosen.left.masked == 2
    only = next(
        name for name in task.files if blind_task(ws, study, opened, name).left.text == "left only"
    )
    assert blind_task(ws, study, opened, only).right.note == "There is no such file on this side."
    again = open_task(ws, study, ANA, opened.task)
    assert blind_task(ws, study, again).changed


def test_an_image_has_no_address(ws: Workspace) -> None:
    """It is inside the page; one that is too large is not shown."""
    ws = planted(ws, {"a.png": PIXEL, "b.png": PIXEL + bytes(500_000), "c.bin": b"\0\1"})
    study, opened = first(ws)
    shown = [
        blind_task(ws, study, opened, name).left for name in blind_task(ws, study, opened).files
    ]
    images = [each.image for each in shown if each.image is not None]
    assert f"data:image/png;base64,{b64encode(PIXEL).decode()}" in images
    assert all(each.startswith("data:image/") for each in images)
    assert "too large" in " ".join(each.note for each in shown)
    assert "cannot be shown as text" in " ".join(each.note for each in shown)


def test_a_large_text_comes_in_portions(ws: Workspace) -> None:
    """One at a time; the differences are of the whole text."""
    ws = planted(ws, {"big.txt": b"line\n" * 200_000})
    study, opened = first(ws)
    name = next(
        name
        for name in blind_task(ws, study, opened).files
        if blind_task(ws, study, opened, name).left.parts > 1
    )
    second = blind_task(ws, study, opened, name, 2)
    assert second.left.part == second.right.part == 2
    assert len(json.dumps(task_data(second))) < 200_000
    assert len(whole_text(ws, study, opened.left, name, opened)) == 1_000_000


def test_a_text_that_names_its_author_is_marked(ws: Workspace) -> None:
    """On its side."""
    study, opened = first(ws)
    task = blind_task(ws, study, opened)
    assert not task.left.names_author
    for file in folder(ws, opened.right).rglob("*"):
        if file.is_file():
            file.write_text("As Claude, I wrote this.")
    found = blind_task(ws, study, opened)
    assert found.right.names_author
    assert not found.left.names_author
