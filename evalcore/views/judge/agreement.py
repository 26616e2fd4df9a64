"""Agreement between judges: a sentence, what the coefficients mean, and tables on one axis."""

from collections import Counter
from collections.abc import Mapping, Sequence
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
    heads,
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


_Agreeing = tuple[Cell, Coefficient, Cell, Cell, Coefficient | None]
"""Whose agreement it is, their coefficient, how often they agree, of how many; and AC1."""


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
    choice = _choice(found, whose)
    if not found.units:
        beside = _beside(recorded, whose, reader) if recorded and not whose.recorded else []
        return [*_nothing(found, whose), *beside, *choice]
    several, known, pairs = len(found.scales) > 1, people(who for who, _ in found.judges), []
    for one in found.pairs:
        name = f"{known[one.one]} and {known[one.other]}"
        same = _same(one.same, one.kappa.units, f"{one.same:,} of {one.kappa.units:,}")
        n = _n(one.kappa, "criterion")
        first = Cell(name, sub=scale_words(one.scale) if several else "")
        pairs.append((first, one.kappa, same, n, None))
    blocks: list[Block] = [Verdict(sentence(found), how=how(found)), *choice]
    if several:
        blocks += _table("scale", "alpha", _groups(found.scales, names))
    blocks += _table("criterion", "alpha", _groups(found.criteria, names), found.more_criteria)
    return blocks + _table("pair", "kappa", pairs, found.more_pairs, " of judges")


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
    if whose.independent:
        said = "Independent judgments only: their judges had seen no score of the run before."
    elif not found.independent:
        said = (
            "None of these judgments is known to be independent: their judges could have seen "
            "other scores of the run before, or it was not recorded."
        )
    elif found.independent == found.human:
        said = "All of these judgments are independent: no score of the run was seen before."
    else:
        said = (
            f"{found.independent:,} of {wording.count(found.human, 'judgment')} are independent: "
            "their judges had seen no score of the run before."
        )
    if found.human or whose.independent:
        every = "Whatever their judges had seen before"
        counts = [
            _chip("all judgments", every, whose, independent=False),
            _chip("independent only", INDEPENDENT, whose, independent=True),
        ]
        blocks += [Links("Judgments", counts), Say(said)]
    return blocks


def _chip(text: str, title: str, whose: Whose, **chosen: bool) -> Chip:
    to = whose._replace(**chosen)
    judges, only = "all" if to.recorded else None, "independent" if to.independent else None
    there = link("judge", view="agreement", judges=judges, only=only)
    return Chip(text=text, on=to == whose, link=there, title=title)


def _nothing(found: Agreement, whose: Whose) -> list[Block]:
    """Return why there is nothing to compare, and the next step."""
    if whose.independent:
        return [Say("No two judges have scored the same independently.", big=True), Say(START)]
    judged = [who for who, _ in found.judges if who != RECORDED]
    total = wording.count(found.alone, "criterion")
    if not judged:
        text = "Nobody has judged this suite yet."
        step = "Judge a few runs; agreement shows once a second judge has scored the same."
        if whose.recorded:
            step += f" Until then there is nothing to compare {RECORDED} with."
    elif len(found.judges) == 1:
        text = (
            f"Only {person(judged[0])} has judged so far: {total}. Agreement needs a second judge."
        )
        step = (
            "Ask somebody to judge runs of this suite, here under another name or in their own "
            "copy of the folder."
        )
    else:
        who = wording.count(len(found.judges), "judge")
        both = "both" if len(found.judges) == 2 else "two of them"
        text = f"{who}, no run judged by {both} yet: {total} with one score each."
        step = "Agreement shows once two judges have scored the same run."
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
    names = people(both) | {reader: "You"}
    said = [
        f"{names[who]} and {RECORDED} differ in {n - same[who]:,} of "
        f"{wording.count(n, 'criterion')} that both scored."
        for who, n in both.most_common(NAMED)
    ]
    show = _chip("Show them by criterion", "Take the recorded judge in", whose, recorded=True)
    return [*map(Say, said), Links("", [show])] if said else []


def _groups(groups: tuple[Group, ...], names: Mapping[int, str]) -> list[_Agreeing]:
    """Return the rows of scales or criteria."""
    rows = []
    for one in groups:
        name, about = scale_words(one.scale), wording.count(one.criteria, "criterion")
        if one.kind is not None:
            name, about = criteria_words(one.kind, one.criteria), name
            if one.criterion is not None:
                name = names.get(one.row, one.criterion)
        first = Cell(name, sub=about, clamp=True, id=f"{one.kind} {one.row}")
        same = _same(one.raw.same, one.raw.pairs, f"of {wording.count(one.raw.pairs, 'pair')}")
        judges = f", {wording.count(one.judges, 'judge')}"
        n = _n(one.alpha, "criterion" if one.criterion is None else "run", judges)
        rows.append((first, one.alpha, same, n, one.ac1))
    return rows


def criteria_words(kind: str | None, n: int) -> str:
    """Return what criteria are called that are counted together: `2 rubric criteria, …`."""
    return f"1 {kind} criterion" if n == 1 else f"{n:,} {kind} criteria, each of one case"


def _same(same: float, of: int, sub: str) -> Cell:
    return Cell(wording.percent(same / of), sub=sub, num=True)


def _n(of: Coefficient, unit: str, judges: str = "") -> Cell:
    cases = wording.count(of.cases, "case")
    return Cell(wording.count(of.units, unit), sub=f"{cases}{judges}", num=True)


def _table(
    what: str, name: str, rows: Sequence[_Agreeing], more: int = 0, whose: str = ""
) -> list[Block]:
    """Describe coefficients on an axis to 1 that holds all of them, and in numbers."""
    ends = (at for _, one, *_ in rows for at in (one.value, one.low) if at is not None)
    axis = -1 if min(ends, default=0.0) < 0 else 0
    drawn = []
    for first, of, same, n, ac1 in rows:
        bar, beside = None, f"AC1 {with_range(ac1)}" if ac1 else ""
        if of.value is not None:
            low, high = (
                None if at is None else (at - axis) / (1 - axis) for at in (of.low, of.high)
            )
            bar = Bar((of.value - axis) / (1 - axis), low, high)
            likely = _no_range(of) if of.low is None else f"likely {_between(of, ' to ')}"
            told = Cell(_number(of.value), sub="; ".join(filter(None, (likely, beside))), num=True)
        elif of.why == ALL_AGREE:
            told = Cell(ALL_AGREE, sub=beside or "one and the same score", num=True)
        else:
            told = Cell("too few", sub=f"{of.units:,} of 2", num=True, quiet=True)
        drawn.append(Row([first, Cell("", bar=bar), told, same, n]))
    title, hint = f"By {what}{whose}", f"{more:,} more, with fewer scores" if more else ""
    head = heads(what, f"{name}, {wording.number(axis)} to 1", f"#{name}", "#same score", "#n")
    return [Heading(title, hint), Table(title, head, drawn, FOLD)]


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
    if alpha.low is None or alpha.high is None:
        verdict = f"Can't tell whether that is enough: {_no_range(alpha)}."
    elif alpha.low >= ENOUGH:
        verdict = "They agree."
    elif alpha.high < ENOUGH:
        verdict = f"They do not agree enough: {least} is the least."
    else:
        verdict = f"Can't tell whether they agree enough: {least} is the least."
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
