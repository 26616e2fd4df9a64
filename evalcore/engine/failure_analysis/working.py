"""Ask a model why runs failed, one after the other, and write what it says as records."""

from functools import cached_property
from pathlib import Path

from evalcore.disk.values import now_text
from evalcore.engine.failure_analysis.material import material
from evalcore.engine.failure_analysis.planning import failures_by_run
from evalcore.engine.failure_analysis.reading import explained_by_model
from evalcore.engine.found import FailureFound
from evalcore.engine.journal import Explained, StepDone, StepFailed, events
from evalcore.engine.model_steps import ModelSteps, Note, Stop, Used
from evalcore.engine.plan import FailureSteps, failure_step
from evalcore.engine.progress import progress_of
from evalcore.engine.store import RunFolder
from evalcore.errors import EvalcoreError
from evalcore.failures.detail import Failure
from evalcore.memory.failures import Finding, record_finding
from evalcore.workspace.opened import Workspace, open_workspace

GONE = "It no longer fails, or is missing."


def analyze_failures(folder: RunFolder, note: Note, used: Used) -> Stop | None:
    """Ask why each run of the plan failed that was not asked about yet, and write the records."""
    steps = folder.plan.failures
    return None if steps is None else _Work(folder, steps, note, used).do()


class _Work(ModelSteps):
    """The steps of one run; the workspace is opened once, so all are of one moment."""

    def __init__(self, folder: RunFolder, steps: FailureSteps, note: Note, used: Used) -> None:
        super().__init__(folder, note, used)
        self._steps = steps

    def do(self) -> Stop | None:
        """Do what is left; return what stopped it."""
        found = progress_of(self.plan, events(self.folder.path))
        try:
            for run, said in found.explained.items():
                if failure_step(run) not in found.steps:
                    self._written(said)
            left = [run for run in self._steps.runs if run not in found.explained]
            here = [run for run in left if run in self._failures]
            for run in left:
                if run not in self._failures:
                    self._came(FailureFound(run, now_text(), why=GONE))
            self.ask(here, self._explained, self._came, failure_step)
        except (EvalcoreError, OSError) as error:
            self.stop = Stop("interrupted", str(error))
        return self.stop

    @cached_property
    def _workspace(self) -> Workspace:
        return open_workspace(Path(self.plan.workspace))

    @cached_property
    def _failures(self) -> dict[str, Failure]:
        """The failures of the plan by run, as they are now."""
        return failures_by_run(self._workspace, self.plan.suite)

    def _explained(self, run: str) -> FailureFound:
        known = material(self._workspace, self._failures[run])
        return explained_by_model(
            self._steps.model, known, self.plan.limits.retries, self.is_stopped
        )

    def _came(self, said: FailureFound) -> None:
        self.note(Explained(now_text(), said))
        self._written(said)

    def _written(self, said: FailureFound) -> None:
        """Write the records of what a model said; of what counts for nothing there are none."""
        step = failure_step(said.run)
        if not said.is_valid:
            self.note(StepDone(now_text(), step))
            return
        try:
            done = record_finding(
                self._workspace,
                self.plan.suite,
                Finding(
                    asked=self.plan.id,
                    run_id=said.run,
                    at=said.at,
                    type=said.type,
                    severity=said.severity,
                    description="\n\n".join(_described(said)),
                    criteria=said.criteria,
                    root_cause=said.root_cause,
                    lesson=said.lesson,
                    replaces=said.replaces,
                    about=said.about,
                ),
                self._steps.model.model,
            )
        except (EvalcoreError, OSError) as error:
            self.note(StepFailed(now_text(), step, str(error)))
            return
        self.note(StepDone(now_text(), step, tuple(each.path for each in done)))


def _described(said: FailureFound) -> list[str]:
    """Return the gap, the quotes that were found, how many were not, and what to be wary of."""
    parts = [said.gap]
    if said.evidence:
        parts.append("Quoted: " + " · ".join(f"“{each}”" for each in said.evidence))
    if said.unfounded:
        all_ = len(said.evidence) + said.unfounded
        are = "is" if said.unfounded == 1 else "are"
        parts.append(
            f"[{said.unfounded} of {all_} quotes of the model {are} not in what it was shown.]"
        )
    return [*parts, *said.remarks]
