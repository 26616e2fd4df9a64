"""Read the runs of one suite, folder by folder."""

from collections.abc import Iterable, Iterator
from typing import Final

from evalcore.disk.reader import MISSING
from evalcore.families.base import Plan
from evalcore.families.iterations.benchmark import Benchmarks
from evalcore.families.iterations.cases import Cases
from evalcore.families.iterations.folders import Folder
from evalcore.families.iterations.gradings import read_again, read_run
from evalcore.families.iterations.locating import STANDARD_HINT, LocatedRun, located
from evalcore.families.iterations.run_registry import RunRegistry
from evalcore.families.iterations.runs import Facts, RunContext, RunFiles, SuiteContext
from evalcore.families.iterations.split_runs import parts_of
from evalcore.layouts.iterations import NONE
from evalcore.shapes.columns import BLOCK
from evalcore.shapes.judge import Judge

JUDGED: Final = frozenset({"grading", "structural"})
MODELS: Final = ("model", "executor_model")
OUTPUTS: Final = ("-output.md", "_output.md", "-output.txt")


def graded(folders: Iterable[Folder]) -> list[Folder]:
    """Return the run folders that have a grading or a structural check."""
    return [each for each in folders if not each.files.keys().isdisjoint(JUDGED)]


class SuiteRuns:
    """Reads the runs of one suite."""

    def __init__(
        self, plan: Plan, context: SuiteContext, cases: Cases, benchmarks: Benchmarks
    ) -> None:
        """Begin a suite; its benchmarks name the models that a version ran with."""
        self.plan = plan
        self.context = context
        self.cases = cases
        self.benchmarks = benchmarks
        self.judge = cases.config.text("judge_model")
        self.registry = RunRegistry(context)
        self._timings = {path.rpartition("/")[0]: path for path in plan.of("timing")}
        self._models: dict[str, tuple[str | None, Judge]] = {}
        """Version to who executed and who judged there."""
        self.unread: list[Folder] = []
        """Folders of which the only grading cannot be read."""
        self._sides: list[tuple[Folder, LocatedRun]] = []

    def read(self, folders: Iterable[Folder]) -> list[Facts]:
        """Read the runs in some folders, in their order."""
        facts: list[Facts] = []
        for count, folder in enumerate(folders, 1):
            facts += self._read(folder)
            if count % BLOCK == 0:
                self.context.flush()
        # The other side of a run may have a folder of its own, which goes before.
        for folder, run in self._sides:
            if (found := self._located(folder, run)) is not None:
                facts.append(found)
        self._sides.clear()
        self.context.flush()
        return facts

    def _read(self, folder: Folder) -> Iterator[Facts]:
        """Read the runs that the documents of one folder speak of, however they are written."""
        context = self.context
        path, structural = folder.files.get("grading"), folder.files.get("structural")
        grading = context.reader.json(path) if path is not None else MISSING
        if grading is MISSING and structural is None:
            self.unread.append(folder)
            return
        if path is not None:
            _remark_layout(context, folder, path)
        for run in located(context, folder, parts_of(grading)):
            if run.part.beside:
                self._sides.append((folder, run))
            elif (found := self._located(folder, run)) is not None:
                yield found

    def _located(self, folder: Folder, run: LocatedRun) -> Facts | None:
        """Read one run; None for the second grading or a copy of another."""
        at, part = run
        stated = part.value
        own_id = stated.get("eval_id") if isinstance(stated, dict) else None
        if folder.whole and own_id is None and part.eval is not None:
            # In a document of several evals, its eval is only known from around it.
            stated = {**(stated if isinstance(stated, dict) else {}), "eval_id": part.eval}
        if at.version not in self._models:
            judge = self.benchmarks.judge(at.version) or self.judge
            self._models[at.version] = self.benchmarks.model(at.version), Judge(judge)
        model, by = self._models[at.version]
        case = self.cases.at(at, stated)
        here = RunContext(
            self.plan.suite,
            at,
            case,
            by,
            self.plan.family == "rubric",
            model,
            self.cases.config.flag("structural_gate") is not False,
        )
        own = {} if part.beside else folder.files
        outputs = (f"{each}/outputs" for each in (at.folder, at.configuration_folder))
        folders = self.context.reader.listing.folders
        files = RunFiles(
            part.value,
            folder.files.get("grading"),
            own.get("structural"),
            # Beside its grading, in its folder, or above it.
            own.get("timing")
            or self._timings.get(at.folder)
            or self._timings.get(at.configuration_folder),
            next((path for path in outputs if path in folders), None),
            part.at,
            part.verdict,
            part.only,
        )
        if "run_config" in own:
            here, files = _with_config(self.context, here, files, own["run_config"])
        found = self.registry.find(here, files, self.cases.stated(at.eval_folder))
        if found.counts:
            return read_run(self.context, found.place, files)
        read_again(self.context, found.place, files)
        if found.place.case is not case:
            self.cases.join(at, found.place.case)
        return None


def _remark_layout(context: SuiteContext, folder: Folder, path: str) -> None:
    """Note a grading that lies elsewhere than in its eval's and configuration's folder."""
    at = folder.at
    straight = f"{at.eval_folder}/{at.configuration}" == at.configuration_folder
    if path.endswith("/outputs/grading.json"):
        context.reader.problem(
            path,
            "",
            "warning",
            "grading-in-outputs",
            "The only grading of this run is in its outputs folder, where the run itself may "
            "have written it.",
            "Have the grader write it next to the folder outputs.",
            context.suite,
        )
    elif folder.named or not (straight or at.configuration == NONE):
        where = "its name and location" if folder.named else "its location"
        context.tolerate(
            path,
            "",
            "layout",
            f"The run that this grading is about was inferred from {where}.",
            STANDARD_HINT,
        )


def _with_config(
    context: SuiteContext, place: RunContext, files: RunFiles, path: str
) -> tuple[RunContext, RunFiles]:
    """Return a run with what the file beside a flat grading says of it (`eval-6-config.json`).

    That is its prompt, model, times and output.
    """
    value = context.reader.json(path)
    if value is MISSING:
        return place, files
    doc = context.node(path, value)
    if not isinstance(value, dict):
        doc.type_problem("an object")
        return place, files
    case = place.case
    if case.prompt is None and isinstance(doc.get("prompt"), str):
        case.prompt = doc.text("prompt")
        if case.source is None:
            case.source, case.pointer = path, ""
    model = next((found for key in MODELS if (found := doc.text(key))), None)
    context.judged.setdefault(path, 1)
    stem = path.removesuffix(".json").removesuffix("config").rstrip("-_.")
    beside = (f"{stem}{ending}" for ending in OUTPUTS)
    output = files.outputs or next(
        (each for each in beside if context.reader.extra(each) is not None),  # noqa: S610
        None,
    )
    return (
        place._replace(model=model or place.model),
        files._replace(timing_path=files.timing_path or path, outputs=output),
    )
