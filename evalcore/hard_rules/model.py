"""What is found of one hard rule in one suite."""

from collections.abc import Callable, Iterator
from typing import Final, Literal, NamedTuple

import numpy as np

from evalcore.counting.coded import Numbers
from evalcore.problems import Problem
from evalcore.workspace.opened import Workspace

Rule = Literal["outputs", "rationales", "failures", "regressions", "approvals"]
Standing = Literal["kept", "broken", "not recorded", "cannot be checked", "nothing to check"]
About = Literal["run", "benchmark run", "approval"]
NONE: Final = np.zeros(0, np.int64)


class Found(NamedTuple):
    """What one rule says of a suite: `kept` things keep it, `broken` ones (rows) do not.

    `unknown` things cannot be checked. `asked` is false where the suite keeps no such records:
    what is missing is then counted, and no problem.
    """

    rule: Rule
    kept: int = 0
    broken: Numbers = NONE
    unknown: int = 0
    asked: bool = True

    @property
    def standing(self) -> Standing:
        """How the rule stands, in one word."""
        if len(self.broken):
            return "broken" if self.asked else "not recorded"
        if self.kept:
            return "kept"
        return "cannot be checked" if self.unknown else "nothing to check"


class Place(NamedTuple):
    """A place in a document, and its value."""

    what: str
    path: str
    pointer: str


class Broken(NamedTuple):
    """One thing that breaks a rule, why, and the documents that show it, what breaks it first."""

    about: About
    id: str
    message: str
    places: tuple[Place, ...]


Describe = Callable[[Workspace, Numbers], Iterator[Broken]]
Problems = Callable[[Workspace, str, Numbers], Iterator[Problem]]


class Check(NamedTuple):
    """How a rule is checked.

    `find` looks at a suite, `describe` says what rows are that break the rule, `problems` what is
    reported of them.
    """

    rule: Rule
    find: Callable[[Workspace, str], Found]
    describe: Describe
    problems: Problems


def warnings(code: str, hint: str, describe: Describe) -> Problems:
    """Return what reports each row as a warning, at the first of its places."""

    def problems(ws: Workspace, suite: str, rows: Numbers) -> Iterator[Problem]:
        for each in describe(ws, rows):
            _, path, at = each.places[0]
            yield Problem(path, at, "warning", code, each.message, hint, suite)

    return problems
