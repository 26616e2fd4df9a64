"""The runs that only a benchmark has, to rows."""

import math
from collections import defaultdict
from typing import Final

from evalcore.disk.values import Node
from evalcore.families.iterations.amounts import finite
from evalcore.families.iterations.benchmark import Benchmarks
from evalcore.families.iterations.case import Case, Criterion
from evalcore.families.iterations.cases import Cases
from evalcore.families.iterations.checks import read_items
from evalcore.families.iterations.entries import Entries
from evalcore.families.iterations.figures import Figures, figures_of
from evalcore.families.iterations.listed import Listed, listed
from evalcore.families.iterations.runs import (
    NO_CHECKS,
    RUBRIC_MAX,
    Facts,
    RunContext,
    SuiteContext,
    about,
    run_row,
)
from evalcore.families.iterations.words import ITEM_LISTS
from evalcore.ids import run_id
from evalcore.layouts.iterations import BASELINES, NONE, RunLocation
from evalcore.numbers import disagrees, mean
from evalcore.shapes import columns
from evalcore.shapes.remarks import About

NOTES: Final = ("notes", "note")


def add_listed_runs(
    benchmarks: Benchmarks, context: SuiteContext, cases: Cases, facts: list[Facts]
) -> list[Facts]:
    """Add the runs that a benchmark lists and no grading holds."""
    cases.skill_name = cases.skill_name or benchmarks.skill_name
    runs = _BenchmarkRunReader(benchmarks, context, cases, facts)
    for version, node in benchmarks.documents:
        runs.read(version, node)
    context.flush()
    return list(runs.added.values())


class _BenchmarkRunReader:
    """Takes down the runs of one suite's benchmarks."""

    def __init__(
        self, benchmarks: Benchmarks, context: SuiteContext, cases: Cases, facts: list[Facts]
    ) -> None:
        self.benchmarks = benchmarks
        self.context = context
        self.cases = cases
        self.added: dict[str, Facts] = {}
        self._entries = Entries(context)
        self._graded: dict[tuple[str, str], dict[str, list[Facts]]] = defaultdict(dict)
        for fact in facts:
            sides = self._graded[fact.version, fact.case_id]
            sides.setdefault(fact.configuration, []).append(fact)
        self._noted: set[str] = set()
        self._list_of: dict[tuple[str, str, str], tuple[str, str]] = {}

    def read(self, version: str, node: Node) -> None:
        """Add the runs of one benchmark document, and what it says of each eval."""
        seen: dict[tuple[str, str], int] = {}
        percent = False
        entries = list(listed(node))
        named = {found.configuration for found in entries}
        for found in entries:
            at = _place(self.benchmarks.plan.root, version, node, found)
            case = self._case(version, at, found)
            figures = figures_of(found.item)
            percent = percent or figures.percent
            graded = self._graded.get((version, case.case_id), {})
            ours = _ours(graded, found.configuration) or self._renamed(
                graded, found, figures, named
            )
            key = None if ours else self._run(at, case, found, figures, seen)
            run = ours[0].run_id if len(ours) == 1 else key
            self._entries.add(version, case, found, figures, ours, run)
        if percent:
            node.note(
                "info",
                "rates-as-percent",
                "Pass rates are written as percent.",
                "Write them as fractions from 0 to 1.",
            )
        self._entries.check()

    def _case(self, version: str, at: RunLocation, found: Listed) -> Case:
        case = self.cases.numbered(version, found.eval_id)
        if case is None:
            case = self.cases.at(at, {"eval_id": found.eval_id})
            if found.name and not case.defined and case.name in (None, case.case_id):
                case.name = found.name
        return case

    def _renamed(
        self, graded: dict[str, list[Facts]], found: Listed, figures: Figures, named: set[str]
    ) -> list[Facts]:
        """Return the graded baseline that an entry of the same rate calls by another name."""
        rest = [name for name in graded if name in BASELINES and name not in named]
        if found.configuration not in BASELINES or len(rest) != 1 or figures.rate is None:
            return []
        computed = mean(fact.pass_rate for fact in graded[rest[0]])
        if computed is None or disagrees(figures.rate, computed):
            return []
        if found.item.path not in self._noted:
            self._noted.add(found.item.path)
            found.item.note(
                "warning",
                "configuration-differs",
                f"{found.configuration!r} is called {rest[0]!r} by the folders of its runs.",
                f"Write {rest[0]!r}, as the folders do.",
            )
        return graded[rest[0]]

    def _run(
        self,
        at: RunLocation,
        case: Case,
        found: Listed,
        figures: Figures,
        seen: dict[tuple[str, str], int],
    ) -> str | None:
        """Add one run unless nothing came of it, or another list of the file has it already."""
        item, side = found.item, (case.case_id, found.configuration)
        if found.group and not figures.any and not _has_items(item):
            return None
        here = (item.path, found.group)
        if self._list_of.setdefault((at.version, *side), here) != here:
            return None
        count = seen[side] = seen.get(side, 0) + 1
        number = finite(item.get("run_number"))
        run = str(count if number is None else int(number))
        at = at._replace(configuration=found.configuration, run=run)
        while (key := _key(self.context.suite, case.case_id, at)) in self.added:
            at = at._replace(run=f"{at.run}.{count}")
        model = item.get("model")
        model = model if isinstance(model, str) else self.benchmarks.model(at.version)
        place = RunContext(self.context.suite, at, case, None, False, model)
        self.added[key] = _add_run(self.context, key, place, item, figures)
        return key


def _ours(graded: dict[str, list[Facts]], configuration: str) -> list[Facts]:
    """Return the graded runs that an entry sums up; unnamed sides stand for all of them."""
    if configuration in graded:
        return graded[configuration]
    if configuration == NONE:
        return [fact for facts in graded.values() for fact in facts]
    return graded.get(NONE, [])


def _place(root: str, version: str, node: Node, found: Listed) -> RunLocation:
    """Return where a listed run would lie if it had a folder."""
    eval_id = found.eval_id
    if isinstance(eval_id, str) and not eval_id.isdecimal():
        words = eval_id
    else:
        words = found.name or (f"eval-{eval_id}" if eval_id is not None else "eval")
    folder = node.path.rpartition("/")[0]
    words = words.replace("/", "-")
    eval_folder = f"{folder}/{words}" if folder else words
    return RunLocation(
        root, version, eval_folder, found.configuration, eval_folder, "1", eval_folder
    )


def _key(suite: str, case_id: str, at: RunLocation) -> str:
    return run_id(suite, case_id, at.version, at.configuration, at.run)


def _has_items(item: Node) -> bool:
    return any(isinstance(item.get(name), list) and item.get(name) for name in ITEM_LISTS)


def _add_run(
    context: SuiteContext, key: str, place: RunContext, item: Node, figures: Figures
) -> Facts:
    """Add one run that only a benchmark describes; its items are read like a grading's."""
    judged = figures.by_verdict or _has_items(item)
    checks = read_items(context, key, place.case, item) if judged else NO_CHECKS
    scores = _quality(context, key, place.case, item)
    passed, total, rate = figures.passed, figures.total, figures.rate
    if checks.scored:
        passed, total, rate = checks.passed, checks.scored, checks.rate
    score, top = _float(passed), _float(total)
    if score is None and rate is not None:
        score, top = rate, 1.0
    row = run_row(key, place, "benchmark")._replace(
        status="completed",
        score=score,
        max_score=top,
        fraction=rate,
        checks_passed=passed,
        checks_total=total,
        duration_s=figures.seconds,
        tokens=figures.tokens,
        cost_usd=figures.cost,
        source=item.path,
        pointer=item.at,
    )
    context.add_run(row, checks.scored + scores, checks.all + scores)
    _add_notes(context, about(key, place), item)
    return Facts(
        version=place.at.version,
        configuration=place.at.configuration,
        case_id=place.case.case_id,
        run_id=key,
        pass_rate=rate,
        structural_rate=None,
        normalized=None,
        seconds=figures.seconds,
        tokens=figures.tokens,
        dimensions={},
        passed=passed,
        total=total,
    )


def _add_notes(context: SuiteContext, run: About, item: Node) -> None:
    """Add the notes that a benchmark has on one of its runs."""
    for name in NOTES:
        for text, where in item.texts(name) if isinstance(item.get(name), (str, list)) else ():
            context.remarks.note(item.path, where, run, "benchmark", text)


def _quality(context: SuiteContext, key: str, case: Case, item: Node) -> int:
    """Add the scores from 1 to 5 that an entry has beside its checks; return how many."""
    scores = item.child("quality")
    found = [
        (name, node, score)
        for name, node in (scores.fields() if isinstance(scores.value, dict) else ())
        if (score := finite(node.value)) is not None and 1 <= score <= RUBRIC_MAX
    ]
    context.count(item.path, len(found))
    if not found:
        return 0
    for name, node, _ in found:
        known = Criterion("rubric", name, name, scale=(1.0, RUBRIC_MAX))
        case.add(context.suite, known, node.path, node.at)
    criteria = [
        columns.Criterion("rubric", name, node.at, 1.0, RUBRIC_MAX, math.nan)
        for name, node, _ in found
    ]
    context.add_converted(key, item.path, lambda: criteria, [score for _, _, score in found])
    return len(found)


def _float(value: int | None) -> float | None:
    return None if value is None else float(value)
