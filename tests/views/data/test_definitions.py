"""Cases and criteria stand as their documents define them, with what is wrong beside each."""

from pathlib import Path
from typing import Any

from evalcore import Workspace
from evalcore.problems import Problem
from evalcore.views.data.definitions import (
    case_list_blocks,
    definition_blocks,
    first_case,
)
from evalcore.views.data.state import DataView
from evalcore.views.problems import Problems
from tests import made
from tests.views.panel_json import panel_json

AT = {"source": "evals.json", "pointer": "/cases/0"}
VAGUE = Problem(
    "evals.json",
    "/cases/0/expectations/0/description",
    "warning",
    "vague",
    "Too vague.",
    "Say more.",
)
LONELY = Problem("evals.json", "/cases/0/prompt", "info", "short", "A short prompt.")
FAR = Problem("evals.json", "/cases/1/prompt", "info", "short", "Another case's.")
PROBLEMS = Problems((VAGUE, LONELY, FAR))


def workspace(root: Path) -> Workspace:
    """Return a suite with one case of two criteria, and a case without any."""
    label = {"source": "evals.json", "pointer": "/cases/0/expectations/0"}
    return made.workspace(
        root,
        made.suite(),
        made.case(tags='["forms"]', **AT),
        made.case(case_id="case-2", prompt="Fill a form."),
        made.criterion(
            "tone",
            description="Kind words",
            required=True,
            min_score=1.0,
            max_score=5.0,
            pass_at=3.0,
            **label,
        ),
        made.criterion(
            "Names the date", position=1, source="evals.json", pointer="/cases/0/expectations/1"
        ),
    )


def listed(ws: Workspace, view: DataView) -> tuple[Any, str]:
    """Return the cells of each listed case as the page sends them, and the words below."""
    table, *_, pager = panel_json(case_list_blocks(ws, made.SUITE, view, PROBLEMS))
    return [row["cells"] for row in table["rows"]], pager["text"]


def test_each_case_has_its_criteria_and_problems_counted(tmp_path: Path) -> None:
    """What is wrong in a criterion counts for its case, what is wrong in another case does not."""
    rows, words = listed(workspace(tmp_path), DataView("cases"))
    assert words == "2 cases"
    assert [(name["id"], asked["text"], wrong["text"]) for name, asked, _, wrong in rows] == [
        ("case-1", "2", "2"),
        ("case-2", "none", "0"),
    ]


def test_cases_are_found_by_their_words(tmp_path: Path) -> None:
    """Id, name, prompt and tags are searched in any case."""
    ws = workspace(tmp_path)
    for text, found in (("FILL", ["case-2"]), ("forms", ["case-1"]), ("nothing", [])):
        rows, _ = listed(ws, DataView("cases", text=text))
        assert [cells[0]["id"] for cells in rows] == found


def test_a_problem_stands_below_the_criterion_it_speaks_of(tmp_path: Path) -> None:
    """What speaks of the case itself stands at its top."""
    blocks = panel_json(definition_blocks(workspace(tmp_path), made.SUITE, "case-1", PROBLEMS))
    said = [(block["t"], block.get("title") or block.get("message") or "") for block in blocks]
    assert said[:2] == [("heading", ""), ("problem", "A short prompt.")]
    at = said.index(("note", "Kind words"))
    assert said[at + 1 : at + 3] == [("problem", "Too vague."), ("note", "Names the date")]


def test_a_criterion_says_its_scale_and_whether_it_is_required(tmp_path: Path) -> None:
    """Everything that decides a verdict is there."""
    blocks = panel_json(definition_blocks(workspace(tmp_path), made.SUITE, "case-1", PROBLEMS))
    tags = next(block["tags"] for block in blocks if block.get("title") == "Kind words")
    assert tags == ["expectation", "tone", "1 to 5", "passes at 3", "required"]


def test_what_a_definition_lacks_is_said(tmp_path: Path) -> None:
    """No criterion, no expected answer, no weight: words, not gaps."""
    blocks = panel_json(definition_blocks(workspace(tmp_path), made.SUITE, "case-2", PROBLEMS))
    assert "No criterion" in [block.get("text") for block in blocks]
    assert next(b["text"] for b in blocks if b.get("label") == "Expected") == "not recorded"
    facts = next(block["facts"] for block in blocks if block["t"] == "facts")
    assert ["weight", "not given", False] in facts


def test_the_first_case_is_open_where_none_is_asked_for(tmp_path: Path) -> None:
    """A suite without cases has none to open, and says so."""
    assert first_case(workspace(tmp_path), made.SUITE, DataView("cases")) == "case-1"
    assert first_case(made.workspace(tmp_path, made.suite()), made.SUITE, DataView("cases")) is None
    empty = made.workspace(tmp_path, made.suite())
    table, *_ = panel_json(case_list_blocks(empty, made.SUITE, DataView("cases"), PROBLEMS))
    assert table["empty"] == "No document defines a case of this suite."
