"""What a rerun of a page costs: processor time of the server, and bytes to the browser.

`python -m benchmarks.pages WORKSPACE CACHE` serves a workspace, works in a real browser as a reader
would, and prints one line a kind of rerun; `--pages judge,blind` measures only those pages. The
index of the workspace should lie in CACHE already. Nothing is stored, so the workspace stays as it
is.
"""

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import cycle, islice
from pathlib import Path
from typing import Final, NamedTuple
from urllib.parse import urlencode

from google.protobuf.message import DecodeError  # type: ignore[import-untyped]
from playwright.sync_api import Page, WebSocket, sync_playwright
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from evalcore import server
from evalcore.recent import remember
from tools.browser import find

FLAGS = ("--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking")
QUIET_SECONDS = 0.35
PATIENCE_SECONDS = 60.0
READING_SECONDS = 300.0
IDLE_SECONDS = 2.0
CHECK_SECONDS = 300.0
"""How long the full check of the documents is waited for, which goes on behind the page."""
TICKS = os.sysconf("SC_CLK_TCK")
TURNS = ('[aria-label="Next page"]', '[aria-label="Previous page"]')
"""A page forth and back, as a small workspace has few."""
WORDS = ("rollback", "retry limit", "ROLLBACK", "zqxzq", "line 72", "Known Issues", "annexe", "the")


class Cost(NamedTuple):
    """The mean cost of one kind of rerun."""

    page: str
    rerun: str
    reruns: int
    cpu_ms: float
    kilobytes: float
    most_kilobytes: float


class Reader:
    """A browser on a dashboard that was started for it."""

    def __init__(self, page: Page, address: str, workspace: str, pid: int) -> None:
        self.page, self._address, self._workspace, self._pid = page, address, workspace, pid
        self._received, self._last = 0, time.monotonic()
        self._runs = False
        page.on("websocket", self._listen)

    def goto(self, name: str, **query: str) -> None:
        """Load a page anew."""
        asked = urlencode({"w": self._workspace, **query})
        self.page.goto(f"{self._address}/{name}?{asked}")
        self.page.locator("h1").wait_for()

    def wait_until_read(self) -> None:
        """Wait until a page shows the workspace, and its full check is done.

        What is drawn while it is read costs little, and what is drawn while it is checked cannot
        be told from the check.
        """
        self.goto("data", dview="files")
        listed = self.page.locator('[aria-label="Documents"] tbody tr')
        listed.first.wait_for(timeout=1000 * READING_SECONDS)
        end = time.monotonic() + CHECK_SECONDS
        while self.page.get_by_text("Still checking").count() and time.monotonic() < end:
            self.page.wait_for_timeout(1000)

    def cost(self, name: str, rerun: str, acts: list[Callable[[], object]]) -> Cost:
        """Do some things one after the other and return what each cost the server."""
        self._settle()
        idle = self._idle()
        began, before, sizes = time.monotonic(), self._cpu(), []
        for act in acts:
            received = self._received
            act()
            self._settle()
            sizes.append((self._received - received) / 1000)
        used = self._cpu() - before - idle * (time.monotonic() - began)
        size = sum(sizes) / len(sizes)
        return Cost(name, rerun, len(acts), 1000 * max(used, 0.0) / len(acts), size, max(sizes))

    def _listen(self, socket: WebSocket) -> None:
        self._runs = False

        def count(frame: str | bytes) -> None:
            self._received += len(frame)
            self._last = time.monotonic()
            # A run that another replaces has no end, so beginnings and ends are not counted.
            kind = _kind(frame)
            self._runs = kind == "new_session" or (self._runs and kind != "script_finished")

        socket.on("framereceived", count)

    def _settle(self) -> None:
        """Wait until no run of the page goes on, and nothing more comes."""
        began = time.monotonic()
        while time.monotonic() < began + PATIENCE_SECONDS:
            self.page.wait_for_timeout(50)
            quiet = time.monotonic() - max(self._last, began) > QUIET_SECONDS
            if quiet and not self._runs:
                return

    def _idle(self) -> float:
        """Return the share of a processor that the server takes when nobody asks for anything."""
        began, before = time.monotonic(), self._cpu()
        self.page.wait_for_timeout(IDLE_SECONDS * 1000)
        return (self._cpu() - before) / (time.monotonic() - began)

    def _cpu(self) -> float:
        """Return the processor seconds of the server, those of threads that ended too."""
        about = Path(f"/proc/{self._pid}/stat").read_text(encoding="ascii", errors="replace")
        fields = about.rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / TICKS


def _kind(frame: str | bytes) -> str:
    message = ForwardMsg()
    try:
        message.ParseFromString(frame if isinstance(frame, bytes) else frame.encode())
    except DecodeError:
        return ""
    return message.WhichOneof("type") or ""


@contextmanager
def reading(workspace: Path, cache: Path) -> Iterator[Reader]:
    """Serve a workspace and give a browser that was let in; both end afterwards."""
    with tempfile.TemporaryDirectory() as state:
        os.environ |= {"EVALCORE_CACHE_DIR": str(cache), "EVALCORE_STATE_DIR": state}
        dashboard = server.start(workspace, port=0)
        try:
            if not dashboard.wait_until_ready():
                raise RuntimeError("The dashboard did not start.")
            with sync_playwright() as playwright:
                path = find()
                if path is None:
                    raise RuntimeError("No Chromium was found: python -m tools.browser gets one.")
                browser = playwright.chromium.launch(executable_path=str(path), args=list(FLAGS))
                page = browser.new_page(viewport={"width": 1440, "height": 900})
                page.set_default_timeout(1000 * PATIENCE_SECONDS)
                address = f"http://127.0.0.1:{dashboard.port}"
                page.goto(f"{address}/favicon.png?token={dashboard.token}")
                page.wait_for_url(f"{address}/favicon.png")
                reader = Reader(page, address, remember(workspace), dashboard.process.pid)
                reader.wait_until_read()
                yield reader
                browser.close()
        finally:
            dashboard.stop()


def costs(
    workspace: Path, cache: Path, rounds: int, names: Sequence[str] | None = None
) -> Iterator[Cost]:
    """Yield what each kind of rerun of the named pages, or of all, costs.

    Each is the mean of at least `rounds` reruns.
    """
    with reading(workspace, cache) as reader:
        for name in names or PAGES:
            yield from PAGES[name](reader, rounds)


def _overview(reader: Reader, rounds: int) -> Iterator[Cost]:
    page = reader.page

    def cost(rerun: str, acts: list[Callable[[], object]]) -> Cost:
        return reader.cost("overview", rerun, acts)

    yield cost("the very first display", [lambda: reader.goto("overview")])
    yield cost("display", [lambda: reader.goto("overview")] * rounds)
    versions = [_select(page, ".st-key-choice", "Version", place) for place in (2, 3)]
    yield cost("another version, for the first time", versions)
    yield cost("another version", _turns(rounds, versions))


def _compare(reader: Reader, rounds: int) -> Iterator[Cost]:
    page = reader.page

    def cost(rerun: str, acts: list[Callable[[], object]]) -> Cost:
        return reader.cost("compare", rerun, acts)

    def clicks(*selectors: str) -> list[Callable[[], object]]:
        return _turns(rounds, [_click(page, selector) for selector in selectors])

    yield cost("the very first display", [lambda: reader.goto("compare")])
    yield cost("display", [lambda: reader.goto("compare")] * rounds)
    yield cost("the next page", clicks(*TURNS))
    yield cost("another tab", clicks('[data-tab="slices"]', '[data-tab="texts"]', "[data-tab]"))
    yield cost("a case opened", clicks(*(f"[data-case] >> nth={at}" for at in range(20))))
    yield cost("the next case", [lambda: page.keyboard.press("j")] * rounds)
    yield cost("another run of the case", clicks(*(f"[data-run] >> nth={at}" for at in (1, 0))))
    yield cost("a filter", clicks('[data-filter="regressed"]', '[data-filter="improved"]'))
    sides = [_select(page, ".st-key-compare-side-b", "", place) for place in (0, 1)]
    yield cost("another side B, for the first time", sides)
    yield cost("another side B", _turns(rounds, sides))


def _rubric(reader: Reader, rounds: int) -> Iterator[Cost]:
    page = reader.page

    def cost(rerun: str, acts: list[Callable[[], object]]) -> Cost:
        return reader.cost("rubric", rerun, acts)

    def clicks(*selectors: str) -> list[Callable[[], object]]:
        return _turns(rounds, [_click(page, selector) for selector in selectors])

    yield cost("the very first display", [lambda: reader.goto("rubric")])
    yield cost("display", [lambda: reader.goto("rubric")] * rounds)
    orders = ('[data-act="By name"]', '[data-act="Weakest first"]')
    yield cost("another order", clicks(*orders))
    cells = [_click(page, f'[data-act^="cell "] >> nth={at}') for at in (1, 2, 3)]
    yield cost("the runs of a cell", _turns(rounds, cells))


def _trends(reader: Reader, rounds: int) -> Iterator[Cost]:
    page = reader.page

    def cost(rerun: str, acts: list[Callable[[], object]]) -> Cost:
        return reader.cost("trends", rerun, acts)

    yield cost("the very first display", [lambda: reader.goto("trends")])
    yield cost("display", [lambda: reader.goto("trends")] * rounds)
    points = [_click(page, f'[data-act^="at "] >> nth={at}') for at in (0, 1)]
    yield cost("the runs of a point", _turns(rounds, points))


def _gradings(reader: Reader, rounds: int) -> Iterator[Cost]:
    page = reader.page

    def cost(rerun: str, acts: list[Callable[[], object]]) -> Cost:
        return reader.cost("gradings", rerun, acts)

    def clicks(*selectors: str) -> list[Callable[[], object]]:
        return _turns(rounds, [_click(page, selector) for selector in selectors])

    def searches() -> Iterator[Callable[[], object]]:
        for words in WORDS:
            yield _search(page, ".st-key-narrow input[type=text]", words)

    yield cost("the very first display", [lambda: reader.goto("gradings")])
    yield cost("display", [lambda: reader.goto("gradings")] * rounds)
    rows = [f".list tbody >> nth={2 + at} >> .name" for at in range(20)]
    yield cost("a case chosen", clicks(*rows))
    yield cost("the next case", [lambda: page.keyboard.press("j")] * rounds)
    yield cost("a filter", clicks('[data-filter="failing"]', '[data-filter="all"]'))
    yield cost("another version of the case", [_press(page, "[")] * 5 + [_press(page, "]")] * 5)
    yield cost("the next page", clicks(*TURNS))
    yield cost("another tab", clicks('[data-tab="raw"]', '[data-tab="grades"]'))
    yield cost("the first search", [_search(page, ".st-key-narrow input[type=text]", "nothing")])
    yield cost("a search", list(searches()))


def _failures(reader: Reader, rounds: int) -> Iterator[Cost]:
    page = reader.page

    def cost(rerun: str, acts: list[Callable[[], object]]) -> Cost:
        return reader.cost("failures", rerun, acts)

    def clicks(*selectors: str) -> list[Callable[[], object]]:
        return _turns(rounds, [_click(page, selector) for selector in selectors])

    yield cost("the very first display", [lambda: reader.goto("failures")])
    yield cost("display", [lambda: reader.goto("failures")] * rounds)
    rows = [f'[data-act^="failure "] >> nth={at}' for at in (1, 2, 3)]
    yield cost("a failure chosen", clicks(*rows))
    yield cost("the next page", clicks(*TURNS))
    yield cost(
        "a filter", clicks('[aria-label="Version"] a >> nth=1', '[aria-label="Version"] a >> nth=0')
    )
    yield cost("the first list by cause", [_click(page, '[data-act="By shared cause"]')])
    both = ('[data-act="Newest first"]', '[data-act="By shared cause"]')
    yield cost("the list by cause, and back", clicks(*both))


def _data(reader: Reader, rounds: int) -> Iterator[Cost]:
    page = reader.page

    def cost(rerun: str, acts: list[Callable[[], object]]) -> Cost:
        return reader.cost("data", rerun, acts)

    yield cost("the very first display", [lambda: reader.goto("data", dview="files")])
    yield cost("display", [lambda: reader.goto("data", dview="files")] * rounds)
    turns = _turns(rounds, [_click(page, turn) for turn in TURNS])
    yield cost("the next page of documents", turns)
    paths = [f'[aria-label="Documents"] tbody tr >> nth={at} >> a >> nth=0' for at in range(20)]
    yield cost("a document chosen", [_click(page, path) for path in paths[:rounds]])
    search = ".st-key-data-search input"
    yield cost("a search of documents", [_search(page, search, f"case-{n}") for n in range(8)])
    yield cost("problems", [lambda: reader.goto("data", dview="problems")] * rounds)
    yield cost("cases", [lambda: reader.goto("data", dview="cases")] * rounds)
    cases = [f'[aria-label="Cases"] tbody tr >> nth={at} >> a >> nth=0' for at in range(20)]
    yield cost("a case chosen", [_click(page, case) for case in cases[:rounds]])
    yield cost("a search of cases", [_search(page, search, words) for words in WORDS])


def _judge(reader: Reader, rounds: int) -> Iterator[Cost]:
    page = reader.page

    def cost(rerun: str, acts: list[Callable[[], object]]) -> Cost:
        return reader.cost("judge", rerun, acts)

    yield cost("the very first display", [lambda: reader.goto("judge")])
    yield cost("display", [lambda: reader.goto("judge")] * rounds)
    # The runs of a generated workspace have no outputs, so that none of them waits.
    unjudged, pending = (
        _click(page, f'[data-act="state {state}"]') for state in ("cannot be judged", "pending")
    )
    yield cost("a filter, for the first time", [unjudged])
    yield cost("the next run", [_click(page, '[data-act="on"]')] * rounds)
    yield cost("a filter", _turns(rounds, [pending, unjudged]))
    for section in ("agreement", "trust"):
        show = partial(reader.goto, "judge", view=section)
        yield cost(f"the first display of {section}", [show])
        yield cost(f"display of {section}", [show] * rounds)


def _blind(reader: Reader, rounds: int) -> Iterator[Cost]:
    page = reader.page

    def cost(rerun: str, acts: list[Callable[[], object]]) -> Cost:
        return reader.cost("blind", rerun, acts)

    yield cost("the very first display", [lambda: reader.goto("blind")])
    yield cost("display", [lambda: reader.goto("blind")] * rounds)
    sides = [_select(page, ".st-key-blind-new", "Side A", place) for place in (0, 1)]
    yield cost("another side A, for the first time", sides)
    yield cost("another side A", _turns(rounds, sides))
    scores = [_select(page, ".st-key-blind-new", "Scores", place) for place in (0, 1)]
    yield cost("other scores", _turns(rounds, scores))


def _runs(reader: Reader, rounds: int) -> Iterator[Cost]:
    page = reader.page

    def cost(rerun: str, acts: list[Callable[[], object]]) -> Cost:
        return reader.cost("runs", rerun, acts)

    yield cost("the very first display", [lambda: reader.goto("runs")])
    yield cost("display", [lambda: reader.goto("runs")] * rounds)
    cases = [_select(page, ".st-key-new-cases", "Cases", place) for place in (1, 0)]
    yield cost("other cases, for the first time", cases)
    yield cost("other cases", _turns(rounds, cases))
    ways = [_select(page, ".st-key-new-judge", "Judged by", place) for place in (2, 0)]
    yield cost("other judges", _turns(rounds, ways))


PAGES: Final[dict[str, Callable[[Reader, int], Iterator[Cost]]]] = {
    "overview": _overview,
    "compare": _compare,
    "rubric": _rubric,
    "trends": _trends,
    "gradings": _gradings,
    "failures": _failures,
    "judge": _judge,
    "blind": _blind,
    "runs": _runs,
    "data": _data,
}
"""The pages that are measured, in this order unless some are named."""


def pages_named(text: str) -> list[str]:
    """Return the pages named in an argument, as in `judge,blind`."""
    names = text.split(",")
    if unknown := [name for name in names if name not in PAGES]:
        raise argparse.ArgumentTypeError(f"no page {unknown[0]!r}; there are {', '.join(PAGES)}")
    return names


def _click(page: Page, selector: str) -> Callable[[], object]:
    return page.locator(selector).first.click


def _turns(rounds: int, acts: list[Callable[[], object]]) -> list[Callable[[], object]]:
    """Return so many things to do, each of some in its turn."""
    return list(islice(cycle(acts), rounds))


def _select(page: Page, around: str, label: str, place: int) -> Callable[[], object]:
    """Return what chooses one of the options of the box of that label, by its place."""

    def select() -> None:
        box = page.locator(f'{around} [data-testid="stSelectbox"]').filter(has_text=label)
        box.locator("input").first.click()
        page.locator('[role="option"]').nth(place).click()

    return select


def _press(page: Page, key: str) -> Callable[[], object]:
    return lambda: page.keyboard.press(key)


def _search(page: Page, field: str, words: str) -> Callable[[], object]:
    def search() -> None:
        page.locator(field).first.fill(words)
        page.keyboard.press("Enter")

    return search


def main(arguments: list[str] | None = None) -> int:
    """Print what each kind of rerun costs."""
    parser = argparse.ArgumentParser("python -m benchmarks.pages", description=__doc__)
    parser.add_argument("workspace", type=Path)
    parser.add_argument("cache", type=Path)
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--pages", type=pages_named, help=f"some of {','.join(PAGES)}")
    asked = parser.parse_args(arguments)
    for cost in costs(asked.workspace, asked.cache, asked.rounds, asked.pages):
        print(
            f"{cost.page:10} {cost.rerun:28} {cost.cpu_ms:8.1f} ms {cost.kilobytes:8.1f} KB"
            f" (most {cost.most_kilobytes:.1f} KB) of {cost.reruns}",
            flush=True,
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
