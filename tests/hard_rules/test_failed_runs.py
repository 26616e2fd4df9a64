"""Each run that failed has a record of its failure."""

from pathlib import Path

from evalcore.hard_rules.checking import keeps
from evalcore.lint import check
from evalcore.workspace.opened import Workspace, open_workspace
from tests.families.records_store import a_case, a_rubric, a_run, basic, record, write
from tests.hard_rules.found import counts, found, now, problems
from tests.judging.copies import NOTES, copied
from tests.reviewing import Reviews

CODE = "no-failure"
FAILED = {"r": a_rubric(passingThreshold=4.5), "run": a_run(passed=False)}
FAILURE = {"failureType": "wrong-output", "description": "Too long.", "severity": "minor"}


def store(root: Path, **replaced: object) -> Workspace:
    """Open a store of one run, with some records replaced."""
    write(root, basic(**replaced))  # type: ignore[arg-type] # a record, or None
    return open_workspace(root, cache=False)


def test_a_failed_run_of_a_store_without_a_failure_breaks_the_rule(tmp_path: Path) -> None:
    """It is reported at the record of the run."""
    ws = store(tmp_path, **FAILED)

    assert counts(ws, ".", "failures") == (0, 1, 0)
    (problem,) = (each for each in check(ws) if each.code == CODE)
    assert (problem.path, problem.severity) == (ws.tables.runs["source"].iloc[0], "warning")


def test_a_failure_of_the_store_settles_it(tmp_path: Path) -> None:
    """A run that did not pass and says why keeps the rule."""
    ws = store(tmp_path, **FAILED, f=record("eval-failure", "f", {"testRunId": "run", **FAILURE}))

    assert counts(ws, ".", "failures") == (1, 0, 0)
    assert problems(ws, CODE) == []


def test_a_failure_that_a_person_classified_settles_it_too(tmp_path: Path) -> None:
    """It lies beside the store, in its reviews."""
    ws = store(tmp_path, **FAILED)
    name = ws.tables.runs["run_id"].iloc[0]
    Reviews(tmp_path).put("eval-failure", {"testRunId": name, **FAILURE})

    assert counts(now(ws), ".", "failures") == (1, 0, 0)


def test_runs_that_passed_ask_for_nothing(tmp_path: Path) -> None:
    """A store whose runs all passed has nothing to check."""
    assert found(store(tmp_path), ".", "failures").standing == "nothing to check"


def test_a_failed_run_of_a_draft_is_no_failure(tmp_path: Path) -> None:
    """It counts in no rate, and the page Failures lists it apart."""
    ws = store(tmp_path, **FAILED, case=a_case(status="draft"))

    assert found(ws, ".", "failures").standing == "nothing to check"


def test_a_suite_that_keeps_no_failures_is_not_asked_for_them(tmp_path: Path) -> None:
    """What is missing is counted; no problem is made of what nobody began."""
    ws = copied(tmp_path, NOTES)
    of = found(ws, NOTES, "failures")

    assert len(of.broken) > 1
    assert (of.asked, of.standing) == (False, "not recorded")
    assert problems(ws, CODE) == []


def test_the_first_failure_of_a_suite_makes_every_other_one_missed(tmp_path: Path) -> None:
    """From then on the suite keeps a memory of its failures, which is to be whole."""
    ws = copied(tmp_path, NOTES)
    before = found(ws, NOTES, "failures").broken
    name = ws.tables.runs["run_id"].iloc[int(before[0])]
    Reviews(tmp_path, f"{NOTES}-workspace").put("eval-failure", {"testRunId": name, **FAILURE})
    ws = now(ws)

    assert counts(ws, NOTES, "failures") == (1, len(before) - 1, 0)
    assert len(problems(ws, CODE)) == len(before) - 1


def test_a_failure_that_was_replaced_still_settles_its_run(tmp_path: Path) -> None:
    """The record that replaces it says it of the same run."""
    ws = store(tmp_path, **FAILED, f=record("eval-failure", "f", {"testRunId": "run", **FAILURE}))
    name = ws.tables.runs["run_id"].iloc[0]
    fields = {"testRunId": name, **FAILURE, "severity": "major"}
    Reviews(tmp_path).put("eval-failure", fields, supersedes="f")

    assert counts(now(ws), ".", "failures") == (1, 0, 0)


def test_the_memory_of_one_suite_is_not_that_of_another(tmp_path: Path) -> None:
    """Each begins with its own first record."""
    copied(tmp_path, "commit-helper")
    ws = copied(tmp_path, NOTES)
    run = ws.tables.runs["run_id"][ws.tables.runs["suite"] == NOTES].iloc[0]
    Reviews(tmp_path, f"{NOTES}-workspace").put("eval-failure", {"testRunId": run, **FAILURE})
    ws = now(ws)

    assert keeps(ws, NOTES, "eval-failure")
    assert not keeps(ws, "commit-helper", "eval-failure")
