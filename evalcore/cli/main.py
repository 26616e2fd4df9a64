"""The command line: `evalcore COMMAND`.

Exit codes: 0 fine, 1 the answer is "no" (errors, a regression), 2 the request cannot be done.
Every command imports what it needs when it is called, so that each starts quickly.
"""

import gc
import sys
from collections.abc import Callable
from contextlib import AbstractContextManager
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import Annotated, Final

import typer
from typer import Argument, Option

from evalcore import __version__
from evalcore.cli.answering import Answer
from evalcore.cli.app import (
    INTERRUPTED,
    Excel,
    Folder,
    OnlySuite,
    OnlyVersion,
    ScoreSource,
    Suite,
    WhoseScores,
    app,
    command,
)
from evalcore.errors import CannotServe, extra

Port = Annotated[
    int | None,
    Option(help="Serve on this port; by default the one of last time, else any free one."),
]
NoBrowser = Annotated[bool, Option("--no-browser", help="Only print the address.")]
FailOnRegression = Annotated[
    bool,
    Option("--fail-on-regression", help="Exit with 1 if B is worse, also if only on these cases."),
]
MaxDrop = Annotated[
    float | None,
    Option(
        metavar="POINTS",
        min=0.1,
        max=100.0,
        help="Exit with 1 unless B is shown to be at most this much worse.",
    ),
]
MinRate = Annotated[
    float | None,
    Option(metavar="RATE", min=0.0, max=1.0, help="Exit with 1 if B's headline is below, as 0.9."),
]
Summary = Annotated[
    bool, Option("--summary", help="Append the Markdown to the summary of the GitHub Actions step.")
]
Report = Annotated[
    str, Option(metavar="URL", help="The address of a whole report, for the Markdown to name.")
]
JUnit = Annotated[
    Path | None, Option(metavar="FILE", help="Write the runs of B as JUnit XML to FILE, replaced.")
]
Clusters = Annotated[
    list[str] | None,
    Option(metavar="TAG", help="Treat the cases with this tag as made from one template."),
]

# Of these two `--json` is not the last option.
compare_command = partial(command, json_before="fail_on_regression")
trends_command = partial(command, json_before="out")

OBJECTS_BEFORE_COLLECTING: Final = 50_000


class Format(StrEnum):
    """The forms in which tables are written."""

    PARQUET = "parquet"
    CSV = "csv"
    JSON = "json"


class Over(StrEnum):
    """What metrics are followed over."""

    VERSIONS = "versions"
    BENCHMARK_RUNS = "benchmark-runs"


def _version(wanted: bool) -> None:
    if wanted:
        sys.stdout.write(f"evalcore {__version__}\n")
        raise typer.Exit


@app.callback()
def main(
    shows_version: Annotated[
        bool, Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """The options of the program itself."""
    del shows_version


def _reading() -> AbstractContextManager[Callable[[int, int], None]] | None:
    """Return what shows on a terminal how far reading is; None elsewhere."""
    if not sys.stderr.isatty():
        return None
    from evalcore.cli.screen import progress  # noqa: PLC0415 - quick start

    return progress("Reading documents")


@command
def demo(
    fresh: Annotated[bool, Option(help="Make a new copy beside the one you have.")] = False,
    no_browser: NoBrowser = False,
    port: Port = None,
) -> int:
    """Open your copy of the demo workspace, made on first use."""
    from evalcore.demo import copy_demo, demo_dir  # noqa: PLC0415 - quick start
    from evalcore.server import launch  # noqa: PLC0415 - quick start

    # The first copy is made while the dashboard starts.
    made, prepare = (copy_demo(fresh=True), None) if fresh else (demo_dir(), copy_demo)
    browser = not no_browser
    return launch(made, port=port, browser=browser, reading=_reading(), prepare=prepare)


@command
def open_(
    path: Folder,
    port: Port = None,
    no_browser: NoBrowser = False,
    view: Annotated[
        str | None,
        Option(metavar="PAGE?QUERY", help="Begin with this view, as a copied command does."),
    ] = None,
    signers: Annotated[
        Path | None,
        Option(metavar="FILE", help="Open a bundle only if one of FILE's allowed signers signed."),
    ] = None,
) -> int:
    """Show a folder of evaluations in the browser.

    Nothing in the folder is changed. A bundle, as `evalcore bundle` writes it, is unpacked first
    and opened read-only; what is judged in it is kept beside it.
    """
    from evalcore.cli.opening import folder_to_show  # noqa: PLC0415 - quick start
    from evalcore.server import launch  # noqa: PLC0415 - as above

    path = folder_to_show(path, signers)
    return launch(path, port=port, browser=not no_browser, view=view, reading=_reading())


@command
def check(
    path: Folder,
) -> Answer:
    """List what was recognised, and every problem.

    Each problem has its file, its place in it and a hint. Exits with 1 if something could not
    be read.
    """
    from evalcore.cli.checking import answer  # noqa: PLC0415 - quick start

    return answer(path)


@command
def tables(
    path: Folder,
    out: Annotated[Path, Option(metavar="DIR", help="Where to write; created if missing.")],
    form: Annotated[Format, Option("--format", help="The form of the files.")] = Format.PARQUET,
    force: Annotated[bool, Option(help="Replace existing files.")] = False,
    excel: Excel = False,
) -> int:
    """Write every table to a folder, one file each.

    All columns are written, including long texts.
    """
    from evalcore.cli.exporting import export  # noqa: PLC0415 - quick start

    return export(path, out, form.value, force=force, excel=excel)


@command
def rows(  # noqa: PLR0913, PLR0917 - each is an option of the command
    path: Annotated[
        Path, Argument(metavar="FILE", help="A table: .csv, .tsv, .parquet, .jsonl or .json.")
    ],
    case: Annotated[str | None, Option(metavar="COLUMN", help="The test case.")] = None,
    version: Annotated[str | None, Option(metavar="COLUMN", help="The version.")] = None,
    configuration: Annotated[
        str | None, Option(metavar="COLUMN", help="What is compared inside a version.")
    ] = None,
    run: Annotated[str | None, Option(metavar="COLUMN", help="The run of a case.")] = None,
    prompt: Annotated[str | None, Option(metavar="COLUMN", help="What was asked.")] = None,
    expected: Annotated[
        str | None, Option(metavar="COLUMN", help="What the answer should be.")
    ] = None,
    output: Annotated[str | None, Option(metavar="COLUMN", help="What was produced.")] = None,
    criterion: Annotated[
        list[str] | None,
        Option(metavar="COLUMN", help="A column of scores; with --score, that of their names."),
    ] = None,
    score: Annotated[
        str | None,
        Option(metavar="COLUMN", help="The scores of a table with a row for each judgment."),
    ] = None,
    write: Annotated[bool, Option(help="Store it beside the table, as NAME.rows.json.")] = False,
) -> Answer:
    """Show how a table of runs is read, and store that.

    Tables of other tools and of spreadsheets become suites without being imported or changed. What
    is not named is guessed from the names and values of the columns. Write --column=/a/b for a
    value inside a cell.
    """
    from evalcore.cli.rows import show  # noqa: PLC0415 - quick start

    stated = {
        "case": case,
        "prompt": prompt,
        "expected": expected,
        "version": version,
        "configuration": configuration,
        "run": run,
        "output": output,
    }
    return show(path, stated, criterion or (), score, write=write)


@command
def export(
    path: Folder,
    to: Annotated[str, Option(metavar="NAME", help="The tool, by the name of its family.")],
    out: Annotated[Path, Option(metavar="DIR", help="Where to write; created if missing.")],
    suite: Suite = None,
) -> Answer:
    """Write runs and people's scores for another tool.

    Whatever wrote the suite, the tool opens what is written. No file is replaced.
    """
    from evalcore.cli.exporting_runs import export as work  # noqa: PLC0415 - quick start

    return work(path, to, out, suite)


@command
def steps(
    path: Folder,
    run: Annotated[str | None, Option(metavar="RUN_ID", help="The run.")] = None,
    suite: Suite = None,
    case: Annotated[str | None, Option(help="The test case of the run.")] = None,
    version: Annotated[str | None, Option(help="The version of the run.")] = None,
    configuration: Annotated[str | None, Option(help="The configuration of the run.")] = None,
) -> Answer:
    """List what the agent did in a run.

    Its turns and tools, from the transcript of whichever agent. Name the run with --run, or with
    --case and --version. Exits with 0 whatever the run did.
    """
    from evalcore.cli.steps import Wanted, answer  # noqa: PLC0415 - quick start

    return answer(path, Wanted(run, suite, case, version, configuration))


@compare_command
def compare(  # noqa: PLR0913, PLR0917 - each is an option of the command
    path: Folder,
    a: Annotated[
        str | None, Argument(metavar="A", help="The baseline: VERSION or VERSION@CONFIGURATION.")
    ] = None,
    b: Annotated[str | None, Argument(metavar="B", help="What is compared with it.")] = None,
    suite: Suite = None,
    scores: ScoreSource = WhoseScores.RECORDED,
    other: Annotated[
        Path | None, Option("--with", metavar="PATH", help="The folder of B, if it is another one.")
    ] = None,
    with_suite: Annotated[
        str | None, Option(help="The suite in the other folder, if its name differs.")
    ] = None,
    revision_a: Annotated[
        str | None, Option(metavar="REV", help="Take A from this git revision.")
    ] = None,
    revision_b: Annotated[
        str | None, Option(metavar="REV", help="Take B from this git revision.")
    ] = None,
    how: Annotated[bool, Option(help="Explain how the verdict was reached.")] = False,
    fail_on_regression: FailOnRegression = False,
    max_drop: MaxDrop = None,
    min_rate: MinRate = None,
    cluster: Clusters = None,
    judge_error: Annotated[bool, Option(help="Include the judge's error in the interval.")] = False,
    markdown: Annotated[bool, Option(help="Print Markdown for a pull request.")] = False,
    summary: Summary = False,
    report: Report = "",
    junit: JUnit = None,
) -> Answer:
    """Say whether B is better or worse than A.

    Without A and B the newest version is compared with the previous one, else with its baseline.
    """
    from evalcore.cli.comparing import (  # noqa: PLC0415 - quick start
        Handed,
        Request,
        Rules,
        answer,
    )

    asked = Request(
        path=path,
        a=a,
        b=b,
        suite=suite,
        other=other,
        other_suite=with_suite,
        revision_a=revision_a,
        revision_b=revision_b,
        scores=scores.value,
        clusters=tuple(cluster or ()),
        judge_error=judge_error,
    )
    drop = None if max_drop is None else max_drop / 100
    rules = Rules(fail_on_regression, drop, min_rate)
    return answer(asked, rules, Handed(markdown, summary, report, junit), how=how)


@trends_command
def trends(
    path: Folder,
    suite: Suite = None,
    metric: Annotated[
        str | None, Option(help="headline, score, gate, time, tokens, cost, or a criterion's name.")
    ] = None,
    over: Annotated[Over, Option(help="What the points are.")] = Over.VERSIONS,
    scores: ScoreSource = WhoseScores.RECORDED,
    out: Annotated[
        Path | None,
        Option(metavar="FILE", help="Write the chart: FILE.svg, .png, or .csv for numbers."),
    ] = None,
    force: Annotated[bool, Option(help="Replace FILE if it exists.")] = False,
    excel: Excel = False,
) -> Answer:
    """Say whether a metric improves over versions.

    Lists its points and alerts. Without --metric it is the headline. An unknown name lists the
    known metrics.
    """
    from evalcore.cli.trending import follow  # noqa: PLC0415 - quick start

    return follow(path, suite, metric, over.value, scores.value, out=out, force=force, excel=excel)


@command
def report(
    path: Folder,
    out: Annotated[Path, Option(metavar="FILE", help="Where to write it: FILE.html.")],
    suite: Suite = None,
    compare: Annotated[
        tuple[str, str] | None,
        Option(metavar="A B", help="The two sides; by default the newest against the previous."),
    ] = None,
    trend: Annotated[
        str | None, Option(metavar="METRIC", help="Follow this metric too, as `trends` does.")
    ] = None,
    judging: Annotated[
        bool, Option(help="Add how far judges agree and a model can be trusted.")
    ] = False,
    with_outputs: Annotated[bool, Option(help="Add what the runs wrote and did.")] = False,
    scores: ScoreSource = WhoseScores.RECORDED,
    force: Annotated[bool, Option(help="Replace FILE if it exists.")] = False,
) -> Answer:
    """Write what the pages say of a suite as one HTML file.

    It can be sent and archived, and needs no network. The outputs of runs are not in it unless
    asked for.
    """
    from evalcore.cli.reporting import write_report  # noqa: PLC0415 - quick start
    from evalcore.report.content import Asked  # noqa: PLC0415 - as above

    asked = Asked(suite or "", compare, scores.value, trend, judging, with_outputs)
    return write_report(path, out, asked, force=force)


@command
def rubric(
    path: Folder,
    suite: Suite = None,
    version: Annotated[str | None, Option(help="The version; by default the newest.")] = None,
    configuration: Annotated[str | None, Option(help="The configuration.")] = None,
    scores: ScoreSource = WhoseScores.RECORDED,
) -> Answer:
    """List the criteria of a version, weakest first.

    Each with its spread and change. The JSON document has every version.
    """
    from evalcore.cli.rubric import describe  # noqa: PLC0415 - quick start

    return describe(path, suite, version, configuration, scores.value)


@command
def trust(
    path: Folder,
    suite: Suite = None,
    judge: Annotated[
        str | None, Option(help="The model that judges; by default the one that judged last.")
    ] = None,
    blind: Annotated[bool, Option(help="Only labels by people who had not seen a score.")] = False,
) -> Answer:
    """Say how far a model as judge agrees with people.

    The pass rate is corrected for its errors where that is possible.
    """
    from evalcore.cli.trusting import describe  # noqa: PLC0415 - quick start

    return describe(path, suite, judge, blind=blind)


@command
def aggregate(
    path: Folder,
    suite: OnlySuite = None,
    version: OnlyVersion = None,
    dry_run: Annotated[bool, Option(help="Show what would be written; write nothing.")] = False,
    replace: Annotated[bool, Option(help="Also overwrite benchmarks in another format.")] = False,
) -> Answer:
    """Write the aggregate documents next to the runs.

    They have the format of their own tools. Correct numbers are left unchanged. Exits with 1 if a
    document could not be written, for instance because somebody else changed it in the meantime.
    """
    from evalcore.cli.aggregating import aggregate as work  # noqa: PLC0415 - quick start

    return work(path, suite, version, dry=dry_run, replace=replace)


@command
def feedback(
    path: Folder,
    suite: OnlySuite = None,
    version: OnlyVersion = None,
    write: Annotated[bool, Option(help="Write the file instead of only showing it.")] = False,
) -> Answer:
    """Write people's notes to feedback.json for skill-creator.

    What others wrote there is kept. Exits with 1 if a file could not be written.
    """
    from evalcore.cli.feedback import feedback as work  # noqa: PLC0415 - quick start

    return work(path, suite, version, write=write)


@command
def views(path: Folder, suite: OnlySuite = None) -> Answer:
    """List the saved views: name, address, and who saved it when."""
    from evalcore.cli import feedback as work  # noqa: PLC0415 - quick start

    return work.views(path, suite)


@command
def doctor(
    path: Annotated[Path | None, Argument(metavar="PATH", help="A folder to look into.")] = None,
    model: Annotated[
        str | None, Option(metavar="NAME", help="Ask this model one short question.")
    ] = None,
) -> int:
    """Show what is installed, stored and recognised."""
    if model is not None:
        from evalcore.cli.models import ask_model  # noqa: PLC0415 - quick start

        return ask_model(model)
    from evalcore.cli.doctor import examine  # noqa: PLC0415 - quick start

    return examine(path)


@command
def mcp(
    path: Folder,
    write: Annotated[bool, Option("--write", help="Let agents send runs to judging, too.")] = False,
) -> int:
    """Answer agents by the Model Context Protocol.

    Over standard input and output. They list suites and problems, compare versions, and read
    failing runs with their evidence and steps. Needs the extra mcp.
    """
    try:
        from evalcore.cli.agent_server import serve  # noqa: PLC0415 - quick start
    except ModuleNotFoundError as error:
        if error.name not in ("mcp", "mcp_types"):
            raise
        raise CannotServe(f"`evalcore mcp` needs an extra: {extra('mcp')}.") from error
    return serve(path, write=write)


# Each registers its commands, after those above.
from evalcore.cli import (  # noqa: E402, F401
    approving_commands,
    benchmark_commands,
    blind_commands,
    bundle_commands,
    failure_commands,
    improve_commands,
    message_commands,
    run_commands,
    version_commands,
)


def run() -> None:
    """Run the command line; the entry point of the `evalcore` program."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            # A terminal that lacks a character gets its escape instead of an error.
            stream.reconfigure(errors="backslashreplace")
    # While modules load, nearly all objects stay: looking at them took a tenth of a short command.
    gc.set_threshold(OBJECTS_BEFORE_COLLECTING, *gc.get_threshold()[1:])
    try:
        app()
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
