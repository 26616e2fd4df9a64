"""The verdict in sentences, as every surface shows it, and its parts."""

from typing import Final

from evalcore.comparing.model import Comparison, Estimate, Slice
from evalcore.comparing.outcomes import GATE
from evalcore.comparing.sample import SHARED_HEADLINE
from evalcore.counting.rates import EFFICIENCY, SHARE
from evalcore.families.base import MEAN_SCORE
from evalcore.statistics.intervals import SAME
from evalcore.statistics.planning import FEWEST
from evalcore.statistics.verdict import Verdict
from evalcore.views.verdict.differences import agreeing_places, between, points
from evalcore.views.verdict.limits import (
    MEND,
    break_sentence,
    break_sentences,
    capital,
    comparable_part,
    grade_step,
    hidden_sentences,
    left_out_counts,
    lost_sentences,
    remark_sentences,
    runs_sentences,
    same_outputs_sentences,
)
from evalcore.views.verdict.method import alike_sentences, people_sentences
from evalcore.views.verdict.reach import reach_sentences, these_cases
from evalcore.views.verdict.sides import inside, side_names
from evalcore.views.words.score_source import scores_words
from evalcore.views.words.wording import count, headline, number

SCORED: Final = frozenset({EFFICIENCY, MEAN_SCORE, SHARED_HEADLINE})
"""Headlines that are no share of what passed."""


def sentence(c: Comparison) -> str:
    """Return the verdict of a comparison: what was seen, how far it carries, and the next step."""
    return " ".join(part for part in (lead(c), rest(c)) if part)


def lead(c: Comparison) -> str:
    """Return what was seen, in one sentence: rates, difference, cases that changed.

    Before it stands what makes the rates doubtful.
    """
    fair, names = c.comparability, side_names(c)
    if c.runs.nothing_new:
        said = f"Both sides are the same {count(c.runs.same, 'run')}: nothing was run anew."
    elif c.verdict is not None:
        said = seen(c)
    else:
        said = f"{inside(f'{names.b} and {names.a}{names.shared}')} are not comparable"
        stops = [found for found in fair.breaks if found.stops]
        found = next(iter(stops or (fair.breaks if fair.level == "nothing" else ())), None)
        if found is not None:
            why = break_sentence(found, names.a, names.b)
            said = f"{said}: {why[:1].lower()}{why[1:]}"
        else:
            said = f"{said}: no case was scored in both{scores_words(c.scores)}"
            left_out, reasons = left_out_counts(c), {left.why for left in c.left_out}
            steps = {"not graded": grade_step(c.family), "not read": MEND}
            step = next((f" {steps[reason]}" for reason in steps if reason in reasons), "")
            said = f"{said} ({left_out}).{step}" if left_out else f"{said}."
    return " ".join((*c.suspect, said))


def rest(c: Comparison) -> str:
    """Return the sentences after `lead`, two at most: how far it carries, and the next step."""
    return "" if c.runs.nothing_new else " ".join(reach_sentences(c))


def cautions(c: Comparison) -> tuple[str, ...]:
    """Return what to know before a verdict is relied on, a line each, if the lead has it not."""
    found = [
        *lost_sentences(c),
        *runs_sentences(c),
        *same_outputs_sentences(c),
        *hidden_sentences(c),
        *(capital(slice_sentence(one)) for one in c.outcomes if one.name != c.headline),
        *break_sentences(c),
        *remark_sentences(c),
        *alike_sentences(c),
        *people_sentences(c),
    ]
    said = lead(c)
    # It goes on in small letters there.
    return tuple(text for text in found if text[1:] not in said)


def slice_sentence(found: Slice, headline: str = SHARE) -> str:
    """Return the verdict sentence of a criterion, another outcome, or a tag by its headline."""
    name = headline if found.kind == "tag" else SHARE
    rates = against(found.a, found.b, name)
    if found.verdict is None:
        return f"{found.name}: {rates}; too few to compare."
    word: str = found.verdict.word
    if found.verdict.only_on_these:
        word = word.removesuffix("these cases") + these_cases(found.verdict.cases)
    places = agreeing_places(found.a.value, found.b.value, name)
    changes = change_words(found.verdict, name, places)
    return f"{found.name}: {rates} ({changes}); {flips(found.verdict)}: {word}."


def seen(c: Comparison) -> str:
    """Return the rates of both sides, their difference and how many cases changed, as a sentence.

    It says what is compared, as `on 12 of 14 cases run in both`. The comparison has a verdict.
    """
    names, verdict = side_names(c), c.verdict
    if verdict is None or c.estimate_a is None or c.estimate_b is None:
        raise ValueError("A comparison without a verdict has nothing to tell: check it first.")
    difference, scored = verdict.difference or 0.0, c.headline in SCORED
    did = "scores as high as" if scored else "passes as much as"
    if abs(difference) > SAME:
        more = ("higher" if scored else "more") if difference > 0 else "lower" if scored else "less"
        did = f"{'scores' if scored else 'passes'} {more} than"

    left_out = [left for left in c.left_out if left.reason != "set aside"]
    where = f"on {count(verdict.cases, 'case')}"
    if left_out and c.pairs:
        total = count(len(c.pairs) + len(left_out), "case")
        where = f"on the {len(c.pairs):,} of {total} {comparable_part(left_out)}"
    if c.clusters is not None:
        where += f" in {count(c.clusters.n, 'cluster')}"
    if c.runs.each is not None:
        a, b = (number(each, 1) for each in c.runs.each)
        where += f", with {b} {'run' if b == '1' else 'runs'} of each against {a}"
    if c.criteria is not None:
        of = f"{c.criteria.shared:,} of {count(c.criteria.asked, 'criterion')}"
        where += f", by the {of} that both were asked"

    rates = against(c.estimate_a, c.estimate_b, c.headline, where)
    places = agreeing_places(c.estimate_a.value, c.estimate_b.value, c.headline)
    changes = change_words(verdict, c.headline, places)
    return (
        f"{inside(names.b)} {did} {names.a}{names.shared}: {rates}{scores_words(c.scores)} "
        f"({changes}); {flips(verdict)}."
    )


def against(a: Estimate, b: Estimate, name: str, where: str | None = None) -> str:
    """Return both headlines with their n: `86 % against 64 % on 42 cases`."""
    places = agreeing_places(a.value, b.value, name)
    text = f"{headline(b.value, name, places)} against {headline(a.value, name, places)}"
    if name in SCORED or name == GATE:
        text = f"{name} {text}"
    return f"{text} {where or 'on ' + count(b.cases, 'case')}"


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
