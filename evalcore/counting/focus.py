"""The column in focus, the one it is compared with, and what changed between them."""

from dataclasses import dataclass
from typing import Final, Literal

import numpy as np
import pandas as pd

from evalcore.counting.coded import Numbers
from evalcore.counting.human_activity import human_activity
from evalcore.counting.memo import memoize_per_workspace
from evalcore.counting.outcomes import (
    FIRST_SIDES,
    SECOND_SIDES,
    UNASSIGNED,
    Column,
    Outcomes,
)
from evalcore.counting.people import Scores
from evalcore.counting.rates import SET_ASIDE
from evalcore.counting.score_source import outcomes_by
from evalcore.counting.tally import FAIL
from evalcore.families.registry import family
from evalcore.workspace.opened import Workspace

Filter = Literal[
    "all", "failing", "changed", "flaky", "unscored", "not_run", "people", "differ", "excluded"
]
FILTERS: Final[tuple[Filter, ...]] = (
    "all", "failing", "changed", "flaky", "unscored", "not_run", "people", "differ", "excluded",
)  # fmt: skip
OF_PEOPLE: Final[tuple[Filter, ...]] = ("people", "differ", "excluded")
EPSILON: Final = 1e-9

Places = tuple[int | None, int | None]


@dataclass(frozen=True)
class Focused:
    """Results of the column in focus for each case (arrays by the case's position).

    `change` is +1 better, -1 worse, 0 the same or not comparable; `failed` counts failed criteria;
    `opens` is the run to open, -1 if the case has none. `failed_elsewhere` flags cases that were
    not run in the column, but failed in the newest one that they were run in. `repeated` is the
    number of cases with several runs.
    """

    focus: int | None
    before: int | None
    masks: dict[Filter, Numbers]
    change: Numbers
    failed: Numbers
    has_run: Numbers
    opens: Numbers
    failed_elsewhere: Numbers
    repeated: int


@memoize_per_workspace
def focused(
    ws: Workspace,
    suite: str,
    focus: int | None,
    before: int | None,
    scores: Scores = "recorded",
) -> Focused:
    """Return the results of the column in focus for each case, by the chosen score source.

    Raises:
        UnknownName: the workspace has no such suite.
    """
    found = outcomes_by(ws, suite, scores)
    cells = _column(found, focus)
    at = cells.index.to_numpy(np.int64)
    change = _change(found, focus, before)
    failed = np.zeros(len(found.cases), np.int64)
    failed[at] = cells["failed"]
    has_run = np.zeros(len(found.cases), bool)
    has_run[at] = True
    masks = _masks(cells, change, has_run) | _of_people(ws, found, focus)
    masks["not_run"] = ~(has_run | found.cases["status"].isin(SET_ASIDE).to_numpy(bool))
    opens = _opens(found, cells)
    failed_there = found.runs.index.to_numpy()[found.runs["outcome"].to_numpy() == FAIL]
    elsewhere = masks["not_run"] & np.isin(opens, failed_there)
    repeated = int((cells["n"].to_numpy() > 1).sum())
    return Focused(focus, before, masks, change, failed, has_run, opens, elsewhere, repeated)


def focus_columns(found: Outcomes, version: str | None, configuration: str | None) -> Places:
    """Return the column in focus and the one it is compared with (positions); see `focus_of`."""
    return focus_of(found.columns, version, configuration)


def focus_of(columns: tuple[Column, ...], version: str | None, configuration: str | None) -> Places:
    """Return which of the columns is in focus and which one it is compared with (positions).

    The default is the newest version, and in it the tested configuration. It is compared with the
    previous version of the same configuration, else with the other side of its own version.
    """
    places = [
        place
        for place, column in enumerate(columns)
        if version in (None, column.version) and configuration in (None, column.configuration)
    ]
    if not places:
        return None, None
    # Runs whose version is not known stand last, but they are not the newest.
    named = [place for place in places if columns[place].version != UNASSIGNED] or places
    newest = columns[named[-1]].version
    same = [place for place in places if columns[place].version == newest]
    focus = _tested(columns, same)
    earlier, sides = earlier_of(columns, focus), baselines_of(columns, focus)
    return focus, earlier[-1] if earlier else sides[0] if sides else None


def _tested(columns: tuple[Column, ...], same: list[int]) -> int:
    """Return the side of a version that is tested: not a baseline, and one that others have too."""
    tested = [place for place in same if columns[place].configuration not in SECOND_SIDES] or same
    named = (p for side in FIRST_SIDES for p in tested if columns[p].configuration == side)
    known = [place for place in tested if earlier_of(columns, place)]
    return next(named, (known or tested)[-1])


def earlier_of(columns: tuple[Column, ...], focus: int) -> list[int]:
    """Return the earlier versions with the configuration (and prompt) of a column, oldest first."""
    version, configuration = columns[focus]
    return [
        place
        for place, column in enumerate(columns[:focus])
        if column.configuration == configuration
        and column.version != version
        and _prompt(column.version) == _prompt(version)
    ]


def baselines_of(columns: tuple[Column, ...], focus: int) -> list[int]:
    """Return the baseline sides of the version of a column."""
    return [
        place
        for place, column in enumerate(columns)
        if column.version == columns[focus].version
        and column.configuration in SECOND_SIDES
        and place != focus
    ]


def _prompt(version: str) -> str:
    """Return the prompt of `prompt@number`, as only versions of one prompt precede each other."""
    return version.rpartition("@")[0]


def _column(found: Outcomes, column: int | None) -> pd.DataFrame:
    """Return the cells of one column by case."""
    return found.cells.of(column)


def _masks(cells: pd.DataFrame, change: Numbers, has_run: Numbers) -> dict[Filter, Numbers]:
    at = cells.index.to_numpy(np.int64)

    def where(chosen: "pd.Series[bool]") -> Numbers:
        mask = np.zeros(len(has_run), bool)
        mask[at[chosen.to_numpy(bool)]] = True
        return mask

    decided = cells["passes"] + cells["fails"] + cells["scored"]
    return {
        "all": np.ones(len(has_run), bool),
        "failing": where(cells["fails"] > 0),
        "changed": change != 0,
        "flaky": where(cells["flaky"]),
        "unscored": where((cells["unscored"] > 0) | (decided + cells["hidden"] == 0)),
    }


def _of_people(ws: Workspace, found: Outcomes, focus: int | None) -> dict[Filter, Numbers]:
    runs = found.runs
    here = runs["column"].to_numpy() == (-1 if focus is None else focus)
    at, case = runs.index.to_numpy()[here], runs["case"].to_numpy()[here]
    of_runs = human_activity(ws)

    def where(chosen: Numbers) -> Numbers:
        mask = np.zeros(len(found.cases), bool)
        if chosen.any():
            mask[case[chosen[at]]] = True
        return mask

    return {
        "people": where(of_runs.people),
        "differ": where(of_runs.differ),
        "excluded": where(of_runs.excluded),
    }


def _change(found: Outcomes, focus: int | None, before: int | None) -> Numbers:
    """Return how each case changed.

    The share of passed runs is compared and, if runs have no verdict, also the mean score.
    """
    change = np.zeros(len(found.cases), np.int64)
    if focus is None or before is None:
        return change
    new, old = _column(found, focus), _column(found, before)
    both = new.index.intersection(old.index)
    now, then = new.loc[both], old.loc[both]
    share = _share(now) - _share(then)
    value = now["fraction"].to_numpy() - then["fraction"].to_numpy()
    if family(found.family).verdicts:
        value = np.where(np.isnan(share), value, 0.0)
    signed = np.where(np.abs(share) > EPSILON, share, np.where(np.abs(value) > EPSILON, value, 0.0))
    change[both.to_numpy(np.int64)] = np.sign(np.nan_to_num(signed)).astype(np.int64)
    return change


def _share(cells: pd.DataFrame) -> Numbers:
    decided = (cells["passes"] + cells["fails"]).to_numpy(float)
    passes = cells["passes"].to_numpy(float)
    share: Numbers = np.divide(passes, decided, out=np.full(len(cells), np.nan), where=decided > 0)
    return share


def _opens(found: Outcomes, cells: pd.DataFrame) -> Numbers:
    """Return the run that a click on a case opens: the one in focus, else the newest elsewhere."""
    opens = np.full(len(found.cases), -1, np.int64)
    cases, runs = found.cells.newest()
    opens[cases] = runs
    opens[cells.index.to_numpy(np.int64)] = cells["run"]
    return opens
