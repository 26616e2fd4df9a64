"""Where the steps of a run will write, said before it starts."""

from collections.abc import Iterator
from pathlib import Path

from evalcore.engine.found import AnalysisFound, PairVerdict
from evalcore.engine.improving.pairs import criteria_of, steps_of
from evalcore.engine.improving.writing import analysis_documents, pair_documents
from evalcore.engine.plan import Plan
from evalcore.workspace.opened import open_workspace


def step_places(plan: Plan) -> Iterator[str]:
    """Yield the files and folders that the steps of a plan write, if every pair has a winner.

    The number of a next version is not known before.
    """
    if plan.steps is None:
        return
    steps, home = steps_of(plan), "" if plan.root in (".", "") else f"{plan.root}/"
    if steps.snapshot is not None:
        yield f"{home}{steps.version_b}/skill/"
    criteria, tables = criteria_of(plan), open_workspace(Path(plan.workspace)).tables
    for case in steps.cases:
        verdict = PairVerdict(case, "", "", plan.at, winner="b")
        yield from (each.path for each in pair_documents(plan, tables, criteria, verdict).documents)
    if steps.analyze:
        found = AnalysisFound(steps.version_b, steps.version_a)
        yield from (each.path for each in analysis_documents(plan, tables, found))
    if steps.apply:
        yield f"{home}vN/skill/"
    if steps.apply or steps.snapshot is not None:
        yield f"{home}history.json"
