"""`benchmark.json` of iterations: the numbers of skill-creator, from the same files."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from statistics import stdev
from typing import Any

import pytest

from evalcore.families.iterations.documents import BENCHMARK
from evalcore.shapes.faults import faults
from tests.aggregates.layout import (
    ITERATION,
    aggregated,
    digests,
    dump,
    load,
    mismatches,
    proposed,
    run,
)
from tests.conftest import ROOT

PATH = f"{ITERATION}/benchmark.json"
T, F = True, False


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Return two evals, each three times with and twice without the skill, all measured."""
    with_skill = [[T, T, T], [T, T, F], [T, T, T], [T, F, F], [F, T, T], [T, T, T]]
    without = [[T, F, F], [F, F, F], [T, T, F], [F, F, T]]
    for n, verdicts in enumerate(with_skill):
        run(
            tmp_path,
            f"eval-{n // 3 + 1}/with_skill/run-{n % 3 + 1}",
            verdicts,
            seconds=40.5 + n,
            tokens=3800 + 7 * n,
            execution_metrics={"total_tool_calls": 4 + n, "errors_encountered": 0},
            user_notes_summary={"uncertainties": [f"unsure {n}"], "workarounds": ["a way"]},
        )
    for n, verdicts in enumerate(without):
        run(
            tmp_path,
            f"eval-{n // 2 + 1}/without_skill/run-{n % 2 + 1}",
            verdicts,
            seconds=30.25 + n,
            tokens=2100 + n,
        )
    return tmp_path


def test_the_summary_is_what_the_gradings_give(root: Path) -> None:
    """Mean, sample deviation, least and most of each metric, rounded to four decimals."""
    aggregated(root)
    summary = load(root, PATH)["run_summary"]
    rates = [1.0, 0.67, 1.0, 0.33, 0.67, 1.0]  # as the gradings state them
    assert summary["with_skill"]["pass_rate"] == {
        "mean": round(sum(rates) / 6, 4),
        "stddev": round(stdev(rates), 4),
        "min": 0.33,
        "max": 1.0,
    }
    assert summary["with_skill"]["time_seconds"] == {
        "mean": 43.0,
        "stddev": 1.8708,
        "min": 40.5,
        "max": 45.5,
    }
    assert summary["with_skill"]["tokens"] == {
        "mean": 3817.5,
        "stddev": 13.0958,
        "min": 3800,
        "max": 3835,
    }
    assert summary["without_skill"]["pass_rate"]["mean"] == round((0.33 + 0 + 0.67 + 0.33) / 4, 4)
    assert list(summary) == ["with_skill", "without_skill", "delta"]


def test_the_difference_is_the_skill_minus_its_baseline_as_text(root: Path) -> None:
    """0.7783 - 0.3325 is +0.45; seconds have one decimal, tokens none."""
    aggregated(root)
    delta = load(root, PATH)["run_summary"]["delta"]
    assert delta == {"pass_rate": "+0.45", "time_seconds": "+11.2", "tokens": "+1716"}


def test_each_run_is_listed_with_what_its_grading_says(root: Path) -> None:
    """Numbers, items, and the executor's notes in one list."""
    aggregated(root)
    first = load(root, PATH)["runs"][1]
    grading = load(root, f"{ITERATION}/eval-1/with_skill/run-2/grading.json")
    assert first == {
        "eval_id": 1,
        "eval_name": "eval-1",
        "configuration": "with_skill",
        "run_number": 2,
        "result": {
            "pass_rate": 0.67,
            "passed": 2,
            "failed": 1,
            "total": 3,
            "time_seconds": 41.5,
            "tokens": 3807,
            "tool_calls": 5,
            "errors": 0,
        },
        "expectations": grading["expectations"],
        "notes": ["unsure 1", "a way"],
    }


def test_the_document_is_as_documented_and_agrees_with_its_gradings(root: Path) -> None:
    """It fits the model, and opening the folder finds nothing contradictory in it."""
    aggregated(root)
    assert faults(BENCHMARK, load(root, PATH)) == []
    assert mismatches(root, PATH) == []
    metadata = load(root, PATH)["metadata"]
    assert metadata["runs_per_configuration"] == 3
    assert metadata["evals_run"] == [1, 2]


def test_nothing_but_the_one_document_changes(root: Path) -> None:
    """Every other file and folder stays as it was; a second time nothing changes at all."""
    before = digests(root)
    aggregated(root)
    after = digests(root)
    assert {path: after[path] for path in before} == before
    assert set(after) - set(before) == {PATH}
    assert aggregated(root)[PATH].state == "same"
    assert digests(root) == after


def test_the_original_script_gives_the_same_numbers(root: Path, tmp_path: Path) -> None:
    """skill-creator's own script on the same files: run for run and sum for sum."""
    named = os.environ.get("EVALCORE_SKILL_CREATOR", "")
    script = Path(named) / "scripts" / "aggregate_benchmark.py"
    if not named or not script.is_file():
        pytest.skip("EVALCORE_SKILL_CREATOR does not name the folder of skill-creator")
    theirs = tmp_path.parent / f"{tmp_path.name}-theirs"
    shutil.copytree(root / ITERATION, theirs)
    subprocess.run([sys.executable, str(script), str(theirs)], check=True, capture_output=True)
    aggregated(root)
    ours, other = load(root, PATH), load(theirs, "benchmark.json")
    assert ours["run_summary"] == other["run_summary"]
    runs = [{**each} for each in ours["runs"]]
    for mine, original in zip(runs, other["runs"], strict=True):
        del mine["eval_name"]
        # What was not counted is left out by us and 0 there.
        mine["result"] = {"tool_calls": 0, "errors": 0} | mine["result"]
        assert mine == original


def test_what_was_not_measured_is_left_out(tmp_path: Path) -> None:
    """No seconds, no tokens (never characters written), no spread of one run, no baseline."""
    run(
        tmp_path,
        "eval-1/with_skill/run-1",
        [T, F],
        execution_metrics={"output_chars": 12450, "total_tool_calls": 3},
    )
    said = aggregated(tmp_path)[PATH].messages
    document = load(tmp_path, PATH)
    assert document["run_summary"] == {
        "with_skill": {"pass_rate": {"mean": 0.5, "stddev": None, "min": 0.5, "max": 0.5}}
    }
    assert document["runs"][0]["result"]["tokens"] is None
    assert "12450" not in json.dumps(document)
    assert said == ("No difference was written: there is no skill beside a baseline.",)


def test_an_unscored_run_is_listed_and_left_out_of_the_mean(tmp_path: Path) -> None:
    """The mean is that of the other run; its n is written beside it."""
    run(tmp_path, "eval-1/with_skill/run-1", [T, T])
    run(tmp_path, "eval-2/with_skill/run-1", [None], summary={})
    said = aggregated(tmp_path)[PATH].messages
    document = load(tmp_path, PATH)
    assert document["run_summary"]["with_skill"]["pass_rate"]["mean"] == 1
    assert document["run_summary"]["with_skill"]["pass_rate"]["n"] == 1
    assert document["runs"][1]["result"]["pass_rate"] is None
    assert said[0] == "1 of 2 runs have no pass rate and were left out of it."


def test_a_baseline_comes_second_whatever_its_name(tmp_path: Path) -> None:
    """`old_skill` stands before `with_skill` in the alphabet; the difference is not inverted."""
    run(tmp_path, "eval-1/old_skill/run-1", [T, F])
    run(tmp_path, "eval-1/with_skill/run-1", [T, T])
    aggregated(tmp_path)
    summary = load(tmp_path, PATH)["run_summary"]
    assert list(summary) == ["with_skill", "old_skill", "delta"]
    assert summary["delta"] == {"pass_rate": "+0.50"}
    assert mismatches(tmp_path, PATH) == []


def test_a_contradicted_summary_is_not_believed(tmp_path: Path) -> None:
    """A grading that states 1.0 over items of which half passed counts as 0.5."""
    run(tmp_path, "eval-1/with_skill/run-1", [T, F], summary={"pass_rate": 1.0})
    aggregated(tmp_path)
    assert load(tmp_path, PATH)["run_summary"]["with_skill"]["pass_rate"]["mean"] == 0.5


def test_only_wrong_numbers_of_an_older_benchmark_change(root: Path) -> None:
    """Unknown fields, notes, names, order and spelling stay; what changed is told."""
    aggregated(root)
    document = load(root, PATH)
    document["notes"] = ["The skill adds 11 s"]
    document["our_own"] = {"kept": 1.50}
    document["metadata"]["timestamp"] = "2026-01-15T10:30:00Z"
    document["run_summary"]["with_skill"]["pass_rate"]["mean"] = 0.5
    document["run_summary"]["delta"]["pass_rate"] = "-0.45"
    document["runs"][0]["result"]["passed"] = 1
    dump(root, PATH, document)
    before = (root / PATH).read_text("utf-8")
    found = aggregated(root)[PATH].found
    assert [(each.dotted_path, each.before, each.after) for each in found] == [
        ("runs.0.result.passed", 1, 3),
        ("run_summary.with_skill.pass_rate.mean", 0.5, 0.7783),
        ("run_summary.delta.pass_rate", "-0.45", "+0.45"),
    ]
    expected = before.replace('"passed": 1,', '"passed": 3,', 1)
    expected = expected.replace('"mean": 0.5,', '"mean": 0.7783,', 1)
    assert (root / PATH).read_text("utf-8") == expected.replace('"-0.45"', '"+0.45"')


def test_runs_that_only_the_benchmark_lists_are_kept_and_counted(tmp_path: Path) -> None:
    """A second run whose grading is gone stays, and the mean is of both."""
    run(tmp_path, "eval-1/with_skill/run-1", [T, T])
    run(tmp_path, "eval-2/with_skill/run-1", [F, F])
    aggregated(tmp_path)
    shutil.rmtree(tmp_path / ITERATION / "eval-2")
    found = aggregated(tmp_path)[PATH]
    assert found.state == "same"
    assert found.messages[0] == "1 run that only the benchmark lists was kept and counted."
    assert load(tmp_path, PATH)["run_summary"]["with_skill"]["pass_rate"]["mean"] == 0.5


@pytest.mark.parametrize(
    "other", [{"results": [{"eval": 1, "score": 3}]}, [1, 2], {"summary": {"with_skill": 0.5}}]
)
def test_a_benchmark_of_another_shape_is_replaced_on_demand_only(
    tmp_path: Path, other: Any
) -> None:
    """It is left alone and named; with `replace` a standard one takes its place."""
    run(tmp_path, "eval-1/with_skill/run-1", [T, T])
    file = dump(tmp_path, PATH, other)
    before = file.read_bytes()
    found = aggregated(tmp_path)[PATH]
    assert (found.state, file.read_bytes()) == ("left", before)
    assert "--replace" in found.messages[0]
    assert aggregated(tmp_path, replace=True)[PATH].state == "changed"
    assert faults(BENCHMARK, load(tmp_path, PATH)) == []


def test_a_broken_benchmark_is_left_alone(tmp_path: Path) -> None:
    """Nobody knows what stood in it."""
    run(tmp_path, "eval-1/with_skill/run-1", [T, T])
    (tmp_path / PATH).write_text('{"runs": [')
    assert proposed(tmp_path)[PATH].state == "left"


def test_a_version_without_gradings_is_left_alone(root: Path) -> None:
    """Its benchmark is all there is of it."""
    aggregated(root)
    shutil.copytree(root / ITERATION, root / "pdf-workspace/iteration-2")
    for folder in (root / "pdf-workspace/iteration-2").glob("eval-*"):
        shutil.rmtree(folder)
    found = proposed(root)["pdf-workspace/iteration-2/benchmark.json"]
    assert (found.state, found.data) == ("left", None)
    assert "There are no gradings below it" in found.messages[0]


def test_evals_of_one_id_are_told_apart(tmp_path: Path) -> None:
    """Two folders whose metadata say the same id keep both of their runs."""
    for name in ("eval-tabs", "eval-spaces"):
        run(tmp_path, f"{name}/with_skill/run-1", [T])
        meta: dict[str, Any] = {"eval_id": 0, "eval_name": name, "prompt": name, "assertions": []}
        dump(tmp_path, f"{ITERATION}/{name}/eval_metadata.json", meta)
    aggregated(tmp_path)
    assert len(load(tmp_path, PATH)["runs"]) == 2
    assert mismatches(tmp_path, PATH) == []
    assert aggregated(tmp_path)[PATH].state == "same"


@pytest.mark.parametrize("family", ["commit-helper", "invoice-extractor"])
def test_the_demo_is_right_already(tmp_path: Path, family: str) -> None:
    """Its benchmarks stay as they are, and one made anew agrees with its gradings."""
    shutil.copytree(ROOT / "evalcore/demo/workspace", tmp_path / "demo")
    root = tmp_path / "demo"
    paths = [f"{family}-workspace/iteration-{n}/benchmark.json" for n in (1, 2, 3)]
    assert [proposed(root)[path].state for path in paths] == ["same"] * 3
    for path in paths:
        (root / path).unlink()
    aggregated(root)
    assert [mismatches(root, path) for path in paths] == [[], [], []]


@pytest.mark.parametrize(
    ("name", "at_least"),
    [("z5labs+ai", 9), ("liush2yuxjtu+onepager-skill-iterations", 6), ("Exenko+Code_Grapher", 6)],
)
def test_real_suites_agree_with_their_gradings_afterwards(
    realworld: Path, tmp_path: Path, name: str, at_least: int
) -> None:
    """What is written into copies of other people's folders reads back without contradiction."""
    root = tmp_path / "copy"
    shutil.copytree(realworld / name, root, symlinks=True)
    subprocess.run(["chmod", "-R", "u+w", str(root)], check=True)
    done = [path for path, each in aggregated(root).items() if path and each.data is not None]
    assert len(done) >= at_least
    assert [mismatches(root, path) for path in done] == [[]] * len(done)
    assert all(each.data is None for each in proposed(root).values())


def test_a_grading_without_items_is_listed_without(tmp_path: Path) -> None:
    """Nothing was judged in it: no rate, no items, no crash."""
    run(tmp_path, "eval-1/with_skill/run-1", [T])
    dump(tmp_path, f"{ITERATION}/eval-2/with_skill/run-1/grading.json", {"note": "later"})
    aggregated(tmp_path)
    second = load(tmp_path, PATH)["runs"][1]
    assert (second["expectations"], second["result"]["pass_rate"]) == ([], None)


def test_items_of_another_shape_are_listed_as_they_were_read(tmp_path: Path) -> None:
    """Under the names that the format has."""
    items = [{"assertion": "Does a", "status": "PASS", "reasoning": "seen"}]
    document = {"assertions": items}
    dump(tmp_path, f"{ITERATION}/eval-1/with_skill/run-1/grading.json", document)
    aggregated(tmp_path)
    assert load(tmp_path, PATH)["runs"][0]["expectations"] == [
        {"text": "Does a", "passed": True, "evidence": "seen"}
    ]


def test_what_lies_in_the_place_of_a_benchmark_hides_no_other(root: Path) -> None:
    """A folder of its name is left alone, and the other iteration is written."""
    (root / PATH).mkdir()
    run(root, "../iteration-2/eval-1/with_skill/run-1", [T])
    found = aggregated(root)
    assert [each.state for each in found.values()] == ["left", "new"]
    assert aggregated(root, replace=False)[PATH].messages == (
        "It cannot be read, so it was left unchanged; --replace overwrites it with a standard one.",
    )


def test_a_whole_number_of_any_size_stays(root: Path) -> None:
    """Also where so much changes that the list of runs is written anew."""
    aggregated(root)
    document = load(root, PATH)
    big = 2**80 + 1
    for entry in document["runs"]:
        entry |= {"seed": big, "expectations": []}
        entry["result"] |= {"passed": 9, "failed": 9, "total": 9}
    document["runs"] = [*document["runs"]]
    dump(root, PATH, document)
    assert aggregated(root)[PATH].state == "changed"
    assert [entry["seed"] for entry in load(root, PATH)["runs"]] == [big] * 10


GRADING = {
    "expectations": [{"text": "It runs", "passed": True, "evidence": "seen"}],
    "summary": {"passed": 1, "failed": 0, "total": 1, "pass_rate": 1.0},
}


def test_an_eval_with_two_names_has_both(tmp_path: Path) -> None:
    """One id and prompt in two folders is one case."""
    dump(tmp_path, "pdf/evals/evals.json", {"skill_name": "pdf", "evals": []})
    for version, name in ((1, "heat"), (2, "hot")):
        folder = f"pdf-workspace/iteration-{version}/eval-3-{name}"
        dump(tmp_path, f"{folder}/eval_metadata.json", {"eval_id": 3, "prompt": "Why so hot?"})
        dump(tmp_path, f"{folder}/with_skill/run-1/grading.json", GRADING)
    documents = [json.loads(each.data or b"") for each in proposed(tmp_path).values()]
    assert {run["eval_name"] for each in documents for run in each["runs"]} == {"heat / hot"}


def test_the_benchmark_of_a_time_stamp_lies_in_its_skills_folder(tmp_path: Path) -> None:
    """Beside the evals of that stamp."""
    for stamp in ("run_20260316_202259", "run_20260317_002827"):
        folder = f"{stamp}/planner"
        dump(tmp_path, f"{folder}/eval-1/with_skill/run-1/grading.json", GRADING)
    assert list(proposed(tmp_path)) == [
        "run_20260316_202259/planner/benchmark.json",
        "run_20260317_002827/planner/benchmark.json",
    ]


def test_items_with_escaped_letters_keep_their_texts(root: Path) -> None:
    """Escaped letters are written as letters, which are the same text."""
    place = f"{ITERATION}/eval-1/with_skill/run-1/grading.json"
    item = '{"text": "caf\\u00e9 \\ud83d\\ude00", "passed": true, "evidence": "a\\/b"}'
    (root / place).write_text(f'{{"expectations": [{item}]}}')
    listed = json.loads(proposed(root)[PATH].data or b"")["runs"][0]["expectations"]
    assert listed == [json.loads(item)]
