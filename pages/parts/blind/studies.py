"""The blind studies of a suite: what can be done with each, and the form that creates one."""

from collections.abc import Callable
from dataclasses import dataclass
from secrets import SystemRandom
from typing import Final

import streamlit as st

from evalcore import Workspace
from evalcore.blind.creating import Design, create_study
from evalcore.blind.criteria import SETS, SUITE, criteria_named
from evalcore.blind.judging import invite, take_part
from evalcore.blind.packets import new_packet, packet_tasks
from evalcore.blind.proposing import propose, side_named, sides
from evalcore.blind.ranking import may_see, ranks
from evalcore.blind.writing import end
from evalcore.counting.choices import case_ids
from evalcore.errors import EvalcoreError
from evalcore.families.reviews.review import Drawn
from evalcore.judging.answering.independent import MAX_JUDGES
from evalcore.judging.hiding import studies
from evalcore.judging.model import Judge
from evalcore.judging.storing.judging_rule import rule_of
from evalcore.judging.storing.stored_reviews import load_reviews, review_folder
from evalcore.judging.studies import Study
from evalcore.views.blind.packet import Packet, packet
from evalcore.views.blind.ranking import LATER, ranking_blocks
from evalcore.views.blind.words import (
    PACKETS,
    RULES,
    WHAT,
    crowded_words,
    ended_words,
    import_command,
    proposal_words,
    study_state,
    study_title,
)
from evalcore.views.judge.receipt import refusal
from evalcore.views.words.wording import count
from pages.parts.address import change_address, parameter
from pages.parts.forms import Form, Sent, answer, choose_judges, receipts
from pages.parts.judge_name import become, here, likely_name
from pages.parts.panels.components import sheet_panel
from pages.parts.session_state import session_object

NAME_WIDTH: Final = 420
"""A field for a name need not be as wide as the page."""
KEY: Final = "blind-new"
WIDTH: Final = 860
WORDS: Final = {
    "none": "no scores",
    "skill": "five dimensions of a skill, 1 to 10",
    "description": "accuracy, completeness, clarity, 1 to 5",
    SUITE: "the suite’s own criteria",
}


@dataclass
class MadePacket:
    """The newest packet that this window made, and its study."""

    study: str = ""
    packet: Packet | None = None


def listing(ws: Workspace, suite: str) -> None:
    """Draw the studies, the newest first, and the form for a new one."""
    known, judge = studies(ws, suite)[::-1], here()
    receipts(about(suite))
    st.text(WHAT)
    if judge is None and known:  # verdicts carry a name
        with st.form("blind-name", border=False, width=NAME_WIDTH):
            label = "Your name (stored on this machine)"
            name = st.text_input(label, likely_name(), key="blind-who")
            if st.form_submit_button("Start judging"):
                become(name)
                st.rerun()
    for study in known:
        with st.container(border=True, key=f"blind-study-{study.id}"):
            st.text(study_title(study, judge))
            st.text(study_state(study))
            with st.container(horizontal=True, key=f"blind-acts-{study.id}"):
                _acts(ws, study, judge)
    ranked = ranks(known)
    if ranked is not None and may_see(known, judge):
        sheet_panel(ranking_blocks(ranked), {}, "blind-ranking")
    elif ranked is not None:
        st.text(LATER)  # it would name to who still compares which version won before
    if judge is not None or not known:  # the form asks for a name too: once is enough
        new_study(ws, suite, opened=not known)


def about(suite: str) -> str:
    """Return what the replies of this page are about, in the list and on the results."""
    return f"blind {suite}"


def _acts(ws: Workspace, study: Study, judge: Judge | None) -> None:
    """Draw what a judge can do with a study; a link to the same page would lead nowhere."""
    if study.closed is not None or (judge is not None and study.takes_part(judge)):
        label = "Results"
        if study.closed is None and judge is not None:
            left = len(study.open_for(judge))
            label = f"Judge, {left:,} left" if left else "All judged"
        if st.button(label, key=f"blind-open-{study.id}"):
            _open(study)
            st.rerun()
    if study.closed is not None or judge is None:
        return
    joins = not study.takes_part(judge) and study.may_join(judge)
    if joins and st.button("Join and judge", key=f"blind-join-{study.id}"):
        _act(study, lambda: f"Stored: {take_part(ws.unmasked, study, judge, 'joined').path}")
    packets(ws.unmasked, study)
    with st.popover("Close and reveal …", type="tertiary", key=f"blind-end-{study.id}"):
        st.text("Judging ends, and everybody sees which side was which. This cannot be undone.")
        if st.button("Reveal and close", key=f"blind-close-{study.id}"):
            _act(study, lambda: f"Stored: {ended_words(end(ws.unmasked, study, judge))}")


def _open(study: Study) -> None:
    change_address(study=study.id, a=None, b=None, v=None, c=None)


def _act(study: Study, act: Callable[[], str]) -> None:
    """Do what leads to the study itself: its first pair, or its results."""
    if _tell(study, act):
        _open(study)
    st.rerun()


def _tell(study: Study, act: Callable[[], str]) -> bool:
    """Do something and remember what it says; return whether it was done."""
    try:
        words, done = act(), True
    except EvalcoreError as fault:
        words, done = refusal(fault), False
    answer(about(study.suite), words)
    return done


def packets(ws: Workspace, study: Study) -> None:
    """Draw how somebody without evalcore can judge a study: by a file for another machine."""
    made = session_object(MadePacket)

    def make() -> str:
        judge = new_packet()
        made.packet = packet(ws, study, judge, packet_tasks(ws, study, judge))
        made.study = study.id
        return f"{judge.id} is ready. Save it under Judge without evalcore: then it takes part."

    def saved(judge: str) -> str:
        invite(ws, study, Judge(judge, judge))
        joined = next(each for each in studies(ws, study.suite) if each.id == study.id)
        return f"{judge} takes part. Send the file. {crowded_words(joined)}".rstrip()

    with st.popover("Judge without evalcore …", type="tertiary", key=f"blind-packets-{study.id}"):
        st.text(PACKETS)
        ready = made.packet if made.study == study.id else None
        if ready is not None:
            judge = ready.judge

            def clicked() -> None:
                _tell(study, lambda: saved(judge))

            st.download_button(
                "Save the packet",
                ready.html,
                file_name=f"{judge}.html",
                mime="text/html",
                on_click=clicked,
                key="blind-packet-file",
            )
        label = "Make a packet" if ready is None else "Make a packet for another judge"
        if st.button(label, key=f"blind-packet-{study.id}"):
            _tell(study, make)
            st.rerun()
        st.code(import_command(ws.root), language=None)


def new_study(ws: Workspace, suite: str, *, opened: bool) -> None:
    """Draw the form, open where a pair was proposed or there is no study yet."""
    keys = [column.key for column in sides(ws.unmasked, suite)]
    if len(keys) < 2:
        st.text("A study needs two versions or configurations with outputs; this suite has fewer.")
        return
    asked = parameter("a"), parameter("b")
    opens = opened or None not in asked
    box = st.expander("New blind study", opens, key=KEY, width=WIDTH, on_change="rerun")
    if box.open:  # the choice of cases is sent with each click: of thousands that is most of it
        with box:
            _form(ws, suite, keys)


def _form(seen: Workspace, suite: str, keys: list[str]) -> None:
    """Draw what is compared, by whom and by what, what that would be, and the button."""
    ws = seen.unmasked
    first = keys.index(a) if (a := parameter("a")) in keys else len(keys) - 2
    second = keys.index(b) if (b := parameter("b")) in keys else len(keys) - 1
    left, right = st.columns(2)
    side_a = left.selectbox("Side A", keys, first, key=f"{KEY}-a")
    side_b = right.selectbox("Side B", keys, second, key=f"{KEY}-b")
    cases = st.multiselect("Cases", case_ids(ws, suite), key=f"{KEY}-cases", placeholder="all")
    left, right = st.columns(2)
    every = left.checkbox("Compare all runs of a case, not one at random", key=f"{KEY}-all")
    chosen = right.selectbox(
        "Scores in addition to the verdict",
        [*SETS, SUITE],
        2,
        key=f"{KEY}-criteria",
        format_func=lambda name: WORDS.get(name, name),
    )
    drawn: Drawn = "all" if every else "one"
    try:
        pair = side_named(ws, suite, side_a), side_named(ws, suite, side_b)
        found = propose(*pair, chance=SystemRandom(), cases=cases, drawn=drawn)
        criteria = criteria_named(ws, chosen, found.runs)
    except EvalcoreError as fault:
        st.text(str(fault))  # nothing was asked for yet
        return
    reviews = review_folder(ws, suite)
    judges = choose_judges("Judges (if empty, anyone can join)", reviews, f"{KEY}-judges")
    per_task = st.selectbox(
        "Each pair is judged by",
        (None, *range(1, MAX_JUDGES + 1)),
        key=f"{KEY}-per-task",
        format_func=lambda most: "everyone who joins" if most is None else count(most, "judge"),
    )
    design = Design(criteria, judges(), per_task, drawn)
    rule = rule_of(load_reviews(reviews)).reasons
    st.text("\n".join([*proposal_words(found, design, seen.hidden), RULES[rule]]))

    def act(sent: Sent) -> str:
        pair = side_named(ws, suite, found.a), side_named(ws, suite, found.b)
        # What is shown above is one draw; the study gets its own, which nobody has seen.
        drew = propose(*pair, chance=SystemRandom(), cases=tuple(cases), drawn=drawn)
        now = design._replace(judges=judges())
        made = create_study(ws, suite, drew, now, sent.judge, sent.submission)
        return f"Created: {made.path}"

    Form(KEY, about(suite), "Create the study", act).draw(reviews)
