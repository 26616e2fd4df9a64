"""A comparison on the terminal: the sentence first, then its details."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sized
from typing import Final

from rich.console import RenderableType
from rich.table import Table

from evalcore.cli.screen import styled
from evalcore.cli.terminal import harmless
from evalcore.comparing.model import Change, Comparison, Measure
from evalcore.validating.compared import JudgeError
from evalcore.views.compare.cases import change_of, sides_of
from evalcore.views.verdict.changes import CHANGE_SIGNS
from evalcore.views.verdict.judge_error import error_sentence
from evalcore.views.verdict.limits import left_out_counts
from evalcore.views.verdict.method import how
from evalcore.views.verdict.sentence import cautions, lead, rest, slice_sentence
from evalcore.views.words import wording

SHOWN: Final = 10
"""How many of one kind are listed; `--json` has all."""
_STYLES: Final = {1: "bold cyan", 0: "bold", -1: "bold red"}
_TITLES: Final[dict[Change, str]] = {"regressed": "Regressed", "improved": "Improved"}
_AMOUNTS: Final[dict[str, Callable[[float | None], str]]] = {
    "time": wording.duration,
    "tokens": wording.tokens,
    "cost": wording.cost,
}


def lines(
    c: Comparison, *, explain: bool = False, error: JudgeError | None = None
) -> Iterator[RenderableType]:
    """Yield a comparison; `explain` adds how the verdict was reached, `error` the judge's error."""
    yield styled(lead(c), _STYLES[c.verdict.direction] if c.verdict else "bold")
    judged = "" if error is None else error_sentence(error)
    yield from filter(None, (judged, rest(c), _counts(c)))
    known = cautions(c)
    yield from _titled(wording.count(len(known), "caution"), known)
    yield from _cases(c, "regressed")
    yield from _cases(c, "improved")
    if c.slices:
        yield from _titled("Criteria and tags", _slices(c))
    if c.pairs:
        yield from _titled("Time, tokens and cost of a run", map(measure_words, c.measures))
    if c.left_out:
        left = f"{wording.count(len(c.left_out), 'case')}: {left_out_counts(c)}"
        yield from _titled("Left out", [left])
    yield from _titled("How", how(c) if explain else ())


def _titled(title: str, said: Iterable[str]) -> Iterator[RenderableType]:
    """Yield lines below their title; nothing without lines."""
    said = [f"  {line}" for line in said]
    if said:
        yield ""
        yield styled(title, "bold")
    yield from said


def measure_words(measure: Measure) -> str:
    """Return the resources of a run on both sides, without calling either better."""
    if measure.a is None or measure.b is None:
        return f"{measure.name}: no case was measured on both sides"
    say = _AMOUNTS[measure.name]
    change = _signed(measure.difference, say)
    if measure.low is not None and measure.high is not None:
        low, high = _signed(measure.low, say), _signed(measure.high, say)
        change += f", likely between {low} and {high}" if low != high else ""
    cases = wording.count(measure.cases, "case")
    return f"{measure.name}: {_moved(say(measure.a), say(measure.b))} ({change}; {cases})"


def _moved(a: str, b: str) -> str:
    return f"{a} \N{RIGHTWARDS ARROW} {b}"


def _signed(amount: float | None, say: Callable[[float | None], str]) -> str:
    if amount is None:
        return wording.NOT_MEASURED
    sign = "+" if amount > 0 else wording.MINUS if amount < 0 else ""
    return f"{sign}{say(abs(amount))}"


def _counts(c: Comparison) -> str:
    """Return the counts of cases: `▼ 1 regressed  ▲ 10 improved  = 31 same`."""
    if not c.pairs:
        return ""
    n = Counter[str](pair.change for pair in c.pairs)
    return "  ".join(f"{sign} {n[kind]:,} {kind}" for kind, sign in CHANGE_SIGNS.items())


def _cases(c: Comparison, change: Change) -> Iterator[RenderableType]:
    """Yield the cases of a change below their title; nothing without one."""
    cases = [pair for pair in c.pairs if pair.change == change]
    if not cases:
        return
    yield ""
    yield styled(f"{_TITLES[change]}: {wording.count(len(cases), 'case')}", "bold")
    table = Table(box=None, pad_edge=False, show_header=False, padding=(0, 2, 0, 0))
    table.add_column(overflow="fold")
    table.add_column(overflow="fold")
    table.add_column(justify="right", no_wrap=True)
    for pair in cases[:SHOWN]:
        # A case has its id, and its name if that says more.
        named = "" if pair.name == pair.case_id else f" ({pair.name})"
        words = harmless(f"{pair.case_id}{named}")
        moved = _moved(*sides_of(pair, c.headline))
        table.add_row(f"  {CHANGE_SIGNS[change]} {words}", moved, change_of(pair, c.headline))
    yield table
    if len(cases) > SHOWN:
        yield f"  {_more(cases)}"


def _slices(c: Comparison) -> Iterator[str]:
    """Yield the criteria and tags that changed, and the number of undecided ones."""
    certain = [found for found in c.slices if found.verdict and found.verdict.word != "can't tell"]
    certain.sort(key=lambda found: found.verdict is not None and found.verdict.direction > 0)
    for found in certain[:SHOWN]:
        yield slice_sentence(found, c.headline)
    if len(certain) > SHOWN:
        yield _more(certain)
    undecided = len(c.slices) - len(certain)
    if undecided:
        yield f"{undecided:,} of {len(c.slices):,}: can't tell"


def _more(found: Sized) -> str:
    return f"and {len(found) - SHOWN:,} more (all with --json)"
