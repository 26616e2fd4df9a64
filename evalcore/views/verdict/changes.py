"""How many cases a comparison changed in each direction: the counts that stand below a verdict."""

from collections import Counter
from collections.abc import Mapping
from typing import Final, Literal, NamedTuple

from evalcore.comparing.model import Comparison
from evalcore.palette import PALETTE

CHANGE_SIGNS: Final[Mapping[str, str]] = {
    "regressed": PALETTE.worse.sign,
    "improved": PALETTE.better.sign,
    "same": PALETTE.tie.sign,
}
Direction = Literal["regressed", "improved", "same", "left"]


class ChangeCount(NamedTuple):
    """So many cases of one direction, with its word, mark and meaning."""

    key: Direction
    n: int
    word: str
    mark: str
    hint: str


def change_counts(found: Comparison) -> tuple[ChangeCount, ...]:
    """Return the counts in their order; without a verdict only how many are left out."""
    n = Counter(pair.change for pair in found.pairs)
    changes = (
        ChangeCount(
            "regressed", n["regressed"], "regressed", "down", "Cases with a lower value in B than A"
        ),
        ChangeCount(
            "improved", n["improved"], "improved", "up", "Cases with a higher value in B than A"
        ),
        ChangeCount("same", n["same"], "same", "same", "Cases with the same value on both sides"),
    )
    out = "Cases that the verdict does not count, each with its reason"
    left = ChangeCount("left", len(found.left_out), "left out", "none", out)
    return (*(changes if found.pairs else ()), *([left] if left.n else []))
