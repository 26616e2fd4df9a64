"""What a run took, under the names that tools give it."""

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalcore.disk.listing import list_files
from evalcore.disk.reader import Reader
from evalcore.disk.values import Node
from evalcore.families.iterations.figures import read_timing
from evalcore.families.iterations.runs import SuiteContext
from evalcore.shapes.remarks import About
from evalcore.tables.builder import Rows
from evalcore.tables.rows import NoteRow, RunRow
from tests.families.build import Read
from tests.families.iterations_documents import EVAL, grading, suite

RUN = f"{EVAL}/with_skill/run-1"


def timed(root: Path, timing: Any, **graded: Any) -> Read:
    """One graded run with this timing.json."""
    return suite(root, {f"{RUN}/grading.json": grading(**graded), f"{RUN}/timing.json": timing})


@pytest.mark.parametrize(
    ("timing", "seconds", "tokens", "cost"),
    [
        ({"total_tokens": 10, "duration_ms": 2500}, 2.5, 10, None),
        ({"total_duration_seconds": 3.5, "duration_ms": 9000}, 3.5, None, None),
        ({"tokens_used": 7, "duration_seconds": 4}, 4, 7, None),
        ({"token_count": 8, "elapsed_ms": 1500}, 1.5, 8, None),
        ({"elapsed_s": 2, "total_cost_usd": 0.5}, 2, None, 0.5),
        ({"cost_usd": "0.25", "input_tokens": 3, "output_tokens": 4}, None, 7, 0.25),
        ({"start_time": "2026-03-13T10:00:00Z", "end_time": "2026-03-13T10:00:02Z"}, 2, None, None),
        (
            {"started_at": "2026-03-13T10:00:00", "finished_at": "2026-03-13T10:01:00"},
            60,
            None,
            None,
        ),
        ({"start_ms": 1000, "end_ms": 2500}, 1.5, None, None),
        ({"eval_id": 1, "timing": {"duration_ms": 1500}}, 1.5, None, None),
        ({"total_tokens": 0, "duration_ms": None, "total_duration_seconds": 0}, None, None, None),
        (
            {"end_time": "2026-03-13T10:00:00Z", "start_time": "2026-03-13T10:00:02Z"},
            None,
            None,
            None,
        ),
    ],
)
def test_time_tokens_and_money(
    tmp_path: Path, timing: Any, seconds: float | None, tokens: float | None, cost: float | None
) -> None:
    """0 and null were not measured; seconds come before milliseconds, both before a span."""
    read = timed(tmp_path, timing)
    run = read.one(RunRow)
    assert (run.duration_s, run.tokens, run.cost_usd) == (seconds, tokens, cost)
    assert read.codes() == []


def test_the_start_of_a_run(tmp_path: Path) -> None:
    """As text, or in milliseconds since 1970."""
    moment = datetime(2026, 3, 13, 10, tzinfo=UTC)
    told = timed(tmp_path / "a", {"start_time": "2026-03-13T10:00:00Z"}).one(RunRow)
    counted = timed(tmp_path / "b", {"start_time": moment.timestamp() * 1000}).one(RunRow)
    assert told.started_at == counted.started_at == moment


def test_other_names_are_remarked_on_once(tmp_path: Path) -> None:
    """The remark names them and says which are expected."""
    problem = timed(tmp_path, {"tokens_used": 7, "elapsed_s": 4}).problem("other-field-names")
    assert (problem.severity, problem.path) == ("info", f"pdf-workspace/{RUN}/timing.json")
    assert "elapsed_s, tokens_used" in problem.message
    assert "total_tokens" in problem.hint


def test_a_bare_number_is_not_guessed_at(tmp_path: Path) -> None:
    """Its unit is not told, so it is named and left out."""
    read = timed(tmp_path, 9049983)
    assert read.one(RunRow).duration_s is None
    assert read.problem("no-unit").severity == "info"


def test_remarks_and_a_failed_exit_are_notes(tmp_path: Path) -> None:
    """They explain a run's missing numbers; an exit code of 0 says nothing."""
    document = {"note": "not recorded", "_note": ["resumed"], "exit_code": 2}
    notes = timed(tmp_path / "a", document).all(NoteRow)
    assert {note.kind for note in notes} == {"timing"}
    assert {note.run_id for note in notes} == {"pdf::1@iteration-1/with_skill#1"}
    assert [note.text for note in notes] == [
        "not recorded",
        "resumed",
        "The run ended with exit code 2.",
    ]
    assert timed(tmp_path / "b", {"exit_code": 0}).all(NoteRow) == []


def test_a_text_that_is_no_number_is_a_problem(tmp_path: Path) -> None:
    """The other measures are read."""
    read = timed(tmp_path, {"total_tokens": "many", "duration_ms": 1000})
    assert (read.codes(), read.one(RunRow).duration_s) == (["wrong-type"], 1.0)


VALUES = st.none() | st.integers(-5, 10**6) | st.floats(-5, 1e6) | st.booleans()


@given(
    st.fixed_dictionaries(
        dict.fromkeys(("total_tokens", "duration_ms", "total_duration_seconds"), VALUES)
    )
)
def test_the_quick_path_reads_as_the_other(
    tmp_path_factory: pytest.TempPathFactory, document: dict[str, Any]
) -> None:
    """A further field, which says nothing, takes the document off the quick path."""
    root = tmp_path_factory.mktemp("timing")
    desk = SuiteContext(Reader(list_files(root)), Rows(), "s")
    doc = Node(desk.reader, "", {})
    found = []
    for name, timing in (("a.json", document), ("b.json", {**document, "x": 1})):
        (root / name).write_text(json.dumps(timing))
        found.append(read_timing(desk, name, doc, About("r", "c", "v")))
    assert found[0] == found[1]
