"""What was sent is answered and done by new records, and stands as they say, whoever wrote them."""

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from evalcore.benchmarks.messages import Message, described, listed, message_named, standing
from evalcore.errors import CannotAnswer, CannotJudge, UnknownName
from evalcore.families.reviews.models import MemoryItemFields, MessageFields, TaskFields
from evalcore.judging.answering.sending import send
from evalcore.judging.answering.submitting import submit
from evalcore.judging.asking.tasks import task as judging_task
from evalcore.judging.limits import LIMITS
from evalcore.judging.model import Answer
from evalcore.lint.run import check
from evalcore.memory.answering import answer, set_done
from evalcore.memory.store import New, remember
from evalcore.views.words.messages import notes_of, state_words
from evalcore.workspace.opened import Workspace
from tests.judging.copies import ANA, BEN, NOTES_RUN, copied, records
from tests.memory.remembered import NOTES, SUPPORT, again

ASKED = "22222222-0000-4000-8000-000000000001"
TOLD = "22222222-0000-4000-8000-000000000002"
TASK = "22222222-0000-4000-8000-000000000003"
LESSON = "22222222-0000-4000-8000-000000000004"
AT = "2026-04-01T10:00:00Z"
SUITES = pytest.mark.parametrize("suite", [NOTES, SUPPORT])


def message(name: str = ASKED, **fields: Any) -> New:
    base = {
        "sender": "eval-agent",
        "recipient": "orchestrator",
        "subject": "compare-prompts",
        "text": "Compare them.",
        "expects_answer": True,
    }
    return New("message", name, MessageFields(**{**base, **fields}), at=AT)


def todo(name: str = TASK, supersedes: tuple[str, ...] = (), **fields: Any) -> New:
    base = {"title": "Investigate benchmark regression", "description": "It fell."}
    return New("task", name, TaskFields(**{**base, **fields}), supersedes, at=AT)


def sent(root: Path, suite: str, *new: New) -> Workspace:
    """Return a copy of a suite in which something was sent."""
    ws = copied(root, suite)
    remember(ws, suite, new)
    return again(ws)


def named(ws: Workspace, suite: str, name: str) -> Message:
    return message_named(again(ws), suite, name)


def codes(ws: Workspace) -> set[tuple[str, str]]:
    return {(each.path, each.code) for each in check(again(ws))}


@SUITES
def test_a_message_is_open_until_a_message_answers_it(tmp_path: Path, suite: str) -> None:
    """One that expects no answer is only sent; the answer goes to who asked."""
    ws = sent(tmp_path, suite, message(), message(TOLD, expects_answer=False))
    before = codes(ws)
    assert named(ws, suite, ASKED).state == "open"
    assert named(ws, suite, TOLD).state == "sent"
    assert [described(ws, suite, [at])[0].id for at in listed(ws, suite, only_open=True)] == [ASKED]
    receipt = answer(ws, suite, ASKED, " v3 won. ", "orchestrator")
    of = named(ws, suite, ASKED)
    assert (of.state, [(each.author, each.text) for each in of.answers]) == (
        "answered",
        [("orchestrator", "v3 won.")],
    )
    own = named(ws, suite, receipt.id)
    assert (own.recipient, own.answers_to, own.state) == ("eval-agent", ASKED, "sent")
    assert codes(ws) == before


def test_an_answer_of_another_tool_counts_the_same(tmp_path: Path) -> None:
    """In a store: a record of its own form, in a file of its own, that names what it answers."""
    ws = sent(tmp_path, SUPPORT, message())
    other = {
        "id": "reply-1",
        "type": "message",
        "fields": {"sender": "orchestrator", "text": "v3.", "inReplyTo": ASKED},
        "createdAt": "2026-04-02T10:00:00Z",
    }
    (ws.root / SUPPORT / "records/reply.json").write_text(json.dumps(other))
    of = named(ws, SUPPORT, ASKED)
    assert (of.state, [each.id for each in of.answers]) == ("answered", ["reply-1"])


def test_two_answers_are_both_there(tmp_path: Path) -> None:
    """Neither replaces the other; a sentence says so."""
    ws = sent(tmp_path, NOTES, message())
    answer(ws, NOTES, ASKED, "v3 won.", "orchestrator")
    assert list(notes_of(named(ws, NOTES, ASKED))) == []
    answer(again(ws), NOTES, ASKED, "v2 won.", "ana-3f2a")
    of = named(ws, NOTES, ASKED)
    assert [each.text for each in of.answers] == ["v3 won.", "v2 won."]
    assert list(notes_of(of)) == ["2 messages answer it; all of them are listed."]


def test_an_answer_to_a_message_that_is_gone_says_so(tmp_path: Path) -> None:
    """It stays, and answers nothing else."""
    ws = sent(tmp_path, NOTES, message(), message(TOLD, in_reply_to="gone", expects_answer=False))
    of = named(ws, NOTES, TOLD)
    assert list(notes_of(of)) == ["It answers the message gone, which is not here."]
    assert named(ws, NOTES, ASKED).state == "open"


@SUITES
def test_a_task_is_done_by_a_record_that_replaces_it(tmp_path: Path, suite: str) -> None:
    """What it says stays; what resolved it is added."""
    ws = sent(tmp_path, suite, todo(assignee="ana", about_type="benchmark-run", about_id="b"))
    before = codes(ws)
    set_done(ws, suite, TASK, "Reworded step 4.", "ana-3f2a")
    (of,) = described(again(ws), suite, listed(again(ws), suite))
    assert (of.state, of.author, of.rivals) == ("done", "ana-3f2a", ())
    assert (of.subject, of.text, of.recipient, of.about) == (
        "Investigate benchmark regression",
        "It fell.",
        "ana",
        "b",
    )
    assert json.loads(of.payload or "") == {"resolution": "Reworded step 4."}
    assert codes(ws) == before


def test_a_task_that_another_tool_closed_is_done(tmp_path: Path) -> None:
    closed = todo(TOLD, (TASK,), status="done", resolution="Mended.")
    ws = sent(tmp_path, NOTES, todo(), closed)
    assert [each.state for each in described(ws, NOTES, listed(ws, NOTES))] == ["done"]


def test_a_task_closed_twice_is_a_conflict_until_somebody_closes_it_once_more(
    tmp_path: Path,
) -> None:
    """Both records stay; the third replaces them."""
    closed = [
        todo(name, (TASK,), status="done", resolution=said)
        for name, said in ((ASKED, "Mended."), (TOLD, "No fault."))
    ]
    ws = sent(tmp_path, NOTES, todo(), *closed)
    (of,) = described(again(ws), NOTES, listed(again(ws), NOTES))
    assert len(of.rivals) == 1
    assert next(notes_of(of)).startswith("Two or more closed it: 2 records stand side by side")
    set_done(again(ws), NOTES, of.id, "Mended, both looked.", "ana-3f2a")
    (last,) = described(again(ws), NOTES, listed(again(ws), NOTES))
    assert (last.state, last.rivals) == ("done", ())
    assert "both looked" in (last.payload or "")


@SUITES
@pytest.mark.parametrize(("act", "name"), [(answer, ASKED), (set_done, TASK)])
def test_the_same_words_are_stored_once(tmp_path: Path, suite: str, act: Any, name: str) -> None:
    """Also by who reads the folder again; other words of a task that is done are refused."""
    ws = sent(tmp_path, suite, message(), todo())
    first, second = (act(ws, suite, name, "v3.", "ana") for _ in range(2))
    third = act(again(ws), suite, name, "v3.", "ana")
    assert first == second._replace(new=True) == third._replace(new=True)
    if act is answer:
        assert act(ws, suite, name, "v3.", "ben").new
    for now in (ws, again(ws)):
        if act is set_done:
            with pytest.raises(CannotAnswer, match="with other words, so yours were not stored"):
                set_done(now, suite, name, "v2.", "ben")


@pytest.mark.parametrize(
    ("name", "act", "why"),
    [
        (TASK, answer, "--done"),
        (LESSON, answer, "needs no answer"),
        (ASKED, set_done, "is not a task"),
        (LESSON, set_done, "is not a task"),
    ],
)
def test_what_cannot_be_answered_says_what_to_do(
    tmp_path: Path, name: str, act: Any, why: str
) -> None:
    lesson = New("memory-item", LESSON, MemoryItemFields(lesson="Read first."), at=AT)
    ws = sent(tmp_path, NOTES, message(), todo(), lesson)
    with pytest.raises(CannotAnswer, match=why):
        act(ws, NOTES, name, "Yes.", "ana")
    assert len(listed(again(ws), NOTES)) == 3


def test_a_task_that_is_done_is_not_done_again(tmp_path: Path) -> None:
    ws = sent(tmp_path, NOTES, todo(status="done", resolution="x"))
    with pytest.raises(CannotAnswer, match="done already"):
        set_done(ws, NOTES, TASK, "Again.", "ana")


@pytest.mark.parametrize(
    ("text", "fault"), [(" \n", CannotAnswer), ("x" * (LIMITS.note + 1), CannotJudge)]
)
def test_a_blank_or_endless_text_is_refused(tmp_path: Path, text: str, fault: type) -> None:
    ws = sent(tmp_path, NOTES, message())
    with pytest.raises(fault):
        answer(ws, NOTES, ASKED, text, "ana")


def test_an_unknown_or_ambiguous_id_is_refused_and_a_beginning_is_enough(tmp_path: Path) -> None:
    ws = sent(
        tmp_path, NOTES, message(), message(TOLD), message("44444444-0000-4000-8000-000000000001")
    )
    assert message_named(ws, NOTES, "4444").id.startswith("4444")
    for name in ("nothing", "2222", ""):
        with pytest.raises(UnknownName):
            message_named(ws, NOTES, name)


def test_an_answer_is_dated_after_what_it_answers_though_the_clock_went_back(
    tmp_path: Path,
) -> None:
    ws = sent(tmp_path, NOTES, message()._replace(at="2999-01-01T00:00:00Z"))
    receipt = answer(ws, NOTES, ASKED, "Late.", "ana")
    value = json.loads((ws.root / receipt.path).read_text("utf-8"))
    assert value["createdAt"] == "2999-01-01T00:00:00.001Z"


def test_a_run_that_was_sent_to_judging_is_open_until_a_person_judges_it(tmp_path: Path) -> None:
    """A judgment from before does not answer it."""
    ws = copied(tmp_path, NOTES)
    judged(ws, BEN)
    send(again(ws), [NOTES_RUN], "Please look.", ANA)
    (of,) = described(again(ws), NOTES, listed(again(ws), NOTES))
    assert (of.kind, of.state, of.text, of.about) == (
        "approval-request",
        "open",
        "Please look.",
        NOTES_RUN,
    )
    with pytest.raises(CannotAnswer, match="by judging it"):
        answer(again(ws), NOTES, of.id, "Yes.", "ana")
    judged(again(ws), ANA)
    assert listed(again(ws), NOTES) == []


@pytest.mark.parametrize(
    ("milliseconds", "state"), [(-1, "open"), (0, "answered"), (1, "answered")]
)
def test_a_judgment_of_another_tool_answers_a_request_if_it_is_no_earlier(
    tmp_path: Path, milliseconds: int, state: str
) -> None:
    """In a store: a person's eval-judgment of the run, in a file of its own."""
    ws = copied(tmp_path, SUPPORT)
    first = sorted((ws.root / SUPPORT / "records/eval-judgment").iterdir())[0]
    old, runs = json.loads(first.read_text()), ws.tables.runs
    (run,) = runs["run_id"][runs["run"] == old["fields"]["testRunId"]]
    send(ws, [run], "Please look.", ANA)
    asked = again(ws).tables.requests["created_at"].max()
    fields = {
        **old["fields"],
        "judgedBy": "cy",
        "judgedByType": "human",
        "judgedAt": (asked + timedelta(milliseconds=milliseconds)).isoformat(),
    }
    new = {**old, "id": "by-cy", "fields": fields}
    (ws.root / SUPPORT / "records/by-cy.json").write_text(json.dumps(new))
    of = next(
        each
        for each in described(again(ws), SUPPORT, listed(again(ws), SUPPORT))
        if each.kind == "approval-request"
    )
    assert of.state == state
    assert [each.author for each in of.answers] == (["cy"] if state == "answered" else [])


def judged(ws: Workspace, judge: Any) -> None:
    of = judging_task(ws, NOTES_RUN, judge, records(ws, NOTES))
    submit(ws, of, [Answer(each.key, each.high, "Fine.") for each in of.criteria], judge)


def test_the_newest_stands_first_and_the_age_counts_whole_days(tmp_path: Path) -> None:
    """A clock in the future makes nothing negative; without a date that is said."""
    ws = sent(tmp_path, NOTES, message(), todo()._replace(at="2026-04-02T10:00:00Z"))
    newest, oldest = described(ws, NOTES, listed(ws, NOTES))
    assert (newest.kind, oldest.kind) == ("task", "message")
    assert state_words(oldest, datetime(2026, 4, 4, 9, 59, tzinfo=UTC)) == "open for 2 days"
    assert state_words(oldest, datetime(2026, 4, 4, 10, 0, tzinfo=UTC)) == "open for 3 days"
    assert state_words(oldest, datetime(2026, 3, 1, tzinfo=UTC)) == "open for less than a day"
    assert state_words(oldest._replace(at=None), datetime.now(UTC)) == "open, without a date"


def test_nothing_was_sent(tmp_path: Path) -> None:
    ws = copied(tmp_path, NOTES)
    assert len(standing(ws, NOTES)) == 0
    assert listed(ws, NOTES) == listed(ws, NOTES, only_open=True) == []


@SUITES
def test_a_message_that_says_it_answers_itself_is_open(tmp_path: Path, suite: str) -> None:
    """Only another one answers it."""
    ws = sent(tmp_path, suite, message(in_reply_to=ASKED))
    found = named(ws, suite, ASKED)
    assert (found.state, found.answers) == ("open", ())


def test_no_name_is_the_beginning_of_none(tmp_path: Path) -> None:
    """Also where there is only one that it could be."""
    ws = sent(tmp_path, NOTES, message())
    assert message_named(ws, NOTES, ASKED[:1]).id == ASKED
    with pytest.raises(UnknownName):
        message_named(ws, NOTES, "")
