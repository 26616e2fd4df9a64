"""Describe one page of the grid as plain values, small enough to send at every click."""

from typing import Final

from evalcore.counting.focus import OF_PEOPLE, Filter
from evalcore.counting.outcomes import Column
from evalcore.views.blocks.base import PanelData
from evalcore.views.gradings.case_filter import CaseFilter
from evalcore.views.gradings.cell import MOST_RUNS, Cell
from evalcore.views.gradings.grid import PAGE, Grid, Row
from evalcore.views.run.human_activity import SIGN
from evalcore.views.words import wording
from evalcore.views.words.marks import FILTER_WORDS
from evalcore.views.words.score_source import scores_words

IF_ANY: Final[tuple[Filter, ...]] = ("not_run", *OF_PEOPLE)
"""Filters that are offered only if they match a case."""
EMPTY: Final = "No case matches. Remove a filter, or choose another version on the left."
NONE_IN: Final[dict[Filter, str]] = {
    "failing": "No case fails in {focus}.",
    "flaky": "No case of {focus} passed in some runs and failed in others.",
    "unscored": "Every case of {focus} is scored.",
    "not_run": "Every case ran in {focus}.",
    "people": "Nobody has judged a run of {focus}.",
    "differ": "People and the recorded judge say the same of {focus}, where both judged.",
    "excluded": "No run of {focus} is excluded.",
}
Said = tuple[str, tuple[str, ...]]
"""What a cell says in words, and the marks of its runs."""
NO_CASES: Final = "No case is defined or run in this suite yet. Write one in its evals.json."


def grid_block(
    found: Grid,
    chosen_case: str | None,
    chosen_column: Column | None,
    active: Filter,
    narrow: CaseFilter | None = None,
) -> PanelData:
    """Describe one page of the grid; cells are (mark, number, index of its words, change)."""
    narrow = narrow or CaseFilter()
    said = list(dict.fromkeys((cell.word, cell.runs) for row in found.rows for cell in row.cells))
    return {
        "label": "Cases and versions",
        "scale": found.scale,
        "filters": [
            _filter(key, n, active)
            for key, n in found.counts.items()
            if n or key == active or _offered(key, found)
        ],
        "of": _of(found),
        "beside": _beside(found),
        "sign": SIGN,
        "columns": [_column(column, found.focus) for column in found.columns],
        "turn": _turn(found),
        "words": [_said(*each) for each in said],
        "rows": [_row(row, said) for row in found.rows],
        "search": narrow.text,
        "chosenCase": chosen_case,
        "chosenColumn": None if chosen_column is None else chosen_column.key,
        "page": found.page,
        "pages": found.pages,
        "matching": found.matching,
        "foot": foot(found),
        "ends": ends(found.matching, active),
        "empty": _empty(found, active, narrow),
        "clear": _clear(active, narrow),
    }


def _offered(key: Filter, found: Grid) -> bool:
    """Return whether a filter that no case matches is offered: 0 is known, and worth saying."""
    return found.repeated > 0 if key == "flaky" else key not in IF_ANY


def _of(found: Grid) -> str:
    """Return which column the filters count, if there are several."""
    turn = found.turn
    several = turn.earlier + len(turn.shown) + turn.later > 1
    return f"in {wording.column_words(found.focus)}:" if several and found.focus else ""


def _beside(found: Grid) -> str:
    """Return what the counts of the column in focus do not say of the cases that it lacks."""
    n = found.failed_elsewhere
    return f"{n:,} of them failed when last run" if n else ""


def _clear(active: Filter, narrow: CaseFilter) -> str | None:
    """Return the buttons that bring back cases if the list is empty."""
    if narrow.text:
        return "Clear the search"
    return "Take all filters away" if active != "all" or narrow != CaseFilter() else None


def _empty(found: Grid, active: Filter, narrow: CaseFilter) -> str:
    """Return why the list is empty, and the next step."""
    if not found.total:
        return NO_CASES
    if narrow.text:
        return f"No case under these filters has “{narrow.text}” in what was asked, judged or said."
    if found.counts[active] or found.focus is None:
        return EMPTY
    if active == "changed" and found.before is None:
        return f"There is nothing before {found.focus.key} that it could be compared with."
    if active == "changed" and found.before is not None:
        return f"No case changed between {found.before.key} and {found.focus.key}."
    if active == "flaky" and not found.repeated:
        return f"Not measured: no case ran twice in {found.focus.key}."
    none = NONE_IN.get(active, EMPTY).format(focus=found.focus.key)
    missing = found.counts["not_run"]
    return f"{none} {wording.count(missing, 'case')} did not run in it." if missing else none


def _turn(found: Grid) -> PanelData:
    """Describe the columns that are not on this page of them: how many, and what they are."""
    versions = {column.version for column in found.columns}
    noun = "version" if len(versions) == len(found.columns) else "column"
    turn = found.turn
    return {"page": turn.page, "earlier": turn.earlier, "later": turn.later, "noun": noun}


def foot(found: Grid) -> str:
    """Return which cases are listed, and of how many."""
    every = wording.count(found.total, "case")
    kept = "" if found.matching == found.total else f"{found.matching:,} of "
    text = f"{kept}{every}{scores_words(found.scores)}"
    if found.pages > 1:
        first = (found.page - 1) * PAGE + 1
        text = f"{first:,}–{first + len(found.rows) - 1:,} · {text}"
    return text


def ends(matching: int, active: Filter) -> PanelData:
    """Return the messages for a step past the first or the last case."""
    word = "" if active == "all" else f"{FILTER_WORDS[active][0]} "
    if matching == 0:
        return dict.fromkeys(("first", "last"), "There is no case in this list.")
    if matching == 1:
        return dict.fromkeys(("first", "last"), f"This is the only {word}case of the list.")
    return {
        "first": f"This is the first of the {matching:,} {word}cases.",
        "last": f"That was the last of the {matching:,} {word}cases.",
    }


def _filter(key: Filter, n: int, active: Filter) -> PanelData:
    label, hint = FILTER_WORDS[key]
    return {"key": key, "label": label, "hint": hint, "n": n, "on": key == active}


def _column(column: Column, focus: Column | None) -> PanelData:
    configuration = "" if column.configuration == "-" else column.configuration
    return {
        "version": column.version,
        "configuration": configuration,
        "key": column.key,
        "focus": column == focus,
    }


def _said(word: str, runs: tuple[str, ...]) -> PanelData:
    """Describe what a cell says: in words, and by its runs if there are not too many."""
    few = len(runs) <= MOST_RUNS
    return {"word": word, "runs": list(runs) if few else [], "n": "" if few else f"n={len(runs):,}"}


def _row(row: Row, said: list[Said]) -> PanelData:
    reason, place = row.reason, row.elsewhere
    return {
        "id": row.case_id,
        "name": row.name,
        "about": list(row.about),
        "why": None
        if reason is None
        else {
            "mark": reason.mark,
            "criterion": reason.criterion,
            "rationale": reason.rationale,
            "more": reason.more,
            "where": "" if place is None else place.key,
        },
        "cells": [_cell(cell, said) for cell in row.cells],
    }


def _cell(cell: Cell, said: list[Said]) -> list[str | int]:
    shown: list[str | int] = [cell.mark, cell.text, said.index((cell.word, cell.runs))]
    if cell.people:
        return [*shown, cell.change or "", 1]
    return [*shown, cell.change] if cell.change else shown
