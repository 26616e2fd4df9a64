"""The count of alerts in the sidebar is the number that Trends states and lists."""

import pytest

from evalcore import open_workspace
from evalcore.demo import packaged
from evalcore.views.blocks.page import Heading, Verdict
from evalcore.views.trends.page import found_of, head_blocks
from evalcore.views.trends.state import View
from evalcore.views.waiting import WAITING, Place

SUITES = sorted(str(suite) for suite in open_workspace(packaged()).tables.suites["suite"])


@pytest.mark.parametrize("suite", SUITES)
def test_the_count_in_the_sidebar_is_what_the_page_lists(suite: str) -> None:
    """Of lines that fell at the newest version and of benchmarks that fell at their newest run."""
    ws = open_workspace(packaged())
    told = WAITING["trends"](ws, Place(suite, None, None, "recorded"))
    view = View.of({})
    blocks = head_blocks(ws, suite, found_of(ws, suite, view, None, "recorded"), "recorded")
    stated = [block.hint for block in blocks if isinstance(block, Heading)]
    listed = [block.text for block in blocks if isinstance(block, Verdict) and block.small]
    now = [text for text in listed if text.startswith(("Newest", "Benchmark regression"))]
    assert len(now) == int(told.split()[0] if told else 0)
    assert not stated or int(stated[0].split()[0]) == len(now)


def test_some_suite_of_the_demo_has_an_alert() -> None:
    """Else the counts above would agree on nothing."""
    ws = open_workspace(packaged())
    assert any(WAITING["trends"](ws, Place(suite, None, None, "recorded")) for suite in SUITES)
