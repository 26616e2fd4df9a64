"""What is written of a suite of `improve`: new test runs, comparisons, and its versions."""

import re
from collections import Counter
from collections.abc import Iterator
from copy import deepcopy
from typing import Final

from evalcore.disk.files import Files
from evalcore.families.aggregating import Aggregates
from evalcore.families.comparing import (
    SIDE,
    Analysis,
    Compared,
    Comparing,
    Written,
    compared_by,
    contradicts,
    name_of,
    scored_whole,
)
from evalcore.families.graded import (
    Graded,
    Json,
    Verdict,
    claims_of,
    explained,
    feedback_of,
    judged_by,
    score_on,
)
from evalcore.families.improve.documents import CONVENTIONS, MAX_SCORE, PASS_AT
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
    values_of,
)
from evalcore.families.versioning import Versioning, average_in, averages, is_history, number_of
from evalcore.numbers import disagrees, mean
from evalcore.proposals.proposal import Proposal, stored
from evalcore.proposals.proposal import Target as Proposed
from evalcore.shapes.judge import BLOCK
from evalcore.tables.cells import cells
from evalcore.tables.snapshot import Tables

MODE_RUNS: Final = {"improve": 3, "eval": 1}
"""How often each case is run while a skill is improved, and to measure it as it is."""

NOT_CHECKED: Final = "Not checked."

_LABEL: Final = re.compile(r"v(\d+)")


class ImproveRuns(Running):
    """Runs of a version are those of its snapshot of the skill."""

    has_conventions = True
    files_below = ("root", "skill_path")
    outputs_place = "{place}"
    transcript_place = "{place}/transcript.md"

    def offer(self, suite: Suite) -> Offer:
        """Return the versions; the current one is chosen.

        With several versions the skill is being improved: three runs, else one.
        """
        rows = suite.rows("versions", "version", "path", "is_current")
        known = [row for row in rows if _LABEL.fullmatch(row[0])]
        targets = tuple(
            Target(label, ONLY, path or suite.below(label, "skill")) for label, path, _ in known
        )
        current = next((i for i, row in enumerate(known) if row[2]), len(known) - 1)
        mode = "improve" if len(targets) > 1 else "eval"
        return Offer(targets, targets[current : current + 1], MODE_RUNS[mode])

    def runs(self, suite: Suite, case: Case, target: Target, count: int, at: str) -> list[TestRun]:
        """Return the runs after the last one of the case and version."""
        place = suite.below(target.version, "runs", case.id, "run-")
        return further_runs(suite, self, case, target, count, place)

    def grading_path(self, run: TestRun) -> str:
        """Return the path of the grading from the place `<root>/vN/runs/<case>/run-R`."""
        root = run.place.rsplit("/", 4)[0] if run.place.count("/") > 3 else ""
        name = f"grading/{run.case}_{run.version}_run{run.run}.json"
        return f"{root}/{name}" if root else name

    def score(self, criterion: Criterion, verdict: Verdict) -> float:
        """Return the score from 1 to 5."""
        return _score(verdict)

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


SCALE: Final = (1, 10)


def written(study: Compared) -> Written:
    """Return a comparison and an analysis for each verdict that its form can hold."""
    cases = values_of(study.tables, "cases", study.suite, "case_id", "prompt")
    prompts = {case: prompt.strip() for case, prompt in cases if isinstance(prompt, str)}
    alike = Counter(prompts.values())
    documents: list[Document] = []
    left_out = 0
    for said in study.verdicts:
        prompt = prompts.get(said.case, "")
        if not prompt or alike[prompt] > 1:
            left_out += 1
            continue
        scores: dict[str, Json] = {}
        if study.scale == SCALE and not contradicts(said):
            keys = ("justification_A", "justification_B")
            for criterion, a, b in scored_whole(said):
                reasons = zip(keys, said.reasons.get(criterion, ()), strict=False)
                scores[criterion] = {"A": a, "B": b, **dict(reasons)}
        name = name_of(said)
        comparison = {
            "eval_prompt": prompt,
            "winner": SIDE[said.winner],
            "reasoning": said.explained,
            "scores": scores,
            **compared_by(said),
        }
        documents.append(
            Document(study.below("comparisons", f"comparison-{name}.json"), comparison)
        )
        if said.winner in ("left", "right"):
            sides = said.left, said.right
            won, lost = sides if said.winner == "left" else reversed(sides)
            path = study.below("comparisons", f"analysis-{name}.json")
            documents.append(Document(path, analysis_of(Analysis(won, lost))))
    why = "it names a case by its prompt, and several cases share this one"
    sentences = (f"{left_out:,} × comparison.json: {why}.",) if left_out else ()
    return Written(tuple(documents), sentences)


def analysis_of(found: Analysis) -> dict[str, Json]:
    """Return an analysis; without findings it only tells the versions of a comparison."""
    return {
        "winner_version": found.winner,
        "loser_version": found.loser,
        "strengths": list(found.strengths),
        "weaknesses": list(found.weaknesses),
        "suggestions": [each._asdict() for each in found.suggestions],
    }


def _analysis(study: Compared, found: Analysis) -> Document:
    value = {**analysis_of(found), BLOCK: {"judging": dict(found.about)}}
    return Document(study.below("comparisons", f"analysis-{study.id}.json"), value)


COMPARING: Final = Comparing(written, "skill", _analysis)


def aggregates(
    tables: Tables, files: Files, suite: str, version: str | None, *, replace: bool
) -> Iterator[Proposal]:
    """Yield proposals for the history of a suite, in which only averages change."""
    del replace  # a history of another shape is none of this family
    rows = cells(tables, "documents", "path", "kind", "suite")
    path = next((p for p, kind, own in rows if kind == "history" and own == suite), None)
    if path is None:
        why = "It has no history.json, so no averages can be written."
        yield Proposal(suite, version, None, "left", (why,))
        return
    target, there = Proposed(suite, version, path), stored(files, path)
    if there is None or not is_history(there.value):
        yield target.left("It contains no list of versions, so it was left unchanged.")
        return
    value = deepcopy(there.value)
    messages: list[str] = []
    computed = averages(tables, suite)
    labels = [f"v{number_of(entry, at)}" for at, entry in enumerate(value["versions"])]
    for entry, label, before in zip(value["versions"], labels, ["", *labels], strict=False):
        if version not in (None, label):
            continue
        stated, own = entry.get("average_score"), computed.get(label)
        previous, is_number = computed.get(before), type(stated) in (int, float)
        if own is not None:
            entry["average_score"] = average_in(entry, own)
        elif previous is not None and is_number and not disagrees(stated, previous):
            entry["average_score"] = None
            messages.append(
                f"{stated} was in the entry of {label}, but is the average of {before}: moved."
            )
        elif stated is not None:
            messages.append(
                f"{label}: there are no gradings, so its average_score was left unchanged."
            )
    missing = computed.keys() - set(labels)
    if missing and version is None:
        messages.append(
            f"{', '.join(sorted(missing))}: graded, but the history has no entry for it."
        )
    yield target.changed(there, value, *messages)


def _example(skill: str) -> Json:
    """Return an evals.json with one case."""
    expectation = {
        "criterion": "has-summary",
        "description": "The output contains exactly one heading named Summary",
        "required": True,
    }
    case = {
        "id": "example-case",
        "prompt": "Replace this with a request that the skill is made for.",
        "files": [],
        "expectations": [expectation],
    }
    return {"version": "1.0", "skill": skill, "cases": [case]}


AGGREGATES: Final = Aggregates(aggregates)
VERSIONING: Final = Versioning("evals/evals.json", "cases", "history.json", _example)
