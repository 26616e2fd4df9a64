"""The command `evalcore bundle`: send a folder as one file, and take back what others said."""

from pathlib import Path
from typing import Annotated

from typer import Argument, Option

from evalcore.cli.answering import Answer
from evalcore.cli.app import OnlySuite, command

Signers = Annotated[
    Path | None,
    Option(metavar="FILE", help="Only if it is signed by one of FILE's allowed signers."),
]


@command
def bundle(
    path: Annotated[
        Path | None, Argument(metavar="PATH", help="The folder with your evaluations.")
    ] = None,
    suite: OnlySuite = None,
    out: Annotated[
        Path | None, Option(metavar="FILE", help="Where to write it: FILE.evc.zip.")
    ] = None,
    with_outputs: Annotated[bool, Option(help="Add what the runs wrote and did.")] = False,
    sign: Annotated[
        Path | None, Option(metavar="KEY", help="Sign it with this SSH key, by ssh-keygen.")
    ] = None,
    reply: Annotated[
        Path | None,
        Option(metavar="BUNDLE", help="Write only what was judged in this bundle, to send back."),
    ] = None,
    take: Annotated[
        Path | None, Option(metavar="REPLY", help="Store what a reply holds in PATH.")
    ] = None,
    signers: Signers = None,
    force: Annotated[bool, Option(help="Replace FILE if it exists.")] = False,
) -> Answer:
    """Write a folder as one file to send, with its grades and a report.

    Whoever gets it opens it with `evalcore open FILE`, read-only. What they judge in it comes back
    as a reply: they write it with --reply, you take it with --take. Outputs are not in it unless
    asked for, and nobody can judge what is not there.
    """
    from evalcore.cli import bundling as work  # noqa: PLC0415 - quick start

    if take is not None:
        work.require_alone("--take", suite, out, with_outputs or None, sign, reply, force or None)
        return work.take_reply(path, take, signers)
    to = work.Target(out, sign, force=force)
    if reply is not None:
        work.require_alone("--reply", path, suite, with_outputs or None, signers)
        return work.write_reply(reply, to)
    work.require_alone("PATH", signers)
    return work.write(path, suite, to, with_outputs=with_outputs)
