"""The grading of a run is written when people have answered: once, whole, and as they said."""

import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from evalcore.counting.people import by_people
from evalcore.engine.finishing import Finished, finish_all, finish_run
from evalcore.engine.journal import JOURNAL, Journal, Judged, Written, events
from evalcore.engine.process import work
from evalcore.engine.store import RunFolder
from evalcore.errors import CannotWrite
from evalcore.judging.agreeing.adjudicating import Decision, adjudicate
from evalcore.judging.agreeing.agreement import agreement
from evalcore.judging.agreeing.scores import RECORDED
from evalcore.judging.answering.submitting import take_back
from tests.engine.conftest import opened
from tests.engine.people import ANA, BEN, CY, FAMILIES, entries, records, run_of, score

EVERY = pytest.mark.parametrize("family", FAMILIES)


def only_run(root: Path) -> Any:
    """Return the row of the only run."""
    runs = opened(root).tables.runs
    assert len(runs) == 1
    return runs.iloc[0]


def asked(tmp_path: Path, family: str = "iterations", **given: Any) -> tuple[Path, str, RunFolder]:
    """Carry out a run that is left to people: the folder of the suite, its id, and the run."""
    root = tmp_path / "folder"
    folder = run_of(root, family, **{"judge": "human", **given})
    return root, folder.plan.runs[0].run_id, folder


def grading(root: Path, folder: RunFolder) -> Any:
    """Return the grading of a run that was written."""
    path = folder.progress().runs[0].paths[-1]
    return json.loads((root / path).read_text())


def written(root: Path, folder: RunFolder) -> list[str]:
    """Return the texts of the documents of a run."""
    return [(root / path).read_text() for path in folder.progress().runs[0].paths]


@EVERY
def test_the_grading_is_written_when_somebody_has_judged_it(tmp_path: Path, family: str) -> None:
    """It counts from then on, as the same run, with the score that people's scores give."""
    root, run, folder = asked(tmp_path, family)
    assert finish_run(root, run).written == ()
    score(root, run, 0.5 if family in ("rubric", "improve") else 1.0)
    assert finish_run(root, run).written == (run,)
    row = only_run(root)
    assert (row["run_id"], row["status"]) == (run, "completed")
    ws = opened(root)
    assert row["fraction"] == by_people(ws).fraction[0]
    human = ws.tables.judgments.query("judge_type == 'human'")
    judged = human[human["kind"] != "convention"]  # nobody was asked about these
    assert set(judged["status"]) == {"scored"}
    assert any("Says Ana." in text for text in written(root, folder))
    if family == "records":  # which has its judge in each judgment
        assert (row["judge"], row["judge_type"]) == ("ana-3f2a", "human")
    else:
        found = grading(root, folder)
        assert (found["judge"], found["judge_type"]) == ("ana-3f2a", "human")
    problems = ws.tables.problems
    assert problems.query("severity == 'error' or code == 'derived-mismatch'").empty


@EVERY
def test_what_a_person_said_counts_once(tmp_path: Path, family: str) -> None:
    """The grading repeats it: there is nobody else to agree with but the structural checks."""
    root, run, _ = asked(tmp_path, family)
    score(root, run)
    finish_run(root, run)
    ws = opened(root)
    assert by_people(ws).judges.tolist() == [1]
    found = agreement(ws, ws.tables.suites["suite"].iloc[0], recorded=True)
    machines = {RECORDED} if family == "rubric" else set()
    assert {name for name, _ in found.judges} - {ANA.id} == machines
    assert found.units == 0


@EVERY
def test_nothing_is_written_twice(tmp_path: Path, family: str) -> None:
    """Finishing again, and working on the run again, changes no byte."""
    root, run, folder = asked(tmp_path, family)
    score(root, run)
    finish_run(root, run)
    before = {path: path.read_bytes() for path in root.rglob("*") if path.is_file()}
    assert finish_all(root) == Finished()
    work(folder.id)
    assert {path: path.read_bytes() for path in root.rglob("*") if path.is_file()} == before
    written = [e for e in events(folder.path) if isinstance(e, Written) and e.graded]
    assert len(written) == 1
    assert not folder.done(0).exists()


@pytest.mark.parametrize("family", ["iterations", "improve", "descriptions"])
def test_rules_decide_what_they_can_and_people_the_rest(tmp_path: Path, family: str) -> None:
    """One criterion is judged by a person; the verdict on the other is that of the run."""
    root, run, folder = asked(tmp_path, family, judge="rules")
    key = "tone" if family == "improve" else "friendly"
    score(root, run, 0.0, only=key, why="It is rude.")
    assert finish_run(root, run).written == (run,)
    found = grading(root, folder)
    assert found["judge"] == "ana-3f2a, evalcore-rules"
    items = found.get("expectations") or found.get("results") or found["assertions"]
    assert [each.get("passed", each.get("result") == "pass") for each in items] == [True, False]
    assert "It is rude." in json.dumps(items[1])
    assert records(opened(root)) == [] or all(
        each.fields.get("done") for each in records(opened(root))[1:]
    )
    assert "requested" not in entries(opened(root), BEN)[0].why


def test_it_waits_for_as_many_judges_as_the_run_asks_for(tmp_path: Path) -> None:
    """What is written is the median of them, with what each of them said."""
    root, run, folder = asked(tmp_path, "improve", judges=3)
    for judge, share in ((ANA, 0.25), (BEN, 0.75)):
        score(root, run, share, judge)
        (waiting,) = finish_run(root, run).waiting
    assert waiting.why == "2 of 3 judges have scored 'done'."
    score(root, run, 1.0, CY)
    assert finish_run(root, run).written == (run,)
    found = grading(root, folder)
    assert [each["score"] for each in found["results"]] == [4, 4]
    assert found["judge"] == "ana-3f2a, ben-77c0, cy-0001"
    said = "ana-3f2a: Says Ana.\n\nben-77c0: Says Ben.\n\ncy-0001: Says Cy."
    assert found["results"][0]["reasoning"] == said


def test_two_judges_mean_the_lower_of_their_scores_in_a_document(tmp_path: Path) -> None:
    """Its scores are whole numbers; the middle of people's scores is not rounded (0044)."""
    root, run, folder = asked(tmp_path, "rubric", judges=2)
    score(root, run, 0.5, ANA)
    score(root, run, 0.75, BEN)
    assert finish_run(root, run).written == (run,)
    assert grading(root, folder)["rubric_scores"]["tone"]["score"] == 3
    ws = opened(root)
    assert ws.tables.runs["fraction"].iloc[0] == 0.6
    assert by_people(ws).fraction[0] == 0.7


def test_judges_that_are_evenly_divided_decide_nothing(tmp_path: Path) -> None:
    """A further judge does, or somebody who adjudicates."""
    root, run, _ = asked(tmp_path, "iterations", judges=2)
    score(root, run, 1.0, ANA)
    score(root, run, 0.0, BEN)
    (waiting,) = finish_run(root, run).waiting
    assert "evenly divided" in waiting.why
    score(root, run, 1.0, CY)
    assert finish_run(root, run).written == (run,)
    assert only_run(root)["fraction"] == 1.0


def test_a_second_judge_may_come_at_the_same_moment(tmp_path: Path) -> None:
    """Whoever holds the run writes for both; the other one finds nothing left to do."""
    root, run, folder = asked(tmp_path, "improve", judges=2)
    score(root, run, 1.0, ANA)
    score(root, run, 1.0, BEN)
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda _: finish_run(root, run), range(4)))
    assert [run for each in found for run in each.written] == [run]
    assert sum(isinstance(e, Written) and e.graded for e in events(folder.path)) == 1


def test_people_may_answer_while_the_run_goes_on(tmp_path: Path) -> None:
    """Whoever works on it writes what they said when it ends."""
    root, run, folder = asked(tmp_path, "improve")
    score(root, run)
    journal = folder.path / JOURNAL
    journal.write_text(
        "".join(
            line
            for line in journal.read_text().splitlines(keepends=True)
            if '"event":"ended"' not in line
        )
    )
    with folder.lock():
        (waiting,) = finish_run(root, run).waiting
    assert "in progress" in waiting.why
    work(folder.id)
    assert only_run(root)["status"] == "completed"


@EVERY
def test_a_kill_between_the_record_and_the_grading_loses_nothing(
    tmp_path: Path, family: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The next look writes exactly what was decided then, although scores changed since."""
    root, run, folder = asked(tmp_path, family)
    score(root, run, 1.0)

    def killed(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("evalcore.engine.finishing.write_gradings", killed)
        with pytest.raises(KeyboardInterrupt):
            finish_run(root, run)
    assert any(
        isinstance(e, Judged) and e.graded.judge_type == "human" for e in events(folder.path)
    )
    score(root, run, 0.0)
    assert finish_all(root).written == (run,)
    assert only_run(root)["fraction"] == 1.0


def test_a_kill_after_the_grading_leaves_its_line_and_the_aggregates_to_the_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The documents are there; what was not journaled is done again without a second copy."""
    root, run, _ = asked(tmp_path, "improve")
    score(root, run)
    add = Journal.add

    def killed(self: Journal, event: Any, **given: Any) -> None:
        if isinstance(event, Written):
            raise KeyboardInterrupt
        add(self, event, **given)

    with monkeypatch.context() as patch:
        patch.setattr(Journal, "add", killed)
        with pytest.raises(KeyboardInterrupt):
            finish_run(root, run)
    assert only_run(root)["status"] == "completed"
    assert finish_all(root).written == (run,)
    assert json.loads((root / "writer-workspace/history.json").read_text())["versions"][0][
        "average_score"
    ] == 5.0  # fmt: skip


def test_aggregates_that_a_kill_left_out_are_written_by_the_next_look(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They follow the gradings, however late."""
    root, run, _ = asked(tmp_path, "improve")
    score(root, run)

    def killed(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("evalcore.engine.finishing.write_aggregates", killed)
        with pytest.raises(KeyboardInterrupt):
            finish_run(root, run)
    assert finish_all(root).aggregated == ("writer-workspace/history.json",)


@EVERY
def test_an_output_that_changed_is_not_graded_as_the_old_one(tmp_path: Path, family: str) -> None:
    """The verdicts of the run are on what it produced."""
    root, run, _ = asked(tmp_path, family)
    score(root, run)
    path = root / only_run(root)["outputs"]
    path = path if path.is_file() else next(each for each in path.rglob("*") if each.is_file())
    path.write_text(path.read_text().replace("done", "undone") + " ")
    (waiting,) = finish_run(root, run).waiting
    assert "Its output has changed" in waiting.why


def test_a_run_that_was_deleted_is_not_written(tmp_path: Path) -> None:
    """There is nothing to write it of, and it says so."""
    root, run, _ = asked(tmp_path, "descriptions")
    score(root, run)
    for path in (root / "writer/eval/runs").rglob("*.json"):
        path.unlink()
    (waiting,) = finish_run(root, run).waiting
    assert "no longer in the folder" in waiting.why
    assert not list(root.rglob("grading"))


def test_a_score_that_is_taken_back_before_does_not_count(tmp_path: Path) -> None:
    """The run waits again."""
    root, run, _ = asked(tmp_path, "improve")
    score(root, run)
    take_back(opened(root), run, ANA)
    (waiting,) = finish_run(root, run).waiting
    assert waiting.why == "0 of 1 judge has scored 'done'."


def test_a_score_that_is_taken_back_after_leaves_the_grading(tmp_path: Path) -> None:
    """It is a document that is never changed; people's own scores follow their records."""
    root, run, folder = asked(tmp_path, "improve")
    score(root, run)
    finish_run(root, run)
    before = grading(root, folder)
    take_back(opened(root), run, ANA)
    assert finish_all(root) == Finished()
    assert grading(root, folder) == before
    assert by_people(opened(root)).judges[0] == 0


def test_a_grading_of_somebody_else_is_left_alone(tmp_path: Path) -> None:
    """It says so, and writes its reason once."""
    root, run, folder = asked(tmp_path, "improve")
    score(root, run)
    place = root / "writer-workspace/grading/one_v0_run1.json"
    place.parent.mkdir()
    place.write_text("{}")
    for _ in range(2):
        (waiting,) = finish_run(root, run).waiting
        assert "something else is stored under its name" in waiting.why
    assert place.read_text() == "{}"
    journal = (folder.path / JOURNAL).read_text()
    assert journal.count('"event":"failed"') == 1


def test_a_full_disk_leaves_everything_to_the_next_look(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The run says why it is not written."""
    root, run, _ = asked(tmp_path, "improve")
    score(root, run)

    def full(*_: object) -> None:
        raise CannotWrite(root, "the disk is full")

    with monkeypatch.context() as patch:
        patch.setattr("evalcore.engine.finishing.write_gradings", full)
        (waiting,) = finish_run(root, run).waiting
    assert "the disk is full" in waiting.why
    assert finish_run(root, run).written == (run,)


def test_an_adjudication_outranks_the_judges(tmp_path: Path) -> None:
    """As it does in people's scores."""
    root, run, folder = asked(tmp_path, "iterations", judge="rules", judges=2)
    score(root, run, 1.0, ANA, only="friendly")
    score(root, run, 0.0, BEN, only="friendly")
    ws = opened(root)
    ids = [each.id for each in records(ws, "eval-judgment")]
    key = records(ws, "eval-judgment")[0].fields["criterionId"]
    adjudicate(ws, Decision(run, key, 0.0, "It is not.", tuple(ids)), CY)
    assert finish_run(root, run).written == (run,)
    items = grading(root, folder)["expectations"]
    assert (items[1]["passed"], items[1]["evidence"]) == (False, "It is not.")


@EVERY
def test_runs_that_are_answered_one_after_the_other_are_all_aggregated(
    tmp_path: Path, family: str
) -> None:
    """Each is written when it is answered; the aggregates follow."""
    root, first, folder = asked(tmp_path, family, runs=2)
    second = folder.plan.runs[1].run_id
    score(root, first)
    assert finish_run(root, first).written == (first,)
    assert folder.progress().statuses == {"completed": 1, "pending": 1}
    score(root, second, 0.0)
    found = finish_run(root, second)
    assert (found.written, found.waiting) == ((second,), ())
    assert bool(found.aggregated) == (family != "records")  # which has no aggregates
    ws = opened(root)
    assert sorted(ws.tables.runs["status"]) == ["completed", "completed"]
    assert ws.tables.problems.query("code == 'derived-mismatch'").empty
