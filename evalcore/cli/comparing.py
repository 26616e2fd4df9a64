"""`evalcore compare`: which two sides are meant, and what holding B against A says."""

import sys
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from evalcore.cli.comparing_document import as_document
from evalcore.cli.comparing_screen import show
from evalcore.cli.screen import progress
from evalcore.cli.terminal import complain
from evalcore.comparing.compare import compare
from evalcore.comparing.model import Comparison, Named, Side
from evalcore.comparing.sides import columns_of, default_sides, side_of
from evalcore.counting.focus import focus_of
from evalcore.counting.people import Scores
from evalcore.counting.rates import rates
from evalcore.errors import CannotCompare, UnknownName
from evalcore.views.verdict.sentence import sentence
from evalcore.workspace.opened import Workspace, open_workspace

_NAMED: Final = 8
"""How many suites a message lists."""
WORKING: Final = "the working tree"


@dataclass(frozen=True)
class Asked:
    """What was typed: the sides by name, and where each of them lies.

    `other` is a second folder for B; `revision_a` and `revision_b` are git revisions of `path`.
    """

    path: Path
    a: str | None = None
    b: str | None = None
    suite: str | None = None
    other: Path | None = None
    other_suite: str | None = None
    revision_a: str | None = None
    revision_b: str | None = None
    scores: Scores = "recorded"

    @property
    def apart(self) -> bool:
        """Whether the sides lie in two folders or two revisions."""
        return not (self.other is None and self.revision_a is None and self.revision_b is None)


@dataclass(frozen=True)
class Held:
    """A comparison with its sides, and where they lie."""

    comparison: Comparison
    a: Side
    b: Side
    asked: Asked


def answer(asked: Asked, *, as_json: bool, fail_on_regression: bool, explain: bool) -> int:
    """Print how B stands against A; return 1 only for a regression that was to be told so."""
    held = hold(asked)
    if as_json:
        sys.stdout.write(as_document(held.comparison, _about_sides(held)))
    else:
        show(held.comparison, explain=explain)
    if not fail_on_regression:
        return 0
    verdict = held.comparison.verdict
    if verdict is not None and verdict.word == "worse":
        return 1
    if verdict is None or verdict.word == "can't tell":
        complain(f"No regression is shown, and no improvement. {sentence(held.comparison)}")
    return 0


def hold(asked: Asked) -> Held:
    """Return what holding the two sides against each other says.

    Raises:
        CannotCompare: what was asked names no two sides.
        UnknownName: there is no such suite, version or configuration.
    """
    _sensible(asked)
    a, b = _apart(asked) if asked.apart else _together(asked)
    with progress("Comparing"):
        found = compare(a, b, asked.scores)
    return Held(_placed(found, asked), a, b, asked)


def _sensible(asked: Asked) -> None:
    if (asked.a is None) != (asked.b is None):
        raise CannotCompare(
            "Name both sides, A and B, or none: then the newest version is held "
            "against the one before."
        )
    if asked.other is not None and (asked.revision_a or asked.revision_b):
        raise CannotCompare(
            "--with names another folder, --revision-a and --revision-b revisions "
            "of the same one; use one or the other."
        )
    if asked.other_suite is not None and asked.other is None:
        raise CannotCompare("--with-suite names a suite of another folder; name that with --with.")


def _together(asked: Asked) -> tuple[Side, Side]:
    """Return two sides of one suite of one folder."""
    ws = _opened(asked.path)
    if asked.a is not None and asked.b is not None:
        suite = asked.suite or _only(ws, _comparable(ws), asked.path)
        a, b = side_of(ws, suite, asked.a), side_of(ws, suite, asked.b)
        if a.column == b.column:
            raise CannotCompare(
                f"Both sides are {a.column.key}: a version is not compared with "
                f"itself. {_there_is(ws, suite)}"
            )
        return a, b
    suite = asked.suite or _only(ws, _comparable(ws), asked.path)
    sides = default_sides(ws, suite)
    if sides is None:
        raise CannotCompare(
            f"The suite {suite!r} has no two versions or configurations with "
            f"scores. {_there_is(ws, suite)}"
        )
    return sides


def _apart(asked: Asked) -> tuple[Side, Side]:
    """Return one side of each of two folders, or of two revisions of one."""
    if asked.other is not None:
        first, second = _opened(asked.path), _opened(asked.other)
    else:
        first, second = (
            _opened(_revision(asked.path, name)) for name in (asked.revision_a, asked.revision_b)
        )
    suite = asked.suite or _only(first, _scored(first), asked.path)
    other_suite = asked.other_suite or _same_suite(second, suite, asked)
    return _side(first, suite, asked.a), _side(second, other_suite, asked.b)


def _revision(path: Path, name: str | None) -> Path:
    if name is None:
        return path
    from evalcore.revisions import checkout  # noqa: PLC0415 - only who asks for it needs git

    with progress(f"Reading {name}"):
        return checkout(path, name)


def _opened(path: Path) -> Workspace:
    with progress("Reading"):
        return open_workspace(path)


def _side(ws: Workspace, suite: str, name: str | None) -> Side:
    """Return the side of that name; without a name the newest, the one under test."""
    if name is not None:
        return side_of(ws, suite, name)
    columns = columns_of(ws, suite)
    place, _ = focus_of(columns, None, None)
    if place is None:
        raise CannotCompare(f"The suite {suite!r} of {ws.root} has no runs with scores.")
    return Side(ws, suite, columns[place])


def _same_suite(ws: Workspace, suite: str, asked: Asked) -> str:
    """Return the suite of the other folder: that of the same name, else the only one."""
    known = rates(ws)
    if suite in known:
        return suite
    if asked.other is None:
        raise UnknownName("suite", suite, known)
    return _only(ws, _scored(ws), asked.other, "--with-suite")


def _comparable(ws: Workspace) -> list[str]:
    """Return the suites with two sides."""
    return [suite for suite in rates(ws) if len(columns_of(ws, suite)) > 1]


def _scored(ws: Workspace) -> list[str]:
    """Return the suites with any side."""
    return [suite for suite in rates(ws) if columns_of(ws, suite)]


def _only(ws: Workspace, suites: list[str], path: Path, option: str = "--suite") -> str:
    if len(suites) == 1:
        return suites[0]
    if suites:
        raise CannotCompare(
            f"{path} has {len(suites):,} suites that can be compared; name one "
            f"with {option}: {_listed(suites)}."
        )
    there = f"its suites are {_listed(rates(ws))}" if rates(ws) else "it has no suite"
    raise CannotCompare(
        f"{path} has nothing to compare: {there}, and what is compared are two "
        "versions or configurations with scores."
    )


def _there_is(ws: Workspace, suite: str) -> str:
    keys = [column.key for column in columns_of(ws, suite)]
    return f"There is: {_listed(keys)}." if keys else "It has no runs with scores."


def _listed(names: Iterable[str]) -> str:
    names = list(names)
    more = f" and {len(names) - _NAMED:,} more" if len(names) > _NAMED else ""
    return ", ".join(names[:_NAMED]) + more


def _placed(found: Comparison, asked: Asked) -> Comparison:
    """Name the sides by their revisions, where these are what tells them apart."""
    if asked.revision_a is None and asked.revision_b is None:
        return found
    a = replace(found.a, workspace=asked.revision_a or WORKING)
    b = replace(found.b, workspace=asked.revision_b or WORKING)
    return replace(found, a=a, b=b)


def _about_sides(held: Held) -> tuple[dict[str, object], dict[str, object]]:
    """Return what the document says of both sides."""
    asked, c = held.asked, held.comparison
    first = _about(c.a, asked.path, asked.revision_a)
    return first, _about(c.b, asked.other or asked.path, asked.revision_b)


def _about(named: Named, path: Path, revision: str | None) -> dict[str, object]:
    return {
        "root": str(path.resolve()),
        "revision": revision,
        "suite": named.suite,
        "version": named.column.version,
        "configuration": named.column.configuration,
        "key": named.column.key,
    }
