"""The advice on a document that was not placed is true: who follows it, has it read."""

import re
import shutil
from pathlib import Path
from typing import Any

import pytest

from evalcore import Workspace, open_workspace
from evalcore.families.iterations.advice import PROMPTS, advice
from evalcore.layouts.shapes import Document
from tests.families.build import write
from tests.families.iterations_documents import EVALS, grading

RUN = {"configuration": "with_skill", "eval_id": 1, "result": {"pass_rate": 1.0}}
SUITE = {
    "pdf/evals/evals.json": EVALS,
    "pdf-workspace/iteration-2/eval-1/with_skill/grading.json": grading(),
}
METADATA = {"eval_id": 7, "eval_name": "seven", "prompt": "Count to seven", "assertions": ["x"]}


def opened(root: Path, files: dict[str, Any]) -> Workspace:
    """The workspace of these files."""
    return open_workspace(write(root, files), cache=False)


def hint(ws: Workspace, path: str) -> str:
    """The advice on a file that was not read."""
    (found,) = [row for row in ws.problems if row.path == path]
    assert found.code in ("unrecognised", "not-read", "scores-unread")
    return found.hint


def followed(root: Path, path: str, told: str) -> Workspace:
    """The workspace after a file was moved as the advice says."""
    (target,) = re.findall(r"move it to `([^`]+)`", told)
    place = root / target.replace("<eval>", "eval-9").replace("<configuration>", "without_skill")
    assert not place.exists()
    place.parent.mkdir(parents=True, exist_ok=True)
    shutil.move(root / path, place)
    return open_workspace(root, cache=False)


@pytest.mark.parametrize("around", [SUITE, {}])
@pytest.mark.parametrize(
    ("path", "value", "kind"),
    [
        ("notes/old.json", METADATA, "eval_metadata"),
        ("pdf-workspace/old-run.json", grading(), "grading"),
        ("pdf-workspace/notes.json", {"reviews": [], "status": "complete"}, "feedback"),
        ("stuff/last.json", {"runs": [RUN], "metadata": {}}, "benchmark"),
        ("stuff/more.json", {"skill_name": "more", "evals": [{"id": 1, "prompt": "x"}]}, "evals"),
    ],
)
def test_a_document_is_read_where_the_advice_puts_it(
    tmp_path: Path, around: dict[str, Any], path: str, value: Any, kind: str
) -> None:
    """With suites around it, and with none."""
    ws = opened(tmp_path, {**around, path: value})
    assert path not in set(ws.tables.documents["path"])
    after = followed(tmp_path, path, hint(ws, path))
    assert kind in set(after.tables.documents["kind"])
    assert after.unrecognised == []


def test_the_place_is_in_the_suite_nearest_to_it(tmp_path: Path) -> None:
    """In its last version, where the path names none."""
    path = "pdf-workspace/old-run.json"
    ws = opened(tmp_path, {**SUITE, path: grading()})
    place = "pdf-workspace/iteration-2/<eval>/<configuration>/grading.json"
    assert hint(ws, path) == f"To have it read, move it to `{place}`."


def test_evals_of_a_skill_that_has_some_are_added_to_them(tmp_path: Path) -> None:
    """By the name that they state."""
    more = {"skill_name": "pdf", "evals": [{"id": 9, "prompt": "Turn a page"}]}
    ws = opened(tmp_path, {**SUITE, "suites/x.json": more})
    assert hint(ws, "suites/x.json") == (
        "To have its evals read, add them to `pdf/evals/evals.json`."
    )


@pytest.mark.parametrize(
    ("path", "value", "lacks"),
    [
        ("odd/grading.json", {"expectations": [], "summary": {}}, "`expectations`"),
        ("odd/evals.json", {"skills": [{"evals": [{"prompt": "x"}]}]}, "`evals`"),
        ("odd/benchmark.json", {"total": 3}, "`run_summary`"),
        ("odd/scores.json", {"runs": [{"score": 3}]}, "`configuration`"),
    ],
)
def test_what_a_document_lacks_is_said(tmp_path: Path, path: str, value: Any, lacks: str) -> None:
    """Another place would not help it."""
    told = hint(opened(tmp_path, {path: value}), path)
    assert told.startswith("It lacks ")
    assert lacks in told


def test_a_document_of_another_layout_gets_no_advice_of_this_one(tmp_path: Path) -> None:
    """It is told where all documents are described."""
    path = "odd/grading.json"
    ws = opened(tmp_path, {path: {"case_id": "a", "version": 1, "run": 1, "results": []}})
    assert "docs/families.md" in hint(ws, path)


def test_items_in_a_list_of_another_name_are_told_its_name_and_place(tmp_path: Path) -> None:
    """Whoever writes the list and moves the file, has it read."""
    items = grading()["expectations"]
    path = "pdf-workspace/other-side.json"
    ws = opened(tmp_path, {**SUITE, path: {"graded": items}})
    place = "pdf-workspace/iteration-2/<eval>/<configuration>/grading.json"
    assert hint(ws, path) == (
        "It lacks a list `expectations` of {text, passed, evidence}. "
        f"With one for each run, it is read as `{place}`."
    )


@pytest.mark.parametrize("odd", [[], {}, 5, None, True])
def test_values_of_other_types_are_no_fault_of_the_reader(odd: object) -> None:
    """A name that is a list names nothing, and evals that are a number hold none."""
    assert advice("x.json", Document({"skill_name": odd, "evals": odd}), []) in (None, PROMPTS)
    named = {"skill_name": odd, "evals": [{"id": 1, "prompt": "a"}]}
    assert advice("evals.json", Document(named), []) is not None
