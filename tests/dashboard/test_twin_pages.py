"""No page tells a blind judge of the runs that they have still to compare.

Every page is asked for on twins: folders in which what the judge has to compare was made by the
other version. What the server sends must be the same.
"""

import shutil
import time
from collections.abc import Iterator, Mapping
from itertools import product
from pathlib import Path
from typing import Final

import pytest
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from tests.chance import Recorded, Twin, differences
from tests.dashboard.live import ROOT, Served
from tests.dashboard.twins import CUT
from tests.reliability.client import PATIENCE, Session
from tests.reliability.serving import serving
from tests.twin_folders import ANA, DRAWN, LETTERS, NOTES, SIDES, twin

PAGES: Final = sorted(path.stem for path in (ROOT / "pages").glob("*.py"))
RUN: Final = f"{LETTERS}::0@iteration-1/with_skill#2"
"""A run beside one that was drawn."""
COLUMN: Final = {"v": "iteration-1", "c": "with_skill"}
FIRST: Final = next(iter(DRAWN))
PLACE: Final = f"{LETTERS}-workspace/iteration-1/eval-0/with_skill/run-2"
FURTHER: Final[dict[str, list[dict[str, str]]]] = {
    "gradings": [COLUMN | {"run": RUN, "tab": tab} for tab in ("grades", "output", "raw")]
    + [{"filter": "failing"}, {"q": "seen"}],
    "compare": [{"a": SIDES[LETTERS][0], "b": SIDES[LETTERS][1], "case": "0"}],
    "rubric": [COLUMN | {"criterion": "expectation:is kind"}],
    "trends": [{"metric": "criterion:expectation:is kind"}, {"metric": "time"}],
    "failures": [{"failure": RUN}, {"group": "cause"}],
    "data": [{"dview": part} for part in ("problems", "cases")]
    + [{"dview": "files", "file": f"{PLACE}/{name}"} for name in ("grading.json", "timing.json")]
    + [{"dview": "files", "file": f"{LETTERS}-workspace/reviews/blind-study/{FIRST}.json"}],
    "judge": [{"run": RUN}, {"view": "agreement"}],
}  # fmt: skip
_CHECKING: Final = "Still checking the rules"


def addresses() -> Iterator[tuple[str, dict[str, str]]]:
    """Yield every page of both suites, and what can be chosen on it of a hidden run."""
    for page in PAGES:
        yield from ((page, {"suite": suite}) for suite in (LETTERS, NOTES))
        yield from ((page, {"suite": LETTERS} | more) for more in FURTHER.get(page, []))


def sent(served: Served, page: str, query: Mapping[str, str]) -> list[str]:
    """Return all messages of a visit, with what opens on a click."""
    with Session(served, page, **query) as window:
        window.open()
        window.tick()
        if window.boxes:
            window.open_boxes()
        window.cut()
        return [CUT.sub("", str(ForwardMsg.FromString(frame))) for frame in window.frames]


def wait_for_the_check(served: Served) -> None:
    """Let the full check end: how often a page asks for its progress is a matter of time."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        if not any(_CHECKING in text for text in sent(served, "data", {"dview": "problems"})):
            return
    raise TimeoutError("the full check has not ended")


@pytest.fixture(scope="module")
def twins(tmp_path_factory: pytest.TempPathFactory) -> tuple[Twin, Twin]:
    """Visit all pages of both twins as Ana, each twice, at one path."""
    home, found = tmp_path_factory.mktemp("twins"), dict[tuple[bool, int], Recorded]()
    for seed, swapped in product((1, 2), (False, True)):
        twin(home / "w", home / "state", swapped=swapped, seed=seed)
        with serving(home / "w", home / "state") as (served, _):
            served.let_in()
            with Session(served, suite=LETTERS) as window:
                window.open()
                window.be(ANA.name)
            wait_for_the_check(served)
            found[swapped, seed] = {
                f"{page} {query}": sent(served, page, query) for page, query in addresses()
            }
        for name in ("w", "state"):
            shutil.rmtree(home / name)
    one, other = (Twin(found[each, 1], found[each, 2]) for each in (False, True))
    return one, other


@pytest.mark.parametrize("page", PAGES)
def test_a_page_tells_the_same_of_twins(twins: tuple[Twin, Twin], page: str) -> None:
    """Whatever is chosen on it."""
    one, other = (Twin(*(_of(page, told) for told in each)) for each in twins)
    assert any(one.once.values())
    found = differences(one, other)
    assert found == [], "\n".join(found)


def _of(page: str, told: Recorded) -> Recorded:
    return {place: texts for place, texts in told.items() if place.startswith(f"{page} ")}


def test_the_walk_sees_what_a_twin_is(tmp_path: Path) -> None:
    """The control: who is asked to judge nothing is told which twin it is."""
    told = []
    for seed, swapped in product((1, 2), (False, True)):
        home = tmp_path / f"{swapped}-{seed}"
        twin(home / "w", home / "state", swapped=swapped, seed=seed)
        with serving(home / "w", home / "state") as (served, _):
            served.let_in()
            query = {"suite": LETTERS, "run": RUN, "tab": "grades"} | COLUMN
            told.append({"gradings": sent(served, "gradings", query)})
    assert differences(Twin(told[0], told[2]), Twin(told[1], told[3]))
