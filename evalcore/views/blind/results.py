"""The results of a blind study in words and tables."""

from collections.abc import Sequence
from typing import Final

from evalcore.blind.results import Counts, Results, Share
from evalcore.blind.unblinding import Unblinded, Won
from evalcore.judging.studies import Study
from evalcore.statistics.preferences import ENOUGH
from evalcore.statistics.verdict import Verdict
from evalcore.views.blocks.base import Block, link
from evalcore.views.blocks.page import Cell, Heading, Row, Say, Table, heads
from evalcore.views.blocks.page import Verdict as Headline
from evalcore.views.words.wording import count, fixed, percent

SUSPECT: Final = 0.05
HELD: Final = "stricter level, as several criteria are tested"
WORDS: Final[dict[Won, str]] = {
    "a": "A is better", "b": "B is better", "tie": "tie", "both bad": "both are bad",
}  # fmt: skip


def result_blocks(study: Study, found: Results, recorded: str | None) -> list[Block]:
    """Describe the results of a closed study; `recorded` is what the recorded scores say."""
    sides = f"A is {study.fields.side_a}, B is {study.fields.side_b}."
    word = found.verdict.word if found.verdict is not None else "can't tell"
    blocks: list[Block] = [
        Headline(headline(found), word, how=how(found.verdict), rest=sides),
        Say(counted(found)),
    ]
    blocks += [Say(text, quiet=True) for text in remarks(found)]
    if recorded is not None:
        blocks += [Heading("Recorded scores of the same two"), Say(recorded)]
    if found.scores:
        head = heads("Criterion", "#A", "#B", "#Verdicts", "B is")
        rows = [
            Row(
                [
                    Cell(each.criterion),
                    Cell(fixed(each.a, 1), num=True),
                    Cell(fixed(each.b, 1), num=True),
                    Cell(f"{each.verdicts:,}", num=True),
                    Cell(each.verdict.word),
                ]
            )
            for each in found.scores
        ]
        blocks += [Heading("Scores", hint=HELD), Table("Scores", head, rows)]
    runs = {pair.case_id: pair.run_b for pair in study.fields.pairs}
    rows = [
        Row(
            [
                Cell(each.case_id, link=link("gradings", run=runs[each.case_id]), clamp=True),
                *(Cell(f"{n:,}", num=True) for n in (each.counts.a, each.counts.b)),
                Cell(f"{each.counts.tie + each.counts.both_bad:,}", num=True),
                Cell(percent(each.preference), num=True),
            ]
        )
        for each in sorted(found.cases, key=lambda case: (case.preference, case.case_id))
    ]
    head = heads("Case", "#A", "#B", "#Tie", "#Preference for B")
    return [*blocks, Heading("Cases", hint="best for A first"), Table("Cases", head, rows)]


def headline(found: Results) -> str:
    """Say who won and how far that carries, in the words of every verdict."""
    if found.verdict is None or found.rate is None:
        return "No verdict counts yet."
    rate = f"B is preferred in {percent(found.rate.value)}"
    of = f"mean over {count(len(found.cases), 'case')}"
    error = "" if found.rate.error is None else f", standard error {percent(found.rate.error)}"
    word = found.verdict.word
    said = "Can't tell which is better" if word == "can't tell" else f"B is {word}"
    return f"{said}: {rate} ({of}{error}), a tie counting half."


def how(verdict: Verdict | None) -> list[str]:
    """Return how the verdict was reached: the tests and the interval."""
    if verdict is None:
        return []
    said = ["Each case counts once, with the mean preference of its verdicts."]
    if verdict.these_p is not None:
        said.append(f"On these cases: p {fixed(verdict.these_p, 3)}, exact test of signs.")
    if verdict.p is not None and verdict.low is not None and verdict.high is not None:
        low, high = ((end + 1) / 2 for end in (verdict.low, verdict.high))
        said.append(
            f"For cases like these: p {fixed(verdict.p, 3)}; preference for B from {percent(low)} "
            f"to {percent(high)} (95 %)."
        )
    return said


def counted(found: Results) -> str:
    """Say in how many cases each side is ahead, and how often each was said."""
    even = len(found.cases) - found.ahead - found.behind
    ahead = f"B is ahead in {count(found.ahead, 'case')}, A in {found.behind:,}"
    return f"{ahead}{f', even in {even:,}' if even else ''}: {_counts(found.counts)}."


def _counts(of: Counts) -> str:
    bad = f", {of.both_bad:,} both bad" if of.both_bad else ""
    return f"{count(of.b, 'verdict')} for B, {of.a:,} for A, {count(of.tie, 'tie')}{bad}"


def remarks(found: Results) -> list[str]:
    """Return what could have misled the judges, and what was set apart."""
    said = []
    if sum(found.known):
        said.append(f"Not counted, as the judge knew which is which: {_counts(found.known)}.")
    if found.identical:
        same = count(found.identical, "pair")
        said.append(f"{same} with identical outputs, not judged: each a tie.")
    said.append(
        _shared("The left output won", found.left, "position may have influenced the judges")
    )
    said.append(
        _shared("The longer output won", found.longer, "length may have influenced the judges")
    )
    if found.compared:
        same = f"{found.agreeing:,} of {found.compared:,}"
        said.append(f"Judges of the same pair agreed {same} times.")
    if found.evidence >= ENOUGH:
        said.append("The evidence is strong enough to stop (20 to 1 or more).")
    else:
        said.append(
            f"Not enough evidence to stop: {fixed(found.evidence, 1)} to 1, and 20 to 1 is needed."
        )
    return said


def _shared(what: str, share: Share, doubt: str) -> str:
    if share.p is None:
        return f"{what}: nothing was decided."
    more = f"; {doubt}" if share.p < SUSPECT else ""
    return f"{what} {share.went:,} of {share.of:,} times (p {fixed(share.p, 2)}){more}."


def told_blocks(study: Study, verdicts: Sequence[Unblinded]) -> list[Block]:
    """Describe to a judge which side was which in each of their verdicts."""
    rows = [
        Row([Cell(each.pair.case_id), Cell(WORDS[each.won]), Cell(each.a)]) for each in verdicts
    ]
    sides = f"A is {study.fields.side_a}, B is {study.fields.side_b}."
    table = Table("Which was which", heads("Case", "You said", "A was"), rows)
    return [Heading("Which was which"), Say(sides), table]
