"""The rule of drops: which benchmark run is before which, how far it fell, what newly fails."""

import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import pytest

from evalcore.benchmarks.drops import FIRST, UNDATED, drops, newest_steps, step_of
from evalcore.benchmarks.members import row_of
from evalcore.tables.rows import BenchmarkRunRow, Row, RunRow
from evalcore.workspace.opened import Workspace
from tests import made
from tests.trends.followed import benchmark_run

SHARE = "share of runs passed"


def runs(name: str, passed: str, **given: object) -> list[RunRow]:
    """Return the runs of a benchmark run, one a case: `p` for passed, `f` for failed, ` ` none."""
    return [
        made.run(
            run_id=f"{name}-{at}",
            case_id=f"c{at}",
            benchmark_run=name,
            **{"passed": each == "p", "status": "completed", **given},
        )
        for at, each in enumerate(passed)
        if each != " "
    ]


def of(root: Path, *rows: Row) -> Workspace:
    """Return a workspace of one suite whose headline is the share of runs passed."""
    suite = made.suite()._replace(headline=SHARE)
    return made.workspace(root, suite, made.version("v0", 0), *rows)


def newest(ws: Workspace) -> list[tuple[str, str | None, Fraction | None]]:
    """Return the newest benchmark runs: their id, how grave the drop is, and in points."""
    ids = ws.tables.benchmark_runs["benchmark_run"]
    steps = newest_steps(ws, made.SUITE)
    return [(str(ids[each.row]), each.drop.level, each.drop.points) for each in steps]


@pytest.mark.parametrize(
    ("before", "now", "level"),
    [
        ("pppppppp  ", "ppppppff  ", "critical"),
        ("pppppppppp", "pppppppppf", None),
        ("ppppppppff", "pppppppfff", "watch"),
        ("pppppppppp", "ppppppppff", "critical"),
    ],
)
def test_more_than_ten_points_are_critical(
    tmp_path: Path, before: str, now: str, level: str | None
) -> None:
    """Exactly ten points are not, though floats make 0.8 - 0.7 more than 0.1."""
    ws = of(
        tmp_path, *runs("one", before), *runs("two", now), benchmark_run("one", 1),
        benchmark_run("two", 2),
    )  # fmt: skip
    assert newest(ws)[0][:2] == ("two", level)
    assert len(drops(ws, made.SUITE)) == (level == "critical")


def test_the_run_before_is_the_latest_earlier_one_of_the_same_benchmark_and_configuration(
    tmp_path: Path,
) -> None:
    """By date, not by file; of one date by id."""
    ws = of(
        tmp_path,
        *runs("b", "ppp"),
        *runs("a", "pff"),
        *runs("c", "ppp"),
        *runs("else", "fff"),
        *runs("side", "fff"),
        benchmark_run("c", 3),
        benchmark_run("b", 3),
        benchmark_run("a", 1),
        benchmark_run("else", 2, benchmark="daily"),
        benchmark_run("side", 2, configuration="with_skill"),
    )
    ids = ws.tables.benchmark_runs["benchmark_run"].astype(str)
    steps = {ids[step.row]: step for step in newest_steps(ws, made.SUITE)}
    assert set(steps) == {"c", "else", "side"}
    previous = steps["c"].previous
    assert previous is not None
    assert ids[previous] == "b"
    assert (steps["else"].previous, steps["else"].drop.why) == (None, FIRST)


def test_a_value_is_of_the_test_runs_and_without_any_what_the_document_states(
    tmp_path: Path,
) -> None:
    """A case that ran twice counts once; draft cases and unfinished runs do not."""
    ws = of(
        tmp_path,
        *runs("two", "pf"),
        made.run(run_id="again", case_id="c0", benchmark_run="two", passed=False),
        made.run(run_id="draft", case_id="draft", benchmark_run="two", passed=False),
        made.run(run_id="late", case_id="c1", benchmark_run="two", status="cancelled"),
        made.case(case_id="draft", status="draft"),
        benchmark_run("one", 1, pass_rate=0.8),
        benchmark_run("two", 2, pass_rate=0.9),
    )
    (step,) = newest_steps(ws, made.SUITE)
    assert (step.before, step.now) == (0.8, 0.25)
    assert step.drop.points == Fraction(55, 100)


def test_newly_failing_are_failed_runs_whose_case_had_no_failed_run_before(tmp_path: Path) -> None:
    """Also of a case that did not run before; a draft case fails nowhere."""
    ws = of(
        tmp_path,
        *runs("one", "fpp "),
        *runs("two", "ffpf"),
        made.run(run_id="draft", case_id="draft", benchmark_run="two", passed=False),
        made.case(case_id="draft", status="draft"),
        benchmark_run("one", 1),
        benchmark_run("two", 2),
    )
    (step,) = newest_steps(ws, made.SUITE)
    assert [ws.tables.runs["run_id"][at] for at in step.newly_failing] == ["two-1", "two-3"]


@pytest.mark.parametrize(
    ("row", "why"),
    [
        (benchmark_run("x", 1, ran_at=None), UNDATED),
        (benchmark_run("x", 1, benchmark=None), "it names no benchmark"),
        (benchmark_run("x", 1), FIRST),
        (benchmark_run("x", 5), "this one has no value"),
    ],
)
def test_why_there_is_no_rule(tmp_path: Path, row: BenchmarkRunRow, why: str) -> None:
    """Nothing is an alert without a reason being known."""
    ws = of(tmp_path, row, benchmark_run("before", 3, pass_rate=0.5))
    at = row_of(ws, made.SUITE, "x")
    assert at is not None
    step = step_of(ws, at)
    assert (step.drop.level, step.drop.why) == (None, why)


def test_the_rule_needs_neither_pandas_nor_scipy(tmp_path: Path) -> None:
    """`evalcore check` uses it, and both take longer to import than a check does."""
    code = (
        "import sys\n"
        "from evalcore.benchmarks.drops import drops, newest_steps\n"
        "from evalcore.workspace.opened import open_workspace\n"
        "ws = open_workspace(sys.argv[1], cache=False)\n"
        "assert drops(ws, 'support-agent') and newest_steps(ws, 'sql-helper')\n"
        "print(*{'pandas', 'scipy', 'statsmodels'} & sys.modules.keys())"
    )
    demo = Path(__file__).parents[2] / "evalcore/demo/workspace"
    done = subprocess.run(
        [sys.executable, "-c", code, str(demo)],
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
        cwd=tmp_path,
    )
    assert done.stdout.split() == []


@pytest.mark.parametrize(("now", "fires"), [(0.7, False), (0.6999, True), (0.6995, True)])
def test_a_little_more_than_ten_points_fires(tmp_path: Path, now: float, fires: bool) -> None:
    """Also where the floats are near the threshold."""
    ws = of(
        tmp_path, benchmark_run("one", 1, pass_rate=0.8), benchmark_run("two", 2, pass_rate=now)
    )
    assert bool(drops(ws, made.SUITE)) is fires


def test_the_latest_of_the_newest_runs_comes_first(tmp_path: Path) -> None:
    """Each is the newest of its benchmark."""
    ws = of(
        tmp_path,
        benchmark_run("early", 1, benchmark="a"),
        benchmark_run("late", 3, benchmark="b"),
        benchmark_run("between", 2, benchmark="c"),
    )
    assert [name for name, _, _ in newest(ws)] == ["late", "between", "early"]


def test_versions_of_several_prompts_have_no_order_between_them(tmp_path: Path) -> None:
    """A run of another prompt is before this one, whichever was written first in the store."""
    ws = made.workspace(
        tmp_path,
        made.suite()._replace(headline=SHARE),
        *(made.version(name, at) for at, name in enumerate(("ask@1", "ask@2", "tell@1"))),
        *(
            benchmark_run(f"b{day}", day, name)
            for day, name in enumerate(("tell@1", "ask@2", "ask@1"), 1)
        ),
        *runs("b1", "pppp", version="tell@1"),
        *runs("b2", "ppff", version="ask@2"),
        *runs("b3", "pfff", version="ask@1"),
    )
    whys = {each.row: each.drop for each in (step_of(ws, at) for at in range(3))}
    assert (whys[1].level, whys[2].why) == (
        "critical",
        "ask@1 is earlier than ask@2, so this is no regression",
    )
