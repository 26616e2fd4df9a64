"""Criteria that people ask for at the sight of an output are taken into evals.json."""

import json
from pathlib import Path

import pytest

from evalcore import Workspace, open_workspace
from evalcore.aggregates.propose import proposals
from evalcore.judging.answering.deciding import Decided, decide
from evalcore.judging.model import Judge
from evalcore.proposals.proposal import write
from evalcore.rubrics.suggestions import suggestions
from tests.families.build import write as written

ADA = Judge("ada-1", "Ada")
RUN = "tabs::7@iteration-1/with_skill#1"
EVALS = "tabs/evals/evals.json"


def opened(root: Path) -> Workspace:
    """Return a suite with one output and a case without expectations."""
    evals = {"skill_name": "tabs", "evals": [{"id": 7, "eval_name": "one", "prompt": "Do it"}]}
    place = "tabs-workspace/iteration-1/one/with_skill/outputs/a.txt"
    return open_workspace(written(root, {EVALS: evals, place: "done"}))


def said(ws: Workspace, text: str, decision: str = "asked") -> None:
    """Store what Ada says about a criterion."""
    decide(ws, "tabs", Decided(text, None, RUN, decision), ADA)  # type: ignore[arg-type]


def test_an_asked_criterion_is_a_suggestion_and_goes_into_evals_json(tmp_path: Path) -> None:
    """Once; the rest of the document stays."""
    ws = opened(tmp_path)
    said(ws, "Names the cell")
    ws = open_workspace(tmp_path)
    (one,) = suggestions(ws, "tabs")
    assert (one.kind, one.text, one.state) == ("asked", "Names the cell", "open")
    for state in ("changed", "same"):
        (proposal,) = [each for each in proposals(ws, None, None) if each.path == EVALS]
        assert proposal.state == state
        write(tmp_path, proposal)
        ws = open_workspace(tmp_path)
    (case,) = json.loads((tmp_path / EVALS).read_text())["evals"]
    assert case == {
        "id": 7,
        "eval_name": "one",
        "prompt": "Do it",
        "expectations": ["Names the cell"],
    }


@pytest.mark.parametrize(
    "fields",
    [
        {"expectations": ["names the cell."]},
        {"assertions": [{"id": "A1", "text": "Names the cell"}]},
        {"checklist": ["Opens"], "assertions": [{"text": "Names the cell"}]},
    ],
)
def test_a_criterion_that_the_case_has_is_not_added(tmp_path: Path, fields: object) -> None:
    """Whatever list it stands in, as a text or as an object."""
    said(opened(tmp_path), "Names the cell")
    evals = json.loads((tmp_path / EVALS).read_text())
    evals["evals"][0] |= fields
    (tmp_path / EVALS).write_text(json.dumps(evals))
    states = {each.path: each.state for each in proposals(open_workspace(tmp_path), None, None)}
    assert states[EVALS] == "same"


def test_a_rejected_criterion_is_left_out(tmp_path: Path) -> None:
    """Somebody else decided so on Rubric."""
    ws = opened(tmp_path)
    said(ws, "Names the cell")
    said(ws, "Names the cell", "rejected")
    assert [each.path for each in proposals(open_workspace(tmp_path), None, None)] == []
