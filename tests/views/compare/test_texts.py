"""What changed in the text of the skill, and what became of suggestions, in words."""

from evalcore.comparing.content import Changes, FileChange
from evalcore.comparing.suggestions import Status, Suggestion
from evalcore.comparing.version_texts import Content
from evalcore.tables.rows import AnalysisRow
from evalcore.views.compare.texts import (
    chosen,
    suggestion_blocks,
    text_difference,
    text_labels,
    texts_sentence,
)
from evalcore.views.files.diff import diff_block
from tests import made
from tests.views.panel_json import panel_json

SKILL = FileChange("SKILL.md", "changed", "Be brief.\n", "Be very brief.\n")
NEW = FileChange("notes.md", "added", None, "New.\n")


def texts(*files: FileChange, same: int = 0, note: str = "") -> Changes:
    """Return texts of two sides of which these differ."""
    side = Content("v0/skill", {"SKILL.md": "Be brief.\n"})
    return Changes(side, side, files, same, note)


def suggestion(status: Status) -> Suggestion:
    """Return a suggestion about v0."""
    row = made.row(AnalysisRow, kind="suggestion", area="SKILL.md", after="Be very brief.")
    return Suggestion(row, "v0", status, "Because of this.")


def test_how_many_texts_differ_is_said_first() -> None:
    """Changed, added and removed ones, and how many are the same."""
    assert texts_sentence(texts(SKILL, NEW, same=3)) == (
        "1 file changed, 1 added from A to B; 3 files the same."
    )
    assert texts_sentence(texts(same=3)) == "Nothing changed in the text; 3 files the same."


def test_where_no_text_is_kept_the_reason_is_said() -> None:
    """What was looked for."""
    gone = Content("", None, "Looked for v0/skill.")
    found = Changes(gone, gone, (), 0, "There is no text to compare.")
    assert texts_sentence(found) == "There is no text to compare."
    assert text_labels(found) == {}


def test_each_text_that_differs_can_be_chosen() -> None:
    """The first one is open; one that is no longer there means the first one."""
    found = texts(SKILL, NEW)
    assert text_labels(found) == {"SKILL.md": "SKILL.md", "notes.md": "notes.md · only in B"}
    files = {file.path: file for file in found.files}
    assert chosen(files, "notes.md") is NEW
    assert chosen(files, "gone.md") is SKILL


def test_a_text_is_compared_line_by_line() -> None:
    """One that only B has is all new."""
    summaries = [
        diff_block(text_difference(file.a or "", file.b or ""), file.path)["summary"]
        for file in (SKILL, NEW)
    ]
    assert summaries[0] == "1 line of 1 only in A, 1 line of 1 only in B."
    assert summaries[1] == "A is empty; B has 1 line."


def test_a_suggestion_says_whether_it_was_taken_up_and_how_that_is_known() -> None:
    """A mark and a word for each, and their counts above."""
    statuses: tuple[Status, ...] = ("applied", "partly", "not applied", "unknown", "applied")
    title, listed = panel_json(suggestion_blocks(tuple(map(suggestion, statuses))))
    assert title["text"] == (
        "5 suggestions of the analyses about A: 2 applied, 1 partly, 1 not applied, 1 unknown"
    )
    assert [(item["mark"], item["word"]) for item in listed["items"]] == [
        ("pass", "applied"),
        ("flaky", "partly"),
        ("fail", "not applied"),
        ("none", "unknown"),
        ("pass", "applied"),
    ]
    assert listed["items"][0]["text"] == "Be very brief."
    assert listed["items"][0]["sub"] == "SKILL.md · about v0 · Because of this."


def test_without_suggestions_nothing_is_said_of_them() -> None:
    """And of very many, the first ones stand here."""
    assert panel_json(suggestion_blocks(())) == []
    many = [suggestion("applied")] * 50
    assert panel_json(suggestion_blocks(many))[-1]["text"] == "And 10 more in the analyses."
