"""Collects the steps of a transcript: counts turns, and joins each call with its result."""

from datetime import datetime
from typing import Any, Final

from evalcore.steps.model import (
    CALLS,
    NOTHING,
    Kind,
    Spent,
    Stated,
    Step,
    Steps,
    amount,
    as_text,
    moment,
    seconds_between,
)

MAX_STEPS: Final = 20_000
SUB_AGENTS: Final = frozenset({"task", "agent", "sub_agent", "subagent", "spawn_agent"})
"""The tools by which agents begin another agent."""

_MODEL: Final = frozenset({"assistant", "thinking", *CALLS})


class Collector:
    """Takes in what was said and done, in order, and gives back the steps.

    A turn begins with what a user says, with another answer of the model, and when the model goes
    on after a tool. What all steps of one message share is set by `message`.
    """

    def __init__(self, source: str | None = None) -> None:
        self.has_tools = False
        self.stated = Stated()
        self._source = source
        self._steps = list[Step]()
        self._left_out = self._unread = self._turn = 0
        self._by_id = dict[str, int]()
        self._open = dict[str, None]()
        self._sub_agent: int | None = None
        self._message: object = None
        self._place: str | None = None
        self._time: datetime | None = None
        self._parent: int | None = None
        self._spent = NOTHING
        self._fresh = self._answered = False
        self._deltas = list[str]()
        self._spent_in = dict[str, int]()

    def message(
        self,
        key: object = None,
        time: object = None,
        spent: Spent = NOTHING,
        *,
        inside: object = None,
        sidechain: bool = False,
        place: str | None = None,
    ) -> None:
        """Begin a message, or go on with the one of the same key.

        `inside` is the id of the call that began the sub-agent that it is of; `sidechain` says
        only that it is of one, which is then the latest. `place` is where all of it stands, if its
        parts have no places of their own.
        """
        self._flush()
        if key is None or key != self._message:
            self._fresh = True
        self._message = key
        self._place = place
        self._time = moment(time)
        self._parent = self._by_id.get(inside) if isinstance(inside, str) else None
        if sidechain and self._parent is None:
            self._parent = self._sub_agent
        self._spent = spent
        known = self._spent_in.get(key) if isinstance(key, str) else None
        if known is not None:  # a message that is written in several lines repeats its usage
            self._spend(known)
            self._spent = NOTHING

    def timed(self, time: object) -> None:
        """Say when what comes next was begun, in the same message."""
        self._time = moment(time)

    def say(self, kind: Kind, text: str, pointer: str | None = None) -> None:
        """Add what was said; nothing if it is blank."""
        self._flush()
        if text and not text.isspace():
            self._add(kind, pointer, text=as_text(text))

    def delta(self, text: str) -> None:
        """Go on with what the model says: it is one step with what it said just before."""
        self._deltas.append(text)

    def call(self, id_: object, tool: object, arguments: Any, pointer: str | None = None) -> None:
        """Add the use of a tool."""
        self._flush()
        name = as_text(tool)[:200] if tool else "unknown"
        self.has_tools = True
        at = len(self._steps)
        if isinstance(id_, str) and id_ in self._open:
            return  # told once more, as begun and as done
        kind: Kind = "sub_agent" if name.lower() in SUB_AGENTS else "tool_call"
        self._add(kind, pointer, tool=name, arguments=arguments)
        if kind == "sub_agent":
            self._sub_agent = at
        if isinstance(id_, str):
            self._by_id[id_] = at
            self._open[id_] = None

    def result(
        self,
        id_: object,
        result: object,
        pointer: str | None = None,
        *,
        failed: bool | None = False,
        duration_s: object = None,
        tool: object = None,
        time: object = None,
    ) -> None:
        """Add what a tool gave to its call; it is a step of its own where no call has its id."""
        self._flush()
        self.has_tools = True
        # What a message says after a tool that it used itself is still the same answer.
        self._fresh = self._fresh or not self._message
        text = "" if result is None else as_text(result)
        status: Any = None if failed is None else "error" if failed else "ok"
        ended = moment(time) or self._time
        if isinstance(id_, str) and id_ in self._open:
            del self._open[id_]
            if (at := self._by_id[id_]) >= len(self._steps):
                return  # its call is beyond the most steps
            step = self._steps[at]
            took = amount(duration_s)
            self._steps[at] = step._replace(
                result=text,
                status=status,
                duration_s=took if took is not None else seconds_between(step.started_at, ended),
            )
            return
        name = as_text(tool)[:200] if tool else None
        self._add("tool_result", pointer, tool=name, result=text, status=status)

    def unknown(self, value: object, pointer: str | None = None) -> None:
        """Keep what could not be understood as text, and count it."""
        self._flush()
        self._unread += 1
        self._add("text", pointer, text=as_text(value))

    def state(self, **known: Any) -> None:
        """Take in what a transcript says of itself; what is None is not said."""
        said = {name: value for name, value in known.items() if value is not None}
        self.stated = self.stated._replace(**said)

    def is_open(self, id_: object) -> bool:
        """Return whether a call has an id that has no result yet."""
        return isinstance(id_, str) and id_ in self._open

    def finished(self) -> Steps:
        """Return the steps."""
        self._flush()
        return Steps(
            tuple(self._steps),
            self._unread,
            self._left_out,
            self.has_tools,
            self.stated,
            self._source,
        )

    def _flush(self) -> None:
        if self._deltas:
            text, self._deltas = "".join(self._deltas), []
            self.say("assistant", text)

    def _add(self, kind: Kind, pointer: str | None, **what: Any) -> None:
        if (
            kind == "user"
            or (kind in _MODEL and self._fresh)
            or (not self._turn and kind != "text")
        ):
            # The first answer to what is asked is of the same turn.
            self._turn += self._answered or not self._turn
            self._fresh = self._answered = False
        self._answered = self._answered or kind in _MODEL
        if len(self._steps) >= MAX_STEPS:
            self._left_out += 1
            return
        at = len(self._steps)
        self._steps.append(
            Step(
                at,
                self._turn,
                kind,
                started_at=self._time,
                parent=self._parent,
                pointer=self._place or pointer,
                **what,
            )
        )
        if isinstance(self._message, str) and self._message not in self._spent_in:
            self._spent_in[self._message] = at
        self._spend(at)
        self._spent = NOTHING

    def _spend(self, at: int) -> None:
        if self._spent != NOTHING:
            self._steps[at] = self._steps[at]._replace(**self._spent._asdict())
