"""What shall become of the aggregates of iterations: where they lie, and what goes into them."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Final

from evalcore.disk.files import Files
from evalcore.families.iterations.aggregates.benchmark import About, benchmark
from evalcore.families.iterations.aggregates.entries import Entries
from evalcore.families.iterations.aggregates.feedback import NAME as FEEDBACK
from evalcore.families.iterations.aggregates.feedback import feedback, suggestions_of
from evalcore.families.iterations.aggregates.runs import runs_of
from evalcore.layouts.iterations import CURRENT, container_of, version_folder
from evalcore.proposals.proposal import Proposal, Target, stored
from evalcore.tables.cells import cells
from evalcore.tables.snapshot import Tables

BENCHMARK: Final = "benchmark.json"
ALONE: Final = "There are no gradings below it, so the benchmark was left unchanged."


def aggregates(
    tables: Tables, files: Files, suite: str, version: str | None, *, replace: bool, rubric: bool
) -> Iterator[Proposal]:
    """Yield what shall become of the aggregates of a suite, or of one version of it."""
    about = _about(tables, suite, rubric=rubric)
    entries, suggestions = Entries(tables, files, suite), suggestions_of(tables, suite)
    known = _benchmarks(tables, suite)
    for label, runs in runs_of(tables, suite, rubric=rubric).items():
        if version not in (None, label):
            continue
        graded = [run for run in runs if run.origin == "grading"]
        if not graded:
            path = next(iter(known.get(label, ())), None)
            yield Proposal(suite, label, path, "left", (ALONE,))
            continue
        folder = folder_of((run.source for run in graded), label)
        if folder is None:
            yield Proposal(suite, label, None, "left", ("Its runs are in several folders.",))
            continue
        path = _only(known.get(label, []), f"{folder}{BENCHMARK}")
        if path is None:
            yield Proposal(
                suite,
                label,
                None,
                "left",
                (f"It has several benchmarks, none of them {folder}{BENCHMARK}.",),
            )
            continue
        target = Target(suite, label, path)
        listed = [run for run in runs if run.origin != "grading"]
        yield benchmark(
            target,
            stored(files, path),
            [entries.of(run) for run in graded],
            listed,
            about,
            replace=replace,
        )
        if rubric:
            path = f"{folder}{FEEDBACK}"
            target = Target(suite, label, path)
            proposal = feedback(
                target,
                stored(files, path),
                suggestions.get(label, []),
                len(graded),
                about.name,
                replace=replace,
            )
            if proposal is not None:
                yield proposal


def _about(tables: Tables, suite: str, *, rubric: bool) -> About:
    rows = cells(tables, "suites", "suite", "name", "skill_path")
    name, path = next(row[1:] for row in rows if row[0] == suite)
    return About(name, path or None, rubric)


def _benchmarks(tables: Tables, suite: str) -> dict[str, list[str]]:
    """Return the benchmarks of each version of a suite, those of its own folder first."""
    found: dict[str, list[str]] = defaultdict(list)
    rows = cells(tables, "documents", "path", "kind", "suite")
    mine = (path for path, kind, own in rows if kind == "benchmark" and own == suite)
    for path in sorted(mine, key=lambda path: (path.count("/"), path)):
        home = container_of(path.rpartition("/")[0])
        found[home[1] if home else CURRENT].append(path)
    return found


def _only(known: list[str], standard: str) -> str | None:
    """Return the benchmark to write: the standard one, or the only one that there is."""
    if not known or standard in known:
        return standard
    return known[0] if len(known) == 1 else None


def folder_of(sources: Iterable[str], version: str) -> str | None:
    """Return the folder that holds the runs of a version, with a slash; None for several."""
    homes = {_version_folder(source.rpartition("/")[0], version) for source in sources}
    if len(homes) != 1:
        return None
    home = homes.pop()
    return f"{home}/" if home else home


def _version_folder(folder: str, version: str) -> str | None:
    """Return the folder of a version in which `folder` lies; None where it is of another."""
    home = container_of(folder)
    return version_folder(*home, folder) if home is not None and home[1] == version else None
