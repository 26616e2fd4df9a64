"""Runs that are sent to judging."""

from pathlib import Path
from uuid import UUID

import pytest

from evalcore.errors import CannotWrite
from evalcore.judging.answering import sending
from evalcore.judging.answering.sending import send, waits_by
from evalcore.judging.answering.submitting import submit
from evalcore.judging.asking.tasks import task
from evalcore.judging.model import Answer
from evalcore.judging.storing.store import new_id
from tests.judging.notes_and_exclusions import (
    ANA,
    BASELINE,
    BEN,
    FOLDER,
    OTHER,
    RUN,
    records,
    small,
)


def test_each_run_is_asked_for_once(tmp_path: Path) -> None:
    """Those that wait already are counted, whoever sent them; a run named twice is one."""
    ws = small(tmp_path)
    first = send(ws, [RUN, OTHER, RUN], "odd", ANA)
    assert (len(first.receipts), first.waited) == (2, 0)
    second = send(ws, [RUN, OTHER, BASELINE], "", BEN)
    assert (len(second.receipts), second.waited) == (1, 2)
    assert all(waits_by(records(ws), run) for run in (RUN, OTHER, BASELINE))
    assert [record.fields["reason"] for record in records(ws)] == ["odd", "odd", ""]


def test_a_double_click_sends_once(tmp_path: Path) -> None:
    """Each run has the same record both times, and the answer is the same."""
    ws, submission = small(tmp_path), new_id()
    first, second = (send(ws, [RUN, OTHER], "", ANA, submission=submission) for _ in "ab")
    assert [each.id for each in first.receipts] == [each.id for each in second.receipts]
    assert (second.waited, len(records(ws))) == (0, 2)
    assert all(UUID(each.id).version == 7 for each in first.receipts)


def test_a_run_that_was_judged_since_waits_no_more(tmp_path: Path) -> None:
    """It can be sent again, for another look."""
    ws = small(tmp_path)
    send(ws, [RUN], "", ANA)
    asked = task(ws, RUN, BEN, records(ws))
    submit(ws, asked, [Answer(each.key, 1.0, "It does.") for each in asked.criteria], BEN)
    assert waits_by(records(ws), RUN) is None
    assert len(send(ws, [RUN], "", ANA).receipts) == 1


def test_so_many_runs_are_sent_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody judges thousands: the filters come first."""
    monkeypatch.setattr(sending, "MOST", 1)
    with pytest.raises(ValueError, match="At most 1 runs"):
        send(small(tmp_path), [RUN, OTHER], "", ANA)


def test_what_cannot_be_written_is_an_error(tmp_path: Path) -> None:
    """Nothing is sent where a file has the folder's name."""
    ws = small(tmp_path)
    (tmp_path / FOLDER / "reviews").write_text("", "utf-8")
    with pytest.raises(CannotWrite):
        send(ws, [RUN], "", ANA)
    assert waits_by(records(ws), RUN) is None
