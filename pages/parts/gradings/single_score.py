"""Score one criterion where its evidence is read, by the rules of the Judge page."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from evalcore import Workspace
from evalcore.errors import CannotJudge, EvalcoreError
from evalcore.judging.answering.submitting import read_back, submit
from evalcore.judging.asking.tasks import task
from evalcore.judging.hiding import workspace_for
from evalcore.judging.storing.record_factory import suite_of
from evalcore.judging.storing.store import unwritable
from evalcore.judging.storing.stored_reviews import load_reviews, review_folder
from evalcore.views.blocks.base import PanelData
from evalcore.views.judge.messages import answers_of, task_as_shown
from evalcore.views.judge.queue import View
from evalcore.views.judge.receipt import refusal, stored_words
from evalcore.views.judge.task import single_forms
from pages.parts.judge.answered import write_answered
from pages.parts.judge.session import NOBODY, JudgeSession, Work
from pages.parts.judge_name import become, here, likely_name
from pages.parts.session_state import session_object
from pages.parts.small_form import stored_here
from pages.parts.state import Choice

HIDDEN: Final = "You were asked to judge this run independently: do so on the Judge page."


@dataclass
class _Work:
    """The reply to the last score, and the ids that the next records of a run get."""

    told: PanelData = field(default_factory=dict)
    ids: tuple[str, Mapping[str, str]] = ("", {})


def score_forms(ws: Workspace, run: str) -> PanelData:
    """Return the forms for the criteria of a run; empty where nothing can be scored here."""
    reviews = review_folder(ws, suite_of(run))
    if run in ws.hidden.runs or unwritable(reviews):
        return {}
    judge, work = here(), session_object(_Work)
    ids = work.ids[1] if work.ids[0] == run else {}
    shown = task(ws.unmasked, run, judge or NOBODY, load_reviews(reviews), ids)
    work.ids = run, shown.ids
    return single_forms(shown, judge, likely_name()) | {"told": work.told}


def score_one(ws: Workspace, choice: Choice, did: Mapping[str, Any]) -> bool:
    """Store the score that the evidence sends; return whether this act is one."""
    given = did.get("score")
    if not isinstance(given, dict):
        return False
    try:
        words, ok = _stored(ws, choice, given), True
        stored_here()
    except (EvalcoreError, ValueError) as fault:
        words, ok = refusal(fault), False
    told = {"seq": str(did.get("seq")), "run": given.get("run"), "key": given.get("key")}
    session_object(_Work).told = told | {"ok": ok, "text": words}
    return True


def _stored(ws: Workspace, choice: Choice, given: Mapping[str, Any]) -> str:
    run, judge = str(given.get("run")), here()
    if judge is None:
        name = str(given.get("name") or "").strip()
        if not name:
            raise CannotJudge("Enter your name first.")
        judge = become(name)
    seen = workspace_for(ws.unmasked, judge)
    if run in seen.hidden.runs:
        raise CannotJudge(HIDDEN)
    session = JudgeSession(seen, suite_of(run), judge, View(run=run), choice, Work())
    now = session.task(run)
    answers = answers_of(now, [given])
    if not answers:
        raise CannotJudge("A score and a reason in words are needed.")
    answered = task_as_shown(now, given)
    receipts = submit(session.whole, answered, answers, judge, partial=True, seen=session.seen(now))
    words = stored_words(answered, receipts, read_back(session.reviews, receipts))
    return f"{words} {write_answered(session.whole.root, now.run_id)}".strip()
