"""Regressions: only at the newest benchmark run, with the comparison's own word beside the rule."""

from pathlib import Path

from evalcore.tables.rows import Row
from evalcore.trends.alerts import regressions
from evalcore.views.blocks.page import Verdict
from evalcore.views.series.regressions import SHOWN, regression_blocks, step_blocks
from evalcore.workspace.opened import Workspace
from tests import made
from tests.trends.followed import benchmark_run


def of(root: Path, *values: list[float]) -> Workspace:
    """Return a benchmark run for each list of values, one case each, the oldest first."""
    rows: list[Row] = []
    for at, of_cases in enumerate(values):
        rows.append(benchmark_run(f"b{at}", at + 1)._replace(name="Weekly"))
        rows += [
            made.run(
                run_id=f"{at}-{n}",
                run=str(at),
                case_id=f"c{n}",
                benchmark_run=f"b{at}",
                fraction=value,
                passed=value == 1,
            )
            for n, value in enumerate(of_cases)
        ]
    suite = made.suite()._replace(headline="share of runs passed")
    return made.workspace(root, suite, made.version("v0", 0), *rows)


def sentences(ws: Workspace) -> list[str]:
    """Return each regression of the suite as one text."""
    found = regression_blocks(ws, made.SUITE)
    return [f"{each.text} {each.rest}" for each in found if isinstance(each, Verdict)]


def test_a_drop_that_may_be_chance_says_so(tmp_path: Path) -> None:
    """Both figures, the word beside the rule, and how many runs newly fail."""
    (text,) = sentences(of(tmp_path, [1, 1, 1, 1, 0], [1, 1, 1, 0, 0]))
    assert text == (
        "Benchmark regression: Weekly fell from 80 % to 60 % in v0 (20 points). "
        "This exceeds the limit, but it could be chance. 1 run newly fails."
    )


def test_a_clear_drop_says_so(tmp_path: Path) -> None:
    """Twelve of twelve cases got worse."""
    (text,) = sentences(of(tmp_path, [1] * 12, [0] * 12))
    assert (
        "This exceeds the limit, and the drop is clear in these runs. 12 runs newly fail." in text
    )


def test_runs_of_other_cases_cannot_be_told(tmp_path: Path) -> None:
    """The rule is 001's and fires all the same."""
    (text,) = sentences(of(tmp_path, [1], [1, 0]))
    assert "whether it is chance cannot be determined. Not all cases were run" in text


def test_without_test_runs_the_rule_is_of_what_documents_state(tmp_path: Path) -> None:
    """Nothing can be compared, and no run is known to fail."""
    suite = made.suite()._replace(headline="share of runs passed")
    rows = (benchmark_run("a", 1, pass_rate=0.9), benchmark_run("b", 2, pass_rate=0.5))
    (text,) = sentences(made.workspace(tmp_path, suite, *rows))
    assert "weekly fell from 90 % to 50 %" in text
    assert text.endswith("chance cannot be ruled out. No newly failing runs.")


def test_only_the_newest_benchmark_run_is_a_regression(tmp_path: Path) -> None:
    """Once the next one is as good, nothing is left to look at."""
    assert len(regressions(of(tmp_path, [1], [0]), made.SUITE)) == 1
    assert regressions(of(tmp_path, [1], [0], [0]), made.SUITE) == ()
    assert regression_blocks(of(tmp_path, [1], [0], [1]), made.SUITE) == []


def test_a_block_leads_to_the_point_in_trends(tmp_path: Path) -> None:
    """Over benchmark runs, at the one that dropped."""
    (block,) = regression_blocks(of(tmp_path, [1], [0]), made.SUITE)
    link = block.link  # type: ignore[attr-defined]
    assert (link.page, link.query["over"], link.query["point"]) == (
        "trends",
        "benchmark-runs",
        "b1",
    )


def test_many_regressions_are_counted(tmp_path: Path) -> None:
    """Three are told in full."""
    rows: list[Row] = [
        benchmark_run(f"{name}{day}", day, benchmark=name, pass_rate=1 / day)
        for name in "abcde"
        for day in (1, 2)
    ]
    suite = made.suite()._replace(headline="share of runs passed")
    blocks = regression_blocks(made.workspace(tmp_path, suite, *rows), made.SUITE)
    assert len(blocks) == SHOWN + 1
    assert blocks[-1].text.startswith("2 more benchmarks dropped")  # type: ignore[attr-defined]


def test_the_open_point_says_what_the_rule_says_of_it(tmp_path: Path) -> None:
    """A drop also where it is not the newest, or why there is none; nothing where nothing fell."""
    ws = of(tmp_path, [1], [0], [0])
    told = [
        " ".join(block.text for block in step_blocks(ws, made.SUITE, name))  # type: ignore[attr-defined]
        for name in ("b0", "b1", "b2", "gone")
    ]
    assert told[0].startswith("No drop can be determined here: there is no earlier run")
    assert told[1].startswith("Benchmark regression: Weekly fell from 100 % to 0 % in v0")
    assert told[2].endswith("the one before was 0, and nothing falls below it.")
    assert told[3] == ""
