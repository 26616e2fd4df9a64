"""A judge's queue: the open run, the next one, and how many are left."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from evalcore.counting.coded import Numbers
from evalcore.judging.model import REVIEW, STATES, Entry, Queue, State
from evalcore.views.blocks.address import Address, choice, nonempty, number, parameter
from evalcore.views.blocks.base import PanelData
from evalcore.views.words import wording

TO_DO: Final[tuple[State, ...]] = ("pending", "draft")
ALWAYS: Final = frozenset(STATES) - {"cannot be judged"}
"""The states that have a filter even where no run is in them."""
MAX_NAME: Final = 80
ALL_JUDGED: Final = "Every run that can be judged has your scores."
NONE_CAN: Final = "No run of this suite can be judged."
NO_RUNS: Final = "Runs appear here once gradings or outputs with criteria are in the folder."
STATE_WORDS: Final[Mapping[State, tuple[str, str]]] = {
    "pending": ("Runs without your scores", "to judge"),
    "draft": ("Runs that you began and have not stored", "begun"),
    "submitted": ("Runs that you judged", "that I judged"),
    "skipped": ("Runs that you passed over", "that I skipped"),
    "needs another judge": (
        "Runs that you judged and that need another judge",
        "that need another judge",
    ),
    "cannot be judged": ("Runs whose output is not saved", "that cannot be judged"),
}
"""What is said of the runs in a state: beside the filter, and after `show the 3`."""
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


@dataclass(frozen=True)
class View(Address):
    """The address parameters: the open run, the filters, and the open output."""

    run: str | None = parameter("run", nonempty)
    state: State | None = choice("state", STATES)
    reason: str | None = parameter("reason", nonempty)
    file: str | None = parameter("file", nonempty)
    part: int = number("part", 1)

    def at(self, run: str | None) -> "View":
        """Return this view with another run open."""
        return replace(self, run=run, file=None, part=1)


def listed(queue: Queue, view: View) -> Numbers:
    """Return the positions of the entries that match the filters."""

    def matches(state: State, why: tuple[str, ...]) -> bool:
        return view.state in (None, state) and view.reason in (None, REVIEW, *why)

    found = queue.kept(matches)
    return queue.reviewed(found) if view.reason == REVIEW else found


def resumed(queue: Queue, view: View, drafts: Sequence[str] = ()) -> str | None:
    """Return the run to open: the requested one, else the last draft, else the first to do.

    `drafts` are run ids, the last one first. None if no run matches the filters.
    """
    if view.run is not None and queue.place(view.run) is not None:
        return view.run
    places = listed(queue, view)
    if view.state not in (None, *TO_DO):
        return _run_at(queue, places)
    begun = listed(queue, replace(view, state="draft")) if view.state != "pending" else places[:0]
    last = next((run for run in drafts if queue.place(run) in begun), None)
    return last or _run_at(queue, _to_do(queue, view))


def following(queue: Queue, view: View, run: str) -> str | None:
    """Return the run to judge after the given one: the following ones, then from the start."""
    at = queue.place(run)
    here = -1 if at is None else at
    left = _to_do(queue, view)
    return _run_at(queue, left[left > here]) or _run_at(queue, left[left != here])


def _to_do(queue: Queue, view: View) -> Numbers:
    """Return the positions of the entries that match the filters and wait for the judge."""
    places = listed(queue, view)
    return places[np.isin(places, queue.kept(lambda state, _: state in TO_DO))]


def _run_at(queue: Queue, places: Numbers) -> str | None:
    """Return the run at the first of some positions, None without any."""
    return queue.entry(places[0]).run_id if len(places) else None


def head_block(queue: Queue, view: View, run: str | None) -> PanelData:
    """Describe the position in the queue, the counts as filters, and the targets of the arrows.

    Reasons are filters too, those to review first. Where the open run is not in the list, the next
    one is the first of it.
    """
    places, here = listed(queue, view), queue.place(run)
    at = next(iter(np.flatnonzero(places == here).tolist()), None)
    left = sum(queue.counts.get(state, 0) for state in TO_DO)
    states = queue.states(listed(queue, replace(view, state=None)))
    of_any_reason = listed(queue, replace(view, reason=None))
    reasons = queue.reasons(of_any_reason)
    if review := len(queue.reviewed(of_any_reason)):
        reasons[REVIEW] = review
    if view.reason is not None:
        reasons.setdefault(view.reason, 0)
    what = "this list" if view.state or view.reason else "the queue"
    if at is not None:
        position, onward = wording.position_of(at + 1, len(places)), places[at + 1 :]
    else:
        position = wording.count(len(places), "run") if run is None else "not in this list"
        onward = places
    return {
        "position": position,
        "left": f"{left:,} left" if left else "nothing left",
        "counts": [
            {
                "key": state,
                "label": state,
                "n": states[state],
                "on": state == view.state,
                "hint": STATE_WORDS[state][0],
            }
            for state in STATES
            if state in ALWAYS or queue.counts.get(state) or state == view.state
        ],
        "reasons": [
            {"key": why, "text": WORDS.get(why, why[:MAX_NAME]), "n": n, "on": why == view.reason}
            for why, n in sorted(reasons.items(), key=lambda one: (one[0] != REVIEW, -one[1]))
        ],
        "prev": _run_at(queue, places[at - 1 :]) if at else None,
        "next": _run_at(queue, onward),
        "first": f"This is the first run of {what}.",
        "last": f"This is the last run of {what}.",
    }


def entry_of(queue: Queue, run: str | None) -> Entry | None:
    """Return the entry of a run."""
    at = queue.place(run)
    return None if at is None else queue.entry(at)


def end_block(queue: Queue, view: View) -> PanelData:
    """Describe the end of the queue: what was done and what to do next."""
    total, n = len(queue.order), {state: queue.counts.get(state, 0) for state in STATES}
    runs = {state: wording.count(amount, "run") for state, amount in n.items()}
    left, cannot = sum(n[state] for state in TO_DO), n["cannot be judged"]
    unsaved = f"No output is saved of {runs['cannot be judged']}: nothing to judge by."
    if not total:
        title, lines = "There is no run to judge in this suite yet.", [NO_RUNS]
    elif left and (view.state or view.reason):
        wait = "waits" if left == 1 else "wait"
        waiting = f"{wording.count(left, 'run')} outside of them still {wait} for your scores."
        title, lines = "No run is inside these filters.", [waiting]
    elif cannot == total:
        title, lines = NONE_CAN, [unsaved]
    else:
        whole = n["submitted"] + cannot == total
        title = ALL_JUDGED if whole else "Nothing is left for you to judge now."
        mine = n["submitted"] + n["needs another judge"]
        lines = [f"You judged {mine:,} of {wording.count(total, 'run')} in this suite."]
        if n["skipped"]:
            has = "has" if n["skipped"] == 1 else "have"
            lines.append(f"{runs['skipped']} that you skipped {has} no score of yours.")
        if n["needs another judge"]:
            wait = "waits" if n["needs another judge"] == 1 else "wait"
            lines.append(f"{runs['needs another judge']} that you judged {wait} for another judge.")
        if cannot:
            lines.append(unsaved)
        lines.append("Agreement shows how your scores go with those of others.")
    links = [
        {"state": state, "label": f"show the {amount:,} {STATE_WORDS[state][1]}"}
        for state, amount in n.items()
        if amount
    ]
    return {"title": title, "lines": lines, "links": links if total else []}
