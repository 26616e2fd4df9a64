"""Describe one run to its judge: prompt, output and the scale of each criterion.

It contains no other judge's or model's opinion before the judge's own scores are stored.
"""

from collections.abc import Iterable
from hashlib import sha256
from typing import Any, Final

from evalcore.judging.asking.names import file_named, short_names
from evalcore.judging.limits import LIMITS
from evalcore.judging.model import Asked, Judge, OwnJudgment, Task
from evalcore.views.blocks.base import PanelData
from evalcore.views.blocks.paging import page_of
from evalcore.views.blocks.plain import cut, escaped
from evalcore.views.files.outputs import load_output
from evalcore.views.files.portions import portion, portions
from evalcore.views.words import wording
from evalcore.workspace.opened import Workspace

PROMPT: Final = 30_000
EXPECTED: Final = 9_000
CRITERIA: Final = 36_000
"""Bytes for the wording of all criteria together."""
WHY: Final = 1_000
"""Bytes of what a rule says of one criterion."""
AT_ONCE: Final = 12_000
"""Bytes of further output files that are sent before they are asked for."""
MAX_FILES: Final = 60
MAX_NAME: Final = 300
DIGITS: Final = 9


def task_block(ws: Workspace, task: Task, path: str | None = None, part: int = 1) -> PanelData:
    """Describe a task; `path` and `part` choose the output file that is open and its portion.

    Output files are named below their common folder, whose path may tell the version. Criteria that
    rules decided come last.
    """
    ruled = [each for each in task.criteria if each.key in task.decided]
    return {
        "run": task.run_id,
        "case": task.case_id[:MAX_NAME],
        "name": task.name[:MAX_NAME],
        "prompt": cut(task.prompt or "", PROMPT),
        "expected": cut(task.expected or "", EXPECTED),
        "criteria": _within([criterion_block(asked) for asked in (*task.left, *ruled)]),
        "decided": decided_block(task),
        "files": file_blocks(ws, task.files[:MAX_FILES], path, part),
        "more": max(len(task.files) - MAX_FILES, 0),
        "ids": {short_key(key): name for key, name in task.ids.items()},
        "basis": basis_block(task),
        "mine": {short_key(key): mine_block(mine) for key, mine in task.mine.items()},
        "review": task.judged,
        "rule": task.reasons,
    }


def decided_block(task: Task) -> PanelData | None:
    """Describe what rules decided: in one line, and by criterion; None where that is nothing."""
    if not task.decided:
        return None
    met = sum(each.passed for each in task.decided.values())
    missed = len(task.decided) - met
    parts = [f"{n:,} {word}" for n, word in ((met, "met"), (missed, "not met")) if n]
    verb = "was decided by a rule" if len(task.decided) == 1 else "were decided by rules"
    of = f"{len(task.decided):,} of {wording.count(len(task.criteria), 'criterion')}"
    return {
        "line": f"{of} {verb}: {', '.join(parts)}",
        "of": {
            short_key(key): {
                "mark": "pass" if each.passed else "fail",
                "words": "met" if each.passed else "not met",
                "why": cut(each.why, WHY),
            }
            for key, each in task.decided.items()
        },
    }


def single_forms(task: Task, judge: Judge | None, likely: str) -> PanelData:
    """Describe a form for each criterion of a run where its evidence is read, by its key.

    Its words, and those of its scores, stand beside it: a form has only what is chosen and sent.
    """
    items = {}
    for each in task.criteria:
        block, mine = criterion_block(each), task.mine.get(each.key)
        form = {name: block[name] for name in ("key", "low", "high", "pass_at")}
        scores = block["choices"]
        form["choices"] = scores and [(one["score"], one["label"]) for one in scores]
        form["mine"] = mine_block(mine) if mine is not None and mine.score is not None else None
        items[each.key] = form
    return {
        "run": task.run_id,
        "judge": judge.name if judge else None,
        "likely": likely,
        "rule": task.reasons,
        "limits": {"rationale": LIMITS.rationale, "name": LIMITS.name},
        "basis": basis_block(task),
        "ids": {short_key(key): name for key, name in task.ids.items()},
        "mine": {short_key(key): mine.id for key, mine in task.mine.items()},
        "items": items,
    }


def short_key(key: str) -> str:
    """Return a short key for a criterion of any length."""
    return sha256(key.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def _within(blocks: list[PanelData]) -> list[PanelData]:
    """Return criteria whose texts together stay within their budget: only the longest are cut.

    What shorter texts leave of their equal parts is shared by the longer ones.
    """
    words = ("name", "description", "guide")
    sizes: list[int] = []
    for block in blocks:
        anchors = [choice["anchor"] for choice in block["choices"] or ()]
        texts = [*(block[name] for name in words), *block["anchors"], *anchors]
        sizes += map(escaped, texts)
    left = share = CRITERIA
    for at, size in enumerate(sorted(sizes)):
        share = left // (len(sizes) - at)
        if size > share:
            break
        left -= size
    else:
        share = CRITERIA
    for block in blocks:
        block |= {name: _shared(block[name], share) for name in words}
        block["anchors"] = [_shared(text, share) for text in block["anchors"]]
        for choice in block["choices"] or ():
            choice["anchor"] = _shared(choice["anchor"], share)
    return blocks


def _shared(text: str, share: int) -> str:
    """Return as much of a text as its share holds, at least a few words."""
    size = escaped(text)
    return text if size <= share else f"{text[: max(share * len(text) // size - 3, 8)]}…"


def basis_block(task: Task) -> PanelData:
    """Return the hashes of what is judged, to be sent back with the scores."""
    basis = task.basis
    criteria = {short_key(key): value for key, value in basis.criteria.items()}
    return {"output": basis.output, "prompt": basis.prompt, "criteria": criteria}


def criterion_block(asked: Asked) -> PanelData:
    """Describe a criterion: its words, its scale, and the key of each score.

    A whole number below ten has its own digit; on other scales the n-th score has digit n.
    """
    anchors, scores = dict(asked.anchors), asked.choices or ()
    hints = ["required"] if asked.required else []
    if asked.weight is not None and asked.weight != 1:
        hints.append(f"weight {wording.number(asked.weight)}")
    own = all(score == int(score) and score >= 0 for score in scores)
    choices = []
    for place, score in enumerate(scores, 1):
        key = f"{int(score)}" if own else str(place) if place <= DIGITS else ""
        label = wording.number(score)
        if asked.pass_fail:
            passes = score == asked.high
            key, label = (f"{key} p", "passes") if passes else (f"{key} f", "fails")
        anchor = anchors.get(score, "")
        choices.append({"score": score, "label": label, "key": key, "anchor": anchor})
    texts = [f"{wording.number(score)}: {text}" for score, text in asked.anchors]
    return {
        "key": short_key(asked.key),
        "name": asked.name,
        "description": asked.description,
        "hint": " · ".join(hints),
        "guide": asked.guide or "",
        "low": asked.low,
        "high": asked.high,
        "pass_at": asked.pass_at,
        "choices": None if asked.choices is None else choices,
        "fine": asked.fine,
        "anchored": bool(anchors),
        "anchors": [] if asked.choices else texts,
    }


def mine_block(mine: OwnJudgment) -> PanelData:
    """Describe the judge's own stored judgment of one criterion."""
    return {
        "id": mine.id,
        "score": mine.score,
        "rationale": mine.rationale if mine.score is not None else "",
        "evidence": list(mine.evidence),
        "level": mine.level,
        "stale": mine.stale,
    }


def file_blocks(
    ws: Workspace, paths: Iterable[str], path: str | None = None, part: int = 1
) -> list[PanelData]:
    """Describe the output files; the open one, and small ones beside it, include their text."""
    known = list(paths)
    names, left, found = short_names(known), AT_ONCE, []
    chosen = file_named(known, path) or next(iter(known), None)
    for one in known:
        block: dict[str, Any] = {"name": names[one], "on": one == chosen, "text": None}
        block |= {"note": "", "lines": "", "part": 1, "parts": 1, "image": False}
        if one == chosen:
            block |= _content(ws, one, part)
        elif left > 0:
            shown = _content(ws, one, 1)
            size = escaped(shown.get("text") or "")
            if size <= left:
                block |= shown
                left -= size
        found.append(block)
    return found


def _content(ws: Workspace, path: str, part: int) -> PanelData:
    """Return one portion of a file's text, or the sentence that says why there is none."""
    output = load_output(ws, path)
    if output.text is None:
        if output.kind == "image":
            return {"note": "An image, shown below.", "image": True}
        return {"note": output.note or "This file cannot be shown as text."}
    total = portions(output.text)
    number = page_of(part, total, 1).number
    shown = portion(output.text, number)
    lines = wording.count(shown.lines, "line")
    if total > 1:
        lines = f"lines {shown.first:,} to {shown.last:,} of {shown.lines:,}"
    return {"text": shown.text, "note": output.note, "lines": lines, "part": number, "parts": total}
