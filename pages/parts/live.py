"""What changed in the folder since this page was read, shown beside the title."""

from typing import Final

import streamlit as st

from evalcore.views.news import News, news, sentence
from pages.parts.address import look_again
from pages.parts.judge_name import here
from pages.parts.small_form import waits_for_own
from pages.parts.state import Seen

TICK_SECONDS: Final = 1.0
# A shorter reading is over before anybody could read that it goes on.
_WORTH_SAYING_SECONDS: Final = 0.7
_KEPT: Final = "live-news"


@st.fragment(run_every=TICK_SECONDS)
def live_bar(seen: Seen, suite: str | None) -> None:
    """Look once a second, by comparing a number, whether there is something new to show."""
    look_again()
    generation = seen.live.look()
    if seen.live.fault is not None:
        _say(f"{seen.live.fault} This page shows what was read before.")
        return
    shown = st.session_state[seen.key]
    if generation != shown.generation:
        _say_news(seen, suite)
    elif seen.live.reading_seconds > _WORTH_SAYING_SECONDS:
        _say("Reading changes …")


def _say(words: str) -> None:
    with st.container(horizontal=True, vertical_alignment="center", key="live"):
        st.text(words)


def _say_news(seen: Seen, suite: str | None) -> None:
    found = _news(seen)
    if not found:
        seen.show_newest()  # nothing that a page shows is different, or only what was done here
        if found.own and waits_for_own():
            st.rerun(scope="app")
        return
    with st.container(horizontal=True, vertical_alignment="center", key="live"):
        st.text(sentence(found, suite, st.query_params.get("run")))
        if st.button("Show", key="live-show", help="Read on in the same place, with the changes"):
            seen.show_newest()
            st.rerun(scope="app")


def _news(seen: Seen) -> News:
    """Return the news since the reading on screen, counted once for each new reading."""
    shown, newest = st.session_state[seen.key], seen.live.newest
    between = (seen.key, shown.generation, newest.generation)
    kept = st.session_state.get(_KEPT)
    if kept is None or kept[0] != between:
        paths = seen.live.changed_since(shown.generation)
        reader = here()
        found = news(shown.workspace, newest.workspace, paths, reader and reader.id)
        kept = (between, found)
        st.session_state[_KEPT] = kept
    told: News = kept[1]
    return told
