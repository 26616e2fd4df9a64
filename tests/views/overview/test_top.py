"""What stands first on the overview: the verdict as a door, and a door for each count."""

import re
from pathlib import Path
from typing import Any

from evalcore import Workspace, open_workspace
from evalcore.comparing.model import Comparability
from evalcore.counting.rates import SHARE
from evalcore.tables.rows import Row
from evalcore.views.overview.summary import overview, suite_lines
from evalcore.views.overview.top import (
    HeadlineComparisons,
    headline_comparisons,
    headline_drawn,
    likely_range,
    top_blocks,
)
from evalcore.views.problems import problems_at_open
from tests import made
from tests.views import verdicts
from tests.views.panel_json import panel_json


def opened(root: Path, *columns: tuple[str, str], cases: int = 8) -> Workspace:
    """Return a suite in which every case passes in the last column, and none in the others."""
    names = list(dict.fromkeys(version for version, _ in columns))
    rows: list[Row] = [made.case(case_id=f"case-{n}") for n in range(cases)]
    rows += [made.version(name, place) for place, name in enumerate(names)]
    rows += [
        made.run(
            run_id=f"{version}-{configuration}-{n}",
            case_id=f"case-{n}",
            version=version,
            configuration=configuration,
            passed=(version, configuration) == columns[-1],
        )
        for version, configuration in columns
        for n in range(cases)
    ]
    return made.workspace(root, made.suite("iterations")._replace(headline=SHARE), *rows)


def top(ws: Workspace, compared: HeadlineComparisons | None = None) -> Any:
    """Return the blocks of the page's top."""
    found, focus = overview(ws, made.SUITE), overview(ws, made.SUITE).line.focus
    likely = likely_range(ws, made.SUITE, focus) if focus else None
    given = top_blocks(
        found, compared or headline_comparisons(ws, made.SUITE), likely, problems_at_open(ws)
    )
    return panel_json(given)


def doors(blocks: list[dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """Return the items of all rows of doors by their words."""
    return {
        item["text"]: item for block in blocks if block["t"] == "links" for item in block["items"]
    }


def test_the_verdict_stands_first_and_opens_compare(tmp_path: Path) -> None:
    """The newest version against the one before, with both in the address."""
    first = top(opened(tmp_path, ("v0", "-"), ("v1", "-")))[0]
    assert (first["t"], first["word"]) == ("verdict", "better")
    assert first["text"].startswith("v1 passes more than v0: 100 % against 0 % on 8 cases (")
    assert first["link"] == {
        "page": "compare",
        "query": {"suite": made.SUITE, "a": "v0", "b": "v1"},
    }
    assert first["how"]


def test_changes_are_doors_to_compare_with_its_filter(tmp_path: Path) -> None:
    """Regressed, improved and same in this order, as on Compare, each with its sign at 0 too."""
    blocks = top(opened(tmp_path, ("v0", "-"), ("v1", "-")))
    found = doors(blocks)
    counts = {name: found[name]["n"] for name in found if found[name]["link"]["page"] == "compare"}
    assert list(counts.items()) == [("regressed", 0), ("improved", 8), ("same", 0)]
    assert [found[name]["mark"] for name in counts] == ["down", "up", "same"]
    assert found["regressed"]["link"]["query"]["filter"] == "regressed"
    assert blocks[1]["label"] == "Of 8 cases, against v0"


def test_cases_left_out_are_a_door(tmp_path: Path) -> None:
    """They are counted beside those that count."""
    compared = HeadlineComparisons(
        verdicts.comparison(left_out=verdicts.left(3, "only in B")), None
    )
    item = doors(top(opened(tmp_path, ("v0", "-"), ("v1", "-")), compared))["left out"]
    assert (item["n"], item["link"]["query"]["filter"]) == (3, "left")


def test_with_against_without_comes_second(tmp_path: Path) -> None:
    """Where versions are compared, the sides of the newest one stand below, more quietly."""
    sides = [(v, c) for v in ("v0", "v1") for c in ("without_skill", "with_skill")]
    verdict = [block for block in top(opened(tmp_path, *sides)) if block["t"] == "verdict"]
    assert [block["small"] for block in verdict] == [False, True]
    assert verdict[1]["text"].startswith("with_skill passes more than without_skill in v1: ")
    assert verdict[1]["link"]["query"]["a"] == "v1@without_skill"


def test_one_version_with_two_sides_has_one_verdict(tmp_path: Path) -> None:
    """The sides are then what is compared first."""
    blocks = top(opened(tmp_path, ("v0", "without_skill"), ("v0", "with_skill")))
    assert [block["t"] for block in blocks].count("verdict") == 1
    assert "with_skill passes more than without_skill" in blocks[0]["text"]


def test_one_side_has_its_rate_and_what_is_missing(tmp_path: Path) -> None:
    """n and interval in the sentence; the next step after it; no door to nowhere."""
    first, *_ = top(opened(tmp_path, ("v0", "-")))
    assert first["text"] == (
        "v0 passed 100 % of 8 cases, likely between 68 and 100 % (8 of 8 runs passed)."
    )
    assert first["link"] is None
    assert first["rest"].startswith("Nothing to compare it with yet: a second version")
    assert first["how"][0].startswith("Share of runs passed: a case counts as the mean over its")


def test_what_is_not_comparable_has_no_counts(tmp_path: Path) -> None:
    """The sentence says why; no case is called better or worse."""
    nothing = verdicts.incomparable(comparability=Comparability("nothing", (), ()))
    blocks = top(opened(tmp_path, ("v0", "-"), ("v1", "-")), HeadlineComparisons(nothing, None))
    assert "not comparable" in blocks[0]["text"]
    assert blocks[0]["word"] == ""
    assert "improved" not in doors(blocks)


def test_counts_are_doors_to_the_filtered_grid(tmp_path: Path) -> None:
    """Failing and not scored open Gradings; problems open Data."""
    found = doors(top(opened(tmp_path, ("v0", "-"), ("v1", "-"))))
    suite = {"suite": made.SUITE}
    assert found["failing"]["n"] == 0
    assert found["failing"]["link"]["query"] == {**suite, "filter": "failing"}
    assert found["not scored"]["link"]["query"] == {**suite, "filter": "unscored"}
    assert found["0 problems found so far · check all"]["link"]["query"] == {
        **suite,
        "dview": "problems",
        "dsuite": made.SUITE,
    }


def test_flakiness_that_nobody_measured_is_no_zero(tmp_path: Path) -> None:
    """Every case ran once."""
    found = doors(top(opened(tmp_path, ("v0", "-"))))
    assert "n" not in found["flaky: not measured"]


def test_a_suite_without_a_run_has_no_counts(tmp_path: Path) -> None:
    """It says what there is and what would come first."""
    ws = made.workspace(tmp_path, made.suite(), made.case())
    blocks = top(ws)
    assert blocks[0]["text"] == f"{made.SUITE} has 1 case and no run yet."
    assert doors(blocks) == {}


def test_the_sizes_stand_below_and_the_rate_behind_how(tmp_path: Path) -> None:
    """In one quiet line, with when something last happened."""
    first, *_, last = top(opened(tmp_path, ("v0", "-"), ("v1", "-")))
    assert last["quiet"]
    assert last["text"] == "16 runs · 8 cases · 2 versions · last activity not recorded"
    assert any(line.startswith("v1 passed 100 % of 8 cases") for line in first["how"])


def sparse(root: Path, ran: int, cases: int = 8) -> Workspace:
    """Return a suite whose newest version ran only some of the cases of the one before."""
    rows: list[Row] = [made.case(case_id=f"case-{n}") for n in range(cases)]
    rows += [made.version(name, place) for place, name in enumerate(("v0", "v1"))]
    rows += [
        made.run(run_id=f"{version}-{n}", case_id=f"case-{n}", version=version, passed=True)
        for version, of in (("v0", cases), ("v1", ran))
        for n in range(of)
    ]
    return made.workspace(root, made.suite("iterations")._replace(headline=SHARE), *rows)


def test_a_version_that_ran_few_of_the_cases_says_that_first(tmp_path: Path) -> None:
    """Too few to compare; what was seen on them stands after it, and Compare is one press away."""
    first = top(sparse(tmp_path, 1))[0]
    assert first["text"] == "v1 ran 1 of 8 cases: too few to compare."
    assert first["rest"].startswith("v1 passes as much as v0: 100 % against 100 %")
    assert first["link"]["page"] == "compare"


def test_a_version_that_ran_half_of_the_cases_begins_with_the_verdict(tmp_path: Path) -> None:
    """Nothing is said of what it did not run."""
    assert top(sparse(tmp_path, 4))[0]["text"].startswith("v1 passes as much as v0")


def test_real_workspaces_have_an_overview(realworld: Path) -> None:
    """Other people's folders: a sentence with numbers first, and an n beside every rate."""
    for name in ("AfterRealm+roast-my-code", "kimsanguine+AI_PM_Skills", "z5labs+ai"):
        ws = open_workspace(realworld / name, cache=False)
        for line in suite_lines(ws):
            found = overview(ws, line.suite)
            assert found.line.focus is not None
            likely = likely_range(ws, line.suite, found.line.focus)
            compared = headline_comparisons(ws, line.suite)
            first = panel_json(top_blocks(found, compared, likely, problems_at_open(ws)))[0]
            assert re.search(r"o[fn] (the )?[\d,]+ (of [\d,]+ )?case|not comparable", first["text"])
            drawn = headline_drawn(ws, line.suite)
            if drawn is None:
                assert sum(len(each.columns) for each in found.versions) < 2
                continue
            hovers = [point.hover for series in drawn.chart.series for point in series.points]
            assert all(re.search(r"over \d+ cases?, \d+ run", hover) for hover in hovers)
