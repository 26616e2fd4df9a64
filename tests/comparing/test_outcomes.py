"""The gate and the time limit are outcomes of their own, whatever the scores of the rest say."""

from pathlib import Path

import pytest

from evalcore.comparing.compare import compare
from evalcore.comparing.model import Comparison, Gates, Slice
from evalcore.comparing.outcomes import GATE, IN_TIME
from evalcore.statistics.verdict import Word
from evalcore.tables.rows import ExclusionRow, Row
from tests import made
from tests.comparing.sided import run_id, sides, versions

Runs = dict[str, list[float | str]]
"""By case: the score of each run, or the status of one that has none."""


def rows(version: str, runs: Runs) -> list[Row]:
    """Return the runs of a version."""
    return [
        made.run(
            run_id=run_id(case, version, number),
            case_id=case,
            version=version,
            run=str(number),
            fraction=value if isinstance(value, float) else None,
            passed=False if isinstance(value, str) else None,
            status=value if isinstance(value, str) else "completed",
        )
        for case, each in runs.items()
        for number, value in enumerate(each, 1)
    ]


def told(root: Path, a: Runs, b: Runs, *more: Row) -> Comparison:
    """Return the comparison of v1 with v0, of a suite whose gate comes before the scores."""
    ran = [*rows("v0", a), *rows("v1", b), *more]
    return compare(*sides(versions(root, *ran, family="rubric", headline="mean score")))


def every(cases: int, *runs: float | str) -> Runs:
    """Return so many cases with the same runs."""
    return {f"case-{n:02}": list(runs) for n in range(cases)}


def outcome(found: Comparison, name: str = GATE) -> Slice:
    """Return the one outcome of that name."""
    (only,) = [one for one in found.outcomes if one.name == name]
    return only


def word(found: Slice | Comparison) -> str:
    """Return the word of a verdict."""
    assert found.verdict is not None
    return found.verdict.word


def test_passing_the_gate_less_often_is_worse_though_the_rest_scores_higher(
    tmp_path: Path,
) -> None:
    """GA2: B passes the gate in 14 of 42 runs, and these score higher than A's."""
    found = told(tmp_path, every(14, 0.5, 0.5, 0.5), every(14, 0.9, "gate_failed", "gate_failed"))
    gate = outcome(found)
    assert (gate.kind, gate.a.value, gate.up, gate.down, word(gate)) == (
        "outcome",
        1.0,
        0,
        14,
        "worse",
    )
    assert gate.b.value == pytest.approx(1 / 3)
    assert found.lost.without == "better"
    assert word(found) == "can't tell"
    assert found.gates == Gates(stopped_a=0, runs_a=42, stopped_b=28, runs_b=42)


def test_cases_that_the_gate_stopped_whole_count_for_the_gate(tmp_path: Path) -> None:
    """GA1: eight of sixteen cases have no score in B; they are not "the same in both"."""
    b = every(8, 0.9) | {f"case-{n:02}": ["gate_failed"] for n in range(8, 16)}
    found = told(tmp_path, every(16, 0.5), b)
    assert (len(found.pairs), outcome(found).a.cases, outcome(found).down) == (8, 16, 8)
    assert {left.reason for left in found.left_out} == {"gate failed in B"}
    assert word(found) == "can't tell"
    assert word(outcome(found)) == "worse"


@pytest.mark.parametrize(
    ("cases", "forwards", "backwards"),
    [
        (7, "worse", "better"),
        (3, "worse on these cases", "better on these cases"),
        (1, "worse on these cases", "better on these cases"),
    ],
)
def test_a_side_that_the_gate_stopped_whole_is_worse_on_these_cases_at_least(
    tmp_path: Path, cases: int, forwards: Word, backwards: Word
) -> None:
    """GA3: nothing of it can be scored, so its gate is what is compared."""
    ran, stopped = every(cases, 0.5), every(cases, "gate_failed")
    found = told(tmp_path, ran, stopped)
    assert (found.headline, word(found), found.pairs) == (GATE, forwards, ())
    assert found.estimate_a is not None
    assert found.estimate_b is not None
    assert (found.estimate_a.value, found.estimate_b.value) == (1.0, 0.0)
    assert word(told(tmp_path / "back", stopped, ran)) == backwards


def test_where_the_gate_stopped_both_sides_whole_there_is_no_verdict(tmp_path: Path) -> None:
    """Neither is better for it."""
    found = told(tmp_path, every(3, "gate_failed"), every(3, "gate_failed"))
    assert found.verdict is None


def test_a_side_without_any_score_is_not_stopped_whole_if_one_run_passed_its_gate(
    tmp_path: Path,
) -> None:
    """Whose rubric was never scored: that run is unscored, not stopped."""
    b = every(3, "gate_failed") | {"case-00": ["completed"]}
    found = told(tmp_path, every(3, 0.5), b)
    assert (found.verdict, found.headline) == (None, "mean score")


@pytest.mark.parametrize("status", ["infrastructure_error", "excluded"])
def test_runs_that_say_nothing_of_the_gate_do_not_count_for_it(tmp_path: Path, status: str) -> None:
    """One did not finish, or a person excluded it."""
    b: Runs = every(3, 0.9, "gate_failed")
    more: list[Row] = []
    for case in b:
        b[case].append("gate_failed" if status == "excluded" else status)
        if status == "excluded":
            of = run_id(case, "v1", 3)
            more.append(made.row(ExclusionRow, suite=made.SUITE, run_id=of, reason="Broken."))
    found = told(tmp_path, every(3, 0.5, 0.5), b, *more)
    assert (outcome(found).b.runs, outcome(found).b.value) == (6, 0.5)


def test_time_outs_have_a_verdict_of_their_own(tmp_path: Path) -> None:
    """R3: eight of fourteen cases timed out in B."""
    b = every(8, "timeout") | {f"case-{n:02}": [0.5] for n in range(8, 14)}
    found = told(tmp_path, every(14, 0.5), b)
    late = outcome(found, IN_TIME)
    assert (late.a.value, late.b.value, late.down, word(late)) == (1.0, 6 / 14, 8, "worse")
    assert [one.name for one in found.outcomes] == [IN_TIME]


def test_an_outcome_that_stopped_nothing_is_not_there(tmp_path: Path) -> None:
    """Most suites have neither."""
    found = told(tmp_path, every(3, 0.5), every(3, 0.9))
    assert (found.outcomes, found.gates) == ((), None)


def test_an_outcome_of_one_side_only_is_there(tmp_path: Path) -> None:
    """Also where it is A whose gate stopped runs: B is better by it."""
    found = told(tmp_path, every(7, "gate_failed", 0.5), every(7, 0.5, 0.5))
    assert (outcome(found).up, outcome(found).down) == (7, 0)
    assert word(outcome(found)) == "better"
