"""Judging stored outputs again: records beside gradings that stay, in every family."""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from evalcore.engine.again import SecondJudgments
from evalcore.engine.estimate import estimate
from evalcore.engine.executing.stored import read_stored, stored_digest
from evalcore.engine.finishing import finish_all
from evalcore.engine.graded_runs import graded_targets
from evalcore.engine.journal import events
from evalcore.engine.plan import Executor
from evalcore.engine.planning import Request, graded_of, make_plan, suite_of
from evalcore.engine.process import work
from evalcore.engine.store import RunFolder
from evalcore.engine.written import places
from evalcore.errors import CannotRun, CannotWrite, UnknownName
from evalcore.judging.queueing.queue import queue
from evalcore.judging.storing.stored_reviews import load_reviews, review_folder
from evalcore.views.runs.outcome_words import second_words
from tests.engine.conftest import Made, opened, ran, write
from tests.engine.people import ANA, FAMILIES, run_of
from tests.judging.copies import DEMO

STORED = Executor("stored", "stored")
OPEN = "Its tone is friendly."
KINDS = ("expectation", "assertion", "rubric", "criterion")
CRITERIA = (OPEN, "tone", "depth", "Q1", "Q2")
HOME = {"descriptions": "writer/eval", "records": "writer/records/test-case"}


def rules(root: Path, family: str, rule: str) -> None:
    """Let a rule decide what the texts of the criteria leave open."""
    path = root / HOME.get(family, "writer/evals") / "rules.json"
    write(path, {"*": dict.fromkeys(CRITERIA, rule)})


def graded(root: Path, family: str) -> None:
    """Make a suite of a family with one run, which rules graded: it passed."""
    FAMILIES[family](root)
    rules(root, family, 'contains "done"')
    asked: dict[str, Any] = {"runs": 1}
    if family in ("improve", "descriptions", "records"):
        asked["configurations"] = ()
    folder = ran(root, **asked)
    assert folder.progress().runs[0].has_grading


def judged_again(root: Path, **asked: Any) -> RunFolder:
    """Judge everything again that has a grading, in this process."""
    return ran(root, STORED, **{"again": True, "configurations": (), **asked})


def contents(root: Path) -> dict[str, bytes]:
    """Return every file of the suite's own, without review records."""
    return {
        str(path.relative_to(root)): path.read_bytes()
        for path in sorted(root.rglob("*"))
        if path.is_file() and "reviews" not in path.parts
    }


def records(root: Path) -> list[dict[str, Any]]:
    """Return the judgment records of a folder, the oldest first."""
    found = [json.loads(path.read_text()) for path in root.rglob("reviews/eval-judgment/*.json")]
    return sorted(found, key=lambda each: each["id"])


@pytest.mark.parametrize("family", sorted(FAMILIES))
def test_the_second_judgment_is_a_record_and_the_first_one_stays(
    tmp_path: Path, family: str
) -> None:
    """No byte of the suite's own changes, and no recorded figure; the record binds the output."""
    root = tmp_path / "folder"
    graded(root, family)
    rules(root, family, 'contains "nowhere"')
    before, ws = contents(root), opened(root)
    folder = judged_again(root)
    assert folder.state() == "finished"
    (one,) = folder.progress().runs
    assert (one.is_done, one.status, bool(one.paths)) == (True, "completed", True)
    assert contents(root) == before
    now = opened(root)
    for name in ("runs", "versions", "benchmarks"):
        assert getattr(now.tables, name).to_csv() == getattr(ws.tables, name).to_csv(), name
    made = records(root)
    assert {each["createdBy"] for each in made} == {"evalcore-rules"}
    assert {each["fields"]["judgedByType"] for each in made} == {"heuristic"}
    rows = now.tables.judgments[now.tables.judgments["source"].str.contains("reviews/")]
    assert len(rows) == len(made) == len(one.paths)
    assert set(rows["status"]) == {"scored"}
    assert set(rows["judge_type"]) == {"heuristic"}
    own = ws.tables.judgments
    own = own[own["kind"].isin(KINDS)]
    key = ["run_id", "kind", "criterion"]
    both = rows.merge(own, on=key, suffixes=("_again", "_first"))
    assert len(both) == len(rows) == len(own)
    assert (both["score_again"] < both["score_first"]).any()
    assert not set(ws.tables.problems["code"]) ^ set(now.tables.problems["code"])


def test_the_same_rules_give_the_scores_of_the_grading(tmp_path: Path) -> None:
    """On the scale of each family, whatever that is."""
    for family in FAMILIES:
        root = tmp_path / family
        graded(root, family)
        judged_again(root)
        rows = opened(root).tables.judgments
        rows = rows[rows["kind"].isin(KINDS)]
        several = rows.groupby(["run_id", "criterion"], observed=True)
        assert (several["fraction"].nunique() == 1).all(), family
        assert (several.size() == 2).all(), family


@pytest.fixture
def store(tmp_path: Path) -> Path:
    """A copy of the demo's store of records."""
    root = tmp_path / "folder"
    shutil.copytree(DEMO / "support-agent", root / "support-agent")
    return root


def test_an_output_inside_a_record_is_judged_again(store: Path) -> None:
    """By what its case expects; its record stays as it is."""
    before = contents(store)
    folder = judged_again(store, versions=("support-reply@2.0.0",))
    assert folder.state() == "finished"
    assert folder.plan.runs[0].stored is not None
    assert folder.plan.runs[0].stored.endswith("#/fields/actualOutput")
    assert contents(store) == before
    rows = opened(store).tables.judgments
    rows = rows[rows["judge"] == "evalcore-rules"]
    assert len(rows) == sum(len(one.paths) for one in folder.progress().runs) > 0
    assert set(rows["status"]) == {"scored"}


def test_records_in_one_file_of_lines_are_judged_again(store: Path) -> None:
    """Each by its own line."""
    home = store / "support-agent"
    paths = sorted(home.rglob("*.json"))
    lines = [json.dumps(json.loads(path.read_text())) for path in paths]
    for path in paths:
        path.unlink()
    (home / "all.jsonl").write_text("\n".join(lines))
    folder = judged_again(store, versions=("support-reply@2.0.0",))
    assert folder.state() == "finished"
    assert all(one.paths for one in folder.progress().runs)
    rows = opened(store).tables.judgments
    assert set(rows.loc[rows["judge"] == "evalcore-rules", "status"]) == {"scored"}


def test_a_resumed_run_stores_nothing_twice(tmp_path: Path) -> None:
    """Neither where all is journaled, nor where the journal lost the last line."""
    root = tmp_path / "folder"
    graded(root, "improve")
    folder = judged_again(root)
    made = records(root)
    assert len(made) == 2
    work(folder.id)
    journal = folder.path / "journal.jsonl"
    kept = [line for line in journal.read_text().splitlines() if '"written"' not in line]
    journal.write_text("\n".join(kept) + "\n")
    folder.hand_out(0)
    work(folder.id)
    assert folder.progress().done == 1
    assert records(root) == made


def test_a_kill_between_two_records_is_completed(tmp_path: Path) -> None:
    """What is stored stays, and what is missing follows under the same plan."""
    root = tmp_path / "folder"
    graded(root, "improve")
    folder = judged_again(root)
    first, second = sorted(root.rglob("reviews/eval-judgment/*.json"))
    data, left = first.read_bytes(), second.read_bytes()
    second.unlink()
    one = folder.progress().runs[0]
    assert one.execution is not None
    assert one.graded is not None
    paths = SecondJudgments(folder.plan).store(0, one.execution, one.graded)
    assert sorted(root / path for path in paths) == [first, second]
    assert first.read_bytes() == data
    assert json.loads(second.read_bytes())["fields"] == json.loads(left)["fields"]


def test_a_new_plan_replaces_the_older_judgment_of_the_same_judge(tmp_path: Path) -> None:
    """Both are kept; the newer names the older, and no conflict is left."""
    root = tmp_path / "folder"
    graded(root, "improve")
    judged_again(root)
    old = records(root)
    rules(root, "improve", 'contains "nowhere"')
    judged_again(root)
    new = [each for each in records(root) if each["id"] not in {one["id"] for one in old}]
    assert {each["supersedes"] for each in new} == {each["id"] for each in old}
    ws = opened(root)
    rows = ws.tables.judgments[ws.tables.judgments["judge"] == "evalcore-rules"]
    beside = rows[rows["source"].str.contains("reviews/")]
    assert sorted(beside["status"]) == ["scored", "scored", "superseded", "superseded"]
    assert "conflict" not in set(ws.tables.problems["code"])


def test_an_output_that_changes_later_makes_it_stale(tmp_path: Path) -> None:
    """As with the score of a person."""
    root = tmp_path / "folder"
    graded(root, "improve")
    judged_again(root)
    (root / "writer-workspace/v0/runs/one/run-1/a.txt").write_text("other")
    rows = opened(root).tables.judgments
    beside = rows[rows["source"].str.contains("reviews/")]
    assert set(beside["status"]) == {"stale"}


def test_an_output_that_changes_meanwhile_is_judged_once_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing is stored of what was judged; resumed, the run takes the output as it is."""
    root = tmp_path / "folder"
    graded(root, "improve")
    output = root / "writer-workspace/v0/runs/one/run-1/a.txt"
    before = SecondJudgments.store

    def changed(self: SecondJudgments, *given: Any) -> tuple[str, ...]:
        output.write_text("all of it is done now")
        return before(self, *given)

    with monkeypatch.context() as patch:
        patch.setattr(SecondJudgments, "store", changed)
        folder = judged_again(root)
    (one,) = folder.progress().runs
    assert "changed while it was judged" in one.failed
    assert not one.is_done
    assert records(root) == []
    work(folder.id)
    (one,) = folder.progress().runs
    assert (one.is_done, len(one.paths), len(records(root))) == (True, 2, 2)


def test_a_full_disk_is_said_and_completed_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The run is not done until every record is there."""
    root = tmp_path / "folder"
    graded(root, "improve")

    def full(self: SecondJudgments, *given: Any) -> tuple[str, ...]:
        raise CannotWrite(root, "the disk is full")

    with monkeypatch.context() as patch:
        patch.setattr(SecondJudgments, "store", full)
        folder = judged_again(root)
    assert "the disk is full" in folder.progress().runs[0].failed
    work(folder.id)
    assert folder.progress().done == 1
    assert len(records(root)) == 2


def test_it_never_waits_for_people_nor_leaves_their_queue(tmp_path: Path) -> None:
    """What no rule decides is left out; the queue is as before, and no grading is owed."""
    root = tmp_path / "folder"
    graded(root, "improve")
    (root / "writer/evals/rules.json").unlink()

    def entries() -> tuple[Any, ...]:
        ws = opened(root)
        return queue(ws, "writer", ANA, load_reviews(review_folder(ws, "writer"))).entries

    before = entries()
    folder = judged_again(root)
    assert len(records(root)) == 1
    assert entries() == before
    assert not list(root.rglob("reviews/approval-request/*.json"))
    assert finish_all(root) == ((), (), (), ())
    assert [each for each in events(folder.path) if type(each).__name__ == "Aggregated"] == []


def test_what_is_not_stored_is_said(tmp_path: Path) -> None:
    """Structural checks are carried out for the gate, and are no part of a second judgment."""
    root = tmp_path / "folder"
    graded(root, "rubric")
    rules(root, "rubric", "max_words 5\nrule: nonsense")
    said = second_words(judged_again(root).progress())
    assert said[0].startswith("0 criteria of 1 test run stored as separate records")
    assert said[0].endswith(": writer-workspace/reviews.")
    assert said[1:] == ["Not stored: 2 criteria that nothing decided, 1 structural check."]


def test_a_closed_gate_leaves_nothing_to_judge(tmp_path: Path) -> None:
    """The output was emptied since: the gate skips the judge, as at the first time."""
    root = tmp_path / "folder"
    graded(root, "rubric")
    write(
        root / "writer/evals/evals.json",
        json.loads((root / "writer/evals/evals.json").read_text().replace('"*"', '"*.pdf"')),
    )
    folder = judged_again(root)
    assert folder.progress().done == 1
    assert second_words(folder.progress())[1] == (
        "Not stored: 1 test run whose gate is closed, 1 structural check."
    )


def test_criteria_that_the_grading_words_otherwise_are_left_out(made: Made) -> None:
    """They are none of this run: a record of them would count for nothing."""
    root = made("write=a.txt", expectations=['contains "done"'])
    ran(root)
    evals = root / "writer/evals/evals.json"
    evals.write_text(evals.read_text().replace('contains \\"done\\"', 'contains \\"other\\"'))
    metadata = root / "writer-workspace/iteration-1/eval-1/eval_metadata.json"
    assert metadata.exists()
    folder = judged_again(root)
    assert records(root) == []
    assert "1 criterion that the grading words differently" in second_words(folder.progress())[1]
    assert "criterion-not-asked" not in set(opened(root).tables.problems["code"])


def test_every_graded_run_that_is_left_out_is_counted(tmp_path: Path) -> None:
    """Without output, without grading, or with another status."""
    root = tmp_path / "demo"
    for name in ("invoice-extractor", "invoice-extractor-workspace", "release-notes"):
        shutil.copytree(DEMO / name, root / name)
    shutil.copytree(DEMO / "release-notes-workspace", root / "release-notes-workspace")
    for case in ("security-fix", "breaking-change"):
        shutil.rmtree(root / "release-notes-workspace/v3/runs" / case / "run-2")
    ws = opened(root)
    notes = make_plan(ws, "release-notes", Request(STORED, again=True))
    known = ws.tables.runs[(ws.tables.runs["suite"] == "release-notes")]
    newest = known[known["version"] == "v3"]
    broken = newest["status"] == "pending"
    assert len(notes.runs) == (newest["outputs"].notna() & ~broken).sum() > 0
    assert broken.sum() == 1
    assert set(notes.not_again) == {
        "2 test runs are not judged again, each because no output of it is in this folder.",
        (
            "1 test run is not judged again, because its grading cannot be read; correct it, or "
            "remove it."
        ),
    }
    invoices = make_plan(ws, "invoice-extractor", Request(STORED, again=True))
    assert invoices.not_again == (
        "1 test run is not judged again, because its status is gate failed.",
    )
    (root / "release-notes-workspace/v3").rename(tmp_path / "gone")
    with pytest.raises(CannotRun, match="no output of it is in this folder"):
        make_plan(opened(root), "release-notes", Request(STORED, again=True))


def test_a_run_without_a_grading_is_graded_without_judging_again(tmp_path: Path) -> None:
    """The sentence says how."""
    root = tmp_path / "folder"
    run_of(root, "improve", judge="human")
    request = Request(STORED, again=True)
    with pytest.raises(CannotRun, match="it has no grading; without judging again it gets one"):
        make_plan(opened(root), "writer", request)


@pytest.mark.parametrize(
    ("asked", "why"),
    [
        ({"judge": "human"}, "on the Judge page"),
        ({"judge": "none"}, "structural checks alone decide none"),
        ({"structural_only": True}, "structural checks alone decide none"),
        ({"executor": Executor("fake", "command")}, "Only stored outputs are judged again"),
    ],
)
def test_what_makes_no_second_judgment_is_refused(
    tmp_path: Path, asked: dict[str, Any], why: str
) -> None:
    """With a sentence, before anything is planned."""
    root = tmp_path / "folder"
    graded(root, "improve")
    with pytest.raises(CannotRun, match=why):
        make_plan(opened(root), "writer", Request(**{"executor": STORED, "again": True, **asked}))


def test_any_version_with_runs_can_be_judged_again_and_the_newest_is_usual(tmp_path: Path) -> None:
    """Not only those that could be run now; runs of no known version are the last choice."""
    for name in ("sql-helper", "commit-helper", "commit-helper-workspace"):
        shutil.copytree(DEMO / name, tmp_path / "demo" / name)
    ws = opened(tmp_path / "demo")
    suite, _ = suite_of(ws, "sql-helper")
    assert {each.version for each in graded_targets(suite)} == {"d3"}
    assert graded_of(ws, "sql-helper")[0].version == "unassigned"
    suite, _ = suite_of(ws, "commit-helper")
    assert {each.version for each in graded_targets(suite)} == {"iteration-3"}
    (one,) = graded_targets(suite, ("iteration-1",), ("with_skill",))
    assert (one.version, one.configuration) == ("iteration-1", "with_skill")
    with pytest.raises(UnknownName, match="iteration-4"):
        graded_targets(suite, ("iteration-4",))


def test_the_plan_says_where_records_come_and_that_nothing_is_spent(tmp_path: Path) -> None:
    """Earlier runs tell nothing of what costs nothing."""
    root = tmp_path / "folder"
    graded(root, "improve")
    ws = opened(root)
    plan = make_plan(ws, "writer", Request(STORED, again=True))
    assert plan.again
    assert places(plan) == ["writer-workspace/reviews/eval-judgment/"]
    assert estimate(ws.tables, plan)[2:] == (None, None, None)


def test_a_case_whose_files_are_gone_is_judged_again_all_the_same(tmp_path: Path) -> None:
    """Only executing it would need them."""
    root = tmp_path / "folder"
    graded(root, "improve")
    evals = root / "writer/evals/evals.json"
    evals.write_text(evals.read_text().replace('"files": []', '"files": ["gone.txt"]'))
    assert judged_again(root).plan.left_out == {}


def taken(root: Path, stored: str) -> Iterator[dict[str, str]]:
    """Yield the files that are kept of a stored output."""
    plan = make_plan(opened(root), "writer", Request(STORED, again=True))
    found: dict[str, str] = {}

    def keep(folder: Path, names: list[str], transcript: str, events: bytes = b"") -> None:
        assert not transcript and not events
        found.update({name: (folder / name).read_text() for name in names})

    done = read_stored(plan, msgspec.structs.replace(plan.runs[0], stored=stored), keep)
    assert done.taken == stored_digest(root, stored)
    assert set(done.files) == set(found)
    yield found


def test_a_single_file_is_the_output_under_its_own_name(tmp_path: Path) -> None:
    """Some tools write no folder for what a run produced."""
    root = tmp_path / "folder"
    graded(root, "improve")
    (root / "flat-output.md").write_text("done")
    (found,) = taken(root, "flat-output.md")
    assert found == {"flat-output.md": "done"}


def test_files_inside_a_document_are_files_again(tmp_path: Path) -> None:
    """Rules about files see them; a name that leads elsewhere is refused."""
    root = tmp_path / "folder"
    graded(root, "descriptions")
    write(root / "held.json", {"files": {"a/b.txt": "done"}, "output": "said"})
    (found,) = taken(root, "held.json#/files")
    assert found == {"a/b.txt": "done"}
    (found,) = taken(root, "held.json#/output")
    assert found == {}
    for name in ("../out.txt", "/etc/x", ""):
        write(root / "held.json", {"files": {name: "x"}})
        with pytest.raises(CannotRun, match="names a file"):
            list(taken(root, "held.json#/files"))
    assert stored_digest(root, "gone.json#/files") is None


def test_a_run_judged_again_writes_no_aggregates(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They are of the recorded judge."""
    root = tmp_path / "folder"
    graded(root, "iterations")
    monkeypatch.setattr("evalcore.engine.runner.write_aggregates", None)
    assert judged_again(root).state() == "finished"
