"""Which cases hold some words: in what was asked, judged, claimed, noted and remarked."""

from pathlib import Path

import pytest

from evalcore import Workspace
from evalcore.tables.rows import ClaimRow, FeedbackRow, NoteRow
from evalcore.views.gradings.search import cases_with_text, rows_with_text
from tests.made import SUITE, case, judgment, row, run, suite, workspace


@pytest.fixture
def spoken(tmp_path: Path) -> Workspace:
    """Five cases with a run each, and words about them in every table that has some."""
    ids = "abcde"
    return workspace(
        tmp_path,
        suite(),
        suite(name="other"),
        *(case(case_id=name, prompt=f"Prompt {name}") for name in ids),
        *(run(run_id=f"r{name}", case_id=name) for name in ids),
        run(run_id="far", suite="other", case_id="a"),
        judgment("x", run_id="ra", rationale="Über den Rand"),
        judgment("x", run_id="rb", evidence="the edge of it"),
        judgment("x", run_id="far", rationale="far away"),
        judgment("x", run_id="nowhere", rationale="of no run"),
        row(ClaimRow, run_id="rc", claim="It is sorted", evidence="by name"),
        row(NoteRow, suite=SUITE, run_id="rd", text="needs a REVIEW", target="x"),
        row(FeedbackRow, suite=SUITE, case_id="e", text="rather vague", kind="review"),
        row(FeedbackRow, suite=SUITE, run_id="ra", text="good", action="keep it short"),
    )


@pytest.mark.parametrize(
    ("words", "cases"),
    [
        ("prompt C", "c"),
        ("über den", "a"),
        ("EDGE", "b"),
        ("Sorted", "c"),
        ("BY NAME", "c"),
        ("review", "d"),
        ("vague", "e"),
        ("keep it", "a"),
        ("far away", ""),
        ("of no run", ""),
        ("prompt", "abcde"),
    ],
)
def test_a_case_holds_what_is_shown_with_it(spoken: Workspace, words: str, cases: str) -> None:
    """Also what only feedback on the case itself says; never what another suite's runs say."""
    assert "".join("abcde"[at] for at in cases_with_text(spoken, SUITE, words)) == cases


def test_judgments_are_found_by_rationale_and_evidence(spoken: Workspace) -> None:
    """Their positions are those of the table, also of judgments whose run is unknown."""
    assert rows_with_text(spoken, "judgments", "THE").tolist() == [1]
    assert rows_with_text(spoken, "judgments", "of no").tolist() == [3]


def test_every_run_of_a_case_is_looked_into(tmp_path: Path) -> None:
    """Words that most first runs have, and words that only a late run of one case has."""
    runs = [run(run_id=f"{name}{n}", case_id=name, run=str(n)) for name in "abc" for n in range(9)]
    said = {"a0": "common", "b0": "common", "c8": "common rare"}
    judged = [judgment("x", run_id=r.run_id, rationale=said.get(str(r.run_id))) for r in runs]
    ws = workspace(tmp_path, suite(), *(case(case_id=name) for name in "abc"), *runs, *judged)
    assert cases_with_text(ws, SUITE, "common").tolist() == [0, 1, 2]
    assert cases_with_text(ws, SUITE, "RARE").tolist() == [2]
