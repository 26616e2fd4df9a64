"""What a benchmark says of one eval beside its run: aggregates of its own, and remarks."""

from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Final, NamedTuple

from evalcore.disk.values import Node
from evalcore.families.iterations.agreement import (
    NEAR,
    PASS_RATE,
    Runs,
    is_explained,
    note_mismatch,
)
from evalcore.families.iterations.case import Case
from evalcore.families.iterations.figures import FIGURES, INNER, Figures, Leaf, leaf
from evalcore.families.iterations.listed import SIDES, Listed
from evalcore.families.iterations.runs import Facts, SuiteContext
from evalcore.families.iterations.split_runs import VAGUE
from evalcore.families.iterations.stated import Stated
from evalcore.layouts.iterations import NONE
from evalcore.names import CONFIGURATION, EVAL_ID, EVAL_NAME, ITEMS, SKILL, snake
from evalcore.numbers import mean

KNOWN: Final = frozenset(
    (*FIGURES, *EVAL_ID, *EVAL_NAME, *ITEMS, *SIDES, "notes", "note", "quality",
     "run_number", "run", "run_id", "runs",
     "run_index", *SKILL, *CONFIGURATION, "prompt", "category", "kind", "timestamp", "tool_calls",
     "errors", "model")
).difference(VAGUE)  # fmt: skip


class _Listed(NamedTuple):
    """The numbers of runs that are listed one by one, and the graded runs they are of."""

    case: Case
    item: Node
    ours: list[Facts]
    all: list[Figures]


class Entries:
    """Adds what one benchmark document says of its evals."""

    def __init__(self, context: SuiteContext, version: str) -> None:
        self.stated = Stated(context.rows, context.suite, version)
        self._added: set[str] = set()
        """The pointers of the entries whose further fields were added."""
        self._listed: dict[tuple[str, str], _Listed] = {}
        """Case and configuration to the runs that are listed one by one."""

    def add(
        self,
        case: Case,
        found: Listed,
        places: list[Node],
        figures: Figures,
        ours: list[Facts],
        about: str | None,
    ) -> None:
        """Add the rows of one entry, whose numbers stand in `places`.

        `ours` are its graded runs, `about` the one run it is of.
        """
        item, entry = found.item, found.entry
        side = None if found.configuration == NONE else found.configuration
        rate = None if figures.by_verdict else figures.rate
        if found.group:
            seconds, tokens = figures.seconds, figures.tokens
            stored = ("pass_rate", rate), ("time_seconds", seconds), ("tokens", tokens)
            for metric, value in stored:
                if value is not None:
                    self.stated.number(item, side, metric, {"mean": value}, case.case_id)
            _compare(case, item, rate, ours)
        elif ours and rate is not None:
            key = case.case_id, found.configuration
            self._listed.setdefault(key, _Listed(case, item, ours, [])).all.append(figures)
        is_whole = item.value is entry.value
        # The numbers of flat sides are gathered, but stand in the entry: they say nothing further.
        if is_whole or item.at != entry.at:
            for place in places:
                self._leaves(case, side, _further(place, found, INNER), about)
        for name, node in found.beside.items():
            if name not in KNOWN:
                self._leaves(case, side, leaf(name, node), about)
        if not is_whole and entry.at not in self._added:
            self._added.add(entry.at)
            self._leaves(case, None, chain(_further(entry, found), _deltas(entry)), None)

    def check(self) -> None:
        """Hold the runs that were listed one by one against as many graded ones."""
        for case, item, ours, stated in self._listed.values():
            if len(stated) == len(ours) == 1 and miscounts(stated[0], ours[0]):
                told, run = stated[0], ours[0]
                counts = f"its gradings give {run.passed} of {run.total}"
                note_mismatch(item, _rate_of(case), f"{told.passed} of {told.total}", counts)
            elif len(stated) == len(ours):
                _compare(case, item, mean(each.rate for each in stated), ours)

    def _leaves(
        self, case: Case, configuration: str | None, leaves: Iterable[Leaf], about: str | None
    ) -> None:
        """Add what stands under further names: numbers as aggregates, texts as notes."""
        for name, node, number, text in leaves:
            head, _, rest = name.partition(".")
            if number is None:
                target = name if about else f"{case.name or case.case_id}: {name}"
                self.stated.note(text, node.path, node.at, target, about)
            elif head == "delta":
                metric = rest.removesuffix("_improvement") or "pass_rate"
                self.stated.number(node, "delta", metric, {"mean": number}, case.case_id)
            else:
                self.stated.number(node, configuration, name, {"mean": number}, case.case_id)


def _further(place: Node, found: Listed, inner: tuple[str, ...] = ()) -> Iterator[Leaf]:
    """Yield what an object says under further names than those that are read elsewhere.

    Its configurations, the fields named after one, and the objects `inner` are read elsewhere.
    """
    inside = f"{place.at}/"
    taken = [used for used in found.used if used.startswith(inside)]
    for name in place.value if isinstance(place.value, dict) else ():
        known = name in KNOWN or snake(name) in KNOWN or name in found.beside
        if known or (name in inner and isinstance(place.value[name], dict)):
            continue
        for each in leaf(name, place.child(name)):
            at = f"{each.node.at}/"
            if not any(at.startswith(f"{used}/") for used in taken):
                yield each


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
        found = f"its gradings give {computed:.4g}"
        note_mismatch(item, _rate_of(case), f"{stated:.4g}", found)


def _rate_of(case: Case) -> str:
    return f"The pass rate of {case.case_id!r}"


def miscounts(stated: Figures, run: Facts) -> bool:
    """Say whether counts of passed and of all contradict those of a graded run's items."""
    rules = run.structural_rate
    if rules is not None and stated.rate is not None and abs(stated.rate - rules) <= NEAR:
        return False
    pairs = ((stated.passed, run.passed), (stated.total, run.total))
    return all(None not in pair for pair in pairs) and not all(
        (one or 0) <= (told or 0) <= (one or 0) + run.unscored for told, one in pairs
    )
