"""What benchmark runs show of a version over its baseline: improvement, or why not."""

from typing import Final, NamedTuple

from evalcore.benchmarks.members import improvement, values_of
from evalcore.comparing.benchmark_sides import side_of_benchmark_run
from evalcore.comparing.compare import compare
from evalcore.counting.cells import typed, where
from evalcore.counting.coded import coded
from evalcore.counting.memo import memoize_per_workspace
from evalcore.counting.outcomes import columns_of_runs
from evalcore.errors import CannotApprove, UnknownName
from evalcore.numbers import rounded
from evalcore.statistics.verdict import DIRECTIONS, Word
from evalcore.tables.rows import BenchmarkRunRow, ComparisonRow
from evalcore.workspace.opened import Workspace

WAY_AROUND: Final = "To replace it anyway, write a waiver with an owner, a reason and an end date."


class Run(NamedTuple):
    """A benchmark run: its row in the table, and the values in it."""

    row: int
    of: BenchmarkRunRow

    @property
    def order(self) -> tuple[float, str]:
        """The sort key by time."""
        return self.of.ran_at.timestamp() if self.of.ran_at else 0.0, self.of.benchmark_run or ""


class Evidence(NamedTuple):
    """What speaks for a version over its baseline, on one benchmark.

    `runs` are the newest benchmark runs of the baseline and of the version, both or none. `refusal`
    says why they do not show improvement; it is empty where they do.
    """

    version: str
    baseline: str
    runs: tuple[Run, ...]
    comparison: str | None
    word: Word | None
    seen: str
    refusal: str


def evidence_of(
    ws: Workspace, suite: str, version: str, baseline: str, benchmark: str | None = None
) -> Evidence:
    """Return what the benchmark runs of two versions show, on the benchmark of an id or a name.

    Raises:
        UnknownName: there is no such suite, version or benchmark.
        CannotApprove: both versions are the same, or several benchmarks are meant.
    """
    known = {column.version for column in columns_of_runs(ws, suite).columns}
    for name in (version, baseline):
        if name not in known:
            raise UnknownName("version", name, known)
    if version == baseline:
        raise CannotApprove(f"{version} cannot replace itself. Name the version that it replaces.")
    pair = _pair(ws, suite, version, baseline, benchmark)
    if pair is None:
        missing = (
            f"No benchmark was run for both {baseline} and {version}. "
            "Run one for each with `evalcore benchmark run`."
        )
        return Evidence(version, baseline, (), None, None, "", missing)
    before, now = pair
    word, why, scope = _verdict(ws, before, now)
    seen = f"{_seen(ws, before, now)} {scope}".strip()
    refusal = _refusal(ws, before, now, word, why, seen)
    comparison = _comparison(ws, suite, version, baseline)
    return Evidence(version, baseline, pair, comparison, word, seen, refusal)


def shared_benchmarks(ws: Workspace, suite: str, version: str, baseline: str) -> dict[str, str]:
    """Return the names of the benchmarks that were run for both versions, by their ids."""
    mine = {run.of.benchmark for run in _runs_of(ws, suite, version)}
    both = [run.of for run in _runs_of(ws, suite, baseline) if run.of.benchmark in mine]
    return {of.benchmark: of.name or of.benchmark for of in both if of.benchmark is not None}


def _pair(
    ws: Workspace, suite: str, version: str, baseline: str, benchmark: str | None
) -> tuple[Run, Run] | None:
    """Return the newest benchmark runs of both versions on one benchmark."""
    shared = shared_benchmarks(ws, suite, version, baseline)
    if benchmark is not None:
        named = _named(ws, suite, benchmark)
        shared = {name: of for name, of in shared.items() if name == named}
    if len(shared) > 1:
        names = ", ".join(sorted(shared.values()))
        raise CannotApprove(f"Several benchmarks were run for both: {names}. Name one of them.")
    for name in shared:
        return _newest(ws, suite, baseline, name), _newest(ws, suite, version, name)
    return None


def _named(ws: Workspace, suite: str, named: str) -> str:
    """Return the benchmark of an id, else of a name that only one has."""
    rows = where(ws, "benchmark_runs", suite=suite)
    ids, names = (
        coded(ws, "benchmark_runs", "benchmark").column(),
        ws.tables.benchmark_runs["name"],
    )
    known = dict.fromkeys((ids[row], names.iat[row]) for row in rows.tolist() if ids[row])
    own = {name for name, _ in known if name == named}
    own = own or {name for name, of in known if of == named}
    if not own:
        raise UnknownName("benchmark", named, {str(name) for pair in known for name in pair})
    if len(own) > 1:
        told = ", ".join(sorted(own))
        raise CannotApprove(f"Several benchmarks are named {named!r}: {told}. Name one by its id.")
    return str(next(iter(own)))


@memoize_per_workspace
def _runs_of(ws: Workspace, suite: str, version: str) -> tuple[Run, ...]:
    """Return the benchmark runs of a version, the newest first."""
    rows = where(ws, "benchmark_runs", suite=suite, version=version)
    every = zip(rows.tolist(), typed(ws, "benchmark_runs", BenchmarkRunRow, rows), strict=True)
    found = [Run(row, of) for row, of in every if of.benchmark is not None]
    return tuple(sorted(found, key=lambda run: run.order, reverse=True))


def _newest(ws: Workspace, suite: str, version: str, benchmark: str) -> Run:
    return next(run for run in _runs_of(ws, suite, version) if run.of.benchmark == benchmark)


def _seen(ws: Workspace, before: Run, now: Run) -> str:
    """Return what was seen in a sentence."""
    old, old_score = values_of(ws, before.row)
    new, new_score = values_of(ws, now.row)
    score = f", overall score {_number(new_score)} against {_number(old_score)}"
    return (
        f"{now.of.version} passes {_percent(new)} on {now.of.name or now.of.benchmark}, "
        f"{before.of.version} {_percent(old)}{score}."
    )


def _refusal(ws: Workspace, before: Run, now: Run, word: Word | None, why: str, seen: str) -> str:
    """Return why two benchmark runs do not show improvement; empty where they do."""
    how = improvement(ws, before.row, now.row)
    if how == "unknown":
        return f"The benchmark runs state no score to compare. {WAY_AROUND}"
    if how == "worse":
        return f"{seen} That is not an improvement. {WAY_AROUND}"
    if how == "same":
        return f"{seen} That is the same. {WAY_AROUND}"
    if word is None:
        return f"{seen} The two cannot be compared: {why} {WAY_AROUND}"
    if DIRECTIONS[word] <= 0:
        told = f"the verdict is “{word}”: Compare says why, and what would settle it."
        return f"{seen} It is higher, but {told} {WAY_AROUND}"
    return ""


def _verdict(ws: Workspace, before: Run, now: Run) -> tuple[Word | None, str, str]:
    """Return the verdict over exactly the test runs of two benchmark runs, or why there is none.

    Last comes what the verdict leaves out, in a sentence; nothing where it is about all of them.
    """
    a, b = (side_of_benchmark_run(ws, run.row) for run in (before, now))
    if a is None or b is None:
        return None, "their test runs are missing, or of several versions.", ""
    found = compare(a, b)
    if found.verdict is None:
        return None, "they have no case in common that was scored by the same criteria.", ""
    cases, criteria = len(found.pairs), found.criteria
    parts = []
    if found.left_out:
        parts.append(f"on {cases} of {cases + len(found.left_out)} cases")
    if criteria is not None:
        parts.append(f"by {criteria.shared} of {criteria.asked} criteria")
    scope = f"The verdict is {' and '.join(parts)}." if parts else ""
    return found.verdict.word, "", scope


def _comparison(ws: Workspace, suite: str, version: str, baseline: str) -> str | None:
    """Return the newest stored comparison of both versions; None without one."""
    rows = typed(ws, "comparisons", ComparisonRow, where(ws, "comparisons", suite=suite))
    own = [
        row
        for row in rows
        if {row.version_a, row.version_b} == {version, baseline} and row.case_id is None
    ]
    newest = max(own, key=lambda row: row.compared_at.timestamp() if row.compared_at else 0.0,
                 default=None)  # fmt: skip
    return newest.comparison_id if newest is not None else None


def _percent(value: float | None) -> str:
    return "an unknown share" if value is None else f"{rounded(100 * value):.0f} %"


def _number(value: float | None) -> str:
    return "not known" if value is None else f"{rounded(value, 2):.2f}"
