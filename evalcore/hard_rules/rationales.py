"""Every score says why it was given: in its rationale, or in the evidence it names."""

from collections.abc import Iterator
from typing import Any, Final

import numpy as np
import pyarrow.compute as pc

from evalcore.counting.coded import Numbers, coded, values
from evalcore.counting.joined import judged_run
from evalcore.counting.memo import memoize_per_workspace
from evalcore.families.registry import family
from evalcore.hard_rules.model import Broken, Check, Found, Place
from evalcore.problems import Problem
from evalcore.tables.arrays import true_places
from evalcore.tables.cells import cells
from evalcore.tables.columns import picked
from evalcore.workspace.opened import Workspace

CODE: Final = "no-rationale"
_SEEN: Final = r"[^\s\p{Z}]"


def _find(ws: Workspace, suite: str) -> Found:
    """Count the scores of a suite with and without a reason."""
    run = judged_run(ws)
    mine = np.append(coded(ws, "runs", "suite").among({suite}), False)[run]
    scored, silent = _marks(ws)
    return Found(
        "rationales",
        kept=int((mine & scored & ~silent).sum()),
        broken=np.flatnonzero(mine & silent),
    )


@memoize_per_workspace
def _marks(ws: Workspace) -> tuple[Numbers, Numbers]:
    """Return which current judgments have a score, and which lack the reason for theirs.

    Without one, stores and review records count no score: reading them has said so. Elsewhere a
    rule or a measurement may score without words; it follows from what it looks at.
    """
    status = coded(ws, "judgments", "status")
    scored = ~np.isnan(values(ws, "judgments", "score")) | (values(ws, "judgments", "passed") >= 0)
    scored &= ~status.among({"superseded"})
    silent = np.ones(len(scored), bool)
    for name in ("rationale", "evidence"):
        texts: Any = ws.tables.columns["judgments"][name].strings
        silent[true_places(pc.match_substring_regex(texts, _SEEN))] = False
    refused = {path for path, code in cells(ws.tables, "problems", "path", "code") if code == CODE}
    lost = status.among({"unscored"}) & coded(ws, "judgments", "source").among(refused)
    judged = scored & ~coded(ws, "judgments", "judge_type").among({"heuristic"})
    return scored, (judged | lost) & silent


def _describe(ws: Workspace, rows: Numbers) -> Iterator[Broken]:
    table, runs = (ws.tables.columns[name] for name in ("judgments", "runs"))
    found = (picked(table[name], rows.tolist()) for name in ("criterion", "source", "pointer"))
    names = picked(runs["run_id"], judged_run(ws)[rows].tolist())
    for run, criterion, source, pointer in zip(names, *found, strict=True):
        yield Broken(
            "run",
            run,
            f"The score of {criterion[:120]!r} has neither a rationale nor evidence.",
            (Place("judgment", source or "", pointer or ""),),
        )


def _problems(ws: Workspace, suite: str, rows: Numbers) -> Iterator[Problem]:
    """Yield one note for the scores that count without a reason, where their form allows that."""
    left = rows[~coded(ws, "judgments", "status").among({"unscored"})[rows]]
    families = dict(cells(ws.tables, "suites", "suite", "family"))
    if family(families[suite]).bare_verdicts and not _find(ws, suite).kept:
        return
    for first in _describe(ws, left[:1]):
        scores = "1 score has" if len(left) == 1 else f"{len(left):,} scores have"
        yield Problem(
            *first.places[0][1:],
            "info",
            CODE,
            f"{scores} neither a rationale nor evidence (this is the first); they still count, "
            "as this format allows that.",
            "Have the judge give the reason for each score.",
            suite,
        )


CHECK: Final = Check("rationales", _find, _describe, _problems)
