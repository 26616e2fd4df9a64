"""Benchmarks with one column a side: counts, rates and verdicts of each, and sums of each."""

from pathlib import Path
from typing import Any

import pytest

from evalcore.tables.rows import BenchmarkRow, CaseRow, NoteRow, RunRow
from tests.families.build import Read
from tests.families.iterations_documents import suite


def benchmark(root: Path, **fields: Any) -> Read:
    """An iteration that has a benchmark alone."""
    return suite(root, {"iteration-1/benchmark.json": fields}, evals=None)


def results(read: Read) -> list[tuple[str | None, str | None, int | None, int | None, Any]]:
    """Case, configuration, counts and rate of each run."""
    return [
        (run.case_id, run.configuration, run.checks_passed, run.checks_total, run.fraction)
        for run in read.all(RunRow)
    ]


def sums(read: Read) -> list[tuple[str | None, str | None, float | None]]:
    """Configuration, metric and mean of each stored aggregate."""
    rows = read.all(BenchmarkRow)
    return [(row.configuration, row.metric, row.mean) for row in rows if row.origin == "stored"]


def test_a_count_is_a_share_of_the_total_of_its_eval(tmp_path: Path) -> None:
    """8 and 5 where the eval states a total of 8 are 8/8 and 5/8, one side per column."""
    entries = [{"eval": "a", "ours": 8, "theirs": 5, "total": 8}]
    read = benchmark(
        tmp_path, per_eval=[*entries, {"eval": "b", "ours": 7, "official": 8, "total": 8}]
    )
    assert results(read) == [
        ("a", "ours", 8, 8, 1.0),
        ("a", "theirs", 5, 8, 0.625),
        ("b", "ours", 7, 8, 0.875),
        ("b", "official", 8, 8, 1.0),
    ]
    assert read.codes() == []


@pytest.mark.parametrize(
    ("side", "result"),
    [
        (1, (1, 8, 0.125)),
        (0, (0, 8, 0.0)),
        (0.5, (None, None, 0.5)),
        ("50%", (None, None, 0.5)),
        ("4/8", (4, 8, 0.5)),
        ({"passed": 4}, (4, 8, 0.5)),
        ({"passed": 4, "failed": 12}, (4, 16, 0.25)),
        ({"passed": 4, "total": 16}, (4, 16, 0.25)),
        ({"pass_rate": 0.5}, (None, None, 0.5)),
    ],
)
def test_only_whole_numbers_are_counts(tmp_path: Path, side: Any, result: Any) -> None:
    """A rate stays one beside a total, and a side's own total goes before that of its eval."""
    read = benchmark(tmp_path, per_eval=[{"eval": "a", "ours": side, "total": 8}])
    assert results(read) == [("a", "ours", *result)]


def test_counts_of_sides_in_flat_fields_have_the_total_of_their_eval(tmp_path: Path) -> None:
    """`with_skill_passed` counts of the eval's `total`."""
    entry = {"id": "a", "with_skill_passed": 3, "without_skill_passed": 1, "total": 4}
    read = benchmark(tmp_path, per_eval=[entry])
    assert results(read) == [("a", "with_skill", 3, 4, 0.75), ("a", "without_skill", 1, 4, 0.25)]


@pytest.mark.parametrize("number", [2, 7, 87.5, 100])
def test_a_number_without_a_total_is_no_rate(tmp_path: Path, number: float) -> None:
    """It is a run without score, named once with how often, never so many percent."""
    entries = [{"id": name, "with_skill": number} for name in "ab"]
    read = benchmark(tmp_path, per_eval=entries)
    assert [run.fraction for run in read.all(RunRow)] == [None, None]
    assert [run.score for run in read.all(RunRow)] == [None, None]
    assert read.codes() == ["no-total"]
    assert "(2 times in this file)" in read.problem("no-total").message


def test_a_rate_that_cannot_be_one_is_a_count(tmp_path: Path) -> None:
    """8 % of 8 is no number of items; 50 % of 8 is 4."""
    entries = [{"id": "a", "pass_rate": 8, "total": 8}, {"id": "b", "pass_rate": 50, "total": 8}]
    read = benchmark(tmp_path, per_eval=entries)
    assert results(read) == [("a", "-", 8, 8, 1.0), ("b", "-", None, 8, 0.5)]


def test_sides_with_numbers_of_their_own_are_sums_not_cases(tmp_path: Path) -> None:
    """`results: {ours, official, delta}` are two sides and their stored difference."""
    ours, official = {"pass_rate": 0.9, "total": 10}, {"pass_rate": 0.831, "total": 10}
    read = benchmark(tmp_path, results={"ours": ours, "official": official, "delta": 0.069})
    assert (read.all(CaseRow), read.all(RunRow)) == ([], [])
    assert sums(read) == [
        ("ours", "pass_rate", 0.9),
        ("ours", "total", 10.0),
        ("official", "pass_rate", 0.831),
        ("official", "total", 10.0),
        ("delta", "pass_rate", 0.069),
    ]


def test_bare_rates_of_sides_are_sums_too(tmp_path: Path) -> None:
    """`results: {ours: 0.9, official: 0.8}` has no case."""
    read = benchmark(tmp_path, results={"ours": 0.9, "official": "80%", "delta": 0.1})
    assert read.all(CaseRow) == []
    assert sums(read) == [
        ("ours", "pass_rate", 0.9),
        ("official", "pass_rate", 0.8),
        ("delta", "pass_rate", 0.1),
    ]


def test_evals_of_a_side_are_cases(tmp_path: Path) -> None:
    """Where a side holds evals they are read, and its own sums beside them make no case."""
    side = {"a": {"passed": 1, "total": 2}, "pass_rate": 0.5}
    read = benchmark(tmp_path, results={"ours": side, "theirs": {"a": 0.5}, "note": "x"})
    assert results(read) == [("a", "ours", 1, 2, 0.5), ("a", "theirs", None, None, 0.5)]


def test_a_difference_beside_the_sides_of_an_eval_is_kept(tmp_path: Path) -> None:
    """It is one of that eval."""
    sides = {"ours": {"pass_rate": 0.9}, "official": {"pass_rate": 0.831}, "delta": 0.069}
    read = benchmark(tmp_path, per_eval=[{"eval": "a", "results": sides}])
    assert results(read) == [
        ("a", "ours", None, None, 0.9),
        ("a", "official", None, None, 0.831),
    ]
    row = read.one(BenchmarkRow, configuration="delta")
    assert (row.case_id, row.metric, row.mean) == ("a", "pass_rate", 0.069)


def test_names_of_fields_are_no_cases(tmp_path: Path) -> None:
    """A delta, a summary or a mean beside evals by name is none of them."""
    entries = {"a": {"passed": 1, "total": 2}, "delta": 0.2, "summary": {"mean": 1}, "mean": 0.5}
    read = benchmark(tmp_path, by_case=entries)
    assert results(read) == [("a", "-", 1, 2, 0.5)]


def test_fields_beside_evals_are_sums(tmp_path: Path) -> None:
    """What stands among the evals about all of them is kept as aggregates and notes."""
    entries = {"a": {"passed": 1, "total": 2}, "delta": 0.2, "notes": "slow", "pass_rate": 0.5}
    read = benchmark(tmp_path, by_case=entries)
    assert ("delta", "pass_rate", 0.2) in sums(read)
    assert (None, "pass_rate", 0.5) in sums(read)
    assert [row.text for row in read.all(NoteRow)] == ["slow"]


@pytest.mark.parametrize("name", ["errors", "tokens", "result"])
def test_an_eval_may_be_called_like_a_field(tmp_path: Path, name: str) -> None:
    """What holds sides or items is an eval, whatever its name."""
    sides = {"with_skill": {"passed": 1, "total": 2}}
    read = benchmark(tmp_path, by_case={name: sides, "other": sides})
    assert [run.case_id for run in read.all(RunRow)] == [name, "other"]


def test_a_summary_of_an_eval_in_words_is_a_note(tmp_path: Path) -> None:
    """Only an object called `summary` holds the numbers."""
    entry = {"id": "a", "with_skill": 0.5, "summary": "went well"}
    run = {"eval_id": 1, "configuration": "old_skill", "result": "PASS", "summary": "and so"}
    read = benchmark(tmp_path, per_eval=[entry], runs=[run])
    assert [row.text for row in read.all(NoteRow)] == ["and so", "went well"]


def test_items_of_the_other_side_in_a_run_of_a_benchmark_are_named(tmp_path: Path) -> None:
    """They are neither read as this run's nor passed over in silence."""
    items = [{"text": "one", "passed": True, "evidence": "e"}]
    run = {"eval_id": 1, "configuration": "with_skill", "expectations": items,
           "baseline_expectations": items}  # fmt: skip
    read = benchmark(tmp_path, runs=[run])
    assert (len(read.all(RunRow)), read.codes()) == (1, ["second-list"])


def test_evals_by_name_may_be_bare(tmp_path: Path) -> None:
    """Where only evals stand, each may be a rate, a verdict or a count in words."""
    read = benchmark(tmp_path, by_case={"a": 0.5, "b": "PASS", "c": "1/2"})
    assert [(run.case_id, run.fraction) for run in read.all(RunRow)] == [
        ("a", 0.5), ("b", 1.0), ("c", 0.5)
    ]  # fmt: skip
