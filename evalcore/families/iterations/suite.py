"""Read one suite: its cases, then run by run, then what stands beside the runs."""

from collections.abc import Iterator
from typing import Final

from evalcore.disk.reader import MISSING, Reader
from evalcore.families.base import EFFICIENCY, Plan
from evalcore.families.iterations.aggregate import add_computed
from evalcore.families.iterations.benchmark import Benchmarks
from evalcore.families.iterations.cases import Case, Cases
from evalcore.families.iterations.configs import with_config
from evalcore.families.iterations.folders import OF_RUN, Folder, folders_of
from evalcore.families.iterations.gradings import read_again, read_run
from evalcore.families.iterations.listed_runs import add_listed_runs
from evalcore.families.iterations.parts import parts_of
from evalcore.families.iterations.placing import STANDARD_HINT, placed
from evalcore.families.iterations.runs import Desk, Facts, Place, RunFiles
from evalcore.families.iterations.seen import Seen
from evalcore.families.iterations.sidecars import read_sidecars
from evalcore.families.iterations.stored import add_stored
from evalcore.families.iterations.versions import add_versions
from evalcore.layouts.iterations import NONE, RunPlace
from evalcore.shapes.columns import BLOCK
from evalcore.tables.builder import Rows, Same
from evalcore.tables.rows import SuiteRow

HEADLINE = {"rubric": EFFICIENCY, "iterations": "pass rate"}
JUDGED: Final = frozenset({"grading", "structural"})


def read(plan: Plan, reader: Reader, rows: Rows) -> None:
    """Add every row of one suite of this layout."""
    beside = plan._replace(files=tuple(file for file in plan.files if file[1] not in OF_RUN))
    cases = Cases(beside, reader)
    benchmarks = Benchmarks(beside, reader)
    desk = Desk(reader, rows, plan.suite)
    facts = _Runs(plan, desk, cases, benchmarks).read()
    facts += add_listed_runs(benchmarks, desk, cases, facts)
    add_versions(beside, reader, rows, facts, benchmarks)
    add_stored(benchmarks, rows, facts)
    add_computed(rows, plan, facts)
    read_sidecars(beside, reader, rows, facts, cases)
    cases.emit(rows)
    _suite(plan, rows, cases)
    _documents(plan, rows, desk.judged)


class _Runs:
    """Reads the runs of one suite."""

    def __init__(self, plan: Plan, desk: Desk, cases: Cases, benchmarks: Benchmarks) -> None:
        self.plan = plan
        self.desk = desk
        self.cases = cases
        self.benchmarks = benchmarks
        self.judge = cases.config.text("judge_model")
        self.seen = Seen(desk)
        self._timings = {path.rpartition("/")[0]: path for path in plan.of("timing")}
        self._models: dict[str, str | None] = {}

    def read(self) -> list[Facts]:
        """Read every run folder that has a grading or a structural check."""
        facts: list[Facts] = []
        for count, folder in enumerate(folders_of(self.plan), 1):
            if not folder.files.keys().isdisjoint(JUDGED):
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
            self._models[at.version] = self.benchmarks.model(at.version)
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


def _suite(plan: Plan, rows: Rows, cases: Cases) -> None:
    name = cases.skill_name or (plan.skill_path or plan.suite).rpartition("/")[2]
    runs = cases.config.whole("runs_per_eval")
    rows.add(
        SuiteRow(
            suite=plan.suite,
            name=name or plan.suite,
            family=plan.family,
            root=plan.root or ".",
            skill_path=plan.skill_path,
            headline=HEADLINE[plan.family],
            runs_per_case=runs,
            judge_model=cases.config.text("judge_model"),
        )
    )


def _documents(plan: Plan, rows: Rows, judged: dict[str, int]) -> None:
    """Add one row a file of the suite, each with how much was judged in it."""
    paths = [path for path, _ in plan.files]
    rows.tables["documents"].extend(
        len(paths),
        {
            "path": paths,
            "family": Same(plan.family),
            "kind": [kind for _, kind in plan.files],
            "suite": Same(plan.suite),
            "records": [judged.get(path) for path in paths],
        },
    )
