"""Test cases are edited on Data: the change is shown, and exactly that is written."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from evalcore.demo import packaged
from pages.parts.case_editor import ADD, EDIT

SUITE, PATH = "commit-helper", "commit-helper/evals/evals.json"
Run = Callable[..., AppTest]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A copy of the demo, whose cases are edited."""
    shutil.copytree(packaged(), tmp_path / "demo", copy_function=shutil.copyfile)
    return tmp_path / "demo"


def opened(app: AppTest, label: str) -> AppTest:
    """Open one of the two forms."""
    app.session_state[f"case-box-{label}"] = True
    return app.run()


def field(app: AppTest, label: str) -> object:
    """Return the field of the form with a label."""
    return next(each for each in app.text_area if each.label == label)


def button(app: AppTest) -> object:
    """Return the button that writes."""
    return next(each for each in app.button if each.label == "Write this change")


def said(app: AppTest) -> str:
    """Return everything that stands on the page as text."""
    return " | ".join(each.value for each in app.text)


def first(root: Path) -> dict[str, object]:
    """Return the first case as it is stored."""
    found: dict[str, object] = json.loads((root / PATH).read_text("utf-8"))["evals"][0]
    return found


def test_a_prompt_is_changed_as_it_was_shown(run: Run, root: Path) -> None:
    """The rest of the document keeps every byte, and the page has the new prompt at once."""
    before, old = (root / PATH).read_text("utf-8"), str(first(root)["prompt"])
    app = opened(run("data", root, suite=SUITE, dview="cases"), EDIT)
    assert not any(each.label == "Write this change" for each in app.button)
    assert field(app, "Prompt").value == old  # type: ignore[attr-defined]
    app = field(app, "Prompt").set_value("Commit this <b>now</b>.").run()  # type: ignore[attr-defined]
    assert any("Commit this <b>now</b>." in each.value for each in app.code)
    assert (root / PATH).read_text("utf-8") == before
    app = button(app).click().run()  # type: ignore[attr-defined]
    assert not app.exception
    assert f"Written to {PATH}." in said(app)
    after = (root / PATH).read_text("utf-8")
    assert after == before.replace(json.dumps(old, ensure_ascii=False), '"Commit this <b>now</b>."')
    assert field(app, "Prompt").value == "Commit this <b>now</b>."  # type: ignore[attr-defined]


def test_what_was_typed_stays_where_somebody_else_wrote_meanwhile(run: Run, root: Path) -> None:
    """It is shown as a change of the document as it is now, and written with a second click."""
    app = opened(run("data", root, suite=SUITE, dview="cases"), EDIT)
    app = field(app, "Prompt").set_value("Mine").run()  # type: ignore[attr-defined]
    value = json.loads((root / PATH).read_text("utf-8"))
    value["evals"][0]["expected_output"] = "Theirs"
    (root / PATH).write_text(json.dumps(value), encoding="utf-8")
    app = button(app).click().run()  # type: ignore[attr-defined]
    assert "Not written" in said(app)
    assert "evals.0.expected_output" in said(app)
    assert first(root)["expected_output"] == "Theirs"
    assert field(app, "Prompt").value == "Mine"  # type: ignore[attr-defined]
    app = button(app).click().run()  # type: ignore[attr-defined]
    assert (first(root)["prompt"], first(root)["expected_output"]) == ("Mine", "Theirs")


def test_a_case_is_added(run: Run, root: Path) -> None:
    """It is asked in the next run, in the form of the others."""
    app = opened(run("data", root, suite=SUITE, dview="cases"), ADD)
    app = field(app, "Prompt").set_value("Describe a rename.").run()  # type: ignore[attr-defined]
    app = field(app, "Criteria").set_value("Names both files\n\nIs short").run()  # type: ignore[attr-defined]
    app = button(app).click().run()  # type: ignore[attr-defined]
    made = json.loads((root / PATH).read_text("utf-8"))["evals"][-1]
    assert made["prompt"] == "Describe a rename."
    assert len(made["expectations"]) == 2
    assert not app.exception


def test_a_document_that_cannot_be_written_is_said(run: Run, root: Path) -> None:
    """With what to do; what was typed stays in its field."""
    (root / PATH).chmod(0o444)
    app = opened(run("data", root, suite=SUITE, dview="cases"), EDIT)
    app = field(app, "Prompt").set_value("Mine").run()  # type: ignore[attr-defined]
    app = button(app).click().run()  # type: ignore[attr-defined]
    assert "Not written" in said(app)
    assert "read-only" in said(app)
    assert field(app, "Prompt").value == "Mine"  # type: ignore[attr-defined]
    assert first(root)["prompt"] != "Mine"
