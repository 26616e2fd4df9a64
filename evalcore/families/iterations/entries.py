"""What a benchmark says of one eval beside its run: aggregates of its own, and remarks."""

from collections.abc import Iterator
from itertools import chain
from typing import Final, NamedTuple

from evalcore.disk.values import Node
from evalcore.families.iterations.agreement import NEAR, PASS_RATE, Runs, is_explained
from evalcore.families.iterations.case import Case
from evalcore.families.iterations.figures import (
    FIGURES,
    INNER,
    Figures,
    Leaf,
    leaf,
    leaves,
    places_of,
)
from evalcore.families.iterations.listed import SIDES, Listed
from evalcore.families.iterations.runs import Facts, SuiteContext
from evalcore.layouts.iterations import NONE, is_configuration
from evalcore.names import EVAL_ID, EVAL_NAME, ITEMS
from evalcore.numbers import mean
from evalcore.tables.rows import BenchmarkRow, NoteRow

KNOWN: Final = frozenset(
    (*FIGURES, *EVAL_ID, *EVAL_NAME, *ITEMS, *SIDES, "notes", "note", "quality",
     "configuration", "config", "condition", "variant", "run_number", "run", "run_id", "runs",
     "prompt", "category", "timestamp", "tool_calls", "errors", "model")
)  # fmt: skip


class _Listed(NamedTuple):
    """The rates of runs that are listed one by one, and the graded runs they are of."""

    case: Case
    item: Node
    ours: list[Facts]
    all: list[Figures]


class Entries:
    """Keeps what a benchmark says of its evals."""

    def __init__(self, context: SuiteContext) -> None:
        self.context = context
        self._added: set[tuple[str, str]] = set()
        self._listed: dict[tuple[str, ...], _Listed] = {}

    def add(
        self,
        version: str,
        case: Case,
        found: Listed,
        figures: Figures,
        ours: list[Facts],
        about: str | None,
    ) -> None:
        """Add the rows of one entry; `ours` are its graded runs, `about` the one run it is of."""
        item, entry = found.item, found.entry
        if found.group:
            self._aggregates(version, case, found, figures)
            _compare(case, item, None if figures.by_verdict else figures.rate, ours)
        elif ours and figures.rate is not None and not figures.by_verdict:
            key = item.path, version, case.case_id, found.configuration
            self._listed.setdefault(key, _Listed(case, item, ours, [])).all.append(figures)
        if item.at != entry.at or item.value is entry.value:
            for place in places_of(item):
                inner = {name for name in INNER if isinstance(place.get(name), dict)}
                for each in leaves(place, KNOWN | inner):
                    self._leaf(version, case, found.configuration, each, about)
        if item.value is not entry.value and (entry.path, entry.at) not in self._added:
            self._added.add((entry.path, entry.at))
            for each in chain(leaves(entry, KNOWN), _deltas(entry)):
                self._leaf(version, case, NONE, each, None)

    def check(self) -> None:
        """Hold the runs that were listed one by one against as many graded ones."""
        for case, item, ours, stated in self._listed.values():
            if len(stated) == len(ours) == 1 and _miscounts(stated[0], ours[0]):
                _note(
                    case,
                    item,
                    "{} of {}".format(*stated[0][:2]),
                    f"{ours[0].passed} of {ours[0].total}",
                )
            elif len(stated) == len(ours):
                _compare(case, item, mean(each.rate for each in stated), ours)
        self._listed.clear()

    def _aggregates(self, version: str, case: Case, found: Listed, figures: Figures) -> None:
        stored = {
            "pass_rate": None if figures.by_verdict else figures.rate,
            "time_seconds": figures.seconds,
            "tokens": figures.tokens,
        }
        for metric, value in stored.items():
            if value is not None:
                leaf = Leaf(metric, found.item, value, None)
                self._number(version, case, found.configuration, metric, leaf)

    def _leaf(
        self, version: str, case: Case, configuration: str, leaf: Leaf, about: str | None
    ) -> None:
        head, _, rest = leaf.name.partition(".")
        if is_configuration(head):
            return
        if leaf.number is None:
            self.context.rows.add(
                NoteRow(
                    suite=self.context.suite,
                    run_id=about,
                    version=version,
                    kind="benchmark",
                    target=leaf.name if about else f"{case.name or case.case_id}: {leaf.name}",
                    text=leaf.text,
                    source=leaf.node.path,
                    pointer=leaf.node.at,
                )
            )
        elif head == "delta":
            metric = rest.removesuffix("_improvement") or "pass_rate"
            self._number(version, case, "delta", metric, leaf)
        else:
            self._number(version, case, configuration, leaf.name, leaf)

    def _number(
        self, version: str, case: Case, configuration: str, metric: str, leaf: Leaf
    ) -> None:
        side = None if configuration == NONE else configuration
        self.context.rows.add(
            BenchmarkRow(
                suite=self.context.suite,
                version=version,
                configuration=side,
                case_id=case.case_id,
                metric=metric,
                mean=leaf.number,
                origin="stored",
                text=leaf.text,
                source=leaf.node.path,
                pointer=leaf.node.at,
            )
        )


def _deltas(entry: Node) -> Iterator[Leaf]:
    """Yield the differences that stand beside the sides of an eval."""
    for name in (*SIDES, "results"):
        held = entry.child(name)
        if isinstance(held.value, dict) and held.has("delta"):
            yield from leaf("delta", held.child("delta"))


def _compare(case: Case, item: Node, stated: float | None, ours: list[Facts]) -> None:
    """Note a pass rate that the graded runs of one configuration contradict."""
    computed = mean(fact.pass_rate for fact in ours)
    if stated is None or computed is None or len({fact.configuration for fact in ours}) > 1:
        return
    # A rubric's benchmark may list the structural checks, which its summary is made of.
    either = ([fact.pass_rate for fact in ours], [fact.structural_rate for fact in ours])
    if not any(is_explained(stated, PASS_RATE, Runs(ours, values)) for values in either):
        _note(case, item, f"{stated:.4g}", f"{computed:.4g}")


def _miscounts(stated: Figures, run: Facts) -> bool:
    """Say whether counts of passed and of all contradict those of a grading."""
    rules = run.structural_rate
    if rules is not None and stated.rate is not None and abs(stated.rate - rules) <= NEAR:
        return False
    pairs = ((stated.passed, run.passed), (stated.total, run.total))
    return all(None not in pair for pair in pairs) and not all(
        (one or 0) <= (told or 0) <= (one or 0) + run.unscored for told, one in pairs
    )


def _note(case: Case, item: Node, stated: str, computed: str) -> None:
    item.note(
        "warning",
        "derived-mismatch",
        f"The pass rate of {case.case_id!r} is {stated}, but its gradings give {computed}.",
        "Aggregate the benchmark again.",
    )
