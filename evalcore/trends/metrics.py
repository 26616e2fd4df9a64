"""What can be followed over time: the metrics of a suite, and their names in addresses."""

from collections.abc import Sequence
from difflib import get_close_matches
from typing import Final, Literal, NamedTuple

import numpy as np

from evalcore.comparing.measures import COLUMNS, MOST, Name
from evalcore.counting.coded import coded, distinct, values
from evalcore.counting.joined import counting, judged_run
from evalcore.counting.memo import memoize_per_workspace
from evalcore.counting.outcomes import columns_of_runs
from evalcore.counting.rates import EFFICIENCY, SHARE
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
    measured = [name for name in RESOURCES if _measured(ws, here, name)]
    return (*map(Metric, kinds), *_criteria(ws, here), *map(Metric, measured))


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
    if not exact and len(alone) != 1:
        raise UnknownName("metric", name, _hints(name, alone or known))
    return (exact or alone)[0]


def _hints(name: str, known: Sequence[Metric]) -> list[str]:
    """Return the keys to offer instead of a name: all if one is similar, else few criteria."""
    keys = [metric.key for metric in known]
    if get_close_matches(name, keys, n=1):
        return keys
    criteria = [metric.key for metric in known if metric.criterion]
    return [key for key in keys if key not in criteria[NAMED:]]


def _measured(ws: Workspace, here: np.ndarray, name: Name) -> bool:
    amount = values(ws, "runs", COLUMNS[name])[here]
    return bool(((amount > 0) & (amount < MOST)).any())


def _criteria(ws: Workspace, here: np.ndarray) -> list[Metric]:
    kind, criterion = (coded(ws, "judgments", name) for name in ("kind", "criterion"))
    mine = np.zeros(len(values(ws, "runs", "passed")) + 1, bool)  # the last: without a run
    mine[here] = True
    rows = np.flatnonzero(mine[judged_run(ws)] & counting(ws))
    keys = kind.keys_of(rows) * criterion.width + criterion.keys_of(rows)
    found = distinct(keys, kind.width * criterion.width).tolist()
    names = (
        (kind.words[at // criterion.width], criterion.words[at % criterion.width]) for at in found
    )
    return [Metric(_CRITERION, *name) for name in sorted(names)]
