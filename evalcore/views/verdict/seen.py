"""What a comparison saw, in words: rates, their difference, and the cases that changed."""

from typing import Final

from evalcore.comparing.model import Comparison, Estimate
from evalcore.comparing.outcomes import GATE
from evalcore.comparing.sample import SHARED_HEADLINE
from evalcore.counting.rates import EFFICIENCY, SHARE
from evalcore.statistics.intervals import SAME
from evalcore.statistics.planning import FEWEST
from evalcore.statistics.verdict import Verdict
from evalcore.views.verdict.differences import agreeing_places, between, points
from evalcore.views.verdict.limits import comparable_part
from evalcore.views.verdict.sides import inside, side_names
from evalcore.views.words.score_source import scores_words
from evalcore.views.words.wording import count, headline, number

SCORED: Final = frozenset({EFFICIENCY, SHARED_HEADLINE})
"""Headlines that are no share of what passed."""
NOUN: Final = "case"


def seen(c: Comparison) -> str:
    """Return the rates of both sides, their difference and how many cases changed, as a sentence.

    The comparison has a verdict.
    """
    names, verdict = side_names(c), c.verdict
    if verdict is None or c.estimate_a is None or c.estimate_b is None:
        raise ValueError("A comparison without a verdict has nothing to tell: check it first.")
    did = f"{_did(c, verdict)} {names.a}{names.shared}"
    rates = against(c.estimate_a, c.estimate_b, c.headline, _where(c))
    places = agreeing_places(c.estimate_a.value, c.estimate_b.value, c.headline)
    changes = change_words(verdict, c.headline, places)
    return (
        f"{inside(names.b)} {did}: {rates}{scores_words(c.scores)} ({changes}); {flips(verdict)}."
    )


def _did(c: Comparison, verdict: Verdict) -> str:
    """Return the direction of what was seen: `passes more than`."""
    difference = verdict.difference or 0.0
    scored = c.headline in SCORED
    if abs(difference) <= SAME:
        return "scores as high as" if scored else "passes as much as"
    if scored:
        return "scores higher than" if difference > 0 else "scores lower than"
    return "passes more than" if difference > 0 else "passes less than"


def _where(c: Comparison) -> str:
    """Return what is compared: `on 12 of 14 cases run in both, with 1 run of each against 3`."""
    left_out = [left for left in c.left_out if left.reason != "set aside"]
    cases = c.verdict.cases if c.verdict is not None else 0
    text = f"on {count(cases, 'case')}"
    if left_out and c.pairs:
        total = len(c.pairs) + len(left_out)
        text = f"on the {len(c.pairs):,} of {count(total, 'case')} {comparable_part(left_out)}"
    if c.clusters is not None:
        text += f" in {count(c.clusters.n, 'cluster')}"
    if c.runs.each is not None:
        a, b = (number(each, 1) for each in c.runs.each)
        text += f", with {b} {'run' if b == '1' else 'runs'} of each against {a}"
    if c.criteria is not None:
        of = f"{c.criteria.shared:,} of {count(c.criteria.asked, 'criterion')}"
        text += f", by the {of} that both were asked"
    return text


def against(a: Estimate, b: Estimate, name: str, where: str | None = None) -> str:
    """Return both headlines with their n: `86 % against 64 % on 42 cases`."""
    places = agreeing_places(a.value, b.value, name)
    text = f"{headline(b.value, name, places)} against {headline(a.value, name, places)}"
    if name in SCORED or name == GATE:
        text = f"{name} {text}"
    return f"{text} {where or f'on {count(b.cases, NOUN)}'}"


def change_words(verdict: Verdict, name: str = SHARE, places: int = 0) -> str:
    """Return the difference and its interval: `+21 points, likely between +7 and +36`.

    The interval is one for cases like these: it is left out below six cases, of which it would say
    that nearly all is possible, where the verdict is on these cases only, and where it depends on
    lost runs or on the grades of the same outputs, which it knows nothing of.
    """
    parts = points(verdict.difference, name, places), likely_words(verdict, name)
    return ", ".join(part for part in parts if part)


def likely_words(verdict: Verdict, name: str = SHARE) -> str:
    """Return the interval of a difference, `likely between +7 and +36`; empty if it is left out."""
    open_ = verdict.kind in ("lost", "same outputs")
    few = verdict.cases < FEWEST or verdict.only_on_these or open_
    if verdict.low is None or verdict.high is None or few:
        return ""
    return f"likely {between(verdict.low, verdict.high, name)}"


def flips(verdict: Verdict) -> str:
    """Return the counts of changed cases, those in the direction of the difference first."""
    counts = [(verdict.up, "improved"), (verdict.down, "got worse")]
    if (verdict.difference or 0.0) < 0:
        counts.reverse()
    (first, how_first), (second, how_second) = counts
    if not verdict.changed:
        return "no case changed"
    head = f"{first:,} {how_first}" if first else f"none {how_first}"
    return f"{head}, {f'{second:,}' if second else 'none'} {how_second}"
