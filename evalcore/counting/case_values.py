"""The value of each case of a column: the mean over its runs that count."""

from itertools import pairwise

import numpy as np

from evalcore.counting.coded import Numbers, coded, numbered, slots
from evalcore.counting.memo import memoize_per_workspace
from evalcore.counting.outcomes import Column
from evalcore.counting.people import Scores
from evalcore.counting.rates import OTHER, rates
from evalcore.counting.score_source import valued_by
from evalcore.counting.tally import mean
from evalcore.errors import UnknownName
from evalcore.workspace.opened import Workspace


@memoize_per_workspace
def case_values(ws: Workspace, suite: str, scores: Scores = "recorded") -> dict[Column, Numbers]:
    """Return the values (0 to 1) of the cases of each column; their mean is the column's rate.

    Cases without a run that counts are missing; so are columns without any such run.

    Raises:
        UnknownName: the workspace has no such suite.
    """
    if suite not in rates(ws):
        raise UnknownName("suite", suite, rates(ws))
    known = valued_by(ws, scores)
    here = np.flatnonzero(coded(ws, "runs", "suite").among({suite}) & (known["end"] >= OTHER))
    version, configuration = (coded(ws, "runs", name) for name in ("version", "configuration"))
    width = configuration.width
    columns, of_run, _ = numbered(
        version.keys_of(here) * width + configuration.keys_of(here), version.width * width
    )
    of_columns = values_of_groups(known["value"][here], of_run, known["case"][here], len(columns))
    return {
        Column(version.words[key // width], configuration.words[key % width]): values
        for key, values in zip(columns.tolist(), of_columns, strict=True)
    }


def values_of_groups(value: Numbers, group: Numbers, case: Numbers, groups: int) -> list[Numbers]:
    """Return the means over the runs of each case, for every group of runs in turn.

    `group` and `case` are numbers from 0, one a run. Cases without a known value are missing.
    """
    cases = int(case.max(initial=0)) + 1
    cells, of_run = slots(group * cases + case, groups * cases)
    means = mean(value, of_run, len(cells))
    there = ~np.isnan(means)
    values = means[there]
    ends = np.searchsorted(cells[there] // cases, np.arange(groups + 1)).tolist()
    return [values[first:last] for first, last in pairwise(ends)]
