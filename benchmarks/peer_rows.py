"""The rows that hold evalcore against other tools, where these are installed."""

import importlib.util
import os
import sys
from collections.abc import Iterator

from benchmarks import process
from benchmarks.bench import Bench
from benchmarks.measure import Result, Way, against, median


def inspect_ai(bench: Bench) -> Iterator[Result]:
    """The same gradings as one Inspect AI log, read with its own reader into a frame.

    `EVALCORE_BENCH_PEERS` names the Python of an environment that has inspect_ai.
    """
    made = bench.made("improve", min(bench.sizes.main, 10_000))
    base = Result("inspect", "first open against Inspect AI", made.name, unit="read_eval_log")
    python = os.environ.get("EVALCORE_BENCH_PEERS", "")
    if not python and importlib.util.find_spec("inspect_ai") is None:
        why = "left out: inspect_ai is not installed, nor is an environment with it named"
        yield base._replace(detail=f"{why} (EVALCORE_BENCH_PEERS)")
        return
    log = bench.store.base / f"{made.name}.eval"
    asked = {"root": str(made.root), "file": str(log)}
    peer = python or sys.executable
    bench.say("writing an Inspect AI log")
    process.run("write Inspect log", asked, python=peer, cache=bench.empty(), limit=bench.limit())
    ways = {
        "read_eval_log": Way("read Inspect log", asked, bench.empty, peer),
        "first open": bench.way("first open", made, bench.empty),
    }
    found = bench.compare(ways)
    scores = found["read_eval_log"][0].answer
    detail = f"{scores:,} scores; Inspect {median(found['read_eval_log'], 'wall'):.1f} s"
    result = base._replace(target=1 / 15, ambition=1 / 30, detail=detail)
    yield against(result, found["first open"], found["read_eval_log"])
