"""The judged criteria of one run, each with its score, reasons and quotes."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final, Literal

from evalcore.counting.guides import anchors, instructions
from evalcore.counting.run_criteria import Key
from evalcore.families.base import is_review
from evalcore.families.reviews.review import PERSON
from evalcore.problems import Problem
from evalcore.tables.rows import CriterionRow, JudgmentRow, RunRow
from evalcore.views.run.quotes import Found
from evalcore.views.words.wording import known, number
from evalcore.workspace.hidden import STATUS as HIDDEN

Mark = Literal["fail", "unscored", "scored", "pass"]

ORDER: Final[dict[Mark, int]] = {"fail": 0, "unscored": 1, "scored": 2, "pass": 3}
SIGNS: Final[dict[Mark, str]] = {"fail": "✗", "unscored": "·", "scored": "–", "pass": "✓"}
SET_APART: Final = ("structural", "convention")

_NO_JUDGMENT: Final = {
    "gate_failed": "the structural gate failed, so it was not judged",
    "not_run": "the case was not run",
    "pending": "the run has no grading that can be read",
    HIDDEN: "it is hidden until you have judged",
    "cancelled": "the run was cancelled",
    "interrupted": "the run was interrupted",
    "timeout": "the run ran out of time",
    "refused": "the model refused",
    "length_cut": "the run was cut off at a limit",
    "error": "the run ended in an error",
    "rate_limited": "the run was stopped by a rate limit",
    "budget_stopped": "the run was stopped by its budget",
}
_OF_JUDGMENT: Final = (
    "score", "min_score", "max_score", "fraction", "rationale", "evidence", "judge", "judge_type",
    "judged_at", "confidence", "confidence_level", "status", "seen", "source", "pointer",
)  # fmt: skip
_OF_RULE: Final = ("description", "pass_at", "weight", "required", "critical", "position")
"""The fields of an item that are those of the judgment and of the criterion's definition."""


@dataclass(frozen=True, slots=True)
class Item:
    """One criterion of one run as one judge scored it; None was not given.

    `anchor` is the guide's text for this score, `guide` the judge's instructions. `reason` says why
    there is no score. `also` holds other judges' scores of the criterion.
    """

    kind: str
    criterion: str
    mark: Mark
    description: str | None = None
    reason: str | None = None
    score: float | None = None
    min_score: float | None = None
    max_score: float | None = None
    fraction: float | None = None
    pass_at: float | None = None
    anchor: str | None = None
    guide: str | None = None
    weight: float | None = None
    required: bool | None = None
    critical: bool | None = None
    position: int | None = None
    rationale: str | None = None
    evidence: str | None = None
    judge: str | None = None
    judge_type: str | None = None
    judged_at: datetime | None = None
    confidence: float | None = None
    confidence_level: str | None = None
    status: str | None = None
    seen: str | None = None
    quotes: tuple[Found, ...] = ()
    source: str | None = None
    pointer: str | None = None
    defined_in: str | None = None
    defined_at: str | None = None
    also: tuple["Item", ...] = ()

    @property
    def sign(self) -> str:
        """The mark as a character, distinguishable without colour."""
        return SIGNS[self.mark]

    @property
    def name(self) -> str:
        """The display name of the criterion: its description, or its label without one."""
        return self.description or self.criterion


def judged_items(
    run: RunRow,
    judgments: Sequence[JudgmentRow],
    criteria: Mapping[Key, CriterionRow],
    problems: Iterable[Problem],
) -> list[Item]:
    """Return every criterion of a run: failing first, then unscored, then the others as defined.

    Defined criteria without a judgment are included as unscored, with the reason, unless the
    grading has as many reworded criteria, as gradings of an older definition do.
    """
    faults = {fault.pointer: fault.message for fault in problems if fault.severity != "info"}
    found: dict[Key, list[Item]] = {}
    for judgment in judgments:
        key = (judgment.kind or "", judgment.criterion or "")
        found.setdefault(key, []).append(_item(judgment, criteria.get(key), faults))
    items = [_grouped(group, run, criteria.get(key)) for key, group in found.items()]
    unjudged = [row for key, row in criteria.items() if key not in found]
    missed = []
    for rule in unjudged:
        own = sum(item.kind == rule.kind and item.defined_in == item.source for item in items)
        like = sum(row.kind == rule.kind for row in unjudged)
        reworded = rule.kind in ("expectation", "assertion") and own >= like
        if not reworded:
            missed.append(_unjudged(rule, run))
    return sorted([*items, *missed], key=_rank)


def by_mark(items: Iterable[Item]) -> list[Item]:
    """Return criteria by their mark: failing first, then unscored, scored and passed."""
    return sorted(items, key=lambda item: ORDER[item.mark])


def anchor(guide: str | None, score: float | None) -> str | None:
    """Return a guide's text for a score: its own anchor, or the nearest ones on both sides."""
    if not known(score):
        return None
    known_ones = anchors(guide).items()
    exact = next((text for at, text in known_ones if at == score), None)
    if exact is not None:
        return exact
    below = [entry for entry in known_ones if entry[0] < score][-1:]
    above = [entry for entry in known_ones if entry[0] > score][:1]
    near = [f"{number(at)}: {text}" for at, text in (*below, *above)]
    if not near:
        return None
    if below and above:
        return f"between {near[0]} and {near[1]}"
    return f"{'above' if below else 'below'} {near[0]}"


def _item(row: JudgmentRow, rule: CriterionRow | None, faults: Mapping[str, str]) -> Item:
    mark: Mark = "unscored"
    if row.status != "unscored" and row.passed is not None:
        mark = "pass" if row.passed else "fail"
    elif row.status != "unscored" and row.score is not None:
        mark = "scored"
    reason = None
    if mark == "unscored":  # a fault at its place, or in it, says why
        at = row.pointer or ""
        near = (why for place, why in faults.items() if f"{place}/".startswith(f"{at}/"))
        said = next(near, None) if at else None
        reason = said if said is not None else "the grading gives no score that could be read"
    item = Item(
        kind=row.kind or "",
        criterion=row.criterion or "",
        mark=mark,
        reason=reason,
        **{name: getattr(row, name) for name in _OF_JUDGMENT},
    )
    return _with_rule(item, rule) if rule else item


def _with_rule(item: Item, rule: CriterionRow) -> Item:
    first = item.min_score if item.min_score is not None else rule.min_score
    last = item.max_score if item.max_score is not None else rule.max_score
    return replace(
        item,
        min_score=first,
        max_score=last,
        anchor=anchor(rule.guide, item.score),
        guide=instructions(rule.guide),
        defined_in=rule.source,
        defined_at=rule.pointer,
        **{name: getattr(rule, name) for name in _OF_RULE},
    )


def _grouped(group: Sequence[Item], run: RunRow, rule: CriterionRow | None) -> Item:
    """Return the recorded judge's item with all others attached.

    No record beside the grading takes the recorded judge's place, even if that is empty.
    """

    def is_recorded(item: Item) -> bool:
        human = item.judge_type == "human" and run.judge_type != "human"
        other = run.judge is not None and item.judge not in (None, run.judge)
        return not (item.status == "superseded" or human or other or is_review(item.source))

    order = sorted(group, key=is_recorded, reverse=True)
    if not is_review(order[0].source):
        return replace(order[0], also=tuple(order[1:]))
    if rule is not None:
        return replace(_unjudged(rule, run), also=tuple(order))
    first = order[0]
    machine = any(item.judge_type != PERSON for item in order)
    reason = "it has no recorded score" if machine else "only people have judged it"
    return Item(first.kind, first.criterion, "unscored", reason=reason, also=tuple(order))


def _unjudged(rule: CriterionRow, run: RunRow) -> Item:
    reason = _NO_JUDGMENT.get(run.status or "", "the grading has no judgment of it")
    item = Item(rule.kind or "", rule.criterion or "", "unscored", reason=reason)
    return _with_rule(item, rule)


def _rank(item: Item) -> tuple[bool, int, bool, float, float]:
    """Return the sort key of an item: failing first, required before others, superseded last."""
    weighty = bool(item.required or item.critical)
    worst = item.fraction if item.fraction is not None and item.mark in ("fail", "scored") else 0.0
    position = item.position if item.position is not None else 1_000_000
    return item.status == "superseded", ORDER[item.mark], not weighty, worst, position
