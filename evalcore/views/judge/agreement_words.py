"""Agreement between judges in words: a sentence, the method, and coefficients with ranges."""

from typing import Final

from evalcore.judging.agreeing.agreement import SKEWED, Agreement, Scale
from evalcore.statistics.clustered import FEWEST, Coefficient
from evalcore.views.words import wording

ENOUGH: Final = 2 / 3
"""The least alpha for a first conclusion (Krippendorff 2004, "Reliability in Content Analysis")."""
RELIED: Final = 0.8
SCALES: Final = 3
"""How many scales the first sentence names; the table lists all of them."""
ALL_AGREE: Final = "all agree"
NO_RANGE: Final = f"no range below {FEWEST} cases"
ALIKE: Final = "no range: the scores are too much alike"
INDEPENDENT: Final = "Only judgments whose judges had seen no score of the run before"
START: Final = (
    "Start an independent batch on the Judge page: until a judge has stored their scores, those of "
    "others are hidden from them."
)
_HOW: Final = (
    (
        "Alpha (Krippendorff) is 1 where judges always give the same score, 0 where they agree as "
        "often as scores dealt out at random would, and below 0 where they agree less. On an "
        "ordered scale a near miss counts less than a far one; pass/fail is equal or not."
    ),
    (
        f"{wording.fixed(RELIED)} and more is commonly relied on; below {wording.fixed(ENOUGH)} "
        "not even a first conclusion is drawn (Krippendorff 2004)."
    ),
    (
        "“Likely between” is a 95 % range over resampled cases: criteria of one case are not taken "
        "as independent of each other."
    ),
    (
        "Kappa (Cohen) is the same idea for two judges: plain for pass/fail, with quadratic "
        "weights on a scale."
    ),
    (
        "“All agree” means that everybody gave one and the same score. Chance would agree as well "
        "then, so there is no coefficient."
    ),
)
_SKEWED: Final = (
    f"Where {wording.percent(SKEWED)} or more of pass/fail scores are the same, alpha falls though "
    "judges agree; AC1 (Gwet) does not, and is shown next to it."
)
_COUNTED: Final = (
    "Only current scores count: no stale or withdrawn ones, no excluded runs, and no "
    "adjudications. Criteria scored by two judges or more count;"
)


def sentence(found: Agreement) -> str:
    """Return one sentence on the agreement of judges, or that it cannot be decided."""
    judges = len(found.judges)
    begin = f"{judges:,} judges scored {found.units:,} of the same criteria"
    same = wording.percent(found.raw.same / found.raw.pairs)
    counts = (
        f"{begin}: they gave the same score in {same} of {wording.count(found.raw.pairs, 'pair')}"
    )
    if len(found.scales) > 1:
        return f"{counts}. Each scale has an alpha of its own: {_scales(found)}."
    alpha = found.scales[0].alpha
    if alpha.why == ALL_AGREE:
        return f"{begin}, and all agree: everybody gave one and the same score throughout."
    if alpha.value is None:
        return f"{counts}. Alpha needs two such criteria."
    return f"{counts}, alpha {with_range(alpha)}. {_verdict(alpha)}"


def _scales(found: Agreement) -> str:
    return "; ".join(
        f"{with_range(one.alpha)}, on {scale_words(one.scale)} "
        f"({wording.count(one.alpha.units, 'criterion')})"
        for one in found.scales[:SCALES]
    )


def _verdict(alpha: Coefficient) -> str:
    least = wording.fixed(ENOUGH)
    if alpha.low is None or alpha.high is None:
        return f"Can't tell whether that is enough: {no_range(alpha)}."
    if alpha.low >= ENOUGH:
        return "They agree."
    if alpha.high < ENOUGH:
        return f"They do not agree enough: {least} is the least."
    return f"Can't tell whether they agree enough: {least} is the least."


def how(found: Agreement) -> list[str]:
    """Return the meaning of the coefficients and their basis."""
    skewed = any(one.ac1 for one in (*found.scales, *found.criteria))
    one_only = f"{found.alone:,} more {'has' if found.alone == 1 else 'have'} one judge only."
    return [*_HOW, *([_SKEWED] if skewed else []), f"{_COUNTED} {one_only}"]


def independent_words(found: Agreement, only: bool) -> str:
    """Return how many judgments were made without having seen a score of the run."""
    if only:
        return "Independent judgments only: their judges had seen no score of the run before."
    if not found.independent:
        return (
            "None of these judgments is known to be independent: their judges could have seen "
            "other scores of the run before, or it was not recorded."
        )
    if found.independent == found.human:
        return "All of these judgments are independent: no score of the run was seen before."
    return (
        f"{found.independent:,} of {wording.count(found.human, 'judgment')} are independent: "
        "their judges had seen no score of the run before."
    )


def scale_words(scale: Scale) -> str:
    """Return a scale as words."""
    if scale.pass_fail:
        return "pass or fail"
    if scale.low is None or scale.high is None:
        return "a scale without stated ends"
    return f"{wording.number(scale.low)} to {wording.number(scale.high)}"


def no_range(given: Coefficient) -> str:
    """Return why a coefficient has no range."""
    return NO_RANGE if given.cases < FEWEST else ALIKE


def with_range(given: Coefficient) -> str:
    """Return a coefficient with its range, or why there is none."""
    if given.value is None:
        return given.why
    value = number(given.value)
    return value if given.low is None else f"{value}, likely between {between(given, ' and ')}"


def between(given: Coefficient, joined: str) -> str:
    """Return both ends of a coefficient's range."""
    return f"{number(given.low)}{joined}{number(given.high)}"


def number(value: float | None) -> str:
    """Return a coefficient with two decimals."""
    return wording.fixed(value).replace("-", wording.MINUS)
