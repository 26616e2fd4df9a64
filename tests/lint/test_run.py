"""The full check: everything once, in order, whatever the files hold."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evalcore import open_workspace
from evalcore.lint import check
from tests.families.rules_workspaces import evals, found, grading, problems, rubric_case, write
from tests.workspace.trees import FAMILIES, SEEDS

RUN = "letters-workspace/iteration-1/case-0/with_skill"


@pytest.mark.parametrize("name", FAMILIES)
def test_the_examples_of_each_family_have_no_error(name: str) -> None:
    """What the documents themselves show as examples is read, and is as they describe it."""
    said = check(open_workspace(SEEDS / name, cache=False))
    assert [p for p in said if p.severity == "error" or p.code == "not-as-documented"] == []


def test_a_duplicate_key_is_a_warning_at_its_place(tmp_path: Path) -> None:
    """Opening reads the last one in silence; the check says so."""
    text = '{"expectations": [{"text": "a", "passed": true, "passed": false, "evidence": ""}]}'
    files = {f"{RUN}/grading.json": text}
    assert found(tmp_path, files, "duplicate-key") == [
        (f"{RUN}/grading.json", "/expectations/0/passed")
    ]


def test_lines_of_a_jsonl_file_are_looked_at_one_by_one(tmp_path: Path) -> None:
    """The pointer begins with the line's index, blank lines counted."""
    record = '{"id": "%s", "type": "test-run", "fields": {"testCaseId": "c", "score": 1%s}}\n'
    lines = record % ("a", "") + "\n" + record % ("b", ', "score": 2')
    code = "duplicate-key"
    assert found(tmp_path, {"runs.jsonl": lines}, code) == [("runs.jsonl", "/2/fields/score")]


def test_records_in_a_list_are_each_held_against_their_type(tmp_path: Path) -> None:
    """A list of records has as many documents as items."""
    good = {
        "id": "r",
        "type": "rubric-criterion",
        "createdAt": "2026-01-01T00:00:00Z",
        "fields": {
            "rubricId": "x",
            "name": "n",
            "description": "d",
            "weight": 1,
            "minScore": 0,
            "maxScore": 5,
            "order": 1,
        },
    }
    bad = {**good, "id": "s", "createdAt": "yesterday"}
    said = found(tmp_path, {"store.json": [good, bad]}, "not-as-documented")
    assert ("store.json", "/1/createdAt") in said


def test_what_opening_said_is_not_said_again(tmp_path: Path) -> None:
    """A score out of scale is one problem, not one of reading and one of shape."""
    graded = {**grading(True), "rubric_scores": {"tone": {"score": 9, "evidence": "kind"}}}
    files = {"letters/evals/evals.json": evals(rubric_case()), f"{RUN}/grading.json": graded}
    about = [p.code for p in problems(tmp_path, files) if p.pointer.startswith("/rubric_scores")]
    assert about == ["out-of-scale"]


def test_faults_that_repeat_along_a_list_are_one_problem(tmp_path: Path) -> None:
    """The first place is named, and how many more there are."""
    graded: Any = grading(True, True, False)
    for item in graded["expectations"]:
        item["evidence"] = 1
    said = [
        p
        for p in problems(tmp_path, {f"{RUN}/grading.json": graded})
        if p.code == "not-as-documented"
    ]
    assert [(p.pointer, p.severity) for p in said] == [("/expectations/0/evidence", "info")]
    assert "2 more places" in said[0].message


def test_errors_come_first_and_nothing_stands_twice(tmp_path: Path) -> None:
    """The order is by severity, then by kind and place."""
    files = {
        "letters/evals/evals.json": evals(rubric_case(), rubric_case(id=0)),
        f"{RUN}/grading.json": "{",
    }
    said = problems(tmp_path, files)
    ranks = [{"error": 0, "warning": 1, "info": 2}[p.severity] for p in said]
    assert ranks == sorted(ranks)
    assert ranks[0] == 0
    assert len({(p.path, p.pointer, p.code, p.message) for p in said}) == len(said)


def test_a_fault_that_opening_met_twice_stands_once(tmp_path: Path) -> None:
    """A file is read more than once where several readers want it."""
    files = {f"{RUN}/grading.json": '{"expectations": [], "score": NaN}'}
    code = "not-strict-json"
    assert found(tmp_path, files, code) == [(f"{RUN}/grading.json", "")]


def test_every_problem_names_its_suite(tmp_path: Path) -> None:
    """A page can show the problems of one suite beside it."""
    value = evals({"expectations": ["The letter is good", "the letter is good"]})
    said = problems(tmp_path, {"letters/evals/evals.json": value})
    assert {p.suite for p in said} == {"letters"}


def test_progress_ends_with_all_documents(tmp_path: Path) -> None:
    """What is done and how much there is, document by document."""
    steps: list[tuple[int, int]] = []
    workspace = open_workspace(SEEDS / "iterations", cache=False)
    check(workspace, lambda done, whole: steps.append((done, whole)))
    number = len(workspace.tables.documents)
    assert steps == [(done, number) for done in range(1, number + 1)]
    assert number > 5
    assert not list(tmp_path.iterdir())


def test_checking_changes_no_byte(tmp_path: Path) -> None:
    """Not one file of the folder is written, made or touched."""
    root = tmp_path / "workspace"
    shutil.copytree(SEEDS, root)
    before = {path: path.stat() for path in root.rglob("*")}
    check(open_workspace(root, cache=False))
    after = {path: path.stat() for path in root.rglob("*")}
    assert {path: (about.st_size, about.st_mtime_ns) for path, about in after.items()} == {
        path: (about.st_size, about.st_mtime_ns) for path, about in before.items()
    }


def test_a_file_that_went_away_since_opening_is_left_alone(tmp_path: Path) -> None:
    """An agent may be writing in the folder while it is checked."""
    root = write(tmp_path, {f"{RUN}/grading.json": grading(True), f"{RUN}/timing.json": {}})
    workspace = open_workspace(root, cache=False)
    (root / RUN / "grading.json").unlink()
    assert {p.path for p in check(workspace)} == {f"{RUN}/timing.json"}


RECOGNISED = tuple(
    path.relative_to(SEEDS).as_posix()
    for name in FAMILIES
    for path in sorted((SEEDS / name).rglob("*.json"))
)

scalars = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=8)
    | st.sampled_from(["\ud800", "\x1b[2J", 10**400, "=1+1", "(", "../.."])
)
names = st.sampled_from(
    [
        "evals",
        "expectations",
        "assertions",
        "cases",
        "results",
        "versions",
        "entries",
        "fields",
        "type",
        "id",
        "test_cases",
        "rubric_scores",
        "quality_rubric",
        "dimensions",
        "runs",
        "weight",
        "structural_expectations",
        "match_regex",
        "eval_config",
        "summary",
        "metadata",
        "prompt",
    ]
) | st.text(max_size=4)
values = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(names, inner, max_size=4),
    max_leaves=12,
)


@st.composite
def contents(draw: st.DrawFn) -> bytes:
    """Any bytes, any JSON, or a document with a piece of it cut away or put in."""
    if draw(st.booleans()):
        value = draw(values)
        return json.dumps(value).encode("utf-8", "surrogatepass")
    data = (SEEDS / draw(st.sampled_from(RECOGNISED))).read_bytes()
    start = draw(st.integers(0, len(data)))
    end = draw(st.integers(start, min(len(data), start + 40)))
    return data[:start] + draw(st.binary(max_size=12)) + data[end:]


@pytest.fixture(scope="module")
def scratch(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("any") / "workspace"
    shutil.copytree(SEEDS, root)
    return root


@settings(max_examples=40)
@given(path=st.sampled_from(RECOGNISED), data=contents())
def test_any_bytes_in_any_document_are_checked(scratch: Path, path: str, data: bytes) -> None:
    """The check ends, every problem says where and what, and the other files are read."""
    family = path.split("/", 1)[0]
    target = scratch / path
    before = target.read_bytes()
    target.write_bytes(data)
    try:
        workspace = open_workspace(scratch / family, cache=False)
        said = check(workspace)
    finally:
        target.write_bytes(before)
    assert all(p.path and p.message and p.severity in ("error", "warning", "info") for p in said)
    assert len(said) < 500


@pytest.mark.parametrize("data", [b"null", b"[null]"])
@pytest.mark.parametrize("family", ["descriptions", "improve", "iterations", "rubric"])
def test_a_bare_value_in_the_place_of_a_document_is_harmless(
    tmp_path: Path, family: str, data: bytes
) -> None:
    """Valid JSON that is no document, in one file after the other while the rest is whole."""
    shutil.copytree(SEEDS / family, tmp_path, dirs_exist_ok=True)
    for path in sorted(tmp_path.rglob("*.json")):
        before = path.read_bytes()
        path.write_bytes(data)
        assert len(check(open_workspace(tmp_path, cache=False))) < 500
        path.write_bytes(before)


@pytest.mark.parametrize(
    "data",
    [
        b"[" * 100_000,
        b"[" * 1000 + b"]" * 1000,
        b'{"a":' * 990 + b"1" + b"}" * 990,
        b'{"evals": [' + b"1" * 5000 + b"]}",
        b'{"evals": ["' + b"\\ud800" * 1000 + b'"]}',
        b'{"a": 1, ' * 3 + b"}" * 3,
        b"\xff\xfe{}",
        b'"' * 99_999,
        b'{"evals": [{"prompt": "x", "id": 1e400}]}',
    ],
    ids=[
        "open",
        "deep list",
        "deep object",
        "long number",
        "half characters",
        "broken",
        "other encoding",
        "quotes",
        "huge number",
    ],
)
def test_hostile_bytes_are_harmless_everywhere(tmp_path: Path, data: bytes) -> None:
    """Depth, length and odd encodings end in problems, whichever document holds them."""
    shutil.copytree(SEEDS, tmp_path, dirs_exist_ok=True)
    for path in RECOGNISED:
        if path.endswith(("evals.json", "grading.json", "benchmark.json", "history.json")):
            (tmp_path / path).write_bytes(data)
    said = check(open_workspace(tmp_path, cache=False))
    assert {p.path for p in said} >= {"improve/skill-workspace/history.json"}
