"""What a rule or a model says that judged a run again, beside the recorded score."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from msgspec.structs import replace

from evalcore.families.base import is_review
from evalcore.families.reviews.review import PERSON
from evalcore.statistics.intervals import SAME
from evalcore.views.blocks.evidence import Person
from evalcore.views.run.items import Item
from evalcore.views.run.people import described, score_words
from evalcore.views.words import wording

_COUNTS = "scored"


def again_blocks(item: Item) -> list[Person]:
    """Describe each second judgment of a criterion, with the recorded score where it differs."""
    return [_block(who, said, item) for who, said in _by_judge(item)]


def again_line(items: Iterable[Item]) -> str:
    """Return who judged a run again, and in how many criteria that differs from the record."""
    found: dict[str, list[bool]] = {}
    for item in items:
        for who, said in _by_judge(item):
            if said[0].status == _COUNTS:
                found.setdefault(who, []).append(differs(said[0], item))
    return "; ".join(_line(who, differing) for who, differing in found.items())


def differs(again: Item, recorded: Item) -> bool:
    """Return whether a second judgment says something else than the recorded one, if there is."""
    if {again.mark, recorded.mark} == {"pass", "fail"}:
        return True
    known = again.score is not None and recorded.score is not None
    return known and abs((again.score or 0.0) - (recorded.score or 0.0)) > SAME


def _by_judge(item: Item) -> Iterator[tuple[str, Sequence[Item]]]:
    """Yield the second judgments of a criterion by judge: what counts first, then the newest."""
    again = [each for each in item.also if is_review(each.source) and each.judge_type != PERSON]
    for who, said in groupby(sorted(again, key=_order), key=_who):
        yield who, list(said)


def _order(item: Item) -> tuple[str, bool, float]:
    when = item.judged_at.timestamp() if item.judged_at is not None else 0.0
    return _who(item), item.status == "superseded", -when


def _who(item: Item) -> str:
    return wording.judge(item.judge, item.judge_type)


def _block(who: str, said: Sequence[Item], recorded: Item) -> Person:
    block = described(who, said, "judged once more")
    if not differs(said[0], recorded):
        return block
    return replace(block, score=f"{block.score}, recorded: {score_words(recorded)}")


def _line(who: str, differing: Sequence[bool]) -> str:
    many = wording.count(len(differing), "criterion")
    n = sum(differing)
    apart = f"{n:,} not as recorded" if n else "all as recorded"
    return f"judged again by {who}: {many}, {apart}"
