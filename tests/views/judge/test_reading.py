"""What is shown beside a decision between judges: what they read, and nobody's opinion."""

import json
from pathlib import Path

from evalcore.views.blocks.plain import BUDGET, as_json
from evalcore.views.judge.disagreements import MAX_FILES, reading_blocks
from tests import made
from tests.families.build import write
from tests.views.panel_json import panel_json

OPINION = "The reply never says by when."


def test_prompt_expectation_and_outputs_are_told_and_no_judgment(tmp_path: Path) -> None:
    """In this order, each whole text to be opened; transcripts are not what is judged."""
    write(
        tmp_path, {"r1/out/a.md": "Dear customer", "r1/out/b.txt": "مرحبا", "r1/transcript.md": "…"}
    )
    ws = made.workspace(
        tmp_path,
        made.suite(),
        made.case(prompt="Answer.", expected="An answer."),
        made.run(outputs="r1/out"),
        made.criterion("a"),
        made.judgment("a", rationale=OPINION),
    )
    found = [(block["label"], block["text"]) for block in panel_json(reading_blocks(ws, "r1"))]
    assert found == [
        ("Prompt", "Answer."),
        ("Expected", "An answer."),
        ("a.md", "Dear customer"),
        ("b.txt", "مرحبا"),
    ]


def test_a_run_without_outputs_says_where_they_were_looked_for(tmp_path: Path) -> None:
    """The reader learns that nothing was left out."""
    ws = made.workspace(tmp_path, made.suite(), made.case(prompt="Answer."), made.run())
    assert panel_json(reading_blocks(ws, "r1"))[-1]["text"].startswith(
        "No output saved for this run"
    )


def test_what_is_no_text_or_too_much_is_said(tmp_path: Path) -> None:
    """Pictures and the files beyond the first few are counted; long texts stay within bounds."""
    write(tmp_path, {f"r1/out/{at:02}.txt": "x" * 90_000 for at in range(MAX_FILES + 1)})
    (tmp_path / "r1/out/00.png").write_bytes(b"\x89PNG\r\n")
    ws = made.workspace(tmp_path, made.suite(), made.case(), made.run(outputs="r1/out"))
    found = as_json(reading_blocks(ws, "r1"), BUDGET)
    assert "00.png: no text; open the run." in {block["text"] for block in found}
    assert found[-1]["text"] == "2 more files; open the run to see them."
    assert len(json.dumps(found)) < BUDGET + 10_000
