"""A judge compares the pairs of a study, and reads the results once it is closed.

What is sent to the browser while pairs are compared tells nothing of the sides.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import streamlit as st

from evalcore import Workspace
from evalcore.blind.closing import reveal_to, revealed
from evalcore.blind.judging import give_verdict, open_task, take_back, take_part, tasks
from evalcore.blind.results import results
from evalcore.comparing.compare import compare
from evalcore.comparing.sides import side_of
from evalcore.errors import CannotJudge, EvalcoreError
from evalcore.judging.hiding import studies
from evalcore.judging.model import Judge
from evalcore.judging.storing.store import new_id
from evalcore.judging.studies import Study
from evalcore.texts import diff
from evalcore.views.blind.panel import (
    Progress,
    answer_of,
    end_words,
    over_words,
    panel,
    receipt_words,
)
from evalcore.views.blind.results import result_blocks, told_blocks
from evalcore.views.blind.task import blind_task, length_of, whole_text
from evalcore.views.blocks.base import PanelData
from evalcore.views.files.diff import diff_block
from evalcore.views.judge.receipt import refusal
from evalcore.views.verdict.sentence import sentence
from pages.parts.links import follow
from pages.parts.panels.components import blind_panel, diff_panel, new_acts, sheet_panel
from pages.parts.session_state import session_object
from pages.parts.state import Choice

Body = Mapping[str, Any]


@dataclass
class BlindWork:
    """What is on the screen: the open task, its file, the answer to the last act.

    `ids` are the submission ids by task, each used for one verdict.
    """

    study: str = ""
    task: str | None = None
    file: str | None = None
    part: int = 1
    diff: bool = False
    undo: str | None = None
    answer: PanelData | None = None
    ids: dict[str, str] = field(default_factory=dict)

    def begin(self, study: str) -> None:
        """Forget what was of another study."""
        self.study, self.undo, self.answer = study, None, None
        self.open(None)

    def open(self, task: str | None) -> None:
        """Put a task on the screen, from its beginning."""
        self.task, self.file, self.part, self.diff = task, None, 1, False


@dataclass
class _Judging:
    """A judge of a study, as it stands after the last act."""

    ws: Workspace
    study: Study
    judge: Judge
    work: BlindWork

    def again(self) -> None:
        """Read the study anew, after something was stored."""
        known = studies(self.ws, self.study.suite)
        self.study = next(each for each in known if each.id == self.study.id)

    def open_next(self, after: str | None) -> None:
        """Put the next pair without a verdict on the screen, from the one after another round."""
        known = tuple(tasks(self.study, self.judge))
        at = known.index(after) + 1 if after in known else 0
        done = self.done()
        self.work.open(
            next((each for each in (*known[at:], *known[:at]) if each not in done), None)
        )

    def done(self) -> set[str]:
        """Return the tasks that have a verdict of this judge."""
        judged = self.study.judged_by(self.judge.id)
        return {task for task, pair in tasks(self.study, self.judge).items() if pair.pair in judged}


def judging(ws: Workspace, study: Study, judge: Judge) -> None:
    """Draw the open pair of a judge, after doing what they asked for."""
    work = session_object(BlindWork)
    if work.study != study.id:
        work.begin(study.id)
    now = _Judging(ws.unmasked, study, judge, work)
    for did in new_acts():
        number = str(did.get("number"))[:100]
        if (work.answer or {}).get("number") == number:
            continue  # sent again, as its answer was not drawn
        try:
            said = _do(now, did)
        except (EvalcoreError, ValueError) as fault:
            work.answer = {"number": number, "ok": False, "message": refusal(fault)}
        else:
            if said is not None:
                work.answer = {"number": number, "ok": True, "message": "", **said}
    try:
        part = now.study.parts.get(judge.id)
        if now.study.takes_part(judge):
            _draw(now)
        elif part == "revealed":
            told = reveal_to(now.ws, now.study, judge)
            sheet_panel(told_blocks(now.study, told), {}, "blind-told")
        else:
            st.text(over_words(part))
    except EvalcoreError as fault:
        st.text(str(fault))


def _draw(now: _Judging) -> None:
    """Draw the open pair, or that none is left."""
    work, known, done = now.work, tuple(tasks(now.study, now.judge)), now.done()
    if work.task not in known:
        now.open_next(None)
    base = {"answer": work.answer, "undo": work.undo, "diff": work.diff}
    if work.task is None:
        words = end_words(now.study, now.judge.id)
        blind_panel({**base, "task": None, "end": words, "may_reveal": bool(known)})
        return
    opened = open_task(now.ws, now.study, now.judge, work.task)
    mine = now.study.judged_by(now.judge.id).get(opened.pair.pair)
    if work.task not in work.ids or (mine is not None and work.ids[work.task] == mine.id):
        work.ids[work.task] = new_id()
    task = blind_task(now.ws, now.study, opened, work.file, work.part)
    progress = Progress(known.index(work.task) + 1, len(known), len(done))
    blind_panel({**base, **panel(now.study, task, progress, work.ids[work.task], mine)})
    if work.diff:
        runs = opened.left, opened.right
        left, right = (whole_text(now.ws, now.study, run, task.left.name, opened) for run in runs)
        diff_panel(diff_block(diff(left, right), task.left.name, "left", "right"), "blind-diff")


def _do(now: _Judging, body: Body) -> PanelData | None:
    """Do one act of a judge and return its answer, None for what is no act."""
    ws, study, judge, work = now.ws, now.study, now.judge, now.work
    task = str(body.get("task"))
    match body.get("act"):
        case "store":
            answer, submission = answer_of(body), work.ids.get(task)
            if answer is None:
                raise CannotJudge("Choose which output is better, then store.")
            if submission is None or submission != body.get("submission"):
                raise CannotJudge(
                    "This window is out of date. Check your verdict, then store again."
                )
            opened = open_task(ws, study, judge, task)
            receipt = give_verdict(ws, study, opened, answer, judge, submission)
            now.again()
            work.undo = task
            now.open_next(task)
            return {"message": receipt_words(answer, receipt), "forget": task}
        case "undo":
            opened = open_task(ws, study, judge, task)
            receipt = take_back(ws, study, opened.pair.pair, judge)
            now.again()
            work.undo = None
            work.open(task)
            return {"message": f"Withdrawn: {receipt.path}"}
        case "go":
            known = tuple(tasks(study, judge))
            if known:
                at = known.index(work.task) if work.task in known else 0
                step = {"next": 1, "previous": -1}.get(str(body.get("to")))
                work.open(known[0] if step is None else known[(at + step) % len(known)])
        case "file":
            part = body.get("part")
            work.file, work.part = str(body.get("file")), part if isinstance(part, int) else 1
        case "diff":
            work.diff = not work.diff
        case "give-up":
            take_part(ws, study, judge, "gave up")
            now.again()
        case "reveal":
            reveal_to(ws, study, judge)
            now.again()
        case _:
            return None
    return {}


def results_section(ws: Workspace, choice: Choice, study: Study) -> None:
    """Draw the results beside what recorded scores say of the same two, or why there are none."""
    for did in new_acts():
        follow(choice, did, "blind")
    found, why_not = revealed(study)
    if why_not is not None:
        st.text(why_not)
        return
    counted = results(study, found, lambda run: length_of(ws, run))
    try:
        a = side_of(ws, study.suite, study.fields.side_a)
        recorded = sentence(compare(a, side_of(ws, study.suite, study.fields.side_b)))
    except EvalcoreError:
        recorded = None
    sheet_panel(result_blocks(study, counted, recorded), choice.query(), "blind-results")
