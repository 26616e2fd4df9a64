"""Directions and alerts of lines: over comparable points only, and certain only where tested."""

from pathlib import Path

import pytest

from evalcore.tables.rows import RelationRow, Row
from evalcore.trends.alerts import alerts, certainty
from evalcore.trends.benchmarks import StoredPoint, stored_trends
from evalcore.trends.directions import directions
from evalcore.trends.lines import Over, lines
from evalcore.trends.metrics import HEADLINE, Metric
from evalcore.views.trends.point import point_runs
from evalcore.workspace.opened import Workspace
from tests import made
from tests.trends.followed import benchmark_run, followed, trend_point

RISING = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6]


def words(ws: Workspace, metric: Metric = HEADLINE) -> list[tuple[str, int, bool]]:
    """Return the direction of each line, over how many points, and whether a break cut it."""
    found = directions(ws, made.SUITE, metric, "versions")
    return [(each.trend.direction, each.trend.points, each.cut) for each in found]


def fell(ws: Workspace, over: Over = "versions") -> list[tuple[str, str, str | None, bool]]:
    """Return the alerts: from where to where, how grave, and whether it is the newest point."""
    return [
        (each.before.place.key, each.after.place.key, each.drop.level, each.current)
        for each in alerts(ws, made.SUITE, HEADLINE, over)
    ]


def test_a_line_has_the_direction_of_its_last_five_points(tmp_path: Path) -> None:
    """Points without a value are no points."""
    assert words(followed(tmp_path, RISING)) == [("improving", 5, False)]
    assert words(followed(tmp_path, [0.1, None, 0.2])) == [("too early", 2, False)]


def test_a_break_ends_what_has_a_direction(tmp_path: Path) -> None:
    """Another model did all of the last two versions: they are too few to say."""
    ws = made.workspace(
        tmp_path,
        made.suite(),
        *(made.version(f"v{at}", at) for at in range(6)),
        *(
            made.run(
                run_id=f"r{at}",
                version=f"v{at}",
                fraction=value,
                model="big" if at > 3 else "small",
            )
            for at, value in enumerate(RISING)
        ),
    )
    assert words(ws) == [("too early", 2, True)]


def test_three_degrading_directions_in_a_row_escalate(tmp_path: Path) -> None:
    """Seven points; growing time never does."""
    falling = [0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3]
    ws = followed(tmp_path, falling)
    assert directions(ws, made.SUITE, HEADLINE, "versions")[0].escalated
    ws = followed(tmp_path, falling[1:])
    assert not directions(ws, made.SUITE, HEADLINE, "versions")[0].escalated


def test_alerts_are_newest_first(tmp_path: Path) -> None:
    """Exactly ten points is no critical drop, but more than a tenth of 0.8."""
    ws = followed(tmp_path, [1.0, 0.5, 0.8, 0.7])
    assert fell(ws) == [("v2", "v3", "watch", True), ("v0", "v1", "critical", False)]


def test_time_and_tokens_have_no_alert(tmp_path: Path) -> None:
    """However much they change."""
    ws = followed(tmp_path, [1.0, 1.0], made.run(run_id="x", case_id="b", tokens=9), tokens=5)
    assert alerts(ws, made.SUITE, Metric("tokens"), "versions") == ()


def test_what_cannot_be_compared_is_no_alert(tmp_path: Path) -> None:
    """Both versions ran other cases."""
    ws = made.workspace(
        tmp_path,
        made.suite(),
        made.version("v0", 0),
        made.version("v1", 1),
        made.run(run_id="a", version="v0", case_id="old", fraction=1.0),
        made.run(run_id="b", version="v1", case_id="new", fraction=0.0),
    )
    assert fell(ws) == []


def test_another_set_of_cases_breaks_a_line(tmp_path: Path) -> None:
    """A harder case was added: the mean fell without any change, so that is no alert."""
    ws = followed(tmp_path, [1.0, 1.0], made.run(run_id="x", version="v1", case_id="b", fraction=0))
    assert fell(ws) == []
    assert words(ws) == [("too early", 1, True)]


def test_a_criterion_breaks_where_its_own_meaning_changed(tmp_path: Path) -> None:
    """Not where another one did: 3 became 5 items."""
    ws = followed(
        tmp_path,
        [1.0, 1.0],
        *(made.judgment("Has a title", run_id=f"r{at}") for at in range(2)),
        made.judgment("Lists 3 items", run_id="r0"),
        made.judgment("Lists 5 items", run_id="r1"),
    )
    assert words(ws)[0][1:] == (1, True)
    assert words(ws, Metric("criterion", "expectation", "Has a title"))[0][1:] == (2, False)


def test_an_alert_is_clear_only_if_the_comparison_confirms_it(tmp_path: Path) -> None:
    """One case that fell may be noise, twelve are clear."""
    rows: list[Row] = [made.version("v0", 0), made.version("v1", 1)]
    for at, version in enumerate(("v0", "v1")):
        rows += [
            made.run(run_id=f"{version}{n}", version=version, case_id=f"c{n}", fraction=1.0 - at)
            for n in range(12)
        ]
    ws = made.workspace(tmp_path, made.suite("iterations"), *rows)
    (alert,) = alerts(ws, made.SUITE, HEADLINE, "versions")
    assert certainty(ws, made.SUITE, HEADLINE, alert, "recorded") == "clear"
    ws = followed(tmp_path, [1.0, 0.5])
    (alert,) = alerts(ws, made.SUITE, HEADLINE, "versions")
    assert certainty(ws, made.SUITE, HEADLINE, alert, "recorded") == "could be noise"


def benchmarked(root: Path, first: list[Row], second: list[Row], *rows: Row) -> Workspace:
    """Return two benchmark runs of one version."""
    return made.workspace(
        root,
        made.suite("iterations"),
        made.version("v0", 0),
        benchmark_run("one", 1),
        benchmark_run("two", 2),
        *first,
        *second,
        *rows,
    )


def of_cases(name: str, cases: int, fraction: float | None, **given: object) -> list[Row]:
    """Return the runs of a benchmark run, one a case."""
    return [
        made.run(
            run_id=f"{name}{n}",
            case_id=f"c{n}",
            benchmark_run=name,
            run=name,
            fraction=fraction,
            **given,
        )
        for n in range(cases)
    ]


def test_benchmark_runs_of_one_version_are_compared_by_their_own_runs(tmp_path: Path) -> None:
    """Twelve cases that fell are clear, one may be noise; without test runs nothing is tested."""
    for cases, sure in ((12, "clear"), (1, "could be noise")):
        ws = benchmarked(tmp_path, of_cases("one", cases, 1.0), of_cases("two", cases, 0.0))
        (alert,) = alerts(ws, made.SUITE, HEADLINE, "benchmark-runs")
        assert certainty(ws, made.SUITE, HEADLINE, alert, "recorded") == sure
    ws = followed(
        tmp_path,
        [],
        benchmark_run("one", 1, overall_score=0.9),
        benchmark_run("two", 2, overall_score=0.5),
    )
    (alert,) = alerts(ws, made.SUITE, HEADLINE, "benchmark-runs")
    assert certainty(ws, made.SUITE, HEADLINE, alert, "recorded") == "not tested"


@pytest.mark.parametrize("other", ["cases", "judge", "model", "criteria"])
def test_a_line_breaks_between_benchmark_runs_of_one_version(tmp_path: Path, other: str) -> None:
    """Other cases, another judge, another model, another rubric: no drop is told across them."""
    first, second = of_cases("one", 2, 1.0), of_cases("two", 3 if other == "cases" else 2, 0.0)
    if other in {"judge", "model"}:
        first, second = (
            of_cases(name, 2, value, **{other: f"{other} {name}"})
            for name, value in (("one", 1.0), ("two", 0.0))
        )
    judged = [
        made.judgment(f"Has {5 if other == 'criteria' and name == 'two' else 3}", run_id=f"{name}0")
        for name in ("one", "two")
    ]
    assert fell(benchmarked(tmp_path, first, second, *judged), "benchmark-runs") == []


def test_a_run_that_is_in_two_benchmark_runs_counts_in_both(tmp_path: Path) -> None:
    """A relation adds the runs of the first to the second."""
    shared = made.row(
        RelationRow,
        suite=made.SUITE,
        source_type="benchmark-run",
        source_id="two",
        relation="aggregates",
        target_type="test-run",
        target_id="one0",
    )
    ws = benchmarked(tmp_path, of_cases("one", 1, 1.0), [], shared)
    (line,) = lines(ws, made.SUITE, HEADLINE, "benchmark-runs")
    assert [(spot.value, spot.runs) for spot in line.spots] == [(1.0, 1), (1.0, 1)]
    place = line.spots[1].place
    found = point_runs(ws, made.SUITE, HEADLINE, place)
    assert (found.run.tolist(), found.total) == ([0], 1)


def test_a_stored_direction_is_recomputed_from_its_points(tmp_path: Path) -> None:
    """In the order of their dates; a document has no word for "no clear direction"."""
    points = [trend_point(3, 0.3), trend_point(1, 0.9), trend_point(2, 0.6)]
    (found,) = stored_trends(followed(tmp_path, [], *points), made.SUITE)
    assert (found.stated, found.computed.direction) == ("improving", "degrading")
    assert found.disagrees
    points = [trend_point(at, score, "stable") for at, score in enumerate((0.1, 0.9, 0.3), 1)]
    (found,) = stored_trends(followed(tmp_path, [], *points), made.SUITE)
    assert (found.computed.direction, found.disagrees) == ("no clear direction", False)
    (found,) = stored_trends(followed(tmp_path, [], trend_point(1, 0.5)), made.SUITE)
    assert (found.computed.direction, found.disagrees) == ("too early", False)


def test_stored_points_are_beside_the_scores_of_their_runs(tmp_path: Path) -> None:
    """By benchmark and date; one without a run has none, and a scale beyond 1 is not compared."""
    ws = made.workspace(
        tmp_path,
        made.row(
            type(made.suite()), suite=made.SUITE, family="records", headline="share of runs passed"
        ),
        made.version("v0", 0),
        made.run(
            run_id="a", benchmark_run="one", score=3.0, max_score=5.0, fraction=0.6, passed=True
        ),
        benchmark_run("one", 1),
        trend_point(1, 0.7)._replace(benchmark="weekly"),
        trend_point(2, 0.8)._replace(benchmark="weekly"),
    )
    (found,) = stored_trends(ws, made.SUITE)
    assert [(each.stated, each.computed, each.disagrees) for each in found.points] == [
        (0.7, 0.6, True),
        (0.8, None, False),
    ]
    assert StoredPoint(None, 0.72, 0.6).disagrees
