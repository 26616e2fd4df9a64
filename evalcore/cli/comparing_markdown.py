"""A comparison as Markdown, for a pull request or the summary of a build: text, never markup."""

from collections.abc import Iterable, Iterator
from typing import Final

from evalcore.charts.data import inert, row, rule
from evalcore.comparing.model import CasePair, Comparison, Side
from evalcore.counting.choices import suite_names
from evalcore.palette import PALETTE
from evalcore.views.compare.case import changed_criterion
from evalcore.views.compare.cases import change_of, values
from evalcore.views.verdict.changes import CHANGE_SIGNS, change_counts
from evalcore.views.verdict.picture import verdict_picture
from evalcore.views.verdict.sentence import cautions, lead, rest
from evalcore.views.words.wording import line

MOST: Final = 65_000
"""A comment on GitHub holds 65,536 characters; some are left for who posts it."""
CASES: Final = 20
CAUTIONS: Final = 20
_LONGEST: Final = 1_500
"""So many characters of a sentence: escaped they are eight times as many at most."""
_NAME: Final = 120
_VERDICTS: Final = {
    1: PALETTE.better.sign,
    0: PALETTE.missing.sign,
    -1: PALETTE.worse.sign,
}
"""A sign before the sentence also keeps a name at its beginning from being the first of a line."""


def markdown(
    c: Comparison, a: Side, b: Side, said: Iterable[str] = (), report: str = ""
) -> list[str]:
    """Return the lines of a comparison: headline, counts, cautions, and the cases that changed.

    `said` are sentences that rules add to the verdict, `report` is the address of a whole report.
    Together they have `MOST` characters at most; what does not fit is counted.
    """
    caption = verdict_picture(b.ws, c).caption
    direction = c.verdict.direction if c.verdict else 0
    signed = ((CHANGE_SIGNS.get(one.key, ""), one) for one in change_counts(c))
    counts = (f"{sign} {one.n:,} {one.word}".strip() for sign, one in signed)
    ends = [f"[Report](<{report}>)", ""] if report else []
    ends.append(_text(f"{caption.source} · {caption.date} · evalcore"))
    suite = suite_names(b.ws).get(c.b.suite, c.b.suite)
    title = line(f"{suite}: {caption.title}", 3 * _NAME)
    lines = [f"### {inert(title)}", ""]
    lines += [f"{_VERDICTS[direction]} {_text(lead(c))}", ""]
    for each in filter(None, (rest(c), *said, " · ".join(counts))):
        lines += [_text(each), ""]
    known = cautions(c)
    if known:
        room = (MOST - _size([*lines, *ends])) // 2
        lines += _fitting((f"- {_text(each)}" for each in known[:CAUTIONS]), len(known), room)
        lines.append("")
    changed = [pair for pair in c.pairs if pair.change != "same"]
    if changed:
        lines += [row(["", "case", "A → B", "difference", "criterion"]), rule(5)]
        rows = (_row(c, a, b, pair) for pair in changed[:CASES])
        lines += _fitting(rows, len(changed), MOST - _size([*lines, *ends]))
        lines.append("")
    return [*lines, *ends]


def _row(c: Comparison, a: Side, b: Side, pair: CasePair) -> str:
    """Return a case as a row of the table, with the criterion that changed with it."""
    criterion = line(changed_criterion(c, a, b, pair), 2 * _NAME)
    moved = change_of(pair, c.headline)
    sign, name = CHANGE_SIGNS[pair.change], line(pair.name, _NAME)
    return row([sign, name, values(pair, c.headline), moved, criterion])


def _fitting(rows: Iterable[str], total: int, room: int) -> Iterator[str]:
    """Yield what has room, whole lines only, and at the end how many more there are."""
    room -= len(_more(total))
    shown = 0
    for each in rows:
        room -= len(each) + 1
        if room < 0:
            break
        shown += 1
        yield each
    if shown < total:
        yield _more(total - shown)


def _more(left: int) -> str:
    return f"\n… and {left:,} more."


def _text(sentence: str) -> str:
    return inert(line(sentence, _LONGEST))


def _size(lines: Iterable[str]) -> int:
    return sum(len(each) + 1 for each in lines)
