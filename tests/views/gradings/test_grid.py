"""The grid: cells with sign, number and word, filters, order and pages."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from evalcore import Workspace
from evalcore.counting.outcomes import outcomes
from evalcore.tables.rows import Row as TableRow
from evalcore.views.gradings.case_filter import CaseFilter, ScoreRange
from evalcore.views.gradings.grid import (
    PAGE,
    SHOWN_COLUMNS,
    Grid,
    GridQuery,
    columns_block,
    grid,
    grid_block,
)
from tests.made import SUITE, case, criterion, judgment, run, suite, version, workspace


def shown(ws: Workspace, **asked: object) -> Grid:
    """Return the grid under some filters."""
    return grid(ws, replace(GridQuery(SUITE), **asked))  # type: ignore[arg-type]


def ids(found: Grid) -> list[str]:
    """Return the listed cases in their order."""
    return [row["id"] for row in found.rows]


def cells(found: Grid) -> dict[str, tuple[object, object, str]]:
    """Return sign, number and words of each case's first cell."""
    words = [word for word, _ in found.words]
    first = {row["id"]: row["cells"][0] for row in found.rows}
    return {name: (mark, text, words[at]) for name, (mark, text, at, *_) in first.items()}


@pytest.fixture
def five(tmp_path: Path) -> Workspace:
    """Five cases in one version: passed, failed twice over, flaky, without run, not scored."""
    rows: list[TableRow] = [suite(), version("v0", 0)]
    rows += [case(case_id=name) for name in ("good", "bad", "flaky", "none", "open")]
    rows += [
        run(run_id="g", case_id="good", passed=True, score=5.0, max_score=5.0, fraction=1.0),
        judgment("x", run_id="g"),
        run(run_id="b", case_id="bad", passed=False, score=1.0, max_score=5.0, fraction=0.2),
        judgment("x", passed=False, run_id="b", rationale="It says  nothing\nof the kind."),
        judgment("y", passed=False, run_id="b"),
        run(run_id="f1", case_id="flaky", passed=True, score=4.0, max_score=5.0, fraction=0.8),
        run(
            run_id="f2",
            case_id="flaky",
            run="2",
            passed=False,
            score=2.0,
            max_score=5.0,
            fraction=0.4,
        ),
        judgment("x", passed=False, run_id="f2", evidence="Only in the evidence."),
        run(run_id="o", case_id="open"),
        judgment("x", passed=None, run_id="o"),
    ]
    return workspace(tmp_path, *rows)


def test_every_case_is_listed_those_without_a_run_last(five: Workspace) -> None:
    """Unfiltered, cases keep the order of their definition."""
    found = shown(five)
    assert ids(found) == ["good", "bad", "flaky", "open", "none"]
    assert (found.total, found.matching, found.page[:2]) == (5, 5, (1, 1))


def test_counts_are_those_of_the_filters(five: Workspace) -> None:
    """Each count is how many cases its filter keeps, whatever else is chosen."""
    counts = shown(five, filter="failing", narrow=CaseFilter(text="nothing")).counts
    assert counts == {
        "all": 5,
        "failing": 2,
        "changed": 0,
        "flaky": 1,
        "unscored": 1,
        "not_run": 1,
        "people": 0,
        "differ": 0,
        "excluded": 0,
    }
    for name, n in counts.items():
        assert shown(five, filter=name).matching == n


def test_failing_cases_come_worst_first(five: Workspace) -> None:
    """The one with most failed criteria leads."""
    assert ids(shown(five, filter="failing")) == ["bad", "flaky"]


def test_a_cell_says_what_happened_in_sign_number_and_word(five: Workspace) -> None:
    """No two of these can be taken for each other without colour."""
    assert cells(shown(five)) == {
        "good": ("pass", "5.00", "passed"),
        "bad": ("fail", "1.00", "failed"),
        "flaky": ("flaky", "3.00", "flaky: passed in 1 of 2 runs (passed, failed)"),
        "none": ("none", "·", "no run"),
        "open": ("unscored", "·", "not scored"),
    }


def test_every_cell_of_a_suite_has_one_unit(tmp_path: Path) -> None:
    """A case that ran once reads as one that ran twice: a share of the checks, not 1/2."""
    rows: list[TableRow] = [suite("iterations"), case(case_id="once"), case(case_id="twice")]
    rows += [
        run(run_id=f"{name}{n}", case_id=name, run=str(n), score=1.0, max_score=2.0, fraction=0.5)
        for name, n in (("once", 1), ("twice", 1), ("twice", 2))
    ]
    found = shown(workspace(tmp_path, *rows))
    assert [text for _, text, _ in cells(found).values()] == ["50 %", "50 %"]


def test_a_cell_shows_each_of_its_runs(tmp_path: Path) -> None:
    """In their order, with words where they differ; one run needs none, many only their number."""
    rows: list[TableRow] = [suite(), version("v0", 0)]
    given: dict[str, list[bool | None]] = {
        "one": [True],
        "all": [False, False],
        "some": [False, True, None],
    }
    given |= {"many": [True] * 7}
    for name, ends in given.items():
        rows.append(case(case_id=name))
        rows += [
            run(run_id=f"{name}-{n}", case_id=name, run=str(n), passed=end)
            for n, end in enumerate(ends)
        ]
    found = shown(workspace(tmp_path, *rows))
    block = grid_block(found, None, None)
    said = {row["id"]: block["words"][row["cells"][0][2]] for row in block["rows"]}
    assert said == {
        "one": {"word": "passed", "runs": [], "n": ""},
        "all": {"word": "failed in 2 runs", "runs": ["fail", "fail"], "n": ""},
        "some": {
            "word": "flaky: passed in 1 of 3 runs (failed, passed, not scored)",
            "runs": ["fail", "pass", "unscored"],
            "n": "",
        },
        "many": {"word": "passed in 7 runs", "runs": [], "n": "n=7"},
    }
    assert [mark for mark, _, _ in cells(found).values()] == ["pass", "fail", "flaky", "pass"]


def test_a_failing_case_says_why_on_one_line(five: Workspace) -> None:
    """The first failed criterion, its rationale or else its evidence, and how many more."""
    reasons = {row["id"]: row["why"] for row in shown(five).rows}
    bad = reasons["bad"]
    assert (bad["criterion"], bad["more"]) == ("x", 1)
    assert bad["rationale"] == "It says nothing of the kind."
    assert reasons["flaky"]["rationale"] == "Only in the evidence."
    assert reasons["open"]["mark"] == "unscored"
    assert reasons["good"] is None


def test_a_short_label_is_shown_with_what_it_stands_for(tmp_path: Path) -> None:
    """`S7` alone would say nothing."""
    ws = workspace(
        tmp_path,
        suite("rubric"),
        case(),
        criterion("S7", "structural", description="No errors"),
        run(),
        judgment("S7", passed=False, kind="structural"),
    )
    assert shown(ws).rows[0]["why"]["criterion"] == "S7 No errors"


def test_a_run_that_failed_by_its_ending_says_how(tmp_path: Path) -> None:
    """A timeout has no failed criterion to name."""
    found = shown(workspace(tmp_path, suite(), case(), run(status="timeout")))
    assert found.rows[0]["why"]["criterion"] == "the run ran out of time"


def test_a_reason_from_another_column_names_it(tmp_path: Path) -> None:
    """Where the column in focus has no run of a case, its newest run elsewhere speaks."""
    ws = workspace(
        tmp_path,
        suite(),
        version("v0", 0),
        version("v1", 1),
        case(case_id="old"),
        case(),
        run(run_id="o", case_id="old", passed=False),
        run(run_id="n", version="v1", passed=True),
        judgment("x", passed=False, run_id="o"),
    )
    old = next(row for row in shown(ws).rows if row["id"] == "old")
    assert old["why"]["where"] == "v0"


def test_a_case_that_is_set_apart_says_so(tmp_path: Path) -> None:
    """Draft and deprecated cases are listed; a run without the outputs others have is marked."""
    ws = workspace(
        tmp_path,
        suite(),
        case(case_id="a", status="draft"),
        case(case_id="b"),
        case(case_id="c"),
        run(run_id="b", case_id="b", outputs="out/b"),
        run(run_id="c", case_id="c"),
    )
    assert {row["id"]: row["about"] for row in shown(ws).rows} == {
        "a": ["draft"],
        "b": [],
        "c": ["no output file"],
    }


@pytest.mark.parametrize(
    ("given", "name"),
    [
        ({"name": "A name"}, "A name"),
        ({"case_id": "in-words"}, "in-words"),
        ({"case_id": "7", "prompt": "Write\n a poem"}, "Write a poem"),
        ({"case_id": "7", "prompt": None}, "7"),
    ],
)
def test_a_case_is_called_by_what_a_person_knows(
    tmp_path: Path, given: dict[str, object], name: str
) -> None:
    """Its name, an id in words, or the beginning of its prompt; a bare number only at last."""
    assert shown(workspace(tmp_path, suite(), case(**given))).rows[0]["name"] == name


def test_pages_hold_fifty_cases(tmp_path: Path) -> None:
    """A page beyond the ends is the nearest one."""
    rows = [case(case_id=f"c{number:03}") for number in range(120)]
    ws = workspace(tmp_path, suite(), *rows)
    assert [len(shown(ws, page=page).rows) for page in (1, 2, 3, 9)] == [PAGE, PAGE, 20, 20]
    assert shown(ws, page=9).page.number == 3
    assert grid_block(shown(ws, page=2), None, None)["foot"] == "51–100 · 120 cases"


@pytest.fixture
def many(tmp_path: Path) -> Callable[[int], Workspace]:
    """Return a function that makes a workspace of one case in so many versions."""

    def of(versions: int) -> Workspace:
        rows: list[TableRow] = [suite(), case()]
        for number in range(versions):
            rows += [version(f"v{number}", number), run(run_id=f"r{number}", version=f"v{number}")]
        return workspace(tmp_path, *rows)

    return of


def names(found: Grid) -> tuple[str, str]:
    """Return the first and the last version that is drawn."""
    return found.columns[0].version, found.columns[-1].version


def test_columns_come_in_pages_from_the_newest_on(many: Callable[[int], Workspace]) -> None:
    """Every version is on one page; what is not drawn is counted before and after."""
    ws = many(60)
    assert [names(shown(ws, columns=page)) for page in (None, 1, 2, 3)] == [
        ("v36", "v59"),
        ("v36", "v59"),
        ("v12", "v35"),
        ("v0", "v11"),
    ]
    assert shown(ws, columns=9).turn[1:] == (3, 0, 48)
    assert shown(ws, columns=2).turn[1:] == (2, 12, 24)
    block = grid_block(shown(ws, columns=2), None, None)
    assert block["turn"] == {"page": 2, "earlier": 12, "later": 24, "noun": "version"}


def test_the_page_of_columns_with_the_focus_comes_first(many: Callable[[int], Workspace]) -> None:
    """A version that is chosen on the left is drawn, whatever its page."""
    ws = many(60)
    assert names(shown(ws, version="v3")) == ("v0", "v11")
    assert names(shown(ws, version="v12")) == ("v12", "v35")
    assert names(shown(ws, version="v3", columns=1)) == ("v36", "v59")


@pytest.mark.parametrize("versions", [1, SHOWN_COLUMNS])
def test_columns_that_fit_have_no_pages(many: Callable[[int], Workspace], versions: int) -> None:
    """Nothing is said where nothing is left out."""
    block = grid_block(shown(many(versions)), None, None)
    assert len(block["columns"]) == versions
    assert (block["turn"]["earlier"], block["turn"]["later"]) == (0, 0)


def test_one_column_more_makes_a_second_page(many: Callable[[int], Workspace]) -> None:
    """The oldest version is on it."""
    ws = many(SHOWN_COLUMNS + 1)
    assert shown(ws).turn[1:] == (1, 1, 0)
    assert names(shown(ws, columns=2)) == ("v0", "v0")


def test_the_block_that_is_sent_names_each_word_once(five: Workspace) -> None:
    """Cells point to their words, so a wide grid stays small to send."""
    block = grid_block(shown(five), "bad", None)
    assert [block["words"][row["cells"][0][2]] for row in block["rows"]][:2] == [
        {"word": "passed", "runs": [], "n": ""},
        {"word": "failed", "runs": [], "n": ""},
    ]
    failing = grid_block(shown(five, filter="failing"), "bad", None)
    assert [item["on"] for item in failing["filters"]] == [False, True, *[False] * 4]


def test_flaky_is_not_0_where_no_case_ran_twice(tmp_path: Path) -> None:
    """The filter is not offered; a link to it says that it was not measured."""
    ws = workspace(tmp_path, suite(), case(), run(passed=True))
    found = shown(ws, filter="flaky")
    keys = [item["key"] for item in grid_block(shown(ws), None, None)["filters"]]
    assert "flaky" not in keys
    assert "failing" in keys
    assert grid_block(found, None, None)["empty"].startswith("Not measured")


def test_filters_name_the_column_that_they_count(tmp_path: Path, five: Workspace) -> None:
    """Of several; cases that it did not run and that failed before are not passed over."""
    assert grid_block(shown(five), None, None)["of"] == ""
    rows: list[TableRow] = [suite(), version("v0", 0), version("v1", 1), case(case_id="new")]
    rows += [case(case_id=name) for name in ("well", "lost")]
    rows += [case(case_id="draft", status="draft")]
    rows += [
        run(run_id=name, case_id=name, passed=name == "well") for name in ("well", "lost", "draft")
    ]
    ws = workspace(tmp_path / "two", *rows, run(run_id="n", case_id="new", version="v1"))
    found = shown(ws, filter="not_run")
    block = grid_block(found, None, None)
    assert (block["of"], block["beside"]) == ("in v1:", "1 of them failed when last run")
    assert ids(found) == ["lost", "well"]
    none = grid_block(shown(ws, filter="failing"), None, None)
    assert none["empty"] == "No case fails in v1. 2 cases did not run in it."


@pytest.mark.parametrize(
    ("asked", "sentence"),
    [
        ({"filter": "changed"}, "There is nothing before v0 that it could be compared with."),
        ({"narrow": CaseFilter(text="zebra")}, "No case under these filters has “zebra”"),
        ({"narrow": CaseFilter(tag="none")}, "No case matches."),
    ],
)
def test_an_empty_list_says_why(five: Workspace, asked: dict[str, object], sentence: str) -> None:
    """What was asked and what to do stand where the list would be."""
    found = shown(five, **asked)
    block = grid_block(found, None, None)
    assert block["rows"] == []
    assert sentence in block["empty"]


def test_an_empty_search_has_a_way_out(five: Workspace) -> None:
    """Words first; without words the other filters; without any there is nothing to take away."""
    words = CaseFilter(text="zebra")
    block = grid_block(shown(five, filter="failing", narrow=words), None, None)
    assert (block["clear"], "zebra" in block["empty"]) == ("Clear the search", True)
    block = grid_block(shown(five, narrow=CaseFilter(tag="none")), None, None)
    assert block["clear"] == "Take all filters away"
    assert grid_block(shown(five), None, None)["clear"] is None


def test_a_hidden_run_says_so_in_its_cell(tmp_path: Path) -> None:
    """Alone, and beside others, which are counted without it."""
    names = ("alone", "beside")
    rows: list[TableRow] = [suite(), version("v0", 0), *(case(case_id=name) for name in names)]
    rows += [run(run_id=name, case_id=name, status="hidden") for name in names]
    rows += [
        run(run_id=f"p{number}", case_id="beside", run=str(number), passed=True, outputs="out")
        for number in (2, 3)
    ]
    found = shown(workspace(tmp_path, *rows))
    alone, beside = cells(found).values()
    assert alone == ("outside", "hidden", "hidden until you have judged")
    assert beside[2] == (
        "passed in 2 runs (not in the rates, passed, passed); 1 run hidden until you have judged"
    )
    assert found.counts["unscored"] == 0
    assert not any("no output" in about for row in found.rows for about in row["about"])


def test_a_column_sorts_the_cases_and_what_has_no_value_stays_last(five: Workspace) -> None:
    """The lowest first, or the highest; a column that is not there changes nothing."""
    assert ids(shown(five, sort="v0")) == ["bad", "flaky", "good", "open", "none"]
    high = shown(five, sort="v0", high=True)
    assert ids(high) == ["good", "flaky", "bad", "open", "none"]
    assert [each["sort"] for each in grid_block(high, None, None)["columns"]] == ["high"]
    assert ids(shown(five, sort="v9")) == ids(shown(five))


@pytest.mark.parametrize(
    ("family", "legend"),
    [
        ("improve", "✓ all required criteria passed · number = mean of all, of 5"),
        ("records", "✓ the total reached its threshold · number = weighted total, of 5"),
        ("rubric", "✓ no criterion failed · number = weighted mean of the rubric, of 5"),
        ("iterations", "✓ no criterion failed · number = share of checks passed"),
    ],
)
def test_the_head_says_what_the_mark_and_the_number_are(
    tmp_path: Path, family: str, legend: str
) -> None:
    """By the rule of the suite's family."""
    ws = workspace(tmp_path, suite(family), case(), run(score=4.0, max_score=5.0, fraction=0.8))
    assert grid_block(shown(ws), None, None)["legend"] == legend


def test_filters_that_are_on_are_chips(five: Workspace) -> None:
    """Each with its own count, beside the count of all together."""
    narrow = CaseFilter(criterion="x", score=ScoreRange(None, 2))
    block = grid_block(shown(five, filter="failing", narrow=narrow), None, None)
    assert block["chips"] == [
        {"kind": "criterion", "text": "fails x: 2 cases"},
        {"kind": "score", "text": "score up to 2: 1 case"},
    ]
    assert block["foot"] == "1 of 5 cases"


@pytest.fixture
def sides(tmp_path: Path) -> Workspace:
    """Two cases in three versions of two configurations."""
    rows: list[TableRow] = [suite("iterations")]
    for number in range(3):
        rows.append(version(f"v{number}", number))
        rows += [
            run(run_id=f"{name}{number}{side}", case_id=name, version=f"v{number}",
                configuration=side, fraction=(number + 1) / 4)
            for name in "ab" for side in ("with_skill", "without_skill")
        ]  # fmt: skip
    return workspace(tmp_path, *rows, case(case_id="a"), case(case_id="b"))


@pytest.mark.parametrize(
    ("asked", "keys"),
    [
        ({}, "v0@-, v0@+, v1@-, v1@+, v2@-, v2@+"),
        ({"versions": ("v0", "v2")}, "v0@-, v0@+, v2@-, v2@+"),
        ({"configurations": ("with_skill",)}, "v0@+, v1@+, v2@+"),
        ({"versions": ("v1",), "configurations": ("without_skill",)}, "v1@-"),
        ({"versions": ("gone", "v1")}, "v1@-, v1@+"),
        ({"versions": ("gone",)}, "v0@-, v0@+, v1@-, v1@+, v2@-, v2@+"),
        ({"versions": ("v1",), "configuration": "with_skill"}, "v1@+"),
        ({"versions": ("v1",), "sort": "v2@with_skill", "filter": "failing"}, "v1@-, v1@+"),
    ],
)
def test_chosen_columns_are_all_that_is_shown(
    sides: Workspace, asked: dict[str, object], keys: str
) -> None:
    """Whatever else is asked; names that are not there are passed over, and nothing never is."""
    short = [each.key.replace("without_skill", "-").replace("with_skill", "+")
             for each in shown(sides, **asked).columns]  # fmt: skip
    assert ", ".join(short) == keys


def test_the_choice_of_columns_lists_all_with_a_tick(sides: Workspace) -> None:
    """An axis of one name, or one that is chosen on the left, is no choice."""
    found = outcomes(sides, SUITE)
    query = GridQuery(SUITE, versions=("v1",))
    versions = [["v0", False], ["v1", True], ["v2", False]]
    both = [["without_skill", True], ["with_skill", True]]
    assert columns_block(found, query)["axes"] == [
        {"key": "versions", "label": "Versions", "ticks": versions},
        {"key": "configurations", "label": "Configurations", "ticks": both},
    ]
    one = columns_block(found, replace(query, configuration="with_skill"))
    assert [axis["key"] for axis in one["axes"]] == ["versions"]
