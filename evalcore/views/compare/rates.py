"""The tab of rates: both sides' rates, the runs that each lost, resources, and repeated runs."""

from collections.abc import Callable
from typing import Any, Final

from evalcore.comparing.model import Comparison, Estimate, Measure, Named, Repeats
from evalcore.comparing.sample import SHARED_HEADLINE
from evalcore.counting.rates import EFFICIENCY, SHARE
from evalcore.statistics.verdict import Verdict
from evalcore.views.blocks.base import Block, PanelData
from evalcore.views.blocks.comparison import Strips
from evalcore.views.blocks.page import Cell, Heading, Row, Say, Table, heads, number_cell
from evalcore.views.verdict.differences import agreeing_places, between, points, span
from evalcore.views.verdict.limits import capital, lost_words
from evalcore.views.verdict.sentence import likely_words
from evalcore.views.verdict.sides import side_words
from evalcore.views.words import wording

Sides = tuple[Named | None, Named | None]
AXIS: Final = {True: ["0", "0.5", "1"], False: ["0 %", "50 %", "100 %"]}
TITLE: Final = "Time, tokens and cost"
_MARKS: Final = {1: ("▲", "better"), 0: ("=", "tie"), -1: ("▼", "worse")}
"""The sign and the mark of a verdict by its direction."""


def rate_blocks(found: Comparison) -> list[Block]:
    """Describe both rates as strips on one axis."""
    if found.estimate_a is None or found.estimate_b is None or found.verdict is None:
        return []
    title, sides = f"{capital(found.headline)}, mean over cases", (found.a, found.b)
    a, b = found.estimate_a, found.estimate_b
    values = strip_values(a, b, found.verdict, found.headline, sides)
    axis = AXIS[found.headline == EFFICIENCY]
    blocks: list[Block] = [Strips(title, axis, [strip("headline", title, values)], large=True)]
    ended = [
        strip(f"outcome:{one.name}", one.name, strip_values(one.a, one.b, one.verdict, SHARE))
        for one in found.outcomes
        if one.name != found.headline
    ]
    return [*blocks, Strips("How runs ended", AXIS[False], ended)] if ended else blocks


def strip(name: str, words: str, values: PanelData, **more: Any) -> PanelData:
    """Return a strip with its values; `more` says what stands below it and what a click does."""
    usual = {"sub": "", "hint": "", "act": None, "on": False}
    return {"id": name, "name": words} | values | usual | more


def strip_values(
    a: Estimate, b: Estimate, verdict: Verdict | None, headline: str, sides: Sides = (None, None)
) -> PanelData:
    """Describe both sides of a strip and their difference, with decimals that agree."""
    places = agreeing_places(a.value, b.value, headline)
    difference = {"difference": "", "word": "one case: no verdict", "mark": "tie", "dim": True}
    if verdict is not None:
        sign, mark = _MARKS[verdict.direction]
        parts = f"{sign} {verdict.word}", likely_words(verdict, headline)
        difference = {
            "difference": points(verdict.difference, headline, places),
            "word": ", ".join(part for part in parts if part),
            "mark": mark,
            "dim": verdict.direction == 0,
        }
    return {
        "a": _side(a, headline, sides[0], places),
        "b": _side(b, headline, sides[1], places),
        "difference": difference,
    }


def _side(given: Estimate, headline: str, named: Named | None, places: int) -> PanelData:
    """Describe one side of a strip: its value, its interval, and how many cases and runs."""
    text = f"{side_words(named)}: " if named is not None else ""
    if given.value is None:
        return {"value": None, "low": None, "high": None, "text": f"{text}{wording.NOT_SCORED}"}
    value = wording.headline(given.value, headline, places)
    text += f"{value} over {wording.count(given.cases, 'case')}"
    if given.runs != given.cases:
        text += f", {wording.count(given.runs, 'run')}"
    return {"value": given.value, "low": given.low, "high": given.high, "text": text}


def scale_note(found: Comparison) -> str:
    """Explain the values of the strips."""
    if found.headline == EFFICIENCY:
        return "From 0 to 1: the mean of structural pass rate and of the weighted score over 5."
    if found.headline == SHARE:
        return "A case is worth the share of its runs that passed; a side the mean over its cases."
    if found.headline == SHARED_HEADLINE:
        return "A case is worth the mean of the criteria that both sides were asked."
    return "A case is worth the share of its checks that passed; a side the mean over its cases."


def lost_blocks(found: Comparison) -> list[Block]:
    """Describe what each side lost, by reason; nothing if neither lost any."""
    lost = found.lost
    by_kind = [{(one.what, one.why): one for one in of} for of in (lost.a, lost.b)]
    kinds = by_kind[0] | by_kind[1]
    if not kinds:
        return []
    rows = []
    for kind in kinds:
        sides = [of.get(kind) for of in by_kind]
        cells = [
            Cell("none", num=True, quiet=True)
            if one is None
            else Cell(f"{one.n:,} of {one.of:,}", num=True)
            for one in sides
        ]
        words = next(lost_words(one, found.scores) for one in sides if one is not None)
        rows.append(Row([Cell(words), *cells]))
    # What the lost runs could change; those that timed out count already.
    if all(why == "timed out" for _, why in kinds):
        bounds = "They count as failed, so the difference is compared as it is."
    elif not lost.unequal:
        bounds = "Both sides lost equal shares, so the difference is compared as it is."
    elif lost.low is None or lost.high is None:
        bounds = "The sides lost unequal shares."
    else:
        bounds = (
            "The sides lost unequal shares. Counted once against B and once for it, the difference "
            f"is {between(lost.low, lost.high, found.headline)}; better or worse is told only if "
            "both agree."
        )
    return [
        Heading("Lost runs", "of the cases that both sides ran"),
        Table("Lost runs", heads("", "#A", "#B"), rows),
        Say(bounds, quiet=True),
    ]


def measure_blocks(found: Comparison) -> list[Block]:
    """Describe time, tokens and cost per run; more is neither better nor worse.

    What no case has on both sides is named in one sentence below the others.
    """
    measured = [one for one in found.measures if one.difference is not None]
    missing = [one.name for one in found.measures if one.difference is None]
    blocks: list[Block] = []
    if measured:
        head = heads("per run", "#A", "#B", "#difference", "#n")
        hint = "means over the cases that both sides measured"
        blocks = [
            Heading(TITLE, hint),
            Table(TITLE, head, [measured_row(one, wording.AMOUNTS[one.name]) for one in measured]),
        ]
    if missing:
        were = "was" if missing in (["time"], ["cost"]) else "were"
        names = wording.listed(missing).capitalize()
        blocks.append(Say(f"{names} {were} not measured on both sides of any case.", quiet=True))
    return blocks


def measured_row(one: Measure, word: Callable[[float | None], str]) -> Row:
    """Describe a measure with its amounts in words, and the interval of the difference."""

    def signed(amount: float) -> str:
        sign = "+" if amount > 0 else wording.MINUS if amount < 0 else ""
        return f"{sign}{word(abs(amount))}"

    likely = ""
    if one.low is not None and one.high is not None:
        likely = f"likely between {signed(one.low)} and {signed(one.high)}"
    return Row(
        [
            Cell(one.name),
            Cell(word(one.a), num=True),
            Cell(word(one.b), num=True),
            Cell(signed(one.difference or 0.0), sub=likely, num=True),
            Cell(wording.count(one.cases, "case"), num=True),
        ]
    )


def repeat_blocks(found: Comparison) -> list[Block]:
    """Describe how well runs of the same case agree, and the effect of chance alone."""
    both = (found.repeats_a, found.repeats_b)
    title = Heading("Repeats", "cases with two or more runs")
    if all(one is None for one in both):
        once = (
            "Every case ran once on each side: how far runs agree needs a second run of the same "
            "case."
        )
        return [title, Say(once, quiet=True)]

    def row(name: str, cell_of: Callable[[Repeats], Cell]) -> Row:
        none = Cell("one run a case", num=True, quiet=True)
        return Row([Cell(name), *(none if one is None else cell_of(one) for one in both)])

    def of_k(k: int, rates: tuple[tuple[int, float], ...]) -> Cell:
        return number_cell(dict(rates).get(k), wording.percent, f"needs {k} runs of each case")

    rows = [
        row(
            "cases whose runs agree",
            lambda one: Cell(f"{one.agreeing:,} of {one.cases:,}", num=True),
        )
    ]
    most = max((k for one in both if one for k, _ in (*one.pass_at, *one.pass_all)), default=0)
    if most > 1:
        at_least = f"at least one of {most} runs passes (pass@{most})"
        rows.append(row(at_least, lambda one: of_k(most, one.pass_at)))
        rows.append(
            row(f"all {most} runs pass (pass^{most})", lambda one: of_k(most, one.pass_all))
        )
    rows.append(
        row(
            "consistency of all runs (1 − stddev / mean)",
            lambda one: number_cell(one.consistency, wording.fixed, "no mean above 0"),
        )
    )
    noise = [
        Say(
            f"Noise floor: ±{span(one.noise, found.headline)} if {side_words(named)} ran again "
            f"({wording.count(one.cases, 'case')}).",
            quiet=True,
        )
        for named, one in zip((found.a, found.b), both, strict=True)
        if one is not None and one.noise is not None
    ]
    return [title, Table("Repeats", heads("", "#A", "#B"), rows), *noise]
