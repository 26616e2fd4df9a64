"""The runs met so far: which is graded twice, and which is another at the same place."""

from typing import Any

from evalcore.families.iterations.locating import Known, are_different
from evalcore.families.iterations.runs import RunContext, RunFiles, SuiteContext
from evalcore.layouts.iterations import RunLocation


class RunRegistry:
    """The runs met so far, so that one graded twice counts once and two are kept apart."""

    def __init__(self, context: SuiteContext) -> None:
        self.context = context
        self.known: dict[tuple[str, ...], Known] = {}
        self._folder = ""

    def number(self, place: RunContext, files: RunFiles) -> str | None:
        """Return the number that a run gets; None when it is the second grading of one."""
        at, path = place.at, files.grading_path or files.structural_path or place.at.folder
        key = (place.case.case_id, at.version, at.configuration, at.run)
        number = files.grading.get("run_number") if isinstance(files.grading, dict) else None
        mine = self._mine(at, files.timing_path, number, path)
        first = self.known.setdefault(key, mine)
        if first is mine:
            return at.run
        if not are_different(self.context, first, mine):
            self._note(
                path,
                files.pointer,
                "duplicate-run",
                f"This run is graded twice; {first.path} counts.",
                "Remove one of the two, or give this one a run folder of its own.",
            )
            return None
        count = 2
        while (*key[:3], f"{at.run}.{count}") in self.known:
            count += 1
        run = f"{at.run}.{count}"
        self.known[(*key[:3], run)] = mine
        self._note(
            path,
            files.pointer,
            "same-place",
            f"{first.path} has the same case, configuration and run; this one is shown as {run}.",
            "Give each run a folder of its own: run-1, run-2.",
        )
        return run

    def _mine(self, at: RunLocation, timing: str | None, number: Any, path: str) -> Known:
        if at.eval_folder != self._folder:
            self._folder = at.eval_folder
        return Known(self._folder, timing, number, path)

    def _note(self, path: str, at: str, code: str, message: str, hint: str) -> None:
        self.context.reader.problem(path, at, "warning", code, message, hint, self.context.suite)
