"""Criteria and tags as strips, those with a verdict first."""

from typing import Final

from evalcore.comparing.model import Comparison, Slice
from evalcore.counting.rates import SHARE
from evalcore.statistics.verdict import Word
from evalcore.views.blocks.base import Block
from evalcore.views.blocks.comparison import Strip, Strips, Turn
from evalcore.views.blocks.page import Say
from evalcore.views.compare.rates import AXIS, strip_values
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
CLICK: Final = "A click lists the cases."


def slice_blocks(found: Comparison, view: View) -> list[Block]:
    """Describe one page of the criteria and tags, each as A above B on one axis."""
    if not found.slices:
        return [Say(_nothing(found), quiet=True)]
    pages = _pages(found)
    page = min(view.slices, len(pages))
    shown = pages[page - 1]
    rows = [_row(one, found, view) for one in shown]
    blocks: list[Block] = [
        Say(slices_sentence(found), quiet=True),
        Strips("Criteria and tags", AXIS[False], rows),
    ]
    return [*blocks, _turn(pages, page)] if len(pages) > 1 else blocks


def _pages(found: Comparison) -> list[list[Slice]]:
    """Return the pages: first those of several cases, on pages of their own those of one case."""
    ordered = sorted(found.slices, key=_rank)
    several = [one for one in ordered if one.verdict is not None]
    single = [one for one in ordered if one.verdict is None]
    return [*_cut(several), *_cut(single)]


def _cut(those: list[Slice]) -> list[list[Slice]]:
    return [those[at : at + PAGE] for at in range(0, len(those), PAGE)]


def _turn(pages: list[list[Slice]], page: int) -> Turn:
    """Describe the links to the other pages and what they hold."""
    before = sum(map(len, pages[: page - 1]))
    shown, total = pages[page - 1], sum(map(len, pages))
    text = f"{before + 1:,}–{before + len(shown):,} of {total:,}"
    alone = sum(one.verdict is None for each in pages for one in each)
    if alone and page < len(pages) and not any(one.verdict is None for one in shown):
        text += f" · those of a single case stand on the last pages ({alone:,})"
    return Turn(text, page, len(pages))


def slices_sentence(found: Comparison) -> str:
    """Return the number of criteria and tags, how many differ, and the rule as a sentence."""
    parts = []
    for kind in ("criterion", "tag"):
        those = [one for one in found.slices if one.kind == kind]
        if those:
            parts.append(wording.count(len(those), kind))
    asked = [one.verdict for one in found.slices if one.verdict is not None]
    if not asked:
        return f"{_about(found)}{' and '.join(parts)}, each of a single case: no verdict. " + CLICK
    better, worse = (sum(v.direction == to for v in asked) for to in (1, -1))
    these = sum(v.only_on_these for v in asked)
    verdicts = f"{better:,} better, {worse:,} worse, {len(asked) - better - worse:,} can't tell"
    verdicts += f" ({these:,} on these cases only)" if these else ""
    single = len(found.slices) - len(asked)
    alone = f", {single:,} of a single case" if single else ""
    return (
        f"{_about(found)}{' and '.join(parts)}: {verdicts}{alone}. All are asked together, so each "
        f"needs more than it would alone (Holm). {CLICK}"
    )


def _about(found: Comparison) -> str:
    """Say which cases count if they are not those of the verdict above; else nothing."""
    return SHARED if found.verdict is None else ""


def _rank(one: Slice) -> tuple[int, float]:
    """Order by verdict, then by the size of the difference; single cases last."""
    size = abs((one.b.value or 0.0) - (one.a.value or 0.0))
    word = len(_ORDER) if one.verdict is None else _ORDER.index(one.verdict.word)
    return word, -size


def _row(one: Slice, found: Comparison, view: View) -> Strip:
    headline = found.headline if one.kind == "tag" else SHARE
    a, b, difference = strip_values(one.a, one.b, one.verdict, headline)
    return Strip(
        id=f"{one.kind}:{one.name[:_MAX_NAME]}",
        name=one.name[:_MAX_NAME],
        sub=f"{one.kind} · {_changed(one)}",
        hint=f"List the cases with this {one.kind}",
        act={one.kind: one.name},
        on=getattr(view, one.kind) == one.name,
        a=a,
        b=b,
        difference=difference,
    )


def _changed(one: Slice) -> str:
    """Return the direction of change of the cases in words."""
    if not (one.up or one.down):
        return "no case changed"
    if one.verdict is None:
        return "▲ improved" if one.up else "▼ regressed"
    return f"▲ {one.up:,} ▼ {one.down:,}"


def _nothing(found: Comparison) -> str:
    if not found.pairs:
        return "No case is compared, so there is no criterion to compare either."
    return "No criterion was judged on both sides, and no case has a tag."
