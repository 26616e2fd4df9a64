"""A fault found in a file, as a value that is part of the workspace."""

from collections.abc import Iterable
from typing import Final, Literal, NamedTuple

Severity = Literal["error", "warning", "info"]


class Problem(NamedTuple):
    """One fault in one file: where it is, what it is, and how to fix it.

    `pointer` is a JSON pointer (RFC 6901) into the file; `""` means the whole file.
    `error`: something could not be read. `warning`: read, but contradictory or against a rule.
    `info`: read by tolerance.
    """

    path: str
    pointer: str
    severity: Severity
    code: str
    message: str
    hint: str = ""
    suite: str | None = None


def pointer(*parts: str | int) -> str:
    """Join `parts` to a JSON pointer (RFC 6901), escaping `~` and `/`."""
    return "".join("/" + str(part).replace("~", "~0").replace("/", "~1") for part in parts)


UNREAD: Final = ("unrecognised", "not-read", "scores-unread")
"""The codes of files that hold evaluations and are not read."""

FEW: Final = 3
"""Up to so many places with one kind of problem are each named."""


def grouped(problems: Iterable[Problem]) -> list[Problem]:
    """Return problems with those that many places of a suite share as one, in the same order.

    It is that of the first place, and says how many there are. Notes are of one kind by their code,
    warnings also by their message; errors, and what is of no suite, stay as they are.
    """
    rows = list(problems)
    found: dict[tuple[str | None, ...], list[Problem]] = {}
    for row in rows:
        found.setdefault(_kind(row), []).append(row)
    shared = {key: same for key, same in found.items() if None not in key and len(same) > FEW}
    kept: list[Problem] = []
    for row in rows:
        same = shared.get(_kind(row))
        if same is None:
            kept.append(row)
        elif same[0] is row:
            kept.append(_as_one(same))
    return kept


def _kind(row: Problem) -> tuple[str | None, ...]:
    suite = None if row.severity == "error" else row.suite
    return suite, row.severity, row.code, row.message if row.severity == "warning" else ""


def _as_one(rows: list[Problem]) -> Problem:
    """Return the first of problems of one kind, with the number of places and files."""
    row, files = rows[0], len({row.path for row in rows})
    where = "this file" if files == 1 else f"{files:,} files of this suite"
    return row._replace(
        message=f"{row.message} There are {len(rows):,} places like this in {where}; this is "
        "the first.",
        hint=f"{row.hint} `evalcore check --json` lists them all.".lstrip(),
    )
