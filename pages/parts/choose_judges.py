"""Choose the judges of an independent batch."""

from collections.abc import Callable

import streamlit as st

from evalcore.families.reviews.review import JUDGMENT, is_by_person, judge_of
from evalcore.judging.answering.independent import Judges, judges_named
from evalcore.judging.storing.judges import known_judges
from evalcore.judging.storing.stored_reviews import ReviewFolder, load_reviews
from pages.parts.session_state import now


def choose_judges(label: str, reviews: ReviewFolder, key: str) -> Callable[[], Judges]:
    """Offer the judges of this machine and of the records; return what reads the choice.

    A name that nobody has yet may be typed.
    """
    names = {judge.id: f"{judge.name} ({judge.id})" for judge in known_judges()}
    known = load_reviews(reviews)
    records = (each for each in known if each.type == JUDGMENT and is_by_person(each))
    options = list(dict.fromkeys([*names, *map(judge_of, records)]))
    st.multiselect(
        label,
        options,
        key=key,
        accept_new_options=True,
        format_func=lambda judge: names.get(judge, judge),
        placeholder="Choose judges, or type a name",
    )
    return lambda: judges_named(now()[key], options)
