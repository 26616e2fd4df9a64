"""The criteria of one version as a table."""

from pathlib import Path

import pytest

from evalcore.counting.outcomes import outcomes
from evalcore.rubrics.spread import spreads
from evalcore.tables.aggregated import BenchmarkRow
from evalcore.views.blocks.page import Table
from evalcore.views.rubric.criteria import criteria_blocks, stored_blocks, top_blocks
from evalcore.views.rubric.state import RubricView
from evalcore.views.rubric.words import difference
from tests import made
from tests.rubrics.rated import judged, rated


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
    ("scores", "said"),
    [
        ({"c": 5}, "v0: the highest score in its only criterion."),
        ({"c": 4}, "v0: “c” is the only criterion, 4.00 of 5 over 1 case."),
        (
            {"c": 4, "d": 5},
            (
                "v0: “c” is the weakest of 2 criteria, 4.00 of 5 over 1 case. "
                "1 of them loses points; the other has the highest score in every run."
            ),
        ),
        (
            {"c": 3, "d": 4},
            "v0: “c” is the weakest of 2 criteria, 3.00 of 5 over 1 case. All of them lose points.",
        ),
    ],
    ids=["one, full", "one, not full", "one of two", "two of two"],
)
def test_the_sentence_counts_one_as_one(
    tmp_path: Path, scores: dict[str, float], said: str
) -> None:
    """No weakest of one, and no "all" of it."""
    rows = [judged("r0", name, score) for name, score in scores.items()]
    ran = made.run(run_id="r0", case_id="a")
    ws = made.workspace(tmp_path, made.suite(), made.version("v0", 0), ran, *rows)
    column = outcomes(ws, made.SUITE).columns[0]
    (found,) = top_blocks(ws, made.SUITE, spreads(ws, made.SUITE, 0), column, "recorded")
    assert " ".join(filter(None, (found.text, found.rest))) == said


@pytest.mark.parametrize(
    ("value", "said"),
    [(0.01, "+1 point"), (-0.12, "−12 points"), (0.001, "+0.1 points"), (0.0, "±0 points")],
)
def test_a_change_of_a_share_is_said_in_points(value: float, said: str) -> None:
    """One of them is one point, and what is not 0 is never shown as 0."""
    assert difference(value, None) == said


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
