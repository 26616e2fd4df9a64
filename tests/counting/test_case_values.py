"""What each case of a column is worth, as the intervals of rates take it."""

from pathlib import Path

import numpy as np
import pytest

from evalcore import open_workspace
from evalcore.counting.case_values import case_values
from evalcore.counting.outcomes import Column
from evalcore.counting.rates import SHARE, rates
from evalcore.errors import UnknownName
from tests import made

SEEDS = Path(__file__).parents[1] / "data" / "seeds"


def test_a_case_is_the_mean_over_its_runs(tmp_path: Path) -> None:
    """A case without a run that counts has no value, so it is not 0."""
    ws = made.workspace(
        tmp_path,
        made.suite()._replace(headline=SHARE),
        made.version("v0", 0),
        made.run(run_id="a1", run="1", passed=True),
        made.run(run_id="a2", run="2", passed=False),
        made.run(run_id="b1", case_id="case-2", passed=True),
        made.run(run_id="c1", case_id="case-3", status="error"),
    )
    assert sorted(case_values(ws, made.SUITE)[Column("v0", "-")]) == [0.5, 1.0]


def test_their_mean_is_the_rate() -> None:
    """In every column of every family's example, of as many cases."""
    ws = open_workspace(SEEDS, cache=False)
    for suite, columns in rates(ws).items():
        for column, rate in columns.items():
            values = case_values(ws, suite).get(column, np.empty(0))
            assert len(values) == rate.cases
            assert rate.value is None or values.mean() == pytest.approx(rate.value)


def test_an_unknown_suite_is_named(tmp_path: Path) -> None:
    """The caller's mistake is an exception."""
    with pytest.raises(UnknownName):
        case_values(made.workspace(tmp_path, made.suite()), "nowhere")
