"""A run that a person leaves out of the rates."""

from pathlib import Path

import pytest

from evalcore.errors import UnknownName
from evalcore.judging.answering.excluding import exclude, exclusion_of, lift
from evalcore.judging.storing.store import new_id
from tests.judging.notes_and_exclusions import ANA, BEN, OTHER, RUN, records, small


def test_a_run_is_left_out_with_a_reason(tmp_path: Path) -> None:
    """Who, when and why are told; another run counts as before."""
    ws = small(tmp_path)
    assert exclusion_of(records(ws), RUN) is None
    receipt = exclude(ws, RUN, " The network was down. ", ANA)
    found = exclusion_of(records(ws), RUN)
    assert found is not None
    assert (found.id, found.reason, found.author) == (
        receipt.id,
        "The network was down.",
        "ana-3f2a",
    )
    assert exclusion_of(records(ws), OTHER) is None


def test_a_run_is_not_left_out_without_a_reason(tmp_path: Path) -> None:
    """Nothing is stored."""
    ws = small(tmp_path)
    with pytest.raises(ValueError, match="why"):
        exclude(ws, RUN, "  \n", ANA)
    assert records(ws) == ()


def test_it_counts_again_once_somebody_says_so(tmp_path: Path) -> None:
    """By a record that replaces the first; to say it twice stores nothing more."""
    ws = small(tmp_path)
    first = exclude(ws, RUN, "wrong model", ANA)
    (receipt,) = lift(ws, RUN, BEN)
    assert exclusion_of(records(ws), RUN) is None
    assert lift(ws, RUN, BEN) == ()
    stored = {record.id: record for record in records(ws)}
    assert stored[receipt.id].supersedes == (first.id,)
    assert stored[receipt.id].fields["lifted"] is True


def test_a_run_can_be_left_out_again(tmp_path: Path) -> None:
    """All of it is one chain; the newest reason counts."""
    ws = small(tmp_path)
    exclude(ws, RUN, "one", ANA)
    lift(ws, RUN, ANA)
    exclude(ws, RUN, "two", BEN)
    found = exclusion_of(records(ws), RUN)
    assert found is not None
    assert (found.reason, found.author) == ("two", "ben-77c0")
    assert len(lift(ws, RUN, ANA)) == 1


def test_a_double_click_leaves_out_once(tmp_path: Path) -> None:
    """The same submission is the same record."""
    ws, submission = small(tmp_path), new_id()
    first = exclude(ws, RUN, "broken", ANA, submission=submission)
    second = exclude(ws, RUN, "broken", ANA, submission=submission)
    assert (second.id, second.new) == (first.id, False)
    assert len(records(ws)) == 1


def test_a_double_click_leaves_out_again_once(tmp_path: Path) -> None:
    """Also where there is an older record that it follows; the same holds for counting again."""
    ws, submission = small(tmp_path), new_id()
    exclude(ws, RUN, "one", ANA)
    lift(ws, RUN, ANA)
    assert lift(ws, RUN, ANA) == ()
    for _ in range(2):
        exclude(ws, RUN, "two", ANA, submission=submission)
    assert len(records(ws)) == 3


def test_what_is_no_run_is_refused(tmp_path: Path) -> None:
    """In a sentence that names it."""
    with pytest.raises(UnknownName, match="nonsense"):
        exclude(small(tmp_path), "nonsense", "why", ANA)
