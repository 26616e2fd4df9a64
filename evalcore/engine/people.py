"""Leave to people what rules did not decide: a request for the queue of the judges."""

from pathlib import Path
from typing import Final

from evalcore.disk.outputs import outputs_digest
from evalcore.engine.executing.stored import value_in
from evalcore.engine.plan import Plan
from evalcore.engine.writing import running_of
from evalcore.errors import AlreadyStored, EvalcoreError
from evalcore.families.graded import Graded
from evalcore.families.reviews.basis import sha256_of
from evalcore.families.reviews.models import (
    ApprovalRequestFields,
    Basis,
    RuleVerdict,
    RunIdentity,
)
from evalcore.families.running import Execution, TestRun
from evalcore.judging.limits import LIMITS, shortened
from evalcore.judging.model import Judge
from evalcore.judging.storing.record_factory import make_record, part_of
from evalcore.judging.storing.store import store
from evalcore.judging.storing.stored_reviews import ReviewFolder, review_folder
from evalcore.shapes.judge import RULE
from evalcore.workspace.opened import open_workspace

ASKER: Final = Judge("evalcore", "evalcore")
"""Who asks people to judge a new run."""


def left_open(graded: Graded | None) -> tuple[tuple[str, str], ...]:
    """Return kind and name of the criteria of a test run that nothing decided."""
    judged = graded.judged if graded is not None else ()
    return tuple((each.kind, each.name) for each in judged if each.passed is None)


def is_left_to_people(execution: Execution | None, graded: Graded | None) -> bool:
    """Return whether a test run that is written waits for people: it has something to decide."""
    executed = execution is not None and execution.status == "completed"
    return executed and bool(left_open(graded))


def ask(reviews: ReviewFolder, plan: Plan, index: int, graded: Graded, output: str | None) -> None:
    """Store the request for people to judge a test run; the second time it has no effect.

    `output` is the digest of what it produced, as it is in the workspace.

    Raises:
        CannotWrite: it cannot be written; asking again completes it.
    """
    run = plan.runs[index]
    decided = [
        RuleVerdict(
            criterion_id=f"{each.kind}:{each.name}",
            passed=each.passed,
            share=float(each.passed) if each.share is None else each.share,
            rationale=shortened(each.rationale, LIMITS.reason),
        )
        # What a model decided is nobody's to see before they have judged themselves.
        for each in (graded.judged if graded.judge_type == RULE else ())
        if each.passed is not None
    ]
    fields = ApprovalRequestFields(
        test_run_id=run.run_id,
        reason=_reason(graded),
        judges=plan.judges,
        decided=decided or None,
    )
    about = RunIdentity(
        case_id=run.case, version=run.version, configuration=run.configuration, run=run.run
    )
    rests = Basis(output_sha256=output, run=about)
    try:
        store(reviews, make_record(fields, ASKER, request_id(plan, index), rests=rests))
    except AlreadyStored:  # asked before: what was produced has changed since, which is no matter
        return


def close(reviews: ReviewFolder, plan: Plan, index: int) -> None:
    """Store that the request for a test run is answered; the second time it has no effect.

    Raises:
        CannotWrite: it cannot be written.
    """
    first = request_id(plan, index)
    fields = ApprovalRequestFields(test_run_id=plan.runs[index].run_id, done=True)
    name = part_of(first, "done")
    store(reviews, make_record(fields, ASKER, name, first))


def request_id(plan: Plan, index: int) -> str:
    """Return the id of the request for a test run, always the same one."""
    return part_of(plan.id, f"{index} {plan.runs[index].run_id}")


def reviews_of(plan: Plan) -> ReviewFolder:
    """Return the folder of records of a plan's suite; the first run of a suite may move it.

    Records are stored there without looking for their run, which is known.
    """
    workspace = open_workspace(Path(plan.workspace))
    return ReviewFolder(workspace.root, review_folder(workspace, plan.suite).path)


def output_digest(plan: Plan, run: TestRun) -> str | None:
    """Return the digest of what a test run produced, as it is in the workspace now."""
    place, root = run.stored or running_of(plan).shown(run), Path(plan.workspace)
    document, _, pointer = place.partition("#")
    if not pointer:
        return outputs_digest(root, place)
    try:
        return sha256_of(value_in(root, document, pointer))
    except (OSError, EvalcoreError):
        return None


def _reason(graded: Graded) -> str:
    left, total = len(left_open(graded)), len(graded.judged)
    if left < total:
        verb = "is" if left == 1 else "are"
        return f"New run: {left} of {total} criteria {verb} left for people."
    if total == 1:
        return "New run: its criterion is left for people."
    return f"New run: all {total} criteria are left for people."
