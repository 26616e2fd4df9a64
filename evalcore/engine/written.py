"""What a run will write where, said before it starts."""

from pathlib import Path

from evalcore.engine.improving.places import step_places
from evalcore.engine.plan import Plan
from evalcore.engine.writing import events_beside, running_of
from evalcore.families.graded import Graded, Verdict
from evalcore.families.reviews.review import FAILURE, JUDGMENT, LESSON
from evalcore.families.running import Execution
from evalcore.memory.store import place_of
from evalcore.workspace.opened import open_workspace


def places(plan: Plan) -> list[str]:
    """Return the files and folders that a plan writes, if every criterion is decided.

    A folder ends with a slash: what an executor leaves there is not known before.
    """
    if plan.again and plan.steps is None:
        return [f"{plan.reviews}/{JUDGMENT}/"]
    if plan.failures is not None:
        ws = open_workspace(Path(plan.workspace))
        return [place_of(ws, plan.suite, kind) for kind in (FAILURE, LESSON)]
    running = running_of(plan)
    done = Execution("completed", started_at=plan.at, ended_at=plan.at)
    found: dict[str, None] = {}
    for run in plan.runs:
        case = plan.case(run)
        verdicts = tuple(Verdict(each.kind, each.name, True, 1.0, "") for each in case.criteria)
        graded = Graded(
            "",
            "heuristic",
            plan.at,
            tuple(each for each in verdicts if each.kind != "structural"),
            tuple(each for each in verdicts if each.kind == "structural"),
            gate=True,
        )
        if run.stored is None:
            folder, transcript = running.outputs(run), running.transcript(run)
            found |= dict.fromkeys(filter(None, (f"{folder}/" if folder else None, transcript)))
            if transcript is not None and plan.executor.kind == "command":
                found[events_beside(transcript)] = None  # of an agent that prints its events
            found |= dict.fromkeys(each.path for each in running.documents(case, run, done))
        found |= dict.fromkeys(each.path for each in running.grading(case, run, done, graded))
    return [*found, *step_places(plan)]
