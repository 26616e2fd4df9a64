"""The commands of benchmarks: `evalcore benchmark list`, `create`, `run`, `compare` and others."""

from functools import partial
from typing import Annotated

import typer
from typer import Argument, Option

from evalcore.cli.answering import Answer
from evalcore.cli.app import Folder, OnlySuite, OnRegression, Suite, app, command_of

group = typer.Typer(
    help="Named sets of cases that are run repeatedly.",
    no_args_is_help=True,
)
app.add_typer(group, name="benchmark")
benchmark_command = partial(command_of, group)

Name = Annotated[str, Argument(metavar="NAME", help="The benchmark's name, or its id.")]


@benchmark_command
def list_(path: Folder, suite: OnlySuite = None) -> Answer:
    """List the benchmarks."""
    from evalcore.cli import benchmarking  # noqa: PLC0415 - quick start

    return benchmarking.list_all(path, suite)


@benchmark_command
def show(path: Folder, name: Name, suite: Suite = None) -> Answer:
    """Show a benchmark with its cases and its runs, the newest first."""
    from evalcore.cli import benchmarking  # noqa: PLC0415 - quick start

    return benchmarking.show(path, suite, name)


@benchmark_command
def create(
    path: Folder,
    name: Annotated[
        str, Argument(metavar="NAME", help="A name that no other benchmark of the suite has.")
    ],
    dimension: Annotated[str, Option(help="What its cases measure: “reply quality”.")],
    cases: Annotated[
        list[str] | None, Option(metavar="ID", help="A case; by default all. Repeat for several.")
    ] = None,
    threshold: Annotated[float, Option(help="The target pass rate, from 0 to 1.")] = 0.8,
    owner: Annotated[
        str | None, Option(help="The owner; by default the judge of this machine.")
    ] = None,
    description: Annotated[str, Option(help="A description.")] = "",
    suite: Suite = None,
    replace: Annotated[bool, Option(help="Replace the benchmark with that name.")] = False,
) -> Answer:
    """Create a benchmark, a named set of cases."""
    from evalcore.cli import benchmarking  # noqa: PLC0415 - quick start
    from evalcore.memory.defining import Definition  # noqa: PLC0415 - quick start

    wanted = Definition(name, tuple(cases or ()), dimension, threshold, owner or "", description)
    return benchmarking.create(path, suite, wanted, replace=replace)


@benchmark_command
def retire(path: Folder, name: Name, suite: Suite = None) -> Answer:
    """Retire a benchmark. Its history is kept."""
    from evalcore.cli import benchmarking  # noqa: PLC0415 - quick start

    return benchmarking.retire(path, suite, name)


@benchmark_command
def run(
    path: Folder,
    name: Name,
    version: Annotated[
        str | None, Option(metavar="V[@C]", help="Whose runs; by default the newest version.")
    ] = None,
    triggered_by: Annotated[
        str | None, Option(help="Who or what starts it; by default the judge of this machine.")
    ] = None,
    notes: Annotated[str, Option(help="Notes about it.")] = "",
    again: Annotated[bool, Option(help="Also use runs that were used before.")] = False,
    on_regression: OnRegression = None,
    suite: Suite = None,
) -> Answer:
    """Record the finished runs of a version as a run of a benchmark.

    New runs are started by `evalcore run PATH --benchmark NAME`. Failures, a task and a message
    of a regression, and the trend are written at once. Exits with 1 if the pass rate fell by more
    than 10 points.
    """
    from evalcore.cli import benchmarking, notifying  # noqa: PLC0415 - quick start

    return benchmarking.run(
        path,
        suite,
        name,
        version,
        triggered_by=triggered_by,
        notes=notes,
        again=again,
        tell=notifying.on_regression(on_regression),
    )


@benchmark_command
def follow_up(
    path: Folder,
    benchmark_run: Annotated[
        str, Argument(metavar="ID", help="The id of a benchmark run, written by any tool.")
    ],
    suite: Suite = None,
) -> Answer:
    """Write missing follow-up records of a benchmark run.

    Exits with 1 if the pass rate fell by more than 10 points there.
    """
    from evalcore.cli import benchmarking  # noqa: PLC0415 - quick start

    return benchmarking.follow_up(path, suite, benchmark_run)


@benchmark_command
def compare(
    path: Folder,
    name: Annotated[
        str | None, Argument(metavar="NAME", help="The benchmark: its name or id.")
    ] = None,
    a: Annotated[
        str | None, Argument(metavar="A", help="VERSION or VERSION@CONFIGURATION.")
    ] = None,
    b: Annotated[str | None, Argument(metavar="B", help="The other version.")] = None,
    suite: Suite = None,
    take: Annotated[
        bool,
        Option(
            "--take", help="First use the finished runs of a version that has no benchmark run."
        ),
    ] = False,
) -> Answer:
    """Compare two versions by their newest benchmark runs.

    Writes a prompt comparison with a recommendation, relations to both benchmark runs, and the
    message comparison-complete; the same two benchmark runs are compared once. Without names it
    lists the instructions compare-prompts that nobody has answered.
    """
    from evalcore.cli.comparing_versions import answer  # noqa: PLC0415 - quick start

    return answer(path, suite, name, a, b, take=take)
