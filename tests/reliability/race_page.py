"""Somebody chooses and stores faster than a slow page works, or stores twice.

The Judge page, and a naive page as a control, are served with 0.7 s of work above the form. A
browser chooses once, waits for a moment that is anyone's guess, chooses differently and stores
within 60 ms, in one of the ways below; what is on the disk then is compared with what stood on the
screen at the moment of storing.
"""

import json
import random
import time
from collections import Counter
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, sync_playwright

from tests.dashboard.conftest import BROWSER_FLAGS
from tests.dashboard.live import DESK, ROOT, Served
from tests.reliability.outcome import Line
from tests.reliability.serving import letters, serving
from tests.reliability.sessions import CRITERIA, records
from tools import browser

SLOW = 0.7
HURRY = 60
"""Milliseconds from the choice to the storing, at most; a busy machine may take a few more."""
WAYS = ("click", "double click", "Enter and click", "Ctrl+Enter twice")
# All in one go, so that no delay of the test comes between the choice and the storing.
_HURRY = """async ([way, score, wait]) => {
  const panel = [...document.querySelectorAll('*')].map((node) => node.shadowRoot)
    .find((root) => root && root.querySelector('.judge'));
  const act = panel.querySelector('.store');
  const enter = (ctrlKey) => panel.querySelector('textarea').dispatchEvent(new KeyboardEvent(
    'keydown', { key: 'Enter', ctrlKey, bubbles: true, composed: true, cancelable: true }));
  const last = [...panel.querySelectorAll(`.choices [data-score="${score}"]`)];
  for (const input of last) input.click();
  const chosen = performance.now();
  await new Promise((done) => setTimeout(done, wait));
  const seen = [...panel.querySelectorAll('.choices input:checked')].map((one) => one.value);
  if (way === 'Ctrl+Enter twice') { enter(true); enter(true); }
  else if (way === 'Enter and click') { act.form.requestSubmit(act); act.click(); }
  else { act.click(); if (way === 'double click') act.click(); }
  return [seen.map(Number), performance.now() - chosen];
}"""
_FRESH = """run => {
  const panel = [...document.querySelectorAll('*')].map((node) => node.shadowRoot)
    .find((root) => root && root.querySelector('.judge'));
  return new URL(location.href).searchParams.get('run') !== run && panel
    && panel.querySelector('.receipt li') && panel.querySelector('fieldset.criterion')
    && !panel.querySelector('fieldset:disabled, .choices input:checked');
}"""
_NAIVE = """async ([twice, wait]) => {
  document.querySelectorAll('input[type=radio]')[1].click();
  await new Promise((done) => setTimeout(done, wait));
  const act = document.querySelector('[data-testid=stButton] button');
  act.click();
  if (twice) act.click();
}"""


def race(folder: Path, number: int, seed: int, slow: float = SLOW) -> Line:
    """Race against the Judge page; lost is a wrong score, duplicated a second record."""
    root, chance = letters(folder / "post", number + 1, CRITERIA), random.Random(seed)
    seen: dict[str, list[int]] = {}
    told, quick = 0, 0
    with serving(root, folder / "state", slow=slow) as (served, _), _window(served) as page:
        page.goto(served.address("judge"))
        page.locator(".name-field").fill("Ana")
        page.keyboard.press("Enter")
        page.locator(".name-field").wait_for(state="detached")
        page.locator("fieldset.criterion").first.wait_for()
        for turn in range(number):
            run = _begin(page, turn)
            time.sleep(chance.uniform(0, 0.8 + 2 * slow))
            plan = [WAYS[turn % len(WAYS)], 1 - turn % 2, chance.uniform(0, HURRY)]
            seen[run], took = page.evaluate(_HURRY, plan)
            quick += took <= HURRY
            page.wait_for_function(_FRESH, arg=run)
            told += _told(page) == sorted(seen[run])
    return _compared(root, number, seen, told, seed, f"{quick} within {HURRY} ms")


def _window(served: Served) -> "_Window":
    return _Window(served)


class _Window:
    """A browser of its own on what is served."""

    def __init__(self, served: Served) -> None:
        self._served = served

    def __enter__(self) -> Page:
        path = browser.find()
        if path is None:
            raise OSError("there is no browser here")
        self._playwright = sync_playwright().start()
        self._browser = self._playwright.chromium.launch(
            executable_path=str(path), args=list(BROWSER_FLAGS)
        )
        context = self._browser.new_context(viewport=DESK)
        self._served.let_in()
        self._served.admit(context)
        return context.new_page()

    def __exit__(self, *_: object) -> None:
        self._browser.close()
        self._playwright.stop()


def _begin(page: Page, turn: int) -> str:
    """Choose once, and say why; return the run."""
    run = str(page.evaluate("new URL(location.href).searchParams.get('run')"))
    boxes = page.locator("fieldset.criterion")
    for at in range(len(CRITERIA)):
        box = boxes.nth(at)
        box.locator(f'.choices [data-score="{turn % 2}"]').check()
        box.locator("textarea").fill(f"Try {turn}.")
    return run


def _told(page: Page) -> list[int]:
    """Return the scores that the receipt names."""
    said = page.locator(".strip .receipt li > span").all_text_contents()
    return sorted(int(text.endswith("passes")) for text in said)


def _compared(
    root: Path, number: int, seen: dict[str, list[int]], told: int, seed: int, remark: str
) -> Line:
    found: dict[str, list[int]] = {}
    about: Counter[tuple[str, str]] = Counter()
    for record in records(root).values():
        fields: dict[str, Any] = record["fields"]
        found.setdefault(fields["testRunId"], []).append(int(fields["score"]))
        about[fields["testRunId"], fields["criterionId"]] += 1
    wrong = sum(
        sorted(set(found.get(run, []))) != sorted(set(scores)) for run, scores in seen.items()
    )
    missing = number * len(CRITERIA) - len(about)
    return Line(
        f"{number} hasty judgments on a page {SLOW} s slow",
        number,
        told,
        lost=wrong + missing,
        duplicated=sum(about.values()) - len(about),
        seed=seed,
        remark=remark,
    )


def naive(folder: Path, number: int, seed: int, slow: float = SLOW) -> Line:
    """Race against the naive page in the same way: it must be found out."""
    root, chance = folder / "naive", random.Random(seed)
    root.mkdir()
    app = ROOT / "tests/reliability/naive_page.py"
    with (
        serving(root, folder / "state", slow=slow, app=app) as (served, _),
        _window(served) as page,
    ):
        page.goto(f"http://127.0.0.1:{served.port}/")
        for turn in range(number):
            page.get_by_text(f"Run {turn}.", exact=True).wait_for(timeout=60_000)
            page.locator("input[type=radio]").nth(1).wait_for(state="attached")
            page.get_by_role("button", name="Store").wait_for()
            page.evaluate(_NAIVE, [turn % 2 == 1, chance.uniform(0, HURRY)])
            time.sleep(2 * slow)
    kept = [
        (path.name.partition("-")[0], json.loads(path.read_text("utf-8")))
        for path in root.glob("*.json")
    ]
    runs = {run for run, _ in kept}
    wrong = len({run for run, score in kept if score != "1"})
    return Line(
        f"{number} hasty judgments on a naive page (naive)",
        number,
        len(runs),
        lost=wrong,
        duplicated=len(kept) - len(runs),
        seed=seed,
    )
