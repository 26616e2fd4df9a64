"""Words for what was sent to others: who to whom, about what, and how it stands."""

from collections.abc import Iterator
from datetime import datetime
from typing import Final

from evalcore.benchmarks.messages import Message
from evalcore.views.words import wording

KIND_WORDS: Final = {
    "task": "task",
    "message": "message",
    "memory-item": "lesson",
    "approval-request": "sent to judging",
}
_DAY: Final = 86_400


def state_words(of: Message, now: datetime) -> str:
    """Return how something stands: `open for 3 days`, `answered`, `done`, `sent 3 days ago`."""
    if of.state not in ("open", "sent"):
        return f"done by {of.author or 'somebody'}" if of.state == "done" else of.state
    if not isinstance(of.at, datetime):
        return f"{of.state}, without a date"
    # A clock may have dated it into the future.
    days = max(int((now - of.at).total_seconds() // _DAY), 0)
    long = wording.count(days, "day") if days else "less than a day"
    return f"open for {long}" if of.state == "open" else f"sent {long} ago"


def head_words(of: Message) -> str:
    """Return who tells whom, and the subject: `eval-agent to orchestrator: trend-degrading`."""
    return f"{people_words(of)}{f': {of.subject}' if of.subject else ''}"


def people_words(of: Message) -> str:
    """Return who tells whom; a task is for somebody, whoever wrote it down."""
    if of.kind == "task":
        return f"for {of.recipient or 'anybody'}"
    who = of.sender or of.author or "somebody"
    return f"{who} to {of.recipient}" if of.recipient else who


def about_words(of: Message) -> str:
    """Return what something is about, behind its head; empty for nothing."""
    if not of.about:
        return ""
    kind = (of.about_type or "").removeprefix("eval-").replace("-", " ")
    return f", about {kind} {of.about}".replace("  ", " ")


def notes_of(of: Message) -> Iterator[str]:
    """Yield what is wrong with something: an answer to nothing, two answers, or two records."""
    if of.is_lost:
        yield f"It answers the message {of.answers_to}, which is not here."
    if len(of.answers) > 1 and of.kind == "message":
        yield f"{len(of.answers)} messages answer it; all of them are listed."
    if of.rivals:
        what = "Two or more closed it" if of.kind == "task" else "Several records replace the same"
        yield (
            f"{what}: {len(of.rivals) + 1} records stand side by side, and the newest is shown. "
            "Set it done once more, and that replaces all of them."
        )
