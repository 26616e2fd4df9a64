"""State of the Gradings page, and how clicks and keys change it."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import PurePosixPath
from typing import Any, Final, Literal

from evalcore.counting.cells import where
from evalcore.counting.focus import FILTERS, Filter
from evalcore.counting.outcomes import Column, Outcomes
from evalcore.counting.people import Scores
from evalcore.counting.score_source import outcomes_by
from evalcore.views.files.outputs import role_of
from evalcore.views.gradings.case_filter import CaseFilter
from evalcore.views.gradings.grid import PAGE, Ask, Grid, grid
from evalcore.workspace.opened import Workspace

Tab = Literal["grades", "output", "transcript", "case", "raw"]
TABS: Final[tuple[Tab, ...]] = ("grades", "output", "transcript", "case", "raw")
MAX_TEXT: Final = 200
MAX_DIGITS: Final = 6


@dataclass(frozen=True)
class View:
    """Everything that the address of the Gradings page says beside the sidebar's choice.

    `case` and `run` name what is open; without them the first case of the list is. `line` is the
    place in the `file`; `whole` asks for the whole raw document.
    """

    filter: Filter = "all"
    narrow: CaseFilter = field(default_factory=CaseFilter)
    page: int = 1
    run: str | None = None
    case: str | None = None
    tab: Tab = "grades"
    file: str | None = None
    line: int | None = None
    whole: bool = False

    def parameters(self) -> dict[str, str | None]:
        """Return the address parameters; None for what is as usual and stays out of the address."""
        narrow = self.narrow
        return {
            "filter": None if self.filter == "all" else self.filter,
            "criterion": narrow.criterion,
            "judge": narrow.judge,
            "tag": narrow.tag,
            "q": narrow.text or None,
            "page": None if self.page == 1 else str(self.page),
            "run": self.run,
            "case": self.case if self.run is None else None,
            "tab": None if self.tab == "grades" else self.tab,
            "file": self.file,
            "line": None if self.line is None else str(self.line),
            "whole": "1" if self.whole else None,
        }

    def ask(
        self,
        suite: str,
        version: str | None,
        configuration: str | None,
        scores: Scores = "recorded",
    ) -> Ask:
        """Return what to ask the grid for."""
        return Ask(suite, version, configuration, self.filter, self.narrow, self.page, scores)


def view_of(parameters: Mapping[str, str]) -> View:
    """Return the view that address parameters mean; what means nothing is as if it were absent."""
    said = parameters.get
    return View(
        next((name for name in FILTERS if name == said("filter")), "all"),
        CaseFilter(said("criterion"), said("judge"), said("tag"), said("q", "")[:MAX_TEXT]),
        number_in(said("page")) or 1,
        said("run"),
        said("case"),
        next((name for name in TABS if name == said("tab")), "grades"),
        said("file"),
        number_in(said("line")),
        said("whole") == "1",
    )


def number_in(text: str | None) -> int | None:
    """Return a positive number, or None for anything else."""
    plain = text is not None and text.isascii() and text.isdigit() and len(text) <= MAX_DIGITS
    return int(text) or None if text is not None and plain else None


@dataclass(frozen=True)
class Scene:
    """A suite as the sidebar has it chosen, and the view that the address asks for."""

    ws: Workspace
    suite: str
    version: str | None
    configuration: str | None
    view: View
    scores: Scores = "recorded"

    @property
    def outcomes(self) -> Outcomes:
        """What became of the suite's runs by the scores that count."""
        return outcomes_by(self.ws, self.suite, self.scores)

    def grid(self, page: int | None = None) -> Grid:
        """Return the page of the grid that the view asks for, or another one."""
        ask = self.view.ask(self.suite, self.version, self.configuration, self.scores)
        return grid(self.ws, ask if page is None else replace(ask, page=page))


def reduce(scene: Scene, did: Mapping[str, Any]) -> View:
    """Return the view after what the reader did in a panel; what makes no sense changes nothing."""
    view = scene.view
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
        return _clicked(scene, did["case"], did.get("column"))
    if isinstance(did.get("run"), str):
        return _opened(view, did["run"], None)
    return _walked(scene, did)


def _walked(scene: Scene, did: Mapping[str, Any]) -> View:
    """Return the view after a step: to another page, case or column."""
    if isinstance(did.get("page"), int):
        return _turned(scene, did["page"], did.get("open"))
    if did.get("step") in (1, -1):
        return _stepped(scene, int(did["step"]))
    if did.get("side") in (1, -1):
        return _aside(scene, int(did["side"]))
    return scene.view


def chosen(scene: Scene, found: Grid) -> tuple[str | None, str | None]:
    """Return (run id, case id) that is open: what the address names, else the first of the page."""
    case = _case_of(scene)
    if case is not None:
        named = _own_run(scene) is not None
        return scene.view.run if named else _run_of(scene, found, case), case
    if found.rows:
        first = found.rows[0].case_id
        return _run_of(scene, found, first), first
    return None, None


def place_in_list(scene: Scene, found: Grid, case: str | None) -> tuple[int | None, int]:
    """Return a case's place in the list, from 1 (None: filtered out), and the list's length."""
    at = _listed(scene, found, case)
    return (None if at is None else at + 1), found.kept


def _listed(scene: Scene, found: Grid, case: str | None) -> int | None:
    """Return a case's position in the list; None where it is filtered out."""
    place = scene.outcomes.place.get(case or "")
    return found.cases.index(place) if place in found.cases else None


def column_of(ws: Workspace, run_id: str | None) -> Column | None:
    """Return the version and configuration of a run."""
    place = _run_place(ws, run_id)
    if place is None:
        return None
    runs = ws.tables.runs
    return Column(str(runs["version"].iloc[place]), str(runs["configuration"].iloc[place]))


def _cleared(view: View) -> View:
    """Take away the words that are searched for; without any, every filter."""
    if view.narrow.text:
        return replace(_opened(view, None, None), narrow=replace(view.narrow, text=""), page=1)
    return replace(_opened(view, None, None), narrow=CaseFilter(), filter="all", page=1)


def _opened(view: View, run: str | None, case: str | None) -> View:
    return replace(
        view, run=run, case=case if run is None else None, file=None, line=None, whole=False
    )


def _clicked(scene: Scene, case: str, column: object) -> View:
    """Open a case in the column that was clicked; without one, where its row says."""
    found = scene.outcomes
    place = found.place.get(case)
    if place is None:
        return scene.view
    at = next((n for n, known in enumerate(found.columns) if known.key == column), None)
    if at is None:
        return _opened(scene.view, _run_of(scene, scene.grid(), case), case)
    tallies = found.tallies([place], [at])
    run = next((_run_id(scene.ws, tally.run) for tally in tallies.values()), None)
    return _opened(scene.view, run, case)


def _turned(scene: Scene, page: int, which: object) -> View:
    """Turn to a page of the list, and open its first or last case where that was asked for."""
    found = scene.grid(page)
    turned = replace(scene.view, page=found.page)
    if which not in ("first", "last") or not found.rows:
        return turned
    case = found.rows[0 if which == "first" else -1].case_id
    return _opened(turned, _run_of(scene, found, case), case)


def _stepped(scene: Scene, by: int) -> View:
    """Open the next or previous case of the list, also on another page; the tab stays."""
    found = scene.grid()
    _, case = chosen(scene, found)
    at = _listed(scene, found, case)
    here = 0 if at is None else at + by
    if not 0 <= here < found.kept:
        return scene.view
    run = _run_id(scene.ws, found.opens[here])
    opened = str(scene.outcomes.cases["case_id"].iloc[found.cases[here]])
    return replace(_opened(scene.view, run, opened), page=here // PAGE + 1)


def _aside(scene: Scene, by: int) -> View:
    """Open the same case in the next column that has a run of it."""
    found = scene.outcomes
    run, case = chosen(scene, scene.grid())
    place = _run_place(scene.ws, run)
    if place is None or place not in found.runs.index:
        return scene.view
    here = found.runs.loc[place]
    columns = found.runs.loc[found.runs["case"] == here["case"], "column"].unique()
    beyond = [int(c) for c in columns if (c - here["column"]) * by > 0]
    if not beyond or case is None:
        return scene.view
    nearest = min(beyond) if by > 0 else max(beyond)
    return _clicked(scene, case, found.columns[nearest].key)


def _case_of(scene: Scene) -> str | None:
    """Return the case that the address names, if the suite has it."""
    run = _own_run(scene)
    if run is not None:
        return str(scene.ws.tables.runs["case_id"].iloc[run])
    case = scene.view.case
    return case if case in scene.outcomes.place else None


def _own_run(scene: Scene) -> int | None:
    """Return the run that the address names, if it is one of the suite."""
    run = _run_place(scene.ws, scene.view.run)
    own = run is not None and str(scene.ws.tables.runs["suite"].iloc[run]) == scene.suite
    return run if own else None


def _run_of(scene: Scene, found: Grid, case: str) -> str | None:
    """Return the run to open for a case that is named without one."""
    at = _listed(scene, found, case)
    if at is None:
        found = grid(
            scene.ws,
            Ask(scene.suite, scene.version, scene.configuration, scores=scene.scores),
        )
        at = _listed(scene, found, case)
    return None if at is None else _run_id(scene.ws, found.opens[at])


def _run_id(ws: Workspace, place: int) -> str | None:
    return str(ws.tables.runs["run_id"].iloc[place]) if place >= 0 else None


def _run_place(ws: Workspace, run_id: str | None) -> int | None:
    if run_id is None:
        return None
    found = where(ws, "runs", run_id=run_id)
    return int(found[0]) if len(found) else None
