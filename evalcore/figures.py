"""The figures of a workspace for other programs: rates, comparisons and trends, as on screen."""

from typing import NamedTuple

from evalcore.comparing.compare import compare as compared
from evalcore.comparing.model import Comparison
from evalcore.comparing.sides import two_sides
from evalcore.counting.outcomes import Column
from evalcore.counting.people import Scores
from evalcore.counting.rates import Rate
from evalcore.counting.score_source import rates_by
from evalcore.errors import UnknownName
from evalcore.trends.alerts import Alert, alerts
from evalcore.trends.directions import LineTrend, directions
from evalcore.trends.lines import Line, Over, lines
from evalcore.trends.metrics import Metric, metric_named
from evalcore.workspace.opened import Workspace


class MetricTrend(NamedTuple):
    """A metric over versions or benchmark runs: its lines, their directions, and where it fell."""

    metric: Metric
    lines: tuple[Line, ...]
    directions: tuple[LineTrend, ...]
    alerts: tuple[Alert, ...]


def rates(workspace: Workspace, suite: str, scores: Scores = "recorded") -> dict[Column, Rate]:
    """Return the headline of each version and configuration of a suite, as Overview shows it.

    Keys are pairs (version, configuration), in the order of the versions; `value` is from 0 to 1,
    the mean over cases of the mean over a case's runs. `scores` is the score source.

    Raises:
        UnknownName: the workspace has no such suite.
    """
    known = rates_by(workspace, scores)
    if suite not in known:
        raise UnknownName("suite", suite, known)
    return known[suite]


def compare(
    workspace: Workspace,
    suite: str,
    a: str | None = None,
    b: str | None = None,
    scores: Scores = "recorded",
    clusters: tuple[str, ...] = (),
) -> Comparison:
    """Return the comparison of `b` with `a`, each `VERSION` or `VERSION@CONFIGURATION`.

    Without both, the newest version is compared with the one before, as by `evalcore compare`. The
    answer is `verdict.word`; `estimate_a` and `estimate_b` are means over cases from 0 to 1.
    `clusters` names tags whose cases were made from one template.

    Raises:
        UnknownName: there is no such suite, version or configuration.
        CannotCompare: there are no two sides with scores, or both are the same, or no case has
            one of the tags of `clusters`.
    """
    return compared(*two_sides(workspace, suite, a, b), scores, clusters)


def trend(
    workspace: Workspace,
    suite: str,
    metric: str | None = None,
    over: Over = "versions",
    scores: Scores = "recorded",
) -> MetricTrend:
    """Return a metric of a suite over versions or benchmark runs, as Trends shows it.

    `metric` is a name as `evalcore trends --metric` takes it, such as `criterion:KIND:NAME` or
    `tokens`; None is the headline. Values are from 0 to 1, or seconds, tokens and US dollars.

    Raises:
        UnknownName: the workspace has no such suite, or the suite no such metric.
    """
    found = metric_named(workspace, suite, metric)
    asked = (workspace, suite, found, over, scores)
    return MetricTrend(found, lines(*asked), directions(*asked), alerts(*asked))
