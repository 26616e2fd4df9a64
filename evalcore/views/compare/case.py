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
from evalcore.views.compare.cases import case_data
from evalcore.views.compare.state import Listed, View, ends, place_of
from evalcore.views.files.outputs import OutputFile
from evalcore.views.run.criteria import item_block
from evalcore.views.run.evidence import Evidence, case_of, evidence
from evalcore.views.run.head import verdict
from evalcore.views.run.items import Item
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
    """One side of the open case: its runs in their order, and the one that is open.

    `label` is what the side is called, `home` leads to its runs on Gradings.
    """

    side: Side
    label: str
    home: Home
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

    case: CasePair | LeftOut
    a: OpenSide
    b: OpenSide
    criteria: tuple[CriterionPair, ...]


def open_case(
    found: Comparison, a: Side, b: Side, view: View, homes: tuple[Home, Home] = (HERE, HERE)
) -> OpenCase | None:
    """Return the case that a view opens; None if neither side has it.

    Where the view names no runs, those are open between which the first criterion changed. `homes`
    are the address parameters that lead to the runs of A and B on Gradings.
    """
    every: tuple[CasePair | LeftOut, ...] = (*found.pairs, *found.left_out)
    case = next((one for one in every if one.case_id == view.case), None)
    if case is None:
        return None
    criteria = criterion_changes(a, b, case.case_id, scores=found.scores)
    if isinstance(case, LeftOut):
        criteria, usual = in_order(criteria, None), ("", "")
    else:
        criteria, usual = in_order(criteria, case.change), (case.run_a, case.run_b)
    first, second = runs_of_change(*criteria) or usual
    sides = []
    for side, named, home, asked, usual_run in (
        (a, found.a, homes[0], view.ra, first),
        (b, found.b, homes[1], view.rb, second),
    ):
        rows = typed(side.ws, "runs", RunRow, runs_of_case(side, case.case_id))
        rows.sort(key=lambda row: natural(row.run or ""))
        at, seen = 0, None
        if rows:
            at = next((at for at, row in enumerate(rows, 1) if row.run_id == usual_run), 1)
            at = asked if asked is not None and asked <= len(rows) else at
            seen = evidence(side.ws, rows[at - 1].run_id or "", look_up_quotes=False)
        sides.append(OpenSide(side, side_words(named), home, tuple(rows), at, seen))
    of_a, of_b = sides
    return OpenCase(case, of_a, of_b, criteria)


def pair_block(found: Comparison, opened: OpenCase, cases: Listed, view: View) -> Pair:
    """Describe the open case: its two values, its runs, and its criteria, changed ones first."""
    place = place_of(view, cases.ids)
    changed = case_data(opened.case, found.headline)
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
    prompts = (
        case_of(side.ws, side.suite, opened.case.case_id).prompt
        for side in (opened.b.side, opened.a.side)
    )
    return Pair(
        id=opened.case.case_id,
        name=opened.case.name,
        where=f"{place:,} of {len(cases.ids):,}" if place else "not in this list",
        prompt=next(filter(None, prompts), ""),
        change=changed["change"],
        word=changed["word"],
        values=" · ".join(filter(None, (changed["values"], changed["points"]))),
        a=side_block(opened.a, opened.case.case_id),
        b=side_block(opened.b, opened.case.case_id),
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
    changed = isinstance(opened.case, CasePair) and opened.case.change != "same"
    if not changed and not any(one["flipped"] for one in criteria):
        return ""
    same = found.a.column.version == found.b.column.version and not found.a.workspace
    cause = flip_source(a.side, b.side, str(a.run_id), str(b.run_id))
    return _SOURCES[cause].format(what="configuration" if same else "version")


def side_block(given: OpenSide, case_id: str) -> PanelData:
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
    if given.runs and given.home is not None:
        there = link("gradings", **given.home, run=given.runs[given.at - 1].run_id)
    return {"label": given.label, "runs": runs, "none": "not run", "link": there}


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
