"""Test cases and their criteria in the shapes that tools write."""

import json
from pathlib import Path
from typing import Any

import pytest

from evalcore.families.iterations import FAMILY
from evalcore.tables.rows import CaseRow, CriterionRow, JudgmentRow, RunRow
from tests.families.build import Read, write
from tests.families.iterations_documents import EVAL, grading, item, suite

TEXT = "Every field is filled"


def asked(root: Path, **fields: Any) -> Read:
    """An evals.json with one eval of these fields."""
    return Read(
        FAMILY,
        write(
            root,
            {
                "pdf/evals/evals.json": {
                    "skill_name": "pdf",
                    "evals": [{"id": 1, "prompt": "Fill it", **fields}],
                }
            },
        ),
    )


@pytest.mark.parametrize("key", ["expectations", "assertions", "success_criteria"])
@pytest.mark.parametrize(
    "criterion",
    [
        TEXT,
        {"text": TEXT},
        {"id": "A1", "text": TEXT},
        {"name": "filled", "description": TEXT},
        {"text": TEXT, "weight": 2},
        {"check": "contains", "text": TEXT, "value": "x"},
        {"check": "manual", "description": TEXT, "id": "A1", "name": "a", "severity": "critical"},
        {"description": TEXT, "id": "A1", "type": "contains"},
        {"assertion": TEXT},
        {"criterion": TEXT, "required": True},
    ],
)
def test_the_wording_of_a_criterion(tmp_path: Path, key: str, criterion: Any) -> None:
    """A text, or an object under whose names it is found."""
    read = asked(tmp_path, **{key: [criterion]})
    assert read.one(CriterionRow).criterion == TEXT
    assert read.codes() == []


def test_what_a_criterion_says_beside_its_wording(tmp_path: Path) -> None:
    """Weight, severity and whether it is required; its rule is the guide."""
    told = {"text": TEXT, "weight": 2, "severity": "critical", "required": True, "check": "regex"}
    row = asked(tmp_path, assertions=[told]).one(CriterionRow)
    assert (row.weight, row.critical, row.required) == (2, True, True)
    assert json.loads(row.guide or "") == {"check": "regex"}


def test_criteria_in_groups(tmp_path: Path) -> None:
    """An object of lists has all of them, with the group in the guide."""
    groups = {"baseline": [TEXT], "discriminating": [{"text": "Sharp"}], "B2": {"text": "By id"}}
    rows = asked(tmp_path, assertions=groups).all(CriterionRow)
    assert [row.criterion for row in rows] == [TEXT, "Sharp", "By id"]
    assert json.loads(rows[0].guide or "") == {"group": "baseline"}


@pytest.mark.parametrize("value", [{"format": "pdf"}, ["a", "b"]])
def test_an_expected_output_that_is_no_text(tmp_path: Path, value: Any) -> None:
    """It is kept as its JSON, and said once a file."""
    evals = [{"id": n, "prompt": "x", "expected_output": value} for n in (1, 2)]
    read = Read(FAMILY, write(tmp_path, {"pdf/evals/evals.json": {"evals": evals}}))
    assert [json.loads(row.expected or "") for row in read.all(CaseRow)] == [value, value]
    assert read.problem("expected-as-json").severity == "info"


def test_names_files_and_tags(tmp_path: Path) -> None:
    """Under other names, files as objects, a category as a tag."""
    row = asked(
        tmp_path,
        eval_name="fill",
        category="io",
        tags=["a"],
        files=["a.pdf", {"path": "b.pdf", "content": "x"}],
    ).one(CaseRow)
    assert row.name == "fill"
    assert json.loads(row.tags or "") == ["a", "io"]
    assert json.loads(row.files or "") == ["a.pdf", "b.pdf"]


def test_a_bare_list_of_evals(tmp_path: Path) -> None:
    """Ids may be numbers or words."""
    evals = [{"id": "a", "prompt": "x"}, {"id": 2, "prompt": "y"}]
    read = Read(FAMILY, write(tmp_path, {"pdf/evals/evals.json": evals}))
    assert [row.case_id for row in read.all(CaseRow)] == ["a", "2"]


def test_documents_of_one_eval_each(tmp_path: Path) -> None:
    """Folders side by side make one suite of their evals."""
    files = {
        f"bench/{name}/case.json": {
            "id": name,
            "category": "docs",
            "prompt": f"Do {name}",
            "grading": {"expectations": [TEXT]},
        }
        for name in ("a", "b")
    }
    read = Read(FAMILY, write(tmp_path, files))
    assert [(row.suite, row.case_id) for row in read.all(CaseRow)] == [
        ("bench", "a"),
        ("bench", "b"),
    ]
    assert {row.criterion for row in read.all(CriterionRow)} == {TEXT}


@pytest.mark.parametrize("folder", [EVAL, f"{EVAL}/with_skill", f"{EVAL}/with_skill/run-1"])
@pytest.mark.parametrize("key", ["assertions", "expectations"])
def test_metadata_beside_or_above_a_run(tmp_path: Path, folder: str, key: str) -> None:
    """In the folder of the eval, the configuration or the run."""
    meta = {
        "eval_id": 7,
        "eval_name": "fill",
        "prompt": "Fill it",
        key: [{"id": "A1", "text": TEXT}],
    }
    graded = {"expectations": [item("A1")]}
    read = suite(
        tmp_path,
        {f"{folder}/eval_metadata.json": meta, f"{EVAL}/with_skill/run-1/grading.json": graded},
        None,
    )
    assert (read.one(CaseRow).name, read.one(CaseRow).prompt) == ("fill", "Fill it")
    assert read.one(JudgmentRow).criterion == TEXT


@pytest.mark.parametrize("meta", [{"eval_name": "fill"}, {"eval_id": "x", "assertions": []}, {}])
def test_metadata_with_little_in_it(tmp_path: Path, meta: Any) -> None:
    """No prompt, no id, no assertions yet."""
    read = suite(
        tmp_path,
        {f"{EVAL}/eval_metadata.json": meta, f"{EVAL}/with_skill/grading.json": grading()},
        None,
    )
    assert len(read.all(RunRow)) == 1
    assert read.problems == []


def test_metadata_of_all_evals(tmp_path: Path) -> None:
    """One document for an iteration is joined by number and by name."""
    meta = {
        "version": 1,
        "skill": "pdf",
        "evals": [
            {"id": 1, "name": "fill", "prompt": "Fill it"},
            {"id": 2, "name": "split", "prompt": "Split it"},
        ],
    }
    files = {
        "iteration-1/eval_metadata.json": meta,
        "iteration-1/eval-1/with_skill/grading.json": grading(),
        "iteration-1/split/with_skill/grading.json": grading(),
    }
    read = suite(tmp_path, files, None)
    assert {row.prompt for row in read.all(CaseRow)} == {"Fill it", "Split it"}
    assert read.codes() == []


def test_an_eval_that_was_never_run_is_a_case(tmp_path: Path) -> None:
    """Its metadata is all there is."""
    meta = {"eval_id": 3, "eval_name": "later", "prompt": "Do it later"}
    read = suite(tmp_path, {"iteration-1/eval-3/eval_metadata.json": meta}, None)
    assert (read.one(CaseRow).name, read.one(CaseRow).prompt) == ("later", "Do it later")
    assert read.all(RunRow) == []


METADATA = {"eval_id": 3, "prompt": "Why does the machine run hot?"}


def named_twice(root: Path, first: dict[str, Any], second: dict[str, Any]) -> list[CaseRow]:
    """The cases of folders with two names, with this metadata in two iterations."""
    files = {}
    for folder, metadata in (
        ("iteration-1/eval-3-heat", first),
        ("iteration-2/eval-3-hot", second),
    ):
        files[f"{folder}/eval_metadata.json"] = metadata
        files[f"{folder}/with_skill/grading.json"] = grading()
    return suite(root, files, None).all(CaseRow)


def test_one_id_and_prompt_under_two_names_is_one_case(tmp_path: Path) -> None:
    """It has both names, so that its versions can be compared."""
    (case,) = named_twice(tmp_path, METADATA, METADATA)
    assert (case.case_id, case.name) == ("heat", "heat / hot")


@pytest.mark.parametrize("other", [{"prompt": "Why is it loud?"}, {"eval_id": 4}, {"prompt": ""}])
def test_another_prompt_or_id_is_another_case(tmp_path: Path, other: dict[str, Any]) -> None:
    """Ids are used anew, and one prompt may be asked of two set-ups."""
    assert len(named_twice(tmp_path, METADATA, {**METADATA, **other})) == 2


def revised(root: Path, *runs: dict[str, Any]) -> list[CaseRow]:
    """The cases of gradings of a whole iteration, with one of these runs each."""
    files = {
        f"iteration-{number}/evals/grading_v{number}.json": {"runs": [{**run, "pass": True}]}
        for number, run in enumerate(runs, 1)
    }
    return suite(root, files, None).all(CaseRow)


def test_a_revised_name_for_the_same_file_is_the_same_case(tmp_path: Path) -> None:
    """`sync` and `sync_v2` of sync.py; also where the first was named by its file alone."""
    one = {"name": "sync", "file": "api/sync.py"}
    two = {"name": "sync_v2", "file": "api/sync.py"}
    (case,) = revised(tmp_path / "a", one, two)
    assert (case.case_id, case.name) == ("sync", "sync / sync_v2")
    (case,) = revised(tmp_path / "b", {"entry_point": "api/sync.py"}, two)
    assert case.name == "api-sync.py / sync_v2"


@pytest.mark.parametrize(
    "other",
    [
        {"name": "sync_v2", "file": "db/sync.py"},
        {"name": "sync_v2"},
        {"name": "locks", "file": "api/sync.py"},
    ],
)
def test_another_file_or_name_is_another_case(tmp_path: Path, other: dict[str, Any]) -> None:
    """Two evals may be about one file, and two files may have one name."""
    assert len(revised(tmp_path, {"name": "sync", "file": "api/sync.py"}, other)) == 2
