"""Trust in a model as judge: a sentence, corrected rates or why there are none, and tables."""

from collections.abc import Iterable
from typing import Final

from evalcore.counting.outcomes import Column
from evalcore.judging.agreeing.scores import RECORDED
from evalcore.statistics.clustered import FEWEST, Coefficient
from evalcore.statistics.confidence import FOR_ECE
from evalcore.statistics.judge_error import BETTER, CASES, CLASS, LABELS, Corrected, Rate
from evalcore.validating.checked import Checked, Confusion, Constant
from evalcore.validating.judges import JudgeIdentity
from evalcore.validating.rates import ColumnRate, Rates
from evalcore.validating.trust import Trust
from evalcore.views.blocks.base import Block, link
from evalcore.views.blocks.page import (
    FOLD,
    Bar,
    Cell,
    Chip,
    Heading,
    Links,
    Row,
    Say,
    Table,
    Verdict,
    heads,
)
from evalcore.views.judge.agreement import NO_RANGE, criteria_words, scale_words
from evalcore.views.verdict.differences import points
from evalcore.views.words import wording

NO_MODEL: Final = "No model has judged this suite."
NEXT: Final = (
    "New run lets a model judge stored outputs, and so does the command evalcore judge; what it "
    "says is then checked here."
)
DRAW: Final = (
    "Draw one under “Independent batches” on Judge: a number of runs at random, without a "
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


def trust_blocks(
    found: Trust | None, column: tuple[str, str | None] | None = None, *, judged_here: bool = True
) -> list[Block]:
    """Describe how far a judge can be trusted.

    `column` is the version chosen, with a configuration or any; by default the last one that the
    judge judged. Where no model judged, what makes one judge is said if it can here.
    """
    if found is None:
        return [Say(NO_MODEL, big=True), *([Say(NEXT)] if judged_here else [])]

    def chip(text: str, title: str, *, on: bool, **query: str | None) -> Chip:
        return Chip(text=text, title=title, on=on, link=link("judge", view="trust", **query))

    blocks: list[Block] = [Verdict(sentence(found), how=HOW)]
    if len(found.judges) > 1:
        chips = []
        for judge in found.judges:
            prompt, name = judge.prompt[:8] or "instructions not recorded", name_of(judge)
            text = name if judge.judge == RECORDED else f"{name} · {prompt}"
            chips.append(chip(text, prompt, on=judge == found.judge, of=judge.id))
        blocks.append(Links("Judge", chips))
    if found.labels or found.independent:
        only = found.independent
        seen, blind = (
            "Whatever people had seen before",
            "Only of people who had seen no score of the run",
        )
        chips = [
            chip("all labels", seen, on=not only, only=None),
            chip("blind only", blind, on=only, only="independent"),
        ]
        blocks += [Links("Labels", chips), Say(blind_words(found), quiet=True)]
    blocks += [Say(bound(found), quiet=True), Heading("Corrected pass rate")]
    if found.rates.columns:
        blocks += _rates(found.rates, column)
    else:
        none = "The criteria of this judge have no pass mark, so there is no pass rate."
        blocks.append(Say(none))
    if found.checked is not None:
        hint = "how often the model agrees with people, and what is behind it"
        blocks += [Heading("By criterion", hint), _criteria(found.criteria)]
        blocks.append(Heading("By score", "how often the model gave which score"))
        blocks += [*map(_confusion, found.confusions), *_confidence(found)]
    again = needs(found, judged_here=judged_here)
    return [*blocks, Heading("The same output, judged again"), Say(again)]


def _rates(found: Rates, chosen: tuple[str, str | None] | None) -> list[Block]:
    """Describe the rate of the chosen version in a sentence, and those of all in a table."""
    version, configuration = chosen or (None, None)
    named = found.columns[-1]
    for column in reversed(found.columns):
        if column.version == version and configuration in (None, column.configuration):
            named = column
    blocks: list[Block] = [Say(corrected_sentence(named))]
    if best(named)[0] is None and named.sample.state in ("none", "changed"):
        blocks.append(Say(DRAW, quiet=True))
    rows = []
    for column in reversed(found.columns):
        judged, (rate, how) = column.judged, best(column)
        corrected = Cell("none", sub=why_not(column), num=True, quiet=True)
        if rate is not None:
            corrected = _percent(rate, f"{range_words(rate)}; {how}")
        cells = [
            Cell(column_name(column)),
            Cell("", bar=Bar(*(rate or judged))),
            _percent(judged, range_words(judged)),
            corrected,
            _n(column.results, "result", column),
        ]
        rows.append(Row(cells, on=column is named))
    head = heads("version", "0 to 1", "#judged", "#corrected", "#n")
    blocks.append(Table("Corrected pass rate", head, rows, fold=FOLD))
    if (of := found.accuracy) is not None:
        sides = (
            ("passes", of.sensitivity, f"{of.passed:,} that people passed"),
            ("fails", of.specificity, f"{of.failed:,} that people failed"),
        )
        said = " and ".join(
            f"{verb} {wording.percent(rate.value)} ({range_words(rate)}) of the {people}"
            for verb, rate, people in sides
            if rate is not None
        )
        labels = wording.count(found.labels, "blind label")
        whole = f"In {labels} of complete random samples the judge {said}."
        blocks.append(Say(whole, quiet=True))
    return blocks


def _percent(rate: Rate, sub: str) -> Cell:
    return Cell(wording.percent(rate.value), sub=sub, num=True)


def _n(amount: int, noun: str, of: Checked | ColumnRate) -> Cell:
    """Return how much was judged, and of how many cases and runs it is."""
    about = f"{wording.count(of.cases, 'case')}, {wording.count(of.runs, 'run')}"
    return Cell(wording.count(amount, noun), sub=about, num=True)


def _agreement(rate: Rate, cases: int = FEWEST) -> tuple[Cell, Cell]:
    """Return how often the model agrees with people, drawn and in numbers."""
    bar = Bar(*rate) if cases >= FEWEST else Bar(rate.value, None, None)
    return Cell("", bar=bar), _percent(rate, range_words(rate, cases))


def _criteria(found: Iterable[Checked]) -> Table:
    """Describe by criterion how often the model agrees with people, and what is behind it."""
    rows = []
    for one in found:
        kappa, by = one.kappa, one.direction
        if kappa is None or kappa.value is None:
            why = "several scales" if kappa is None else kappa.why
            agree = Cell(why, num=True, quiet=True)
        else:
            likely = NO_RANGE
            if kappa.low is not None:
                likely = f"{wording.fixed(kappa.low)} – {wording.fixed(kappa.high)}"
            agree = Cell(wording.fixed(kappa.value), sub=likely, num=True)
        less = Cell("needs a second case", num=True, quiet=True)
        if by is not None:
            likely = f"{points(by.low)} – {points(by.high)}" if one.cases >= FEWEST else ""
            less = Cell(points(by.value), sub=likely, num=True)
        name = one.criterion
        if name is None:
            name = criteria_words(one.kind, one.criteria)
        always = wording.percent(one.constant.same)
        cells = [
            Cell(name, clamp=True, id=f"{one.kind} {one.row}"),
            *_agreement(one.same, one.cases),
            agree,
            less,
            Cell(always, title=constant_words(one.constant), num=True),
            _n(one.n, "score", one),
        ]
        rows.append(Row(cells))
    columns = ("#agree", "#kappa", "#model less people", "#always the same", "#n")
    head = heads("criterion", "agreement, 0 to 1", *columns)
    return Table("By criterion", head, rows, fold=FOLD)


def _confusion(one: Confusion) -> Table:
    """Describe how often the model gave which score where people gave which."""
    either = one.scale.pass_fail
    words = [
        ("passed" if step else "failed") if either else wording.number(step) for step in one.steps
    ]
    rows = [
        Row([Cell(word), *(Cell(f"{n:,}", num=True, quiet=not n) for n in counts)])
        for word, counts in zip(words, one.counts, strict=True)
    ]
    head = heads("people say", *(f"#model {word}" for word in words))
    return Table(f"Scores, {scale_words(one.scale)}", head, rows)


def _confidence(found: Trust) -> list[Block]:
    """Describe how often the model is right by the confidence that it states."""

    def table(of: str, rows: Iterable[tuple[Cell, Rate, int]]) -> Table:
        head = heads("confidence", "agreement, 0 to 1", "#agree", "#n")
        drawn = [
            Row([first, *_agreement(right), Cell(f"{n:,}", num=True)]) for first, right, n in rows
        ]
        return Table(f"Confidence in {of}", head, drawn)

    stated, of = "", found.numbers
    if not found.words and of is None:
        stated = "this judge states no confidence"
    elif found.unsure:
        stated = f"{wording.count(found.unsure, 'checked score')} without a stated confidence"
    blocks: list[Block] = [Heading("Is it right when it is sure?", stated)]
    if found.words:
        words = ((Cell(each.word), each.right, each.n) for each in found.words)
        blocks.append(table("words", words))
    if of is not None:
        rows = []
        for each in of.bins:
            name = f"{wording.percent(each.low)} – {wording.percent(each.high)}"
            says = f"says {wording.percent(each.confidence)} on average"
            rows.append((Cell(name, sub=says), each.right, each.n))
        blocks.append(table("numbers", rows))
        error = f"no expected calibration error below {FOR_ECE} checked scores ({of.n:,} so far)"
        if of.ece is not None:
            error = f"expected calibration error {wording.fixed(of.ece)}"
        brier = f"Brier score {wording.fixed(of.brier)} (0 is best, 0.25 is a coin)"
        blocks.append(Say(f"{brier}; {error}.", quiet=True))
    return blocks


def sentence(found: Trust) -> str:
    """Return how far a model agrees with people, a baseline, and what is left out and why."""
    checked, name = found.checked, name_of(found.judge)
    if checked is None and not found.divided:
        return f"Nobody has scored what {name} judged, so nothing checks it."
    said = []
    if checked is not None:
        subject = f"The {name[4:]}" if name.startswith("the ") else name
        said.append(
            f"{subject} agrees with people on {wording.percent(checked.same.value)} of "
            f"{wording.count(checked.n, 'checked score')}; {constant_words(checked.constant)}."
        )
    if found.divided:
        every = found.divided + (checked.n if checked is not None else 0)
        are = "is" if found.divided == 1 else "are"
        step = "adjudicate."
        if found.independent:
            step = "let a third person judge these who has seen no score."
        of = f"{found.divided:,} of {wording.count(every, 'label')} {are} divided"
        said.append(f"{of} and left out: {step}")
    if found.people is not None:
        pairs = wording.count(found.pairs, "pair")
        said.append(f"Two people agree on {wording.percent(found.people.value)} of {pairs}.")
    return " ".join(said)


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


def range_words(of: Rate | Coefficient, cases: int = FEWEST) -> str:
    """Return the range of a rate."""
    if of.low is None or cases < FEWEST:
        return NO_RANGE
    return f"likely {wording.percent(of.low)} – {wording.percent(of.high)}"


def column_name(column: ColumnRate) -> str:
    """Return the name of a version and configuration."""
    return wording.column_words(Column(column.version, column.configuration))


def corrected_sentence(column: ColumnRate) -> str:
    """Return the corrected rate of a version as a sentence, or why there is none."""
    name, judged = column_name(column), wording.percent(column.judged.value)
    begin = f"{name}: the judge passes {judged} of criteria"
    rate, how = best(column)
    if rate is None:
        of, nor = column.corrected, ""
        if column.sample.state != "complete" and (of.why != "few labels" or of.found):
            nor = f", and of all samples, {refusal(of)}"  # those do not do either
        return f"{begin}. No corrected rate: {why_not(column)}{nor}."
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


def needs(found: Trust, *, judged_here: bool = True) -> str:
    """Return how much of the flicker is the judge's, or what is needed to say."""
    flicker = found.flicker
    if flicker.same_output is None:
        again = " The command evalcore judge with --repeats judges them again."
        return (
            "How much of the change from run to run is the judge's is not known: no output was "
            f"judged twice by it.{again if judged_here else ''}"
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
    share, other = wording.percent(flicker.share.value), wording.percent(flicker.other_run)
    return (
        f"{words}; runs of the same case in {other}. So {share} of the change from run to run is "
        f"the judge's, {range_words(flicker.share)}."
    )
