"""What only a browser shows of Trends: a click on a point."""

from playwright.sync_api import expect

from tests.dashboard.live import Visit
from tests.dashboard.screen import box, wait_for_address


def test_a_point_opens_its_runs_beside_the_chart(visit: Visit) -> None:
    """The point is in the address, its runs are listed, and the chart stays in view."""
    page = visit.open("trends", suite="alpha")
    chart = page.locator(".js-plotly-plot")
    at = box(chart.locator(".scatterlayer .point").first)
    page.mouse.move(at["x"] + at["width"] / 2, at["y"] + at["height"] / 2)
    expect(page.locator(".hoverlayer")).to_contain_text("Click to open these runs")
    page.mouse.click(at["x"] + at["width"] / 2, at["y"] + at["height"] / 2)
    wait_for_address(page, "point=v0")
    expect(page.get_by_role("heading", name="v0")).to_be_visible()
    expect(page.get_by_role("table", name="Runs of v0")).to_be_visible()
    expect(chart).to_be_in_viewport()
