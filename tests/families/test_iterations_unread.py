"""Runs and items whose result is no known verdict, and runs that judged nothing."""

from pathlib import Path
from typing import Any

import pytest

from evalcore import open_workspace
from evalcore.tables.rows import JudgmentRow, RunRow, RunScoreRow
from tests.families.build import Read, write
from tests.families.iterations_documents import EVAL, item, suite

WITH = "with_skill"


def listed(number: int, **fields: Any) -> dict[str, Any]:
    """One run of a benchmark's standard list."""
    return {"eval_id": number, "configuration": WITH, "run_number": 1, **fields}


def benchmark(root: Path, *runs: dict[str, Any], mean: float | None = None) -> Read:
    """A benchmark of these runs, with a stored mean of their side."""
    stored = {} if mean is None else {"run_summary": {WITH: {"pass_rate": {"mean": mean}}}}
    document = {"runs": list(runs), **stored}
    return suite(root, {"iteration-1/benchmark.json": document}, evals=None)


def verdicts(read: Read) -> list[tuple[float | None, str | None]]:
    """Fraction and status of each run."""
    return [(run.fraction, run.status) for run in read.all(RunRow)]


@pytest.mark.parametrize("key", ["verdict", "result", "passed"])
def test_an_unknown_word_is_a_run_without_score(tmp_path: Path, key: str) -> None:
    """It counts as lost: a run, a judgment without score, and one of one judgments missing."""
    read = benchmark(tmp_path, listed(1, **{key: "PASS"}), listed(2, **{key: "PARTIAL"}))
    assert verdicts(read) == [(1.0, "completed"), (None, "completed")]
    assert [row.status for row in read.all(JudgmentRow)] == ["scored", "unscored"]
    assert [(row.judged, row.expected) for row in read.all(RunScoreRow)] == [(1, 1), (0, 1)]
    assert read.codes() == ["unknown-verdict"]
    assert "'PARTIAL'" in read.problem("unknown-verdict").message


def test_a_word_is_named_once_a_file(tmp_path: Path) -> None:
    """Twelve runs with one word are one problem that says so."""
    read = benchmark(tmp_path, *(listed(number, verdict="PARTIAL") for number in range(12)))
    assert len(read.all(RunRow)) == 12
    assert "(12 times in this file)" in read.problem("unknown-verdict").message


def test_sides_of_an_eval_may_be_unknown_words(tmp_path: Path) -> None:
    """In a list of evals too, the run is there."""
    entries = [{"eval": "a", WITH: "PASS", "without_skill": {"verdict": "PARTIAL"}}]
    read = suite(tmp_path, {"iteration-1/benchmark.json": {"results": entries}}, evals=None)
    assert verdicts(read) == [(1.0, "completed"), (None, "completed")]


def test_a_word_counts_as_the_score_beside_it(tmp_path: Path) -> None:
    """A stated value of the word from 0 to 1 is the run's score."""
    read = benchmark(tmp_path, listed(1, verdict="PARTIAL", score=0.5))
    assert verdicts(read) == [(0.5, "completed")]
    assert read.codes() == []


@pytest.mark.parametrize(
    ("fields", "count"),
    [
        ({"verdict": "n/a"}, 0),
        ({"status": "completed"}, 0),
        ({"status": "partially done"}, 1),
        ({"result": "Wrote the file out.pdf as asked"}, 0),
    ],
)
def test_not_every_word_is_a_verdict(tmp_path: Path, fields: Any, count: int) -> None:
    """What says that nothing was judged, how far a run came, or what it made, is no verdict."""
    read = benchmark(tmp_path, listed(1, **fields))
    assert read.codes() == ["unknown-verdict"] * count


@pytest.mark.parametrize(
    ("mean", "codes"), [(0.5, []), (0.75, []), (1.0, []), (0.45, ["derived-mismatch"])]
)
def test_a_mean_is_not_blamed_for_the_word(tmp_path: Path, mean: float, codes: list[str]) -> None:
    """With one of two runs unscored the mean lies between 0.5 and 1."""
    runs = listed(1, verdict="PASS"), listed(2, verdict="PARTIAL")
    read = benchmark(tmp_path, *runs, mean=mean)
    assert sorted(read.codes()) == [*codes, "unknown-verdict"]


def test_an_item_with_an_unknown_word_is_unscored(tmp_path: Path) -> None:
    """The others count; the summary may have counted it as passed, as failed, or as a half."""
    items = [item("one"), item("two", "PARTIAL")]
    document = {"expectations": items, "summary": {"passed": 1, "total": 2, "pass_rate": 0.75}}
    read = suite(tmp_path, {f"{EVAL}/{WITH}/grading.json": document}, evals=None)
    assert [row.status for row in read.all(JudgmentRow)] == ["scored", "unscored"]
    assert verdicts(read) == [(1.0, "completed")]
    assert read.codes() == ["unknown-verdict"]


def test_a_summary_beyond_what_a_word_explains_is_a_mismatch(tmp_path: Path) -> None:
    """One passed of two with one unscored is no rate below 0.5."""
    items = [item("one"), item("two", "PARTIAL")]
    document = {"expectations": items, "summary": {"pass_rate": 0.35}}
    read = suite(tmp_path, {f"{EVAL}/{WITH}/grading.json": document}, evals=None)
    assert sorted(read.codes()) == ["derived-mismatch", "unknown-verdict"]


@pytest.mark.parametrize(
    ("rate", "codes"), [(0.66, []), (0.33, []), (0.7, []), (0.75, ["derived-mismatch"])]
)
def test_an_unscored_item_may_have_counted_as_passed(
    tmp_path: Path, rate: float, codes: list[str]
) -> None:
    """Of one passed, one failed and one without a verdict, from 1/3 to 2/3 may have passed."""
    items = [item("one"), item("two", False), item("three", "PARTIAL")]
    document = {"expectations": items, "summary": {"pass_rate": rate}}
    read = suite(tmp_path, {f"{EVAL}/{WITH}/grading.json": document}, evals=None)
    assert sorted(read.codes()) == [*codes, "unknown-verdict"]


def test_a_benchmark_may_count_an_unknown_item_in_its_way(tmp_path: Path) -> None:
    """Its run of the same grading is no contradiction with 1.5 of 2."""
    files = {
        f"{EVAL}/{WITH}/grading.json": {"expectations": [item("one"), item("two", "PARTIAL")]},
        "iteration-1/benchmark.json": {
            "runs": [listed(1, result={"passed": 1, "total": 2, "pass_rate": 0.75})],
            "run_summary": {WITH: {"pass_rate": {"mean": 0.75}}},
        },
    }
    assert suite(tmp_path, files, evals=None).codes() == ["unknown-verdict"]


def test_nothing_of_nothing_is_no_failure(tmp_path: Path) -> None:
    """0 of 0 has no score; with errors the run ended in one, outside the rates."""
    nothing = {"pass_rate": 0.0, "passed": 0, "failed": 0, "total": 0}
    read = benchmark(
        tmp_path,
        listed(1, result={"pass_rate": 1.0, "passed": 2, "total": 2, "errors": 3}),
        listed(2, result={**nothing, "errors": 0}),
        listed(3, result={**nothing, "errors": 1}),
        mean=1 / 3,
    )
    assert verdicts(read) == [(1.0, "completed"), (None, "completed"), (None, "error")]
    assert read.codes() == []


def test_the_rate_of_a_side_leaves_errors_out(tmp_path: Path) -> None:
    """Two of three runs count, of which one passed."""
    results = [(1, 1, 0), (0, 1, 0), (0, 0, 1)]
    runs = [
        listed(number, result={"passed": passed, "total": total, "errors": errors})
        for number, (passed, total, errors) in enumerate(results)
    ]
    root = write(tmp_path, {"w/iteration-1/benchmark.json": {"runs": runs}})
    ws = open_workspace(root, cache=False)
    assert ws.tables.runs["fraction"].mean() == 0.5
    assert ws.tables.runs["status"].tolist() == ["completed", "completed", "error"]


@pytest.mark.parametrize(
    "own", [{"verdict": "PASS"}, {"pass_rate": 1.0}, {"expectations": [item("overall_pass")]}]
)
def test_items_that_lie_in_outputs_only_are_named(tmp_path: Path, own: dict[str, Any]) -> None:
    """The grader's verdict stands; the list beside it may be the run's own, and is not read."""
    folder = f"{EVAL}/with_skill"
    files = {
        f"{folder}/grading.json": own,
        f"{folder}/outputs/grading.json": {"expectations": [item("A"), item("B", False)]},
    }
    read = suite(tmp_path, files)
    problem = read.problem("grading-in-outputs")
    assert problem.path == f"pdf-workspace/{folder}/grading.json"
    assert "with_skill/outputs/grading.json has 2 items" in problem.message
    assert {row.criterion for row in read.all(JudgmentRow)}.isdisjoint("AB")


@pytest.mark.parametrize(("passed", "codes"), [(1, []), (2, ["derived-mismatch"])])
def test_a_listed_run_that_its_items_contradict_is_named(
    tmp_path: Path, passed: int, codes: list[str]
) -> None:
    """What is counted are the items; the message says which run states what."""
    result = {"passed": passed, "failed": 2 - passed, "total": 2, "pass_rate": passed / 2}
    run = listed(7, result=result, expectations=[item("A"), item("B", False)])
    read = benchmark(tmp_path, run)
    assert (verdicts(read), read.codes()) == ([(0.5, "completed")], codes)
    assert [problem.message for problem in read.problems] == [
        "The result of run 1 of 'eval-7' in with_skill is 2 of 2, but its items give 1 of 2."
    ][: len(codes)]
