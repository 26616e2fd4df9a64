"""Two people judge a blind study at two browsers by keyboard; it is closed, and tells its sides."""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.dashboard.live import DESK, PATIENCE_MS, Served
from tests.judging.copies import DEMO, INVOICES
from tests.reliability.serving import serving

A, B = "iteration-2@with_skill", "iteration-3@with_skill"
PAIRS = 4
TELLING = ("iteration-2", "iteration-3", "with_skill", "invoice-extractor::")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a copy of one suite of the demo."""
    root = tmp_path_factory.mktemp("blind") / "demo"
    for name in (INVOICES, f"{INVOICES}-workspace"):
        shutil.copytree(DEMO / name, root / name)
    return root


@pytest.fixture(scope="module")
def dashboard(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """Serve it to both."""
    with serving(folder, tmp_path_factory.mktemp("state")) as (served, _):
        yield served


class Person:
    """One person at a browser of their own, who uses the keyboard once the study is open."""

    def __init__(self, browser: Browser, served: Served, name: str) -> None:
        served.let_in()
        context = browser.new_context(viewport=DESK)
        served.admit(context)
        context.set_default_timeout(PATIENCE_MS)
        self.page: Page = context.new_page()
        self.served, self.name = served, name
        self.heard: list[bytes] = []

    def say_name(self) -> None:
        """Give the name, which the page asks for where there is a study."""
        self.open()
        self.page.get_by_label("Your name").fill(self.name)
        self.page.get_by_role("button", name="Start judging").click()
        expect(self.page.get_by_label("Your name")).to_have_count(0)

    def open(self, **query: str) -> None:
        """Open the page Blind."""
        self.page.goto(self.served.address("blind", suite=INVOICES, **query))
        expect(self.page.get_by_role("heading", level=1)).to_be_visible()

    def judge(self, study: str) -> None:
        """Open the study, and note all that arrives from now on."""
        self.page.on("websocket", lambda socket: socket.on("framereceived", self._note))
        self.open(study=study)
        expect(self.page.get_by_role("heading", name="Pair 1 of")).to_be_visible()

    def _note(self, frame: str | bytes) -> None:
        self.heard.append(frame if isinstance(frame, bytes) else frame.encode())

    def say(self, key: str, why: str, done: int) -> None:
        """Give a verdict by keyboard, and wait until it is stored."""
        self.page.keyboard.press(key)
        self.page.keyboard.press("w")
        self.page.keyboard.type(why)
        self.page.keyboard.press("Control+Enter")
        told = f"{done} compared" if done < PAIRS else "Done: "
        expect(self.page.get_by_text(told)).to_be_visible()


@pytest.fixture(scope="module")
def people(chromium: Browser, dashboard: Served) -> Iterator[tuple[Person, Person]]:
    """Two people, of whom the first creates the study."""
    ana = Person(chromium, dashboard, "Ana")
    ben = Person(chromium, dashboard, "Ben")
    yield ana, ben
    for each in (ana, ben):
        each.page.context.close()


def records(folder: Path, kind: str) -> list[dict[str, Any]]:
    """Return the records of a type that are on the disk."""
    found = folder.glob(f"**/reviews/{kind}/*.json")
    return [json.loads(path.read_text("utf-8")) for path in sorted(found)]


def test_a_study_is_created_judged_by_two_closed_and_told(
    people: tuple[Person, Person], folder: Path
) -> None:
    """From the form to the results; nothing tells the sides before the end."""
    ana, ben = people
    ana.open(a=A, b=B)
    ana.page.get_by_label("Each pair is judged by").click()
    ana.page.get_by_role("option").nth(2).click()
    expect(ana.page.get_by_text("about 12 minutes")).to_be_visible()
    ana.page.get_by_label("Your name").fill("Ana")
    ana.page.get_by_role("button", name="Create the study").click()
    expect(ana.page.get_by_text("Created:")).to_be_visible()
    (study,) = records(folder, "blind-study")
    ben.say_name()
    for person in people:
        person.open()
        person.page.get_by_role("button", name="Join and judge").click()
        expect(person.page.get_by_role("heading", name="Pair 1 of 4")).to_be_visible()
        person.judge(study["id"])
    for done in range(PAIRS):
        ana.say("lrtl"[done], "It is closer to what was asked.", done + 1)
        ben.say("lrbt"[done], "所以更好. כי הוא קצר", done + 1)
    verdicts = records(folder, "blind-verdict")
    assert len(verdicts) == 2 * PAIRS
    assert {each["fields"]["winner"] for each in verdicts} == {"left", "right", "tie", "both bad"}
    for person in people:
        told = b"".join(person.heard)
        assert told
        assert not [word for word in TELLING if word.encode() in told]
    ana.page.get_by_role("button", name="Reveal which was which").click()
    expect(ana.page.get_by_text(f"A is {A}, B is {B}.")).to_be_visible()
    ana.open()
    ana.page.get_by_role("button", name="Close and reveal …").click()
    ana.page.get_by_role("button", name="Reveal and close").click()
    expect(ana.page.get_by_text("a tie counting half")).to_be_visible()
    assert len(records(folder, "blind-key")) == 1
