"""The picture of a verdict: each case by its difference, and below it the mean with its range.

Differences lie in columns of 10 points. What did not change has a wide column of its own between
the worse and the better cases, so that no change, however small, is drawn as none.
"""

import math
from typing import Final

from evalcore.comparing.model import CasePair, Change, Comparison
from evalcore.counting.rates import EFFICIENCY
from evalcore.statistics.intervals import SAME
from evalcore.statistics.verdict import Verdict
from evalcore.views.blocks.base import PanelData
from evalcore.views.blocks.comparison import CaseDots
from evalcore.views.verdict.differences import agreeing_places, points, signed
from evalcore.views.verdict.sentence import change_words, likely_words
from evalcore.views.words import wording

EACH_WAY: Final = 10
"""How many columns there are of worse cases, and of better ones."""
SAME_WIDTH: Final = 3
"""The width of the column of unchanged cases, in columns."""
MOST_DOTS: Final = 300
MOST_HIGH: Final = 40
"""Beyond so many cases, or so many above each other on a phone, a column is a bar."""
SMALL: Final = 20
"""Beyond so many above each other marks are small."""
FEWEST_CASES: Final = 2
MAX_NAME: Final = 80
TITLE: Final = "Difference of each case"
_WORDS: Final[dict[Change, str]] = {"regressed": "worse", "improved": "better", "same": "same"}


def dot_blocks(found: Comparison, case_id: str | None) -> list[CaseDots]:
    """Describe every compared case by its difference; nothing where there are not two."""
    if found.verdict is None or len(found.pairs) < FEWEST_CASES:
        return []
    columns: dict[int, list[CasePair]] = {}
    for pair in found.pairs:
        columns.setdefault(column_of(pair), []).append(pair)
    headline, most = found.headline, max(map(len, columns.values()))
    high = max(len(pairs) / (SAME_WIDTH if at == 0 else 1) for at, pairs in columns.items())
    each = len(found.pairs) <= MOST_DOTS and high <= MOST_HIGH
    unit = "" if headline == EFFICIENCY else ", in points"
    marks = (
        "Each mark is a case and opens it, as the list does." if each else "Columns count cases."
    )
    drawn = []
    for at, pairs in sorted(columns.items()):
        change, n = pairs[0].change, wording.count(len(pairs), "case")
        drawn.append(
            {
                "at": at,
                "change": change,
                "n": len(pairs),
                "text": f"{_range(at, headline)}: {n} {_WORDS[change]}",
                "share": len(pairs) / most,
                "dots": [_dot(pair, headline) for pair in pairs] if each else [],
            }
        )
    return [
        CaseDots(
            title=TITLE,
            hint=f"B minus A{unit}. {marks}",
            axis=[_end(share, headline) for share in (-1.0, -0.5, 0.0, 0.5, 1.0)],
            columns=drawn,
            mean=_mean(found, found.verdict),
            case=case_id,
            small=high > SMALL,
        )
    ]


def column_of(pair: CasePair) -> int:
    """Return the column of a case, from -10 (most got worse) to 10; 0 is for what is the same."""
    if pair.change == "same":
        return 0
    size = max(math.ceil(EACH_WAY * abs(pair.difference) - SAME), 1)
    return int(math.copysign(min(size, EACH_WAY), pair.difference))


def place_of(difference: float) -> float:
    """Return where a difference lies, from 0 (the first column's start) to 1 (the last's end)."""
    way = EACH_WAY * min(max(difference, -1.0), 1.0)
    same = 0.0 if way < -SAME else SAME_WIDTH if way > SAME else SAME_WIDTH / 2
    return (EACH_WAY + same + way) / (2 * EACH_WAY + SAME_WIDTH)


def _dot(pair: CasePair, headline: str) -> PanelData:
    by = "same" if pair.change == "same" else points(pair.difference, headline)
    return {"id": pair.case_id, "text": f"{wording.line(pair.name, MAX_NAME)}: {by}"}


def _range(at: int, headline: str) -> str:
    """Return the differences of a column in words: `+30 to +40 points`."""
    if at == 0:
        return "no difference"
    near, far = (at - math.copysign(1, at)) / EACH_WAY, at / EACH_WAY
    return f"{signed(near, headline)} to {points(far, headline)}"


def _end(difference: float, headline: str) -> str:
    """Return a number of the axis; the middle stands for the cases that are the same."""
    if difference == 0:
        return "same"
    text = signed(difference, headline)
    return text.replace(".00", "").replace(".50", ".5") if headline == EFFICIENCY else text


def _mean(found: Comparison, verdict: Verdict) -> PanelData:
    """Describe the mean difference, with its likely range where the verdict tells one."""
    a, b = found.estimate_a, found.estimate_b
    places = agreeing_places(a.value, b.value, found.headline) if a and b else 0
    told = bool(likely_words(verdict, found.headline))
    low, high = (verdict.low, verdict.high) if told else (None, None)
    return {
        "value": None if verdict.difference is None else place_of(verdict.difference),
        "low": None if low is None else place_of(low),
        "high": None if high is None else place_of(high),
        "text": f"Mean {change_words(verdict, found.headline, places)}",
    }
