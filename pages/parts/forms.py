"""Forms that store one thing once, under the judge's name."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final, NamedTuple

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from evalcore.errors import EvalcoreError
from evalcore.families.reviews.review import BY_RULE, JUDGMENT, is_by_person, judge_of
from evalcore.judging.answering.independent import Judges, judges_named
from evalcore.judging.model import Judge
from evalcore.judging.storing.judges import known_judges
from evalcore.judging.storing.store import new_id, unwritable
from evalcore.judging.storing.stored_reviews import ReviewFolder, load_reviews
from evalcore.views.judge.receipt import refusal
from pages.parts.judge_name import become, here, likely_name
from pages.parts.own_acts import stored_here
from pages.parts.session_state import now, session_object

_MOST: Final = 200


@dataclass
class _FormState:
    """The ids of the forms' next records, those stored, the last reply and the last fault."""

    ids: dict[tuple[str, str], str] = field(default_factory=dict)
    done: list[str] = field(default_factory=list)
    reply: tuple[str | None, str] = (None, "")
    fault: tuple[str, str] = ("", "")

    def id_of(self, form: tuple[str, str]) -> str:
        """Return the id of the record that the next click on a form stores."""
        while len(self.ids) > _MOST:
            self.ids.pop(next(iter(self.ids)))
        return self.ids.setdefault(form, new_id())


class Sent(NamedTuple):
    """A form as it was sent: its text and tick, who sent it, and the id of the submission."""

    text: str
    ticked: bool
    judge: Judge
    submission: str
    typed: Mapping[str, Any]

    def given(self, name: str) -> Any:
        """Return what was typed into one of the form's further fields."""
        return self.typed.get(f"{name}-{self.submission}")


Act = Callable[[Sent], str]
"""What a form does with what was sent; it says what it did."""


@dataclass(frozen=True)
class Form:
    """A form: `name` identifies it, `of` is what it is about, `act` stores what it asks for.

    One that `opens` is behind a button with these words, below what stands `above` it. Without a
    `label` it has only a button. `value` is what the text begins with; `fields` draws further
    fields before it, whose keys end with the submission's id. What is not `signed` is stored by a
    rule, and asks for nobody's name.
    """

    name: str
    of: str
    button: str
    act: Act
    label: str = ""
    opens: str = ""
    above: str | Callable[[], object] = ""
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

    def popover(self, label: str) -> DeltaGenerator:
        """Draw the button that opens the form; it closes when something was stored."""
        return st.popover(label, type="tertiary", key=f"aside-open-{self.submission}")

    def draw(self, reviews: ReviewFolder) -> None:
        """Draw the form or, if nothing can be stored, the reason."""
        if self.opens:
            with self.popover(self.opens):
                if callable(self.above):
                    self.above()
                elif self.above:
                    st.text(self.above)
                replace(self, opens="").draw(reviews)
            return
        why = unwritable(reviews)
        if why is not None:
            st.text(why)
            return
        # The id is in every key: a second click on the same form is the same submission.
        submission = self.submission
        with st.form(f"aside-{submission}", border=False):
            if self.signed and here() is None:
                st.text_input(
                    "Your name (stored on this machine)",
                    likely_name(),
                    key=f"aside-who-{submission}",
                )
            if self.fields is not None:
                self.fields(submission)
            if self.label:
                key = f"aside-text-{submission}"
                st.text_area(self.label, self.value, key=key, height=self.height)
            if self.tick:
                st.checkbox(self.tick, key=f"aside-tick-{submission}")

            def clicked() -> None:
                # What was typed is read from the state: arguments would be those of the last run.
                self.clicked(submission)

            st.form_submit_button(self.button, on_click=clicked)
        about, words = session_object(_FormState).fault
        if about == submission:
            st.text(words)

    def clicked(self, submission: str) -> None:
        """Store what was typed once; a second click at any time finds it stored."""
        forms, typed = session_object(_FormState), now()
        if submission in forms.done:
            return
        text = str(typed.get(f"aside-text-{submission}") or "")
        name = str(typed.get(f"aside-who-{submission}") or "")
        try:
            if self.required and not text.strip():
                raise ValueError(self.required)
            judge = here() if self.signed else Judge(BY_RULE, BY_RULE)
            if judge is None:
                if not name.strip():
                    raise ValueError("Enter your name: every record has one.")
                judge = become(name)
            ticked = bool(typed.get(f"aside-tick-{submission}"))
            words = self.act(Sent(text, ticked, judge, submission, typed))
        except (EvalcoreError, ValueError) as fault:
            forms.fault = (submission, refusal(fault))
            return
        forms.done.append(submission)
        del forms.done[:-_MOST]
        forms.ids.pop((self.name, self.of), None)
        stored_here()
        forms.reply = (self.of, words)


def receipts(of: str) -> bool:
    """Show the reply to the last click if it was about this; return whether there is one."""
    about, words = session_object(_FormState).reply
    if about == of:
        st.text(words)
    return bool(about == of)


def answer(of: str, words: str) -> None:
    """Remember the reply to the last click."""
    session_object(_FormState).reply = (of, words)


def fill_in_once(form: str, asked: object, values: Callable[[], Mapping[str, object]]) -> None:
    """Fill the fields of a form in when it is opened for what is `asked`, and not again.

    Their keys are the form's name and their own; the first one is always drawn.
    """
    opened_for, filled, known = repr(asked), values(), now()
    # A form that was not drawn for a while has lost what was typed: it is opened again.
    if known.get(f"{form}-of") == opened_for and f"{form}-{next(iter(filled))}" in known:
        return
    for name, value in filled.items():
        st.session_state[f"{form}-{name}"] = value
    st.session_state[f"{form}-of"] = opened_for


def choose_judges(label: str, reviews: ReviewFolder, key: str) -> Callable[[], Judges]:
    """Offer the judges of this machine and of the records; return what reads the choice.

    A name that nobody has yet may be typed.
    """
    names = {judge.id: f"{judge.name} ({judge.id})" for judge in known_judges()}
    records = (each for each in load_reviews(reviews) if each.type == JUDGMENT)
    options = list(dict.fromkeys([*names, *map(judge_of, filter(is_by_person, records))]))
    st.multiselect(
        label,
        options,
        key=key,
        accept_new_options=True,
        format_func=lambda judge: names.get(judge, judge),
        placeholder="Choose judges, or type a name",
    )
    return lambda: judges_named(now()[key], options)
