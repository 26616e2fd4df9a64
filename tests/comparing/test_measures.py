"""What a run costs: only what somebody measured, over the cases that both sides measured."""

from pathlib import Path

import pytest

from evalcore.comparing.measures import measures
from evalcore.comparing.pairing import paired
from evalcore.comparing.values import runs_of, values_of
from tests import made
from tests.comparing.sided import run_id, sides


@pytest.mark.parametrize("odd", [0.0, -5.0, 1e308])
def test_what_is_no_measurement_is_left_out(tmp_path: Path, odd: float) -> None:
    """Nothing, less than nothing, and more than could be added up are not measured."""
    ws = made.workspace(
        tmp_path,
        made.suite()._replace(headline="share of runs passed"),
        made.version("v0", 0),
        made.version("v1", 1),
        *(
            made.run(
                run_id=run_id(case, version),
                case_id=case,
                version=version,
                passed=True,
                duration_s=odd if case == "odd" and version == "v0" else 4.0,
                cost_usd=odd,
            )
            for case in ("odd", "x", "y")
            for version in ("v0", "v1")
        ),
    )
    a, b = sides(ws)
    of_a, of_b = (
        values_of(
            ws,
            side.suite,
            side.column,
            "recorded",
            runs_of(ws, side.suite, side.column, "recorded"),
        )
        for side in (a, b)
    )
    time, _, cost = measures(a, b, paired(of_a, of_b, {}).pairs)
    assert (time.a, time.b, time.cases) == (4.0, 4.0, 2)
    assert (cost.a, cost.cases) == (None, 0)
