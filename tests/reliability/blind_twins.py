"""Blind comparisons at length: twins that differ only by the side of the versions tell the same."""

from contextlib import ExitStack
from pathlib import Path

from playwright.sync_api import sync_playwright

from evalcore.judging.storing.store import new_id
from tests.dashboard.conftest import BROWSER_FLAGS
from tests.dashboard.planting import seen
from tests.dashboard.twins import CASES, TELLING, differences, judged_whole
from tests.reliability.outcome import Line
from tools import browser


def compared(home: Path, number: int) -> Line:
    """Judge so many pairs of twins; what only one of both was told counts as lost."""
    studies = [new_id() for _ in range(number // (2 * CASES))]
    with sync_playwright() as playwright, ExitStack() as running:
        chromium = playwright.chromium.launch(
            executable_path=browser.find(), args=list(BROWSER_FLAGS)
        )
        (one, at_one), (other, at_other) = (
            running.enter_context(judged_whole(chromium, home / name, studies, swapped=swapped))
            for name, swapped in (("one", False), ("other", True))
        )
        told = differences(one.alike(at_one), other.alike(at_other))
        words = [*one.found(TELLING), *other.found(TELLING)]
        chromium.close()
    receipts = sorted([*one.receipts, *other.receipts])
    slow = receipts[int(0.95 * (len(receipts) - 1))]
    size = (one.received + other.received) / len(receipts) / 1024
    remark = (
        f"receipt {slow:.2f} s in 95 %, {size:,.0f} KB each; {[*told, *words][:3] or 'the same'}"
    )
    return Line(
        "blind comparisons, twins", len(receipts), len(receipts), lost=len(told) + len(words),
        remark=remark,
    )  # fmt: skip


def leaking(home: Path, plant: str) -> Line:
    """Judge twins of a product with a planted leak, which must be seen: that counts as lost."""
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(
            executable_path=browser.find(), args=list(BROWSER_FLAGS)
        )
        found = seen(chromium, home, plant)
        chromium.close()
    return Line(f"a leak: {plant}", 1, 0, lost=len(found), remark=str(found[:1])[:80])
