"""What can be followed over time: the metrics of a suite, their names, and each run's value."""

from difflib import get_close_matches
from typing import Final, Literal, NamedTuple

import numpy as np

from evalcore.comparing.measures import COLUMNS, MOST, Name
from evalcore.counting.coded import Numbers, coded, distinct, values
from evalcore.counting.joined import counting, judged_run
from evalcore.counting.memo import memoize_per_workspace
from evalcore.counting.outcomes import columns_of_runs
from evalcore.counting.people import Scores
from evalcore.counting.rates import (
    ASIDE,
    EFFICIENCY,
    OTHER,
    OUTSIDE,
    SHARE,
    on_scale,
    valued,
)
from evalcore.counting.score_source import answers_to, valued_by
from evalcore.errors import UnknownName
from evalcore.workspace.opened import Workspace

Kind = Literal["headline", "score", "gate", "criterion", "time", "tokens", "cost"]
NAMED: Final = 2
RESOURCES: Final[tuple[Name, ...]] = ("time", "tokens", "cost")
_CRITERION: Final = "criterion"


class Metric(NamedTuple):
    """A metric of a suite; `of` and `criterion` are the kind and name of a criterion."""

    kind: Kind = "headline"
    of: str = ""
    criterion: str = ""

    @property
    def key(self) -> str:
        """The metric's name in addresses and commands: `headline`, `criterion:KIND:NAME`."""
        return ":".join(self) if self.kind == _CRITERION else self.kind

    @property
    def resource(self) -> Name | None:
        """Time, tokens or cost, which are followed but never judged; None for other metrics."""
        return next((name for name in RESOURCES if name == self.kind), None)


HEADLINE: Final = Metric()


@memoize_per_workspace
def metrics(ws: Workspace, suite: str) -> tuple[Metric, ...]:
    """Return the metrics that runs of a suite have: the headline first, resources last.

    Raises:
        UnknownName: the workspace has no such suite.
    """
    headline, here = headline_of(ws, suite), columns_of_runs(ws, suite).here
    kinds: list[Kind] = ["headline"]
    scored = not np.isnan(values(ws, "runs", "fraction")[here]).all()
    if headline in {SHARE, EFFICIENCY} and scored:
        kinds.append("score")
    if (values(ws, "runs", "gate_passed")[here] >= 0).any():
        kinds.append("gate")
    kind, criterion = (coded(ws, "judgments", name) for name in ("kind", "criterion"))
    mine = np.zeros(len(values(ws, "runs", "passed")) + 1, bool)  # the last: without a run
    mine[here] = True
    rows = np.flatnonzero(mine[judged_run(ws)] & counting(ws))
    keys = kind.keys_of(rows) * criterion.width + criterion.keys_of(rows)
    found = distinct(keys, kind.width * criterion.width).tolist()
    names = (
        (kind.words[at // criterion.width], criterion.words[at % criterion.width]) for at in found
    )
    criteria = [Metric(_CRITERION, *name) for name in sorted(names)]
    amounts = ((name, values(ws, "runs", COLUMNS[name])[here]) for name in RESOURCES)
    measured = [Metric(name) for name, of in amounts if ((of > 0) & (of < MOST)).any()]
    return (*map(Metric, kinds), *criteria, *measured)


def headline_of(ws: Workspace, suite: str) -> str:
    """Return the name of a suite's headline.

    Raises:
        UnknownName: the workspace has no such suite.
    """
    names, headlines = (coded(ws, "suites", name).column() for name in ("suite", "headline"))
    if suite not in names:
        raise UnknownName("suite", suite, names)
    return headlines[names.index(suite)]


def rate_metric(ws: Workspace, suite: str) -> Metric:
    """Return the metric that is the pass rate of benchmark runs: the headline, if it is a rate.

    Raises:
        UnknownName: the workspace has no such suite.
    """
    return Metric("score") if headline_of(ws, suite) == EFFICIENCY else HEADLINE


def metric_named(ws: Workspace, suite: str, name: str | None) -> Metric:
    """Return the metric of a name: a key, or that of a criterion that only one kind has.

    None is the headline.

    Raises:
        UnknownName: the suite has no such metric.
    """
    known = metrics(ws, suite)
    if name is None:
        return HEADLINE
    exact = [metric for metric in known if metric.key == name]
    alone = [metric for metric in known if metric.criterion and metric.criterion == name]
    if exact or len(alone) == 1:
        return (exact or alone)[0]
    keys = [metric.key for metric in alone or known]
    if not get_close_matches(name, keys, n=1):
        # Where none of the names is similar, few criteria are offered.
        criteria = [metric.key for metric in alone or known if metric.criterion]
        keys = [key for key in keys if key not in criteria[NAMED:]]
    raise UnknownName("metric", name, keys)


class RunValues(NamedTuple):
    """Known values of runs (positions): shares from 0 to 1, or seconds, tokens and dollars."""

    run: Numbers
    value: Numbers


def run_values(ws: Workspace, suite: str, metric: Metric, scores: Scores) -> RunValues:
    """Return the values of a suite's runs that count, without those that are unknown.

    Draft cases, excluded runs and those that a status keeps out of the rates do not count. What a
    file gives as 0 seconds, tokens or dollars was not measured.
    """
    run = columns_of_runs(ws, suite).here
    known = valued(ws) if scores == "recorded" else valued_by(ws, scores)
    end = known["end"]
    if metric.kind == "criterion":
        mine = np.zeros(len(end), bool)
        mine[run] = True
        kind, criterion = (
            int(coded(ws, "judgments", name).places([word])[0])
            for name, word in (("kind", metric.of), ("criterion", metric.criterion))
        )
        found = answers_to(ws, kind, criterion, scores)
        keep = mine[found.run]
        run, value = found.run[keep], on_scale(found.value)[keep]
    elif metric.resource is not None:
        amount = values(ws, "runs", COLUMNS[metric.resource])[run].astype(float)
        value = np.where((amount > 0) & (amount < MOST), amount, np.nan)
    elif metric.kind == "gate":
        passed = values(ws, "runs", "gate_passed")[run]
        value = np.where(passed < 0, np.nan, passed)
    else:
        value = known["value"][run]
        if metric.kind == "score":
            highest = known["max_score"][run]
            top = np.where(highest > 0, highest, np.nan)
            value = on_scale(known["score"][run] / top)
        value = np.where(end[run] >= OTHER, value, np.nan)
    counted = (end[run] != ASIDE) & (end[run] != OUTSIDE) & ~np.isnan(value)
    return RunValues(run[counted], value[counted])
