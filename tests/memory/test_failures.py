"""Failures are recorded by the rules, once, and as a model says them."""

import json
from pathlib import Path
from typing import Any

import pytest

from evalcore.errors import UnknownName
from evalcore.failures.detail import Failure, described
from evalcore.failures.find import failures
from evalcore.judging.answering.classifying import Classified, classify
from evalcore.judging.model import Judge
from evalcore.lint.run import check
from evalcore.memory.failures import (
    Finding,
    new_failures,
    record_failures,
    record_finding,
    unrecorded,
)
from evalcore.tables.rows import MessageRow
from evalcore.workspace.opened import Workspace
from tests.judging.copies import copied
from tests.memory.remembered import NOTES, SUPPORT, again, rows

ANA = Judge("ana-3f2a", "Ana")


def every(ws: Workspace, suite: str) -> dict[str, Failure]:
    """Return the failures of a suite by run."""
    found = described(ws, suite, range(len(failures(ws, suite))))
    return {each.run_id: each for each in found if each.run_id is not None}


def finding(run_id: str, *replaces: str, asked: str = "plan", **fields: Any) -> Finding:
    """Return what a model says of a run."""
    base = Finding(
        asked=asked,
        run_id=run_id,
        at="2026-11-25T02:00:00.000Z",
        type="format-error",
        severity="minor",
        description="A heading is missing.",
        criteria=("rubric:crit-tone",),
        root_cause="It never opened the template.",
        lesson="Open the template first.",
        replaces=replaces,
        about={"model": "fake-1"},
    )
    return base._replace(**fields)


@pytest.mark.parametrize("suite", [NOTES, SUPPORT, "commit-helper", "sql-helper"])
def test_every_failed_run_gets_one_record_and_check_finds_nothing_new(
    tmp_path: Path, suite: str
) -> None:
    """Doing it again writes nothing; where a store has its records already there is nothing.

    A suite that keeps records is held to the hard rules, so a regression that nobody surfaced is
    told then: that is of its benchmark runs.
    """
    ws = copied(tmp_path, suite)
    before, wanted = _codes(ws), len(unrecorded(ws, suite))
    done = record_failures(ws, suite)
    assert len({each.path for each in done}) == wanted
    ws = again(ws)
    assert not len(unrecorded(ws, suite))
    assert record_failures(ws, suite) == ()
    assert _codes(ws) == before
    assert len(every(ws, suite)) >= wanted


def _codes(ws: Workspace) -> list[tuple[str, str]]:
    """Return the problems that the full check finds."""
    found = check(again(ws))
    codes = ((each.path, each.code) for each in found)
    return sorted(each for each in codes if each[1] != "regression-not-surfaced")


def test_a_record_is_about_the_case_of_its_run(tmp_path: Path) -> None:
    """Not about the run, which is named in its fields."""
    ws = copied(tmp_path, NOTES)
    found = {each.about for each in new_failures(ws, NOTES)}
    assert found
    assert found <= {each.case_id for each in every(ws, NOTES).values()}


def test_a_record_says_which_rule_it_is_by_and_names_run_and_criteria(tmp_path: Path) -> None:
    """Its author is evalcore, and it is open: the guess that stood there before, in a file."""
    ws = copied(tmp_path, NOTES)
    guess = described(ws, NOTES, [0])[0]
    place = int(failures(ws, NOTES).run[0])
    (done,) = record_failures(ws, NOTES, [place])
    value = json.loads((ws.root / done.path).read_text("utf-8"))
    assert value["createdBy"] == "evalcore"
    assert value["fields"]["testRunId"] == guess.run_id
    assert value["fields"]["affectedCriterionIds"] == list(guess.criteria)
    assert value["fields"]["description"] == (
        f"{guess.description}\n\nClassified by the rule {guess.rule}: {guess.why}."
    )
    assert "resolvedAt" not in value["fields"]
    now = every(again(ws), NOTES)[guess.run_id or ""]
    assert (now.origin, now.type, now.severity) == ("rule", guess.type, guess.severity)


def test_a_run_that_passed_or_has_a_record_is_passed_over(tmp_path: Path) -> None:
    """Only the failed ones of those that are named get a record."""
    ws = copied(tmp_path, NOTES)
    found = failures(ws, NOTES)
    passed = next(at for at in range(len(ws.tables.runs)) if at not in set(found.run.tolist()))
    assert record_failures(ws, NOTES, [passed]) == ()
    assert record_failures(ws, NOTES, []) == ()
    first = int(found.run[0])
    assert len(record_failures(ws, NOTES, [passed, first])) == 1
    assert record_failures(again(ws), NOTES, [first]) == ()


def test_two_that_record_at_once_write_the_same_files(tmp_path: Path) -> None:
    """The second one finds them stored: its workspace was opened before."""
    ws = copied(tmp_path, NOTES)
    first, second = record_failures(ws, NOTES), record_failures(ws, NOTES)
    assert [each.path for each in first] == [each.path for each in second]
    assert {each.new for each in second} == {False}


def test_an_unknown_suite_is_a_fault_of_the_caller(tmp_path: Path) -> None:
    with pytest.raises(UnknownName):
        record_failures(copied(tmp_path, NOTES), "elsewhere")


def test_what_a_model_says_replaces_a_rule_and_a_person_replaces_the_model(tmp_path: Path) -> None:
    """Each is a record of its own, and the Failures page says who it is by."""
    ws = copied(tmp_path, NOTES)
    record_failures(ws, NOTES)
    ws = again(ws)
    run, ruled = next(iter(every(ws, NOTES).items()))
    record_finding(ws, NOTES, finding(run, *ruled.replaces), "fake-1")
    ws = again(ws)
    said = every(ws, NOTES)[run]
    assert (said.origin, said.author, said.type) == ("model", "model:fake-1", "format-error")
    assert said.root_cause == "It never opened the template."
    classify(ws, NOTES, Classified(run, "refusal", "minor", "It refused."), ANA, said.replaces)
    last = every(again(ws), NOTES)[run]
    assert (last.origin, last.type, last.conflict) == ("person", "refusal", False)


def test_a_lesson_names_the_failure_and_a_later_one_replaces_it(tmp_path: Path) -> None:
    """In a store it is for the agent of the case, and lies beside the store's records."""
    ws = copied(tmp_path, SUPPORT)
    failure = next(each for each in every(ws, SUPPORT).values() if each.resolved_at is None)
    run = failure.run_id or ""
    done = record_finding(ws, SUPPORT, finding(run, *failure.replaces), "fake-1")
    assert [each.path.split("/")[1:3] for each in done] == [
        ["records", "eval-failure"],
        ["records", "memory-item"],
    ]
    ws = again(ws)
    (lesson,) = rows(ws, MessageRow, author="model:fake-1")
    assert (lesson.recipient, lesson.about_type, lesson.about) == (
        "agent-support",
        "eval-failure",
        done[0].id,
    )
    later = finding(run, done[0].id, asked="another", lesson="Ask first.")
    record_finding(ws, SUPPORT, later, "fake-1")
    ws = again(ws)
    (kept,) = rows(ws, MessageRow, author="model:fake-1")
    assert kept.text == "Ask first."
    assert every(ws, SUPPORT)[run].origin == "model"


def test_a_store_names_runs_and_criteria_by_their_own_ids(tmp_path: Path) -> None:
    ws = copied(tmp_path, SUPPORT)
    failure = next(each for each in every(ws, SUPPORT).values() if each.resolved_at is None)
    done = record_finding(ws, SUPPORT, finding(failure.run_id or "", *failure.replaces), "fake-1")
    value = json.loads((ws.root / done[0].path).read_text("utf-8"))
    assert value["fields"]["testRunId"] == failure.run
    assert value["fields"]["affectedCriterionIds"] == ["crit-tone"]
    assert value["supersedes"] == failure.failure_id
    assert value["evalcore"]["judging"] == {"model": "fake-1"}


def test_a_model_does_not_play_down_what_was_recorded(tmp_path: Path) -> None:
    """The severity of a document's record stays, with a word; what it says is quoted in short."""
    ws = copied(tmp_path, SUPPORT)
    run, known = next(
        (run, each)
        for run, each in every(ws, SUPPORT).items()
        if each.severity == "major" and each.resolved_at is None
    )
    record_finding(ws, SUPPORT, finding(run, *known.replaces), "fake-1")
    said = every(again(ws), SUPPORT)[run]
    assert said.severity == "major"
    assert "The model says minor; the severity recorded before stays." in said.description
    assert f"Recorded before: {known.description}" in said.description


@pytest.mark.parametrize("recorded", [False, True])
def test_a_model_may_say_that_a_guess_is_less_severe(tmp_path: Path, recorded: bool) -> None:
    """Recorded or not, a guess is one."""
    ws = copied(tmp_path, NOTES)
    if recorded:
        record_failures(ws, NOTES)
        ws = again(ws)
    run, guess = next(iter(every(ws, NOTES).items()))
    assert (guess.severity, len(guess.replaces)) == ("critical", int(recorded))
    record_finding(ws, NOTES, finding(run, *guess.replaces), "fake-1")
    said = every(again(ws), NOTES)[run]
    assert (said.severity, said.description) == ("minor", "A heading is missing.")


def test_what_is_resolved_stays_resolved(tmp_path: Path) -> None:
    """With the time and the note of whoever resolved it."""
    ws = copied(tmp_path, NOTES)
    run = next(iter(every(ws, NOTES)))
    old = classify(ws, NOTES, Classified(run, None, "minor", "x", resolution="Reworded."), ANA)
    ws = again(ws)
    before = every(ws, NOTES)[run]
    record_finding(ws, NOTES, finding(run, old.id), "fake-1")
    said = every(again(ws), NOTES)[run]
    assert said.resolved_at is not None
    assert (said.resolved_at, said.resolution_notes) == (before.resolved_at, "Reworded.")


def test_what_somebody_said_meanwhile_stands_beside_it(tmp_path: Path) -> None:
    """The model replaces only what stood when it was asked: somebody decides."""
    ws = copied(tmp_path, NOTES)
    run = next(iter(every(ws, NOTES)))
    classify(ws, NOTES, Classified(run, "refusal", "minor", "It refused."), ANA)
    record_finding(ws, NOTES, finding(run), "fake-1")
    assert every(again(ws), NOTES)[run].conflict
