"""Answer what was sent, and set tasks done: by new records, which change nothing that is there."""

from datetime import datetime

from evalcore.benchmarks.messages import Message, message_named
from evalcore.errors import CannotAnswer
from evalcore.families.reviews.memory_models import MessageFields, TaskFields
from evalcore.families.reviews.review import MESSAGE, TASK
from evalcore.judging.limits import LIMITS, stored
from evalcore.judging.model import Receipt
from evalcore.judging.storing.store import new_id
from evalcore.memory.store import New, after, remember
from evalcore.workspace.opened import Workspace

SOMEBODY = "somebody"


def answer(
    ws: Workspace, suite: str, name: str, text: str, author: str, submission: str | None = None
) -> Receipt:
    """Write a message that answers another one, dated after it.

    Raises:
        UnknownName: there is no such suite or message.
        CannotAnswer: it is no message, or the text is blank.
        CannotJudge: the text is too long.
        CannotWrite: it cannot be written.
    """
    of = message_named(ws, suite, name)
    if of.kind != "message":
        raise CannotAnswer(_OTHERWISE[of.kind])
    fields = MessageFields(
        sender=author,
        recipient=of.sender or of.author or SOMEBODY,
        subject=of.subject or "answer",
        text=_said(text, "The answer"),
        about_type=of.about_type,
        about_id=of.about,
        in_reply_to=of.id,
    )
    new = New(MESSAGE, submission or new_id(), fields, about=of.subject, at=_later(of))
    return remember(ws, suite, [new], author)[0]


def set_done(
    ws: Workspace, suite: str, name: str, text: str, author: str, submission: str | None = None
) -> Receipt:
    """Write a task as done, with what resolved it, in place of the open one.

    It replaces everything that stood, also where two closed it at the same time.

    Raises:
        UnknownName: there is no such suite or task.
        CannotAnswer: it is no task, it is done already, or the text is blank.
        CannotJudge: the text is too long.
        CannotWrite: it cannot be written.
    """
    of = message_named(ws, suite, name)
    if of.kind != "task":
        raise CannotAnswer(f"{of.id} is not a task. Answer it instead: --answer.")
    if of.state == "done" and not of.rivals:
        raise CannotAnswer(f"The task {of.id} is done already. Write a new one instead.")
    fields = TaskFields(
        title=of.subject or "Task",
        description=of.text,
        status="done",
        assignee=of.recipient,
        about_type=of.about_type,
        about_id=of.about,
        resolution=_said(text, "The resolution"),
    )
    replaced = (of.id, *of.rivals)
    new = New(TASK, submission or new_id(), fields, replaced, of.subject, _later(of))
    return remember(ws, suite, [new], author)[0]


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
