"""A run of a benchmark that new test runs make: written when all are graded, and once."""

import sys
from pathlib import Path

import pytest

from evalcore.benchmarks.definitions import benchmark_named
from evalcore.engine.finishing import finish_run
from evalcore.engine.journal import JOURNAL, Benchmarked, events
from evalcore.engine.plan import Executor, OfBenchmark, Template
from evalcore.engine.process import work
from evalcore.engine.store import RunFolder
from evalcore.errors import CannotRun, UnknownName
from evalcore.memory.defining import Definition, create, retire
from evalcore.tables.rows import BenchmarkRunRow, MessageRow
from tests.engine.conftest import Made, opened, planned, ran
from tests.engine.people import iterations, score
from tests.memory.remembered import rows

WEEKLY = OfBenchmark("Weekly", triggered_by="schedule:nightly", notes="After the rewrite.")
SUITE = "writer"


def benchmark(root: Path, *cases: str) -> None:
    """Run all cases once, so that the suite has a place for records, and create the benchmark."""
    ran(root)
    create(opened(root), SUITE, Definition("Weekly", cases, "quality", 0.8, "ana"), "ana-3f2a")


def runs(root: Path) -> list[BenchmarkRunRow]:
    """Return the runs of the benchmark, oldest first."""
    found = rows(opened(root), BenchmarkRunRow, name="Weekly")
    return sorted(found, key=lambda each: each.ran_at.timestamp() if each.ran_at else 0)


def silent() -> Executor:
    """Return an executor whose output does not hold what the criterion asks for."""
    say = (sys.executable, "-I", "-c", "print('nothing')")
    return Executor("silent", "command", Template(command=say), "yours")


def benchmarked(folder: RunFolder) -> list[Benchmarked]:
    """Return the benchmark runs that a run journaled."""
    return [event for event in events(folder.path) if isinstance(event, Benchmarked)]


def test_its_cases_are_run_and_taken_when_they_are_graded(made: Made) -> None:
    """Exactly these test runs, with who started them and the notes."""
    root = made("write=a.txt", "write=b.txt", "write=c.txt")
    benchmark(root, "1", "3")
    folder = ran(root, benchmark=WEEKLY)
    (found,) = runs(root)
    assert {run.case for run in folder.plan.runs} == {"1", "3"}
    assert (found.runs, found.pass_rate, found.overall_score) == (2, 1.0, 1.0)
    assert (found.triggered_by, found.notes) == ("schedule:nightly", "After the rewrite.")
    assert benchmark_named(opened(root), SUITE, "Weekly").last_score == 1.0
    assert folder.progress().why == ""


def test_a_drop_is_followed_up_at_once(made: Made) -> None:
    """The journal has it in words, and a task and a message are there."""
    root = made("write=a.txt", "write=b.txt")
    benchmark(root, "1", "2")
    ran(root, benchmark=WEEKLY)
    folder = ran(root, silent(), benchmark=WEEKLY)
    (event,) = benchmarked(folder)
    assert "fell from 100.0 % to 0.0 %" in event.regression
    assert {row.kind for row in rows(opened(root), MessageRow)} == {"task", "message"}
    assert len(runs(root)) == 2


def test_it_is_written_once(made: Made) -> None:
    """Also where the process died between writing it and noting that."""
    root = made("write=a.txt")
    benchmark(root, "1")
    folder = ran(root, benchmark=WEEKLY)
    journal = folder.path / JOURNAL
    kept = [line for line in journal.read_bytes().splitlines(True) if b"benchmarked" not in line]
    before = sorted(root.rglob("*.json"))
    work(folder.id)
    assert len(benchmarked(folder)) == 1
    journal.write_bytes(b"".join(kept))
    work(folder.id)
    assert len(benchmarked(folder)) == 1
    assert sorted(root.rglob("*.json")) == before


def test_it_waits_for_people_and_is_written_when_they_have_answered(tmp_path: Path) -> None:
    """With the last grading, wherever that is noticed."""
    root = tmp_path / "folder"
    iterations(root)
    benchmark(root, "1")
    folder = ran(root, judge="human", benchmark=WEEKLY)
    assert runs(root) == []
    run = folder.plan.runs[0].run_id
    score(root, run)
    finish_run(root, run)
    (found,) = runs(root)
    assert (found.runs, found.pass_rate) == (1, 1.0)
    finish_run(root, run)
    assert len(benchmarked(folder)) == 1


def test_without_a_run_of_each_case_it_is_not_written_and_says_why(made: Made) -> None:
    """One of two cases ended in an error."""
    root = made("write=a.txt", "exit=3")
    benchmark(root, "1", "2")
    folder = ran(root, benchmark=WEEKLY)
    assert runs(root) == []
    why = "No benchmark run is written: 1 of its test runs are not done."
    assert folder.progress().why == why


def test_each_configuration_makes_a_run_of_its_own(made: Made) -> None:
    """They are compared with their own earlier ones."""
    root = made("write=a.txt")
    benchmark(root, "1")
    ran(root, benchmark=WEEKLY, configurations=("with_skill", "without_skill"))
    assert {row.configuration for row in runs(root)} == {"with_skill", "without_skill"}


def test_what_cannot_be_a_run_of_it_is_refused(made: Made) -> None:
    """Before anything is executed."""
    root = made("write=a.txt")
    benchmark(root, "1")
    with pytest.raises(UnknownName, match="Weekly"):
        planned(root, benchmark=OfBenchmark("Daily"))
    with pytest.raises(CannotRun, match="runs all of its cases"):
        planned(root, benchmark=WEEKLY, cases=("1",))
    with pytest.raises(CannotRun, match="does not judge again"):
        planned(root, benchmark=WEEKLY, again=True)
    with pytest.raises(CannotRun, match="does not judge again"):
        planned(root, benchmark=WEEKLY, structural_only=True)
    with pytest.raises(CannotRun, match="runs all of its cases"):
        planned(root, benchmark=WEEKLY, cases=("failing",))
    retire(opened(root), benchmark_named(opened(root), SUITE, "Weekly"), "ana")
    with pytest.raises(CannotRun, match="is retired"):
        planned(root, benchmark=WEEKLY)
