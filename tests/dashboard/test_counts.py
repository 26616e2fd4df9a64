"""Every count on a page is that of the list it opens, as the page that opens says it."""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, NamedTuple

import pytest
from streamlit.testing.v1 import AppTest

from evalcore import open_workspace
from evalcore.demo import packaged

SUITES: Final = sorted(map(str, open_workspace(packaged()).tables.suites["suite"]))
PAGES: Final = ("overview", "gradings", "compare", "rubric", "trends", "failures", "judge", "data")
ROUNDS: Final = 500
"""How often the page of problems is drawn at most until every file is checked."""
Query = Mapping[str, str | None]
Panels = list[dict[str, Any]]


class Counted(NamedTuple):
    """A count on a page, and the address behind it."""

    n: int
    what: str
    page: str
    query: Query


class Dashboard:
    """One browser on the demo; every page that was opened is kept by its address."""

    def __init__(self, app: AppTest) -> None:
        self._app, self._name = app, app.query_params["w"]
        self._seen: dict[object, tuple[Panels, dict[str, str]]] = {}

    def open(self, page: str, query: Query) -> tuple[Panels, dict[str, str]]:
        """Return what the panels of a page are given, and what the sidebar says of each page."""
        given = {key: value for key, value in query.items() if value is not None}
        key = page, tuple(sorted(given.items()))
        if key not in self._seen:
            self._seen[key] = self._opened(page, given)
        return self._seen[key]

    def _opened(self, page: str, query: Mapping[str, str]) -> tuple[Panels, dict[str, str]]:
        app = self._app
        app.query_params.clear()
        for name, value in {"w": self._name, **query}.items():
            app.query_params[name] = value
        app.switch_page(f"pages/{page}.py")
        app.run()
        assert not app.exception, (page, query)
        return [json.loads(item.proto.json) for item in app.get("bidi_component")], sidebar(app)


def sidebar(app: AppTest) -> dict[str, str]:
    """Return what the sidebar says of each page: `{"gradings": "12 failing"}`."""
    labels = [item.proto.label for item in app.sidebar.get("page_link")]
    found = (re.fullmatch(r"(\w+) \*(.+)\*", label) for label in labels)
    return {match[1].lower(): match[2] for match in found if match}


@pytest.fixture
def dashboard(run: Callable[..., AppTest]) -> Dashboard:
    """Open the demo, and wait until all its files are checked: until then a count says "so far"."""
    app = run("data", packaged(), dview="problems")
    for _ in range(ROUNDS):
        if not sidebar(app).get("data", "so far").endswith("so far"):
            break
        app.run()
    return Dashboard(app)


def blocks_of(panel: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield the blocks of a panel, and the rows of filters that are folded."""
    for block in panel.get("blocks", ()):
        yield block
        if block["t"] == "filters":
            yield from block["rows"]


def counted(page: str, query: Query, panels: Panels) -> Iterator[Counted]:
    """Yield every count on a page that opens something, with the address that a press leads to."""
    for panel in panels:
        for block in blocks_of(panel):
            for item in _linked(block):
                to = item["link"]
                yield Counted(item["n"], str(item), to["page"], {**query, **to["query"]})
        yield from _filters(page, query, panel)


def _linked(block: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield the counts of a block that are links: its own, and the cells that are only a number."""
    for item in block.get("items", ()):
        if isinstance(item, dict) and item.get("link") and item.get("n") is not None:
            yield item
    for row in block.get("rows", ()):
        for cell in row.get("cells", ()) if block["t"] == "table" else ():
            if cell.get("link") and re.fullmatch(r"[\d,]+", cell["text"]):
                yield {**cell, "n": _numbers(cell["text"])[0]}


def _filters(page: str, query: Query, panel: dict[str, Any]) -> Iterator[Counted]:
    """Yield the counts of a panel that filter the page they are on."""
    head = panel.get("head") or {}
    found = [("filter", item) for item in panel.get("filters", ())]
    for block in blocks_of(panel):
        if block["t"] == "counts":
            found += [("filter", item) for item in block["items"]]
    found += [("state", item) for item in head.get("counts", ())]
    found += [("reason", item) for item in head.get("reasons", ())]
    for name, item in found:
        yield Counted(item["n"], str(item), page, {**query, name: item["key"]})


def stated(page: str, panels: Panels) -> int:
    """Return how many entries a page says that its list has, those of other pages of it too."""
    blocks = [block for panel in panels for block in panel.get("blocks", ())]
    if page == "gradings":
        return int(next(panel["matching"] for panel in panels if "matching" in panel))
    if page == "judge":
        return _numbers(panels[0]["head"]["position"])[-1]
    if page == "compare":
        text = next(block["foot"] for block in blocks if block["t"] == "list")
    else:
        text = next(block["text"] for block in blocks if block["t"] == "pager")
    return _numbers(re.sub(r"^[\d,]+–[\d,]+ (of|·) ", "", text))[0]


def _numbers(text: str) -> list[int]:
    return [int(number.replace(",", "")) for number in re.findall(r"\d[\d,]*", text)]


def told(panels: Panels, what: str) -> set[int]:
    """Return what a page says of `what`: the counts with this word, and those in its headings."""
    items = [item for panel in panels for item in _counts_of(panel)]
    said = {item["n"] for item in items if what in (item.get("label"), item.get("text"))}
    for block in (block for panel in panels for block in blocks_of(panel)):
        text = {"heading": "hint", "pager": "text"}.get(block["t"])
        if text and (what in block[text] or what in block.get("text", "").lower()):
            said.update(_numbers(block[text])[:1])
    return said


def _counts_of(panel: dict[str, Any]) -> list[dict[str, Any]]:
    head = panel.get("head") or {}
    every = [*panel.get("filters", ()), *head.get("reasons", ())]
    return [*every, *(item for block in blocks_of(panel) for item in _linked(block))]


def test_a_count_is_that_of_the_list_it_opens(dashboard: Dashboard) -> None:
    """Every count of every page of every suite; those of problems do not depend on the suite."""
    for suite in SUITES:
        counts = [
            count
            for page in (PAGES if suite == SUITES[0] else PAGES[:-1])
            for query in [{"suite": suite, **({"dview": "problems"} if page == "data" else {})}]
            for count in counted(page, query, dashboard.open(page, query)[0])
        ]
        assert len(counts) > len(PAGES)
        opened = [
            stated(count.page, dashboard.open(count.page, count.query)[0]) for count in counts
        ]
        assert [(n, count) for n, count in zip(opened, counts, strict=True) if n != count.n] == []


def test_the_sidebar_counts_what_its_page_says(dashboard: Dashboard) -> None:
    """The page has the same number, with the same word."""
    seen = set()
    for suite in SUITES:
        for page, words in dashboard.open("runs", {"suite": suite})[1].items():
            panels = dashboard.open(page, {"suite": suite})[0]
            n, what = words.split(maxsplit=1)
            assert _numbers(n)[0] in told(panels, what), (suite, page, words)
            seen.add(page)
    assert seen >= {"gradings", "rubric", "trends", "failures", "judge", "data"}
