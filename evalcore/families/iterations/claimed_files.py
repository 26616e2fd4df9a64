"""Which files of a listing are documents of this layout, and which container of runs has each."""

from collections import Counter, defaultdict
from typing import Any, Final

from evalcore.disk.reader import Reader
from evalcore.families.base import ClaimedFile
from evalcore.families.iterations.listed import has_result, runs_in
from evalcore.families.iterations.split_runs import OUTPUTS, version_named
from evalcore.families.iterations.totals import holds_totals
from evalcore.layouts.files import is_index, spot
from evalcore.layouts.iterations import (
    ITERATION,
    NONE,
    RUN,
    STAMP,
    container_of,
    gathered,
    is_run,
    lone_run,
    run_location,
)
from evalcore.layouts.shapes import Document

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


class Claims:
    """The documents of this layout in a listing, by the container of the runs that has each."""

    def __init__(self, reader: Reader) -> None:
        """Take the files that say by themselves what they are, then those that others explain."""
        self.reader = reader
        self.files: dict[str, dict[ClaimedFile, None]] = defaultdict(dict)
        """Container to its files with their kinds, each once, in the order met.

        Of the kind `outputs` are folders: what runs without a grading produced.
        """
        self.others: list[str] = []
        """The files that no name explains."""
        later: list[tuple[str, str]] = []
        lone: list[str] = []
        for path in reader.listing.paths:
            folder, _, name = path.rpartition("/")
            if is_index(name):
                later.append((path, name))
            elif (seen := spot(folder, name)) is not None:
                self.files[seen.at.container][path, seen.kind] = None
            elif name in BESIDE or name.startswith(COMPARISONS):
                # It stands in an iteration's folder, or deeper below one.
                beside, home = BESIDE.get(name, "comparison"), container_of(folder)
                if home is not None and not STAMP.match(folder.rpartition("/")[2]):
                    self.files[home[0]][path, beside] = None
                else:
                    later.append((path, beside))
            elif name in LATER or _is_named_benchmark(name):
                later.append((path, name))
            else:
                (lone if name == "grading.json" else self.others).append(path)
        # Gradings that no layout places are taken with the timing beside each.
        graded = [path for path in lone if Document(reader.peek(path)).holds_items]
        folders = {path: path.rpartition("/")[0] for path in graded}
        near = Counter(folder.rpartition("/")[0] for folder in folders.values() if folder)
        for path, folder in folders.items():
            several = folder != "" and near[folder.rpartition("/")[0]] > 1
            at = lone_run(folder, several=several)
            self.files[at.container][path, "grading"] = None
            timing = f"{at.folder}/timing.json" if at.folder else "timing.json"
            if reader.exists(timing):
                self.files[at.container][timing, "timing"] = None
        self.others += [path for path in lone if path not in folders]
        for path, name in later:
            found = self._explained(path, name)
            if found is not None:
                self.files[found[0]][path, found[1]] = None
            if found is None or name == "case.json":
                self.others.append(path)
        self._take_outputs()

    def _explained(self, path: str, name: str) -> tuple[str, str] | None:
        """Return container and kind of a document that has a name which others have too.

        The runs around it, or its fields, say more; None where they do not.
        """
        folder = path.rpartition("/")[0]
        home, at = container_of(folder), run_location(folder)
        container = folder if home is None else home[0]
        if name == "case.json":  # one eval; the folders of several lie side by side
            value = self.reader.peek(path)
            grading = value.get("grading") if isinstance(value, dict) else None
            is_case = isinstance(grading, dict) and "expectations" in grading and "prompt" in value
            return (folder.rpartition("/")[0], "evals") if is_case else None
        if name == "history.json":
            return (folder, "history") if folder in self.files else None
        if is_index(name):
            # As their grading where it holds the items of runs, else as totals.
            value = self.reader.peek(path)
            if Document(value).holds_items:
                seen = None if name == "summary.json" else spot(folder, name)
                if seen is not None:
                    return seen.at.container, seen.kind
                is_known = home is not None and container in self.files
                return (container, "grading") if is_known else None
            # What sums up something in the folder of one run is that run's own work.
            of_run = at is not None and at.configuration != NONE
            is_sum = container in self.files and not of_run and holds_totals(value)
            return (container, "totals") if is_sum else None
        if _is_named_benchmark(name):
            if container not in self.files and folder in self.files:
                container = folder
            plain = name == "benchmark.json" and (container in self.files or gathered(folder))
            is_one = plain or is_benchmark(self.reader.peek(path))
            return (container, "benchmark") if is_one else None
        kind, needed = OF_RUNNER.get(name, (name.removesuffix(".json"), ()))
        value = self.reader.peek(path) if needed and container in self.files else None
        texts = value if isinstance(value, dict) else {}
        has_all = all(isinstance(texts.get(key), str) for key in needed)
        return (container, kind) if has_all and container in self.files else None

    def _take_outputs(self) -> None:
        """Take the outputs of runs without a grading, or the one grading that lies among them."""
        if not self.reader.output_folders:
            return
        graded = {
            path.rpartition("/")[0]
            for found in self.files.values()
            for path, kind in found
            if kind in ("grading", "structural") and not path.endswith("/summary.json")
        }
        split = (folder.rpartition("/") for folder in graded)
        graded |= {parent for parent, _, name in split if RUN.match(name)}
        for folder in self.reader.output_folders:
            run = folder.removesuffix(OUTPUTS)
            if run in graded or gathered(run) or f"{OUTPUTS}/" in f"/{folder}":
                continue
            at = run_location(run)
            if at is None:
                continue
            known, path = at.container in self.files, f"{folder}/grading.json"
            alone = graded.isdisjoint((at.eval_folder, at.configuration_folder))
            if known and alone and self.reader.extra(path) is not None:  # noqa: S610
                self.files[at.container][path, "grading"] = None
                continue
            if not known:
                # Where no document is of any run around them, they must surely be a run's.
                skill = at.container.removesuffix("-workspace")
                beside = skill != at.container and skill in self.reader.listing.folders
                sure = beside or ITERATION.match(at.version) is not None
                known = is_run(at) and sure and at.configuration != NONE
                known = known and self.reader.has_outputs(folder)
            if known and at.configuration != NONE:
                self.files[at.container][folder, "outputs"] = None


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
