"""`benchmark.json` and what lies beside it, as skill-creator's own scripts write them."""

from collections import defaultdict
from collections.abc import Iterator
from functools import partial
from typing import Final

from evalcore.disk.files import Files
from evalcore.families.aggregating import Aggregates
from evalcore.families.iterations.aggregates import benchmark, feedback
from evalcore.families.iterations.aggregates.runs import Entries, folder_of, runs_of
from evalcore.layouts.iterations import CURRENT, container_of
from evalcore.proposals.proposal import Proposal, Target, stored
from evalcore.tables.cells import cells
from evalcore.tables.snapshot import Tables

ALONE: Final = "There are no gradings below it, so the benchmark was left unchanged."


def aggregates(
    tables: Tables, files: Files, suite: str, version: str | None, *, replace: bool, rubric: bool
) -> Iterator[Proposal]:
    """Yield what shall become of the aggregates of a suite, or of one version of it."""
    rows = cells(tables, "suites", "suite", "name", "skill_path")
    name, skill = next(row[1:] for row in rows if row[0] == suite)
    about = benchmark.About(name, skill or None, rubric)
    entries = Entries(tables, files, suite)
    suggestions = feedback.suggestions_of(tables, suite) if rubric else {}
    benchmarks: dict[str, list[str]] = defaultdict(list)
    """Those of each version, one of its own folder first."""
    documents = cells(tables, "documents", "path", "kind", "suite")
    mine = (path for path, kind, own in documents if kind == "benchmark" and own == suite)
    for path in sorted(mine, key=lambda path: (path.count("/"), path)):
        home = container_of(path.rpartition("/")[0])
        benchmarks[home[1] if home else CURRENT].append(path)
    for label, runs in runs_of(tables, suite, rubric=rubric).items():
        if version not in (None, label):
            continue
        known = benchmarks.get(label, [])
        graded = [run for run in runs if run.origin == "grading"]
        if not graded:
            path = known[0] if known else None
            yield Proposal(suite, label, path, "left", (ALONE,))
            continue
        folder = folder_of((run.source for run in graded), label)
        if folder is None:
            yield Proposal(suite, label, None, "left", ("Its runs are in several folders.",))
            continue
        path = f"{folder}{benchmark.NAME}"
        if known and path not in known:
            if len(known) > 1:
                why = f"It has several benchmarks, none of them {path}."
                yield Proposal(suite, label, None, "left", (why,))
                continue
            path = known[0]
        yield benchmark.benchmark(
            Target(suite, label, path),
            stored(files, path),
            [entries.of(run) for run in graded],
            [run for run in runs if run.origin != "grading"],
            about,
            replace=replace,
        )
        if rubric:
            path = f"{folder}{feedback.NAME}"
            proposal = feedback.feedback(
                Target(suite, label, path),
                stored(files, path),
                suggestions.get(label, {}),
                len(graded),
                name,
                replace=replace,
            )
            if proposal is not None:
                yield proposal
    if version is None:
        yield from feedback.new_criteria(tables, files, suite)


ITERATIONS: Final = Aggregates(partial(aggregates, rubric=False), feedback.feedback_files)
RUBRIC: Final = Aggregates(partial(aggregates, rubric=True), feedback.feedback_files)
