"""What is said beside the scores, in words."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from evalcore.tables.rows import BenchmarkRow, FeedbackRow, NoteRow, RunRow
from evalcore.views.run.remarks import benchmark_blocks, feedback_blocks, note_blocks
from tests.made import SUITE, case, row, run, suite, version, workspace
from tests.views.panel_json import panel_json


def feedback(**fields: Any) -> FeedbackRow:
    """A reviewer's feedback on one run."""
    made = row(FeedbackRow, kind="review", target="eval-1-with_skill", **fields)
    assert isinstance(made, FeedbackRow)
    return made


def test_a_review_without_words_says_so() -> None:
    """A reviewer who finished and wrote nothing had no complaints; other silence is none."""
    blocks = panel_json(feedback_blocks([feedback(), feedback(text="Bad")], "Feedback"))
    assert [block["title"] for block in blocks[1:]] == ["no complaints", "Bad"]
    other = panel_json(feedback_blocks([feedback()._replace(kind="overall")], "Feedback"))
    assert other[1]["title"] == "no text"


def test_notes_say_what_they_are_about() -> None:
    """Kinds of notes are words, others stand as they are."""
    notes = [row(NoteRow, kind=kind, text="x") for kind in ("feedback", "comparison", "odd")]
    tags = [block["tags"] for block in panel_json(note_blocks(notes))[1:]]
    assert ["note on the review" in str(tags[0]), "note on the comparison" in str(tags[1])] == [
        True,
        True,
    ]
    assert "odd" in str(tags[2])


def test_a_persons_note_is_signed() -> None:
    """With who wrote it and when."""
    at = datetime(2026, 3, 1, 9, 30, tzinfo=UTC)
    (_, block) = panel_json(
        note_blocks([row(NoteRow, kind="note", text="x", author="ana-3f2a", created_at=at)])
    )
    assert block["tags"] == ["somebody's note", "Ana", "1 Mar 2026, 09:30 UTC"]


def test_numbers_of_a_benchmark_stand_with_its_run(tmp_path: Path) -> None:
    """Those of the run's own entry; of a graded run, those of its case and configuration."""
    made = run()
    assert isinstance(made, RunRow)
    side = None if made.configuration == "-" else made.configuration
    whole: dict[str, Any] = {
        "suite": SUITE,
        "version": made.version,
        "configuration": side,
        "case_id": made.case_id,
        "source": "b.json",
        "origin": "stored",
    }
    ws = workspace(
        tmp_path,
        suite(),
        version("v0", 0),
        case(),
        made,
        row(BenchmarkRow, metric="eval_score", mean=94.0, pointer="/runs/1/eval_score", **whole),
        row(BenchmarkRow, metric="share", mean=0.53, text="53%", pointer="/runs/10", **whole),
        row(BenchmarkRow, metric="tokens", mean=7.0, **{**whole, "case_id": "other"}),
    )
    both = panel_json(benchmark_blocks(ws, made._replace(origin="grading")))[1]["facts"]
    assert [fact[:2] for fact in both] == [["eval_score", "94"], ["share", "53%"]]
    listed = made._replace(origin="benchmark", source="b.json", pointer="/runs/1")
    assert [fact[0] for fact in panel_json(benchmark_blocks(ws, listed))[1]["facts"]] == [
        "eval_score"
    ]
