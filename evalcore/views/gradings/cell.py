"""A cell of the grid: the outcome of the runs of one case in one column."""

from functools import lru_cache
from typing import Final, Literal, NamedTuple

from evalcore.counting.outcomes import Outcomes
from evalcore.counting.people import Scores
from evalcore.counting.tally import Tally
from evalcore.families.registry import family
from evalcore.views.run.human_activity import HumanActivity
from evalcore.views.words import wording
from evalcore.views.words.marks import MARK_WORDS
from evalcore.views.words.score_source import unscored_words
from evalcore.workspace.hidden import STATUS as HIDDEN

Mark = Literal["pass", "fail", "flaky", "unscored", "scored", "none", "outside"]
MOST_RUNS: Final = 6
"""How many runs of a cell are drawn and named one by one."""


class Cell(NamedTuple):
    """One case in one column: a sign, a number and a word; `people` flags human judgments.

    `runs` are the marks of its runs, if it has several.
    """

    mark: Mark
    text: str
    word: str
    change: Literal["better", "worse"] | None = None
    people: bool = False
    runs: tuple[str, ...] = ()


def cell_of(
    found: Outcomes,
    cell: Tally | None,
    runs: tuple[str, ...],
    change: int,
    looks: HumanActivity,
    scores: Scores,
) -> Cell:
    """Describe one case in one column; `runs` are the marks of its runs."""
    if cell is None:
        return Cell("none", "·", "no run")
    mark = _mark(cell)
    turn: Literal["better", "worse"] | None = None
    if change:
        turn = "better" if change > 0 else "worse"
    word = unscored_words(scores) if scores == "human" and mark == "unscored" else _word(cell, mark)
    if 1 < len(runs) <= MOST_RUNS and len(set(runs)) > 1:
        word += f" ({', '.join(MARK_WORDS[one] for one in runs)})"
    if mark != "outside" and cell.hidden:
        word += f"; {wording.count(cell.hidden, 'run')} {wording.HIDDEN}"
    several = runs if len(runs) > 1 else ()
    text = _number(found, cell)
    return Cell(mark, text, f"{word}{looks.words}", turn, looks.judged > 0, several)


def _mark(cell: Tally) -> Mark:
    if cell.flaky:
        return "flaky"
    if cell.fails:
        return "fail"
    if cell.passes:
        return "pass"
    if cell.scored:
        return "scored"
    return "outside" if cell.outside == cell.n else "unscored"


def _word(cell: Tally, mark: Mark) -> str:
    if mark == "flaky":
        return f"flaky: passed{_in_runs(cell.passes, cell)}"
    if mark == "fail":
        return f"failed{': gate' if cell.gate_failed else ''}{_in_runs(cell.fails, cell)}"
    if mark == "pass":
        partly = ", partly not scored" if cell.unscored else ""
        return f"passed{_in_runs(cell.passes, cell)}{partly}"
    if mark == "outside" and cell.hidden:
        return wording.HIDDEN
    return MARK_WORDS[mark]


def _in_runs(n: int, cell: Tally) -> str:
    """Return in how many of the runs that are shown, if there are several."""
    shown = cell.n - cell.hidden
    if shown < 2:
        return ""
    return f" in {shown} runs" if n == shown else f" in {n} of {shown} runs"


def _number(found: Outcomes, cell: Tally) -> str:
    """Return the number in a cell: the mean score of a shared scale, else the share of checks."""
    if not wording.known(cell.fraction):
        return HIDDEN if cell.hidden == cell.n else "·"
    return _percent(cell.fraction) if found.scale is None else _written(cell.score)


_written = lru_cache(maxsize=1024)(wording.number)
_percent = lru_cache(maxsize=1024)(wording.percent)


def unit(found: Outcomes) -> str:
    """Return what the number of every cell of a suite is."""
    if found.scale is not None:
        return f"mean score of {wording.number(found.scale)}"
    return "mean share of the score" if family(found.family).scaled else "checks passed"
