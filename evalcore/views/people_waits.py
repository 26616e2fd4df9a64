"""What waits for a person's judgment: stale scores, runs sent to judging, people who differ."""

from collections.abc import Iterator

import numpy as np

from evalcore.counting.cells import where
from evalcore.counting.coded import Numbers, coded
from evalcore.counting.joined import judged_run, run_of
from evalcore.counting.people import criteria_by_people, people_rows
from evalcore.counting.reviewed import excluded
from evalcore.judging.queueing.queue import waiting_runs
from evalcore.views.doors import door
from evalcore.views.waiting import Wait
from evalcore.views.wording import count
from evalcore.workspace.opened import Workspace


def people_waits(ws: Workspace, suite: str) -> Iterator[Wait]:
    """Yield what of a suite waits on the page for judging, each behind one door."""
    # The queue behind the door leaves excluded runs out.
    here = coded(ws, "runs", "suite").among({suite}) & ~excluded(ws)
    yield _behind(
        suite, _stale(ws, here), "score", "of people to give again: what it was of changed"
    )
    yield _behind(suite, _requests(ws, suite), "run", "sent to judging")
    yield _behind(suite, _divided(ws, here), "criterion", "that people score differently")
    yield _behind(suite, _worth_a_look(ws, suite), "run", "worth a person's look")


def _behind(suite: str, n: int, noun: str, what: str) -> Wait:
    words = f"{count(n, noun).partition(' ')[2]} {what}"
    return Wait(n, words, (), 0, door("judge", suite=suite))


def _stale(ws: Workspace, here: Numbers) -> int:
    rows = people_rows(ws)
    if not len(rows):
        return 0
    rows = rows[coded(ws, "judgments", "status").among({"stale"})[rows]]
    return int(here[judged_run(ws)[rows]].sum())


def _requests(ws: Workspace, suite: str) -> int:
    """Return how many runs somebody sent to judging; one that was sent twice is one."""
    rows = where(ws, "requests", suite=suite, kind="approval-request")
    runs = run_of(ws, "requests")[rows]
    runs = runs[runs >= 0]
    return len(np.unique(runs[~excluded(ws)[runs]]))


def _divided(ws: Workspace, here: Numbers) -> int:
    found = criteria_by_people(ws)
    return int((found.apart & here[found.run]).sum()) if len(found.run) else 0


def _worth_a_look(ws: Workspace, suite: str) -> int:
    """Return how many runs nobody judged although their recorded scores give a reason to."""
    waiting = waiting_runs(ws, suite)
    judged = judged_run(ws)[people_rows(ws)]
    return int(((waiting.worth > 0) & ~np.isin(waiting.runs, judged)).sum())
