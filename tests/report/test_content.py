"""A report says what the pages say, in their words, and nothing of a study that is open."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from evalcore.blind.closing import close
from evalcore.charts.text import escaped, plain
from evalcore.comparing.compare import compare
from evalcore.comparing.sides import two_sides
from evalcore.counting.cells import family_of
from evalcore.errors import CannotCompare, UnknownName
from evalcore.judging.hiding import workspace_for_readers
from evalcore.judging.storing.stored_reviews import load_reviews, review_folder
from evalcore.validating.trust import trust
from evalcore.views.blocks.page import Links
from evalcore.views.blocks.plain import plain as as_data
from evalcore.views.compare.case import changed_criterion
from evalcore.views.compare.cases import counts_block, list_block
from evalcore.views.compare.rates import lost_blocks, measure_blocks, repeat_blocks
from evalcore.views.compare.sides import head_blocks
from evalcore.views.compare.slices import slice_blocks
from evalcore.views.compare.state import View, listed
from evalcore.views.judge.trust import trust_blocks
from evalcore.views.overview.attention import weak_blocks
from evalcore.views.overview.summary import overview
from evalcore.views.overview.tables import benchmark_blocks, version_blocks
from evalcore.views.overview.top import headline_comparisons, likely_range, verdict_alone
from evalcore.views.trends.page import found_of
from evalcore.views.trends.page import head_blocks as trend_blocks
from evalcore.views.trends.state import View as TrendView
from evalcore.workspace.opened import Workspace, open_workspace
from tests.blind.study import created
from tests.cli.suites import suite
from tests.judging.copies import ANA, INVOICES, copied
from tests.report.parsed import DEMO, SUITES, Page, made

SAID = ("text", "rest", "sub", "values", "points", "difference", "note")
"""The fields of a block whose words people read; a `hint` only beside a heading."""


@pytest.fixture(scope="module")
def demo() -> Workspace:
    """The demo workspace."""
    return open_workspace(DEMO)


def words(data: Any) -> Iterator[str]:
    """Yield what a page says in a block."""
    if isinstance(data, list):
        for each in data:
            yield from words(each)
    elif isinstance(data, dict):
        for name, value in data.items():
            if isinstance(value, str):
                heard = name in SAID or (name == "hint" and data.get("t") == "heading")
                yield from [value] if heard and value else []
            elif name != "how":
                yield from words(value)


@pytest.mark.parametrize("name", SUITES)
def test_it_says_what_the_pages_say(demo: Workspace, name: str) -> None:
    """The verdict with its cautions, changed cases, criteria, costs, versions and benchmarks."""
    found, about = headline_comparisons(demo, name).first, overview(demo, name)
    if found is None:  # outputs that nobody graded
        said = Page(made(demo, name)).said
        assert about.line.focus is not None
        likely = likely_range(demo, name, about.line.focus)
        alone = [verdict_alone(about, likely), *version_blocks(about)]
        assert [t for b in alone for t in words(as_data(b)) if plain(t) not in said] == []
        return
    view = View()
    changed = [View(filter="regressed"), View(filter="improved")]
    sentence, *strips = slice_blocks(found, view, click="")
    pages = [
        *head_blocks(found)[:1],
        counts_block(found, view),
        *(list_block(found, listed(found, demo, each), each) for each in changed),
        sentence,
        *strips,
        *weak_blocks(about),
        *lost_blocks(found),
        *measure_blocks(found),
        *repeat_blocks(found),
        *version_blocks(about),
        *benchmark_blocks(about),
    ]
    said = Page(made(demo, name)).said
    lacking = [text for block in pages for text in words(as_data(block)) if plain(text) not in said]
    assert lacking == []
    for caution in head_blocks(found)[0].cautions:  # type: ignore[attr-defined]
        assert plain(caution) in said


def test_a_changed_case_names_the_criterion_that_changed_with_it(demo: Workspace) -> None:
    """The one that its comparison puts first, in its own row."""
    a, b = two_sides(demo, INVOICES, None, None)
    found = compare(a, b)
    changed = [pair for pair in found.pairs if pair.change != "same"]
    rows = re.findall(r"<tr>.*?</tr>", made(demo, INVOICES))
    for pair in changed:
        words = escaped(pair.name), escaped(changed_criterion(found, a, b, pair))
        assert any(all(each in row for each in words) for row in rows), words
    assert {"The chart names each supplier", "The total is negative"} <= {
        changed_criterion(found, a, b, pair) for pair in changed
    }


def test_the_sides_can_be_chosen(demo: Workspace) -> None:
    """Then the verdict is theirs."""
    sides = ("iteration-1@with_skill", "iteration-3@with_skill")
    found = compare(*two_sides(demo, INVOICES, *sides))
    (verdict, *_) = head_blocks(found)
    assert plain(verdict.text) in Page(made(demo, INVOICES, sides=sides)).said  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("name", "sides", "fault"),
    [
        ("nope", None, UnknownName),
        (INVOICES, ("iteration-1@with_skill", "v9"), UnknownName),
        (INVOICES, ("iteration-1@with_skill",) * 2, CannotCompare),
    ],
)
def test_what_is_not_there_is_an_error(
    demo: Workspace, name: str, sides: tuple[str, str] | None, fault: type[Exception]
) -> None:
    """The same one that a comparison gives."""
    with pytest.raises(fault):
        made(demo, name, sides=sides)


def test_a_suite_without_a_second_side_says_its_rate_and_what_is_missing(tmp_path: Path) -> None:
    """There is no verdict, no changed case and no chart."""
    ws = open_workspace(suite(tmp_path, {"a": (4,), "b": (2,)}), cache=False)
    page = Page(made(ws, str(ws.tables.suites["suite"].iloc[0])))
    assert "Cases that changed" not in page.said
    assert "img" not in page.tags
    assert "second" in page.said


def test_a_study_that_is_open_tells_no_sides(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its runs are left out for every reader, and it says so; once closed they are there."""
    monkeypatch.setenv("EVALCORE_STATE_DIR", str(tmp_path / "state"))
    ws = copied(tmp_path / "folder", INVOICES)
    before = Page(made(ws, INVOICES)).said
    study = created(ws, ANA)
    seen = workspace_for_readers(ws)
    compared = {run for pair in study.fields.pairs for run in (pair.run_a, pair.run_b)}
    assert compared <= set(seen.hidden.runs)
    during = Page(made(ws, INVOICES)).said
    assert "blind studies that are not closed yet" in during
    assert "overall efficiency 0.94 against 0.92" in before
    assert "0.94" not in during
    close(ws, study, ANA)
    assert Page(made(ws, INVOICES)).said == before


def test_a_metric_is_followed_when_it_is_asked_for(demo: Workspace) -> None:
    """With its direction, its alerts and its chart, as on Trends."""
    found = found_of(demo, INVOICES, TrendView(metric="tokens", alerts=True), None, "recorded")
    page = Page(made(demo, INVOICES, trend="tokens"))
    texts = [
        text
        for block in trend_blocks(demo, INVOICES, found, "recorded")
        for text in words(as_data(block))
    ]
    assert texts
    assert [text for text in texts if plain(text) not in page.said] == []
    assert page.tags.count("img") == Page(made(demo, INVOICES)).tags.count("img") + 1
    with pytest.raises(UnknownName):
        made(demo, INVOICES, trend="speed")


@pytest.mark.parametrize("name", SUITES)
def test_judging_is_told_when_it_is_asked_for(demo: Workspace, name: str) -> None:
    """How far people agree, and how far a model can be trusted, as on Judge."""
    found = trust(demo, name, load_reviews(review_folder(demo, name)))
    said = Page(made(demo, name, judging=True)).said
    blocks = trust_blocks(found, judged_here=family_of(demo, name).judged_here)
    told = [block for block in blocks if not isinstance(block, Links)]
    texts = [text for block in told for text in words(as_data(block))]
    assert [text for text in texts if plain(text) not in said] == []
    assert "Trust in the model as judge" not in Page(made(demo, name)).said
