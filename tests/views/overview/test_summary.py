"""The overview says in numbers where a suite stands, and leads to where to look."""

import os
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from evalcore import Workspace, open_workspace
from evalcore.counting.rates import EFFICIENCY, SHARE
from evalcore.tables.rows import DocumentRow, Row
from evalcore.views.overview.sentences import activity as activity_words
from evalcore.views.overview.sentences import facts, missing_side, rate_sentence
from evalcore.views.overview.summary import Overview, overview, suite_lines
from evalcore.views.overview.tables import (
    EXCERPT,
    benchmark_blocks,
    suite_blocks,
    version_blocks,
)
from evalcore.views.overview.top import likely_range
from evalcore.views.problems import problems_at_open
from evalcore.views.words import wording
from tests import made
from tests.views.panel_json import panel_json

SEEDS = Path(__file__).parents[2] / "data" / "seeds"


def opened(root: Path, *rows: Row, headline: str = SHARE) -> Workspace:
    """Return a workspace with one suite."""
    return made.workspace(root, made.suite()._replace(headline=headline), *rows)


def two_versions(root: Path) -> Workspace:
    """Return a suite with two cases: v0 fails one of them, v1 none."""
    return opened(
        root,
        made.version("v0", 0),
        made.version("v1", 1),
        made.case(case_id="case-1"),
        made.case(case_id="case-2"),
        made.run(run_id="r1", version="v0", passed=True),
        made.judgment("tone", run_id="r1"),
        made.run(run_id="r2", version="v0", case_id="case-2", passed=False),
        made.judgment("tone", False, run_id="r2"),
        made.run(run_id="r3", version="v1", passed=True),
        made.run(run_id="r4", version="v1", case_id="case-2", passed=True),
    )


def rate(ws: Workspace, version: str | None = None) -> str:
    """Return the sentence about the rate of the column in focus."""
    found = overview(ws, made.SUITE, version)
    focus = found.line.focus
    return rate_sentence(found.line, likely_range(ws, made.SUITE, focus) if focus else None)


def cells(blocks: list[dict[str, Any]]) -> list[list[str]]:
    """Return the words of the rows of the first table."""
    table = next(block for block in blocks if block["t"] == "table")
    return [[cell["text"] for cell in row["cells"]] for row in table["rows"]]


def test_a_family_says_what_its_versions_did(tmp_path: Path) -> None:
    """In its own words, unless its headline is one that has a sentence already."""
    rows = (made.run(run_id="r1", fraction=1.0), made.run(run_id="r2", case_id="b", fraction=0.0))
    said = {
        name: rate(made.workspace(tmp_path, made.suite(name)._replace(headline="rate"), *rows))
        for name in ("iterations", "activation")
    }
    assert "passed 50 % of its checks over 2 cases" in said["iterations"]
    assert "answered 50 % of 2 cases as expected" in said["activation"]


def test_a_long_description_is_cut(tmp_path: Path) -> None:
    """It may be a page; Gradings has the whole."""
    for length, ending in ((EXCERPT, "a"), (EXCERPT + 1, "a …")):
        version = made.version("v1", 0)._replace(description="a" * length)
        ws = opened(tmp_path, version, made.run(version="v1", passed=True))
        table = panel_json(version_blocks(overview(ws, made.SUITE)))[1]
        assert table["rows"][0]["cells"][0]["sub"] == "a" * (EXCERPT - 1) + ending


def test_the_rate_has_its_n_and_its_interval(tmp_path: Path) -> None:
    """Cases, the range it is likely in (Wilson of 2 of 2), and the runs behind it."""
    said = rate(two_versions(tmp_path))
    assert said == "v1 passed 100 % of 2 cases, likely between 34 and 100 % (2 of 2 runs passed)."


def test_one_case_has_no_interval(tmp_path: Path) -> None:
    """Nothing is said about how far it may be off."""
    ws = opened(tmp_path, made.version("v0", 0), made.run(fraction=0.5), headline="pass rate")
    assert rate(ws) == "v0 passed 50 % of its checks over 1 case (1 run)."


def test_an_efficiency_is_a_number_not_a_percentage(tmp_path: Path) -> None:
    """So is its interval."""
    runs = [made.run(run_id=f"r{n}", case_id=f"c{n}", fraction=0.5) for n in (1, 2)]
    checks = [
        made.judgment("S1", passed, run_id=f"r{n}", kind="structural")
        for n, passed in ((1, True), (2, False))
    ]
    ws = opened(tmp_path, made.version("v0", 0), *runs, *checks, headline=EFFICIENCY)
    assert rate(ws).startswith("v0 has an overall efficiency of 0.50 over 2 cases, likely between")
    assert "%" not in rate(ws)


def test_sizes_are_counted(tmp_path: Path) -> None:
    """How many versions, cases and runs there are."""
    found = overview(two_versions(tmp_path), made.SUITE)
    assert facts(found) == "4 runs · 2 cases · 2 versions · last activity not recorded"


def test_the_chosen_version_is_the_one_spoken_of(tmp_path: Path) -> None:
    """The sidebar's choice decides the sentence, the counts and the weak criteria."""
    ws = two_versions(tmp_path)
    found = overview(ws, made.SUITE, "v0")
    assert "v0 passed 50 % of 2 cases" in rate(ws, "v0")
    assert found.counts["failing"] == 1
    assert [weak.criterion for weak in found.weak.first] == ["tone"]


def test_a_suite_that_was_never_run_says_so(tmp_path: Path) -> None:
    """No rate is invented for it, and the next step is named."""
    ws = opened(tmp_path, made.case())
    found = overview(ws, made.SUITE)
    assert rate(ws) == f"{made.SUITE} has 1 case and no run yet."
    assert missing_side(found.line).startswith("The first scored run makes a rate")
    assert "first graded run" in panel_json(version_blocks(found))[1]["text"]


def test_runs_without_scores_make_no_rate(tmp_path: Path) -> None:
    """It says that there are runs, and that none is scored."""
    ws = opened(tmp_path, made.version("v0", 0), made.run(), headline="pass rate")
    assert rate(ws) == "v0 has 1 run, none of them scored."
    assert "not scored" in cells(panel_json(version_blocks(overview(ws, made.SUITE))))[0]


def test_how_many_cases_ran_and_ran_again_is_counted(tmp_path: Path) -> None:
    """That is what failing and flaky cases are counted of."""
    ws = opened(
        tmp_path,
        made.version("v0", 0),
        *(made.run(run_id=f"a{n}", run=str(n), passed=True) for n in (1, 2)),
        made.run(run_id="b1", case_id="case-2", passed=True),
    )
    found: Overview = overview(ws, made.SUITE)
    assert (found.ran, found.repeated) == (2, 1)


def test_what_is_left_out_is_counted(tmp_path: Path) -> None:
    """Each reason stands with its number of runs."""
    ws = opened(
        tmp_path,
        made.version("v0", 0),
        made.run(run_id="r1", fraction=1.0),
        made.run(run_id="r2", run="2"),
        made.run(run_id="r3", run="3", status="error"),
        made.run(run_id="r4", run="4", status="gate_failed"),
        headline=EFFICIENCY,
    )
    said = facts(overview(ws, made.SUITE))
    assert "left out: 1 run stopped at the gate, 2 runs not scored, 1 run not finished" in said


def test_versions_stand_newest_first_and_open_their_runs(tmp_path: Path) -> None:
    """Each rate has its n and leads to the version's runs."""
    found = overview(two_versions(tmp_path), made.SUITE)
    table = panel_json(version_blocks(found))[1]
    assert [row["cells"][0]["text"] for row in table["rows"]] == ["v1", "v0"]
    rate = next(cell for cell in table["rows"][1]["cells"] if "50 %" in cell["text"])
    assert rate["text"] == "50 % over 2 cases"
    assert rate["link"]["query"] == {"suite": made.SUITE, "v": "v0", "c": None}


def test_activity_is_the_newest_time_recorded(tmp_path: Path) -> None:
    """A judgment after the run counts."""
    times = [datetime(2026, 5, day, 12, tzinfo=UTC) for day in (1, 3)]
    ws = opened(tmp_path, made.run(started_at=times[0]), made.judgment("tone", judged_at=times[1]))
    assert activity_words(overview(ws, made.SUITE)) == "last activity 3 May 2026, 12:00 UTC"


def test_without_recorded_times_the_disk_is_named(tmp_path: Path) -> None:
    """When a file was written is not when something was run, so it says which it is."""
    (tmp_path / "a.json").write_text("{}")
    os.utime(tmp_path / "a.json", (1_777_000_000, 1_777_000_000))
    ws = opened(
        tmp_path,
        DocumentRow(path="a.json", family="improve", kind="grading", suite=made.SUITE, records=1),
    )
    said = activity_words(overview(ws, made.SUITE))
    assert said == "last activity not recorded; newest file 24 Apr 2026, 03:06 UTC"


def test_nothing_known_about_time_is_said(tmp_path: Path) -> None:
    """Neither a time in a document nor a file."""
    assert activity_words(overview(opened(tmp_path), made.SUITE)) == "last activity not recorded"


def test_several_suites_are_listed_with_the_newest_first(tmp_path: Path) -> None:
    """One that was never run comes last; each link leaves the old suite's version behind."""
    other = made.suite(name="idle")
    time = datetime(2026, 5, 1, tzinfo=UTC)
    ws = made.workspace(tmp_path, other, made.suite(), made.run(started_at=time, fraction=1.0))
    lines = suite_lines(ws)
    assert [line.suite for line in lines] == [made.SUITE, "idle"]
    heading, table = panel_json(suite_blocks(lines, "idle", problems_at_open(ws)))
    assert heading["hint"] == "2, 1 of them with runs"
    assert table["rows"][1]["cells"][0]["link"]["query"] == {"suite": "idle", "v": None, "c": None}


def test_one_suite_needs_no_list(tmp_path: Path) -> None:
    """The sentence has said it all."""
    ws = opened(tmp_path)
    assert suite_blocks(suite_lines(ws), made.SUITE, problems_at_open(ws)) == []


def test_the_seeds_examples_have_an_overview() -> None:
    """Every family's example gives a sentence, versions and, for records, its benchmark runs."""
    ws = open_workspace(SEEDS, cache=False)
    for line in suite_lines(ws):
        found = overview(ws, line.suite)
        assert wording.count(line.runs, "run") in facts(found)
        assert (
            len(cells(panel_json(version_blocks(found)))) >= line.versions
            if line.versions
            else True
        )
        if line.family == "records":
            assert panel_json(benchmark_blocks(found))


def test_a_prompt_is_held_against_its_own_earlier_version(tmp_path: Path) -> None:
    """What another prompt did just before is nothing to compare with."""
    names = ("reply@1", "route@1", "reply@2")
    ws = opened(
        tmp_path,
        *(made.version(name, place) for place, name in enumerate(names)),
        *(made.run(run_id=name, version=name, passed=True) for name in names),
    )
    assert overview(ws, made.SUITE).before == ("reply@1", "-")
    assert overview(ws, made.SUITE, "route@1").before is None
