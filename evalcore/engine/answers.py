"""What people decided of the criteria that a test run left open, from their records."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import PurePosixPath
from typing import Final, NamedTuple

import msgspec

from evalcore.counting.cells import typed, where
from evalcore.disk.values import time_text
from evalcore.families.base import is_review
from evalcore.families.graded import Graded, Verdict
from evalcore.families.reviews.review import ADJUDICATED, NO_REASON
from evalcore.numbers import median
from evalcore.shapes.judge import HUMAN
from evalcore.tables.rows import JudgmentRow
from evalcore.workspace.opened import Workspace

Key = tuple[str, str]
"""Kind and name of a criterion."""

_HALF: Final = 0.5


class Missing(NamedTuple):
    """Why a test run cannot be graded by people yet, as a sentence."""

    why: str


def graded_by_people(ws: Workspace, run_id: str, graded: Graded, judges: int) -> Graded | Missing:
    """Return the verdicts of rules with those of people where rules left a criterion open.

    Of several people the median counts, as in the score source `human`; an adjudication outranks
    them. It is the same whenever it is asked, as long as the records are.
    """
    known = _current(ws, run_id)
    open_ = [(each.kind, each.name) for each in graded.judged if each.passed is None]
    found: dict[Key, Verdict] = {}
    for key in open_:
        verdict = _verdict(key, known.get(key, ()), judges)
        if isinstance(verdict, Missing):
            return verdict
        found[key] = verdict
    used = [row for key in open_ for row in known[key]]
    names = list(dict.fromkeys(row.judge or "" for row in used))
    if len(open_) < len(graded.judged):
        names.append(graded.judge)
    at = max(filter(None, (row.judged_at for row in used)), default=None)
    return msgspec.structs.replace(
        graded,
        judge=", ".join(names),
        judge_type=HUMAN,
        judged_at=graded.judged_at if at is None else time_text(at),
        judged=tuple(found.get((each.kind, each.name), each) for each in graded.judged),
    )


def _current(ws: Workspace, run_id: str) -> Mapping[Key, Sequence[JudgmentRow]]:
    """Return people's current scores of each criterion of a run, by judge; or its adjudication."""
    rows = typed(ws, "judgments", JudgmentRow, where(ws, "judgments", run_id=run_id))
    found: dict[Key, list[JudgmentRow]] = defaultdict(list)
    for row in rows:
        counts = row.status == "scored" and row.score is not None and is_review(row.source)
        if row.judge_type == HUMAN and counts:
            found[row.kind or "", row.criterion or ""].append(row)
    return {key: _decisive(rows) for key, rows in found.items()}


def _decisive(rows: list[JudgmentRow]) -> list[JudgmentRow]:
    settled = [row for row in rows if row.judge == ADJUDICATED]
    return settled or sorted(rows, key=lambda row: row.judge or "")


def _verdict(key: Key, rows: Sequence[JudgmentRow], judges: int) -> Verdict | Missing:
    kind, name = key
    settled = any(row.judge == ADJUDICATED for row in rows)
    people = {row.judge for row in rows}
    if not settled and len(people) < judges:
        wanted = "judge has" if judges == 1 else "judges have"
        return Missing(f"{len(people)} of {judges} {wanted} scored {name!r}.")
    passes = median(float(row.passed) for row in rows if row.passed is not None)
    if passes == _HALF:
        return Missing(f"The judges are evenly divided on {name!r}; a further one decides.")
    score = median(row.score for row in rows if row.score is not None) or 0.0
    low, high = rows[0].min_score or 0.0, rows[0].max_score
    share = (score - low) / (high - low) if high is not None and high > low else 0.0
    # A dimension of a rubric neither passes nor fails; what is written of it is its score.
    passed = share >= _HALF if passes is None else passes > _HALF
    return Verdict(
        kind,
        name,
        passed,
        share,
        _rationale(rows),
        score=score,
        confidence=median(row.confidence for row in rows if row.confidence is not None),
        judgment_ids=tuple(PurePosixPath(row.source or "").stem for row in rows),
    )


def _rationale(rows: Sequence[JudgmentRow]) -> str:
    """Return what people wrote; of several, each with its name."""
    said = [(row.judge or "", (row.rationale or "").strip() or NO_REASON) for row in rows]
    if len(said) == 1:
        return said[0][1]
    return "\n\n".join(f"{judge}: {text}" for judge, text in said)
