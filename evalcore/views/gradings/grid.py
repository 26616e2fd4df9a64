"""The grid of cases and versions: its cells and the cases that match the filters, page by page."""

import math
from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field, replace
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
from evalcore.views.gradings.case_filter import CaseFilter, narrowed
from evalcore.views.gradings.cell import Cell, cell_of, unit
from evalcore.views.gradings.reasons import Reason, line, reasons
from evalcore.views.run.human_activity import NO_ACTIVITY, activity_of
from evalcore.workspace.hidden import STATUS as HIDDEN
from evalcore.workspace.opened import Workspace

PAGE: Final = 50
SHOWN_COLUMNS: Final = 24
MAX_NAME: Final = 120
MAX_PROMPT: Final = 90


@dataclass(frozen=True)
class GridQuery:
    """The query for one page of a suite's grid.

    `columns` is the page of columns, from the newest on; None for the one with the focus.
    """

    suite: str
    version: str | None = None
    configuration: str | None = None
    filter: Filter = "all"
    narrow: CaseFilter = field(default_factory=CaseFilter)
    page: int = 1
    scores: Scores = "recorded"
    columns: int | None = None


class ColumnPage(NamedTuple):
    """Which columns are drawn: `page` from the newest on, and how many are before and after it."""

    shown: list[int]
    page: int
    earlier: int
    later: int


class Row(NamedTuple):
    """One case: its name, remarks, why it fails, and its cells.

    `elsewhere` is the column that `reason` is about if it is not the one in focus.
    """

    case_id: str
    name: str
    about: tuple[str, ...]
    reason: Reason | None
    elsewhere: Column | None
    cells: tuple[Cell, ...]


@dataclass(frozen=True)
class Grid:
    """One page of the grid.

    `cases` (positions) are all matching cases in order; `opens` is the run that a click on each
    opens, -1 if it has none. `failed_elsewhere` counts the cases that were not run in the column in
    focus and failed when they last were, `repeated` those that it ran several times.
    """

    columns: tuple[Column, ...]
    focus: Column | None
    before: Column | None
    rows: tuple[Row, ...]
    counts: dict[Filter, int]
    total: int
    page: int
    pages: int
    cases: tuple[int, ...]
    opens: tuple[int, ...]
    turn: ColumnPage
    scale: str
    failed_elsewhere: int = 0
    repeated: int = 0
    scores: Scores = "recorded"

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
    kept = narrowed(ws, query.suite, query.narrow, at.focus, query.scores)
    cases = np.flatnonzero(at.masks[query.filter] & kept)
    cases = _in_order(at, cases, query.filter)
    pages = max(1, math.ceil(len(cases) / PAGE))
    page = min(max(query.page, 1), pages)
    turn = column_page(found, query, at.focus)
    shown = turn.shown
    if query.filter in OF_PEOPLE:
        at = replace(at, opens=_opening(ws, found, at, query.filter))
    return Grid(
        columns=tuple(found.columns[place] for place in shown),
        focus=None if at.focus is None else found.columns[at.focus],
        before=None if at.before is None else found.columns[at.before],
        rows=_rows(ws, found, at, cases[(page - 1) * PAGE : page * PAGE], shown, query.scores),
        counts={name: int(mask.sum()) for name, mask in at.masks.items()},
        total=len(found.cases),
        page=page,
        pages=pages,
        cases=tuple(cases.tolist()),
        opens=tuple(at.opens[cases].tolist()),
        turn=turn,
        scale=unit(found),
        failed_elsewhere=int(at.failed_elsewhere.sum()),
        repeated=at.repeated,
        scores=query.scores,
    )


def _opening(ws: Workspace, found: Outcomes, at: Focused, chosen: Filter) -> Numbers:
    """Return the run that a click on each case opens: the first one that the filter is about."""
    seen, opens = human_activity(ws)._asdict(), at.opens.copy()
    runs = found.runs[(found.runs["column"] == (-1 if at.focus is None else at.focus)).to_numpy()]
    runs = runs[seen[chosen][runs.index.to_numpy()]][::-1]
    opens[runs["case"].to_numpy()] = runs.index.to_numpy()
    return opens


def _in_order(at: Focused, cases: Numbers, chosen: Filter) -> Numbers:
    """Sort the worst first; unfiltered, in the order of definition with unrun cases last."""
    worst = -at.failed - at.failed_elsewhere  # a case is in at most one of the two
    by = ~at.has_run[cases] if chosen == "all" else worst[cases]
    ordered: Numbers = cases[np.argsort(by, kind="stable")]
    return ordered


def column_page(found: Outcomes, query: GridQuery, focus: int | None) -> ColumnPage:
    """Return the columns to draw of the chosen configuration: those asked for, else the focus'."""
    places = [
        p for p, c in enumerate(found.columns) if query.configuration in {None, c.configuration}
    ]
    last = max(-(-len(places) // SHOWN_COLUMNS), 1)
    page = 1 if query.columns is None else min(max(query.columns, 1), last)
    if query.columns is None and focus in places:
        page = (len(places) - 1 - places.index(focus)) // SHOWN_COLUMNS + 1
    end = len(places) - (page - 1) * SHOWN_COLUMNS
    start = max(end - SHOWN_COLUMNS, 0)
    return ColumnPage(places[start:end], page, start, len(places) - end)


def _rows(
    ws: Workspace,
    found: Outcomes,
    at: Focused,
    cases: Numbers,
    shown: list[int],
    scores: Scores,
) -> tuple[Row, ...]:
    tallies = found.tallies(cases.tolist(), shown)
    marks = marks_of_cells(ws, found, cases.tolist(), shown)
    looks = activity_of(ws, found, cases, shown)
    opened = at.opens[cases].tolist()
    here = [run for run in opened if run >= 0]
    why = reasons(ws, found.suite, here, scores)
    columns = found.runs["column"].reindex(here).to_dict()
    about = found.cases.iloc[cases].reindex(columns=["case_id", "name", "prompt", "status"])
    defined = about.to_dict("records")
    outputs = _without_outputs(ws, found, here)
    rows = []
    for case, run, case_about in zip(cases.tolist(), opened, defined, strict=True):
        cells = tuple(
            cell_of(
                found,
                tallies.get((case, place)),
                marks.get((case, place), ()),
                at.change[case] if place == at.focus else 0,
                looks.get((case, place), NO_ACTIVITY),
                scores,
            )
            for place in shown
        )
        column = columns.get(run)
        away = None if column is None or column == at.focus else found.columns[int(column)]
        apart = (*_set_aside(case_about), *(["no output file"] if run in outputs else []))
        name = case_name(case_about)
        rows.append(Row(str(case_about["case_id"]), name, apart, why.get(run), away, cells))
    return tuple(rows)


def _set_aside(about: Mapping[Hashable, object]) -> list[str]:
    """Return why a case is not in the rates: it is a draft, or deprecated."""
    status = about.get("status")
    return [str(status)] if status in SET_ASIDE else []


def _without_outputs(ws: Workspace, found: Outcomes, runs: list[int]) -> frozenset[int]:
    """Return the runs without output if other runs of the suite have some."""
    if not _with_outputs(ws, found.suite):
        return frozenset()
    about = ws.tables.runs.iloc[runs]
    nothing = about["outputs"].isna() & (about["status"] != HIDDEN)
    return frozenset(np.asarray(runs, np.int64)[nothing].tolist())


@memoize_per_workspace
def _with_outputs(ws: Workspace, suite: str) -> bool:
    """Return whether any run of a suite has output."""
    runs = outcomes(ws, suite).runs.index
    return bool(ws.tables.runs["outputs"].iloc[runs].notna().any())


def case_name(about: Mapping[Hashable, object]) -> str:
    """Return the display name of a case: its name, its id in words, or the start of its prompt."""
    case_id, prompt, name = str(about["case_id"]), about.get("prompt"), about.get("name")
    if isinstance(name, str) and name.strip():
        return line(name, MAX_NAME)
    if case_id.isdigit() and isinstance(prompt, str) and prompt.strip():
        return line(prompt, MAX_PROMPT)
    return case_id
