"""The aggregates of the pages over all runs and judgments, compared with K (`numpy.bincount`)."""
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
    """The columns of the tables that K counts, as they lie in memory: codes and numbers.

    A missing word is -1, a missing answer -1, a missing number NaN.
    """

    run: dict[str, Any]
    judgment: dict[str, Any]
    case: dict[str, Any]
    outside: list[int]  # codes of a status
    unscored: int
    superseded: int
    convention: int


def measure(asked: Json) -> Work:
    """Compute each aggregate a few times, and K as well, every time from the tables.

    The answer has the medians of both, wall and CPU, and of their ratios.
    """
    from evalcore import open_workspace
    from evalcore.counting.outcomes import outcomes
    from evalcore.failures.find import failures
    from evalcore.rubrics.cells import criterion_cells
    from evalcore.rubrics.quality import findings
    from evalcore.rubrics.spread import spreads
    from evalcore.trends.lines import lines
    from evalcore.trends.metrics import metrics
    from evalcore.views.overview.summary import overview
    from evalcore.views.overview.top import headline_drawn

    workspace = open_workspace(asked["root"])
    suite = str(workspace.tables.suites["suite"].iloc[0])
    codes = _codes(workspace)
    followed = next(each for each in metrics(workspace, suite) if each.criterion)
    place = _places(workspace, followed.of, followed.criterion)
    newest = len(outcomes(workspace, suite).columns) - 1
    ours = {
        "headline of each version": lambda ws: headline_drawn(ws, suite),
        "a criterion over versions": lambda ws: lines(ws, suite, followed, "versions"),
        "heat map of the criteria": lambda ws: criterion_cells(ws, suite),
        "distribution of a version's scores": lambda ws: spreads(ws, suite, newest),
        "quality of the criteria": lambda ws: findings(ws, suite),
        "failures with type and criteria": lambda ws: failures(ws, suite),
        "outcomes of the grid": lambda ws: outcomes(ws, suite),
        "numbers of the overview": lambda ws: overview(ws, suite),
    }
    plain = {
        "headline of each version": lambda: _headline(codes),
        "a criterion over versions": lambda: _criterion(codes, *place),
        "heat map of the criteria": lambda: _heat(codes),
        "distribution of a version's scores": lambda: _distribution(codes),
        "quality of the criteria": lambda: _quality(codes),
        "failures with type and criteria": lambda: _failures(codes, workspace),
        "outcomes of the grid": lambda: _outcomes(codes),
        "numbers of the overview": lambda: _overview(codes),
    }

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
    """Look up columns and the few words that matter; nothing of the size of a table is computed."""
    from evalcore.families.base import IN_RATES

    columns = workspace.tables.columns

    def numbers(table: str, *names: str) -> dict[str, Any]:
        return {name: columns[table][name].values for name in names}

    def code(table: str, column: str, word: str) -> int:
        words = columns[table][column].strings.to_pylist()
        return words.index(word) if word in words else -2

    status = columns["runs"]["status"].strings.to_pylist()
    return Codes(
        numbers(
            "runs",
            "run_id",
            "suite",
            "version",
            "configuration",
            "case_id",
            "status",
            "passed",
            "score",
            "max_score",
            "fraction",
            "started_at",
        ),
        numbers("judgments", "run_id", "kind", "criterion", "status", "passed", "judged_at"),
        numbers("cases", "suite", "case_id"),
        [at for at, word in enumerate(status) if word not in IN_RATES],
        code("judgments", "status", "unscored"),
        code("judgments", "status", "superseded"),
        code("judgments", "kind", "convention"),
    )


def _headline(codes: Codes) -> Json:
    """K of the headline: what `Rate` holds of each column, of the runs alone.

    Runs are counted by column: all, those outside the rates, those without a value, those that
    passed. Value and score are added up by column and case, and the means by column.
    """
    import numpy as np

    runs, (column, columns) = codes.run, _column(codes)
    outside, value = np.isin(runs["status"], codes.outside), runs["passed"]
    counted = ~outside & (value >= 0)
    kinds = (outside | True, outside, ~outside & (value < 0), counted & (value == 1))
    counts: list[Any] = [np.bincount(column[of], minlength=columns) for of in kinds]
    cases = int(runs["case_id"].max()) + 1
    cell = column[counted] * cases + runs["case_id"][counted]
    many = np.bincount(cell, minlength=columns * cases)
    there = np.flatnonzero(many)
    by_column = there // cases
    rated = np.bincount(by_column, minlength=columns)
    for of in (value, runs["score"]):
        means = np.bincount(cell, of[counted], minlength=columns * cases)[there] / many[there]
        counts.append(np.bincount(by_column, means, minlength=columns) / np.maximum(rated, 1))
    return counts


def _criterion(codes: Codes, kind: int, criterion: int) -> Json:
    """K of a line: the judgments of one criterion that count, by case, and the means by version.

    Its runs are looked up, and those outside the rates are left out.
    """
    import numpy as np

    runs, judgments, (column, columns) = codes.run, codes.judgment, _column(codes)
    run, passed = _run(codes), judgments["passed"]
    asked = (judgments["criterion"] == criterion) & (judgments["kind"] == kind)
    outside = np.isin(runs["status"], codes.outside)
    rows = np.flatnonzero(asked & _counting(codes, run) & (passed >= 0) & ~outside[run])
    cases = int(runs["case_id"].max()) + 1
    cell = column[run[rows]] * cases + runs["case_id"][run[rows]]
    many = np.bincount(cell, minlength=columns * cases)
    there = np.flatnonzero(many)
    means = np.bincount(cell, passed[rows], minlength=columns * cases)[there] / many[there]
    return np.bincount(there // cases, means, minlength=columns)


def _heat(codes: Codes) -> Json:
    """K of the heat map: judgments that count by criterion, column and case, and their means."""
    import numpy as np

    runs, judgments, (column, columns) = codes.run, codes.judgment, _column(codes)
    run, passed = _run(codes), judgments["passed"]
    outside = np.isin(runs["status"], codes.outside)
    rows = np.flatnonzero(_counting(codes, run) & (passed >= 0) & ~outside[run])
    cases = int(runs["case_id"].max()) + 1
    cell = column[run[rows]] * cases + runs["case_id"][run[rows]]
    cell = _criterion_of(codes, rows) * (columns * cases) + cell
    many = np.bincount(cell)
    there = np.flatnonzero(many)
    means = np.bincount(cell, passed[rows])[there] / many[there]
    of = there // cases
    counted = np.bincount(of)
    return [np.bincount(of, many[there]), np.bincount(of, means) / np.maximum(counted, 1)]


def _distribution(codes: Codes) -> Json:
    """K of a distribution: of the newest column, the judgments by criterion and score."""
    import numpy as np

    judgments, (column, columns) = codes.judgment, _column(codes)
    run, passed = _run(codes), judgments["passed"]
    here = (column == columns - 1)[run] & _counting(codes, run) & (passed >= 0)
    rows = np.flatnonzero(here)
    given = np.bincount(_criterion_of(codes, rows) * 2 + passed[rows])
    cases = _criterion_of(codes, rows) * (int(codes.run["case_id"].max()) + 1)
    means = np.bincount(cases + codes.run["case_id"][run[rows]], passed[rows])
    return [given, means]


def _quality(codes: Codes) -> Json:
    """K of the quality: the heat map, who says yes and who says no, and the means of both sides."""
    import numpy as np

    runs, judgments, (column, columns) = codes.run, codes.judgment, _column(codes)
    run, passed = _run(codes), judgments["passed"]
    rows = np.flatnonzero(_counting(codes, run) & (passed >= 0))
    cases = int(runs["case_id"].max()) + 1
    of = _criterion_of(codes, rows)
    says = np.bincount(of * 2 + passed[rows])
    cell = of * (columns * cases) + column[run[rows]] * cases + runs["case_id"][run[rows]]
    repeated = np.bincount(cell * 2 + passed[rows]).astype(bool)
    no, yes = repeated[: len(repeated) // 2 * 2].reshape(-1, 2).T
    return [_heat(codes), says, np.bincount(np.flatnonzero(no & yes) // (columns * cases))]


def _failures(codes: Codes, workspace: Any) -> Json:
    """K of the failures: the runs that failed, their failed criteria, one search in the reasons.

    Types cannot be told without reading the judges' words.
    """
    import numpy as np
    import pyarrow as pa
    import pyarrow.compute as pc

    runs, judgments, (column, columns) = codes.run, codes.judgment, _column(codes)
    run, passed = _run(codes), judgments["passed"]
    no = np.flatnonzero(_counting(codes, run) & (passed == 0))
    failed = np.bincount(run[no], minlength=len(column))
    gone = (failed > 0) | (runs["passed"] == 0)
    asked = np.bincount(_criterion_of(codes, no), minlength=1)
    reasons = workspace.tables.text_columns("judgments")["rationale"].take(pa.array(no))
    speaks = pc.match_substring_regex(reasons, "refus|invent|format", ignore_case=True)
    counted = np.bincount(column[gone], minlength=columns)
    return [counted, asked, np.flatnonzero(gone), pc.sum(speaks)]


def _criterion_of(codes: Codes, rows: Any) -> Any:
    """Return kind and criterion of some judgments as one number."""
    kinds = int(codes.judgment["kind"].max()) + 1
    return codes.judgment["criterion"][rows].astype(int) * kinds + codes.judgment["kind"][rows]


def _places(workspace: Any, kind: str, criterion: str) -> tuple[int, int]:
    """Return the codes of a criterion's kind and name."""
    columns = workspace.tables.columns["judgments"]
    named = (("kind", kind), ("criterion", criterion))
    found = [columns[name].strings.to_pylist().index(word) for name, word in named]
    return found[0], found[1]


def _outcomes(codes: Codes) -> Json:
    """K of the grid: each judgment's run is looked up, then three steps of counting.

    By run: the failed, unscored and answered criteria of the judgments that count. By column and
    case: the runs that passed, failed, are scored, and are outside; those criteria; three means.
    By column, case and criterion, where a case has several runs: who says yes and who says no.
    """
    import numpy as np

    runs, judgments, (column, columns) = codes.run, codes.judgment, _column(codes)
    run, passed, total = _run(codes), judgments["passed"], len(column)
    counting, unscored = _counting(codes, run), judgments["status"] == codes.unscored
    failed, open_, answered = (
        np.bincount(run[counting & chosen], minlength=total)
        for chosen in ((passed == 0) & ~unscored, unscored, (passed >= 0) & ~unscored)
    )
    cases = int(runs["case_id"].max()) + 1
    cell, space = column * cases + runs["case_id"], columns * cases
    outcome = np.where(answered > 0, np.where(failed > 0, 0, 1), 2)
    outcome = np.where(runs["passed"] >= 0, runs["passed"], outcome)
    outcome[np.isin(runs["status"], codes.outside)] = 3
    many = np.bincount(cell, minlength=space)
    found: list[Any] = [many]
    found += [np.bincount(cell[outcome == end], minlength=space) for end in range(4)]
    found += [np.bincount(cell, of, minlength=space) for of in (failed, open_)]
    for name in ("score", "max_score", "fraction"):
        known = ~np.isnan(runs[name])
        n = np.bincount(cell[known], minlength=space)
        mean = np.bincount(cell[known], runs[name][known], minlength=space) / np.maximum(n, 1)
        found.append(mean)
    rows = np.flatnonzero(counting & (passed >= 0) & (many > 1)[cell][run])
    width = int(judgments["criterion"].max()) + 1
    asked = cell[run[rows]] * width + judgments["criterion"][rows]
    asked = (asked * (int(judgments["kind"].max()) + 1) + judgments["kind"][rows]) * 2
    says = np.bincount(asked + passed[rows]).astype(bool)
    no, yes = says[: len(says) // 2 * 2].reshape(-1, 2).T
    return [*found, no & yes]


def _overview(codes: Codes) -> Json:
    """K of the overview: headline and grid; the weak criteria of a column; cases, newest time."""
    import numpy as np

    runs, judgments, (column, columns) = codes.run, codes.judgment, _column(codes)
    run, passed = _run(codes), judgments["passed"]
    rows = np.flatnonzero((column == columns - 1)[run] & _counting(codes, run) & (passed >= 0))
    cases = int(runs["case_id"].max()) + 1
    key = judgments["criterion"][rows].astype(int) * cases + runs["case_id"][run[rows]]
    weak = [
        np.bincount(np.flatnonzero(np.bincount(of)) // cases)
        for of in (key, key[passed[rows] == 0])
    ]
    known = [
        np.bincount(table["suite"].astype(int) * cases + table["case_id"])
        for table in (runs, codes.case)
    ]
    newest = [runs["started_at"].max(), judgments["judged_at"].max()]
    return [_headline(codes), _outcomes(codes), weak, known, newest]


def _column(codes: Codes) -> tuple[Any, int]:
    """Return each run's version and configuration as one number, and how many there may be."""
    runs = codes.run
    configurations = int(runs["configuration"].max()) + 1
    column = runs["version"].astype(int) * configurations + runs["configuration"]
    return column, (int(runs["version"].max()) + 1) * configurations


def _run(codes: Codes) -> Any:
    """Return the run of each judgment, by the codes of its name, which both tables share here."""
    import numpy as np

    names = codes.run["run_id"]
    place = np.full(len(names), -1)
    place[names] = np.arange(len(names))
    return place[codes.judgment["run_id"]]


def _counting(codes: Codes, run: Any) -> Any:
    judgments = codes.judgment
    counting = (judgments["kind"] != codes.convention) & (run >= 0)
    return counting & (judgments["status"] != codes.superseded)
