"""What a rule or a model judges again is shown, and is neither a recorded nor a human score."""

from pathlib import Path
from typing import Any

import pytest

from evalcore.comparing.provenance import provenance
from evalcore.counting.human_activity import human_activity
from evalcore.counting.joined import judged
from evalcore.counting.outcomes import outcomes
from evalcore.counting.people import Scores, by_people, criteria_by_people, has_human_scores
from evalcore.counting.score_source import outcomes_by, rates_by
from evalcore.engine.answers import Missing, graded_by_people
from evalcore.engine.plan import Executor
from evalcore.engine.planning import Request, make_plan
from evalcore.families.graded import Graded, Verdict
from evalcore.judging.agreeing.agreement import agreement
from evalcore.judging.agreeing.disagreements import disagreements
from evalcore.judging.agreeing.ratings import ratings
from evalcore.judging.answering.independent import Judges, chosen, start_batch
from evalcore.judging.asking.asked import asked
from evalcore.judging.asking.other_scores import other_scores
from evalcore.judging.asking.seen import seen_before
from evalcore.judging.hiding import workspace_for
from evalcore.judging.queueing.queue import queue
from evalcore.judging.queueing.reasons import recorded
from evalcore.judging.storing.run_reviews import reviews_of_run
from evalcore.views.judge.opinions import opinions
from evalcore.views.overview.pending import pending_items
from evalcore.workspace.opened import Workspace, open_workspace, reopened
from tests.judging.copies import (
    ANA,
    BEN,
    NOTES,
    NOTES_RUN,
    answers,
    copied,
    records,
    taken,
)
from tests.judging.copies import judged as by_person
from tests.reviewing import Reviews

RULE = "evalcore-rules"
SUITES = {
    "release-notes": "release-notes-workspace",
    "commit-helper": "commit-helper-workspace",
    "invoice-extractor": "invoice-extractor-workspace",
    "sql-helper": "sql-helper/eval",
    "support-agent": "support-agent/records",
}


def again(ws: Workspace, suite: str, runs: int = 4, kind: str = "heuristic") -> list[str]:
    """Let a rule say the worst of some runs of a suite, and return their ids."""
    (root,) = ws.tables.suites.loc[ws.tables.suites["suite"] == suite, "root"]
    reviews = Reviews(ws.root, root)
    names = ws.tables.runs.loc[ws.tables.runs["suite"] == suite, "run_id"].astype(str)
    found = [name for name in names if asked(ws, name)][:runs]
    for name in found:
        for each in asked(ws, name):
            reviews.judge(name, each.key, each.low, RULE, (each.low, each.high), kind=kind)
    return found


def figures(ws: Workspace, suite: str) -> dict[str, Any]:
    """Return everything that is counted of a suite."""
    whose: tuple[Scores, ...] = ("recorded", "human", "human-first")
    at = provenance(ws, suite, outcomes(ws, suite).columns[-1])
    return {
        "runs": ws.tables.runs.to_csv(),
        "rates": [rates_by(ws, each)[suite] for each in whose],
        "outcomes": [outcomes_by(ws, suite, each).runs.to_csv() for each in whose],
        "judged": [of.tolist() for of in judged(ws)[1:]],
        "people": [of.tolist() for of in by_people(ws)],
        "criteria": [of.tolist() for of in criteria_by_people(ws)[:3]],
        "activity": [of.tolist() for of in human_activity(ws)],
        "has": has_human_scores(ws, suite),
        "queue": queue(ws, suite, ANA, records(ws, suite)).entries,
        "reasons": {name: of.tolist() for name, of in recorded(ws, suite).items()},
        "agreement": [
            [group._replace(row=0) for group in (*found.scales, *found.criteria)] + [found[:6]]
            for found in (agreement(ws, suite, recorded=each) for each in (False, True))
        ],
        "disagreements": disagreements(ws, suite, ANA, records(ws, suite)),
        "ratings": sorted(
            (run, sorted(by.items())) for run, by in ratings(ws, suite, records(ws, suite)).items()
        ),
        "pending": pending_items(ws, suite, outcomes(ws, suite).columns[-1]),
        "judges": at,
    }


def comparable(found: dict[str, Any]) -> dict[str, str]:
    """Return figures as texts, in which NaN equals NaN."""
    return {name: repr(value) for name, value in found.items()}


@pytest.mark.parametrize("kind", ["heuristic", "llm"])
@pytest.mark.parametrize("suite", sorted(SUITES))
def test_no_figure_moves(tmp_path: Path, suite: str, kind: str) -> None:
    """Rates, people's scores, the queue, agreement, pending work: all as before."""
    ws = copied(tmp_path, suite)
    before = comparable(figures(ws, suite))
    runs = again(ws, suite, kind=kind)
    now = open_workspace(tmp_path, cache=False)
    rows = now.tables.judgments
    mine = rows[rows["judge"] == RULE]
    assert len(mine) and set(mine["judge_type"]) == {kind}
    assert set(mine["status"]) == {"scored"}
    assert set(mine["run_id"]) == set(runs)
    scores = now.tables.run_scores
    assert set(scores.loc[scores["judge"] == RULE, "judge_type"]) == {kind}
    after = comparable(figures(now, suite))
    assert {name for name in before if before[name] != after[name]} == set()


def test_people_and_rules_stand_apart_in_one_run(tmp_path: Path) -> None:
    """The median of people, an adjudication's rest and the median of a new run are of people."""
    ws = copied(tmp_path, NOTES)
    first = asked(ws, NOTES_RUN)[0]
    by_person(ws, NOTES_RUN, ANA)
    alone = comparable(figures(reopened(ws), NOTES))
    again(ws, NOTES, runs=1)
    now = reopened(ws)
    both = comparable(figures(now, NOTES))
    assert {name for name in alone if alone[name] != both[name]} == set()
    said = reviews_of_run(records(now, NOTES), NOTES_RUN)
    assert set(said.judges) == {ANA.id}
    assert set(said.machines) == {(RULE, "heuristic")}
    reviews = Reviews(now.root, "release-notes-workspace")
    reviews.decide(NOTES_RUN, asked(now, NOTES_RUN)[-1].key, 3, (1, 5))
    scores = open_workspace(tmp_path, cache=False).tables.run_scores
    rows = scores[scores["run_id"] == NOTES_RUN].set_index("judge")
    n = len(asked(now, NOTES_RUN))
    assert rows.loc["adjudicated", "score"] == pytest.approx((5 * (n - 1) + 3) / n)
    verdict = Verdict(first.kind, first.criterion, None, None, "")
    found = graded_by_people(now, NOTES_RUN, Graded("", "heuristic", "", (verdict,)), 1)
    assert not isinstance(found, Missing)
    assert (found.judge, found.judged[0].score) == (ANA.id, 5)


def test_a_rule_does_not_answer_for_people(tmp_path: Path) -> None:
    """A new run that only a rule judged again still waits for a person."""
    ws = copied(tmp_path, NOTES)
    first = asked(ws, NOTES_RUN)[0]
    again(ws, NOTES, runs=1)
    verdict = Verdict(first.kind, first.criterion, None, None, "")
    found = graded_by_people(reopened(ws), NOTES_RUN, Graded("", "", "", (verdict,)), 1)
    assert isinstance(found, Missing)


def test_a_person_of_the_same_name_is_another_judge(tmp_path: Path) -> None:
    """Neither replaces the other's judgment, and both stand without a conflict."""
    ws = copied(tmp_path, NOTES)
    reviews, key = Reviews(ws.root, "release-notes-workspace"), asked(ws, NOTES_RUN)[0].key
    old = reviews.judge(NOTES_RUN, key, 2, "claude", (1, 5), kind="llm")
    reviews.judge(NOTES_RUN, key, 4, "claude", (1, 5), supersedes=old)
    now = open_workspace(tmp_path, cache=False)
    mine = now.tables.judgments[now.tables.judgments["judge"] == "claude"]
    assert sorted(zip(mine["judge_type"], mine["score"], mine["status"], strict=True)) == [
        ("human", 4.0, "scored"),
        ("llm", 2.0, "scored"),
    ]
    scores = now.tables.run_scores
    assert sorted(scores.loc[scores["judge"] == "claude", "judge_type"]) == ["human", "llm"]


def test_a_newer_judgment_of_the_same_judge_replaces_the_older(tmp_path: Path) -> None:
    """As the reviews of one person do."""
    ws = copied(tmp_path, NOTES)
    reviews, key = Reviews(ws.root, "release-notes-workspace"), asked(ws, NOTES_RUN)[0].key
    old = reviews.judge(NOTES_RUN, key, 2, RULE, (1, 5), kind="heuristic")
    reviews.judge(NOTES_RUN, key, 4, RULE, (1, 5), kind="heuristic", supersedes=old)
    rows = open_workspace(tmp_path, cache=False).tables.judgments
    mine = rows[rows["judge"] == RULE]
    assert sorted(zip(mine["score"], mine["status"], strict=True)) == [
        (2.0, "superseded"),
        (4.0, "scored"),
    ]


def test_a_judge_sees_it_once_they_have_judged(tmp_path: Path) -> None:
    """By name and as a rule's; before that it tells nothing, and is no other person's."""
    ws = copied(tmp_path, NOTES)
    again(ws, NOTES, runs=1)
    now = reopened(ws)
    known = records(now, NOTES)
    assert other_scores(now, taken(now, NOTES_RUN), known, ANA) is None
    assert seen_before(now, taken(now, NOTES_RUN), known, ANA, (), {"others"}) == []
    by_person(now, NOTES_RUN, ANA)
    by_person(now, NOTES_RUN, BEN, answers(taken(now, NOTES_RUN, BEN), 2.0))
    others = other_scores(now, taken(now, NOTES_RUN), records(now, NOTES), ANA)
    assert others is not None
    beside = {(each.judge, each.judge_type) for each in others if not each.recorded}
    assert beside == {(BEN.id, "human"), (RULE, "heuristic")}
    shown = opinions(taken(now, NOTES_RUN), others)
    rows = [row for each in shown.values() for row in each if row["name"] == RULE]
    assert rows
    assert {row["who"] for row in rows} == {"machine"}
    assert all(row["hint"].startswith("rule · ") for row in rows)


def test_a_stale_one_waits_for_nobody(tmp_path: Path) -> None:
    """The output changed since: it is shown as stale and no longer as pending work."""
    ws = copied(tmp_path, NOTES)
    reviews, key = Reviews(ws.root, "release-notes-workspace"), asked(ws, NOTES_RUN)[0].key
    before = pending_items(ws, NOTES, outcomes(ws, NOTES).columns[-1])
    basis = {"outputSha256": "0" * 64}
    reviews.judge(NOTES_RUN, key, 1, RULE, (1, 5), kind="heuristic", evalcore=basis)
    now = open_workspace(tmp_path, cache=False)
    rows = now.tables.judgments
    assert set(rows.loc[rows["judge"] == RULE, "status"]) == {"stale"}
    assert pending_items(now, NOTES, outcomes(now, NOTES).columns[-1]) == before


def test_a_hidden_run_hides_it_too_and_is_not_planned(tmp_path: Path) -> None:
    """Whoever judges independently sees no rule's verdict before, and plans nothing of the run."""
    ws = copied(tmp_path, NOTES)
    run = next(
        str(each.run_id)
        for each in ws.tables.runs.itertuples()
        if each.version == "v3" and isinstance(each.outputs, str)
    )
    reviews, key = Reviews(ws.root, "release-notes-workspace"), asked(ws, run)[0].key
    reviews.judge(run, key, 1, RULE, (1, 5), kind="heuristic")
    start_batch(ws, chosen((run,), 1), Judges((ANA.id,)), BEN)
    mine = workspace_for(open_workspace(tmp_path, cache=False), ANA)
    assert run in mine.hidden.runs
    assert RULE not in set(mine.tables.judgments["judge"])
    assert not reviews_of_run(records(mine, NOTES), run).machines
    plan = make_plan(mine, NOTES, Request(Executor("stored", "stored"), again=True))
    assert run not in {each.run_id for each in plan.runs}
    assert "1 test run is not judged again, because it is hidden until you have judged it." in (
        plan.not_again
    )
