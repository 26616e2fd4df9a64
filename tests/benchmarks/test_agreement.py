"""How often ranges of agreement are right, measured."""

from benchmarks.agreement import CELLS, covered


def test_a_cell_is_measured_the_same_every_time() -> None:
    """Drawn with a seed; the range is compared with the true alpha of the same kind of scores."""
    first = covered(CELLS[0], 12)
    assert first == covered(CELLS[0], 12)
    assert 0.8 < first.true < 0.9
    assert first.held >= 9
