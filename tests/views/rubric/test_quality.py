"""Faults, suggestions, weights and changed criteria in words."""

from pathlib import Path
from typing import get_args

import pytest

import evalcore.demo
from evalcore import Workspace
from evalcore.comparing.model import CriterionDifference
from evalcore.rubrics.cells import criterion_cells
from evalcore.rubrics.changes import criteria_changes
from evalcore.rubrics.quality import findings
from evalcore.rubrics.spread import spreads
from evalcore.rubrics.suggestions import suggestions
from evalcore.rubrics.weights import weighing
from evalcore.views.blocks.page import Fold, Folds, Heading, Pager, Say, Table
from evalcore.views.rubric.changed import STEPS, WHY, change_blocks, effect_words
from evalcore.views.rubric.criteria import PAGE as CRITERIA
from evalcore.views.rubric.criteria import criteria_blocks
from evalcore.views.rubric.quality import LISTED, quality_blocks, sentence
from evalcore.views.rubric.state import RubricView
from evalcore.views.rubric.suggested import GONE, PAGE, suggested_for, suggestion_blocks
from evalcore.views.rubric.weighed import default_weighing, weight_blocks
from evalcore.workspace.opened import open_workspace
from tests import made
from tests.rubrics.rated import judged, rated
from tests.rubrics.test_suggestions import row as suggestion

DEMO = Path(evalcore.demo.__file__).parent / "workspace"
INVOICE = "invoice-extractor"


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    """Return the demo workspace."""
    return open_workspace(DEMO, cache=False)


def folds(ws: Workspace, suite: str = made.SUITE) -> list[Fold]:
    """Return the counts of faults."""
    blocks = quality_blocks(ws, suite, RubricView(), "recorded")
    return [item for block in blocks if isinstance(block, Folds) for item in block.items]


def test_each_fault_is_a_count_that_opens_to_its_criteria(demo: Workspace) -> None:
    """A criterion is a link to its judgments, with the numbers that show the fault."""
    known = {fold.what: fold for fold in folds(demo, INVOICE)}
    unstable = known["criteria are unstable: runs of the same case differ"]
    assert (unstable.n, len(unstable.entries), unstable.more) == (16, LISTED, 16 - LISTED)
    assert unstable.mark == "flaky"
    (one,) = [entry for entry in unstable.entries if entry.text == "S3"]
    assert one.about == "in 3 of 11 cases with several runs"
    assert one.link.query["criterion"] == "structural:S3"
    (same,) = known["criterion does not distinguish the skill from without_skill"].entries
    assert same.about.startswith("97 % with the skill, 100 % for without_skill over 11 cases")


def test_many_criteria_are_cut_with_a_count(tmp_path: Path) -> None:
    """Never silently."""
    many = [judged("v0-a-0", f"c{at}", 5) for at in range(LISTED + 3)]
    cases = {f"k{at}": [5.0] for at in range(4)}
    more = [judged(f"v0-k{k}-0", f"c{at}", 5) for k in range(4) for at in range(LISTED + 3)]
    ws = rated(tmp_path, {"v0": {"a": [4], **cases}}, *many, *more)
    (fold,) = folds(ws)
    assert (fold.n, len(fold.entries), fold.more) == (LISTED + 3, LISTED, 3)


def test_without_a_fault_it_says_what_was_looked_for(tmp_path: Path) -> None:
    """An empty list would leave open whether anything was checked."""
    ws = rated(tmp_path, {"v0": {"a": [4], "b": [3]}})
    _, said = quality_blocks(ws, made.SUITE, RubricView(), "recorded")
    assert isinstance(said, Say)
    assert "Checked for" in said.text


def test_every_fault_has_words_of_its_own(demo: Workspace) -> None:
    """In all suites of the demo."""
    for suite in demo.tables.suites["suite"]:
        columns = criterion_cells(demo, suite).columns
        for one in findings(demo, suite):
            assert sentence(one, columns)
            assert "None" not in sentence(one, columns)


def listed(ws: Workspace, view: RubricView, suite: str = INVOICE) -> list[str]:
    """Return the suggestions that the page lists."""
    (table,) = [b for b in suggestion_blocks(ws, suite, view) if isinstance(b, Table)]
    return [row.cells[0].text for row in table.rows]


def test_suggestions_come_in_pages_open_ones_first(demo: Workspace) -> None:
    """The page with the open one is shown, wherever it is in the list."""
    found = suggestions(demo, INVOICE)
    assert len(listed(demo, RubricView())) == PAGE
    assert len(listed(demo, RubricView(suggested=99))) == len(found) % PAGE
    last = found[-1]
    view = RubricView(suggestion=last.key)
    blocks = suggestion_blocks(demo, INVOICE, view)
    (table,) = [b for b in blocks if isinstance(b, Table)]
    assert [row.cells[0].id for row in table.rows if row.on] == [last.key]
    assert last.text in [block.text for block in blocks if isinstance(block, Say)]
    (pager,) = [block for block in blocks if isinstance(block, Pager)]
    assert pager.next is None


def test_a_link_to_a_suggestion_that_is_gone_says_so(demo: Workspace) -> None:
    """Also in a suite without any."""
    for suite in (INVOICE, "support-agent"):
        blocks = suggestion_blocks(demo, suite, RubricView(suggestion="nothing"))
        assert GONE in [block.text for block in blocks if isinstance(block, Say)]


def test_a_suggestion_stands_beside_its_criterion(demo: Workspace) -> None:
    """The list names the criterion, and the open criterion lists what is suggested about it."""
    (criterion,) = [c for c in criterion_cells(demo, INVOICE).criteria if c.name == "S1"]
    heading, table = suggested_for(demo, INVOICE, criterion, RubricView())
    assert isinstance(heading, Heading)
    assert isinstance(table, Table)
    assert any("empty picture" in row.cells[0].text for row in table.rows)


def test_long_and_hostile_suggestions_are_cut_text(tmp_path: Path) -> None:
    """Markup stays text; what is cut says how much there is."""
    text = "<b>=1+1</b> " * 3_000
    ws = rated(tmp_path, {"v0": {"a": [4]}}, suggestion(text))
    (one,) = suggestions(ws, made.SUITE)
    blocks = suggestion_blocks(ws, made.SUITE, RubricView(suggestion=one.key))
    assert len(repr(blocks)) < 10_000
    assert any("characters" in block.text for block in blocks if isinstance(block, Say))


def test_weights_that_turn_the_order_are_named(demo: Workspace) -> None:
    """With the weight that it takes, and what the files state."""
    found = default_weighing(demo, INVOICE, None, None, "recorded")
    said = weight_blocks(demo, INVOICE, found, RubricView(), "recorded")
    words = [block.text for block in said if isinstance(block, Say)]
    assert words[0] == (
        "By its weights iteration-2, with_skill has 86.8 % and iteration-3, with_skill 90.3 % of "
        "the highest score, over 4 cases. The order changes with “chart_clarity” at weight 6.73 "
        "instead of 1.5."
    )


@pytest.mark.parametrize(
    ("form", "tone", "words"),
    [
        ((3, 4), (4, 4), "No weights change the order: v0 is nowhere better than v1"),
        ((4, 3), (4, 4), "No weights change the order: v1 is nowhere better than v0"),
        ((3, 4), (4, 3), "Both are equal."),
        ((1, 5), (4, 3.999), "The order changes without “form”."),
        ((3, 4), (4, 3.5), "The order changes with"),
    ],
)
def test_what_weights_do_is_said(
    tmp_path: Path, form: tuple[float, float], tone: tuple[float, float], words: str
) -> None:
    """Each outcome has its own sentence."""
    rubric = [
        judged(f"v{at}-a-0", name, given[at])._replace(kind="rubric")  # type: ignore[call-arg]
        for name, given in (("form", form), ("tone2", tone))
        for at in (0, 1)
    ]
    ws = rated(tmp_path, {"v0": {"a": [4]}, "v1": {"a": [4]}}, *rubric)
    found = weighing(ws, made.SUITE, 0, 1)
    _, said, *_ = weight_blocks(ws, made.SUITE, found, RubricView(), "recorded")
    assert isinstance(said, Say)
    assert words in said.text


def test_two_strong_criteria_outweigh_a_weak_one(tmp_path: Path) -> None:
    """Neither without one of them nor with a thousandfold of the other does the order turn."""
    rubric = [
        judged(f"v{at}-a-0", name, given[at])._replace(kind="rubric")  # type: ignore[call-arg]
        for name, given in {"form": (1, 5), "sign": (1, 5), "tone2": (4, 3.999)}.items()
        for at in (0, 1)
    ]
    ws = rated(tmp_path, {"v0": {"a": [4]}, "v1": {"a": [4]}}, *rubric)
    found = weighing(ws, made.SUITE, 0, 1)
    _, said = weight_blocks(ws, made.SUITE, found, RubricView(), "recorded")
    assert isinstance(said, Say)
    assert "No single weight changes the order" in said.text


def test_each_way_in_which_criteria_differ_has_a_word() -> None:
    """A way without one would end the whole page."""
    assert set(WHY) == set(get_args(CriterionDifference))


def test_what_changed_in_the_criteria_is_said_with_its_effect(tmp_path: Path) -> None:
    """80 % to 80 % by the shared one; the new criterion makes -20 points."""
    new = judged("v1-a-0", "cites a source", 2)
    ws = rated(tmp_path, {"v0": {"a": [4]}, "v1": {"a": [4]}}, new)
    _, block = change_blocks(ws, made.SUITE, None, RubricView(), "recorded")
    assert isinstance(block, Folds)
    (fold,) = block.items
    assert (fold.n, fold.what) == (1, "criterion differs between v0 and v1")
    assert fold.about == (
        "80 % to 60 % over 1 case in both; 80 % to 80 % by the criteria that both have, so the "
        "changed criteria account for −20 points"
    )
    (entry,) = fold.entries
    assert (entry.text, entry.about) == ("cites a source", "new, case a")


def test_older_steps_are_counted(tmp_path: Path) -> None:
    """Every version drops or adds a criterion; the oldest steps are in the document only."""
    versions = STEPS + 3
    more = [judged(f"v{at}-a-0", f"asks for {at} things", 3) for at in range(0, versions, 2)]
    ws = rated(tmp_path, {f"v{at}": {"a": [3]} for at in range(versions)}, *more)
    assert len(criteria_changes(ws, made.SUITE, None)) == versions - 1
    blocks = change_blocks(ws, made.SUITE, None, RubricView(), "recorded")
    assert isinstance(blocks[-1], Say)
    assert blocks[-1].text.startswith("2 older steps")


def test_no_effect_is_made_up(tmp_path: Path) -> None:
    """Where nothing is shared, the sentence says that."""
    ws = rated(
        tmp_path,
        {"v0": {"a": [4]}},
        made.version("v1", 1),
        made.run(run_id="n", case_id="a", version="v1"),
        judged("n", "cites a source", 3),
    )
    (step,) = criteria_changes(ws, made.SUITE, None)
    assert effect_words(step).endswith("some have no criterion in common")


@pytest.mark.parametrize(("criteria", "pages"), [(CRITERIA, 1), (CRITERIA + 1, 2)])
def test_the_list_of_criteria_comes_in_pages(tmp_path: Path, criteria: int, pages: int) -> None:
    """Every criterion is on one of them; there is no way beyond the last."""
    more = [judged("v0-a-0", f"c{at:03}", 3) for at in range(criteria - 1)]
    ws = rated(tmp_path, {"v0": {"a": [3]}}, *more)
    focus, found = criterion_cells(ws, made.SUITE).columns[0], spreads(ws, made.SUITE, 0)
    names = []
    for page in range(1, pages + 1):
        blocks = criteria_blocks(ws, made.SUITE, found, focus, RubricView(listed=page))
        (table,) = [block for block in blocks if isinstance(block, Table)]
        names += [row.cells[0].text for row in table.rows]
        turns = [block for block in blocks if isinstance(block, Pager)]
        assert [(one.previous is None, one.next is None) for one in turns] == (
            [(page == 1, page == pages)] if pages > 1 else []
        )
    assert names == [one.criterion.name for one in found]
