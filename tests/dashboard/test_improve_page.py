"""Improve a skill in the dashboard by one button, and see what came of it; without a browser."""

import shutil
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from evalcore.cli.checking import check_folder
from evalcore.demo import packaged
from evalcore.engine.process import work
from evalcore.engine.store import RunFolder, all_runs
from tests.engine.comparing_model import (
    KEY,
    SUGGESTION,
    analyzed,
    asked_to,
    compared,
    comparing,
    replying,
    shown,
)
from tests.families.build import changed
from tests.models.fake_openai import Body, FakeOpenAI

Page = Callable[..., AppTest]
SUITE = "release-notes"
PATIENCE = 30.0
SAID = "4. Put the issue number behind each fix."


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """The demo's suite of the family `improve`, with its own program as executor."""
    for name in (SUITE, f"{SUITE}-workspace"):
        shutil.copytree(packaged() / name, tmp_path / "demo" / name)
    shutil.copy(packaged() / "README.md", tmp_path / "demo")
    return tmp_path / "demo"


@pytest.fixture
def fake(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeOpenAI]:
    monkeypatch.setenv("EVALCORE_CONFIG_DIR", str(tmp_path / "config"))
    monkeypatch.setenv("JUDGE_KEY", KEY)
    with comparing(tmp_path / "config/models.toml") as server:
        before = changed(SUGGESTION, before=SAID)
        away = changed(SUGGESTION, before="Be long.", area="length")
        replying(server, compare=longer, analyze=lambda _: analyzed(before, away))
        yield server


@pytest.fixture(autouse=True)
def here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Work on runs in this process, as soon as they are started."""

    def start(folder: RunFolder) -> None:
        work(folder.id)

    monkeypatch.setattr("evalcore.engine.process.start", start)


def longer(body: Body) -> dict[str, Any]:
    """Return an answer in which the longer output wins, wherever it stands."""
    first, second = map(len, shown(body))
    scores = {
        "first": 8 if first > second else 6,
        "second": 8 if second > first else 6,
        "reason_first": "It says more.",
        "reason_second": "It says less.",
    }
    names = compared(body)["scores"]
    winner = "first" if first > second else "second" if second > first else "tie"
    return compared(body, scores=dict.fromkeys(names, scores), winner=winner)


def given(app: AppTest) -> str:
    """Return everything that the panels of a page are given."""
    assert not app.exception
    return "".join(each.proto.json for each in app.get("bidi_component"))


def button(app: AppTest, begins: str) -> Any:
    """Return the button whose label begins so; the one that leads to the form says no more."""
    (found,) = (each for each in app.button if each.label.startswith(f"{begins}:"))
    return found


def until(words: str, visit: Callable[[], AppTest]) -> str:
    """Visit a page until its panels are given some words: what was written is seen in a while."""
    end = time.monotonic() + PATIENCE
    while words not in (said := given(visit())):
        assert time.monotonic() < end, said
    return said


def serious(root: Path) -> set[tuple[str, str, str]]:
    """Return the errors and warnings that `evalcore check` finds."""
    found = check_folder(root).problems
    return {(each.path, each.pointer, each.code) for each in found if each.severity != "info"}


def test_one_button_runs_grades_compares_analyzes_and_makes_the_next_version(
    run: Page, root: Path, fake: FakeOpenAI
) -> None:
    """What will be called and written is said before; afterwards check finds nothing new."""
    before = serious(root)
    app = run("runs", root, suite=SUITE, new="1", form="all")
    said = given(app)
    assert "v3 against v2 in 12 cases." in said
    assert f"24 calls to {fake.url}" in said
    assert "Your own skill folder is not changed" in said
    assert "comparisons/comparison-" not in said  # so many files that the first are named
    assert button(app, "Improve").label == "Improve: 17 runs and 25 calls"
    assert fake.asked == []
    button(app, "Improve").click().run()
    (folder,) = all_runs(root)
    assert folder.state() == "finished"
    assert (len(asked_to(fake, "compare")), len(asked_to(fake, "analyze"))) == (24, 1)
    assert serious(root) == before
    text = (root / f"{SUITE}-workspace/v4/skill/SKILL.md").read_text("utf-8")
    assert SUGGESTION["after"] in text
    assert SAID not in text
    assert SAID in (root / SUITE / "SKILL.md").read_text("utf-8")
    told = given(run("runs", root, suite=SUITE, id=folder.id))
    assert "v4 is v3 with 1 of 2 suggestions applied." in told
    assert "Suggestion 2 (length) was not applied" in told
    assert "The text to replace is not in the skill of v3" in told
    assert "It is good." in told


def test_a_model_compares_the_two_versions_on_screen(
    run: Page, root: Path, fake: FakeOpenAI
) -> None:
    """Offered beside judging blind; what it said stands on Compare, and decides nothing there."""
    app = run("compare", root, suite=SUITE, a="v0", b="v3")
    links = {each.proto.label: each.proto.query_string for each in app.get("page_link")}
    assert "form=compare" in links["Compare by a model"]
    app = run("runs", root, suite=SUITE, new="1", form="compare", versions="v2\nv3")
    assert button(app, "Compare").label == "Compare: 24 calls"
    button(app, "Compare").click().run()
    assert (len(asked_to(fake, "compare")), len(fake.asked)) == (24, 24)
    said = until("of 13 comparisons", lambda: run("compare", root, suite=SUITE, a="v2", b="v3"))
    assert "Compared by a model" in said
    assert "no part of the verdict" in said


def test_other_suites_offer_neither(run: Page, tmp_path: Path) -> None:
    """Their families have no documents for that."""
    root = tmp_path / "demo"
    for name in ("invoice-extractor", "invoice-extractor-workspace"):
        shutil.copytree(packaged() / name, root / name)
    for page in ("runs", "compare"):
        app = run(page, root, suite="invoice-extractor")
        labels = {each.proto.label for each in app.get("page_link")}
        labels |= {each.label for each in app.button}
        assert not [each for each in labels if each.startswith(("Improve", "Compare by a model"))]
