"""Files that sum up runs which others grade: totals beside the runs that they name, and no runs."""

from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple

from evalcore.disk.reader import MISSING, Reader
from evalcore.disk.values import Node
from evalcore.families.base import Plan
from evalcore.families.iterations.agreement import PASS_RATE, Runs, is_explained
from evalcore.families.iterations.cases import Cases
from evalcore.families.iterations.figures import Figures, figures_of
from evalcore.families.iterations.labels import agrees
from evalcore.families.iterations.runs import Facts
from evalcore.families.iterations.split_runs import configuration_named
from evalcore.layouts.iterations import CURRENT, NONE, container_of, is_configuration
from evalcore.names import CONFIGURATION, EVAL, PASSED, RATE
from evalcore.numbers import mean
from evalcore.problems import pointer
from evalcore.tables.builder import Rows
from evalcore.tables.rows import BenchmarkRow

SUMS: Final = frozenset((*PASSED, *RATE))
NAMES: Final = (
    "run",
    "run_id",
    "path",
    "folder",
    "file",
    "grading",
    "id",
    "name",
    *EVAL,
    *CONFIGURATION,
)
GRADINGS: Final = ("/grading.json", "/run-1")
WHOLE: Final = frozenset(("overall", "total", "totals", "summary", "aggregate", "all"))
"""What sums of all runs are called."""
DEEPEST: Final = 4


class Total(NamedTuple):
    """The numbers of one run in a summary, and all that it is called there."""

    value: dict[str, Any]
    at: str
    names: tuple[str, ...]


def holds_totals(value: Any) -> bool:
    """Say whether a document sums up runs that it names."""
    return any(True for _ in _totals(value))


def _totals(value: Any, at: str = "", above: tuple[str, ...] = ()) -> Iterator[Total]:
    """Yield the innermost objects with sums, each with the names of and above it."""
    pairs: Mapping[Any, Any] = value if isinstance(value, dict) else {}
    if isinstance(value, list):
        pairs = dict(enumerate(value))
    found = False
    for key, inner in pairs.items() if at.count("/") < DEEPEST else ():
        if isinstance(inner, (dict, list)):
            names = (*above, key) if isinstance(key, str) else above
            for total in _totals(inner, at + pointer(key), names):
                found = True
                yield total
    if not found and isinstance(value, dict) and not SUMS.isdisjoint(value):
        stated = [value[key] for key in NAMES if isinstance(value.get(key), (str, int))]
        if names := (*map(str, stated), *above):
            yield Total(value, at, names)


def read_totals(plan: Plan, reader: Reader, rows: Rows, facts: list[Facts], cases: Cases) -> None:
    """Add the totals of the summaries of a suite, each compared with the run that it names."""
    for path in plan.of("totals"):
        value = reader.json(path)
        if value is not MISSING:
            home = container_of(path.rpartition("/")[0])
            runs = _Named(home[1] if home is not None else CURRENT, facts, cases)
            _read(Node(reader, path, value, "", plan.suite), plan.suite, rows, runs)


class _Named:
    """The runs of a suite by what a summary may call them."""

    def __init__(self, version: str, facts: list[Facts], cases: Cases) -> None:
        self.version = version
        self.facts = [fact for fact in facts if fact.version == version]
        self.cases = cases
        self._by_name: dict[str, Facts] = {}
        self._of_case: dict[tuple[str, str], list[Facts]] = {}
        for fact in facts:
            if fact.path:
                self._by_name.setdefault(_plain(f"{fact.version}/{fact.path}"), fact)
            if fact.path and fact.version == version:
                self._by_name.setdefault(_plain(fact.path), fact)
            if fact.version == version:
                self._of_case.setdefault((fact.case_id, fact.configuration), []).append(fact)

    def find(self, total: Total) -> Facts | None:
        """Return the one run that is meant: by its path, else by eval and configuration."""
        joined = "/".join(reversed(total.names))
        for name in (*total.names, joined):
            if name and (found := self._by_name.get(_plain(name))) is not None:
                return found
        stated = configuration_named(total.value)
        side = stated or next(filter(is_configuration, total.names), NONE)
        for name in total.names:
            case = self.cases.numbered(self.version, name) or self.cases.by_id.get(name)
            runs = self._of_case.get((case.case_id, side), []) if case is not None else []
            if len(runs) == 1:
                return runs[0]
        return None

    def side(self, total: Total) -> list[Facts]:
        """Return the runs of the configuration, or of the version, that a total is about."""
        stated = configuration_named(total.value)
        names = {*total.names, *([stated] if stated is not None else [])} - WHOLE
        runs = [fact for fact in self.facts if {fact.configuration} >= names]
        return runs if names or not WHOLE.isdisjoint(total.names) else []


def _plain(name: str) -> str:
    """Return a path or an id of a run in one form."""
    for ending in GRADINGS:
        name = name.removesuffix(ending)
    return name.removeprefix("./").replace("/", "-").casefold()


def _read(node: Node, suite: str, rows: Rows, runs: _Named) -> None:
    unknown: list[Total] = []
    for total in _totals(node.value):
        item = Node(node.reader, node.path, total.value, total.at, suite)
        figures, run = figures_of(item), runs.find(total)
        if run is None:
            side = runs.side(total)
            if side:
                _add_side(rows, suite, side, total, item, figures)
            else:
                unknown.append(total)
            continue
        if not agrees(figures, run):
            _note_mismatch(item, figures, run, total.names[0])
        if figures.rate is not None:
            rows.add(_row(suite, run, figures.rate, item))
    if unknown:
        node.note(
            "info",
            "totals-without-run",
            f"{len(unknown)} of the totals here name no run that is graded, "
            f"the first {unknown[0].names[0][:60]!r}.",
            "Name each run by its path below the iteration, such as eval-1/with_skill.",
        )


def _add_side(
    rows: Rows, suite: str, side: list[Facts], total: Total, item: Node, figures: Figures
) -> None:
    """Add the total of all runs of a configuration or version, compared with what they give."""
    if figures.rate is None:
        return
    several = len({fact.configuration for fact in side}) > 1
    row = _row(suite, side[0], figures.rate, item)
    rows.add(row._replace(case_id=None, configuration=None if several else row.configuration))
    found = mean(fact.pass_rate for fact in side)
    runs = Runs(side, [fact.pass_rate for fact in side])
    if found is not None and not is_explained(figures.rate, PASS_RATE, runs):
        item.note(
            "warning",
            "derived-mismatch",
            f"The total of {total.names[0][:60]!r} is {figures.rate:.4g}, but its gradings give "
            f"{found:.4g}.",
            "Write the summary again from the gradings.",
        )


def _row(suite: str, run: Facts, rate: float, item: Node) -> BenchmarkRow:
    return BenchmarkRow(
        suite=suite,
        version=run.version,
        configuration=None if run.configuration == NONE else run.configuration,
        case_id=run.case_id,
        metric="pass_rate",
        mean=rate,
        origin="stored",
        source=item.path,
        pointer=item.at,
    )


def _note_mismatch(item: Node, figures: Figures, run: Facts, name: str) -> None:
    stated, graded = ((each.passed, each.total) for each in (figures, run))
    told, found = (
        f"{counts[0]} of {counts[1]}" if None not in counts else f"{rate:.4g}"
        for counts, rate in ((stated, figures.rate or 0.0), (graded, run.pass_rate or 0.0))
    )
    item.note(
        "warning",
        "derived-mismatch",
        f"The total of {name[:60]!r} is {told}, but its grading gives {found}.",
        "Write the summary again from the gradings.",
    )
