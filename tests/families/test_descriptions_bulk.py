"""Gradings of descriptions read by column give the same rows as those read with tolerance."""

import copy
import json
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks import generate
from evalcore.families.descriptions.read import ASSERTIONS
from evalcore.shapes.judged import documented
from tests.families.both import assert_equal, both
from tests.families.build import write
from tests.families.descriptions_documents import METADATA, assertion, grading

ODD: st.SearchStrategy[Any] = st.sampled_from(
    [None, True, 0, -1, 3.5, 1, "PASS", "passed", "", [], {}, "\ud800", 10**30, [{}], ["a", 1]]
)
FIELDS = st.sampled_from([*grading(), "judge", "judge_type", "claims", "extra"])


def _workspace(root: Path, odd: list[Any]) -> Path:
    """Runs with a usual grading each, and some with one of these."""
    files: dict[str, Any] = {"skill/eval/eval_metadata.json": METADATA}
    for number in range(8):
        run = f"run-{number}"
        usual = grading(run=run)
        own = odd[number // 2] if number % 2 and number // 2 < len(odd) else usual
        files[f"skill/eval/runs/{run}/grading/merged.json"] = json.dumps({**own, "run_id": run})
    return write(root, files)


def test_documented_assertions_are_read_by_column() -> None:
    """A note may be missing or null; a word that needs a second look is refused."""
    columns = documented(ASSERTIONS)
    for item, is_usual in (
        (assertion("a"), True),
        ({**assertion("a"), "notes": None, "extra": 1}, True),
        ({**assertion("a"), "notes": 3}, False),
        (assertion("a", "PASS"), False),
        (assertion("a", confidence="sure"), False),
    ):
        assert (columns(grading(assertions=[item])) is not None) is is_usual, item


def test_a_generated_workspace_reads_the_same(tmp_path: Path) -> None:
    """Notes, critique, timing and all verdicts of many cases and versions."""
    generate.main(["descriptions", "300", str(tmp_path / "made")])
    one, two = both(tmp_path / "made")
    assert len(one.tables.runs) == 300
    assert_equal(one, two)


@settings(max_examples=25)
@given(st.lists(st.tuples(FIELDS, ODD, st.integers(0, 3)), min_size=1, max_size=4))
def test_any_gradings_read_the_same(changes: list[tuple[str, Any, int]]) -> None:
    """Any value in any field, or in an item of it, gives the same rows on both ways."""
    odd = []
    for name, value, depth in changes:
        document = copy.deepcopy(grading())
        inner = document.get(name)
        if depth and isinstance(inner, list) and inner and isinstance(inner[0], dict):
            inner[0][list(inner[0])[depth]] = value
        elif depth and isinstance(inner, dict) and inner:
            inner[next(iter(inner))] = value
        else:
            document[name] = value
        odd.append(document)
    with tempfile.TemporaryDirectory() as folder:
        assert_equal(*both(_workspace(Path(folder), odd)))


@pytest.mark.parametrize("notes", [0, [], {}, False])
def test_a_falsy_note_is_read_or_named(tmp_path: Path, notes: Any) -> None:
    """A note that is no text is a problem, or read as its digits; it is never swallowed."""
    odd = grading(assertions=[{**assertion("a"), "notes": notes}])
    workspace, _ = both(_workspace(tmp_path, [odd]))
    kept = workspace.tables.notes["kind"].eq("assertion").any()
    named = any(problem.pointer.endswith("/notes") for problem in workspace.problems)
    assert kept or named
