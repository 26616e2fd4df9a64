"""Approvals on the Compare page: what stands, and the forms that decide."""

import json
import shutil
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from evalcore.approvals.standing import decisions
from evalcore.demo import packaged
from evalcore.judging.model import Judge
from evalcore.memory.approving import Waiver, approve, waive
from evalcore.memory.evidence import evidence_of
from evalcore.workspace.opened import open_workspace
from tests.memory.approval_cases import measured
from tests.memory.remembered import NOTES, again


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Return a folder with the release notes and a benchmark, run for two versions."""
    return measured(tmp_path / "evals", "v0", "v1").root


@pytest.fixture
def page(run: Callable[..., AppTest], root: Path) -> Callable[..., AppTest]:
    """Return a function that opens the comparison of two versions."""
    return partial(run, "compare", root, suite=NOTES)


def said(app: AppTest) -> str:
    """Return the words of the page's panels and sentences."""
    panels = [element.proto.json for element in app.get("bidi_component")]
    return "\n".join([*panels, *(text.value for text in app.text)])


def form(app: AppTest, button: str) -> Any:
    """Return the button of a form by its label."""
    return next(each for each in app.button if each.label == button)


def signed(app: AppTest) -> AppTest:
    """Write a name into every form that asks for one."""
    for field in app.text_input:
        if field.label.startswith("Your name"):
            field.set_value("Ana")
    return app


def test_what_the_runs_show_is_said_before_anybody_decides(page: Callable[..., AppTest]) -> None:
    """Nobody has decided; improvement is shown."""
    app = page(a="v0", b="v1")
    assert not app.exception
    assert "Nobody has decided on v1 in place of v0." in said(app)
    assert "v1 passes 81 % on notes, v0 8 %" in said(app)


def test_a_version_is_approved_from_the_page(page: Callable[..., AppTest], root: Path) -> None:
    """One click on the form stores it under the reader's name."""
    app = signed(page(a="v0", b="v1"))
    form(app, "Approve it").click().run()
    assert "v1 is approved in place of v0." in said(app)
    assert "Nobody has decided" not in said(app)
    (found,) = decisions(open_workspace(root, cache=False), NOTES)
    assert (found.state, str(found.row.author).startswith("ana-")) == ("approved", True)


def test_a_refusal_is_asked_for_by_its_name(page: Callable[..., AppTest], root: Path) -> None:
    """The button says that the refusal is recorded."""
    app = signed(page(a="v1", b="v0"))
    form(app, "Record the refusal").click().run()
    (found,) = decisions(open_workspace(root, cache=False), NOTES)
    assert found.state == "refused"


def test_a_waiver_names_owner_reason_and_end(page: Callable[..., AppTest], root: Path) -> None:
    """Without an owner it is refused with the reason, and nothing is stored."""
    app = signed(page(a="v1", b="v0"))
    next(each for each in app.text_area if each.label == "Reason").set_value("Urgent.")
    form(app, "Store the waiver").click().run()
    assert "needs an owner and a reason" in said(app)
    next(each for each in app.text_input if each.label == "Owner").set_value("Ana")
    form(app, "Store the waiver").click().run()
    (found,) = decisions(again(open_workspace(root, cache=False)), NOTES)
    assert (found.state, found.row.owner, found.row.reason) == ("waived", "Ana", "Urgent.")


def test_a_waiver_stands_on_its_page_although_another_question_was_refused(
    page: Callable[..., AppTest], root: Path
) -> None:
    """v1 in place of v0 is waived; v1 in place of v2 was refused since, by whomever."""
    judge, ws = Judge("bo-0001", "Bo"), open_workspace(root, cache=False)
    waiver = Waiver("Bo", "Urgent.", "2099-01-31")
    waive(ws, NOTES, evidence_of(ws, NOTES, "v1", "v0"), judge, waiver)
    now = again(ws)
    approve(now, NOTES, evidence_of(now, NOTES, "v1", "v2"), judge)
    held = said(page(a="v0", b="v1"))
    assert "v1 has a waiver in place of v0 until the end of 31 Jan 2099 (UTC)" in held
    other = page(a="v2", b="v1")
    assert "v1 was refused in place of v2" in said(other)
    assert not [each for each in other.button if each.label == "Withdraw it"]
    app = signed(page(a="v0", b="v1"))
    [each for each in app.text_area if each.label == "Reason"][-1].set_value("No longer.")
    form(app, "Withdraw it").click().run()
    assert "The approval of v1 in place of v0 was withdrawn" in said(page(a="v0", b="v1"))


def test_a_suite_without_benchmarks_shows_nothing_of_approvals(
    run: Callable[..., AppTest], tmp_path: Path
) -> None:
    """Neither a heading nor a form."""
    shutil.copytree(packaged() / "sql-helper", tmp_path / "evals" / "sql-helper")
    app = run("compare", tmp_path / "evals", suite="sql-helper")
    assert not app.exception
    assert json.dumps("Approval") not in said(app)
    assert not [each for each in app.button if "waiver" in each.label]
