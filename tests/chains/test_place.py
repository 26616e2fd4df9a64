"""Which record a place in a document holds."""

import json
from pathlib import Path

import evalcore
from evalcore.chains.find import record_at
from evalcore.workspace.opened import Workspace
from tests.chains.store import SUITE, ids, record, sent, small_store, written

DEMO = Path(evalcore.__file__).parent / "demo" / "workspace"


def at(ws: Workspace, path: str, pointer: str = "") -> tuple[str, str, list[str]] | None:
    """Return suite, type and ids of the record at a place."""
    found = record_at(ws, path, pointer)
    return None if found is None else (found[0].suite, found[1].type, ids(*found))


def test_each_file_of_a_store_holds_its_record(tmp_path: Path) -> None:
    ws = written(tmp_path, *small_store(), *sent())
    for each in (*small_store(), *sent()):
        path = f"{SUITE}/records/{each['type']}/{each['id']}.json"
        name = each["id"] if each["type"] != "eval-judgment" else f"{each['id']}.json"
        assert at(ws, path) == (SUITE, each["type"], [name])


def test_a_file_of_several_records_holds_one_at_each_pointer(tmp_path: Path) -> None:
    written(tmp_path, *small_store()[:4])
    runs = [each for each in small_store() if each["type"] == "test-run"]
    (tmp_path / SUITE / "records/more.json").write_text(json.dumps(runs))
    ws = evalcore.open_workspace(tmp_path, cache=False)
    path = f"{SUITE}/records/more.json"
    assert at(ws, path) is None
    assert at(ws, path, "/1") == (SUITE, "test-run", [runs[1]["id"]])
    assert at(ws, path, "/1/fields/passed") == (SUITE, "test-run", [runs[1]["id"]])
    assert at(ws, path, "/9") is None


def test_a_grading_holds_its_run(tmp_path: Path) -> None:
    ws = evalcore.open_workspace(DEMO, cache=False)
    run = ws.tables.runs[ws.tables.runs["suite"] == "commit-helper"].iloc[0]
    assert at(ws, str(run["source"])) == ("commit-helper", "test-run", [run["run_id"]])


def test_the_definition_of_several_cases_holds_no_single_record() -> None:
    ws = evalcore.open_workspace(DEMO, cache=False)
    assert at(ws, "release-notes/evals/evals.json") is None
    assert at(ws, "no/such/file.json") is None


def test_a_file_that_is_hidden_from_the_reader_holds_nothing(tmp_path: Path) -> None:
    """Else the kind of record would tell: that a failure is here at all."""
    ws = written(tmp_path, *small_store())
    hiding = ws.hiding({f"{SUITE}::case-1@p%402/-#run-12"}, "ana-0001")
    for kind, name in (("eval-failure", "fail"), ("test-run", "run-12"), ("benchmark-run", "b-2")):
        path = f"{SUITE}/records/{kind}/{name}.json"
        assert at(ws, path) is not None
        assert at(hiding, path) is None


def test_a_judgment_without_a_run_is_in_no_chain(tmp_path: Path) -> None:
    lost = record("eval-judgment", "lost", testRunId="gone", criterionId="tone", score=1,
                  maxScore=2, rationale="Said so.")  # fmt: skip
    ws = written(tmp_path, *small_store(), lost)
    assert at(ws, f"{SUITE}/records/eval-judgment/lost.json") is None


def test_the_second_record_of_a_file_is_not_the_eleventh(tmp_path: Path) -> None:
    """A pointer is compared part by part."""
    runs = [each for each in small_store() if each["type"] == "test-run"]
    many = [{**runs[0], "id": f"run-{at}"} for at in range(12)]
    written(tmp_path, *small_store()[:4])
    (tmp_path / SUITE / "records/more.json").write_text(json.dumps(many))
    ws = evalcore.open_workspace(tmp_path, cache=False)
    path = f"{SUITE}/records/more.json"
    assert at(ws, path, "/1") == (SUITE, "test-run", ["run-1"])
    assert at(ws, path, "/10") == (SUITE, "test-run", ["run-10"])
