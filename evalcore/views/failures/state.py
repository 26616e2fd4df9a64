"""State of the Failures page: what the address asks for, and links to other states."""

from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from evalcore.counting.coded import coded
from evalcore.counting.failure_rows import ids_in
from evalcore.counting.outcomes import outcomes
from evalcore.counting.people import Scores
from evalcore.failures.find import ORIGINS, failures
from evalcore.failures.query import GRADES, KINDS, STATES, Query, matching
from evalcore.views.blocks.address import Address, choice, flag, number, parameter
from evalcore.views.blocks.base import Link
from evalcore.workspace.opened import Workspace

PAGE: Final = 15
CAUSES_A_PAGE: Final = 8
BY_CAUSE: Final = "cause"


@dataclass(frozen=True)
class View(Address):
    """The address parameters of the page, apart from the sidebar's.

    `criteria` offers all of them as filters. `group` lists by cause. `failure` is the open one:
    the id of its record, else of its run.
    """

    type: str | None = choice("type", KINDS)
    severity: str | None = choice("severity", GRADES)
    state: str | None = choice("state", STATES)
    origin: str | None = choice("origin", ORIGINS)
    criterion: str | None = parameter("criterion")
    criteria: bool = flag("criteria", "all")
    group: str | None = choice("group", (BY_CAUSE,))
    page: int = number("page", 1)
    failure: str | None = parameter("failure")


@dataclass(frozen=True)
class FailuresState:
    """The suite, version, configuration and scores of the sidebar, and the view of the address."""

    ws: Workspace
    suite: str
    version: str | None
    configuration: str | None
    view: View
    scores: Scores

    @property
    def query(self) -> Query:
        """What the page lists."""
        by = self.view
        return replace(
            self.everything,
            type=by.type,
            severity=by.severity,
            criterion=by.criterion,
            state=by.state,
            origin=by.origin,
        )

    @property
    def chosen(self) -> list[bool]:
        """Which columns of the suite are of the chosen version and configuration."""
        return [
            self.version in (None, column.version)
            and self.configuration in (None, column.configuration)
            for column in outcomes(self.ws, self.suite).columns
        ]

    @property
    def everything(self) -> Query:
        """What it would list without a filter of its own."""
        return Query(self.version, self.configuration)


def to(view: View, **changed: str | int | None) -> Link:
    """Return the link to another state of the page; another filter begins at its first page."""
    page = {} if changed.keys() <= {"page", "failure", "criteria"} else {"page": 1}
    view = replace(view, **{**page, **changed})  # type: ignore[arg-type]  # each is of its field's type
    # What is at its default and stays so is not sent with every link.
    asked = view.parameters().items()
    return Link("failures", {n: each for n, each in asked if each is not None or n == "page"})


def opened(state: FailuresState) -> int | None:
    """Return the place of the open failure: the one in the address, else the first of the list.

    None where the list is empty, or where the address names one that is not here.
    """
    ws, key = state.ws, state.view.failure
    if key is None:
        listed = matching(ws, state.suite, state.query, state.scores)
        return int(listed[0]) if len(listed) else None
    found = failures(ws, state.suite, state.scores)
    ids, runs = coded(ws, "failures", "failure_id"), coded(ws, "runs", "run_id")
    recorded = np.flatnonzero(found.record >= 0)
    rows = found.record[recorded]
    named = recorded[ids.codes[rows] == ids.places([key])[0]]
    if not len(named):
        here = np.flatnonzero(runs.codes == runs.places([key])[0])[:1]
        named = np.flatnonzero(found.run == here) if len(here) else named
    if not len(named):
        # A record that replaces the named one, or stands beside it.
        table = ws.tables.failures
        for at in recorded[table["supersedes"].notna().to_numpy()[rows]]:
            lists = (table[name].array[found.record[at]] for name in ("supersedes", "rivals"))
            if any(key in ids_in(each) for each in lists):
                return int(at)
    return int(named[0]) if len(named) else None
