"""Everything known of a run as blocks: nothing is left out, what is missing says so."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from evalcore import Workspace
from evalcore.counting.outcomes import Column
from evalcore.tables.rows import (
    AnalysisRow,
    BenchmarkRow,
    ClaimRow,
    ComparisonRow,
    ComparisonScoreRow,
    FailureRow,
    FeedbackRow,
    NoteRow,
    ProblemRow,
)
from evalcore.views.gradings.version import about_blocks, about_version
from evalcore.views.run.case import case_blocks
from evalcore.views.run.evidence import case_of, evidence
from evalcore.views.run.grading import grade_blocks
from tests.made import SUITE, case, criterion, row, run, suite, version, workspace
from tests.views.panel_json import panel_json

WHEN = datetime(2026, 11, 21, 9, tzinfo=UTC)


def headings(blocks: list[dict[str, Any]]) -> list[str]:
    """Return the headings in their order."""
    return [block["text"] for block in blocks if block["t"] == "heading"]


def notes(blocks: list[dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """Return the remarks by their title."""
    return {block["title"]: block for block in blocks if block["t"] == "note"}


def facts(blocks: list[dict[str, Any]]) -> dict[str, str]:
    """Return all facts by their name."""
    return {
        name: words
        for block in blocks
        if block["t"] == "facts"
        for name, words, _ in block["facts"]
    }


@pytest.fixture
def rich(tmp_path: Path) -> Workspace:
    """One run of which everything is known, and its version."""
    compared: dict[str, Any] = {"comparison_id": "k", "suite": SUITE, "case_id": "case-1"}
    whole: dict[str, Any] = {"suite": SUITE, "version": "v0"}
    return workspace(
        tmp_path,
        suite(),
        version("v0", 0)._replace(git_hash="abc123"),
        case(expected="A form."),
        criterion("a", guide='{"1": "bad", "5": "good"}'),
        run(),
        row(ClaimRow, run_id="r1", claim="It is done", verified=True),
        row(ClaimRow, run_id="r1", claim="It was tested", verified=False, evidence="No test."),
        row(NoteRow, suite=SUITE, run_id="r1", kind="uncertainty", text="Unsure of the date."),
        row(
            FeedbackRow,
            suite=SUITE,
            run_id="r1",
            case_id="case-1",
            kind="suggestion",
            target="a",
            text="Too loose.",
            action="Name the field.",
            frequency=2,
        ),
        row(
            FeedbackRow,
            suite=SUITE,
            run_id="r1",
            case_id="case-1",
            kind="review",
            text="Reads well.",
            author="ann",
            created_at=WHEN,
        ),
        row(
            FailureRow,
            suite=SUITE,
            failure_id="f",
            run_id="r1",
            description="Wrong month",
            root_cause="Locale",
            failure_type="format",
            severity="high",
        ),
        row(
            ComparisonRow,
            **compared,
            version_a="v0",
            version_b="v1",
            winner="B",
            total_a=3.0,
            total_b=4.5,
            max_total=5.0,
            summary="B is clearer.",
        ),
        row(
            ComparisonScoreRow,
            comparison_id="k",
            criterion="clarity",
            score_a=3.0,
            score_b=None,
            max_score=5.0,
            justification_a="Dense.",
        ),
        row(
            AnalysisRow,
            suite=SUITE,
            comparison_id="k",
            winner_version="v1",
            loser_version="v0",
            kind="suggestion",
            area="length",
            before="Be brief.",
            after="Two lines.",
            reasoning="Brief is vague.",
        ),
        row(
            ProblemRow,
            path="grading/r1.json",
            pointer="/overall",
            severity="warning",
            code="derived-mismatch",
            message="It says 4.",
            hint="Recompute it.",
        ),
        row(NoteRow, **whole, kind="benchmark", text="Two runs were slow."),
        row(FeedbackRow, **whole, kind="aggregate", target="a", text="Split it.", frequency=3),
        row(
            BenchmarkRow,
            **whole,
            configuration="-",
            metric="pass_rate",
            mean=0.9,
            n=4,
            origin="stored",
        ),
        row(
            BenchmarkRow,
            **whole,
            configuration="-",
            metric="pass_rate",
            mean=0.75,
            stddev=0.1,
            n=4,
            origin="computed",
        ),
        row(
            ComparisonRow,
            comparison_id="w",
            suite=SUITE,
            version_a="v0",
            version_b="v1",
            winner="tie",
            sample_size=5,
        ),
        row(AnalysisRow, suite=SUITE, kind="finding", reasoning="Both improved."),
    )


def test_a_run_shows_all_that_is_known_what_matters_most_first(rich: Workspace) -> None:
    """Each part has its heading; claims that did not hold stand before those that did."""
    blocks = panel_json(grade_blocks(rich, evidence(rich, "r1")))
    assert headings(blocks) == [
        "Criteria · 1 not scored",
        "Feedback on this run and on the case itself",
        "Claims · 1 not verified, 1 verified",
        "Notes",
        "Failure analysis",
        "Comparisons of this case",
        "Came from and led to",
        "Measured",
        "1 problem in the files of this run",
    ]
    said = notes(blocks)
    assert said["It was tested"]["texts"] == [{"label": "", "text": "No test."}]
    assert said["Unsure of the date."]["tags"] == ["uncertain"]
    assert said["Too loose."]["tags"] == ["suggestion", "a", "said 2 times"]
    assert said["Reads well."]["tags"] == ["reviewer", "ann", "21 Nov 2026, 09:00 UTC"]
    assert (said["Wrong month"]["word"], said["Wrong month"]["tags"]) == (
        "open",
        ["format", "high"],
    )


def test_a_comparison_says_who_won_by_what_and_what_to_change(rich: Workspace) -> None:
    """Totals, each criterion with its reasons, and the words before and after."""
    said = notes(panel_json(grade_blocks(rich, evidence(rich, "r1"))))
    pair = said["A v0 against B v1"]
    assert (pair["word"], pair["tags"]) == ("B, v1, won", ["A 3, B 4.5 of 5"])
    assert pair["texts"][1] == {"label": "clarity · A 3, B not scored of 5", "text": "A: Dense."}
    change = said["Brief is vague."]
    assert change["tags"] == ["suggestion", "length", "v1 over v0"]
    assert [text["text"] for text in change["texts"]] == ["Be brief.", "Two lines."]


def test_what_was_not_measured_says_so(rich: Workspace) -> None:
    """Time, tokens and cost are never 0 by accident; the place of the document can be copied."""
    blocks = panel_json(grade_blocks(rich, evidence(rich, "r1")))
    known = facts(blocks)
    assert {known[name] for name in ("duration", "tokens", "cost")} == {"not measured"}
    assert {known[name] for name in ("judge", "model", "started")} == {"not recorded"}
    assert blocks[-1] == {
        "t": "source",
        "label": "Source",
        "path": "grading/r1.json",
        "pointer": "",
    }


def test_a_run_without_prompt_criteria_and_output_says_where_it_looked(tmp_path: Path) -> None:
    """Three sentences instead of three empty places."""
    ws = workspace(tmp_path, suite(), case(prompt=None, source="evals/evals.json"), run())
    said = [
        block["text"]
        for block in panel_json(grade_blocks(ws, evidence(ws, "r1")))
        if block["t"] == "say"
    ]
    assert said == [
        "No prompt is recorded; looked in evals/evals.json.",
        "No criterion is defined for this case, and none was judged in this run.",
        "No output saved for this run; looked in the runs folder of v0.",
    ]


def test_a_version_shows_what_belongs_to_no_single_run(rich: Workspace) -> None:
    """Record, stored and computed aggregates, notes, collected suggestions, findings."""
    about = about_version(rich, SUITE, Column("v0", "-"))
    assert about.title == "1 summary, 1 note, 1 suggestion, 1 comparison, 1 finding"
    blocks = panel_json(about_blocks(rich, about))
    known = facts(blocks)
    assert known["commit"] == "abc123"
    assert known["pass_rate"] == "stored 0.9 (n 4)\nours 0.75 (± 0.1, n 4)\nthey differ"
    said = notes(blocks)
    assert said["Split it."]["tags"] == ["collected suggestion", "a", "said 3 times"]
    assert said["A v0 against B v1"]["word"] == "tie"
    assert "Both improved." in said
    assert about_version(rich, SUITE, Column("v9", "-")).version is None


def test_a_case_shows_its_definition_with_every_anchor(rich: Workspace) -> None:
    """What is asked, what is expected, and each criterion with what its scores mean."""
    blocks = panel_json(case_blocks(rich, case_of(rich, SUITE, "case-1")))
    assert [block["text"] for block in blocks if block["t"] == "prompt"] == [
        "Make a form.",
        "A form.",
    ]
    assert notes(blocks)["a"]["texts"] == [{"label": "", "text": "1: bad\n5: good"}]
    assert facts(blocks)["weight"] == "not given"


def test_a_hidden_run_shows_what_was_asked_and_nothing_else(rich: Workspace) -> None:
    """Prompt and what was expected; neither scores nor where they lie."""
    (run_id,) = set(rich.tables.runs["run_id"][:1])
    hidden = rich.hiding({str(run_id)}, "ana-1")
    blocks = panel_json(grade_blocks(hidden, evidence(hidden, str(run_id))))
    assert [block["t"] for block in blocks] == ["prompt", "prompt", "say"]
    assert blocks[2]["text"].startswith("Hidden until you have judged: you were asked")


def test_a_version_with_hidden_runs_says_what_is_withheld(rich: Workspace) -> None:
    """Instead of nothing more."""
    run_id = str(rich.tables.runs["run_id"].iloc[0])
    version = str(rich.tables.runs["version"].iloc[0])
    hidden = rich.hiding({run_id}, "ana-1")
    about = about_version(hidden, SUITE, Column(version, "-"))
    assert about.title == "stored summaries hidden until you have judged"
    said = [
        block["text"] for block in panel_json(about_blocks(hidden, about)) if block["t"] == "say"
    ]
    assert said == ["What adds up its runs is hidden until you have judged them."]
