"""Runs find their version by name or by equal numbers; benchmarks and comparisons are checked."""

from pathlib import Path

import pytest

from evalcore.tables.rows import (
    BenchmarkRow,
    BenchmarkRunRow,
    ComparisonRow,
    RunRow,
    VersionRow,
)
from tests.families.build import changed
from tests.families.descriptions_documents import (
    COMPARISON,
    Document,
    benchmark,
    entry,
    grading,
    opened,
)


def test_an_entry_that_names_its_run_tells_the_version(tmp_path: Path) -> None:
    """`run_id` in a benchmark entry decides."""
    read = opened(tmp_path, benchmark=benchmark(entry(2, run_id="r1")))
    assert {row.version for row in read.all(RunRow)} == {"d2"}
    assert read.one(BenchmarkRunRow).notes is None


def test_equal_numbers_tell_the_version(tmp_path: Path) -> None:
    """Else the entry whose cases, scores and durations are those of exactly one run."""
    second = (grading(run="r2", second="pass"), grading("nothing", "r2", seconds=4.0))
    first = (grading(), grading("nothing", seconds=4.0))
    read = opened(tmp_path, *first, *second, benchmark=benchmark(entry(1), entry(2, merged=1.0)))
    assert {(row.run, row.version) for row in read.all(RunRow)} == {("r1", "d1"), ("r2", "d2")}
    assert read.codes() == []
    notes = [row.notes or "" for row in read.all(BenchmarkRunRow)]
    assert all(note.startswith("Matched to r") for note in notes)


def test_two_runs_with_equal_numbers_stay_unassigned(tmp_path: Path) -> None:
    """Where two runs fit, neither is taken."""
    runs = [
        grading(case, run, seconds=s)
        for run in ("r1", "r2")
        for case, s in (("merged", 12.0), ("nothing", 4.0))
    ]
    read = opened(tmp_path, *runs, benchmark=benchmark(entry(1)))
    assert {row.version for row in read.all(RunRow)} == {"unassigned"}
    assert read.problem("version-unassigned").severity == "info"


@pytest.mark.parametrize("change", [{"merged": 1.0}, {"per_test_case": []}, {"num_test_cases": 9}])
def test_a_run_needs_every_number_equal(tmp_path: Path, change: Document) -> None:
    """One other score, or no test cases, and the run is unassigned; other fields do not matter."""
    read = opened(tmp_path, benchmark=benchmark(entry(1, **change)))
    wanted = "d1" if "num_test_cases" in change else "unassigned"
    assert {row.version for row in read.all(RunRow)} == {wanted}


def test_versions_stand_in_the_order_of_the_entries(tmp_path: Path) -> None:
    """The hash is the version's content; the benchmark says which is current."""
    read = opened(tmp_path, benchmark=benchmark(entry(2, run_id="r1"), entry(1), current=2))
    rows = read.all(VersionRow)
    assert [(row.version, row.is_current) for row in rows] == [("d2", True), ("d1", False)]
    assert (rows[0].content_hash, rows[0].stored_score) == (f"{2:064x}", 0.75)


def test_scores_are_stored_and_computed(tmp_path: Path) -> None:
    """Both stand side by side; a mean weighted by the cases' weights stands with them."""
    read = opened(tmp_path, benchmark=benchmark(entry(1)))
    stored = read.one(BenchmarkRow, metric="score", origin="stored", case_id=None)
    computed = read.one(BenchmarkRow, metric="score", origin="computed", case_id=None)
    assert (stored.mean, stored.stddev, stored.n) == (0.75, 0.3536, 2)
    assert (computed.mean, computed.n) == (0.75, 2)
    assert read.one(BenchmarkRow, metric="weighted_score").mean == 0.625
    seconds = read.one(BenchmarkRow, metric="duration_seconds", origin="stored", case_id="nothing")
    assert seconds.mean == 4.0


def test_a_population_deviation_is_named(tmp_path: Path) -> None:
    """The document does not say which deviation it has: the other one is a remark."""
    scores = changed(entry(1)["scores"], std_dev=0.25)
    read = opened(tmp_path, benchmark=benchmark(entry(1, scores=scores)))
    assert read.problem("population-deviation").severity == "info"


@pytest.mark.parametrize(
    ("change", "pointer"),
    [
        ({"scores": changed(entry(1)["scores"], median=0.1)}, "/entries/0/scores/median"),
        ({"num_test_cases": 5}, "/entries/0/num_test_cases"),
        ({"total_duration_seconds": 99.0}, "/entries/0/total_duration_seconds"),
    ],
)
def test_a_benchmark_is_held_against_its_runs(
    tmp_path: Path, change: Document, pointer: str
) -> None:
    """A number that its own gradings contradict is a warning."""
    read = opened(tmp_path, benchmark=benchmark(entry(1, run_id="r1", **change)))
    assert read.problem("derived-mismatch").pointer == pointer


def test_a_number_of_cases_that_is_none_is_one_problem(tmp_path: Path) -> None:
    """It is read once, and said once."""
    read = opened(tmp_path, benchmark=benchmark(entry(1, run_id="r1", num_test_cases="two")))
    assert read.problem("wrong-type").pointer == "/entries/0/num_test_cases"


def test_a_comparison_names_its_versions(tmp_path: Path) -> None:
    """Versions, totals and scores are those of the document."""
    read = opened(tmp_path, comparisons__c1=COMPARISON)
    row = read.one(ComparisonRow)
    assert (row.comparison_id, row.version_a, row.version_b, row.winner, row.versions_from) == (
        "notes::c1",
        "d1",
        "d2",
        "B",
        "document",
    )
    assert (row.total_a, row.total_b, row.max_total, row.case_id) == (7, 9, 10, "merged")


@pytest.mark.parametrize(
    ("a", "b", "maximum", "codes"),
    [(7, 9, 10, []), (3.5, 4.5, 5, []), (6, 9, None, ["derived-mismatch"])],
)
def test_totals_are_sums_or_means(
    tmp_path: Path, a: float, b: float, maximum: float | None, codes: list[str]
) -> None:
    """A total that is neither is shown as stored, with a warning."""
    document = changed(COMPARISON, total_score_a=a, total_score_b=b)
    read = opened(
        tmp_path, comparisons__c1=document, benchmark=benchmark(entry(1), entry(2, merged=1.0))
    )
    row = read.one(ComparisonRow)
    assert (row.total_a, row.total_b, row.max_total, read.codes()) == (a, b, maximum, codes)


def test_a_winner_behind_on_points_is_said(tmp_path: Path) -> None:
    """Winner and totals are both kept."""
    read = opened(tmp_path, comparisons__c1=changed(COMPARISON, winner="A"))
    assert (read.one(ComparisonRow).winner, read.codes()) == ("A", ["winner-contradicts-scores"])
