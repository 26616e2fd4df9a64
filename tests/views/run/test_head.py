"""The head of a case: what happened, in which run, and every criterion as a sign and a word."""

from pathlib import Path

import pytest

from evalcore import Workspace
from evalcore.counting.outcomes import marks_in, outcomes
from evalcore.tables.rows import RunRow
from evalcore.views.run.evidence import case_of, evidence
from evalcore.views.run.head import head_block, head_of_case, place_block, verdict
from tests.made import SUITE, case, criterion, judgment, run, suite, version, workspace

ENDS = {"first": "first!", "last": "last!"}


def marks(ws: Workspace) -> dict[str, str]:
    """Return the outcome of each run of the case, as the page gives it."""
    return marks_in(ws, outcomes(ws, SUITE), "case-1")


@pytest.fixture
def several(tmp_path: Path) -> Workspace:
    """One case with two runs in v1@with_skill, two in v0."""
    return workspace(
        tmp_path,
        suite("iterations"),
        version("v0", 0),
        version("v1", 1),
        case(name="Form"),
        criterion("a"),
        criterion("b"),
        criterion("c"),
        run(
            run_id="r1",
            version="v1",
            configuration="with_skill",
            score=1.0,
            max_score=3.0,
            checks_total=3,
            fraction=1 / 3,
        ),
        judgment("a"),
        judgment("b", passed=False),
        judgment("c", passed=None),
        run(run_id="r2", version="v1", configuration="with_skill", run="2", passed=True),
        run(run_id="o1", passed=True),
        run(run_id="o2", run="2", passed=False),
    )


def test_the_head_names_case_column_run_and_verdict(several: Workspace) -> None:
    """All that tells this run from any other, in words."""
    block = head_block(evidence(several, "r1"), marks(several))
    assert (block["name"], block["column"]) == ("Form", "v1 · with_skill")
    assert (block["mark"], block["verdict"]) == ("fail", "failed, 1 of 3")
    assert block["position"] == "run 1 of 2"
    assert [(r["label"], r["title"], r["chosen"], r["mark"]) for r in block["runs"]] == [
        ("1", "run 1 of 2: failed, 1 of 3", True, "fail"),
        ("2", "run 2 of 2: passed", False, "pass"),
    ]


def test_other_columns_open_their_worst_run(several: Workspace) -> None:
    """v0 passed once and failed once: the failed run is the one to look at."""
    (other,) = head_block(evidence(several, "r1"), marks(several))["elsewhere"]
    assert (other["label"], other["mark"], other["run"]) == ("v0, 2 runs", "fail", "o2")


def test_criteria_are_marks_failing_first(several: Workspace) -> None:
    """Each has a word of its own beside its sign; what failed is written out."""
    block = head_block(evidence(several, "r1"), marks(several))
    assert [(mark["word"], mark["title"]) for mark in block["marks"]] == [
        ("failed", "b"),
        ("not scored", "c"),
        ("passed", "a"),
    ]
    assert block["said"] == "b"


def test_where_nothing_failed_the_head_counts(tmp_path: Path) -> None:
    """Of a run that passed there is no criterion to name; one without a score is named."""
    ws = workspace(tmp_path, suite(), case(), run(), judgment("a"), judgment("b"))
    assert head_block(evidence(ws, "r1"), marks(ws))["said"] == "2 passed"
    ws = workspace(tmp_path, suite(), case(), run(), judgment("a"), judgment("b", passed=None))
    assert head_block(evidence(ws, "r1"), marks(ws))["said"] == "not scored: b"


@pytest.mark.parametrize(
    ("place", "where", "first", "last"),
    [
        (1, "1 of 3", "first!", None),
        (2, "2 of 3", None, None),
        (3, "3 of 3", None, "last!"),
        (None, "not in this list", None, None),
    ],
)
def test_the_ends_of_the_list_are_said(
    place: int | None, where: str, first: str | None, last: str | None
) -> None:
    """Only who stands at an end is told so when stepping on."""
    block = place_block(place, 3, ENDS)
    assert (block["where"], block["first"], block["last"]) == (where, first, last)


def test_a_case_without_a_run_has_a_head_too(several: Workspace) -> None:
    """It says that there is no run, and has nothing to copy."""
    block = head_of_case(case_of(several, SUITE, "case-1"))
    assert (block["verdict"], block["runs"], block["markdown"]) == ("no run in any version", [], "")


@pytest.mark.parametrize(
    ("given", "mark", "said"),
    [
        ({"score": 4.5, "max_score": 5.0}, "scored", "scored, 4.5 of 5"),
        ({"status": "gate_failed"}, "fail", "failed, gate failed"),
        (
            {"score": 4.0, "max_score": 5.0, "required_score": 3.5},
            "pass",
            "passed, 4 of 5, required 3.5 of 5",
        ),
        ({"status": "cancelled"}, "outside", "not in the rates, cancelled"),
        ({}, "unscored", "not scored"),
    ],
)
def test_a_verdict_is_one_phrase(given: dict[str, object], mark: str, said: str) -> None:
    """What became of the run, a status that matters, and its score."""
    row: RunRow = run(**given)
    assert verdict(row, mark) == said
