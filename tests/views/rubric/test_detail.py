"""One criterion: the judgments behind a cell, with what was said of each."""

from pathlib import Path

import pytest

from evalcore.views.blocks.page import Table
from evalcore.views.rubric.detail import detail_blocks
from evalcore.views.rubric.state import RubricView
from tests import made


@pytest.mark.parametrize(
    ("rationale", "evidence", "shown"),
    [
        ("Too stiff.", "“Dear Sir”", "Too stiff."),
        (None, "“Dear Sir”", "“Dear Sir”"),
        (" \n", "“Dear Sir”", "“Dear Sir”"),
        (" \n", None, "no rationale recorded"),
        (None, None, "no rationale recorded"),
    ],
)
def test_a_judgment_is_shown_with_its_rationale_or_else_its_evidence(
    tmp_path: Path, rationale: str | None, evidence: str | None, shown: str
) -> None:
    """A rationale of white space says nothing."""
    given = made.judgment("tone", True, run_id="r1", rationale=rationale, evidence=evidence)
    ws = made.workspace(
        tmp_path, made.suite(), made.version("v0", 0), made.case(), made.run(run_id="r1"), given
    )
    view = RubricView(criterion="expectation:tone")
    blocks = detail_blocks(ws, made.SUITE, None, view)
    (table,) = [each for each in blocks if isinstance(each, Table) and each.label == "1 judgment"]
    assert [row.cells[2].text for row in table.rows] == [shown]
