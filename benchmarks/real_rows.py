"""The rows measured on other people's workspaces, if these are available."""

import os
from collections.abc import Iterator
from pathlib import Path

from benchmarks import process
from benchmarks.bench import Bench
from benchmarks.measure import Result, Way, against
from benchmarks.process import ROOT

NAMED_BY = "EVALCORE_REALWORLD"


def real(bench: Bench) -> Iterator[Result]:
    """How real gradings are read, and the first open of the folders that hold them.

    `EVALCORE_REALWORLD` names the folder of these workspaces.
    """
    limit = bench.limit()
    folder = Path(os.environ.get(NAMED_BY, ROOT.parent / "shared" / "realworld"))
    base = Result("real", "gradings not read by type", "real workspaces")
    if not folder.is_dir():
        yield base._replace(detail=f"left out: {NAMED_BY} does not name a folder of workspaces")
        return
    asked = {"root": str(folder)}
    bench.say("reading real gradings")
    answer = process.run("read by type", asked, cache=bench.empty(), limit=limit).answer
    typed, all_ = answer["by type"], answer["gradings"]
    base = base._replace(rounds=1, unit="of all", target=0.1)
    share = typed / max(all_, 1)
    said = f"{typed:,} of {all_:,} gradings with items are read by type ({share:.1%})"
    yield base._replace(ratio=1 - share, detail=said)
    yield from _openings(bench, asked)


def _openings(bench: Bench, asked: dict[str, str]) -> Iterator[Result]:
    """First open of all folders as one workspace, and of each as a workspace of its own."""
    found = bench.compare(
        {
            "R": Way("R", asked, bench.empty),
            "all": Way("first open", asked, bench.empty),
            "each": Way("first opens", asked, bench.empty),
        }
    )
    files, judgments = found["R"][0].answer, found["all"][0].answer["judgments"]
    folders = len(found["each"][0].answer)
    base = Result("real", "first open, index written", "real workspaces", unit="R", target=4.0)
    as_one = base._replace(detail=f"{files:,} files, {judgments:,} judgments in one workspace")
    yield against(as_one, found["all"], found["R"])
    each = base._replace(detail=f"{folders} workspaces, one after the other")
    yield against(each, found["each"], found["R"])
