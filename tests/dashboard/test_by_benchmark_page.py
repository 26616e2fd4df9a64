"""A comparison by a benchmark is recorded from Compare."""

from collections.abc import Callable
from pathlib import Path

from streamlit.testing.v1 import AppTest

from evalcore.tables.rows import ComparisonRow, MessageRow
from evalcore.workspace.opened import open_workspace
from tests.chains.store import SUITE
from tests.memory.compared_versions import CASES, instruction, opened
from tests.memory.remembered import rows


def test_one_click_records_it_and_answers_who_asked(
    run: Callable[..., AppTest], tmp_path: Path
) -> None:
    """Under the reader's name; a second click finds it stored."""
    root = tmp_path / "evals"
    opened(root, {"1": 0, "2": CASES}, instruction())
    app = run("compare", root, suite=SUITE, a="p@1", b="p@2")
    assert not app.exception
    assert "orchestrator asks for this comparison." in [text.value for text in app.text]
    for field in app.text_input:
        if field.label.startswith("Your name"):
            field.set_value("Ana")
    button = next(each for each in app.button if each.label == "Record this comparison")
    button.click().run()
    assert not app.exception
    ws = open_workspace(root, cache=False)
    (row,) = rows(ws, ComparisonRow, suite=SUITE)
    assert row.winner == "B"
    (answer,) = rows(ws, MessageRow, in_reply_to="ask")
    assert (answer.author or "").startswith("ana-")
    assert any(text.value.startswith("Recorded as ") for text in app.text)


def test_a_suite_without_benchmarks_has_no_such_part(
    run: Callable[..., AppTest], small_workspace: Path
) -> None:
    app = run("compare", small_workspace, suite="alpha")
    assert not app.exception
    assert "By benchmark" not in "".join(each.proto.json for each in app.get("bidi_component"))
