"""The list of Gradings: cases in rows, versions in columns, a page at a time, as it is drawn."""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final, NamedTuple

import numpy as np

from evalcore.counting.coded import Numbers
from evalcore.counting.focus import OF_PEOPLE, Filter, Focused, focus_columns, focused
from evalcore.counting.human_activity import human_activity
from evalcore.counting.memo import memoize_per_workspace
from evalcore.counting.outcomes import Column, Outcomes, marks_of_cells, outcomes
from evalcore.counting.people import Scores
from evalcore.counting.rates import SET_ASIDE
from evalcore.counting.score_source import outcomes_by
from evalcore.counting.tally import Tally
from evalcore.families.registry import family
from evalcore.views.blocks.base import PanelData
from evalcore.views.blocks.paging import Page, page_from_end, page_of, page_with
from evalcore.views.gradings.case_filter import CaseFilter, Chip, narrowed
from evalcore.views.gradings.reasons import reasons
from evalcore.views.run.human_activity import SIGN, activity_of
from evalcore.views.words import wording
from evalcore.views.words.marks import FILTER_WORDS, MARK_WORDS
from evalcore.views.words.score_source import scores_words, unscored_words
from evalcore.workspace.hidden import STATUS as HIDDEN
from evalcore.workspace.opened import Workspace

PAGE: Final = 50
SHOWN_COLUMNS: Final = 24
MOST_RUNS: Final = 6
"""How many runs of a cell are drawn and named one by one."""
MAX_NAME: Final = 120
MAX_PROMPT: Final = 90
AXES: Final = {"versions": "version", "configurations": "configuration"}
"""What columns are chosen by, and the part of a column that it is."""
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
NO_CASES: Final = "No case is defined or run in this suite yet. Write one in its evals.json."

_score: Final = lru_cache(maxsize=1024)(wording.on_scale)
_percent: Final = lru_cache(maxsize=1024)(wording.percent)

Words = dict[tuple[str, tuple[str, ...]], int]
"""What cells say: their words and the marks of their runs, in the order of first mention."""


@dataclass(frozen=True)
class GridQuery:
    """The query for one page of a suite's grid.

    `columns` is the page of columns, from the newest on; None for the one with the focus. `sort`
    is the key of the column by whose values the cases stand, the lowest first, or the highest
    where `high`. `versions` and `configurations` are those that are columns, all where empty.
    """

    suite: str
    version: str | None = None
    configuration: str | None = None
    filter: Filter = "all"
    narrow: CaseFilter = field(default_factory=CaseFilter)
    page: int = 1
    scores: Scores = "recorded"
    columns: int | None = None
    sort: str | None = None
    high: bool = False
    versions: tuple[str, ...] = ()
    configurations: tuple[str, ...] = ()


class ColumnPage(NamedTuple):
    """Which columns are drawn: `page` from the newest on, and how many are before and after it."""

    shown: list[int]
    page: int
    earlier: int
    later: int


@dataclass(frozen=True)
class Grid:
    """One page of the grid: which cases match, and `rows` and `words` as the panel draws them.

    `chips` are the filters that are on beside that of the query, `legend` says what ✓ and the
    number of a cell mean.

    `cases` (positions) are all matching cases in order; `opens` is the run that a click on each
    opens, -1 if it has none. `failed_elsewhere` counts the cases that were not run in the column in
    focus and failed when they last were, `repeated` those that it ran several times. A cell is
    [mark, number, index of its words, what changed, 1 if people judged it].
    """

    query: GridQuery
    columns: tuple[Column, ...]
    focus: Column | None
    before: Column | None
    rows: list[PanelData]
    words: Words
    counts: dict[Filter, int]
    total: int
    page: Page
    cases: tuple[int, ...]
    opens: tuple[int, ...]
    turn: ColumnPage
    chips: list[Chip]
    legend: str
    failed_elsewhere: int
    repeated: int

    @property
    def matching(self) -> int:
        """The number of cases that match the filters."""
        return len(self.cases)


@memoize_per_workspace
def grid(ws: Workspace, query: GridQuery) -> Grid:
    """Return one page of the grid of a suite under the given filters and score source.

    Raises:
        UnknownName: the workspace has no such suite.
    """
    found = outcomes_by(ws, query.suite, query.scores)
    places = focus_columns(found, query.version, query.configuration)
    at = focused(ws, query.suite, *places, query.scores)
    kept, chips = narrowed(ws, query.suite, query.narrow, at.focus, query.scores)
    cases = np.flatnonzero(at.masks[query.filter] & kept)
    # Unfiltered in the order of definition, cases without a run last; else the worst first. A case
    # is in at most one of the two counts.
    unfiltered = query.filter == "all"
    by = ~at.has_run[cases] if unfiltered else (-at.failed - at.failed_elsewhere)[cases]
    cases = cases[np.argsort(by, kind="stable")]
    by_column = next((n for n, each in enumerate(found.columns) if each.key == query.sort), None)
    if by_column is not None:
        tallies = found.tallies(cases.tolist(), [by_column])
        told = (tallies.get((case, by_column)) for case in cases.tolist())
        values = np.array([None if each is None else each.fraction for each in told], float)
        # What has no value stays last in both directions.
        cases = cases[np.argsort(-values if query.high else values, kind="stable")]
    opens = at.opens
    if query.filter in OF_PEOPLE:  # the first run that the filter is about
        opens, seen = at.opens.copy(), human_activity(ws)._asdict()[query.filter]
        runs = found.runs[(found.runs["column"] == (-1 if at.focus is None else at.focus))]
        runs = runs[seen[runs.index.to_numpy()]][::-1]
        opens[runs["case"].to_numpy()] = runs.index.to_numpy()
    page = page_of(query.page, len(cases), PAGE)
    turn = column_page(found, query, at.focus)
    words: Words = {}
    here = cases[page.rows]
    scoring = family(found.family).scoring
    of = "" if found.scale is None else f", of {wording.number(found.scale)}"
    return Grid(
        query=query,
        columns=tuple(found.columns[place] for place in turn.shown),
        focus=None if at.focus is None else found.columns[at.focus],
        before=None if at.before is None else found.columns[at.before],
        rows=_rows(ws, found, at, here, opens[here].tolist(), turn.shown, query.scores, words),
        words=words,
        counts={name: int(mask.sum()) for name, mask in at.masks.items()},
        total=len(found.cases),
        page=page,
        cases=tuple(cases.tolist()),
        opens=tuple(opens[cases].tolist()),
        turn=turn,
        chips=chips,
        legend=f"✓ {scoring.passed_when} · number = {scoring.score_is}{of}",
        failed_elsewhere=int(at.failed_elsewhere.sum()),
        repeated=at.repeated,
    )


def column_page(found: Outcomes, query: GridQuery, focus: int | None) -> ColumnPage:
    """Return the columns to draw of those that are chosen: the page asked for, else the focus'."""
    places = chosen_columns(found, query)
    wanted = query.columns or 1
    if query.columns is None and focus in places:
        wanted = page_with(len(places) - 1 - places.index(focus), SHOWN_COLUMNS)
    page = page_from_end(wanted, len(places), SHOWN_COLUMNS)
    return ColumnPage(places[page.rows], page.number, page.start, page.total - page.stop)


def chosen_columns(found: Outcomes, query: GridQuery) -> list[int]:
    """Return the columns (positions) that were chosen; a choice that leaves none is passed over."""
    places = [
        p for p, c in enumerate(found.columns) if query.configuration in {None, c.configuration}
    ]
    chosen = [
        place
        for place in places
        if not query.versions or found.columns[place].version in query.versions
        if not query.configurations or found.columns[place].configuration in query.configurations
    ]
    return chosen or places


def axis_names(found: Outcomes, axis: str) -> tuple[str, ...]:
    """Return the names of one of the `AXES` of the columns, in their order."""
    return tuple(dict.fromkeys(getattr(column, AXES[axis]) for column in found.columns))


def columns_block(found: Outcomes, query: GridQuery) -> PanelData:
    """Describe the choice of columns: the names of each axis that has several, with those shown."""
    shown = [found.columns[place] for place in chosen_columns(found, query)]
    axes = []
    for axis, part in AXES.items():
        names, on = axis_names(found, axis), {getattr(column, part) for column in shown}
        if len(names) > 1 and (part == "version" or query.configuration is None):
            ticks = [[name, name in on] for name in names]
            axes.append({"key": axis, "label": axis.capitalize(), "ticks": ticks})
    return {"axes": axes}


def grid_block(found: Grid, chosen_case: str | None, chosen_column: Column | None) -> PanelData:
    """Describe one page of the grid as plain values, small enough to send at every click."""
    active, narrow, turn = found.query.filter, found.query.narrow, found.turn
    several = turn.earlier + len(turn.shown) + turn.later > 1
    versions = {column.version for column in found.columns}
    every = f"{wording.count(found.total, 'case')}{scores_words(found.query.scores)}"
    foot = every if found.matching == found.total else f"{found.matching:,} of {every}"
    if found.page.pages > 1:
        foot = f"{found.page.span} · {foot}"
    clear = "Clear the search" if narrow.text else None
    if clear is None and (active != "all" or narrow != CaseFilter()):
        clear = "Take all filters away"
    return {
        "label": "Cases and versions",
        "legend": found.legend,
        "filters": [
            {"key": key, "label": label, "hint": hint, "n": n, "on": key == active}
            for key, n in found.counts.items()
            for label, hint in (FILTER_WORDS[key],)
            # That no case matches is known, and worth saying, of most of them.
            if n or key == active or (found.repeated if key == "flaky" else key not in IF_ANY)
        ],
        "chips": [
            {"kind": chip.kind, "text": f"{chip.words}: {wording.count(chip.n, 'case')}"}
            for chip in found.chips
        ],
        "of": f"in {wording.column_words(found.focus)}:" if several and found.focus else "",
        "beside": f"{found.failed_elsewhere:,} of them failed when last run"
        if found.failed_elsewhere
        else "",
        "sign": SIGN,
        "columns": [
            {
                "version": column.version,
                "configuration": "" if column.configuration == "-" else column.configuration,
                "key": column.key,
                "focus": column == found.focus,
                "sort": ("high" if found.query.high else "low")
                if column.key == found.query.sort
                else "",
            }
            for column in found.columns
        ],
        "turn": {
            "page": turn.page,
            "earlier": turn.earlier,
            "later": turn.later,
            "noun": "version" if len(versions) == len(found.columns) else "column",
        },
        "words": [
            {"word": word, "runs": list(runs), "n": ""}
            if len(runs) <= MOST_RUNS
            else {"word": word, "runs": [], "n": f"n={len(runs):,}"}
            for word, runs in found.words
        ],
        "rows": found.rows,
        "search": narrow.text,
        "chosenCase": chosen_case,
        "chosenColumn": None if chosen_column is None else chosen_column.key,
        "page": found.page.number,
        "pages": found.page.pages,
        "matching": found.matching,
        "foot": foot,
        "ends": ends(found),
        "empty": _empty(found),
        "clear": clear,
    }


def ends(found: Grid) -> PanelData:
    """Return the messages for a step past the first or the last case."""
    active, matching = found.query.filter, found.matching
    word = "" if active == "all" else f"{FILTER_WORDS[active][0]} "
    if matching < 2:
        only = f"This is the only {word}case of the list."
        return dict.fromkeys(
            ("first", "last"), only if matching else "There is no case in this list."
        )
    return {
        "first": f"This is the first of the {matching:,} {word}cases.",
        "last": f"That was the last of the {matching:,} {word}cases.",
    }


def _empty(found: Grid) -> str:
    """Return why the list is empty, and the next step."""
    active, text = found.query.filter, found.query.narrow.text
    if not found.total:
        return NO_CASES
    if text:
        return f"No case under these filters has “{text}” in what was asked, judged or said."
    if found.counts[active] or found.focus is None:
        return EMPTY
    if active == "changed":
        if found.before is None:
            return f"There is nothing before {found.focus.key} that it could be compared with."
        return f"No case changed between {found.before.key} and {found.focus.key}."
    if active == "flaky" and not found.repeated:
        return f"Not measured: no case ran twice in {found.focus.key}."
    none = NONE_IN.get(active, EMPTY).format(focus=found.focus.key)
    missing = found.counts["not_run"]
    return f"{none} {wording.count(missing, 'case')} did not run in it." if missing else none


def _rows(
    ws: Workspace,
    found: Outcomes,
    at: Focused,
    cases: Numbers,
    opened: list[int],
    shown: list[int],
    scores: Scores,
    words: Words,
) -> list[PanelData]:
    """Describe some cases: name, remarks, why they fail, and cells, whose words join `words`.

    `where` names the column that the reason is about if it is not the one in focus.
    """
    tallies = found.tallies(cases.tolist(), shown)
    marks = marks_of_cells(ws, found, cases.tolist(), shown)
    looks = activity_of(ws, found, cases, shown)
    here = [run for run in opened if run >= 0]
    why = reasons(ws, found.suite, here, scores)
    columns = found.runs["column"].reindex(here).to_dict()
    defined = found.cases.iloc[cases].reindex(columns=["case_id", "name", "prompt", "status"])
    without_outputs: set[int] = set()
    if _any_outputs(ws, found.suite):
        about = ws.tables.runs.iloc[here]
        nothing = about["outputs"].isna() & (about["status"] != HIDDEN)
        without_outputs.update(np.asarray(here, np.int64)[nothing].tolist())
    rows: list[PanelData] = []
    for case, run, known in zip(cases.tolist(), opened, defined.to_dict("records"), strict=True):
        cells = []
        for place in shown:
            change = at.change[case] if place == at.focus else 0
            key = case, place
            cells.append(
                _cell(
                    found,
                    tallies.get(key),
                    marks.get(key, ()),
                    change,
                    looks.get(key, ("", False)),
                    scores,
                    words,
                )
            )
        remarks = [str(known["status"])] if known.get("status") in SET_ASIDE else []
        if run in without_outputs:
            remarks.append("no output file")
        reason, column = why.get(run), columns.get(run)
        away = "" if column is None or column == at.focus else found.columns[int(column)].key
        rows.append(
            {
                "id": str(known["case_id"]),
                "name": case_name(known),
                "about": remarks,
                "why": None if reason is None else reason._asdict() | {"where": away},
                "cells": cells,
            }
        )
    return rows


@memoize_per_workspace
def _any_outputs(ws: Workspace, suite: str) -> bool:
    """Return whether any run of a suite has output; else its absence is worth no remark."""
    runs = outcomes(ws, suite).runs.index
    return bool(ws.tables.runs["outputs"].iloc[runs].notna().any())


def _cell(
    found: Outcomes,
    tally: Tally | None,
    runs: tuple[str, ...],
    change: int,
    people: tuple[str, bool],
    scores: Scores,
    words: Words,
) -> list[str | int]:
    """Describe one case in one column; `runs` are the marks of its runs."""
    if tally is None:
        return ["none", "·", words.setdefault(("no run", ()), len(words))]
    visible = tally.n - tally.hidden

    def of(count: int) -> str:
        if visible < 2:
            return ""
        return f" in {visible} runs" if count == visible else f" in {count} of {visible} runs"

    if tally.flaky:
        mark, word = "flaky", f"flaky: passed{of(tally.passes)}"
    elif tally.fails:
        mark, word = "fail", f"failed{': gate' if tally.gate_failed else ''}{of(tally.fails)}"
    elif tally.passes:
        partly = ", partly not scored" if tally.unscored else ""
        mark, word = "pass", f"passed{of(tally.passes)}{partly}"
    else:
        outside = "outside" if tally.outside == tally.n else "unscored"
        mark = "scored" if tally.scored else outside
        word = wording.HIDDEN if mark == "outside" and tally.hidden else MARK_WORDS[mark]
        if mark == "unscored" and scores == "human":
            word = unscored_words(scores)
    if 1 < len(runs) <= MOST_RUNS and len(set(runs)) > 1:
        word += f" ({', '.join(MARK_WORDS[one] for one in runs)})"
    if mark != "outside" and tally.hidden:
        word += f"; {wording.count(tally.hidden, 'run')} {wording.HIDDEN}"
    # The mean score of a shared scale, else the share of checks.
    number = HIDDEN if tally.hidden == tally.n else "·"
    if wording.known(tally.fraction):
        number = _percent(tally.fraction)
        if found.scale is not None:
            number = _score(tally.score, found.scale)
    done, judged = people
    said = f"{word}{done}", runs if len(runs) > 1 else ()
    cell: list[str | int] = [mark, number, words.setdefault(said, len(words))]
    turn = "" if not change else "better" if change > 0 else "worse"
    if judged:
        return [*cell, turn, 1]
    return [*cell, turn] if turn else cell


def case_name(about: Mapping[Hashable, object]) -> str:
    """Return the display name of a case: its name, its id in words, or the start of its prompt."""
    case_id, prompt, name = str(about["case_id"]), about.get("prompt"), about.get("name")
    if isinstance(name, str) and name.strip():
        return wording.line(name, MAX_NAME)
    if case_id.isdigit() and isinstance(prompt, str) and prompt.strip():
        return wording.line(prompt, MAX_PROMPT)
    return case_id
