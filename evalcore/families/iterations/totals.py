"""Files that sum up runs which others grade: totals beside the runs that they name, and no runs."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Any, Final

from evalcore.disk.reader import Reader
from evalcore.disk.values import Node
from evalcore.families.base import Plan
from evalcore.families.iterations.agreement import PASS_RATE, agrees, is_explained, note_mismatch
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
WHOLE: Final = frozenset(("overall", "total", "totals", "summary", "aggregate", "all"))
"""What sums of all runs are called."""
DEEPEST: Final = 4
HINT: Final = "Write the summary again from the gradings."


def holds_totals(value: Any) -> bool:
    """Say whether a document sums up runs that it names."""
    return any(_totals(value))


def _totals(
    value: Any, at: str = "", above: tuple[str, ...] = ()
) -> Iterator[tuple[dict[str, Any], str, tuple[str, ...]]]:
    """Yield the innermost objects with sums, each with pointer and the names of and above it."""
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
            yield value, at, names


def read_totals(plan: Plan, reader: Reader, rows: Rows, facts: list[Facts], cases: Cases) -> None:
    """Add the totals of the summaries of a suite, each compared with the run that it names.

    A run is named by its path, or by its eval and configuration. A total that names none may be of
    all runs of a configuration, or of the version.
    """
    for path in plan.of("totals"):
        version = version_of(path) or CURRENT
        by_name: dict[str, Facts] = {}
        of_case: dict[tuple[str, str], list[Facts]] = defaultdict(list)
        for fact in facts:
            if fact.path:
                by_name.setdefault(_plain(f"{fact.version}/{fact.path}"), fact)
            if fact.path and fact.version == version:
                by_name.setdefault(_plain(fact.path), fact)
            if fact.version == version:
                of_case[fact.case_id, fact.configuration].append(fact)
        unknown: list[str] = []
        for value, at, names in _totals(reader.json(path)):
            item, side = Node(reader, path, value, at, plan.suite), configuration_named(value)
            called = (_plain(name) for name in (*names, "/".join(reversed(names))) if name)
            run = next((by_name[name] for name in called if name in by_name), None)
            if run is None:
                of = side or next(filter(is_configuration, names), NONE)
                meant = (cases.numbered(version, n) or cases.by_id.get(n) for n in names)
                found = [of_case.get((case.case_id, of), []) for case in meant if case is not None]
                run = next((runs[0] for runs in found if len(runs) == 1), None)
            runs = [] if run is None else [run]
            sides = {*names, *([] if side is None else [side])} - WHOLE
            if run is None and (sides or not WHOLE.isdisjoint(names)):
                every = [fact for found in of_case.values() for fact in found]
                runs = [fact for fact in every if {fact.configuration} >= sides]
            if not runs:
                unknown.append(names[0])
                continue
            figures, what = figures_of(item), f"The total of {names[0][:60]!r}"
            rate, rates = figures.rate, [fact.pass_rate for fact in runs]
            if run is not None and not agrees(figures, run):
                told = _shown(figures.passed, figures.total, rate)
                given = _shown(run.passed, run.total, run.pass_rate)
                note_mismatch(item, what, told, f"its grading gives {given}", HINT)
            if rate is None:
                continue
            computed = mean(rates) if run is None else None
            if computed is not None and not is_explained(rate, PASS_RATE, runs, rates):
                given = f"its gradings give {computed:.4g}"
                note_mismatch(item, what, f"{rate:.4g}", given, HINT)
            configurations = {fact.configuration for fact in runs}
            of = configurations.pop() if len(configurations) == 1 else NONE
            Stated(rows, plan.suite, runs[0].version).number(
                item, None if of == NONE else of, PASS_RATE, rate, case_id=run and run.case_id
            )
        if unknown:
            what = f"{len(unknown)} of the totals here name no run that is graded, "
            what += f"the first {unknown[0][:60]!r}."
            hint = "Name each run by its path below the iteration, such as eval-1/with_skill."
            reader.problem(path, "", "info", "totals-without-run", what, hint, plan.suite)


def _shown(passed: int | None, total: int | None, rate: float | None) -> str:
    return f"{rate or 0.0:.4g}" if passed is None or total is None else f"{passed} of {total}"


def _plain(name: str) -> str:
    """Return a path or an id of a run in one form."""
    name = slashed(name)
    for ending in ("/grading.json", "/run-1"):
        name = name.removesuffix(ending)
    return spelled(name.removeprefix("./").replace("/", "-"))
