"""State of the Gradings page, and how clicks and keys change it."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import PurePosixPath
from typing import Any, Final, Literal

from evalcore.counting.cells import where
from evalcore.counting.focus import FILTERS, Filter
from evalcore.counting.outcomes import Column, Outcomes
from evalcore.counting.people import Scores
from evalcore.counting.run_files import role_of
from evalcore.counting.score_source import outcomes_by
from evalcore.views.gradings.case_filter import CaseFilter
from evalcore.views.gradings.grid import PAGE, Grid, GridQuery, column_page, grid
from evalcore.workspace.opened import Workspace

Tab = Literal["grades", "output", "transcript", "case", "raw"]
TABS: Final[tuple[Tab, ...]] = ("grades", "output", "transcript", "case", "raw")
MAX_TEXT: Final = 200
MAX_DIGITS: Final = 6


@dataclass(frozen=True)
class View:
    """The address parameters of the Gradings page, apart from the sidebar's.

    `case` and `run` name what is open; without them it is the first case of the list. `line` is a
    line of `file`; `whole` shows the whole raw document. `columns` is the page of columns, None for
    the one with the version in focus.
    """

    filter: Filter = "all"
    narrow: CaseFilter = field(default_factory=CaseFilter)
    page: int = 1
    columns: int | None = None
    run: str | None = None
    case: str | None = None
    tab: Tab = "grades"
    file: str | None = None
    line: int | None = None
    whole: bool = False

    def parameters(self) -> dict[str, str | None]:
        """Return the address parameters; None for defaults, which stay out of the address."""
        narrow = self.narrow
        return {
            "filter": None if self.filter == "all" else self.filter,
            "criterion": narrow.criterion,
            "judge": narrow.judge,
            "tag": narrow.tag,
            "q": narrow.text or None,
            "page": None if self.page == 1 else str(self.page),
            "cols": None if self.columns is None else str(self.columns),
            "run": self.run,
            "case": self.case if self.run is None else None,
            "tab": None if self.tab == "grades" else self.tab,
            "file": self.file,
            "line": None if self.line is None else str(self.line),
            "whole": "1" if self.whole else None,
        }

    def query(
        self,
        suite: str,
        version: str | None,
        configuration: str | None,
        scores: Scores = "recorded",
    ) -> GridQuery:
        """Return the query for the grid."""
        return GridQuery(
            suite,
            version,
            configuration,
            self.filter,
            self.narrow,
            self.page,
            scores,
            self.columns,
        )


def view_of(parameters: Mapping[str, str]) -> View:
    """Return the view of address parameters; invalid ones are ignored."""
    value = parameters.get
    return View(
        filter=next((name for name in FILTERS if name == value("filter")), "all"),
        narrow=CaseFilter(
            value("criterion"), value("judge"), value("tag"), value("q", "")[:MAX_TEXT]
        ),
        page=number_in(value("page")) or 1,
        columns=number_in(value("cols")),
        run=value("run"),
        case=value("case"),
        tab=next((name for name in TABS if name == value("tab")), "grades"),
        file=value("file"),
        line=number_in(value("line")),
        whole=value("whole") == "1",
    )


def number_in(text: str | None) -> int | None:
    """Return a positive number, or None for anything else."""
    plain = text is not None and text.isascii() and text.isdigit() and len(text) <= MAX_DIGITS
    return int(text) or None if text is not None and plain else None


@dataclass(frozen=True)
class GradingsState:
    """The suite chosen in the sidebar, and the view of the address."""

    ws: Workspace
    suite: str
    version: str | None
    configuration: str | None
    view: View
    scores: Scores = "recorded"

    @property
    def outcomes(self) -> Outcomes:
        """The outcomes of the suite's runs by the chosen score source."""
        return outcomes_by(self.ws, self.suite, self.scores)

    def grid(self, page: int | None = None) -> Grid:
        """Return the grid's page of the view, or another page."""
        query = self.view.query(self.suite, self.version, self.configuration, self.scores)
        return grid(self.ws, query if page is None else replace(query, page=page))


def reduce(state: GradingsState, did: Mapping[str, Any]) -> View:
    """Return the view after a user action in a panel; invalid actions change nothing."""
    view = state.view
    if did.get("filter") in FILTERS:
        return replace(_opened(view, None, None), filter=did["filter"], page=1)
    if did.get("clear") is True:
        return _cleared(view)
    if isinstance(did.get("tab"), int) and 1 <= did["tab"] <= len(TABS):
        return replace(view, tab=TABS[did["tab"] - 1], whole=False)
    if isinstance(did.get("file"), str):
        line = did.get("line")
        line = line if isinstance(line, int) and line > 0 else None
        role = role_of(PurePosixPath(did["file"]).name)
        tab: Tab = "transcript" if role == "transcript" else "output"
        return replace(view, tab=tab, file=did["file"], line=line)
    if isinstance(did.get("case"), str):
        return _clicked(state, did["case"], did.get("column"))
    if isinstance(did.get("run"), str):
        return _opened(view, did["run"], None)
    return _walked(state, did)


def _walked(state: GradingsState, did: Mapping[str, Any]) -> View:
    """Return the view after a step: to another page, case or column."""
    if isinstance(did.get("columns"), int):
        return replace(state.view, columns=max(did["columns"], 1))
    if isinstance(did.get("page"), int):
        return _turned(state, did["page"], did.get("open"))
    if did.get("step") in (1, -1):
        return _stepped(state, int(did["step"]))
    if did.get("side") in (1, -1):
        return _aside(state, int(did["side"]))
    return state.view


def chosen(state: GradingsState, found: Grid) -> tuple[str | None, str | None]:
    """Return the open (run id, case id): those of the address, else the first of the page."""
    case = _case_of(state)
    if case is not None:
        named = _own_run(state) is not None
        return state.view.run if named else _run_of(state, found, case), case
    if found.rows:
        first = str(found.rows[0]["id"])
        return _run_of(state, found, first), first
    return None, None


def place_in_list(state: GradingsState, found: Grid, case: str | None) -> tuple[int | None, int]:
    """Return a case's position in the list, from 1 (None: filtered out), and the list's length."""
    at = _listed(state, found, case)
    return (None if at is None else at + 1), found.matching


def _listed(state: GradingsState, found: Grid, case: str | None) -> int | None:
    """Return a case's position in the list; None if it is filtered out."""
    place = state.outcomes.positions.get(case or "")
    return found.cases.index(place) if place in found.cases else None


def column_of(ws: Workspace, run_id: str | None) -> Column | None:
    """Return the version and configuration of a run."""
    place = _run_place(ws, run_id)
    if place is None:
        return None
    runs = ws.tables.runs
    return Column(str(runs["version"].iloc[place]), str(runs["configuration"].iloc[place]))


def _cleared(view: View) -> View:
    """Clear the search words; without any, clear every filter."""
    if view.narrow.text:
        return replace(_opened(view, None, None), narrow=replace(view.narrow, text=""), page=1)
    return replace(_opened(view, None, None), narrow=CaseFilter(), filter="all", page=1)


def _opened(view: View, run: str | None, case: str | None) -> View:
    return replace(
        view, run=run, case=case if run is None else None, file=None, line=None, whole=False
    )


def _clicked(state: GradingsState, case: str, column: object) -> View:
    """Open a case in the clicked column; without one, in the column of its row."""
    found = state.outcomes
    place = found.positions.get(case)
    if place is None:
        return state.view
    at = next((n for n, known in enumerate(found.columns) if known.key == column), None)
    if at is None:
        return _opened(state.view, _run_of(state, state.grid(), case), case)
    tallies = found.tallies([place], [at])
    run = next((_run_id(state.ws, tally.run) for tally in tallies.values()), None)
    return _opened(state.view, run, case)


def _turned(state: GradingsState, page: int, which: object) -> View:
    """Turn to a page of the list, and open its first or last case if requested."""
    found = state.grid(page)
    turned = replace(state.view, page=found.page)
    if which not in ("first", "last") or not found.rows:
        return turned
    case = str(found.rows[0 if which == "first" else -1]["id"])
    return _opened(turned, _run_of(state, found, case), case)


def _stepped(state: GradingsState, by: int) -> View:
    """Open the next or previous case of the list, also on another page; the tab stays."""
    found = state.grid()
    _, case = chosen(state, found)
    at = _listed(state, found, case)
    here = 0 if at is None else at + by
    if not 0 <= here < found.matching:
        return state.view
    run = _run_id(state.ws, found.opens[here])
    opened = str(state.outcomes.cases["case_id"].iloc[found.cases[here]])
    return replace(_opened(state.view, run, opened), page=here // PAGE + 1)


def _aside(state: GradingsState, by: int) -> View:
    """Open the same case in the next column that has a run of it."""
    found = state.outcomes
    run, case = chosen(state, state.grid())
    place = _run_place(state.ws, run)
    if place is None or place not in found.runs.index:
        return state.view
    here = found.runs.loc[place]
    columns = found.runs.loc[found.runs["case"] == here["case"], "column"].unique()
    beyond = [int(c) for c in columns if (c - here["column"]) * by > 0]
    if not beyond or case is None:
        return state.view
    nearest = min(beyond) if by > 0 else max(beyond)
    return _showing(state, nearest, _clicked(state, case, found.columns[nearest].key))


def _showing(state: GradingsState, column: int, view: View) -> View:
    """Return the view with the page of columns that one of them is on."""
    query = view.query(state.suite, state.version, state.configuration, state.scores)
    if column in column_page(state.outcomes, query, None).shown:
        return view
    there = column_page(state.outcomes, replace(query, columns=None), column)
    return replace(view, columns=there.page)


def _case_of(state: GradingsState) -> str | None:
    """Return the case that the address names, if the suite has it."""
    run = _own_run(state)
    if run is not None:
        return str(state.ws.tables.runs["case_id"].iloc[run])
    case = state.view.case
    return case if case in state.outcomes.positions else None


def _own_run(state: GradingsState) -> int | None:
    """Return the run that the address names, if it is one of the suite."""
    run = _run_place(state.ws, state.view.run)
    own = run is not None and str(state.ws.tables.runs["suite"].iloc[run]) == state.suite
    return run if own else None


def _run_of(state: GradingsState, found: Grid, case: str) -> str | None:
    """Return the run to open for a case without a named run."""
    at = _listed(state, found, case)
    if at is None:
        found = grid(
            state.ws,
            GridQuery(state.suite, state.version, state.configuration, scores=state.scores),
        )
        at = _listed(state, found, case)
    return None if at is None else _run_id(state.ws, found.opens[at])


def _run_id(ws: Workspace, place: int) -> str | None:
    return str(ws.tables.runs["run_id"].iloc[place]) if place >= 0 else None


def _run_place(ws: Workspace, run_id: str | None) -> int | None:
    if run_id is None:
        return None
    found = where(ws, "runs", run_id=run_id)
    return int(found[0]) if len(found) else None
