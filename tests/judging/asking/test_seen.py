"""A judgment says what its judge could have seen of the run before."""

from datetime import UTC, datetime, timedelta

import pytest

from evalcore.families.reviews.review import Seen
from evalcore.judging.answering.submitting import submit
from evalcore.judging.asking.seen import seen_before
from evalcore.judging.model import Judge
from evalcore.judging.storing.shown import Period
from evalcore.workspace.opened import Workspace, reopened
from tests.judging.copies import ANA, BEN, NOTES, NOTES_RUN, answers, judged, records, taken

SECOND = timedelta(seconds=1)
LONG_AGO = datetime(2020, 1, 1, tzinfo=UTC)
WEEK = timedelta(days=7)


def before(
    ws: Workspace,
    *shown: Period,
    judge: Judge = ANA,
    told: tuple[Seen, ...] = (),
    hidden: Period | None = None,
) -> list[Seen]:
    """Return what a judge could have seen of the run."""
    of = taken(ws, NOTES_RUN, judge)
    return seen_before(ws, of, records(ws, NOTES), judge, shown, told, hidden)


def since(moment: datetime) -> Period:
    """Return the time from a moment until now."""
    return Period(moment, datetime.now(UTC) + SECOND)


def ben_judged(ws: Workspace) -> datetime:
    """Let Ben judge the run; return when."""
    judged(ws, NOTES_RUN, BEN, answers(taken(ws, NOTES_RUN, BEN), 2.0))
    (at,) = {each.created_at for each in records(ws, NOTES) if each.created_by == BEN.id}
    return at


def test_who_was_shown_nothing_saw_nothing(ws: Workspace) -> None:
    """Though there are recorded scores and another person's."""
    ben_judged(ws)
    assert before(ws) == []


def test_who_was_shown_the_suite_could_see_the_recorded_scores(ws: Workspace) -> None:
    """Nobody else has judged it yet."""
    assert before(ws, since(LONG_AGO)) == ["recorded"]


def test_other_people_count_only_once_they_have_judged(ws: Workspace) -> None:
    """A look that ended before their first score showed none of it."""
    at = ben_judged(ws)
    assert before(ws, Period(LONG_AGO, at - timedelta(milliseconds=1))) == ["recorded"]
    assert before(ws, Period(LONG_AGO, at)) == ["recorded", "others"]
    assert before(ws, since(at)) == ["recorded", "others"]


def test_my_own_scores_are_nobody_elses(ws: Workspace) -> None:
    """Ben alone has judged, and asks for himself."""
    ben_judged(ws)
    assert before(ws, judge=BEN) == ["recorded"]


def test_reasons_of_the_queue_tell_too(ws: Workspace) -> None:
    """Each of whom it tells of."""
    assert before(ws, told=("recorded", "others")) == ["recorded"]
    ben_judged(ws)
    assert before(ws, told=("others",)) == ["others"]


def test_what_was_hidden_was_not_seen(ws: Workspace) -> None:
    """A look before it was hidden, or after it was given up, counts."""
    at = ben_judged(ws)
    hidden = Period(at - WEEK, datetime.now(UTC) + WEEK)
    assert before(ws, since(at - WEEK), hidden=hidden) == []
    assert before(ws, since(at - WEEK - SECOND), hidden=hidden) == ["recorded"]
    given_up = Period(at - WEEK, at - SECOND)
    assert before(ws, since(at - WEEK), hidden=given_up) == ["recorded", "others"]


def test_whoever_judged_it_whole_was_shown_all_there_is(ws: Workspace) -> None:
    """So a correction is never independent of what others said before it."""
    judged(ws, NOTES_RUN)
    assert before(ws) == ["recorded"]
    ben_judged(ws)
    assert before(ws) == ["recorded", "others"]


@pytest.mark.parametrize(
    ("seen", "column"),
    [
        ([], "nothing"),
        (["recorded"], "recorded"),
        (["recorded", "others"], "recorded+others"),
        (None, None),
    ],
)
def test_the_record_and_the_table_say_it(
    ws: Workspace, seen: list[Seen] | None, column: str | None
) -> None:
    """Of a judgment that does not say, the column is empty."""
    of = taken(ws, NOTES_RUN)
    submit(ws, of, answers(of), ANA, seen=seen)
    assert {tuple(each.basis.get("seen", ("?",))) for each in records(ws, NOTES)} == {
        ("?",) if seen is None else tuple(seen)
    }
    table = reopened(ws).tables.judgments
    own = table[table["judge"] == ANA.id]
    assert len(own) == len(of.criteria)
    assert own["seen"].astype(object).where(own["seen"].notna(), None).unique().tolist() == [column]
