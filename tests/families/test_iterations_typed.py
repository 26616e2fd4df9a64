"""Items read by type give the same rows as items read with tolerance."""

import copy
import json
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks import generate
from evalcore import open_workspace
from evalcore.families.iterations.checks import ITEMS
from evalcore.families.iterations.rubric import SCORES
from evalcore.families.iterations.run_locations import RunLocations
from evalcore.families.iterations.structural import CHECKS
from evalcore.layouts.iterations import run_location
from tests.families.both import assert_equal, both
from tests.families.build import changed, write
from tests.families.iterations_documents import EVALS, RUBRIC_EVALS, Document, item
from tests.families.iterations_documents import grading as plain

MANY = 20
TIMING: Document = {"total_tokens": 900, "duration_ms": 2500, "total_duration_seconds": 2.5}
ODD: st.SearchStrategy[Any] = st.sampled_from(
    [
        None,
        True,
        0,
        6,
        -1,
        3.5,
        4.0,
        "4",
        "",
        [],
        {},
        "\ud800",
        "x" * 40,
        10**30,
        [{}],
        {"a": 1},
        ["a", 1],
        {"a": ["b"]},
    ]
)


def grading(**fields: Any) -> Document:
    """A grading with all that the tool writes."""
    document = plain(
        execution_metrics={"tool_calls": {"Read": 2}, "total_tool_calls": 2},
        claims=[{"claim": "c", "type": "process", "verified": False, "evidence": ""}],
        user_notes_summary={"workarounds": ["w"], "uncertainties": ["u", ""], "else/where": ["e"]},
        eval_feedback={"suggestions": [{"reason": "r", "assertion": "a"}, "s"], "overall": "o"},
    )
    return changed(document, **fields)


def structural(*verdicts: bool, **fields: Any) -> Document:
    """Structural checks with their sums, the first one critical."""
    good = sum(verdicts)
    checks = [
        {
            "id": f"S{number}",
            "text": f"check {number}",
            "type": "file_exists",
            "passed": verdict,
            "evidence": "seen",
            "critical": number == 1,
        }
        for number, verdict in enumerate(verdicts, 1)
    ]
    summary = {
        "passed": good,
        "failed": len(verdicts) - good,
        "total": len(verdicts),
        "pass_rate": round(good / len(verdicts), 2),
    }
    return changed(
        {"expectations": checks, "summary": summary, "gate_passed": verdicts[0]}, **fields
    )


def scored(**fields: Any) -> Document:
    """A grading with the scores of a rubric."""
    scores = {"accuracy": {"score": 4, "evidence": "e"}, "clarity": {"score": 3, "evidence": ""}}
    summary = {"weighted_mean": 3.7, "max_possible": 5.0, "normalized": 0.74}
    return grading(**{"rubric_scores": scores, "rubric_summary": summary, **fields})


def workspace(root: Path, runs: list[dict[str, Any]], rubric: bool = False) -> Path:
    """Standard runs with these among them, each its documents as JSON or as text."""
    usual: dict[str, Any] = {"grading": grading(), "timing": TIMING}
    if rubric:
        usual = {"grading": scored(), "timing": TIMING, "structural": structural(True, False)}
    files: dict[str, Any] = {"pdf/evals/evals.json": RUBRIC_EVALS if rubric else EVALS}
    for number in range(MANY):
        folder = f"pdf-workspace/iteration-{number % 2 + 1}/eval-1/with_skill/run-{number // 2 + 1}"
        own = runs[number // 9 % len(runs)] if runs and number % 9 == 4 else {}
        for name, document in {**usual, **own}.items():
            if document is not ...:
                files[f"{folder}/{name}.json"] = document
    files["pdf-workspace/iteration-1/eval-1/eval_metadata.json"] = {"eval_id": 1, "prompt": 5}
    return write(root, files)


@pytest.mark.parametrize("family", ["iterations", "rubric"])
def test_a_generated_workspace_reads_the_same(tmp_path: Path, family: str) -> None:
    """Claims, notes, feedback, failed gates and all scores of many cases and versions."""
    generate.main([family, "60", str(tmp_path / "made")])
    one, two = both(tmp_path / "made")
    assert len(one.tables.runs) == 60
    assert_equal(one, two)


@pytest.mark.parametrize(
    ("items", "by_type"),
    [
        ([item("a"), item("b", False)], True),
        ([{**item("a"), "severity": "high"}], True),
        ([{"expectation": "a", "passed": True, "reason": "r"}], True),
        ([{"assertion": "a", "met": False}], True),
        ([], False),
        ([item("a", "yes")], False),
        ([item("a"), {"text": "b", "passed": True}], False),
        ([{"expectation": "a", "id": "1", "passed": True}], False),
        (
            [{"criterion": "a", "passed": True}, {"text": "b", "criterion": "a", "passed": True}],
            False,
        ),
        ([{"text": "a", "passed": True}, {"text": "b", "passed": True, "note": "n"}], False),
        ([{"text": "a"}], False),
        (["a"], False),
    ],
)
def test_items_under_known_names_are_read_by_type(items: list[Any], by_type: bool) -> None:
    """All items of a list use the names of the first; anything odd is for the tolerant reader."""
    assert (ITEMS.read(items) is not None) is by_type


def test_the_names_of_fields_are_told() -> None:
    """What is written under another name is noted, so the reader says which it was."""
    found = ITEMS.read([{"expectation": "a", "passed": True}])
    assert found is not None
    assert found.names == ("expectation", "passed", None)
    assert (found.items[0].text, found.items[0].evidence) == ("a", None)


def test_scores_and_checks_are_read_by_type() -> None:
    """Scores lie between 1 and 5; a check that was not run is for the tolerant reader."""
    check = structural(True)["expectations"][0]
    assert SCORES.read([{"score": 4.5, "evidence": "e"}]) is not None
    assert SCORES.read([{"score": 6, "evidence": "e"}]) is None
    assert CHECKS.read([{**check, "type": "of our own"}]) is not None
    assert CHECKS.read([{**check, "status": "not_run"}]) is None
    assert CHECKS.read([item("a")]) is None


@pytest.mark.parametrize("rubric", [False, True])
def test_standard_runs_are_not_read_item_by_item(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, rubric: bool
) -> None:
    """Items as the tools write them never reach the tolerant reader."""
    monkeypatch.delattr("evalcore.families.iterations.checks._add_each")
    monkeypatch.delattr("evalcore.families.iterations.rubric._dimension")
    monkeypatch.delattr("evalcore.families.iterations.structural._check")
    ws = open_workspace(workspace(tmp_path, [], rubric), cache=False)
    assert len(ws.tables.runs) == MANY


GRADINGS: list[Any] = [
    ...,
    "{",
    '{"expectations": [{"text": "a", "passed": true, "evidence": "", "passed": false}]}',
    {"results": [{"name": "a", "status": "PASS"}]},
    {"assertions": [{"expectation": "Every field is filled", "passed": True, "reason": "r"}]},
    {"assertions": [{"criterion": "a", "met": True, "note": "n"}, {"text": "b", "passed": False}]},
    grading(expectations=[item("")]),
    [{"assertion": "a", "passed": True}, {"assertion": "a", "passed": False}],
    grading(expectations=[item("Every field is filled"), item("Every field is filled")]),
    grading(expectations=[item("Every field is filled, as asked"), item("new / ~ \u2028 🙂")]),
    grading(summary={"passed": 2, "failed": 0, "total": 2, "pass_rate": 1.0}),
    grading(summary={"passed": 1, "failed": 1, "total": 2, "pass_rate": 50.0}),
    grading(summary={"passed": 1, "failed": 1, "total": 2, "pass_rate": 0.9}, expectations=[]),
    grading(summary=...),
    grading(eval_id=2),
    grading(run_number=7),
    grading(configuration="without_skill"),
    grading(timing={"executor_duration_seconds": 2.0, "grader_duration_seconds": 1.0}),
    grading(timing={"executor_start": "2026-01-05T10:00:00Z"}),
    grading(user_notes_summary="a note", eval_feedback="a remark", claims=None),
    grading(user_notes_summary={"needs_review": "one"}, eval_feedback={"overall": None}),
    grading(execution_metrics={"total_steps": 10**400}),
    scored(),
    scored(rubric_scores={}),
    scored(rubric_scores={"accuracy": {"score": 5, "evidence": "e"}}),
    scored(rubric_scores={"else/where": {"score": 2, "evidence": "e"}}),
    scored(rubric_summary={"weighted_mean": 1, "normalized": 0.74}),
]
OTHERS: list[dict[str, Any]] = [
    {"timing": ...},
    {"timing": ..., "grading": grading(timing={"total_tokens": 5})},
    {"timing": "{"},
    {"timing": {"total_tokens": 0, "note": "stopped early", "exit_code": 2}},
    {"timing": {**TIMING, "executor_start": "2026-01-05T10:00:00Z"}},
    {"timing": {**TIMING, "executor_start": "yesterday"}},
    {"structural": structural(False, True)},
    {"structural": structural(False, True), "grading": ...},
    {"structural": structural(True, False, gate_passed=False)},
    {"structural": structural(True, summary={"passed": 0})},
    {"structural": "[]", "grading": ...},
    {"outputs/grading": grading(), "grading": ...},
    {"grading-extra": {}},
]


@pytest.mark.parametrize("rubric", [False, True])
def test_odd_runs_among_many(tmp_path: Path, rubric: bool) -> None:
    """Each is read by the tolerant reader, in its place among the others."""
    odd: list[dict[str, Any]] = [{"grading": document} for document in GRADINGS] + OTHERS
    for start in range(0, len(odd), 9):
        root = workspace(tmp_path / str(start), odd[start : start + 9], rubric)
        assert_equal(*both(root))


def test_runs_graded_twice_and_runs_elsewhere(tmp_path: Path) -> None:
    """A second grading counts once, and documents beside the standard places keep their order."""
    root = workspace(tmp_path, [])
    iteration = root / "pdf-workspace" / "iteration-1"
    write(
        iteration,
        {
            "eval-1-fill/with_skill/run-3/grading.json": grading(),
            "eval-1/with_skill/timing.json": TIMING,
            "eval-1/without_skill/grading.json": grading(),
            "eval-1/without_skill/run-2/with_skill/grading.json": grading(),
            "with_skill/eval-1/run-9/grading.json": grading(),
            "eval-2/grading.json": grading(),
            "eval-2/with_skill-grading.json": grading(),
            "gradings.json": {"runs": [grading(eval_id=1, configuration="old_skill")]},
            "benchmark.json": {"metadata": {"executor_model": "m"}, "runs": []},
        },
    )
    assert_equal(*both(root))


def _change(document: Document, name: str, value: Any, depth: int) -> Document:
    changing = copy.deepcopy(document)
    inner = changing.get(name)
    if depth and isinstance(inner, list) and inner and isinstance(inner[0], dict):
        inner[0][list(inner[0])[depth % len(inner[0])]] = value
    elif depth and isinstance(inner, dict) and inner:
        inner[list(inner)[depth % len(inner)]] = value
    else:
        changing[name] = value
    return changing


CHANGES = st.one_of(
    st.tuples(
        st.just("grading"),
        st.sampled_from([*scored(), "timing", "extra", "eval_id"]),
        ODD,
        st.integers(0, 3),
    ),
    st.tuples(
        st.just("structural"), st.sampled_from([*structural(True), "extra"]), ODD, st.integers(0, 5)
    ),
    st.tuples(st.just("timing"), st.sampled_from([*TIMING, "executor_start"]), ODD, st.just(0)),
)


@settings(max_examples=25)
@given(st.lists(CHANGES, min_size=1, max_size=6), st.booleans())
def test_any_documents_read_the_same(
    changes: list[tuple[str, str, Any, int]], rubric: bool
) -> None:
    """Any value in any field, or in a part of it, gives the same rows on both ways."""
    usual = {"grading": scored(), "structural": structural(True, False), "timing": TIMING}
    runs = [
        {kind: json.dumps(_change(usual[kind], name, value, depth))}
        for kind, name, value, depth in changes
    ]
    with tempfile.TemporaryDirectory() as folder:
        assert_equal(*both(workspace(Path(folder), runs, rubric)))


PARTS = st.sampled_from(
    [
        "iteration-1",
        "eval-1",
        "with_skill",
        "baseline",
        "run-1",
        "run-20240101",
        "run-07",
        "runs",
        "run-x",
        "run-1\n",
        "run-٣",
        "results",
        "2026-01-05",
        "RUN-2",
        "tabs",
        "v1_runs",
    ]
)


@settings(max_examples=200)
@given(st.lists(PARTS, max_size=6), st.integers(0, 10**9))
def test_runs_of_one_configuration_are_placed_alike(parts: list[str], number: int) -> None:
    """Looking at a folder of runs once gives the place that each run's own path gives."""
    places, above = RunLocations(), "/".join(parts)
    for name in (f"run-{number}", "run-1", "run-02", "run-987654321", "run", "with_skill"):
        folder = f"{above}/{name}" if above else name
        assert places.of(folder) == run_location(folder)
