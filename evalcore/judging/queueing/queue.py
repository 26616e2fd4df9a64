"""Which runs wait for a judge, ordered by what a minute of a person is worth."""

import hashlib
from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from operator import attrgetter
from typing import Any, Final, cast

import numpy as np

from evalcore.counting.coded import Numbers, coded
from evalcore.counting.focus import UNASSIGNED
from evalcore.counting.memo import memoize_per_workspace
from evalcore.counting.outcomes import Outcomes, outcomes
from evalcore.counting.rates import ASIDE, OUTSIDE, valued
from evalcore.families.reviews.review import Review
from evalcore.judging.asking.keys import asks, keys
from evalcore.judging.model import STATES, Entry, Judge, Queue, State
from evalcore.judging.queueing.reasons import REASONS, RECORDED, Why, recorded
from evalcore.judging.queueing.states import Standing, standing
from evalcore.judging.storing.heads import NOTHING, OfRun, by_run
from evalcore.judging.storing.record_factory import within
from evalcore.workspace.opened import Workspace

SAMPLE_SHARE: Final = 0.1
SAMPLE_LEAST: Final = 5
RUN: Final = attrgetter("run_id")
STATE: Final = attrgetter("state")
Only = Collection[str] | State | Why
"""What a queue is narrowed to: the ids of some runs, one state, or one reason."""


@dataclass(frozen=True, eq=False)
class Waiting:
    """The runs of a suite that can be asked about, and what their recorded scores say of them.

    One element a run; `why` holds which runs each recorded reason holds for. `tie` is the place of
    a run among others of the same worth, `noise` 64 bits that only its id decides. `place` is where
    a run stands here by the part of its id that follows the suite.
    """

    runs: Numbers
    ids: list[str]
    case: list[str]
    column: list[str]
    why: dict[Why, Numbers]
    worth: Numbers
    tie: Numbers
    noise: Numbers
    place: dict[str, int]


def queue(
    ws: Workspace,
    suite: str,
    judge: Judge,
    shelf: tuple[Review, ...],
    drafts: Collection[str] = frozenset(),
    only: Only | None = None,
) -> Queue:
    """Return the runs of a suite in the order in which a judge should take them.

    What somebody judges moves only that run. `drafts` are the ids of runs with a draft. `only`
    narrows it to some runs, a state or a reason; the counts are of what is left, but with a state
    of all states.

    Raises:
        UnknownName: the workspace has no such suite.
    """
    waiting, entries = waiting_runs(ws, suite), _entries(ws, suite, judge.id).copy()
    worth = _worth(ws, suite, judge.id).copy()
    gone = np.zeros(len(entries), bool)
    for at, entry in _told(ws, suite, judge.id, shelf, drafts):
        gone[at] = entry is None
        if entry is not None:
            entries[at], worth[at] = entry, entry.worth
    order = np.lexsort((waiting.tie, -worth))
    return narrowed(entries[order[~gone[order]]].tolist(), only)


def narrowed(entries: list[Entry], only: Only | None) -> Queue:
    """Return a queue of some entries, and of these only what is asked for."""
    if only is not None and not isinstance(only, str):
        runs = {within(run) for run in only}
        entries = [entry for entry in entries if within(entry.run_id) in runs]
    elif only in REASONS:
        entries = [entry for entry in entries if only in entry.why]
    counted = Counter(map(STATE, entries))
    if only in STATES:
        entries = [entry for entry in entries if entry.state == only]
    return Queue(tuple(entries), {state: counted.get(state, 0) for state in STATES})


def where(found: Queue, run_id: str) -> int | None:
    """Return the place of a run in a queue, from 0 on; None where it is not in it."""
    return next((at for at, each in enumerate(map(RUN, found.entries)) if each == run_id), None)


@memoize_per_workspace
def waiting_runs(ws: Workspace, suite: str) -> Waiting:
    """Return the runs of a suite that count in rates and can be asked about.

    Raises:
        UnknownName: the workspace has no such suite.
    """
    found = outcomes(ws, suite)
    every = found.runs.index.to_numpy()
    counts = ~np.isin(valued(ws)["end"][every], (ASIDE, OUTSIDE))
    chosen = np.flatnonzero(counts & asks(ws, suite)[every])
    runs, about = every[chosen], found.runs.iloc[chosen]
    why = {name: of[chosen] for name, of in recorded(ws, suite).items()}
    words = coded(ws, "runs", "run_id")
    ids = [words.words[code] for code in words.codes[runs].tolist()]
    names = _case_names(found)
    return Waiting(
        runs,
        ids,
        [names[case] for case in about["case"].tolist()],
        [found.columns[column].key for column in about["column"].tolist()],
        why,
        sum((REASONS[name].worth * why[name] for name in RECORDED), np.zeros(len(runs))),
        _ties(found, chosen),
        np.array([_noise(within(run)) for run in ids], np.uint64),
        {within(run): at for at, run in enumerate(ids)},
    )


def sampled(noise: Numbers, judge: str) -> Numbers:
    """Return which runs are in a judge's random sample: about one in ten, five at least.

    The same for the same runs and judge, whatever else there is.
    """
    mixed = _mixed(noise ^ np.uint64(_noise(judge)))
    chosen: Numbers = mixed < np.uint64(int(SAMPLE_SHARE * 2**64))
    chosen[np.argsort(mixed, kind="stable")[:SAMPLE_LEAST]] = True
    return chosen


@memoize_per_workspace
def _worth(ws: Workspace, suite: str, judge: str) -> Numbers:
    waiting = waiting_runs(ws, suite)
    worth: Numbers = waiting.worth + REASONS["sample"].worth * sampled(waiting.noise, judge)
    return worth


@memoize_per_workspace
def _entries(ws: Workspace, suite: str, judge: str) -> Any:
    """Return the entries of runs that nobody said anything of, in the order of `Waiting`."""
    waiting = waiting_runs(ws, suite)
    why = waiting.why | {"sample": sampled(waiting.noise, judge)}
    order = sorted(why, key=lambda name: -REASONS[name].worth)
    bits = sum(why[name].astype(np.int64) << at for at, name in enumerate(order))
    known = {
        code: tuple(name for at, name in enumerate(order) if code >> at & 1)
        for code in np.unique(bits).tolist()
    }
    words = {code: tuple(REASONS[name].words for name in names) for code, names in known.items()}
    found = np.empty(len(waiting.ids), object)
    found[:] = [
        Entry(run, case, column, "pending", worth, words[code], known[code])
        for run, case, column, worth, code in zip(
            waiting.ids,
            waiting.case,
            waiting.column,
            _worth(ws, suite, judge).tolist(),
            np.asarray(bits).tolist(),
            strict=True,
        )
    ]
    return found


def _told(
    ws: Workspace,
    suite: str,
    judge: str,
    shelf: tuple[Review, ...],
    drafts: Collection[str],
) -> Iterator[tuple[int, Entry | None]]:
    """Yield the runs that people said something of, with their entries; None: left out."""
    waiting, plain = waiting_runs(ws, suite), _entries(ws, suite, judge)
    said, typed, known = by_run(shelf), {within(run) for run in drafts}, _known(ws, suite, judge)
    asked, stale = keys(ws, suite), stale_records(ws)
    for name in (*said, *(typed - said.keys())):
        at, run, draft = waiting.place.get(name), said.get(name, NOTHING), name in typed
        if at is None:
            continue
        before = known.get(name)
        if before is None or before[0] is not run or before[1] != draft:
            wanted = asked.of(ws, int(waiting.runs[at])) if judge in run.judges else frozenset()
            stands = standing(run, judge, wanted, stale, draft)
            entry = None if run.excluded else _with(plain[at], stands)
            before = known[name] = run, draft, entry
        yield at, before[2]


@memoize_per_workspace
def _known(ws: Workspace, suite: str, judge: str) -> dict[str, tuple[OfRun, bool, Entry | None]]:
    """Return the entries of runs that people said something of, as far as they were made."""
    del ws, suite, judge
    return {}


@memoize_per_workspace
def stale_records(ws: Workspace) -> frozenset[str]:
    """Return the ids of the review records whose scores went stale, as the snapshot knows them."""
    source, status = (coded(ws, "judgments", name) for name in ("source", "status"))
    rows = np.flatnonzero(status.among({"stale"}))
    paths = (source.words[code] for code in source.codes[rows].tolist())
    return frozenset(path.rpartition("/")[2].removesuffix(".json") for path in paths)


def _with(entry: Entry, said: Standing) -> Entry:
    more = [(name, words) for name, words in said.reasons if name not in entry.why]
    pairs = [*zip(entry.why, entry.reasons, strict=True), *more]
    pairs.sort(key=lambda pair: -REASONS[cast("Why", pair[0])].worth)
    worth = entry.worth + sum(REASONS[name].worth for name, _ in more)
    return entry._replace(
        state=said.state,
        worth=worth,
        why=tuple(name for name, _ in pairs),
        reasons=tuple(words for _, words in pairs),
    )


def _ties(found: Outcomes, chosen: Numbers) -> Numbers:
    """Return the place of each run among those of the same worth: the newest column first."""
    case, column = (found.runs[name].to_numpy()[chosen] for name in ("case", "column"))
    unknown = np.array([each.version == UNASSIGNED for each in found.columns], bool)
    age = np.where(unknown, -1, np.arange(len(unknown)))
    order = np.lexsort((chosen, case, -age[column]))
    tie = np.empty(len(order), np.int64)
    tie[order] = np.arange(len(order))
    return tie


def _case_names(found: Outcomes) -> list[str]:
    ids = found.cases["case_id"].astype(str)
    if "name" not in found.cases:
        return list(ids)
    return list(found.cases["name"].astype(object).where(found.cases["name"].notna(), ids))


def _noise(text: str) -> int:
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "big")


def _mixed(bits: Numbers) -> Numbers:
    """Return numbers that look independent of each other (the finalizer of splitmix64)."""
    bits = (bits ^ (bits >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    bits = (bits ^ (bits >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    mixed: Numbers = bits ^ (bits >> np.uint64(31))
    return mixed
