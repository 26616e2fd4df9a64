"""Metrics and their lines: which there are, what each point is the mean of, and in which order."""

from pathlib import Path

import pytest

from evalcore.errors import UnknownName
from evalcore.trends.lines import Line, Over, benchmark_runs, lines
from evalcore.trends.metrics import HEADLINE, Metric, metric_named, metrics
from evalcore.workspace.opened import Workspace
from tests import made
from tests.trends.followed import benchmark_run, followed


def of(ws: Workspace, metric: Metric = HEADLINE, over: Over = "versions") -> tuple[Line, ...]:
    """Return the lines of the only suite."""
    return lines(ws, made.SUITE, metric, over)


def values(line: Line) -> list[float | None]:
    """Return the values of a line."""
    return [spot.value for spot in line.spots]


def test_the_headline_of_versions_with_a_missing_one(tmp_path: Path) -> None:
    """What is not scored is None, not 0."""
    (line,) = of(followed(tmp_path, [0.5, None, 1.0]))
    assert values(line) == [0.5, None, 1.0]
    assert [spot.place.key for spot in line.known] == ["v0", "v2"]
    assert [spot.interval for spot in line.spots] == [None, None, None]


def test_a_suite_without_runs_has_no_line(tmp_path: Path) -> None:
    """Nor has one of which nothing was measured."""
    assert of(made.workspace(tmp_path, made.suite())) == ()
    assert of(followed(tmp_path, [None, None])) == ()


def test_each_configuration_has_a_line(tmp_path: Path) -> None:
    """In the order of the columns."""
    runs = [
        made.run(run_id=f"x{at}", version=f"v{at}", configuration="with_skill", fraction=1.0)
        for at in range(2)
    ]
    ws = followed(tmp_path, [0.0, 0.5], *runs, configuration="without_skill")
    assert [line.name for line in of(ws)] == ["without_skill", "with_skill"]
    assert [values(line) for line in of(ws)] == [[0.0, 0.5], [1.0, 1.0]]


def test_a_point_is_the_mean_over_cases_of_their_runs(tmp_path: Path) -> None:
    """Two runs of one case count as one; draft cases and unfinished runs do not count."""
    ws = followed(
        tmp_path,
        [1.0],
        made.run(run_id="again", run="2", fraction=0.0),
        made.run(run_id="other", case_id="b", fraction=1.0),
        made.run(run_id="draft", case_id="c", fraction=0.0),
        made.run(run_id="late", case_id="d", fraction=0.0, status="cancelled"),
        made.case(case_id="c", status="draft"),
    )
    (spot,) = of(ws)[0].spots
    assert (spot.value, spot.cases, spot.runs) == (0.75, 2, 3)


def test_a_criterion_is_followed_over_the_cases_judged_by_it(tmp_path: Path) -> None:
    """A version without it has no value."""
    ws = followed(
        tmp_path,
        [0.5, 0.5, 0.5],
        made.judgment("title", passed=True, run_id="r0"),
        made.judgment("title", passed=False, run_id="r2"),
        made.judgment("other", passed=True, run_id="r1"),
    )
    metric = metric_named(ws, made.SUITE, "title")
    assert metric.key == "criterion:expectation:title"
    assert values(of(ws, metric)[0]) == [1.0, None, 0.0]


def test_nothing_of_zero_was_measured(tmp_path: Path) -> None:
    """0 tokens in a file are no measurement; the interval of an amount does not go below 0."""
    ws = followed(
        tmp_path,
        [0.5, 0.5],
        made.run(run_id="a", case_id="b", version="v1", tokens=1000),
        tokens=0,
    )
    (line,) = of(ws, Metric("tokens"))
    assert values(line) == [None, 1000.0]
    ws = followed(tmp_path, [0.5], made.run(run_id="a", case_id="b", tokens=1000), tokens=10)
    interval = of(ws, Metric("tokens"))[0].spots[0].interval
    assert interval is not None
    assert interval[0] == 0.0


def test_the_metrics_of_a_suite(tmp_path: Path) -> None:
    """Only what was measured, the headline first, criteria by name, resources last."""
    ws = followed(
        tmp_path,
        [0.5],
        made.judgment("b", run_id="r0"),
        made.judgment("a", run_id="r0"),
        made.judgment("a", run_id="r0", kind="assertion"),
        tokens=5,
        gate_passed=True,
    )
    assert [metric.key for metric in metrics(ws, made.SUITE)] == [
        "headline",
        "gate",
        "criterion:assertion:a",
        "criterion:expectation:a",
        "criterion:expectation:b",
        "tokens",
    ]
    assert metric_named(ws, made.SUITE, None) == HEADLINE
    assert metric_named(ws, made.SUITE, "b").of == "expectation"
    with pytest.raises(UnknownName, match="criterion:assertion:a, criterion:expectation:a"):
        metric_named(ws, made.SUITE, "a")
    with pytest.raises(UnknownName, match=r"There is: .*headline.*tokens"):
        metric_named(ws, made.SUITE, "speed")


def test_versions_of_several_prompts_are_lines_of_their_own(tmp_path: Path) -> None:
    """They are named by the prompt."""
    versions = ("reply@1", "route@1", "reply@2")
    ws = made.workspace(
        tmp_path,
        made.suite(),
        *(made.version(name, at) for at, name in enumerate(versions)),
        *(made.run(run_id=name, version=name, fraction=1.0) for name in versions),
    )
    assert [(line.name, len(line.spots)) for line in of(ws)] == [("reply", 2), ("route", 1)]


def test_benchmark_runs_are_in_the_order_of_their_dates(tmp_path: Path) -> None:
    """Not of the file; their values are recomputed from their runs."""
    ws = followed(
        tmp_path,
        [],
        made.run(run_id="a", benchmark_run="second", fraction=0.25),
        made.run(run_id="b", benchmark_run="first", fraction=0.5),
        benchmark_run("second", 2, pass_rate=0.3),
        benchmark_run("first", 1),
    )
    (line,) = of(ws, over="benchmark-runs")
    assert [spot.place.key for spot in line.spots] == ["first", "second"]
    assert values(line) == [0.5, 0.25]


def test_two_benchmarks_of_one_name_are_two_lines(tmp_path: Path) -> None:
    """Told apart by their ids."""
    ws = followed(
        tmp_path,
        [],
        *(
            benchmark_run(name, at, benchmark=f"id-{at}", pass_rate=0.5, overall_score=0.5)
            for at, name in enumerate(("first", "second"), 1)
        ),
    )
    rows = [row._replace(name="Weekly") for row in benchmark_runs(ws, made.SUITE)]
    ws = followed(tmp_path, [], *rows)
    names = [line.name for line in of(ws, over="benchmark-runs")]
    assert names == ["Weekly (id-1)", "Weekly (id-2)"]


def test_without_runs_a_benchmark_run_has_what_its_document_states(tmp_path: Path) -> None:
    """It says that it is stored, has no interval and is never shown as 0."""
    ws = made.workspace(
        tmp_path,
        made.suite("iterations")._replace(headline="pass rate"),
        benchmark_run("a", 1, pass_rate=0.3),
        benchmark_run("b", 2),
        made.version("v0", 0),
    )
    spots = of(ws, over="benchmark-runs")[0].spots
    assert [(spot.value, spot.from_document, spot.interval) for spot in spots] == [
        (0.3, True, None),
        (None, False, None),
    ]
