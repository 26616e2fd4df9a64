"""What reruns of the pages cost the server, and how much they send, at a million judgments."""
# ruff: noqa: PLC0415 - a browser is driven for this row only

from collections.abc import Iterator

from benchmarks.bench import Bench
from benchmarks.measure import Result
from benchmarks.process import MethodFailed

KILOBYTES = 150
REMEMBERED = 10_000
"""So many records of benchmarks, trends, decisions and messages lie beside a suite."""
FIRST = "first"


def history(bench: Bench) -> Iterator[Result]:
    """CPU of showing each page of a suite with a long memory, and of the same suite without it."""
    from playwright.sync_api import Error

    from benchmarks.displays import displays

    bench.limit()
    found: dict[tuple[str, str], list[float]] = {}
    try:
        for made in (bench.store.generated_history(REMEMBERED), bench.store.get("improve", 2_000)):
            bench.say(f"pages of {made.name} in a browser")
            for cost in displays(made.root, bench.indexed(made), 4 * bench.rounds):
                found.setdefault((cost.page, cost.rerun), []).append(cost.cpu_ms)
            bench.limit()
    except (Error, RuntimeError) as error:
        raise MethodFailed(f"history: {str(error).splitlines()[0]}") from error
    for (page, rerun), (with_it, *without) in found.items():
        beside = f"{without[0]:.0f} ms without records" if without else ""
        base = Result("history", f"{page}: {rerun}", f"{REMEMBERED:,} records", unit="ms of CPU")
        counts = FIRST not in rerun and with_it > 0
        yield base._replace(
            cpu_s=with_it / 1000,
            ratio=with_it,
            target=60 if counts else None,
            rounds=4 * bench.rounds,
            detail=beside,
        )


def pages(bench: Bench) -> Iterator[Result]:
    """CPU and bytes of each kind of rerun; what fills a new session is shown without a target."""
    from playwright.sync_api import Error

    from benchmarks.pages import costs

    made = bench.million
    index = bench.indexed(made)
    bench.say("pages in a browser")
    base = Result("pages", "", made.name, unit="ms of CPU")
    try:
        for cost in costs(made.root, index, 4 * bench.rounds, bench.pages):
            # Nothing above what the idle server takes is no figure.
            counts = FIRST not in cost.rerun and cost.cpu_ms > 0
            over = f"more than {KILOBYTES} KB: " if cost.most_kilobytes > KILOBYTES else ""
            yield base._replace(
                what=f"{cost.page}: {cost.rerun}",
                cpu_s=cost.cpu_ms / 1000,
                ratio=cost.cpu_ms,
                target=60 if counts else None,
                ambition=30 if counts else None,
                rounds=cost.reruns,
                detail=f"{over}{cost.kilobytes:.0f} KB sent, {cost.most_kilobytes:.0f} at most",
            )
            bench.limit()
    except (Error, RuntimeError) as error:
        raise MethodFailed(f"pages: {str(error).splitlines()[0]}") from error
