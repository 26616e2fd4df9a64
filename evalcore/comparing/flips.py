"""Whether a difference is that of the outputs, or of a judge who graded the same ones otherwise."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

import pandas as pd

from evalcore.comparing.lost import held
from evalcore.comparing.model import Side, Slice, Source
from evalcore.counting.digests import output_digest, output_digests, without_output
from evalcore.counting.outcomes import outcomes
from evalcore.statistics.verdict import Verdict, Word


def flip_source(a: Side, b: Side, run_a: str, run_b: str) -> Source:
    """Return why two runs (ids) of one case have different verdicts, as far as their files tell.

    Equal outputs with different verdicts are due to the judge, different outputs to the version. It
    opens the files of both runs, so use it for one case or one page of cases.
    """
    one, two = output_digest(a.ws, run_a), output_digest(b.ws, run_b)
    if one is None or two is None:
        return "unknown"
    return "judge" if one == two else "version"


def same_outputs(
    runs: tuple[pd.DataFrame, pd.DataFrame], sides: tuple[Side, Side], cases: Sequence[str]
) -> tuple[str, ...]:
    """Return those of some cases whose runs left the same outputs on both sides.

    The same ones, each by the same share of the case's runs. A run without an output, or with one
    that is too large to be digested, is like no other. `runs` are those that count.
    """
    one, two = (_came_out(frame, side, cases) for frame, side in zip(runs, sides, strict=True))
    return tuple(case for case in cases if case in one and one[case] == two.get(case))


def _came_out(
    runs: pd.DataFrame, side: Side, cases: Sequence[str]
) -> dict[str, Mapping[str, Fraction]]:
    """Return each output of the runs of each case as digest, and its share of them, if known."""
    places, nothing = outcomes(side.ws, side.suite).positions, without_output(side.ws)
    of_case = defaultdict[int, list[int]](list)
    for row, place in zip(runs.index.tolist(), runs["case"].tolist(), strict=True):
        of_case[place].append(row)
    found: dict[str, Mapping[str, Fraction]] = {}
    for case in cases:
        rows = of_case[places[case]]
        if nothing[rows].any():
            continue
        digests = Counter(digest for _, digest in output_digests(side.ws, rows))
        if None not in digests:
            found[case] = {str(each): Fraction(n, len(rows)) for each, n in digests.items()}
    return found


def without_same(found: Verdict, word: Word | None) -> Verdict:
    """Return a verdict as far as the `word` without the cases of the same outputs says so too."""
    return held(found, (word or "can't tell",), "same outputs")


def slices_without_same(found: Sequence[Slice], rest: Sequence[Slice]) -> tuple[Slice, ...]:
    """Return slices, each as far as that of the `rest` of the cases says so too."""
    words = {(one.kind, one.name): one.verdict.word for one in rest if one.verdict is not None}
    return tuple(
        replace(
            one, verdict=one.verdict and without_same(one.verdict, words.get((one.kind, one.name)))
        )
        for one in found
    )
