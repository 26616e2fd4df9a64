"""The rows of the table: what is measured, against what, and how good it shall be."""

import importlib.util
import os
import shutil
import sys
from collections.abc import Callable, Iterator
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks import process
from benchmarks.measure import Result, Samples, Way, against, interleaved, median
from benchmarks.methods import change_one
from benchmarks.workspaces import Made, Store

FAMILIES = ("records", "rubric", "descriptions", "iterations")
FORBIDDEN_IN_CHECK = ("scipy", "plotly", "streamlit")
CHECK_PAUSE = 2.1  # a little more than a workspace waits between two looks at its folder


class Sizes(NamedTuple):
    """How many gradings the main workspace has, and those of the other families."""

    main: int
    others: int

    @property
    def tenth(self) -> int:
        """A tenth of the main workspace."""
        return self.main // 10


class Bench:
    """What the rows share: workspaces, index folders, rounds, and openings measured once."""

    def __init__(self, store: Store, sizes: Sizes, rounds: int, say: Callable[[str], None]) -> None:
        self.store = store
        self.sizes = sizes
        self.rounds = rounds
        self.say = say
        self._openings: dict[str, dict[str, Samples]] = {}

    @cached_property
    def main(self) -> Made:
        """The large `improve` workspace."""
        return self.store.get("improve", self.sizes.main)

    def compare(self, ways: dict[str, Way]) -> dict[str, Samples]:
        """Measure ways against each other."""
        return interleaved(ways, self.rounds, self.say)

    def empty(self) -> Path:
        """Return an index folder that holds nothing."""
        return self.store.folder("no-index")

    def way(self, method: str, made: Made, before: Callable[[], Path], **more: Any) -> Way:
        """Return one method on one workspace."""
        return Way(method, {"root": str(made.root), **more}, before)

    def indexed(self, made: Made) -> Path:
        """Return a folder with the index of a workspace, made by one open."""
        folder = self.store.folder(f"index-{made.name}")
        self.say(f"indexing {made.name}")
        process.run("first open", {"root": str(made.root)}, cache=folder)
        return folder

    def openings(self, made: Made, *, with_naive: bool = False) -> dict[str, Samples]:
        """Return the samples of first opens beside R, measured once a workspace."""
        if made.name not in self._openings:
            ways = {
                "R": self.way("R", made, self.empty),
                "first open": self.way("first open", made, self.empty),
                "first open, no index": self.way("first open", made, self.empty, cache=False),
            }
            if with_naive:
                ways["N"] = self.way("N", made, self.empty)
            self._openings[made.name] = self.compare(ways)
        return self._openings[made.name]


def first_open(bench: Bench) -> Iterator[Result]:
    """First open to all numeric tables, of the main workspace and of the other families."""
    made = bench.main
    found = bench.openings(made, with_naive=True)
    reference, simple, cold = found["R"], found["N"], found["first open"]
    imports = f"imports {median(cold, 'prepare'):.2f} s"
    base = Result("open", "first open, index written", made.name, unit="R", target=1.3)
    yield against(base._replace(ambition=0.75, detail=imports), cold, reference)
    plain = base._replace(what="first open, no index kept")
    yield against(plain, found["first open, no index"], reference)
    yield against(base._replace(unit="N", target=None), cold, simple)
    naive = Result("open", "N: glob, json.load, DataFrame", made.name, unit="R")
    yield against(naive, simple, reference)
    for family in FAMILIES:
        other = bench.store.get(family, bench.sizes.others)
        found = bench.openings(other)
        yield against(base._replace(workspace=other.name), found["first open"], found["R"])


def reopen(bench: Bench) -> Iterator[Result]:
    """Open again with nothing changed; the tables must be those of the first open."""
    for made in _all(bench):
        index = bench.indexed(made)
        ways = {
            "W": bench.way("W", made, bench.empty),
            "re-open": bench.way("re-open", made, lambda index=index: index),  # type: ignore[misc]
        }
        found = bench.compare(ways)
        fresh = process.run(
            "first open", {"root": str(made.root), "cache": False}, cache=bench.empty()
        )
        again = found["re-open"][0].answer
        same = again["from_index"] and again["sums"] == fresh.answer["sums"]
        result = Result("reopen", "re-open, nothing changed, verified", made.name, unit="W")
        detail = "same tables as a first open" if same else "NOT the tables of a first open"
        result = result._replace(target=1.5, ambition=1.05, detail=detail)
        yield against(result, found["re-open"], found["W"])


def _all(bench: Bench) -> Iterator[Made]:
    yield bench.main
    for family in FAMILIES:
        yield bench.store.get(family, bench.sizes.others)


def changed(bench: Bench) -> Iterator[Result]:
    """One grading rewritten: between two opens, and while the workspace is open."""
    made = bench.main
    grading = sorted(made.root.glob("*/grading/case-00001_v*_run1.json"))[0]
    original = grading.read_bytes()
    index = bench.indexed(made)

    def rewritten() -> Path:
        change_one(grading)
        return index

    more = {"change": str(grading), "pause": CHECK_PAUSE}
    ways = {
        "W": bench.way("W", made, bench.empty),
        "changed, re-open": bench.way("re-open", made, rewritten),
        "changed while open": bench.way("change seen", made, lambda: index, **more),
    }
    try:
        found = bench.compare(ways)
    finally:
        grading.write_bytes(original)
    base = Result("changed", "one file changed, opened again", made.name, unit="W", target=1.5)
    yield against(base, found["changed, re-open"], found["W"])
    while_open = base._replace(what="one file changed while open, seen", ambition=0.05)
    yield against(while_open, found["changed while open"], found["W"])


def memory(bench: Bench) -> Iterator[Result]:
    """Private memory above imports, as a share of the bytes on disk."""
    made = bench.main
    cold = bench.empty()
    asked = {"root": str(made.root)}
    ways = (
        ("peak of a first open", "first open", 0.15),
        ("peak of a re-open", "re-open", 0.15),
        ("peak of N", "N", None),
    )
    for what, method, target in ways:
        bench.say(what)
        sample = process.watch(method, asked, cache=cold)
        result = Result("memory", what, made.name, unit="bytes on disk", target=target)
        if sample.peak is None or sample.held is None:
            yield result._replace(detail="this system does not say")
            continue
        held = f"held afterwards {sample.held / 1e6:,.0f} MB, peak {sample.peak / 1e6:,.0f} MB"
        ambition = 0.05 if target else None
        ratio = sample.peak / made.written.bytes
        yield result._replace(ratio=ratio, ambition=ambition, rounds=1, detail=held)


def growth(bench: Bench) -> Iterator[Result]:
    """Ten times the data: how much more time than ten times R's own growth."""
    small = bench.store.get("improve", bench.sizes.tenth)
    few, many = bench.openings(small), bench.openings(bench.main, with_naive=True)
    base = Result("growth", "first open, data × 10", f"{small.name} → {bench.sizes.main}")
    for name in ("first open", "first open, no index"):
        ours, reference, ours_cpu, reference_cpu = (
            median(many[way], field) / median(few[way], field)
            for field in ("wall", "cpu")
            for way in (name, "R")
        )
        yield base._replace(
            what=f"{name}, data × 10",
            unit="R's growth",
            ratio=ours / reference,
            cpu_ratio=ours_cpu / reference_cpu,
            target=1.1,
            rounds=min(len(few[name]), len(many[name])),
            detail=f"× {ours:.1f}, R × {reference:.1f}",
        )


def check(bench: Bench) -> Iterator[Result]:
    """`evalcore check`: the whole process, and what it imports."""
    made = bench.store.get("improve", bench.sizes.tenth)
    base = Result("check", "evalcore check, whole process", made.name, unit="R")
    ways = {"R": bench.way("R", made, bench.empty), "check": bench.way("check", made, bench.empty)}
    found = bench.compare(ways)
    taken = process.run("check imports", {"root": str(made.root)}, cache=bench.empty()).answer
    heavy = [name for name in FORBIDDEN_IN_CHECK if name in taken]
    detail = f"IMPORTS {', '.join(heavy)}" if heavy else "imports no scipy, plotly, streamlit"
    yield against(base._replace(detail=detail), found["check"], found["R"])


def search(bench: Bench) -> Iterator[Result]:
    """Search all rationales for a text, any case, with count."""
    made = bench.main
    base = Result("search", "text in all rationales, any case", made.name, unit="mmap.find")
    index = bench.indexed(made)
    texts = bench.store.base / f"{made.name}.texts"
    process.run("write texts", {"root": str(made.root), "file": str(texts)}, cache=index)
    for text in ("migration step", "größe und maß"):
        ways = {
            "mmap.find": Way("mmap.find", {"file": str(texts), "text": text}, bench.empty),
            "search": bench.way("search", made, lambda: index, text=text),
        }
        found = bench.compare(ways)
        detail = f"{text!r}: {found['search'][0].answer:,} found"
        result = base._replace(target=1.0, ambition=0.36, detail=detail)
        yield against(result, found["search"], found["mmap.find"])


def inspect_ai(bench: Bench) -> Iterator[Result]:
    """The same gradings as one Inspect AI log, read with its own reader into a frame.

    `EVALCORE_BENCH_PEERS` names the Python of an environment that has inspect_ai.
    """
    made = bench.store.get("improve", bench.sizes.tenth)
    base = Result("inspect", "first open against Inspect AI", made.name, unit="read_eval_log")
    python = os.environ.get("EVALCORE_BENCH_PEERS", "")
    if not python and importlib.util.find_spec("inspect_ai") is None:
        yield base._replace(detail="inspect_ai is not installed")
        return
    log = bench.store.base / f"{made.name}.eval"
    asked = {"root": str(made.root), "file": str(log)}
    peer = python or sys.executable
    bench.say("writing an Inspect AI log")
    process.run("write Inspect log", asked, python=peer, cache=bench.empty())
    ways = {
        "read_eval_log": Way("read Inspect log", asked, bench.empty, peer),
        "first open": bench.way("first open", made, bench.empty),
    }
    found = bench.compare(ways)
    scores = found["read_eval_log"][0].answer
    detail = f"{scores:,} scores; Inspect {median(found['read_eval_log'], 'wall'):.1f} s"
    result = base._replace(target=1 / 15, ambition=1 / 30, detail=detail)
    yield against(result, found["first open"], found["read_eval_log"])


Row = Callable[[Bench], Iterator[Result]]

ROWS: dict[str, Row] = {
    "open": first_open,
    "reopen": reopen,
    "changed": changed,
    "memory": memory,
    "search": search,
    "check": check,
    "growth": growth,
    "inspect": inspect_ai,
}


def tidy(store: Store) -> None:
    """Remove indexes and what was written for peers; the workspaces stay for the next time."""
    for folder in store.base.glob("*index*"):
        shutil.rmtree(folder, ignore_errors=True)
    for file in (*store.base.glob("*.eval"), *store.base.glob("*.texts")):
        file.unlink()
