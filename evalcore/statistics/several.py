"""Several tests that are looked at together."""

from collections.abc import Sequence

import numpy as np


def holm(p_values: Sequence[float]) -> tuple[float, ...]:
    """Return each p after Holm: below .05 for any without a difference in 5 % of pages at most.

    Holds however the tests depend on each other, as criteria of the same runs do. Holm 1979,
    Scandinavian Journal of Statistics 6:65: the smallest of m times m, the next times m - 1, none
    below the one before. Statsmodels' `multipletests` gives the same, and collects garbage first,
    which takes a fifth of a second in a process that holds many objects.
    """
    p = np.asarray(p_values, dtype=np.float64)
    order = np.argsort(p, kind="stable")
    adjusted = np.empty_like(p)
    stepped = np.maximum.accumulate(p[order] * np.arange(p.size, 0, -1))
    adjusted[order] = np.minimum(stepped, 1.0)
    return tuple(float(one) for one in adjusted)


def holm_levels(p_values: Sequence[float | None], level: float) -> tuple[float, ...]:
    """Return the level that each test is held to by Holm's method.

    That of its own step where it is below it, else that of the first step that is not passed. None
    is a test that could not reach the level and is not counted: it is held to what it would be if
    it were counted too.
    """
    asked = [p for p in p_values if p is not None]
    passed = sum(p < level for p in holm(asked))

    def of(p: float | None) -> float:
        if p is None:
            return level / (len(asked) - passed + 1)
        return level / (len(asked) - min(sum(other < p for other in asked), passed))

    return tuple(of(p) for p in p_values)
