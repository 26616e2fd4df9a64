"""The verdict in sentences, as every surface shows it, and its parts."""

from evalcore.comparing.model import Comparison, Slice
from evalcore.counting.rates import SHARE
from evalcore.views.verdict.differences import agreeing_places, points
from evalcore.views.verdict.limits import (
    break_sentence,
    break_sentences,
    capital,
    left_out_counts,
    left_out_words,
    remark_sentences,
)
from evalcore.views.verdict.lost import (
    GRADE,
    MEND,
    hidden_sentences,
    lost_sentences,
    runs_sentences,
    same_outputs_sentences,
)
from evalcore.views.verdict.method import alike_sentences, how, people_sentences
from evalcore.views.verdict.reach import reach_sentences, these_cases
from evalcore.views.verdict.seen import against, change_words, flips, seen
from evalcore.views.verdict.sides import SideNames, inside, side_names, side_words
from evalcore.views.words.score_source import scores_words
from evalcore.views.words.wording import count

__all__ = [
    "break_sentence",
    "cautions",
    "how",
    "lead",
    "left_out_words",
    "points",
    "rest",
    "scores_words",
    "sentence",
    "side_names",
    "side_words",
    "slice_sentence",
]


def sentence(c: Comparison) -> str:
    """Return the verdict of a comparison: what was seen, how far it carries, and the next step."""
    return " ".join(part for part in (lead(c), rest(c)) if part)


def lead(c: Comparison) -> str:
    """Return what was seen, in one sentence: rates, difference, cases that changed.

    Before it stands what makes the rates doubtful.
    """
    if c.runs.nothing_new:
        runs = count(c.runs.same, "run")
        said = f"Both sides are the same {runs}: nothing was run anew."
    else:
        said = _not_comparable(c, side_names(c)) if c.verdict is None else seen(c)
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


def _not_comparable(c: Comparison, names: SideNames) -> str:
    first = f"{inside(f'{names.b} and {names.a}{names.shared}')} are not comparable"
    fair = c.comparability
    stops = [found for found in fair.breaks if found.stops]
    found = next(iter(stops or (fair.breaks if fair.level == "nothing" else ())), None)
    if found is not None:
        why = break_sentence(found, names.a, names.b)
        return f"{first}: {why[:1].lower()}{why[1:]}"
    left_out = left_out_counts(c)
    scored = f"no case was scored in both{scores_words(c.scores)}"
    reasons = {left.why for left in c.left_out}
    steps = {"not graded": GRADE, "not read": MEND}
    step = next((f" {steps[reason]}" for reason in steps if reason in reasons), "")
    return f"{first}: {scored} ({left_out}).{step}" if left_out else f"{first}: {scored}."
