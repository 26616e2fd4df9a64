"""Blind comparisons at length: twins that differ only by the side of the versions tell the same."""

from pathlib import Path

from playwright.sync_api import sync_playwright

from evalcore.judging.storing.store import new_id
from tests.chance import differences
from tests.dashboard.conftest import BROWSER_FLAGS
from tests.dashboard.planting import seen
from tests.dashboard.twins import CASES, TELLING, recorded
from tests.reliability.outcome import Line
from tools import browser


def compared(home: Path, number: int) -> Line:
    """Judge so many pairs of twins; what only one of both was told counts as lost."""
    studies = [new_id() for _ in range(number // (4 * CASES))]
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(
            executable_path=browser.find(), args=list(BROWSER_FLAGS)
        )
        found = recorded(chromium, home, studies)
        chromium.close()
    told = differences(found.one, found.other)
    words = [word for each in found.every for word in each.found(TELLING)]
    receipts = sorted(time for each in found.every for time in each.receipts)
    slow = receipts[int(0.95 * (len(receipts) - 1))]
    size = sum(each.received for each in found.every) / len(receipts) / 1024
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
