"""What graders suggest about the evaluation itself: the list, and the one that is open."""

from typing import Any, Final

import msgspec

from evalcore.checks.step_words import step_rule
from evalcore.counting.cells import where
from evalcore.counting.memo import memoize_per_workspace
from evalcore.ids import within
from evalcore.judging.limits import LIMITS
from evalcore.judging.storing.names import person
from evalcore.rubrics.cells import Criterion
from evalcore.rubrics.suggestions import (
    Suggestion,
    names_criterion,
    open_suggestions,
    run_ids,
    suggestions,
)
from evalcore.views.blocks.base import Block, link
from evalcore.views.blocks.page import Cell, Chip, Heading, Links, Row, Say, Table, heads
from evalcore.views.blocks.paging import page_of, page_with
from evalcore.views.rubric.state import RubricView
from evalcore.views.rubric.words import named, pagers
from evalcore.views.run.remarks import FEEDBACK_WORDS
from evalcore.views.verdict.limits import capital
from evalcore.views.words import wording
from evalcore.workspace.opened import Workspace

PAGE: Final = 10
MAX_TEXT: Final = 300
MAX_WHOLE: Final = 6_000
RUNS: Final = 12
WORDINGS: Final = 8
ADD: Final = (
    "A guess from the words. It decides by the transcript once it stands in "
    "structural_expectations of a case in evals.json; a run without a transcript is not run."
)
GONE: Final = "The suggestion in this link is no longer in the folder."
STATES: Final = {"open": "", "accepted": "pass", "rejected": "fail", "answered": "pass"}


def suggestion_blocks(ws: Workspace, suite: str, view: RubricView) -> list[Block]:
    """Describe what graders suggest about a suite; empty where they suggest nothing."""
    found = suggestions(ws, suite)
    if not found:
        return [Say(GONE)] if view.suggestion is not None else []
    hint = f"{open_suggestions(ws, suite):,} of {wording.count(len(found), 'suggestion')} open"
    wanted = view.suggested
    if wanted == 1 and view.suggestion is not None:  # the page with the open one
        keys = [one.key for one in found]
        wanted = page_with(keys.index(view.suggestion) if view.suggestion in keys else 0, PAGE)
    page, about = page_of(wanted, len(found), PAGE), meant(ws, suite)
    rows = [_row(ws, suite, one, about.get(one.key), view) for one in found[page.rows]]
    head = heads("Suggestion", "Criterion", "#How often", "State")
    title = "Grader suggestions"
    blocks: list[Block] = [Heading(title, hint), Table(title, head, rows)]
    blocks += pagers(view, "suggested", page, suggestion=None)
    if view.suggestion is None:
        return blocks
    one = opened(ws, suite, view)
    if one is None:
        return [*blocks, Say(GONE)]
    text = one.text[:MAX_WHOLE]
    blocks += [Heading("The suggestion", _state(one)), Say(text)]
    if len(text) < len(one.text):
        blocks.append(Say(f"The first {MAX_WHOLE:,} of {len(one.text):,} characters.", quiet=True))
    blocks += [
        Say(f"Also: {wording.line(other, MAX_TEXT)}", quiet=True) for other in one.texts[1:WORDINGS]
    ]
    if len(one.texts) > WORDINGS:
        blocks.append(Say(f"and {len(one.texts) - WORDINGS:,} more wordings.", quiet=True))
    if (rule := _rule(one)) is not None:
        text = msgspec.json.encode(rule).decode()
        blocks += [Heading("As a rule about steps", "decided without a model"), Say(text), Say(ADD)]
    if one.action:
        blocks.append(Say(f"Recorded as done: {wording.line(one.action, LIMITS.reason)}"))
    for decision in one.decisions:
        why = f": {wording.line(decision.reason, LIMITS.reason)}" if decision.reason else ""
        when = wording.moment(decision.at)
        by = person(decision.author) if decision.author else "unknown"
        blocks.append(Say(f"{capital(decision.decision)} by {by}, {when}{why}"))
    if len(one.runs):
        runs = [
            Chip(text=wording.line(within(run), 60), link=link("gradings", run=run))
            for run in run_ids(ws, one.runs[:RUNS])
        ]
        more = f" (the first {RUNS} of {len(one.runs):,})" if len(one.runs) > RUNS else ""
        blocks.append(Links(f"Its runs{more}", runs))
    return blocks


def opened(ws: Workspace, suite: str, view: RubricView) -> Suggestion | None:
    """Return the open suggestion; None if none is open or it is gone."""
    return next((one for one in suggestions(ws, suite) if one.key == view.suggestion), None)


@memoize_per_workspace
def meant(ws: Workspace, suite: str) -> dict[str, Criterion]:
    """Return the criterion that each suggestion (its key) names, where one is defined."""
    defined = ws.tables.criteria.iloc[where(ws, "criteria", suite=suite)]
    names = (defined[name] for name in ("kind", "criterion", "description"))
    known = list(dict.fromkeys(zip(*names, strict=True)))
    found: dict[str, Criterion] = {}
    for one in suggestions(ws, suite):
        for kind, name, text in known if one.target else ():
            described = text if isinstance(text, str) else None
            if names_criterion(one.target, str(name), described):
                found[one.key] = Criterion(str(kind), str(name))
                break
    return found


def suggested_for(ws: Workspace, suite: str, criterion: Criterion, view: RubricView) -> list[Block]:
    """Describe what graders suggest about one criterion; empty where they suggest nothing."""
    about = meant(ws, suite)
    found = [one for one in suggestions(ws, suite) if about.get(one.key) == criterion]
    if not found:
        return []
    head = heads("Suggestion", "#How often", "State")
    rows = [_row(ws, suite, one, None, view, whole=False) for one in found]
    title = "Grader suggestions for it"
    return [Heading(title), Table(title, head, rows, fold=4)]


def _row(
    ws: Workspace,
    suite: str,
    one: Suggestion,
    criterion: Criterion | None,
    view: RubricView,
    *,
    whole: bool = True,
) -> Row:
    kind = FEEDBACK_WORDS.get(one.kind, one.kind)
    versions = f"{one.versions[0]} – {one.versions[-1]}" if len(one.versions) > 1 else ""
    cells = [
        Cell(
            wording.line(one.text, MAX_TEXT),
            sub=kind if one.kind != "overall" else "general remark",
            link=view.to(suggestion=one.key, suggested=1),
            id=one.key,
            clamp=True,
        )
    ]
    if whole and criterion is not None:
        to = view.to(criterion=criterion.key, at=None, runs=1)
        cells.append(Cell(named(ws, suite, criterion), link=to, clamp=True))
    elif whole:
        cells.append(Cell(wording.line(one.target or "", 120) or "none", quiet=True, clamp=True))
    often = wording.count(one.n, "time")
    cells.append(Cell(often, sub=versions or next(iter(one.versions), ""), num=True))
    cells.append(Cell(_state(one), mark=STATES[one.state] or None, quiet=one.state == "open"))
    return Row(cells, on=view.suggestion == one.key)


def _rule(one: Suggestion) -> dict[str, Any] | None:
    """Return the expectation about steps that a suggestion asks for, as evals.json has it."""
    found = next(filter(None, map(step_rule, one.texts[:WORDINGS])), None)
    if found is None:
        return None
    text = wording.line(one.text, MAX_TEXT)
    return {"id": f"steps-{one.key[:6]}", "text": text, **found, "critical": False}


def _state(one: Suggestion) -> str:
    others = len({decision.decision for decision in one.decisions}) > 1
    if others:
        return f"{one.state}; people disagree"
    return {"open": "open", "answered": "action recorded"}.get(one.state, one.state)
