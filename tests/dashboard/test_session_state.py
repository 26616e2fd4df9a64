"""Whoever acts again at once breaks a run off; nothing that was asked for or stored gets lost."""

import ast
from collections.abc import Iterator
from pathlib import Path
from time import monotonic
from types import SimpleNamespace
from typing import Any, cast

import pytest

from evalcore.judging.model import Judge
from pages.parts import address, forms, own_acts, session_state
from pages.parts.panels.components import Inbox, new_acts, new_draft
from tests.dashboard.live import ROOT

BREAKS_OFF = {"session_state", "query_params", "set_parameters", "take_up"}
"""What a callback must not touch: Streamlit may end the callback there, and says nothing."""


class BrokenOff(Exception):
    """What Streamlit raises at an access when the reader acted again."""


class State(dict[str, Any]):
    """A session state of which, once `again` is set, every access breaks the run off."""

    again = False
    stands_in: SimpleNamespace

    def begin(self, **values: str) -> "Query":
        """Begin another run with this address, and return it."""
        self.again, self.stands_in.query_params = False, Query(values)
        return cast("Query", self.stands_in.query_params)

    def __getitem__(self, name: str) -> Any:
        if self.again:
            raise BrokenOff
        return super().__getitem__(name)

    def __setitem__(self, name: str, value: Any) -> None:
        if self.again:
            raise BrokenOff
        super().__setitem__(name, value)

    def __contains__(self, name: object) -> bool:
        if self.again:
            raise BrokenOff
        return super().__contains__(name)

    def to_dict(self) -> dict[str, Any]:
        """Return a copy, which is never broken off."""
        return {name: dict.__getitem__(self, name) for name in self.keys()}


@pytest.fixture
def state(monkeypatch: pytest.MonkeyPatch) -> State:
    """Stand in for the session of a reader."""
    found = State()
    stands_in = SimpleNamespace(session_state=found, query_params=Query({"w": "s", "suite": "a"}))
    monkeypatch.setattr(session_state, "st", stands_in)
    monkeypatch.setattr(address, "st", stands_in)
    found.stands_in = stands_in
    return found


class Query(dict[str, str]):
    """The address of a run, as the browser had it when the reader acted."""

    def from_dict(self, values: dict[str, str | list[str]]) -> None:
        """Write these parameters and no others."""
        self.clear()
        for name, value in values.items():
            self[name] = value[-1] if isinstance(value, list) else value

    def get_all(self, name: str) -> list[str]:
        """Return every value of a parameter."""
        return [self[name]]


def test_a_click_on_a_form_is_answered_although_a_second_click_follows(
    state: State, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both clicks store one record, and the answer to it stands there."""
    monkeypatch.setattr(forms, "here", lambda: Judge("ana-1", "Ana"))
    stored = []

    def act(sent: forms.Sent) -> str:
        assert not sent.ticked
        stored.append((sent.text, sent.judge.id, sent.submission))
        return "It is left out."

    form = forms.Form("out", "a run", "Leave it out", act, "Why")
    session_state.session_object(own_acts.OwnActs)  # as the frame of every page does
    submission = form.submission
    state[f"aside-text-{submission}"] = "The network was down."
    state.again = True
    form.clicked(submission)
    form.clicked(submission)
    assert stored == [("The network was down.", "ana-1", submission)]
    assert session_state.session_object(forms._FormState).reply == ("a run", "It is left out.")
    assert own_acts.waits_for_own()
    state.again = False
    assert form.submission != submission


def test_what_was_asked_for_is_written_until_the_browser_knows_of_it(state: State) -> None:
    """The next acts come with addresses that know nothing of the ones before."""
    address.apply_changes("Gradings")
    state.again = True
    address.change_address(q="tax", page=None)
    first = state.begin(w="s", suite="a", page="3")
    address.apply_changes("Gradings")
    assert first == {"w": "s", "suite": "a", "q": "tax"}
    address.set_parameters(run="a::7")
    second = state.begin(w="s", suite="a", page="3")
    address.change_address(filter="failing")
    address.apply_changes("Gradings")
    assert second == {"w": "s", "suite": "a", "q": "tax", "filter": "failing"}
    state.begin(w="s", suite="a", q="tax", filter="failing")
    address.apply_changes("Gradings")
    reset = state.begin(w="s", suite="a")
    address.apply_changes("Gradings")
    assert reset == {"w": "s", "suite": "a"}


@pytest.mark.parametrize("sent", [{}, {"suite": "a"}])
def test_what_was_asked_is_written_though_the_page_filled_in_the_suite(
    state: State, sent: dict[str, str]
) -> None:
    """The first address named none; the next act may come before or after the browser knows."""
    first = state.begin(w="s")
    address.apply_changes("Gradings")
    address.fill_in(w="s", suite="a")
    assert first == {"w": "s", "suite": "a"}
    address.change_address(q="tax")
    second = state.begin(w="s", **sent)
    address.apply_changes("Gradings")
    assert second == {"w": "s", "q": "tax"} | sent


def test_a_suite_that_was_filled_in_ends_the_request_that_named_none(state: State) -> None:
    """The first suite of another workspace is in the address, and the next link is followed."""
    address.apply_changes("Gradings")
    address.replace_address(w="other")
    state.begin(w="s", suite="a")
    address.apply_changes("Gradings")
    address.fill_in(w="other", suite="b")
    address.settle_address()
    followed = state.begin(w="other", suite="b", filter="failing")
    address.apply_changes("Gradings")
    assert followed == {"w": "other", "suite": "b", "filter": "failing"}


def test_what_the_page_made_of_it_is_written_instead(state: State) -> None:
    """A wish that cannot be met is not written again and again over what is shown."""
    address.apply_changes("Judge")
    address.change_address(run="gone")
    state.begin(w="s", suite="a")
    address.apply_changes("Judge")
    address.set_parameters(run="a::1")
    again = state.begin(w="s", suite="a", run="a::1", state="draft")
    address.apply_changes("Judge")
    assert again == {"w": "s", "suite": "a", "run": "a::1", "state": "draft"}


@pytest.mark.parametrize(("ticks", "kept_on"), [(1, True), (2, False)])
def test_a_look_from_the_browser_settles_it(state: State, ticks: int, kept_on: bool) -> None:
    """The first look is drawn by the run that wrote it, the second one comes from the browser."""
    address.apply_changes("Gradings")
    address.change_address(q="tax")
    address.apply_changes("Gradings")
    for _ in range(ticks):
        address.settle_address()
    reset = state.begin(w="s", suite="a")
    address.apply_changes("Gradings")
    assert ("q" in reset) is kept_on


def test_a_run_that_was_broken_off_may_ask_for_more_while_the_next_one_goes_on(
    state: State, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The next one begins again where it would have written over it, or at the browser's look."""
    thread = 1
    monkeypatch.setattr(address, "get_ident", lambda: thread)
    state.stands_in.rerun = again
    address.apply_changes("Gradings")
    address.change_address(q="tax")
    thread = 2
    address.apply_changes("Gradings")
    thread = 1
    address.change_address(filter="failing")
    thread = 2
    with pytest.raises(BrokenOff):
        address.set_parameters(q="tax", filter=None)
    with pytest.raises(BrokenOff):
        address.settle_address()
    third = state.begin(w="s", suite="a")
    address.apply_changes("Gradings")
    address.settle_address()
    assert third == {"w": "s", "suite": "a", "q": "tax", "filter": "failing"}


@pytest.mark.parametrize(
    ("named", "drawn_anew"),
    [({"w": "s", "suite": "b"}, True), ({"w": "s", "suite": "a"}, False), ({"w": "s"}, False)],
)
def test_a_browser_whose_address_names_another_suite_is_shown_that(
    state: State, named: dict[str, str], drawn_anew: bool
) -> None:
    """What a page wrote before the reader went back; a suite that is filled in is not another."""
    drawn: list[str] = []
    state.stands_in.rerun = lambda **asked: drawn.append(asked["scope"])
    address.apply_changes("Gradings")
    shown = address.place()
    state.begin(**named)
    address.follow_address(shown)
    assert drawn == ["app"] * drawn_anew


def test_a_choice_that_the_browser_has_yet_to_learn_of_is_not_drawn_twice(state: State) -> None:
    """Its address still names the suite before."""
    address.apply_changes("Gradings")
    address.replace_address(w="s", suite="b")
    address.apply_changes("Gradings")
    shown = address.place()
    state.begin(w="s", suite="a")
    state.stands_in.rerun = again
    address.settle_address()
    address.follow_address(shown)
    assert shown == ("s", "b")


def again(**_: str) -> None:
    """Begin the page anew."""
    raise BrokenOff


def test_a_browser_that_never_knew_of_it_went_elsewhere(
    state: State, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After a minute its address is what the reader wants."""
    address.apply_changes("Gradings")
    address.change_address(q="tax")
    monkeypatch.setattr(address, "monotonic", lambda: monotonic() + 61)
    later = state.begin(w="s", suite="a")
    address.apply_changes("Gradings")
    assert later == {"w": "s", "suite": "a"}


@pytest.mark.parametrize(
    ("page", "there"),
    [("Compare", {"w": "s", "suite": "a"}), ("Gradings", {"w": "s", "suite": "b"})],
)
def test_what_was_asked_for_elsewhere_is_not_written_here(
    state: State, page: str, there: dict[str, str]
) -> None:
    """A search in one suite or page is none in another one that a link leads to meanwhile."""
    address.apply_changes("Gradings")
    address.change_address(q="tax")
    address.apply_changes("Gradings")
    elsewhere = state.begin(**there)
    address.apply_changes(page)
    assert elsewhere == there


def test_another_suite_is_chosen_although_the_run_is_broken_off(state: State) -> None:
    """Nothing of the old suite stays; the address may or may not know of the new one already."""
    address.apply_changes("Gradings")
    address.replace_address(w="s", suite="b")
    address.apply_changes("Gradings")
    for asked in ({"w": "s", "suite": "a", "q": "tax"}, {"w": "s", "suite": "b"}):
        again = state.begin(**asked)
        address.apply_changes("Gradings")
        assert again == {"w": "s", "suite": "b"}


def test_a_widget_that_has_the_value_is_left_alone(state: State) -> None:
    """What a run writes goes over what was typed since it began."""
    assert session_state.shown_key("search", "") == "search"
    state["search"] = "typed by the reader"
    state.again = True
    assert session_state.shown_key("search", "typed by the reader") == "search"
    assert state.to_dict()["search"] == "typed by the reader"


def test_what_a_browser_still_sends_of_a_former_widget_is_no_choice(state: State) -> None:
    """It has not drawn the new value, so it sends the old one with whatever happens there."""
    chosen: list[str] = []
    former = session_state.shown_key("side", "iteration-1")
    state[former] = "iteration-1"
    assert session_state.shown_key("side", "iteration-1") == former
    sent = session_state.if_shown(former, chosen.append)
    now = session_state.shown_key("side", "iteration-2")
    sent()
    assert (chosen, now) == ([], "side-1")
    state[now] = "iteration-3"
    session_state.if_shown(now, chosen.append)()
    assert chosen == ["iteration-3"]
    assert session_state.shown_key("side", "iteration-3") == now


def test_a_widget_that_this_session_does_not_know_any_more_is_a_new_one(state: State) -> None:
    """The browser may still know what it showed when its page was left."""
    left = session_state.shown_key("side", "iteration-1")
    state[left] = "iteration-1"
    del state[left]
    assert session_state.shown_key("side", "iteration-2") != left


def test_each_act_of_a_panel_is_done_once_in_its_order() -> None:
    """The newest acts travel again with each message, as the one before may not have arrived."""
    heard = Inbox()
    first, second = {"filter": "failing", "seq": "w-1"}, {"tab": 4, "seq": "w-2"}
    heard.receive({"acts": [first]})
    heard.receive({"acts": [first, second]})
    heard.receive({"acts": [first, second]})
    assert list(heard.acts) == [first, second]


def test_a_run_that_was_replaced_takes_no_act_from_the_newer_one(state: State) -> None:
    """A click that arrives while the page is drawn is done by the run that it began."""
    heard = session_state.session_object(Inbox)
    heard.receive({"link": "gradings", "seq": "w-1"})
    heard.draft = {"why": "half a sentence"}
    state.again = True
    with pytest.raises(BrokenOff):
        next(new_acts())
    with pytest.raises(BrokenOff):
        new_draft()
    state.again = False
    assert [act["link"] for act in new_acts()] == ["gradings"]
    assert new_draft() == {"why": "half a sentence"}


@pytest.mark.parametrize("sent", [None, 7, {"acts": 7}, {"acts": [None, "x"]}, [{"seq": "w-1"}]])
def test_what_no_panel_sends_is_no_act_that_fails(sent: object) -> None:
    """A browser may send anything; an object without numbers is taken as one act."""
    heard = Inbox()
    heard.receive(sent)
    assert all(isinstance(act, dict) for act in heard.acts)


def test_no_callback_can_be_broken_off() -> None:
    """Callbacks read `now()`, write into kept objects and note what was asked for, no more."""
    checked = list(callbacks())
    assert len(checked) >= 25
    for path, callback in checked:
        names = {
            node.attr if isinstance(node, ast.Attribute) else node.id
            for node in ast.walk(callback)
            if isinstance(node, ast.Attribute | ast.Name)
        }
        assert not names & BREAKS_OFF, f"{path.name}:{callback.lineno} may be broken off"


def callbacks() -> Iterator[tuple[Path, ast.FunctionDef | ast.Lambda]]:
    """Find every function of the pages that is given to a widget or panel as `on_…`."""
    for path in sorted((ROOT / "pages").rglob("*.py")):
        nodes = list(ast.walk(ast.parse(path.read_text("utf-8"))))
        words = [word for node in nodes if isinstance(node, ast.Call) for word in node.keywords]
        given = [word.value for word in words if (word.arg or "").startswith("on_")]
        inner = [each for call in given if isinstance(call, ast.Call) for each in call.args]
        names = {each.id for each in (*given, *inner) if isinstance(each, ast.Name)}
        for node in nodes:
            if isinstance(node, ast.FunctionDef) and node.name in names:
                yield path, node
        yield from ((path, each) for each in given if isinstance(each, ast.Lambda))
