"""State of the Gradings page, and how clicks and keys change it."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, replace
from pathlib import PurePosixPath
from typing import Any, Final, Literal
from urllib.parse import quote, unquote

from evalcore.counting.cells import where
from evalcore.counting.focus import FILTERS, Filter
from evalcore.counting.outcomes import Column, Outcomes
from evalcore.counting.people import Scores
from evalcore.counting.run_files import role_of
from evalcore.counting.score_source import outcomes_by
from evalcore.families.reviews.saved_views import PARAMETERS
from evalcore.views.blocks.address import Address, choice, flag, number, parameter
from evalcore.views.blocks.paging import page_with
from evalcore.views.gradings.case_filter import CaseFilter, ScoreRange
from evalcore.views.gradings.grid import (
    AXES,
    PAGE,
    Grid,
    GridQuery,
    axis_names,
    chosen_columns,
    column_page,
    grid,
)
from evalcore.views.run.steps import step_of_quote, step_with
from evalcore.workspace.opened import Workspace

Tab = Literal["grades", "output", "transcript", "case", "raw", "steps"]
TABS: Final[tuple[Tab, ...]] = ("grades", "output", "transcript", "case", "raw", "steps")
"""The tabs, which keys send by number from 1; `steps` comes and goes, and has a letter instead."""
OF_RUN: Final = ("run", "case", "file", "line", "whole", "step", "find", "part")
"""What of a view, and of its address, is of the open run alone."""
MAX_TEXT: Final = 200
MAX_NAMES: Final = 500
NARROWING: Final = ("criterion", "judge", "tag", "text", "score")
"""The filters of a view that combine with each other and with `filter`."""


def names(name: str) -> Any:
    """Return a field for a parameter that is a list of names; commas in names are written `%2C`."""

    def read(text: str) -> tuple[str, ...] | None:
        return tuple(unquote(each) for each in text.split(",")[:MAX_NAMES] if each) or None

    return parameter(name, read, (), lambda value: ",".join(quote(each, " @/") for each in value))


@dataclass(frozen=True)
class View(Address):
    """The address parameters of the Gradings page, apart from the sidebar's.

    `criterion`, `judge`, `tag`, the words `text` and the range `score`, of the mean or of the
    criterion `score_of`, narrow the list. `versions` and `configurations` are those that are
    columns, all where they are empty; with `outputs` the beginning of each output is one more.
    `beside` are the columns whose outputs stand side by side. `case` and `run` name what is
    open; without them it is the first case of the list. `line` is a line of `file`; `whole` shows
    the whole raw document. `columns` is the page of columns, None for the one with the version in
    focus. `step` is the open one of the Steps tab, from 1, `find` the words looked for in them, and
    `part` a portion of its text. `sort` is the column by which the list stands, the lowest first,
    or `high` ones.
    """

    filter: Filter = choice("filter", FILTERS, "all")
    criterion: str | None = parameter("criterion")
    judge: str | None = parameter("judge")
    tag: str | None = parameter("tag")
    text: str = parameter("q", lambda text: text[:MAX_TEXT], "")
    score: ScoreRange | None = parameter("score", ScoreRange.of)
    score_of: str | None = parameter("score_of")
    versions: tuple[str, ...] = names("versions")
    configurations: tuple[str, ...] = names("configurations")
    outputs: bool = flag("outputs")
    beside: tuple[str, ...] = names("beside")
    page: int = number("page", 1)
    columns: int | None = number("cols")
    sort: str | None = parameter("sort")
    high: bool = flag("order", "high")
    run: str | None = parameter("run")
    case: str | None = parameter("case")
    tab: Tab = choice("tab", TABS, "grades")
    file: str | None = parameter("file")
    line: int | None = number("line")
    whole: bool = flag("whole")
    step: int | None = number("step")
    find: str = parameter("find", lambda text: text[:MAX_TEXT], "")
    part: int | None = number("part")

    def parameters(self) -> dict[str, str | None]:
        """Return the address parameters; None for defaults, which stay out of the address."""
        return super().parameters() | ({} if self.run is None else {"case": None})

    def query(
        self,
        suite: str,
        version: str | None,
        configuration: str | None,
        scores: Scores = "recorded",
    ) -> GridQuery:
        """Return the query for the grid."""
        narrow = CaseFilter(
            self.criterion, self.judge, self.tag, self.text, self.score, self.score_of
        )
        return GridQuery(
            suite,
            version,
            configuration,
            self.filter,
            narrow,
            self.page,
            scores,
            self.columns,
            self.sort,
            self.high,
            self.versions,
            self.configurations,
        )


def kept(query: Mapping[str, str | None]) -> dict[str, str]:
    """Return what a saved view keeps of an address, as the page writes it."""
    every = {**query, **View.of(query).parameters()}
    found = {name: every.get(name) for name in sorted(PARAMETERS["gradings"])}
    return {name: text for name, text in found.items() if text is not None}


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

    def query(self) -> GridQuery:
        """Return the query of the view for the grid."""
        return self.view.query(self.suite, self.version, self.configuration, self.scores)

    def grid(self, page: int | None = None) -> Grid:
        """Return the grid's page of the view, or another page."""
        query = self.query()
        return grid(self.ws, query if page is None else replace(query, page=page))


def reduce(state: GradingsState, did: Mapping[str, Any]) -> View:
    """Return the view after a user action in a panel; invalid actions change nothing."""
    view = relisted(state, did)
    if view is not state.view:
        return view
    tab = did.get("tab")
    if isinstance(tab, int) and 1 <= tab < len(TABS):
        tab = TABS[tab - 1]
    if tab in TABS:
        return replace(view, tab=tab, whole=False)
    if not {"file", "quote", "steps"}.isdisjoint(did):
        return _in_evidence(state, did)
    if isinstance(did.get("case"), str):
        return _clicked(state, did["case"], did.get("column"))
    if isinstance(did.get("run"), str):
        opened = _opened(view, did["run"], None)
        return replace(opened, beside=()) if did.get("alone") is True else opened
    if isinstance(did.get("page"), int):
        return _turned(state, did["page"], did.get("open"))
    if did.get("step") in (1, -1):
        return _stepped(state, int(did["step"]))
    if did.get("side") in (1, -1):
        return _aside(state, int(did["side"]))
    return state.view


def relisted(state: GradingsState, did: Mapping[str, Any]) -> View:
    """Return the view after an action that changes which cases or columns are listed, and how."""
    view = state.view
    listed = replace(_opened(view, None, None), page=1)
    if did.get("filter") in FILTERS:
        return replace(listed, filter=did["filter"])
    if did.get("clear") is True:  # the search words; without any, every filter
        kinds = ["text"] if view.text else [*NARROWING, "filter"]
        return replace(listed, **{kind: each for of in kinds for kind, each in _off(of)})
    if did.get("drop") in NARROWING:
        return replace(listed, **dict(_off(did["drop"])))
    if isinstance(did.get("sort"), str):  # the lowest first, then the highest, then as before
        again = view.sort == did["sort"]
        by = None if again and view.high else did["sort"]
        return replace(listed, sort=by, high=again and not view.high)
    if isinstance(did.get("columns"), int):
        return replace(view, columns=max(did["columns"], 1))
    if isinstance(did.get("outputs"), bool):
        return replace(view, outputs=did["outputs"])
    if did.get("axis") in AXES and isinstance(did.get("name"), str):
        axis, named = str(did["axis"]), {did["name"]}
        known = axis_names(state.outcomes, axis)
        shown = set(getattr(view, axis)).intersection(known) or set(known)
        does = {"add": shown | named, "drop": shown - named, "only": named, "all": set(known)}
        kept = tuple(name for name in known if name in does.get(str(did.get("how")), shown))
        chosen_names: Any = () if len(kept) == len(known) else kept
        return replace(view, **{axis: chosen_names}, columns=None) if kept else view
    return view


def _off(kind: str) -> Iterator[tuple[str, Any]]:
    """Yield the fields of a view that are a filter, with the value that keeps every case."""
    by_name = {each.name: each.default for each in fields(View)}
    yield kind, by_name[kind]
    if kind == "score":
        yield "score_of", by_name["score_of"]


def chosen(state: GradingsState, found: Grid) -> tuple[str | None, str | None]:
    """Return the open (run id, case id): those of the address, else the first of the page."""
    run, case = _run_place(state.ws, state.view.run), state.view.case
    runs = state.ws.tables.runs
    if run is not None and str(runs["suite"].iloc[run]) == state.suite:
        return state.view.run, str(runs["case_id"].iloc[run])
    if case is not None and case in state.outcomes.positions:
        return _run_of(state, found, case), case
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


def _in_evidence(state: GradingsState, did: Mapping[str, Any]) -> View:
    """Open a file at a line, or a step: what a quote stands in, or what the Steps tab asks for."""
    file, quote, asked = (did.get(name) for name in ("file", "quote", "steps"))
    role = role_of(PurePosixPath(file).name) if isinstance(file, str) else None
    if isinstance(quote, str) and role in (None, "transcript"):
        step, words = step_of_quote(state.ws, chosen(state, state.grid())[0] or "", quote)
        if step is not None or role is None:
            return replace(state.view, tab="steps", step=step, find=words, part=None)
    if isinstance(file, str):
        line = did.get("line")
        line = line if isinstance(line, int) and line > 0 else None
        tab: Tab = "transcript" if role == "transcript" else "output"
        return replace(state.view, tab=tab, file=file, line=line)
    if not isinstance(asked, Mapping):
        return state.view
    view = replace(state.view, tab="steps", part=None)
    if isinstance(asked.get("find"), str):
        find = asked["find"][:MAX_TEXT].strip()
        run = chosen(state, state.grid())[0] or ""
        hit = step_with(state.ws, run, find, view.step or 1) if find and run else None
        return replace(view, find=find, step=hit or view.step)
    if isinstance(asked.get("at"), int) and asked["at"] > 0:
        part = asked.get("part")
        return replace(view, step=asked["at"], part=part if isinstance(part, int) else None)
    return view


def _opened(view: View, run: str | None, case: str | None) -> View:
    of_run = (each for each in fields(View) if each.name in OF_RUN)
    closed: dict[str, Any] = {each.name: each.default for each in of_run}
    return replace(view, **closed | {"run": run, "case": case if run is None else None})


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
    turned = replace(state.view, page=found.page.number)
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
    return replace(_opened(state.view, run, opened), page=page_with(here, PAGE))


def _aside(state: GradingsState, by: int) -> View:
    """Open the same case in the next column that has a run of it."""
    found = state.outcomes
    run, case = chosen(state, state.grid())
    place = _run_place(state.ws, run)
    query = state.query()
    shown = chosen_columns(found, query)
    if place is None or place not in found.runs.index:
        return state.view
    here = found.runs.loc[place]
    columns = found.runs.loc[found.runs["case"] == here["case"], "column"].unique()
    beyond = [int(c) for c in columns if c in shown and (c - here["column"]) * by > 0]
    if not beyond or case is None:
        return state.view
    nearest = min(beyond) if by > 0 else max(beyond)
    view = _clicked(state, case, found.columns[nearest].key)
    # The page of columns follows, so that the opened one is on it.
    if nearest in column_page(found, query, None).shown:
        return view
    return replace(view, columns=column_page(found, replace(query, columns=None), nearest).page)


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
