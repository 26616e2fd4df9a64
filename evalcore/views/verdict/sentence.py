"""The verdict sentence that every surface shows, and its parts."""

import math

from evalcore.comparing.model import Comparison, Estimate, Slice
from evalcore.counting.rates import SHARE
from evalcore.statistics.planning import FEWEST, TARGET
from evalcore.statistics.verdict import Verdict
from evalcore.views.verdict.differences import between, points, span, span_below
from evalcore.views.verdict.limits import (
    break_sentence,
    capital,
    comparable_part,
    left_out_counts,
    left_out_words,
)
from evalcore.views.verdict.method import SIX, how, people_sentences
from evalcore.views.verdict.sides import SideNames, side_names, side_words
from evalcore.views.words.score_source import scores_words
from evalcore.views.words.wording import count, headline

__all__ = [
    "break_sentence",
    "how",
    "kind_words",
    "left_out_words",
    "people_sentences",
    "points",
    "scores_words",
    "sentence",
    "side_names",
    "side_words",
    "slice_sentence",
]


def sentence(c: Comparison) -> str:
    """Return whether B is better or worse than A, or why that is undecided, with the numbers."""
    verdict, names = c.verdict, side_names(c)
    if verdict is None or c.estimate_a is None or c.estimate_b is None or not verdict.cases:
        return _not_comparable(c, names)
    part = _part(c)
    rates = _against(c.estimate_a, c.estimate_b, c.headline, counted=not part)
    rates += scores_words(c.scores)
    if not verdict.direction:
        apart = f"can't tell {_apart(names.b)} from {names.a}{names.shared}"
        text = capital(f"{part}{apart}")
        return f"{text}: {rates}; {kind_words(verdict, c.headline)}.{_gates(c, names)}"
    how_far, than = verdict.word.partition(" ")[::2]
    text = f"{part}{_apart(names.b)} is {how_far} than {names.a}{names.shared}"
    text += f" {than}" if than else ""
    changes = change_words(verdict, c.headline)
    return f"{text}: {rates} ({changes}). {flips(verdict)}.{_gates(c, names)}"


def _gates(c: Comparison, names: SideNames) -> str:
    """Return a sentence on the runs stopped by the gate; empty without any."""
    if c.gates is None:
        return ""
    sides = (
        (c.gates.stopped_b, c.gates.runs_b, names.b),
        (c.gates.stopped_a, c.gates.runs_a, names.a),
    )
    stopped = [f"{n:,} of {count(runs, 'run')} of {name}" for n, runs, name in sides if n]
    none = [f"none of {name}" for n, _, name in sides if not n]
    return f" The gate stopped {', '.join([*stopped, *none])}."


def change_words(verdict: Verdict, name: str = SHARE) -> str:
    """Return the difference and its interval: `+21 points, likely between +7 and +36`."""
    text = points(verdict.difference, name)
    if verdict.low is None or verdict.high is None:
        return text
    return f"{text}, likely {between(verdict.low, verdict.high, name)}"


def flips(verdict: Verdict) -> str:
    """Return the counts of changed cases, the direction of the verdict first."""
    counts = [(verdict.up, "improved"), (verdict.down, "got worse")]
    if verdict.direction < 0:
        counts.reverse()
    (first, how_first), (second, how_second) = counts
    if not verdict.changed:
        return "No case changed"
    head = f"{count(first, 'case')} {how_first}" if first else f"No case {how_first}"
    return f"{head}, {f'{second:,}' if second else 'none'} {how_second}"


def kind_words(verdict: Verdict, name: str = SHARE) -> str:
    """Return why it is undecided and what would decide it, as the end of a sentence."""
    if verdict.kind == "powerless":
        return _powerless(verdict)
    if verdict.kind == "mixed":
        about = "" if verdict.up == verdict.down else "about "
        return f"{about}as many cases improved ({verdict.up:,}) as got worse ({verdict.down:,})"
    if verdict.kind == "bounded" and verdict.bound is not None:
        below = f"a difference, if any, is smaller than {span_below(verdict.bound, name)}"
        return f"{below} ({flips(verdict).lower()})" if verdict.changed else below
    if verdict.visible is None:
        return f"{count(verdict.cases, 'case')} are too few"
    seen = f"{count(verdict.cases, 'case')} show differences of about {span(verdict.visible, name)}"
    needs = _needed(verdict)
    return f"{seen} or more" + (f"; {span(TARGET, name)} needs about {needs}" if needs else "")


def slice_sentence(found: Slice) -> str:
    """Return the verdict sentence of a criterion or tag."""
    rates = _against(found.a, found.b, SHARE)
    if found.verdict is None:
        return f"{found.name}: {rates}; too few to compare."
    if not found.verdict.direction:
        return f"{found.name}: can't tell, {rates}; {kind_words(found.verdict)}."
    return (
        f"{found.name} is {found.verdict.word}: {rates} ({change_words(found.verdict)}). "
        f"{flips(found.verdict)}."
    )


def _part(c: Comparison) -> str:
    """Return the start of the sentence if not all cases count; else empty."""
    left_out = [left for left in c.left_out if left.reason != "set aside"]
    if not left_out:
        return ""
    total = len(c.pairs) + len(left_out)
    return f"On the {len(c.pairs):,} of {count(total, 'case')} {comparable_part(left_out)}, "


def _against(a: Estimate, b: Estimate, name: str, *, counted: bool = True) -> str:
    """Return both headlines with their n: `86 % against 64 % of 42 cases`."""
    rates = f"{headline(b.value, name)} against {headline(a.value, name)}"
    of = "of" if name == SHARE else "over"
    text = rates if name == SHARE else f"{name} {rates}"
    return f"{text} {of} {count(b.cases, 'case')}" if counted else text


def _apart(name: str) -> str:
    """Return a name for use inside a sentence: one that contains a comma gets another after it."""
    return f"{name}," if "," in name else name


def _powerless(verdict: Verdict) -> str:
    if verdict.cases < FEWEST:
        few = count(verdict.cases, "case")
        return f"{few} can never decide: at least {SIX} are needed"
    if not verdict.changed:
        none = f"none of {count(verdict.cases, 'case')} changed"
        return f"{none}, and at least {SIX} must change the same way to decide"
    changed = f"only {verdict.changed:,} of {count(verdict.cases, 'case')} changed"
    return f"{changed}, and even all of them one way could not decide: {SIX} are needed"


def _needed(verdict: Verdict) -> str:
    """Return the number of cases needed to show the target, to two digits, if more than now."""
    if verdict.needed is None or verdict.needed <= verdict.cases:
        return ""
    unit = 10 ** max(len(str(verdict.needed)) - 2, 0)
    return f"{math.ceil(verdict.needed / unit) * unit:,}"


def _not_comparable(c: Comparison, names: SideNames) -> str:
    first = f"{_apart(f'{names.b} and {names.a}{names.shared}')} are not comparable"
    fair = c.comparability
    stops = [found for found in fair.breaks if found.stops]
    found = next(iter(stops or (fair.breaks if fair.level == "nothing" else ())), None)
    if found is not None:
        why = break_sentence(found, names.a, names.b)
        return f"{first}: {why[:1].lower()}{why[1:]}"
    left_out = left_out_counts(c)
    scored = f"no case was scored in both{scores_words(c.scores)}"
    return f"{first}: {scored} ({left_out})." if left_out else f"{first}: {scored}."
