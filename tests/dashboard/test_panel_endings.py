"""A panel obeys the keyboard as long as it is on the page, and no longer."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from evalcore.views.panels.served import PLACE
from tests.dashboard.live import DESK, PATIENCE_MS, Served
from tests.dashboard.screen import idle

# Streamlit ends a drawing at once when a newer one overtook it, which rarely happens on a machine
# at rest. Here each drawing of each panel is ended at once, and listeners are counted.
EXPORT = "export default function ("
OVERTAKEN = """
    export default (given) => { window.drawings = (window.drawings || 0) + 1;
        const end = drawPanel(given); if (end) end(); return end; };
    function drawPanel("""
LISTENING = """
    window.listening = 0;
    const { addEventListener: add, removeEventListener: remove } = document;
    const ours = (what, then) => what === "keydown" && then.name === "onKey";
    document.addEventListener = function (what, then, ...more) {
        if (ours(what, then)) window.listening += 1;
        return add.call(this, what, then, ...more);
    };
    document.removeEventListener = function (what, then, ...more) {
        if (ours(what, then)) window.listening -= 1;
        return remove.call(this, what, then, ...more);
    };
"""


def overtaken(route: Route) -> None:
    """Answer a panel's script with one whose drawings are ended at once."""
    answer = route.fetch()
    text = answer.text()
    assert text.count(EXPORT) == 1
    route.fulfill(response=answer, body=text.replace(EXPORT, OVERTAKEN))


@pytest.fixture
def page(chromium: Browser, shared: Served) -> Iterator[Page]:
    """Return a window in which every drawing of a panel is overtaken by the next."""
    context = chromium.new_context(viewport=DESK)
    shared.admit(context)
    context.add_init_script(LISTENING)
    context.route(f"**{PLACE}*", overtaken)
    context.set_default_timeout(PATIENCE_MS)
    yield context.new_page()
    context.unroute_all(behavior="wait")  # else it would fail in the next test
    context.close()


@pytest.mark.parametrize(
    ("where", "query", "drawn"),
    [
        ("gradings", {"suite": "alpha"}, ".list"),
        ("compare", {"suite": "alpha", "a": "v0", "b": "v1"}, ".list"),
        ("judge", {"suite": "alpha"}, ".judge .work-area *"),
    ],
)
def test_a_panel_listens_to_keys_although_a_drawing_of_it_was_overtaken(
    page: Page, shared: Served, where: str, query: dict[str, str], drawn: str
) -> None:
    """Its keys are listed on the sheet that the question mark opens."""
    page.goto(shared.address(where, **query))
    expect(page.locator(drawn).first).to_be_visible()
    assert page.evaluate("window.drawings") > 0, "no drawing was ended: the test sees nothing"
    page.get_by_role("heading", level=1).click()  # out of the field that has the keyboard
    page.keyboard.press("?")
    expect(page.locator("dialog[open]")).to_be_visible()


def test_a_panel_that_left_the_page_listens_no_more(page: Page, shared: Served) -> None:
    """Its keys would act on what is not there."""
    page.goto(shared.address("data", suite="alpha"))
    expect(page.get_by_role("heading", level=1)).to_contain_text("Data")
    page.wait_for_function("() => window.listening > 0")  # to the keys of every page
    idle(page)
    of_every_page = page.evaluate("window.listening")
    page.get_by_role("link", name="Judge").first.click()
    expect(page.locator(".judge .work-area *").first).to_be_visible()
    page.wait_for_function("(before) => window.listening > before", arg=of_every_page)
    page.get_by_role("link", name="Data").first.click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Data")
    page.wait_for_function("(before) => window.listening === before", arg=of_every_page)
