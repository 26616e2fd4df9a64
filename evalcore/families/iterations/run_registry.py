"""The runs met so far: which is graded twice or copied, and which is another at the same place."""

from typing import Any, NamedTuple

from evalcore.disk.reader import Json
from evalcore.families.iterations.cases import Stated
from evalcore.families.iterations.items import listed_items, wording_of
from evalcore.families.iterations.locating import Known, are_different
from evalcore.families.iterations.runs import RunContext, RunFiles, SuiteContext
from evalcore.families.iterations.words import as_text, verdict_of
from evalcore.names import EVIDENCE, VERDICT


class Found(NamedTuple):
    """Where a run's rows go, and whether it counts: a second grading or a copy does not."""

    place: RunContext
    counts: bool


class RunRegistry:
    """The runs met so far, so that one graded twice counts once and two are kept apart."""

    def __init__(self, context: SuiteContext) -> None:
        self.context = context
        self.known: dict[tuple[str, ...], Known] = {}
        """Runs by case, version, configuration and number, and by what their evals are called."""
        self._places: dict[tuple[str, ...], RunContext] = {}

    def find(self, place: RunContext, files: RunFiles, stated: Stated | None) -> Found:
        """Return the place of a run, with a number of its own or that of the run it repeats.

        `stated` is what the eval of its folder is called in its documents.
        """
        at = place.at
        path = files.grading_path or files.structural_path or at.folder
        number = files.grading.get("run_number") if isinstance(files.grading, dict) else None
        mine = Known(at.eval_folder, files.timing_path, number, path)
        if stated is not None:
            called = (*stated, at.version, at.configuration, at.run, "")
            if self._is_copy(called, files, mine):
                return Found(self._places[called], False)
            if called not in self.known:
                self.known[called], self._places[called] = mine, place
        key = (place.case.case_id, at.version, at.configuration, at.run)
        first = self.known.setdefault(key, mine)
        if first is mine:
            return Found(place, True)
        if self._is_copy(key, files, mine):
            return Found(place, False)
        if not are_different(self.context, first, mine):
            self._note(
                path,
                files.pointer,
                "duplicate-run",
                f"This run is graded twice; {first.path} counts.",
                "Remove one of the two, or give this one a run folder of its own.",
            )
            return Found(place, False)
        count = 2
        while (*key[:3], f"{at.run}.{count}") in self.known:
            count += 1
        run = f"{at.run}.{count}"
        self.known[*key[:3], run] = mine
        self._note(
            path,
            files.pointer,
            "same-place",
            f"{first.path} has the same case, configuration and run; this one is shown as {run}.",
            "Give each run its own folder: run-1, run-2.",
        )
        return Found(place._replace(at=at._replace(run=run)), True)

    def _is_copy(self, key: tuple[str, ...], files: RunFiles, mine: Known) -> bool:
        """Note and return whether a whole grading repeats that of a known run's eval folder."""
        first = self.known.get(key)
        if first is None or first.eval_folder == mine.eval_folder or files.pointer:
            return False
        apart = first._replace(eval_folder=mine.eval_folder)
        if are_different(self.context, apart, mine):
            return False
        if not repeats(self.context.reader.json(first.path), files.grading):
            return False
        self._note(
            files.grading_path or "",
            "",
            "copied-run",
            f"This has the eval, the configuration and the verdicts of {first.path}, so it is "
            "treated as a copy and does not count.",
            "Remove the copy; if this is another run, give it another run_number.",
        )
        return True

    def _note(self, path: str, at: str, code: str, message: str, hint: str) -> None:
        self.context.reader.problem(path, at, "warning", code, message, hint, self.context.suite)


def repeats(one: Json, two: Json) -> bool:
    """Say whether two gradings have the same items with the same verdicts.

    Where both give evidence, none of it being the same, two people or models have judged.
    """
    first, second = (_items(value) for value in (one, two))
    if not first or [item[:2] for item in first] != [item[:2] for item in second]:
        return False
    reasons = [(a[2], b[2]) for a, b in zip(first, second, strict=True) if a[2] and b[2]]
    return not reasons or any(a == b for a, b in reasons)


def _items(value: Json) -> list[tuple[str | None, Any, str | None]]:
    """Return wording, verdict and evidence of each item of a grading."""
    found = []
    for item in listed_items(value):
        verdicts = [item[key] for key in VERDICT if key in item]
        known = next((v for each in verdicts if (v := verdict_of(each)) is not None), None)
        why = next((text for key in EVIDENCE if (text := as_text(item.get(key))) is not None), None)
        found.append((wording_of(item), known if known is not None else str(verdicts), why))
    return found
