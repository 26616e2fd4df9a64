"""Each regression is surfaced: critical failures, a task and a message tell of it."""

from pathlib import Path

import pytest

from evalcore.tables.rows import FailureRow, MessageRow, Row, RunRow
from evalcore.workspace.opened import Workspace
from tests import made
from tests.hard_rules.found import counts, described, found, problems
from tests.trends.followed import benchmark_run

CODE = "regression-not-surfaced"
SHARE = "share of runs passed"


def of(root: Path, *rows: Row, family: str = "records") -> Workspace:
    """Return a workspace of one suite whose pass rate fell from 100 % to 50 %, with further rows.

    `c` and `d` are its newly failing runs.
    """
    suite = made.suite(family)._replace(headline=SHARE)
    fell: list[Row] = [benchmark_run("one", 1), benchmark_run("two", 2), *runs("one", "pppp")]
    return made.workspace(root, suite, *fell, *runs("two", "ppff"), *rows)


def runs(name: str, passed: str) -> list[RunRow]:
    """Return the runs of a benchmark run, one a case."""
    return [
        made.run(
            run_id=f"{name}-{case}",
            case_id=case,
            benchmark_run=name,
            passed=each == "p",
            source=f"runs/{name}-{case}.json",
        )
        for case, each in zip("abcd", passed, strict=True)
    ]


def failure(run: str, **given: object) -> FailureRow:
    """Return the critical failure of a run, as a rule writes it."""
    base = {"failure_id": f"f-{run}", "severity": "critical", "origin": "person"}
    return made.row(
        FailureRow, **{"suite": made.SUITE, "run_id": run, "author": "evalcore", **base, **given}
    )


def message(kind: str, about: str = "two", **given: object) -> MessageRow:
    """Return a task or a message about a benchmark run."""
    subject = "benchmark-regression" if kind == "message" else "Investigate benchmark regression"
    base = {"suite": made.SUITE, "message": kind, "kind": kind, "subject": subject, "about": about}
    return made.row(MessageRow, **{**base, **given})


WHOLE: tuple[Row, ...] = (
    failure("two-c"),
    failure("two-d"),
    message("task"),
    message("message"),
)


def missing(ws: Workspace) -> list[str]:
    """Return what is missing, as the problem says it."""
    return [each.message.partition("Missing: ")[2] for each in problems(ws, CODE)]


def test_a_regression_that_everything_tells_of_keeps_the_rule(tmp_path: Path) -> None:
    """Critical failures of the newly failing runs, a task, a message."""
    ws = of(tmp_path, *WHOLE)

    assert counts(ws, made.SUITE, "regressions") == (1, 0, 0)
    assert problems(ws, CODE) == []


def test_a_regression_that_nothing_tells_of_breaks_it(tmp_path: Path) -> None:
    """It is reported at the benchmark run, with the newly failing runs behind it."""
    ws = of(tmp_path)

    assert missing(ws) == [
        "a critical eval-failure for 2 of 2 newly failing runs, a task, a message."
    ]
    (broken,) = described(ws, made.SUITE, "regressions")
    assert (broken.about, broken.id) == ("benchmark run", "two")
    assert [(place.what, place.path) for place in broken.places[1:]] == [
        ("newly failing run", "runs/two-c.json"),
        ("newly failing run", "runs/two-d.json"),
    ]


@pytest.mark.parametrize(
    ("left_out", "says"),
    [
        (0, "a critical eval-failure for 1 of 2 newly failing runs."),
        (2, "a task."),
        (3, "a message."),
    ],
)
def test_each_part_that_is_missing_is_named(tmp_path: Path, left_out: int, says: str) -> None:
    """One is enough to break the rule."""
    ws = of(tmp_path, *WHOLE[:left_out], *WHOLE[left_out + 1 :])

    assert missing(ws) == [says]


def test_a_task_about_another_benchmark_run_tells_nothing(tmp_path: Path) -> None:
    """Nor does a message of another subject, nor a task of another suite."""
    others = (
        message("task", "one"),
        message("message", subject="trend-degrading"),
        message("task", suite="elsewhere"),
    )
    ws = of(tmp_path, *WHOLE[:2], *others)

    assert missing(ws) == ["a task, a message."]


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ({"severity": "major"}, False),
        ({"severity": "major", "author": "ana-1"}, True),
        ({"severity": "major", "author": "agent-7", "origin": "recorded"}, False),
        ({"severity": "critical", "origin": "recorded"}, True),
    ],
)
def test_a_person_may_say_that_a_failure_is_less_severe(
    tmp_path: Path, given: dict[str, object], kept: bool
) -> None:
    """A rule's own failure is critical; what a document of the store says must be so too."""
    ws = of(tmp_path, failure("two-c", **given), *WHOLE[1:])

    assert counts(ws, made.SUITE, "regressions") == (int(kept), int(not kept), 0)


def test_a_drop_of_exactly_ten_points_is_none(tmp_path: Path) -> None:
    """More than ten are asked about, as the rule says it."""
    fell = [benchmark_run("one", 1, pass_rate=0.9), benchmark_run("two", 2, pass_rate=0.8)]
    suite = made.suite("records")._replace(headline=SHARE)
    assert found(made.workspace(tmp_path, suite, *fell), made.SUITE, "regressions").standing == (
        "nothing to check"
    )
    fell[1] = benchmark_run("two", 2, pass_rate=0.79)
    assert found(made.workspace(tmp_path, suite, *fell), made.SUITE, "regressions").standing == (
        "broken"
    )


def test_an_earlier_regression_stays_to_be_surfaced(tmp_path: Path) -> None:
    """A better benchmark run since then does not undo it."""
    ws = of(tmp_path, benchmark_run("three", 3), *runs("three", "pppp"))

    assert counts(ws, made.SUITE, "regressions") == (0, 1, 0)


def test_a_suite_that_keeps_no_such_records_is_not_asked(tmp_path: Path) -> None:
    """Its drop is shown in Trends and on Overview all the same."""
    ws = of(tmp_path, family="descriptions")

    assert found(ws, made.SUITE, "regressions").standing == "not recorded"
    assert problems(ws, CODE) == []


def test_a_suite_without_benchmark_runs_has_no_regression(tmp_path: Path) -> None:
    """Most suites have none."""
    ws = made.workspace(tmp_path, made.suite(), made.run())

    assert found(ws, made.SUITE, "regressions").standing == "nothing to check"


def test_what_is_hidden_from_a_judge_is_not_called_missing(tmp_path: Path) -> None:
    """While runs of the suite are hidden, so is what was sent of it."""
    ws = of(tmp_path, *WHOLE, made.run(run_id="open", version="v9", source="runs/open.json"))
    seen = ws.hiding({"open"}, "ana-1")

    assert len(seen.tables.messages) == 0
    assert counts(seen, made.SUITE, "regressions") == (0, 0, 1)
    assert found(seen, made.SUITE, "regressions").standing == "cannot be checked"
