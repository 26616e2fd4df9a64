"""Trust in a model as judge in blocks: a sentence, corrected rates, criteria, confidence."""

from typing import Final

from evalcore.judging.agreeing.scores import RECORDED
from evalcore.statistics.clustered import FEWEST
from evalcore.statistics.judge_error import Rate
from evalcore.validating.checked import Checked, Confusion
from evalcore.validating.judges import JudgeIdentity
from evalcore.validating.rates import ColumnRate
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
)
from evalcore.views.judge.agreement_words import scale_words
from evalcore.views.judge.trust_words import (
    DRAW,
    HOW,
    best,
    blind_words,
    bound,
    column_name,
    constant_words,
    corrected_sentence,
    ece_words,
    name_of,
    needs,
    range_words,
    sentence,
    why_not,
)
from evalcore.views.verdict.differences import points
from evalcore.views.words import wording

NO_MODEL: Final = "No model has judged this suite."
NEXT: Final = (
    "New run lets a model judge stored outputs, and so does the command evalcore judge; what it "
    "says is then checked here."
)


Column = tuple[str, str | None]
"""A version, and a configuration or any."""


def trust_blocks(found: Trust | None, column: Column | None = None) -> list[Block]:
    """Describe how far a judge can be trusted.

    `column` is the version chosen, by default the last one that the judge judged.
    """
    if found is None:
        return [Say(NO_MODEL, big=True), Say(NEXT)]
    blocks: list[Block] = [
        Verdict(sentence(found), how=list(HOW)),
        *_choice(found),
        *_rates(found, column),
    ]
    if found.checked is not None:
        by_score = Heading("By score", "how often the model gave which score")
        blocks += [*_criteria(found), by_score, *map(_confusion, found.confusions)]
        blocks += _confidence(found)
    return [*blocks, Heading("The same output, judged again"), Say(needs(found))]


def _choice(found: Trust) -> list[Block]:
    blocks: list[Block] = []
    if len(found.judges) > 1:
        chips = [_judge(each, on=each == found.judge) for each in found.judges]
        blocks.append(Links("Judge", chips))
    if found.labels or found.independent:
        only = (
            ("all labels", "Whatever people had seen before", None),
            ("blind only", "Only of people who had seen no score of the run", "independent"),
        )
        chips = [
            Chip(
                text=text,
                title=title,
                on=(value is not None) == found.independent,
                link=link("judge", view="trust", only=value),
            )
            for text, title, value in only
        ]
        blocks += [Links("Labels", chips), Say(blind_words(found), quiet=True)]
    return [*blocks, Say(bound(found), quiet=True)]


def _judge(judge: JudgeIdentity, *, on: bool) -> Chip:
    prompt = judge.prompt[:8] or "instructions not recorded"
    several = f"{name_of(judge)} · {prompt}"
    return Chip(
        text=name_of(judge) if judge.judge == RECORDED else several,
        title=prompt,
        on=on,
        link=link("judge", view="trust", of=judge.id),
    )


def _rates(found: Trust, chosen: Column | None) -> list[Block]:
    columns = found.rates.columns
    if not columns:
        return [
            Heading("Corrected pass rate"),
            Say("The criteria of this judge have no pass mark, so there is no pass rate."),
        ]
    named = column_of(found, chosen) or columns[-1]
    blocks: list[Block] = [Heading("Corrected pass rate"), Say(corrected_sentence(named))]
    if best(named)[0] is None and named.sample.state in ("none", "changed"):
        blocks.append(Say(DRAW, quiet=True))
    names = ("judged", "corrected", "n")
    head = [("version", False), ("0 to 1", False), *((name, True) for name in names)]
    rows = [Row(_rate_cells(each), on=each is named) for each in reversed(columns)]
    blocks.append(Table("Corrected pass rate", head, rows, fold=FOLD))
    if found.rates.accuracy is not None:
        blocks.append(Say(_accuracy(found), quiet=True))
    return blocks


def column_of(found: Trust, chosen: Column | None) -> ColumnRate | None:
    """Return the rate of a version and configuration; None if there is none or none is chosen."""
    if chosen is None:
        return None
    version, configuration = chosen
    mine = (each for each in found.rates.columns if each.version == version)
    return next((each for each in mine if configuration in (None, each.configuration)), None)


def _rate_cells(column: ColumnRate) -> list[Cell]:
    rate, how = best(column)
    shown = column.judged if rate is None else rate
    corrected = (
        Cell("none", sub=why_not(column), num=True, quiet=True)
        if rate is None
        else Cell(wording.percent(rate.value), sub=f"{range_words(rate)}; {how}", num=True)
    )
    return [
        Cell(column_name(column)),
        Cell("", bar=Bar(shown.value, shown.low, shown.high)),
        Cell(wording.percent(column.judged.value), sub=range_words(column.judged), num=True),
        corrected,
        Cell(
            wording.count(column.results, "result"),
            sub=f"{wording.count(column.cases, 'case')}, {wording.count(column.runs, 'run')}",
            num=True,
        ),
    ]


def _accuracy(found: Trust) -> str:
    of = found.rates.accuracy
    assert of is not None
    parts = [
        f"{verb} {_with_range(rate)} of the {n:,} that people {people}"
        for verb, rate, n, people in (
            ("passes", of.sensitivity, of.passed, "passed"),
            ("fails", of.specificity, of.failed, "failed"),
        )
        if rate is not None
    ]
    labels = wording.count(found.rates.labels, "blind label")
    return f"In {labels} of complete random samples the judge {' and '.join(parts)}."


def _with_range(rate: Rate) -> str:
    return f"{wording.percent(rate.value)} ({range_words(rate)})"


def _criteria(found: Trust) -> list[Block]:
    head = [
        ("criterion", False),
        ("agreement, 0 to 1", False),
        ("agree", True),
        ("kappa", True),
        ("model less people", True),
        ("always the same", True),
        ("n", True),
    ]
    rows = [Row(_criterion_cells(each)) for each in found.criteria]
    hint = "how often the model agrees with people, and what is behind it"
    return [Heading("By criterion", hint), Table("By criterion", head, rows, fold=FOLD)]


def _criterion_cells(one: Checked) -> list[Cell]:
    ranged = one.cases >= FEWEST
    bar = Bar(one.same.value, *((one.same.low, one.same.high) if ranged else (None, None)))
    return [
        Cell(_name(one), clamp=True, id=f"{one.kind} {one.row}"),
        Cell("", bar=bar),
        Cell(wording.percent(one.same.value), sub=range_words(one.same, one.cases), num=True),
        _kappa(one),
        _direction(one, ranged=ranged),
        Cell(wording.percent(one.constant.same), title=constant_words(one.constant), num=True),
        Cell(
            wording.count(one.n, "score"),
            sub=f"{wording.count(one.cases, 'case')}, {wording.count(one.runs, 'run')}",
            num=True,
        ),
    ]


def _name(one: Checked) -> str:
    if one.criterion is not None:
        return one.criterion
    if one.criteria == 1:
        return f"1 {one.kind} criterion"
    return f"{one.criteria:,} {one.kind} criteria, each of one case"


def _kappa(one: Checked) -> Cell:
    found = one.kappa
    if found is None or found.value is None:
        why = "several scales" if found is None else found.why
        return Cell(why, num=True, quiet=True)
    likely = (
        f"no range below {FEWEST} cases"
        if found.low is None
        else f"{wording.fixed(found.low)} – {wording.fixed(found.high)}"
    )
    return Cell(wording.fixed(found.value), sub=likely, num=True)


def _direction(one: Checked, *, ranged: bool) -> Cell:
    if one.direction is None:
        return Cell("needs a second case", num=True, quiet=True)
    rate = one.direction
    likely = f"{points(rate.low)} – {points(rate.high)}" if ranged else ""
    return Cell(points(rate.value), sub=likely, num=True)


def _confusion(one: Confusion) -> Table:
    words = [_step(one, step) for step in one.steps]
    head = [("people say", False), *((f"model {word}", True) for word in words)]
    rows = [
        Row([Cell(word), *(Cell(f"{n:,}", num=True, quiet=not n) for n in counts)])
        for word, counts in zip(words, one.counts, strict=True)
    ]
    return Table(f"Scores, {scale_words(one.scale)}", head, rows)


def _step(one: Confusion, step: float) -> str:
    if one.scale.pass_fail:
        return "passed" if step else "failed"
    return wording.number(step)


def _confidence(found: Trust) -> list[Block]:
    blocks: list[Block] = [Heading("Is it right when it is sure?", _stated(found))]
    head = [("confidence", False), ("agreement, 0 to 1", False), ("agree", True), ("n", True)]
    if found.words:
        rows = [_confidence_row(each.word, each.right, each.n) for each in found.words]
        blocks.append(Table("Confidence in words", head, rows))
    if found.numbers is not None:
        of = found.numbers
        rows = [
            _confidence_row(
                f"{wording.percent(each.low)} – {wording.percent(each.high)}",
                each.right,
                each.n,
                f"says {wording.percent(each.confidence)} on average",
            )
            for each in of.bins
        ]
        blocks.append(Table("Confidence in numbers", head, rows))
        brier = f"Brier score {wording.fixed(of.brier)} (0 is best, 0.25 is a coin)"
        blocks.append(Say(f"{brier}; {ece_words(of.ece, of.n)}.", quiet=True))
    return blocks


def _stated(found: Trust) -> str:
    if not found.words and found.numbers is None:
        return "this judge states no confidence"
    if not found.unsure:
        return ""
    return f"{wording.count(found.unsure, 'checked score')} without a stated confidence"


def _confidence_row(name: str, right: Rate, n: int, sub: str = "") -> Row:
    return Row(
        [
            Cell(name, sub=sub),
            Cell("", bar=Bar(right.value, right.low, right.high)),
            Cell(wording.percent(right.value), sub=range_words(right), num=True),
            Cell(f"{n:,}", num=True),
        ]
    )
