"""Describe criteria as a judge scored them: score on its scale, anchor, reasons and quotes."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from evalcore.families.base import UNATTACHED
from evalcore.views.blocks.base import Block, Labelled
from evalcore.views.blocks.evidence import JudgedItem, OutputExcerpt, Quote, Scale, Step
from evalcore.views.blocks.page import Heading
from evalcore.views.run.again import again_blocks
from evalcore.views.run.evidence import Evidence
from evalcore.views.run.items import Item, Mark
from evalcore.views.run.passages import Excerpt
from evalcore.views.run.people import machines, people_blocks
from evalcore.views.run.quotes import Found
from evalcore.views.words import wording
from evalcore.views.words.marks import MARK_WORDS

MAX_STEPS: Final = 10
MAX_SHOWN: Final = 1_500
LINES_AFTER: Final = 3
MAX_NAME: Final = 90
JUDGED_BY: Final = {"human": "judged by a person", "heuristic": "judged by a check"}
HOW: Final = {
    "spacing": "other spacing",
    "parts": "in parts",
    "markup": "without its Markdown marks",
    "case": "other capitals or marks",
}


def criteria_blocks(found: Evidence) -> list[Block]:
    """Describe criteria and structural checks, failing ones first, and the output beside them."""
    structural = _group("Structure", found.structural, *_gate(found))
    criteria = _group("Criteria", found.items)
    first = found.gate is False or any(item.mark == "fail" for item in found.structural)
    blocks = [*structural, *criteria] if first else [*criteria, *structural]
    if found.excerpt is None:
        return blocks
    return _beside_first_failed(blocks, found.excerpt)


def convention_blocks(found: Evidence) -> list[Block]:
    """Describe the conventions, which do not count in rates."""
    return _group("Conventions", found.conventions)


def item_block(item: Item) -> JudgedItem:
    """Describe one criterion with its score, reasons and quotes."""
    plain = _is_pass_fail(item)
    score = wording.score(item.score, item.max_score)
    return JudgedItem(
        key=f"{item.kind}:{item.criterion}",
        mark=item.mark,
        word=MARK_WORDS[item.mark],
        title=item.name,
        criterion=item.criterion,
        score=MARK_WORDS[item.mark] if plain or item.mark == "unscored" else score,
        scale=None if plain else _scale(item),
        tags=list(_tags(item)),
        anchor=item.anchor,
        texts=list(_texts(item)),
        quotes=[quote_block(quote) for quote in item.quotes],
        people=[*people_blocks(item.also), *again_blocks(item)],
    )


def quote_block(found: Found) -> Quote:
    """Describe one quoted passage and its place."""
    name = (found.path or "").rpartition("/")[2]
    location = f"{name}, line {found.line}" if found.line else name
    how = HOW.get(found.how or "", "")
    return Quote(
        quote=found.quote, path=found.path, line=found.line, location=location or None, how=how
    )


def excerpt_block(found: Excerpt, beside: str = "") -> OutputExcerpt:
    """Describe a stretch of an output file, and who quotes it, unless it is the one `beside`."""
    name = found.path.rpartition("/")[2]
    where = f"from line {found.line}" if found.line > 1 else ""
    if found.marks and found.quoted_for != beside:
        whole = " ".join(found.quoted_for.split())
        short = whole if len(whole) <= MAX_NAME else f"{whole[:MAX_NAME]}…"
        where = f"{where} · quoted for “{short}”".lstrip(" ·")
    return OutputExcerpt(
        label="From the output",
        name=name,
        path=found.path,
        where=where,
        line=found.line,
        texts=_parted(found),
    )


def _parted(found: Excerpt) -> list[str]:
    """Return an excerpt as texts, of which every second one is marked, to a few lines after it."""
    at, texts = 0, []
    for begin, end in found.marks:
        texts += [found.text[at:begin], found.text[begin:end]]
        at = end
    lines = found.text[at : at + MAX_SHOWN].split("\n")
    rest = "\n".join(lines[: LINES_AFTER + 1] if found.marks else lines)
    whole = at + len(rest) >= len(found.text.rstrip())
    return [*texts, rest if whole else f"{rest.rstrip()} …"]


def _beside_first_failed(blocks: list[Block], found: Excerpt) -> list[Block]:
    """Put the output right after the first failed criterion, else after all of them."""
    failed = (
        (at, block.title)
        for at, block in enumerate(blocks)
        if isinstance(block, JudgedItem) and block.mark == "fail"
    )
    at, beside = next(failed, (len(blocks) - 1, ""))
    return [*blocks[: at + 1], excerpt_block(found, beside), *blocks[at + 1 :]]


def _group(
    title: str, items: Sequence[Item], hint: str = "", mark: str | None = None
) -> list[Block]:
    if not items:
        return []
    return [Heading(f"{title} · {tally(items)}", hint, mark), *map(item_block, items)]


def _gate(found: Evidence) -> tuple[str, str | None]:
    if found.gate is None:
        return "no gate", None
    if found.gate:
        return "gate passed", "pass"
    return "gate failed: not judged", "fail"


def tally(items: Iterable[Item]) -> str:
    """Return how many criteria failed, are not scored, are scored and passed, in words."""
    marks = [item.mark if item.status != "superseded" else None for item in items]
    order: tuple[Mark, ...] = ("fail", "unscored", "scored", "pass")
    counted = [f"{marks.count(mark)} {MARK_WORDS[mark]}" for mark in order if mark in marks]
    gone = marks.count(None)
    return ", ".join([*counted, *([f"{gone} superseded"] if gone else [])])


def _is_pass_fail(item: Item) -> bool:
    unit = item.min_score in (None, 0.0) and item.max_score in (None, 1.0)
    return unit and item.mark in ("pass", "fail")


def _scale(item: Item) -> Scale | None:
    """Draw a short whole-number scale as steps, with the pass mark before the first passing one.

    A scale from 1 has a step for each score; on any other the lowest score has no step.
    """
    low, high, score, limit = item.min_score, item.max_score, item.score, item.pass_at
    if low is None or high is None or score is None:
        return None
    if not 1 < high - low <= MAX_STEPS or low != int(low) or high != int(high):
        return None
    steps = [
        Step(step <= score, limit is not None and step + 1 == limit)
        for step in range(int(low) + (low != 1), int(high) + 1)
    ]
    passes = "" if limit is None else f", passes at {wording.number(limit)}"
    return Scale(f"{wording.score(score, high)}{passes}", steps)


def _tags(item: Item) -> Iterator[str]:
    if item.criterion != item.name:
        yield item.criterion
    if item.required is not None:
        yield "required" if item.required else "optional"
    if item.critical:
        yield "critical"
    if item.weight is not None:
        yield f"weight {wording.number(item.weight)}"
    if item.pass_at is not None and item.max_score not in (None, 1.0):
        yield f"passes at {wording.number(item.pass_at)}"
    yield from _judged(item)
    if item.status in ("stale", "superseded", UNATTACHED):
        yield item.status


def _judged(item: Item) -> Iterator[str]:
    if item.judge:
        yield f"judge {wording.judge(item.judge, item.judge_type)}"
    elif item.judge_type in JUDGED_BY:
        yield JUDGED_BY[item.judge_type]
    elif item.also:
        yield "recorded"
    if item.confidence_level or item.confidence is not None:
        yield f"confidence {wording.confidence(item.confidence_level, item.confidence)}"
    if item.judged_at is not None:
        yield wording.moment(item.judged_at)


def _texts(item: Item) -> Iterator[Labelled]:
    if item.mark == "unscored" and item.reason:
        yield Labelled("why not scored", item.reason)
    if item.rationale:
        yield Labelled("", item.rationale)
    if item.evidence:
        yield Labelled("evidence" if item.rationale else "", item.evidence)
    if item.guide:
        yield Labelled("guide", item.guide)
    for other in machines(item.also):
        who = other.judge or other.judge_type or "another judge"
        if other.status == "superseded":
            who = f"superseded, {who}"
        score = wording.score(other.score, other.max_score)
        reason = other.rationale or other.evidence or "no reason given"
        yield Labelled(f"{who}: {score}", reason)
