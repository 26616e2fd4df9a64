"""Carry out the steps of a run beside its test runs: each that is journaled is never repeated."""

import secrets
from functools import cached_property
from pathlib import Path
from typing import Final

from evalcore.comparing.skill_places import NOT_THERE, skill_of
from evalcore.disk.values import now_text
from evalcore.engine.executing.case_folder import is_laid
from evalcore.engine.found import AnalysisFound, PairVerdict
from evalcore.engine.improving.next_version import lower, make_next
from evalcore.engine.improving.pairs import Nothing, criteria_of, pairs_to_ask
from evalcore.engine.improving.summing_up import material
from evalcore.engine.improving.writing import write_analysis, write_pair
from evalcore.engine.journal import (
    Analyzed,
    Compared,
    StepDone,
    StepFailed,
    events,
)
from evalcore.engine.model_analysis.analyzing import analyzed_by_model
from evalcore.engine.model_answers import Unanswered
from evalcore.engine.model_comparison.deciding import Pair, compared_by_model
from evalcore.engine.model_steps import ModelSteps, Note, Stop, Used
from evalcore.engine.plan import ANALYSIS, NEXT, SNAPSHOT, Plan, Steps, pair_step
from evalcore.engine.progress import Progress, progress_of
from evalcore.engine.store import RunFolder
from evalcore.errors import EvalcoreError
from evalcore.tables.snapshot import Tables
from evalcore.texts.places import places_of
from evalcore.versions import foresee, take_snapshot
from evalcore.workspace.opened import open_workspace

ORDERS: Final = 2
"""So many calls one pair takes."""


def before_runs(folder: RunFolder, note: Note) -> Stop | None:
    """Keep the skill as the version that the plan executes, if it makes one."""
    plan, found = folder.plan, progress_of(folder.plan, events(folder.path))
    steps = plan.steps
    if steps is None or steps.snapshot is None or SNAPSHOT in found.steps:
        return None
    try:
        why = _kept(plan, steps, steps.snapshot)
    except (EvalcoreError, OSError) as error:
        why = str(error)
    if why is None:
        note(StepDone(now_text(), SNAPSHOT, version=steps.version_b))
        return None
    note(StepFailed(now_text(), SNAPSHOT, why))
    return Stop("interrupted", why)


def _kept(plan: Plan, steps: Steps, digest: str) -> str | None:
    """Take the snapshot; return why it is refused, if it is: then nothing is written."""
    root, skill = Path(plan.workspace), Path(steps.skill)
    now = foresee(root, is_laid, suite=plan.suite, skill=skill)
    if (now.digest, now.version) != (digest, steps.version_b):
        return (
            "The skill, or its versions, changed since this was planned; nothing was written. "
            "Start again: the current skill is then compared."
        )
    if now.is_new:
        text = f"as it was when run {plan.id[:13]} began"
        take_snapshot(root, suite=plan.suite, skill=skill, description=text)
    return None


def after_runs(folder: RunFolder, note: Note, used: Used) -> Stop | None:
    """Compare, analyze and make the next version, as far as the plan says and it is not done."""
    return None if folder.plan.steps is None else _Work(folder, folder.plan.steps, note, used).do()


class _Work(ModelSteps):
    """The steps that follow on the test runs of one run."""

    def __init__(self, folder: RunFolder, steps: Steps, note: Note, used: Used) -> None:
        super().__init__(folder, note, used)
        self._steps, self._root = steps, Path(folder.plan.workspace)
        self._criteria = criteria_of(folder.plan)

    def do(self) -> Stop | None:
        """Do what is left; return what stopped it."""
        left = sum(not each.is_done for each in self._progress().runs)
        if left:
            why = f"{left} of the test runs to compare are not done."
            self.note(StepFailed(now_text(), pair_step(self._steps.cases[0]), why))
            return None
        try:
            self._compare()
            if self.stop is None and self._steps.analyze:
                self._analyze()
            if self.stop is None and self._steps.apply:
                self._apply()
        except (EvalcoreError, OSError) as error:
            self.stop = Stop("interrupted", str(error))
        return self.stop

    def _progress(self) -> Progress:
        return progress_of(self.plan, events(self.folder.path))

    @cached_property
    def _tables(self) -> Tables:
        """The tables when the first document was written: they name cases, which stay."""
        return open_workspace(self._root).tables

    def _compare(self) -> None:
        """Ask what was not asked yet, and write what is not written yet."""
        found = self._progress()
        for case, verdict in found.pairs.items():
            if pair_step(case) not in found.steps:
                self._written(verdict)
        open_ = [case for case in self._steps.cases if case not in found.pairs]
        if not open_:
            return
        waiting = list[Pair]()
        for each in pairs_to_ask(open_workspace(self._root), self.plan, open_, secrets):
            if isinstance(each, Nothing):
                self._came(PairVerdict(each.case, "", "", now_text(), why=each.why))
            else:
                waiting.append(each)
        self.ask(waiting, self._compared, self._came, lambda pair: pair_step(pair.case), ORDERS)

    def _compared(self, pair: Pair) -> PairVerdict:
        retries = self.plan.limits.retries
        return compared_by_model(self._steps.model, pair, self._criteria, retries, self.is_stopped)

    def _came(self, verdict: PairVerdict) -> None:
        self.note(Compared(now_text(), verdict))
        self._written(verdict)

    def _written(self, verdict: PairVerdict) -> None:
        """Write the documents of a pair; without a verdict there are none."""
        written = write_pair(self.plan, self._tables, self._criteria, verdict)
        self.note(StepDone(now_text(), pair_step(verdict.case), written.paths, said=written.said))

    def _analyze(self) -> None:
        found = self._progress()
        if ANALYSIS in found.steps:
            return
        if found.analysis is None:
            said = self._analyzed(found)
            if said is None:
                return
            self.note(Analyzed(now_text(), said))
        else:
            said = found.analysis
        paths = write_analysis(self.plan, self._tables, said) if said.is_valid else ()
        self.note(StepDone(now_text(), ANALYSIS, paths, said=self._unfounded(said)))

    def _unfounded(self, said: AnalysisFound) -> tuple[str, ...]:
        """Return a sentence on each suggestion whose text to replace is not in the skill."""
        version = self._steps.version_b
        skill = skill_of(open_workspace(self._root), self.plan.suite, version)
        texts = {} if skill is None else skill.files or {}
        return tuple(
            f"Suggestion {number} ({each.area}): {lower(NOT_THERE.format(version))}"
            for number, each in enumerate(said.suggestions, 1)
            if not places_of(each.before, texts)
        )

    def _analyzed(self, found: Progress) -> AnalysisFound | None:
        """Ask why the winner won; without any verdict there is nothing to ask."""
        known = material(open_workspace(self._root), self.plan, found.pairs.values())
        if isinstance(known, AnalysisFound):
            return known
        self.look(1)
        if self.stop is not None:
            return None
        try:
            said = analyzed_by_model(
                self._steps.model, known, self.plan.limits.retries, self.is_stopped
            )
        except Unanswered as error:
            self.unanswered(ANALYSIS, error)
            return None
        self.used.add(said)
        return said

    def _apply(self) -> None:
        found = self._progress()
        if NEXT not in found.steps and found.analysis is not None:
            made = make_next(self.plan, self._steps, found.analysis)
            self.note(StepDone(now_text(), NEXT, made.paths, made.version, made.said))
