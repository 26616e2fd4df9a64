"""Describe criteria as a judge scored them: score on its scale, anchor, reasons and quotes.

What people say, and the rules and models that judged a run again, stands beside the recorded score.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Final

from msgspec.structs import replace

from evalcore.families.base import UNATTACHED, is_review
from evalcore.families.reviews.review import ADJUDICATED, NO_REASON, NOTHING, PERSON
from evalcore.judging.storing.names import person
from evalcore.statistics.intervals import SAME
from evalcore.views.blocks.base import Block, Labelled
from evalcore.views.blocks.evidence import JudgedItem, OutputExcerpt, Person, Quote, Scale
from evalcore.views.blocks.page import Heading
from evalcore.views.run.evidence import Evidence, Excerpt
from evalcore.views.run.items import ORDER, Item
from evalcore.views.run.quotes import HOW
from evalcore.views.words import wording
from evalcore.views.words.marks import MARK_WORDS

MAX_STEPS: Final = 10
MAX_SHOWN: Final = 1_500
LINES_AFTER: Final = 3
MAX_NAME: Final = 90
JUDGED_BY: Final = {"human": "judged by a person", "heuristic": "judged by a check"}

NOT_COUNTED: Final = {
    "stale": "stale: the output, the prompt or the criterion changed since, so it does not count",
    UNATTACHED: "unattached: nobody is asked this criterion of the run, so it does not count",
}
SEEN_BEFORE: Final = {
    NOTHING: "independent: saw no scores before",
    "recorded": "could see the recorded scores before",
    "others": "could see other people's scores before",
    "recorded+others": "could see the recorded and other people's scores before",
}
_UNSCORED: Final = "took the score back, or it cannot count"
_COUNTS: Final = "scored"


def criteria_blocks(found: Evidence, *, with_steps: bool = False) -> list[Block]:
    """Describe criteria and structural checks, failing ones first, and the output beside them.

    The output stands right after the first failed criterion, else after all of them.
    """
    gates: dict[bool | None, tuple[str, str | None]] = {
        None: ("no gate", None),
        True: ("gate passed", "pass"),
        False: ("gate failed: not judged", "fail"),
    }
    gate = found.run.gate_passed
    structural = _group("Structure", found.structural, *gates[gate], with_steps=with_steps)
    criteria = _group("Criteria", found.items, with_steps=with_steps)
    first = gate is False or any(item.mark == "fail" for item in found.structural)
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
    quotes = []
    for quote, path, line, how in item.quotes:
        name = (path or "").rpartition("/")[2]
        quotes.append(
            Quote(
                quote=quote,
                path=path,
                line=line,
                location=(f"{name}, line {line}" if line else name) or None,
                how=HOW.get(how or "", "").removeprefix("with "),
                steps=with_steps and path is None,
            )
        )
    return JudgedItem(
        key=f"{item.kind}:{item.criterion}",
        mark=item.mark,
        word=MARK_WORDS[item.mark],
        title=item.name,
        criterion=item.criterion,
        score=MARK_WORDS[item.mark] if item.mark == "unscored" else _score_words(item),
        scale=None if _is_verdict(item) else _scale(item),
        tags=list(_tags(item)),
        anchor=item.anchor and f"{wording.number(item.score)} means: {item.anchor}",
        texts=list(_texts(item)),
        quotes=quotes,
        people=_people(item),
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
    for other in item.also:
        if _is_person(other) or is_review(other.source):
            continue
        who = other.judge or other.judge_type or "another judge"
        if other.status == "superseded":
            who = f"superseded, {who}"
        score = wording.score(other.score, other.max_score)
        reason = other.rationale or other.evidence or NO_REASON
        yield Labelled(f"{who}: {score}", reason)


def _people(item: Item) -> list[Person]:
    """Describe the score of each person, an adjudication first, then each second judgment.

    Of one judge the scores that were corrected since are `old`; a second judgment that differs
    says the recorded score, too.
    """
    of_judge: dict[str, list[Item]] = {}
    people = filter(_is_person, item.also)
    for each in sorted(people, key=lambda each: (each.judge or "", *_age(each))):
        of_judge.setdefault(each.judge or "a person", []).append(each)
    adjudicated_first = sorted(of_judge.items(), key=lambda entry: entry[0] != ADJUDICATED)
    blocks = [_described(person(judge), said) for judge, said in adjudicated_first]
    for who, said in _judged_again(item).items():
        block = _described(who, said, "judged once more")
        if differs(said[0], item):
            block = replace(block, score=f"{block.score}, recorded: {_score_words(item)}")
        blocks.append(block)
    return blocks


def again_line(items: Iterable[Item]) -> str:
    """Return who judged a run again, and in how many criteria that differs from the record."""
    found: dict[str, list[bool]] = {}
    for item in items:
        for who, said in _judged_again(item).items():
            if said[0].status == _COUNTS:
                found.setdefault(who, []).append(differs(said[0], item))
    lines = []
    for who, differing in found.items():
        many, n = wording.count(len(differing), "criterion"), sum(differing)
        apart = f"{n:,} not as recorded" if n else "all as recorded"
        lines.append(f"judged again by {who}: {many}, {apart}")
    return "; ".join(lines)


def differs(again: Item, recorded: Item) -> bool:
    """Return whether a second judgment says something else than the recorded one, if there is."""
    if {again.mark, recorded.mark} == {"pass", "fail"}:
        return True
    known = again.score is not None and recorded.score is not None
    return known and abs((again.score or 0.0) - (recorded.score or 0.0)) > SAME


def _judged_again(item: Item) -> dict[str, list[Item]]:
    """Return the second judgments of a criterion by judge: what counts first, then the newest."""
    found: dict[str, list[Item]] = {}
    for each in sorted(item.also, key=_age):
        if is_review(each.source) and each.judge_type != PERSON:
            found.setdefault(wording.judge(each.judge, each.judge_type), []).append(each)
    return dict(sorted(found.items()))


def _is_person(item: Item) -> bool:
    return item.judge_type == "human" or item.judge == ADJUDICATED


def _age(item: Item) -> tuple[bool, float]:
    """Return the sort key of a judge's scores: what was replaced last, else the newest first."""
    when = item.judged_at.timestamp() if item.judged_at is not None else 0.0
    return item.status == "superseded", -when


def _described(judge: str, said: Sequence[Item], replaced: str = "corrected") -> Person:
    """Describe the scores of one judge, newest first; `replaced` is said of all but that."""
    now = said[0]
    about = [wording.moment(now.judged_at)] if now.judged_at is not None else []
    if now.confidence_level or now.confidence is not None:
        about.append(f"confidence {wording.confidence(now.confidence_level, now.confidence)}")
    if now.seen is not None:
        about.append(SEEN_BEFORE[now.seen])
    why = now.rationale or ("" if now.evidence else NO_REASON)
    texts = [Labelled("", why)] if why else []
    texts += [Labelled("evidence", now.evidence)] if now.evidence else []
    old = []
    for newer, item in pairwise(said):
        was = wording.score(item.score, item.max_score)
        label = f"{replaced} on {wording.moment(newer.judged_at)}; was {was}"
        old.append(Labelled(label, item.rationale or item.evidence or NO_REASON))
    return Person(
        who=judge,
        mark=now.mark,
        score=_score_words(now),
        about=about,
        stale=NOT_COUNTED.get(now.status or "", ""),
        texts=texts,
        old=old,
        olds=wording.count(len(said) - 1, "earlier score"),
    )


def _score_words(item: Item) -> str:
    """Return a score on its scale; pass or fail as a word."""
    if item.mark == "unscored":
        return _UNSCORED
    if _is_verdict(item):
        return MARK_WORDS[item.mark]
    return wording.score(item.score, item.max_score)


def _is_verdict(item: Item) -> bool:
    unit = item.min_score in (None, 0.0) and item.max_score in (None, 1.0)
    return unit and item.mark in ("pass", "fail")
