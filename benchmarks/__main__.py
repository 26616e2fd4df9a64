"""Measure speed, row by row: `python -m benchmarks [--quick] [--rows open,reopen] [--minutes 10]`.

The most important rows come first; a row without enough time is reported as left out.
`--pages judge,blind` measures only those pages in the row `pages`, whose ten take half an hour.
`python -m benchmarks verdicts [--rounds 1000]` measures how often verdicts are wrong instead,
`python -m benchmarks agreement [--rounds 200]` how often ranges of agreement are right,
`python -m benchmarks judges [--rounds 2000]` how often corrected rates are.
"""

import argparse
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from subprocess import CalledProcessError

from benchmarks import report
from benchmarks.measure import Clock, Result
from benchmarks.process import ROOT, MethodFailed, OutOfTime
from benchmarks.rows import ROWS, Bench, Sizes, tidy
from benchmarks.workspaces import Store

RESULTS = Path(__file__).with_name("results.json")
FULL = Sizes(main=100_000, others=10_000, million=182_500)
QUICK = Sizes(main=2_000, others=1_000, million=10_000)
SHARE = 10
"""A comparison may take this part of all the time, so that one slow way leaves some to others."""


def main(arguments: list[str] | None = None) -> int:
    """Measure the requested rows, print each when it is done, and store the figures."""
    words = sys.argv[1:] if arguments is None else arguments
    if words[:1] == ["verdicts"]:
        return _verdicts(words[1:])
    if words[:1] == ["agreement"]:
        return _agreement(words[1:])
    if words[:1] == ["judges"]:
        return _judges(words[1:])
    asked = _arguments(words)
    began = time.monotonic()
    seconds = asked.minutes * 60
    clock = Clock(began + seconds, seconds / SHARE)
    store = Store(_say)
    sizes = QUICK if asked.quick else FULL
    bench = Bench(store, sizes, asked.rounds, clock, _say, asked.pages)
    results: list[Result] = []
    path, settings = _target(asked), {"rounds": asked.rounds, **sizes._asdict()}
    _print(report.heading())
    try:
        for name in asked.rows:
            for result in _row(name, bench):
                results.append(result)
                _print(report.line(result))
                if path:
                    report.keep(results, path, settings)
    except KeyboardInterrupt:
        _print("Stopped; the rows above are complete.")
    finally:
        tidy(store)
    _print(f"{time.monotonic() - began:.0f} s; workspaces are kept for the next time.")
    return 1 if any(result.detail.startswith("failed") for result in results) else 0


def _verdicts(arguments: list[str]) -> int:
    """Measure how often verdicts are wrong instead of how fast anything is."""
    from benchmarks import verdicts  # noqa: PLC0415 - imports scipy, which is not measured here

    return verdicts.main(arguments)


def _agreement(arguments: list[str]) -> int:
    """Measure how often the range of a coefficient of agreement is right."""
    from benchmarks import agreement  # noqa: PLC0415 - imports scipy, which is not measured here

    return agreement.main(arguments)


def _judges(arguments: list[str]) -> int:
    """Measure how often a rate that is corrected for a judge's errors is right."""
    from benchmarks import judge_errors  # noqa: PLC0415 - imports scipy, which is not measured here

    return judge_errors.main(arguments)


def _arguments(arguments: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser("python -m benchmarks", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="small workspaces; figures not kept")
    parser.add_argument("--rows", type=_rows, default=list(ROWS), help=f"some of {','.join(ROWS)}")
    parser.add_argument("--rounds", type=int, default=5, help="at most so many of each")
    parser.add_argument("--minutes", type=float, default=24.0, help="begin nothing after these")
    parser.add_argument("--pages", type=_pages, help="only these in the row of that name")
    parser.add_argument("--out", type=Path, help="where to keep the figures")
    return parser.parse_args(arguments)


def _rows(text: str) -> list[str]:
    names = text.split(",")
    if unknown := [name for name in names if name not in ROWS]:
        raise argparse.ArgumentTypeError(f"no row {unknown[0]!r}; there are {', '.join(ROWS)}")
    return names


def _pages(text: str) -> list[str]:
    from benchmarks.pages import pages_named  # noqa: PLC0415 - a browser is driven for one row only

    return pages_named(text)


def _row(name: str, bench: Bench) -> Iterator[Result]:
    """Yield one row's results; a failure is a result too, and the other rows continue."""
    try:
        yield from ROWS[name](bench)
    except OutOfTime:
        yield Result(name, name, "–", detail="left out, or a part of it: the time is used up")
    except (MethodFailed, CalledProcessError) as error:
        why = str(error).replace(str(bench.store.base), "…").replace(str(ROOT), "…")
        yield Result(name, name, "–", detail=f"failed: {why}")


def _target(asked: argparse.Namespace) -> Path | None:
    """Return the file for the figures: the repository's for a complete run, else the given one."""
    if asked.out:
        return Path(asked.out)
    complete = asked.rows == list(ROWS) and not asked.quick and asked.pages is None
    return RESULTS if complete else None


def _print(text: str) -> None:
    _say("")
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def _say(text: str) -> None:
    """Show the progress on a terminal, in a line that the next one replaces."""
    if sys.stderr.isatty():
        sys.stderr.write(f"\r\x1b[K{text}")
        sys.stderr.flush()


if __name__ == "__main__":
    sys.exit(main())
