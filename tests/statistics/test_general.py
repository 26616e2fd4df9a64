"""The test and interval for cases like these, of cases and of clusters of them."""

import numpy as np
import pytest

from evalcore.statistics.general import general, limits
from evalcore.statistics.paired_runs import PairedRuns
from evalcore.statistics.verdict import verdict, words
from tests.statistics.runs import from_runs


def clustered(differences: list[float], cluster: list[int]) -> PairedRuns:
    """Return cases with one run a side, in clusters."""
    array = np.array(differences)
    return PairedRuns.of_means(np.maximum(-array, 0), np.maximum(array, 0), np.array(cluster))


def test_clusters_flip_as_a_whole() -> None:
    """Twelve cases that all improved, in six clusters of two: mid-p is 1 / 2⁶."""
    alone = general(clustered([0.5] * 12, list(range(12))))
    found = general(clustered([0.5] * 12, [0, 1, 2, 3, 4, 5] * 2))
    assert (alone.units, alone.p) == (12, 2 / 2**12)
    assert (found.units, found.p, found.changed, found.up) == (6, 1 / 2**6, 6, 12)


def test_five_clusters_are_too_few_however_many_cases() -> None:
    """Six clusters have to change; on these cases nothing is other than before."""
    differences = [0.5, 0.4, 0.6, 0.5] * 5
    few = verdict(clustered(differences, [case // 4 for case in range(20)]))
    assert (few.word, few.kind, few.clusters) == ("better on these cases", "powerless", 5)
    assert (few.cases, few.up, few.visible, few.needed) == (20, 20, None, None)
    alone = verdict(clustered(differences, list(range(20))))
    assert (alone.word, alone.these_p, alone.clusters) == ("better", few.these_p, 20)


def test_the_mean_is_that_over_cases_whatever_their_clusters() -> None:
    """A cluster of nine cases counts nine times as much as one of one."""
    found = general(clustered([0.5] * 9 + [-0.5], [0] * 9 + [1]))
    assert found.mean == pytest.approx(0.4)
    assert found.differences.mean() == pytest.approx(0.4)


def test_clusters_of_one_case_are_cases() -> None:
    """The same interval; the numbers of clusters do not matter."""
    rng = np.random.default_rng(5)
    a, b = rng.random((2, 20))
    cases = general(PairedRuns.of_means(a, b))
    alone = general(PairedRuns.of_means(a, b, rng.permutation(20) * 3))
    assert alone.differences == pytest.approx(cases.differences)
    assert limits(alone) == pytest.approx((*limits(cases)[:2], "bca"))


def test_equal_clusters_vary_as_their_means() -> None:
    """The t interval of six means."""
    found = general(clustered([0.2, 0.4] * 6, [case // 2 for case in range(12)]))
    assert found.differences == pytest.approx([0.3] * 6)
    assert limits(found).interval == "same change"


def test_families_that_share_their_change_are_told_seldom() -> None:
    """Fifty cases in ten families, ± 30 points by family: 5 % instead of 20 and more."""
    rng = np.random.default_rng(6)
    family = np.arange(50) // 5
    false = {"cases": 0, "clusters": 0}
    for _ in range(150):
        gain = rng.choice([-0.3, 0.3], 10)[family][:, None]
        a, b = ((rng.random((50, 3)) < 0.5 + sign * gain / 2).astype(float) for sign in (-1, 1))
        page = {"cases": PairedRuns.of_tables(a, b), "clusters": PairedRuns.of_tables(a, b, family)}
        for name, runs in page.items():
            false[name] += words([runs])[0] in ("better", "worse")
    assert false["clusters"] <= 0.11 * 150 < false["cases"]


def test_neither_order_nor_side_of_clusters_counts() -> None:
    """The same test and interval, mirrored, to the last bit."""
    rng = np.random.default_rng(9)
    values, cluster = rng.random((2, 30)), rng.integers(0, 9, 30)
    order = rng.permutation(30)
    found = general(PairedRuns.of_means(values[0], values[1], cluster))
    turned = general(PairedRuns.of_means(values[1][order], values[0][order], cluster[order] + 7))
    assert turned.p == found.p
    low, high, _ = limits(found)
    assert limits(turned)[:2] == (-(high or 0), -(low or 0))


def test_means_that_tie_count_by_half_where_cases_ran_more_than_once() -> None:
    """Six cases better by one of two runs: mid-p is 1 / 2⁶; of single runs it stays 2 / 2⁶."""
    assert general(from_runs(*[([0, 1], [1, 1])] * 6)).p == 1 / 2**6
    assert general(from_runs(*[([0.5], [1])] * 6)).p == 2 / 2**6


def test_few_cases_that_pass_or_fail_have_the_t_interval_of_95_percent() -> None:
    """Twelve cases of two runs: their noise hides skewness; scores have a wider one."""
    pairs = [([0, 1], [1, 1])] * 5 + [([0, 0], [1, 1])] * 2 + [([0, 0], [0, 0])] * 4
    noisy = from_runs(*pairs, ([1, 1], [0, 1]))
    scores = from_runs(*pairs, ([1, 1], [0.01, 0.99]))
    assert (limits(general(noisy)).low or 0) > (limits(general(scores)).low or 0) + 0.02


def test_many_runs_that_pass_or_fail_are_as_fine_as_scores() -> None:
    """Up to six runs a side their noise hides skewness; eight have the wider interval."""
    up, down, same = ([0, 1], [1, 1]), ([1, 1], [0, 1]), ([0, 0], [0, 0])
    few = from_runs(*[(a * 3, b * 3) for a, b in [up] * 7 + [down] + [same] * 4])
    many = from_runs(*[(a * 4, b * 4) for a, b in [up] * 7 + [down] + [same] * 4])
    assert few.differences == pytest.approx(many.differences)
    assert (general(few).scores, general(many).scores) == (False, True)
    assert (limits(general(few)).low or 0) > (limits(general(many)).low or 0)
