"""Agreement between judges in blocks: a sentence, and tables by criterion and pair."""

from collections.abc import Iterable, Mapping
from typing import Final

from evalcore.counting.cells import typed
from evalcore.counting.memo import memoize_per_workspace
from evalcore.judging.agreeing.agreement import SKEWED, Agreement, Group, Pair, Scale, agreement
from evalcore.judging.agreeing.scores import RECORDED
from evalcore.judging.asking.asked import asked
from evalcore.statistics.clustered import FEWEST, Coefficient
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
from evalcore.views.words import wording
from evalcore.workspace.opened import Workspace

ENOUGH: Final = 2 / 3
"""The least alpha for a first conclusion (Krippendorff 2004, "Reliability in Content Analysis")."""
RELIED: Final = 0.8
SCALES: Final = 3
"""How many scales the first sentence names; the table lists all of them."""
ALL_AGREE: Final = "all agree"
NO_RANGE: Final = f"no range below {FEWEST} cases"
ALIKE: Final = "no range: the scores are too much alike"
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


def agreement_blocks(found: Agreement, *, recorded: bool, names: Mapping[int, str]) -> list[Block]:
    """Describe the agreement: a sentence, then criteria and pairs on one axis each.

    `names` holds the criterion name of a judgment (a position).
    """
    if not found.units:
        return [*_nothing(found, recorded), _choice(recorded)]
    blocks: list[Block] = [
        Verdict(sentence(found), how=how(found)),
        _choice(recorded),
    ]
    if len(found.scales) > 1:
        blocks += _groups("By scale", found.scales, names, 0)
    blocks += _groups("By criterion", found.criteria, names, found.more_criteria)
    return [*blocks, *_pairs(found)]


@memoize_per_workspace
def criterion_names(ws: Workspace, suite: str, *, recorded: bool) -> dict[int, str]:
    """Return the display name of each criterion of `agreement`."""
    rows = [one.row for one in agreement(ws, suite, recorded=recorded).criteria if one.criterion]
    found = {}
    for at, row in zip(rows, typed(ws, "judgments", JudgmentRow, rows), strict=True):
        key = f"{row.kind}:{row.criterion}"
        named = (one.name for one in asked(ws, row.run_id or "") if one.key == key)
        found[at] = next(named, row.criterion or "")
    return found


def sentence(found: Agreement) -> str:
    """Return one sentence on the agreement of judges, or that it cannot be decided."""
    judges = len(found.judges)
    begin = f"{judges:,} judges scored {found.units:,} of the same criteria"
    same = wording.percent(found.raw.same / found.raw.pairs)
    said = (
        f"{begin}: they gave the same score in {same} of {wording.count(found.raw.pairs, 'pair')}"
    )
    if len(found.scales) > 1:
        return f"{said}. Each scale has an alpha of its own: {_scales(found)}."
    alpha = found.scales[0].alpha
    if alpha.why == ALL_AGREE:
        return f"{begin}, and all agree: everybody gave one and the same score throughout."
    if alpha.value is None:
        return f"{said}. Alpha needs two such criteria."
    return f"{said}, alpha {_with_range(alpha)}. {_verdict(alpha)}"


def _scales(found: Agreement) -> str:
    return "; ".join(
        f"{_with_range(one.alpha)}, on {scale_words(one.scale)} "
        f"({wording.count(one.alpha.units, 'criterion')})"
        for one in found.scales[:SCALES]
    )


def _verdict(alpha: Coefficient) -> str:
    least = wording.fixed(ENOUGH)
    if alpha.low is None or alpha.high is None:
        return f"Can't tell whether that is enough: {_no_range(alpha)}."
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


def _choice(recorded: bool) -> Links:
    """Describe the choice whether to include the recorded judge."""
    only, both = (link("judge", view="agreement", judges=judges) for judges in (None, "all"))
    items = [
        Chip(
            text="people only",
            on=not recorded,
            link=only,
            title="Only the scores of people",
        ),
        Chip(
            text=f"people and {RECORDED}",
            on=recorded,
            link=both,
            title="The scores in the suite's own files are one more judge",
        ),
    ]
    return Links("Judges", items)


def _nothing(found: Agreement, recorded: bool) -> list[Block]:
    """Return why there is nothing to compare, and the next step."""
    people = [one for one in found.judges if one[0] != RECORDED]
    total = wording.count(found.alone, "criterion")
    if not people:
        text = "Nobody has judged this suite yet."
        step = "Judge a few runs; agreement shows once a second judge has scored the same."
    elif len(found.judges) == 1:
        text = f"Only {people[0][0]} has judged so far: {total}. Agreement needs a second judge."
        step = (
            "Ask somebody to judge runs of this suite, here under another name or in their own "
            "copy of the folder."
        )
    else:
        who = wording.count(len(found.judges), "judge")
        text = f"{who} scored {total}, and none of them the same."
        step = "Agreement shows once two judges have scored the same run."
    if recorded and not people:
        step = f"{step} Until then there is nothing to compare {RECORDED} with."
    return [Say(text, big=True), Say(step)]


def _groups(
    title: str, groups: tuple[Group, ...], names: Mapping[int, str], more: int
) -> list[Block]:
    axis = _axis(one.alpha for one in groups)
    head = _head(title.removeprefix("By "), "alpha", axis)
    rows = [Row(_group_cells(one, names, axis)) for one in groups]
    hint = f"{more:,} more, with fewer scores" if more else ""
    return [Heading(title, hint), Table(title, head, rows, fold=FOLD)]


def _group_cells(one: Group, names: Mapping[int, str], axis: int) -> list[Cell]:
    beside = one.ac1 and f"AC1 {_with_range(one.ac1)}"
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


def scale_words(scale: Scale) -> str:
    """Return a scale as words."""
    if scale.pass_fail:
        return "pass or fail"
    if scale.low is None or scale.high is None:
        return "a scale without stated ends"
    return f"{wording.number(scale.low)} to {wording.number(scale.high)}"


def _pairs(found: Agreement) -> list[Block]:
    axis = _axis(one.kappa for one in found.pairs)
    head = _head("pair", "kappa", axis)
    several = len(found.scales) > 1
    rows = [Row(_pair_cells(one, axis, several)) for one in found.pairs]
    hint = f"{found.more_pairs:,} more, with fewer scores" if found.more_pairs else ""
    return [Heading("By pair of judges", hint), Table("By pair of judges", head, rows, fold=FOLD)]


def _pair_cells(one: Pair, axis: int, several: bool) -> list[Cell]:
    n = one.kappa.units
    return [
        Cell(f"{one.one} and {one.other}", sub=scale_words(one.scale) if several else ""),
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
    likely = _no_range(given) if given.low is None else f"likely {_between(given, ' to ')}"
    sub = f"{likely}; {beside}" if beside else likely
    return Cell(_number(given.value), sub=sub, num=True)


def _no_range(given: Coefficient) -> str:
    return NO_RANGE if given.cases < FEWEST else ALIKE


def _with_range(given: Coefficient) -> str:
    if given.value is None:
        return given.why
    value = _number(given.value)
    return value if given.low is None else f"{value}, likely between {_between(given, ' and ')}"


def _between(given: Coefficient, joined: str) -> str:
    return f"{_number(given.low)}{joined}{_number(given.high)}"


def _number(value: float | None) -> str:
    return wording.fixed(value).replace("-", wording.MINUS)
