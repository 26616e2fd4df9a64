"""Criterion by version: a case counts once, however often it ran."""

import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import evalcore.demo
from evalcore.counting.rates import SET_ASIDE
from evalcore.errors import UnknownName
from evalcore.rubrics.cells import change, criterion_cells
from evalcore.workspace.opened import open_workspace
from tests import made
from tests.recomputed import Figures, improve, iterations, rubric
from tests.rubrics.rated import judged, rated

DEMO = Path(evalcore.demo.__file__).parent / "workspace"


def test_a_cell_is_the_mean_of_case_means(tmp_path: Path) -> None:
    """Three runs of one case weigh as much as one of another: (4 + 1) / 2 of 5."""
    cells = criterion_cells(rated(tmp_path, {"v0": {"a": [3, 4, 5], "b": [1]}}), made.SUITE)
    assert cells.mean[0, 0] == pytest.approx(2.5 / 5)
    assert (cells.cases[0, 0], cells.judged[0, 0]) == (2, 4)
    assert (cells.least[0], cells.top[0]) == (1, 5)


def test_where_nothing_was_judged_there_is_no_number(tmp_path: Path) -> None:
    """Not 0, and no case."""
    ws = rated(
        tmp_path, {"v0": {"a": [3]}, "v1": {"a": [4]}}, judged("v1-a-0", "new", 2), label="tone"
    )
    cells = criterion_cells(ws, made.SUITE)
    at = [criterion.name for criterion in cells.criteria].index("new")
    assert np.isnan(cells.mean[at, 0])
    assert (cells.cases[at, 0], cells.judged[at, 0]) == (0, 0)
    assert cells.mean[at, 1] == pytest.approx(0.4)


def test_runs_outside_the_rates_do_not_count(tmp_path: Path) -> None:
    """Neither one that broke off, nor one of a draft case."""
    ws = rated(
        tmp_path,
        {"v0": {"a": [5], "draft": [1]}},
        made.case(case_id="draft", status=SET_ASIDE[0]),
        made.run(run_id="broken", case_id="b", status="error"),
        judged("broken", "tone", 1),
    )
    cells = criterion_cells(ws, made.SUITE)
    assert (cells.mean[0, 0], cells.judged[0, 0]) == (1.0, 1)


def test_criteria_of_two_scales_have_no_scale(tmp_path: Path) -> None:
    """Of 5 in one case and of 10 in another: only shares are compared."""
    ws = rated(tmp_path, {"v0": {"a": [5], "b": [5]}}, judged("v0-a-0", "tone", 10, 1, 10))
    assert np.isnan(criterion_cells(ws, made.SUITE).top[0])


def test_a_change_is_over_the_cases_of_both(tmp_path: Path) -> None:
    """What only one version was asked says nothing about a change."""
    ws = rated(tmp_path, {"v0": {"a": [2], "b": [5]}, "v1": {"a": [4], "c": [1]}})
    cells = criterion_cells(ws, made.SUITE)
    found = change(cells, 0, 0, 1)
    assert found is not None
    assert found.difference == pytest.approx(0.4)
    assert found.cases == 1
    apart = criterion_cells(rated(tmp_path, {"v0": {"a": [2]}, "v1": {"b": [4]}}), made.SUITE)
    assert change(apart, 0, 0, 1) is None


def test_a_suite_without_judgments_has_no_criteria(tmp_path: Path) -> None:
    """No run, or none with a score; an unknown suite is a fault of the caller."""
    assert criterion_cells(rated(tmp_path, {}), made.SUITE).criteria == ()
    bare = made.workspace(tmp_path, made.suite(), made.version("v0", 0), made.run())
    assert criterion_cells(bare, made.SUITE).mean.shape == (0, 1)
    with pytest.raises(UnknownName):
        criterion_cells(bare, "other")


SCORES = st.lists(st.integers(1, 5), min_size=1, max_size=3)


@given(
    st.dictionaries(
        st.sampled_from(["v0", "v1@with_skill", "v1@without_skill"]),
        st.dictionaries(st.sampled_from(["a", "b", "c"]), SCORES, min_size=1),
        min_size=1,
    )
)
def test_every_cell_is_what_a_loop_computes(scores: dict[str, dict[str, list[int]]]) -> None:
    """For any number of versions, cases and runs."""
    given_ = {
        column: {case: list(map(float, runs)) for case, runs in cases.items()}
        for column, cases in scores.items()
    }
    cells = criterion_cells(rated(Path(), given_), made.SUITE)
    for place, column in enumerate(cells.columns):
        key = column.version + ("" if column.configuration == "-" else f"@{column.configuration}")
        means = [np.mean(runs) / 5 for runs in scores[key].values()]
        assert cells.mean[0, place] == pytest.approx(np.mean(means))
        assert cells.judged[0, place] == sum(map(len, scores[key].values()))
        assert sorted(cells.values_of(0, place)[1].tolist()) == pytest.approx(sorted(means))


@pytest.mark.parametrize(
    ("suite", "figures"),
    [
        ("release-notes", improve(DEMO, "release-notes")),
        ("commit-helper", iterations(DEMO / "commit-helper-workspace")),
        ("invoice-extractor", rubric(DEMO, "invoice-extractor")),
    ],
)
def test_the_demo_has_the_numbers_of_its_files(suite: str, figures: dict[str, Figures]) -> None:
    """As a script that reads the JSON alone recomputes them."""
    cells = criterion_cells(open_workspace(DEMO, cache=False), suite)
    seen = 0
    for at, criterion in enumerate(cells.criteria):
        for place, column in enumerate(cells.columns):
            expected = figures["criteria"].get((*column, criterion.name))
            if expected is not None and criterion.kind != "structural":
                assert cells.mean[at, place] * cells.top[at] == pytest.approx(expected)
                seen += 1
    assert seen == len(figures["criteria"])


def test_nothing_of_evalcore_recomputes_the_figures() -> None:
    """The yardstick knows nothing of what it measures."""
    yardstick = sys.modules[improve.__module__]
    assert not [name for name in vars(yardstick) if "evalcore" in str(vars(yardstick)[name])[:60]]
