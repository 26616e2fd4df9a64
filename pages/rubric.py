"""Criteria: where they are weak, how they changed over versions, and how they were scored."""

from functools import partial

import streamlit as st

from evalcore.families.reviews.review import Decision
from evalcore.judging.answering.deciding import Decided, decide
from evalcore.judging.storing.stored_reviews import review_folder
from evalcore.rubrics.spread import spreads
from evalcore.rubrics.suggestions import Suggestion, run_ids
from evalcore.views.judge.receipt import record_words
from evalcore.views.rubric.changed import change_blocks
from evalcore.views.rubric.criteria import (
    criteria_blocks,
    criteria_listing,
    criteria_picture,
    focus_column,
    stored_blocks,
    top_blocks,
)
from evalcore.views.rubric.detail import detail_blocks
from evalcore.views.rubric.heat import heat_blocks, heat_picture, with_open
from evalcore.views.rubric.quality import quality_blocks
from evalcore.views.rubric.state import RubricView
from evalcore.views.rubric.suggested import opened, suggestion_blocks
from evalcore.views.rubric.weighed import default_weighing, weight_blocks
from pages.parts.address import set_parameters
from pages.parts.forms import Form, Sent, receipts
from pages.parts.page import LOOK_HEIGHT, follow_links, suite_page
from pages.parts.panels.components import heat_panel, sheet_panel
from pages.parts.share import export, report_of, share

DECISIONS: dict[Decision, tuple[str, str, str, str]] = {
    "accepted": ("Accept …", "Accept", "What will be done about it (optional)", "Accepted"),
    "rejected": ("Reject …", "Reject", "Why not (optional)", "Rejected"),
    "open": ("Reopen …", "Reopen", "", "Reopened"),
}

ws, choice, suite = suite_page("Rubric")
follow_links(choice, "rubric")
side, scores = choice.configuration, choice.scores
view = RubricView.of(st.query_params.to_dict())
set_parameters(**view.parameters())


def decide_on(found: Suggestion) -> None:
    """Draw the forms that decide a grader's suggestion, and the reply to the last click."""
    reviews = review_folder(ws, suite)
    decided = found.decisions[0].decision if found.decisions else "open"

    def stored(decision: Decision, done: str, sent: Sent) -> str:
        run = next(iter(run_ids(ws, found.runs[:1])), None)
        said = Decided(found.text, found.target, run, decision, sent.text)
        seen = [one.record for one in found.decisions]
        receipt = decide(ws, suite, said, sent.judge, seen, submission=sent.submission)
        return record_words(done, receipt.id)

    with st.container(horizontal=True, vertical_alignment="center", key="aside-suggestion"):
        for decision, (opens, button, asks, done) in DECISIONS.items():
            if decision != decided:
                act = partial(stored, decision, done)
                form = Form(f"suggestion-{decision}", found.key, button, act, asks, opens)
                form.draw(reviews)
        receipts(found.key)


focus = focus_column(ws, suite, choice.version, side, scores)
found = spreads(ws, suite, focus[0], scores) if focus is not None else ()
base = choice.query()
view = with_open(ws, suite, side, view, scores, found[0].key if found else None)
detail = detail_blocks(ws, suite, side, view, scores)
with st.container(key="stacks-rubric"):
    left, right = st.columns([7, 5], gap="medium") if detail else (st.container(), None)
# Each panel carries its style and script, so neighbours are one panel.
with left:
    top = top_blocks(ws, suite, found, focus[1], scores) if focus is not None and found else []
    heat = [*top, *heat_blocks(ws, suite, side, view, scores)]
    heat_panel(heat, base, "rubric-heat", scroll=f"{view.sort} {view.page} {view.columns}")
    if found:
        picture = partial(heat_picture, ws, suite, side, view.sort, scores)
        share(picture, "rubric-heat", report_of(ws, suite, scores))
if right is not None:
    with right, st.container(height=LOOK_HEIGHT, border=False, key="rubric-detail"):
        sheet_panel(detail, base, "rubric-one")
if focus is not None and found:
    weighed = default_weighing(ws, suite, choice.version, side, scores)
    about = [
        *quality_blocks(ws, suite, view, scores),
        *suggestion_blocks(ws, suite, view),
    ]
    below = [
        *criteria_blocks(ws, suite, found, focus[1], view),
        *weight_blocks(ws, suite, weighed, view, scores),
        *change_blocks(ws, suite, side, view, scores),
        *stored_blocks(ws, suite, focus[1]),
    ]
    if (suggestion := opened(ws, suite, view)) is not None:
        sheet_panel(about, base, "rubric-quality")
        decide_on(suggestion)
        about = []
    sheet_panel([*about, *below], base, "rubric-criteria")
    with st.container(horizontal=True, vertical_alignment="center", key="sharing-rubric"):
        picture = partial(criteria_picture, ws, suite, found, focus[1], scores)
        share(picture, "rubric-criteria", report_of(ws, suite, scores))
        export(partial(criteria_listing, ws, suite, found, scores), "criteria", "criteria")
