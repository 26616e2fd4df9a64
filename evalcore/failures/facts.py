"""What is known of the failed runs of a suite, as arrays: what the rules decide by."""

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from evalcore.counting.coded import Numbers, coded, values
from evalcore.counting.joined import run_of
from evalcore.counting.people import Scores
from evalcore.counting.score_source import answers
from evalcore.failures.wording import (
    BROKEN_FORM,
    INVENTED,
    OF_FORM,
    REFUSAL,
    REFUSES,
    matches,
    speaking,
    speaks,
)
from evalcore.workspace.opened import Workspace

_SEEN: Final = r"[^\s\p{Z}]"
"""A text without such a character is blank."""
ENDED: Final = ("timeout", "refused", "length_cut", "gate_failed")


@dataclass(frozen=True, eq=False)
class Facts:
    """Some failed runs, and the criteria that failed in them.

    `runs` are positions. By run: `ended` has a mask for each status in `ENDED`, `judged` counts
    criteria with a result; `refuted` has a claim that is not true, `issue` a factual issue in the
    notes. By failed criterion: `of` is the place in
    `runs`, `row` the judgment, `criterion` its key, `structural`; `form` and `refusing` say that
    its wording is about form, or about refusing; `needed` that it is critical or required;
    `said` has for some patterns whether they are in the judge's words.
    """

    runs: Numbers
    ended: dict[str, Numbers]
    judged: Numbers
    refuted: Numbers
    issue: Numbers
    of: Numbers
    row: Numbers
    criterion: Numbers
    structural: Numbers
    form: Numbers
    refusing: Numbers
    needed: Numbers
    said: dict[str, Numbers]

    def any(self, marked: Numbers) -> Numbers:
        """Return which runs have a failed criterion that is marked."""
        return self.count(marked) > 0

    def count(self, marked: Numbers) -> Numbers:
        """Return how many of the failed criteria of each run are marked."""
        return np.bincount(self.of[marked], minlength=len(self.runs))


def facts(ws: Workspace, suite: str, runs: Numbers, case: Numbers, scores: Scores) -> Facts:
    """Return what is known of some runs (positions) of a suite; `case` are keys of their cases."""
    place = np.full(len(values(ws, "runs", "passed")), -1, np.int64)
    place[runs] = np.arange(len(runs))
    results = answers(ws, runs, scores)
    open_ = coded(ws, "judgments", "status").among({"unscored"})[results.row]
    known = (results.passed >= 0) & ~open_
    failed = known & (results.passed == 0)
    row, kind, criterion = (of[failed] for of in (results.row, results.kind, results.criterion))
    of = place[results.run[failed]]
    order = np.lexsort((row, of))
    row, kind, criterion, of = (each[order] for each in (row, kind, criterion, of))
    status = coded(ws, "runs", "status")
    words = _of_criteria(ws, suite)
    return Facts(
        runs=runs,
        ended={word: status.among({word})[runs] for word in ENDED},
        judged=np.bincount(place[results.run[known]], minlength=len(runs)),
        refuted=_among(ws, "claims", values(ws, "claims", "verified") == 0)[runs],
        issue=_among(ws, "notes", coded(ws, "notes", "kind").among({"factual_issue"}))[runs],
        of=of,
        row=row,
        criterion=criterion,
        structural=coded(ws, "judgments", "kind").among({"structural"})[row],
        form=words[0][criterion],
        refusing=words[1][criterion],
        needed=_needed(ws, suite, case[of], kind, criterion),
        said=speaking(reasons_of(ws, row), (REFUSAL, INVENTED, BROKEN_FORM)),
    )


def _among(ws: Workspace, table: str, chosen: Numbers) -> Numbers:
    """Return for each run whether it has a chosen row in a table."""
    run = run_of(ws, table)[chosen]
    found = np.zeros(len(values(ws, "runs", "passed")), bool)
    found[run[run >= 0]] = True
    return found


def _of_criteria(ws: Workspace, suite: str) -> tuple[Numbers, Numbers]:
    """Return for each key of a criterion whether its wording is about form, or about refusing."""
    names = coded(ws, "judgments", "criterion")
    found = []
    for pattern in (OF_FORM, REFUSES):
        mask = np.append(speaks(names.strings, pattern), False)
        table = ws.tables.criteria
        rows = np.flatnonzero(coded(ws, "criteria", "suite").among({suite}))
        described = pa.array(table["description"].array[rows], pa.large_string())
        told = rows[speaks(described, pattern)]
        mask[_keys_in(ws, "criterion", told)] = True
        mask[-1] = False
        found.append(mask)
    return found[0], found[1]


def _keys_in(ws: Workspace, column: str, rows: Numbers) -> Numbers:
    """Return the keys that rows of `criteria` have among the words of judgments."""
    own, judged = coded(ws, "criteria", column), coded(ws, "judgments", column)
    places = np.append(judged.places(own.words[:-1]), -1)
    keys: Numbers = places[own.codes[rows]]
    return np.where(keys < 0, judged.width - 1, keys)


def _needed(ws: Workspace, suite: str, case: Numbers, kind: Numbers, criterion: Numbers) -> Numbers:
    """Return which failed criteria are critical or required where they are defined."""
    marked = (values(ws, "criteria", "critical") == 1) | (values(ws, "criteria", "required") == 1)
    rows = np.flatnonzero(marked & coded(ws, "criteria", "suite").among({suite}))
    own, judged = coded(ws, "criteria", "case_id"), coded(ws, "runs", "case_id")
    cases = np.append(judged.places(own.words[:-1]), -1)[own.codes[rows]]
    kinds, names = (coded(ws, "judgments", each).width for each in ("kind", "criterion"))

    def joined(case: Numbers, kind: Numbers, criterion: Numbers) -> Numbers:
        keys: Numbers = (case.astype(np.int64) * kinds + kind) * names + criterion
        return keys

    wanted = joined(cases, _keys_in(ws, "kind", rows), _keys_in(ws, "criterion", rows))
    found: Numbers = np.isin(joined(case, kind, criterion), wanted[cases >= 0])
    return found


def reasons_of(ws: Workspace, rows: Numbers) -> Any:
    """Return the rationale of judgments, else their evidence."""
    texts = ws.tables.text_columns("judgments")
    said = _taken(texts["rationale"], rows)
    blank = ~matches(said, _SEEN)
    if not blank.any():
        return said
    shown = _taken(texts["evidence"], rows[blank])
    return pc.replace_with_mask(said, pa.array(blank), shown)


def _taken(texts: Any, rows: Numbers) -> Any:
    return texts.take(pa.array(rows, pa.int64())).combine_chunks()
