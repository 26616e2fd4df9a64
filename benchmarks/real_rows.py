"""The rows measured on other people's workspaces, if these are available."""

import os
from collections.abc import Iterator
from pathlib import Path

from benchmarks.bench import Bench
from benchmarks.measure import Result, Way, against
from benchmarks.process import ROOT

NAMED_BY = "EVALCORE_REALWORLD"


def real(bench: Bench) -> Iterator[Result]:
    """First open of all folders as one workspace, and of each as a workspace of its own.

    `EVALCORE_REALWORLD` names the folder of these workspaces.
    """
    folder = Path(os.environ.get(NAMED_BY, ROOT.parent / "shared" / "realworld"))
    base = Result("real", "first open, index written", "real workspaces", unit="R", target=4.0)
    if not folder.is_dir():
        yield base._replace(detail=f"left out: {NAMED_BY} does not name a folder of workspaces")
        return
    asked = {"root": str(folder)}
    found = bench.compare(
        {
            "R": Way("R", asked, bench.empty),
            "all": Way("first open", asked, bench.empty),
            "each": Way("first opens", asked, bench.empty),
        }
    )
    files, judgments = found["R"][0].answer, found["all"][0].answer["judgments"]
    folders = len(found["each"][0].answer)
    as_one = base._replace(detail=f"{files:,} files, {judgments:,} judgments in one workspace")
    yield against(as_one, found["all"], found["R"])
    each = base._replace(detail=f"{folders} workspaces, one after the other")
    yield against(each, found["each"], found["R"])
