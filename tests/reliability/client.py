"""A session without a browser: what a page and its panels send, over a real websocket.

It speaks Streamlit's protocol: messages are protobuf, a panel gets JSON and answers with events.
"""

import json
import socket
import time
from collections.abc import Callable, Mapping
from contextlib import ExitStack, suppress
from functools import partial
from types import TracebackType
from typing import Any, Self
from urllib.parse import parse_qs

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin, Subprotocol

from tests.dashboard.live import Served

PANEL = "evalcore.judge"
EVENTS = "$$STREAMLIT_INTERNAL_KEY_{}__events"
PATIENCE = 30.0
BIG = 64 * 1024 * 1024


class Session:
    """One window on a page, the Judge page unless another is named, in the browser let in last.

    `data` is what the judging panel was given last, `drawn_at` when (of the monotonic clock);
    `boxes` are the ids of what opens on a click, `buttons` those of buttons by their words, `ticks`
    the fragments that run once a second. Like a person it acts only when the page has come to rest.
    """

    def __init__(self, served: Served, page_name: str = "judge", /, **query: str) -> None:
        host = f"127.0.0.1:{served.port}"
        self.data: dict[str, Any] = {}
        self.frames: list[bytes] = []
        self.boxes: set[str] = set()
        self.buttons: dict[str, str] = {}
        self.ticks: set[str] = set()
        self._name = page_name
        self._query = served.address(page_name, **query).partition("?")[2]
        self._page = self._panel = self._fragment = ""
        self._last = b""
        self._count = self._whole = self._parts = 0
        self._running = False
        self.drawn_at = 0.0
        self._held = ExitStack()
        self._socket: ClientConnection = self._held.enter_context(
            connect(
                f"ws://{host}/_stcore/stream",
                origin=Origin(f"http://{host}"),
                subprotocols=[Subprotocol("streamlit"), Subprotocol(f"evalcore.{served.key}")],
                proxy=None,
                additional_headers={"Cookie": served.cookie},
                max_size=BIG,
                open_timeout=PATIENCE,
                close_timeout=2,
            )
        )
        self._url = f"http://{host}/{page_name}"

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        fault: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        with suppress(OSError):
            self._held.close()

    def _is_past(self, parts: int) -> bool:
        return self._parts > parts

    @property
    def address(self) -> str:
        """The parameters of the address."""
        return self._query

    def open(self) -> dict[str, Any]:
        """Open the page and return what the panel was given."""
        message = self._message()
        message.rerun_script.page_name = self._name
        self._socket.send(message.SerializeToString())
        self._read_until(lambda: self._whole > 0)
        return self.data

    def open_boxes(self) -> None:
        """Open everything on the page that opens on a click."""
        before, message = self._whole, self._message()
        message.rerun_script.page_script_hash = self._page
        for each in sorted(self.boxes):
            widget = message.rerun_script.widget_states.widgets.add()
            widget.id, widget.bool_value = each, True
        self._socket.send(message.SerializeToString())
        self._read_until(lambda: self._whole > before)

    def click(self, words: str) -> None:
        """Click on the button whose words begin so, once it is there, and wait for nothing."""
        self._read_until(lambda: any(said.startswith(words) for said in self.buttons))
        (name,) = (each for said, each in self.buttons.items() if said.startswith(words))
        message = self._message()
        message.rerun_script.page_script_hash = self._page
        widget = message.rerun_script.widget_states.widgets.add()
        widget.id, widget.trigger_value = name, True
        self._socket.send(message.SerializeToString())

    def listen(self) -> None:
        """Wait for the next message, and take it in."""
        self._take(bytes(self._socket.recv(timeout=PATIENCE, decode=False)))

    def parameter(self, name: str) -> str:
        """Return a parameter of the address; nothing where it has none of this name."""
        return parse_qs(self._query).get(name, [""])[0]

    def tick(self) -> None:
        """Let a second pass: each fragment that runs by itself runs once."""
        for each in sorted(self.ticks):
            before, message = self._parts, self._message()
            message.rerun_script.page_script_hash = self._page
            message.rerun_script.fragment_id = each
            self._socket.send(message.SerializeToString())
            self._read_until(partial(self._is_past, before))

    def act(self, act: str, **what: Any) -> dict[str, Any]:
        """Do one thing and return what the panel was given with the answer to it."""
        return self._answered(self.begin(act, **what))

    def act_unheard(self, act: str, **what: Any) -> dict[str, Any]:
        """Do one thing whose answer and address are lost, then send the same message again.

        Return what the panel was given with the answer to the second one.
        """
        seq = self.begin(act, **what)
        self._answered(seq)
        self.data = {**self.data, "answer": None}
        self._socket.send(self._last)
        return self._answered(seq)

    def _answered(self, seq: str) -> dict[str, Any]:
        self._read_until(lambda: (self.data.get("answer") or {}).get("seq") == seq)
        return self.data

    def begin(self, act: str, **what: Any) -> str:
        """Send what the judge does, and return the number that its answer will bear."""
        self._count += 1
        seq = f"{id(self)}-{self._count}"
        run = self.data["task"]["run"] if self.data.get("task") else None
        value = {"act": act, "seq": seq, "run": run, "draft": None, **self._owner(), **what}
        message = self._message()
        message.rerun_script.page_script_hash = self._page
        message.rerun_script.fragment_id = self._fragment
        widget = message.rerun_script.widget_states.widgets.add()
        widget.id = EVENTS.format(self._panel)
        widget.json_trigger_value = json.dumps([{"event": "did", "value": value}])
        self._last = message.SerializeToString()
        self._socket.send(self._last)
        return seq

    def be(self, name: str) -> dict[str, Any]:
        """Say who judges; the page is drawn anew for that."""
        before = self._whole
        self.begin("be", name=name)
        self._read_until(lambda: self._whole > before)
        return self.data

    def filled(self, score: float, why: str) -> dict[str, Any]:
        """Return what the panel would send to store one score with one reason everywhere."""
        task = self.data["task"]
        given = {"score": score, "rationale": why, "evidence": [], "level": None}
        return {
            "answers": [{"key": item["key"], **given} for item in task["criteria"]],
            "ids": task["ids"],
            "basis": task["basis"],
            "some": False,
            "mine": {key: mine["id"] for key, mine in task["mine"].items()},
        }

    def cut(self) -> None:
        """Let the connection fall without a word; it may have been closed before."""
        with suppress(OSError):
            self._socket.socket.shutdown(socket.SHUT_RDWR)

    def _owner(self) -> Mapping[str, Any]:
        judge = self.data.get("judge")
        return {"judge": judge["id"] if judge else None}

    def _message(self) -> BackMsg:
        message = BackMsg()
        message.rerun_script.query_string = self._query
        message.rerun_script.widget_states.SetInParent()
        message.rerun_script.context_info.url = self._url
        return message

    def _read_until(self, done: Callable[[], bool]) -> None:
        end = time.monotonic() + PATIENCE
        while self._running or not done():
            left = end - time.monotonic()
            if left <= 0:
                raise TimeoutError("the panel was not given what was waited for")
            frame = self._socket.recv(timeout=left, decode=False)
            self.frames.append(bytes(frame))
            self._take(bytes(frame))

    def _take(self, frame: bytes) -> None:
        message = ForwardMsg()
        message.ParseFromString(frame)
        kind = message.WhichOneof("type")
        if kind == "session_status_changed":
            self._running = message.session_status_changed.script_is_running
        if kind == "script_finished":
            self._parts += 1
            self._whole += not message.metadata.run.fragment_ids
        if kind == "auto_rerun":
            self.ticks.add(message.auto_rerun.fragment_id)
        if kind == "new_session":
            self._page = message.new_session.page_script_hash
        if (button := message.delta.new_element.button).id:
            self.buttons[button.label] = button.id
        block = message.delta.add_block
        self.boxes |= {each for each in (block.popover.id, block.expandable.id) if each}
        if kind == "page_info_changed":
            self._query = message.page_info_changed.query_string
        panel = message.delta.new_element.bidi_component
        if kind == "delta" and panel.component_name == PANEL:
            self._page = message.metadata.active_script_hash
            self._panel, self._fragment = panel.id, message.delta.fragment_id
            self.data = json.loads(panel.json)
            self.drawn_at = time.monotonic()
