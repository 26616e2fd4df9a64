"""What rules do not decide is left to people, who find it in the queue."""

import json
from pathlib import Path

import pytest

from evalcore.counting.cells import typed
from evalcore.engine.finishing import finish_all
from evalcore.engine.journal import JOURNAL
from evalcore.engine.people import ask
from evalcore.engine.plan import Executor
from evalcore.engine.process import work
from evalcore.errors import CannotRun
from evalcore.families.graded import Graded, Verdict
from evalcore.judging.answering.submitting import submit
from evalcore.judging.asking.tasks import task
from evalcore.judging.model import Answer
from evalcore.judging.storing.stored_reviews import ReviewFolder, load_reviews, review_folder
from evalcore.tables.rows import RunScoreRow
from tests.engine.conftest import opened, ran, write
from tests.engine.people import ANA, BEN, CY, FAMILIES, OPEN, entries, records, run_of, score

EVERY = pytest.mark.parametrize("family", FAMILIES)


@EVERY
def test_a_new_run_waits_in_the_queue_with_its_criteria(tmp_path: Path, family: str) -> None:
    """It is the run that was planned, it says why it is there, and its outputs can be read."""
    root = tmp_path / "folder"
    folder = run_of(root, family, judge="human")
    planned = folder.plan.runs[0].run_id
    ws = opened(root)
    (entry,) = entries(ws)
    assert (entry.run_id, entry.state) == (planned, "pending")
    words = "sent to judging by evalcore: New run: all 2 criteria are left for people."
    assert entry.reasons[0] == words
    assert family == "rubric" or "unscored" not in entry.why  # its checks are a grading
    of = task(ws, planned, ANA, ())
    assert len(of.criteria) == 2
    assert of.files
    assert folder.progress().runs[0].status == "pending"


@EVERY
def test_the_request_names_the_output_and_who_asks(tmp_path: Path, family: str) -> None:
    """It is a record like any other, of exactly one run."""
    root = tmp_path / "folder"
    run_of(root, family, judge="human")
    ws = opened(root)
    (request,) = records(ws)
    (run,) = ws.tables.runs["run_id"]
    assert (request.created_by, request.fields["judges"]) == ("evalcore", 1)
    assert request.fields["testRunId"] == run
    assert request.basis["outputSha256"] == task(ws, run, ANA, ()).basis.output
    assert ws.tables.problems.query("severity == 'error'").empty


@pytest.mark.parametrize("family", ["iterations", "improve", "descriptions", "records"])
def test_only_what_rules_left_open_is_asked_for(tmp_path: Path, family: str) -> None:
    """The reason says how much that is."""
    root = tmp_path / "folder"
    run_of(root, family)
    (entry,) = entries(opened(root))
    assert entry.reasons[0].endswith("New run: 1 of 2 criteria is left for people.")


@pytest.mark.parametrize("family", ["iterations", "improve", "descriptions", "records"])
def test_what_a_rule_decided_need_not_be_judged(tmp_path: Path, family: str) -> None:
    """The request says it, one score completes the run, and the person's total has both."""
    root = tmp_path / "folder"
    run_of(root, family)
    ws = opened(root)
    (run,) = ws.tables.runs["run_id"]
    of = task(ws, run, ANA, load_reviews(review_folder(ws, "writer")))
    ((key, said),) = of.decided.items()
    assert (len(of.criteria), [each.key for each in of.left]) == (
        2, [each.key for each in of.criteria if each.key != key],
    )  # fmt: skip
    assert (said.passed, said.share, bool(said.why)) == (True, 1.0, True)
    submit(ws, of, [Answer(of.left[0].key, of.left[0].low, "Unfriendly.")], ANA)
    now = opened(root)
    (entry,) = entries(now)
    assert entry.state == "submitted"
    assert len(now.tables.run_scores) == 1
    (total,) = typed(now, "run_scores", RunScoreRow, [0])
    assert (total.judged, total.expected) == (2, 2)
    assert total.score is not None and total.max_score is not None
    assert 0 < total.score < total.max_score


def test_what_a_rule_said_of_another_output_decides_nothing(tmp_path: Path) -> None:
    """Who judges it then is asked for everything."""
    root = tmp_path / "folder"
    run_of(root, "iterations")
    (made,) = root.rglob("outputs/a.txt")
    made.write_text("Another one, done by hand.")
    ws = opened(root)
    (run,) = ws.tables.runs["run_id"]
    of = task(ws, run, ANA, load_reviews(review_folder(ws, "writer")))
    assert (of.decided, of.left) == ({}, of.criteria)


def test_who_judges_independently_is_asked_for_what_rules_decided_too(tmp_path: Path) -> None:
    """And is told nothing of it before: a rule's verdict is a score."""
    root = tmp_path / "folder"
    run_of(root, "iterations")
    ws = opened(root)
    (run,) = ws.tables.runs["run_id"]
    records = load_reviews(review_folder(ws, "writer"))
    of = task(ws, run, ANA, records, independent=True)
    assert (of.decided, of.left) == ({}, of.criteria)


def test_what_a_model_decided_is_told_to_nobody_who_judges(tmp_path: Path) -> None:
    """Its verdicts stay out of the request that leaves the rest to people."""
    root = tmp_path / "folder"
    folder = run_of(root, "iterations", judge="human")
    decided = Verdict("expectation", "a", True, 1.0, "Fine.")
    graded = Graded("m", "llm", "2026-01-01T00:00:00Z", (decided,))
    ask(ReviewFolder(tmp_path, "other"), folder.plan, 0, graded, None)
    (stored,) = (tmp_path / "other").rglob("*.json")
    assert "decided" not in json.loads(stored.read_text("utf-8"))["fields"]


def test_a_run_that_rules_decided_asks_nobody(tmp_path: Path) -> None:
    """It has its grading."""
    root = tmp_path / "folder"
    case = {"id": 1, "prompt": "write=a.txt", "expectations": ['contains "done"']}
    skill = root / "writer"
    skill.mkdir(parents=True)
    (skill / "SKILL.md").write_text("---\nname: writer\ndescription: x\n---\n")
    write(skill / "evals/evals.json", {"skill_name": "writer", "evals": [case]})
    ran(root)
    assert records(opened(root)) == []


@pytest.mark.parametrize("asked", [{"judge": "none"}, {"structural_only": True}])
def test_nobody_is_asked_where_nobody_is_to_judge(tmp_path: Path, asked: dict[str, object]) -> None:
    """The criteria wait for a later judge."""
    root = tmp_path / "folder"
    run_of(root, "iterations", **asked)
    assert records(opened(root)) == []


def test_a_resumed_run_asks_once(tmp_path: Path) -> None:
    """A kill between the request and its line in the journal leaves one request."""
    root = tmp_path / "folder"
    folder = run_of(root, "iterations", judge="human")
    journal = folder.path / JOURNAL
    lines = journal.read_text().splitlines(keepends=True)
    journal.write_text("".join(line for line in lines if '"event":"written"' not in line))
    (root / "writer-workspace/iteration-1/eval-1/with_skill/run-1/outputs/more.txt").write_text("x")
    work(folder.id)
    work(folder.id)
    assert len(records(opened(root))) == 1
    assert folder.progress().runs[0].is_written


def test_a_request_that_cannot_be_stored_is_stored_when_the_run_is_resumed(tmp_path: Path) -> None:
    """The run says why it is not done."""
    root = tmp_path / "folder"
    FAMILIES["improve"](root)
    place = root / "writer-workspace/reviews/approval-request"
    place.parent.mkdir()
    place.write_text("in the way")
    folder = ran(root, judge="human", runs=1, configurations=())
    (one,) = folder.progress().runs
    assert "reviews" in one.failed
    assert not one.is_done
    place.unlink()
    work(folder.id)
    assert len(records(opened(root))) == 1
    assert folder.progress().runs[0].is_done


def test_a_run_waits_until_enough_people_judged_it(tmp_path: Path) -> None:
    """The queue says how many there are, and offers it to further judges."""
    root = tmp_path / "folder"
    folder = run_of(root, "improve", judge="human", judges=2)
    run = folder.plan.runs[0].run_id
    assert entries(opened(root))[0].reasons[0].startswith("sent to judging by evalcore · 0 of 2")
    score(root, run, judge=ANA)
    (mine,), (theirs,) = entries(opened(root), ANA), entries(opened(root), BEN)
    assert (mine.state, theirs.state) == ("needs another judge", "pending")
    assert theirs.reasons[0].startswith("sent to judging by evalcore · 1 of 2 judges: New run")
    score(root, run, judge=BEN)
    (mine,), (third,) = entries(opened(root), ANA), entries(opened(root), CY)
    assert mine.state == "submitted"
    assert "requested" not in third.why


def test_half_of_the_criteria_is_no_judgment_of_the_run(tmp_path: Path) -> None:
    """The request stays open until somebody has scored all of it."""
    root = tmp_path / "folder"
    run = run_of(root, "improve", judge="human").plan.runs[0].run_id
    score(root, run, only="tone")
    assert "requested" in entries(opened(root), BEN)[0].why
    score(root, run, only="done")
    assert "requested" not in entries(opened(root), BEN)[0].why


def test_a_request_whose_run_was_deleted_is_in_nobodys_queue(tmp_path: Path) -> None:
    """There is nothing to judge; the record stays."""
    root = tmp_path / "folder"
    run_of(root, "descriptions", judge="human")
    for path in (root / "writer/eval/runs").rglob("*.json"):
        path.unlink()
    assert entries(opened(root)) == ()


@pytest.mark.parametrize("judges", [0, 21])
def test_a_number_of_judges_that_makes_no_sense_is_refused(tmp_path: Path, judges: int) -> None:
    """Before anything is executed."""
    with pytest.raises(CannotRun, match="judged by 1 to 20 people"):
        run_of(tmp_path / "folder", "improve", judge="human", judges=judges)


def test_the_same_description_is_the_same_version_while_people_are_awaited(tmp_path: Path) -> None:
    """A second run of it is no new version, although nothing is in the benchmark yet."""
    root = tmp_path / "folder"
    run_of(root, "descriptions", judge="human")
    folder = ran(root, judge="human", runs=1, configurations=())
    assert folder.plan.runs[0].version == "d1"
    assert set(opened(root).tables.runs["version"]) == {"d1"}


@pytest.mark.parametrize("family", FAMILIES)
def test_what_rules_may_decide_later_is_graded_from_the_stored_outputs(
    tmp_path: Path, family: str
) -> None:
    """Outputs that wait for people can be graded by rules as well, without executing them."""
    root = tmp_path / "folder"
    run_of(root, family, judge="human")
    rule = 'contains "done"'
    beside = {"descriptions": "eval", "records": "records/test-case"}.get(family, "evals")
    rules = dict.fromkeys((OPEN, "tone", "depth", "Q1", "Q2"), rule)
    write(root / "writer" / beside / "rules.json", {"*": rules})
    ran(root, Executor("stored", "stored"), configurations=())
    (run,) = opened(root).tables.runs.itertuples()
    assert (run.status, run.fraction) == ("completed", 1.0)
    (waiting,) = finish_all(root).waiting
    assert "something else is stored under its name" not in waiting.why
