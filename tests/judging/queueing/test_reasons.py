"""Why a person should look at a run, by what its recorded scores say."""

from pathlib import Path
from typing import Any

import pytest

from evalcore.judging.queueing.reasons import HEDGES, REASONS, RECORDED, Why, recorded
from evalcore.tables.rows import Row
from tests import made
from tests.families.build import write

FIVE: dict[str, Any] = {"min_score": 1.0, "max_score": 5.0}


def graded(**given: object) -> Row:
    """Return a run whose output is saved."""
    return made.run(**{"outputs": "runs/out", **given})


def why(root: Path, *rows: Row, family: str = "improve") -> dict[str, set[Why]]:
    """Return the reasons of each run that has any, by its id."""
    ws = made.workspace(root, made.suite(family), made.case(), *rows)
    ids = ws.tables.runs["run_id"].tolist()
    found = recorded(ws, made.SUITE)
    every = {run: {name for name, of in found.items() if of[at]} for at, run in enumerate(ids)}
    return {run: names for run, names in every.items() if names}


def scored(label: str, score: float, **given: object) -> Row:
    """Return a judgment from 1 to 5 that passes from 3 on."""
    base: dict[str, Any] = {"passed": score >= 3, **FIVE, "score": score}
    return made.judgment(label, **{**base, **given})


def marks(*labels: str) -> list[Row]:
    """Return criteria that pass from 3 on."""
    return [made.criterion(label, pass_at=3.0, **FIVE) for label in labels]


def test_a_clear_run_gives_no_reason(tmp_path: Path) -> None:
    """All passed, well above the mark, in plain words."""
    rows = [scored("a", 5, rationale="It adds up."), scored("b", 4)]
    assert why(tmp_path, graded(), *marks("a", "b"), *rows) == {}


def test_a_run_without_output_stands_back(tmp_path: Path) -> None:
    """There is nothing to read, also where no other run has any; a record holds it itself."""
    bare, full = made.run(), graded(run_id="r2")
    kept = made.run(run_id="r3", origin="record")
    rows = [scored("a", 5, run_id=run) for run in ("r1", "r2", "r3")]
    assert why(tmp_path / "some", bare, full, kept, *rows) == {"r1": {"empty"}}
    assert why(tmp_path / "none", bare, scored("a", 5)) == {"r1": {"empty"}}
    assert REASONS["empty"].priority + REASONS["votes"].priority < 0
    assert REASONS["empty"].priority + REASONS["requested"].priority > 0


def test_judges_of_one_criterion_may_split(tmp_path: Path) -> None:
    """More than one step of 1 to 5 apart; a step is how judges differ anyway."""
    apart = [scored("a", 5, judge="one"), scored("a", 3.5, judge="two")]
    near = [scored("a", 5, run_id="r2", judge="one"), scored("a", 4, run_id="r2", judge="two")]
    assert why(tmp_path, graded(), graded(run_id="r2"), *apart, *near) == {"r1": {"votes"}}


@pytest.mark.parametrize(
    ("scores", "near"),
    [
        ((5, 3), True),
        ((5, 4), False),
        ((5, 2), True),
        ((2, 2), False),
        ((1, 5), True),
        ((2,), False),
    ],
)
def test_one_step_or_one_criterion_may_turn_a_run(
    scores: tuple[float, ...], near: bool, tmp_path: Path
) -> None:
    """It passed with a criterion on its mark, or failed in a single one."""
    rows = [scored(str(at), score) for at, score in enumerate(scores)]
    found = why(tmp_path, graded(), *marks("0", "1"), *rows)
    assert found == ({"r1": {"mark"}} if near else {})


def test_a_total_may_lie_close_to_what_passes(tmp_path: Path) -> None:
    """Where the totals that pass and those that do not can be told apart."""
    totals = {"r1": (0.60, False), "r2": (0.66, True), "r3": (0.9, True), "r4": (0.1, False)}
    rows = [
        row
        for run, (part, passed) in totals.items()
        for row in (
            graded(run_id=run, passed=passed, fraction=part),
            made.judgment(
                "a",
                None,
                run_id=run,
                kind="rubric",
                score=part,
                min_score=0.0,
                max_score=1.0,
                status="scored",
            ),
        )
    ]
    assert why(tmp_path, *rows, family="records") == {"r1": {"mark"}, "r2": {"mark"}}


def rule(passed: bool, **given: object) -> Row:
    """Return a structural check."""
    return made.judgment("S1", passed, kind="structural", judge_type="heuristic", **given)


@pytest.mark.parametrize(
    ("rule_passed", "score", "against"),
    [(True, 2.0, True), (True, 4.0, False), (False, 5.0, True), (False, 2.0, False)],
)
def test_rules_and_judge_may_not_say_the_same(
    rule_passed: bool, score: float, against: bool, tmp_path: Path
) -> None:
    """Every rule passed and the judge is against the run, or the other way round."""
    judgment = scored("tone", score, kind="rubric", passed=None, status="scored")
    found = why(tmp_path, graded(), rule(rule_passed), judgment, family="rubric")
    assert found == ({"r1": {"rule"}} if against else {})


def test_a_judge_may_give_no_score(tmp_path: Path) -> None:
    """Of a criterion, or of the whole run; not of one whose gate kept the judge out."""
    runs = [graded(), graded(run_id="r2"), graded(run_id="r3", status="gate_failed")]
    rows = [made.judgment("a", None), scored("b", 5), rule(False, run_id="r3")]
    assert why(tmp_path, *runs, *rows, family="rubric") == {"r1": {"unscored"}, "r2": {"unscored"}}


def test_rules_that_score_what_others_judge_leave_nothing_unscored(tmp_path: Path) -> None:
    """As the scorers of a log do."""
    rows = [graded(), made.judgment("exact match", True, judge_type="heuristic")]
    assert why(tmp_path, *rows, family="iterations") == {}


def test_a_judge_may_not_be_sure(tmp_path: Path) -> None:
    """Below one half, or in a word."""
    runs = [graded(run_id=f"r{n}") for n in (1, 2, 3)]
    rows = [
        scored("a", 5, confidence=0.4),
        scored("a", 5, run_id="r2", confidence_level="low"),
        scored("a", 5, run_id="r3", confidence=0.5, confidence_level="medium"),
    ]
    assert why(tmp_path, *runs, *rows) == {"r1": {"confidence"}, "r2": {"confidence"}}


@pytest.mark.parametrize(
    ("words", "hedges"),
    [
        ("Perhaps it does.", True),
        ("It is HARD TO TELL from this.", True),
        ("One can’t tell.", True),
        ("(borderline)", True),
        ("The mighty river is uncertainly long.", False),
        ("It is right.", False),
    ],
)
def test_words_of_a_rationale_may_hedge(words: str, hedges: bool, tmp_path: Path) -> None:
    """Whole words, in any case."""
    found = why(tmp_path, graded(), scored("a", 5, rationale=words))
    assert found == ({"r1": {"hedging"}} if hedges else {})


def test_people_are_no_recorded_judge(tmp_path: Path) -> None:
    """What a person wrote is not taken for what a model wrote."""
    human = {"judge_type": "human", "judge": "ana-3f2a", "source": "reviews/eval-judgment/x.json"}
    rows = [scored("a", 5), scored("a", 1, rationale="Perhaps.", confidence=0.1, **human)]
    assert why(tmp_path, graded(), *rows) == {}


def test_one_output_may_have_two_verdicts(tmp_path: Path) -> None:
    """In one version the votes split; between versions the verdict flipped."""
    write(tmp_path, {f"{run}/out/a.txt": "the same" for run in ("r1", "r2", "r3")})
    write(tmp_path, {"r4/out/a.txt": "another"})
    runs = [
        graded(run_id=run, version=version, passed=passed, outputs=f"{run}/out", run=run)
        for run, version, passed in (
            ("r1", "v0", True),
            ("r2", "v0", False),
            ("r3", "v1", True),
            ("r4", "v1", False),
        )
    ]
    rows = [scored("a", 5, run_id=f"r{n}") for n in (1, 2, 3, 4)]
    assert why(tmp_path, *runs, *rows) == {
        "r1": {"votes"},
        "r2": {"votes", "flipped"},
        "r3": {"flipped"},
    }


def test_the_table_of_reasons_is_whole() -> None:
    """Each but one lifts a run; no words tell which way anybody judged."""
    assert set(RECORDED) < REASONS.keys()
    assert {name for name, reason in REASONS.items() if reason.priority <= 0} == {"empty"}
    words = " ".join(reason.words for reason in REASONS.values()).lower()
    assert not [
        word for word in ("failed", "passed", "good", "bad", "low", "high") if word in words
    ]
    assert tuple(dict.fromkeys(map(str.lower, HEDGES))) == HEDGES
