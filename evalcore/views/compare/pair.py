"""One case on both sides: the judgment of each criterion, and the cause of a change."""

from collections.abc import Iterable, Mapping
from typing import Final

from evalcore.comparing.case_pair import (
    Answers,
    CriterionPair,
    Direction,
    changed_between,
    runs_of_change,
)
from evalcore.comparing.flips import flip_source
from evalcore.comparing.model import Comparison, Source
from evalcore.counting.outcomes import marks_in, outcomes
from evalcore.counting.people import Scores
from evalcore.tables.rows import RunRow
from evalcore.views.blocks.base import link
from evalcore.views.blocks.comparison import (
    FlippedRuns,
    Pair,
    PairAnswer,
    PairCriterion,
    PairSide,
    RunChip,
)
from evalcore.views.compare.case import OpenCase, OpenSide
from evalcore.views.compare.cases import values
from evalcore.views.compare.state import Listed, View, ends, place_of
from evalcore.views.run.criteria import item_block
from evalcore.views.run.evidence import Evidence, case_of
from evalcore.views.run.head import verdict
from evalcore.views.run.items import Item
from evalcore.views.verdict.differences import points
from evalcore.views.verdict.sentence import left_out_words, side_words
from evalcore.views.words import wording
from evalcore.views.words.score_source import scores_words

Home = Mapping[str, str | None] | None
"""The address parameters needed to reach a run; None if no page shows it."""
HERE: Final[Home] = {}
SHOWN_FIRST: Final = 2
"""How many changed criteria are open at first, so that the outputs below stay visible."""
MAX_CRITERIA: Final = 120
_CHANGES: Final[dict[Direction, tuple[str, str]]] = {
    "regressed": ("regressed", "regressed"),
    "improved": ("improved", "improved"),
    "same": ("", ""),
    "only in A": ("left", "judged only in A"),
    "only in B": ("left", "judged only in B"),
}
_SOURCES: Final[dict[Source, str]] = {
    "judge": "Both open runs have the same output: the cause is the judge, not the {what}.",
    "version": "The outputs of the open runs differ: the change came with the {what}.",
    "unknown": "Unknown whether the judge or the {what} changed: no output of both runs is saved.",
}


def pair_block(
    found: Comparison,
    opened: OpenCase,
    cases: Listed,
    view: View,
    homes: tuple[Home, Home] = (HERE, HERE),
) -> Pair:
    """Describe the open case: its two values, its runs, and its criteria, changed ones first.

    `homes` are the address parameters that lead to the runs of A and B on Gradings.
    """
    ids = cases.ids
    place = place_of(view, ids)
    criteria = _criteria(found, opened)
    folded = [item for item in criteria if item.folded]
    same = not any(item.change for item in folded)
    rest = wording.count(len(folded), "criterion" if same else "more criterion")
    change, word, text = _change(found, opened)
    return Pair(
        id=opened.case_id,
        name=(opened.pair or opened.left or opened).name,  # type: ignore[union-attr]
        where=f"{place:,} of {len(ids):,}" if place else "not in this list",
        prompt=_prompt(opened),
        change=change,
        word=word,
        values=text,
        a=_side_block(opened.a, opened.case_id, side_words(found.a), homes[0]),
        b=_side_block(opened.b, opened.case_id, side_words(found.b), homes[1]),
        criteria=criteria,
        source=_source(found, opened, criteria),
        rest=f"{rest} that did not change" if same else rest,
        message="" if criteria else "No criterion was judged on either side.",
        **ends(ids, place, view.filter),
    )


def _change(found: Comparison, opened: OpenCase) -> tuple[str, str, str]:
    """Return the direction of change of the case, its word, and its values."""
    if opened.pair is None:
        why = left_out_words(opened.left.reason) if opened.left else ""
        return "left", "left out", why
    pair = opened.pair
    text = values(pair, found.headline)
    by = f" · {points(pair.difference, found.headline)}" if pair.change != "same" else ""
    return pair.change, pair.change, f"{text}{by}"


def _source(found: Comparison, opened: OpenCase, criteria: Iterable[PairCriterion]) -> str:
    """Return the cause of a change; empty if there is none, or no run on one side."""
    changed = opened.pair is not None and opened.pair.change != "same"
    if opened.a.evidence is None or opened.b.evidence is None:
        return ""
    if not changed and not any(item.flipped for item in criteria):
        return ""
    runs = (str(side.evidence.run.run_id) for side in (opened.a, opened.b) if side.evidence)
    same = found.a.column.version == found.b.column.version and not found.a.workspace
    what = "configuration" if same else "version"
    return _SOURCES[flip_source(opened.a.side, opened.b.side, *runs)].format(what=what)


def _prompt(opened: OpenCase) -> str:
    for side in (opened.b.side, opened.a.side):
        case = case_of(side.ws, side.suite, opened.case_id)
        if case.prompt:
            return case.prompt
    return ""


def _side_block(given: OpenSide, case_id: str, label: str, home: Home) -> PairSide:
    ws, suite = given.side.ws, given.side.suite
    marks = marks_in(ws, outcomes(ws, suite), case_id) if given.runs else {}
    runs = [_run_block(row, at, given, marks) for at, row in enumerate(given.runs, 1)]
    opened = given.runs[given.at - 1] if given.runs else None
    there = None
    if opened and home is not None:
        there = link("gradings", **home, run=opened.run_id)
    return PairSide(label=label, runs=runs, none="not run", link=there)


def _run_block(row: RunRow, at: int, given: OpenSide, marks: Mapping[str, str]) -> RunChip:
    mark = marks.get(row.run_id or "", "unscored")
    total = len(given.runs)
    label = "1 run" if total == 1 else f"run {at}" if at != given.at else f"run {at} of {total}"
    title = f"run {row.run}, {at} of {total}: {verdict(row, mark)}"
    return RunChip(run=row.run_id, at=at, label=label, title=title, mark=mark, on=at == given.at)


def _criteria(found: Comparison, opened: OpenCase) -> list[PairCriterion]:
    items_a, items_b = _items(opened.a.evidence), _items(opened.b.evidence)
    pairs = opened.criteria[:MAX_CRITERIA]
    # Where nothing changed, what was judged is what there is to see.
    shown = sum(pair.direction != "same" for pair in pairs[:SHOWN_FIRST]) or SHOWN_FIRST
    return [
        _criterion(pair, opened, (items_a, items_b), found.scores, folded=place >= shown)
        for place, pair in enumerate(pairs)
    ]


def _items(seen: Evidence | None) -> dict[tuple[str, str], Item]:
    every: Iterable[Item] = (*seen.items, *seen.structural) if seen else ()
    return {(item.kind, item.criterion): item for item in every}


def _criterion(
    pair: CriterionPair,
    opened: OpenCase,
    items: tuple[Mapping[tuple[str, str], Item], Mapping[tuple[str, str], Item]],
    scores: Scores,
    *,
    folded: bool,
) -> PairCriterion:
    of_a = items[0].get((pair.kind, pair.a.words)) if pair.a else None
    of_b = items[1].get((pair.kind, pair.b.words)) if pair.b else None
    known = of_b or of_a
    change, word = _CHANGES[pair.direction]
    reworded = ""
    if pair.reworded and pair.a is not None:
        reworded = f"worded otherwise in A: {of_a.name if of_a else pair.a.words}"
    return PairCriterion(
        id=pair.criterion,
        title=known.name if known else pair.criterion,
        flipped=pair.direction in ("regressed", "improved"),
        folded=folded,
        change=change,
        word=word,
        reworded=reworded,
        runs=_runs(pair, opened),
        a=_answer(pair.a, of_a, scores),
        b=_answer(pair.b, of_b, scores),
    )


def _runs(pair: CriterionPair, opened: OpenCase) -> FlippedRuns | None:
    """Return two runs that show the change of a criterion, where the open ones do not."""
    runs = runs_of_change(pair)
    if runs is None or changed_between(pair, opened.a.run_id, opened.b.run_id):
        return None
    ra, rb = opened.a.place_of(runs[0]), opened.b.place_of(runs[1])
    if ra is None or rb is None:
        return None
    text = f"Changed between run {ra} of A and run {rb} of B: open these"
    return FlippedRuns(text=text, ra=ra, rb=rb)


def _answer(answers: Answers | None, item: Item | None, scores: Scores) -> PairAnswer:
    """Describe one side: the open run's score and reasons, and how many runs agree.

    The score is always the recorded one; human scores are listed below it by name.
    """
    if answers is None:
        return PairAnswer(mark="none", score="not asked")
    runs = _of_runs(answers, scores)
    if item is None:
        return PairAnswer(mark="none", score="not judged in this run", judge=runs)
    block = item_block(item)
    judge = f"judge {item.judge}" if item.judge else "recorded" if block.people else ""
    about = " · ".join(part for part in (runs, judge) if part)
    return PairAnswer(
        mark=block.mark,
        score=block.score,
        judge=about,
        texts=block.texts,
        people=block.people,
    )


def _of_runs(answers: Answers, scores: Scores) -> str:
    """Summarise all runs of the side for a criterion; empty if there is only one run."""
    if answers.runs < 2:
        return ""
    answered, by = wording.count(answers.answered, "run"), scores_words(scores)
    if answers.passed is not None:
        return f"passed in {answers.passed:,} of {answered}{by}"
    return f"mean {wording.score(answers.score, answers.max_score)} in {answered}{by}"
