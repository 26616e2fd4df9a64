"""Stores of records are found wherever they lie, in each form in which they are written."""

import json
from pathlib import Path

import pytest

from evalcore.disk.reader import MAX_OF_A_KIND
from evalcore.families.base import is_review
from evalcore.families.records.find import store_root
from evalcore.tables.rows import DocumentRow, JudgmentRow, RelationRow, RunRow, SuiteRow
from tests.families.records_store import Opened, a_case, basic, judgment, record, write

SEEDS = Path(__file__).resolve().parent.parent / "data" / "seeds"


def suites(root: Path) -> list[str]:
    return [plan.suite for plan in Opened(root).plans]


@pytest.mark.parametrize(
    ("path", "root"),
    [
        ("a/test-cases/c.json", "a"),
        ("a/test-case/c.json", "a"),
        ("a/records/c.json", "a"),
        ("a/records/rubric-criteria/c.json", "a"),
        ("minions-evals/eval-judgments/c.json", ""),
        ("a/b/.minions/ab/cd/c.json", "a/b"),
        (".minions/ab/cd/c.json", ""),
        ("c.json", ""),
        ("a/any folder/c.json", "a/any folder"),
    ],
)
def test_folders_that_only_sort_are_no_part_of_the_suite(path: str, root: str) -> None:
    """The store is the folder above the folders named like types."""
    assert store_root(path.rpartition("/")[0]) == root


def test_nested_folders_belong_to_the_outermost_store(tmp_path: Path) -> None:
    """A folder with records inside a store is part of it; beside it, it is another one."""
    write(tmp_path, {f"bot/{path}": value for path, value in basic().items()})
    write(tmp_path, {"bot/2026/week 1/more.json": a_case("more"), "other/c.json": a_case("c")})
    assert suites(tmp_path) == ["bot", "other"]


def test_a_workspace_folder_and_its_skill_are_one_suite(tmp_path: Path) -> None:
    """`X` and `X-workspace` have one id."""
    write(tmp_path, {"bot/c.json": a_case("c"), "bot-workspace/d.json": a_case("d")})
    assert suites(tmp_path) == ["bot"]


def test_a_sharded_store_is_read_like_a_plain_one(tmp_path: Path) -> None:
    """The type comes from minionTypeId, with or without its package; the name from the title."""
    for number, value in enumerate(basic().values()):
        kind = value.pop("type")
        value |= {"minionTypeId": kind if number % 2 else f"evals-{kind}", "title": "A title"}
        value["fields"].pop("name", None)
        write(tmp_path, {f"bot/.minions/ab/c{number}/{value['id']}.json": value})
    store = Opened(tmp_path)
    assert store.one(RunRow).score == pytest.approx(4.4)
    assert store.one(SuiteRow)[:3] == ("bot", "bot", "records")
    assert store.reader.problems == []


def test_lists_and_lines_of_records_point_to_each_record(tmp_path: Path) -> None:
    """A pointer names the place in the list, or the line."""
    values = list(basic().values())
    lines = "\n".join(map(json.dumps, values[4:]))
    write(tmp_path, {"bot/definitions.json": values[:4], "bot/runs.jsonl": lines})
    store = Opened(tmp_path)
    run = store.one(RunRow)
    assert (run.source, run.pointer) == ("bot/runs.jsonl", "/0")
    assert {row.path: (row.kind, row.records) for row in store.all(DocumentRow)} == {
        "bot/definitions.json": ("records", 4),
        "bot/runs.jsonl": ("records", 3),
    }


def test_a_broken_line_is_one_problem(tmp_path: Path) -> None:
    """The other lines are read."""
    lines = "\n".join(map(json.dumps, basic().values())) + "\n{broken\n"
    store = Opened(write(tmp_path, {"bot/all.jsonl": lines}))
    assert store.one(RunRow).passed is True
    assert [p.pointer for p in store.problems("invalid-json")] == ["/7"]


def test_a_file_of_one_fault_does_not_flood_the_list(tmp_path: Path) -> None:
    """Of many judgments without a rationale, of no run that is here, some hundred are named."""
    records = [judgment(f"x{n}", "gone", "relevance", 5, rationale="") for n in range(250)]
    lines = "\n".join(map(json.dumps, [*basic().values(), *records]))
    store = Opened(write(tmp_path, {"bot/all.jsonl": lines}))
    for code in ("no-rationale", "dangling-reference"):
        found = store.problems(code)
        assert len(found) == MAX_OF_A_KIND + 1
        assert found[-1].message.startswith("There are more problems of this kind")


def test_a_broken_record_is_one_problem_and_one_document(tmp_path: Path) -> None:
    """It is known by its place, and hides nothing else."""
    broken = {"test-run/bad.json": "{", ".minions/aa/bb/bad.json": "nope"}
    store = Opened(write(tmp_path, {**basic(), **broken}))
    assert [p.path for p in store.problems("half-written")] == ["test-run/bad.json"]
    assert [p.path for p in store.problems("invalid-json")] == [".minions/aa/bb/bad.json"]
    assert {row.path for row in store.all(DocumentRow) if not row.records} == set(broken)
    assert store.one(RunRow).passed is True


def test_unknown_types_are_documents_with_one_remark(tmp_path: Path) -> None:
    """Records of further types beside the ten are kept; only unknown ones are said."""
    more = {
        "x/a.json": record("agent", "a", {}),
        "x/b.json": record("agent", "b", {}),
        "x/n.json": record("note", "n", {}),
    }
    store = Opened(write(tmp_path, {**basic(), **more}))
    assert len(store.all(DocumentRow)) == len(basic()) + 3
    assert [p.severity for p in store.problems("unknown-type")] == ["info"]


def test_other_json_is_left_alone(tmp_path: Path) -> None:
    """Settings, lists and records of other tools make no store and are not claimed."""
    write(
        tmp_path,
        {
            "package.json": {"name": "x"},
            "list.json": [1, 2],
            "t.jsonl": "{}\n[]",
            "agents/a.json": record("agent", "a", {}),
            "event.json": {"type": "benchmark", "value": 3},
        },
    )
    assert suites(tmp_path) == []


def test_a_deleted_record_is_left_out(tmp_path: Path) -> None:
    """A store that only marks records as deleted does not bring them back."""
    gone = a_case("gone") | {"deletedAt": "2026-02-03T00:00:00Z"}
    store = Opened(write(tmp_path, {**basic(), "test-case/gone.json": gone}))
    assert store.codes == {"deleted-record"}


def test_reviews_belong_to_the_store_whose_root_they_lie_in(tmp_path: Path) -> None:
    """A person's judgment names run and criterion by their public ids, and changes no run."""
    store = Opened(write(tmp_path, basic()))
    run = store.one(RunRow)
    review = judgment("h", run.run_id or "", "rubric:tone", 1, judgedBy="ana")
    review["fields"]["judgedByType"] = "llm"
    write(tmp_path, {"reviews/eval-judgment/h.json": review, "reviews/.tmp/h.json": review})
    again = Opened(tmp_path)
    assert again.one(RunRow) == run
    (row,) = [row for row in again.all(JudgmentRow) if row.judge == "ana"]
    assert (row.run_id, row.criterion, row.score) == (run.run_id, "tone", 1)
    assert again.reader.problems == []


def test_reviews_of_other_suites_make_no_store(tmp_path: Path) -> None:
    """They are nobody's here, also inside a store that lies above them."""
    review = {"skill/reviews/eval-judgment/h.json": judgment("h", "x", "y", 1)}
    assert suites(write(tmp_path, review)) == []
    store = Opened(write(tmp_path, basic()))
    assert "skill/reviews/eval-judgment/h.json" not in dict(store.plans[0].files)
    assert is_review("skill/reviews/eval-judgment/h.json")
    assert not is_review("skill/reviews.json")


@pytest.mark.parametrize(("folder", "count"), [("records", 36), ("records_sharded", 5)])
def test_the_golden_stores_are_read_without_a_problem(folder: str, count: int) -> None:
    """Every record of the ten types and every stated relation finds its place."""
    store = Opened(SEEDS / folder)
    assert sum(row.records or 0 for row in store.all(DocumentRow)) == count
    assert all(row.found for row in store.all(RelationRow))
    assert store.reader.problems == []
