"""`evalcore benchmark compare`: record a comparison, or list who waits for one."""

import json
from pathlib import Path

from tests.chains.store import SUITE, written
from tests.cli.conftest import Invoke
from tests.memory import benchmarked
from tests.memory.compared_versions import CASES, instruction, opened, store

COMPARE = ("benchmark", "compare")


def test_a_comparison_says_its_recommendation_and_where_it_is(
    invoke: Invoke, tmp_path: Path
) -> None:
    opened(tmp_path, {"1": 0, "2": CASES})
    found = invoke(*COMPARE, tmp_path, "Weekly", "p@1", "p@2")
    assert found.exit_code == 0
    assert found.stdout.startswith("Recommended: p@2. It scores 1.00 against 0.00")
    assert f"{SUITE}/records/prompt-comparison/" in found.stdout
    again = invoke(*COMPARE, tmp_path, "Weekly", "p@2", "p@1")
    assert "Already recorded as" in again.stdout
    assert len(list((tmp_path / SUITE / "records/prompt-comparison").iterdir())) == 1


def test_the_document_has_the_figures_and_the_word_of_the_verdict(
    invoke: Invoke, tmp_path: Path
) -> None:
    opened(tmp_path, {"1": 0, "2": CASES})
    found = json.loads(invoke(*COMPARE, tmp_path, "bm", "p@1", "p@2", "--json").stdout)
    assert found["versions"] == ["p@1", "p@2"]
    assert found["scores"] == [0, 1]
    assert (found["winner"], found["verdict"], found["sample_size"]) == ("p@2", "better", CASES)
    assert found["recorded_before"] is False


def test_without_names_it_lists_who_waits_and_what_to_type(invoke: Invoke, tmp_path: Path) -> None:
    lacking = instruction("lacking", promptVersionB="p@7")
    written(tmp_path, *store({"1": 0, "2": CASES}), instruction(), lacking)
    found = invoke(*COMPARE, tmp_path)
    assert found.exit_code == 0
    assert "orchestrator asks to compare p@1 against p@2 by bm (ask)" in found.stdout
    assert f"evalcore benchmark compare {tmp_path} bm p@1 p@2 --suite {SUITE}" in found.stdout
    assert "has no run of 'p@7'" in found.stdout
    listed = json.loads(invoke(*COMPARE, tmp_path, "--json").stdout)["instructions"]
    assert [(each["id"], each["missing"] is None) for each in listed] == [
        ("ask", True),
        ("lacking", False),
    ]
    invoke(*COMPARE, tmp_path, "Weekly", "p@1", "p@2")
    assert "(ask)" not in invoke(*COMPARE, tmp_path).stdout


def test_nobody_waits(invoke: Invoke, tmp_path: Path) -> None:
    opened(tmp_path, {"1": 0})
    assert invoke(*COMPARE, tmp_path).stdout == "Nobody is waiting for a comparison of versions.\n"


def test_half_a_request_is_refused(invoke: Invoke, tmp_path: Path) -> None:
    opened(tmp_path, {"1": 0, "2": CASES})
    found = invoke(*COMPARE, tmp_path, "Weekly", "p@1")
    assert found.exit_code == 2
    assert "Name the benchmark and both versions, or none of them." in found.stderr
    assert not (tmp_path / SUITE / "records/prompt-comparison").exists()


def test_an_unknown_benchmark_is_refused_with_those_there_are(
    invoke: Invoke, tmp_path: Path
) -> None:
    opened(tmp_path, {"1": 0, "2": CASES})
    found = invoke(*COMPARE, tmp_path, "Daily", "p@1", "p@2")
    assert found.exit_code == 2
    assert "Weekly" in found.stderr


def test_take_runs_the_benchmark_for_a_version_without_a_run(
    invoke: Invoke, tmp_path: Path
) -> None:
    benchmarked.benchmark(benchmarked.written(tmp_path, "ffff", "pppp"))
    found = invoke(*COMPARE, tmp_path, "Weekly", "v0", "v1")
    assert found.exit_code == 2
    assert "no run of 'v0'" in found.stderr
    found = invoke(*COMPARE, tmp_path, "Weekly", "v0", "v1", "--take")
    assert found.exit_code == 0
    assert "v1" in found.stdout
    reviews = tmp_path / "notes-workspace/reviews"
    assert len(list((reviews / "benchmark-run").iterdir())) == 2
    assert len(list((reviews / "prompt-comparison").iterdir())) == 1
