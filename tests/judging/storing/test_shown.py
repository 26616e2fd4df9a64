"""When scores were shown to whom is remembered on this machine, and nowhere in the workspace."""

import errno
import itertools
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalcore.disk import private
from evalcore.judging.storing import shown as module
from evalcore.judging.storing.shown import AHEAD, Period, joined, note_shown, shown_to
from evalcore.judging.storing.stored_reviews import ReviewFolder

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)


@pytest.fixture(autouse=True)
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a state folder of our own."""
    monkeypatch.setenv("EVALCORE_STATE_DIR", str(tmp_path / "state"))
    return tmp_path / "state"


@pytest.fixture
def reviews(tmp_path: Path) -> ReviewFolder:
    """Return the review folder of an empty suite."""
    return ReviewFolder(tmp_path / "workspace", "reviews")


def restarted() -> None:
    """Forget what this process knows, as a new one would."""
    module._known.clear()


def test_a_viewer_is_remembered_across_restarts(reviews: ReviewFolder, state: Path) -> None:
    """Of this folder and this viewer only; the folder itself is not written to."""
    note_shown(reviews, "ana-1", NOON)
    restarted()
    assert shown_to(reviews, "ana-1") == (Period(NOON, NOON + AHEAD),)
    assert shown_to(reviews, "ben-2") == ()
    assert shown_to(reviews._replace(path="other/reviews"), "ana-1") == ()
    assert not reviews.root.exists()
    assert [path.stat().st_mode & 0o077 for path in state.rglob("*.json")] == [0]


def test_a_page_in_use_writes_once_a_minute(
    reviews: ReviewFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A rerun every second for ten minutes makes one period, and at most eleven writes."""
    written: list[object] = []
    monkeypatch.setattr(module, "save_private", lambda _, value: written.append(value))
    for second in range(601):
        note_shown(reviews, "ana-1", NOON + timedelta(seconds=second))
    assert len(written) <= 11
    ((first, last),) = shown_to(reviews, "ana-1")
    assert first == NOON
    assert last >= NOON + timedelta(minutes=10)


def test_a_later_look_is_another_period(reviews: ReviewFolder) -> None:
    """What another process wrote meanwhile stays."""
    note_shown(reviews, "ana-1", NOON)
    restarted()
    note_shown(reviews, "ana-1", NOON + HOUR)
    assert [each.first for each in shown_to(reviews, "ana-1")] == [NOON, NOON + HOUR]


def test_a_state_folder_that_cannot_be_written_is_no_hindrance(
    reviews: ReviewFolder, state: Path
) -> None:
    """It is remembered until the process ends."""
    state.write_text("in the way", "utf-8")
    note_shown(reviews, "ana-1", NOON)
    assert shown_to(reviews, "ana-1") == (Period(NOON, NOON + AHEAD),)


@pytest.mark.parametrize("text", ["", "[[", '{"a": 1}', '[["x", "y"], [1, 2], [3], "z"]'])
def test_a_broken_file_says_nothing(reviews: ReviewFolder, state: Path, text: str) -> None:
    """It is set aside if it is not JSON, and the next look is written."""
    note_shown(reviews, "ana-1", NOON)
    (path,) = state.rglob("*.json")
    path.write_text(text, "utf-8")
    restarted()
    assert shown_to(reviews, "ana-1") == ()
    note_shown(reviews, "ana-1", NOON + HOUR)
    restarted()
    assert [each.first for each in shown_to(reviews, "ana-1")] == [NOON + HOUR]


times = st.integers(0, 200).map(lambda minutes: NOON + timedelta(minutes=minutes))
periods = st.lists(st.tuples(times, times).map(lambda two: Period(min(two), max(two))), max_size=9)


@given(periods, times)
def test_joining_loses_no_time(given_: list[Period], moment: datetime) -> None:
    """Whatever was in a period is in one afterwards; they are apart and in order."""
    found = joined(tuple(given_))
    if any(each.first <= moment <= each.last for each in given_):
        assert any(each.first <= moment <= each.last for each in found)
    assert all(one.last + AHEAD < two.first for one, two in itertools.pairwise(found))


def test_too_many_periods_are_joined_where_the_gap_is_shortest(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """No time is lost by it."""
    monkeypatch.setattr(module, "MAX_PERIODS", 2)
    at = [NOON, NOON + HOUR, NOON + 3 * HOUR]
    assert joined(tuple(Period(each, each) for each in at)) == (
        Period(NOON, NOON + HOUR),
        Period(NOON + 3 * HOUR, NOON + 3 * HOUR),
    )


def test_what_cannot_be_read_now_is_not_replaced(
    reviews: ReviewFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the state folder does not answer for a moment, this process remembers by itself."""
    note_shown(reviews, "ana-1", NOON)
    restarted()

    def refused(*_: object) -> None:
        raise OSError(errno.EIO, "lost")

    with monkeypatch.context() as patch:
        patch.setattr(private, "content", refused)
        note_shown(reviews, "ana-1", NOON + HOUR)
    assert shown_to(reviews, "ana-1") == (Period(NOON + HOUR, NOON + HOUR + AHEAD),)
    restarted()
    assert shown_to(reviews, "ana-1") == (Period(NOON, NOON + AHEAD),)
