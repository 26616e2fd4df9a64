"""New test runs of `iterations` and `rubric`: the next iteration, with and without the skill."""

import os
import re
from pathlib import Path
from typing import Any, Final

import msgspec

from evalcore.families.graded import (
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

STRUCTURAL: Final = "structural.json"
GRADING: Final = "grading.json"

_ITERATION: Final = re.compile(r"iteration-(\d+)")
_LOWEST: Final = 1
_HIGHEST: Final = 5


class IterationRuns(Running):
    """Runs of an iteration: its evals in several configurations; `rubric` adds checks."""

    shown_place = outputs_place = "{place}/outputs"
    transcript_place = "{place}/transcript.md"

    def __init__(self, runs: int) -> None:
        """Begin with how often each case is run where the suite does not say so."""
        self._runs = runs

    def offer(self, suite: Suite) -> Offer:
        """Return the next iteration, which is chosen, and the newest one, in each configuration."""
        known = [label for (label,) in suite.rows("versions", "version")]
        numbers = [int(found[1]) for label in known if (found := _ITERATION.fullmatch(label))]
        following, begun, home = max(numbers, default=0) + 1, list[str](), _home(suite)
        while _is_begun(suite, f"{home}iteration-{following}"):
            begun.append(f"iteration-{following}")
            following += 1
        new, skill = f"iteration-{following}", suite.skill_path
        there = skill is not None and exists(suite, f"{skill}/SKILL.md".removeprefix("./"))
        why = None if there else "Its SKILL.md is not in this folder. Name the skill with --skill."
        targets: list[Target] = []
        for label in (*known[-1:], *begun, new):
            is_new, own = label == new, skill if there else None
            targets.append(Target(label, WITH_SKILL, own, is_new, why))
            targets.append(Target(label, WITHOUT_SKILL, None, is_new))
            # Here skill-creator keeps the skill as it was before it was changed.
            if exists(suite, f"{home}skill-snapshot"):
                targets.append(Target(label, OLD_SKILL, f"{home}skill-snapshot", is_new))
        config = _config(suite)
        every = (run.configuration for runs in suite.runs.values() for run in runs)
        has_baseline = config.get("baseline_comparison", WITHOUT_SKILL in every) is True
        wanted = {WITH_SKILL, WITHOUT_SKILL} if has_baseline else {WITH_SKILL}
        chosen = [each for each in targets if each.version == new and each.configuration in wanted]
        return Offer(tuple(targets), tuple(chosen), suite.runs_per_case or self._runs)

    def case(self, suite: Suite, case: Case) -> Case:
        """Return a case with whether a closed gate skips the judge, and its dimensions by name."""
        gate = _config(suite).get("structural_gate") is not False
        defined = case.definition if isinstance(case.definition, dict) else {}
        rubric = defined.get("quality_rubric")
        listed = rubric.get("dimensions") if isinstance(rubric, dict) else None
        dimensions = listed if isinstance(listed, list) else []
        named = [(one.get("name"), one.get("id")) for one in dimensions if isinstance(one, dict)]
        ids = {name: key for name, key in named if isinstance(name, str) and isinstance(key, str)}
        return msgspec.structs.replace(case, gate=gate, definition=ids or None)

    def runs(self, suite: Suite, case: Case, target: Target, count: int, at: str) -> list[TestRun]:
        """Return the runs after the last of case, iteration and configuration, in its folder."""
        del at
        home, folder = _home(suite), f"eval-{case.id}"
        for run in suite.runs.get(case.id, ()):
            path, start = run.outputs or run.source or "", f"{home}{run.version}/"
            name, inside, _ = path.removeprefix(start).partition("/")
            if path.startswith(start) and inside:
                folder = name
        place = f"{home}{target.version}/{folder}/{target.configuration}/run-"
        return further_runs(suite, self, case, target, count, place)

    def score(self, criterion: Criterion, verdict: Verdict) -> float:
        """Return the score of a dimension on its scale; other criteria pass or fail."""
        if criterion.kind == "rubric":
            return score_on(verdict, _LOWEST, _HIGHEST)
        return super().score(criterion, verdict)

    def waits(self, run: KnownRun) -> bool:
        """Return whether a run has no grading, also if its structure was checked."""
        checked = run.status == "completed" and Path(run.source or "").name == STRUCTURAL
        return super().waits(run) or checked

    def is_unread(self, run: KnownRun) -> bool:
        """Return whether its document is a grading: it may also be its timing alone."""
        return super().is_unread(run) and Path(run.source or "").name == GRADING

    def documents(self, case: Case, run: TestRun, done: Execution) -> list[Document]:
        """Return what was asked, once for all runs of a case, and the timing."""
        above = run.place.rsplit("/", 2)[0]
        asked = {
            "eval_id": int(case.id) if case.id.isdecimal() else case.id,
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
            # Of an output that was stored, somebody may have checked the structure before.
            checked = run.stored is not None
            path = f"{run.place}/{STRUCTURAL}"
            found.append(Document(path, _structural(case, graded), shared=checked))
        stopped = case.gate and bool(graded.checks) and graded.gate is not True
        if graded.judged and graded.complete and not stopped:
            found.append(Document(self.grading_path(run), _grading(case, graded)))
        return found


def _is_begun(suite: Suite, iteration: str) -> bool:
    """Return whether runs own places in an iteration, which may have no document yet."""
    folder = Path(suite.files.root, iteration)
    found = () if folder.is_symlink() else os.walk(folder)
    return any(name.endswith(CLAIM) for _, _, names in found for name in names)


def _config(suite: Suite) -> dict[str, Any]:
    path = next(iter(suite.documents.get("evals", ())), None)
    value = None if path is None else suite.raw(path, "")
    config = value.get("eval_config") if isinstance(value, dict) else None
    return config if isinstance(config, dict) else {}


def _home(suite: Suite) -> str:
    """Return the folder of the iterations, with a slash: beside a skill that has none yet."""
    root, skill = suite.root, suite.skill_path
    has_run = bool(suite.rows("versions"))
    if skill is not None and root == skill and root not in (".", "") and not has_run:
        return f"{skill}-workspace/"
    return "" if root in (".", "") else f"{root}/"


def _structural(case: Case, graded: Graded) -> dict[str, Any]:
    definitions = {
        each.name: each.definition for each in case.criteria if each.kind == "structural"
    }
    critical = {each.name for each in case.criteria if each.critical}
    found = []
    for each in graded.checks:
        definition = definitions[each.name]
        check = {
            "id": each.name,
            "text": definition.get("description", ""),
            "type": definition.get("type", ""),
            "passed": each.passed,
            "evidence": each.rationale,
            "critical": definition.get("critical") is True,
        }
        found.append(check if each.status is None else {**check, "status": each.status})
    blocked = any(each.passed is not True and each.name in critical for each in graded.checks)
    return {
        "expectations": found,
        "summary": counts(graded.checks),
        "gate_passed": graded.gate is not False and not blocked,
    }


def _grading(case: Case, graded: Graded) -> dict[str, Any]:
    texts = {each.name: each.text for each in reversed(case.criteria)}  # the first of a name
    expected = [each for each in graded.judged if each.kind == "expectation"]
    value: dict[str, Any] = {
        "expectations": [
            {"text": texts[each.name], "passed": each.passed, "evidence": explained(each)}
            for each in expected
        ],
        "summary": counts(expected),
        **judged_by(graded),
    }
    scored = [each for each in graded.judged if each.kind == "rubric"]
    if scored:
        scores = {each.name: score_on(each, _LOWEST, _HIGHEST) for each in scored}
        weights = {one.name: 1.0 if one.weight is None else one.weight for one in case.criteria}
        mean = weighted_mean([(score, weights[name]) for name, score in scores.items()]) or 0.0
        value["rubric_scores"] = {
            each.name: {"score": scores[each.name], "evidence": explained(each)} for each in scored
        }
        value["rubric_summary"] = {
            "weighted_mean": round(mean, 4),
            "max_possible": float(_HIGHEST),
            "normalized": round(mean / _HIGHEST, 4),
        }
    value["claims"] = claims_of(graded)
    if said := feedback_of(graded):
        ids = case.definition or {}
        named = {key: f"{each}: " for key, each in ids.items()}
        vague = [
            {"assertion": named.get(each.name, "") + each.text, "reason": each.why}
            for each in said.vague
        ]
        reasons = (*said.missing, *(f"Suggested: {each}" for each in said.suggested))
        suggestions = [*vague, *({"reason": each} for each in reasons)]
        value["eval_feedback"] = {"suggestions": suggestions, "overall": said.overall}
    return value


ITERATIONS: Final = IterationRuns(1)
RUBRIC: Final = IterationRuns(3)
