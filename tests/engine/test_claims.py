"""Each test run owns its place before it is executed, so that no two runs share one."""

import errno
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from evalcore.cli.planned import plan_lines
from evalcore.cli.running import run_document
from evalcore.engine.claims import Claims
from evalcore.engine.estimate import estimate
from evalcore.engine.journal import JOURNAL, Written, events
from evalcore.engine.process import start, work
from evalcore.engine.runner import Runner
from evalcore.engine.store import RunFolder, in_progress, new_run
from evalcore.errors import CannotWrite
from evalcore.families.running import CLAIM, claim_of
from evalcore.judging.storing.store import new_id
from evalcore.views.runs.form import plan_blocks
from tests.engine.conftest import Made, opened, planned
from tests.engine.people import FAMILIES

WITH = "writer-workspace/iteration-1/eval-1/with_skill"


def _claims(root: Path) -> list[str]:
    return sorted(path.name for path in root.rglob(f".*{CLAIM}") if os.path.lexists(path))


def _places(folder: RunFolder) -> list[str]:
    return [run.place for run in folder.progress().plan.runs]


def _owned(folder: RunFolder) -> None:
    """Let a run own its places, as if its process had been killed then."""
    claims = Claims(folder.plan)
    for run in folder.plan.runs:
        claims.own(run, run, is_new=True)


@pytest.fixture(params=[True, False], ids=["links", "no links"])
def links(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run a test on a disk that has links, and on one that has none."""
    if not request.param:

        def refused(*_: object, **__: object) -> None:
            raise OSError(errno.EPERM, "no links here")

        monkeypatch.setattr(os, "symlink", refused)


@pytest.mark.usefixtures("links")
@pytest.mark.parametrize("family", FAMILIES)
def test_runs_that_planned_the_same_places_get_places_of_their_own(
    family: str, tmp_path: Path
) -> None:
    """Both were planned before one began; each is stored whole, and no claim is left."""
    root = tmp_path / "folder"
    FAMILIES[family](root)
    asked: dict[str, Any] = {"configurations": (), "runs": 2}
    one, two = planned(root, **asked), planned(root, **asked)
    plan = msgspec.structs.replace(one.plan, id=two.plan.id)  # planned in the same millisecond
    two = RunFolder(two.path)
    (two.path / "plan.json").write_bytes(msgspec.json.encode(plan))
    assert [work(each.id) for each in (one, two)] == ["finished", "finished"]
    places = [*_places(one), *_places(two)]
    assert len(set(places)) == len(places)
    assert len(opened(root).tables.runs) == len(places)
    assert _claims(root) == []


def test_everything_is_owned_before_anything_is_executed(
    made: Made, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The claims of all test runs are there when the first one is handed out."""
    root, seen = made("write=a.txt", "write=b.txt"), list[int]()
    handed_out = Runner._submitted

    def submitted(runner: Runner, index: int) -> Any:
        seen.append(len(_claims(root)))
        return handed_out(runner, index)

    monkeypatch.setattr(Runner, "_submitted", submitted)
    work(planned(root, runs=2, limits={"concurrency": 1}).id)
    assert seen[0] == 4


@pytest.mark.usefixtures("links")
def test_what_a_killed_run_owns_is_left_to_it(made: Made) -> None:
    """Another run takes the next numbers; its own resume goes on where it was."""
    root = made("write=a.txt")
    killed, other = planned(root), planned(root)
    _owned(killed)
    work(other.id)
    assert _places(other) == [f"{WITH}/run-2"]
    work(killed.id)
    assert _places(killed) == [f"{WITH}/run-1"]
    assert killed.progress().moved == set()


def test_a_plan_counts_what_runs_in_progress_own(made: Made) -> None:
    """The next iteration is another one; further runs of the one that is begun get free numbers."""
    root = made("write=a.txt")
    _owned(planned(root))
    assert [run.version for run in planned(root).plan.runs] == ["iteration-2"]
    further = planned(root, versions=("iteration-1",))
    assert [run.place for run in further.plan.runs] == [f"{WITH}/run-2"]


def test_two_planned_runs_of_a_case_stay_two(made: Made) -> None:
    """Where another run owns the first number, both move on."""
    root = made("write=a.txt")
    folder, other = planned(root, runs=2), planned(root)
    _owned(other)
    work(folder.id)
    assert _places(folder) == [f"{WITH}/run-2", f"{WITH}/run-3"]


def test_what_was_executed_and_found_its_place_taken_is_stored_when_resumed(
    made: Made, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing is executed again, also where an older evalcore owned no place."""
    note = tmp_path / "calls"
    root = made(f"note={note} write=a.txt")
    loser, winner = planned(root), planned(root)
    with monkeypatch.context() as older:
        older.setattr(Claims, "own", lambda _self, _planned, run, **_: run)
        older.setattr(Claims, "another", _refused)
        work(winner.id)
        work(loser.id)
        assert loser.state() == "interrupted"
        assert "store it as a new one" in loser.progress().runs[0].failed
    kept = {path: path.read_bytes() for path in (root / WITH / "run-1").rglob("*.*")}
    assert work(loser.id) == "finished"
    assert _places(loser) == [f"{WITH}/run-2"]
    assert note.read_text() == "started\n" * 2
    assert {path: path.read_bytes() for path in kept} == kept


def _refused(*_: object) -> None:
    raise CannotWrite(Path("x"), "something else is stored under its name; store it as a new one")


def test_what_moved_is_said(made: Made) -> None:
    """By the command, with the ids under which it is stored."""
    root = made("write=a.txt")
    folder, other = planned(root), planned(root)
    _owned(other)
    work(folder.id)
    value = run_document(folder)
    assert value["moved"] == [
        "1 test run has another number than planned: another run owns the planned place."
    ]
    assert opened(root).tables.runs["run_id"].tolist() == [folder.progress().plan.runs[0].run_id]


def _stored(root: Path, made: Made) -> RunFolder:
    """Return a plan that grades the only output, which waits for its grading."""
    made("write=a.txt", expectations=["Nobody can decide this."])
    work(planned(root).id)
    made("write=a.txt", expectations=['contains "done"'])
    from evalcore.engine.plan import Executor  # noqa: PLC0415

    return planned(root, Executor("stored", "stored"))


def test_a_stored_output_that_another_run_works_on_is_left_for_later(made: Made) -> None:
    """It is not judged a second time, and stays where it is; resuming judges it."""
    root = made("write=a.txt")
    _owned(other := _stored(root, made))
    folder = new_run(msgspec.structs.replace(other.plan, id=new_id()))
    assert work(folder.id) == "interrupted"
    assert f"Run {other.id} owns its output" in folder.progress().runs[0].failed
    assert folder.progress().runs[0].execution is None
    Claims(other.plan).release(other.plan.runs[0], other.plan.runs[0])
    assert work(folder.id) == "finished"


def test_a_stored_output_that_was_graded_meanwhile_is_not_judged_again(made: Made) -> None:
    """The grading stays as it is, and the reason is said."""
    root = made("write=a.txt")
    folder = _stored(root, made)
    grading = root / WITH / "run-1/grading.json"
    grading.write_text("{}")
    assert work(folder.id) == "interrupted"
    assert "graded meanwhile" in folder.progress().runs[0].failed
    assert grading.read_text() == "{}"


PLANTED: dict[str, Callable[[Path], object]] = {
    "a file": lambda path: path.write_bytes(b"\xff\n"),
    "an empty file": Path.touch,
    "a large file": lambda path: path.write_text("x" * 100_000),
    "a folder": Path.mkdir,
    "a pipe": os.mkfifo,
    "a link": lambda path: path.symlink_to("/etc/passwd"),
}


@pytest.mark.parametrize("plant", PLANTED)
def test_whatever_has_the_name_of_a_claim_is_left_alone(made: Made, plant: str) -> None:
    """It is somebody else's: the next number is taken."""
    root = made("write=a.txt")
    folder = planned(root)
    mark = root / claim_of(folder.plan.runs[0])
    mark.parent.mkdir(parents=True)
    PLANTED[plant](mark)
    before = os.lstat(mark)
    work(folder.id)
    assert _places(folder) == [f"{WITH}/run-2"]
    assert (os.lstat(mark).st_ino, os.lstat(mark).st_size) == (before.st_ino, before.st_size)


def test_nothing_is_executed_where_no_place_can_be_owned(made: Made, tmp_path: Path) -> None:
    """The folder cannot be written to, which is known before anything is paid."""
    note = tmp_path / "calls"
    root = made(f"note={note} write=a.txt")
    folder = planned(root)
    (root / "writer-workspace").write_text("not a folder")
    assert work(folder.id) == "interrupted"
    assert "Nothing more was executed" in folder.progress().why
    assert not note.exists()


def test_a_run_in_progress_is_known_by_its_suite(made: Made) -> None:
    """While its process works, and no longer; what is planned meanwhile names it."""
    root = made("wait=30")
    folder = planned(root)
    suite = folder.plan.suite
    assert in_progress(root, suite) == []
    start(folder)
    assert [each.id for each in in_progress(root, suite)] == [folder.id]
    assert in_progress(root, "another") == []
    ws, plan = opened(root), planned(root).plan
    expected = estimate(ws.tables, plan)
    for said in (plan_lines(plan, expected)[0], str(plan_blocks(ws, plan, expected)[0])):
        assert f"Run {folder.id[:13]} of this suite is in progress: 0 of 1 done." in said
    folder.ask_to_stop("now")


def test_a_run_in_progress_whose_plan_cannot_be_read_stops_no_other(made: Made) -> None:
    """Another evalcore works on it, of which suite nobody knows."""
    root = made("write=a.txt")
    plan = planned(root).plan
    folder = new_run(msgspec.structs.replace(plan, id=f"{plan.id[:-4]}0000"))
    (folder.path / "plan.json").write_text("{")
    with folder.lock():
        assert folder.is_worked_on()
        assert in_progress(root, plan.suite) == []


def test_a_plan_of_more_than_a_few_megabytes_is_kept(made: Made) -> None:
    """A run of many cases starts as its dry run said."""
    plan = planned(made("write=a.txt")).plan
    runs = tuple(
        msgspec.structs.replace(plan.runs[0], run=str(n), place=f"{WITH}/run-{n}")
        for n in range(30_000)
    )
    large = msgspec.structs.replace(plan, id=f"{plan.id[:-4]}0000", runs=runs)
    folder = new_run(large)
    assert (folder.path / "plan.json").stat().st_size > 4 * 1024 * 1024
    assert RunFolder(folder.path).plan == large


def test_what_is_kept_of_a_run_is_dropped_only_when_the_disk_has_its_journal(
    made: Made, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else a power failure would take both, and it would be executed again."""
    flushed, dropped = [0], list[bool]()
    flush, drop = os.fsync, RunFolder.drop

    def to_disk(handle: int) -> None:
        flush(handle)
        flushed[0] = os.fstat(handle).st_size

    def noted(folder: RunFolder, index: int) -> None:
        durable = folder.path / "durable"
        durable.mkdir(exist_ok=True)
        (durable / JOURNAL).write_bytes((folder.path / JOURNAL).read_bytes()[: flushed[0]])
        known = {event.run for event in events(durable) if isinstance(event, Written)}
        dropped.append(index in known)
        drop(folder, index)

    monkeypatch.setattr("evalcore.engine.journal.flush", to_disk)
    monkeypatch.setattr(RunFolder, "drop", noted)
    work(planned(made("write=a.txt", "write=b.txt", "write=c.txt")).id)
    assert dropped == [True, True, True]
