"""A fault found in a file, as a value that is part of the workspace."""

from collections.abc import Hashable, Iterable, Sequence
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
    found = ""
    for part in parts:
        found += "/" + str(part).replace("~", "~0").replace("/", "~1")
    return found


def quoted(text: object, limit: int = 60) -> str:
    """Return a name quoted for a message, cut if it is long."""
    name = str(text)
    return repr(name if len(name) <= limit else name[: limit - 1] + "…")


UNREAD: Final = ("unrecognised", "not-read", "scores-unread")
"""The codes of files that hold evaluations and are not read."""

SUSPECT: Final = frozenset({"never-activated"})
"""The codes of what makes a whole measurement doubtful: they stand first."""

SIDE_UNKNOWN: Final = "side-unknown"
"""The code of a grading beside the folders of several sides, which grades none of them."""

FEW: Final = 3
"""Up to so many places with one kind of problem are each named."""


RANKS: Final[dict[Severity, int]] = {"error": 0, "warning": 1, "info": 2}


def rank(problem: Problem) -> tuple[int, bool, str, str, str]:
    """Return the place of a problem in a list: the worst first, and what makes others doubtful."""
    known = problem.code not in SUSPECT
    return RANKS[problem.severity], known, problem.code, problem.path, problem.pointer


def decision(problem: Problem) -> tuple[str, str]:
    """Return what a person decides once for all problems alike: notes that ask for the same step.

    What a writer does in its own way is named by several codes, and mended in one place.
    """
    noted = problem.severity == "info" and problem.suite is not None
    return problem.severity, (noted and problem.hint) or problem.code


def grouped(problems: Iterable[Problem]) -> list[Problem]:
    """Return problems with those that many places share as one, in the same order.

    It is that of the first place, and says how many there are, and the first three. Notes are of
    one kind by the decision they ask for, warnings by code and message; errors, and what is of no
    suite, stay as they are.
    """
    rows = list(problems)
    found: dict[Hashable, list[Problem]] = {}
    for row in rows:
        found.setdefault(kind_of(row), []).append(row)
    kept: list[Problem] = []
    for row in rows:
        same = found[kind_of(row)]
        if len(same) <= FEW:
            kept.append(row)
        elif same[0] is row:
            kept.append(_as_one(same))
    return kept


def kind_of(row: Problem) -> Hashable:
    """Return what is equal for problems that are one if there are many; the whole for others."""
    if row.suite is None or row.severity == "error":
        return row
    return decision(row) if row.severity == "info" else (row.code, row.message)


def first_of(rows: Sequence[Problem]) -> list[Problem]:
    """Return the first three problems of one kind, of different codes where there are several."""
    by_code = {row.code: row for row in reversed(rows)}
    of_codes = sorted(by_code.values(), key=rank)
    return list(dict.fromkeys([*of_codes[:FEW], *rows[:FEW]]))[:FEW]


def _as_one(rows: list[Problem]) -> Problem:
    """Return the first of problems of one kind, with the number of places and the first three."""
    first = first_of(rows)
    row = first[0]
    files, suites = len({row.path for row in rows}), len({row.suite for row in rows})
    where = "this file" if files == 1 else f"{files:,} files"
    where += f" of {suites:,} suites" if suites > 1 else " of this suite" if files > 1 else ""
    said = " ".join(dict.fromkeys(each.message for each in first))
    others = " and ".join(f"{each.path}#{each.pointer}".rstrip("#") for each in first[1:])
    return row._replace(
        message=f"{said} There are {len(rows):,} places like this in {where}; this is the first, "
        f"others are {others}.",
        hint=f"{row.hint} `evalcore check --json` lists them all.".lstrip(),
    )
