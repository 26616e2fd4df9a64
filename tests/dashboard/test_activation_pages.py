"""A trigger set on the pages: what each description answered, its hits and its false alarms."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from evalcore import open_workspace
from evalcore.counting.outcomes import Column
from evalcore.judging.storing.judges import remember_judge
from evalcore.views.gradings.version import about_blocks, about_version
from tests.families.activation_documents import AFTER, SHOULD, TWO_TRIES, trigger_set
from tests.families.build import write
from tests.views.panel_json import panel_json

SUITE = "pdf (triggers)"


@pytest.fixture
def tried(tmp_path: Path) -> Path:
    """Return a folder with a set and two descriptions that were tried with it."""
    first, *others = trigger_set()
    items = [first | {"id": "merge"}, *others]
    files = {"pdf/evals/trigger-eval.json": items, "pdf/evals/x/results.json": TWO_TRIES}
    return write(tmp_path / "skills", files)


def test_hits_and_false_alarms_are_beside_the_version(tried: Path) -> None:
    """In what Gradings says about it, with the totals that the document states."""
    ws = open_workspace(tried, cache=False)
    about = about_version(ws, SUITE, Column("iteration-2", "-"))
    facts = json.dumps(panel_json(about_blocks(ws, about)), ensure_ascii=False)
    for words in ("hit rate", "false alarm rate", "queries answered as expected (test)"):
        assert words in facts
    assert AFTER in facts


def panels(app: AppTest) -> str:
    """Return all that the page's panels and sentences are given, as one text."""
    assert not app.exception
    given = [element.proto.json for element in app.get("bidi_component")]
    return "\n".join([*given, *(text.value for text in app.text)])


@pytest.mark.parametrize(
    ("page", "query", "shown"),
    [
        ("overview", {}, "iteration-2 answered 100 % of 5 cases as expected"),
        ("overview", {}, "Merges, fills in and rotates PDF files."),
        ("gradings", {"v": "iteration-1"}, "The query activates the skill."),
        ("gradings", {"tag": "should not trigger"}, "2 cases"),
        ("compare", {"a": "iteration-1", "b": "iteration-2"}, SHOULD[0]),
        ("compare", {"a": "iteration-1", "b": "iteration-2", "tab": "slices"}, "stays silent"),
        ("compare", {"a": "iteration-1", "b": "iteration-2", "tab": "texts"}, "1 file changed"),
        ("data", {}, "activation"),
        ("judge", {"run": f"{SUITE}::merge@iteration-2/-#2"}, SHOULD[0]),
    ],
)
def test_a_trigger_set_is_on_every_page(
    run: Callable[..., AppTest], tried: Path, page: str, query: dict[str, str], shown: str
) -> None:
    """In the words of activation, and with what the sides differ in."""
    remember_judge("Ana", None)
    assert shown in panels(run(page, tried, suite=SUITE, **query))
