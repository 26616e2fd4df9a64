"""The criteria of one version as a table."""

from pathlib import Path

import pytest

from evalcore.counting.outcomes import outcomes
from evalcore.rubrics.spread import spreads
from evalcore.tables.aggregated import BenchmarkRow
from evalcore.views.blocks.page import Table
from evalcore.views.rubric.criteria import criteria_blocks, stored_blocks
from evalcore.views.rubric.state import RubricView
from tests import made
from tests.rubrics.rated import rated


@pytest.mark.parametrize(
    ("cases", "spread"),
    [
        ({"a": [3, 5]}, ("≈ 1.41", "")),
        ({"a": [3, 5], "b": [2, 2]}, ("≈ 1.41", "± 0.71 within")),
        ({"a": [4], "b": [4]}, ("0.00", "")),
    ],
    ids=["one case", "two cases", "two cases that ran once"],
)
def test_the_spread_within_cases_stands_beside_that_over_several(
    tmp_path: Path, cases: dict[str, list[float]], spread: tuple[str, str]
) -> None:
    """Of a single case it is the same number, and of single runs there is none."""
    ws = rated(tmp_path, {"v0": cases})
    column = outcomes(ws, made.SUITE).columns[0]
    found = criteria_blocks(ws, made.SUITE, spreads(ws, made.SUITE, 0), column, RubricView())
    (table,) = (each for each in found if isinstance(each, Table))
    cell = table.rows[0].cells[3]
    assert (cell.text, cell.sub) == spread


@pytest.mark.parametrize(
    ("stated", "told"),
    [(0.5, ("0.5", "")), (0.9, ("0.9", "ours 0.5"))],
    ids=["the same", "another one"],
)
def test_stored_figures_have_ours_beside_them_where_they_differ(
    tmp_path: Path, stated: float, told: tuple[str, str]
) -> None:
    """Columns that the document does not fill are left out."""
    of = {"suite": made.SUITE, "version": "v0", "configuration": "-", "metric": "pass_rate"}
    rows = (
        made.row(BenchmarkRow, **of, origin=origin, mean=mean)
        for origin, mean in (("stored", stated), ("computed", 0.5))
    )
    ran = made.run(run_id="r0", case_id="a")
    ws = made.workspace(tmp_path, made.suite(), made.version("v0", 0), ran, *rows)
    column = outcomes(ws, made.SUITE).columns[0]
    (table,) = (each for each in stored_blocks(ws, made.SUITE, column) if isinstance(each, Table))
    assert [text for text, _ in table.head] == ["Aggregate", "mean"]
    assert [(cell.text, cell.sub) for cell in table.rows[0].cells] == [("pass_rate", ""), told]
