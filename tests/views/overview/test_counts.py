"""Every count on the overview is the length of the list that its link opens."""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import pytest

from evalcore import Workspace, open_workspace
from evalcore.comparing.compare import compare
from evalcore.comparing.sides import side_of
from evalcore.lint import check
from evalcore.views.compare.state import View as CompareView
from evalcore.views.compare.state import listed
from evalcore.views.data.problems import problem_list
from evalcore.views.data.state import data_view
from evalcore.views.gradings.grid import grid
from evalcore.views.gradings.state import View as GradingsView
from evalcore.views.overview.attention import look_blocks
from evalcore.views.overview.pending import pending_blocks, pending_items
from evalcore.views.overview.summary import overview, suite_lines
from evalcore.views.overview.tables import suite_blocks
from evalcore.views.overview.top import headline_comparisons, likely_range, top_blocks
from evalcore.views.problems import Problems, in_order, problems_at_open
from tests.judging.copies import DEMO
from tests.views.panel_json import panel_json

Counted = tuple[int, dict[str, Any]]
"""A count, and the link that stands on it."""


@pytest.fixture(scope="module")
def ws() -> Workspace:
    """Open the demo workspace."""
    return open_workspace(DEMO, cache=False)


@pytest.fixture(scope="module", params=["so far", "complete"])
def problems(request: pytest.FixtureRequest, ws: Workspace) -> Problems:
    """Return what opening found, or what the full check found, which is more."""
    if request.param == "so far":
        return problems_at_open(ws)
    return Problems(in_order(check(ws)), complete=True)


def counts(ws: Workspace, suite: str, problems: Problems) -> Iterator[Counted]:
    """Yield every count of the overview of a suite that is a link to what it counts."""
    found = overview(ws, suite)
    focus = found.line.focus
    assert focus is not None
    at = (ws, suite, focus)
    blocks = (
        *top_blocks(found, headline_comparisons(ws, suite), likely_range(*at), problems),
        *look_blocks(ws, found),
        *pending_blocks(suite, pending_items(*at), problems),
    )
    for block in panel_json(blocks):
        for item in block.get("items", ()):
            if item.get("link") and "n" in item:
                yield item["n"], item["link"]
    *_, table = panel_json(suite_blocks(suite_lines(ws), suite, problems))
    column = next(i for i, c in enumerate(table["head"]) if c[0].startswith("problems"))
    for row in table["rows"]:
        cell = row["cells"][column]
        if "link" in cell:
            yield int(cell["text"]), cell["link"]


def in_gradings(ws: Workspace, query: dict[str, Any]) -> int:
    """Return how many cases Gradings lists."""
    return grid(ws, GradingsView.of(query).query(query["suite"], None, None)).matching


def in_compare(ws: Workspace, query: dict[str, Any]) -> int:
    """Return how many cases Compare lists."""
    a, b = (side_of(ws, query["suite"], query[name]) for name in ("a", "b"))
    return len(listed(compare(a, b), ws, CompareView.of(query)).every)


def in_data(problems: Problems, query: dict[str, Any]) -> int:
    """Return how many problems Data lists."""
    return problem_list(problems, data_view(query, problems=True)).page.total


def test_a_count_is_the_length_of_its_list(ws: Workspace, problems: Problems) -> None:
    """Before the full check has ended and after; Judge opens a queue in order, not a list."""
    lists: dict[str, Callable[[dict[str, Any]], int]] = {
        "gradings": partial(in_gradings, ws),
        "compare": partial(in_compare, ws),
        "data": partial(in_data, problems),
    }
    seen = dict.fromkeys(lists, 0)
    for line in suite_lines(ws):
        for n, link in counts(ws, line.suite, problems):
            if link["page"] in lists:
                query = {name: value for name, value in link["query"].items() if value is not None}
                assert lists[link["page"]](query) == n, link
                seen[link["page"]] += n
    assert all(seen.values()), seen
