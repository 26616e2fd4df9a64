"""What reviewers wrote, and the runs that it is about."""

from pathlib import Path
from typing import Any

import pytest

from evalcore.tables.rows import FeedbackRow, NoteRow
from tests.families.build import Read
from tests.families.iterations_documents import EVAL, grading, suite

WITH = "pdf::1@iteration-1/with_skill#1"


def reviewed(root: Path, document: Any, *runs: str, at: str = "iteration-1") -> Read:
    """Graded runs of eval 1 in these folders below its own, with this feedback.json."""
    graded = {f"{EVAL}/{run}/grading.json": grading() for run in runs or ("with_skill",)}
    path = f"{at}/feedback.json" if at else "feedback.json"
    return suite(root, {path: document, **graded})


def said(target: str, text: str = "good", **fields: Any) -> dict[str, Any]:
    """A finished feedback of one review."""
    review = {"run_id": target, "feedback": text, "timestamp": "", **fields}
    return {"reviews": [review], "status": "complete"}


@pytest.mark.parametrize(
    ("target", "run"),
    [
        ("eval-1-with_skill", "with_skill"),
        ("eval-1-with_skill-run-1", "with_skill/run-1"),
        ("eval-1-with_skill", "with_skill/run-1"),
        ("eval-1", "with_skill"),
        ("eval-1/with_skill", "with_skill"),
        ("1-with_skill", "with_skill"),
        ("fill-with_skill", "with_skill"),
    ],
)
def test_an_id_that_means_one_run_is_its(tmp_path: Path, target: str, run: str) -> None:
    """The path below the iteration with `-` for `/`, by the eval's folder, id or name."""
    read = reviewed(tmp_path, said(target), run)
    found = read.one(FeedbackRow)
    assert (found.run_id, found.case_id, found.text, found.target) == (WITH, "1", "good", target)
    assert read.problems == []


@pytest.mark.parametrize(
    "files",
    [
        {"iteration-1/eval-1-tabs/with_skill/grading.json": grading()},
        {
            "iteration-1/tabs/with_skill/grading.json": grading(),
            "iteration-1/tabs/eval_metadata.json": {"eval_id": 1, "prompt": "Draw tabs"},
        },
        {"iteration-1/tabs/with_skill/grading.json": grading(eval_id=1)},
    ],
)
def test_an_eval_id_and_a_configuration_name_a_run(tmp_path: Path, files: dict[str, Any]) -> None:
    """The id that the folder's name, its metadata or the grading gives the eval."""
    files["iteration-1/feedback.json"] = said("eval-1-with_skill")
    read = suite(tmp_path, files, None)
    assert read.one(FeedbackRow).run_id == "pdf::tabs@iteration-1/with_skill#1"
    assert "review-without-run" not in read.codes()


def test_an_eval_id_that_two_evals_have_names_no_run(tmp_path: Path) -> None:
    """It is said, and neither is guessed."""
    files = {
        "iteration-1/a/with_skill/grading.json": grading(eval_id=1),
        "iteration-1/b/with_skill/grading.json": grading(eval_id=1),
        "iteration-1/feedback.json": said("eval-1-with_skill"),
    }
    read = suite(tmp_path, files, None)
    assert read.one(FeedbackRow).run_id is None
    assert read.problem("review-without-run").severity == "info"


def test_an_id_that_means_several_runs_is_their_cases(tmp_path: Path) -> None:
    """It is shown with the case, and said."""
    read = reviewed(tmp_path, said("eval-1-with_skill"), "with_skill/run-1", "with_skill/run-2")
    assert (read.one(FeedbackRow).run_id, read.one(FeedbackRow).case_id) == (None, "1")
    assert read.problem("review-of-several").severity == "info"


def test_an_id_with_dashes_may_be_read_in_two_ways(tmp_path: Path) -> None:
    """`eval-1-a-b` is eval `1-a` in `b` and eval `1` in `a-b`: neither is guessed."""
    files = {
        "iteration-1/eval-x-new/skill/grading.json": grading(),
        "iteration-1/eval-x/new-skill/grading.json": grading(),
        "iteration-1/feedback.json": said("eval-x-new-skill"),
    }
    read = suite(tmp_path, files, None)
    assert (read.one(FeedbackRow).run_id, read.one(FeedbackRow).version) == (None, "iteration-1")
    assert "2 runs" in read.problem("review-of-several").message


def test_an_id_that_means_nothing_is_said(tmp_path: Path) -> None:
    """The review is shown with its version."""
    read = reviewed(tmp_path, said("eval-9"))
    assert (read.one(FeedbackRow).run_id, read.one(FeedbackRow).version) == (None, "iteration-1")
    assert read.problem("review-without-run").severity == "info"


def test_a_blank_review_of_a_finished_feedback_is_no_complaint(tmp_path: Path) -> None:
    """It is a row without words; an unfinished one says nothing yet."""
    done = said("eval-1-with_skill", "  ")
    found = reviewed(tmp_path / "a", done).one(FeedbackRow)
    assert (found.run_id, found.kind, found.text) == (WITH, "review", None)
    open_ = {**done, "status": "in_progress"}
    assert reviewed(tmp_path / "b", open_).all(FeedbackRow) == []


@pytest.mark.parametrize(
    "document", [{"reviews": [], "status": "in_progress"}, {"status": "complete"}, {}, []]
)
def test_nothing_written_is_nothing(tmp_path: Path, document: Any) -> None:
    """A reviewer opened the viewer and left."""
    read = reviewed(tmp_path, document)
    assert (read.all(FeedbackRow), read.problems) == ([], [])


@pytest.mark.parametrize(
    "document",
    [
        {"eval-1-with_skill": "good"},
        {"eval-1-with_skill": {"comment": "good"}},
        [{"run_id": "eval-1-with_skill", "comment": "good"}],
        {"reviews": [{"eval_id": 1, "text": "good"}]},
    ],
)
def test_other_forms(tmp_path: Path, document: Any) -> None:
    """A map of eval to text, a bare list, other names of the fields."""
    found = reviewed(tmp_path, document).one(FeedbackRow)
    assert (found.run_id, found.text) == (WITH, "good")


def test_notes_of_a_reviewer(tmp_path: Path) -> None:
    """What is said of the whole iteration is a note on its version."""
    read = reviewed(tmp_path, {**said("eval-1-with_skill"), "notes": "implicit accept"})
    note = read.one(NoteRow)
    assert (note.kind, note.version, note.text) == ("feedback", "iteration-1", "implicit accept")


def test_feedback_above_the_iterations(tmp_path: Path) -> None:
    """Its ids name the iteration too."""
    read = reviewed(tmp_path, said("iteration-1/eval-1/with_skill"), at="")
    assert read.one(FeedbackRow).run_id == WITH


@pytest.mark.parametrize("document", ['"x"', 7, {"reviews": 7}, {"reviews": [7]}])
def test_what_is_no_feedback_is_one_problem(tmp_path: Path, document: Any) -> None:
    """The runs are read."""
    read = reviewed(tmp_path, document)
    assert read.all(FeedbackRow) == []
    assert len(read.codes()) <= 1
