"""Benchmarks with one column a side: counts, rates and verdicts of each, and sums of each."""

from pathlib import Path
from typing import Any

import pytest

from evalcore.tables.rows import BenchmarkRow, CaseRow, NoteRow, RunRow
from tests.families.build import Read
from tests.families.iterations_documents import suite

WITH, WITHOUT, CLAUDE = "with_skill", "without_skill", "claude_with_skill"


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


def measured(read: Read) -> list[tuple[Any, ...]]:
    """Configuration, rate, tokens and seconds of each run."""
    return [
        (run.configuration, run.fraction, run.tokens, run.duration_s) for run in read.all(RunRow)
    ]


@pytest.mark.parametrize(
    ("sides", "fields"),
    [
        ((WITH, WITHOUT), {"tokens_{}": (100, 300), "seconds_{}": (2, 4)}),
        ((WITH, WITHOUT), {"{}_tokens": (100, 300), "{}_duration_ms": (2e3, 4e3)}),
        ((WITH, "old_skill"), {"total_tokens_{}": (100, 300), "time_{}_seconds": (2, 4)}),
        (("ours", "theirs"), {"tokens": (100, 300), "seconds": (2, 4)}),
        (("mine", "yours"), {"tokens_{}": (100, 300), "{}_seconds": (2, 4)}),
        (("mine", "yours"), {"cost": {"tokens": (100, 300), "seconds": (2, 4)}}),
    ],
)  # fmt: skip
def test_measures_beside_sides_are_those_of_their_runs(
    tmp_path: Path, sides: tuple[str, str], fields: dict[str, Any]
) -> None:
    """Before or after the name of the side, or under one name for all; never sides themselves."""
    entry: dict[str, Any] = {"eval": "a", sides[0]: "PASS", sides[1]: "FAIL"}
    for name, values in fields.items():
        if isinstance(values, dict):
            pairs = ({key: each[index] for key, each in values.items()} for index in (0, 1))
            entry["measured"] = dict(zip(sides, pairs, strict=True))
        elif "{}" in name:
            entry.update(zip(map(name.format, sides), values, strict=True))
        else:
            entry[name] = dict(zip(sides, values, strict=True))
    read = benchmark(tmp_path, results=dict.fromkeys(sides, 0.5), per_eval=[entry])
    assert measured(read) == [(sides[0], 1.0, 100, 2), (sides[1], 0.0, 300, 4)]
    assert [row.case_id for row in read.all(CaseRow)] == ["a"]


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({WITH: 0.9, WITHOUT: 0.4, "files_with_skill": 3}, [WITH, WITHOUT]),
        ({WITH: 8, "files_with_skill": 3, "files_without_skill": 2, "total": 8}, [WITH]),
        ({WITH: "PASS", "with_skill_judge": "opus"}, [WITH]),
        ({WITH: {"passed": 1, "total": 2}, "with_skill_meta": {"turns": 3}}, [WITH]),
        ({"tokens_with_skill": 7, WITHOUT: "PASS"}, [WITHOUT]),
        ({WITH: {"tokens": 7}, WITHOUT: "PASS"}, [WITHOUT]),
        ({CLAUDE: 0.9, "gpt_with_skill": 0.4}, [CLAUDE, "gpt_with_skill"]),
        ({WITH: "PASS", CLAUDE: "FAIL"}, [WITH, CLAUDE]),
        ({f"{CLAUDE}_tokens": 9, f"{CLAUDE}_passed": 3, "total": 4}, [CLAUDE]),
    ],
)
def test_only_verdicts_rates_and_items_make_a_run(
    tmp_path: Path, fields: dict[str, Any], expected: list[str]
) -> None:
    """A number of another kind than that of its side is a measure; a variant has results too."""
    read = benchmark(tmp_path, per_eval=[{"id": "a", **fields}])
    assert [run.configuration for run in read.all(RunRow)] == expected
    assert read.codes() == []


def test_a_measure_without_a_column_is_an_aggregate_of_its_side(tmp_path: Path) -> None:
    """Turns and tool calls stay with the eval and the side that they are of."""
    entry = {"id": "a", "with_skill": "PASS", "turns_with_skill": 3, "words": {"with_skill": 90}}
    read = benchmark(tmp_path, per_eval=[entry], total_tokens_with_skill=100)
    rows = [
        (row.case_id, row.configuration, row.metric, row.mean) for row in read.all(BenchmarkRow)
    ]
    assert ("a", "with_skill", "turns", 3) in rows
    assert ("a", "with_skill", "words", 90) in rows
    assert (None, "with_skill", "total_tokens", 100) in rows


def test_tokens_of_all_runs_together_are_no_wrong_mean(tmp_path: Path) -> None:
    """A benchmark may store the total of a measure under the name of the measure."""
    entries = [{"id": name, "with_skill": "PASS", "tokens_with_skill": 100} for name in "ab"]
    assert benchmark(tmp_path / "a", evals=entries, with_skill={"tokens": 200}).codes() == []
    wrong = benchmark(tmp_path / "b", evals=entries, with_skill={"tokens": 150})
    assert wrong.codes() == ["derived-mismatch"]


def test_a_duel_has_the_sides_that_it_names(tmp_path: Path) -> None:
    """What has sums of its own, and a column in every eval, is a side whatever its name."""
    mine = {"total_passed": 15, "total_assertions": 16, "pass_rate": 0.94}
    entries = [
        {"eval": "a", "mine": 8, "theirs": 7, "total": 8},
        {"eval": "b", "mine": 7, "theirs": 5, "total": 8},
    ]
    read = benchmark(
        tmp_path, results={"mine": mine, "theirs": {}, "delta": 0.19}, per_eval=entries
    )
    assert results(read) == [
        ("a", "mine", 8, 8, 1.0),
        ("a", "theirs", 7, 8, 0.875),
        ("b", "mine", 7, 8, 0.875),
        ("b", "theirs", 5, 8, 0.625),
    ]
    assert ("mine", "total_passed", 15) in sums(read)
    assert [row.case_id for row in read.all(CaseRow)] == ["a", "b"]


@pytest.mark.parametrize("form", [list, lambda runs: {"runs": runs}])
def test_a_side_may_list_several_runs_of_its_eval(tmp_path: Path, form: Any) -> None:
    """Each is a run of its own, numbered in the order of the list."""
    runs = [{"passed": 1, "total": 2}, {"passed": 2, "total": 2}]
    read = benchmark(tmp_path, per_eval=[{"id": "a", WITH: form(runs)}])
    assert results(read) == [("a", WITH, 1, 2, 0.5), ("a", WITH, 2, 2, 1.0)]
    assert [run.run for run in read.all(RunRow)] == ["1", "2"]


def test_statistics_in_a_place_of_its_own_keep_their_names(tmp_path: Path) -> None:
    """A mean with its spread is one aggregate of its side, wherever the sums of sides stand."""
    read = benchmark(tmp_path, summary={WITH: {"tokens": {"mean": 10, "stddev": 2, "max": 12}}})
    row = read.one(BenchmarkRow, configuration=WITH, origin="stored")
    assert (row.metric, row.mean, row.stddev, row.max) == ("tokens", 10, 2, 12)
