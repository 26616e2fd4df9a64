"""Writing what is remembered: records beside a suite, or in the form and place of its store."""

import json
import os
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from evalcore.disk.values import parse_time
from evalcore.errors import AlreadyStored, CannotWrite, ChangedMeanwhile, UnknownName
from evalcore.ids import derived_id
from evalcore.lint import check
from evalcore.memory import store as module
from evalcore.memory.store import Current, after, remember, revise
from evalcore.proposals.proposal import Proposal
from evalcore.proposals.proposal import write as write_proposal
from evalcore.tables.rows import ApprovalRow, BenchmarkDefinitionRow, BenchmarkRunRow, MessageRow
from evalcore.workspace.opened import open_workspace
from tests.families.records_store import record, write
from tests.memory import remembered
from tests.memory.remembered import AT, BENCHMARK, NOTES, RUN, SUPPORT, again, rows

CASES = ["breaking-change", "noisy-log"]
STORED = "support-agent/records/benchmark/bm-reply-quality.json"


def held(root: Path, path: str) -> Any:
    """Return the JSON value of a file."""
    return json.loads((root / path).read_bytes())


def test_beside_a_suite_records_lie_in_reviews_by_type(tmp_path: Path) -> None:
    """One file each, with who wrote it and when."""
    ws = remembered.suite(tmp_path, NOTES)
    (receipt,) = remember(ws, NOTES, [remembered.benchmark(CASES)], "ana-3f2a")
    assert receipt.path == f"{NOTES}-workspace/reviews/benchmark/{BENCHMARK}.json"
    value = held(tmp_path, receipt.path)
    assert (value["createdBy"], value["createdAt"], value["schema"]) == ("ana-3f2a", AT, 1)
    assert value["fields"]["testCaseIds"] == CASES


def test_in_a_store_they_lie_beside_those_of_their_type(tmp_path: Path) -> None:
    """The records have the form of the others there, with their author and what they replace."""
    ws = remembered.suite(tmp_path, SUPPORT)
    new = remembered.benchmark_run(["run-2026-03-09-angry-delay"])._replace(supersedes=("old",))
    receipts = remember(ws, SUPPORT, [new, remembered.task()])
    assert [receipt.path for receipt in receipts] == [
        f"{SUPPORT}/records/benchmark-run/{RUN}.json",
        f"{SUPPORT}/records/task/{remembered.TASK}.json",
    ]
    value = held(tmp_path, receipts[0].path)
    assert value.keys() == {
        "id", "type", "fields", "createdAt", "updatedAt", "createdBy", "supersedes",
    }  # fmt: skip
    assert (value["type"], value["supersedes"]) == ("benchmark-run", "old")


def test_a_sharded_store_gets_shards(tmp_path: Path) -> None:
    """With the type as `minionTypeId`, and a title."""
    case = {"id": "ab12", "minionTypeId": "test-case", "title": "t", "fields": {"name": "x"}}
    write(tmp_path, {"s/.minions/ab/12/ab12.json": case})
    ws = open_workspace(tmp_path, cache=False)
    (receipt,) = remember(ws, "s", [remembered.task()])
    assert receipt.path == f"s/.minions/11/11/{remembered.TASK}.json"
    value = held(tmp_path, receipt.path)
    assert (value["minionTypeId"], value["title"]) == ("task", "task of replies")


@pytest.mark.parametrize(
    ("home", "place"),
    [
        ("s/test-case/a.json", "s/task/"),
        ("s/test-cases/a.json", "s/tasks/"),
        ("test-case/a.json", "task/"),
        ("s/a.json", "s/"),
        ("s/records/test-case/a.json", "s/records/task/"),
    ],
)
def test_a_store_is_added_to_as_it_is_laid_out(tmp_path: Path, home: str, place: str) -> None:
    """In folders of types, in the singular or plural, or one folder of all records."""
    write(tmp_path, {home: record("test-case", "a", {"rubricId": "r"})})
    ws = open_workspace(tmp_path, cache=False)
    (suite,) = ws.tables.suites["suite"]
    (receipt,) = remember(ws, suite, [remembered.task()])
    assert receipt.path == f"{place}{remembered.TASK}.json"
    assert [row.suite for row in rows(again(ws), MessageRow)] == [suite]


@pytest.mark.parametrize("name", ["all.jsonl", "all.json"])
def test_beside_one_file_of_all_records_it_gets_a_folder_of_its_type(
    tmp_path: Path, name: str
) -> None:
    """The file itself stays as it is."""
    line = record("test-case", "a", {"rubricId": "r"})
    write(tmp_path, {f"s/{name}": json.dumps(line) + "\n" if name.endswith("l") else [line]})
    ws = open_workspace(tmp_path, cache=False)
    before = (tmp_path / "s" / name).read_bytes()
    (receipt,) = remember(ws, "s", [remembered.task()])
    assert (tmp_path / "s" / name).read_bytes() == before
    assert [row.message for row in rows(again(ws), MessageRow, suite="s")] == [receipt.id]


def test_a_folder_of_another_tools_type_is_not_filled(tmp_path: Path) -> None:
    """Records in one file and prompts in a folder: a task gets a folder beside both."""
    case, prompt = record("test-case", "a", {"rubricId": "r"}), record("prompt-version", "p", {})
    write(tmp_path, {"s/all.jsonl": json.dumps(case) + "\n", "s/prompt-version/p.json": prompt})
    ws = open_workspace(tmp_path, cache=False)
    (receipt,) = remember(ws, "s", [remembered.task()])
    assert receipt.path == f"s/task/{remembered.TASK}.json"


def test_writing_the_same_again_does_nothing(tmp_path: Path) -> None:
    """Whatever the time is; other content under the id is refused."""
    for suite in (NOTES, SUPPORT):
        ws = remembered.suite(tmp_path / suite, suite)
        (first,) = remember(ws, suite, [remembered.task()])
        (second,) = remember(ws, suite, [remembered.task()._replace(at=None)])
        assert second == first._replace(new=False)
        with pytest.raises(AlreadyStored):
            remember(ws, suite, [remembered.task(status="done")])


def test_what_follows_has_the_same_id_each_time() -> None:
    """And another one for another record, or another thing that follows."""
    assert derived_id("a", "task") == derived_id("a", "task")
    assert len({derived_id("a", "task"), derived_id("b", "task"), derived_id("a", "message")}) == 3


def test_time_never_goes_back() -> None:
    """After a clock was set back, a record is dated just after the newest."""
    ahead = datetime.now(UTC).replace(microsecond=0) + timedelta(days=400)
    assert parse_time(after(ahead)) == ahead + timedelta(milliseconds=1)
    past = parse_time(after(datetime(2020, 1, 1, tzinfo=UTC)))
    assert past is not None
    assert past.year > 2020


def test_a_record_beside_a_suite_is_revised_by_one_that_replaces_it(tmp_path: Path) -> None:
    """The old one stays; the new one counts."""
    ws = remembered.suite(tmp_path, NOTES)
    (old,) = remember(ws, NOTES, [remembered.benchmark(CASES)])
    current = Current("benchmark", BENCHMARK, old.path, "")
    new = revise(again(ws), NOTES, current, lambda _: {"lastScore": 0.5}, RUN)
    assert new is not None
    assert held(tmp_path, old.path)["fields"].get("lastScore") is None
    (row,) = rows(again(ws), BenchmarkDefinitionRow)
    assert (row.benchmark, row.last_score, row.name) == (RUN, 0.5, "replies")


def test_a_stores_own_record_is_changed_in_place(tmp_path: Path) -> None:
    """Unknown fields and everything else stay as they were written."""
    ws = remembered.suite(tmp_path, SUPPORT)
    path = tmp_path / STORED
    value = held(tmp_path, STORED)
    value["fields"]["team"] = "blue"
    path.write_text(json.dumps(value, indent=4))
    before = path.read_text()
    current = Current("benchmark", "bm-reply-quality", STORED, "")
    old = json.dumps(value["fields"]["lastScore"])
    assert revise(again(ws), SUPPORT, current, lambda _: {"lastScore": 0.25}, RUN, at=AT) is None
    after_ = path.read_text()
    stamp = value["updatedAt"]
    assert after_ == before.replace(f'"lastScore": {old}', '"lastScore": 0.25').replace(
        f'"updatedAt": "{stamp}"', f'"updatedAt": "{AT}"'
    )


def test_another_writer_at_the_same_moment_loses_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The record is read again, and both changes are there."""
    ws = remembered.suite(tmp_path, SUPPORT)
    write_, others = write_proposal, iter([{"ownerId": "team-b"}])

    def meanwhile(root: Path, proposal: Proposal) -> None:
        for change in others:
            value = held(tmp_path, STORED)
            value["fields"] |= change
            (tmp_path / STORED).write_text(json.dumps(value))
        write_(root, proposal)

    monkeypatch.setattr(module, "write", meanwhile)
    current = Current("benchmark", "bm-reply-quality", STORED, "")
    revise(ws, SUPPORT, current, lambda _: {"lastScore": 0.25}, RUN)
    fields = held(tmp_path, STORED)["fields"]
    assert (fields["ownerId"], fields["lastScore"]) == ("team-b", 0.25)


def test_who_loses_every_time_is_told_what_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After a few tries, with the fields that others changed."""
    ws = remembered.suite(tmp_path, SUPPORT)
    write_, tries = write_proposal, list[int]()

    def meanwhile(root: Path, proposal: Proposal) -> None:
        tries.append(len(tries))
        value = held(tmp_path, STORED)
        value["fields"]["ownerId"] = f"team-{len(tries)}"
        (tmp_path / STORED).write_text(json.dumps(value))
        write_(root, proposal)

    monkeypatch.setattr(module, "write", meanwhile)
    current = Current("benchmark", "bm-reply-quality", STORED, "")
    with pytest.raises(ChangedMeanwhile, match="ownerId"):
        revise(ws, SUPPORT, current, lambda _: {"lastScore": 0.25}, RUN)
    assert len(tries) == module.TRIES
    assert held(tmp_path, STORED)["fields"]["lastScore"] != 0.25


def test_a_record_that_is_gone_is_not_made_again(tmp_path: Path) -> None:
    """The message says what to do."""
    ws = remembered.suite(tmp_path, SUPPORT)
    (tmp_path / STORED).unlink()
    current = Current("benchmark", "bm-reply-quality", STORED, "")
    with pytest.raises(CannotWrite, match="open the folder again"):
        revise(ws, SUPPORT, current, lambda _: {"lastScore": 0.25}, RUN)


def test_a_suite_that_is_not_there_is_named(tmp_path: Path) -> None:
    """Nothing is written."""
    ws = remembered.suite(tmp_path, NOTES)
    with pytest.raises(UnknownName, match="elsewhere"):
        remember(ws, "elsewhere", [remembered.task()])


def test_everything_written_opens_clean(tmp_path: Path) -> None:
    """In a store and beside a suite: the same problems as before, and every record has its row."""
    for suite, run, case, score in (
        (NOTES, f"{NOTES}::breaking-change@v0/-#1", "breaking-change", 0.75),
        (SUPPORT, "run-2026-03-09-angry-delay", "tc-angry-delay", 0.96),
    ):
        ws = remembered.suite(tmp_path / suite, suite)
        before = check(ws)
        new = [
            remembered.benchmark([case], name="another"),
            remembered.benchmark_run([run], pass_rate=1.0, overall_score=score),
            remembered.task(),
            remembered.message(),
        ]
        remember(ws, suite, new)
        now = again(ws)
        # With its first benchmark a suite keeps a memory: then failed runs miss their failures.
        found = [each for each in check(now) if each.code != "no-failure"]
        assert found == before, os.fspath(tmp_path)
        assert [row.benchmark for row in rows(now, BenchmarkDefinitionRow, name="another")]
        (row,) = rows(now, BenchmarkRunRow, benchmark_run=RUN)
        assert (row.benchmark, row.pass_rate, row.runs) == (BENCHMARK, 1.0, 1)
        assert row.version in {"v0", "support-reply@2.0.0"}
        assert {row.kind for row in rows(now, MessageRow)} == {"task", "message"}
        assert not rows(now, ApprovalRow)


def test_at_the_moment_of_the_newest_record_a_new_one_is_later(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The order would be chance otherwise."""
    noon = datetime(2026, 4, 1, 12, tzinfo=UTC)

    class Noon(datetime):
        @classmethod
        def now(cls, tz: object = None) -> datetime:  # type: ignore[override]
            del tz
            return noon

    monkeypatch.setattr(module, "datetime", Noon)
    assert parse_time(after(noon)) == noon + timedelta(milliseconds=1)
    assert parse_time(after(noon - timedelta(microseconds=1))) == noon


def test_after_the_last_moment_there_is_nothing_is_later() -> None:
    """A document may state it; what is written then has the same time."""
    assert after(datetime.max.replace(tzinfo=UTC)) == "9999-12-31T23:59:59.999Z"


def in_one_file(root: Path, *records: Any) -> Current:
    """Write a store in one array file, and return its benchmark as the tables know it."""
    write(root, {"s/all.json": list(records)})
    (row,) = rows(open_workspace(root, cache=False), BenchmarkDefinitionRow)
    return Current("benchmark", row.benchmark or "", row.source or "", row.pointer or "")


STORED_FIELDS = {"name": "replies", "testCaseIds": ["a"], "team": "blue"}
BEFORE, AFTER = record("test-case", "a", {"rubricId": "r"}), record("test-case", "b", {})


def test_a_record_of_an_array_file_is_changed_in_its_place(tmp_path: Path) -> None:
    """What stands before and after it stays."""
    current = in_one_file(tmp_path, BEFORE, record("benchmark", "bm", STORED_FIELDS), AFTER)
    ws = open_workspace(tmp_path, cache=False)
    assert revise(ws, "s", current, lambda _: {"lastScore": 0.5}, RUN) is None
    first, changed, last = held(tmp_path, "s/all.json")
    assert (first, last) == (BEFORE, AFTER)
    assert changed["fields"] == STORED_FIELDS | {"lastScore": 0.5}


@pytest.mark.parametrize(
    "now",
    [
        pytest.param([], id="it is empty"),
        pytest.param([BEFORE, AFTER], id="another record stands there"),
        pytest.param([BEFORE, "bm"], id="something else stands there"),
        pytest.param({"records": []}, id="it is no list"),
    ],
)
def test_a_record_that_others_took_out_of_an_array_file_is_not_written(
    tmp_path: Path, now: Any
) -> None:
    """The file stays as they wrote it, and the message says what to do."""
    current = in_one_file(tmp_path, BEFORE, record("benchmark", "bm", STORED_FIELDS))
    ws = open_workspace(tmp_path, cache=False)
    write(tmp_path, {"s/all.json": now})
    with pytest.raises(CannotWrite, match="'bm' no longer exists; open the folder again"):
        revise(ws, "s", current, lambda _: {"lastScore": 0.5}, RUN)
    assert held(tmp_path, "s/all.json") == now


def test_a_record_of_a_file_of_lines_is_replaced_as_it_was_written(tmp_path: Path) -> None:
    """With its unknown fields, and without those that it never had."""
    old = record("benchmark", "bm", STORED_FIELDS)
    write(tmp_path, {"s/all.jsonl": f"{json.dumps(BEFORE)}\n{json.dumps(old)}\n"})
    ws = open_workspace(tmp_path, cache=False)
    (row,) = rows(ws, BenchmarkDefinitionRow)
    current = Current("benchmark", "bm", row.source or "", row.pointer or "")
    receipt = revise(ws, "s", current, lambda _: {"lastScore": 0.5}, RUN)
    assert receipt is not None
    written = held(tmp_path, receipt.path)
    assert written["fields"] == STORED_FIELDS | {"lastScore": 0.5}
    assert written["supersedes"] == "bm"
    (row,) = rows(again(ws), BenchmarkDefinitionRow)
    assert (row.benchmark, row.last_score) == (RUN, 0.5)


def test_a_record_beside_a_suite_that_is_not_valid_is_not_replaced(tmp_path: Path) -> None:
    """The message names the field; somebody wrote the record by hand."""
    ws = remembered.suite(tmp_path, NOTES)
    (old,) = remember(ws, NOTES, [remembered.benchmark(CASES)])
    value = held(tmp_path, old.path)
    del value["fields"]["ownerId"]
    (tmp_path / old.path).write_text(json.dumps(value))
    current = Current("benchmark", BENCHMARK, old.path, "")
    with pytest.raises(CannotWrite, match=r'the benchmark .* is not valid: "ownerId" is missing'):
        revise(again(ws), NOTES, current, lambda _: {"lastScore": 0.5}, RUN)


def test_a_record_in_the_reviews_of_a_store_is_not_changed_in_place(tmp_path: Path) -> None:
    """A new one replaces it, in the form of the store: what is missing is null."""
    ws = remembered.suite(tmp_path, SUPPORT)
    notes = remembered.suite(tmp_path / "beside", NOTES)
    (old,) = remember(notes, NOTES, [remembered.benchmark(CASES)])
    path = f"{SUPPORT}/reviews/benchmark/{BENCHMARK}.json"
    write(tmp_path, {path: held(tmp_path / "beside", old.path)})
    before = (tmp_path / path).read_bytes()
    current = Current("benchmark", BENCHMARK, path, "")
    receipt = revise(again(ws), SUPPORT, current, lambda _: {"lastScore": 0.5}, RUN)
    assert receipt is not None
    assert (tmp_path / path).read_bytes() == before
    fields = held(tmp_path, receipt.path)["fields"]
    assert (fields["lastScore"], fields["lastRunAt"]) == (0.5, None)


CASE = {"rubricId": "r"}


def sharded(name: str, kind: str) -> dict[str, Any]:
    """Return a record in a shard, by its path."""
    value = {"id": name, "minionTypeId": kind, "title": "t", "fields": CASE}
    return {f"s/.minions/{name[:2]}/{name[2:]}/{name}.json": value}


@pytest.mark.parametrize(
    ("kind", "place"),
    [
        pytest.param("task", "s/task/", id="as many plain ones of its type"),
        pytest.param("test-case", "s/tasks/", id="as many plain ones of any type"),
    ],
)
def test_a_store_that_is_half_sharded_gets_plain_files(
    tmp_path: Path, kind: str, place: str
) -> None:
    """Shards are taken where most records are in them."""
    home = "task" if kind == "task" else "test-cases"
    half = {f"s/{home}/a.json": record(kind, "a", CASE)} | sharded("ab12", kind)
    both = {"s/test-case/b.json": record("test-case", "b", CASE)} if kind == "task" else {}
    write(tmp_path, half | both)
    ws = open_workspace(tmp_path, cache=False)
    (receipt,) = remember(ws, "s", [remembered.task()])
    assert receipt.path == f"{place}{remembered.TASK}.json"


def test_a_store_is_added_to_beside_its_own_records(tmp_path: Path) -> None:
    """Not beside those of another store of the folder."""
    case, done = record("test-case", "a", CASE), record("task", "t", {"title": "x"})
    write(tmp_path, {"a/test-case/a.json": case, "a/task/t.json": done, "b/test-case/a.json": case})
    ws = open_workspace(tmp_path, cache=False)
    (receipt,) = remember(ws, "b", [remembered.task()])
    assert receipt.path == f"b/task/{remembered.TASK}.json"


def test_a_record_that_states_no_id_is_changed_in_place(tmp_path: Path) -> None:
    """Its file is its name."""
    value = record("benchmark", "bm", STORED_FIELDS)
    del value["id"]
    write(tmp_path, {"s/test-case/a.json": BEFORE, "s/benchmark/bm.json": value})
    ws = open_workspace(tmp_path, cache=False)
    (row,) = rows(ws, BenchmarkDefinitionRow)
    current = Current("benchmark", row.benchmark or "", row.source or "", row.pointer or "")
    assert revise(ws, "s", current, lambda _: {"lastScore": 0.5}, RUN) is None
    assert held(tmp_path, "s/benchmark/bm.json")["fields"]["lastScore"] == 0.5
