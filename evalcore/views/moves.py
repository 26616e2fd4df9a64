"""What the Gradings page is looking at, and how a click or a key changes it."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final, Literal

import numpy as np

from evalcore.views.grid import FILTERS, PAGE, Ask, Filter, Grid, grid
from evalcore.views.outcomes import Column, outcomes
from evalcore.workspace.opened import Workspace

Tab = Literal["grades", "output", "transcript", "case", "raw"]
TABS: Final[tuple[Tab, ...]] = ("grades", "output", "transcript", "case", "raw")
MAX_TEXT: Final = 200


@dataclass(frozen=True)
class View:
    """Everything that the address of the Gradings page says beside the sidebar's choice.

    `case` and `run` name what is open; without them the first case of the list is.
    """

    filter: Filter = "all"
    criterion: str | None = None
    judge: str | None = None
    tag: str | None = None
    text: str = ""
    page: int = 1
    run: str | None = None
    case: str | None = None
    tab: Tab = "grades"
    file: str | None = None

    def parameters(self) -> dict[str, str | None]:
        """Return the address parameters; None for what is as usual and stays out of the address."""
        return {
            "filter": None if self.filter == "all" else self.filter,
            "criterion": self.criterion, "judge": self.judge, "tag": self.tag, "q": self.text or None,
            "page": None if self.page == 1 else str(self.page), "run": self.run,
            "case": self.case if self.run is None else None,
            "tab": None if self.tab == "grades" else self.tab, "file": self.file,
        }  # fmt: skip

    def ask(self, suite: str, version: str | None, configuration: str | None) -> Ask:
        """Return what to ask the grid for."""
        return Ask(suite, version, configuration, self.filter, self.criterion, self.judge, self.tag,
                   self.text, self.page)  # fmt: skip


def view_of(parameters: Mapping[str, str]) -> View:
    """Return the view that address parameters mean; what means nothing is as if it were absent."""
    page = parameters.get("page", "1")
    text = parameters.get("filter", "all")
    tab = parameters.get("tab", "grades")
    return View(
        next((name for name in FILTERS if name == text), "all"),
        parameters.get("criterion"), parameters.get("judge"), parameters.get("tag"),
        parameters.get("q", "")[:MAX_TEXT],
        int(page) if page.isascii() and page.isdigit() and len(page) < 7 else 1,
        parameters.get("run"), parameters.get("case"),
        next((name for name in TABS if name == tab), "grades"), parameters.get("file"),
    )  # fmt: skip


def moved(ws: Workspace, suite: str, version: str | None, configuration: str | None, view: View,
          did: Mapping[str, Any]) -> View:  # fmt: skip
    """Return the view after what the reader did in a panel; what makes no sense changes nothing."""
    if did.get("filter") in FILTERS:
        return replace(view, filter=did["filter"], page=1, run=None, case=None, file=None)
    if isinstance(did.get("tab"), int) and 1 <= did["tab"] <= len(TABS):
        return replace(view, tab=TABS[did["tab"] - 1])
    if isinstance(did.get("file"), str):
        return replace(view, tab="output", file=did["file"])
    if isinstance(did.get("case"), str) or isinstance(did.get("run"), str):
        return _opened(view, did.get("run"), did.get("case"))
    ask = view.ask(suite, version, configuration)
    if isinstance(did.get("page"), int):
        return _turned(grid(ws, replace(ask, page=did["page"])), view, did.get("open"))
    if did.get("step") in (1, -1):
        return _stepped(grid(ws, ask), ws, suite, view, int(did["step"]))
    if did.get("side") in (1, -1):
        return _aside(ws, suite, view, int(did["side"]))
    return view


def chosen(ws: Workspace, found: Grid, suite: str, view: View) -> tuple[str | None, str | None]:
    """Return (run id, case id) that is open: the one in the address, else the first of the page."""
    case = _case_of(ws, suite, view)
    if case is not None:
        return view.run if _run_place(ws, view.run) is not None else _run_of(
            ws, found, suite, case
        ), case
    if found.rows:
        return found.rows[0].run_id, found.rows[0].case_id
    return None, None


def place_in_list(ws: Workspace, found: Grid, suite: str, case: str | None) -> str:
    """Say where the open case stands in the list: `3 of 24`, or that the filter leaves it out."""
    ids = listed_cases(ws, suite, found)
    if case in ids:
        return f"{ids.index(case) + 1:,} of {len(ids):,}"
    return "not in this list"


def listed_cases(ws: Workspace, suite: str, found: Grid) -> list[str]:
    """Return the ids of all cases that the filters keep, in the order of the list."""
    ids = outcomes(ws, suite).cases["case_id"]
    return [str(ids.iloc[place]) for place in found.cases]


def _opened(view: View, run: Any, case: Any) -> View:
    run = run if isinstance(run, str) else None
    return replace(
        view, run=run, case=case if run is None and isinstance(case, str) else None, file=None
    )


def _turned(found: Grid, view: View, which: Any) -> View:
    turned = replace(view, page=found.page)
    if which not in ("first", "last") or not found.rows:
        return turned
    row = found.rows[0 if which == "first" else -1]
    return _opened(turned, row.run_id, row.case_id)


def _stepped(found: Grid, ws: Workspace, suite: str, view: View, by: int) -> View:
    """Open the next or previous case of the list, also on another page."""
    ids = listed_cases(ws, suite, found)
    _, case = chosen(ws, found, suite, view)
    here = ids.index(case) + by if case in ids else 0
    if not 0 <= here < len(ids):
        return view
    return replace(_opened(view, found.order[here], ids[here]), page=here // PAGE + 1)


def _aside(ws: Workspace, suite: str, view: View, by: int) -> View:
    """Open the same case in the next column that has a run of it."""
    found = outcomes(ws, suite)
    run = _run_place(ws, view.run)
    if run is None or run not in found.runs.index:
        return view
    here = found.runs.loc[run]
    same = found.runs[found.runs["case"] == here["case"]]
    beyond = same[(same["column"] - here["column"]) * by > 0]
    if beyond.empty:
        return view
    nearest = beyond.iloc[int(np.argmin(np.abs(beyond["column"] - here["column"])))]
    return replace(view, run=str(ws.tables.runs["run_id"].iloc[int(nearest.name)]), file=None)


def _case_of(ws: Workspace, suite: str, view: View) -> str | None:
    run = _run_place(ws, view.run)
    if run is not None and str(ws.tables.runs["suite"].iloc[run]) == suite:
        return str(ws.tables.runs["case_id"].iloc[run])
    if view.case is not None and view.case in set(outcomes(ws, suite).cases["case_id"]):
        return view.case
    return None


def _run_of(ws: Workspace, found: Grid, suite: str, case: str) -> str | None:
    """Return the run to open for a case that is named without one."""
    ids = listed_cases(ws, suite, found)
    if case in ids:
        return found.order[ids.index(case)]
    every = grid(ws, Ask(suite))
    return every.order[listed_cases(ws, suite, every).index(case)]


def _run_place(ws: Workspace, run_id: str | None) -> int | None:
    if run_id is None:
        return None
    found = np.flatnonzero((ws.tables.runs["run_id"] == run_id).to_numpy(bool))
    return int(found[0]) if len(found) else None


def column_of(ws: Workspace, run_id: str | None) -> Column | None:
    """Return the version and configuration of a run."""
    place = _run_place(ws, run_id)
    if place is None:
        return None
    row = ws.tables.runs.iloc[place]
    return Column(str(row["version"]), str(row["configuration"]))
