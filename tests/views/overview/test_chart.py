"""What the headline chart draws is chosen and worded before any figure is made."""

from pathlib import Path

import pytest

from evalcore import Workspace
from evalcore.tables.rows import Row
from evalcore.trends.metrics import HEADLINE
from evalcore.views.blocks.page import Links
from evalcore.views.charts.model import LineChart
from evalcore.views.overview.top import chart_head, headline_drawn
from evalcore.views.series.chart import MAX_DRAWN, MAX_SERIES, with_gaps
from tests import made


def chart(ws: Workspace) -> LineChart | None:
    """Return the chart of the only suite."""
    found = headline_drawn(ws, made.SUITE)
    return None if found is None else with_gaps(ws, made.SUITE, HEADLINE, found.chart)


def opened(root: Path, *columns: tuple[str, str]) -> Workspace:
    """Return a suite with one run of value 0.5 in each (version, configuration)."""
    names = list(dict.fromkeys(version for version, _ in columns))
    rows: list[Row] = [made.version(name, place) for place, name in enumerate(names)]
    rows += [
        made.run(run_id=f"r{n}", version=version, configuration=configuration, fraction=0.5)
        for n, (version, configuration) in enumerate(columns)
    ]
    return made.workspace(root, made.suite(), *rows)


def test_one_point_is_no_chart(tmp_path: Path) -> None:
    """There is nothing to compare it with."""
    assert chart(opened(tmp_path, ("v0", "-"))) is None


def test_a_line_a_configuration(tmp_path: Path) -> None:
    """The baseline is the first, and each point knows what it opens."""
    found = chart(
        opened(tmp_path, *((v, c) for v in ("v0", "v1") for c in ("with_skill", "without_skill")))
    )
    assert found is not None
    assert [series.name for series in found.series] == ["without_skill", "with_skill"]
    assert found.series[1].points[1].key == ("v1", "with_skill")
    assert found.series[0].points[0].hover == "v0@without_skill: 50 % over 1 case, 1 run"
    assert found.series[0].points[0].low is None


def test_versions_of_another_prompt_are_another_line(tmp_path: Path) -> None:
    """The next version of one prompt is not the next version of the other."""
    found = chart(opened(tmp_path, ("reply@1", "-"), ("route@1", "-"), ("reply@2", "-")))
    assert found is not None
    assert [(series.name, len(series.points)) for series in found.series] == [
        ("reply", 2),
        ("route", 1),
    ]
    assert "one line a prompt" in found.sentence
    assert found.labels == ("1", "1", "2")


def test_runs_of_no_known_version_are_not_a_point_in_time(tmp_path: Path) -> None:
    """They stand in the table, not on the line."""
    found = chart(opened(tmp_path, ("d1", "-"), ("d2", "-"), ("unassigned", "-")))
    assert found is not None
    assert found.labels == ("d1", "d2")


def test_more_than_seven_lines_are_said_instead_of_drawn(tmp_path: Path) -> None:
    """The sentence names how many are missing."""
    found = chart(opened(tmp_path, *(("v0", f"side-{n}") for n in range(MAX_SERIES + 2))))
    assert found is not None
    assert len(found.series) == MAX_SERIES
    assert found.sentence.endswith("Not drawn: 2 other lines.")


def test_a_version_without_scores_leaves_no_point(tmp_path: Path) -> None:
    """Missing is not 0."""
    ws = made.workspace(
        tmp_path,
        made.suite(),
        *(made.version(f"v{n}", n) for n in range(3)),
        made.run(run_id="r0", version="v0", fraction=1.0),
        made.run(run_id="r1", version="v1"),
        made.run(run_id="r2", version="v2", fraction=0.5),
    )
    found = chart(ws)
    assert found is not None
    assert found.labels == ("v0", "v2")


def test_points_have_the_interval_of_their_cases(tmp_path: Path) -> None:
    """Wilson's for 1 of 2 cases, in words where the pointer rests."""
    ws = made.workspace(
        tmp_path,
        made.suite(),
        *(made.version(f"v{n}", n) for n in range(2)),
        *(
            made.run(
                run_id=f"{v}-{case}", version=f"v{v}", case_id=f"c{case}", fraction=float(case)
            )
            for v in range(2)
            for case in range(2)
        ),
    )
    found = chart(ws)
    assert found is not None
    point = found.series[0].points[0]
    assert point.low == pytest.approx(0.0945, abs=1e-4)
    assert point.high == pytest.approx(0.9055, abs=1e-4)
    assert point.hover.endswith("2 runs, likely between 9 and 91 %")
    assert "likely range (95 % over cases)" in found.sentence


def test_versions_that_cannot_be_compared_are_not_joined(tmp_path: Path) -> None:
    """They have no case in common: the later point says so, and so does a sentence."""
    ws = made.workspace(
        tmp_path,
        made.suite(),
        *(made.version(f"v{n}", n) for n in range(3)),
        *(
            made.run(
                run_id=f"r{n}", version=f"v{n}", case_id="new" if n == 2 else "old", fraction=1.0
            )
            for n in range(3)
        ),
    )
    found = chart(ws)
    assert found is not None
    assert [bool(point.broken) for point in found.series[0].points] == [False, False, True]
    assert found.gaps == "Gap before v2: no case was run on both sides."


def test_gaps_are_told_by_reason_each_place_once(tmp_path: Path) -> None:
    """The most frequent reason first, the newest places first; two lines that break are one gap."""
    cases = ["old", "new", "newer", "newer"]
    ws = made.workspace(
        tmp_path,
        made.suite(),
        *(made.version(f"v{n}", n) for n in range(4)),
        *(
            made.run(
                run_id=f"r{n}{side}",
                version=f"v{n}",
                configuration=side,
                case_id=case,
                fraction=1.0,
                model="large" if n == 3 else "small",
            )
            for n, case in enumerate(cases)
            for side in ("with", "without")
        ),
    )
    found = chart(ws)
    assert found is not None
    assert [gap.at for gap in found.breaks] == [1, 2, 3]
    first, second = found.gaps.split(" Gap before ")
    assert first == "Gap before v2, v1: no case was run on both sides."
    assert second.startswith("v3: ")


@pytest.mark.parametrize("cases", [("old",), ("old", "other")])
def test_versions_with_another_model_are_compared_but_not_joined(
    tmp_path: Path, cases: tuple[str, ...]
) -> None:
    """In every case: a line would say that all of its points are alike. In some cases it is one."""
    ws = made.workspace(
        tmp_path,
        made.suite(),
        *(made.version(f"v{n}", n) for n in range(2)),
        *(
            made.run(
                run_id=f"{case}{n}",
                version=f"v{n}",
                case_id=case,
                fraction=1.0,
                model="small" if n == 0 or case == "other" else "large",
            )
            for n in range(2)
            for case in cases
        ),
    )
    found = chart(ws)
    assert found is not None
    assert [bool(point.broken) for point in found.series[0].points] == [False, len(cases) == 1]


def test_a_whole_line_has_no_gap_to_explain(tmp_path: Path) -> None:
    """Nothing is said about gaps."""
    found = chart(opened(tmp_path, ("v0", "-"), ("v1", "-")))
    assert found is not None
    assert found.gaps == ""


def test_what_is_not_drawn_is_in_trends(tmp_path: Path) -> None:
    """A link leads there from a chart that leaves out versions; a whole one needs none."""
    columns = [(f"v{n:02}", "-") for n in range(MAX_DRAWN + 1)]
    for some, n in ((columns, 1), (columns[1:], 0)):
        drawn = headline_drawn(opened(tmp_path, *some), made.SUITE)
        assert drawn is not None
        links = [each for each in chart_head("rate", drawn, drawn.chart) if isinstance(each, Links)]
        assert len(links) == n
