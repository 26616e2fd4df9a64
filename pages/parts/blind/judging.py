"""A judge compares the pairs of a study; what is sent to the browser tells nothing of the sides."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

import streamlit as st

from evalcore import Workspace
from evalcore.blind.closing import reveal_to
from evalcore.blind.judging import give_verdict, open_task, take_back, take_part, tasks
from evalcore.errors import CannotJudge, EvalcoreError
from evalcore.families.reviews.models import BlindPair
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
from evalcore.views.blind.results import told_blocks
from evalcore.views.blind.task import blind_task, whole_text
from evalcore.views.blocks.base import PanelData
from evalcore.views.files.diff import diff_block
from evalcore.views.judge.receipt import refusal
from pages.parts.panels.components import blind_panel, diff_panel, new_acts, sheet_panel
from pages.parts.session_state import session_object

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
    ws: Workspace
    study: Study
    judge: Judge
    work: BlindWork

    def again(self) -> None:
        """Read the study anew, after something was stored."""
        known = studies(self.ws, self.study.suite)
        self.study = next(each for each in known if each.id == self.study.id)


def judging(ws: Workspace, study: Study, judge: Judge) -> None:
    """Draw the open pair of a judge, after doing what they asked for."""
    work = session_object(BlindWork)
    if work.study != study.id:
        work.begin(study.id)
    now = _Judging(ws.unmasked, study, judge, work)
    for did in new_acts():
        _do(now, did)
    try:
        if now.study.takes_part(judge):
            _draw(now)
        else:
            _over(now)
    except EvalcoreError as fault:
        st.text(refusal(fault))


def _over(now: _Judging) -> None:
    """Draw what a judge may see whose part is over, or who never had one."""
    part = now.study.parts.get(now.judge.id)
    if part == "revealed":
        told = reveal_to(now.ws, now.study, now.judge)
        sheet_panel(told_blocks(now.study, told), {}, "blind-told")
    else:
        st.text(over_words(part))


def _draw(now: _Judging) -> None:
    work, pairs = now.work, tasks(now.study, now.judge)
    known, done = tuple(pairs), _done(now, pairs)
    if work.task not in known:
        work.task, work.file, work.part = _next_open(known, done, None), None, 1
    base = {"answer": work.answer, "undo": work.undo, "diff": work.diff}
    if work.task is None:
        words = end_words(now.study, now.judge.id)
        blind_panel({**base, "task": None, "end": words, "may_reveal": bool(known)})
        return
    opened = open_task(now.ws, now.study, now.judge, work.task)
    mine = now.study.judged_by(now.judge.id).get(opened.pair.pair)
    submission = _submission(work, work.task, None if mine is None else mine.id)
    task = blind_task(now.ws, now.study, opened, work.file, work.part)
    progress = Progress(known.index(work.task) + 1, len(known), len(done))
    blind_panel({**base, **panel(task, progress, submission, mine)})
    if work.diff:
        runs = opened.left, opened.right
        left, right = (whole_text(now.ws, now.study, run, task.left.name, opened) for run in runs)
        diff_panel(diff_block(diff(left, right), task.left.name, "left", "right"), "blind-diff")


def _done(now: _Judging, known: Mapping[str, BlindPair]) -> set[str]:
    judged = now.study.judged_by(now.judge.id)
    return {task for task, pair in known.items() if pair.pair in judged}


def _next_open(known: tuple[str, ...], done: set[str], after: str | None) -> str | None:
    """Return the next task without a verdict, from the one after another round to it."""
    at = known.index(after) + 1 if after in known else 0
    return next((task for task in (*known[at:], *known[:at]) if task not in done), None)


def _submission(work: BlindWork, task: str, used: str | None) -> str:
    if task not in work.ids or work.ids[task] == used:
        work.ids[task] = new_id()
    return work.ids[task]


def _do(now: _Judging, body: Body) -> None:
    """Do one act and keep its answer, a sentence where it failed."""
    act, number = _ACTS.get(str(body.get("act"))), str(body.get("number"))[:100]
    if act is None or (now.work.answer or {}).get("number") == number:
        return  # sent again, as its answer was not drawn
    try:
        now.work.answer = {"number": number, "ok": True, "message": "", **act(now, body)}
    except (EvalcoreError, ValueError) as fault:
        now.work.answer = {"number": number, "ok": False, "message": refusal(fault)}


def _store(now: _Judging, body: Body) -> PanelData:
    task, answer = str(body.get("task")), answer_of(body)
    if answer is None:
        raise CannotJudge("Choose which output is better, then store.")
    submission = now.work.ids.get(task)
    if submission is None or submission != body.get("submission"):
        raise CannotJudge("This window is out of date. Check your verdict, then store again.")
    opened = open_task(now.ws, now.study, now.judge, task)
    receipt = give_verdict(now.ws, now.study, opened, answer, now.judge, submission)
    now.again()
    pairs = tasks(now.study, now.judge)
    now.work.undo = task
    now.work.open(_next_open(tuple(pairs), _done(now, pairs), task))
    return {"message": receipt_words(answer, receipt), "forget": task}


def _undo(now: _Judging, body: Body) -> PanelData:
    task = str(body.get("task"))
    opened = open_task(now.ws, now.study, now.judge, task)
    receipt = take_back(now.ws, now.study, opened.pair.pair, now.judge)
    now.again()
    now.work.undo = None
    now.work.open(task)
    return {"message": f"Withdrawn: {receipt.path}"}


def _go(now: _Judging, body: Body) -> PanelData:
    known = tuple(tasks(now.study, now.judge))
    if not known:
        return {}
    at = known.index(now.work.task) if now.work.task in known else 0
    step = {"next": 1, "previous": -1}.get(str(body.get("to")))
    now.work.open(known[0] if step is None else known[(at + step) % len(known)])
    return {}


def _file(now: _Judging, body: Body) -> PanelData:
    part = body.get("part")
    now.work.file = str(body.get("file"))
    now.work.part = part if isinstance(part, int) else 1
    return {}


def _differ(now: _Judging, body: Body) -> PanelData:
    del body
    now.work.diff = not now.work.diff
    return {}


def _give_up(now: _Judging, body: Body) -> PanelData:
    del body
    take_part(now.ws, now.study, now.judge, "gave up")
    now.again()
    return {}


def _reveal(now: _Judging, body: Body) -> PanelData:
    del body
    reveal_to(now.ws, now.study, now.judge)
    now.again()
    return {}


_ACTS: Final[Mapping[str, Callable[[_Judging, Body], PanelData]]] = {
    "store": _store,
    "undo": _undo,
    "go": _go,
    "file": _file,
    "diff": _differ,
    "give-up": _give_up,
    "reveal": _reveal,
}
