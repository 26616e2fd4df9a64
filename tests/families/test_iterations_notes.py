"""Notes of a benchmark: texts, and what is written where texts were expected."""

from pathlib import Path
from typing import Any

import pytest

from evalcore.tables.rows import NoteRow
from tests.families.build import Read
from tests.families.iterations_documents import suite


def benchmark(root: Path, **fields: Any) -> Read:
    """A benchmark of one run with these fields."""
    run = {"eval_id": 1, "configuration": "with_skill", "result": {"pass_rate": 1.0}}
    document = {"runs": [run | fields.pop("run", {})], **fields}
    return suite(root, {"iteration-1/benchmark.json": document}, evals=None)


def notes(read: Read) -> list[tuple[str | None, str | None]]:
    """Text and pointer of each note."""
    return [(row.text, row.pointer) for row in read.all(NoteRow)]


@pytest.mark.parametrize("key", ["notes", "analyst_notes", "analyst_observations"])
def test_objects_are_read_as_texts_with_a_remark(tmp_path: Path, key: str) -> None:
    """Each object is a note of its fields, line by line; nothing of it is an error."""
    stated = [{"observation": "A", "evals": [1, 2], "empty": None}, "b", 3]
    read = benchmark(tmp_path, **{key: stated})
    assert notes(read) == [
        ("observation: A\nevals: [1,2]", f"/{key}/0"),
        ("b", f"/{key}/1"),
        ("3", f"/{key}/2"),
    ]
    problem = read.problem("note-as-object")
    assert (problem.severity, problem.pointer, read.codes()) == ("info", f"/{key}", [])


def test_texts_are_read_without_a_remark(tmp_path: Path) -> None:
    """As documented; an empty one is none."""
    read = benchmark(tmp_path, notes=["a", ""])
    assert (notes(read), [problem.code for problem in read.problems]) == ([("a", "/notes/0")], [])


def test_an_object_of_notes_is_one_note(tmp_path: Path) -> None:
    """Nested objects stand in its lines."""
    read = benchmark(tmp_path, notes={"a": {"b": "c"}})
    assert notes(read) == [("a: b: c", "/notes")]


def test_notes_of_a_run_are_remarked_on_once_a_file(tmp_path: Path) -> None:
    """They belong to the run."""
    read = benchmark(tmp_path, run={"notes": [{"text": "slow"}, {"text": "hot"}]})
    assert [row.run_id is not None for row in read.all(NoteRow)] == [True, True]
    assert read.problem("note-as-object").severity == "info"


@pytest.mark.parametrize("value", [3, True])
def test_other_values_are_wrong(tmp_path: Path, value: Any) -> None:
    """A number in place of the list is an error."""
    assert benchmark(tmp_path, notes=value).codes() == ["wrong-type"]
