"""`evalcore rows`: show how a table would be read, and store that beside it."""

import json
from array import array
from collections.abc import Mapping, Sequence
from pathlib import Path
from shlex import quote
from typing import Final

from rich.console import RenderableType

from evalcore.cli.answering import Answer
from evalcore.cli.app import NO
from evalcore.cli.screen import styled, table, wrapped
from evalcore.cli.writing import require_new, write_file
from evalcore.disk.listing import Listing
from evalcore.disk.reader import Reader
from evalcore.disk.sheets import rows_of
from evalcore.errors import NoTable, UnknownName
from evalcore.families.registry import mapped_by
from evalcore.problems import grouped
from evalcore.proposals.row_columns import guessed
from evalcore.views.words.wording import count

SHOWN: Final = 3
"""So many rows are shown as they would be read."""
WIDEST: Final = 40
CHANGE: Final = "change what it says, or remove it first"
_COUNTED: Final = {"cases": "case", "versions": "version", "runs": "run", "judgments": "score"}


def show(
    path: Path,
    stated: Mapping[str, str | None],
    criteria: Sequence[str],
    score: str | None,
    *,
    write: bool,
) -> Answer:
    """Guess which column of a table is what, show it, and store it if that is asked for.

    The answer is no if something of the table could not be read.

    Raises:
        NoTable: it is no table, or holds no rows.
        UnknownName: a column that is named is not there.
        CannotWrite: there is a mapping of that name already.
    """
    family = mapped_by(path.name)
    mapped = family.mapping() if family is not None else None
    if mapped is None:
        raise NoTable(path, "it is no .csv, .tsv, .parquet, .jsonl or .json file")
    out = path.with_name(path.name.removesuffix(path.suffix) + mapped.ending)
    if write:
        require_new(out, instead=CHANGE)
    named = {role: column for role, column in stated.items() if column is not None}
    reader = _reader(path)
    found = [row for _, row in rows_of(reader, path.name)]
    if not found:
        why = next((each.message for each in reader.problems), "it has no rows")
        raise NoTable(path, why.rstrip("."))
    guess = guessed(found, path.name, named, criteria, score)
    for column in (*named.values(), *criteria, *([score] if score is not None else ())):
        if column not in guess.places:
            raise UnknownName("column", column, guess.places)
    reader = _reader(path)
    read = mapped.preview(reader, path.name, guess.mapping, SHOWN)
    counts = {name: len(read.rows.tables[name]) for name in _COUNTED}
    if write:
        data = json.dumps(guess.mapping, ensure_ascii=False, indent=2) + "\n"
        write_file(out, data.encode(), instead=CHANGE)
    document = {
        "mapping": guess.mapping,
        "unsure": guess.unsure,
        "counts": counts,
        "problems": [problem._asdict() for problem in reader.problems],
        "written": str(out) if write else None,
    }
    number = max((len(each.values) for each in read.shown), default=0)
    made = table(("what", "column", *(f"row {at}" for at in range(1, number + 1))))
    for each in read.shown:
        texts = (" ".join((text or "").split()) for text in each.values)
        cells = (text if len(text) <= WIDEST else f"{text[: WIDEST - 1]}…" for text in texts)
        made.add_row(*map(styled, (each.what, each.column, *cells)))
    said = ", ".join(count(number, _COUNTED[name]) for name, number in counts.items())
    lines: list[RenderableType] = [
        styled(f"{path}: {count(len(found), 'row')}, read as {said}."),
        styled(""),
        made,
        styled(""),
    ]
    if guess.unsure:
        lines.append(styled("Not sure:", "bold"))
        lines += [wrapped(f"  {said}") for said in guess.unsure]
    told = list(grouped(problem._replace(suite=path.name) for problem in reader.problems))
    if told:
        lines.append(styled("Problems:", "bold"))
        lines += [wrapped(f"  {each.path}#{each.pointer}: {each.message}") for each in told[:20]]
    if write:
        lines.append(wrapped(f"Stored in {out}. See it: evalcore open {quote(str(path.parent))}"))
    else:
        lines.append(wrapped("Nothing was written. Store this beside the table with --write."))
    is_whole = all(problem.severity != "error" for problem in reader.problems)
    return Answer(lambda: document, lines, 0 if is_whole else NO)


def _reader(path: Path) -> Reader:
    """Return what reads the one table, whatever else lies beside it."""
    return Reader(Listing(path.parent, [path.name], array("q"), array("q"), frozenset(), []))
