"""The Steps tab of Compare: two runs of a case side by side, and what both sides did on average."""

from collections.abc import Callable, Iterator
from itertools import groupby
from typing import Final

from evalcore.comparing.model import Comparison, Measure, Side
from evalcore.comparing.steps import (
    SKILL,
    TOKENS,
    StepPair,
    aligned,
    step_measures,
)
from evalcore.counting.run_steps import steps_of
from evalcore.steps.model import NO_STEPS, Step, Steps
from evalcore.views.blocks.base import Block, PanelData, link
from evalcore.views.blocks.comparison import StepRows
from evalcore.views.blocks.page import Heading, Say, Table, heads
from evalcore.views.blocks.paging import page_of, page_with
from evalcore.views.compare.case import OpenCase, OpenSide, side_block
from evalcore.views.compare.rates import measured_row
from evalcore.views.run.steps import FORMATS, line_of, notes_of, one_line, skill_words, totals_words
from evalcore.views.words import wording

ROWS: Final = 60
CONTEXT: Final = 2
"""Alike rows that stay beside one that is not."""
MAX_SAID: Final = 110
CHOOSE: Final = "Choose a case in the list: the steps of both sides stand here beside each other."
TITLE: Final = "What the runs did"
_WORDS: Final = {"same": "", "tool": "same tool", "only": "only here"}


def step_rows(opened: OpenCase, page: int | None) -> StepRows:
    """Describe the steps of the open runs of a case side by side, from where they part."""
    sides = (opened.a, opened.b)
    told = tuple(
        NO_STEPS if side.evidence is None else steps_of(side.side.ws, side.evidence.run)
        for side in sides
    )
    pairs = aligned(*told)
    lines = list(_folded(pairs))
    partings = (at for at, line in enumerate(lines) if isinstance(line, StepPair) and line.parts)
    part = next(partings, None) if all(of.understood for of in told) else None
    first = page_with(part or 0, ROWS)
    shown = page_of(page or first, len(lines), ROWS)
    rows = [_row(each, opened) for each in lines[shown.rows]]
    here = part is not None and shown.start <= part < shown.stop
    a, b = (
        side_block(side, opened.case.case_id) | {"took": _took(side, steps)}
        for side, steps in zip(sides, told, strict=True)
    )
    return StepRows(
        said=_said(pairs, told),
        a=a,
        b=b,
        rows=rows,
        part=None if part is None or not here else part - shown.start,
        to=first if part is not None and not here else None,
        text=f"rows {shown.span} of {shown.total:,}" if shown.pages > 1 else "",
        page=shown.number,
        pages=shown.pages,
        notes=[
            f"{side}: {note}" for side, of in zip("AB", told, strict=True) for note in notes_of(of)
        ],
    )


def step_measure_blocks(found: Comparison, a: Side, b: Side) -> list[Block]:
    """Describe what the runs of the compared cases did on both sides, by their transcripts."""
    known = step_measures(a, b, found.pairs)
    told = ", ".join(
        f"{side} of {part:,} of {wording.count(whole, 'run')}"
        for side, part, whole in zip("AB", known.told, known.runs, strict=True)
    )
    if not any(known.told):
        return [Say(f"No transcript of either side tells its steps. {FORMATS}", quiet=True)]
    head = heads("per run", "#A", "#B", "#difference", "#n")
    blocks: list[Block] = [
        Heading(TITLE, "means over the cases whose steps both sides tell"),
        Say(f"Steps are told by {told}.", quiet=True),
    ]
    rows = [measured_row(one, _words(one)) for one in known.measures if one.difference is not None]
    if rows:
        blocks.append(Table(TITLE, head, rows))
    tools = [measured_row(one, _words(one)) for one in known.tools if one.difference is not None]
    if tools:
        title = "Uses of each tool"
        blocks += [Heading(title), Table(title, head, tools)]
    missing = [one.name for one in known.measures if one.difference is None]
    if missing:
        names = wording.listed(missing)
        blocks.append(Say(f"Not known on both sides of any case: {names}.", quiet=True))
    return blocks


def _words(one: Measure) -> Callable[[float | None], str]:
    if one.name in (SKILL, TOKENS):
        return wording.percent if one.name == SKILL else wording.tokens
    return lambda amount: wording.number(amount, 1)


def _took(side: OpenSide, found: Steps) -> str:
    """Return what a run took, and whether it used the skill."""
    if side.evidence is None or not found.understood:
        return "no transcript that tells its steps"
    errors = [wording.count(len(found.errors), "error")] if found.errors else []
    skill = skill_words(side.side.ws, side.evidence.run, found)
    return " · ".join([*totals_words(found), *errors, *skill])


def _said(pairs: tuple[StepPair, ...], told: tuple[Steps, ...]) -> str:
    """Return where two runs part, in a sentence."""
    silent = [side for side, found in zip("AB", told, strict=True) if not found.understood]
    if len(silent) == 2:
        return "Neither run has a transcript that tells its steps."
    if silent:
        only = "A" if silent == ["B"] else "B"
        return f"{silent[0]} has no transcript that tells its steps; these are those of {only}."
    if not pairs:
        return "Neither run used a tool or said anything."
    at = next((at for at, pair in enumerate(pairs) if pair.parts), None)
    what = "call" if any(found.calls for found in told) else "answer"
    if at is None:
        return f"Both runs made the same {wording.count(len(pairs), what)}, in the same order."
    if pairs[at].kind == "same":
        ends = {"error": "failed", "ok": "did not fail", None: "does not say how it ended"}
        both = zip("AB", pairs[at][1:], strict=True)
        ended = (f"{side} {ends[step.status]}" for side, step in both if step)
        did = f"the same {what} again: {', '.join(ended)}"
    else:  # what each of them did next
        nexts = (
            next((pair.a for pair in pairs[at:] if pair.a), None),
            next((pair.b for pair in pairs[at:] if pair.b), None),
        )
        did = ", ".join(f"{side} {_did(step)}" for side, step in zip("AB", nexts, strict=True))
    return (
        f"After the same {wording.count(at, what)}, {did}." if at else f"They part at once: {did}."
    )


def _did(step: Step | None) -> str:
    if step is None:
        return "ended"
    what, text = line_of(step)
    about = wording.short(text, MAX_SAID)
    return f"used {what} {about}".strip() if step.tool else f"said “{about}”"


def _folded(pairs: tuple[StepPair, ...]) -> Iterator[StepPair | int]:
    """Yield the rows; of long alike stretches only those near others, and how many are left out."""
    runs = [(alike, list(some)) for alike, some in groupby(pairs, lambda pair: not pair.parts)]
    for at, (alike, some) in enumerate(runs):
        before = CONTEXT if at else 0
        after = CONTEXT if at + 1 < len(runs) else 0
        if not alike or len(some) <= before + after + 1 or len(runs) == 1:
            yield from some
            continue
        yield from some[:before]
        yield len(some) - before - after
        yield from some[len(some) - after :]


def _row(line: StepPair | int, opened: OpenCase) -> PanelData:
    if isinstance(line, int):
        are = "are" if line > 1 else "is"
        return {"fold": f"{wording.count(line, 'more row')} that {are} the same"}
    a, b = _cell(line.a, opened.a), _cell(line.b, opened.b)
    word = _WORDS[line.kind]
    if a is not None and b is not None and line.kind == "same":
        if not line.parts:  # it is told once: what it gave stands on Gradings
            a["result"] = b["result"] = ""
        if line.a and line.b and line.a.arguments != line.b.arguments:
            word = "other arguments"
    return {"kind": line.kind, "parts": line.parts, "word": word, "a": a, "b": b}


def _cell(step: Step | None, side: OpenSide) -> PanelData | None:
    """Describe a step of one side, with the link to it on Gradings."""
    if step is None:
        return None
    what, text = line_of(step)
    number, there = step.position + 1, None
    if side.home is not None:
        there = link("gradings", **side.home, run=side.run_id, tab="steps", step=str(number))
    about: PanelData = {"n": number, "what": what, "text": text, "link": there}
    about["result"] = one_line(step.result or "")
    if step.status == "error":
        about["error"] = "error"
    if step.duration_s is not None:
        about["took"] = wording.duration(step.duration_s)
    return about
