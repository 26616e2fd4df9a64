"""Judge runs from one folder and look for the judgments from others: they stay with their runs.

The same files are opened as a whole and in parts, renamed and moved. What a run is in each of them
is told by its document and its place in it, not by the ids that are tested.
"""

import json
import shutil
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Final, NamedTuple
from unittest.mock import patch

from evalcore.families.base import UNATTACHED
from evalcore.families.reviews import matching
from evalcore.families.reviews.lookup import Run
from evalcore.judging.answering.submitting import submit
from evalcore.judging.asking.asked import asked
from evalcore.judging.asking.tasks import task
from evalcore.judging.model import Answer, Judge
from evalcore.judging.storing.run_reviews import reviews_of_run
from evalcore.judging.storing.stored_reviews import load_reviews, review_folder
from evalcore.workspace.opened import Workspace, open_workspace
from tests.reliability.outcome import Line

SEEDS: Final = tuple(
    Path(__file__).parents[1] / "data/seeds" / name
    for name in (
        "improve", "records", "records_sharded", "rubric", "descriptions", "iterations",
        "activation",
    )
)  # fmt: skip
"""A small workspace of each family."""

SAME_IDS: Final = ("records",)
"""Those where runs have the same ids from every folder, so that a naive reader finds them too."""

UNSURE: Final = ("iterations",)
"""Those where an older record is stale in another folder: it has one digest of a prompt and its
files, and a part of the suite knows the prompt alone. What cannot be told is judged again."""

ANA = Judge("ana-3f2a", "Ana")
TOP = "top"

Truth = tuple[str, str, int]
"""A run whatever folder is opened: its document below the top, the pointer there, which of them."""

Move = Callable[[Path], Path]
"""Renames or moves the top folder, and returns where it is now."""


class Told(NamedTuple):
    """A judgment that was acknowledged: the run it is about and the criterion."""

    run: Truth
    key: str


def roots_of(base: Path, most: int) -> list[str]:
    """Return folders of a workspace that may be opened: on the way to the runs of each suite.

    They end with the folder of a version, or the first one below the root of the suite. Those of
    the first `most` suites are returned.
    """
    tables = open_workspace(base, cache=False).tables
    places = {row.suite: str(row.root).removeprefix(".") for row in tables.suites.itertuples()}
    found = {"."}
    for suite, runs in list(tables.runs.groupby("suite", observed=True, sort=False))[:most]:
        for row in (runs.iloc[0], runs.iloc[-1]):
            way = Path(str(row["source"])).parts[:-1]
            names = [*way[len(Path(places[suite]).parts) :]]
            end = names.index(row["version"]) + 1 if row["version"] in names else 1
            most_parts = len(way) - len(names) + end
            found.update("/".join(way[:n]) for n in range(1, most_parts + 1) if way[:n])
    return sorted(found)


def other_roots(
    folder: Path,
    base: Path,
    *,
    suites: int = 100,
    each: int = 3,
    old: bool = False,
    move: Move | None = None,
    way: str = "ours",
) -> Line:
    """Judge from each root and open from all: of the first suites, `each` runs are judged.

    With `old`, the records are made what earlier versions wrote. The way `naive` finds the run of a
    record by its id alone.
    """
    total, roots = Line(_name(base, old, move, way), 0, 0), roots_of(base, suites)
    for at, root in enumerate(roots):
        top = folder / str(at) / TOP
        shutil.copytree(base, top, symlinks=True)
        (top / ".git").mkdir(exist_ok=True)
        told = _judged(top, root, each, old)
        top = move(top) if move is not None else top
        with _by_id_alone() if way == "naive" else nullcontext():
            for other in roots:
                total += _found(top, other, told)
        shutil.rmtree(folder / str(at))
    return total


def _name(base: Path, old: bool, move: Move | None, way: str) -> str:
    said = ["old records"] * old + [getattr(move, "__name__", "")]
    return f"other roots of {', '.join(filter(None, [base.name, *said]))} ({way})"


def renamed(top: Path) -> Path:
    """Give the top folder another name."""
    return top.rename(top.with_name("another name"))


def moved(top: Path) -> Path:
    """Move the top folder to another place, three folders deeper."""
    there = top.parent / "a/b/c"
    there.mkdir(parents=True)
    return top.rename(there / top.name)


def _judged(top: Path, root: str, each: int, old: bool) -> dict[str, Told]:
    """Judge some runs of each suite below a root; return what was said by the ids of records."""
    ws = open_workspace(top / root, cache=False)
    found: dict[str, Told] = {}
    truths = _truths(ws, top)
    for suite, names in _names(ws).items():
        folder = review_folder(ws, suite)
        for name in names[:: max(1, len(names) // each)][:each]:
            of = task(ws, name, ANA, load_reviews(folder))
            given = [Answer(one.key, one.high, "It is.") for one in of.criteria]
            receipts = submit(ws, of, given, ANA) if given else ()
            for receipt, one in zip(receipts, of.criteria, strict=True):
                found[receipt.id] = Told(truths[name], one.key)
                if old:
                    basis = of.basis.output, of.basis.prompt, one.sha256
                    _make_old(ws.root / receipt.path, basis)
    return found


def _make_old(path: Path, basis: tuple[str | None, str | None, str]) -> None:
    """Make a record what it was before records said which run they are about."""
    value = json.loads(path.read_text("utf-8"))
    names = ("outputSha256", "promptSha256", "criterionSha256")
    value["evalcore"] = {
        name: sha for name, sha in zip(names, basis, strict=True) if sha is not None
    }
    path.write_text(json.dumps(value), "utf-8")


def _found(top: Path, root: str, told: Mapping[str, Told]) -> Line:
    """Open a folder and count what became of the judgments of the runs that lie there.

    Lost is what is not attached to its run, torn what is stale although nothing changed,
    duplicated what is attached to another run, foreign what says that it counts and does not.
    """
    ws = open_workspace(top / root, cache=False)
    truths = _truths(ws, top)
    here = set(truths.values())
    due = {name: one for name, one in told.items() if one.run in here}
    rows, runs = _rows(ws), {truth: name for name, truth in truths.items()}
    lost = torn = foreign = 0
    for name, one in due.items():
        run, status = rows.get(name, (None, "lost"))
        key = one.key if one.key in {each.key for each in asked(ws, runs[one.run])} else None
        lost += run is None or (run == runs[one.run] and key is not None and status == UNATTACHED)
        torn += status == "stale"
        foreign += status == "scored" and key is None
    others = [name for name, (run, _) in rows.items() if run is not None and name in told]
    return Line(
        "",
        len(due),
        len(due),
        lost=lost + _unseen(ws, due, runs),
        torn=torn,
        duplicated=sum(truths[rows[name][0] or ""] != told[name].run for name in others),
        foreign=foreign,
    )


def _unseen(ws: Workspace, due: Mapping[str, Told], runs: Mapping[Truth, str]) -> int:
    """Return how many judgments the judge's page does not have for their runs."""
    suites = dict(zip(ws.tables.runs["run_id"], ws.tables.runs["suite"], strict=True))
    folders = {suite: review_folder(ws, suite) for suite in set(suites.values())}
    unseen = 0
    for name, one in due.items():
        run = runs[one.run]
        mine = reviews_of_run(load_reviews(folders[suites[run]]), run).judges.get(ANA.id, {})
        unseen += name not in {chain.head.id for chain in mine.values()}
    return unseen


def _rows(ws: Workspace) -> dict[str, tuple[str | None, str]]:
    """Return run and status of each judgment in a `reviews` folder by the id of its record."""
    table = ws.tables.judgments
    table = table[table["judge"] == ANA.id]
    return {
        Path(str(source)).stem: (run if isinstance(run, str) else None, str(status))
        for source, run, status in zip(
            table["source"], table["run_id"], table["status"], strict=True
        )
    }


def _names(ws: Workspace) -> dict[str, list[str]]:
    """Return the ids of the runs of each suite."""
    runs = ws.tables.runs
    groups = runs.groupby("suite", observed=True, sort=False)["run_id"]
    return {str(suite): list(map(str, names)) for suite, names in groups}


def _truths(ws: Workspace, top: Path) -> dict[str, Truth]:
    """Return what each run of a workspace is, by its id."""
    before: Counter[tuple[str, str]] = Counter()
    found = {}
    runs = ws.tables.runs
    for name, source, at in zip(runs["run_id"], runs["source"], runs["pointer"], strict=True):
        place = (ws.root / str(source)).relative_to(top).as_posix(), str(at)
        found[str(name)] = (*place, before[place])
        before[place] += 1
    return found


def _by_id_alone() -> AbstractContextManager[object]:
    """Match records to runs as a naive reader does: by the id that they were written with."""

    def same(among: matching._Candidates, one: matching.Named) -> list[Run]:
        return [run for run in among.same_id(one) if run.id == one.id]

    return patch.object(matching, "RULES", {"id": same})
