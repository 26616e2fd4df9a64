"""New runs of a store of records: an agent-run at once, the test-run when all of it is judged."""

import json
from pathlib import Path
from typing import Any

import pytest

from evalcore.counting.people import by_people, criteria_by_people
from evalcore.counting.score_source import rates_by
from evalcore.engine.finishing import finish_all, finish_run
from evalcore.engine.plan import Executor
from evalcore.engine.store import RunFolder
from evalcore.errors import CannotRun
from evalcore.judging.agreeing.adjudicating import Decision, adjudicate
from evalcore.judging.agreeing.agreement import agreement
from evalcore.judging.agreeing.ratings import ratings
from evalcore.judging.answering.submitting import submit, take_back
from evalcore.judging.asking.tasks import task
from evalcore.judging.model import Answer, Judge
from evalcore.judging.storing.stored_reviews import load_reviews, review_folder
from evalcore.lint.run import check
from evalcore.views.run.evidence import evidence
from evalcore.views.run.head import people_line
from evalcore.workspace.opened import Workspace
from tests.engine.conftest import opened, ran, write
from tests.engine.people import ANA, BEN, CASE_ID, CY, STORE, records, run_of, score, store

STORED = Executor("stored", "stored")
BESIDE = f"{STORE}/test-case"
SCORES = {ANA: (5, 2), BEN: (4, 3)}


def held(root: Path, folder: RunFolder, kind: str) -> list[Any]:
    """Return the fields of the records of a type that a run wrote, in order."""
    return [each["fields"] for each in written(root, folder) if _kind(each) == kind]


def written(root: Path, folder: RunFolder) -> list[Any]:
    """Return the records that a run wrote, in order."""
    return [json.loads((root / path).read_text()) for path in folder.progress().runs[0].paths]


def _kind(record: Any) -> str:
    return str(record.get("type") or record["minionTypeId"])


def judge(root: Path, run: str, who: Judge, *scores: float) -> None:
    """Judge a run with one score for each criterion."""
    ws = opened(root)
    of = task(ws, run, who, load_reviews(review_folder(ws, "writer")))
    level: Any = "medium" if who is ANA else None
    given = [
        Answer(each.key, number, f"{who.name} says {number}.", level=level)
        for each, number in zip(of.criteria, scores, strict=True)
    ]
    submit(ws, of, given, who)


def judged(root: Path, *judges: Judge, **given: Any) -> tuple[str, RunFolder]:
    """Carry out a run that people judge, and let them: the run's id, and the run."""
    folder = run_of(root, "records", judge="human", judges=len(judges), **given)
    run = folder.plan.runs[0].run_id
    for who in judges:
        judge(root, run, who, *SCORES[who])
    assert finish_run(root, run).written == (run,)
    return run, folder


def rules(root: Path, beside: str = BESIDE) -> None:
    """Let a rule decide what is open otherwise."""
    write(root / beside / "rules.json", {"*": {"tone": 'contains "done"'}})


def is_clean(ws: Workspace) -> bool:
    """Return whether the full check finds nothing but what the case and its store leave out.

    The prompts are not in the store, and the case names no agent.
    """
    found = [each for each in check(ws) if "of the type test-case" not in each.message]
    return {each.code for each in found} <= {"not-followed"}


@pytest.mark.parametrize("sharded", [False, True])
def test_what_rules_decide_is_written_with_its_agent_run(tmp_path: Path, sharded: bool) -> None:
    """The agent-run comes first, the test-run last, and each names the other."""
    root = tmp_path / "folder"
    store(root, sharded=sharded)
    rules(root, f"writer/.minions/{CASE_ID[:2]}/{CASE_ID[2:4]}" if sharded else BESIDE)
    folder = ran(root, configurations=())
    found = written(root, folder)
    kinds = ["agent-run", "eval-judgment", "eval-judgment", "test-run"]
    assert [_kind(each) for each in found] == kinds
    made, test = found[0], found[-1]
    assert (made["fields"]["testRunId"], test["fields"]["agentRunId"]) == (test["id"], made["id"])
    assert made["fields"]["actualOutput"] == test["fields"]["actualOutput"]
    assert made["fields"]["startedAt"] == test["fields"]["ranAt"]
    assert made["fields"]["durationMs"] == test["fields"]["durationMs"]
    ws = opened(root)
    (row,) = ws.tables.runs.itertuples()
    assert (row.status, row.judge_type, row.score) == ("completed", "heuristic", 5.0)
    assert is_clean(ws)


def test_what_the_agent_replied_and_the_files_it_made_are_the_output(tmp_path: Path) -> None:
    """People see both; nothing of it is lost in the test-run."""
    root = tmp_path / "folder"
    _, folder = judged(root, ANA)
    output = {"output": "done Be brief.\n\nwrite=a.txt", "a.txt": "done\n"}
    assert [each["actualOutput"] for each in held(root, folder, "agent-run")] == [output]
    assert [each["actualOutput"] for each in held(root, folder, "test-run")] == [output]


def test_a_waiting_run_stands_outside_the_rates(tmp_path: Path) -> None:
    """It is counted, and shown with its output."""
    root = tmp_path / "folder"
    run = run_of(root, "records", judge="human").plan.runs[0].run_id
    ws = opened(root)
    (rate,) = rates_by(ws, "recorded")["writer"].values()
    assert (rate.runs, rate.counted, rate.outside) == (1, 0, 1)
    files = task(ws, run, ANA, ()).files
    assert [each.rpartition("#")[2] for each in files] == [
        "/fields/actualOutput/output",
        "/fields/actualOutput/a.txt",
    ]
    assert is_clean(ws)


def test_people_s_exact_scores_are_written_with_their_records(tmp_path: Path) -> None:
    """The middle of two is between two scores; who said what can be followed."""
    root = tmp_path / "folder"
    _, folder = judged(root, ANA, BEN)
    made = [each for each in written(root, folder) if _kind(each) == "eval-judgment"]
    assert [each["fields"]["score"] for each in made] == [4.5, 2.5]
    ws = opened(root)
    ids = {each.id for each in records(ws, "eval-judgment")}
    assert {name for each in made for name in each["evalcore"]["judgmentIds"]} == ids
    assert [len(each["evalcore"]["judgmentIds"]) for each in made] == [2, 2]
    (test,) = held(root, folder, "test-run")
    assert (test["judgeType"], test["totalScore"], test["passed"]) == ("human", 3.5, True)
    assert {each["fields"]["judgedByType"] for each in made} == {"human"}
    assert {each["fields"]["judgedBy"] for each in made} == {"ana-3f2a, ben-77c0"}
    assert is_clean(ws)


def test_a_stated_confidence_is_written_and_none_is_made_up(tmp_path: Path) -> None:
    """Only a rule is always sure."""
    said = []
    for at, who in enumerate((ANA, BEN)):
        root = tmp_path / f"folder{at}"
        _, folder = judged(root, who)
        said.append([each.get("confidence") for each in held(root, folder, "eval-judgment")])
        assert is_clean(opened(root))
    assert said == [[0.67, 0.67], [None, None]]


def test_a_run_that_people_fail_has_a_failure(tmp_path: Path) -> None:
    """It says what they said of each criterion that fell short."""
    root = tmp_path / "folder"
    folder = run_of(root, "records", judge="human")
    run = folder.plan.runs[0].run_id
    judge(root, run, ANA, 5, 1)
    judge(root, run, ANA, 1, 1)
    assert finish_run(root, run).written == (run,)
    (failure,) = held(root, folder, "eval-failure")
    assert failure["affectedCriterionIds"] == ["done", "tone"]
    assert failure["description"] == "Ana says 1.; Ana says 1."
    assert held(root, folder, "test-run")[0]["passed"] is False
    assert is_clean(opened(root))


def test_people_decide_what_rules_leave_open(tmp_path: Path) -> None:
    """One grading has both, and names both; the rule's confidence is its own."""
    root = tmp_path / "folder"
    folder = run_of(root, "records")
    run = folder.plan.runs[0].run_id
    score(root, run, 0.25, only="tone")
    assert finish_run(root, run).written == (run,)
    made = held(root, folder, "eval-judgment")
    assert [(each["criterionId"], each["score"]) for each in made] == [("done", 5), ("tone", 2)]
    assert {each["judgedBy"] for each in made} == {"ana-3f2a, evalcore-rules"}
    assert [each.get("confidence") for each in made] == [1.0, None]
    ws = opened(root)
    assert (ws.tables.runs["score"].iloc[0], ws.tables.runs["judge_type"].iloc[0]) == (3.5, "human")
    assert by_people(ws).judges.tolist() == [1]  # with what the rule decided
    assert agreement(ws, "writer").human == 1
    assert is_clean(ws)


@pytest.mark.parametrize("judges", [(ANA,), (ANA, BEN)])
def test_what_is_written_of_people_s_scores_is_no_further_judge(
    tmp_path: Path, judges: tuple[Judge, ...]
) -> None:
    """All figures of people are those of their records, as before the test-run was written."""
    root = tmp_path / "folder"
    folder = run_of(root, "records", judge="human", judges=len(judges))
    run = folder.plan.runs[0].run_id
    for who in judges:
        judge(root, run, who, *SCORES[who])
    before = figures(opened(root))
    finish_run(root, run)
    ws = opened(root)
    assert figures(ws) == before
    assert (before["judges"], before["human"]) == ([len(judges)], 2 * len(judges))
    (rate,) = rates_by(ws, "human")["writer"].values()
    (recorded,) = rates_by(ws, "recorded")["writer"].values()
    assert (rate.value, rate.score) == (1.0, recorded.score)
    found = evidence(ws, run)
    line = people_line(found.run, found.people)
    assert line.startswith("1 person judged: 3.5" if len(judges) == 1 else "2 people judged: 3.5")
    known = by_people(ws)
    assert (ws.tables.runs["fraction"] == known.fraction).all()


def figures(ws: Workspace) -> dict[str, Any]:
    """Return what people's scores of the only run come to."""
    known, found = by_people(ws), agreement(ws, "writer")
    each = criteria_by_people(ws)
    records_now = load_reviews(review_folder(ws, "writer"))
    rated = ratings(ws, "writer", records_now)
    return {
        "judges": known.judges.tolist(),
        "score": known.score.tolist(),
        "fraction": known.fraction.tolist(),
        "criteria": sorted(each.fraction.tolist()),
        "human": found.human,
        "agreeing": (found.judges, found.units, found.alone, found.raw),
        "ratings": {key: len(of) for own in rated.values() for key, of in own.items()},
    }


def test_an_adjudication_is_written_once_too(tmp_path: Path) -> None:
    """It outranks the judges by its record, not by what is written of it."""
    root = tmp_path / "folder"
    folder = run_of(root, "records", judge="human", judges=2)
    run = folder.plan.runs[0].run_id
    judge(root, run, ANA, 5, 5)
    judge(root, run, BEN, 1, 1)
    ws = opened(root)
    for key in ("rubric:done", "rubric:tone"):
        ids = [
            each.id for each in records(ws, "eval-judgment") if each.fields["criterionId"] == key
        ]
        adjudicate(opened(root), Decision(run, key, 4, "It is good.", tuple(ids)), CY)
    before = figures(opened(root))
    assert finish_run(root, run).written == (run,)
    made = held(root, folder, "eval-judgment")
    assert [(each["score"], each["judgedBy"]) for each in made] == [(4, "adjudicated")] * 2
    assert figures(opened(root)) == before


def test_a_score_taken_back_later_leaves_the_records_of_the_store(tmp_path: Path) -> None:
    """People's own scores follow their records."""
    root = tmp_path / "folder"
    run, folder = judged(root, ANA)
    before = written(root, folder)
    take_back(opened(root), run, ANA)
    assert written(root, folder) == before
    ws = opened(root)
    assert by_people(ws).judges.tolist() == [0]
    assert criteria_by_people(ws).run.tolist() == []
    assert ws.tables.runs["score"].tolist() == [3.5]


def test_a_judgment_of_the_store_itself_still_counts(tmp_path: Path) -> None:
    """Somebody who writes records by hand is a judge beside those of the reviews."""
    root = tmp_path / "folder"
    _, folder = judged(root, ANA)
    first = next(each for each in written(root, folder) if _kind(each) == "eval-judgment")
    own = {key: value for key, value in first.items() if key != "evalcore"} | {"id": "by-hand"}
    own["fields"] = {**own["fields"], "judgedBy": "dee", "score": 3}
    write(root / STORE / "eval-judgment/by-hand.json", own)
    assert dict(agreement(opened(root), "writer").judges) == {"ana-3f2a": 2, "dee": 1}


def test_a_changed_output_is_not_graded(tmp_path: Path) -> None:
    """The verdicts are on what was there before."""
    root = tmp_path / "folder"
    folder = run_of(root, "records", judge="human")
    run = folder.plan.runs[0].run_id
    path = root / folder.progress().runs[0].paths[0]
    value = json.loads(path.read_text())
    value["fields"]["actualOutput"]["output"] = "something else"
    path.write_text(json.dumps(value))
    score(root, run)
    (waiting,) = finish_run(root, run).waiting
    assert "output has changed" in waiting.why


def test_a_sharded_store_keeps_its_form(tmp_path: Path) -> None:
    """What people say of the agent-run is current for the test-run, wherever both lie."""
    root = tmp_path / "folder"
    store(root, sharded=True)
    folder = ran(root, judge="human", configurations=())
    run = folder.plan.runs[0].run_id
    judge(root, run, ANA, 5, 2)
    assert finish_run(root, run).written == (run,)
    assert all(path.startswith("writer/.minions/") for path in folder.progress().runs[0].paths)
    ws = opened(root)
    human = ws.tables.judgments.query("judge_type == 'human'")
    assert (set(human["status"]), len(human)) == ({"scored"}, 4)
    assert is_clean(ws)


def test_a_waiting_agent_run_is_graded_by_rules(tmp_path: Path) -> None:
    """The test-run says when the agent ran, not when it was graded."""
    root = tmp_path / "folder"
    first = run_of(root, "records", judge="human")
    rules(root)
    folder = ran(root, STORED, configurations=())
    assert folder.plan.runs[0].run_id == first.plan.runs[0].run_id
    (made,) = held(root, first, "agent-run")
    (test,) = held(root, folder, "test-run")
    assert test["agentRunId"] == written(root, first)[0]["id"]
    assert (test["ranAt"], test["durationMs"]) == (made["startedAt"], made["durationMs"])
    assert test["actualOutput"] == made["actualOutput"]
    ws = opened(root)
    assert ws.tables.runs["status"].tolist() == ["completed"]
    assert is_clean(ws)


AGENT_RUN = {
    "testCaseId": CASE_ID,
    "promptVersionRef": "reply@1",
    "actualOutput": {"output": "done"},
    "startedAt": "2026-02-01T08:00:00Z",
    "durationMs": 10,
}


@pytest.mark.parametrize(
    "name", ["run-7", "../../../out", "a/b", "11111111111141118111111111111112"]
)
def test_an_agent_run_of_another_writer_is_graded_by_people(tmp_path: Path, name: str) -> None:
    """Its test-run gets the id that it names; what is no name of a file makes no path."""
    root = tmp_path / "folder"
    store(root)
    made = {"id": "agent 1", "type": "agent-run", "fields": {**AGENT_RUN, "testRunId": name}}
    write(root / STORE / "agent-run/x.json", [made])
    folder = ran(root, STORED, judge="human", configurations=())
    run = folder.plan.runs[0].run_id
    judge(root, run, ANA, 5, 5)
    assert finish_all(root).written == (run,)
    *_, test = written(root, folder)
    assert (test["id"], test["fields"]["agentRunId"]) == (name, "agent 1")
    assert {each.name for each in tmp_path.iterdir()} == {"folder", "state", "cache"}
    assert all(path.startswith(f"{STORE}/") for path in folder.progress().runs[0].paths)
    ws = opened(root)
    assert (ws.tables.runs["run_id"].tolist(), ws.tables.runs["score"].tolist()) == ([run], [5.0])


def test_nothing_is_judged_twice_from_the_same_agent_run(tmp_path: Path) -> None:
    """Once its test-run is there, nothing is stored that waits."""
    root = tmp_path / "folder"
    judged(root, ANA)
    with pytest.raises(CannotRun, match="There is no stored output without a grading"):
        ran(root, STORED, configurations=())
