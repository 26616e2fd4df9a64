"""What a model that judged a run left unscored, with its raw answers, and what to know of it."""

from collections.abc import Collection, Iterator
from itertools import groupby
from typing import Final

from evalcore.engine.plan import Plan
from evalcore.engine.progress import Progress
from evalcore.views.blocks.base import Block
from evalcore.views.blocks.page import Cell, Heading, Row, Say, Table
from evalcore.views.runs.model_words import Unscored, control_words, remarks, unscored_of
from evalcore.views.words import wording

LISTED: Final = 200
FOLD: Final = 8
MAX_TEXT: Final = 300
_HEAD: Final = (("Test run and criteria", False), ("Why", False))


def model_blocks(plan: Plan, found: Progress, hidden: Collection[str] = ()) -> list[Block]:
    """Describe what the model of a run left unscored; of `hidden` test runs nothing."""
    if not plan.models and not plan.step_names:
        return []
    left = [] if not plan.models else unscored_of(found, hidden)
    return [*_unscored(plan, left), *_remarks(found, hidden)]


def _unscored(plan: Plan, left: list[Unscored]) -> Iterator[Block]:
    """Describe criteria without a score; those of one test run for one reason stand together."""
    if not left:
        return
    title = "Left unscored by the model"
    together = [list(found) for _, found in groupby(left, lambda each: (each.run_id, each.why))]
    yield Heading(title, wording.count(len(left), "criterion"))
    yield Table(title, _HEAD, [_row(each) for each in together[:LISTED]], fold=FOLD)
    people = "" if plan.again else "People are asked on the Judge page. "
    yield Say(f"{people}`evalcore runs --json` has the full answers.", quiet=True)


def _row(found: list[Unscored]) -> Row:
    first, names = found[0], "; ".join(each.criterion for each in found)
    why = Cell(first.why, sub=_short(f"It answered: {first.answer}") if first.answer else "")
    return Row([Cell(f"{first.case} · run {first.run}", sub=_short(names), id=first.run_id), why])


def _short(text: str) -> str:
    return text if len(text) <= MAX_TEXT else f"{text[: MAX_TEXT - 1]}…"


def _remarks(found: Progress, hidden: Collection[str]) -> Iterator[Block]:
    said = [*control_words(found, hidden), *remarks(found, hidden)]
    if said:
        yield Heading("Before you trust these scores", "")
    yield from (Say(each) for each in said[:LISTED])
