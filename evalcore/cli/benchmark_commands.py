"""The commands of benchmarks: `evalcore benchmark compare`."""

from functools import partial
from typing import Annotated

import typer

from evalcore.cli.app import AsJson, Folder, app, command_of

group = typer.Typer(help="Run benchmarks again, and decide by them.", no_args_is_help=True)
app.add_typer(group, name="benchmark")
benchmark_command = partial(command_of, group)

Suite = Annotated[str | None, typer.Option(help="Which suite; needless with one.")]


@group.callback()
def benchmark() -> None:
    """Run benchmarks again, and decide by them."""


@benchmark_command
def compare(
    path: Folder,
    name: Annotated[
        str | None, typer.Argument(metavar="NAME", help="The benchmark: its name or id.")
    ] = None,
    a: Annotated[
        str | None, typer.Argument(metavar="A", help="VERSION or VERSION@CONFIGURATION.")
    ] = None,
    b: Annotated[str | None, typer.Argument(metavar="B", help="The other version.")] = None,
    suite: Suite = None,
    as_json: AsJson = False,
) -> int:
    """Compare two versions by the newest benchmark run of each, and record it.

    Writes a prompt comparison with a recommendation, relations to both benchmark runs, and the
    message comparison-complete; the same two benchmark runs are compared once. Without names it
    lists the instructions compare-prompts that nobody has answered.
    """
    from evalcore.cli.comparing_versions import Asked, answer  # noqa: PLC0415 - quick start

    return answer(Asked(path, suite, name, a, b), as_json=as_json)
