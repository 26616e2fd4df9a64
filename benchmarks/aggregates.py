"""What the pages compute over all runs and judgments, beside K: `numpy.bincount` on their codes."""
# ruff: noqa: PLC0415 - the methods that do not compute this need not import it

import copy
import statistics
import time
from collections.abc import Callable
from typing import Any, NamedTuple

Json = Any
Work = Callable[[], Json]

ROUNDS = 7


class Codes(NamedTuple):
    """Dictionary codes and numbers, as arrays: of the runs, then of the judgments."""

    column: Any  # of a run: version and configuration
    case: Any
    passed: Any  # NaN where it is not known
    run: Any  # of a judgment
    criterion: Any
    failed: Any
    unscored: Any


def measure(asked: Json) -> Work:
    """Compute each aggregate a few times, K beside it; every time from the tables on.

    The answer has the medians of both, wall and CPU, and of their ratios.
    """
    from evalcore import open_workspace
    from evalcore.views.chart_data import headline_chart
    from evalcore.views.outcomes import outcomes
    from evalcore.views.overview import overview

    workspace = open_workspace(asked["root"])
    suite, headline = workspace.tables.suites[["suite", "headline"]].astype(str).iloc[0]
    codes = _codes(workspace)
    ours = {
        "headline of each version": lambda ws: headline_chart(ws, suite, headline),
        "outcomes of the grid": lambda ws: outcomes(ws, suite),
        "numbers of the overview": lambda ws: overview(ws, suite),
    }
    plain = {
        "headline of each version": lambda: _headline(codes),
        "outcomes of the grid": lambda: _outcomes(codes),
        "numbers of the overview": lambda: (
            _headline(codes), _outcomes(codes), _weak(codes)
        ),
    }  # fmt: skip

    def work() -> Json:
        # A copy shares the tables and has nothing of what was computed from them.
        return {
            name: _paired(lambda way=way: way(copy.copy(workspace)), plain[name])  # type: ignore[misc]
            for name, way in ours.items()
        }

    return work


def _paired(ours: Work, reference: Work) -> Json:
    times = [(_timed(ours), _timed(reference)) for _ in range(ROUNDS)]

    def median(take: Callable[[Any, Any], float]) -> float:
        return float(statistics.median(take(*pair) for pair in times))

    return {
        "wall": median(lambda a, _: a[0]),
        "cpu": median(lambda a, _: a[1]),
        "ratio": median(lambda a, b: a[0] / b[0]),
        "cpu_ratio": median(lambda a, b: a[1] / max(b[1], 1e-9)),
        "rounds": ROUNDS,
    }


def _timed(work: Work) -> tuple[float, float]:
    cpu, wall = time.process_time(), time.perf_counter()
    work()
    return time.perf_counter() - wall, time.process_time() - cpu


def _codes(workspace: Any) -> Codes:
    import numpy as np

    runs, judgments = workspace.tables.runs, workspace.tables.judgments
    version, configuration = (runs[name].cat for name in ("version", "configuration"))
    passed = judgments["passed"]
    place = {run: at for at, run in enumerate(runs["run_id"])}
    of_run = np.array([place.get(run, 0) for run in judgments["run_id"].cat.categories])
    return Codes(
        version.codes.to_numpy(np.int64) * len(configuration.categories)
        + configuration.codes.to_numpy(),
        runs["case_id"].cat.codes.to_numpy(np.int64),
        runs["passed"].to_numpy(float, na_value=np.nan),
        of_run[judgments["run_id"].cat.codes.to_numpy()],
        judgments["criterion"].cat.codes.to_numpy(np.int64),
        (passed == False).to_numpy(bool, na_value=False),  # noqa: E712 - of a column
        (judgments["status"] == "unscored").to_numpy(),
    )


def _headline(codes: Codes) -> Json:
    """Return the mean over cases of each case's share of runs passed, by column."""
    import numpy as np

    cases = int(codes.case.max()) + 1
    known = ~np.isnan(codes.passed)
    key = codes.column[known] * cases + codes.case[known]
    total, many = np.bincount(key, codes.passed[known]), np.bincount(key)
    there = np.flatnonzero(many)
    means, column = total[there] / many[there], there // cases
    return np.bincount(column, means) / np.maximum(np.bincount(column), 1)


def _outcomes(codes: Codes) -> Json:
    """Count failed, unscored and all judgments of each run, then by case and column."""
    import numpy as np

    runs, cases = len(codes.case), int(codes.case.max()) + 1
    failed = np.bincount(codes.run[codes.failed], minlength=runs)
    unscored = np.bincount(codes.run[codes.unscored], minlength=runs)
    judged = np.bincount(codes.run, minlength=runs)
    key = codes.column * cases + codes.case
    return [np.bincount(key, count) for count in (failed > 0, unscored > 0, judged > 0)]


def _weak(codes: Codes) -> Json:
    """Count, for the last column, the cases in which each criterion failed."""
    import numpy as np

    here = (codes.column == codes.column.max())[codes.run]
    cases = int(codes.case.max()) + 1
    key = codes.criterion[here] * cases + codes.case[codes.run[here]]
    failed = np.bincount(key, codes.failed[here]) > 0
    return np.bincount(np.flatnonzero(failed) // cases)
