"""Faults of criteria: never fails, is unstable, tells nothing apart, divides judges, or is vague.

A fault is stated only from so many judgments on; with fewer, nothing is said of a criterion.
"""

from collections.abc import Iterator
from typing import Final, Literal, NamedTuple, get_args

import numpy as np

from evalcore.counting.cells import where
from evalcore.counting.coded import Numbers, coded, slots
from evalcore.counting.memo import memoize_per_workspace
from evalcore.counting.outcomes import FIRST_SIDES, SECOND_SIDES, outcomes
from evalcore.counting.people import Scores, differ
from evalcore.counting.score_source import answers, answers_of_people
from evalcore.counting.tally import mean
from evalcore.rubrics.cells import Criterion, CriterionCells, criterion_cells, judged_criteria
from evalcore.rubrics.spread import HIGH, NEAR
from evalcore.texts.vague import vague_words
from evalcore.workspace.opened import Workspace

JUDGED: Final = 5
"""From so many judgments on, what they have in common is a fault of the criterion."""
REPEATED: Final = 2
"""From so many cases with several runs on, a criterion is called unstable."""
OFTEN: Final = 0.25
"""The share of repeated cases that differ, or of doubly judged runs apart, that is a fault."""
PAIRS: Final = 3
"""From so many cases of both sides on, a criterion is said to tell them apart or not."""
CLOSE: Final = 0.05
"""Sides that differ by less of the scale are not told apart."""
BOTH: Final = 3
"""From so many runs judged by a person and recorded on, they are compared."""

Fault = Literal[
    "no contrast", "inverted", "never passes", "never fails", "same score",
    "unstable", "people disagree", "vague",
]  # fmt: skip
FAULTS: Final[tuple[Fault, ...]] = get_args(Fault)


class Finding(NamedTuple):
    """A fault of a criterion (position): `found` of `n` observations show it.

    These are judgments for what is always the same, cases with several runs for what is unstable,
    cases that both sides judged for what tells nothing apart, and runs that a person judged too for
    disagreement. `sides` are the means with and without, as shares of the highest score. `words`
    is the vague wording, or the score that is always given.
    """

    criterion: int
    fault: Fault
    found: int
    n: int
    sides: tuple[float, float] | None = None
    words: str = ""


@memoize_per_workspace
def findings(ws: Workspace, suite: str, scores: Scores = "recorded") -> tuple[Finding, ...]:
    """Return the faults of a suite's criteria over all versions, by fault, then most observed.

    Raises:
        UnknownName: the workspace has no such suite.
    """
    cells = criterion_cells(ws, suite, scores)
    constant = {one.criterion: one for one in _constant(ws, suite, cells, scores)}
    found = [
        *constant.values(),
        *_unstable(ws, suite, cells, scores),
        # What is always the same tells nothing apart anyway.
        *(one for one in _sides(cells) if one.criterion not in constant),
        *_divided(ws, suite, cells.criteria),
        *_vague(ws, suite, cells.criteria),
    ]
    order = {fault: at for at, fault in enumerate(FAULTS)}
    found.sort(key=lambda one: (order[one.fault], -one.n, cells.criteria[one.criterion]))
    return tuple(found)


def _least(cells: CriterionCells) -> Numbers:
    """Return the lowest score of each criterion as a share of the highest; 0 without one."""
    known = cells.top > 0
    ratio = np.divide(cells.least, cells.top, out=np.zeros(len(cells.top)), where=known)
    return np.nan_to_num(ratio)


def _ends(of: Numbers, group: Numbers, groups: int) -> tuple[Numbers, Numbers]:
    """Return the lowest and the highest value of each group."""
    low, high = np.full(groups, np.inf), np.full(groups, -np.inf)
    np.minimum.at(low, group, of)
    np.maximum.at(high, group, of)
    return low, high


def _constant(
    ws: Workspace, suite: str, cells: CriterionCells, scores: Scores
) -> Iterator[Finding]:
    _, judged = judged_criteria(ws, suite, scores)
    size = len(cells.criteria)
    n = np.bincount(judged.criterion, minlength=size)
    low, high = _ends(judged.share, judged.criterion, size)
    least = _least(cells)
    for at in np.flatnonzero((n >= JUDGED) & (high - low <= NEAR)).tolist():
        value, total = float(high[at]), int(n[at])
        top = cells.top[at]
        if value >= 1 - NEAR:
            yield Finding(at, "never fails", total, total)
        elif value <= least[at] + NEAR:
            yield Finding(at, "never passes", total, total)
        else:
            shown = value if np.isnan(top) else value * float(top)
            yield Finding(at, "same score", total, total, words=f"{shown:g}")


def _unstable(
    ws: Workspace, suite: str, cells: CriterionCells, scores: Scores
) -> Iterator[Finding]:
    _, judged = judged_criteria(ws, suite, scores)
    columns, size = len(cells.columns), len(cells.criteria)
    of_run = judged.column * cells.all_cases + judged.case
    one = judged.criterion * (columns * cells.all_cases) + of_run[judged.run]
    keys, of_row = slots(one, size * columns * cells.all_cases)
    low, high = _ends(judged.share, of_row, len(keys))
    several = np.bincount(of_row, minlength=len(keys)) > 1
    of = keys[several] // (columns * cells.all_cases)
    least = _least(cells)
    differs = (high - low)[several] >= HIGH * (1 - least)[of] - NEAR
    repeated = np.bincount(of, minlength=size)
    differing = np.bincount(of[differs], minlength=size)
    for at in np.flatnonzero((repeated >= REPEATED) & (differing >= OFTEN * repeated)).tolist():
        if differing[at]:
            yield Finding(at, "unstable", int(differing[at]), int(repeated[at]))


def _sides(cells: CriterionCells) -> Iterator[Finding]:
    """Yield the criteria that score a skill as its baseline of the same version, or worse."""
    first, second = (_of_sides(cells, names) for names in (FIRST_SIDES, SECOND_SIDES))
    keys, mine, theirs = np.intersect1d(
        first[0], second[0], assume_unique=True, return_indices=True
    )
    versions = len({column.version for column in cells.columns})
    of = keys // (versions * cells.all_cases)
    size = len(cells.criteria)
    n = np.bincount(of, minlength=size)
    with_, without = first[1][mine], second[1][theirs]
    sides = mean(with_, of, size), mean(without, of, size)
    least = _least(cells)
    apart = with_ - without
    worse = np.bincount(of[apart < -NEAR], minlength=size)
    better = np.bincount(of[apart > NEAR], minlength=size)
    for at in np.flatnonzero(n >= PAIRS).tolist():
        both = float(sides[0][at]), float(sides[1][at])
        change = (both[0] - both[1]) / float(1 - least[at] or 1)
        if abs(change) < CLOSE - NEAR:
            same = int(n[at] - worse[at] - better[at])
            yield Finding(at, "no contrast", same, int(n[at]), both)
        elif change < 0 and worse[at] > better[at] + 1:
            yield Finding(at, "inverted", int(worse[at]), int(n[at]), both)


def _of_sides(cells: CriterionCells, names: tuple[str, ...]) -> tuple[Numbers, Numbers]:
    """Return the means by criterion, version and case of the first column with such a name."""
    places: dict[str, int] = {}
    for at, column in enumerate(cells.columns):
        if column.configuration in names:
            places.setdefault(column.version, at)
    versions = list(dict.fromkeys(column.version for column in cells.columns))
    version_of = np.full(max(len(cells.columns), 1), -1, np.int64)
    for name, at in places.items():
        version_of[at] = versions.index(name)
    criterion, in_column, case = cells.places
    here = version_of[in_column] >= 0
    slot = criterion * len(versions) + version_of[in_column]
    keys = (slot * cells.all_cases + case)[here]
    order = np.argsort(keys, kind="stable")
    return keys[order], cells.of_case[here][order]


def _divided(ws: Workspace, suite: str, criteria: tuple[Criterion, ...]) -> Iterator[Finding]:
    """Yield the criteria whose recorded results differ from people's on the same runs."""
    mine = answers_of_people(ws, outcomes(ws, suite).runs.index.to_numpy())
    if not len(mine.run):
        return
    theirs = answers(ws, np.unique(mine.run), "recorded")
    kinds, words = coded(ws, "judgments", "kind"), coded(ws, "judgments", "criterion")
    first, second = (
        (each.run.astype(np.int64) * kinds.width + each.kind) * words.width + each.criterion
        for each in (mine, theirs)
    )
    both, at, beside = np.intersect1d(first, second, return_indices=True)
    verdicts = mine.passed[at], theirs.passed[beside]
    shares = mine.fraction[at], theirs.fraction[beside]
    differs = differ(verdicts[0], shares[0], verdicts[1], shares[1])
    known = ~np.isnan(shares[0] + shares[1]) | ((verdicts[0] >= 0) & (verdicts[1] >= 0))
    places = {criterion: place for place, criterion in enumerate(criteria)}
    name = both % (kinds.width * words.width)
    for key in np.unique(name).tolist():
        of = (name == key) & known
        n, apart = int(of.sum()), int(differs[of].sum())
        criterion = Criterion(kinds.words[key // words.width], words.words[key % words.width])
        if criterion in places and n >= BOTH and apart and apart >= OFTEN * n:
            yield Finding(places[criterion], "people disagree", apart, n)


def _vague(ws: Workspace, suite: str, criteria: tuple[Criterion, ...]) -> Iterator[Finding]:
    """Yield the criteria whose wording judges read differently; anchors make any wording clear."""
    rows = where(ws, "criteria", suite=suite)
    kinds, names = coded(ws, "criteria", "kind"), coded(ws, "criteria", "criterion")
    keys = kinds.keys_of(rows).astype(np.int64) * names.width + names.keys_of(rows)
    # Most criteria are defined in many cases alike: one definition of each is read.
    _, first = np.unique(keys, return_index=True)
    guided = ws.tables.criteria["guide"].iloc[rows].notna().to_numpy()
    frame = ws.tables.criteria.iloc[rows[first]]
    columns = [frame[name].tolist() for name in ("kind", "criterion", "description")]
    texts = {
        Criterion(str(kind), str(name)): text if isinstance(text, str) else str(name)
        for kind, name, text in zip(*columns, strict=True)
    }
    anchored = {
        Criterion(kinds.words[key // names.width], names.words[key % names.width])
        for key in np.unique(keys[guided]).tolist()
    }
    for at, criterion in enumerate(criteria):
        if criterion.kind == "structural" or criterion in anchored:
            continue
        word = vague_words(texts.get(criterion, criterion.name))
        if word is not None:
            yield Finding(at, "vague", 1, 1, words=word)
