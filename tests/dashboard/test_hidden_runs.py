"""A judge with an independent batch is sent nothing of its runs before they have judged them.

Each page, tab, link and download is asked of a served dashboard, and all that it sends is searched.
"""

import json
import time
from collections.abc import Iterator
from dataclasses import replace

import pytest

from evalcore.workspace.opened import Workspace
from tests.dashboard.live import Served
from tests.reliability.client import Session
from tests.reliability.hiding import (
    FOLDER,
    OUTPUT,
    RUNS,
    SUITE,
    VERSIONS,
    WORDS,
    addresses,
    ask,
    telling,
    told,
    walk,
)
from tests.reliability.serving import serving
from tests.reviewing import Reviews

NEWS = "dan-0001"
TABS = ("grades", "output", "raw")
WALKED = (RUNS[0], RUNS[3])
"""A run of each suite, to whose pages and files the walk leads."""


@pytest.fixture(scope="module")
def ws(tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    """A folder that tells of some runs, which Ana is asked to judge independently."""
    found = telling(tmp_path_factory.mktemp("telling"))
    ask(found, "Ana")
    return found


@pytest.fixture(scope="module")
def served(ws: Workspace, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """Serve it."""
    with serving(ws.root, tmp_path_factory.mktemp("state")) as (found, _):
        yield found


def browser(served: Served, name: str | None) -> Served:
    """Return what is served to a new browser in which somebody judges, or nobody yet."""
    found = replace(served)
    found.let_in()
    if name is not None:
        with Session(found, suite=SUITE) as window:
            window.open()
            window.be(name)
    return found


def test_who_is_not_asked_is_shown_everything(served: Served, ws: Workspace) -> None:
    """So the walk comes by all of it: each word is sent somewhere, to nobody in particular."""
    sent = walk(browser(served, None), addresses(ws, WALKED))
    assert told(sent).keys() == WORDS.keys()
    for page in ("overview", "gradings", "compare", "rubric", "failures", "data", "judge"):
        assert any(place[0] == page for places in told(sent).values() for place in places), page


def test_a_judge_is_sent_nothing_of_a_run_before_judging_it(served: Served, ws: Workspace) -> None:
    """Neither scores nor words of anybody, nor of any file; other runs of the suite are shown."""
    sent = walk(browser(served, "Ana"), addresses(ws, WALKED))
    assert told(sent) == {}
    assert any(b"hidden until you have judged" in data for data in sent.values())


def test_what_is_judged_tells_no_version(served: Served) -> None:
    """Its output is shown; its version is neither in what the panel gets nor in the address."""
    with Session(browser(served, "Ana"), suite=SUITE) as window:
        window.open()
        seen = set()
        for _ in range(3):
            task = window.data["task"]
            seen.add(task["run"])
            assert OUTPUT in json.dumps(task)
            assert not [sign for sign in VERSIONS if sign in json.dumps([task, window.address])]
            window.act("go", to=window.data["head"]["next"])
        assert not [run for run in RUNS if run.encode() in b"".join(window.frames)]
    assert len(seen) == 3


def test_the_walk_finds_what_is_not_hidden(
    ws: Workspace, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """The control: on a server that hides nothing, the same judge is sent all of it."""
    with serving(ws.root, tmp_path_factory.mktemp("all"), show_all=True) as (served, _):
        pages = [("gradings", {"suite": SUITE, "run": RUNS[0], "tab": tab}) for tab in TABS]
        sent = walk(browser(served, "Ana"), pages)
    assert told(sent).keys() >= {"of the machine", "of another person", "of its output"}


def test_news_of_a_hidden_run_are_no_news(served: Served, ws: Workspace) -> None:
    """Others are told at once that somebody judged it; who has yet to judge it is not."""
    with (
        Session(browser(served, "Ana"), "gradings", suite=SUITE) as mine,
        Session(browser(served, None), "gradings", suite=SUITE) as others,
    ):
        for window in (mine, others):
            window.open()
            window.tick()
        Reviews(ws.root, FOLDER).judge(RUNS[1], "expectation:Anything", 1.0, NEWS)
        news = b"Dan stored 1 judgment"
        for _ in range(100):
            time.sleep(0.1)
            others.tick()
            if news in b"".join(others.frames):
                break
        assert news in b"".join(others.frames)
        for _ in range(3):
            mine.tick()
        told = b"".join(mine.frames)
        assert NEWS.encode() not in told
        assert b"Dan" not in told


def test_once_judged_it_is_shown(served: Served, ws: Workspace) -> None:
    """That run at once, with everything about it; not what adds it up with those still hidden."""
    mine = browser(served, "Ana")
    with Session(mine, suite=SUITE, run=RUNS[0]) as window:
        window.open()
        assert window.act("store", **window.filled(1, "Ana thinks so."))["answer"]["ok"]
    sent = walk(mine, addresses(ws, RUNS[:1]))
    assert told(sent).keys() == {
        "of the machine",
        "of another person",
        "of who decided",
        "of a note",
        "of the full check",
        "of its transcript",
        "of its output",
    }
    rest = walk(mine, [("gradings", {"suite": SUITE, "run": RUNS[1], "tab": "raw"})])
    assert told(rest) == {}
