"""Describe the versions of a suite as a table whose numbers open the runs behind them."""

from collections.abc import Iterator

from evalcore.counting.outcomes import Column
from evalcore.counting.rates import SHARE, Rate
from evalcore.views import wording
from evalcore.views.doors import FOLD, Block, cell, door, heading, say, table
from evalcore.views.overview import Overview, VersionLine
from evalcore.views.overview_words import left_out, with_score


def version_blocks(found: Overview) -> list[Block]:
    """Describe every version with its runs, newest first."""
    line = found.line
    stored = any(
        version.about and version.about.stored_score is not None for version in found.versions
    )
    sides = any(
        len(version.columns) > 1 or (version.columns and version.columns[0][0].configuration != "-")
        for version in found.versions
    )
    head = [
        ("version", False),
        *([("configuration", False)] if sides else []),
        ("when", False),
        ("cases", True),
        ("runs", True),
        (line.headline, True),
        *([("stored score", True)] if stored else []),
        ("left out", False),
    ]
    rows = [
        row for version in found.versions for row in _version_rows(found, version, sides, stored)
    ]
    if not rows:
        return [
            heading("Versions"),
            say("No version is recorded yet. The first graded run makes one.", quiet=True),
        ]
    return [heading("Versions", "newest first"), table("Versions", head, rows, fold=FOLD)]


def _version_rows(
    found: Overview, version: VersionLine, sides: bool, stored: bool
) -> Iterator[Block]:
    columns = version.columns or ((Column(version.version, "-"), None),)
    for place, (column, rate) in enumerate(reversed(columns)):
        first = place == 0
        yield {
            "on": column == found.line.focus,
            "cells": [
                *(_name_cells(found, version, column, sides, first)),
                cell(
                    "not run" if rate is None else f"{rate.cases:,}", num=True, quiet=rate is None
                ),
                cell("0" if rate is None else f"{rate.runs:,}", num=True),
                _rate_cell(found, column, rate),
                *([_stored_cell(version, first)] if stored else []),
                cell(
                    left_out(rate, found.scores)
                    if rate and left_out(rate)
                    else "nothing"
                    if rate
                    else "",
                    quiet=True,
                ),
            ],
        }


def _name_cells(
    found: Overview, version: VersionLine, column: Column, sides: bool, first: bool
) -> Iterator[Block]:
    about = version.about
    mark = " · current" if about and about.is_current else ""
    config = None if column.configuration == "-" else column.configuration
    go = door("gradings", suite=found.line.suite, v=version.version, c=config)
    parts = (
        [about.description, f"commit {about.git_hash[:12]}" if about.git_hash else None]
        if about
        else []
    )
    title = " · ".join(
        f"{name} {value}"
        for name, value in (
            ("folder", about.path if about else None),
            ("content", about.content_hash if about else None),
        )
        if value
    )
    below = " · ".join(part for part in parts if part)
    yield cell(
        version.version + mark if first else "",
        sub=below if first else "",
        door=go if first else None,
        title=title,
        name=version.version,
    )
    if sides:
        yield cell(
            column.configuration if config else "none",
            door=go if config else None,
            quiet=not config,
        )
    when = about.created_at if about else None
    yield cell(wording.moment(when) if first else "", quiet=when is None, keep=True)


def _rate_cell(found: Overview, column: Column, rate: Rate | None) -> Block:
    if rate is None or rate.value is None:
        return cell("not scored" if rate else "not run", num=True, quiet=True)
    headline = found.line.headline
    parts = [f"over {wording.count(rate.cases, 'case')}"]
    if headline == SHARE:
        parts.append(f"{rate.passed:,} of {wording.count(rate.counted, 'run')}{with_score(rate)}")
    if rate.weighted is not None:
        parts.append(f"weighted {wording.headline(rate.weighted, headline)}")
    config = None if column.configuration == "-" else column.configuration
    go = door("gradings", suite=found.line.suite, v=column.version, c=config)
    return cell(
        f"{wording.headline(rate.value, headline)} {parts[0]}",
        sub=", ".join(parts[1:]),
        door=go,
        num=True,
    )


def _stored_cell(version: VersionLine, first: bool) -> Block:
    value = version.about.stored_score if version.about else None
    if not first:
        return cell("")
    return cell(
        wording.fixed(value) if value is not None else wording.NOT_RECORDED,
        num=True,
        quiet=value is None,
        title="The version's score as its own document states it",
    )
