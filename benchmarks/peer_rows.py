"""The rows that compare evalcore with other tools, if these are installed."""

import importlib.util
import os
import sys
from collections.abc import Iterator
from pathlib import Path

from benchmarks import process
from benchmarks.bench import Bench
from benchmarks.measure import Result, Way, against, median
from benchmarks.workspaces import Made


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


def skill_creator(bench: Bench) -> Iterator[Result]:
    """`evalcore aggregate` against the script of skill-creator, on one iteration of all runs.

    `EVALCORE_SKILL_CREATOR` names the folder of skill-creator.
    """
    made = bench.made("iterations", bench.sizes.others)
    base = Result("skill-creator", "aggregate, whole process", made.name, unit="its script")
    script = Path(os.environ.get("EVALCORE_SKILL_CREATOR", "")) / "scripts/aggregate_benchmark.py"
    if not script.is_file():
        why = "left out: EVALCORE_SKILL_CREATOR does not name the folder of skill-creator"
        yield base._replace(detail=why)
        return
    root, folder = _one_iteration(bench, made)

    def unwritten() -> Path:
        for name in ("benchmark.json", "benchmark.md"):
            (folder / name).unlink(missing_ok=True)
        return bench.empty()

    asked = {"root": str(root), "folder": str(folder)}
    found = bench.compare(
        {
            "its script": Way("aggregate by script", {**asked, "script": str(script)}, unwritten),
            "aggregate": Way("aggregate", asked, unwritten),
        }
    )
    theirs, ours = (found[name][0].answer for name in ("its script", "aggregate"))
    same = "the same numbers" if theirs == ours else "NOT the same numbers"
    detail = f"{ours['runs']:,} runs, {same}"
    result = base._replace(target=0.5, ambition=0.25, detail=detail)
    yield against(result, found["aggregate"], found["its script"])


def _one_iteration(bench: Bench, made: Made) -> tuple[Path, Path]:
    """Return a workspace, and its only iteration, with all runs of another one as hard links."""
    (source,) = made.root.glob("*-workspace")
    root = bench.store.folder(f"{made.name}-in-one")
    folder = root / source.name / "iteration-1"
    for number, iteration in enumerate(sorted(source.glob("iteration-*"))):
        for path in iteration.glob("eval-*/**/*.json"):
            parts = list(path.relative_to(iteration).parts)
            if len(parts) > 2:  # eval, configuration, run, name
                parts[2] = f"run-{number * 10 + int(parts[2].removeprefix('run-'))}"
            target = folder.joinpath(*parts)
            target.parent.mkdir(parents=True, exist_ok=True)
            if not target.exists():
                target.hardlink_to(path)
    skill = source.name.removesuffix("-workspace")
    (root / skill / "evals").mkdir(parents=True)
    (root / skill / "evals/evals.json").hardlink_to(made.root / skill / "evals/evals.json")
    return root, folder
