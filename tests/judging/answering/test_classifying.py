"""Failures that people classify, resolve and open again, as records that replace each other."""

import shutil
from pathlib import Path

import pytest

from evalcore.counting.cells import typed
from evalcore.counting.failure_rows import ids_in
from evalcore.demo import packaged
from evalcore.judging.answering.classifying import Classified, classify
from evalcore.tables.rows import FailureRow
from evalcore.workspace.opened import Workspace, open_workspace
from tests.judging.notes_and_exclusions import ANA, BEN, RUN, SUITE, small

SAID = Classified(RUN, "hallucination", "major", "Invents a warranty.", ("expectation:E1",))


def _rows(root: Path) -> list[FailureRow]:
    ws = open_workspace(root, cache=False)
    return typed(ws, "failures", FailureRow, range(len(ws.tables.failures)))


def _ids(text: str | None) -> list[str]:
    return list(ids_in(text))


def _stored(root: Path) -> tuple[str, str, str]:
    """Return run, id and document of the first failure of a run that is there."""
    for row in _rows(root):
        if row.run_id and row.failure_id and row.source:
            return row.run_id, row.failure_id, row.source
    raise AssertionError("the demo has no failure of a run that is there")


def _store_of(tmp_path: Path) -> tuple[Path, Workspace]:
    shutil.copytree(packaged() / "support-agent", tmp_path / "support-agent")
    return tmp_path, open_workspace(tmp_path, cache=False)


def test_a_failure_is_read_back_as_it_was_stored(tmp_path: Path) -> None:
    """The row has every field of the record, its author, and that a person said it."""
    ws = small(tmp_path)
    receipt = classify(ws, SUITE, SAID._replace(root_cause="No example."), ANA)
    (row,) = _rows(tmp_path)
    assert (row.failure_id, row.run_id, row.failure_type) == (receipt.id, RUN, "hallucination")
    assert (row.severity, row.description, row.root_cause) == (
        "major",
        "Invents a warranty.",
        "No example.",
    )
    assert (row.criteria, row.origin, row.author) == ('["expectation:E1"]', "person", ANA.id)
    assert row.resolved_at is None
    assert row.created_at is not None


def test_anybody_may_resolve_and_reopen_anothers_failure(tmp_path: Path) -> None:
    """A failure is nobody's own: the newest record of its chain counts, whoever wrote it."""
    ws = small(tmp_path)
    first = classify(ws, SUITE, SAID, ANA)
    second = classify(ws, SUITE, SAID._replace(resolution="Added one."), BEN, [first.id])
    (row,) = _rows(tmp_path)
    assert (row.failure_id, row.author, row.resolution_notes) == (second.id, BEN.id, "Added one.")
    assert row.resolved_at is not None
    third = classify(ws, SUITE, SAID, ANA, [second.id])
    (row,) = _rows(tmp_path)
    assert (row.failure_id, row.resolved_at, row.resolution_notes) == (third.id, None, None)
    assert open_workspace(tmp_path, cache=False).tables.problems.empty


def test_two_records_in_place_of_one_are_a_conflict(tmp_path: Path) -> None:
    """The newest counts, the other is its rival, and a record that replaces both settles it."""
    ws = small(tmp_path)
    first = classify(ws, SUITE, SAID, ANA)
    one = classify(ws, SUITE, SAID._replace(severity="minor"), ANA, [first.id])
    two = classify(ws, SUITE, SAID._replace(severity="critical"), BEN, [first.id])
    (row,) = _rows(tmp_path)
    assert (row.severity, _ids(row.rivals)) == ("critical", [one.id])
    assert list(open_workspace(tmp_path, cache=False).tables.problems["code"]) == ["conflict"]
    classify(ws, SUITE, SAID, ANA, [one.id, two.id])
    assert open_workspace(tmp_path, cache=False).tables.problems.empty


def test_two_first_records_of_one_run_are_a_conflict(tmp_path: Path) -> None:
    """Two people classified the same run without seeing each other's record."""
    ws = small(tmp_path)
    classify(ws, SUITE, SAID, ANA)
    classify(ws, SUITE, SAID, BEN)
    (row,) = _rows(tmp_path)
    assert len(_ids(row.rivals)) == 1


def test_a_failure_of_a_store_is_replaced_and_stays_as_it_is(tmp_path: Path) -> None:
    """The new record names the store's own; the store's document keeps every byte."""
    root, ws = _store_of(tmp_path)
    run, name, source = _stored(root)
    before = (root / source).read_bytes()
    problems = len(ws.tables.problems)
    said = SAID._replace(run_id=run, failure_type="refusal")
    classify(ws, "support-agent", said, ANA, [name])
    rows = _rows(root)
    (new,) = [row for row in rows if row.origin == "person"]
    assert _ids(new.supersedes) == [name]
    assert (root / source).read_bytes() == before
    assert len(open_workspace(root, cache=False).tables.problems) == problems
    assert {row.origin for row in rows} == {"recorded", "person"}


def test_it_is_read_from_another_root_too(tmp_path: Path) -> None:
    """Opened as the folder of its suite, the same record is about the same run."""
    root, ws = _store_of(tmp_path)
    run, name, _ = _stored(root)
    classify(ws, "support-agent", SAID._replace(run_id=run), ANA, [name])
    (new,) = [row for row in _rows(root / "support-agent") if row.origin == "person"]
    assert new.run_id is not None
    assert new.run_id.partition("::")[2] == run.partition("::")[2]


def test_the_same_submission_is_stored_once(tmp_path: Path) -> None:
    """A second click a moment later, with another time of resolution, changes nothing."""
    ws = small(tmp_path)
    said = SAID._replace(resolution="")
    first = classify(ws, SUITE, said, ANA, submission="0" * 8 + "-0000-7000-8000-" + "0" * 12)
    again = classify(
        ws,
        SUITE,
        said._replace(resolved_at="2030-01-01T00:00:00Z"),
        ANA,
        submission=first.id,
    )
    assert (first.new, again.new, len(_rows(tmp_path))) == (True, False, 1)


def test_a_description_is_required(tmp_path: Path) -> None:
    """A failure without a word about it helps nobody."""
    with pytest.raises(ValueError, match="what is wrong"):
        classify(small(tmp_path), SUITE, SAID._replace(description=" "), ANA)
