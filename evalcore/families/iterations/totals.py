"""Files that sum up runs which others grade: totals beside the runs that they name, and no runs."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple

from evalcore.disk.reader import MISSING, Reader
from evalcore.disk.values import Node
from evalcore.families.base import Plan
from evalcore.families.iterations.agreement import (
    PASS_RATE,
    agrees,
    is_explained,
    note_mismatch,
)
from evalcore.families.iterations.cases import Cases
from evalcore.families.iterations.figures import figures_of
from evalcore.families.iterations.runs import Facts
from evalcore.families.iterations.split_runs import configuration_named
from evalcore.families.iterations.stated import Stated
from evalcore.layouts.iterations import CURRENT, NONE, is_configuration, version_of
from evalcore.names import CONFIGURATION, EVAL, PASSED, RATE, slashed, spelled
from evalcore.numbers import mean
from evalcore.problems import pointer
from evalcore.tables.builder import Rows

SUMS: Final = frozenset((*PASSED, *RATE))
NAMES: Final = (
    "run", "run_id", "path", "folder", "file", "grading", "id", "name", *EVAL, *CONFIGURATION,
)  # fmt: skip
GRADINGS: Final = ("/grading.json", "/run-1")
WHOLE: Final = frozenset(("overall", "total", "totals", "summary", "aggregate", "all"))
"""What sums of all runs are called."""
DEEPEST: Final = 4
HINT: Final = "Write the summary again from the gradings."


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
    """Add the totals of the summaries of a suite, each compared with the run that it names.

    One that names no run may be of all runs of a configuration, or of the version.
    """
    for path in plan.of("totals"):
        value = reader.json(path)
        if value is MISSING:
            continue
        runs = _Named(version_of(path) or CURRENT, facts, cases)
        unknown: list[str] = []
        for total in _totals(value):
            item = Node(reader, path, total.value, total.at, plan.suite)
            figures, run = figures_of(item), runs.find(total)
            side = runs.side(total) if run is None else [run]
            if not side:
                unknown.append(total.names[0])
                continue
            what, rate = f"The total of {total.names[0][:60]!r}", figures.rate
            if run is not None and not agrees(figures, run):
                told = _shown(figures.passed, figures.total, rate)
                found = _shown(run.passed, run.total, run.pass_rate)
                note_mismatch(item, what, told, f"its grading gives {found}", HINT)
            if rate is None:
                continue
            rates = [fact.pass_rate for fact in side]
            computed = mean(rates) if run is None else None
            if computed is not None and not is_explained(rate, PASS_RATE, side, rates):
                found = f"its gradings give {computed:.4g}"
                note_mismatch(item, what, f"{rate:.4g}", found, HINT)
            names = {fact.configuration for fact in side}
            shared = names.pop() if len(names) == 1 and names != {NONE} else None
            case_id = None if run is None else run.case_id
            stated = Stated(rows, plan.suite, side[0].version)
            stated.number(item, shared, PASS_RATE, rate, case_id=case_id)
        if unknown:
            what = f"{len(unknown)} of the totals here name no run that is graded, "
            what += f"the first {unknown[0][:60]!r}."
            hint = "Name each run by its path below the iteration, such as eval-1/with_skill."
            reader.problem(path, "", "info", "totals-without-run", what, hint, plan.suite)


def _shown(passed: int | None, total: int | None, rate: float | None) -> str:
    return f"{rate or 0.0:.4g}" if passed is None or total is None else f"{passed} of {total}"


class _Named:
    """The runs of a suite by what a summary may call them."""

    def __init__(self, version: str, facts: list[Facts], cases: Cases) -> None:
        self.version = version
        self.facts = [fact for fact in facts if fact.version == version]
        self.cases = cases
        self._by_name: dict[str, Facts] = {}
        self._of_case: dict[tuple[str, str], list[Facts]] = defaultdict(list)
        for fact in facts:
            if fact.path:
                self._by_name.setdefault(_plain(f"{fact.version}/{fact.path}"), fact)
            if fact.path and fact.version == version:
                self._by_name.setdefault(_plain(fact.path), fact)
        for fact in self.facts:
            self._of_case[fact.case_id, fact.configuration].append(fact)

    def find(self, total: Total) -> Facts | None:
        """Return the one run that is meant: by its path, else by eval and configuration."""
        for name in (*total.names, "/".join(reversed(total.names))):
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
    name = slashed(name)
    for ending in GRADINGS:
        name = name.removesuffix(ending)
    return spelled(name.removeprefix("./").replace("/", "-"))
