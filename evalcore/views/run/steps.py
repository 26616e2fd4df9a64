"""The steps of one run as the Steps tab shows them: a window of lines, the open one, the times."""

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import islice, pairwise
from typing import Final

from evalcore.comparing.steps import activation
from evalcore.counting.run_criteria import run_row
from evalcore.counting.run_steps import steps_of
from evalcore.steps.model import CALLS, Step, Steps, as_text, subject
from evalcore.tables.rows import RunRow
from evalcore.views.blocks.base import PanelData
from evalcore.views.blocks.paging import page_of, page_with
from evalcore.views.files.portions import portion, portion_with, portions
from evalcore.views.run.quotes import find_quotes
from evalcore.views.words import wording
from evalcore.workspace.opened import Workspace

WINDOW: Final = 100
"""So many steps are sent at once."""
MAX_LINE: Final = 160
MAX_WIDE: Final = 70
MAX_BARS: Final = 400
MAX_FIND: Final = 200
MAX_FOUND: Final = 5_000
MAX_NEAR: Final = 10
MAX_NEAR_TEXT: Final = 20_000
"""How many steps are searched for a passage in other words than the exact ones, and how far."""
_ASCII: Final = re.compile(r"[\x00-\x7f]+")
FORMATS: Final = (
    "Steps are read from the transcripts of Claude Code, Codex, OpenCode, Gemini CLI and pi, from "
    "messages as OpenAI, Anthropic and Inspect write them, from OpenTelemetry spans (OTLP JSON), "
    "from Markdown with headings such as Assistant and Tool, and from toolCallsLog of a record."
)
NONE: Final = "No transcript of this run was found, so it is unknown what it did. "
NOT_UNDERSTOOD: Final = "The transcript of this run was not understood. "
_KINDS: Final = {"tool_result": "result", "sub_agent": "sub-agent", "text": "not understood"}


def line_of(step: Step) -> tuple[str, str]:
    """Return what a step is, a tool or a kind in words, and the beginning of what it is about."""
    if step.tool and step.kind != "tool_result":
        return wording.line(step.tool, 60), one_line(subject(step, 4 * MAX_LINE))
    what = _KINDS.get(step.kind, step.kind.replace("_", " "))
    if step.kind == "tool_result" and step.tool:
        what = f"{what} of {wording.line(step.tool, 60)}"
    return what, one_line(step.text or step.result or "")


def one_line(text: str) -> str:
    """Return the beginning of a text as one line; signs that take more bytes are fewer."""
    begins = text[: 4 * MAX_LINE]
    return wording.line(begins, MAX_LINE if begins.isascii() else MAX_WIDE)


def steps_panel(
    ws: Workspace, run_id: str, at: int | None, find: str = "", part: int | None = None
) -> PanelData:
    """Return what the Steps tab of a run shows.

    `at` is the number of the open step, from 1; around it a window of steps is sent. `find` are
    words to look for in all of them, `part` is the portion of a long text.
    """
    run = run_row(ws, run_id)
    found = steps_of(ws, run)
    if not found.understood:
        why = NOT_UNDERSTOOD if found.source else NONE
        source = f" It lies in {found.source}." if found.source else ""
        return {"run": run_id, "none": f"{why}{FORMATS}{source}"}
    steps = found.steps
    at = None if at is None or at > len(steps) else at
    page = page_of(page_with((at or 1) - 1, WINDOW), len(steps), WINDOW)
    hits = _hits(found, find[:MAX_FIND].lower()) if find.strip() else ()
    marked = set(hits)
    turns, tools, *others = [*totals_words(found), *skill_words(ws, run, found)]
    tools_told = [tools, *([] if found.errors else ["no errors"])]
    return {
        "run": run_id,
        "none": "",
        "source": found.source or "",
        "totals": [turns, *(tools_told if found.has_tools else ["tools are not told"]), *others],
        "errors": wording.count(len(found.errors), "error") if found.errors else "",
        "notes": notes_of(found),
        "strip": _strip(found),
        "rows": [_row(found, place, place in marked) for place in range(page.start, page.stop)],
        "first": page.start + 1,
        "total": len(steps),
        "span": f"steps {page.span} of {page.total:,}" if page.pages > 1 else "",
        "at": at,
        "open": None if at is None else _opened(steps[at - 1], find, part),
        "find": find,
        "found": _found_words(find, hits, at),
        # What the keys go to beyond the steps that are sent: before and after them.
        "beyond": {
            "turn": _beyond(_turns(found), page.start, page.stop),
            "error": _beyond(found.errors, page.start, page.stop),
            "hit": _beyond(hits, page.start, page.stop),
        },
    }


def step_of_quote(ws: Workspace, run_id: str, quote: str) -> tuple[int | None, str]:
    """Return the number of the step that holds a passage, and what of it to look for there.

    Without such a step it is None, and the beginning of the passage is what was looked for.
    """
    begins = quote.partition("\n")[0].strip()[:MAX_FIND]
    if not run_id:
        return None, begins
    found = steps_of(ws, run_row(ws, run_id))
    if hits := _hits(found, quote.lower()):
        return hits[0] + 1, begins
    # With other spacing or other marks it is looked for where its longest word stands.
    longest = max(quote.lower().split(), key=len, default="")
    near = (found.steps[at] for at in islice(_hits(found, longest), MAX_NEAR) if longest)
    texts = ((str(step.position), _text_of(step)[:MAX_NEAR_TEXT]) for step in near)
    (place,) = find_quotes([quote], texts)
    if place.path is None or place.how == "name":
        return None, begins
    return int(place.path) + 1, ""


def step_with(ws: Workspace, run_id: str, words: str, start: int) -> int | None:
    """Return the number of the first step from `start` on that holds some words, else the first."""
    hits = _hits(steps_of(ws, run_row(ws, run_id)), words[:MAX_FIND].lower())
    return next((at + 1 for at in (*(at for at in hits if at + 1 >= start), *hits)), None)


def totals_words(found: Steps) -> list[str]:
    """Return what a run took by its steps, in words; only what is known."""
    took = found.totals
    words = [wording.count(took.turns, "turn"), wording.count(took.tools, "tool call")]
    words += [f"{wording.tokens(took.tokens)} tokens"] if took.tokens else []
    words += [wording.cost(took.cost_usd)] if took.cost_usd else []
    return words + ([wording.duration(took.duration_s)] if took.duration_s else [])


def skill_words(ws: Workspace, run: RunRow, found: Steps) -> list[str]:
    """Return whether a run used the skill, in words, where that is known.

    Steps without it do not show that it was not there: a prompt can hold it, too.
    """
    used = activation(ws, run, found)
    if used is False and run.activated is None:
        return ["no step uses the skill"]
    return [] if used is None else [f"{'used' if used else 'did not use'} the skill"]


def notes_of(found: Steps) -> list[str]:
    """Return what could not be understood of a transcript, and what is not listed."""
    notes = []
    if found.unread:
        parts = wording.count(found.unread, "part")
        notes.append(f"{parts} could not be understood: shown as text, where it stands.")
    if found.left_out:
        notes.append(f"{wording.count(found.left_out, 'more step')} beyond these, not listed.")
    return notes


def _row(found: Steps, place: int, is_hit: bool) -> PanelData:
    """Describe one step in one line; what it says by default is left out."""
    step = found.steps[place]
    what, text = line_of(step)
    row: PanelData = {"n": place + 1, "kind": step.kind, "what": what, "text": text}
    if not place or found.steps[place - 1].turn != step.turn:
        row["turn"] = f"Turn {step.turn:,}" if step.turn else "Before"
    if step.status == "error" or step.kind == "error":
        row["error"] = one_line(step.result or "") if step.kind in CALLS else ""
    if step.duration_s is not None:
        row["took"] = wording.duration(step.duration_s)
    if step.parent is not None:
        row["inside"] = True  # a sub-agent did it
    return row | ({"hit": True} if is_hit else {})


def _opened(step: Step, find: str, part: int | None) -> PanelData:
    """Return all that is known of one step; of a long text the portion that is meant."""
    texts = [("said", step.text), ("arguments", _readable(step.arguments)), ("result", step.result)]
    given = [(label, text) for label, text in texts if text]
    parts = max((portions(text) for _, text in given), default=1)
    if part is None and find and parts > 1:
        part = next(filter(None, (portion_with(text, find) for _, text in given)), None)
    part = min(part or 1, parts)
    facts = [f"step {step.position + 1:,}", f"turn {step.turn:,}"] if step.turn else []
    facts += [wording.moment(step.started_at)] if step.started_at else []
    facts += [f"took {wording.duration(step.duration_s)}"] if step.duration_s is not None else []
    facts += [f"{wording.tokens(step.tokens)} tokens"] if step.tokens else []
    facts += [wording.cost(step.cost_usd)] if step.cost_usd else []
    facts += [f"within step {step.parent + 1:,}"] if step.parent is not None else []
    shown = [
        {"label": label, "text": portion(text, part).text}
        for label, text in given
        if part <= portions(text)
    ]
    empty = "The result is empty." if step.result == "" else "Nothing else is known of it."
    return {
        "facts": " · ".join(facts),
        "pointer": step.pointer or "",
        "texts": shown,
        "empty": "" if given else empty,
        "part": part,
        "parts": parts,
        "words": f"part {part:,} of {parts:,}" if parts > 1 else "",
    }


def _readable(arguments: object) -> str | None:
    """Return arguments as a text to read: a name before each, texts as they are."""
    if arguments is None or isinstance(arguments, str):
        return arguments
    if not isinstance(arguments, Mapping):
        return as_text(arguments)
    return "\n".join(
        f"{name}:{chr(10) if isinstance(value, str) and chr(10) in value else ' '}{as_text(value)}"
        for name, value in arguments.items()
    )


def _text_of(step: Step) -> str:
    arguments = "" if step.arguments is None else as_text(step.arguments)
    return "\n".join(filter(None, (step.tool, arguments, step.text, step.result)))


def _found_words(find: str, hits: Sequence[int], at: int | None) -> str:
    if not find.strip():
        return ""
    if not hits:
        return f"No step has “{wording.line(find, 60)}”"
    amount = wording.count(len(hits), "step")
    if at is not None and at - 1 in hits:
        return f"{hits.index(at - 1) + 1:,} of {amount}"
    return f"{'at least ' * (len(hits) == MAX_FOUND)}{amount}"


def _beyond(places: Iterable[int], start: int, stop: int) -> list[int | None]:
    """Return the numbers of the last of some places before a window, and of the first after it."""
    before = [place for place in places if place < start]
    after = next((place for place in places if place >= stop), None)
    return [before[-1] + 1 if before else None, None if after is None else after + 1]


@lru_cache(maxsize=4)
def _turns(found: Steps) -> tuple[int, ...]:
    """Return where each turn begins."""
    begins = (at for at, (a, b) in enumerate(pairwise(found.steps), 1) if a.turn != b.turn)
    return (0, *begins)


# As bytes, with the letters of ASCII lowered: those of all Unicode take four times as long.
@lru_cache(maxsize=2)
def _lowered(found: Steps) -> tuple[bytes, ...]:
    return tuple(_text_of(step).encode("utf-8", "replace").lower() for step in found.steps)


@lru_cache(maxsize=8)
def _hits(found: Steps, words: str) -> tuple[int, ...]:
    """Return the places of the steps that hold some words in lower case, the first 5,000."""
    plain = max(_ASCII.findall(words), key=len, default="")
    begins = plain.encode()
    held = (
        at
        for at, text in enumerate(_lowered(found))
        if begins in text and (plain == words or words in _text_of(found.steps[at]).lower())
    )
    return tuple(islice(held, MAX_FOUND))


@lru_cache(maxsize=4)
def _strip(found: Steps) -> PanelData:
    """Return a bar for each step, or for a few of them where there are many, on a scale to 1,000.

    By time, where every step says when it began; else in their order, all as wide. A bar is
    [left, width, kind, number of the step], the kind 1 for tools and 2 for errors; it leads to the
    first error of its steps, else to the first of them.
    """
    steps, failed = found.steps, set(found.errors)
    spans = [(float(at), float(at + 1)) for at in range(len(steps))]
    starts = [step.started_at.timestamp() for step in steps if step.started_at is not None]
    ends = [start + (step.duration_s or 0) for start, step in zip(starts, steps, strict=False)]
    timed = len(starts) == len(steps) and max(ends) > min(starts)
    if timed:
        spans = list(zip(starts, ends, strict=True))
    begin = min(start for start, _ in spans)
    lasts = max(end for _, end in spans) - begin
    each = -(-len(steps) // MAX_BARS)
    bars = []
    for first in range(0, len(steps), each):
        some = range(first, min(first + each, len(steps)))
        error = next((at for at in some if at in failed), None)
        kind = 2 if error is not None else int(any(steps[at].tool for at in some))
        left = 1000 * (min(spans[at][0] for at in some) - begin) / lasts
        width = 1000 * (max(spans[at][1] for at in some) - begin) / lasts - left
        bars.append([round(left), round(width), kind, (first if error is None else error) + 1])
    to = wording.duration(lasts) if timed else f"step {len(steps):,}"
    many = f"{each} steps a bar" if each > 1 else ""
    note = "" if timed else "in their order: not every step says when it was"
    return {
        "bars": bars,
        "ends": ["0 s" if timed else "step 1", to],
        "note": ", ".join(filter(None, (many, note))),
    }
