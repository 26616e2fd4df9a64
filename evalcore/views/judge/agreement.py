"""Agreement between judges in blocks: a sentence, and tables by criterion and pair."""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple

from evalcore.counting.cells import typed, where
from evalcore.counting.memo import memoize_per_workspace
from evalcore.judging.agreeing.agreement import Agreement, Group, Pair, agreement
from evalcore.judging.agreeing.scores import RECORDED
from evalcore.judging.asking.asked import asked
from evalcore.judging.storing.names import people, person
from evalcore.statistics.clustered import Coefficient
from evalcore.tables.rows import JudgmentRow
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
from evalcore.views.judge.agreement_words import (
    ALL_AGREE,
    INDEPENDENT,
    START,
    between,
    how,
    independent_words,
    no_range,
    number,
    scale_words,
    sentence,
    with_range,
)
from evalcore.views.words import wording
from evalcore.workspace.hidden import STATUS as HIDDEN
from evalcore.workspace.opened import Workspace

NAMED: Final = 3
"""How many people are compared with the recorded judge, in a sentence each."""


class Whose(NamedTuple):
    """Whose scores are compared: with the recorded judge or not, independent ones only or all."""

    recorded: bool = False
    independent: bool = False


def agreement_blocks(
    found: Agreement,
    whose: Whose,
    names: Mapping[int, str],
    recorded: Agreement | None = None,
    reader: str = "",
) -> list[Block]:
    """Describe the agreement: a sentence, then criteria and pairs on one axis each.

    `names` holds the criterion name of a judgment (a position). Where no two people can be
    compared, `recorded` says how far each is from the recorded judge; `reader` is one of them.
    """
    if not found.units:
        beside = _beside(recorded, whose, reader) if recorded and not whose.recorded else []
        return [*_nothing(found, whose), *beside, *_choice(found, whose)]
    blocks: list[Block] = [
        Verdict(sentence(found), how=how(found)),
        *_choice(found, whose),
    ]
    if len(found.scales) > 1:
        blocks += _groups("By scale", found.scales, names, 0)
    blocks += _groups("By criterion", found.criteria, names, found.more_criteria)
    return [*blocks, *_pairs(found)]


def hidden_blocks(ws: Workspace, suite: str) -> list[Block]:
    """Say how many runs are left out here because they are hidden from the reader."""
    n = len(where(ws, "runs", suite=suite, status=HIDDEN))
    if not n:
        return []
    runs = wording.count(n, "run")
    are, them = ("is", "it") if n == 1 else ("are", "them")
    return [Say(f"{runs} {are} {wording.HIDDEN} {them}.", quiet=True)]


@memoize_per_workspace
def criterion_names(ws: Workspace, suite: str, whose: Whose) -> dict[int, str]:
    """Return the display name of each criterion of `agreement`."""
    counted = agreement(ws, suite, **whose._asdict())
    rows = [one.row for one in counted.criteria if one.criterion]
    found = {}
    for at, row in zip(rows, typed(ws, "judgments", JudgmentRow, rows), strict=True):
        key = f"{row.kind}:{row.criterion}"
        named = (one.name for one in asked(ws, row.run_id or "") if one.key == key)
        found[at] = next(named, row.criterion or "")
    return found


def _choice(found: Agreement, whose: Whose) -> list[Block]:
    """Describe the choice whose scores are compared, and how many are independent."""
    items = [
        _chip("people only", "Only the scores of people", whose, recorded=False),
        _chip(
            f"people and {RECORDED}",
            "The scores in the suite's own files are one more judge",
            whose,
            recorded=True,
        ),
    ]
    counts = [
        _chip("all judgments", "Whatever their judges had seen before", whose, independent=False),
        _chip("independent only", INDEPENDENT, whose, independent=True),
    ]
    blocks: list[Block] = [Links("Judges", items)]
    if found.human or whose.independent:
        blocks += [Links("Judgments", counts), Say(independent_words(found, whose.independent))]
    return blocks


def _chip(text: str, title: str, whose: Whose, **chosen: bool) -> Chip:
    to = whose._replace(**chosen)
    judges, only = "all" if to.recorded else None, "independent" if to.independent else None
    on = to == whose
    return Chip(
        text=text,
        on=on,
        link=link("judge", view="agreement", judges=judges, only=only),
        title=title,
    )


def _nothing(found: Agreement, whose: Whose) -> list[Block]:
    """Return why there is nothing to compare, and the next step."""
    if whose.independent and not found.units:
        return [Say("No two judges have scored the same independently.", big=True), Say(START)]
    judged = [one for one in found.judges if one[0] != RECORDED]
    total = wording.count(found.alone, "criterion")
    if not judged:
        text = "Nobody has judged this suite yet."
        step = "Judge a few runs; agreement shows once a second judge has scored the same."
    elif len(found.judges) == 1:
        who = person(judged[0][0])
        text = f"Only {who} has judged so far: {total}. Agreement needs a second judge."
        step = (
            "Ask somebody to judge runs of this suite, here under another name or in their own "
            "copy of the folder."
        )
    else:
        who = wording.count(len(found.judges), "judge")
        both = "both" if len(found.judges) == 2 else "two of them"
        text = f"{who}, no run judged by {both} yet: {total} with one score each."
        step = "Agreement shows once two judges have scored the same run."
    if whose.recorded and not judged:
        step = f"{step} Until then there is nothing to compare {RECORDED} with."
    return [Say(text, big=True), Say(step)]


def _beside(recorded: Agreement, whose: Whose, reader: str) -> list[Block]:
    """Say in how many criteria each person and the recorded judge gave another score."""
    same: Counter[str] = Counter()
    both: Counter[str] = Counter()
    for pair in recorded.pairs:
        if RECORDED in {pair.one, pair.other}:
            who = pair.other if pair.one == RECORDED else pair.one
            same[who] += pair.same
            both[who] += pair.kappa.units
    names = people(both)
    said = [
        f"{'You' if who == reader else names[who]} and {RECORDED} differ in "
        f"{n - same[who]:,} of {wording.count(n, 'criterion')} that both scored."
        for who, n in both.most_common(NAMED)
    ]
    if not said:
        return []
    show = _chip("Show them by criterion", "Take the recorded judge in", whose, recorded=True)
    return [*map(Say, said), Links("", [show])]


def _groups(
    title: str, groups: tuple[Group, ...], names: Mapping[int, str], more: int
) -> list[Block]:
    axis = _axis(one.alpha for one in groups)
    head = _head(title.removeprefix("By "), "alpha", axis)
    rows = [Row(_group_cells(one, names, axis)) for one in groups]
    hint = f"{more:,} more, with fewer scores" if more else ""
    return [Heading(title, hint), Table(title, head, rows, fold=FOLD)]


def _group_cells(one: Group, names: Mapping[int, str], axis: int) -> list[Cell]:
    beside = one.ac1 and f"AC1 {with_range(one.ac1)}"
    return [
        Cell(_name(one, names), sub=_about(one), clamp=True, id=f"{one.kind} {one.row}"),
        _bar(one.alpha, axis),
        _coefficient(one.alpha, beside or ""),
        Cell(
            wording.percent(one.raw.same / one.raw.pairs),
            sub=f"of {wording.count(one.raw.pairs, 'pair')}",
            num=True,
        ),
        Cell(
            wording.count(one.alpha.units, "criterion" if one.criterion is None else "run"),
            sub=f"{wording.count(one.alpha.cases, 'case')}, {wording.count(one.judges, 'judge')}",
            num=True,
        ),
    ]


def _name(one: Group, names: Mapping[int, str]) -> str:
    if one.kind is None:
        return scale_words(one.scale)
    if one.criterion is not None:
        return names.get(one.row, one.criterion)
    if one.criteria == 1:
        return f"1 {one.kind} criterion"
    return f"{one.criteria:,} {one.kind} criteria, each of one case"


def _about(one: Group) -> str:
    if one.kind is None:
        return wording.count(one.criteria, "criterion")
    return scale_words(one.scale)


def _pairs(found: Agreement) -> list[Block]:
    axis = _axis(one.kappa for one in found.pairs)
    head = _head("pair", "kappa", axis)
    several = len(found.scales) > 1
    names = people(who for who, _ in found.judges)
    rows = [Row(_pair_cells(one, names, axis, several)) for one in found.pairs]
    hint = f"{found.more_pairs:,} more, with fewer scores" if found.more_pairs else ""
    return [Heading("By pair of judges", hint), Table("By pair of judges", head, rows, fold=FOLD)]


def _pair_cells(one: Pair, names: Mapping[str, str], axis: int, several: bool) -> list[Cell]:
    n = one.kappa.units
    who = f"{names[one.one]} and {names[one.other]}"
    return [
        Cell(who, sub=scale_words(one.scale) if several else ""),
        _bar(one.kappa, axis),
        _coefficient(one.kappa, ""),
        Cell(wording.percent(one.same / n), sub=f"{one.same:,} of {n:,}", num=True),
        Cell(wording.count(n, "criterion"), sub=wording.count(one.kappa.cases, "case"), num=True),
    ]


def _head(first: str, name: str, axis: int) -> list[tuple[str, bool]]:
    from_to = f"{name}, {wording.number(axis)} to 1"
    return [(first, False), (from_to, False), (name, True), ("same score", True), ("n", True)]


def _axis(of: Iterable[Coefficient]) -> int:
    """Return the lower end of an axis to 1 that holds all of them."""
    lowest = min((at for one in of for at in (one.value, one.low) if at is not None), default=0.0)
    return -1 if lowest < 0 else 0


def _bar(given: Coefficient, axis: int) -> Cell:
    def at(value: float | None) -> float | None:
        return None if value is None else (value - axis) / (1 - axis)

    if given.value is None:
        return Cell("")
    return Cell("", bar=Bar(at(given.value), at(given.low), at(given.high)))


def _coefficient(given: Coefficient, beside: str) -> Cell:
    if given.why == ALL_AGREE:
        return Cell(ALL_AGREE, sub=beside or "one and the same score", num=True)
    if given.value is None:
        return Cell("too few", sub=f"{given.units:,} of 2", num=True, quiet=True)
    likely = no_range(given) if given.low is None else f"likely {between(given, ' to ')}"
    sub = f"{likely}; {beside}" if beside else likely
    return Cell(number(given.value), sub=sub, num=True)
