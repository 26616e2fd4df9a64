"""Whether a difference is that of the outputs, or of a judge who graded the same ones otherwise."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pandas as pd

from evalcore.comparing.lost import held
from evalcore.comparing.model import Side, Slice, Source
from evalcore.counting.digests import output_digest
from evalcore.counting.outcomes import outcomes
from evalcore.statistics.verdict import Verdict, Word
from evalcore.tables.columns import picked


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

    def came_out(case: str) -> list[Mapping[str, Fraction] | None]:
        return [_came_out(frame, side, case) for frame, side in zip(runs, sides, strict=True)]

    every = ((case, came_out(case)) for case in cases)
    return tuple(case for case, (a, b) in every if a is not None and a == b)


def _came_out(runs: pd.DataFrame, side: Side, case: str) -> Mapping[str, Fraction] | None:
    """Return each output of a case's runs as digest, and its share of them; None if unknown."""
    place = outcomes(side.ws, side.suite).positions[case]
    rows = runs.index.to_numpy()[np.flatnonzero(runs["case"].to_numpy() == place)].tolist()
    found: Counter[str] = Counter()
    for run in picked(side.ws.tables.columns["runs"]["run_id"], rows):
        digest = output_digest(side.ws, str(run))
        if digest is None:
            return None
        found[digest] += 1
    return {digest: Fraction(n, len(rows)) for digest, n in found.items()}


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
