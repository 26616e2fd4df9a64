"""What the Failures page says: its sentence, filters, list, causes, and what stands apart."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from evalcore.failures.detail import described
from evalcore.tables.rows import FailureRow, Row
from evalcore.views.blocks.base import Block
from evalcore.views.blocks.plain import as_json
from evalcore.views.charts.model import Bars
from evalcore.views.failures.chosen import detail_blocks, head_blocks
from evalcore.views.failures.listing import NOTHING, list_blocks, outside_blocks
from evalcore.views.failures.state import FailuresState, View, opened, to
from evalcore.views.failures.top import top_blocks, type_picture, version_picture
from tests.made import SUITE, case, judgment, row, run, suite, version, workspace

AT = datetime(2026, 3, 1, 9, tzinfo=UTC)


def _record(name: str, **more: object) -> FailureRow:
    base: dict[str, object] = {"suite": SUITE, "failure_id": name, "origin": "person"}
    return row(FailureRow, **{**base, **more})


def _state(
    root: Path, *rows: Row, view: View | None = None, chosen: str | None = None
) -> FailuresState:
    versions = (version("v0", 0), version("v1", 1))
    ws = workspace(root, suite(), case(), *versions, *rows)
    return FailuresState(ws, SUITE, chosen, None, view or View(), "recorded")


def _three(root: Path, view: View | None = None, chosen: str | None = None) -> FailuresState:
    """A timeout in v0, and two unlike failures in v1 of which a person resolved one."""
    return _state(
        root,
        run(run_id="slow", status="timeout"),
        run(run_id="a", version="v1"),
        judgment("year", False, run_id="a", rationale="It invents a year."),
        run(run_id="b", version="v1"),
        judgment("sum", False, run_id="b", rationale="No sum."),
        _record("f1", run_id="b", resolved_at=AT, description="No sum.", author="ana-3f2a"),
        run(run_id="c", version="v1"),
        judgment("year", run_id="c"),
        run(run_id="d", version="v1", status="error"),
        view=view,
        chosen=chosen,
    )


def _of(blocks: list[Block], kind: str) -> list[dict[str, Any]]:
    return [block for block in as_json(blocks) if block["t"] == kind]


def _chips(blocks: list[Block], label: str) -> dict[str, int]:
    folded = (line for block in _of(blocks, "filters") for line in block["rows"])
    lines = (line for line in (*_of(blocks, "links"), *folded) if line["label"] == label)
    return {item["text"]: item.get("n") for line in lines for item in line["items"]}


def test_the_sentence_counts_runs_and_types(tmp_path: Path) -> None:
    """All versions, or the chosen one."""
    said = _of(top_blocks(_three(tmp_path)), "say")[0]["text"]
    assert said == (
        "3 of 4 runs failed: 1 timeout, 1 not classified. Rules guess 1 hallucination. 1 resolved."
    )
    said = _of(top_blocks(_three(tmp_path, chosen="v1")), "say")[0]["text"]
    assert said == (
        "2 of 3 runs of v1 failed: 1 not classified. Rules guess 1 hallucination. 1 resolved."
    )


def test_guesses_alone_are_called_guesses(tmp_path: Path) -> None:
    """Nobody said why the runs failed; only that a run ran out of time is known."""
    invented = judgment("year", False, rationale="It invents a year.")
    said = _of(top_blocks(_state(tmp_path, run(), invented)), "say")[0]["text"]
    assert said == ("1 of 1 run failed. Nobody has said why yet. Rules guess 1 hallucination.")


def test_every_criterion_can_be_reached(tmp_path: Path) -> None:
    """The most frequent are offered, and all of them where one asks."""
    rows = [judgment(f"c{at}", False) for at in range(7)]
    chips = _chips(top_blocks(_state(tmp_path, run(), *rows)), "Criterion")
    assert list(chips) == ["c0", "c1", "c2", "c3", "c4", "2 more"]
    every = _state(tmp_path, run(), *rows, view=View(criteria=True))
    chips = _chips(top_blocks(every), "Criterion")
    assert list(chips) == [*(f"c{at}" for at in range(7)), "Only the most frequent"]


def test_without_runs_or_failures_a_sentence_stands_alone(tmp_path: Path) -> None:
    """Nothing to filter; where no run counts, the next step."""
    (only,) = as_json(top_blocks(_state(tmp_path)))
    assert only["text"].startswith("No run counts yet")
    (only,) = as_json(top_blocks(_state(tmp_path, run(), judgment("a"))))
    assert only["text"] == "None of 1 run failed."


def test_filters_have_the_numbers_of_their_lists(tmp_path: Path) -> None:
    """The other filters stay; a choice of one word is no choice."""
    blocks = top_blocks(_three(tmp_path))
    assert _chips(blocks, "Type") == {"hallucination": 1, "timeout": 1, "not classified": 1}
    assert _chips(blocks, "Version") == {"v1": 2, "v0": 1}
    assert _chips(blocks, "State") == {"open": 2, "resolved": 1}
    narrowed = top_blocks(_three(tmp_path, View(state="open")))
    assert _chips(narrowed, "Version") == {"v1": 1, "v0": 1}
    assert _chips(narrowed, "State") == {"open": 2, "resolved": 1}


@pytest.mark.parametrize("group", [None, "cause"])
def test_an_empty_list_says_what_to_do(tmp_path: Path, group: str | None) -> None:
    """A filter from an old link may match nothing."""
    state = _three(tmp_path, View(type="refusal", group=group))
    assert [block["text"] for block in as_json(list_blocks(state, None))] == [NOTHING]


def test_a_page_beyond_the_last_is_the_last(tmp_path: Path) -> None:
    """As everywhere: an address never leads to an error."""
    (table,) = _of(list_blocks(_three(tmp_path, View(page=99)), 0), "table")
    assert len(table["rows"]) == 3
    assert [found["on"] for found in table["rows"]] == [True, False, False]


def test_a_cause_says_since_when_it_is(tmp_path: Path) -> None:
    """And where it is gone."""
    headings = _of(list_blocks(_three(tmp_path, View(group="cause")), None), "heading")
    assert {each["text"]: each["hint"] for each in headings} == {
        "year": "1 failure · since v1",
        "sum": "1 failure · since v1",
        "timeout": "1 failure · only v0, not seen since",
    }


def test_the_open_failure_is_found_by_run_and_by_record(tmp_path: Path) -> None:
    """A record that was replaced leads to the one that replaced it."""
    state = _three(tmp_path)
    ids = {key: opened(_three(tmp_path, View(failure=key))) for key in ("a", "b", "f1", "x")}
    assert opened(state) == 0
    assert ids["b"] == ids["f1"] != ids["a"]
    assert ids["x"] is None
    newer = _record("f2", run_id="b", supersedes='["f0"]')
    replaced = _state(tmp_path, run(run_id="b"), newer, view=View(failure="f0"))
    assert opened(replaced) == 0


def test_a_guess_and_a_persons_word_read_differently(tmp_path: Path) -> None:
    """A guess names its rule; a record its author and when it was resolved."""
    state = _three(tmp_path)
    said = {
        each.run_id: _of(head_blocks(state.ws, each), "say")[0]["text"]
        for each in described(state.ws, SUITE, range(3))
    }
    assert said["a"] == (
        "Hallucination, major. This is a guess, because the judge speaks of something invented."
    )
    assert said["b"] == (
        "Not classified, severity not said, as Ana says. Resolved 1 Mar 2026, 09:00 UTC."
    )
    assert [
        bool(detail_blocks(state.ws, each)) for each in described(state.ws, SUITE, range(3))
    ].count(True) == 1


def test_runs_outside_the_rates_stand_apart(tmp_path: Path) -> None:
    """Only those of the chosen version; nothing at all without any."""
    (folds,) = _of(outside_blocks(_three(tmp_path)), "folds")
    assert [(item["n"], item["what"]) for item in folds["items"]] == [
        (1, "run ended with an error")
    ]
    assert outside_blocks(_three(tmp_path, chosen="v0")) == []


def test_the_pictures_have_the_numbers_of_the_page(tmp_path: Path) -> None:
    """A bar for each type and version, none left out."""
    for picture, numbers in (
        (type_picture(_three(tmp_path)), [0, 1, 0, 1, 0, 1]),
        (version_picture(_three(tmp_path)), [1, 2]),
    ):
        assert isinstance(picture.chart, Bars)
        assert [row.bars[0].value for row in picture.chart.rows if row.bars[0]] == numbers


def test_the_address_is_the_view() -> None:
    """What is written is read back; nonsense is ignored."""
    view = View(type="timeout", state="open", group="cause", page=3, failure="r1")
    written = {name: value for name, value in view.parameters().items() if value is not None}
    assert View.of(written) == view
    assert View.of({"type": "x", "page": "-1", "group": "y"}) == View()
    assert to(view, state=None).query["page"] is None
    assert to(view, failure="r2").query["page"] == "3"


@pytest.mark.parametrize(
    ("name", "place"),
    [("2", "v1 · run 2"), ("night", "v1 · night"), ("95b46c4a-8b20-40f9-af8e-bf1527216ff3", "v1")],
)
def test_a_run_is_called_by_its_version_and_a_name_that_is_one(
    tmp_path: Path, name: str, place: str
) -> None:
    """An id of 36 digits tells a person nothing."""
    state = _state(tmp_path, run(run_id="a", version="v1", run=name, status="timeout"))
    (table,) = _of(list_blocks(state, 0), "table")
    assert table["rows"][0]["cells"][0]["sub"] == place
