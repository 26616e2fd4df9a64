"""How far the judges of a suite agree: which scores count, and what goes into one coefficient."""

from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from evalcore.errors import UnknownName
from evalcore.families.reviews.review import ADJUDICATED
from evalcore.judging.agreeing.agreement import Agreement, Scale, agreement
from evalcore.judging.agreeing.scores import RECORDED
from evalcore.statistics.agreement import Raw
from evalcore.tables.rows import ExclusionRow, Row
from tests import made

FIVE = Scale(1.0, 5.0, pass_fail=False)
EITHER = Scale(0.0, 1.0, pass_fail=True)


def run_of(case: int) -> str:
    """Return the id of the one run of a case."""
    return f"{made.SUITE}::case-{case}@v0/-#1"


def runs(cases: int) -> list[Row]:
    """Return a suite with one run for each case."""
    return [
        made.suite(),
        *(made.run(run_id=run_of(n), case_id=f"case-{n}") for n in range(1, cases + 1)),
    ]


def scored(case: int, judge: str, score: float, label: str = "tone", **given: Any) -> Row:
    """Return what a person scored on one criterion of the run of a case, from 1 to 5."""
    source = f"reviews/eval-judgment/{judge}-{case}-{label}.json"
    base: dict[str, Any] = {
        "run_id": run_of(case),
        "judge": judge,
        "judge_type": "human",
        "score": score,
        "source": source,
    }
    return made.judgment(label, **{**base, **given})


def found(root: Path, *rows: Row, recorded: bool = False, cases: int = 9) -> Agreement:
    """Return the agreement of a suite of nine runs with these judgments."""
    return agreement(made.workspace(root, *runs(cases), *rows), made.SUITE, recorded=recorded)


def told(scores: Iterable[tuple[int, float, float]], **given: Any) -> list[Row]:
    """Return what ada and ben scored: (case, ada's, ben's)."""
    return [
        row
        for case, ada, ben in scores
        for row in (scored(case, "ada", ada, **given), scored(case, "ben", ben, **given))
    ]


def test_agreement_counts_what_two_judges_scored(tmp_path: Path) -> None:
    """Units with two scores count; a unit of one judge is told apart."""
    seen = found(tmp_path, *told([(1, 4, 4), (2, 2, 3), (3, 5, 5)]), scored(4, "ada", 1))
    assert (seen.units, seen.alone, seen.raw) == (3, 1, Raw(2, 3))
    assert seen.judges == (("ada", 4), ("ben", 3))
    assert [(one.one, one.other, one.same, one.kappa.units) for one in seen.pairs] == [
        ("ada", "ben", 2, 3)
    ]


def test_a_criterion_of_several_cases_has_its_own_row(tmp_path: Path) -> None:
    """“tone” is asked in two cases; criteria of one case each are pooled, and say how many."""
    rows = [
        *told([(1, 4, 4), (2, 2, 2)]),
        *told([(1, 5, 1)], label="only here"),
        *told([(2, 3, 3)], label="only there"),
    ]
    assert [
        (one.criterion, one.criteria, one.alpha.units) for one in found(tmp_path, *rows).criteria
    ] == [("tone", 1, 2), (None, 2, 2)]


def test_scales_are_never_mixed(tmp_path: Path) -> None:
    """1 to 5 and pass/fail have a coefficient each, in all and for each pair."""
    other: dict[str, Any] = {
        "label": "valid",
        "kind": "assertion",
        "min_score": 0.0,
        "max_score": 1.0,
    }
    seen = found(tmp_path, *told([(1, 4, 4), (2, 2, 3)]), *told([(1, 1, 1), (2, 0, 1)], **other))
    assert {one.scale for one in seen.scales} == {FIVE, EITHER}
    assert {one.scale for one in seen.pairs} == {FIVE, EITHER}
    assert seen.raw == Raw(2, 4)


def test_one_criterion_on_two_scales_is_no_shared_unit(tmp_path: Path) -> None:
    """Who scored it 1 to 5 and who scored it 0 to 10 did not score the same."""
    seen = found(tmp_path, scored(1, "ada", 4), scored(1, "ben", 4, min_score=0.0, max_score=10.0))
    assert (seen.units, seen.alone) == (0, 2)


@pytest.mark.parametrize("status", ["stale", "superseded", "unscored", "unattached"])
def test_scores_that_do_not_stand_are_left_out(tmp_path: Path, status: str) -> None:
    """Stale, replaced and missing scores are no agreement."""
    seen = found(tmp_path, scored(1, "ada", 4), scored(1, "ben", 4, status=status))
    assert (seen.units, seen.alone) == (0, 1)


def test_an_adjudication_is_no_judge(tmp_path: Path) -> None:
    """It was made after reading the others."""
    decided = scored(1, ADJUDICATED, 5, source="reviews/adjudication/0198.json")
    assert found(tmp_path, *told([(1, 4, 5)]), decided).judges == (("ada", 1), ("ben", 1))


def test_an_excluded_run_is_left_out(tmp_path: Path) -> None:
    """As in all rates."""
    gone = made.row(ExclusionRow, suite=made.SUITE, run_id=run_of(1), reason="broken file")
    assert found(tmp_path, *told([(1, 4, 5), (2, 3, 3)]), gone).raw == Raw(1, 1)


def test_the_newest_score_of_a_judge_counts(tmp_path: Path) -> None:
    """A judge has one voice, also where a score stands twice."""
    first = scored(1, "ada", 1, judged_at=datetime(2026, 3, 1, tzinfo=UTC))
    second = scored(
        1, "ada", 5, judged_at=datetime(2026, 3, 2, tzinfo=UTC), source="reviews/b.json"
    )
    seen = found(tmp_path, second, first, scored(1, "ben", 5))
    assert seen.raw == Raw(1, 1)


def test_the_recorded_judge_is_one_more_only_when_asked_for(tmp_path: Path) -> None:
    """It has a name of its own, whichever model it was."""
    rows = [*told([(1, 4, 4)]), scored(1, "big-model", 2, judge_type="llm", source="g.json")]
    assert {name for name, _ in found(tmp_path, *rows).judges} == {"ada", "ben"}
    seen = found(tmp_path, *rows, recorded=True)
    assert {name for name, _ in seen.judges} == {"ada", "ben", RECORDED}
    assert seen.raw == Raw(1, 3)


def test_ac1_stands_beside_alpha_where_almost_all_passed(tmp_path: Path) -> None:
    """Nine of ten answers are the same: alpha alone would look like disagreement."""
    scale = {"min_score": 0.0, "max_score": 1.0}
    skewed = found(tmp_path, *told([(n, 1, 0 if n == 9 else 1) for n in range(1, 10)], **scale))
    (group,) = skewed.criteria
    assert group.alpha.value is not None and group.alpha.value < 0.1
    assert group.ac1 is not None and group.ac1.value is not None and group.ac1.value > 0.8
    even = found(tmp_path / "b", *told([(n, n % 2, n % 2) for n in range(1, 10)], **scale))
    assert even.criteria[0].ac1 is None


def test_judges_who_gave_one_and_the_same_score_all_agree(tmp_path: Path) -> None:
    """There is no coefficient then, and n is told."""
    (group,) = found(tmp_path, *told([(n, 4, 4) for n in range(1, 8)])).criteria
    assert (group.alpha.value, group.alpha.why, group.alpha.units) == (None, "all agree", 7)


def test_a_suite_without_human_scores_has_no_agreement(tmp_path: Path) -> None:
    """Nothing is counted, and nothing fails."""
    seen = found(tmp_path)
    assert (seen.judges, seen.units, seen.criteria, seen.pairs) == ((), 0, (), ())


def test_an_unknown_suite_is_refused(tmp_path: Path) -> None:
    """The message names what there is."""
    with pytest.raises(UnknownName):
        agreement(made.workspace(tmp_path, made.suite()), "skills/pfd")


def test_agreement_counts_independent_judgments_and_can_be_limited_to_them(tmp_path: Path) -> None:
    """Those of people who had seen no score; what is not known is not independent."""
    rows = [
        *told([(1, 4, 4), (2, 3, 3)], seen="nothing"),
        *told([(3, 5, 1)], seen="recorded"),
        *told([(4, 5, 1)]),
    ]
    ws = made.workspace(tmp_path, *runs(9), *rows)
    every, alone = (agreement(ws, made.SUITE, independent=only) for only in (False, True))
    assert (every.human, every.independent, every.raw) == (8, 4, Raw(2, 4))
    assert (alone.human, alone.independent, alone.raw) == (4, 4, Raw(2, 2))


def test_the_recorded_judge_is_not_counted_among_people(tmp_path: Path) -> None:
    """Nor left out where only independent judgments are compared."""
    rows = [scored(1, "ada", 4, seen="nothing"), made.judgment("tone", run_id=run_of(1), score=4)]
    found_ = made.workspace(tmp_path, *runs(9), *rows)
    limited = agreement(found_, made.SUITE, recorded=True, independent=True)
    assert (limited.units, limited.human, limited.independent) == (1, 1, 1)
