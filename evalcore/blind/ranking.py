"""Rank the sides of several closed studies of one suite."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import Final, NamedTuple

from evalcore.blind.closing import revealed
from evalcore.blind.results import case_results
from evalcore.judging.model import Judge
from evalcore.judging.studies import Study
from evalcore.statistics.ranking import Ranking, bradley_terry

FEWEST: Final = 3
"""So many sides are ranked; two have a win rate."""


class Ranks(NamedTuple):
    """The ranking of a suite's sides; `cases` is in how many comparisons of a case each stood.

    `studies` told of a case; `untold` were closed without revealing which was which.
    """

    ranking: Ranking
    cases: Counter[str]
    studies: int
    untold: int


def may_see(studies: Sequence[Study], judge: Judge | None) -> bool:
    """Return whether a judge has nothing left to compare: results name who won before."""
    return judge is None or not any(study.open_for(judge) for study in studies)


def ranks(studies: Sequence[Study]) -> Ranks | None:
    """Return the ranking by all closed studies; None where fewer than three sides were compared.

    Each case of a study counts once, with the mean preference of its verdicts.
    """
    wins: defaultdict[tuple[str, str], float] = defaultdict(float)
    cases: Counter[str] = Counter()
    counted = untold = 0
    for study in studies:
        if study.closed is None:
            continue
        verdicts, why_not = revealed(study)
        if why_not is not None:
            untold += 1
            continue
        a, b = study.fields.side_a, study.fields.side_b
        judged = case_results(study, verdicts)
        counted += bool(judged)
        for case in judged:
            wins[b, a] += case.preference
            wins[a, b] += 1 - case.preference
            cases.update((a, b))
    if len(cases) < FEWEST:
        return None
    return Ranks(bradley_terry(wins), cases, counted, untold)
