"""Names and values of metrics in words, and the axes of their charts."""

import math
from collections.abc import Iterable
from typing import Final

import numpy as np

from evalcore.counting.cells import where
from evalcore.counting.coded import coded, distinct, values
from evalcore.counting.memo import memoize_per_workspace
from evalcore.counting.outcomes import outcomes
from evalcore.counting.rates import EFFICIENCY
from evalcore.numbers import rounded
from evalcore.trends.lines import Spot
from evalcore.trends.metrics import Metric, headline_of
from evalcore.views.charts.model import Axis
from evalcore.views.words import wording
from evalcore.workspace.opened import Workspace

LONGEST: Final = 90
"""How many characters of a criterion name it in a sentence."""
_STEPS: Final = (0.0, 0.25, 0.5, 0.75, 1.0)
_NICE: Final = (1, 2, 2.5, 5, 10)
_TICKS: Final = 4
_NAMES: Final = {
    "score": "mean score",
    "gate": "share of runs past the gate",
    "time": "time per run",
    "tokens": "tokens per run",
    "cost": "cost per run",
}


class MetricWords:
    """The words of one metric of a suite.

    `headline` is the name of the suite's headline, `scale` the end of the scale that all scores
    share, None without one. `about` is what an opaque criterion stands for, `passes` whether it is
    passed or failed, also where it has a scale.
    """

    def __init__(
        self,
        metric: Metric,
        headline: str,
        scale: float | None,
        about: str = "",
        *,
        passes: bool = True,
    ) -> None:
        self.metric, self._headline, self._scale, self._about = metric, headline, scale, about
        self._passes = passes

    @property
    def name(self) -> str:
        """The name of the metric in a sentence."""
        if self.metric.kind == "headline":
            return self._headline
        if self.metric.kind == "criterion":
            return f"{'share passing' if self._passes else 'mean score of'} {self.criterion}"
        return _NAMES[self.metric.kind]

    @property
    def criterion(self) -> str:
        """What the metric's criterion asks, in quotation marks."""
        return f"“{wording.line(self._about or self.metric.criterion, LONGEST)}”"

    def value(self, value: float | None) -> str:
        """Return one value: a rate, a score on its scale, an amount."""
        if value is None:
            return wording.NOT_MEASURED if self.metric.resource else wording.NOT_SCORED
        if self.metric.resource is not None:
            return wording.AMOUNTS[self.metric.resource](value)
        if self.metric.kind == "score" and self._scale:
            return wording.score(value * self._scale, self._scale)
        return wording.headline(value, self._measure)

    def short(self, value: float) -> str:
        """Return one value to stand in a chart."""
        if self.metric.kind == "score" and self._scale:
            return wording.fixed(value * self._scale, 1)
        return self.value(value)

    def likely(self, found: tuple[float, float] | None) -> str:
        """Return an interval as the end of a clause: `, likely between 55 and 93 %`."""
        if found is None:
            return ""
        if self.metric.kind == "score" and self._scale:
            low, high = (wording.fixed(each * self._scale) for each in found)
        elif self.metric.resource is None and self._measure != EFFICIENCY:
            low, high = (f"{rounded(100 * each):.0f}" for each in found)
            high += " %"
        else:
            low, high = map(self.value, found)
        return f", likely between {low} and {high}"

    def axis(self, highest: Iterable[float]) -> Axis:
        """Return the axis: the whole scale, or from 0 to beyond the highest amount."""
        if self.metric.resource is None:
            return Axis(0.0, 1.0, tuple((step, self._tick(step)) for step in _STEPS))
        step = _nice(max(highest, default=1.0) / _TICKS)
        steps = [step * at for at in range(_TICKS + 1)]
        return Axis(0.0, steps[-1], tuple((each, self.value(each)) for each in steps))

    @property
    def _measure(self) -> str:
        return self._headline if self.metric.kind == "headline" else ""

    def _tick(self, step: float) -> str:
        if self.metric.kind == "score" and self._scale:
            return wording.number(step * self._scale)
        if self._measure == EFFICIENCY:
            return wording.number(step)
        return wording.percent(step)


@memoize_per_workspace
def metric_words(ws: Workspace, suite: str, metric: Metric) -> MetricWords:
    """Return the words of a metric.

    Raises:
        UnknownName: the workspace has no such suite.
    """
    # The scale takes all outcomes of a suite, and only scores have one.
    scale = outcomes(ws, suite).scale if metric.kind == "score" else None
    about = _described(ws, suite).get(metric[1:], "") if metric.criterion else ""
    passes = (metric.of, metric.criterion) in _decided(ws) if metric.criterion else True
    return MetricWords(metric, headline_of(ws, suite), scale, about, passes=passes)


def likely_words(words: MetricWords, spot: Spot) -> str:
    """Return an interval, or why there is none."""
    said = words.likely(spot.interval).removeprefix(", likely between ")
    if said:
        return said.replace(" and ", " to ")
    return "stored" if spot.from_document else "needs 2 cases"


@memoize_per_workspace
def _decided(ws: Workspace) -> frozenset[tuple[str, str]]:
    """Return kind and name of the criteria that some judgment says are passed or failed."""
    kinds, names = coded(ws, "judgments", "kind"), coded(ws, "judgments", "criterion")
    rows = np.flatnonzero(values(ws, "judgments", "passed") >= 0)
    keys = kinds.keys_of(rows).astype(np.int64) * names.width + names.keys_of(rows)
    known = distinct(keys, kinds.width * names.width).tolist()
    return frozenset(
        (kinds.words[key // names.width], names.words[key % names.width]) for key in known
    )


@memoize_per_workspace
def _described(ws: Workspace, suite: str) -> dict[tuple[str, str], str]:
    """Return the description of each criterion; empty if its cases describe it differently."""
    known = ws.tables.criteria.iloc[where(ws, "criteria", suite=suite)]
    rows = known[["kind", "criterion", "description"]].dropna()
    found: dict[tuple[str, str], str] = {}
    for kind, criterion, text in zip(*(rows[name].astype(str) for name in rows), strict=True):
        found[kind, criterion] = text if found.get((kind, criterion), text) == text else ""
    return found


def _nice(step: float) -> float:
    """Return the next round number from `step` on, so that axes end at round numbers."""
    if step <= 0:
        return 1.0
    power = 10.0 ** math.floor(math.log10(step))
    return next(each * power for each in _NICE if each * power >= step * (1 - 1e-9))
