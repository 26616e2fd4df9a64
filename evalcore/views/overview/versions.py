"""Describe the versions of a suite as a table whose numbers open the runs behind them."""

from collections.abc import Iterator
from typing import Final, NamedTuple

from evalcore.counting.outcomes import Column
from evalcore.counting.rates import SHARE, Rate
from evalcore.views.blocks.base import Block, link
from evalcore.views.blocks.page import FOLD, Cell, Heading, Row, Say, Table
from evalcore.views.overview.sentences import left_out, with_score
from evalcore.views.overview.summary import Overview, VersionLine
from evalcore.views.words import wording

EXCERPT: Final = 240


class _Shown(NamedTuple):
    """The columns that are shown because some version has something in them."""

    sides: bool
    stored: bool
    left_out: bool


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
    left = any(
        left_out(rate, found.scores) for version in found.versions for _, rate in version.columns
    )
    shown = _Shown(sides, stored, left)
    head = [
        ("version", False),
        *([("configuration", False)] if sides else []),
        ("when", False),
        ("cases", True),
        ("runs", True),
        (line.headline, True),
        *([("stored score", True)] if stored else []),
        *([("left out", False)] if left else []),
    ]
    rows = [row for version in found.versions for row in _version_rows(found, version, shown)]
    if not rows:
        return [
            Heading("Versions"),
            Say("No version is recorded yet. The first graded run makes one.", quiet=True),
        ]
    return [Heading("Versions", "newest first"), Table("Versions", head, rows, fold=FOLD)]


def _version_rows(found: Overview, version: VersionLine, shown: _Shown) -> Iterator[Row]:
    columns = version.columns or ((Column(version.version, "-"), None),)
    for place, (column, rate) in enumerate(reversed(columns)):
        first = place == 0
        yield Row(
            [
                *(_name_cells(found, version, column, shown.sides, first)),
                Cell(
                    "not run" if rate is None else f"{rate.cases:,}", num=True, quiet=rate is None
                ),
                Cell("0" if rate is None else f"{rate.runs:,}", num=True),
                _rate_cell(found, column, rate),
                *([_stored_cell(version, first)] if shown.stored else []),
                *([_left_out_cell(found, rate)] if shown.left_out else []),
            ],
            on=column == found.line.focus,
        )


def _name_cells(
    found: Overview, version: VersionLine, column: Column, sides: bool, first: bool
) -> Iterator[Cell]:
    about = version.about
    mark = " · current" if about and about.is_current else ""
    config = None if column.configuration == "-" else column.configuration
    go = link("gradings", suite=found.line.suite, v=version.version, c=config)
    parts = (
        [_excerpt(about.description), f"commit {about.git_hash[:12]}" if about.git_hash else None]
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
    yield Cell(
        version.version + mark if first else "",
        sub=below if first else "",
        link=go if first else None,
        title=title,
        name=version.version,
    )
    if sides:
        yield Cell(
            column.configuration if config else "none",
            link=go if config else None,
            quiet=not config,
        )
    when = about.created_at if about else None
    yield Cell(wording.moment(when) if first else "", quiet=when is None, keep=True)


def _left_out_cell(found: Overview, rate: Rate | None) -> Cell:
    return Cell((left_out(rate, found.scores) or "0") if rate else "", quiet=True)


def _excerpt(text: str | None) -> str | None:
    """Return the beginning of a text: a skill's own description may be a page long."""
    return text if text is None or len(text) <= EXCERPT else f"{text[:EXCERPT].rstrip()} …"


def _rate_cell(found: Overview, column: Column, rate: Rate | None) -> Cell:
    if rate is None or rate.value is None:
        return Cell("not scored" if rate else "not run", num=True, quiet=True)
    headline = found.line.headline
    parts = [f"over {wording.count(rate.cases, 'case')}"]
    if headline == SHARE:
        parts.append(f"{rate.passed:,} of {wording.count(rate.counted, 'run')}{with_score(rate)}")
    if rate.weighted is not None:
        parts.append(f"weighted {wording.headline(rate.weighted, headline)}")
    config = None if column.configuration == "-" else column.configuration
    go = link("gradings", suite=found.line.suite, v=column.version, c=config)
    return Cell(
        f"{wording.headline(rate.value, headline)} {parts[0]}",
        sub=", ".join(parts[1:]),
        link=go,
        num=True,
    )


def _stored_cell(version: VersionLine, first: bool) -> Cell:
    value = version.about.stored_score if version.about else None
    if not first:
        return Cell("")
    return Cell(
        wording.fixed(value) if value is not None else wording.NOT_RECORDED,
        num=True,
        quiet=value is None,
        title="The version's score as its own document states it",
    )
