"""New test runs of `iterations` and `rubric`: the next iteration, with and without the skill."""

import os
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import msgspec

from evalcore.families.graded import (
    Feedback,
    Graded,
    Verdict,
    claims_of,
    counts,
    explained,
    feedback_of,
    judged_by,
    score_on,
)
from evalcore.families.running import (
    CLAIM,
    OLD_SKILL,
    WITH_SKILL,
    WITHOUT_SKILL,
    Case,
    Criterion,
    Document,
    Execution,
    KnownRun,
    Offer,
    Running,
    Suite,
    Target,
    TestRun,
    exists,
    further_runs,
)
from evalcore.numbers import weighted_mean
from evalcore.tables.cells import cells

RUNS: Final = {"rubric": 3, "iterations": 1}
"""How often each case is run where the suite does not say so."""

SKILL: Final = "SKILL.md"
SNAPSHOT: Final = "skill-snapshot"
"""Where skill-creator keeps the skill as it was before it was changed."""

STRUCTURAL: Final = "structural.json"
GRADING: Final = "grading.json"

_COMPLETED: Final = "completed"
_ITERATION: Final = re.compile(r"iteration-(\d+)")
_LOWEST: Final = 1
_HIGHEST: Final = 5


class IterationRuns(Running):
    """Runs of an iteration: its evals in several configurations; `rubric` adds checks."""

    has_conventions = False

    def __init__(self, *, rubric: bool) -> None:
        self._rubric = rubric

    def offer(self, suite: Suite) -> Offer:
        """Return the next iteration and the newest one, in each configuration.

        The next one is chosen, with the skill, and without it where that is the suite's baseline.
        """
        known = [label for own, label in cells(suite.tables, "versions", "suite", "version")
                 if own == suite.suite]  # fmt: skip
        numbers = [int(found[1]) for label in known if (found := _ITERATION.fullmatch(label))]
        following, begun = max(numbers, default=0) + 1, list[str]()
        while _is_begun(suite, following):  # by a run that has written nothing yet
            begun.append(f"iteration-{following}")
            following += 1
        labels = [*known[-1:], *begun, f"iteration-{following}"]
        targets = tuple(
            target for label in labels for target in _targets(suite, label, label == labels[-1])
        )
        chosen = tuple(
            target
            for target in targets
            if target.version == labels[-1]
            and (target.configuration == WITH_SKILL or self._has_baseline(suite, target))
        )
        family = "rubric" if self._rubric else "iterations"
        return Offer(targets, chosen, suite.runs_per_case or RUNS[family])

    def _has_baseline(self, suite: Suite, target: Target) -> bool:
        if target.configuration != WITHOUT_SKILL:
            return False
        config = _config(suite)
        if "baseline_comparison" in config:
            return config["baseline_comparison"] is True
        known = (run.configuration for runs in suite.runs.values() for run in runs)
        return WITHOUT_SKILL in known

    def bases(self, suite: Suite) -> Sequence[str]:
        """Return the skill, which files are relative to, then the folder of the iterations."""
        return [each for each in (suite.skill_path, suite.root) if each is not None]

    def case(self, suite: Suite, case: Case) -> Case:
        """Return a case with the suite's choice whether a closed gate skips the judge.

        Of its object in the document, the ids of its dimensions by name are kept.
        """
        gate = _config(suite).get("structural_gate") is not False
        return msgspec.structs.replace(case, gate=gate, definition=_ids(case.definition))

    def runs(self, suite: Suite, case: Case, target: Target, count: int, at: str) -> list[TestRun]:
        """Return the runs after the last one of the case, iteration and configuration."""
        del at
        place = f"{_folder(suite, case, target)}/run-"
        return further_runs(suite, self, case, target, count, place)

    def grading_path(self, run: TestRun) -> str:
        """Return the path of grading.json."""
        return f"{run.place}/{GRADING}"

    def outputs(self, run: TestRun) -> str:
        """Return the folder of the outputs."""
        return f"{run.place}/outputs"

    def shown(self, run: TestRun) -> str:
        """Return the folder of the outputs."""
        return self.outputs(run)

    def score(self, criterion: Criterion, verdict: Verdict) -> float:
        """Return the score of a dimension on its scale; other criteria pass or fail."""
        if criterion.kind == "rubric":
            return score_on(verdict, _LOWEST, _HIGHEST)
        return super().score(criterion, verdict)

    def transcript(self, run: TestRun) -> str | None:
        """Return the file beside what was produced."""
        return f"{run.place}/transcript.md"

    def waits(self, run: KnownRun) -> bool:
        """Return whether a run has no grading: also one of which only the structure was checked.

        A grading that cannot be read stays where it is: it may still be being written.
        """
        source = (run.source or "").rpartition("/")[2]
        checked = run.status == _COMPLETED and source == STRUCTURAL
        return (super().waits(run) and source != GRADING) or checked

    def documents(self, case: Case, run: TestRun, done: Execution) -> list[Document]:
        """Return what was asked, once for all runs of a case, and the timing."""
        above = run.place.rsplit("/", 2)[0]
        asked = {
            "eval_id": _whole(case.id),
            "eval_name": case.name or above.rpartition("/")[2],
            "prompt": case.prompt,
            "assertions": [each.text for each in case.criteria if each.kind == "expectation"],
        }
        timing = {
            "total_tokens": done.tokens,
            "duration_ms": None if done.seconds is None else round(done.seconds * 1000),
            "total_duration_seconds": None if done.seconds is None else round(done.seconds, 3),
            "executor_start": done.started_at or None,
            "executor_end": done.ended_at or None,
        }
        if done.cost_usd is not None:
            timing["cost_usd"] = done.cost_usd
        return [
            Document(f"{above}/eval_metadata.json", asked, shared=True),
            Document(f"{run.place}/timing.json", timing),
        ]

    def grading(self, case: Case, run: TestRun, done: Execution, graded: Graded) -> list[Document]:
        """Return the structural checks, and the grading if all was decided and the gate passed."""
        del done
        found = []
        if graded.checks:
            value = _structural(case, graded)
            # Of an output that was stored, somebody may have checked the structure before.
            checked = run.stored is not None
            found.append(Document(f"{run.place}/{STRUCTURAL}", value, shared=checked))
        stopped = case.gate and bool(graded.checks) and graded.gate is not True
        if graded.judged and graded.complete and not stopped:
            found.append(Document(self.grading_path(run), self._grading(case, graded)))
        return found

    def _grading(self, case: Case, graded: Graded) -> dict[str, Any]:
        expected = [each for each in graded.judged if each.kind == "expectation"]
        value: dict[str, Any] = {
            "expectations": [
                {"text": _text(case, each), "passed": each.passed, "evidence": explained(each)}
                for each in expected
            ],
            "summary": counts(expected),
            **judged_by(graded),
        }
        scores = {
            each.name: score_on(each, _LOWEST, _HIGHEST)
            for each in graded.judged
            if each.kind == "rubric"
        }
        if scores:
            value["rubric_scores"] = {
                each.name: {"score": scores[each.name], "evidence": explained(each)}
                for each in graded.judged
                if each.name in scores
            }
            value["rubric_summary"] = _rubric_summary(case, scores)
        value["claims"] = claims_of(graded)
        if said := feedback_of(graded):
            value["eval_feedback"] = _feedback(case, said)
        return value


def _feedback(case: Case, said: Feedback) -> dict[str, Any]:
    """Return what is said of the evaluation: about criteria by id and text, and what is missing."""
    ids = case.definition or {}
    found = [
        {
            "assertion": f"{ids[each.name]}: {each.text}" if each.name in ids else each.text,
            "reason": each.why,
        }
        for each in said.vague
    ]
    found += [{"reason": each} for each in said.missing]
    found += [{"reason": f"Suggested: {each}"} for each in said.suggested]
    return {"suggestions": found, "overall": said.overall}


def _ids(definition: Any) -> dict[str, str] | None:
    """Return the ids of the dimensions of an eval by their names."""
    rubric = definition.get("quality_rubric") if isinstance(definition, dict) else None
    listed = rubric.get("dimensions") if isinstance(rubric, dict) else None
    dimensions = listed if isinstance(listed, list) else []
    named = [(each.get("name"), each.get("id")) for each in dimensions if isinstance(each, dict)]
    return {
        name: key for name, key in named if isinstance(name, str) and isinstance(key, str)
    } or None


def _is_begun(suite: Suite, number: int) -> bool:
    """Return whether runs own places in an iteration, which may have no document yet."""
    folder = Path(suite.files.root, f"{_home(suite)}iteration-{number}")
    found = () if folder.is_symlink() else os.walk(folder)
    return any(name.endswith(CLAIM) for _, _, names in found for name in names)


def _targets(suite: Suite, label: str, new: bool) -> Iterable[Target]:
    skill = suite.skill_path
    old = f"{_home(suite)}{SNAPSHOT}"
    there = skill is not None and exists(suite, f"{skill}/{SKILL}".removeprefix("./"))
    missing = None if there else f"Its {SKILL} is not in this folder. Name the skill with --skill."
    yield Target(label, WITH_SKILL, skill if there else None, new, missing)
    yield Target(label, WITHOUT_SKILL, None, new)
    if exists(suite, old):
        yield Target(label, OLD_SKILL, old, new)


def _config(suite: Suite) -> dict[str, Any]:
    path = next(iter(suite.documents.get("evals", ())), None)
    value = None if path is None else suite.raw(path, "")
    config = value.get("eval_config") if isinstance(value, dict) else None
    return config if isinstance(config, dict) else {}


def _folder(suite: Suite, case: Case, target: Target) -> str:
    """Return the folder of a case's runs, named as in the iterations before."""
    home, found = _home(suite), f"eval-{case.id}"
    for run in suite.runs.get(case.id, ()):
        path, start = run.outputs or run.source or "", f"{home}{run.version}/"
        folder, inside, _ = path.removeprefix(start).partition("/")
        if path.startswith(start) and inside:
            found = folder
    return f"{home}{target.version}/{found}/{target.configuration}"


def _home(suite: Suite) -> str:
    """Return the folder of the iterations, with a slash: beside a skill that has none yet."""
    root, skill = suite.root, suite.skill_path
    versions = cells(suite.tables, "versions", "suite")
    has_run = any(own == suite.suite for (own,) in versions)
    if skill is not None and root == skill and root not in (".", "") and not has_run:
        return f"{skill}-workspace/"
    return "" if root in (".", "") else f"{root}/"


def _structural(case: Case, graded: Graded) -> dict[str, Any]:
    known = {each.name: each for each in case.criteria if each.kind == "structural"}
    return {
        "expectations": [_check(each, known[each.name].definition) for each in graded.checks],
        "summary": counts(graded.checks),
        "gate_passed": graded.gate is not False and not _blocked(case, graded),
    }


def _blocked(case: Case, graded: Graded) -> bool:
    critical = {each.name for each in case.criteria if each.critical}
    return any(each.passed is not True and each.name in critical for each in graded.checks)


def _check(verdict: Verdict, definition: dict[str, Any]) -> dict[str, Any]:
    found = {
        "id": verdict.name,
        "text": definition.get("description", ""),
        "type": definition.get("type", ""),
        "passed": verdict.passed,
        "evidence": verdict.rationale,
        "critical": definition.get("critical") is True,
    }
    return found if verdict.status is None else {**found, "status": verdict.status}


def _text(case: Case, verdict: Verdict) -> str:
    return next(each.text for each in case.criteria if each.name == verdict.name)


def _rubric_summary(case: Case, scores: Mapping[str, float]) -> dict[str, Any]:
    weights = {each.name: 1.0 if each.weight is None else each.weight for each in case.criteria}
    mean = weighted_mean([(score, weights[name]) for name, score in scores.items()]) or 0.0
    return {
        "weighted_mean": round(mean, 4),
        "max_possible": float(_HIGHEST),
        "normalized": round(mean / _HIGHEST, 4),
    }


def _whole(text: str) -> int | str:
    return int(text) if text.isdecimal() else text


ITERATIONS: Final = IterationRuns(rubric=False)
RUBRIC: Final = IterationRuns(rubric=True)
