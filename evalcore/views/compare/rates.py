"""Both sides' rates with intervals, the resources of a run, and the agreement of repeated runs."""

from collections.abc import Callable, Sequence
from typing import Final

from evalcore.comparing.model import Comparison, Estimate, Measure, Named, Repeats, Slice
from evalcore.comparing.sample import SHARED_HEADLINE
from evalcore.counting.rates import EFFICIENCY, SHARE
from evalcore.statistics.verdict import Verdict
from evalcore.views.blocks.base import Block
from evalcore.views.blocks.comparison import Difference, SideRate, Strip, Strips
from evalcore.views.blocks.page import Cell, Heading, Row, Say, Table
from evalcore.views.verdict.differences import agreeing_places, points, span
from evalcore.views.verdict.limits import capital
from evalcore.views.verdict.sentence import likely_words, side_words
from evalcore.views.words import wording

Sides = tuple[Named | None, Named | None]
AXIS: Final = {True: ["0", "0.5", "1"], False: ["0 %", "50 %", "100 %"]}
_SAY: Final[dict[str, Callable[[float | None], str]]] = {
    "time": wording.duration,
    "tokens": wording.tokens,
    "cost": wording.cost,
}
TITLE: Final = "Time, tokens and cost"
_MARKS: Final = {1: ("▲", "better"), 0: ("=", "tie"), -1: ("▼", "worse")}
"""The sign and the mark of a verdict by its direction."""


def rate_blocks(found: Comparison) -> list[Block]:
    """Describe both rates as strips on one axis."""
    if found.estimate_a is None or found.estimate_b is None or found.verdict is None:
        return []
    title = f"{capital(found.headline)}, mean over cases"
    estimates = found.estimate_a, found.estimate_b
    sides = (found.a, found.b)
    a, b, difference = strip_values(*estimates, found.verdict, found.headline, sides)
    row = Strip(id="headline", name=title, a=a, b=b, difference=difference)
    axis = AXIS[found.headline == EFFICIENCY]
    blocks: list[Block] = [Strips(title, axis, [row], large=True)]
    ended = [_outcome(one) for one in found.outcomes if one.name != found.headline]
    return [*blocks, Strips("How runs ended", AXIS[False], ended)] if ended else blocks


def _outcome(one: Slice) -> Strip:
    a, b, difference = strip_values(one.a, one.b, one.verdict, SHARE)
    return Strip(id=f"outcome:{one.name}", name=one.name, a=a, b=b, difference=difference)


def strip_values(
    a: Estimate, b: Estimate, verdict: Verdict | None, headline: str, sides: Sides = (None, None)
) -> tuple[SideRate, SideRate, Difference]:
    """Describe both sides of a strip and their difference, with decimals that agree."""
    places = agreeing_places(a.value, b.value, headline)
    return (
        _side(a, headline, sides[0], places),
        _side(b, headline, sides[1], places),
        _difference(verdict, headline, places),
    )


def _side(given: Estimate, headline: str, named: Named | None, places: int) -> SideRate:
    """Describe one side of a strip: its value, its interval, and how many cases and runs."""
    who = f"{side_words(named)}: " if named is not None else ""
    if given.value is None:
        text = f"{who}{wording.NOT_SCORED}"
        return SideRate(value=None, low=None, high=None, text=text)
    value = wording.headline(given.value, headline, places)
    of = f"{value} over {wording.count(given.cases, 'case')}"
    runs = "" if given.runs == given.cases else f", {wording.count(given.runs, 'run')}"
    text = f"{who}{of}{runs}"
    return SideRate(value=given.value, low=given.low, high=given.high, text=text)


def _difference(verdict: Verdict | None, headline: str, places: int) -> Difference:
    """Describe the difference of a strip, its interval and the word of its verdict."""
    if verdict is None:
        return Difference(difference="", word="one case: no verdict", mark="tie", dim=True)
    sign, mark = _MARKS[verdict.direction]
    parts = f"{sign} {verdict.word}", likely_words(verdict, headline)
    return Difference(
        difference=points(verdict.difference, headline, places),
        word=", ".join(part for part in parts if part),
        mark=mark,
        dim=verdict.direction == 0,
    )


def measure_blocks(found: Comparison) -> list[Block]:
    """Describe time, tokens and cost per run; more is neither better nor worse.

    What no case has on both sides is named in one sentence below the others.
    """
    measured = [one for one in found.measures if one.difference is not None]
    missing = [one.name for one in found.measures if one.difference is None]
    blocks: list[Block] = []
    if measured:
        head = [("per run", False), ("A", True), ("B", True), ("difference", True), ("n", True)]
        rows = [Row(list(_measure_cells(one))) for one in measured]
        hint = "means over the cases that both sides measured"
        blocks = [Heading(TITLE, hint), Table(TITLE, head, rows)]
    return [*blocks, Say(_not_measured(missing), quiet=True)] if missing else blocks


def _not_measured(names: Sequence[str]) -> str:
    were = "was" if names in (["time"], ["cost"]) else "were"
    return f"{wording.listed(names).capitalize()} {were} not measured on both sides of any case."


def _measure_cells(one: Measure) -> list[Cell]:
    word = _SAY[one.name]
    likely = ""
    if one.low is not None and one.high is not None:
        likely = f"likely between {_signed(word, one.low)} and {_signed(word, one.high)}"
    return [
        Cell(one.name),
        Cell(word(one.a), num=True),
        Cell(word(one.b), num=True),
        Cell(_signed(word, one.difference or 0.0), sub=likely, num=True),
        Cell(wording.count(one.cases, "case"), num=True),
    ]


def _signed(word: Callable[[float | None], str], amount: float) -> str:
    """Return an amount with its sign before its unit."""
    sign = "+" if amount > 0 else wording.MINUS if amount < 0 else ""
    return f"{sign}{word(abs(amount))}"


def repeat_blocks(found: Comparison) -> list[Block]:
    """Describe how well runs of the same case agree, and the effect of chance alone."""
    sides = (("A", found.a, found.repeats_a), ("B", found.b, found.repeats_b))
    title = Heading("Repeats", "cases with two or more runs")
    if found.repeats_a is None and found.repeats_b is None:
        return [
            title,
            Say(
                "Every case ran once on each side: how far runs agree needs a second "
                "run of the same case.",
                quiet=True,
            ),
        ]
    both = (found.repeats_a, found.repeats_b)
    of_k = [k for one in both if one for k, _ in (*one.pass_at, *one.pass_all) if k > 1]
    rows = [_repeat_row("cases whose runs agree", both, _agreeing)]
    if of_k:
        most = max(of_k)
        at_least = f"at least one of {most} runs passes (pass@{most})"
        rows.append(_repeat_row(at_least, both, lambda one: _of_k(one.pass_at, most)))
        every = f"all {most} runs pass (pass^{most})"
        rows.append(_repeat_row(every, both, lambda one: _of_k(one.pass_all, most)))
    rows.append(_repeat_row("consistency of all runs (1 − stddev / mean)", both, _consistency))
    noise = [
        Say(
            f"Noise floor: ±{span(one.noise, found.headline)} if {side_words(named)} ran again "
            f"({wording.count(one.cases, 'case')}).",
            quiet=True,
        )
        for _, named, one in sides
        if one is not None and one.noise is not None
    ]
    head = [("", False), ("A", True), ("B", True)]
    return [title, Table("Repeats", head, rows), *noise]


def _repeat_row(
    name: str, both: tuple[Repeats | None, ...], cell_of: Callable[[Repeats], Cell]
) -> Row:
    once = Cell("one run a case", num=True, quiet=True)
    return Row([Cell(name), *(once if one is None else cell_of(one) for one in both)])


def _agreeing(one: Repeats) -> Cell:
    return Cell(f"{one.agreeing:,} of {one.cases:,}", num=True)


def _of_k(found: tuple[tuple[int, float], ...], k: int) -> Cell:
    value = dict(found).get(k)
    if value is None:
        return Cell(f"needs {k} runs of each case", num=True, quiet=True)
    return Cell(wording.percent(value), num=True)


def _consistency(one: Repeats) -> Cell:
    if one.consistency is None:
        return Cell("no mean above 0", num=True, quiet=True)
    return Cell(wording.fixed(one.consistency), num=True)


def scale_note(found: Comparison) -> str:
    """Explain the values of the strips."""
    if found.headline == EFFICIENCY:
        return "From 0 to 1: the mean of structural pass rate and of the weighted score over 5."
    if found.headline == SHARE:
        return "A case is worth the share of its runs that passed; a side the mean over its cases."
    if found.headline == SHARED_HEADLINE:
        return "A case is worth the mean of the criteria that both sides were asked."
    return "A case is worth the share of its checks that passed; a side the mean over its cases."
