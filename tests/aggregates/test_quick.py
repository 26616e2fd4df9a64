"""The quick way gives what the tables give, or gives way to them."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from benchmarks import generate
from evalcore.aggregates.propose import proposals, quick_proposals
from evalcore.proposals.proposal import Proposal, write
from tests.aggregates.layout import ITERATION, dump, opened, run

PATH = f"{ITERATION}/benchmark.json"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Return a folder just as skill-creator makes it."""
    evals: list[Any] = [
        {"id": n, "prompt": f"Do {n}", "expected_output": "", "files": []} for n in (1, 2, 3)
    ]
    dump(tmp_path, "pdf/evals/evals.json", {"skill_name": "pdf", "evals": evals})
    for side in ("with_skill", "without_skill"):
        for n in (1, 2):
            run(
                tmp_path, f"eval-{n}/{side}/run-1", [True, n == 1, False], seconds=1.5 * n, tokens=9
            )
    return tmp_path


def contents(found: list[Proposal] | None) -> list[Any]:
    """Return proposals with their documents as values, without the time they were made."""
    assert found is not None
    documents = [None if each.data is None else json.loads(each.data) for each in found]
    for document in documents:
        if document is not None:
            del document["metadata"]["timestamp"]
    return [
        (each._replace(data=None, read=None), document)
        for each, document in zip(found, documents, strict=True)
    ]


def test_it_is_what_the_tables_give(tmp_path: Path) -> None:
    """Document by document, of a generated folder with names, notes and calls."""
    generate.generate("iterations", 200, tmp_path)
    quick = quick_proposals(tmp_path, None, None)
    assert len(contents(quick)) == 5
    assert contents(quick) == contents(proposals(opened(tmp_path)))


GRADING = {
    "expectations": [{"text": "It runs", "passed": True, "evidence": "seen"}],
    "summary": {"passed": 1, "failed": 0, "total": 1, "pass_rate": 1.0},
}


def test_an_eval_with_two_names_has_them_both_ways(tmp_path: Path) -> None:
    """One id and prompt in two folders is one case."""
    dump(tmp_path, "pdf/evals/evals.json", {"skill_name": "pdf", "evals": []})
    for version, name in ((1, "heat"), (2, "hot")):
        folder = f"pdf-workspace/iteration-{version}/eval-3-{name}"
        dump(tmp_path, f"{folder}/eval_metadata.json", {"eval_id": 3, "prompt": "Why so hot?"})
        dump(tmp_path, f"{folder}/with_skill/run-1/grading.json", GRADING)
    quick = contents(quick_proposals(tmp_path, None, None))
    assert quick == contents(proposals(opened(tmp_path)))
    assert {run["eval_name"] for _, document in quick for run in document["runs"]} == {"heat / hot"}


def test_the_benchmark_of_a_time_stamp_lies_in_its_skills_folder(tmp_path: Path) -> None:
    """Beside the evals of that stamp."""
    for stamp in ("run_20260316_202259", "run_20260317_002827"):
        folder = f"{stamp}/planner"
        dump(tmp_path, f"{folder}/eval-1/with_skill/run-1/grading.json", GRADING)
    found = contents(proposals(opened(tmp_path)))
    assert [proposal.path for proposal, _ in found] == [
        "run_20260316_202259/planner/benchmark.json",
        "run_20260317_002827/planner/benchmark.json",
    ]


def test_it_is_so_beside_a_benchmark(root: Path) -> None:
    """One that is right, and one with a wrong number."""
    for each in quick_proposals(root, None, None) or ():
        write(root, each)
    assert contents(quick_proposals(root, None, None)) == contents(proposals(opened(root)))
    document = json.loads((root / PATH).read_text())
    document["run_summary"]["with_skill"]["pass_rate"]["mean"] = 0.1
    document["runs"][0]["result"]["passed"] = 3
    dump(root, PATH, document)
    quick = quick_proposals(root, None, None)
    assert quick is not None
    assert [each.dotted_path for each in quick[0].found] == [
        "runs.0.result.passed",
        "run_summary.with_skill.pass_rate.mean",
    ]
    # The tables give runs to entries as they lie; the texts that come out are the same.
    assert quick[0].data == proposals(opened(root))[0].data


def _unscored(root: Path) -> None:
    run(root, "eval-3/with_skill/run-1", [None], summary={})


def _rubric(root: Path) -> None:
    run(root, "eval-3/with_skill/run-1", [True], rubric_scores={"a": {"score": 3, "evidence": ""}})


def _twice(root: Path) -> None:
    run(root, "eval-1/with_skill/run_1", [True])


def _flat(root: Path) -> None:
    dump(root, f"{ITERATION}/eval-3/grading.json", {"expectations": []})


def _broken(root: Path) -> None:
    (root / f"{ITERATION}/eval-1/with_skill/run-1/grading.json").write_text("{")


def _untimed(root: Path) -> None:
    run(root, "eval-3/with_skill/run-1", [True], timing={"total_duration_seconds": 3.0})


def _zero(root: Path) -> None:
    run(root, "eval-3/with_skill/run-1", [True], seconds=0, tokens=0)


def _home_made(root: Path) -> None:
    dump(root, PATH, {"results": []})


def _another(root: Path) -> None:
    dump(root, f"{ITERATION}/benchmark-2.json", {"runs": [], "run_summary": {"with_skill": {}}})


@pytest.mark.parametrize(
    "unusual",
    [_unscored, _rubric, _twice, _flat, _broken, _untimed, _zero, _home_made, _another],
)
def test_it_gives_way_to_what_is_not_usual(root: Path, unusual: Callable[[Path], None]) -> None:
    """Nothing is guessed for the sake of speed."""
    unusual(root)
    assert quick_proposals(root, None, None) is None


def test_items_travel_as_they_are_written(root: Path) -> None:
    """Also with letters that a decoder and an encoder would spell anew."""
    place = f"{ITERATION}/eval-1/with_skill/run-1/grading.json"
    item = '{"text": "caf\\u00e9 \\ud83d\\ude00", "passed": true, "evidence": "a\\/b"}'
    (root / place).write_text(f'{{"expectations": [{item}]}}')
    found = quick_proposals(root, None, None)
    assert found is not None and found[0].data is not None
    listed = msgspec.json.decode(found[0].data)["runs"][0]["expectations"]
    assert listed == [json.loads(item)]
