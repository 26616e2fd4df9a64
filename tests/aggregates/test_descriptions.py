"""Entries of `eval/benchmark.json`, one for each description that was measured."""

import hashlib
import shutil
from pathlib import Path
from statistics import mean, median, stdev
from typing import Any

import pytest

from evalcore.families.descriptions.documents import BENCHMARK
from evalcore.shapes.faults import faults
from tests.aggregates.layout import aggregated, dump, load, mismatches, proposed
from tests.conftest import ROOT

PATH = "sql/eval/benchmark.json"
CASES = {"joins": [True, True, False, False], "index": [True, True, True, True], "dates": [False]}


def graded(root: Path, run: str, case: str, results: list[bool], hour: int) -> None:
    """Write a grading."""
    assertions = [
        {
            "assertion": f"a{n}",
            "result": "pass" if good else "fail",
            "confidence": "high",
            "evidence": "e",
        }
        for n, good in enumerate(results)
    ]
    dump(
        root,
        f"sql/eval/runs/{run}/grading/{case}.json",
        {
            "test_case_id": case,
            "run_id": run,
            "timestamp": f"2026-03-01T{hour:02}:00:00Z",
            "assertions": assertions,
            "overall_score": sum(results) / len(results),
            "timing": {
                "start": f"2026-03-01T{hour:02}:00:00Z",
                "end": f"2026-03-01T{hour:02}:00:08Z",
                "duration_seconds": 8.0,
            },
        },
    )


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Return a skill whose second description was measured in run `ab12`, with no entry of it."""
    cases = [{"id": case, "prompt": case, "assertions": ["a0"]} for case in CASES]
    metadata = {"skill_name": "sql", "version": "1.0.0", "test_cases": cases}
    dump(tmp_path, "sql/eval/eval_metadata.json", metadata)
    for hour, (case, results) in enumerate(CASES.items()):
        graded(tmp_path, "ab12", case, results, hour)
    document: dict[str, Any] = {
        "skill_name": "sql",
        "description_version": 2,
        "created_at": "2026-02-01T00:00:00Z",
        "ours": {"kept": True},
        "entries": [],
    }
    dump(tmp_path, PATH, document)
    (tmp_path / "sql/SKILL.md").write_text("---\nname: sql\ndescription: Use for SQL.\n---\nText")
    return tmp_path


def test_an_entry_is_made_from_the_runs_that_none_is_of(root: Path) -> None:
    """They are of the current description, whose text the skill has; its time is the runs' own."""
    aggregated(root)
    document = load(root, PATH)
    scores = [0.5, 1.0, 0.0]
    entry = document["entries"][0]
    assert entry["scores"] == {
        "mean": mean(scores),
        "median": median(scores),
        "std_dev": stdev(scores),
        "min": 0.0,
        "max": 1.0,
    }
    assert {case["test_case_id"]: case["score"] for case in entry["per_test_case"]} == {
        "joins": 0.5,
        "index": 1.0,
        "dates": 0.0,
    }
    assert (entry["num_test_cases"], entry["total_duration_seconds"]) == (3, 24)
    assert entry["description_hash"] == hashlib.sha256(b"Use for SQL.").hexdigest()
    assert (entry["timestamp"], entry["run_id"]) == ("2026-03-01T02:00:00Z", "ab12")
    assert document["ours"] == {"kept": True}
    assert faults(BENCHMARK, document) == []
    assert mismatches(root, PATH) == []
    assert aggregated(root)[PATH].state == "same"


@pytest.mark.parametrize("front", ["name: x", "description: >\n  Folded", "description: A\n  b"])
def test_a_description_that_is_not_known_for_sure_has_no_hash(root: Path, front: str) -> None:
    """One that is missing, folded, or goes on in the next line."""
    (root / "sql/SKILL.md").write_text(f"---\n{front}\n---\n")
    aggregated(root)
    assert "description_hash" not in load(root, PATH)["entries"][0]


def test_several_runs_need_a_word_about_what_they_measured(root: Path) -> None:
    """Nothing is guessed; with a version the entry is of all of them, case by case."""
    graded(root, "cd34", "joins", [True, True, True, True], 5)
    assert "--version d2" in aggregated(root)[PATH].messages[0]
    assert load(root, PATH)["entries"] == []
    aggregated(root, version="d3")
    entry = load(root, PATH)["entries"][0]
    assert entry["description_version"] == 3
    assert entry["run_ids"] == ["ab12", "cd34"]
    joins = next(case for case in entry["per_test_case"] if case["test_case_id"] == "joins")
    assert joins["score"] == 0.75


def test_a_version_that_has_an_entry_gets_no_second(root: Path) -> None:
    """Another run of it cannot be told from a later description."""
    aggregated(root)
    graded(root, "cd34", "joins", [True], 5)
    found = aggregated(root)[PATH]
    assert found.state == "same"
    assert "d2 has one" in found.messages[0]


def test_a_wrong_number_of_an_entry_is_put_right(root: Path) -> None:
    """Those of its test cases too; what agrees stays as it is written."""
    aggregated(root)
    document = load(root, PATH)
    entry = document["entries"][0]
    entry["scores"]["mean"] = 0.9
    at = [case["test_case_id"] for case in entry["per_test_case"]].index("joins")
    entry["per_test_case"][at] |= {"score": 0.9, "noted": "x"}
    dump(root, PATH, document)
    found = {each.dotted_path: each.after for each in aggregated(root)[PATH].found}
    assert found == {"entries.0.scores.mean": 0.5, f"entries.0.per_test_case.{at}.score": 0.5}
    assert load(root, PATH)["entries"][0]["per_test_case"][at]["noted"] == "x"


def test_an_entry_whose_gradings_are_gone_stays(root: Path) -> None:
    """All of them, or some: what was measured is not forgotten."""
    aggregated(root)
    before = load(root, PATH)
    (root / "sql/eval/runs/ab12/grading/joins.json").unlink()
    assert "left unchanged" in aggregated(root)[PATH].messages[0]
    shutil.rmtree(root / "sql/eval/runs")
    assert load(root, PATH) == before
    said = aggregated(root)[PATH].messages
    assert said == ("Entry 1: there are no gradings of it; it was left unchanged.",)


def test_without_a_benchmark_the_version_must_be_named(root: Path) -> None:
    """Gradings do not say which description they measured."""
    (root / PATH).unlink()
    assert proposed(root)[PATH].state == "left"
    assert aggregated(root, version="d1")[PATH].state == "new"
    document = load(root, PATH)
    assert (document["description_version"], len(document["entries"])) == (1, 1)
    assert mismatches(root, PATH) == []


def test_the_deviation_of_a_population_is_not_wrong(root: Path) -> None:
    """Some tools divide by n; it is left, as the opening only remarks on it."""
    aggregated(root)
    document = load(root, PATH)
    document["entries"][0]["scores"]["std_dev"] = 0.4082
    dump(root, PATH, document)
    assert proposed(root)[PATH].state == "same"


def test_the_demo_is_right_already(tmp_path: Path) -> None:
    """The one run that no entry is of is named."""
    shutil.copytree(ROOT / "evalcore/demo/workspace", tmp_path / "demo")
    found = proposed(tmp_path / "demo", suite="sql-helper")["sql-helper/eval/benchmark.json"]
    assert found.state == "same"
    assert "9d02aa51" in found.messages[0]
