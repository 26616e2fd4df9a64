"""Reasons to judge a run, from its recorded scores, for all runs of a suite at once."""

from collections.abc import Iterable
from typing import Final, Literal, NamedTuple

import numpy as np
import pyarrow.compute as pc

from evalcore.counting.cells import typed
from evalcore.counting.coded import Coded, Numbers, coded, positions, values
from evalcore.counting.digests import digest_now, without_output
from evalcore.counting.joined import judged_run
from evalcore.counting.outcomes import Outcomes, outcomes, ungraded
from evalcore.counting.review_rows import from_reviews
from evalcore.counting.tally import FAIL, PASS
from evalcore.families.registry import family
from evalcore.families.reviews.lookup import JUDGED_KINDS as KINDS
from evalcore.families.reviews.review import Seen
from evalcore.tables.rows import RunRow
from evalcore.workspace.opened import Workspace

Why = Literal[
    "independent", "requested", "stale", "disagreement", "votes", "flipped", "mark", "rule",
    "unscored", "confidence", "hedging", "sample", "ungraded", "empty",
]  # fmt: skip


class Reason(NamedTuple):
    """One reason to judge a run: what it adds to the priority, and its words.

    The words never tell which way anybody judged. `{}` is replaced by text from the record.
    """

    priority: float
    words: str


REASONS: Final[dict[Why, Reason]] = {
    # Somebody requested it, or an own score is out of date.
    "independent": Reason(1_000, "independent batch · from {} · {}"),
    "requested": Reason(100, "sent to judging by {}"),
    "stale": Reason(90, "your score is out of date: {}"),
    # People, then recorded judges, disagree.
    "disagreement": Reason(70, "{} people disagree on it, by {} of the scale"),
    "votes": Reason(50, "the judge's votes on the same output split"),
    "flipped": Reason(45, "the verdict flipped between versions though the output is the same"),
    # Nobody has scored it yet.
    "ungraded": Reason(40, "waiting for a grading"),
    # A small change would flip the verdict; and the random sample.
    "mark": Reason(30, "close to the pass mark"),
    "sample": Reason(30, "random spot check"),
    "rule": Reason(25, "the rules and the judge disagree"),
    "unscored": Reason(20, "the judge gave no score"),
    "confidence": Reason(20, "the judge was not sure"),
    "hedging": Reason(15, "the judge hedges in its rationale"),
    # There is nothing to read; only a request lifts such a run above the others.
    "empty": Reason(-90, "no output saved"),
}
"""The priority of a run is the sum over its reasons. About 1 run in 10 is in the sample."""

RECORDED: Final[tuple[Why, ...]] = (
    "votes", "flipped", "mark", "rule", "unscored", "confidence", "hedging",
    "ungraded", "empty",
)  # fmt: skip
"""The reasons that the recorded scores give."""

TELLS: Final[dict[Seen, frozenset[Why]]] = {
    "recorded": frozenset(RECORDED) - {"empty", "unscored", "ungraded"},
    "others": frozenset({"disagreement"}),
}
"""The reasons that tell something of the scores of a run before it is judged."""

HEDGES: Final = (
    "perhaps", "maybe", "might", "possibly", "presumably", "arguably", "debatable", "borderline",
    "unclear", "ambiguous", "unsure", "uncertain", "not sure", "not certain", "not entirely",
    "hard to say", "hard to tell", "hard to judge", "difficult to say", "difficult to tell",
    "difficult to judge", "cannot tell", "can't tell", "could be argued", "on the fence",
    "close call", "judgment call", "judgement call", "benefit of the doubt",
)  # fmt: skip
APART: Final = 0.25
"""The largest share of a scale between two scores that still agree: one step of 1 to 5."""
NEAR: Final = 0.05
LOW_CONFIDENCE: Final = 0.5
LOW: Final = 0.5
HIGH: Final = 0.8
"""A judge with a mean of at most LOW of the scale is against a run, from HIGH on for it."""
MAX_DIGESTED: Final = 300
"""Upper limit of outputs that are read to find equal ones, the newest columns first."""
_TINY: Final = 1e-9


def told_by(why: Iterable[str]) -> set[Seen]:
    """Return whose scores the reasons of a run tell something of."""
    return {whose for whose, reasons in TELLS.items() if reasons.intersection(why)}


class Rows(NamedTuple):
    """Recorded judgments of the runs of a suite; `run` is the position of the run in the suite.

    `at` is the row in the table. `part` is the score as a share of its scale, `value` whether it
    passed if that is known, else the share; NaN if there is none. `judge` says that a judge and not
    a check scored it.
    """

    at: Numbers
    run: Numbers
    passed: Numbers
    part: Numbers
    value: Numbers
    judge: Numbers


def recorded(ws: Workspace, suite: str) -> dict[Why, Numbers]:
    """Return which runs of a suite each of the `RECORDED` reasons applies to.

    In the order of the runs of `outcomes`.
    """
    found = outcomes(ws, suite)
    rows = _rows(ws, found)
    votes, flipped = _same_output(ws, found)
    return {
        "votes": votes | _split(ws, rows, len(found.runs)),
        "flipped": flipped,
        "mark": _on_the_mark(ws, found, rows),
        "rule": _rule_against_judge(rows, len(found.runs)),
        "unscored": _unscored(ws, rows, found),
        "confidence": _unsure(ws, rows, len(found.runs)),
        "hedging": _hedging(ws, rows, len(found.runs)),
        "ungraded": ungraded(ws)[found.runs.index.to_numpy()],
        "empty": without_output(ws)[found.runs.index.to_numpy()],
    }


def _rows(ws: Workspace, found: Outcomes) -> Rows:
    place = np.full(len(values(ws, "runs", "passed")) + 1, -1)
    place[found.runs.index] = np.arange(len(found.runs))
    run = place[judged_run(ws)]
    kind, who = coded(ws, "judgments", "kind"), coded(ws, "judgments", "judge_type")
    chosen = (run >= 0) & kind.among({*KINDS, "structural"})
    chosen &= ~who.among({"human"})
    chosen &= ~coded(ws, "judgments", "status").among({"superseded"})
    chosen &= ~from_reviews(ws, "judgments")  # a second judgment is not the recorded one
    at = np.flatnonzero(chosen)
    passed = values(ws, "judgments", "passed")[at]
    names = ("score", "min_score", "max_score")
    score, low, high = (values(ws, "judgments", name)[at] for name in names)
    span = high - low
    part = np.divide(score - low, span, out=np.full(len(at), np.nan), where=span > 0)
    check = who.among({"heuristic"})[at] | kind.among({"structural"})[at]
    return Rows(at, run[at], passed, part, np.where(passed >= 0, passed, part), ~check)


def _split(ws: Workspace, rows: Rows, runs: int) -> Numbers:
    """Flag runs with several judgments of one criterion that disagree."""
    split = np.zeros(runs, bool)
    known = rows.judge & ~np.isnan(rows.value)
    at, run = rows.at[known], rows.run[known]
    kind, criterion = (coded(ws, "judgments", name) for name in ("kind", "criterion"))
    key = (run * kind.width + kind.keys_of(at)) * criterion.width + criterion.keys_of(at)
    order = np.argsort(key, kind="stable")
    key = key[order]
    first = np.flatnonzero(np.append(True, key[1:] != key[:-1])) if len(key) else key
    if len(first) < len(key):
        for column in (rows.value, rows.part):
            value = column[known][order]
            apart = np.fmax.reduceat(value, first) - np.fmin.reduceat(value, first)
            split[run[order][first[apart > APART + _TINY]]] = True
    return split


def _on_the_mark(ws: Workspace, found: Outcomes, rows: Rows) -> Numbers:
    """Flag runs whose verdict a small change of score would flip.

    These are runs that failed only one criterion, runs that passed with a criterion at its pass
    mark, and runs whose score is close to the threshold between passed and failed runs.
    """
    runs = len(found.runs)
    decided = rows.judge & (rows.passed >= 0)
    n = np.bincount(rows.run[decided], minlength=runs)
    failed = np.bincount(rows.run[decided & (rows.passed == 0)], minlength=runs)
    barely = np.bincount(rows.run[decided & _barely(ws, found, rows)], minlength=runs) > 0
    mark: Numbers = ((failed == 1) & (n > 1)) | ((failed == 0) & barely)
    if family(found.family).scoring.by_total:
        mark |= _near_threshold(found)
    return mark


def _barely(ws: Workspace, found: Outcomes, rows: Rows) -> Numbers:
    """Flag judgments that passed and would fail with one step, or 5 % of the scale, less."""
    names = ("score", "min_score", "max_score")
    score, low, high = (values(ws, "judgments", name)[rows.at] for name in names)
    span = high - low
    mark = _pass_marks(ws, found, rows)
    step = np.where((span > 1) & (span <= 10), 1.0, NEAR * span)
    many = (span > 1) | ((mark > low) & (mark < high))
    barely: Numbers = many & (score >= mark - _TINY) & (score - mark < step - _TINY)
    return barely


def _pass_marks(ws: Workspace, found: Outcomes, rows: Rows) -> Numbers:
    """Return the score that passes the criterion of each judgment; NaN where none is defined."""
    pass_at = values(ws, "criteria", "pass_at")
    rules = np.flatnonzero(coded(ws, "criteria", "suite").among({found.suite}) & ~np.isnan(pass_at))
    marks = np.full(len(rows.at), np.nan)
    if not len(rules) or not len(rows.at):
        return marks
    run = found.runs.index.to_numpy()[rows.run]
    case = coded(ws, "runs", "case_id")
    kind, criterion = (coded(ws, "judgments", name) for name in ("kind", "criterion"))
    theirs = [case.keys_of(run), kind.keys_of(rows.at), criterion.keys_of(rows.at)]
    own = [
        _in_words_of(coded(ws, "criteria", name), column)[coded(ws, "criteria", name).codes[rules]]
        for name, column in (("case_id", case), ("kind", kind), ("criterion", criterion))
    ]
    rules, own = rules[np.min(own, axis=0) >= 0], [of[np.min(own, axis=0) >= 0] for of in own]
    keys, wanted = ((a * kind.width + b) * criterion.width + c for a, b, c in (own, theirs))
    order = np.argsort(keys, kind="stable")
    if not len(order):
        return marks
    at = np.clip(np.searchsorted(keys[order], wanted), 0, len(order) - 1)
    return np.where(keys[order][at] == wanted, pass_at[rules[order]][at], np.nan)


def _in_words_of(column: Coded, other: Coded) -> Numbers:
    """Return the codes of a column's words in another column: -1 if unknown, and at the end."""
    return np.append(positions(column.strings, other.strings), -1).astype(np.int64)


def _near_threshold(found: Outcomes) -> Numbers:
    outcome, fraction = found.runs["outcome"].to_numpy(), found.runs["fraction"].to_numpy()
    passed, failed = (fraction[(outcome == of) & ~np.isnan(fraction)] for of in (PASS, FAIL))
    if not len(passed) or not len(failed) or failed.max() >= passed.min():
        return np.zeros(len(fraction), bool)
    near: Numbers = np.abs(fraction - (failed.max() + passed.min()) / 2) <= NEAR
    return near


def _rule_against_judge(rows: Rows, runs: int) -> Numbers:
    """Flag runs where all rules passed with a low score, or a rule failed with a high one."""
    rules = ~rows.judge & (rows.passed >= 0)
    n = np.bincount(rows.run[rules], minlength=runs)
    broken = np.bincount(rows.run[rules & (rows.passed == 0)], minlength=runs)
    judged = rows.judge & ~np.isnan(rows.value)
    counts = np.bincount(rows.run[judged], minlength=runs)
    total = np.bincount(rows.run[judged], rows.value[judged], runs)
    mean = np.divide(total, counts, out=np.full(runs, np.nan), where=counts > 0)
    against: Numbers = (n > 0) & (
        ((broken == 0) & (mean <= LOW + _TINY)) | ((broken > 0) & (mean >= HIGH - _TINY))
    )
    return against


def _unscored(ws: Workspace, rows: Rows, found: Outcomes) -> Numbers:
    """Flag runs in which the judge left a criterion, or all of them, without a score.

    A run of which rules scored what others are judged by lacks no judge.
    """
    runs = len(found.runs)
    status = coded(ws, "judgments", "status").among({"unscored"})[rows.at]
    open_: Numbers = np.bincount(rows.run[rows.judge & status], minlength=runs) > 0
    graded = ~coded(ws, "judgments", "kind").among({"structural"})[rows.at]
    judged = np.bincount(rows.run[graded], minlength=runs)
    nobody = (judged == 0) & ~ungraded(ws)[found.runs.index.to_numpy()]
    lacking: Numbers = open_ | (nobody & ~found.runs["gate_failed"].to_numpy())
    return lacking


def _unsure(ws: Workspace, rows: Rows, runs: int) -> Numbers:
    unsure = values(ws, "judgments", "confidence")[rows.at] < LOW_CONFIDENCE
    unsure |= coded(ws, "judgments", "confidence_level").among({"low"})[rows.at]
    chosen: Numbers = np.bincount(rows.run[unsure & rows.judge], minlength=runs) > 0
    return chosen


def _hedging(ws: Workspace, rows: Rows, runs: int) -> Numbers:
    words = "|".join(word.replace("'", "['’]") for word in HEDGES)
    texts = ws.tables.text_columns("judgments")["rationale"]
    found = pc.match_substring_regex(texts, rf"\b(?:{words})\b", ignore_case=True).fill_null(False)
    hedges = np.asarray(found.to_numpy(), bool)[rows.at]
    chosen: Numbers = np.bincount(rows.run[hedges & rows.judge], minlength=runs) > 0
    return chosen


def _same_output(ws: Workspace, found: Outcomes) -> tuple[Numbers, Numbers]:
    """Flag runs with the same output as another run of their case but another verdict.

    Returns those within the same column, then those across columns. At most `MAX_DIGESTED` outputs
    are read.
    """
    runs = len(found.runs)
    votes, flipped = np.zeros(runs, bool), np.zeros(runs, bool)
    case, column = (found.runs[name].to_numpy() for name in ("case", "column"))
    outcome = found.runs["outcome"].to_numpy()
    decided = (outcome == PASS) | (outcome == FAIL)
    both = [np.bincount(case[outcome == of], minlength=len(found.cases)) > 0 for of in (PASS, FAIL)]
    chosen = np.flatnonzero(decided & (both[0] & both[1])[case])
    chosen = chosen[np.lexsort((chosen, case[chosen], -column[chosen]))][:MAX_DIGESTED]
    groups: dict[tuple[int, str], list[int]] = {}
    at = found.runs.index.to_numpy()[chosen]
    for place, run in zip(chosen.tolist(), typed(ws, "runs", RunRow, at), strict=True):
        digest = digest_now(ws, run)
        if digest is not None:
            groups.setdefault((int(case[place]), digest), []).append(place)
    for same in groups.values():
        for one in same:
            others = [other for other in same if outcome[other] != outcome[one]]
            votes[one] = any(column[other] == column[one] for other in others)
            flipped[one] = any(column[other] != column[one] for other in others)
    return votes, flipped
