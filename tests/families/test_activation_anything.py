"""Whatever stands in a set or its results, it is read or named, and nothing breaks."""

from importlib import import_module
from pathlib import Path
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from evalcore import open_workspace
from evalcore.lint import check
from tests.families.activation_documents import SHOULD, result, trigger_set
from tests.families.build import write

KEYS = (
    "query", "prompt", "should_trigger", "should_not_trigger", "expected", "actual", "triggered",
    "triggers", "runs", "trigger_rate", "pass", "reasons", "id", "skill", "tags", "category",
    "results", "train_results", "test_results", "history", "iteration", "description", "summary",
    "metrics", "passed", "total", "tp", "runs_per_query", "date", "model", "queries", "/", "~",
)  # fmt: skip
SCALARS = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.sampled_from(["", " ", SHOULD[0], "yes", "3/3", "\x00", "<b>", "../..", "q-9cc7b48e"])
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(KEYS), inner, max_size=6)
    ),
    max_leaves=14,
)
ITEMS = st.dictionaries(st.sampled_from(KEYS), VALUES, max_size=6).map(
    lambda odd: {**result(SHOULD[0], 1, 3), **odd}
)


@settings(max_examples=60, deadline=None)
@given(items=st.lists(ITEMS | VALUES, max_size=4), around=VALUES)
def test_anything_is_read_or_named(tmp_path_factory: Any, items: list[Any], around: Any) -> None:
    """The set beside it keeps its cases; every run belongs to a case and a version."""
    root = tmp_path_factory.mktemp("any")
    document = {**around, "results": items} if isinstance(around, dict) else [around, items]
    write(root, {"pdf/evals/set.json": trigger_set(), "pdf/evals/results.json": document})
    ws = open_workspace(root, cache=False)
    cases, runs = ws.tables.cases, ws.tables.runs
    assert {trigger["query"] for trigger in trigger_set()} <= set(cases["prompt"])
    assert set(runs["case_id"]) <= set(cases["case_id"])
    assert set(runs["version"]) <= set(ws.tables.versions["version"])
    assert runs["run_id"].is_unique
    assert not cases.duplicated(["suite", "case_id"]).any()
    for problem in ws.problems + check(ws):
        assert problem.message
        ws.raw(problem.path, problem.pointer)


def test_a_file_of_too_many_runs_is_read_so_far(tmp_path: Path, monkeypatch: Any) -> None:
    """What fits is read, the first that does not is named."""
    module = import_module("evalcore.families.activation.read")
    monkeypatch.setattr(module, "MOST_RUNS", 6)
    items = [result(query, 1, 3) for query in SHOULD]
    ws = open_workspace(write(tmp_path, {"results.json": {"results": items}}), cache=False)
    assert len(ws.tables.runs) == 6
    assert [problem.pointer for problem in ws.problems] == ["/results/2"]
    assert ws.problems[0].code == "too-many-runs"
