"""The independent batches of a suite in words: who asked, for what, and how far each judge is."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Final

from evalcore.judging.answering.independent import Draw, Started
from evalcore.judging.asking.seen import last_seen
from evalcore.judging.queueing.batches import Batch
from evalcore.judging.storing.judging_rule import WORDS, JudgingRule
from evalcore.judging.storing.names import person
from evalcore.judging.storing.shown import shown_to
from evalcore.judging.storing.stored_reviews import ReviewFolder
from evalcore.views.blocks.base import Block
from evalcore.views.blocks.page import Cell, Row, Say, Table, heads
from evalcore.views.words import wording

FIRST: Final = 6
"""How many batches show before the list is folded."""
WHAT: Final = (
    "The judges see nobody's scores of these runs, and not which version made them, until they "
    "have stored their own. Runs of all versions come mixed. Everybody else sees them as before."
)


def batch_blocks(found: Sequence[Batch]) -> list[Block]:
    """Describe what a batch is for, and the batches, the newest first."""
    if not found:
        return [Say(WHAT, quiet=True)]
    rows = []
    for batch in found:
        when, runs = wording.moment(batch.since), batch.runs
        asked = f"{when}; {batch.reason}" if batch.reason else when
        judged = []
        for one in batch.judges:
            given_up = f", {one.given_up:,} given up" if one.given_up else ""
            judged.append(f"{person(one.judge)} {one.judged:,} of {runs:,}{given_up}")
        cells = [
            Cell(person(batch.author), sub=asked, id=batch.id),
            Cell(drawn_words(runs, batch.out_of, random=batch.random)),
            Cell(", ".join(judged)),
        ]
        rows.append(Row(cells))
    head = heads("asked by", "runs", "judged")
    return [Table("Independent batches", head, rows, fold=FIRST), Say(WHAT, quiet=True)]


def drawn_words(runs: int, out_of: int, *, random: bool) -> str:
    """Return how many runs were taken of how many: `12 of 42, drawn at random`."""
    if runs == out_of:
        return f"all {runs:,}" if runs > 1 else "the only one"
    return f"{runs:,} of {out_of:,}, {'drawn at random' if random else 'chosen'}"


def seen_words(who: str, when: datetime) -> str:
    """Return that scores of runs that somebody is asked for will not count as independent."""
    mine = "your" if who == "You" else "their"
    return (
        f"{who} saw scores of this suite on {wording.moment(when)}: {mine} labels of runs that had "
        "scores then will not count as independent for Trust. Ask somebody who saw none."
    )


def seen_of(reviews: ReviewFolder, judges: Iterable[str]) -> list[str]:
    """Return that for each of some judges (ids) to whom this machine showed scores of a suite."""
    known = ((judge, last_seen(shown_to(reviews, judge))) for judge in judges)
    return [seen_words(person(judge), when) for judge, when in known if when is not None]


def rule_words(rule: JudgingRule) -> str:
    """Return who chose which reasons a suite requires, and when; or what holds otherwise."""
    if rule.since is None:
        return "Nobody has chosen: every score and every blind verdict needs its reason."
    return f"{person(rule.author)} chose that {WORDS[rule.reasons]}, {wording.moment(rule.since)}."


def started_words(started: Started, draw: Draw, judges: Iterable[str]) -> str:
    """Return the result of starting a batch."""
    runs = wording.count(len(started.receipts), "run")
    words = f"{', '.join(map(person, judges))} will judge {runs} independently"
    if len(draw.runs) < draw.out_of:
        words += f" ({drawn_words(len(draw.runs), draw.out_of, random=draw.drawn == 'random')})"
    rest = f" The rest was not asked for: {started.failed}" if started.failed else ""
    return f"{words}.{rest}"
