"""Describe criteria as a judge scored them: score on its scale, anchor, reasons and quotes."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from evalcore.families.base import UNATTACHED
from evalcore.families.reviews.review import NO_REASON
from evalcore.views.blocks.base import Block, Labelled
from evalcore.views.blocks.evidence import JudgedItem, OutputExcerpt, Quote, Scale
from evalcore.views.blocks.page import Heading
from evalcore.views.run.evidence import Evidence
from evalcore.views.run.items import ORDER, Item
from evalcore.views.run.passages import Excerpt
from evalcore.views.run.people import again_blocks, machines, people_blocks
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


def criteria_blocks(found: Evidence, *, with_steps: bool = False) -> list[Block]:
    """Describe criteria and structural checks, failing ones first, and the output beside them.

    The output stands right after the first failed criterion, else after all of them.
    """
    gates: dict[bool | None, tuple[str, str | None]] = {
        None: ("no gate", None),
        True: ("gate passed", "pass"),
        False: ("gate failed: not judged", "fail"),
    }
    structural = _group("Structure", found.structural, *gates[found.gate], with_steps=with_steps)
    criteria = _group("Criteria", found.items, with_steps=with_steps)
    first = found.gate is False or any(item.mark == "fail" for item in found.structural)
    blocks = [*structural, *criteria] if first else [*criteria, *structural]
    if found.excerpt is None:
        return blocks
    failed = (
        (at, block.title)
        for at, block in enumerate(blocks, 1)
        if isinstance(block, JudgedItem) and block.mark == "fail"
    )
    at, beside = next(failed, (len(blocks), ""))
    return [*blocks[:at], excerpt_block(found.excerpt, beside), *blocks[at:]]


def convention_blocks(found: Evidence) -> list[Block]:
    """Describe the conventions, which do not count in rates."""
    return _group("Conventions", found.conventions)


def _group(
    title: str,
    items: Sequence[Item],
    hint: str = "",
    mark: str | None = None,
    *,
    with_steps: bool = False,
) -> list[Block]:
    if not items:
        return []
    blocks = (item_block(item, with_steps=with_steps) for item in items)
    return [Heading(f"{title} · {tally(items)}", hint, mark), *blocks]


def tally(items: Iterable[Item]) -> str:
    """Return how many criteria failed, are not scored, are scored and passed, in words."""
    marks = [item.mark if item.status != "superseded" else None for item in items]
    counted = [f"{marks.count(mark)} {MARK_WORDS[mark]}" for mark in ORDER if mark in marks]
    gone = marks.count(None)
    return ", ".join([*counted, *([f"{gone} superseded"] if gone else [])])


def item_block(item: Item, *, with_steps: bool = False) -> JudgedItem:
    """Describe one criterion with its score, reasons and quotes.

    With `with_steps`, a quote that was not found can be looked for in the run's steps.
    """
    unit = item.min_score in (None, 0.0) and item.max_score in (None, 1.0)
    plain = unit and item.mark in ("pass", "fail")
    score = wording.score(item.score, item.max_score)
    quotes = []
    for found in item.quotes:
        name = (found.path or "").rpartition("/")[2]
        location = (f"{name}, line {found.line}" if found.line else name) or None
        how = HOW.get(found.how or "", "")
        quote, path, line = found.quote, found.path, found.line
        quotes.append(
            Quote(
                quote=quote,
                path=path,
                line=line,
                location=location,
                how=how,
                steps=with_steps and path is None,
            )
        )
    return JudgedItem(
        key=f"{item.kind}:{item.criterion}",
        mark=item.mark,
        word=MARK_WORDS[item.mark],
        title=item.name,
        criterion=item.criterion,
        score=MARK_WORDS[item.mark] if plain or item.mark == "unscored" else score,
        scale=None if plain else _scale(item),
        tags=list(_tags(item)),
        anchor=item.anchor and f"{wording.number(item.score)} means: {item.anchor}",
        texts=list(_texts(item)),
        quotes=quotes,
        people=[*people_blocks(item.also), *again_blocks(item)],
    )


def excerpt_block(found: Excerpt, beside: str = "") -> OutputExcerpt:
    """Describe a stretch of an output file, and who quotes it, unless it is the one `beside`.

    Every second text of it is marked; the last one ends a few lines after the last mark.
    """
    name = found.path.rpartition("/")[2]
    where = f"from line {found.line}" if found.line > 1 else ""
    if found.marks and found.quoted_for != beside:
        where = f"{where} · quoted for “{wording.line(found.quoted_for, MAX_NAME)}”".lstrip(" ·")
    at, texts = 0, []
    for begin, end in found.marks:
        texts += [found.text[at:begin], found.text[begin:end]]
        at = end
    lines = found.text[at : at + MAX_SHOWN].split("\n")
    rest = "\n".join(lines[: LINES_AFTER + 1] if found.marks else lines)
    if at + len(rest) < len(found.text.rstrip()):
        rest = f"{rest.rstrip()} …"
    return OutputExcerpt(
        label="From the output",
        name=name,
        path=found.path,
        where=where,
        line=found.line,
        texts=[*texts, rest],
    )


def _scale(item: Item) -> Scale | None:
    """Draw a short whole-number scale as steps, with the pass mark before the first passing one.

    A scale from 1 has a step for each score; on any other the lowest score has no step.
    """
    low, high, score, limit = item.min_score, item.max_score, item.score, item.pass_at
    if low is None or high is None or score is None:
        return None
    if not 1 < high - low <= MAX_STEPS or low != int(low) or high != int(high):
        return None
    steps = range(int(low) + (low != 1), int(high) + 1)
    reached = sum(step <= score for step in steps)
    below = next((at for at, step in enumerate(steps, 1) if step + 1 == limit), None)
    passes = "" if limit is None else f", passes at {wording.number(limit)}"
    return Scale(f"{wording.score(score, high)}{passes}", len(steps), reached, below)


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
    if item.status in ("stale", "superseded", UNATTACHED):
        yield item.status


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
        reason = other.rationale or other.evidence or NO_REASON
        yield Labelled(f"{who}: {score}", reason)
