"""Counts of the problems of a suite, each with the link to the list it counts."""

from typing import NamedTuple

from evalcore.problems import Severity
from evalcore.views.blocks.base import Link, link
from evalcore.views.data.lists import DataView, matching
from evalcore.views.problems import SEVERITIES, Problems


class ProblemCount(NamedTuple):
    """The number of problems that the Data page lists behind a link, and the first of them."""

    n: int
    first: str
    link: Link


def problem_count(
    problems: Problems,
    suite: str,
    severity: Severity | None = None,
    **elsewhere: None,
) -> ProblemCount:
    """Count the problems of a suite, of one severity or all."""
    view = DataView("problems", suite=suite, severity=severity)
    found = matching(problems, view)
    query = {name: value for name, value in view.parameters().items() if value is not None}
    there = link("data", suite=suite, **elsewhere, **query)
    first = found[0] if found else None
    return ProblemCount(len(found), (first.message or first.code) if first else "", there)


def by_severity(problems: Problems, suite: str) -> dict[Severity, ProblemCount]:
    """Return the problem counts of a suite by severity, the worst first, without empty ones."""
    counts = {severity: problem_count(problems, suite, severity) for severity in SEVERITIES}
    return {severity: count for severity, count in counts.items() if count.n}
