"""Which files of a listing are documents of this layout, and which container of runs has each."""

from collections import Counter, defaultdict
from collections.abc import Iterable
from typing import Any, Final

from evalcore.disk.reader import Reader
from evalcore.families.base import ClaimedFile
from evalcore.families.iterations.run_locations import RunLocations
from evalcore.families.iterations.totals import holds_totals
from evalcore.layouts.files import STANDARD, is_index, spot
from evalcore.layouts.iterations import (
    NONE,
    RUN,
    STAMP,
    RunLocation,
    container_of,
    gathered,
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
LATER: Final = ("history.json", "case.json", "eval_metadata.json")
OUTPUTS: Final = "/outputs"

ClaimedFiles = dict[str, dict[ClaimedFile, None]]
"""Container to its files with their kinds, each once, in the order met."""


def claims(reader: Reader) -> tuple[ClaimedFiles, list[str]]:
    """Return the files of each container with their kinds, and the files that no name explains."""
    found = _Claims(reader)
    found.take_all()
    return found.files, found.others


class _Claims:
    def __init__(self, reader: Reader) -> None:
        self.reader = reader
        self.files: ClaimedFiles = defaultdict(dict)
        self.others: list[str] = []
        """The files that were not taken."""
        self._taken: set[str] = set()
        self._later: list[tuple[str, str, str]] = []
        self._lone: list[str] = []

    def take_all(self) -> None:
        """Take the files that say by themselves what they are, then those that others explain."""
        around, at = None, None
        places = RunLocations()
        for path in self.reader.listing.paths:
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
                self._later.append((path, folder, name))
            elif (seen := spot(folder, name)) is not None:
                self.files[seen.at.container][path, seen.kind] = None
            elif name in BESIDE or name.startswith(COMPARISONS):
                self._beside(path, folder, BESIDE.get(name, "comparison"))
            elif name in LATER or _is_named_benchmark(name):
                self._later.append((path, folder, name))
            else:
                (self._lone if kind == "grading" else self.others).append(path)
        self._take_lone()
        self._take_later()
        self._from_outputs()

    def _take_later(self) -> None:
        """Take the files that others explain."""
        for path, folder, name in self._later:
            take = self._one_case if name == "case.json" else self._explained
            take(path, folder, name)
            if path not in self._taken:
                self.others.append(path)

    def _take(self, container: str, path: str, kind: str) -> None:
        self.files[container][path, kind] = None
        self._taken.add(path)

    def _take_lone(self) -> None:
        """Take the gradings that no layout places, with the timing beside each."""
        graded = [path for path in self._lone if holds_items(self.reader.peek(path))]
        for path, at in lone_runs(graded).items():
            self._take(at.container, path, "grading")
            timing = f"{at.folder}/timing.json" if at.folder else "timing.json"
            if self.reader.exists(timing):
                self._take(at.container, timing, "timing")
        self.others += [path for path in self._lone if path not in self._taken]

    def _beside(self, path: str, folder: str, kind: str) -> None:
        """Take a document that stands in an iteration's folder, or deeper below one."""
        container = _container(folder)
        if container is not None and not STAMP.match(folder.rpartition("/")[2]):
            self._take(container, path, kind)
        else:
            self._later.append((path, folder, kind))

    def _one_case(self, path: str, folder: str, _name: str) -> None:
        """Take a document that is one eval; the folders of several lie side by side."""
        if _is_case(self.reader.peek(path)):
            self.files[folder.rpartition("/")[0]][path, "evals"] = None

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
            self._take(container, path, name.removesuffix(".json"))

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
        if container in self.files and not _is_of_run(folder) and holds_totals(value):
            self._take(container, path, "totals")

    def _from_outputs(self) -> None:
        """Take the grading of a run that has none but the one among its own outputs."""
        outputs = [path for path in self.reader.listing.folders if path.endswith(OUTPUTS)]
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
        for folder in sorted(outputs):
            run = folder.removesuffix(OUTPUTS)
            if run in graded or gathered(run):
                continue
            at = run_location(run)
            if at is None or not graded.isdisjoint((at.eval_folder, at.configuration_folder)):
                continue
            path = f"{folder}/grading.json"
            if at.container in self.files and self.reader.extra(path) is not None:  # noqa: S610
                self._take(at.container, path, "grading")


def lone_runs(paths: Iterable[str]) -> dict[str, RunLocation]:
    """Return where the run of each grading is that no layout places."""
    folders = {path: path.rpartition("/")[0] for path in paths}
    beside = Counter(folder.rpartition("/")[0] for folder in folders.values() if folder)
    return {
        path: lone_run(folder, several=folder != "" and beside[folder.rpartition("/")[0]] > 1)
        for path, folder in folders.items()
    }


def _is_of_run(folder: str) -> bool:
    """Say whether a folder is that of one run: what sums up something there is its own work."""
    at = run_location(folder)
    return at is not None and at.configuration != NONE


def _container(folder: str) -> str | None:
    home = container_of(folder)
    return home[0] if home is not None else None


def _is_named_benchmark(name: str) -> bool:
    """Say whether a file is a benchmark by its name, such as `final_benchmark.json`."""
    return name == "benchmark.json" or name.endswith(("_benchmark.json", "-benchmark.json"))


def is_benchmark(value: Any) -> bool:
    """Say whether a benchmark.json outside any iteration has the runs or means of one."""
    if not isinstance(value, dict):
        return False
    runs = value.get("runs")
    if isinstance(runs, list) and any(isinstance(run, dict) for run in runs):
        return any("configuration" in run for run in runs if isinstance(run, dict))
    known = (value.get(key) for key in ("run_summary", "eval_results", "per_eval", "per_case"))
    return any(isinstance(held, (dict, list)) for held in known)


def _is_case(value: Any) -> bool:
    """Say whether a document is one eval: what is asked, and what is expected of it."""
    grading = value.get("grading") if isinstance(value, dict) else None
    return isinstance(grading, dict) and "expectations" in grading and "prompt" in value
