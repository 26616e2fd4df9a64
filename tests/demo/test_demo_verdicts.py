"""The demo shows each verdict once, two judges who differ in a few scores, and every output."""

import pytest

from evalcore import Workspace, open_workspace
from evalcore.comparing.compare import compare
from evalcore.comparing.sides import default_sides
from evalcore.counting.choices import suite_ids
from evalcore.judging.agreeing.agreement import agreement
from evalcore.judging.model import Judge
from evalcore.judging.queueing.queue import queue
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
    "logs/handbook_answers": "Worse, for cases like these too.",
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


def test_every_run_can_be_judged(ws: Workspace) -> None:
    """Each suite has what its runs produced; error-messages waits for its first grading."""
    judge = Judge("ada-0000", "Ada")
    found = {suite: queue(ws, suite, judge, ()) for suite in suite_ids(ws)}
    assert [suite for suite, of in found.items() if of.counts["cannot be judged"]] == []
    waiting = {e.run_id for e in found["error-messages"].entries if "ungraded" in e.why}
    assert len(waiting) == 8


def test_the_steps_of_an_agent_are_there(ws: Workspace) -> None:
    """Of both runs of the case with a key in the diff: turns, and what was called in them."""
    steps = ws.tables.steps
    of_agent = steps[steps["run_id"].astype(str).str.startswith("commit-helper::5@iteration-3")]
    assert of_agent["run_id"].nunique() == 2
    assert (of_agent.groupby("run_id", observed=True)["tool"].nunique() >= 2).all()
