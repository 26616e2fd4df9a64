"""The open case of Compare on both sides: its runs, each criterion, and the cause of a change."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from evalcore.comparing.case_pair import (
    Answers,
    CriterionPair,
    Direction,
    changed_between,
    criterion_changes,
    in_order,
    runs_of_case,
    runs_of_change,
)
from evalcore.comparing.flips import flip_source
from evalcore.comparing.model import CasePair, Comparison, LeftOut, Side, Source
from evalcore.counting.cells import typed
from evalcore.counting.outcomes import marks_in, outcomes
from evalcore.counting.people import Scores
from evalcore.layouts.order import natural
from evalcore.tables.rows import RunRow
from evalcore.views.blocks.base import PanelData, link
from evalcore.views.blocks.comparison import Pair
from evalcore.views.compare.cases import change_of, values
from evalcore.views.compare.state import Listed, View, ends, place_of
from evalcore.views.files.outputs import OutputFile
from evalcore.views.run.criteria import item_block
from evalcore.views.run.evidence import Evidence, case_of, evidence
from evalcore.views.run.head import verdict
from evalcore.views.run.items import Item
from evalcore.views.verdict.limits import left_out_words
from evalcore.views.verdict.sides import side_words
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


@dataclass(frozen=True)
class OpenSide:
    """One side of the open case: its runs in their order, and the one that is open."""

    side: Side
    runs: tuple[RunRow, ...]
    at: int
    evidence: Evidence | None

    @property
    def run_id(self) -> str | None:
        """The open run; None if the case was not run on this side."""
        return self.evidence.run.run_id if self.evidence else None

    def place_of(self, run_id: str) -> int | None:
        """Return the number of a run, from 1; None if it is not one of these."""
        return next((at for at, row in enumerate(self.runs, 1) if row.run_id == run_id), None)

    @property
    def files(self) -> tuple[OutputFile, ...]:
        """The outputs of the open run."""
        found = self.evidence.files if self.evidence else ()
        return tuple(file for file in found if file.role == "output")


@dataclass(frozen=True)
class OpenCase:
    """The case that is open, on both sides, and its criteria, changed ones first."""

    case_id: str
    pair: CasePair | None
    left: LeftOut | None
    a: OpenSide
    b: OpenSide
    criteria: tuple[CriterionPair, ...]


def open_case(found: Comparison, a: Side, b: Side, view: View) -> OpenCase | None:
    """Return the case that a view opens; None if neither side has it.

    Where the view names no runs, those are open between which the first criterion changed.
    """
    pair = next((one for one in found.pairs if one.case_id == view.case), None)
    left = next((one for one in found.left_out if one.case_id == view.case), None)
    if view.case is None or (pair is None and left is None):
        return None
    criteria = criterion_changes(a, b, view.case, scores=found.scores)
    criteria = in_order(criteria, pair.change if pair else None)
    usual = runs_of_change(*criteria)
    first, second = usual or ((pair.run_a, pair.run_b) if pair else ("", ""))
    sides = (
        _open_side(a, view.case, view.ra, first),
        _open_side(b, view.case, view.rb, second),
    )
    return OpenCase(view.case, pair, left, *sides, criteria)


def _open_side(side: Side, case_id: str, asked: int | None, usual: str) -> OpenSide:
    rows = typed(side.ws, "runs", RunRow, runs_of_case(side, case_id))
    rows.sort(key=lambda row: natural(row.run or ""))
    if not rows:
        return OpenSide(side, (), 0, None)
    named = next((at for at, row in enumerate(rows, 1) if row.run_id == usual), 1)
    at = asked if asked is not None and asked <= len(rows) else named
    seen = evidence(side.ws, rows[at - 1].run_id or "", look_up_quotes=False)
    return OpenSide(side, tuple(rows), at, seen)


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
    pair, place = opened.pair, place_of(view, cases.ids)
    items_a, items_b = _items(opened.a.evidence), _items(opened.b.evidence)
    asked = opened.criteria[:MAX_CRITERIA]
    # Where nothing changed, what was judged is what there is to see.
    shown = sum(one.direction != "same" for one in asked[:SHOWN_FIRST]) or SHOWN_FIRST
    criteria = [
        _criterion(one, opened, items_a, items_b, found.scores, folded=at >= shown)
        for at, one in enumerate(asked)
    ]
    folded = [one for one in criteria if one["folded"]]
    same = not any(one["change"] for one in folded)
    rest = wording.count(len(folded), "criterion" if same else "more criterion")
    if pair is None:
        why = left_out_words(opened.left.reason) if opened.left else ""
        change, word, text = "left", "left out", why
    else:
        said = values(pair, found.headline), change_of(pair, found.headline)
        change, word, text = pair.change, pair.change, " · ".join(filter(None, said))
    prompts = (
        case_of(side.ws, side.suite, opened.case_id).prompt
        for side in (opened.b.side, opened.a.side)
    )
    return Pair(
        id=opened.case_id,
        name=(pair or opened.left or opened).name,  # type: ignore[union-attr]
        where=f"{place:,} of {len(cases.ids):,}" if place else "not in this list",
        prompt=next(filter(None, prompts), ""),
        change=change,
        word=word,
        values=text,
        a=side_block(opened.a, opened.case_id, side_words(found.a), homes[0]),
        b=side_block(opened.b, opened.case_id, side_words(found.b), homes[1]),
        criteria=criteria,
        source=_source(found, opened, criteria),
        rest=f"{rest} that did not change" if same else rest,
        message="" if criteria else "No criterion was judged on either side.",
        **ends(cases.ids, place, view.filter),
    )


def changed_criterion(found: Comparison, a: Side, b: Side, pair: CasePair) -> str:
    """Return the first criterion that changed as its case did; empty if none did."""
    view = View(case=pair.case_id)
    opened = open_case(found, a, b, view)
    if opened is None:
        return ""
    asked = pair_block(found, opened, Listed((pair,), ()), view).criteria
    return next((str(one["title"]) for one in asked if one["change"] == pair.change), "")


def _source(found: Comparison, opened: OpenCase, criteria: Iterable[PanelData]) -> str:
    """Return the cause of a change; empty if there is none, or no run on one side."""
    a, b = opened.a, opened.b
    if a.evidence is None or b.evidence is None:
        return ""
    changed = opened.pair is not None and opened.pair.change != "same"
    if not changed and not any(one["flipped"] for one in criteria):
        return ""
    same = found.a.column.version == found.b.column.version and not found.a.workspace
    cause = flip_source(a.side, b.side, str(a.run_id), str(b.run_id))
    return _SOURCES[cause].format(what="configuration" if same else "version")


def side_block(given: OpenSide, case_id: str, label: str, home: Home) -> PanelData:
    """Describe the runs of one side."""
    ws, suite, total = given.side.ws, given.side.suite, len(given.runs)
    marks = marks_in(ws, outcomes(ws, suite), case_id) if given.runs else {}
    runs = []
    for at, row in enumerate(given.runs, 1):
        mark, on = marks.get(row.run_id or "", "unscored"), at == given.at
        words = "1 run" if total == 1 else f"run {at} of {total}" if on else f"run {at}"
        title = f"run {row.run}, {at} of {total}: {verdict(row, mark)}"
        runs.append(
            {"run": row.run_id, "at": at, "label": words, "title": title, "mark": mark, "on": on}
        )
    there = None
    if given.runs and home is not None:
        there = link("gradings", **home, run=given.runs[given.at - 1].run_id)
    return {"label": label, "runs": runs, "none": "not run", "link": there}


def _items(seen: Evidence | None) -> dict[tuple[str, str], Item]:
    every: Iterable[Item] = (*seen.items, *seen.structural) if seen else ()
    return {(item.kind, item.criterion): item for item in every}


def _criterion(
    pair: CriterionPair,
    opened: OpenCase,
    items_a: Mapping[tuple[str, str], Item],
    items_b: Mapping[tuple[str, str], Item],
    scores: Scores,
    *,
    folded: bool,
) -> PanelData:
    of_a = items_a.get((pair.kind, pair.a.words)) if pair.a else None
    of_b = items_b.get((pair.kind, pair.b.words)) if pair.b else None
    known = of_b or of_a
    change, word = _CHANGES[pair.direction]
    reworded = ""
    if pair.reworded and pair.a is not None:
        reworded = f"worded otherwise in A: {of_a.name if of_a else pair.a.words}"
    # Two runs that show the change, where the open ones do not.
    flipped, runs = None, runs_of_change(pair)
    if runs and not changed_between(pair, opened.a.run_id, opened.b.run_id):
        ra, rb = opened.a.place_of(runs[0]), opened.b.place_of(runs[1])
        if ra is not None and rb is not None:
            text = f"Changed between run {ra} of A and run {rb} of B: open these"
            flipped = {"text": text, "ra": ra, "rb": rb}
    return {
        "id": pair.criterion,
        "title": known.name if known else pair.criterion,
        "flipped": pair.direction in ("regressed", "improved"),
        "folded": folded,
        "change": change,
        "word": word,
        "reworded": reworded,
        "runs": flipped,
        "a": _answer(pair.a, of_a, scores),
        "b": _answer(pair.b, of_b, scores),
    }


def _answer(answers: Answers | None, item: Item | None, scores: Scores) -> PanelData:
    """Describe one side: the open run's score and reasons, and how many runs agree.

    The score is always the recorded one; human scores are listed below it by name.
    """
    nothing = {"mark": "none", "score": "not asked", "judge": "", "texts": (), "people": ()}
    if answers is None:
        return nothing
    runs = ""
    if answers.runs > 1:
        runs, by = wording.count(answers.answered, "run"), scores_words(scores)
        if answers.passed is not None:
            runs = f"passed in {answers.passed:,} of {runs}{by}"
        else:
            runs = f"mean {wording.score(answers.score, answers.max_score)} in {runs}{by}"
    if item is None:
        return nothing | {"score": "not judged in this run", "judge": runs}
    block = item_block(item)
    judge = f"judge {item.judge}" if item.judge else "recorded" if block.people else ""
    return {
        "mark": block.mark,
        "score": block.score,
        "judge": " · ".join(filter(None, (runs, judge))),
        "texts": block.texts,
        "people": block.people,
    }
