"""Two people judge one suite at two browsers of one dashboard, by keyboard alone."""

import json
import re
import shutil
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Error, Page, WebSocket, expect

from tests.dashboard.live import DESK, PATIENCE_MS, Served
from tests.judging.copies import DEMO
from tests.reliability.client import Session
from tests.reliability.serving import serving

SUITE = "commit-helper"
CONFIGURATION = "with_skill"
RUNS = 5
MACHINE = "WORDS-OF-THE-MACHINE"
HELD = """() => {
    let node = document.activeElement;
    while (node.shadowRoot && node.shadowRoot.activeElement) node = node.shadowRoot.activeElement;
    return `${node.className}|${node.dataset.state || ''}`;
}"""
"""What has the keyboard: its class and its state."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return one suite of the demo, of which only the first iteration is left."""
    root = tmp_path_factory.mktemp("together") / "demo"
    for name in (SUITE, f"{SUITE}-workspace"):
        shutil.copytree(DEMO / name, root / name)
    for path in (root / f"{SUITE}-workspace").glob("iteration-*"):
        if path.name != "iteration-1":
            shutil.rmtree(path)
    for path in root.glob("**/grading.json"):
        grading = json.loads(path.read_text("utf-8"))
        for each in grading["expectations"]:
            each["evidence"] = MACHINE
        path.write_text(json.dumps(grading), "utf-8")
    return root


@pytest.fixture(scope="module")
def together(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """Serve it to both."""
    with serving(folder, tmp_path_factory.mktemp("state")) as (served, _):
        yield served


class Person:
    """One person at a browser of their own, who uses the keyboard and nothing else."""

    def __init__(self, browser: Browser, served: Served, name: str, score: str) -> None:
        served.let_in()
        context = browser.new_context(viewport=DESK)
        served.admit(context)
        context.set_default_timeout(PATIENCE_MS)
        self.page: Page = context.new_page()
        self.name, self.score, self.served = name, score, served
        self.received: list[str] = []
        self.receipts: list[str] = []
        self.close = context.close
        self.page.on("websocket", self._listen)

    def _listen(self, socket: WebSocket) -> None:
        socket.on("framereceived", lambda frame: self.received.append(_text(frame)))

    def come(self) -> None:
        """Open the page."""
        self.page.goto(self.served.address("judge", suite=SUITE, c=CONFIGURATION))
        expect(self.page.locator(".name-field")).to_be_visible()

    def say_the_name(self) -> None:
        """Say who judges; the keyboard reaches the field by Tab."""
        self._walk_to("name-field")
        self.page.keyboard.type(self.name)
        self.page.keyboard.press("Enter")
        expect(self.page.locator(".name-field")).to_have_count(0)
        expect(self.page.locator("fieldset.criterion").first).to_be_visible()

    def _walk_to(self, sign: str) -> None:
        """Press Tab until what has the keyboard bears a class or a state."""
        for _ in range(80):
            if sign in str(self.page.evaluate(HELD)).split("|"):
                return
            self.page.keyboard.press("Tab")
        pytest.fail(f"Tab does not lead to {sign}")

    def run(self) -> str:
        """Return the run that is open."""
        return str(self.page.evaluate("new URL(location.href).searchParams.get('run')"))

    def elsewhere(self, run: str) -> None:
        """Wait until another run is open."""
        other = "run => new URL(location.href).searchParams.get('run') !== run"
        try:
            self.page.wait_for_function(other, arg=run)
        except Error:
            shown = self.page.locator(".judge").all_inner_texts()
            held = self.page.evaluate(HELD)
            pytest.fail(f"{self.name} waits for another run than {run}; at {held}: {shown}")

    def words(self, run: str) -> str:
        """Return what this person says of a run, which nobody else would."""
        return f"{self.name}-says-{run.partition('::')[2].partition('@')[0]}"

    def judge(self) -> tuple[str, int]:
        """Judge the run that is open; return it and how many scores that were."""
        page, run = self.page, self.run()
        expect(page.locator("fieldset.criterion input").first).to_be_focused()
        many = page.locator("fieldset.criterion").count()
        for at in range(many):
            page.keyboard.press(self.score if at else "1")
            page.keyboard.press("w")
            page.keyboard.type(self.words(run))
            if at + 1 < many:
                page.keyboard.press("Tab")
        page.keyboard.press("Control+Enter")
        self.elsewhere(run)
        rows = page.locator(".strip .receipt li code")
        expect(rows).to_have_count(many)
        for old in self.receipts[-1:]:
            expect(rows.last).not_to_contain_text(old)
        self.receipts += [row.split(" · ")[0].strip() for row in rows.all_text_contents()]
        return run, many

    def was_sent(self, words: str) -> bool:
        """Say whether anything that this browser received or shows has these words."""
        shown = self.page.locator(".judge").evaluate("node => node.getRootNode().innerHTML")
        return words in str(shown) or any(words in frame for frame in self.received)

    def look_back(self) -> None:
        """Open what was judged differently, by keyboard, from the end of the queue."""
        expect(self.page.locator(".end")).to_be_visible()
        self._walk_to("needs another judge")
        self.page.keyboard.press("Enter")
        expect(self.page.locator(".review")).to_be_visible()


def _text(frame: str | bytes) -> str:
    return frame if isinstance(frame, str) else frame.decode("utf-8", "replace")


def test_two_people_judge_a_suite_by_keyboard(
    chromium: Browser, together: Served, folder: Path
) -> None:
    """Each sees the other's scores beside their own, and not a word of them before."""
    with ExitStack() as stack:
        ana, ben = (
            Person(chromium, together, name, score) for name, score in (("Ana", "1"), ("Ben", "0"))
        )
        judged: dict[str, set[str]] = {"Ana": set(), "Ben": set()}
        scores = 0
        for person in (ana, ben):
            stack.callback(person.close)
            person.come()
        for person in (ana, ben):
            person.say_the_name()
        for _ in range(RUNS):
            for person, other in ((ana, ben), (ben, ana)):
                here = person.run()
                assert not person.was_sent(other.words(here)), "the other's words came too soon"
                assert person.name == "Ben" or judged["Ana"] or not person.was_sent(MACHINE)
                run, many = person.judge()
                judged[person.name].add(run)
                scores += many
        assert len(judged["Ana"]) == RUNS
        assert judged["Ana"] == judged["Ben"]
        for person, other in ((ana, ben), (ben, ana)):
            person.look_back()
            for turn in range(RUNS):
                run = person.run()
                review = person.page.locator(".review")
                expect(review).to_contain_text(person.words(run))
                expect(review).to_contain_text(other.words(run))
                expect(review).to_contain_text(MACHINE)
                if turn + 1 < RUNS:
                    person.page.keyboard.press("ArrowRight")
                    person.elsewhere(run)
        _all_is_stored(folder, scores, ana.receipts + ben.receipts)
        _numbers_of_people(ana)


def test_a_name_that_is_being_typed_stays(chromium: Browser, together: Served) -> None:
    """The page is drawn again for many reasons, here for another run: no letter is lost."""
    with ExitStack() as stack:
        eve = Person(chromium, together, "Eve", "1")
        stack.callback(eve.close)
        eve.come()
        field, run = eve.page.locator(".name-field"), eve.run()
        field.fill("Ev")
        eve.page.locator('.moves [data-act="on"]').click()
        eve.elsewhere(run)
        expect(eve.page.locator(".place")).to_contain_text("2 of")
        field.press_sequentially("e")
        expect(field).to_have_value("Eve")


def test_what_was_typed_under_one_name_is_not_stored_under_another(
    together: Served, folder: Path
) -> None:
    """Another window of the same browser may have said another name meanwhile."""
    together.let_in()
    query = {"suite": SUITE, "v": "iteration-1", "c": "without_skill"}
    with (
        Session(together, **query) as first,
        Session(together, **query) as second,
    ):
        first.open()
        first.be("Cem")
        typed = first.filled(1, "Cem thinks so.")
        second.open()
        second.be("Dora")
        answer = first.act("store", **typed)["answer"]
    assert answer["ok"] is False
    assert "This window judged under another name" in answer["message"]
    kept = (path.read_text("utf-8") for path in folder.glob("**/reviews/*/*.json"))
    assert not any("Cem thinks so." in text for text in kept)


def test_a_message_that_arrives_twice_is_obeyed_once_and_answered_twice(
    together: Served, folder: Path
) -> None:
    """The second may come with the address from before the first, whose answer was lost."""
    together.let_in()
    query = {"suite": SUITE, "v": "iteration-1", "c": "without_skill"}
    with Session(together, **query) as window:
        window.open()
        window.be("Fay")
        to = window.data["head"]["next"]
        assert to != window.data["task"]["run"]
        assert window.act_unheard("go", to=to)["task"]["run"] == to
        many = len(window.data["task"]["criteria"])
        assert window.act_unheard("store", **window.filled(1, "Fay thinks so."))["answer"]["ok"]
        window.act_unheard("suite-note", text="Fay noted it.")
    texts = [path.read_text("utf-8") for path in folder.glob("**/reviews/*/*.json")]
    assert sum("Fay thinks so." in text for text in texts) == many
    assert sum("Fay noted it." in text for text in texts) == 1


def _all_is_stored(folder: Path, scores: int, receipts: list[str]) -> None:
    """One record for each run, criterion and person, each with a receipt that was shown."""
    held: list[dict[str, Any]] = [
        json.loads(path.read_text("utf-8"))
        for path in folder.glob("**/reviews/eval-judgment/*.json")
    ]
    about = {
        (one["fields"]["judgedBy"], one["fields"]["testRunId"], one["fields"]["criterionId"])
        for one in held
    }
    assert len(held) == len(about) == scores
    assert len({judge for judge, _, _ in about}) == 2
    assert {one["id"] for one in held} == set(receipts)


def _numbers_of_people(person: Person) -> None:
    """Whose scores: people's gives numbers; the agreement section has both of them."""
    page, served = person.page, person.served
    page.goto(served.address("overview", suite=SUITE, scores="human"))
    numbers = page.get_by_text(re.compile(r"\d+\s*%"))
    expect(numbers.filter(visible=True).first).to_be_visible()
    page.goto(served.address("judge", suite=SUITE, view="agreement"))
    expect(page.get_by_text(re.compile("Ana and Ben|Ben and Ana")).first).to_be_visible()
