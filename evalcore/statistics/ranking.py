"""Rank several sides by comparisons of two at a time: the model of Bradley and Terry (1952)."""

import math
import warnings
from collections.abc import Mapping
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]
Z: Final = 1.959963984540054


class Ranked(NamedTuple):
    """One side: its strength on the logit scale against the mean of all, with standard error."""

    name: str
    strength: float
    error: float

    @property
    def chance(self) -> float:
        """The chance to win against a side of mean strength, 0 to 1."""
        return _logistic(self.strength)

    @property
    def likely(self) -> tuple[float, float]:
        """The 95 % interval of that chance."""
        ends = (self.strength + sign * Z * self.error for sign in (-1, 1))
        low, high = map(_logistic, ends)
        return low, high


class Ranking(NamedTuple):
    """Sides, the strongest first; where there is no finite strength, the groups that explain it.

    `groups` are then two or more. Where not all sides are `connected` by comparisons, they are the
    parts that are. Else, within each every side has won, over others, against every other one; the
    first lost nothing to the rest.
    """

    sides: tuple[Ranked, ...] = ()
    groups: tuple[tuple[str, ...], ...] = ()
    connected: bool = True


def bradley_terry(wins: Mapping[tuple[str, str], float]) -> Ranking:
    """Return the maximum likelihood strengths of sides; `wins[a, b]` is how often a won against b.

    A tie counts half for each. There is no finite strength where one side, or a group of them, won
    everything against the rest or was never compared with it (Ford 1957). Errors take comparisons
    as independent; with ties they are somewhat too large.
    """
    names = sorted({name for pair in wins for name in pair})
    if len(names) < 2:
        return Ranking()
    won = np.zeros((len(names), len(names)))
    for (one, other), number in wins.items():
        won[names.index(one), names.index(other)] = number
    parts = _groups(won, "weak")
    groups = _groups(won, "strong") if len(parts) == 1 else parts
    if len(groups) > 1:
        named = tuple(tuple(names[at] for at in group) for group in groups)
        return Ranking(groups=named, connected=len(parts) == 1)
    strengths, errors = _fitted(won)
    sides = (
        Ranked(name, float(s), float(e))
        for name, s, e in zip(names, strengths, errors, strict=True)
    )
    return Ranking(tuple(sorted(sides, key=lambda side: (-side.strength, side.name))))


def _groups(won: Array, connection: str) -> list[list[int]]:
    """Return the sides that are connected; those first that lost nothing to the others."""
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import connected_components

    number, labels = connected_components(csr_array(won > 0), directed=True, connection=connection)
    found = [np.flatnonzero(labels == label).tolist() for label in range(number)]

    def lost(group: list[int]) -> float:
        return float(won[:, group].sum() - won[np.ix_(group, group)].sum())

    return sorted(found, key=lambda group: (lost(group), -len(group)))


def _fitted(won: Array) -> tuple[Array, Array]:
    """Return strengths against their mean, and their standard errors."""
    from statsmodels.genmod.families import Binomial
    from statsmodels.genmod.generalized_linear_model import GLM
    from statsmodels.tools.sm_exceptions import PerfectSeparationWarning

    size = len(won)
    pairs = [(i, j) for i in range(size) for j in range(i) if won[i, j] + won[j, i] > 0]
    design = np.zeros((len(pairs), size))
    for row, (i, j) in enumerate(pairs):
        design[row, i], design[row, j] = 1.0, -1.0
    counts = np.array([(won[i, j], won[j, i]) for i, j in pairs])
    # The last side is the reference of the fit; afterwards all are set against their mean.
    # Both are said of an exact fit; that a finite one exists was seen before.
    with warnings.catch_warnings(), np.errstate(divide="ignore", invalid="ignore"):
        warnings.simplefilter("ignore", PerfectSeparationWarning)
        found = GLM(counts, design[:, :-1], family=Binomial()).fit()
    centre = np.eye(size) - 1 / size
    strengths = centre @ np.append(found.params, 0.0)
    covariance = np.zeros((size, size))
    covariance[:-1, :-1] = found.cov_params()
    return strengths, np.sqrt(np.diag(centre @ covariance @ centre))


def _logistic(value: float) -> float:
    return 1 / (1 + math.exp(-value))
