"""A comparison on the terminal: the sentence first, then its details."""

from collections.abc import Callable, Iterable, Sequence
from typing import Final

from rich.console import Console
from rich.table import Table
from rich.text import Text

from evalcore.cli.screen import console
from evalcore.cli.terminal import harmless
from evalcore.comparing.model import CasePair, Change, Comparison, Measure, Slice
from evalcore.palette import PALETTE
from evalcore.validating.compared import JudgeError
from evalcore.views.verdict.judge_error import error_sentence
from evalcore.views.verdict.limits import left_out_counts
from evalcore.views.verdict.sentence import (
    cautions,
    how,
    lead,
    points,
    rest,
    slice_sentence,
)
from evalcore.views.words import wording

SHOWN: Final = 10
"""How many of one kind are listed; `--json` has all."""
_STYLES: Final = {1: "bold cyan", 0: "bold", -1: "bold red"}
_SIGNS: Final[dict[Change, str]] = {
    "regressed": PALETTE.worse.sign,
    "improved": PALETTE.better.sign,
    "same": PALETTE.tie.sign,
}
_TITLES: Final[dict[Change, str]] = {"regressed": "Regressed", "improved": "Improved"}
_AMOUNTS: Final[dict[str, Callable[[float | None], str]]] = {
    "time": wording.duration,
    "tokens": wording.tokens,
    "cost": wording.cost,
}


def show(c: Comparison, *, explain: bool = False, error: JudgeError | None = None) -> None:
    """Print a comparison; `explain` adds how the verdict was reached, `error` the judge's error."""
    out = console()
    _say(out, lead(c), _STYLES[c.verdict.direction] if c.verdict else "bold")
    counts = _counts(c.pairs) if c.pairs else ""
    judged = "" if error is None else error_sentence(error)
    for line in (judged, rest(c), counts):
        if line:
            _say(out, line)
    known = cautions(c)
    _show_lines(out, wording.count(len(known), "caution"), known)
    for change in ("regressed", "improved"):
        _show_cases(out, c, change)
    if c.slices:
        _show_slices(out, c.slices, c.headline)
    if c.pairs:
        _title(out, "Time, tokens and cost of a run")
        for measure in c.measures:
            _say(out, f"  {measure_words(measure)}")
    if c.left_out:
        _title(out, "Left out")
        _say(out, f"  {wording.count(len(c.left_out), 'case')}: {left_out_counts(c)}")
    _show_lines(out, "How", how(c) if explain else ())


def _show_lines(out: Console, title: str, lines: Sequence[str]) -> None:
    """Print lines below their title; nothing without lines."""
    if lines:
        _title(out, title)
    for line in lines:
        _say(out, f"  {line}")


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


def _counts(pairs: Sequence[CasePair]) -> str:
    """Return the counts of cases: `▼ 1 regressed  ▲ 10 improved  = 31 same`."""
    changes = [pair.change for pair in pairs]
    return "  ".join(f"{sign} {changes.count(kind):,} {kind}" for kind, sign in _SIGNS.items())


def _show_cases(out: Console, c: Comparison, change: Change) -> None:
    cases = [pair for pair in c.pairs if pair.change == change]
    if not cases:
        return
    _title(out, f"{_TITLES[change]}: {wording.count(len(cases), 'case')}")
    table = Table(box=None, pad_edge=False, show_header=False, padding=(0, 2, 0, 0))
    table.add_column(overflow="fold")
    table.add_column(overflow="fold")
    table.add_column(justify="right", no_wrap=True)
    for pair in cases[:SHOWN]:
        a, b = (wording.headline(value, c.headline) for value in (pair.a, pair.b))
        moved = points(pair.difference, c.headline)
        table.add_row(f"  {_SIGNS[change]} {_case_words(pair)}", _moved(a, b), moved)
    out.print(table)
    _more(out, len(cases))


def _case_words(pair: CasePair) -> str:
    """Return a case's id, and its name if that says more."""
    named = "" if pair.name == pair.case_id else f" ({pair.name})"
    return harmless(f"{pair.case_id}{named}")


def _show_slices(out: Console, slices: Iterable[Slice], headline: str) -> None:
    """Print the criteria and tags that changed, and the number of undecided ones."""
    slices = list(slices)
    certain = [found for found in slices if found.verdict and found.verdict.word != "can't tell"]
    certain.sort(key=lambda found: found.verdict is not None and found.verdict.direction > 0)
    _title(out, "Criteria and tags")
    for found in certain[:SHOWN]:
        _say(out, f"  {slice_sentence(found, headline)}")
    _more(out, len(certain))
    rest = len(slices) - len(certain)
    if rest:
        _say(out, f"  {rest:,} of {len(slices):,}: can't tell")


def _more(out: Console, total: int) -> None:
    if total > SHOWN:
        _say(out, f"  and {total - SHOWN:,} more (all with --json)")


def _title(out: Console, text: str) -> None:
    out.print()
    _say(out, text, "bold")


def _say(out: Console, text: str, style: str = "") -> None:
    """Print one line of which any part may come from a file."""
    out.print(Text(harmless(text), style), soft_wrap=True)
