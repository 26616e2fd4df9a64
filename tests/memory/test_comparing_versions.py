"""Two versions compared by a benchmark: the record, its relations, and what is told."""

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from evalcore.benchmarks.definitions import benchmark_named
from evalcore.benchmarks.messages import open_instructions
from evalcore.chains.find import chain
from evalcore.errors import CannotBenchmark
from evalcore.lint import check
from evalcore.memory.comparing_versions import (
    compare_versions,
    comparison_of,
    missing,
    recommendation_of,
    record,
)
from evalcore.memory.store import remember
from evalcore.memory.version_runs import runs_taken
from evalcore.tables.rows import BenchmarkRunRow, ComparisonRow, MessageRow, RelationRow
from evalcore.workspace.opened import Workspace
from tests.chains.store import SUITE, told, written
from tests.chains.store import record as stored
from tests.memory import benchmarked, remembered
from tests.memory.compared_versions import (
    CASES,
    benchmark_run,
    instruction,
    opened,
    run,
    store,
    weekly,
)
from tests.memory.remembered import again, rows


def compared(ws: Workspace, a: str = "p@1", b: str = "p@2") -> Workspace:
    """Record a comparison, and open the folder again."""
    record(ws, compare_versions(ws, weekly(ws), a, b))
    return again(ws)


def test_a_comparison_is_recorded_with_both_benchmark_runs_and_told(tmp_path: Path) -> None:
    ws = compared(opened(tmp_path, {"1": 0, "2": CASES}))
    (row,) = rows(ws, ComparisonRow, suite=SUITE)
    assert (row.version_a, row.version_b, row.winner) == ("p@1", "p@2", "B")
    assert (row.total_a, row.total_b, row.sample_size) == (0.0, 1.0, CASES)
    assert row.benchmark == "bm"
    assert row.summary == (
        "Recommended: p@2. It scores 1.00 against 0.00 on Weekly (8 cases), and by these runs it "
        "is better, for cases like these too."
    )
    related = rows(ws, RelationRow, relation="references", origin="record")
    assert {each.target_id for each in related} == {"b-1", "b-2"}
    assert all(each.found for each in related)
    (message,) = rows(ws, MessageRow)
    assert (message.kind, message.subject) == ("message", "comparison-complete")
    assert (message.recipient, message.about_type, message.about) == (
        "orchestrator", "prompt-comparison", row.comparison_id,
    )  # fmt: skip
    assert message.text == row.summary
    assert json.loads(message.payload or "")["benchmarkRunIds"] == ["b-1", "b-2"]


def test_what_is_written_opens_clean_in_the_full_check(tmp_path: Path) -> None:
    before = problems(opened(tmp_path, {"1": 0, "2": CASES}, instruction()))
    ws = compared(again(opened(tmp_path, {})))
    assert problems(ws) == before


def problems(ws: Workspace) -> set[tuple[str, str, str]]:
    """Return the problems of the full check of a folder."""
    return {(each.path, each.pointer, each.code) for each in check(ws)}


def test_the_same_two_benchmark_runs_are_compared_once(tmp_path: Path) -> None:
    """Also the other way round: then the record that is there is told."""
    ws = compared(opened(tmp_path, {"1": 0, "2": CASES}))
    files = sorted(tmp_path.rglob("*.json"))
    made = compare_versions(ws, weekly(ws), "p@2", "p@1")
    assert made.stored is not None
    assert record(ws, made) == ()
    assert sorted(tmp_path.rglob("*.json")) == files


def test_a_newer_benchmark_run_is_compared_anew(tmp_path: Path) -> None:
    ws = compared(opened(tmp_path, {"1": 0, "2": CASES}))
    newer = [run("2", case, passed=False) for case in range(CASES)]
    ws = compared(opened(tmp_path, {"1": 0, "2": CASES}, benchmark_run("b-9", newer, day=2)))
    related = rows(ws, RelationRow, relation="references", origin="record")
    assert {each.target_id for each in related} == {"b-1", "b-2", "b-9"}
    assert len(rows(ws, ComparisonRow)) == 2


def test_what_was_cut_off_is_completed(tmp_path: Path) -> None:
    """A relation and the message were not written: the comparison stays as it is."""
    ws = compared(opened(tmp_path, {"1": 0, "2": CASES}))
    (one, _) = sorted((tmp_path / SUITE / "records/relation").glob("*.json"))
    (message,) = (tmp_path / SUITE / "records/message").glob("*.json")
    held = {path: path.read_bytes() for path in (one, message)}
    for path in held:
        path.unlink()
    ws = again(ws)
    written = record(ws, compare_versions(ws, weekly(ws), "p@1", "p@2"))
    assert sorted(each.path for each in written) == sorted(
        str(path.relative_to(tmp_path)) for path in held
    )
    assert {path: path.read_bytes() for path in held} == held


def test_a_comparison_that_another_tool_recorded_stays_the_only_one(tmp_path: Path) -> None:
    other = {"id": "theirs", "type": "prompt-comparison", "fields": {
        "benchmarkId": "bm", "promptVersionA": "p@1", "promptVersionB": "p@2", "scoreA": 0,
        "scoreB": 1, "winner": "p@2", "sampleSize": 8, "notes": "Use 2.",
        "comparedAt": "2026-03-02T08:00:00Z"}}  # fmt: skip
    ws = opened(tmp_path, {"1": 0, "2": CASES}, other)
    made = compare_versions(ws, weekly(ws), "p@1", "p@2")
    assert made.id == "theirs"
    assert made.stored is not None and made.stored.summary == "Use 2."
    ws = compared(ws)
    assert len(rows(ws, ComparisonRow)) == 1


def test_equal_scores_have_no_winner(tmp_path: Path) -> None:
    ws = opened(tmp_path, {"1": 3, "2": 3})
    made = compare_versions(ws, weekly(ws), "p@1", "p@2")
    assert made.winner is None
    assert recommendation_of(ws, made) == (
        "No recommendation: p@1 and p@2 both score 0.38 on Weekly (8 cases)."
    )
    (row,) = rows(compared(ws), ComparisonRow)
    assert row.winner == "tie"


def test_a_difference_that_may_be_chance_is_no_recommendation(tmp_path: Path) -> None:
    ws = opened(tmp_path, {"1": 3, "2": 4})
    made = compare_versions(ws, weekly(ws), "p@1", "p@2")
    assert made.winner == "p@2"
    assert recommendation_of(ws, made) == (
        "No recommendation: p@2 scores higher on Weekly (8 cases), 0.50 against 0.38, but "
        "the verdict on these runs is “can't tell”. Compare says why, and what would settle it."
    )


def test_the_first_version_may_win(tmp_path: Path) -> None:
    ws = opened(tmp_path, {"1": CASES, "2": 0})
    made = compare_versions(ws, weekly(ws), "p@1", "p@2")
    assert made.winner == "p@1"
    assert recommendation_of(ws, made).startswith("Recommended: p@1. It scores 1.00 against 0.00")


def test_only_the_runs_of_both_benchmark_runs_count(tmp_path: Path) -> None:
    """Version 2 failed everything in runs that no benchmark run has."""
    more = [run("2", case, passed=False) for case in range(CASES)]
    for each in more:
        each["id"] += "-apart"
    ws = opened(tmp_path, {"1": 0, "2": CASES}, *more)
    made = compare_versions(ws, weekly(ws), "p@1", "p@2")
    assert recommendation_of(ws, made).startswith("Recommended: p@2.")


def test_a_benchmark_run_whose_test_runs_are_gone_is_of_no_version(tmp_path: Path) -> None:
    gone = benchmark_run("b-2", [run("2", 0, passed=True)])
    gone["fields"]["testRunIds"] = ["gone"]
    ws = opened(tmp_path, {"1": 0}, gone, run("2", 0, passed=True))
    with pytest.raises(CannotBenchmark, match="no run of 'p@2'"):
        compare_versions(ws, weekly(ws), "p@1", "p@2")


@pytest.mark.parametrize(
    ("a", "b", "words"),
    [
        ("p@1", "p@7", r"no run of 'p@7'.*It has runs of p@1, p@2\."),
        ("p@1", "p@1", "a version is not compared with itself"),
    ],
)
def test_what_cannot_be_compared_says_why(tmp_path: Path, a: str, b: str, words: str) -> None:
    ws = opened(tmp_path, {"1": 0, "2": CASES})
    with pytest.raises(CannotBenchmark, match=words):
        compare_versions(ws, weekly(ws), a, b)


def test_a_benchmark_run_without_a_score_is_not_compared(tmp_path: Path) -> None:
    """Missing is not zero: the other version would have won."""
    ws = opened(tmp_path, {"1": 0, "2": CASES})
    path = tmp_path / SUITE / "records/benchmark-run/b-1.json"
    value = json.loads(path.read_text())
    del value["fields"]["overallScore"]
    path.write_text(json.dumps(value))
    with pytest.raises(CannotBenchmark, match="no overall score"):
        compare_versions(again(ws), weekly(ws), "p@1", "p@2")


def test_a_reader_from_whom_runs_are_hidden_compares_nothing(tmp_path: Path) -> None:
    ws = opened(tmp_path, {"1": 0, "2": CASES})
    hiding = ws.hiding({f"{SUITE}::case-0@p%402/-#run-2-0"}, "ana-0001")
    with pytest.raises(CannotBenchmark, match="no overall score here"):
        compare_versions(hiding, weekly(hiding), "p@1", "p@2")


def test_an_instruction_is_open_until_it_is_answered(tmp_path: Path) -> None:
    ws = opened(tmp_path, {"1": 0, "2": CASES}, instruction())
    (asked,) = open_instructions(ws, SUITE)
    assert (asked.benchmark, asked.a, asked.b) == ("bm", "p@1", "p@2")
    assert missing(ws, SUITE, asked) is None
    ws = compared(ws, "p@2", "p@1")
    (message,) = rows(ws, MessageRow, subject="comparison-complete")
    assert (message.in_reply_to, message.recipient) == ("ask", "orchestrator")
    assert open_instructions(ws, SUITE) == ()


def test_a_later_instruction_is_answered_by_the_record_that_is_there(tmp_path: Path) -> None:
    compared(opened(tmp_path, {"1": 0, "2": CASES}))
    ws = compared(opened(tmp_path, {"1": 0, "2": CASES}, instruction("later")))
    told = rows(ws, MessageRow, subject="comparison-complete")
    assert sorted(each.in_reply_to or "" for each in told) == ["", "later"]
    assert len(rows(ws, ComparisonRow)) == 1
    assert open_instructions(ws, SUITE) == ()


@pytest.mark.parametrize(
    ("payload", "words"),
    [
        ({"promptVersionB": "p@7"}, "no run of 'p@7'"),
        ({"benchmarkId": "other"}, "There is no benchmark 'other'"),
        ({"promptVersionA": None}, "does not name a benchmark and two versions"),
        ({"promptVersionA": ["p@1"]}, "does not name a benchmark and two versions"),
    ],
)
def test_an_instruction_that_cannot_be_followed_says_what_it_lacks(
    tmp_path: Path, payload: dict[str, Any], words: str
) -> None:
    ws = opened(tmp_path, {"1": 0, "2": CASES}, instruction(**payload))
    (asked,) = open_instructions(ws, SUITE)
    assert words in (missing(ws, SUITE, asked) or "")


def test_other_messages_are_no_instruction(tmp_path: Path) -> None:
    other = instruction()
    other["fields"]["subject"] = "something else"
    assert open_instructions(opened(tmp_path, {"1": 0}, other), SUITE) == ()


def test_the_chain_leads_from_the_benchmark_runs_to_the_message(tmp_path: Path) -> None:
    ws = compared(opened(tmp_path, {"1": 0, "2": CASES}))
    (row,) = rows(ws, ComparisonRow)
    came, led = told(ws, chain(ws, SUITE, "prompt-comparison", row.comparison_id or ""))
    assert came["references benchmark-run"] == ["b-1", "b-2"]
    assert len(led["about message"]) == 1


def skill_suite(root: Path) -> Workspace:
    """Return a demo skill with a benchmark, and one run of it for each of two versions."""
    ws = remembered.suite(root, remembered.NOTES)
    table = ws.tables.runs
    runs = {
        version: [str(name) for name in table[table["version"] == version]["run_id"]]
        for version in ("v1", "v3")
    }
    cases = sorted(set(table["case_id"].astype(str)))
    of = [remembered.benchmark(cases, "notes")]
    for score, (version, names) in zip((0.4, 0.9), runs.items(), strict=True):
        made = remembered.benchmark_run(names, overall_score=score)
        of.append(made._replace(id=remembered.RUN[:-1] + version[1]))
    remember(ws, remembered.NOTES, of, "ana-3f2a")
    return again(ws)


def test_a_suite_that_is_no_store_keeps_the_records_among_its_reviews(tmp_path: Path) -> None:
    ws = skill_suite(tmp_path)
    notes = benchmark_named(ws, remembered.NOTES, "notes")
    made = compare_versions(ws, notes, "v1", "v3")
    assert made.winner == "v3"
    assert comparison_of(ws, made) is not None
    written = record(ws, made)
    assert {each.path.split("/")[2] for each in written} == {
        "prompt-comparison", "relation", "message",
    }  # fmt: skip
    before = {each.path for each in check(ws)}
    ws = again(ws)
    assert {each.path for each in check(ws)} == before
    related = rows(ws, RelationRow, relation="references")
    assert [each.found for each in related] == [True, True]
    assert record(ws, compare_versions(ws, notes, "v3", "v1")) == ()


def test_a_version_of_several_configurations_is_named_with_one(tmp_path: Path) -> None:
    ws = remembered.suite(tmp_path, "commit-helper")
    table = ws.tables.runs
    mine = table[table["version"] == "iteration-3"]
    cases = sorted(set(mine["case_id"].astype(str)))
    of = [remembered.benchmark(cases, "commits")]
    for at, side in enumerate(("with_skill", "without_skill")):
        names = [str(name) for name in mine[mine["configuration"] == side]["run_id"]]
        made = remembered.benchmark_run(names, overall_score=0.9 - at / 2)
        of.append(made._replace(id=f"{remembered.RUN[:-1]}{at}"))
    remember(ws, "commit-helper", of, "ana-3f2a")
    ws = again(ws)
    commits = benchmark_named(ws, "commit-helper", "commits")
    with pytest.raises(CannotBenchmark, match="name one of iteration-3@with_skill, iteration-3@w"):
        compare_versions(ws, commits, "iteration-3", "iteration-2")
    found = compare_versions(ws, commits, "iteration-3@without_skill", "iteration-3@with_skill")
    assert found.winner == "iteration-3@with_skill"
    assert (found.a.version, found.score_a) == ("iteration-3@without_skill", 0.4)


def test_a_version_without_a_benchmark_run_is_run_first_from_its_finished_runs(
    tmp_path: Path,
) -> None:
    """Once for each version; what follows from a benchmark run is written too."""
    ws = benchmarked.written(tmp_path, "ffff", "pppp")
    of = benchmarked.benchmark(ws)
    with pytest.raises(CannotBenchmark, match="no run of 'v0'"):
        compare_versions(again(ws), of, "v0", "v1")
    ws, of = runs_taken(again(ws), of, ("v0", "v1"), "evalcore")
    made = compare_versions(ws, of, "v0", "v1")
    assert made.winner == "v1"
    assert {made.a.run.triggered_by, made.b.run.triggered_by} == {"compare-prompts"}
    assert len(rows(ws, BenchmarkRunRow, benchmark=of.id)) == 2
    assert len(ws.tables.failures) == 4
    again_taken, _ = runs_taken(ws, of, ("v0", "v1"), "evalcore")
    assert again_taken is ws


def test_a_version_whose_runs_are_not_all_there_is_not_run(tmp_path: Path) -> None:
    ws = benchmarked.written(tmp_path, "ffff", "ppp ")
    of = benchmarked.benchmark(ws)
    with pytest.raises(CannotBenchmark, match="case-3 has no finished run of v1"):
        runs_taken(again(ws), of, ("v1",), "evalcore")
    assert rows(again(ws), BenchmarkRunRow, benchmark=of.id) == []


def test_what_is_hidden_stays_hidden_when_a_version_is_run(tmp_path: Path) -> None:
    """A run of another case: its benchmark was run, and its score is still not told."""
    ws = benchmarked.written(tmp_path, "ffffffff", "pppppppp")
    of = benchmarked.benchmark(ws)
    ws = again(ws)
    hiding = ws.hiding({f"{benchmarked.SUITE}::case-7@v0/-#1"}, "ana-0001")
    seen, of = runs_taken(hiding, of, ("v0",), "evalcore")
    assert seen.hidden
    assert rows(again(ws), BenchmarkRunRow, benchmark=of.id)[0].overall_score is not None
    assert rows(seen, BenchmarkRunRow, benchmark=of.id)[0].overall_score is None


def test_scores_that_differ_by_their_order_of_adding_up_are_a_tie(tmp_path: Path) -> None:
    """As floats, the means of the same scores of other cases differ in the last digit."""
    every = store({"1": 4, "2": 4})
    for each, score in zip(
        (each for each in every if each["type"] == "benchmark-run"),
        ((0.1 + 0.1 + 0.4) / 3, (0.4 + 0.1 + 0.1) / 3),
        strict=True,
    ):
        each["fields"]["overallScore"] = score
    ws = written(tmp_path, *every)
    made = compare_versions(ws, weekly(ws), "p@1", "p@2")
    assert made.score_a != made.score_b
    assert made.winner is None


def test_an_instruction_that_says_it_answers_itself_is_open(tmp_path: Path) -> None:
    """Only another message answers it."""
    asked = instruction()
    asked["fields"]["inReplyTo"] = asked["id"]
    ws = opened(tmp_path, {"1": 4, "2": 4}, asked)
    assert [each.id for each in open_instructions(ws, SUITE)] == [asked["id"]]


def test_an_instruction_about_another_benchmark_stays_open(tmp_path: Path) -> None:
    """The same two versions were compared, by something else."""
    ws = compared(opened(tmp_path, {"1": 0, "2": CASES}, instruction(benchmarkId="other")))
    assert [each.id for each in open_instructions(ws, SUITE)] == ["ask"]


def test_a_comparison_is_dated_after_the_newest_of_its_benchmark(tmp_path: Path) -> None:
    """Also after one from the future."""
    other = other_comparison(comparedAt="2099-03-01T08:00:00Z")
    ws = compared(opened(tmp_path, {"1": 0, "2": CASES}, other))
    at = {row.comparison_id: row.compared_at for row in rows(ws, ComparisonRow, suite=SUITE)}
    (new,) = [when for name, when in at.items() if name != "other"]
    assert new == datetime(2099, 3, 1, 8, 0, 0, 1000, tzinfo=UTC)


def other_comparison(**fields: Any) -> dict[str, Any]:
    """Return a comparison of two other versions."""
    return stored("prompt-comparison", "other", benchmarkId="bm", promptVersionA="p@8",
                   promptVersionB="p@9", scoreA=0.5, scoreB=0.5, winner=None, sampleSize=1,
                   **fields)  # fmt: skip
