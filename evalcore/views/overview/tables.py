"""The tables of the overview: versions, benchmark runs and suites, each with links behind it."""

from collections.abc import Iterator
from typing import Final

from evalcore.counting.outcomes import Column
from evalcore.counting.rates import SHARE, Rate
from evalcore.judging.storing.names import person
from evalcore.tables.rows import BenchmarkRunRow
from evalcore.views.blocks.base import Block, link
from evalcore.views.blocks.page import FOLD, Cell, Heading, Row, Say, Table, heads, number_cell
from evalcore.views.data.problems import problem_count
from evalcore.views.overview.sentences import left_out, with_score
from evalcore.views.overview.summary import Overview, SuiteLine, VersionLine
from evalcore.views.problems import Problems, so_far
from evalcore.views.words import wording

EXCERPT: Final = 240


def version_blocks(found: Overview) -> list[Block]:
    """Describe every version with its runs, newest first; a column is there if some have it."""
    versions = found.versions
    stored = any(each.about and each.about.stored_score is not None for each in versions)
    sides = any(
        len(each.columns) > 1 or (each.columns and each.columns[0][0].configuration != "-")
        for each in versions
    )
    left = any(left_out(rate, found.scores) for each in versions for _, rate in each.columns)
    head = [
        ("version", False),
        *([("configuration", False)] if sides else []),
        *heads("when", "#cases", "#runs"),
        (found.line.headline, True),
        *([("stored score", True)] if stored else []),
        *([("left out", False)] if left else []),
    ]
    rows = []
    for version in versions:
        columns = version.columns or ((Column(version.version, "-"), None),)
        for place, (column, rate) in enumerate(reversed(columns)):
            first = place == 0
            cells = list(_name_cells(found, version, column, sides, first))
            cells.append(
                number_cell(None if rate is None else rate.cases, "{:,}".format, "not run")
            )
            cells.append(Cell("0" if rate is None else f"{rate.runs:,}", num=True))
            cells.append(_rate_cell(found, column, rate))
            if stored:
                cells.append(_stored_cell(version) if first else Cell(""))
            if left:
                why = (left_out(rate, found.scores) or "0") if rate else ""
                cells.append(Cell(why, quiet=True))
            rows.append(Row(cells, on=column == found.line.focus))
    if not rows:
        none = "No version is recorded yet. The first graded run makes one."
        return [Heading("Versions"), Say(none, quiet=True)]
    return [Heading("Versions", "newest first"), Table("Versions", head, rows, fold=FOLD)]


def _name_cells(
    found: Overview, version: VersionLine, column: Column, sides: bool, first: bool
) -> Iterator[Cell]:
    about = version.about
    config = None if column.configuration == "-" else column.configuration
    go = link("gradings", suite=found.line.suite, v=version.version, c=config)
    mark, below, title, when = "", "", "", None
    if about:
        mark, when = " · current" if about.is_current else "", about.created_at
        # A skill's own description may be a page long.
        said = about.description or ""
        said = said if len(said) <= EXCERPT else f"{said[:EXCERPT].rstrip()} …"
        commit = f"commit {about.git_hash[:12]}" if about.git_hash else ""
        below = " · ".join(filter(None, (said, commit)))
        places = (("folder", about.path), ("content", about.content_hash))
        title = " · ".join(f"{name} {value}" for name, value in places if value)
    yield Cell(
        version.version + mark if first else "",
        sub=below if first else "",
        link=go if first else None,
        title=title,
        name=version.version,
    )
    if sides:
        yield Cell(config or "none", link=go if config else None, quiet=not config)
    yield Cell(wording.moment(when) if first else "", quiet=when is None, keep=True)


def _rate_cell(found: Overview, column: Column, rate: Rate | None) -> Cell:
    if rate is None or rate.value is None:
        return Cell("not scored" if rate else "not run", num=True, quiet=True)
    headline, below = found.line.headline, []
    if headline == SHARE:
        counted = wording.count(rate.counted, "run")
        below.append(f"{rate.passed:,} of {counted}{with_score(rate)}")
    if rate.weighted is not None:
        below.append(f"weighted {wording.headline(rate.weighted, headline)}")
    config = None if column.configuration == "-" else column.configuration
    return Cell(
        f"{wording.headline(rate.value, headline)} over {wording.count(rate.cases, 'case')}",
        sub=", ".join(below),
        link=link("gradings", suite=found.line.suite, v=column.version, c=config),
        num=True,
    )


def _stored_cell(version: VersionLine) -> Cell:
    value = version.about.stored_score if version.about else None
    return Cell(
        wording.fixed(value) if value is not None else wording.NOT_RECORDED,
        num=True,
        quiet=value is None,
        title="The version's score as its own document states it",
    )


def benchmark_blocks(found: Overview) -> list[Block]:
    """Describe the benchmark runs that documents record."""
    if not found.benchmark_runs:
        return []
    head = heads(
        "benchmark run",
        "version",
        "when",
        "#runs",
        "#overall score",
        "#pass rate",
        "#threshold",
        "started by",
    )
    rows = [_benchmark_run(row) for row in found.benchmark_runs]
    hint = "as recorded"
    if found.recorded_runs > len(rows):
        hint += f", the newest {len(rows)} of {found.recorded_runs:,}"
    return [Heading("Benchmark runs", hint), Table("Benchmark runs", head, rows, fold=6)]


def _benchmark_run(row: BenchmarkRunRow) -> Row:
    none = wording.NOT_RECORDED
    about = (row.dimension if row.dimension != row.name else None, row.notes)
    ids = (("run", row.benchmark_run), ("of", row.benchmark))
    name = Cell(
        row.name or row.benchmark_run or "",
        sub=" · ".join(filter(None, about)),
        title=" · ".join(f"{what} {text}" for what, text in ids if text),
    )
    started = person(row.triggered_by) if row.triggered_by else ""
    by = " · ".join(filter(None, (started, row.status)))
    return Row(
        [
            name,
            Cell(row.version or none, quiet=row.version is None),
            Cell(wording.moment(row.ran_at), quiet=row.ran_at is None, keep=True),
            Cell(f"{row.runs:,}" if row.runs is not None else none, num=True),
            number_cell(row.overall_score, wording.fixed, none),
            number_cell(row.pass_rate, wording.percent, none),
            number_cell(row.passing_threshold, wording.percent, none),
            Cell(by or none, quiet=row.triggered_by is None),
        ]
    )


def suite_blocks(lines: tuple[SuiteLine, ...], chosen: str, problems: Problems) -> list[Block]:
    """Describe all suites of a workspace that has several."""
    if len(lines) < 2:
        return []
    head = heads(
        "suite",
        "family",
        "#versions",
        "#cases",
        "#runs",
        "#newest rate",
        f"#problems{so_far(problems)}",
        "last activity",
    )
    run = sum(line.runs > 0 for line in lines)
    hint = f"{len(lines):,}, {run:,} of them with runs" if run < len(lines) else f"{len(lines):,}"
    rows = [Row(list(_suite_cells(line, problems)), on=line.suite == chosen) for line in lines]
    return [Heading("Suites in this workspace", hint), Table("Suites", head, rows, fold=FOLD)]


def _suite_cells(line: SuiteLine, problems: Problems) -> Iterator[Cell]:
    # The chosen version and configuration are another suite's: they stay behind.
    there = {"suite": line.suite, "v": None, "c": None}
    here = link("overview", **there)
    yield Cell(line.name, sub=line.suite if line.suite not in (line.name, ".") else "", link=here)
    yield Cell(line.family, keep=True)
    for n in (line.versions, line.cases, line.runs):
        yield Cell(f"{n:,}", num=True, quiet=n == 0)
    if line.rate.value is None:
        yield Cell("not scored" if line.runs else "not run", num=True, quiet=True)
    else:
        value = wording.headline(line.rate.value, line.headline)
        over = f"{value} over {wording.count(line.rate.cases, 'case')}"
        doubt = f"{wording.SUSPECT} · " if line.suspect else ""
        about = f"{doubt}{wording.column_words(line.focus)} · {line.headline}"
        yield Cell(over, sub=about, num=True, link=link("gradings", **there))
    count = problem_count(problems, line.suite, v=None, c=None)
    yield Cell(f"{count.n:,}", num=True, link=count.link if count.n else None, quiet=not count.n)
    yield Cell(wording.moment(line.active), quiet=line.active is None, keep=True)
