"""The grid of cases and versions: what each cell says, which cases a filter keeps, one page at a time."""

import math
from dataclasses import dataclass
from typing import Final, Literal

import numpy as np
import orjson
import pandas as pd

from evalcore.views import wording
from evalcore.views.outcomes import (
    FIRST_SIDES,
    SECOND_SIDES,
    Column,
    Outcomes,
    judged_run,
    outcomes,
)
from evalcore.views.search import cases_with_text
from evalcore.workspace.opened import Workspace

Filter = Literal["all", "failing", "changed", "flaky", "unscored"]
FILTERS: Final[tuple[Filter, ...]] = ("all", "failing", "changed", "flaky", "unscored")
Mark = Literal["pass", "fail", "flaky", "unscored", "scored", "none", "outside"]
PAGE: Final = 50
WHY: Final = 200
SHOWN_COLUMNS: Final = 12
SHORT_ID: Final = 4
EPSILON: Final = 1e-9
UNASSIGNED: Final = "unassigned"
VERDICTS: Final = ("improve", "records")
"""Families whose runs have a verdict of their own; there a score that moves within it is no change."""


@dataclass(frozen=True)
class Ask:
    """What the reader wants to see of a suite's grid."""

    suite: str
    version: str | None = None
    configuration: str | None = None
    filter: Filter = "all"
    criterion: str | None = None
    judge: str | None = None
    tag: str | None = None
    text: str = ""
    page: int = 1


@dataclass(frozen=True)
class Cell:
    """One case in one column."""

    mark: Mark
    text: str
    word: str
    run_id: str | None
    change: Literal["better", "worse"] | None = None


@dataclass(frozen=True)
class Row:
    """One case: its name, why it fails in the column in focus, and its cells."""

    case_id: str
    name: str
    why: str
    rationale: str
    more: int
    cells: tuple[Cell, ...]
    run_id: str | None


@dataclass(frozen=True)
class Grid:
    """One page of the grid; `cases` (positions) and `order` (the run to open) go over every case that is kept."""

    columns: tuple[Column, ...]
    focus: Column | None
    before: Column | None
    rows: tuple[Row, ...]
    counts: dict[Filter, int]
    total: int
    kept: int
    page: int
    pages: int
    cases: tuple[int, ...]
    order: tuple[str | None, ...]
    hidden_columns: int
    scale: str


def grid(ws: Workspace, ask: Ask) -> Grid:
    """Return one page of the grid of a suite under the given filters."""
    found = outcomes(ws, ask.suite)
    focus, before = focus_columns(found, ask.version, ask.configuration)
    masks = _masks(found, focus, before)
    kept = masks[ask.filter] & _narrowed(ws, found, ask, focus)
    cases = np.flatnonzero(kept)
    cases = (
        _worst_first(found, cases, focus)
        if ask.filter != "all"
        else _run_first(found, cases, focus)
    )
    pages = max(1, math.ceil(len(cases) / PAGE))
    page = min(max(ask.page, 1), pages)
    shown = _shown_columns(found, ask, focus)
    here = cases[(page - 1) * PAGE : page * PAGE]
    return Grid(
        tuple(found.columns[place] for place in shown),
        None if focus is None else found.columns[focus],
        None if before is None else found.columns[before],
        _rows(ws, found, here, shown, focus, before),
        {name: int(mask.sum()) for name, mask in masks.items()},
        len(found.cases), len(cases), page, pages,
        tuple(cases.tolist()), _order(ws, found, cases, focus),
        len(found.columns) - len(shown),
        _scale(found),
    )  # fmt: skip


def focus_columns(
    found: Outcomes, version: str | None, configuration: str | None
) -> tuple[int | None, int | None]:
    """Return the column in focus and the one it is held against (positions); see `focus_of`."""
    return focus_of(found.columns, version, configuration)


def focus_of(
    columns: tuple[Column, ...], version: str | None, configuration: str | None
) -> tuple[int | None, int | None]:
    """Return which of the columns is in focus and which one it is held against (positions).

    Without a choice the newest version counts, and in it the side under test; it is held against the version
    before with the same configuration, else against the other side of its own version.
    """
    places = [
        place for place, column in enumerate(columns)
        if version in (None, column.version) and configuration in (None, column.configuration)
    ]  # fmt: skip
    if not places:
        return None, None
    # Runs whose version is not known stand last, but they are not the newest.
    named = [place for place in places if columns[place].version != UNASSIGNED] or places
    newest = columns[named[-1]].version
    same = [place for place in places if columns[place].version == newest]
    focus = next(
        (p for side in FIRST_SIDES for p in same if columns[p].configuration == side), same[-1]
    )
    chosen = columns[focus]
    earlier = [
        place for place, column in enumerate(columns)
        if column.configuration == chosen.configuration and place < focus and column.version != chosen.version
    ]  # fmt: skip
    sides = [
        place for place, column in enumerate(columns)
        if column.version == chosen.version and column.configuration in SECOND_SIDES and place != focus
    ]  # fmt: skip
    before = earlier[-1] if earlier else sides[0] if sides else None
    return focus, before


def _masks(found: Outcomes, focus: int | None, before: int | None) -> dict[Filter, "np.ndarray"]:
    total = len(found.cases)
    cells = _column(found, focus)
    has_run = np.zeros(total, bool)
    has_run[cells.index.to_numpy(np.int64)] = True

    def where(chosen: "pd.Series[bool]") -> "np.ndarray":
        mask = np.zeros(total, bool)
        mask[cells.index.to_numpy(np.int64)[chosen.to_numpy(bool)]] = True
        return mask

    open_ = (cells["unscored"] > 0) | (cells["passes"] + cells["fails"] + cells["scored"] == 0)
    return {
        "all": np.ones(total, bool),
        "failing": where(cells["fails"] > 0),
        "changed": _change(found, focus, before) != 0,
        "flaky": where(cells["flaky"]),
        "unscored": where(open_) | ~has_run,
    }


def _column(found: Outcomes, column: int | None) -> pd.DataFrame:
    """Return the cells of one column by case."""
    if column is None:
        return found.cells.iloc[:0].droplevel("column")
    return found.cells[found.cells.index.get_level_values("column") == column].droplevel("column")


def _change(found: Outcomes, focus: int | None, before: int | None) -> "np.ndarray":
    """Return +1 for a case that became better, -1 for worse, 0 for the same or not comparable.

    What counts is the share of its runs that passed; where runs have no verdict, also the mean score.
    """
    change = np.zeros(len(found.cases), np.int64)
    if focus is None or before is None:
        return change
    new, old = _column(found, focus), _column(found, before)
    both = new.index.intersection(old.index)
    now, then = new.loc[both], old.loc[both]
    share = _share(now) - _share(then)
    value = now["fraction"].to_numpy() - then["fraction"].to_numpy()
    if found.family in VERDICTS:
        value = np.where(np.isnan(share), value, 0.0)
    signed = np.where(np.abs(share) > EPSILON, share, np.where(np.abs(value) > EPSILON, value, 0.0))
    change[both.to_numpy(np.int64)] = np.sign(np.nan_to_num(signed)).astype(np.int64)
    return change


def _share(cells: pd.DataFrame) -> "np.ndarray":
    decided = (cells["passes"] + cells["fails"]).to_numpy(float)
    return np.divide(
        cells["passes"].to_numpy(float), decided, out=np.full(len(cells), np.nan), where=decided > 0
    )


def _narrowed(ws: Workspace, found: Outcomes, ask: Ask, focus: int | None) -> "np.ndarray":
    """Return which cases the criterion, judge, tag and text filters keep."""
    keep = np.ones(len(found.cases), bool)
    if ask.criterion is not None or ask.judge is not None:
        keep &= _by_judgment(ws, found, ask, focus)
    if ask.tag is not None:
        tags = found.cases["tags"].fillna("[]") if "tags" in found.cases else pd.Series(dtype="str")
        keep &= np.array([ask.tag in _list(text) for text in tags], bool)
    if ask.text.strip():
        keep &= np.isin(np.arange(len(keep)), cases_with_text(ws, found, ask.text.strip()))
    return keep


def _by_judgment(ws: Workspace, found: Outcomes, ask: Ask, focus: int | None) -> "np.ndarray":
    """Cases that fail the criterion (in the column in focus), or that the judge judged."""
    judgments, run = ws.tables.judgments, judged_run(ws)
    chosen = np.isin(run, found.runs.index.to_numpy())
    if ask.criterion is not None:
        failed = (~judgments["passed"].fillna(value=True)).to_numpy(bool)
        chosen &= (judgments["criterion"] == ask.criterion).to_numpy() & failed
    if ask.judge is not None:
        chosen &= (judgments["judge"] == ask.judge).to_numpy()
    runs = found.runs.loc[np.unique(run[chosen])]
    if ask.criterion is not None and focus is not None:
        runs = runs[runs["column"] == focus]
    keep = np.zeros(len(found.cases), bool)
    keep[runs["case"].to_numpy()] = True
    return keep


def _worst_first(found: Outcomes, cases: "np.ndarray", focus: int | None) -> "np.ndarray":
    failed = _column(found, focus)["failed"].reindex(cases).fillna(0).to_numpy()
    return cases[np.argsort(-failed, kind="stable")]


def _run_first(found: Outcomes, cases: "np.ndarray", focus: int | None) -> "np.ndarray":
    """Keep the order of definition, but let cases without a run in the column in focus come last."""
    missing = ~np.isin(cases, _column(found, focus).index.to_numpy())
    return cases[np.argsort(missing, kind="stable")]


def _shown_columns(found: Outcomes, ask: Ask, focus: int | None) -> list[int]:
    """Return the columns to draw: of the chosen configuration, the newest ones, the focus always."""
    places = [
        p for p, c in enumerate(found.columns) if ask.configuration in (None, c.configuration)
    ]
    if focus is not None and focus not in places[-SHOWN_COLUMNS:]:
        places = [p for p in places if p <= focus]
    return places[-SHOWN_COLUMNS:]


def _rows(
    ws: Workspace,
    found: Outcomes,
    cases: "np.ndarray",
    shown: list[int],
    focus: int | None,
    before: int | None,
) -> tuple[Row, ...]:
    change = _change(found, focus, before)
    why = _reasons(ws, found, cases, focus)
    ids = ws.tables.runs["run_id"]
    rows = []
    for case in cases.tolist():
        cells = tuple(
            _cell(found, case, place, ids, int(change[case]) if place == focus else 0)
            for place in shown
        )
        opened = _opens(found, case, focus)
        criterion, rationale, more = why.get(case, ("", "", 0))
        about = found.cases.iloc[case]
        rows.append(Row(
            str(about["case_id"]), case_name(about), criterion, rationale, more, cells,
            None if opened is None else str(ids.iloc[opened]),
        ))  # fmt: skip
    return tuple(rows)


def case_name(about: "pd.Series[str]") -> str:
    """Return what a person tells a case by: its name, else an id in words, else the beginning of its prompt."""
    case_id, prompt = str(about["case_id"]), about.get("prompt")
    if isinstance(about.get("name"), str) and about["name"].strip():
        return _line(about["name"], 120)
    if case_id.isdigit() and isinstance(prompt, str) and prompt.strip():
        return _line(prompt, 90)
    return case_id


def _cell(found: Outcomes, case: int, column: int, ids: "pd.Series[str]", change: int) -> Cell:
    cell = found.cell(case, column)
    if cell is None:
        return Cell("none", "·", "no run", None)
    mark = _mark(cell)
    return Cell(mark, _number(found, cell), _word(cell, mark), str(ids.iloc[int(cell["run"])]),
                "better" if change > 0 else "worse" if change < 0 else None)  # fmt: skip


def _mark(cell: "pd.Series[float]") -> Mark:
    if cell["flaky"]:
        return "flaky"
    if cell["fails"]:
        return "fail"
    if cell["passes"]:
        return "unscored" if cell["unscored"] and not cell["passes"] else "pass"
    if cell["scored"]:
        return "scored"
    return "outside" if cell["outside"] == cell["n"] else "unscored"


def _word(cell: "pd.Series[float]", mark: Mark) -> str:
    n, passes = int(cell["n"]), int(cell["passes"])
    runs = "" if n == 1 else f" in {passes} of {n} runs"
    if mark == "flaky":
        return (
            f"flaky: passed{runs}" if 0 < passes < n else f"flaky: {n} runs disagree on a criterion"
        )
    if mark == "fail":
        return f"failed{': gate' if cell['gate_failed'] else ''}{'' if n == 1 else f' in {n} runs'}"
    words = {"pass": f"passed{'' if n == 1 else f' in {n} runs'}", "scored": "scored", "outside": "not in the rates",
             "unscored": "not scored", "none": "no run"}  # fmt: skip
    return words[mark]


def _number(found: Outcomes, cell: "pd.Series[float]") -> str:
    """Return the number in a cell: a mean score, or how many of the checks passed."""
    if math.isnan(cell["fraction"]):
        return "·"
    if found.scale is not None:
        return wording.number(cell["score"])
    if cell["n"] == 1 and cell["score"] == cell["score"] and cell["max_score"] == cell["max_score"]:  # noqa: PLR0124
        return f"{wording.number(cell['score'])}/{wording.number(cell['max_score'])}"
    return wording.percent(cell["fraction"])


def _scale(found: Outcomes) -> str:
    if found.scale is not None:
        return f"mean score of {wording.number(found.scale)}"
    return "checks passed"


def _opens(found: Outcomes, case: int, focus: int | None) -> int | None:
    """Return the run a click on a case opens: a failing one in focus, else any, else the newest elsewhere."""
    runs = found.runs[found.runs["case"] == case]
    if runs.empty:
        return None
    here = runs[runs["column"] == focus] if focus is not None else runs
    pool = here if len(here) else runs[runs["column"] == runs["column"].max()]
    worst = pool.sort_values(["outcome", "failed"], ascending=[True, False], kind="stable")
    decided = worst[worst["outcome"] >= 0]
    return int((decided if len(decided) else worst).index[0])


def _order(
    ws: Workspace, found: Outcomes, cases: "np.ndarray", focus: int | None
) -> tuple[str | None, ...]:
    ids = ws.tables.runs["run_id"]
    runs = found.runs
    rank = runs.assign(
        away=(runs["column"] != focus) if focus is not None else False,
        open=runs["outcome"] < 0,
        late=-runs["column"],
        most=-runs["failed"],
    ).sort_values(["case", "away", "late", "open", "outcome", "most"], kind="stable")
    first = rank.reset_index(names="run").drop_duplicates("case").set_index("case")["run"]
    places = first.reindex(cases)
    return tuple(None if place != place else str(ids.iloc[int(place)]) for place in places)  # noqa: PLR0124


def _reasons(
    ws: Workspace, found: Outcomes, cases: "np.ndarray", focus: int | None
) -> dict[int, tuple[str, str, int]]:
    """Return, for each failing case, the first failed criterion, its reason, and how many more failed."""
    opened = {
        case: place for case in cases.tolist() if (place := _opens(found, case, focus)) is not None
    }
    by_run = {place: case for case, place in opened.items()}
    run = judged_run(ws)
    rows = np.flatnonzero(np.isin(run, np.fromiter(by_run, np.int64, len(by_run))))
    judged = ws.tables.judgments.iloc[rows]
    failing = (~judged["passed"].fillna(value=True)).to_numpy(bool) & (
        judged["kind"] != "convention"
    ).to_numpy()
    rows = rows[failing]
    first = {int(run[row]): int(row) for row in rows[::-1]}
    counts = dict(zip(*np.unique(run[rows], return_counts=True), strict=True))
    texts = ws.tables.text("judgments", first.values())
    reasons = {}
    for place, row in first.items():
        said = _first(texts.at[row, "rationale"], texts.at[row, "evidence"])
        column = int(found.runs.at[place, "column"])
        where = "" if column == focus else f"in {found.columns[column].key}: "
        reasons[by_run[place]] = (
            where + _label(ws, found.suite, row),
            _line(said, WHY),
            int(counts[place]) - 1,
        )
    return reasons


def _label(ws: Workspace, suite: str, row: int) -> str:
    """Return a judgment's criterion; one that is only an id (`S7`) with what it stands for."""
    name = str(ws.tables.judgments["criterion"].iloc[row])
    if len(name) > SHORT_ID:
        return name
    criteria = ws.tables.criteria
    same = criteria[(criteria["suite"] == suite) & (criteria["criterion"] == name)][
        "description"
    ].dropna()
    return f"{name} {_line(str(same.iloc[0]), 70)}" if len(same) else name


def _first(*texts: str | None) -> str:
    return next((text for text in texts if text), "")


def _line(text: str, limit: int) -> str:
    """Return the beginning of a text on one line."""
    line = " ".join(text[: 4 * limit].split())
    return line if len(line) <= limit else line[: limit - 1] + "…"


def _list(text: str) -> list[str]:
    value = orjson.loads(text) if isinstance(text, str) else []
    return value if isinstance(value, list) else []


def offers(
    ws: Workspace, suite: str, version: str | None, configuration: str | None
) -> dict[str, list[tuple[str, int]]]:
    """Return what the filters can be set to, each with how many cases it keeps: criteria (failing), judges, tags."""
    found = outcomes(ws, suite)
    focus, _ = focus_columns(found, version, configuration)
    judgments, run = ws.tables.judgments, judged_run(ws)
    here = found.runs[found.runs["column"] == focus] if focus is not None else found.runs.iloc[:0]
    rows = np.flatnonzero(np.isin(run, here.index.to_numpy()))
    part = judgments.iloc[rows]
    failing = ((~part["passed"].fillna(value=True)) & (part["kind"] != "convention")).to_numpy(bool)
    failed = pd.DataFrame({"criterion": part["criterion"].astype("str").to_numpy()[failing],
                           "case": found.runs["case"].reindex(run[rows[failing]]).to_numpy()})  # fmt: skip
    criteria = (
        failed.drop_duplicates()
        .groupby("criterion")
        .size()
        .sort_values(ascending=False, kind="stable")
    )
    judges = part["judge"].dropna().astype("str").value_counts()
    tags = pd.Series(
        [
            tag
            for text in found.cases.get("tags", pd.Series(dtype="str")).dropna()
            for tag in _list(text)
        ]
    )
    return {
        "criterion": [(str(name), int(n)) for name, n in criteria.items()],
        "judge": [(str(name), int(n)) for name, n in judges.items()],
        "tag": [(str(name), int(n)) for name, n in tags.value_counts().items()],
    }
