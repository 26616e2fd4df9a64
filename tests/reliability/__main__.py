"""`python -m tests.reliability [--long] [--kills N] [--seed N]`: all faults, as a table."""

import argparse
import random
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from itertools import product
from pathlib import Path

from rich.console import Console
from rich.table import Table

from tests.conftest import REALWORLD
from tests.dashboard.planting import PLANTS
from tests.judging.copies import DEMO
from tests.reliability import (
    blind_twins,
    cluster,
    damage,
    failing,
    killing,
    power,
    race_page,
    racing,
    racing_runs,
    reading,
    roots,
    run_servers,
    runs,
    sessions,
    sharing,
    tracing,
)
from tests.reliability.faulty import DEATHS
from tests.reliability.file_server import SERVERS
from tests.reliability.outcome import Line

Step = Callable[[Path], Line]

OUT = Console(width=220, markup=False, highlight=False, soft_wrap=True)
COLUMNS = ("kind", "N", "acknowledged", "lost", "torn", "duplicated", "foreign changed",
           "left temp files", "at most", "seed", "remark")  # fmt: skip
TRACED = ("signal=SIGKILL", "error=ENOSPC", "error=EIO")


def steps(long: bool, kills: int, seed: int) -> Iterator[Step]:
    """Yield what is done, in order; each gets a folder of its own."""
    yield partial(killing.at_random, kills=kills, seed=seed)
    for death in DEATHS:
        yield partial(killing.at_every_call, death=death)
    yield partial(runs.killed, kills=200 if long else 20, seed=seed, fresh=1 if long else 5)
    for (name, fault), warm in product(failing.faults_of(long).items(), (False, True)):
        yield partial(failing.each_call, name=name, fault=fault, warm=warm)
    yield from (failing.full_disk, failing.read_only_disk, failing.forbidden)
    rounds = 200 if long else 10
    for writers, kind in product((2, 4, 8), ("same", "other", "own")):
        each = rounds if writers == 8 else rounds // 4
        yield partial(racing.at_once, kind=kind, writers=writers, rounds=each)
    for server in ("", "answers are lost"):
        yield partial(racing.counting_up, writers=4, times=100 if long else 15, server=server)
    for server in SERVERS:
        yield partial(sharing.at_once, server=server, rounds=250 if long else 10, seed=seed)
    for kind, often in (("one bit", 1_000), ("a page of zeros", 100), ("the end cut off", 100)):
        number = often if long else often // 10
        yield partial(damage.of_an_index, kind=kind, number=number, seed=seed)
    yield partial(damage.in_the_making, number=100 if long else 10, seed=seed)
    yield partial(damage.checks, number=60 if long else 3, seed=seed)
    yield partial(reading.while_disturbed, seconds=20 if long else 2, seed=seed)
    yield partial(sessions.many_at_once, sessions=10 if long else 3, each=50 if long else 4)
    yield partial(sessions.lines_cut, number=100 if long else 5, seed=seed)
    yield partial(sessions.servers_killed, number=100 if long else 3, seed=seed)
    yield partial(run_servers.killed, number=50 if long else 2, seed=seed)
    for family, given in product(racing_runs.VERSIONS, racing_runs.WAYS):
        yield partial(racing_runs.raced, family=family, rounds=20 if long else 1, **given)
    yield partial(race_page.race, number=100 if long else 12, seed=seed)
    yield from _roots(long)
    if long:
        yield partial(blind_twins.compared, number=200)
        yield partial(cluster.killed, cases=200, every=2.0, seed=seed)
        for traced in TRACED:
            yield partial(tracing.each_call, fault=traced)
        yield partial(power.cuts, number=40, seed=seed)


def _roots(long: bool) -> Iterator[Step]:
    """Yield what is judged in one folder and opened in others; at length also in real folders."""
    real = sorted(REALWORLD.glob("*/")) if long else []
    for base in [*roots.SEEDS, *([DEMO] if long else []), *real]:
        suites = 3 if base in real else 100
        yield partial(roots.other_roots, base=base, suites=suites)
        if base not in real and base.name not in roots.UNSURE:
            yield partial(roots.other_roots, base=base, suites=suites, old=True)
    for base, move in product(roots.SEEDS, (roots.renamed, roots.moved)):
        yield partial(roots.other_roots, base=base, move=move)


def controls(long: bool, seed: int) -> Iterator[Step]:
    """Yield the same faults for a naive writer, which must be found out by each."""
    way = "naive"
    yield partial(killing.at_random, kills=100, seed=seed, way=way)
    for death in DEATHS:
        yield partial(killing.at_every_call, death=death, way=way)
    yield partial(runs.killed, kills=20 if long else 8, seed=seed, way=way)
    for name, fault in failing.faults_of(long=False).items():
        yield partial(failing.each_call, name=name, fault=fault, way=way)
    yield partial(failing.full_disk, way=way)
    yield partial(racing.at_once, kind="other", writers=8, rounds=50, way=way)
    yield partial(racing.counting_up, writers=4, times=15, way=way)
    yield partial(racing_runs.raced, family="improve", rounds=3, way=way)
    yield partial(sessions.servers_killed, number=5 if long else 2, seed=seed, naive=True)
    yield partial(run_servers.killed, number=3, seed=seed, naive=True)
    for server in ("answers are lost", "no links"):
        yield partial(sharing.at_once, server=server, rounds=25, seed=seed, way="believing")
    for kind in ("one bit", "a page of zeros"):
        yield partial(damage.of_an_index, kind=kind, number=20, seed=seed, way=way)
    for base in roots.SEEDS:
        if base.name not in roots.SAME_IDS:
            yield partial(roots.other_roots, base=base, way=way)
    yield partial(race_page.naive, number=20 if long else 4, seed=seed)
    if long:
        for plant in PLANTS:
            yield partial(blind_twins.leaking, plant=plant)
        yield partial(cluster.killed, cases=20, every=2.0, seed=seed, way=way)
        yield partial(power.cuts, number=5, seed=seed, way=way)


def main() -> int:
    """Run all of it, print the table, and return 1 if anything is not as promised."""
    asked = argparse.ArgumentParser(prog="python -m tests.reliability", description=__doc__)
    asked.add_argument("--long", action="store_true", help="as long as a release deserves")
    asked.add_argument("--kills", type=int, help="how many writers are killed at random moments")
    asked.add_argument("--seed", type=int, default=random.randrange(1_000_000))
    given = asked.parse_args()
    kills = given.kills or (1_000 if given.long else 20)
    start = time.monotonic()
    ours = list(_run(steps(given.long, kills, given.seed)))
    naive = list(_run(controls(given.long, given.seed)))
    OUT.print(_table([*ours, *naive]))
    wrong = [line.kind for line in ours if line.faults]
    blind = [line.kind for line in naive if not line.faults]
    if wrong:
        said = f"Not as promised: {', '.join(wrong)}."
    elif blind:
        said = f"The naive ways were not found out by: {', '.join(blind)}."
    else:
        said = "Nothing lost, torn or doubled; the naive ways were found out by every fault."
    OUT.print(f"{said} {time.monotonic() - start:.0f} s.")
    return int(bool(wrong or blind))


def _run(todo: Iterator[Step]) -> Iterator[Line]:
    for step in todo:
        with tempfile.TemporaryDirectory(prefix="evalcore-reliability-") as folder:
            try:
                line = step(Path(folder))
            except OSError as error:
                OUT.print(f"left out: {error}")
                continue
        OUT.print(line.text())
        yield line


def _table(lines: list[Line]) -> Table:
    table = Table(*COLUMNS)
    for line in lines:
        known = line.number > 3 and not line.faults
        figures = (
            line.number,
            line.acknowledged,
            line.lost,
            line.torn,
            line.duplicated,
            line.foreign,
            line.left,
        )
        bound = f"{3 / line.number:.2%}" if known else ""
        table.add_row(
            line.kind, *(f"{each:,}" for each in figures), bound, str(line.seed), line.remark
        )
    return table


if __name__ == "__main__":
    sys.exit(main())
