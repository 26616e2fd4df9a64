"""Trust in a model as judge in words: the sentence, the corrected rate or why there is none."""

from typing import Final

from evalcore.statistics.clustered import FEWEST
from evalcore.statistics.confidence import FOR_ECE
from evalcore.statistics.judge_error import BETTER, CASES, CLASS, LABELS, Corrected, Rate
from evalcore.validating.checked import Constant
from evalcore.validating.judges import JudgeIdentity
from evalcore.validating.rates import ColumnRate
from evalcore.validating.trust import Trust
from evalcore.views.words import wording

DRAW: Final = (
    "Draw one under “Independent batches” on this page: a number of runs at random, without a "
    "choice of cases."
)
HOW: Final = (
    (
        "The model agrees with people where both say passed or both failed; without a pass mark, "
        "where their scores are no further apart than a fifth of the scale. People's result is the "
        "adjudication, else the median of their current scores. Where as many people are on one "
        "side as on the other the label is divided: no judge could agree with it, so it is in "
        "none of these figures and is counted beside them."
    ),
    (
        "Ranges are 95 %, with cases as the sample: criteria and runs of one case are not taken as "
        "independent of each other."
    ),
    (
        "Corrected rates use only labels of people who had seen no score of the run, on runs that "
        "were drawn at random from all runs of their version. What the queue offers first, and "
        "what people choose themselves, says nothing of how often the judge errs."
    ),
    (
        "From its own sample: the judge's rate over all runs, and by how much people differ from "
        "it in the sample (prediction-powered, PPI++). Nothing is assumed of the judge. A divided "
        "label is half a pass here."
    ),
    (
        "From all samples: Rogan and Gladen's correction by sensitivity and specificity, with the "
        "uncertainty of both. It assumes that the judge errs as often on this version as on those "
        "that were sampled, given what people say."
    ),
)


def sentence(found: Trust) -> str:
    """Return how far a model agrees with people, a baseline, and what is left out and why."""
    checked = found.checked
    if checked is None and not found.divided:
        return f"Nobody has scored what {name_of(found.judge)} judged, so nothing checks it."
    said = []
    if checked is not None:
        said.append(
            f"{named(found)} agrees with people on {wording.percent(checked.same.value)} of "
            f"{wording.count(checked.n, 'checked score')}; {constant_words(checked.constant)}."
        )
    if found.divided:
        said.append(divided_words(found))
    if found.people is not None:
        pairs = wording.count(found.pairs, "pair")
        said.append(f"Two people agree on {wording.percent(found.people.value)} of {pairs}.")
    return " ".join(said)


def divided_words(found: Trust) -> str:
    """Return how many labels people are divided on, and who can decide them."""
    every = found.divided + (found.checked.n if found.checked is not None else 0)
    are = "is" if found.divided == 1 else "are"
    of = f"{found.divided:,} of {wording.count(every, 'label')} {are} divided"
    if found.independent:
        return f"{of} and left out: let a third person judge these who has seen no score."
    return f"{of} and left out: adjudicate."


def constant_words(of: Constant) -> str:
    """Return the constant answer and how often it would agree."""
    answer = "" if of.passed is None else "“passed”" if of.passed else "“failed”"
    score = "" if of.score is None else wording.number(of.score)
    said = f"{answer}, or {score} without a pass mark," if answer and score else answer or score
    return f"always saying {said} would agree on {wording.percent(of.same)}"


def name_of(judge: JudgeIdentity) -> str:
    """Return the name of a judge, with the model if that is another."""
    same = not judge.model or judge.model == judge.judge
    return judge.judge if same else f"{judge.judge} ({judge.model})"


def named(found: Trust) -> str:
    """Return the name of a judge as a sentence begins."""
    name = name_of(found.judge)
    return name[:1].upper() + name[1:] if name.startswith("the ") else name


def bound(found: Trust) -> str:
    """Return what the figures are bound to, and how many labels are left out therefore."""
    judge = found.judge
    if judge.prompt:
        to = f"model {judge.model or judge.judge}, instructions {judge.prompt[:8]}"
        words = f"All figures are bound to {to}, and to the criteria as each case was asked last."
    else:
        words = (
            "Which model and instructions judged is not recorded, so a change of them cannot be "
            "noticed; the figures are bound to the name of the judge and to the criteria."
        )
    if found.older:
        verb, are = ("belongs", "is") if found.older == 1 else ("belong", "are")
        labels = wording.count(found.older, "label")
        words += f" {labels} {verb} to older ones and {are} left out."
    return words


def blind_words(found: Trust) -> str:
    """Return how many labels were given without having seen a score."""
    if found.independent:
        return "Blind labels only: whoever gave them had seen no score of the run before."
    labels = wording.count(found.labels, "label")
    return f"{found.blind:,} of {labels} of people were given blind, before any score was seen."


def range_words(rate: Rate, cases: int = FEWEST) -> str:
    """Return the range of a rate."""
    if cases < FEWEST:
        return f"no range below {FEWEST} cases"
    return f"likely {wording.percent(rate.low)} – {wording.percent(rate.high)}"


def column_name(column: ColumnRate) -> str:
    """Return the name of a version and configuration."""
    if column.configuration == "-":
        return column.version
    return f"{column.version}, {column.configuration}"


def corrected_sentence(column: ColumnRate) -> str:
    """Return the corrected rate of a version as a sentence, or why there is none."""
    name, judged = column_name(column), wording.percent(column.judged.value)
    begin = f"{name}: the judge passes {judged} of criteria"
    rate, how = best(column)
    if rate is None:
        return f"{begin}. No corrected rate: {why_not(column)}{_nor_pooled(column)}."
    value = wording.percent(rate.value)
    return f"{begin}; corrected for its errors {value}, {range_words(rate)} ({how})."


def best(column: ColumnRate) -> tuple[Rate | None, str]:
    """Return the corrected rate that assumes least, and what it is from."""
    if column.sampled is not None and column.sampled.rate is not None:
        return column.sampled.rate, f"from {wording.count(column.labels, 'label')} of its sample"
    return column.corrected.rate, "from the judge's errors in all samples"


def why_not(column: ColumnRate) -> str:
    """Return why a version has no corrected rate."""
    state = column.sample.state
    if state == "open":
        left = wording.count(column.sample.missing, "result")
        return f"without a blind label yet: {left} of its random sample"
    if column.sampled is not None:
        return refusal(column.sampled)
    if state == "changed":
        return "its runs are not those any more that the random sample was drawn from"
    return "none of its runs was drawn at random and judged blind"


def _nor_pooled(column: ColumnRate) -> str:
    """Return why the labels of all samples do not do either, where there are any."""
    of = column.corrected
    if column.sample.state == "complete" or (of.why == "few labels" and not of.found):
        return ""
    return f", and of all samples, {refusal(of)}"


def refusal(of: Corrected) -> str:
    """Return why labels do not make a corrected rate."""
    found = f"{of.found:,.0f}"
    return {
        "few labels": f"there are {found} labels; {LABELS} are the least",
        "few cases": f"the labels are of {found} cases; {CASES} are the least",
        "few of a class": (
            f"only {found} labels are passed, or only so many failed; {CLASS} of each are the least"
        ),
        "no better than chance": (
            "the judge is not clearly better than chance: sensitivity and specificity less 1 may "
            f"be {wording.fixed(of.found)}, and {wording.fixed(BETTER)} is the least"
        ),
    }.get(of.why, "")


def needs(found: Trust) -> str:
    """Return how much of the flicker is the judge's, or what is needed to say."""
    flicker = found.flicker
    if flicker.same_output is None:
        return (
            "How much of the change from run to run is the judge's is not known: no output was "
            "judged twice by it. The command evalcore judge with --repeats judges them again."
        )
    same = wording.percent(flicker.same_output)
    words = (
        f"Judged again, the same output gets another result in {same} of "
        f"{wording.count(flicker.pairs, 'pair')} of judgments"
    )
    if flicker.other_run is None or flicker.share is None or flicker.share.value is None:
        return (
            f"{words}. Runs of the same case do not differ, or ran once: nothing to compare with."
        )
    share = flicker.share
    likely = (
        f", no range below {FEWEST} cases"
        if share.low is None
        else f", likely {wording.percent(share.low)} – {wording.percent(share.high)}"
    )
    return (
        f"{words}; runs of the same case in {wording.percent(flicker.other_run)}. So "
        f"{wording.percent(share.value)} of the change from run to run is the judge's{likely}."
    )


def ece_words(error: float | None, n: int) -> str:
    """Return the expected calibration error, or why it is not told."""
    if error is None:
        return f"no expected calibration error below {FOR_ECE} checked scores ({n:,} so far)"
    return f"expected calibration error {wording.fixed(error)}"
