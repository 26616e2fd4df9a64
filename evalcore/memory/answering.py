"""Answer what was sent, and set tasks done: by new records, which change nothing that is there."""

from datetime import datetime
from typing import Final

from evalcore.benchmarks.messages import Message, message_named
from evalcore.disk.values import decoded
from evalcore.errors import AlreadyStored, CannotAnswer, UnknownName
from evalcore.families.reviews.models import MessageFields, TaskFields
from evalcore.families.reviews.review import MESSAGE, TASK
from evalcore.ids import derived_id
from evalcore.judging.limits import LIMITS, stored
from evalcore.judging.model import Receipt
from evalcore.memory.store import New, after, remember, stored_already
from evalcore.workspace.opened import Workspace, reopened

SOMEBODY = "somebody"
_DONE: Final = "done"


def sent(ws: Workspace, suite: str, name: str) -> Message:
    """Return what was sent, by its id or by the one that it had before it was done.

    Raises:
        UnknownName: there is no such suite or message.
    """
    try:
        return message_named(ws, suite, name)
    except UnknownName:
        try:
            return message_named(ws, suite, derived_id(name, _DONE))
        except UnknownName:
            pass
        raise


def answer(ws: Workspace, suite: str, name: str, text: str, author: str) -> Receipt:
    """Write a message that answers another one, dated after it; the same words are stored once.

    Raises:
        UnknownName: there is no such suite or message.
        CannotAnswer: it is no message, or the text is blank.
        CannotJudge: the text is too long.
        CannotWrite: it cannot be written.
    """
    of, said = message_named(ws, suite, name), _said(text, "The answer")
    if of.kind != "message":
        raise CannotAnswer(_OTHERWISE[of.kind])
    fields = MessageFields(
        sender=author,
        recipient=of.sender or of.author or SOMEBODY,
        subject=of.subject or "answer",
        text=said,
        about_type=of.about_type,
        about_id=of.about,
        in_reply_to=of.id,
    )
    identity = derived_id(of.id, f"answer of {author}: {said}")
    new = New(MESSAGE, identity, fields, about=of.subject, at=_later(of))
    return remember(ws, suite, [new], author)[0]


def set_done(ws: Workspace, suite: str, name: str, text: str, author: str) -> Receipt:
    """Write a task as done, with what resolved it, in place of the open one.

    It replaces everything that stood, also where two records close it. Of those who set it done at
    the same time one does; with the same words it is then as the others want it.

    Raises:
        UnknownName: there is no such suite or task.
        CannotAnswer: it is no task, it is done with other words, or the text is blank.
        CannotJudge: the text is too long.
        CannotWrite: it cannot be written.
    """
    of, said = sent(ws, suite, name), _said(text, "The resolution")
    if of.kind != "task":
        raise CannotAnswer(f"{of.id} is not a task. Answer it instead: --answer.")
    if of.state == "done" and not of.rivals:
        resolved = decoded(of.payload) if of.payload is not None else None
        if resolved == {"resolution": said} and of.source is not None:
            return stored_already(ws, of.id, of.source)
        raise CannotAnswer(
            f"The task {of.id} is done already, with other words, so yours were not stored. Read "
            "them with `evalcore messages`."
        )
    fields = TaskFields(
        title=of.subject or "Task",
        description=of.text,
        status="done",
        assignee=of.recipient,
        about_type=of.about_type,
        about_id=of.about,
        resolution=said,
    )
    replaced = (of.id, *of.rivals)
    identity = derived_id(" ".join(sorted(replaced)), _DONE)
    new = New(TASK, identity, fields, replaced, of.subject, _later(of))
    try:
        return remember(ws, suite, [new], author)[0]
    except AlreadyStored:
        return set_done(reopened(ws), suite, identity, text, author)


_OTHERWISE = {
    "task": "A task is not answered but completed: mark it as done with --done.",
    "memory-item": "A lesson needs no answer. To correct it, write a new one.",
    "approval-request": "A run that was sent to judging is answered by judging it: evalcore open.",
}


def _said(text: str, what: str) -> str:
    said = stored(text, LIMITS.note, what)
    if not said:
        raise CannotAnswer(f"{what} is blank: say it in a sentence.")
    return said


def _later(of: Message) -> str:
    """Return the current time, later than what is answered even if the clock went back."""
    return after(of.at if isinstance(of.at, datetime) else None)
