"""Twin workspaces that differ only by the side of the versions, and all that a browser is told.

Both have two iterations of the same cases. In the second one the iterations have exchanged their
outputs, and the secret of its study exchanges left and right: what a judge sees is the same text at
the same place, made by the other version.
"""

import json
import re
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any, Final, NamedTuple
from urllib.parse import urlsplit

from playwright.sync_api import Browser, Page, Request, Response, WebSocket, expect
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from evalcore.blind.creating import Design, create_study
from evalcore.blind.keys import keep_secret
from evalcore.blind.proposing import propose, side_named
from evalcore.judging.answering.independent import Judges
from evalcore.judging.model import Judge
from evalcore.judging.storing.judges import remember_judge
from evalcore.workspace.opened import open_workspace
from pages.parts.access.gate import browser_id
from tests.chance import Recorded, Twin
from tests.dashboard.live import DESK, PATIENCE_MS, Served, own_state, served, write
from tests.dashboard.screen import idle
from tests.twin_folders import secret_like

CASES: Final = 5
SUITE: Final = "letters"
SIDES: Final = ("iteration-1@with_skill", "iteration-2@with_skill")
SECRET: Final = bytes(32)
MODEL: Final = "model-zebra-9"
SECONDS: Final = 47.1875
STILL_MS: Final = 150
TEXTS: Final = ("Dear Mrs Iwasaki, thank you.", "Hello! 手紙をありがとう。 תודה")


def workspace(root: Path, *, swapped: bool) -> Path:
    """Write two iterations of five cases; swapped, the outputs of one are those of the other."""
    given = {"expected_output": "", "expectations": ["is kind"]}
    cases = [
        {"id": at, "name": f"letter-{at}", "prompt": f"Write letter {at}.", **given}
        for at in range(CASES)
    ]
    write(root / f"{SUITE}/evals/evals.json", {"skill_name": SUITE, "evals": cases})
    for number in (1, 2):
        for at in range(CASES):
            place = root / f"{SUITE}-workspace/iteration-{number}/eval-{at}"
            write(place / "eval_metadata.json", {"eval_id": at, "eval_name": f"letter-{at}"})
            run = place / "with_skill/run-1"
            passed = {"text": "is kind", "passed": number == 1, "evidence": f"verdict on {number}"}
            summary = {"passed": number % 2, "failed": 1 - number % 2, "total": 1}
            write(run / "grading.json", {"expectations": [passed], "summary": summary})
            write(run / "timing.json", {"executor_duration_seconds": SECONDS, "model": MODEL})
            (run / "outputs").mkdir(parents=True)
            text = TEXTS[(number == 2) != swapped]
            (run / "outputs/letter.md").write_text(f"{text} {at}", "utf-8")
    return root


def begin(root: Path, state: Path, study: str, *, swapped: bool, seed: int) -> Judge:
    """Create the study of a twin on the machine of a test; return its judge."""
    with own_state(state):
        state.mkdir(parents=True, exist_ok=True)
        (state / "judges.json").write_text(
            json.dumps({"judges": [{"id": "ana-3f2a", "name": "Ana"}], "browsers": {}})
        )
        judge = remember_judge("Ana", None)
        ws = open_workspace(root, cache=False)
        a, b = (side_named(ws, SUITE, name) for name in SIDES)
        proposal = propose(a, b, chance=Random(1))
        keep_secret(study, secret_like(SECRET, judge.id, proposal.pairs, seed, swapped=swapped))
        author = Judge("ben-77c0", "Ben")
        create_study(ws, SUITE, proposal, Design((), Judges((judge.id,))), author, study)
    return judge


@dataclass
class Recording:
    """All that one browser is told, by channel; each entry as a text of its own.

    `receipts` are the seconds from each verdict to its receipt, `received` the bytes of all frames.
    """

    channels: dict[str, list[str]] = field(default_factory=dict)
    receipts: list[float] = field(default_factory=list)
    received: int = 0

    def note(self, channel: str, text: str) -> None:
        """Keep one entry of a channel."""
        self.channels.setdefault(channel, []).append(text)

    def listen(self, page: Page) -> None:
        """Note every frame, address, header, medium, download and message of the console."""
        page.on("websocket", self._socket)
        page.on("request", self._asked)
        page.on("response", self._answered)
        page.on("console", lambda said: self.note("console", said.text))
        page.on("download", lambda file: self.note("download", file.suggested_filename))

    def _socket(self, socket: WebSocket) -> None:
        self.note("address", socket.url)
        socket.on("framereceived", self._frame)

    def _frame(self, frame: str | bytes) -> None:
        self.received += len(frame)
        self.note("frame", _message(frame))

    def _asked(self, request: Request) -> None:
        self.note("address", request.url)

    def _answered(self, response: Response) -> None:
        kept = {name: text for name, text in response.headers.items() if name not in _VARYING}
        self.note("header", json.dumps(kept, sort_keys=True))
        if urlsplit(response.url).path.startswith("/media/"):
            self.note("media", response.url)

    def look(self, page: Page) -> None:
        """Note what stands in the page once it is drawn: title, document, names, storage.

        Half a drawing is a matter of time, and what it is told is noted frame by frame.
        """
        document = _drawn(page)
        self.note("title", page.title())
        self.note("document", document)
        self.note("accessible", page.locator("body").aria_snapshot())
        self.note("storage", page.evaluate("JSON.stringify({...localStorage, ...sessionStorage})"))
        self.note("history", str(page.evaluate("history.length")))

    def told(self) -> Recorded:
        """Return the entries of each channel as they are compared.

        Left out is what a busy browser does more often: that one drawing is cut off by the next,
        and the numbers that React counts, in what the browser itself makes of it.
        """
        return {
            name: [(_COUNTED if name in _MADE_HERE else CUT).sub("", text) for text in texts]
            for name, texts in self.channels.items()
        }

    def found(self, words: Sequence[str]) -> list[tuple[str, str]]:
        """Return which words were told in which channels."""
        return [
            (name, word)
            for name, texts in self.channels.items()
            for word in words
            if any(word in text for text in texts)
        ]


def _drawn(page: Page) -> str:
    """Return the document of a page that has run to its end and changes no more."""
    idle(page)
    before, now = "", page.evaluate(_DOCUMENT)
    end = time.monotonic() + PATIENCE_MS / 1000
    while now != before:
        assert time.monotonic() < end, "the page keeps changing"
        page.wait_for_timeout(STILL_MS)
        before, now = now, page.evaluate(_DOCUMENT)
    return str(now)


def _window(browser: Browser, at: Served) -> Page:
    """Return a window of the judge's browser."""
    context = browser.new_context(viewport=DESK)
    at.admit(context)
    context.set_default_timeout(PATIENCE_MS)
    return context.new_page()


def _judged(browser: Browser, at: Served, study: str, told: Recording) -> None:
    """Judge all pairs of a study by keyboard, and note what is told before each verdict."""
    page = _window(browser, at)
    told.listen(page)
    page.goto(at.address("blind", suite=SUITE, study=study))
    for done in range(CASES):
        expect(page.get_by_text(f"{done} compared")).to_be_visible()
        page.keyboard.press("d")
        expect(page.get_by_text("Hide differences")).to_be_visible()
        expect(page.get_by_text("only in left")).to_be_visible()
        told.look(page)
        page.keyboard.press("lrtbl"[done])
        page.keyboard.press("w")
        page.keyboard.type("Kinder.")
        begun = time.perf_counter()
        page.keyboard.press("Control+Enter")
        expect(page.get_by_text("Stored: ")).to_have_count(1)
        after = f"{done + 1} compared" if done + 1 < CASES else "Done: "
        expect(page.get_by_text(after)).to_be_visible()
        told.receipts.append(time.perf_counter() - begun)
    told.look(page)
    page.context.close()


@contextmanager
def judged_whole(
    browser: Browser, home: Path, studies: Sequence[str], *, swapped: bool, seed: int = 1
) -> Iterator[tuple[Recording, Served]]:
    """Serve a twin with some studies, of which each is judged to its end."""
    root, state, told = workspace(home / SUITE, swapped=swapped), home / "state", Recording()
    for number, study in enumerate(studies):
        begin(root, state, study, swapped=swapped, seed=1000 * seed + number)
    with served(root, state) as at:
        at.let_in()
        with own_state(state):
            remember_judge("Ana", browser_id(at.key))
        for study in studies:
            _judged(browser, at, study, told)
        yield told, at


class Recordings(NamedTuple):
    """What was told of both twins, and each recording: of one, the other, and again."""

    one: Twin
    other: Twin
    every: tuple[Recording, ...]


def recorded(browser: Browser, home: Path, studies: Sequence[str]) -> Recordings:
    """Judge both twins twice, each time with another server and secret."""
    every = (*recorded_once(browser, home, studies, 1), *recorded_once(browser, home, studies, 2))
    one, other, again, other_again = (each.told() for each in every)
    return Recordings(Twin(one, again), Twin(other, other_again), every)


def recorded_once(
    browser: Browser, home: Path, studies: Sequence[str], seed: int
) -> tuple[Recording, Recording]:
    """Judge both twins, each with another server, and with secrets of this seed."""
    found = []
    for swapped in (False, True):
        place = home / f"twin-{swapped}-{seed}"
        with judged_whole(browser, place, studies, swapped=swapped, seed=seed) as (told, _):
            found.append(told)
    one, other = found
    return one, other


_VARYING: Final = frozenset({"date", "etag", "last-modified", "content-length", "set-cookie"})
_DOCUMENT: Final = """() => {
    const told = (node) => [...node.childNodes].map((each) => each.nodeType === 3 ? each.data
        : each.tagName === 'STYLE' || each.tagName === 'SCRIPT' || each.nodeType !== 1 ? ''
        : '<' + each.tagName + [...each.attributes].map((a) => ` ${a.name}=${a.value}`).join('')
            + '>' + (each.shadowRoot ? told(each.shadowRoot) : '') + told(each)).join('');
    return told(document.body);
}"""


def _message(frame: str | bytes) -> str:
    message = ForwardMsg()
    message.ParseFromString(frame if isinstance(frame, bytes) else frame.encode())
    return str(message)


_MADE_HERE: Final = frozenset({"document", "accessible"})
_COUNTED: Final = re.compile(r":r\w+:|react-aria[-:\w]*")
CUT: Final = re.compile(r"FINISHED_\w+")
"""Whether one drawing was cut off by the next, as a busy server does more often."""


TELLING: Final = (
    "iteration-", "with_skill", MODEL, str(SECONDS), "verdict on", "::letter", "ben-77c0",
)  # fmt: skip


def entry(kind: str) -> Any:
    """Return an entry of each channel that tells a version, to try the check against."""
    return {"address": "http://127.0.0.1/blind?v=iteration-1", "title": "iteration-2"}.get(
        kind, f"left made by {MODEL} of iteration-1"
    )
