"""The command that lists what was sent to others, answers it, and sets tasks done."""

from typing import Annotated

import typer

from evalcore.cli.app import WRONG, AsJson, Folder, command
from evalcore.cli.terminal import complain

ONE_OF = "Choose either --answer or --done."
SAY = 'Add the text: --text "…".'


@command
def messages(
    path: Folder,
    suite: Annotated[str | None, typer.Option(help="Only this suite.")] = None,
    only_open: Annotated[
        bool, typer.Option("--open", help="Only what is waiting for somebody.")
    ] = False,
    answer: Annotated[
        str | None, typer.Option(metavar="ID", help="Answer this message with --text.")
    ] = None,
    done: Annotated[
        str | None, typer.Option(metavar="ID", help="Mark this task as done; --text says how.")
    ] = None,
    text: Annotated[str | None, typer.Option(help="The answer, or what resolved the task.")] = None,
    by: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Who answers; by default the judge of this machine."),
    ] = None,
    as_json: AsJson = False,
) -> int:
    """List tasks, messages, lessons and runs sent to judging.

    Each with who waits for whom, and how long. With --answer or --done it writes one new record.
    Exits with 0 whatever is open.
    """
    from evalcore.cli import messages as work  # noqa: PLC0415 - quick start

    if answer is not None and done is not None:
        complain(ONE_OF)
        return WRONG
    if answer is None and done is None:
        return work.listing(path, suite, only_open=only_open, as_json=as_json)
    if text is None:
        complain(SAY)
        return WRONG
    asked = work.Asked(path, suite, answer or done or "", text, by)
    return work.reply(asked, is_done=done is not None, as_json=as_json)
