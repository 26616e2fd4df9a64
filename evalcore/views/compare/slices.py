"""Criteria and tags as strips, those with a verdict first."""

from typing import Final

from evalcore.comparing.model import Comparison, Slice
from evalcore.counting.rates import SHARE
from evalcore.statistics.verdict import Word
from evalcore.views.blocks.base import Block
from evalcore.views.blocks.comparison import Strips, Turn
from evalcore.views.blocks.page import Say
from evalcore.views.compare.rates import AXIS, strip, strip_values
from evalcore.views.compare.state import View
from evalcore.views.words import wording

PAGE: Final = 20
_ORDER: Final[tuple[Word, ...]] = (
    "worse", "worse on these cases", "better", "better on these cases", "can't tell",
)  # fmt: skip
_MAX_NAME: Final = 300
SHARED: Final = (
    "The two sides as a whole are not comparable. These criteria have the same wording on both "
    "sides and are compared one by one; they say nothing about the rest. "
)
CLICK: Final = " A click lists the cases."


def slice_blocks(found: Comparison, view: View, click: str = CLICK) -> list[Block]:
    """Describe one page of the criteria and tags, each as A above B on one axis.

    `click` says what a click does: nothing where there is nothing to click on.
    """
    if not found.slices:
        none = "No criterion was judged on both sides, and no case has a tag."
        if not found.pairs:
            none = "No case is compared, so there is no criterion to compare either."
        return [Say(none, quiet=True)]
    pages = _pages(found)
    page = min(view.slices, len(pages))
    shown = pages[page - 1]
    rows = []
    for one in shown:
        headline, name = found.headline if one.kind == "tag" else SHARE, one.name[:_MAX_NAME]
        row = strip(
            f"{one.kind}:{name}",
            name,
            strip_values(one.a, one.b, one.verdict, headline),
            sub=f"{one.kind} · {_changed(one)}",
            hint=f"List the cases with this {one.kind}",
            act={one.kind: one.name},
            on=getattr(view, one.kind) == one.name,
        )
        rows.append(row)
    blocks: list[Block] = [
        Say(f"{_sentence(found)}{click}", quiet=True),
        Strips("Criteria and tags", AXIS[False], rows),
    ]
    if len(pages) == 1:
        return blocks
    before = sum(map(len, pages[: page - 1]))
    text = f"{before + 1:,}–{before + len(shown):,} of {len(found.slices):,}"
    alone = sum(one.verdict is None for one in found.slices)
    if alone and page < len(pages) and shown[0].verdict is not None:
        text += f" · those of a single case stand on the last pages ({alone:,})"
    return [*blocks, Turn(text, page, len(pages))]


def _pages(found: Comparison) -> list[list[Slice]]:
    """Return the pages: first those of several cases, on pages of their own those of one case.

    They are in the order of their verdicts, then of the size of their differences.
    """

    def rank(one: Slice) -> tuple[int, float]:
        size = abs((one.b.value or 0.0) - (one.a.value or 0.0))
        return len(_ORDER) if one.verdict is None else _ORDER.index(one.verdict.word), -size

    ordered = sorted(found.slices, key=rank)
    several = [one for one in ordered if one.verdict is not None]
    single = [one for one in ordered if one.verdict is None]
    return [
        those[at : at + PAGE] for those in (several, single) for at in range(0, len(those), PAGE)
    ]


def _sentence(found: Comparison) -> str:
    """Return the number of criteria and tags, how many differ, and the rule as a sentence."""
    counts = (
        (sum(one.kind == kind for one in found.slices), kind) for kind in ("criterion", "tag")
    )
    parts = " and ".join(wording.count(n, kind) for n, kind in counts if n)
    # Without a verdict above, other cases count than it speaks of.
    about = f"{SHARED if found.verdict is None else ''}{parts}"
    asked = [one.verdict for one in found.slices if one.verdict is not None]
    if not asked:
        return f"{about}, each of a single case: no verdict."
    better, worse = (sum(v.direction == to for v in asked) for to in (1, -1))
    these = sum(v.only_on_these for v in asked)
    verdicts = f"{better:,} better, {worse:,} worse, {len(asked) - better - worse:,} can't tell"
    verdicts += f" ({these:,} on these cases only)" if these else ""
    single = len(found.slices) - len(asked)
    alone = f", {single:,} of a single case" if single else ""
    return (
        f"{about}: {verdicts}{alone}. All are asked together, so each needs more than it would "
        f"alone (Holm)."
    )


def _changed(one: Slice) -> str:
    """Return the direction of change of the cases in words."""
    if not (one.up or one.down):
        return "no case changed"
    if one.verdict is None:
        return "▲ improved" if one.up else "▼ regressed"
    return f"▲ {one.up:,} ▼ {one.down:,}"
