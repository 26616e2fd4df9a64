"""Which runs wait for a judge, in which order, and why."""

import json
import shutil
from collections import Counter
from datetime import UTC, datetime, timedelta
from pathlib import Path

import numpy as np
import pytest

from evalcore.errors import UnknownName
from evalcore.families.reviews.review import Review
from evalcore.judging.agreeing.adjudicating import Decision, adjudicate
from evalcore.judging.answering.excluding import exclude, lift
from evalcore.judging.answering.sending import send
from evalcore.judging.answering.submitting import skip, submit, take_back, unskip
from evalcore.judging.model import STATES, Answer, Entry, Judge, Queue
from evalcore.judging.queueing.queue import queue, sampled
from evalcore.judging.queueing.reasons import REASONS
from evalcore.tables.rows import Row
from evalcore.workspace.opened import Workspace, open_workspace, reopened
from tests import made
from tests.judging.copies import (
    ANA,
    BEN,
    NOTES,
    NOTES_RUN,
    answers,
    copied,
    judged,
    readable,
    records,
    taken,
)
from tests.reviewing import Reviews

CY = Judge("cy-0001", "Cy")


def asked(ws: Workspace, judge: Judge = ANA, **given: object) -> Queue:
    """Return the queue of a judge over what is on the disk now."""
    return queue(ws, NOTES, judge, records(ws, NOTES), **given)  # type: ignore[arg-type]


def told(found: Queue) -> tuple[object, ...]:
    """Return all that a queue says."""
    every = np.arange(len(found.order))
    return found.entries, found.counts, found.reviewed(every).tolist(), found.reasons(every)


def entry(found: Queue, run: str = NOTES_RUN) -> Entry:
    """Return the entry of a run."""
    at = found.place(run)
    assert at is not None
    return found.entries[at]


def many(root: Path, cases: int = 40) -> Workspace:
    """Return a workspace of clear runs, three versions of each case."""
    rows: list[Row] = [made.suite(), *(made.version(f"v{at}", at) for at in range(3))]
    for at in range(cases):
        rows.append(made.case(case_id=f"c{at}"))
        rows.append(made.criterion("a", case_id=f"c{at}", min_score=1.0, max_score=5.0))
        for version in range(3):
            run = f"{made.SUITE}::c{at}@v{version}/-#1"
            of = {"case_id": f"c{at}", "version": f"v{version}", "outputs": f"{run}/out"}
            rows.append(made.run(run_id=run, passed=True, **of))
            rows.append(made.judgment("a", run_id=run))
    return made.workspace(root, *rows)


def said(ws: Workspace, judge: str, at: int, score: float, minute: int = 0) -> Review:
    """Return a record of one judge of the run at a position."""
    fields = {
        "testRunId": str(ws.tables.runs["run_id"].iloc[at]),
        "criterionId": "expectation:a",
        "score": score,
        "minScore": 1,
        "maxScore": 5,
        "rationale": "So.",
        "judgedBy": judge,
    }
    when = datetime(2026, 1, 1, tzinfo=UTC) + timedelta(minutes=minute)
    name = f"{at:08d}-{judge}-{minute}"
    return Review("eval-judgment", name, fields, when, judge, (), {}, f"{name}.json")


def test_every_run_that_counts_waits_for_a_new_judge(ws: Workspace) -> None:
    """Once each: pending, or last where no output is saved."""
    found = asked(ws)
    assert {each.run_id for each in found.entries} == readable(ws)
    left = [each for each in found.entries if each.state == "pending"]
    assert found.entries[: len(left)] == tuple(left)
    bare = {"pending": len(left), "cannot be judged": len(found.entries) - len(left)}
    assert found.counts == dict.fromkeys(STATES, 0) | bare


def test_a_name_changes_no_order(tmp_path: Path) -> None:
    """Who reads the first run before giving a name stays at it, and everybody meets there."""
    ws = many(tmp_path)
    orders = {queue(ws, made.SUITE, who, ()).entries for who in (Judge("", ""), ANA, BEN)}
    assert len(orders) == 1


def test_runs_without_output_come_last(tmp_path: Path) -> None:
    """Whatever other reasons they have; nobody waits for them."""
    rows: list[Row] = [made.suite(), made.version("v0", 0), made.case(), made.criterion("a")]
    for at, outputs in enumerate((None, "out", None)):
        run = f"{made.SUITE}::c@v0/-#{at}"
        rows += [made.run(run_id=run, run=str(at), version="v0", outputs=outputs)]
        rows += [made.judgment("a", run_id=run, confidence=0.2)] if at == 0 else []
    ws = made.workspace(tmp_path, *rows)
    found = queue(ws, made.SUITE, ANA, ())
    assert [each.run_id[-1] for each in found.entries] == ["1", "0", "2"]
    assert (found.counts["pending"], found.counts["cannot be judged"]) == (1, 2)


def test_without_any_output_no_run_waits(tmp_path: Path) -> None:
    """What nobody has can be read no better than what others have."""
    rows: list[Row] = [made.suite(), made.case(), made.criterion("a"), made.judgment("a")]
    rows += [made.run(), made.run(run_id="r2"), made.judgment("a", run_id="r2")]
    ws = made.workspace(tmp_path, *rows)
    found = queue(ws, made.SUITE, ANA, ())
    assert (found.counts["pending"], found.counts["cannot be judged"]) == (0, 2)
    assert not len(found.reviewed(np.arange(2)))


def test_a_run_without_output_waits_once_somebody_asks(tmp_path: Path) -> None:
    """Then it stands above those that nobody asked for."""
    whole = copied(tmp_path, NOTES)
    outputs = whole.tables.runs.set_index("run_id")["outputs"]
    shutil.rmtree(tmp_path / outputs[asked(whole).entries[-1].run_id])
    ws = open_workspace(tmp_path, cache=False)
    last = asked(ws).entries[-1]
    send(ws, [last.run_id], "I saw its output", BEN)
    assert (last.state, entry(asked(ws), last.run_id).state) == ("cannot be judged", "pending")
    assert last.run_id not in {each.run_id for each in asked(ws).entries[-10:]}


def test_the_order_is_that_of_worth_and_stable(ws: Workspace) -> None:
    """Each is worth the sum of its reasons, the weightiest first; two calls say the same."""
    found = asked(ws)
    worths: dict[str, float] = {name: reason.priority for name, reason in REASONS.items()}
    priority = [each.priority for each in found.entries]
    assert priority == sorted(priority, reverse=True)
    for each in found.entries:
        weights = [worths[why] for why in each.why]
        assert each.priority == sum(weights)
        assert weights == sorted(weights, reverse=True)
        assert len(each.reasons) == len(each.why)
    assert told(asked(ws)) == told(found)


def test_runs_without_a_reason_come_last_the_newest_version_first(tmp_path: Path) -> None:
    """Among them the cases in their order."""
    found = queue(many(tmp_path), made.SUITE, ANA, ())
    plain = [each for each in found.entries if not each.reasons]
    assert found.entries[-len(plain) :] == tuple(plain)
    assert [each.column for each in plain] == sorted((e.column for e in plain), reverse=True)
    newest = [int(each.case[1:]) for each in plain if each.column == "v2"]
    assert newest == sorted(newest)


def test_about_one_run_in_ten_is_drawn_at_random() -> None:
    """Always the same for the same runs; five at least."""
    noise = np.random.default_rng(7).integers(0, 2**63, 20_000).astype(np.uint64)
    drawn = sampled(noise)
    assert 0.09 < drawn.mean() < 0.11
    assert np.array_equal(drawn, sampled(noise))
    assert sampled(noise[:12]).sum() >= 5
    assert sampled(noise[:3]).all()


def test_what_is_drawn_says_so(tmp_path: Path) -> None:
    """A few runs without any other reason are checked too."""
    found = queue(many(tmp_path), made.SUITE, ANA, (), only="sample")
    assert len(found.entries) >= 5
    assert {each.reasons for each in found.entries} == {("random spot check",)}


def test_runs_outside_the_rates_are_not_asked(tmp_path: Path) -> None:
    """Not made, ended in an error, of a draft case, or without any criterion."""
    rows: list[Row] = [
        made.suite(),
        made.case(),
        made.case(case_id="draft", status="draft"),
        made.case(case_id="bare"),
        made.criterion("a"),
        made.criterion("a", case_id="draft"),
        made.run(),
        made.run(run_id="r2", status="error"),
        made.run(run_id="r3", status="not_run"),
        made.run(run_id="r4", case_id="draft"),
        made.run(run_id="r5", case_id="bare"),
        made.run(run_id="r6", status="timeout"),
    ]
    found = queue(made.workspace(tmp_path, *rows), made.SUITE, ANA, ())
    assert {each.run_id for each in found.entries} == {"r1", "r6"}


def test_an_excluded_run_is_not_asked_until_it_counts_again(ws: Workspace) -> None:
    """Whoever excluded it."""
    total = len(asked(ws).entries)
    exclude(ws, NOTES_RUN, "The network was down.", BEN)
    assert asked(ws).place(NOTES_RUN) is None
    assert sum(asked(ws).counts.values()) == total - 1
    lift(ws, NOTES_RUN, ANA)
    assert entry(asked(ws)).state == "pending"


def test_a_run_is_submitted_once_all_is_judged(ws: Workspace) -> None:
    """For that judge; a part of it leaves it pending, and so does taking it back."""
    of = taken(ws, NOTES_RUN)
    submit(ws, of, answers(of)[:1], ANA, partial=True)
    assert entry(asked(ws)).state == "pending"
    judged(ws, NOTES_RUN)
    assert (entry(asked(ws)).state, entry(asked(ws, BEN)).state) == ("submitted", "pending")
    take_back(ws, NOTES_RUN, ANA, of.criteria[0].key)
    assert entry(asked(ws)).state == "pending"


def test_a_run_may_be_skipped_or_have_a_draft(ws: Workspace) -> None:
    """A draft is seen on a skipped run, too, so that what was typed is found again."""
    skip(ws, NOTES_RUN, ANA)
    assert (entry(asked(ws)).state, entry(asked(ws, BEN)).state) == ("skipped", "pending")
    assert entry(asked(ws, drafts=frozenset({NOTES_RUN}))).state == "draft"
    unskip(ws, NOTES_RUN, ANA)
    assert entry(asked(ws)).state == "pending"
    judged(ws, NOTES_RUN)
    assert asked(ws, drafts=frozenset({NOTES_RUN})).counts["draft"] == 1


def test_what_was_sent_to_judging_comes_first(ws: Workspace) -> None:
    """With who asked for it and why."""
    send(ws, [NOTES_RUN], "Is this\nright?", BEN)
    found = asked(ws)
    assert found.entries[0].run_id == NOTES_RUN
    assert found.entries[0].reasons[0] == f"sent to judging by {BEN.name}: Is this right?"
    judged(ws, NOTES_RUN)
    assert "requested" not in entry(asked(ws, BEN)).why, "it was answered"
    assert entry(asked(ws)).state == "submitted"


def test_a_request_after_my_score_wants_another_judge(ws: Workspace) -> None:
    """Mine stands, and the run waits for others until one of them has judged it."""
    judged(ws, NOTES_RUN)
    send(ws, [NOTES_RUN], "A second opinion", ANA)
    assert entry(asked(ws)).state == "needs another judge"
    assert entry(asked(ws, BEN)).state == "pending"
    judged(ws, NOTES_RUN, BEN)
    assert (entry(asked(ws)).state, entry(asked(ws, BEN)).state) == ("submitted", "submitted")


def test_people_who_disagree_need_others(ws: Workspace) -> None:
    """By more than one step of 1 to 5, until it is adjudicated; the others are told that much."""
    judged(ws, NOTES_RUN, ANA, answers(taken(ws, NOTES_RUN), 5.0))
    judged(ws, NOTES_RUN, BEN, answers(taken(ws, NOTES_RUN), 4.0))
    assert entry(asked(ws)).state == "submitted"
    judged(ws, NOTES_RUN, BEN, answers(taken(ws, NOTES_RUN), 2.0))
    assert entry(asked(ws)).state == "needs another judge"
    found = entry(asked(ws, CY))
    assert (found.state, found.reasons[0]) == (
        "pending",
        "2 people disagree on it, by 75 % of the scale",
    )
    assert [each.run_id for each in asked(ws, CY, only="disagreement").entries] == [NOTES_RUN]
    for key in taken(ws, NOTES_RUN).criteria:
        ids = tuple(taken(ws, NOTES_RUN, who).mine[key.key].id for who in (ANA, BEN))
        adjudicate(ws, Decision(NOTES_RUN, key.key, 3.0, "In between.", ids), CY)
    assert entry(asked(ws)).state == "submitted"
    judged(ws, NOTES_RUN, BEN, answers(taken(ws, NOTES_RUN), 1.0))
    assert entry(asked(ws)).state == "needs another judge", "this was not weighed"


def test_a_score_that_went_stale_is_pending_again(ws: Workspace) -> None:
    """For its judge alone, once the workspace was read again."""
    judged(ws, NOTES_RUN)
    (ws.root / taken(ws, NOTES_RUN).files[0]).write_text("Something else", "utf-8")
    now = reopened(ws)
    found = entry(asked(now))
    assert (found.state, "stale" in found.why) == ("pending", True)
    assert "stale" not in entry(asked(now, BEN)).why
    judged(now, NOTES_RUN)
    assert entry(asked(reopened(now))).state == "submitted"


def test_scores_of_a_criterion_that_nobody_is_asked_give_no_reason(ws: Workspace) -> None:
    """They neither disagree nor are out of date, so that a judge could mend nothing there."""
    reviews = Reviews(ws.root, f"{NOTES}-workspace")
    for judge, score in ((ANA, 1), (BEN, 5)):
        reviews.judge(NOTES_RUN, "expectation:Nobody asks this", score, judge.id, (1, 5))
    now = reopened(ws)
    assert {"unattached"} <= set(now.tables.judgments["status"])
    for judge in (ANA, CY):
        assert {"disagreement", "stale"}.isdisjoint(entry(asked(now, judge)).why)


def test_what_one_judges_moves_nothing_else(ws: Workspace) -> None:
    """The others keep their order, their worth and their reasons."""
    before = asked(ws)
    chosen = before.entries[7].run_id
    judged(ws, chosen)
    for now in (ws, reopened(ws)):
        after = asked(now)
        rest = [each for each in after.entries if each.run_id != chosen]
        assert rest == [each for each in before.entries if each.run_id != chosen]
        assert after.place(chosen) == 7


def test_a_queue_tells_nothing_of_what_others_said(ws: Workspace) -> None:
    """Neither words nor which way: it is the same whatever the score is."""
    secret = "Nobody may read this before they judged."
    found = []
    for score in (1.0, 5.0):
        of = taken(ws, NOTES_RUN, BEN)
        submit(ws, of, [Answer(each.key, score, secret) for each in of.criteria], BEN)
        found.append(told(asked(ws)))
    assert found[0] == found[1]
    said = json.dumps(found[0], default=str)
    texts = ws.tables.text("judgments")["rationale"].dropna()
    assert secret not in said
    assert not [text for text in texts if text and text in said]


def test_a_queue_is_narrowed_to_runs_a_state_or_a_reason(ws: Workspace) -> None:
    """Counts are of what is left; those of a state are of all states."""
    runs = [each.run_id for each in asked(ws).entries[3:6]]
    judged(ws, runs[0])
    chosen = asked(ws, only=frozenset(runs))
    assert [each.run_id for each in chosen.entries] == runs
    assert (chosen.counts["submitted"], chosen.counts["pending"]) == (1, 2)
    state = asked(ws, only="submitted")
    assert [each.run_id for each in state.entries] == runs[:1]
    assert state.counts == asked(ws).counts
    marked = asked(ws, only="mark")
    assert marked.entries
    assert all("mark" in each.why for each in marked.entries)


def test_a_growing_list_of_records_says_what_a_new_one_does(tmp_path: Path) -> None:
    """Only the runs that records were added to are looked at again."""
    ws, rng = many(tmp_path), np.random.default_rng(3)
    records: tuple[Review, ...] = ()
    for step in range(40):
        who = ("ana-3f2a", "ben-77c0")[int(rng.integers(2))]
        more = said(ws, who, int(rng.integers(120)), float(rng.integers(1, 6)), step)
        gone = int(rng.integers(len(records))) if step % 9 == 8 else -1
        records = (*(each for at, each in enumerate(records) if at != gone), more)
        grown = queue(ws, made.SUITE, ANA, records)
        fresh = tuple(each._replace(path=each.path) for each in records)
        assert told(grown) == told(queue(ws, made.SUITE, ANA, fresh))
        every = np.arange(len(grown.order))
        assert grown.states(every) == Counter(each.state for each in grown.entries)
        assert grown.reasons(every) == Counter(why for each in grown.entries for why in each.why)
        assert [grown.place(each.run_id) for each in grown.entries] == every.tolist()
        order = [(each.state == "cannot be judged", -each.priority) for each in grown.entries]
        assert order == sorted(order)


def test_an_unknown_suite_is_named(ws: Workspace) -> None:
    """With what there is."""
    with pytest.raises(UnknownName, match="suite"):
        queue(ws, "nothing", ANA, ())


def test_a_suite_without_runs_has_an_empty_queue(tmp_path: Path) -> None:
    """Nothing waits."""
    found = queue(made.workspace(tmp_path, made.suite(), made.case()), made.SUITE, ANA, ())
    assert (found.entries, sum(found.counts.values())) == ((), 0)
