"""Benchmarks in words: the table of a suite, its links, and the form of new runs that they open."""

from pathlib import Path

from evalcore.engine.planning import Request
from evalcore.trends.benchmarks import followed_benchmarks
from evalcore.views.blocks.page import Links, Say, Table
from evalcore.views.runs.again import again
from evalcore.views.runs.form import offered, plan_of
from evalcore.views.trends.benchmarks import benchmark_table
from evalcore.workspace.opened import Workspace
from tests.judging.copies import SUPPORT, copied
from tests.memory.benchmarked import SUITE, benchmark, ran, written
from tests.memory.remembered import again as opened_again


def table(ws: Workspace, suite: str) -> list[list[str]]:
    """Return the cells of the table of benchmarks, each with what stands below it."""
    (found,) = (
        each for each in benchmark_table(followed_benchmarks(ws, suite)) if isinstance(each, Table)
    )
    return [[f"{cell.text} {cell.sub}".strip() for cell in row.cells] for row in found.rows]


def test_a_benchmark_has_its_owner_threshold_last_run_and_direction(tmp_path: Path) -> None:
    """As documents of a store have it."""
    ws = copied(tmp_path, SUPPORT)
    assert table(ws, SUPPORT)[0] == [
        "Reply quality, weekly reply quality",
        "5",
        "human:support-lead",
        "9 Mar 2026, 06:30 UTC support-reply@2.0.0",
        "0.91",
        "100 %",
        "75 %",
        "Improving over 5 runs",
    ]


def test_a_drop_and_a_rate_below_the_threshold_are_said(tmp_path: Path) -> None:
    """Beside the direction, with both figures; one that never ran says so."""
    ws = written(tmp_path, "pppp", "ppff")
    benchmark(ws)
    assert table(opened_again(ws), SUITE)[0][3:6] == ["not run"] * 3
    assert table(opened_again(ws), SUITE)[0][7:] == ["Too early (0 runs)"]
    ran(ws, "v0")
    ran(ws, "v1")
    (row,) = table(opened_again(ws), SUITE)
    assert row[5] == "50 % below the threshold"
    assert row[7] == "Too early (2 runs) fell by 50 points"


def test_without_a_benchmark_it_is_said(tmp_path: Path) -> None:
    """The forms below create one."""
    blocks = benchmark_table(followed_benchmarks(written(tmp_path, "p"), SUITE))
    assert [block.text for block in blocks if isinstance(block, Say)] == [
        "This suite has no benchmark yet."
    ]


def test_its_link_opens_the_form_of_a_new_run_with_its_cases(tmp_path: Path) -> None:
    """The plan is a run of the benchmark, and so is one with the same settings again."""
    ws = written(tmp_path, "pppp")
    found = benchmark(ws)
    ws = opened_again(ws)
    (links,) = (
        each for each in benchmark_table(followed_benchmarks(ws, SUITE)) if isinstance(each, Links)
    )
    way = links.items[0].link.query["cases"]
    offers = offered(ws, SUITE)
    assert way in offers.cases
    assert offers.benchmarks == {found.id: "Weekly"}
    demo = offers.executors["demo"]
    filled = Request(executor=demo, cases=(str(way),), versions=("v0",), runs=1)
    plan = plan_of(ws, SUITE, filled, "ana-3f2a")
    assert plan.benchmark is not None
    assert (plan.benchmark.id, plan.benchmark.triggered_by) == (found.id, "ana-3f2a")
    assert set(plan.cases) == set(found.cases)
    assert again(plan)["cases"] == way
