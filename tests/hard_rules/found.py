"""Short words for what the hard rules say of a suite."""

from collections.abc import Sequence

from evalcore.hard_rules.checking import CHECKS, Broken, Found, Rule, broken_rules, checked
from evalcore.problems import Problem
from evalcore.workspace.opened import Workspace, reopened


def found(ws: Workspace, suite: str, rule: Rule) -> Found:
    """Return how a rule stands in a suite."""
    return next(each for each in checked(ws, suite) if each.rule == rule)


def counts(ws: Workspace, suite: str, rule: Rule) -> tuple[int, int, int]:
    """Return how many things keep a rule, break it, and cannot be checked."""
    of = found(ws, suite, rule)
    return of.kept, len(of.broken), of.unknown


def described(ws: Workspace, suite: str, rule: Rule) -> list[Broken]:
    """Return what breaks a rule."""
    check = next(each for each in CHECKS if each.rule == rule)
    return list(check.describe(ws, found(ws, suite, rule).broken))


def problems(ws: Workspace, *codes: str) -> list[Problem]:
    """Return the problems of some codes."""
    return [each for each in broken_rules(ws) if each.code in codes]


def now(ws: Workspace, changed: Sequence[str] | None = None) -> Workspace:
    """Return a workspace as its files are now."""
    return reopened(ws, changed)
