"""Gradings of every family say whether a model, a rule or a person judged the run."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from evalcore.families import running
from evalcore.families.graded import Graded, Verdict
from evalcore.families.registry import family
from evalcore.shapes.judge import Judge
from evalcore.tables.rows import JudgmentRow, RunRow, RunScoreRow
from tests.families import descriptions_documents, improve_documents, iterations_documents
from tests.families.build import Read

RUN = "iteration-1/eval-1/with_skill/grading.json"


def _iterations(root: Path, **fields: Any) -> Read:
    document = iterations_documents.grading(True, False, **fields)
    return iterations_documents.suite(root, {RUN: document})


def _any_item(root: Path, **fields: Any) -> Read:
    """Items that are read one by one: one of them has no verdict."""
    document = iterations_documents.grading(True, None, **fields)
    return iterations_documents.suite(root, {RUN: document})


def _whole(root: Path, **fields: Any) -> Read:
    """A verdict on the whole run, without items."""
    return iterations_documents.suite(root, {RUN: {"passed": True, **fields}})


def _rubric(root: Path, **fields: Any) -> Read:
    scores = {"accuracy": {"score": 4, "evidence": "Right."}}
    document = {"rubric_scores": scores, **fields}
    return iterations_documents.suite(root, {RUN: document}, iterations_documents.RUBRIC_EVALS)


def _improve(root: Path, **fields: Any) -> Read:
    return improve_documents.workspace(root, improve_documents.grading(**fields))


def _odd_improve(root: Path, **fields: Any) -> Read:
    """Read with tolerance: a number is written as text."""
    return improve_documents.workspace(root, improve_documents.grading(run="1", **fields))


def _descriptions(root: Path, **fields: Any) -> Read:
    return descriptions_documents.opened(root, descriptions_documents.grading(**fields))


def _odd_descriptions(root: Path, **fields: Any) -> Read:
    return descriptions_documents.opened(
        root, descriptions_documents.grading(run_id=None, **fields)
    )


EVERY = pytest.mark.parametrize(
    "read",
    [_iterations, _any_item, _whole, _rubric, _improve, _odd_improve, _descriptions,
     _odd_descriptions],
)  # fmt: skip
Reads = Callable[..., Read]


def judges(read: Read) -> tuple[set[Judge], set[Judge]]:
    """Return the judges of the only run and its score, and those of its judgments."""
    run, total = read.one(RunRow), read.one(RunScoreRow)
    own = {Judge(run.judge, run.judge_type or ""), Judge(total.judge, total.judge_type or "")}
    judged = read.all(JudgmentRow)
    assert judged
    return own, {Judge(each.judge, each.judge_type or "") for each in judged}


@EVERY
@pytest.mark.parametrize("kind", ["human", "heuristic"])
def test_people_and_rules_are_named_with_every_judgment(
    tmp_path: Path, read: Reads, kind: str
) -> None:
    """Run, score and judgments have the name and the type."""
    own, judged = judges(read(tmp_path, judge="ana-3f2a", judge_type=kind))
    assert own == judged == {Judge("ana-3f2a", kind)}


@EVERY
def test_a_judge_without_a_type_is_a_model(tmp_path: Path, read: Reads) -> None:
    """As the documents were written before they had types."""
    own, judged = judges(read(tmp_path, judge="model-a"))
    assert own == {Judge("model-a", "llm")}
    assert {each.type for each in judged} == {"llm"}


@EVERY
def test_a_person_without_a_name_is_one(tmp_path: Path, read: Reads) -> None:
    """It is not the model that the suite names."""
    own, _ = judges(read(tmp_path, judge_type="human"))
    assert own == {Judge(None, "human")}


@EVERY
@pytest.mark.parametrize("kind", ["person", 1, ["human"], ""])
def test_another_type_is_noted(tmp_path: Path, read: Reads, kind: Any) -> None:
    """It counts as none."""
    found = read(tmp_path, judge="model-a", judge_type=kind)
    own, _ = judges(found)
    assert own == {Judge("model-a", "llm")}
    noted = [each for each in found.problems if each.pointer.endswith("/judge_type")]
    assert len(noted) == 1


@pytest.mark.parametrize("name", ["improve", "descriptions", "iterations"])
@pytest.mark.parametrize("kind", ["heuristic", "human"])
def test_gradings_of_new_runs_say_it(name: str, kind: str) -> None:
    """So that they are told from those of a model."""
    case = running.Case("one", None, "Do it.", (running.Criterion("expectation", "done", "Done."),))
    run = running.TestRun("r", "one", "v1", "-", "1", "w/v1/runs/one/run-1")
    verdict = Verdict("expectation", "done", True, 1.0, "It is.")
    graded = Graded("some judge", kind, "2026-01-01T00:00:00Z", (verdict,))
    own = family(name).running()
    assert own is not None
    *_, written = own.grading(case, run, running.Execution("completed"), graded)
    assert (written.value["judge"], written.value["judge_type"]) == ("some judge", kind)
