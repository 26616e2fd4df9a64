"""New test runs of the `improve` family: the skill of each version, graded 1 to 5."""

import re
from collections.abc import Sequence
from typing import Final

import msgspec

from evalcore.families.graded import (
    Graded,
    Verdict,
    claims_of,
    explained,
    feedback_of,
    judged_by,
    score_on,
)
from evalcore.families.improve.definitions import CONVENTIONS, MAX_SCORE, PASS_AT
from evalcore.families.running import (
    ONLY,
    Case,
    Criterion,
    Document,
    Execution,
    Offer,
    Running,
    Suite,
    Target,
    TestRun,
    further_runs,
)
from evalcore.numbers import mean
from evalcore.tables.cells import cells

MODE_RUNS: Final = {"improve": 3, "eval": 1}
"""How often each case is run while a skill is improved, and to measure it as it is."""

NOT_CHECKED: Final = "Not checked."

_LABEL: Final = re.compile(r"v(\d+)")


class ImproveRuns(Running):
    """Runs of a version are those of its snapshot of the skill."""

    has_conventions = True

    def offer(self, suite: Suite) -> Offer:
        """Return the versions; the current one is chosen.

        With several versions the skill is being improved: three runs, else one.
        """
        rows = cells(suite.tables, "versions", "suite", "version", "path", "is_current")
        known = [row[1:] for row in rows if row[0] == suite.suite and _LABEL.fullmatch(row[1])]
        targets = tuple(
            Target(label, ONLY, path or suite.below(label, "skill")) for label, path, _ in known
        )
        current = next((i for i, row in enumerate(known) if row[2]), len(known) - 1)
        mode = "improve" if len(targets) > 1 else "eval"
        return Offer(targets, targets[current : current + 1], MODE_RUNS[mode])

    def bases(self, suite: Suite) -> Sequence[str]:
        """Return the workspace, which files are relative to, then the skill."""
        return [each for each in (suite.root, suite.skill_path) if each is not None]

    def case(self, suite: Suite, case: Case) -> Case:
        """Return a case without its object in the document, of which nothing more is needed."""
        return msgspec.structs.replace(case, definition=None)

    def runs(self, suite: Suite, case: Case, target: Target, count: int, at: str) -> list[TestRun]:
        """Return the runs after the last one of the case and version."""
        place = suite.below(target.version, "runs", case.id, "run-")
        return further_runs(suite, self, case, target, count, place)

    def grading_path(self, run: TestRun) -> str:
        """Return the path of the grading from the place `<root>/vN/runs/<case>/run-R`."""
        root = run.place.rsplit("/", 4)[0] if run.place.count("/") > 3 else ""
        name = f"grading/{run.case}_{run.version}_run{run.run}.json"
        return f"{root}/{name}" if root else name

    def outputs(self, run: TestRun) -> str | None:
        """Return the run's own folder."""
        return run.place

    def shown(self, run: TestRun) -> str:
        """Return the run's own folder."""
        return run.place

    def score(self, criterion: Criterion, verdict: Verdict) -> float:
        """Return the score from 1 to 5."""
        return _score(verdict)

    def transcript(self, run: TestRun) -> str | None:
        """Return the file beside what was produced."""
        return f"{run.place}/transcript.md"

    def documents(self, case: Case, run: TestRun, done: Execution) -> list[Document]:
        """Return nothing: times are part of the grading."""
        return []

    def grading(self, case: Case, run: TestRun, done: Execution, graded: Graded) -> list[Document]:
        """Return the grading, if every criterion was decided."""
        if not graded.complete or not graded.judged:
            return []
        required = {each.name for each in case.criteria if each.required}
        scores = {each.name: _score(each) for each in graded.judged}
        results = [
            {
                "criterion": each.name,
                "score": scores[each.name],
                "passed": scores[each.name] >= PASS_AT,
                "reasoning": explained(each),
            }
            for each in graded.judged
        ]
        # The keys are fixed; null is a convention that nobody checked.
        kept: dict[str, tuple[bool | None, str]] = dict.fromkeys(CONVENTIONS, (None, NOT_CHECKED))
        kept |= {each.name: (each.passed, each.rationale) for each in graded.conventions}
        needed = [scores[name] for name in scores if name in required]
        said = feedback_of(graded)
        vague = (f"{each.name}: {each.why}" for each in said.vague)
        missing = (f"Not checked: {each}" for each in said.missing)
        new = (f"Suggested: {each}" for each in said.suggested)
        metrics = {
            "duration_ms": None if done.seconds is None else round(done.seconds * 1000),
            "total_tokens": done.tokens,
            "cost_usd": done.cost_usd,
            "executor_start": done.started_at or None,
            "files_created": list(done.files),
        }
        value = {
            "case_id": case.id,
            "version": int(run.version[1:]),
            "run": int(run.run),
            "overall_score": _decimal(mean(scores.values())),
            "required_score": _decimal(mean(needed)),
            "results": results,
            "overall": "pass" if all(score >= PASS_AT for score in needed) else "fail",
            "convention_compliance": {
                name: {"passed": passed, "details": details}
                for name, (passed, details) in kept.items()
            },
            "claims": [
                {name: found for name, found in claim.items() if name != "type"}
                for claim in claims_of(graded)
            ],
            "user_notes_summary": "",
            "eval_feedback": "\n".join(filter(None, (said.overall, *vague, *missing, *new))),
            "execution_metrics": {
                name: found for name, found in metrics.items() if found is not None
            },
            **judged_by(graded),
        }
        return [Document(self.grading_path(run), value)]


def _score(verdict: Verdict) -> int:
    """Return the score 1 to 5 that was given, or that of a share: below 3 if it did not pass."""
    score = score_on(verdict, 1, MAX_SCORE)
    decided = verdict.passed or verdict.score is not None
    return score if decided else min(score, PASS_AT - 1)


def _decimal(value: float | None) -> float | None:
    return None if value is None else round(value, 1)


RUNNING: Final = ImproveRuns()
