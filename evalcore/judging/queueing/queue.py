"""The review queue of a judge: runs to judge, the most valuable ones first."""

import hashlib
from bisect import bisect_left
from collections import ChainMap
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, cast

import numpy as np

from evalcore.counting.coded import Numbers, coded
from evalcore.counting.joined import judged_run
from evalcore.counting.memo import memoize_per_workspace
from evalcore.counting.outcomes import UNASSIGNED, Outcomes, outcomes, ungraded
from evalcore.counting.people import people_rows
from evalcore.counting.rates import ASIDE, OUTSIDE, valued
from evalcore.counting.review_rows import excluded as left_out
from evalcore.counting.review_rows import records_of_status
from evalcore.families.base import UNATTACHED
from evalcore.families.reviews.review import Review
from evalcore.ids import within
from evalcore.judging.asking.keys import asks, left
from evalcore.judging.model import STATES, Entry, Judge, Kind, Queue, State
from evalcore.judging.queueing.independent import hidden_entries
from evalcore.judging.queueing.reasons import REASONS, RECORDED, Why, recorded
from evalcore.judging.queueing.run_state import QueueState, queue_state
from evalcore.judging.storing.run_reviews import NO_REVIEWS, RunReviews, reviews_by_run
from evalcore.workspace.opened import Workspace

SAMPLE_SHARE: Final = 0.1
SAMPLE_LEAST: Final = 5
CANNOT: Final[State] = "cannot be judged"
Only = Collection[str] | State | Why
"""A filter of the queue: the ids of some runs, one state, or one reason."""


@dataclass(frozen=True, eq=False)
class Candidates:
    """The runs of a suite that can be judged, and the reasons that their recorded scores give.

    One element for each run; `why` holds which runs each recorded reason applies to. `tie` orders
    runs of the same priority, `noise` is 64 pseudo-random bits derived from the run id. `positions`
    has the position of a run here, by the part of its id after the suite.
    """

    runs: Numbers
    ids: list[str]
    case: list[str]
    column: list[str]
    why: dict[Why, Numbers]
    priority: Numbers
    tie: Numbers
    noise: Numbers
    positions: dict[str, int]


def queue(
    ws: Workspace,
    suite: str,
    judge: Judge,
    records: tuple[Review, ...],
    drafts: Collection[str] = frozenset(),
    only: Only | None = None,
    column: tuple[str | None, str | None] = (None, None),
) -> Queue:
    """Return the runs of a suite in the order in which a judge should score them.

    A new judgment moves only its own run. `drafts` are the ids of runs with a draft. `column` is a
    version and a configuration, None for all; `only` filters further, by runs, state or reason.
    Counts are those after the filters, but a state filter does not change them. Runs that cannot be
    judged come last. Runs that are hidden here come first, whatever runs are chosen: which of them
    a choice has would tell their versions.

    Raises:
        UnknownName: the workspace has no such suite.
    """
    judgeable, plain = candidates(ws, suite), _plain(ws, suite)
    described, kind, order = plain.described.copy(), plain.kind.copy(), plain.order
    kinds = {each: at for at, each in enumerate(plain.kinds)}
    moved = dict(_reviewed_entries(ws, suite, judge.id, records, drafts))
    if moved:
        for at, entry in moved.items():
            if entry is not None:
                described[at] = entry
                kind[at] = kinds.setdefault((entry.state, entry.why), len(kinds))

        def rank(at: int) -> tuple[bool, float, int]:
            entry: Entry = described[at]
            return entry.state == CANNOT, -entry.priority, int(judgeable.tie[at])

        stays = np.ones(len(described), bool)
        stays[list(moved)] = False
        order = order[stays[order]]
        back = sorted((at for at, entry in moved.items() if entry is not None), key=rank)
        order = np.insert(order, [bisect_left(order, rank(at), key=rank) for at in back], back)
    if column != (None, None):
        order = order[_in_column(ws, judgeable.runs, *column)[order]]
    if only is not None and not isinstance(only, str):
        chosen = {within(run) for run in only}
        known = [at for run, at in judgeable.positions.items() if run in chosen]
        order = order[np.isin(order, known)]
    hidden = hidden_entries(ws, suite, judge, records, drafts)
    numbers: Mapping[str, int] = judgeable.positions
    review = _to_review(ws, suite)
    if hidden:
        first = {within(entry.run_id): len(described) + at for at, entry in enumerate(hidden)}
        theirs = [kinds.setdefault((entry.state, entry.why), len(kinds)) for entry in hidden]
        order = np.append(list(first.values()), order)
        described = np.append(described, _objects(hidden))
        kind = np.append(kind, theirs)
        review = np.append(review, np.zeros(len(hidden), bool))
        numbers = ChainMap(first, judgeable.positions)
    found = Queue(order, {}, described, tuple(kinds), kind, review, numbers)
    named = only if isinstance(only, str) else None
    if named in REASONS:
        found = replace(found, order=order[found.kept(lambda _, why: named in why)])
    counted = found.states(np.arange(len(found.order)))
    found = replace(found, counts={state: counted[state] for state in STATES})
    if named in STATES:
        return replace(found, order=found.order[found.kept(lambda state, _: state == named)])
    return found


@memoize_per_workspace
def to_review(
    ws: Workspace, suite: str, version: str | None = None, configuration: str | None = None
) -> frozenset[str]:
    """Return the runs that nobody judged and whose recorded scores give a reason to judge them.

    Raises:
        UnknownName: the workspace has no such suite.
    """
    found = candidates(ws, suite)
    chosen = _to_review(ws, suite) & _in_column(ws, found.runs, version, configuration)
    return frozenset(found.ids[at] for at in np.flatnonzero(chosen).tolist())


@memoize_per_workspace
def _to_review(ws: Workspace, suite: str) -> Numbers:
    """Return which candidates are `to_review`."""
    found = candidates(ws, suite)
    judged = judged_run(ws)[people_rows(ws)]
    chosen: Numbers = ~np.isin(found.runs, judged) & ~left_out(ws)[found.runs]
    chosen &= found.priority > 0
    return chosen


def _in_column(
    ws: Workspace, runs: Numbers, version: str | None, configuration: str | None
) -> Numbers:
    """Return which runs (positions) are of a version and a configuration; None is any."""
    chosen = np.ones(len(runs), bool)
    for column, word in (("version", version), ("configuration", configuration)):
        if word is not None:
            chosen &= coded(ws, "runs", column).among({word})[runs]
    return chosen


@memoize_per_workspace
def candidates(ws: Workspace, suite: str) -> Candidates:
    """Return the runs of a suite that can be judged, and count in rates or would if graded.

    Raises:
        UnknownName: the workspace has no such suite.
    """
    found = outcomes(ws, suite)
    every = found.runs.index.to_numpy()
    counts = ~np.isin(valued(ws)["end"][every], (ASIDE, OUTSIDE)) | ungraded(ws)[every]
    chosen = np.flatnonzero(counts & asks(ws, suite)[every])
    runs, about = every[chosen], found.runs.iloc[chosen]
    why = {name: of[chosen] for name, of in recorded(ws, suite).items()}
    words = coded(ws, "runs", "run_id")
    ids = [words.words[code] for code in words.codes[runs].tolist()]
    names = _case_names(found)
    return Candidates(
        runs=runs,
        ids=ids,
        case=[names[case] for case in about["case"].tolist()],
        column=[found.columns[column].key for column in about["column"].tolist()],
        why=why,
        priority=sum(
            (REASONS[name].priority * why[name] for name in RECORDED), np.zeros(len(runs))
        ),
        tie=_ties(found, chosen),
        noise=np.array([_noise(within(run)) for run in ids], np.uint64),
        positions={within(run): at for at, run in enumerate(ids)},
    )


def sampled(noise: Numbers) -> Numbers:
    """Return which runs are in the random sample: about one in ten, five at least.

    It is the same for every judge: they meet on the same runs, and giving one's name moves nothing.
    """
    mixed = _mixed(noise)
    chosen: Numbers = mixed < np.uint64(int(SAMPLE_SHARE * 2**64))
    chosen[np.argsort(mixed, kind="stable")[:SAMPLE_LEAST]] = True
    return chosen


@memoize_per_workspace
def _priority(ws: Workspace, suite: str) -> Numbers:
    judgeable = candidates(ws, suite)
    priority: Numbers = judgeable.priority + REASONS["sample"].priority * sampled(judgeable.noise)
    return priority


@dataclass(frozen=True, eq=False)
class _Plain:
    """The entries before any review record is considered, in the order of `Candidates`.

    Its arrays are those of `Queue`.
    """

    described: Numbers
    kinds: tuple[Kind, ...]
    kind: Numbers
    order: Numbers


@memoize_per_workspace
def _plain(ws: Workspace, suite: str) -> _Plain:
    judgeable = candidates(ws, suite)
    why = judgeable.why | {"sample": sampled(judgeable.noise)}
    order = sorted(why, key=lambda name: -REASONS[name].priority)
    bits = np.zeros(len(judgeable.ids), np.int64)
    for at, name in enumerate(order):
        bits |= why[name].astype(np.int64) << at
    codes, kind = np.unique(bits, return_inverse=True)
    kinds: list[Kind] = []
    words: list[tuple[str, ...]] = []
    for code in codes.tolist():
        names = tuple(name for at, name in enumerate(order) if code >> at & 1)
        kinds.append((CANNOT if "empty" in names else "pending", names))
        words.append(tuple(REASONS[name].words for name in names))
    priority = _priority(ws, suite)
    found = [
        Entry(run, case, column, kinds[at][0], value, words[at], kinds[at][1])
        for run, case, column, value, at in zip(
            judgeable.ids,
            judgeable.case,
            judgeable.column,
            priority.tolist(),
            kind.tolist(),
            strict=True,
        )
    ]
    rank = np.lexsort((judgeable.tie, -priority, judgeable.why["empty"]))
    return _Plain(_objects(found), tuple(kinds), kind, rank)


def _objects(values: Sequence[object]) -> Numbers:
    """Return values as an array of them, also where they are sequences themselves."""
    found = np.empty(len(values), object)
    found[:] = values
    return found


def _reviewed_entries(
    ws: Workspace,
    suite: str,
    judge: str,
    records: tuple[Review, ...],
    drafts: Collection[str],
) -> Iterator[tuple[int, Entry | None]]:
    """Yield the position and entry of each run with review records or a draft; None: excluded."""
    judgeable, plain = candidates(ws, suite), _plain(ws, suite).described
    reviewed, typed, known = (
        reviews_by_run(records),
        {within(run) for run in drafts},
        _entry_cache(ws, suite, judge),
    )
    stale, aside = records_of_status(ws, "stale"), records_of_status(ws, "stale", UNATTACHED)
    for name in (*reviewed, *(typed - reviewed.keys())):
        at, run, draft = (
            judgeable.positions.get(name),
            reviewed.get(name, NO_REVIEWS),
            name in typed,
        )
        if at is None:
            continue
        before = known.get(name)
        if before is None or before[0] is not run or before[1] != draft:
            needed = judge in run.judges or run.requests
            wanted = left(ws, suite, int(judgeable.runs[at]), run) if needed else frozenset()
            stands = queue_state(run, judge, wanted, stale, aside, draft)
            entry = None if run.excluded else _with_reviews(plain[at], stands)
            before = known[name] = run, draft, entry
        yield at, before[2]


@memoize_per_workspace
def _entry_cache(
    ws: Workspace, suite: str, judge: str
) -> dict[str, tuple[RunReviews, bool, Entry | None]]:
    """Return the cache of entries of runs with review records."""
    del ws, suite, judge
    return {}


def _with_reviews(entry: Entry, found: QueueState) -> Entry:
    more = [(name, words) for name, words in found.reasons if name not in entry.why]
    pairs = [*zip(entry.why, entry.reasons, strict=True), *more]
    pairs.sort(key=lambda pair: -REASONS[cast("Why", pair[0])].priority)
    priority = entry.priority + sum(REASONS[name].priority for name, _ in more)
    plain = found.state == "pending" and not found.reasons
    return entry._replace(
        state=entry.state if plain else found.state,
        priority=priority,
        why=tuple(name for name, _ in pairs),
        reasons=tuple(words for _, words in pairs),
    )


def _ties(found: Outcomes, chosen: Numbers) -> Numbers:
    """Return the order of runs of the same priority: the newest column first."""
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
