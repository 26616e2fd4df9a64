"""The command `evalcore rows`: make a table of another tool a suite, without importing it."""

from pathlib import Path
from typing import Annotated

from typer import Argument, Option

from evalcore.cli.answering import Answer
from evalcore.cli.app import command


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
