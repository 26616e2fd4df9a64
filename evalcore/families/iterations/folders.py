"""The run folders of a suite, each with its place and its documents."""

from collections.abc import Iterator
from itertools import groupby
from typing import NamedTuple

from evalcore.families.base import Plan
from evalcore.families.iterations.claimed_files import OUTPUTS
from evalcore.layouts.files import STANDARD, Spot, spot
from evalcore.layouts.iterations import (
    CURRENT,
    NONE,
    RunLocation,
    gathered,
    lone_run,
    run_location,
)

OF_RUN = ("grading", "structural", "timing", "run_config")


class Folder(NamedTuple):
    """One run folder, or what stands for one: its place, and its documents by kind.

    `whole` and `named` are those of the grading's spot.
    """

    at: RunLocation
    files: dict[str, str]
    whole: bool = False
    named: bool = False


def folders_of(plan: Plan) -> Iterator[Folder]:
    """Yield the run folders that have documents, a run's own before that of its configuration."""
    for _, group in groupby(_gathered(plan), key=lambda folder: folder.at.eval_folder):
        yield from sorted(
            group, key=lambda folder: (folder.at.configuration, -folder.at.folder.count("/"))
        )


def _gathered(plan: Plan) -> Iterator[Folder]:
    """Yield the folders in the order of their paths; documents of one folder stand together."""
    files: dict[str, dict[str, str]] = {}
    odd: dict[str, Folder] = {}
    beside = {path.rpartition("/")[0] for path in plan.of("evals")}
    for path, kind in plan.files:
        if kind not in OF_RUN:
            continue
        folder, _, name = path.rpartition("/")
        if kind == "grading" and folder in beside and spot(folder, name) is None:
            odd[path] = _of_several(plan, folder, path)
            continue
        if kind == "grading" and folder.endswith(OUTPUTS):
            folder = folder.removesuffix(OUTPUTS)
        if name in STANDARD:
            files.setdefault(folder, {})[kind] = path
            continue
        seen = spot(folder, name)
        if seen is None and name == "summary.json" and (at := run_location(folder)) is not None:
            seen = Spot("grading", at, named=True)  # it sums up all configurations of its eval
        if seen is not None:
            key = path if seen.whole else f"{seen.at.folder}\n{seen.at.configuration}"
            known = odd.setdefault(key, Folder(seen.at, {}, seen.whole, seen.named))
            known.files[kind] = path
        elif kind == "grading":
            odd[path] = _of_several(plan, folder, path)
    for folder, documents in files.items():
        place = run_location(folder)
        if place is not None and (place.configuration != NONE or "grading" not in documents):
            yield Folder(place, documents)
        elif "grading" in documents and (seen := spot(folder, "grading.json")) is not None:
            yield Folder(seen.at, documents, seen.whole, seen.named)
        elif "grading" in documents:
            yield Folder(lone_run(folder, several=folder != plan.root), documents, named=True)
    yield from odd.values()


def _of_several(plan: Plan, folder: str, path: str) -> Folder:
    """Return what stands for the folders of a grading of several evals, whatever its name."""
    container, version = gathered(folder) or (plan.root, CURRENT)
    at = RunLocation(container, version, folder, NONE, folder, "1", folder)
    return Folder(at, {"grading": path}, whole=True, named=True)
