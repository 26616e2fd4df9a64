"""What a benchmark says of one eval beside its run: aggregates of its own, and remarks."""

from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Final, NamedTuple

from evalcore.disk.values import Node
from evalcore.families.iterations.agreement import NEAR, PASS_RATE, Runs, is_explained
from evalcore.families.iterations.case import Case
from evalcore.families.iterations.figures import FIGURES, INNER, Figures, Leaf, leaf, places_of
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
    """The numbers of runs that are listed one by one, and the graded runs they are of."""

    case: Case
    item: Node
    ours: list[Facts]
    all: list[Figures]


class Entries:
    """Adds what a benchmark says of its evals."""

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
        item, entry, side = found.item, found.entry, found.configuration
        rate = None if figures.by_verdict else figures.rate
        if found.group:
            seconds, tokens = figures.seconds, figures.tokens
            stored = ("pass_rate", rate), ("time_seconds", seconds), ("tokens", tokens)
            for metric, value in stored:
                if value is not None:
                    self._number(version, case, side, metric, Leaf(metric, item, value, None))
            _compare(case, item, rate, ours)
        elif ours and rate is not None:
            key = item.path, version, case.case_id, side
            self._listed.setdefault(key, _Listed(case, item, ours, [])).all.append(figures)
        is_whole = item.value is entry.value
        if is_whole or item.at != entry.at:
            for place in places_of(item):
                self._leaves(version, case, side, _further(place, INNER), about)
        if not is_whole and (entry.path, entry.at) not in self._added:
            self._added.add((entry.path, entry.at))
            self._leaves(version, case, NONE, chain(_further(entry), _deltas(entry)), None)

    def check(self) -> None:
        """Hold the runs that were listed one by one against as many graded ones."""
        for case, item, ours, stated in self._listed.values():
            if len(stated) == len(ours) == 1 and _miscounts(stated[0], ours[0]):
                told, run = stated[0], ours[0]
                counts = f"{told.passed} of {told.total}", f"{run.passed} of {run.total}"
                _note(case, item, *counts)
            elif len(stated) == len(ours):
                _compare(case, item, mean(each.rate for each in stated), ours)
        self._listed.clear()

    def _leaves(
        self,
        version: str,
        case: Case,
        configuration: str,
        leaves: Iterable[Leaf],
        about: str | None,
    ) -> None:
        """Add what stands under further names: numbers as aggregates, texts as notes."""
        for each in leaves:
            head, _, rest = each.name.partition(".")
            if each.number is None:
                self.context.rows.add(
                    NoteRow(
                        suite=self.context.suite,
                        run_id=about,
                        version=version,
                        kind="benchmark",
                        target=each.name if about else f"{case.name or case.case_id}: {each.name}",
                        text=each.text,
                        source=each.node.path,
                        pointer=each.node.at,
                    )
                )
            elif head == "delta":
                metric = rest.removesuffix("_improvement") or "pass_rate"
                self._number(version, case, "delta", metric, each)
            else:
                self._number(version, case, configuration, each.name, each)

    def _number(
        self, version: str, case: Case, configuration: str, metric: str, leaf: Leaf
    ) -> None:
        self.context.rows.add(
            BenchmarkRow(
                suite=self.context.suite,
                version=version,
                configuration=None if configuration == NONE else configuration,
                case_id=case.case_id,
                metric=metric,
                mean=leaf.number,
                origin="stored",
                text=leaf.text,
                source=leaf.node.path,
                pointer=leaf.node.at,
            )
        )


def _further(place: Node, inner: tuple[str, ...] = ()) -> Iterator[Leaf]:
    """Yield what an object says under further names than those that are read elsewhere.

    Its configurations, and the objects `inner`, are entries or places of their own.
    """
    for name, value in place.value.items() if isinstance(place.value, dict) else ():
        is_place = name in inner and isinstance(value, dict)
        if name not in KNOWN and not is_place and not is_configuration(name.partition(".")[0]):
            yield from leaf(name, place.child(name))


def _deltas(entry: Node) -> Iterator[Leaf]:
    """Yield the differences that stand beside the sides of an eval."""
    for name in (*SIDES, "results"):
        held = entry.get(name)
        if isinstance(held, dict) and held.get("delta") is not None:
            yield from leaf("delta", entry.child(name).child("delta"))


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
