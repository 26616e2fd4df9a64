"""A small form that stores one thing once, under the judge's name."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from evalcore.errors import EvalcoreError
from evalcore.judging.model import Judge
from evalcore.judging.storing.store import new_id, unwritable
from evalcore.judging.storing.stored_reviews import ReviewFolder
from pages.parts.judge_name import become, here, likely_name
from pages.parts.session_state import kept, now

_MOST: Final = 200


@dataclass
class _Asides:
    """The ids of the forms' next records, those stored, the last answer and the last fault.

    `waits`: something was stored here that the reading on screen does not have.
    """

    ids: dict[tuple[str, str], str] = field(default_factory=dict)
    done: list[str] = field(default_factory=list)
    said: tuple[str | None, str] = (None, "")
    fault: tuple[str, str] = ("", "")
    waits: bool = False

    def id_of(self, form: tuple[str, str]) -> str:
        """Return the id of what the next click on a form stores."""
        while len(self.ids) > _MOST:
            self.ids.pop(next(iter(self.ids)))
        return self.ids.setdefault(form, new_id())


@dataclass(frozen=True)
class Ask:
    """What a form asks for: `name` tells it from others, `of` what it is about from other things.

    Without a `label` it asks for nothing but the click.
    """

    name: str
    of: str
    button: str
    label: str = ""
    required: str = ""
    tick: str = ""
    height: int = 68

    @property
    def submission(self) -> str:
        """The id of what is stored by the next click on this form; another one after it."""
        return kept(_Asides).id_of((self.name, self.of))


Act = Callable[[str, bool, Judge, str], str]
"""What a form does with the text, the tick, the judge and the submission's id; says what it did."""


def store_form(ask: Ask, act: Act, reviews: ReviewFolder) -> None:
    """Draw a form; where nothing can be stored, say why instead."""
    why = unwritable(reviews)
    if why is not None:
        st.text(why)
        return
    # The id is in every key: a second click on the same form is the same submission.
    submission = ask.submission
    with st.form(f"aside-{submission}", border=False):
        if here() is None:
            st.text_input(
                "Your name, kept on this machine",
                likely_name(),
                key=f"aside-who-{submission}",
            )
        if ask.label:
            st.text_area(ask.label, key=f"aside-text-{submission}", height=ask.height)
        if ask.tick:
            st.checkbox(ask.tick, key=f"aside-tick-{submission}")

        def clicked() -> None:
            # What was typed is read from the state: arguments would be those of the last run.
            _clicked(ask, act, submission)

        st.form_submit_button(ask.button, on_click=clicked)
    about, words = kept(_Asides).fault
    if about == submission:
        st.text(words)


def popover(label: str, ask: Ask) -> DeltaGenerator:
    """Draw the quiet button that opens a form; it closes when something was stored."""
    return st.popover(label, type="tertiary", key=f"aside-open-{ask.submission}")


def receipts(of: str) -> bool:
    """Show the answer to the last click if it was about this; say whether there is one."""
    about, words = kept(_Asides).said
    if about == of:
        st.text(words)
    return bool(about == of)


def answer(of: str, words: str) -> None:
    """Keep the answer to the last click."""
    kept(_Asides).said = (of, words)


def waits_for_own() -> bool:
    """Say whether something was stored here that the reading on screen does not have, once."""
    asides = kept(_Asides)
    waited, asides.waits = asides.waits, False
    return waited


def _clicked(ask: Ask, act: Act, submission: str) -> None:
    """Store what was typed once; a second click finds it stored, whenever it comes."""
    asides, typed = kept(_Asides), now()
    if submission in asides.done:
        return
    text = str(typed.get(f"aside-text-{submission}") or "")
    name = str(typed.get(f"aside-who-{submission}") or "")
    ticked = bool(typed.get(f"aside-tick-{submission}"))
    try:
        words = _done(ask, act, submission, (text, name, ticked))
    except (EvalcoreError, ValueError) as fault:
        asides.fault = (submission, f"Nothing was stored. {fault}")
        return
    asides.done.append(submission)
    del asides.done[:-_MOST]
    asides.ids.pop((ask.name, ask.of), None)
    asides.waits = True
    asides.said = (ask.of, words)


def _done(ask: Ask, act: Act, submission: str, given: tuple[str, str, bool]) -> str:
    typed, name, ticked = given
    if ask.required and not typed.strip():
        raise ValueError(ask.required)
    judge = here()
    if judge is None:
        if not name.strip():
            raise ValueError("Say your name: every record has one.")
        judge = become(name)
    return act(typed, ticked, judge, submission)
