"""Read the runs of one suite, folder by folder."""

from collections.abc import Callable, Iterable, Iterator
from typing import Final

from evalcore.disk.reader import MISSING, Reader
from evalcore.families.base import Plan
from evalcore.families.iterations.case import Case
from evalcore.families.iterations.cases import Cases
from evalcore.families.iterations.configs import with_config
from evalcore.families.iterations.folders import Folder, folders_of
from evalcore.families.iterations.gradings import read_again, read_run
from evalcore.families.iterations.parts import parts_of
from evalcore.families.iterations.placing import STANDARD_HINT, placed
from evalcore.families.iterations.runs import Desk, Facts, Place, RunFiles
from evalcore.families.iterations.seen import Seen
from evalcore.layouts.iterations import NONE, RunPlace
from evalcore.shapes.columns import BLOCK

JUDGED: Final = frozenset({"grading", "structural"})


def graded_folders(plan: Plan) -> list[Folder]:
    """Return the run folders that have a grading or a structural check."""
    return [each for each in folders_of(plan) if not each.files.keys().isdisjoint(JUDGED)]


class SuiteRuns:
    """Reads the runs of one suite."""

    def __init__(
        self, plan: Plan, desk: Desk, cases: Cases, model: Callable[[str], str | None]
    ) -> None:
        """Begin a suite; `model` returns the model that a version's runs were made with."""
        self.plan = plan
        self.desk = desk
        self.cases = cases
        self.model = model
        self.judge = cases.config.text("judge_model")
        self.seen = Seen(desk)
        self._timings = {path.rpartition("/")[0]: path for path in plan.of("timing")}
        self._models: dict[str, str | None] = {}

    def read(self, folders: Iterable[Folder]) -> list[Facts]:
        """Read the runs in some folders, in their order."""
        facts: list[Facts] = []
        for count, folder in enumerate(folders, 1):
            facts += self._read(folder)
            if count % BLOCK == 0:
                self.desk.flush()
        self.desk.flush()
        return facts

    def _read(self, folder: Folder) -> Iterator[Facts]:
        """Read the runs that the documents of one folder speak of, however they are written."""
        desk = self.desk
        path, structural = folder.files.get("grading"), folder.files.get("structural")
        grading = desk.reader.json(path) if path is not None else MISSING
        if grading is MISSING and structural is None:
            return
        if path is not None:
            _remark_layout(desk, folder, path)
        for at, part in placed(desk, folder, parts_of(grading)):
            here = self._about(at, self.cases.at(at, part.value))
            files = RunFiles(
                part.value,
                None if grading is MISSING else path,
                structural,
                self._timing(folder, at),
                _outputs(desk.reader, at),
                part.at,
                part.verdict,
            )
            if "run_config" in folder.files:
                here, files = with_config(desk, here, files, folder.files["run_config"])
            number = self.seen.number(here, files)
            if number is None:
                read_again(desk, here, files)
            else:
                yield read_run(desk, here._replace(at=at._replace(run=number)), files)

    def _about(self, at: RunPlace, case: Case) -> Place:
        """Return a run with everything around it that its rows need."""
        if at.version not in self._models:
            self._models[at.version] = self.model(at.version)
        rubric, model = self.plan.family == "rubric", self._models[at.version]
        return Place(self.plan.suite, at, case, self.judge, rubric, model)

    def _timing(self, folder: Folder, at: RunPlace) -> str | None:
        """Return the timing of a run: beside its grading, in its folder, or above it."""
        return (
            folder.files.get("timing")
            or self._timings.get(at.folder)
            or self._timings.get(at.configuration_folder)
        )


def _remark_layout(desk: Desk, folder: Folder, path: str) -> None:
    """Note a grading that lies elsewhere than in its eval's and configuration's folder."""
    at = folder.at
    straight = f"{at.eval_folder}/{at.configuration}" == at.configuration_folder
    if path.endswith("/outputs/grading.json"):
        desk.reader.problem(
            path,
            "",
            "warning",
            "grading-in-outputs",
            "The only grading of this run lies in its outputs, where the run may have written it.",
            "Let the grader write it beside the folder outputs.",
            desk.suite,
        )
    elif folder.named or not (straight or at.configuration == NONE):
        where = "its name and place" if folder.named else "its place"
        desk.tolerate(
            path,
            "",
            "layout",
            f"Which run this grading is about was read from {where}.",
            STANDARD_HINT,
        )


def _outputs(reader: Reader, at: RunPlace) -> str | None:
    """Return the folder with the run's outputs: its own, else its configuration's."""
    for folder in (at.folder, at.configuration_folder):
        if f"{folder}/outputs" in reader.listing.folders:
            return f"{folder}/outputs"
    return None
