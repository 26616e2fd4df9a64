"""What a model said of each failure that a run asked about, with the link to the failure."""

from collections.abc import Collection
from typing import Final

from evalcore.engine.found import FailureFound
from evalcore.engine.progress import Progress
from evalcore.views.blocks.base import Block, link
from evalcore.views.blocks.page import Cell, Heading, Row, Say, Table
from evalcore.views.runs.failure_words import asked_words, case_words, explained
from evalcore.views.runs.step_words import missing_of, outcome_words
from evalcore.views.words import wording

LISTED: Final = 200
FOLD: Final = 12
MAX_TEXT: Final = 400
_HEAD: Final = (("Failed run", False), ("Type", False), ("Root cause", False))


def failure_blocks(found: Progress, hidden: Collection[str] = ()) -> list[Block]:
    """Describe what a run found out of failures; of `hidden` runs nothing."""
    steps = found.plan.failures
    if steps is None or not (found.explained or found.failed):
        return []
    told = explained(found, hidden)
    blocks: list[Block] = [Heading(asked_words(steps).capitalize())]
    blocks += [Say(each) for each in outcome_words(found, hidden)]
    if told:
        rows = [_row(each) for each in told[:LISTED]]
        blocks.append(Table("Asked of a model", _HEAD, rows, fold=FOLD))
    blocks += [Say(each) for each in missing_of(found, hidden)[:LISTED]]
    if left := len(set(steps.runs).intersection(hidden)):
        blocks.append(Say(f"{wording.hidden_runs(left)} are not shown.", quiet=True))
    return blocks


def _row(each: FailureFound) -> Row:
    name = Cell(case_words(each.run), link=link("failures", failure=each.run), id=each.run)
    if not each.is_valid:
        answer = f"It answered: {each.answers[0]}" if any(each.answers) else ""
        return Row([name, Cell("unchanged", quiet=True), Cell(each.why, sub=_short(answer))])
    kind = Cell(each.type.replace("-", " "), sub=each.severity, keep=True)
    return Row([name, kind, Cell(_short(each.root_cause), sub=_short(each.gap))])


def _short(text: str) -> str:
    return text if len(text) <= MAX_TEXT else f"{text[: MAX_TEXT - 1]}…"
