"""Which files of a listing are documents of this layout, and which container of runs has each."""

from collections import Counter, defaultdict
from typing import Any, Final

from evalcore.disk.reader import Reader
from evalcore.families.base import ClaimedFile
from evalcore.families.iterations.listed import has_result, runs_in
from evalcore.families.iterations.run_locations import RunLocations
from evalcore.families.iterations.split_runs import version_named
from evalcore.families.iterations.totals import holds_totals
from evalcore.layouts.files import STANDARD, is_index, spot
from evalcore.layouts.iterations import (
    ITERATION,
    NONE,
    RUN,
    STAMP,
    RunLocation,
    container_of,
    gathered,
    is_run,
    lone_run,
    run_location,
)
from evalcore.layouts.shapes import holds_items

BESIDE: Final = {
    "feedback.json": "feedback",
    "eval_feedback_aggregate.json": "eval_feedback_aggregate",
    "analysis.json": "analysis",
    "comparison.json": "comparison",
    "analysis_notes.json": "analysis",
    "improvement.json": "analysis",
}
COMPARISONS: Final = ("comparison-", "comparison_", "comparator-", "comparator_")
LATER: Final = ("history.json", "case.json", "eval_metadata.json", "meta.json", "prompts.json")
OF_RUNNER: Final[dict[str, tuple[str, tuple[str, ...]]]] = {
    "meta.json": ("meta", ("name", "target")),
    "prompts.json": ("prompts", ("user",)),
}
"""What the runner of the open standard writes: the kind of each, and the texts that it has."""
OUTPUTS: Final = "/outputs"


class Claims:
    """The documents of this layout in a listing, by the container of the runs that has each.

    `others` are the files that no name explains.
    """

    def __init__(self, reader: Reader) -> None:
        """Take the files that say by themselves what they are, then those that others explain."""
        self.reader = reader
        self.files: dict[str, dict[ClaimedFile, None]] = defaultdict(dict)
        """Container to its files with their kinds, each once, in the order met.

        Of the kind `outputs` are folders: what runs without a grading produced.
        """
        self.others: list[str] = []
        self._taken = set[str]()
        later: list[tuple[str, str, str]] = []
        lone: list[str] = []
        around, at = None, None
        places = RunLocations()
        for path in reader.listing.paths:
            folder, _, name = path.rpartition("/")
            kind = STANDARD.get(name)
            if kind is not None and folder != around:
                around, at = folder, places.of(folder)
            if (
                kind is not None
                and at is not None
                and (kind != "grading" or at.configuration != NONE)
            ):
                self.files[at.container][path, kind] = None
            elif is_index(name):
                later.append((path, folder, name))
            elif (seen := spot(folder, name)) is not None:
                self.files[seen.at.container][path, seen.kind] = None
            elif name in BESIDE or name.startswith(COMPARISONS):
                # It stands in an iteration's folder, or deeper below one.
                beside, container = BESIDE.get(name, "comparison"), _container(folder)
                if container is not None and not STAMP.match(folder.rpartition("/")[2]):
                    self._take(container, path, beside)
                else:
                    later.append((path, folder, beside))
            elif name in LATER or _is_named_benchmark(name):
                later.append((path, folder, name))
            else:
                (lone if kind == "grading" else self.others).append(path)
        self._take_lone(lone)
        for path, folder, name in later:
            if name != "case.json":
                self._explained(path, folder, name)
            elif _is_case(reader.peek(path)):  # the folders of several lie side by side
                self.files[folder.rpartition("/")[0]][path, "evals"] = None
            if path not in self._taken:
                self.others.append(path)
        self._from_outputs()

    def _take(self, container: str, path: str, kind: str) -> None:
        self.files[container][path, kind] = None
        self._taken.add(path)

    def _take_lone(self, paths: list[str]) -> None:
        """Take the gradings that no layout places, with the timing beside each."""
        graded = [path for path in paths if holds_items(self.reader.peek(path))]
        folders = {path: path.rpartition("/")[0] for path in graded}
        beside = Counter(folder.rpartition("/")[0] for folder in folders.values() if folder)
        for path, folder in folders.items():
            several = folder != "" and beside[folder.rpartition("/")[0]] > 1
            at = lone_run(folder, several=several)
            self._take(at.container, path, "grading")
            timing = f"{at.folder}/timing.json" if at.folder else "timing.json"
            if self.reader.exists(timing):
                self._take(at.container, timing, "timing")
        self.others += [path for path in paths if path not in self._taken]

    def _explained(self, path: str, folder: str, name: str) -> None:
        """Take a document of a common name where the runs around it, or its fields, say more."""
        container = _container(folder)
        if name == "history.json":
            if folder in self.files:
                self._take(folder, path, "history")
        elif is_index(name):
            self._index(path, folder, name)
        elif _is_named_benchmark(name):
            if container is None or (container not in self.files and folder in self.files):
                container = folder
            plain = name == "benchmark.json" and (container in self.files or gathered(folder))
            if plain or is_benchmark(self.reader.peek(path)):
                self._take(container, path, "benchmark")
        elif (container := folder if container is None else container) in self.files:
            kind, needed = OF_RUNNER.get(name, (name.removesuffix(".json"), ()))
            value = self.reader.peek(path) if needed else None
            texts = value if isinstance(value, dict) else {}
            if all(isinstance(texts.get(key), str) for key in needed):
                self._take(container, path, kind)

    def _index(self, path: str, folder: str, name: str) -> None:
        """Take what sums up runs: as their grading where it holds their items, else as totals."""
        container, value = _container(folder), self.reader.peek(path)
        if holds_items(value):
            seen = None if name == "summary.json" else spot(folder, name)
            if seen is not None:
                self._take(seen.at.container, path, seen.kind)
            elif container in self.files:
                self._take(container, path, "grading")
            return
        container = folder if container is None else container
        at = run_location(folder)
        # What sums up something in the folder of one run is that run's own work.
        of_run = at is not None and at.configuration != NONE
        if container in self.files and not of_run and holds_totals(value):
            self._take(container, path, "totals")

    def _from_outputs(self) -> None:
        """Take the outputs of runs without a grading, or the one grading that lies among them."""
        outputs = self.reader.output_folders
        if not outputs:
            return
        graded = {
            path.rpartition("/")[0]
            for found in self.files.values()
            for path, kind in found
            if kind in ("grading", "structural") and not path.endswith("/summary.json")
        }
        split = (folder.rpartition("/") for folder in graded)
        graded |= {parent for parent, _, name in split if RUN.match(name)}
        for folder in outputs:
            run = folder.removesuffix(OUTPUTS)
            if run in graded or gathered(run) or f"{OUTPUTS}/" in f"/{folder}":
                continue
            at = run_location(run)
            if at is None:
                continue
            known, path = at.container in self.files, f"{folder}/grading.json"
            alone = graded.isdisjoint((at.eval_folder, at.configuration_folder))
            if known and alone and self.reader.extra(path) is not None:  # noqa: S610
                self._take(at.container, path, "grading")
            elif at.configuration != NONE and (known or self._is_first(at, folder)):
                self.files[at.container][folder, "outputs"] = None

    def _is_first(self, at: RunLocation, outputs: str) -> bool:
        """Return whether outputs are surely a run's where no document is of any run around them."""
        skill = at.container.removesuffix("-workspace")
        beside = skill != at.container and skill in self.reader.listing.folders
        sure = is_run(at) and (beside or ITERATION.match(at.version) is not None)
        return sure and self.reader.has_outputs(outputs)


def _container(folder: str) -> str | None:
    home = container_of(folder)
    return home[0] if home is not None else None


def _is_named_benchmark(name: str) -> bool:
    """Say whether a file is a benchmark by its name, such as `final_benchmark.json`."""
    return name == "benchmark.json" or name.endswith(("_benchmark.json", "-benchmark.json"))


def is_benchmark(value: Any) -> bool:
    """Say whether a benchmark.json outside any iteration has the runs or means of one.

    Runs by name that state a version each are gradings: a benchmark is of one version.
    """
    held = value if isinstance(value, dict) else {}
    if isinstance(held.get("run_summary"), (dict, list)):
        return True
    runs = [run for run in runs_in(value) if has_result(run)]
    listed = isinstance(held.get("runs"), list)
    return bool(runs) and (listed or not any(version_named(run.item.value) for run in runs))


def _is_case(value: Any) -> bool:
    """Say whether a document is one eval: what is asked, and what is expected of it."""
    grading = value.get("grading") if isinstance(value, dict) else None
    return isinstance(grading, dict) and "expectations" in grading and "prompt" in value
