"""One case on both sides: what each judge said of each criterion, and where a change came from."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from evalcore.comparing.case_pair import (
    Answers,
    CriterionPair,
    Direction,
    criterion_changes,
    runs_of_case,
)
from evalcore.comparing.flips import flip_source
from evalcore.comparing.model import CasePair, Change, Comparison, LeftOut, Side, Source
from evalcore.counting.cells import typed
from evalcore.counting.outcomes import marks_in, outcomes
from evalcore.counting.people import Scores
from evalcore.layouts.order import natural
from evalcore.tables.rows import RunRow
from evalcore.views import wording
from evalcore.views.compare_cases import values
from evalcore.views.compare_moves import Listed, View, ends, place_of
from evalcore.views.criterion_panel import item_block
from evalcore.views.doors import door
from evalcore.views.evidence import Evidence, case_of, evidence
from evalcore.views.head_panel import verdict
from evalcore.views.items import Item
from evalcore.views.outputs import OutputFile
from evalcore.views.panel import Block
from evalcore.views.people_panel import people_line
from evalcore.views.verdict_numbers import points
from evalcore.views.verdict_words import left_out_words, side_words
from evalcore.views.whose_words import scores_words

Home = Mapping[str, str | None] | None
"""What an address needs beside a run to reach it; None where no page shows it."""
HERE: Final[Home] = {}
SHOWN_FIRST: Final = 2
"""So many criteria that changed stand open; the outputs must be seen below them."""
MAX_CRITERIA: Final = 120
_CHANGES: Final[dict[Direction, tuple[str, str]]] = {
    "regressed": ("regressed", "regressed"),
    "improved": ("improved", "improved"),
    "same": ("", ""),
    "only in A": ("left", "asked only in A"),
    "only in B": ("left", "asked only in B"),
}
_SOURCES: Final[dict[Source, str]] = {
    "judge": "Both open runs left the same output: the judge says otherwise, not the {what}.",
    "version": "The outputs of the open runs differ: the change came with the {what}.",
    "not told": "Whether judge or {what} changed is not told: no output of both runs is kept.",
}


@dataclass(frozen=True)
class OpenSide:
    """One side of the open case: its runs in their order, and the one that is open."""

    side: Side
    runs: tuple[RunRow, ...]
    at: int
    seen: Evidence | None

    @property
    def files(self) -> tuple[OutputFile, ...]:
        """The outputs of the open run."""
        found = self.seen.files if self.seen else ()
        return tuple(file for file in found if file.role == "output")


@dataclass(frozen=True)
class OpenCase:
    """The case that is open, on both sides."""

    case_id: str
    pair: CasePair | None
    left: LeftOut | None
    a: OpenSide
    b: OpenSide


def open_case(found: Comparison, a: Side, b: Side, view: View) -> OpenCase | None:
    """Return the case that a view opens; None where neither side knows it."""
    pair = next((one for one in found.pairs if one.case_id == view.case), None)
    left = next((one for one in found.left_out if one.case_id == view.case), None)
    if view.case is None or (pair is None and left is None):
        return None
    first, second = (pair.run_a, pair.run_b) if pair else ("", "")
    return OpenCase(
        view.case,
        pair,
        left,
        _open_side(a, view.case, view.ra, first),
        _open_side(b, view.case, view.rb, second),
    )


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
) -> Block:
    """Describe the open case: its two values, its runs, and its criteria, changed ones first.

    `homes` say how the runs of A and of B are reached on Gradings.
    """
    ids = cases.ids
    place = place_of(view, ids)
    criteria = _criteria(found, opened)
    folded = sum(item["folded"] for item in criteria)
    same = all(item["change"] == "" for item in criteria if item["folded"])
    what = "that did not change" if same else "more"
    return {
        "t": "pair",
        "id": opened.case_id,
        "name": (opened.pair or opened.left or opened).name,  # type: ignore[union-attr]
        "where": f"{place:,} of {len(ids):,}" if place else "not in this list",
        "prompt": _prompt(opened),
        **_change(found, opened),
        "a": _side_block(opened.a, opened.case_id, side_words(found.a), homes[0]),
        "b": _side_block(opened.b, opened.case_id, side_words(found.b), homes[1]),
        "criteria": criteria,
        "source": _source(found, opened, criteria),
        "rest": f"{wording.count(folded, 'criterion')} {what}",
        "said": "" if criteria else "No criterion was judged on either side.",
        **ends(ids, place, view.filter),
    }


def _change(found: Comparison, opened: OpenCase) -> Block:
    if opened.pair is None:
        why = left_out_words(opened.left.reason) if opened.left else ""
        return {"change": "left", "word": "left out", "values": why}
    pair = opened.pair
    said = values(pair, found.headline)
    by = f" · {points(pair.difference, found.headline)}" if pair.change != "same" else ""
    return {"change": pair.change, "word": pair.change, "values": f"{said}{by}"}


def _source(found: Comparison, opened: OpenCase, criteria: Iterable[Block]) -> str:
    """Say where a change came from; nothing where there is none, or no run on one side."""
    changed = opened.pair is not None and opened.pair.change != "same"
    if opened.a.seen is None or opened.b.seen is None:
        return ""
    if not changed and not any(item["flipped"] for item in criteria):
        return ""
    runs = (str(side.seen.run.run_id) for side in (opened.a, opened.b) if side.seen)
    same = found.a.column.version == found.b.column.version and not found.a.workspace
    what = "configuration" if same else "version"
    return _SOURCES[flip_source(opened.a.side, opened.b.side, *runs)].format(what=what)


def _prompt(opened: OpenCase) -> str:
    for side in (opened.b.side, opened.a.side):
        case = case_of(side.ws, side.suite, opened.case_id)
        if case.prompt:
            return case.prompt
    return ""


def _side_block(given: OpenSide, case_id: str, label: str, home: Home) -> Block:
    ws, suite = given.side.ws, given.side.suite
    marks = marks_in(ws, outcomes(ws, suite), case_id) if given.runs else {}
    runs = [_run_block(row, at, given, marks) for at, row in enumerate(given.runs, 1)]
    opened = given.runs[given.at - 1] if given.runs else None
    return {
        "label": label,
        "runs": runs,
        "people": people_line(given.seen.run, given.seen.people) if given.seen else "",
        "none": "not run",
        "door": door("gradings", **home, run=opened.run_id)
        if opened and home is not None
        else None,
    }


def _run_block(row: RunRow, at: int, given: OpenSide, marks: Mapping[str, str]) -> Block:
    mark = marks.get(row.run_id or "", "unscored")
    total = len(given.runs)
    label = "1 run" if total == 1 else f"run {at}" if at != given.at else f"run {at} of {total}"
    title = f"run {row.run}, {at} of {total}: {verdict(row, mark)}"
    return {"run": row.run_id, "at": at, "label": label, "title": title, "mark": mark,
            "on": at == given.at}  # fmt: skip


def _criteria(found: Comparison, opened: OpenCase) -> list[Block]:
    first, second = (side.seen.run.run_id if side.seen else None for side in (opened.a, opened.b))
    pairs = criterion_changes(
        opened.a.side, opened.b.side, opened.case_id, run_a=first, run_b=second,
        scores=found.scores,
    )  # fmt: skip
    change = opened.pair.change if opened.pair else None
    pairs = tuple(sorted(pairs, key=lambda pair: _weight(pair, change)))
    items_a, items_b = _items(opened.a.seen), _items(opened.b.seen)
    blocks = []
    for place, pair in enumerate(pairs[:MAX_CRITERIA]):
        changed = pair.direction != "same"
        blocks.append(
            {
                **_criterion(pair, items_a, items_b, found.scores),
                "folded": not changed or place >= SHOWN_FIRST,
            }
        )
    if blocks and all(block["folded"] for block in blocks):
        # Where nothing changed, what was judged is what there is to see.
        for block in blocks[:SHOWN_FIRST]:
            block["folded"] = False
    return blocks


def _weight(pair: CriterionPair, change: Change | None) -> tuple[int, bool, bool]:
    """Order criteria: those that passed and now fail or the reverse, as the case went, first."""
    if pair.direction not in ("regressed", "improved"):
        return (2 if pair.direction == "same" else 1), False, False
    return 0, _passing(pair.a) == _passing(pair.b), pair.direction != change


def _passing(answers: Answers | None) -> float | None:
    """Return the share of runs that passed; None where none passes or fails."""
    if answers is None or answers.passed is None or not answers.answered:
        return None
    return answers.passed / answers.answered


def _items(seen: Evidence | None) -> dict[tuple[str, str], Item]:
    every: Iterable[Item] = (*seen.items, *seen.structural) if seen else ()
    return {(item.kind, item.criterion): item for item in every}


def _criterion(
    pair: CriterionPair,
    items_a: Mapping[tuple[str, str], Item],
    items_b: Mapping[tuple[str, str], Item],
    scores: Scores,
) -> Block:
    of_a = items_a.get((pair.kind, pair.a.words)) if pair.a else None
    of_b = items_b.get((pair.kind, pair.b.words)) if pair.b else None
    known = of_b or of_a
    change, word = _CHANGES[pair.direction]
    reworded = ""
    if pair.reworded and pair.a is not None:
        reworded = f"worded otherwise in A: {of_a.name if of_a else pair.a.words}"
    return {
        "id": pair.criterion,
        "title": known.name if known else pair.criterion,
        "flipped": pair.direction in ("regressed", "improved"),
        "change": change,
        "word": word,
        "reworded": reworded,
        "a": _said(pair.a, of_a, scores),
        "b": _said(pair.b, of_b, scores),
    }


def _said(answers: Answers | None, item: Item | None, scores: Scores) -> Block:
    """Describe what one side says: the open run's score and reasons, and how many runs agree.

    The score is the recorded one, whoever's count; people's stand below it under their names.
    """
    nothing: Block = {"mark": "none", "judge": "", "texts": [], "people": []}
    if answers is None:
        return {**nothing, "score": "not asked"}
    runs = _of_runs(answers, scores)
    if item is None:
        return {**nothing, "score": "not judged in this run", "judge": runs}
    block = item_block(item)
    judge = f"judge {item.judge}" if item.judge else "recorded" if block["people"] else ""
    about = " · ".join(part for part in (runs, judge) if part)
    return {"mark": block["mark"], "score": block["score"], "judge": about,
            "texts": block["texts"], "people": block["people"]}  # fmt: skip


def _of_runs(answers: Answers, scores: Scores) -> str:
    """Say what all runs of the side say of a criterion; nothing where there is one run."""
    if answers.runs < 2:
        return ""
    answered, by = wording.count(answers.answered, "run"), scores_words(scores)
    if answers.passed is not None:
        return f"passed in {answers.passed:,} of {answered}{by}"
    return f"mean {wording.score(answers.score, answers.max_score)} in {answered}{by}"
