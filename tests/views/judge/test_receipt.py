"""What a receipt says: read back from the disk, in the words of each scale."""

from pathlib import Path

from evalcore.errors import CannotWrite, MayBeWritten
from evalcore.judging.model import Asked, Basis, ReadBack, Receipt, Task
from evalcore.views.judge.receipt import UNREAD, receipt_block, refusal, score_words


def asked(key: str, *, pass_fail: bool = False) -> Asked:
    """Return a criterion from 1 to 5, or one that passes or fails."""
    low, high = (0.0, 1.0) if pass_fail else (1.0, 5.0)
    return Asked(
        key, "rubric", key, key, "", low, high, pass_fail, None, (), None, None, None, "", high
    )


TASK = Task(
    "r1",
    "s",
    "c",
    "The letter",
    None,
    None,
    (),
    (asked("tone"), asked("total")),
    Basis(None, None, {}),
    {"tone": "id-1", "total": "id-2"},
    {},
)


def stored(name: str, key: str, score: float | None, *, intact: bool = True) -> ReadBack:
    """Return a record as it was read back."""
    return ReadBack(name, key, score, 1.0, 5.0, "", (), None, intact)


def receipt(name: str) -> Receipt:
    """Return the receipt of a record."""
    return Receipt(name, "a" * 64, f"reviews/eval-judgment/{name}.json", True)


def test_scores_are_said_in_the_words_of_their_scale() -> None:
    """A score that was withdrawn is none."""
    assert score_words(asked("tone"), 4) == "4 of 5"
    assert score_words(asked("total", pass_fail=True), 1) == "passes"
    assert score_words(asked("total", pass_fail=True), 0) == "fails"
    assert score_words(None, 2.5) == "2.5"
    assert score_words(asked("tone"), None) == "withdrawn"


def test_a_receipt_names_what_was_stored() -> None:
    """Score by criterion, the record's id and the beginning of its sha256."""
    found = receipt_block(
        TASK,
        (receipt("id-1"), receipt("id-2")),
        (stored("id-1", "tone", 4), stored("id-2", "total", 2)),
    )
    assert found["message"] == "Stored: 2 scores for The letter"
    assert found["ids"] == ["id-1", "id-2"]
    assert [row["score"] for row in found["rows"]] == ["4 of 5", "2 of 5"]
    assert found["rows"][0]["sha256"] == "a" * 12
    assert found["short"] == "2 receipts"


def test_a_correction_counts_what_stayed_as_it_was() -> None:
    """Only what this submission wrote can be undone by it."""
    found = receipt_block(
        TASK,
        (receipt("id-1"), receipt("older")),
        (stored("id-1", "tone", 5), stored("older", "total", 2)),
        corrected=True,
    )
    assert found["message"] == "Corrected: 1 score for The letter; 1 as before"
    assert found["ids"] == ["id-1"]


def test_a_file_that_is_not_what_was_stored_is_no_echo() -> None:
    """Nobody is shown what they typed as what is on the disk."""
    found = receipt_block(TASK, (receipt("id-1"),), (stored("id-1", "", None, intact=False),))
    assert found["rows"][0]["score"] == UNREAD
    assert found["message"] == "Stored: 1 score for The letter; 1 was changed in the file since"


def test_what_may_be_stored_is_not_said_to_be_missing() -> None:
    """Only a refusal for certain says that nothing was stored."""
    assert refusal(CannotWrite(Path("x"), "no room")).startswith("Nothing was stored. x was not")
    assert refusal(MayBeWritten(Path("x"), "no answer")).startswith("It is not known whether x")
