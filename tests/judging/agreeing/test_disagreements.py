"""Where judges differ most, as a queue: its order, what leaves it, and what it never shows."""

from pathlib import Path

import pytest

from evalcore.families.reviews.models import JudgmentFields
from evalcore.judging.agreeing.adjudicating import Decision, adjudicate
from evalcore.judging.agreeing.disagreements import Disagreements, disagreements, with_rationales
from evalcore.judging.model import Judge
from evalcore.judging.storing.record_factory import make_record as record
from evalcore.judging.storing.store import store
from evalcore.judging.storing.stored_reviews import load_reviews, review_folder
from evalcore.tables.rows import Row
from evalcore.workspace.opened import Workspace
from tests import made

ADA, BEN, CLEO = (Judge(f"{name.lower()}-0a1b", name) for name in ("Ada", "Ben", "Cleo"))
KEYS = ("tone", "facts")


def run_of(case: int) -> str:
    """Return the id of the one run of a case."""
    return f"{made.SUITE}::case-{case}@v0/-#1"


def suite(root: Path, *rows: Row, cases: int = 3) -> Workspace:
    """Return a suite whose cases have one run and two criteria, “facts” with twice the weight."""
    each: list[Row] = []
    for n in range(1, cases + 1):
        each += [made.case(case_id=f"case-{n}"), made.run(run_id=run_of(n), case_id=f"case-{n}")]
        each += [
            made.criterion(key, case_id=f"case-{n}", min_score=1.0, max_score=5.0, weight=weight)
            for key, weight in zip(KEYS, (1.0, 2.0), strict=True)
        ]
    return made.workspace(root, made.suite(), *each, *rows)


def says(
    ws: Workspace,
    judge: Judge,
    case: int,
    tone: float | None,
    facts: float | None = 3,
    supersedes: str | None = None,
) -> tuple[str, ...]:
    """Store what a judge says of the run of a case; return the ids of the records."""
    found = []
    for key, score in zip(KEYS, (tone, facts), strict=True):
        if score is None and supersedes is None:
            continue
        fields = JudgmentFields(
            test_run_id=run_of(case),
            criterion_id=f"expectation:{key}",
            score=score,
            min_score=1,
            max_score=5,
            rationale=f"{judge.name} on {key}",
            judged_by=judge.id,
            judged_at="2026-03-01T10:00:00Z",
        )
        made_record = record(fields, judge, None, supersedes)
        store(review_folder(ws, made.SUITE), made_record)
        found.append(made_record.id)
    return tuple(found)


def waiting(ws: Workspace, judge: Judge | None) -> Disagreements:
    """Return what waits, from the disk as it is now."""
    return disagreements(ws, made.SUITE, judge, load_reviews(review_folder(ws, made.SUITE)))


def decide(ws: Workspace, judge: Judge, score: float = 4) -> None:
    """Decide the first disagreement."""
    first = waiting(ws, judge).open[0]
    adjudicate(
        ws,
        Decision(first.run_id, first.asked.key, score, "Read both.", first.ids, first.over),
        judge,
    )


def test_the_largest_spread_stands_first_then_the_weightiest(tmp_path: Path) -> None:
    """Spread is a share of the scale: 1 and 5 of five are the whole of it."""
    ws = suite(tmp_path)
    for case, (ada, ben) in enumerate([((3, 4), (4, 4)), ((1, 3), (5, 3)), ((2, 2), (3, 3))], 1):
        says(ws, ADA, case, *ada)
        says(ws, BEN, case, *ben)
    assert [(one.run_id, one.asked.name, one.spread) for one in waiting(ws, ADA).open] == [
        (run_of(2), "tone", 1.0),
        (run_of(3), "facts", 0.25),
        (run_of(1), "tone", 0.25),
        (run_of(3), "tone", 0.25),
    ]


def test_who_has_judged_the_run_whole_sees_scores_and_reasons(tmp_path: Path) -> None:
    """The highest score first."""
    ws = suite(tmp_path)
    says(ws, ADA, 1, 1)
    says(ws, BEN, 1, 5)
    (one,) = waiting(ws, ADA).open
    assert [
        (rating.judge, rating.score, rating.rationale)
        for rating in with_rationales(ws, one).ratings
    ] == [
        (BEN.id, 5, "Ben on tone"),
        (ADA.id, 1, "Ada on tone"),
    ]


def test_who_has_yet_to_judge_a_run_learns_only_how_many_wait(tmp_path: Path) -> None:
    """Also who judged half of it, and who gave no name."""
    ws = suite(tmp_path)
    says(ws, ADA, 1, 1)
    says(ws, BEN, 1, 5)
    says(ws, CLEO, 1, 3, None)
    for judge in (CLEO, None, Judge("dana-9f9f", "Dana")):
        assert waiting(ws, judge) == Disagreements((), 0, 1, 1, 0)


def test_what_is_decided_leaves(tmp_path: Path) -> None:
    """It is counted, and the judgments stay as they are."""
    ws = suite(tmp_path)
    says(ws, ADA, 1, 1)
    says(ws, BEN, 1, 5)
    decide(ws, ADA)
    assert waiting(ws, ADA) == Disagreements((), 0, 0, 0, 1)


def test_a_newer_judgment_brings_it_back(tmp_path: Path) -> None:
    """The adjudication did not weigh it; the next one replaces that."""
    ws = suite(tmp_path)
    says(ws, ADA, 1, 1)
    says(ws, BEN, 1, 5)
    decide(ws, ADA)
    says(ws, CLEO, 1, 2)
    (one,) = waiting(ws, ADA).open
    assert len(one.ratings) == 3
    assert one.over is not None
    decide(ws, ADA, 2)
    assert waiting(ws, ADA).open == ()


def test_a_score_taken_back_disagrees_no_more(tmp_path: Path) -> None:
    """What a judge takes back leaves at once, before the folder is read again."""
    ws = suite(tmp_path)
    says(ws, ADA, 1, 1)
    (mine, _) = says(ws, BEN, 1, 5)
    says(ws, BEN, 1, None, None, supersedes=mine)
    assert waiting(ws, ADA).open == ()


def test_scores_among_the_suites_own_files_count_too(tmp_path: Path) -> None:
    """A record store holds human judgments of its own; their reasons are looked up when shown."""
    own = [
        made.judgment(
            key,
            run_id=run_of(1),
            judge=CLEO.id,
            judge_type="human",
            score=score,
            rationale="Cleo wrote this",
            source=f"records/{key}.json",
            pointer="",
        )
        for key, score in (("tone", 5.0), ("facts", 3.0))
    ]
    ws = suite(tmp_path, *own)
    says(ws, ADA, 1, 1)
    (one,) = waiting(ws, CLEO).open
    assert one.ids[0] == "tone"
    assert with_rationales(ws, one).ratings[0].rationale == "Cleo wrote this"


@pytest.mark.parametrize("status", ["stale", "unattached"])
def test_a_score_that_does_not_count_is_no_disagreement(tmp_path: Path, status: str) -> None:
    """It speaks of an output or of a criterion that is not there any more."""
    ws = suite(tmp_path)
    says(ws, ADA, 1, 1)
    ids = says(ws, BEN, 1, 5)
    old = [
        made.judgment(
            key,
            run_id=run_of(1),
            judge=BEN.id,
            judge_type="human",
            status=status,
            source=review_folder(ws, made.SUITE).path_of("eval-judgment", name),
        )
        for key, name in zip(KEYS, ids, strict=True)
    ]
    assert waiting(suite(tmp_path, *old), ADA).open == ()
