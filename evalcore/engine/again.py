"""Store second judgments: records beside the gradings of test runs, which stay as they are."""

from collections.abc import Iterator
from pathlib import Path
from typing import cast

from msgspec.structs import replace

from evalcore.engine.executing.stored import stored_digest
from evalcore.engine.plan import Plan
from evalcore.engine.writing import running_of
from evalcore.errors import CannotRun
from evalcore.families.graded import Graded, Verdict
from evalcore.families.reviews.models import JudgmentFields
from evalcore.families.reviews.review import Chain, JudgeType
from evalcore.families.running import Execution, TestRun
from evalcore.judging.asking.asked import asked, basis
from evalcore.judging.model import Asked, Judge
from evalcore.judging.storing.record_factory import make_record, part_of, rests_on, superseding
from evalcore.judging.storing.run_reviews import reviews_of_run
from evalcore.judging.storing.store import store
from evalcore.judging.storing.stored_reviews import load_reviews, review_folder
from evalcore.numbers import whole
from evalcore.workspace.opened import open_workspace


class OutputChanged(CannotRun):
    """The stored output that was judged is another one by now."""


class SecondJudgments:
    """Stores what was decided of the test runs of a plan, from the workspace as it was opened."""

    def __init__(self, plan: Plan) -> None:
        self._plan, self._running = plan, running_of(plan)
        self._workspace = open_workspace(Path(plan.workspace))
        self._reviews = review_folder(self._workspace, plan.suite)
        self._records = load_reviews(self._reviews)
        self._newest: dict[tuple[str, str], str] = {}

    def store(self, index: int, execution: Execution, graded: Graded) -> tuple[str, ...]:
        """Store a record of each decided criterion; return the paths, also if they were there.

        What the run is not asked, as its own grading words it otherwise, is left out.

        Raises:
            OutputChanged: the output is not the one that was judged; nothing is stored.
            UnknownName: the run is no longer there.
            CannotWrite: a record cannot be written; storing again completes it.
        """
        run = self._plan.runs[index]
        if stored_digest(Path(self._plan.workspace), run.stored or "") != execution.taken:
            raise OutputChanged(
                "Its output changed while it was judged, so nothing was stored. Judge it again."
            )
        return tuple(self._stored(index, run, graded))

    def _stored(self, index: int, run: TestRun, graded: Graded) -> Iterator[str]:
        known = reviews_of_run(self._records, run.run_id).machines
        before = known.get((graded.judge, cast("JudgeType", graded.judge_type)), {})
        rests = basis(self._workspace, run.run_id)
        made_with = None if graded.judging is None else graded.judging.about
        for of, verdict, score in self._decided(run, graded):
            name = part_of(self._plan.id, f"{index} {run.run_id} {of.key}")
            chain = before.get(of.key)
            if _is_in(name, chain):  # this plan stored it before it was stopped
                yield self._reviews.path_of("eval-judgment", name)
                continue
            fields = JudgmentFields(
                test_run_id=run.run_id,
                criterion_id=of.key,
                score=whole(score),
                min_score=whole(of.low),
                max_score=whole(of.high),
                rationale=verdict.rationale or "Decided by a rule.",
                judged_by=graded.judge,
                judged_by_type=cast("JudgeType", graded.judge_type),
                judged_at=graded.judged_at,
                confidence=verdict.confidence,
                evidence=list(verdict.evidence),
            )
            judge = Judge(graded.judge, graded.judge)
            older = self._newest.get((run.run_id, of.key)) or superseding(chain)
            block = replace(rests_on(rests, of.key), judging=made_with)
            record = make_record(fields, judge, name, older, block)
            yield store(self._reviews, record).path
            self._newest[run.run_id, of.key] = name  # what a repeat of this plan supersedes

    def _decided(self, run: TestRun, graded: Graded) -> Iterator[tuple[Asked, Verdict, float]]:
        """Yield what was decided of the criteria that the run is asked, with the scores."""
        wanted = {(each.kind, each.criterion): each for each in asked(self._workspace, run.run_id)}
        criteria = {(each.kind, each.name): each for each in self._plan.case(run).criteria}
        for verdict in graded.judged:
            key = verdict.kind, verdict.name
            if verdict.passed is None or key not in wanted:
                continue
            score = self._running.score(criteria[key], verdict)
            if wanted[key].low <= score <= wanted[key].high:
                yield wanted[key], verdict, score


def _is_in(name: str, chain: Chain | None) -> bool:
    return chain is not None and any(each.id == name for each in chain.members)
