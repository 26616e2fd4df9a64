"""The demo shows each verdict once, and two judges who differ in a few scores."""

import pytest

from evalcore import Workspace, open_workspace
from evalcore.comparing.compare import compare
from evalcore.comparing.sides import default_sides
from evalcore.judging.agreeing.agreement import agreement
from evalcore.views.verdict.sentence import rest
from tests.demo.reading import WORKSPACE


@pytest.fixture(scope="module")
def ws() -> Workspace:
    """Return the demo, opened."""
    return open_workspace(WORKSPACE)


VERDICTS = {
    "release-notes": "Better, for cases like these too.",
    "triage-agent": "Worse, for cases like these too.",
    "commit-helper": "Better on these 5 cases; whether for others is open. For others like them,",
    "sql-helper": "Can't tell: two equal versions would look like this in 1 of 16 evaluations.",
}


@pytest.mark.parametrize(("suite", "verdict"), VERDICTS.items())
def test_the_four_verdicts_stand_in_it(ws: Workspace, suite: str, verdict: str) -> None:
    """What a suite says of its newest version; where it can't tell, what would decide."""
    sides = default_sides(ws, suite)
    assert sides is not None
    assert rest(compare(*sides)).startswith(verdict)


def test_two_people_scored_the_same_and_differ_in_a_few(ws: Workspace) -> None:
    """Agreement in `support-agent` has a picture: at least 12 criteria, most scores equal."""
    found = agreement(ws, "support-agent", recorded=False, independent=False)
    pair = next(one for one in found.pairs if {one.one, one.other} == {"mara-4c1e", "jonas-9b07"})
    assert pair.kappa.units >= 12
    assert pair.kappa.units / 2 < pair.same < pair.kappa.units
