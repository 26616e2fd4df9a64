"""What was sent to others and came from them, and how it stands: open, answered, done."""

import json
from dataclasses import dataclass
from typing import Final, Literal, NamedTuple

import numpy as np

from evalcore.counting.cells import typed, where
from evalcore.counting.coded import Numbers, coded, values
from evalcore.counting.failure_rows import ids_in
from evalcore.counting.joined import judged_run, run_of
from evalcore.counting.memo import memoize_per_workspace
from evalcore.counting.people import people_rows
from evalcore.errors import UnknownName
from evalcore.tables.arrays import NO_INT
from evalcore.tables.cells import cells
from evalcore.tables.rows import JudgmentRow, MessageRow, RequestRow
from evalcore.workspace.opened import Workspace

Kind = Literal["task", "message", "memory-item", "approval-request"]
State = Literal["open", "answered", "done", "sent"]
STATES: Final[tuple[State, ...]] = ("open", "answered", "done", "sent")
OPEN, ANSWERED, DONE, SENT = range(4)
REQUEST: Final = "approval-request"


class Answer(NamedTuple):
    """What answers a message, or the judgment of a run that was sent to judging."""

    id: str
    author: str | None
    at: object
    text: str


class Message(NamedTuple):
    """Something that was sent; nobody has to answer what is only `sent`.

    `about` is the id of a record of the type `about_type`. `answers_to` is the message that it
    answers, `is_lost` says that this is not here. `rivals` are records that replace the same.
    """

    place: int
    suite: str
    id: str
    kind: Kind
    sender: str | None
    recipient: str | None
    subject: str
    text: str
    payload: str | None
    about_type: str | None
    about: str | None
    state: State
    at: object
    author: str | None
    source: str | None
    pointer: str | None
    answers: tuple[Answer, ...] = ()
    answers_to: str | None = None
    is_lost: bool = False
    rivals: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class Standing:
    """Everything that was sent in a suite, the newest first; by entry, as arrays.

    `message` is a row of `messages`, -1 for those of `requests`, whose row is `request`. `state` is
    a place in `STATES`. `answers_to` is the entry that it answers: -1 for none, -2 if it is lost.
    """

    message: Numbers
    request: Numbers
    state: Numbers
    answers_to: Numbers

    def __len__(self) -> int:
        """Return how many there are."""
        return len(self.state)


@memoize_per_workspace
def standing(ws: Workspace, suite: str) -> Standing:
    """Return how everything stands that was sent in a suite.

    A message that expects an answer is open until a message answers it, whoever wrote that; a task
    until a record that says done replaces it; a run that was sent to judging until a person judges
    it afterwards (what is judged here is taken from the list).
    """
    messages = where(ws, "messages", suite=suite)
    requests = where(ws, "requests", suite=suite, kind=REQUEST)
    to = _targets(ws, messages)
    state = np.concatenate([_of_messages(ws, messages, to), _of_requests(ws, requests)])
    none = np.full(len(requests), -1, np.int64)
    tables = (("messages", messages), ("requests", requests))
    at = np.concatenate([values(ws, table, "created_at")[rows] for table, rows in tables])
    order = np.argsort(-at.astype(np.float64), kind="stable")
    message = np.append(messages, none)[order].astype(np.int64)
    request = np.append(np.full(len(messages), -1, np.int64), requests)[order].astype(np.int64)
    to = np.append(to, none)
    back = np.empty(len(order), np.int64)
    back[order] = np.arange(len(order))
    moved = np.where(to >= 0, back[to], to)[order] if len(to) else to
    return Standing(message, request, state[order], moved)


def described(ws: Workspace, suite: str, places: list[int]) -> list[Message]:
    """Return some of what was sent, with its answers, in the given order."""
    found = standing(ws, suite)
    return [_described(ws, suite, found, place) for place in places]


def listed(ws: Workspace, suite: str, *, only_open: bool = False) -> list[int]:
    """Return the places of everything that was sent, or of what is open, the newest first."""
    found = standing(ws, suite)
    return np.flatnonzero((found.state == OPEN) | (not only_open)).tolist()


def message_named(ws: Workspace, suite: str, name: str) -> Message:
    """Return what was sent by its id, or by the beginning of it if only one has that.

    Raises:
        UnknownName: there is none, or several.
    """
    known = names(ws, suite)
    found = [at for at, each in enumerate(known) if each == name]
    found = found or [at for at, each in enumerate(known) if name and each.startswith(name)]
    if len(found) != 1:
        raise UnknownName("message", name, known)
    return described(ws, suite, found)[0]


@memoize_per_workspace
def names(ws: Workspace, suite: str) -> tuple[str, ...]:
    """Return the ids of everything that was sent, in the order of its places."""
    found = standing(ws, suite)
    ids, paths = coded(ws, "messages", "message"), coded(ws, "requests", "source")
    return tuple(
        ids.words[ids.codes[row]] if row >= 0 else _named(paths.words[paths.codes[request]])
        for row, request in zip(found.message.tolist(), found.request.tolist(), strict=True)
    )


def _of_messages(ws: Workspace, rows: Numbers, to: Numbers) -> Numbers:
    """Return the state of messages, tasks and lessons; `to` are those that they answer."""
    kind, status = (coded(ws, "messages", name) for name in ("kind", "status"))
    is_task = kind.among({"task"})[rows]
    is_done = status.among({"done"})[rows]
    expects = values(ws, "messages", "expects_answer")[rows] == 1
    replied = np.zeros(len(rows), bool)
    replied[to[to >= 0]] = True
    state = np.full(len(rows), SENT, np.int64)
    state[expects] = OPEN
    state[replied] = ANSWERED
    state[is_task] = OPEN
    state[is_task & is_done] = DONE
    return state


def _targets(ws: Workspace, rows: Numbers) -> Numbers:
    """Return which of the rows each answers, as a place among them; -1 for none, -2 if lost.

    None answers itself.
    """
    ids, to = (coded(ws, "messages", name) for name in ("message", "in_reply_to"))
    names = np.append(ids.places(to.words[:-1]), -1)[to.codes[rows]]
    place = np.full(ids.width, -2, np.int64)
    place[ids.codes[rows]] = np.arange(len(rows))
    place[-1] = -2
    found = np.where(to.codes[rows] < 0, -1, place[names])
    others: Numbers = np.where(found == np.arange(len(rows)), -1, found)
    return others


def _of_requests(ws: Workspace, rows: Numbers) -> Numbers:
    """Return the state of runs that were sent to judging: answered by a judgment since."""
    run = run_of(ws, "requests")[rows]
    last = np.full(len(values(ws, "runs", "passed")), np.iinfo(np.int64).min, np.int64)
    judged = people_rows(ws)
    if len(judged):
        at = values(ws, "judgments", "judged_at")[judged].astype(np.int64)
        np.maximum.at(last, judged_run(ws)[judged], np.where(at == NO_INT, last.min(), at))
    asked = values(ws, "requests", "created_at")[rows].astype(np.int64)
    answered = (run >= 0) & (np.append(last, last.min(initial=0))[run] >= asked)
    return np.where(answered, ANSWERED, OPEN)


def _described(ws: Workspace, suite: str, found: Standing, place: int) -> Message:
    state, row = STATES[int(found.state[place])], int(found.message[place])
    answers: list[Answer] = []
    if row >= 0:
        (said,) = typed(ws, "messages", MessageRow, [row])
        answering = found.message[found.answers_to == place].tolist()
        for each in typed(ws, "messages", MessageRow, sorted(answering)):
            who, text = each.sender or each.author, each.text or ""
            answers.append(Answer(each.message or "", who, each.created_at, text))
    else:
        request = int(found.request[place])
        said = _as_message(*typed(ws, "requests", RequestRow, [request]))
        run, people = int(run_of(ws, "requests")[request]), people_rows(ws)
        if state == "answered":
            judged = typed(ws, "judgments", JudgmentRow, people[judged_run(ws)[people] == run])
            by_judge = {
                each.judge: Answer("", each.judge, each.judged_at, each.rationale or "")
                for each in judged
                if each.judged_at is not None
                and said.created_at
                and each.judged_at >= said.created_at
            }
            answers.extend(by_judge.values())
    return Message(
        place=place,
        suite=suite,
        id=said.message or "",
        kind=said.kind,  # type: ignore[arg-type] # its reader knows only these
        sender=said.sender,
        recipient=said.recipient,
        subject=said.subject or "",
        text=said.text or "",
        payload=said.payload,
        about_type=said.about_type,
        about=said.about,
        state=state,
        at=said.created_at,
        author=said.author,
        source=said.source,
        pointer=said.pointer,
        answers=tuple(answers),
        answers_to=said.in_reply_to,
        is_lost=int(found.answers_to[place]) == -2,
        rivals=tuple(ids_in(said.rivals)),
    )


def _as_message(request: RequestRow) -> MessageRow:
    """Return a run that was sent to judging as a message to people."""
    return MessageRow(
        suite=request.suite,
        message=_named(request.source or ""),
        kind=REQUEST,
        sender=request.author,
        recipient="people",
        subject="Judge this run",
        text=request.reason,
        about_type="test-run",
        about=request.run_id,
        author=request.author,
        created_at=request.created_at,
        source=request.source,
        pointer=request.pointer,
    )


def _named(path: str) -> str:
    """Return the id of a record by the name of its file."""
    return path.rpartition("/")[2].removesuffix(".json")


COMPARE: Final = "compare-prompts"
"""The subject of an instruction to compare two versions."""


class Instruction(NamedTuple):
    """A message that asks to compare two versions by a benchmark; what it does not say is None."""

    id: str
    sender: str
    text: str
    benchmark: str | None
    a: str | None
    b: str | None


@memoize_per_workspace
def open_instructions(ws: Workspace, suite: str) -> tuple[Instruction, ...]:
    """Return the instructions of a suite that no message answers, oldest first."""
    columns = ("message", "subject", "in_reply_to", "sender", "text", "payload", "created_at")
    rows = [
        row
        for kind, of, *row in cells(ws.tables, "messages", "kind", "suite", *columns)
        if kind == "message" and of == suite
    ]
    answered = {reply for name, _, reply, *_ in rows if reply != name}
    open_ = [row for row in rows if row[1] == COMPARE and row[0] not in answered]
    found = []
    for name, _, _, sender, text, payload, _ in sorted(
        open_, key=lambda row: (row[-1] or 0, row[0])
    ):
        try:
            value = json.loads(payload or "{}")
        except ValueError:  # a long payload is cut in the table
            value = {}
        fields = value if isinstance(value, dict) else {}
        asked = (fields.get(key) for key in ("benchmarkId", "promptVersionA", "promptVersionB"))
        benchmark, a, b = (each if isinstance(each, str) and each else None for each in asked)
        found.append(Instruction(name, sender or "", text or "", benchmark, a, b))
    return tuple(found)
