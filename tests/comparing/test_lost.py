"""Nothing gets better by losing runs: what a side lost is counted, and bounds its verdict."""

from collections.abc import Iterable, Mapping
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from evalcore import open_workspace
from evalcore.comparing.compare import compare
from evalcore.comparing.lost import RUNGS
from evalcore.comparing.model import Comparison, Lost, Side
from evalcore.counting.outcomes import Column
from evalcore.failures.find import failures
from evalcore.statistics.verdict import DIRECTIONS
from evalcore.tables.rows import ExclusionRow, Row
from evalcore.views.overview.column import ended
from evalcore.views.overview.sentences import left_out
from evalcore.views.overview.summary import overview
from evalcore.views.verdict.limits import MEND, lost_step
from tests import made
from tests.comparing.sided import Values, opened, run_id, sides, versions
from tests.counting.peopled import of
from tests.families.rules_workspaces import write

CASES = [f"case-{n:02}" for n in range(14)]
CHECKS = "pass_rate"


def every(*values: float | None) -> dict[str, list[float | None]]:
    """Return fourteen cases with the same runs."""
    return {case: list(values) for case in CASES}


def told(root: Path, a: Values, b: Values, *more: Row, headline: str | None = None) -> Comparison:
    """Return the comparison of v1 with v0."""
    given = {} if headline is None else {"headline": headline}
    return compare(*sides(opened(root, a, b, *more, **given)))


def excluded(version: str, number: int, cases: Iterable[str] = CASES) -> list[Row]:
    """Return that a person excluded one run of each of some cases."""
    return [
        made.row(
            ExclusionRow, suite=made.SUITE, run_id=run_id(case, version, number), reason="Broken."
        )
        for case in cases
    ]


def word(found: Comparison) -> str:
    """Return the word of a verdict."""
    assert found.verdict is not None
    return found.verdict.word


def test_excluding_the_failing_runs_of_one_side_is_no_improvement(tmp_path: Path) -> None:
    """X1: the versions are identical; a person excluded the failing run of every case of B."""
    found = told(tmp_path, every(1, 0), every(1, 0), *excluded("v1", 2))
    assert found.lost.b == (Lost("runs", "excluded", 14, 28),)
    assert (found.lost.a, found.lost.unequal) == ((), True)
    assert (found.lost.low, found.lost.high) == (0.0, 0.5)
    assert (found.lost.without, word(found)) == ("better", "can't tell")
    assert found.verdict is not None
    assert (found.verdict.kind, found.verdict.difference) == ("lost", 0.5)


def test_excluding_the_passing_runs_of_one_side_is_no_regression(tmp_path: Path) -> None:
    """The mirror image."""
    found = told(tmp_path, every(1, 0), every(1, 0), *excluded("v1", 1))
    assert (found.lost.without, word(found)) == ("worse", "can't tell")
    assert (found.lost.low, found.lost.high) == (-0.5, 0.0)


def test_runs_without_a_score_are_lost_whatever_the_others_scored(tmp_path: Path) -> None:
    """R3c, G9b: B has one scored run of three in every case, and that one passed."""
    found = told(tmp_path, every(1, 0, 0), every(1, None, None))
    assert found.lost.b == (Lost("runs", "not scored", 28, 42),)
    assert (found.lost.without, word(found)) == ("better", "can't tell")
    assert found.lost.low == pytest.approx(0.0)
    assert found.lost.high == pytest.approx(2 / 3)


def test_runs_that_did_not_finish_are_lost(tmp_path: Path) -> None:
    """An agent that crashed in the hard runs has not passed them."""
    rows = [
        made.run(
            run_id=run_id(case, version, number),
            case_id=case,
            version=version,
            run=str(number),
            passed=passed,
            status=status,
        )
        for case in CASES
        for version, number, passed, status in (
            ("v0", 1, True, "completed"),
            ("v0", 2, False, "completed"),
            ("v1", 1, True, "completed"),
            ("v1", 2, None, "infrastructure_error"),
        )
    ]
    found = compare(*sides(versions(tmp_path, *rows, headline="share of runs passed")))
    assert found.lost.b == (Lost("runs", "not finished", 14, 28),)
    assert (found.lost.without, word(found)) == ("better", "can't tell")


def scored(root: Path, version_b: Mapping[str, bool | None], a: float, b: float) -> Comparison:
    """Return a comparison by four checks: three of v0's pass, of v1's those that say so."""
    judgments = [
        made.judgment(check, passed, run_id=run_id(case, version))
        for case in CASES
        for version, checks in (
            ("v0", {"a": True, "b": True, "c": True, "d": False}),
            ("v1", version_b),
        )
        for check, passed in checks.items()
    ]
    return told(root, every(a), every(b), *judgments, headline=CHECKS)


def test_criteria_without_a_score_are_lost_in_runs_that_count(tmp_path: Path) -> None:
    """G15: the criterion that failed in A has no score in B, whose runs count 100 %."""
    found = scored(tmp_path, {"a": True, "b": True, "c": True, "d": None}, 0.75, 1.0)
    assert found.lost.b == (Lost("criteria", "not scored", 14, 56),)
    assert found.lost.a == ()
    assert (found.lost.low, found.lost.high) == (0.0, 0.25)
    assert (found.lost.without, word(found)) == ("better", "can't tell")


def test_a_run_that_passes_or_fails_as_a_whole_may_be_either_with_a_criterion_lost(
    tmp_path: Path,
) -> None:
    """Where one criterion decides, a missing one may turn the run."""
    judgments = [
        made.judgment(check, passed, run_id=run_id(case, version))
        for case in CASES
        for version, last in (("v0", False), ("v1", None))
        for check, passed in (("a", True), ("b", last))
    ]
    found = told(tmp_path, every(0), every(1), *judgments)
    assert found.lost.b == (Lost("criteria", "not scored", 14, 28),)
    assert (found.lost.low, found.lost.high) == (0.0, 1.0)
    assert word(found) == "can't tell"


def test_criteria_lost_on_one_side_are_unequal_where_the_other_has_none_recorded(
    tmp_path: Path,
) -> None:
    """A holds pass rates only, as from a benchmark: it has lost nothing that is known."""
    judgments = [
        made.judgment(check, passed, run_id=run_id(case, "v1"))
        for case in CASES
        for check, passed in (("a", True), ("b", None))
    ]
    found = told(tmp_path, every(0.5), every(1.0), *judgments, headline=CHECKS)
    assert found.lost.unequal
    assert (found.lost.low, found.lost.high) == (0.0, 0.5)
    assert word(found) == "can't tell"


@pytest.mark.parametrize(
    ("lost_a", "lost_b", "unequal"),
    [
        # Fourteen cases, two runs of each in A and four in B.
        (0, 0, False),
        (1, 2, False),
        (7, 14, False),
        (0, 1, True),
        (1, 0, True),
        (1, 1, True),
        (1, 3, True),
        (14, 27, True),
        (14, 28, False),
    ],
)
def test_shares_are_equal_only_if_exactly_so(
    tmp_path: Path, lost_a: int, lost_b: int, unequal: bool
) -> None:
    """1 of 28 is 2 of 56; the number of lost runs alone says nothing."""
    gone = [*excluded("v0", 1, CASES[:lost_a]), *excluded("v1", 1, CASES[:lost_b])]
    gone += excluded("v1", 2, CASES[: max(lost_b - len(CASES), 0)])
    found = told(tmp_path, every(1, 0), every(1, 0, 1, 0), *gone)
    assert found.lost.unequal == unequal
    assert (found.lost.low is None, found.lost.high is None, found.lost.without is None) == (
        (not unequal,) * 3
    )


def test_equal_shares_are_counted_and_leave_the_verdict(tmp_path: Path) -> None:
    """Both sides lost one run of three in every case: nothing speaks for either."""
    gone = [*excluded("v0", 3), *excluded("v1", 3)]
    found = told(tmp_path, every(0, 0, 0), every(1, 1, 1), *gone)
    assert found.lost.a == found.lost.b == (Lost("runs", "excluded", 14, 42),)
    assert not found.lost.unequal
    assert word(found) == "better"


def test_a_verdict_that_the_lost_runs_cannot_turn_remains(tmp_path: Path) -> None:
    """One run of 42 is lost: even as a failure it leaves the difference."""
    found = told(tmp_path, every(0, 0, 0), every(1, 1, 1), *excluded("v1", 3, CASES[:1]))
    assert (found.lost.unequal, found.lost.without, word(found)) == (True, "better", "better")
    assert found.lost.low == pytest.approx(1 - 1 / 42)
    assert found.verdict is not None
    assert found.verdict.kind is None


def test_no_more_is_said_than_both_bounds_say(tmp_path: Path) -> None:
    """Six cases improved, so others would; with the lost runs failed, five: on these cases only."""
    a = {case: [0, 0, 0] for case in CASES[:5]} | {"open": [1, 0, 0]}
    b = {case: [1, 1, 1] for case in CASES[:5]} | {"open": [1, None, None]}
    found = told(tmp_path, a, b)
    assert (found.lost.without, word(found)) == ("better", "better on these cases")
    assert found.verdict is not None
    assert found.verdict.kind == "lost"


def test_bounds_that_contradict_each_other_tell_nothing(tmp_path: Path) -> None:
    """Counted against B it is worse, counted for it better: neither is said."""
    found = told(tmp_path, every(0.75, 0.75, 0.75), every(1.0, None, None), headline=CHECKS)
    assert found.lost.low == pytest.approx(1 / 3 - 0.75)
    assert (found.lost.without, word(found)) == ("better", "can't tell")


def test_a_case_that_one_side_lost_whole_belongs_to_the_bounds(tmp_path: Path) -> None:
    """It has no value, and yet could have turned the verdict."""
    a = every(0)
    b: dict[str, list[float | None]] = {
        case: [1.0 if n < 7 else None] for n, case in enumerate(CASES)
    }
    found = told(tmp_path, a, b)
    assert len(found.pairs) == 7
    assert found.lost.b == (Lost("runs", "not scored", 7, 14),)
    assert (found.lost.low, found.lost.high) == (0.5, 1.0)


def test_a_case_that_one_side_never_ran_is_no_lost_run(tmp_path: Path) -> None:
    """It is left out as a case; nobody knows how many runs it would have had."""
    found = told(tmp_path, every(0), {case: [1.0] for case in CASES[:10]})
    assert (found.lost.a, found.lost.b, found.lost.unequal) == ((), (), False)
    assert len(found.left_out) == 4


def test_a_case_whose_grading_names_no_side_is_left_out_for_that(tmp_path: Path) -> None:
    """Both sides wait for a grading, and only for this one it is there, in the wrong folder."""
    item = {"text": "Names the month", "passed": True, "evidence": "May"}
    iteration = "m-workspace/iteration-1"
    graded = ("one/with_skill", "one/without_skill", "two")
    files = {f"{iteration}/{at}/grading.json": {"expectations": [item]} for at in graded}
    waiting = product(("two", "three"), ("with_skill", "without_skill"))
    files |= {f"{iteration}/{case}/{side}/outputs/out.json": {} for case, side in waiting}
    ws = open_workspace(write(tmp_path, files))
    a, b = (Side(ws, "m", Column("iteration-1", of)) for of in ("without_skill", "with_skill"))
    left = {each.case_id: each.reason for each in compare(a, b).left_out}
    assert left == {"two": "side unknown", "three": "not graded in A"}


def test_a_run_whose_grading_cannot_be_read_is_lost_for_that(tmp_path: Path) -> None:
    """It does not wait for a grading: one is there, and is to be corrected."""
    item = {"text": "Names the month", "passed": True, "evidence": "May"}
    grading = {"expectations": [item]}
    files: dict[str, Any] = {
        f"m-workspace/iteration-{n}/{case}/with_skill/run-{run}/grading.json": grading
        for n, case, run in product((1, 2), ("one", "two"), (1, 2))
    }
    broken = "m-workspace/iteration-2/{}/with_skill/run-{}/grading.json"
    files |= {broken.format(*of): "{" for of in (("one", 1), ("two", 1), ("two", 2))}
    ws = open_workspace(write(tmp_path, files))
    a, b = (Side(ws, "m", Column(f"iteration-{n}", "with_skill")) for n in (1, 2))
    found = compare(a, b)
    assert (found.lost.a, found.lost.b) == ((), (Lost("runs", "not read", 3, 4),))
    assert [(each.case_id, each.reason) for each in found.left_out] == [("two", "not read in B")]
    assert lost_step(found) == MEND
    shown = overview(ws, "m", "iteration-2")
    said = "3 runs with a grading that cannot be read"
    assert said in left_out(shown.line.rate)
    assert "waiting for a grading" not in left_out(shown.line.rate)
    assert [(each.status, each.n) for each in ended(ws, "m", b.column)] == [("unread", 3)]
    assert len(failures(ws, "m").outside["unread"]) == 3


def test_the_runs_of_a_draft_case_are_not_lost(tmp_path: Path) -> None:
    """They were never meant to count."""
    rows = [
        made.run(
            run_id=run_id(case, version),
            case_id=case,
            version=version,
            passed=None if (case, version) == ("draft", "v1") else True,
        )
        for case in ("draft", "done")
        for version in ("v0", "v1")
    ]
    draft = made.case(case_id="draft", status="draft")
    found = compare(*sides(versions(tmp_path, draft, *rows, headline="share of runs passed")))
    assert (found.lost.a, found.lost.b) == ((), ())


def test_who_judged_a_run_whole_left_none_of_its_criteria_open(tmp_path: Path) -> None:
    """With people's scores first, what the recorded judge left open is not lost."""
    judgments = [
        made.judgment(check, passed, run_id=run_id(case, version))
        for case in CASES
        for version, last in (("v0", False), ("v1", None))
        for check, passed in (("a", True), ("b", last))
    ]
    people = [of(run_id(case, v), "ann", 1.0, 1.0, True) for case in CASES for v in ("v0", "v1")]
    ws = opened(tmp_path, every(0), every(1), *judgments, *people)
    assert compare(*sides(ws)).lost.b == (Lost("criteria", "not scored", 14, 28),)
    assert compare(*sides(ws), "human-first").lost.b == ()


def test_an_excluded_run_is_counted_once(tmp_path: Path) -> None:
    """Also where it has no score besides."""
    found = told(tmp_path, every(1, 1), every(1, None), *excluded("v1", 2))
    assert found.lost.b == (Lost("runs", "excluded", 14, 28),)


def test_time_outs_count_as_failed_and_are_named(tmp_path: Path) -> None:
    """R3: eight cases got worse because their runs were stopped by the clock."""
    rows = [
        made.run(
            run_id=run_id(case, version),
            case_id=case,
            version=version,
            passed=not late,
            status="timeout" if late else "completed",
        )
        for n, case in enumerate(CASES)
        for version in ("v0", "v1")
        for late in [version == "v1" and n < 8]
    ]
    found = compare(*sides(versions(tmp_path, *rows, headline="share of runs passed")))
    assert found.lost.b == (Lost("runs", "timed out", 8, 14),)
    assert not found.lost.unequal
    assert word(found) == "worse"


def test_the_rungs_are_the_words_in_their_order() -> None:
    """Worst first; a word implies those between it and the middle."""
    assert set(RUNGS) == set(DIRECTIONS)
    assert [DIRECTIONS[rung] for rung in RUNGS] == [-1, -1, 0, 1, 1]
    assert (RUNGS[0], RUNGS[-1]) == ("worse", "better")


def hidden(case: str, version: str, number: int) -> Row:
    """Return a run that is hidden from the reader."""
    name = run_id(case, version, number)
    return made.run(run_id=name, case_id=case, version=version, run=str(number), status="hidden")


def test_hidden_runs_are_counted_and_not_lost(tmp_path: Path) -> None:
    """Neither side gets better or worse by what its reader may not see yet."""
    more = [hidden(case, "v1", 2) for case in CASES]
    found = told(tmp_path, every(0), every(1), *more)
    assert (found.lost.a, found.lost.b, found.lost.unequal) == ((), (), False)
    assert (found.hidden, word(found)) == ((0, 14), "better")


def test_a_case_whose_runs_are_all_hidden_is_left_out_for_that(tmp_path: Path) -> None:
    """It is not said to be unscored or unfinished."""
    a, b = every(0), every(1)
    del a[CASES[0]]
    found = told(tmp_path, a, b, hidden(CASES[0], "v0", 1))
    assert [(left.case_id, left.reason) for left in found.left_out] == [(CASES[0], "hidden in A")]
    assert found.hidden == (1, 0)
