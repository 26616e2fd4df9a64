"""What is open in a judge's queue, what comes next, and what its end says."""

import numpy as np

from evalcore.judging.model import STATES, Entry, Queue, State
from evalcore.views.judge.queue import (
    View,
    end_block,
    entry_of,
    following,
    head_block,
    listed,
    resumed,
)


def queue(*states: State, reasons: tuple[str, ...] = ()) -> Queue:
    """Return a queue of runs r1, r2, … in these states."""
    entries = tuple(
        Entry(f"r{n}", f"case {n}", "v1", state, 1.0 / n, ("said",), reasons if n == 1 else ())
        for n, state in enumerate(states, 1)
    )
    described = np.empty(len(entries), object)
    described[:] = entries
    return Queue(
        order=np.arange(len(entries)),
        counts={state: states.count(state) for state in STATES},
        described=described,
        kinds=tuple((entry.state, entry.why) for entry in entries),
        kind=np.arange(len(entries)),
        review=np.zeros(len(entries), bool),
        numbers={entry.run_id: at for at, entry in enumerate(entries)},
    )


def test_an_address_asks_for_a_run_filters_and_a_file() -> None:
    """What it cannot mean is left out."""
    asked = {"run": "r1", "state": "pending", "reason": "votes", "file": "a.md", "part": "3"}
    assert View.of(asked) == View("r1", "pending", "votes", "a.md", 3)
    assert View.of({"state": "gone", "part": "-1"}) == View()


def test_a_view_goes_back_into_the_address() -> None:
    """The first part of a file needs no mention."""
    assert View("r1", "draft", part=1).parameters() == {
        "run": "r1",
        "state": "draft",
        "reason": None,
        "file": None,
        "part": None,
    }
    assert View("r1", file="a.md", part=2).at("r2") == View("r2")


def test_the_run_of_the_address_is_opened_whatever_its_state() -> None:
    """A link to a run that was judged shows it."""
    assert resumed(queue("pending", "submitted"), View("r2")) == "r2"


def test_without_a_run_the_last_draft_is_resumed() -> None:
    """Then the first that waits; a draft without its run in the queue is no place to go."""
    found = queue("submitted", "pending", "draft", "draft")
    assert resumed(found, View(), ("gone", "r4", "r3")) == "r4"
    assert resumed(queue("skipped", "pending"), View()) == "r2"


def test_nothing_is_opened_when_nothing_is_left() -> None:
    """Skipped runs are not forced on anybody, unless they are asked for."""
    found = queue("submitted", "skipped")
    assert resumed(found, View()) is None
    assert resumed(found, View(state="skipped")) == "r2"
    assert resumed(found, View("unknown")) is None


def test_the_next_run_is_onward_and_then_from_the_start() -> None:
    """What was passed by is come back to."""
    found = queue("pending", "submitted", "pending", "submitted")
    assert following(found, View(), "r2") == "r3"
    assert following(found, View(), "r4") == "r1"
    assert following(queue("submitted"), View(), "r1") is None


def test_filters_narrow_by_state_and_by_reason() -> None:
    """Both at once."""
    found = queue("pending", "pending", "draft", reasons=("votes",))
    assert listed(found, View(state="pending")).tolist() == [0, 1]
    assert listed(found, View(reason="votes")).tolist() == [0]
    assert listed(found, View(state="draft", reason="votes")).tolist() == []


def test_the_head_says_the_place_and_counts_every_state() -> None:
    """A state that nothing is in has the count 0."""
    head = head_block(queue("submitted", "pending", "draft"), View(), "r2")
    assert head["position"] == "2 of 3"
    assert head["left"] == "2 left"
    assert [(item["key"], item["n"]) for item in head["counts"]] == [
        ("pending", 1),
        ("draft", 1),
        ("submitted", 1),
        ("skipped", 0),
        ("needs another judge", 0),
    ]
    assert (head["prev"], head["next"]) == ("r1", "r3")


def test_the_head_leads_into_a_list_that_the_open_run_is_not_in() -> None:
    """It says so, and the arrow leads onto the first of the list."""
    head = head_block(queue("submitted", "pending"), View(state="pending"), "r1")
    assert head["position"] == "not in this list"
    assert (head["prev"], head["next"]) == (None, "r2")


def test_reasons_are_offered_as_filters_with_their_counts() -> None:
    """The chosen one stays there when nothing has it any more."""
    head = head_block(queue("pending", reasons=("votes",)), View(), "r1")
    assert head["reasons"] == [{"key": "votes", "text": "split votes", "n": 1, "on": False}]
    gone = head_block(queue("pending"), View(reason="old"), None)
    assert gone["reasons"] == [{"key": "old", "text": "old", "n": 0, "on": True}]


def test_the_end_says_what_was_done() -> None:
    """Every run has my scores, and none waits for anybody."""
    end = end_block(queue("submitted", "submitted"), View())
    assert end["title"] == "Every run that can be judged has your scores."
    assert end["lines"][0] == "You judged 2 of 2 runs in this suite."


def test_the_end_never_says_that_all_is_done_when_it_is_not() -> None:
    """Skipped runs and those that wait for others are named, with a way to them."""
    end = end_block(queue("submitted", "skipped", "needs another judge"), View())
    assert end["title"] == "Nothing is left for you to judge now."
    assert end["lines"][:3] == [
        "You judged 2 of 3 runs in this suite.",
        "1 run that you skipped has no score of yours.",
        "1 run that you judged waits for another judge.",
    ]
    assert [door["state"] for door in end["links"]] == [
        "submitted",
        "skipped",
        "needs another judge",
    ]


def test_a_suite_without_any_output_is_not_called_judged() -> None:
    """Nobody judged it, and nobody can; the runs are one press away all the same."""
    end = end_block(queue("cannot be judged", "cannot be judged"), View())
    assert end["title"] == "No run of this suite can be judged."
    assert end["lines"] == ["No output is saved of 2 runs: nothing to judge by."]
    assert [door["state"] for door in end["links"]] == ["cannot be judged"]


def test_an_empty_filter_is_not_the_end() -> None:
    """What still waits outside of it is counted."""
    end = end_block(queue("pending", "pending"), View(state="skipped"))
    assert end["title"] == "No run is inside these filters."
    assert end["lines"] == ["2 runs outside of them still wait for your scores."]


def test_a_suite_without_runs_says_what_would_bring_some() -> None:
    """There is nothing to judge, and nothing was judged."""
    end = end_block(queue(), View())
    assert end["title"] == "There is no run to judge in this suite yet."
    assert entry_of(queue(), None) is None
