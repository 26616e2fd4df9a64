"""What a model that judged a run left unscored, with its raw answers, and what to know of it."""

from collections.abc import Collection, Iterator
from typing import Final

from evalcore.engine.plan import Plan
from evalcore.engine.progress import Progress
from evalcore.views.blocks.base import Block
from evalcore.views.blocks.page import Cell, Heading, Row, Say, Table
from evalcore.views.runs.model_words import Unscored, remarks, unscored_of
from evalcore.views.words import wording

LISTED: Final = 50
MAX_ANSWER: Final = 600
_HEAD: Final = (("Criterion", False), ("Why it has no score", False), ("The answer", False))


def model_blocks(plan: Plan, found: Progress, hidden: Collection[str] = ()) -> list[Block]:
    """Describe what the model of a run left unscored; of `hidden` test runs nothing."""
    if plan.model is None:
        return []
    return [*_unscored(plan, unscored_of(found, hidden)), *_remarks(found, hidden)]


def _unscored(plan: Plan, left: list[Unscored]) -> Iterator[Block]:
    if not left:
        return
    criteria = wording.count(len(left), "criterion")
    yield Heading("Left unscored by the model", criteria)
    yield Table("Left unscored by the model", _HEAD, [_row(each) for each in left[:LISTED]])
    more = f"{LISTED} of {len(left):,}. " if len(left) > LISTED else ""
    people = "" if plan.again else "People are asked on the Judge page. "
    yield Say(f"{more}{people}`evalcore runs --json` has the answers whole.", quiet=True)


def _row(each: Unscored) -> Row:
    answer = each.answer
    short = answer if len(answer) <= MAX_ANSWER else f"{answer[: MAX_ANSWER - 1]}…"
    return Row(
        [
            Cell(each.criterion, sub=f"{each.case} · run {each.run}", id=each.run_id),
            Cell(each.status.replace("_", " "), sub=each.why),
            Cell(short),
        ]
    )


def _remarks(found: Progress, hidden: Collection[str]) -> Iterator[Block]:
    said = remarks(found, hidden)
    if said:
        yield Heading("To know before you trust these scores", "")
    yield from (Say(each) for each in said[:LISTED])
