"""The way from test cases to the first comparison: three steps, and which of them is next."""

import shlex
from typing import Final

from evalcore.comparing.sides import columns_of, default_sides
from evalcore.counting.cells import family_of
from evalcore.counting.choices import suite_ids, version_names
from evalcore.counting.outcomes import outcomes, waiting_runs
from evalcore.errors import CannotRun
from evalcore.tables.cells import cells
from evalcore.views.blocks.base import link
from evalcore.views.first_screen import State, Step
from evalcore.views.verdict.prepare import to_new
from evalcore.views.words.wording import count
from evalcore.workspace.opened import Workspace

NEW_RUN: Final = "New run"
AGAIN: Final = "Run the cases again, and compare."


def first_steps(ws: Workspace, suite: str) -> tuple[Step, ...]:
    """Return the steps to a suite's first comparison; none once there are two sides to compare.

    Nor are there any for a suite that cannot be run here.
    """
    if default_sides(ws, suite) is not None:
        return ()
    # The first page of a suite with two sides waits for no planner.
    from evalcore.engine.planning import offer_of  # noqa: PLC0415
    from evalcore.engine.templates import STORED, executors, usual_executor  # noqa: PLC0415

    try:
        offer = offer_of(ws, suite)
        own = executors()
    except CannotRun:
        return ()
    cases = sum(1 for (each,) in cells(ws.tables, "cases", "suite") if each == suite)
    if not cases or not any(each.why_not is None for each in offer.targets):
        return ()
    versions = version_names(ws, suite)
    ran = {column.version for column in outcomes(ws, suite).columns}
    scored, waits = bool(columns_of(ws, suite)), waiting_runs(ws)[suite]
    changed = scored and bool(versions) and versions[-1] not in ran
    judge = link("judge", suite=suite, v=None, c=None, reason="ungraded")
    place = shlex.quote(str(ws.root))
    of = f" --suite {shlex.quote(suite)}" if len(suite_ids(ws)) > 1 else ""
    by = " --executor NAME" if usual_executor(own, ws.root) == STORED else ""
    run, label = to_new(suite=suite, v=None, c=None), NEW_RUN
    command = f"evalcore run {place}{of}{by}"
    first = f"Run the {count(cases, 'case')}" if cases > 1 else "Run the case"
    if waits:
        # The command would run again what has run, so it is not offered.
        run, label, command = judge, f"Judge {count(waits, 'run')}", ""
        first += ", and judge what came out" if not scored else ""
    change, keep = "Change the skill; the next run is of its next version.", ""
    if family_of(ws, suite).versioning() is not None:
        change, keep = (
            "Change the skill, then keep it as its next version.",
            f"evalcore snapshot {place}{of}",
        )
    elif not any(each.is_new for each in offer.targets):
        change = "Add the next version of what is tested."
    again = changed or (waits and len(ran) > 1)
    at = (2 if again else 1) if scored else 0
    states: list[State] = ["done" if n < at else "next" if n == at else "later" for n in range(3)]
    return (
        Step(f"{first}.", states[0], *((run, label, command) if at == 0 else ())),
        Step(change, states[1], command=keep if at < 2 else ""),
        Step(AGAIN, states[2], *((run, label, command) if at > 0 else ())),
    )
