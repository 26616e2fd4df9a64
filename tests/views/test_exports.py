"""Exported lists hold every row that matches the filters, not only the page on screen."""

import csv
from collections import Counter
from pathlib import Path

import pytest

from evalcore import Workspace
from evalcore.comparing.compare import compare
from evalcore.comparing.model import Side
from evalcore.comparing.sides import default_sides
from evalcore.counting.rates import SHARE
from evalcore.demo import packaged
from evalcore.failures.find import failures
from evalcore.rubrics.cells import criterion_cells
from evalcore.rubrics.spread import spreads
from evalcore.tables.exported import FORMS, Form, exported
from evalcore.tables.rows import Row
from evalcore.views.compare.cases import pairs_listing
from evalcore.views.compare.state import View as CompareView
from evalcore.views.compare.state import listed
from evalcore.views.data.definitions import cases_listing as definitions_listing
from evalcore.views.data.documents import documents_listing
from evalcore.views.data.problems import problems_listing
from evalcore.views.data.state import PAGE, DataView
from evalcore.views.failures.listing import HEAD as FAILURE
from evalcore.views.failures.listing import failures_listing
from evalcore.views.failures.state import FailuresState
from evalcore.views.failures.state import View as FailuresView
from evalcore.views.gradings.selected import HEAD, cases_listing
from evalcore.views.gradings.state import GradingsState, View
from evalcore.views.problems import problems_at_open
from evalcore.views.rubric.criteria import HEAD as CRITERION
from evalcore.views.rubric.criteria import criteria_listing
from evalcore.workspace.opened import open_workspace
from tests import made


@pytest.fixture(scope="module")
def demo() -> Workspace:
    """The demo workspace."""
    return open_workspace(packaged(), cache=False)


def gradings(ws: Workspace, suite: str, **view: object) -> list[dict[str, object]]:
    """Return the exported rows of Gradings under some filters."""
    state = GradingsState(ws, suite, None, None, View(**view))  # type: ignore[arg-type]
    found = cases_listing(state, state.grid())
    return [dict(zip(found.head, row, strict=True)) for row in found.rows]


def test_gradings_has_every_matching_case_in_every_version(demo: Workspace) -> None:
    """Their runs add up to those of the suite; a filter keeps only its cases."""
    rows = gradings(demo, "release-notes")
    runs = demo.tables.runs
    expected = Counter(runs[runs["suite"] == "release-notes"]["version"].astype(str))
    found: Counter[str] = Counter()
    for row in rows:
        found[str(row["version"])] += int(str(row["runs"]))
    assert found == expected
    failing = {row["case_id"] for row in gradings(demo, "release-notes", filter="failing")}
    assert len(failing) == 1
    assert failing < {row["case_id"] for row in rows}


def test_more_cases_than_a_page_are_exported(tmp_path: Path) -> None:
    """All 120, and a case without a run has no row."""
    rows: list[Row] = [made.suite()._replace(headline=SHARE), made.version("v0", 0)]
    rows += [made.run(run_id=f"r{at}", case_id=f"c{at}", passed=at % 2 == 0) for at in range(120)]
    found = gradings(made.workspace(tmp_path, *rows, made.case(case_id="never")), made.SUITE)
    assert len(found) == 120
    assert (found[0]["passed"], found[1]["failed"]) == (1, 1)
    assert found[0]["score"] is None
    assert tuple(found[0]) == HEAD


def test_a_comparison_has_both_values_of_each_case(demo: Workspace) -> None:
    """As its list shows them, with why a case was left out."""
    sides = default_sides(demo, "invoice-extractor")
    assert sides is not None
    found = compare(*sides)
    rows = pairs_listing(listed(found, demo, CompareView())).rows
    assert len(rows) == len(found.pairs) + len(found.left_out)
    one = next(row for row in rows if row[0] == found.pairs[0].case_id)
    assert one[3:6] == (found.pairs[0].a, found.pairs[0].b, found.pairs[0].difference)
    assert isinstance(sides[0], Side)


def test_problems_and_documents_keep_their_filters(demo: Workspace) -> None:
    """More than a page of documents; problems of one severity only."""
    problems = problems_at_open(demo)
    every = documents_listing(demo, DataView("files"), problems).rows
    assert len(every) == len(demo.tables.documents) > PAGE
    warnings = problems_listing(problems, DataView("problems", severity="warning")).rows
    assert {row[2] for row in warnings} == {"warning"}
    assert len(warnings) == sum(row.severity == "warning" for row in problems.rows)


def test_cases_keep_their_search_and_count_their_criteria(demo: Workspace) -> None:
    """All defined cases of the suite, not those of others."""
    suite = "invoice-extractor"
    every = definitions_listing(demo, suite, DataView("cases")).rows
    assert len(every) == 4
    criteria = demo.tables.criteria[demo.tables.criteria["suite"] == suite]
    assert sum(row[-1] for row in every) == len(criteria)
    (one,) = definitions_listing(demo, suite, DataView("cases", text="two VAT rates")).rows
    assert one[0] == "2"


def test_failures_keep_their_filters(demo: Workspace) -> None:
    """As many as the list says, with a record's own words."""
    state = FailuresState(demo, "support-agent", None, None, FailuresView(), "recorded")
    every = [dict(zip(FAILURE, row, strict=True)) for row in failures_listing(state).rows]
    assert len(every) == len(failures(demo, "support-agent"))
    kinds = Counter(row["type"] for row in every)
    chosen = FailuresView(type="hallucination")
    only = failures_listing(FailuresState(demo, "support-agent", None, None, chosen, "recorded"))
    assert len(only.rows) == kinds["hallucination"] > 0
    assert {row["origin"] for row in every} >= {"recorded"}


def test_criteria_have_their_spread_and_their_faults(demo: Workspace) -> None:
    """A row for each criterion of the column, in the order of the page."""
    suite = "invoice-extractor"
    at = len(criterion_cells(demo, suite).columns) - 1
    found = spreads(demo, suite, at)
    rows = [
        dict(zip(CRITERION, row, strict=True))
        for row in criteria_listing(demo, suite, found, "recorded").rows
    ]
    assert [row["criterion"] for row in rows] == [one.criterion.name for one in found]
    (one,) = [row for row in rows if row["criterion"] == "chart_clarity"]
    assert (one["faults"], one["max_score"], one["judgments"]) == ("unstable", 5.0, 3)


@pytest.mark.parametrize("form", FORMS)
def test_lists_of_hostile_and_missing_values_are_written_in_each_form(
    tmp_path: Path, form: Form
) -> None:
    """No formula, no crash: long texts, marks that turn the direction, zero bytes, no score."""
    name = "=HYPERLINK(1)\u202e\x00<b>" * 250
    ws = made.workspace(
        tmp_path,
        made.suite()._replace(headline=SHARE),
        made.version("v0", 0),
        made.case(case_id=name, prompt=name),
        made.criterion(name, case_id=name),
        made.run(run_id="r", case_id=name, passed=False, fraction=None),
        made.judgment(name, False, run_id="r")._replace(rationale=name),
    )
    gradings_ = GradingsState(ws, made.SUITE, None, None, View())
    failures_ = FailuresState(ws, made.SUITE, None, None, FailuresView(), "recorded")
    lists = (
        cases_listing(gradings_, gradings_.grid()),
        failures_listing(failures_),
        definitions_listing(ws, made.SUITE, DataView("cases")),
        criteria_listing(ws, made.SUITE, spreads(ws, made.SUITE, 0), "recorded"),
    )
    for each in lists:
        assert each.rows
        written = exported(each, form)
        assert written
        if form == "csv":
            cells = [cell for row in csv.reader(written.decode().splitlines()) for cell in row]
            assert not [cell for cell in cells if cell.startswith("=")]
