"""The criteria a judge scores on a run, with their scales, and the basis of the judgments."""

import re
from collections.abc import Iterable, Mapping
from functools import partial
from typing import Final

from evalcore.counting.cells import family_of, typed, where
from evalcore.counting.choices import versions_of
from evalcore.counting.digests import digest_now
from evalcore.counting.guides import anchors, instructions, name_and_meaning
from evalcore.counting.memo import memoize_per_workspace
from evalcore.counting.run_criteria import Key, run_row, run_sources
from evalcore.families.base import is_review
from evalcore.families.reviews.basis import (
    PROMPT,
    Prompt,
    View,
    criterion_sha256,
    criterion_wording,
    prompt_wording,
)
from evalcore.families.reviews.lookup import JUDGED_KINDS as KINDS
from evalcore.families.reviews.lookup import Run, criteria_to_judge
from evalcore.families.scoring import RUBRIC, Criteria, Criterion, Scoring
from evalcore.judging.model import Asked, Basis
from evalcore.tables.rows import CaseRow, CriterionRow, JudgmentRow, RunRow
from evalcore.workspace.opened import Workspace

MAX_CHOICES: Final = 11
QUARTERS: Final = (0.0, 0.25, 0.5, 0.75, 1.0)
FIVE: Final = (1.0, 5.0)
_EITHER_OR: Final = re.compile(
    r"\b(otherwise|else)[\s:,-]*(a |is |score )*[`'\"]?0(?!\.?\d)|\b0 or 1\b|\b1 or 0\b|\bbinary\b"
    r"|\bpass\s*(/|or)\s*fail\b|\byes\s*(/|or)\s*no\b",
    re.IGNORECASE,
)
_BETWEEN: Final = re.compile(r"(?<!\d)0?\.\d|\bhalf\b|\bpartial|\d\s*%", re.IGNORECASE)
"""Words of a guide that tell whether a scale from 0 to 1 allows values between its ends."""


def asked(ws: Workspace, run_id: str) -> tuple[Asked, ...]:
    """Return the criteria that a person scores on a run, as its case defines them, in their order.

    If the grading of the run words the criteria itself, its wording is used.

    Raises:
        UnknownName: there is no such run.
    """
    return _asked(ws, run_row(ws, run_id))


def basis(ws: Workspace, run_id: str) -> Basis:
    """Return the basis of judgments of a run: digests of its current output, prompt and criteria.

    Raises:
        UnknownName: there is no such run.
    """
    run = run_row(ws, run_id)
    case = case_row(ws, run)
    view = View(run.source, partial(_has_file, ws))
    said = Prompt() if case is None else Prompt(case.prompt, case.files, case.source)
    prompt, defined = prompt_wording(said, view), _defined(ws, run)
    criteria = {each.key: each.sha256 for each in _asked(ws, run)}
    wordings = {key: criterion_wording(defined[key], view) for key in criteria if key in defined}
    if prompt is not None:
        wordings[PROMPT] = prompt
    return Basis(digest_now(ws, run), prompt and prompt.sha256, criteria, wordings)


def case_row(ws: Workspace, run: RunRow) -> CaseRow | None:
    """Return the definition of a run's case, None if no document defines it."""
    found = where(ws, "cases", suite=run.suite, case_id=run.case_id)[:1]
    return next(iter(typed(ws, "cases", CaseRow, found)), None)


@memoize_per_workspace
def places(ws: Workspace) -> Mapping[str, int]:
    """Return the position of each file in the listing of the workspace."""
    return {path: at for at, path in enumerate(ws.opened.listing.paths)}


def _has_file(ws: Workspace, path: str) -> bool:
    return path in places(ws)


def _defined(ws: Workspace, run: RunRow) -> dict[str, Criterion]:
    """Return by key the criteria that are defined in a document other than a grading."""
    found = where(ws, "criteria", suite=run.suite, case_id=run.case_id)
    graded, first = run_sources(ws), dict[str, Criterion]()
    for rule in typed(ws, "criteria", CriterionRow, found):
        first.setdefault(":".join(_key(rule)), _criterion(rule))
    return {key: rule for key, rule in first.items() if rule.source not in graded}


def _criterion(rule: CriterionRow) -> Criterion:
    return Criterion(
        kind=rule.kind or "",
        name=rule.criterion or "",
        description=rule.description,
        required=rule.required,
        weight=rule.weight,
        low=rule.min_score,
        high=rule.max_score,
        pass_at=rule.pass_at,
        guide=rule.guide,
        source=rule.source,
    )


def _asked(ws: Workspace, run: RunRow) -> tuple[Asked, ...]:
    rows = typed(ws, "judgments", JudgmentRow, where(ws, "judgments", run_id=run.run_id))
    judged: dict[Key, JudgmentRow] = {}
    for row in rows:
        if row.kind in KINDS and not is_review(row.source):
            judged.setdefault((row.kind or "", row.criterion or ""), row)
    defined = where(ws, "criteria", suite=run.suite, case_id=run.case_id)
    rules: dict[Key, CriterionRow] = {}
    for rule in typed(ws, "criteria", CriterionRow, defined):
        rules.setdefault(_key(rule), rule)
    named = in_force(
        ws,
        (run.suite, run.version, run.origin, run.source),
        {key: rule.source for key, rule in rules.items()},
        {key: row.source for key, row in judged.items()},
    )
    scoring = family_of(ws, run.suite).scoring
    wanted = sorted((rule for key, rule in rules.items() if key in named), key=_position)
    found = [_of_rule(rule, judged.get(_key(rule)), scoring) for rule in wanted]
    return tuple(found + [_of_judgment(judged[key], scoring) for key in named if key not in rules])


def in_force(
    ws: Workspace,
    run: tuple[str | None, str | None, str | None, str | None],
    rules: Mapping[Key, str | None],
    judged: Mapping[Key, str | None],
) -> list[Key]:
    """Return the keys of the criteria to judge on a run: (suite, version, origin, source).

    `rules` are the criteria of its case and `judged` those of its judgments, with their sources.
    """
    suite, version, origin, source = run
    about = Run("", suite or "", None, version, origin, None, source, None)
    rules_of, own, others = _criteria(rules), _criteria(judged), _versions(ws, suite or "")
    sources = run_sources(ws)
    return list(criteria_to_judge(rules_of, own, about, sources, others - {version or ""}))


def _criteria(sources: Mapping[Key, str | None]) -> Criteria:
    nothing = (None,) * 7
    return {key: Criterion(*key, *nothing, source) for key, source in sources.items()}


@memoize_per_workspace
def _versions(ws: Workspace, suite: str) -> frozenset[str]:
    return frozenset(row.version for row in versions_of(ws, suite) if row.version)


def _key(rule: CriterionRow) -> Key:
    return rule.kind or "", rule.criterion or ""


def _position(rule: CriterionRow) -> tuple[int, int]:
    kind = KINDS.index(rule.kind) if rule.kind in KINDS else len(KINDS)
    return kind, rule.position if rule.position is not None else 1_000_000


def _of_rule(rule: CriterionRow, row: JudgmentRow | None, scoring: Scoring) -> Asked:
    given = rule.min_score, rule.max_score
    stated = (None, None) if row is None else (row.min_score, row.max_score)
    low, high = scale(rule.kind or "", scoring, (given, stated))
    guide = instructions(rule.guide)
    own = tuple((at, text) for at, text in anchors(rule.guide).items() if low <= at <= high)
    steps = own if own or rule.guide or (low, high) != FIVE else scoring.meanings
    either = _pass_fail(rule.kind or "", low, high, guide)
    choices, fine = _choices(low, high, either)
    kind, criterion = _key(rule)
    name, description = name_and_meaning(criterion, rule.description)
    mark = scoring.pass_mark(_criterion(rule)._replace(high=high))
    return Asked(
        key=f"{kind}:{criterion}",
        kind=kind,
        criterion=criterion,
        name=name,
        description=description,
        low=low,
        high=high,
        pass_fail=either,
        choices=choices,
        anchors=steps,
        guide=guide,
        weight=rule.weight,
        required=rule.required,
        sha256=criterion_sha256(kind, criterion, rule.description, *given, rule.guide),
        pass_at=high if mark is None else mark,
        fine=fine,
    )


def _of_judgment(row: JudgmentRow, scoring: Scoring) -> Asked:
    """Return a criterion that no document defines, by what a judgment says of it."""
    rule = CriterionRow(
        suite=None,
        case_id=None,
        kind=row.kind,
        criterion=row.criterion,
        description=None,
        min_score=row.min_score,
        max_score=row.max_score,
    )
    return _of_rule(rule, None, scoring)


def scale(
    kind: str, scoring: Scoring, given: Iterable[tuple[float | None, float | None]]
) -> tuple[float, float]:
    """Return the first valid scale, else the family's default for this kind."""
    for low, high in given:
        if low is not None and high is not None and low < high:
            return float(low), float(high)
    return FIVE if kind in scoring.five else (0.0, 1.0)


def _pass_fail(kind: str, low: float, high: float, guide: str | None) -> bool:
    """Return whether a scale has only its two ends."""
    if (low, high) != (0.0, 1.0):
        return False
    if kind != RUBRIC:
        return True
    text = guide or ""
    return _EITHER_OR.search(text) is not None and _BETWEEN.search(text) is None


def _choices(low: float, high: float, either: bool) -> tuple[tuple[float, ...] | None, bool]:
    """Return the scores offered as single keys, and whether numbers between them are valid too."""
    if either:
        return (low, high), False
    if (low, high) == (0.0, 1.0):
        return QUARTERS, True
    if low != int(low) or high != int(high) or high - low >= MAX_CHOICES:
        return None, True
    return tuple(map(float, range(int(low), int(high) + 1))), False
