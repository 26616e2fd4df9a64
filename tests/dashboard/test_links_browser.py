"""A link that leaves something out of the address takes it away, on the page that it is on."""

import re

import pytest
from playwright.sync_api import expect

from tests.dashboard.live import Visit


@pytest.mark.parametrize(
    ("page", "add", "take", "name"),
    [
        ("rubric", "By name", "Weakest first", "sort"),
        ("failures", "By shared cause", "Newest first", "group"),
    ],
)
def test_what_a_link_leaves_out_is_taken_away(
    visit: Visit, page: str, add: str, take: str, name: str
) -> None:
    """Also where nothing else of the address changes."""
    shown = visit.open(page, suite="alpha")
    shown.locator(f'[data-act="{add}"]').first.click()
    expect(shown).to_have_url(re.compile(f"[?&]{name}="))
    shown.locator(f'[data-act="{take}"]').first.click()
    expect(shown).not_to_have_url(re.compile(f"[?&]{name}="))
    shown.locator(f'[data-act="{add}"]').first.click()
    expect(shown).to_have_url(re.compile(f"[?&]{name}="))
