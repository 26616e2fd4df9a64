"""A judge's queue: the open run, the next one, and how many are left."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from evalcore.judging.model import REVIEW, STATES, Entry, Queue, State
from evalcore.views.blocks.base import PanelData
from evalcore.views.words import wording

TO_DO: Final[tuple[State, ...]] = ("pending", "draft")
ALWAYS: Final = frozenset(STATES) - {"cannot be judged"}
"""The states that have a filter even where no run is in them."""
MAX_NAME: Final = 80
MAX_SHOWN: Final = 6
ALL_JUDGED: Final = "Every run that can be judged has your scores."
NONE_CAN: Final = "No run of this suite can be judged."
NO_RUNS: Final = "Runs appear here once gradings or outputs with criteria are in the folder."
DIGITS: Final = 7
HINTS: Final[Mapping[State, str]] = {
    "pending": "Runs without your scores",
    "draft": "Runs that you began and have not stored",
    "submitted": "Runs that you judged",
    "skipped": "Runs that you passed over",
    "needs another judge": "Runs that you judged and that need another judge",
    "cannot be judged": "Runs whose output is not saved",
}

WORDS: Final[Mapping[str, str]] = {
    REVIEW: "to review",
    "independent": "independent batch",
    "requested": "sent to judging",
    "stale": "scores out of date",
    "disagreement": "people disagree",
    "votes": "split votes",
    "flipped": "flipped verdict",
    "mark": "close to the pass mark",
    "sample": "random spot check",
    "rule": "rule against judge",
    "unscored": "no score by the judge",
    "confidence": "unsure judge",
    "hedging": "hedging words",
    "empty": "no output saved",
}
"""What a reason is called where runs are filtered by it."""


class View(NamedTuple):
    """The address parameters: the open run, the filters, and the open output."""

    run: str | None = None
    state: State | None = None
    reason: str | None = None
    file: str | None = None
    part: int = 1

    def parameters(self) -> dict[str, str | None]:
        """Return this view as address parameters; None takes one out."""
        part = str(self.part) if self.part > 1 else None
        return {
            "run": self.run,
            "state": self.state,
            "reason": self.reason,
            "file": self.file,
            "part": part,
        }

    def at(self, run: str | None) -> "View":
        """Return this view with another run open."""
        return self._replace(run=run, file=None, part=1)


def view_of(query: Mapping[str, str]) -> View:
    """Return the view of an address; invalid parameters are ignored."""
    state = next((each for each in STATES if each == query.get("state")), None)
    part = query.get("part", "")
    return View(
        query.get("run") or None,
        state,
        query.get("reason") or None,
        query.get("file") or None,
        int(part) if part.isascii() and part.isdigit() and len(part) < DIGITS else 1,
    )


def listed(queue: Queue, view: View) -> tuple[Entry, ...]:
    """Return the entries that match the filters."""
    return tuple(
        entry
        for entry in queue.entries
        if view.state in (None, entry.state) and _has(queue, entry, view.reason)
    )


def _has(queue: Queue, entry: Entry, reason: str | None) -> bool:
    if reason == REVIEW:
        return entry.run_id in queue.review
    return reason is None or reason in entry.why


def resumed(queue: Queue, view: View, drafts: Sequence[str] = ()) -> str | None:
    """Return the run to open: the requested one, else the last draft, else the first to do.

    `drafts` are run ids, the last one first. None if no run matches the filters.
    """
    entries = listed(queue, view)
    known = {entry.run_id: entry for entry in queue.entries}
    if view.run in known:
        return view.run
    if view.state not in (None, *TO_DO):
        return entries[0].run_id if entries else None
    inside = {entry.run_id for entry in entries if entry.state == "draft"}
    last = next((run for run in drafts if run in inside), None)
    return last or next((entry.run_id for entry in entries if entry.state in TO_DO), None)


def following(queue: Queue, view: View, run: str) -> str | None:
    """Return the run to judge after the given one: the following ones, then from the start."""
    order = {entry.run_id: at for at, entry in enumerate(queue.entries)}
    start = order.get(run, -1)
    left = [
        order[entry.run_id]
        for entry in listed(queue, view)
        if entry.state in TO_DO and entry.run_id != run
    ]
    onward = next((at for at in left if at > start), None)
    at = onward if onward is not None else next(iter(left), None)
    return None if at is None else queue.entries[at].run_id


def head_block(queue: Queue, view: View, run: str | None) -> PanelData:
    """Describe the position in the queue, the counts as filters, and the targets of the arrows."""
    entries = listed(queue, view)
    runs = [entry.run_id for entry in entries]
    at = runs.index(run) if run in runs else None
    left = sum(queue.counts.get(state, 0) for state in TO_DO)
    states = Counter(entry.state for entry in listed(queue, view._replace(state=None)))
    what = "this list" if view.state or view.reason else "the queue"
    return {
        "position": wording.position_of(at + 1, len(runs))
        if at is not None
        else _unplaced(runs, run),
        "left": f"{left:,} left" if left else "nothing left",
        "counts": [
            {
                "key": state,
                "label": state,
                "n": states[state],
                "on": state == view.state,
                "hint": HINTS[state],
            }
            for state in STATES
            if state in ALWAYS or queue.counts.get(state) or state == view.state
        ],
        "reasons": reasons_block(queue, view),
        "prev": runs[at - 1] if at else None,
        "next": runs[at + 1] if at is not None and at + 1 < len(runs) else _first(runs, at),
        "first": f"This is the first run of {what}.",
        "last": f"This is the last run of {what}.",
    }


def _unplaced(runs: Sequence[str], run: str | None) -> str:
    return wording.count(len(runs), "run") if run is None else "not in this list"


def _first(runs: Sequence[str], at: int | None) -> str | None:
    """Return the first run if the open one is not in the list."""
    return runs[0] if at is None and runs else None


def reasons_block(queue: Queue, view: View) -> list[PanelData]:
    """Return the reasons as filters, those to review first, each with what it would list."""
    entries = listed(queue, view._replace(reason=None))
    counted = Counter(name for entry in entries for name in entry.why)
    if review := sum(entry.run_id in queue.review for entry in entries):
        counted[REVIEW] = review
    if view.reason is not None:
        counted.setdefault(view.reason, 0)
    return [
        {"key": name, "text": WORDS.get(name, name[:MAX_NAME]), "n": n, "on": name == view.reason}
        for name, n in sorted(counted.items(), key=lambda pair: (pair[0] != REVIEW, -pair[1]))
    ]


def entry_of(queue: Queue, run: str | None) -> Entry | None:
    """Return the entry of a run."""
    return next((entry for entry in queue.entries if entry.run_id == run), None)


def entry_block(entry: Entry) -> PanelData:
    """Describe the queue entry of one run."""
    return {"state": entry.state, "reasons": list(entry.reasons[:MAX_SHOWN])}


def end_block(queue: Queue, view: View) -> PanelData:
    """Describe the end of the queue: what was done and what to do next."""
    total = len(queue.entries)
    if not total:
        return _end("There is no run to judge in this suite yet.", [NO_RUNS], [])
    counts = {state: queue.counts.get(state, 0) for state in STATES}
    left = sum(counts[state] for state in TO_DO)
    if left and (view.state or view.reason):
        return _end("No run is inside these filters.", [_waiting(left)], _links(counts))
    cannot = counts["cannot be judged"]
    if cannot == total:
        return _end(NONE_CAN, [_unsaved(cannot)], _links(counts))
    mine = counts["submitted"] + counts["needs another judge"]
    lines = [f"You judged {mine:,} of {wording.count(total, 'run')} in this suite."]
    if counts["skipped"]:
        lines.append(_skipped(counts["skipped"]))
    if counts["needs another judge"]:
        lines.append(_others(counts["needs another judge"]))
    if cannot:
        lines.append(_unsaved(cannot))
    whole = counts["submitted"] + cannot == total
    title = ALL_JUDGED if whole else "Nothing is left for you to judge now."
    lines.append("Agreement shows how your scores go with those of others.")
    return _end(title, lines, _links(counts))


def _end(title: str, lines: list[str], links: list[PanelData]) -> PanelData:
    return {"title": title, "lines": lines, "links": links}


def _waiting(left: int) -> str:
    verb = "waits" if left == 1 else "wait"
    return f"{wording.count(left, 'run')} outside of them still {verb} for your scores."


def _unsaved(amount: int) -> str:
    return f"No output is saved of {wording.count(amount, 'run')}: nothing to judge by."


def _skipped(amount: int) -> str:
    has = "has" if amount == 1 else "have"
    return f"{wording.count(amount, 'run')} that you skipped {has} no score of yours."


def _others(amount: int) -> str:
    waits = "waits" if amount == 1 else "wait"
    return f"{wording.count(amount, 'run')} that you judged {waits} for another judge."


def _links(counts: Mapping[State, int]) -> list[PanelData]:
    words = {
        "pending": "to judge",
        "draft": "begun",
        "submitted": "that I judged",
        "skipped": "that I skipped",
        "needs another judge": "that need another judge",
        "cannot be judged": "that cannot be judged",
    }
    return [
        {"state": state, "label": f"show the {n:,} {words[state]}"}
        for state, n in counts.items()
        if n
    ]
