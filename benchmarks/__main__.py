"""Measure speed: `python -m benchmarks [--quick] [--rows open,reopen]`."""

import argparse
import sys
import time
from pathlib import Path
from subprocess import CalledProcessError

from rich.console import Console

from benchmarks import report
from benchmarks.measure import Result
from benchmarks.process import ROOT, MethodFailed
from benchmarks.rows import ROWS, Bench, Sizes, tidy
from benchmarks.workspaces import Store

RESULTS = Path(__file__).with_name("results.json")
FULL = Sizes(main=100_000, others=10_000)
QUICK = Sizes(main=2_000, others=2_000)
PIPE_WIDTH = 190


def main(arguments: list[str] | None = None) -> int:
    """Measure the rows asked for, print the table, and keep the figures of a complete run."""
    asked = _arguments(arguments)
    # A pipe has no width; in 80 columns the table would be a column of syllables.
    console = Console() if sys.stdout.isatty() else Console(width=PIPE_WIDTH)
    progress = Console(stderr=True)
    began = time.monotonic()
    with progress.status("starting") as status:
        store = Store(status.update)
        sizes = QUICK if asked.quick else FULL
        bench = Bench(store, sizes, asked.rounds, status.update)
        results = [result for name in asked.rows for result in _row(name, bench)]
        tidy(store)
    report.show(results, console)
    console.print(f"{time.monotonic() - began:.0f} s; workspaces are kept for the next time.")
    if path := _target(asked):
        settings = {"rounds": asked.rounds, **sizes._asdict()}
        report.keep(results, path, settings)
    return 1 if any(result.detail.startswith("failed") for result in results) else 0


def _arguments(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser("python -m benchmarks", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="small workspaces; figures not kept")
    parser.add_argument("--rows", type=_rows, default=list(ROWS), help=f"some of {','.join(ROWS)}")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--out", type=Path, help="where to keep the figures")
    return parser.parse_args(arguments)


def _rows(text: str) -> list[str]:
    names = text.split(",")
    if unknown := [name for name in names if name not in ROWS]:
        raise argparse.ArgumentTypeError(f"no row {unknown[0]!r}; there are {', '.join(ROWS)}")
    return names


def _row(name: str, bench: Bench) -> list[Result]:
    """Return one row's results; a failure is a result too, and the other rows go on."""
    results: list[Result] = []
    try:
        results.extend(ROWS[name](bench))
    except (MethodFailed, CalledProcessError) as error:
        why = str(error).replace(str(bench.store.base), "…").replace(str(ROOT), "…")
        results.append(Result(name, name, "–", detail=f"failed: {why}"))
    return results


def _target(asked: argparse.Namespace) -> Path | None:
    """Return where the figures go: a complete run's into the repository, else where it was said."""
    if asked.out:
        return Path(asked.out)
    complete = asked.rows == list(ROWS) and not asked.quick
    return RESULTS if complete else None


if __name__ == "__main__":
    sys.exit(main())
