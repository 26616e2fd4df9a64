"""The commands of benchmarks: `evalcore benchmark list`, `create`, `run`, `compare` and others."""

from functools import partial
from typing import Annotated

import typer

from evalcore.cli.app import AsJson, Folder, app, command_of

group = typer.Typer(
    help="Named sets of cases that are run again and again; a drop is told at once.",
    no_args_is_help=True,
)
app.add_typer(group, name="benchmark")
benchmark_command = partial(command_of, group)

Suite = Annotated[str | None, typer.Option(help="Which suite; needless with one.")]
Name = Annotated[str, typer.Argument(metavar="NAME", help="The benchmark's name, or its id.")]


@benchmark_command
def list_(path: Folder, suite: Suite = None, as_json: AsJson = False) -> int:
    """List the benchmarks of a suite: owner, threshold, last run, direction, what fell."""
    from evalcore.cli import benchmarking  # noqa: PLC0415 - quick start

    return benchmarking.list_all(path, suite, as_json=as_json)


@benchmark_command
def show(path: Folder, name: Name, suite: Suite = None, as_json: AsJson = False) -> int:
    """Show a benchmark with its cases and its runs, the newest first."""
    from evalcore.cli import benchmarking  # noqa: PLC0415 - quick start

    return benchmarking.show(path, suite, name, as_json=as_json)


@benchmark_command
def create(  # noqa: PLR0913, PLR0917 - each is an option of the command
    path: Folder,
    name: Annotated[str, typer.Argument(metavar="NAME", help="No other of the suite has it.")],
    dimension: Annotated[str, typer.Option(help="What its cases measure: “reply quality”.")],
    cases: Annotated[
        list[str] | None, typer.Option(metavar="ID", help="A case; all without. Repeat.")
    ] = None,
    threshold: Annotated[float, typer.Option(help="The pass rate to reach, from 0 to 1.")] = 0.8,
    owner: Annotated[
        str | None, typer.Option(help="Who looks after it; else the judge of this machine.")
    ] = None,
    description: Annotated[str, typer.Option(help="What it is for.")] = "",
    suite: Suite = None,
    replace: Annotated[
        bool, typer.Option("--replace", help="In place of the one of that name.")
    ] = False,
    as_json: AsJson = False,
) -> int:
    """Create a benchmark: a named set of cases for one dimension of quality."""
    from evalcore.cli import benchmarking  # noqa: PLC0415 - quick start

    asked = benchmarking.Asked(
        name, tuple(cases or ()), dimension, threshold, owner, description, replace
    )
    return benchmarking.create(path, suite, asked, as_json=as_json)


@benchmark_command
def retire(path: Folder, name: Name, suite: Suite = None, as_json: AsJson = False) -> int:
    """Retire a benchmark: its history stays, and it is run no more."""
    from evalcore.cli import benchmarking  # noqa: PLC0415 - quick start

    return benchmarking.retire(path, suite, name, as_json=as_json)


@benchmark_command
def run(  # noqa: PLR0913, PLR0917 - each is an option of the command
    path: Folder,
    name: Name,
    version: Annotated[
        str | None, typer.Option(metavar="V[@C]", help="Whose runs; else the newest version.")
    ] = None,
    triggered_by: Annotated[
        str | None, typer.Option(help="Who or what starts it; else the judge of this machine.")
    ] = None,
    notes: Annotated[str, typer.Option(help="What is to be known of it.")] = "",
    again: Annotated[
        bool, typer.Option("--again", help="Take runs that are taken already once more.")
    ] = False,
    suite: Suite = None,
    as_json: AsJson = False,
) -> int:
    """Take the finished runs of a version as a run of a benchmark, with all that follows.

    New runs are started by `evalcore run PATH --benchmark NAME`. Failures, a task and a message
    of a regression, and the trend are written at once. Ends with 1 if the pass rate fell by more
    than 10 points.
    """
    from evalcore.cli import benchmarking  # noqa: PLC0415 - quick start

    asked = benchmarking.Taking(version, triggered_by, notes, again)
    return benchmarking.run(path, suite, name, asked, as_json=as_json)


@benchmark_command
def follow_up(
    path: Folder,
    benchmark_run: Annotated[
        str, typer.Argument(metavar="ID", help="The id of a benchmark run, of whatever tool.")
    ],
    suite: Suite = None,
    as_json: AsJson = False,
) -> int:
    """Write what follows from a benchmark run; what is there already stays as it is.

    Ends with 1 if the pass rate fell by more than 10 points there.
    """
    from evalcore.cli import benchmarking  # noqa: PLC0415 - quick start

    return benchmarking.follow_up(path, suite, benchmark_run, as_json=as_json)


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
    take: Annotated[
        bool,
        typer.Option("--take", help="First take the finished runs of a version without a run."),
    ] = False,
    as_json: AsJson = False,
) -> int:
    """Compare two versions by the newest benchmark run of each, and record it.

    Writes a prompt comparison with a recommendation, relations to both benchmark runs, and the
    message comparison-complete; the same two benchmark runs are compared once. Without names it
    lists the instructions compare-prompts that nobody has answered.
    """
    from evalcore.cli.comparing_versions import Asked, answer  # noqa: PLC0415 - quick start

    return answer(Asked(path, suite, name, a, b, take), as_json=as_json)
