"""Changes of the folder since this page was read, shown beside the title."""

from typing import Final

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from evalcore.live.tree import differing
from evalcore.views.news import News, news, sentence
from pages.parts.address import follow_address, settle_address
from pages.parts.judge_name import here
from pages.parts.links import PageSwitch
from pages.parts.own_acts import OwnActs, waits_for_own
from pages.parts.panels.components import Inbox
from pages.parts.session_state import session_object
from pages.parts.state import ReaderWorkspace

TICK_SECONDS: Final = 1.0
# A shorter reading is over before anybody could read that it goes on.
_WORTH_SAYING_SECONDS: Final = 0.7
_KEPT: Final = "live-news"


@st.fragment(run_every=TICK_SECONDS)
def live_bar(
    reader: ReaderWorkspace, suite: str | None, named: tuple[str | None, str | None]
) -> None:
    """Check once a second, by comparing a number, whether there is something new to show.

    `named` is the place that the address of this page names.
    """
    settle_address()
    follow_address(named)
    _make_up_for_lost_runs()
    if waits_for_own():
        st.rerun(scope="app")  # a form of a part of the page: the frame takes in what it stored
    generation = reader.live.look()
    if reader.live.fault is not None:
        _say(f"{reader.live.fault} This page shows what was read before.")
        return
    shown = reader.snapshot
    if generation != shown.generation:
        _say_news(reader, suite)
    elif reader.live.reading_seconds > _WORTH_SAYING_SECONDS:
        _say("Reading changes …")


def _make_up_for_lost_runs() -> None:
    """Do what a run of the page was to do that a tick at the same moment took the place of."""
    run = get_script_run_ctx(suppress_warning=True)
    if run is None or not run.fragment_ids_this_run:
        return  # a whole run of the page does it itself
    session_object(PageSwitch).resume()
    if session_object(Inbox).is_left():
        st.rerun(scope="app")


def _say(words: str) -> None:
    with st.container(horizontal=True, vertical_alignment="center", key="live"):
        st.text(words)


def _say_news(reader: ReaderWorkspace, suite: str | None) -> None:
    found = _news(reader)
    if not found or (session_object(OwnActs).waits and session_object(PageSwitch).here == "judge"):
        # Nothing that a page shows is different, or only what was done here. Who judges goes on
        # with the newest anyway, and the gradings that follow from their scores are no news.
        reader.show_newest()
        return
    with st.container(horizontal=True, vertical_alignment="center", key="live"):
        st.text(sentence(found, suite, st.query_params.get("run")))
        if st.button("Show", key="live-show", help="Read on in the same place, with the changes"):
            reader.show_newest()
            st.rerun(scope="app")


def _news(reader: ReaderWorkspace) -> News:
    """Return the changes since the snapshot on screen, computed once for each new snapshot."""
    shown, newest = reader.snapshot, reader.newest
    hidden = newest.workspace.hidden.runs
    between = (reader.key, shown.generation, newest.generation, hidden)
    cached = st.session_state.get(_KEPT)
    if cached is None or cached[0] != between:
        paths = reader.live.changed_since(shown.generation)
        if paths is not None:  # what was taken in at once is reported once more by the watch
            listings = (each.workspace.opened.listing for each in (shown, newest))
            paths &= frozenset(differing(*listings))
        judge = here()
        found = news(shown.workspace, newest.workspace, paths, judge and judge.id)
        cached = (between, found)
        st.session_state[_KEPT] = cached
    summary: News = cached[1]
    return summary
