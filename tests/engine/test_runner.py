"""Carry out a plan: each test run is executed, judged and written once, whatever happens."""

import json
from concurrent.futures import Future
from pathlib import Path

import pytest

from evalcore.checks.produced import MAX_TEXT
from evalcore.engine.journal import JOURNAL, Executed, Started, Written, events
from evalcore.engine.kept import Keeper
from evalcore.engine.process import start, work
from evalcore.engine.runner import _outcome
from evalcore.engine.store import RunFolder
from evalcore.errors import CannotRun, UnknownName
from evalcore.families.running import Execution
from tests.engine.conftest import Made, fake_json, opened, planned, ran


def _grading(root: Path, case: int) -> dict[str, object]:
    place = f"writer-workspace/iteration-1/eval-{case}/with_skill/run-1/grading.json"
    value = json.loads((root / place).read_text())
    assert isinstance(value, dict)
    return value


def _statuses(folder: RunFolder) -> list[str]:
    return [one.status for one in folder.progress().runs]


def test_each_case_is_executed_judged_and_written(made: Made) -> None:
    """Every grading is in the workspace, and the run has finished."""
    root = made("write=a.txt", "write=b.txt")
    folder = ran(root)
    assert folder.state() == "finished"
    assert _statuses(folder) == ["completed", "completed"]
    for case in (1, 2):
        assert _grading(root, case)["summary"] == {
            "passed": 1,
            "failed": 0,
            "total": 1,
            "pass_rate": 1.0,
        }


def test_what_a_run_writes_is_read_back_as_its_runs(made: Made) -> None:
    """The opened folder has the runs with their outputs, times and scores."""
    root = made("write=a.txt", "write=b.txt")
    ran(root)
    runs = opened(root).tables.runs
    assert runs["fraction"].tolist() == [1.0, 1.0]
    assert runs["status"].tolist() == ["completed", "completed"]
    assert (runs["duration_s"] > 0).all()


def test_tokens_money_and_model_are_taken_from_what_the_executor_says(made: Made) -> None:
    """A run's totals are those of its executions."""
    folder = ran(made("write=a.txt", "write=b.txt"), fake_json())
    found = folder.progress()
    assert (found.tokens, found.cost_usd) == (240, 0.5)
    assert found.runs[0].execution is not None
    assert found.runs[0].execution.model == "m-1"


@pytest.mark.parametrize(
    ("prompt", "status"),
    [("exit=3", "error"), ("crash", "error"), ("wait=30", "timeout"), ("bytes", "completed")],
)
def test_how_an_executor_ends_is_the_status_of_its_run(
    made: Made, prompt: str, status: str
) -> None:
    """Each end has its word, with a reason beside it."""
    folder = ran(made(prompt), limits={"seconds": 1.0})
    (one,) = folder.progress().runs
    assert one.status == status
    assert one.execution is not None
    assert bool(one.execution.why) == (status != "completed")


def test_a_timeout_fails_every_criterion_in_the_documents(made: Made) -> None:
    """It is a failure of the version, so it counts in the rates."""
    root = made("wait=30")
    ran(root, limits={"seconds": 0.5})
    grading = _grading(root, 1)
    assert grading["summary"] == {"passed": 0, "failed": 1, "total": 1, "pass_rate": 0.0}
    assert opened(root).tables.runs["fraction"].tolist() == [0.0]


def test_an_error_writes_nothing(made: Made) -> None:
    """It says nothing about the version."""
    root = made("exit=3")
    ran(root)
    assert not list(root.rglob("iteration-*"))


def test_an_error_is_tried_again_up_to_the_limit(
    made: Made, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """One that goes away is done then; each try is counted."""
    monkeypatch.setattr("evalcore.engine.runner.FIRST_WAIT", 0.01)
    folder = ran(made(f"once={tmp_path / 'flag'}"), limits={"retries": 1})
    (one,) = folder.progress().runs
    assert (one.status, one.attempts) == ("completed", 2)


def test_an_error_that_stays_ends_after_its_retries(
    made: Made, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two retries are three tries."""
    monkeypatch.setattr("evalcore.engine.runner.FIRST_WAIT", 0.01)
    folder = ran(made("exit=3"), limits={"retries": 2})
    (one,) = folder.progress().runs
    assert (one.status, one.attempts) == ("error", 3)


def test_a_timeout_is_not_tried_again(made: Made) -> None:
    """The version had its time."""
    folder = ran(made("wait=30"), limits={"seconds": 0.3, "retries": 2})
    assert folder.progress().runs[0].attempts == 1


def test_a_finished_run_has_nothing_left_to_do(made: Made, tmp_path: Path) -> None:
    """Working on it again executes nothing and changes no document."""
    note = tmp_path / "calls"
    root = made(f"note={note} write=a.txt")
    folder = ran(root)
    before = {path: path.read_bytes() for path in root.rglob("*") if path.is_file()}
    work(folder.id)
    assert note.read_text() == "started\n"
    assert {path: path.read_bytes() for path in root.rglob("*") if path.is_file()} == before


def test_a_resumed_run_executes_only_what_is_not_journaled(made: Made, tmp_path: Path) -> None:
    """The journal of a killed process is taken up where it ends."""
    notes = [tmp_path / "one", tmp_path / "two"]
    root = made(*(f"note={note} write=a.txt" for note in notes))
    folder = ran(root)
    journal = folder.path / JOURNAL
    lines = journal.read_text().splitlines(keepends=True)
    kept = [line for line in lines if '"run":1' not in line and '"ended"' not in line]
    journal.write_text("".join(kept))
    for path in root.rglob("eval-2"):
        _remove(path)
    assert folder.state() == "interrupted"
    work(folder.id)
    assert [note.read_text().count("started") for note in notes] == [1, 2]
    assert _statuses(folder) == ["completed", "completed"]
    assert folder.progress().runs[1].attempts == 2


def test_a_killed_process_may_have_journaled_that_it_was_executed_and_not_yet_judged(
    made: Made, tmp_path: Path
) -> None:
    """It is judged then, from what is kept, and not executed again."""
    note = tmp_path / "calls"
    root = made(f"note={note} write=a.txt")
    folder = ran(root)
    journal = folder.path / JOURNAL
    lines = journal.read_text().splitlines(keepends=True)
    executed = next(at for at, line in enumerate(lines) if '"event":"executed"' in line)
    (keeper := Keeper(folder, 0)).files(tmp_path, [], "done")
    keeper.result(Execution("completed", reply="done"))
    journal.write_text("".join(lines[: executed + 1]))
    _remove(root / "writer-workspace")
    work(folder.id)
    (one,) = folder.progress().runs
    assert (one.has_grading, one.attempts, note.read_text()) == (True, 1, "started\n")


@pytest.mark.parametrize(("size", "decided"), [(MAX_TEXT - 100, True), (MAX_TEXT + 1, False)])
def test_a_rule_decides_nothing_of_an_output_that_is_too_long_to_read(
    made: Made, size: int, decided: bool
) -> None:
    """Neither by the rest of it, nor by what the executor answered."""
    folder = ran(made(f"write=a.txt big={size}", expectations=['contains "done"']))
    (one,) = folder.progress().runs
    assert one.has_grading is decided
    assert one.graded is not None
    assert ("bytes, of which" in one.graded.judged[0].rationale) is not decided


def test_an_output_that_is_no_text_does_not_stop_a_rule(made: Made) -> None:
    """It is searched as far as it can be decoded."""
    folder = ran(made("write=a.txt binary=b.bin"))
    assert folder.progress().runs[0].has_grading


def test_a_written_run_is_not_executed_again_when_only_its_last_line_is_lost(
    made: Made, tmp_path: Path
) -> None:
    """What was executed and judged is journaled, so only writing is done again."""
    note = tmp_path / "calls"
    root = made(f"note={note}", expectations=["Nobody can decide this by rules."])
    folder = ran(root)
    journal = folder.path / JOURNAL
    lines = journal.read_text().splitlines(keepends=True)
    journal.write_text("".join(line for line in lines if '"event":"written"' not in line))
    work(folder.id)
    assert note.read_text() == "started\n"
    assert folder.progress().runs[0].is_written


def test_a_line_that_was_cut_off_is_no_event_and_spoils_no_other(made: Made) -> None:
    """A kill may cut the journal anywhere; what follows stands on a line of its own."""
    folder = ran(made("write=a.txt"))
    journal = folder.path / JOURNAL
    journal.write_bytes(journal.read_bytes() + b'{"event":"executed","at":"20')
    work(folder.id)
    assert folder.state() == "finished"
    assert [type(event).__name__ for event in events(folder.path)].count("Ended") == 2


def test_every_step_is_journaled_in_its_order(made: Made) -> None:
    """A try is noted before it may cost something."""
    folder = ran(made("write=a.txt"))
    kinds = [type(event).__name__ for event in events(folder.path)]
    assert kinds == ["Begun", "Started", "Executed", "Judged", "Written", "Aggregated", "Ended"]


def test_calls_are_capped(made: Made) -> None:
    """No more are handed out than the limit, and the run says what stopped it."""
    folder = ran(made(*["write=a.txt"] * 5), limits={"calls": 2, "concurrency": 1})
    found = folder.progress()
    assert (folder.state(), found.calls) == ("budget_stopped", 2)
    assert found.why == "The limit of 2 calls is reached."
    assert _statuses(folder).count("pending") == 3


def test_a_run_that_needs_exactly_its_calls_finishes(made: Made) -> None:
    """The bound is what may be used, not what may not."""
    folder = ran(made(*["write=a.txt"] * 2), limits={"calls": 2})
    assert folder.state() == "finished"


@pytest.mark.parametrize("limit", [{"tokens": 240}, {"cost_usd": 0.5}])
def test_tokens_and_money_are_capped(made: Made, limit: dict[str, float]) -> None:
    """What is in work when the bound is reached is finished; nothing more begins."""
    folder = ran(made(*["write=a.txt"] * 6), fake_json(), limits={**limit, "concurrency": 1})
    assert folder.state() == "budget_stopped"
    assert _statuses(folder).count("completed") in (2, 3)


def test_time_is_capped(made: Made) -> None:
    """A run that has taken its time begins nothing more."""
    prompts = ["wait=0.4"] * 6
    folder = ran(made(*prompts), limits={"total_seconds": 0.5, "concurrency": 1})
    assert folder.state() == "budget_stopped"
    assert _statuses(folder).count("pending") >= 3


def test_a_stopped_run_goes_on_where_it_stopped(made: Made) -> None:
    """Its remaining cases are executed, the others not again."""
    folder = planned(made(*["write=a.txt"] * 4), limits={"concurrency": 1})
    folder.ask_to_stop("gently")
    work(folder.id)
    assert (folder.state(), folder.progress().done) == ("cancelled", 0)
    folder.forget_stop()
    work(folder.id)
    assert (folder.state(), folder.progress().done) == ("finished", 4)
    assert all(one.attempts == 1 for one in folder.progress().runs)


def test_two_processes_never_work_on_one_run(made: Made) -> None:
    """The second is refused, as the first holds the lock."""
    folder = planned(made("write=a.txt"))
    with folder.lock():
        assert folder.is_worked_on()
        with pytest.raises(CannotRun, match="in progress already"):
            work(folder.id)
        with pytest.raises(CannotRun, match="in progress already"):
            start(folder)


def test_an_unknown_run_is_refused() -> None:
    """The message says that there is none."""
    with pytest.raises(UnknownName, match="no run"):
        work("01a20aa2")


def test_a_result_of_somebody_else_is_never_overwritten(made: Made) -> None:
    """A run that is put in its place after the plan keeps it; the new one gets the next number."""
    root = made("write=a.txt")
    folder = planned(root)
    place = root / f"{folder.plan.runs[0].place}/grading.json"
    place.parent.mkdir(parents=True)
    place.write_text("{}")
    work(folder.id)
    assert place.read_text() == "{}"
    found = folder.progress()
    assert found.runs[0].is_done
    assert found.plan.runs[0].place.endswith("/run-2")
    assert [path.name for path in place.parent.iterdir()] == ["grading.json"]


def test_events_carry_no_reply(made: Made) -> None:
    """Long answers are kept in files beside the journal, which stays small."""
    folder = ran(made("flood=100000"))
    assert (folder.path / JOURNAL).stat().st_size < 5_000
    assert any(isinstance(event, Executed) for event in events(folder.path))
    assert any(isinstance(event, Written | Started) for event in events(folder.path))


def _remove(folder: Path) -> None:
    for path in sorted(folder.rglob("*"), reverse=True):
        path.rmdir() if path.is_dir() else path.unlink()
    folder.rmdir()


def _from(error: Exception, cause: BaseException) -> Exception:
    error.__cause__ = cause
    return error


MISSING = ImportError("cannot import name 'escape' from 'html'")
TWO = KeyError("two")
LOOP = _from(ValueError("one"), TWO)
TWO.__cause__ = LOOP


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (MISSING, "ImportError: cannot import name 'escape' from 'html'"),
        (ExceptionGroup("unhandled errors in a TaskGroup", [MISSING]), "ImportError: cannot"),
        (_from(OSError("pool"), MISSING), "ImportError: cannot"),
        (
            ExceptionGroup("a", [_from(OSError("b"), ExceptionGroup("c", [MISSING, OSError()]))]),
            "ImportError: cannot",
        ),
        (_from(ExceptionGroup("a", [OSError("b")]), MISSING), "OSError: b"),
        (LOOP, "ValueError: one"),
    ],
)
def test_a_worker_that_failed_says_with_what_it_began(error: BaseException, said: str) -> None:
    """Neither the name of a group nor what was raised from another helps."""
    future = Future[bytes]()
    future.set_exception(error)
    assert _outcome(future).execution.why.startswith(f"The worker failed ({said}")
