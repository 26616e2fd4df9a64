"""A small form that stores one thing once, under the judge's name."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from evalcore.errors import EvalcoreError
from evalcore.families.reviews.review import BY_RULE
from evalcore.judging.model import Judge
from evalcore.judging.storing.store import new_id, unwritable
from evalcore.judging.storing.stored_reviews import ReviewFolder
from evalcore.views.judge.receipt import refusal
from pages.parts.judge_name import become, here, likely_name
from pages.parts.session_state import now, session_object

_MOST: Final = 200


@dataclass
class _FormState:
    """The ids of the forms' next records, those stored, the last reply and the last fault.

    `stored` counts what was stored here, `shown` how much of it the snapshot on screen has.
    """

    ids: dict[tuple[str, str], str] = field(default_factory=dict)
    done: list[str] = field(default_factory=list)
    reply: tuple[str | None, str] = (None, "")
    fault: tuple[str, str] = ("", "")
    stored: int = 0
    shown: int = 0

    def id_of(self, form: tuple[str, str]) -> str:
        """Return the id of the record that the next click on a form stores."""
        while len(self.ids) > _MOST:
            self.ids.pop(next(iter(self.ids)))
        return self.ids.setdefault(form, new_id())


@dataclass(frozen=True)
class FormSpec:
    """The specification of a form: `name` identifies it, `of` is what it is about.

    Without a `label` it has only a button. `value` is what the text begins with; `fields` draws
    further fields above it, whose keys hold the submission's id. What is not `signed` is stored by
    a rule, and asks for nobody's name.
    """

    name: str
    of: str
    button: str
    label: str = ""
    required: str = ""
    tick: str = ""
    height: int = 68
    value: str = ""
    fields: Callable[[str], None] | None = None
    signed: bool = True

    @property
    def submission(self) -> str:
        """The id of the record stored by the next click on this form."""
        return session_object(_FormState).id_of((self.name, self.of))


Act = Callable[[str, bool, Judge, str], str]
"""What a form does with the text, the tick, the judge and the submission's id; says what it did."""


def store_form(spec: FormSpec, act: Act, reviews: ReviewFolder) -> None:
    """Draw a form or, if nothing can be stored, the reason."""
    why = unwritable(reviews)
    if why is not None:
        st.text(why)
        return
    # The id is in every key: a second click on the same form is the same submission.
    submission = spec.submission
    with st.form(f"aside-{submission}", border=False):
        if spec.signed and here() is None:
            st.text_input(
                "Your name (stored on this machine)",
                likely_name(),
                key=f"aside-who-{submission}",
            )
        if spec.fields is not None:
            spec.fields(submission)
        if spec.label:
            st.text_area(spec.label, spec.value, key=f"aside-text-{submission}", height=spec.height)
        if spec.tick:
            st.checkbox(spec.tick, key=f"aside-tick-{submission}")

        def clicked() -> None:
            # What was typed is read from the state: arguments would be those of the last run.
            _clicked(spec, act, submission)

        st.form_submit_button(spec.button, on_click=clicked)
    about, words = session_object(_FormState).fault
    if about == submission:
        st.text(words)


def popover(label: str, spec: FormSpec) -> DeltaGenerator:
    """Draw the button that opens a form; it closes when something was stored."""
    return st.popover(label, type="tertiary", key=f"aside-open-{spec.submission}")


def receipts(of: str) -> bool:
    """Show the reply to the last click if it was about this; return whether there is one."""
    about, words = session_object(_FormState).reply
    if about == of:
        st.text(words)
    return bool(about == of)


def answer(of: str, words: str) -> None:
    """Remember the reply to the last click."""
    session_object(_FormState).reply = (of, words)


def stored_here() -> None:
    """Remember that something was stored that the snapshot on screen does not have."""
    session_object(_FormState).stored += 1


def waits_for_own() -> int:
    """Return the number of the last thing stored here, 0 if the snapshot on screen has it."""
    forms = session_object(_FormState)
    return forms.stored if forms.stored > forms.shown else 0


def shows_own(up_to: int) -> None:
    """Remember that the snapshot on screen has what was stored here, up to a number."""
    forms = session_object(_FormState)
    forms.shown = max(forms.shown, up_to)


def _clicked(spec: FormSpec, act: Act, submission: str) -> None:
    """Store the input once; a second click at any time finds it stored."""
    asides, typed = session_object(_FormState), now()
    if submission in asides.done:
        return
    text = str(typed.get(f"aside-text-{submission}") or "")
    name = str(typed.get(f"aside-who-{submission}") or "")
    ticked = bool(typed.get(f"aside-tick-{submission}"))
    try:
        words = _done(spec, act, submission, (text, name, ticked))
    except (EvalcoreError, ValueError) as fault:
        asides.fault = (submission, refusal(fault))
        return
    asides.done.append(submission)
    del asides.done[:-_MOST]
    asides.ids.pop((spec.name, spec.of), None)
    stored_here()
    asides.reply = (spec.of, words)


def _done(spec: FormSpec, act: Act, submission: str, given: tuple[str, str, bool]) -> str:
    typed, name, ticked = given
    if spec.required and not typed.strip():
        raise ValueError(spec.required)
    judge = here() if spec.signed else Judge(BY_RULE, BY_RULE)
    if judge is None:
        if not name.strip():
            raise ValueError("Enter your name: every record has one.")
        judge = become(name)
    return act(typed, ticked, judge, submission)
