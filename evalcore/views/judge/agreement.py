"""Agreement between judges: a sentence, what the coefficients mean, and tables on one axis."""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple

from evalcore.counting.cells import typed, where
from evalcore.counting.memo import memoize_per_workspace
from evalcore.judging.agreeing.agreement import SKEWED, Agreement, Group, Scale, agreement
from evalcore.judging.agreeing.scores import RECORDED
from evalcore.judging.asking.asked import asked
from evalcore.judging.storing.names import people, person
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
from evalcore.workspace.hidden import STATUS as HIDDEN
from evalcore.workspace.opened import Workspace

NAMED: Final = 3
"""How many people are compared with the recorded judge, in a sentence each."""
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


class Whose(NamedTuple):
    """Whose scores are compared: with the recorded judge or not, independent ones only or all."""

    recorded: bool = False
    independent: bool = False


def agreements(ws: Workspace, suite: str, whose: Whose) -> tuple[Agreement, Agreement | None]:
    """Return how far the chosen judges agree.

    Where no two of them can be compared, how far each is from the recorded judge comes with it.
    """
    found = agreement(ws, suite, **whose._asdict())
    if found.units:
        return found, None
    return found, agreement(ws, suite, recorded=True, independent=whose.independent)


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
    blocks: list[Block] = [Verdict(sentence(found), how=how(found)), *_choice(found, whose)]
    if len(found.scales) > 1:
        blocks += _groups("scale", found.scales, names, 0)
    blocks += _groups("criterion", found.criteria, names, found.more_criteria)

    axis, several = _axis(one.kappa for one in found.pairs), len(found.scales) > 1
    known = people(who for who, _ in found.judges)
    rows = []
    for pair in found.pairs:
        n = pair.kappa.units
        who = f"{known[pair.one]} and {known[pair.other]}"
        cases = wording.count(pair.kappa.cases, "case")
        cells = [
            Cell(who, sub=scale_words(pair.scale) if several else ""),
            *_coefficient_cells(pair.kappa, axis),
            Cell(wording.percent(pair.same / n), sub=f"{pair.same:,} of {n:,}", num=True),
            Cell(wording.count(n, "criterion"), sub=cases, num=True),
        ]
        rows.append(Row(cells))
    title, more = "By pair of judges", found.more_pairs
    hint = f"{more:,} more, with fewer scores" if more else ""
    return [*blocks, Heading(title, hint), Table(title, _head("pair", "kappa", axis), rows, FOLD)]


def hidden_blocks(ws: Workspace, suite: str) -> list[Block]:
    """Say how many runs are left out here because they are hidden from the reader."""
    n = len(where(ws, "runs", suite=suite, status=HIDDEN))
    are, them = ("is", "it") if n == 1 else ("are", "them")
    said = f"{wording.count(n, 'run')} {are} {wording.HIDDEN} {them}."
    return [Say(said, quiet=True)] if n else []


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
    beside = "The scores in the suite's own files are one more judge"
    judges = [
        _chip("people only", "Only the scores of people", whose, recorded=False),
        _chip(f"people and {RECORDED}", beside, whose, recorded=True),
    ]
    blocks: list[Block] = [Links("Judges", judges)]
    if found.human or whose.independent:
        every = "Whatever their judges had seen before"
        counts = [
            _chip("all judgments", every, whose, independent=False),
            _chip("independent only", INDEPENDENT, whose, independent=True),
        ]
        blocks += [Links("Judgments", counts), Say(independent_words(found, whose.independent))]
    return blocks


def _chip(text: str, title: str, whose: Whose, **chosen: bool) -> Chip:
    to = whose._replace(**chosen)
    judges, only = "all" if to.recorded else None, "independent" if to.independent else None
    there = link("judge", view="agreement", judges=judges, only=only)
    return Chip(text=text, on=to == whose, link=there, title=title)


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


def _groups(of: str, groups: tuple[Group, ...], names: Mapping[int, str], more: int) -> list[Block]:
    """Describe the agreement on each scale or criterion."""
    axis = _axis(one.alpha for one in groups)
    rows = []
    for one in groups:
        name, about = scale_words(one.scale), wording.count(one.criteria, "criterion")
        if one.kind is not None:
            name, about = criteria_words(one.kind, one.criteria), name
            if one.criterion is not None:
                name = names.get(one.row, one.criterion)
        units = wording.count(one.alpha.units, "criterion" if one.criterion is None else "run")
        judges = wording.count(one.judges, "judge")
        pairs = f"of {wording.count(one.raw.pairs, 'pair')}"
        cells = [
            Cell(name, sub=about, clamp=True, id=f"{one.kind} {one.row}"),
            *_coefficient_cells(one.alpha, axis, f"AC1 {with_range(one.ac1)}" if one.ac1 else ""),
            Cell(wording.percent(one.raw.same / one.raw.pairs), sub=pairs, num=True),
            Cell(units, sub=f"{wording.count(one.alpha.cases, 'case')}, {judges}", num=True),
        ]
        rows.append(Row(cells))
    title = f"By {of}"
    hint = f"{more:,} more, with fewer scores" if more else ""
    return [Heading(title, hint), Table(title, _head(of, "alpha", axis), rows, FOLD)]


def criteria_words(kind: str | None, n: int) -> str:
    """Return what criteria are called that are counted together: `2 rubric criteria, …`."""
    return f"1 {kind} criterion" if n == 1 else f"{n:,} {kind} criteria, each of one case"


def _head(first: str, name: str, axis: int) -> list[tuple[str, bool]]:
    from_to = f"{name}, {wording.number(axis)} to 1"
    return [(first, False), (from_to, False), (name, True), ("same score", True), ("n", True)]


def _axis(of: Iterable[Coefficient]) -> int:
    """Return the lower end of an axis to 1 that holds all of them."""
    lowest = min((at for one in of for at in (one.value, one.low) if at is not None), default=0.0)
    return -1 if lowest < 0 else 0


def _coefficient_cells(given: Coefficient, axis: int, beside: str = "") -> list[Cell]:
    """Return a coefficient drawn on its axis, and in numbers with its range, or why it has none."""
    bar = None
    if given.value is not None:
        value, low, high = (
            None if at is None else (at - axis) / (1 - axis)
            for at in (given.value, given.low, given.high)
        )
        bar = Bar(value, low, high)
    if given.why == ALL_AGREE:
        told = Cell(ALL_AGREE, sub=beside or "one and the same score", num=True)
    elif given.value is None:
        told = Cell("too few", sub=f"{given.units:,} of 2", num=True, quiet=True)
    else:
        likely = _no_range(given) if given.low is None else f"likely {_between(given, ' to ')}"
        sub = f"{likely}; {beside}" if beside else likely
        told = Cell(_number(given.value), sub=sub, num=True)
    return [Cell("", bar=bar), told]


def sentence(found: Agreement) -> str:
    """Return one sentence on the agreement of judges, or that it cannot be decided."""
    judges = len(found.judges)
    begin = f"{judges:,} judges scored {found.units:,} of the same criteria"
    same = wording.percent(found.raw.same / found.raw.pairs)
    counts = (
        f"{begin}: they gave the same score in {same} of {wording.count(found.raw.pairs, 'pair')}"
    )
    if len(found.scales) > 1:
        scales = "; ".join(
            f"{_guessing(one.alpha)}{with_range(one.alpha)}, on {scale_words(one.scale)} "
            f"({wording.count(one.alpha.units, 'criterion')})"
            for one in found.scales[:SCALES]
        )
        return f"{counts}. Each scale has an alpha of its own: {scales}."
    alpha, least = found.scales[0].alpha, wording.fixed(ENOUGH)
    if alpha.why == ALL_AGREE:
        return f"{begin}, and all agree: everybody gave one and the same score throughout."
    if alpha.value is None:
        return f"{counts}. Alpha needs two such criteria."
    verdict = f"Can't tell whether they agree enough: {least} is the least."
    if alpha.low is None or alpha.high is None:
        verdict = f"Can't tell whether that is enough: {_no_range(alpha)}."
    elif alpha.low >= ENOUGH:
        verdict = "They agree."
    elif alpha.high < ENOUGH:
        verdict = f"They do not agree enough: {least} is the least."
    return f"{counts}, {_guessing(alpha)}alpha {with_range(alpha)}. {verdict}"


def _guessing(alpha: Coefficient) -> str:
    """Return what an alpha of 0 or less means, to stand before the number."""
    if alpha.value is None or round(alpha.value, 2) > 0:
        return ""
    return "no better than guessing: "


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


def _no_range(given: Coefficient) -> str:
    return NO_RANGE if given.cases < FEWEST else ALIKE


def with_range(given: Coefficient) -> str:
    """Return a coefficient with its range, or why there is none."""
    if given.value is None:
        return given.why
    value = _number(given.value)
    return value if given.low is None else f"{value}, likely between {_between(given, ' and ')}"


def _between(given: Coefficient, joined: str) -> str:
    return f"{_number(given.low)}{joined}{_number(given.high)}"


def _number(value: float | None) -> str:
    return wording.fixed(value).replace("-", wording.MINUS)
