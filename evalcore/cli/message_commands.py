"""The command that lists what was sent to others, answers it, and sets tasks done."""

from typing import Annotated

from typer import Option

from evalcore.cli.answering import Answer
from evalcore.cli.app import Folder, OnlySuite, command
from evalcore.errors import CannotAnswer


@command
def messages(
    path: Folder,
    suite: OnlySuite = None,
    only_open: Annotated[bool, Option("--open", help="Only what is waiting for somebody.")] = False,
    answer: Annotated[
        str | None, Option(metavar="ID", help="Answer this message with --text.")
    ] = None,
    done: Annotated[
        str | None, Option(metavar="ID", help="Mark this task as done; --text says how.")
    ] = None,
    text: Annotated[str | None, Option(help="The answer, or what resolved the task.")] = None,
    by: Annotated[
        str | None,
        Option(metavar="NAME", help="Who answers; by default the judge of this machine."),
    ] = None,
) -> Answer:
    """List tasks, messages, lessons and runs sent to judging.

    Each with who waits for whom, and how long. With --answer or --done it writes one new record.
    Exits with 0 whatever is open.
    """
    from evalcore.cli import messages as work  # noqa: PLC0415 - quick start

    if answer is not None and done is not None:
        raise CannotAnswer("Choose either --answer or --done.")
    name = done if answer is None else answer
    if name is None:
        return work.listing(path, suite, only_open=only_open)
    if text is None:
        raise CannotAnswer('Add the text: --text "…".')
    return work.reply(path, suite, name, text, by, is_done=done is not None)
