"""The rows of the table: what is measured, against what, and how good it shall be."""

from collections.abc import Callable, Iterator
from pathlib import Path

from benchmarks import (
    cluster_rows,
    page_rows,
    peer_rows,
    people_rows,
    picture_rows,
    process,
    real_rows,
    running_rows,
    start_rows,
)
from benchmarks.bench import FAMILIES, Bench, Sizes
from benchmarks.measure import Result, Way, against, median
from benchmarks.methods import change_one
from benchmarks.process import ROOT
from benchmarks.workspaces import Made, Store

FORBIDDEN_IN_CHECK = ("scipy", "plotly", "streamlit")
NEEDLE = "migration step"
DEMO = ROOT / "evalcore" / "demo" / "workspace"

__all__ = ["ROWS", "Bench", "Sizes", "tidy"]


def first_open(bench: Bench) -> Iterator[Result]:
    """First open to all numeric tables, searchable afterwards."""
    made = bench.main
    found = bench.openings(made, text=NEEDLE)
    reference, cold = found["R"], found["first open"]
    imports = f"imports {median(cold, 'prepare'):.2f} s; {cold[0].answer['found']:,} found after"
    base = Result("open", "first open, index written", made.name, unit="R", target=1.3)
    yield against(base._replace(ambition=0.75, detail=imports), cold, reference)
    # These two take long and decide nothing: twice is enough to know their size.
    plain = bench.compare(
        {
            "R": bench.way("R", made, bench.empty),
            "plain": bench.way("first open", made, bench.empty, cache=False),
            "N": bench.way("N", made, bench.empty),
        },
        rounds=2,
    )
    without = base._replace(what="first open, no index kept", ambition=0.75)
    yield against(without, plain["plain"], plain["R"])
    naive = Result("open", "N: glob, json.load, DataFrame", made.name, unit="R")
    yield against(naive, plain["N"], plain["R"])


def reopen(bench: Bench) -> Iterator[Result]:
    """Open again with nothing changed."""
    yield _reopened(bench, bench.main)


def _reopened(bench: Bench, made: Made) -> Result:
    """Measure a re-open; its tables must be those of the first open."""
    index = bench.indexed(made)
    ways = {
        "W": bench.way("W", made, bench.empty),
        "re-open": bench.way("re-open", made, lambda: index),
    }
    found = bench.compare(ways)
    fresh = bench.first_answer(made)
    again = found["re-open"][0].answer
    detail = "" if again["sums"] == fresh["sums"] else "NOT the tables of the first open"
    detail = detail if again["from_index"] else "the index was NOT used"
    result = Result("reopen", "re-open, nothing changed, verified", made.name, unit="W")
    result = result._replace(target=1.5, ambition=1.05, detail=detail)
    return against(result, found["re-open"], found["W"])


def changed(bench: Bench) -> Iterator[Result]:
    """One grading rewritten while the workspace is open."""
    made = bench.main
    grading = _grading(made)
    index = bench.indexed(made)
    bench.forget(made)  # it follows the changes from here on
    more = {"change": str(grading)}
    ways = {
        "W": bench.way("W", made, bench.empty),
        "named": bench.way("change shown", made, lambda: index, **more, named=True),
        "found": bench.way("change shown", made, lambda: index, **more, named=False),
    }
    with bench.store.kept(made, grading):
        found = bench.compare(ways)
    base = Result("changed", "one file changed while open, named", made.name, unit="W", target=1.5)
    yield against(base._replace(ambition=0.05), found["named"], found["W"])
    walked = base._replace(what="one file changed while open, looked for", ambition=1.05)
    yield against(walked, found["found"], found["W"])


def _grading(made: Made) -> Path:
    """Return the grading that is rewritten."""
    return min(made.root.glob("*/grading/case-00001_v*_run1.json"))


def changed_between(bench: Bench) -> Iterator[Result]:
    """One grading rewritten between two opens."""
    made = bench.main
    grading = _grading(made)
    index = bench.indexed(made)
    bench.forget(made)

    def rewritten() -> Path:
        change_one(grading)
        return index

    ways = {
        "W": bench.way("W", made, bench.empty),
        "opened again": bench.way("re-open", made, rewritten),
    }
    with bench.store.kept(made, grading):
        found = bench.compare(ways, rounds=3)
    base = Result("between", "one file changed, opened again", made.name, unit="W", target=1.5)
    yield against(base, found["opened again"], found["W"])


def memory(bench: Bench) -> Iterator[Result]:
    """Private memory above imports, as a share of the bytes on disk."""
    made = bench.main
    asked = {"root": str(made.root)}
    ways = (
        ("private memory, peak of a first open", "first open", 0.15),
        ("private memory, peak of a re-open", "re-open", 0.15),
        ("private memory, peak of N", "N", None),
    )
    for what, method, target in ways:
        bench.say(what)
        cache = bench.indexed(made) if method == "re-open" else bench.empty()
        sample = process.watch(method, asked, cache=cache, limit=bench.limit())
        result = Result("memory", what, made.name, unit="bytes on disk", target=target)
        if sample.peak is None or sample.held is None:
            yield result._replace(detail="this system does not say")
            continue
        held = f"held afterwards {sample.held / 1e6:,.0f} MB, peak {sample.peak / 1e6:,.0f} MB"
        ambition = 0.05 if target else None
        ratio = sample.peak / made.written.bytes
        yield result._replace(ratio=ratio, ambition=ambition, rounds=1, detail=held)


def search(bench: Bench) -> Iterator[Result]:
    """Search all rationales for a text, any case, with count."""
    made = bench.million
    base = Result("search", "text in all rationales, any case", made.name, unit="mmap.find")
    index = bench.indexed(made)
    texts = bench.store.base / f"{made.name}.texts"
    asked = {"root": str(made.root), "file": str(texts)}
    process.run("write texts", asked, cache=index, limit=bench.limit())
    for text in (NEEDLE, "größe und maß"):
        ways = {
            "mmap.find": Way("mmap.find", {"file": str(texts), "text": text}, bench.empty),
            "search": bench.way("search", made, lambda: index, text=text),
        }
        found = bench.compare(ways)
        detail = f"{text!r}: {found['search'][0].answer:,} found"
        result = base._replace(target=1.0, ambition=0.36, detail=detail)
        yield against(result, found["search"], found["mmap.find"])


def aggregates(bench: Bench) -> Iterator[Result]:
    """What charts and pages compute over all judgments, in one process, K in turn with it."""
    made = bench.million
    index = bench.indexed(made)
    bench.say("aggregates")
    asked = {"root": str(made.root)}
    answer = process.run("aggregates", asked, cache=index, limit=bench.limit()).answer
    for name, found in answer.items():
        base = Result("aggregates", name, made.name, unit="K", target=2.0, ambition=1.0)
        yield base._replace(
            wall_s=found["wall"],
            cpu_s=found["cpu"],
            ratio=found["ratio"],
            cpu_ratio=found["cpu_ratio"],
            rounds=found["rounds"],
        )


def check(bench: Bench) -> Iterator[Result]:
    """`evalcore check`: the whole process, and what it imports."""
    asked = {"root": str(DEMO)}
    taken = process.run("check imports", asked, cache=bench.empty(), limit=bench.limit()).answer
    heavy = [name for name in FORBIDDEN_IN_CHECK if name in taken]
    imports = f"IMPORTS {', '.join(heavy)}; " if heavy else ""
    small = bench.compare({"check": Way("check", asked, bench.empty)})["check"]
    yield Result(
        "check",
        "evalcore check, whole process",
        "demo",
        wall_s=median(small, "wall"),
        cpu_s=median(small, "cpu"),
        rounds=len(small),
        detail=f"{imports}imports {'' if 'pandas' in taken else 'no '}pandas",
    )
    made = bench.tenth
    ways = {"R": bench.way("R", made, bench.empty), "check": bench.way("check", made, bench.empty)}
    found = bench.compare(ways)
    base = Result("check", "evalcore check, whole process", made.name, unit="R")
    yield against(base, found["check"], found["R"])


def growth(bench: Bench) -> Iterator[Result]:
    """Ten times the data: how much more time than ten times R's own growth."""
    small = bench.tenth
    few, many = bench.openings(small), bench.openings(bench.main, text=NEEDLE)
    ours, reference, ours_cpu, reference_cpu = (
        median(many[way], field) / median(few[way], field)
        for field in ("wall", "cpu")
        for way in ("first open", "R")
    )
    yield Result(
        "growth",
        "first open, data × 10",
        f"{small.name} ×10",
        unit="R's growth",
        ratio=ours / reference,
        cpu_ratio=ours_cpu / reference_cpu,
        target=1.1,
        rounds=min(len(few["R"]), len(many["R"])),
        detail=f"× {ours:.1f}, R × {reference:.1f}; by CPU × {ours_cpu:.1f}, "
        f"R × {reference_cpu:.1f}",
    )


def families(bench: Bench) -> Iterator[Result]:
    """First open and re-open of a workspace of each other family."""
    for family in FAMILIES:
        made = bench.made(family, bench.sizes.others)
        found = bench.openings(made)
        base = Result("families", "first open, index written", made.name, unit="R", target=1.3)
        yield against(base._replace(ambition=0.75), found["first open"], found["R"])
        yield _reopened(bench, made)._replace(row="families")


Row = Callable[[Bench], Iterator[Result]]

# In the order of importance: what the time does not suffice for is at the end.
ROWS: dict[str, Row] = {
    "open": first_open,
    "reopen": reopen,
    "changed": changed,
    "memory": memory,
    "search": search,
    "aggregates": aggregates,
    "pages": page_rows.pages,
    "history": page_rows.history,
    "pictures": picture_rows.pictures,
    "report": picture_rows.report,
    "bundle": picture_rows.bundle,
    "check": check,
    "commands": start_rows.commands,
    "start": start_rows.start,
    "run": running_rows.running,
    "people": people_rows.people,
    "growth": growth,
    "inspect": peer_rows.inspect_ai,
    "skill-creator": peer_rows.skill_creator,
    "real": real_rows.real,
    "cluster": cluster_rows.cluster,
    "families": families,
    "between": changed_between,
}


def tidy(store: Store) -> None:
    """Remove indexes and what was written for peers; the workspaces stay for the next time."""
    store.clear("*index*")
    store.clear("*-in-one")
    for file in (*store.base.glob("*.eval"), *store.base.glob("*.texts")):
        file.unlink()
