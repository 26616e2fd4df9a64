"""The form that creates a blind study, with what it would compare."""

from secrets import SystemRandom

import streamlit as st

from evalcore import Workspace
from evalcore.blind.creating import Design, create_study
from evalcore.blind.criteria import SETS, SUITE, criteria_named
from evalcore.blind.proposing import Proposal, propose, side_named, sides
from evalcore.counting.choices import case_ids
from evalcore.errors import EvalcoreError
from evalcore.families.reviews.models import BlindCriterion
from evalcore.families.reviews.review import Drawn
from evalcore.judging.answering.independent import MAX_JUDGES
from evalcore.judging.model import Judge
from evalcore.judging.storing.stored_reviews import review_folder
from evalcore.views.blind.words import proposal_words
from evalcore.views.judge.receipt import refusal
from evalcore.views.words.wording import count
from pages.parts.address import parameter
from pages.parts.choose_judges import choose_judges
from pages.parts.small_form import FormSpec, store_form

KEY = "blind-new"
WIDTH = 860
WORDS = {
    "none": "no scores",
    "skill": "five dimensions of a skill, 1 to 10",
    "description": "accuracy, completeness, clarity, 1 to 5",
    SUITE: "the suite’s own criteria",
}


def new_study(ws: Workspace, suite: str, *, opened: bool) -> None:
    """Draw the form, open where a pair was proposed or there is no study yet."""
    keys = [column.key for column in sides(ws.unmasked, suite)]
    if len(keys) < 2:
        st.text("A study needs two versions or configurations with outputs; this suite has fewer.")
        return
    asked = parameter("a"), parameter("b")
    opens = opened or None not in asked
    with st.expander("New blind study", expanded=opens, key=KEY, width=WIDTH):
        _form(ws, suite, keys)


def _form(seen: Workspace, suite: str, keys: list[str]) -> None:
    ws = seen.unmasked
    first = keys.index(a) if (a := parameter("a")) in keys else len(keys) - 2
    second = keys.index(b) if (b := parameter("b")) in keys else len(keys) - 1
    left, right = st.columns(2)
    side_a = left.selectbox("Side A", keys, first, key=f"{KEY}-a")
    side_b = right.selectbox("Side B", keys, second, key=f"{KEY}-b")
    cases = st.multiselect("Cases", case_ids(ws, suite), key=f"{KEY}-cases", placeholder="all")
    both = st.columns(2)
    every = both[0].checkbox("Compare all runs of a case, not one at random", key=f"{KEY}-all")
    chosen = both[1].selectbox(
        "Scores in addition to the verdict", [*SETS, SUITE], 2, key=f"{KEY}-criteria",
        format_func=lambda name: WORDS.get(name, name),
    )  # fmt: skip
    drawn: Drawn = "all" if every else "one"
    try:
        sides = side_named(ws, suite, side_a), side_named(ws, suite, side_b)
        found = propose(*sides, chance=SystemRandom(), cases=cases, drawn=drawn)
        criteria = criteria_named(ws, chosen, found.runs)
    except EvalcoreError as fault:
        st.text(refusal(fault))
        return
    _create(seen, suite, (found, criteria, drawn, tuple(cases)))


def _create(
    seen: Workspace,
    suite: str,
    asked: tuple[Proposal, tuple[BlindCriterion, ...], Drawn, tuple[str, ...]],
) -> None:
    """Draw the choice of judges, what would be compared, and the button."""
    found, criteria, drawn, cases = asked
    ws = seen.unmasked
    reviews = review_folder(ws, suite)
    judges = choose_judges("Judges (if empty, anyone can join)", reviews, f"{KEY}-judges")
    per_task = st.selectbox(
        "Each pair is judged by", (None, *range(1, MAX_JUDGES + 1)), key=f"{KEY}-per-task",
        format_func=lambda most: "everyone who joins" if most is None else count(most, "judge"),
    )  # fmt: skip
    design = Design(criteria, judges(), per_task, drawn)
    st.text("\n".join(proposal_words(found, design, seen.hidden)))

    def act(_: str, __: bool, author: Judge, submission: str) -> str:
        sides = side_named(ws, suite, found.a), side_named(ws, suite, found.b)
        # What is shown above is one draw; the study gets its own, which nobody has seen.
        drew = propose(*sides, chance=SystemRandom(), cases=cases, drawn=drawn)
        now = design._replace(judges=judges())
        return f"Created: {create_study(ws, suite, drew, now, author, submission).path}"

    spec = FormSpec(KEY, f"blind {suite}", "Create the study")
    store_form(spec, act, reviews)
