"""Whatever stands in a workspace's files, opening it raises nothing and loses no other."""

import json
import shutil
from collections.abc import Iterator
from functools import cache, reduce
from itertools import combinations
from operator import getitem
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evalcore import Workspace, open_workspace
from evalcore.disk.listing import list_files
from evalcore.disk.reader import Reader
from evalcore.lint import check
from evalcore.tables.builder import Rows
from evalcore.tables.columns import to_list
from evalcore.workspace.read import read_all
from tests.workspace.trees import FAMILIES, SEEDS

WORDS = st.sampled_from(
    [
        "",
        "A",
        "pass",
        "1",
        "v1",
        "-1",
        "2026-01-01",
        "0001-01-01T00:00:00+23:59",
        "\0",
        "\ud800",
        "../..",
        "/etc/passwd",
        "x" * 300,
        "🙂",
        "NaN",
        "1e999",
    ]
)
NUMBERS = st.sampled_from(
    [0, -1, 1, 5, 0.5, 2**63, 10**30, 1e308, -1e308, float("nan"), float("inf")]
)
JSON = st.recursive(
    st.none() | st.booleans() | NUMBERS | WORDS | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(WORDS, inner, max_size=3),
    max_leaves=6,
)


def documents(family: str) -> list[Path]:
    """The JSON files of a golden workspace, relative to it."""
    folder = SEEDS / family
    return sorted(path.relative_to(folder) for path in folder.rglob("*.json"))


def places(value: Any, at: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Every place in a JSON value, as the keys that lead there."""
    yield at
    items = (
        value.items()
        if isinstance(value, dict)
        else enumerate(value)
        if isinstance(value, list)
        else ()
    )
    for key, inner in items:
        yield from places(inner, (*at, key))


def put(value: Any, at: tuple[Any, ...], new: Any) -> Any:
    """Return a JSON value with another one at a place."""
    if not at:
        return new
    copy = dict(value) if isinstance(value, dict) else list(value)
    copy[at[0]] = put(copy[at[0]], at[1:], new)
    return copy


@pytest.fixture(scope="module")
def copies(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a copy of every golden workspace."""
    return shutil.copytree(SEEDS, tmp_path_factory.mktemp("anything") / "copies")


def files_of(ws: Workspace) -> set[str]:
    """The files that a workspace says anything about."""
    return {*ws.tables.documents["path"], *ws.unrecognised, *(each.path for each in ws.problems)}


@cache
def accounted(root: Path) -> set[str]:
    """The files that a golden workspace says anything about."""
    return files_of(open_workspace(root, cache=False))


def opens(root: Path, name: Path, data: bytes) -> None:
    """Open a copy with one file replaced; make every table and look at it; put the file back."""
    sound = (root / name).read_bytes()
    (root / name).write_bytes(data)
    try:
        ws = open_workspace(root, cache=False)
    finally:
        (root / name).write_bytes(sound)
    for table in ws.tables.names:
        len(getattr(ws.tables, table))
    ws.tables.text("judgments")
    assert accounted(SEEDS / root.name) - {name.as_posix()} <= files_of(ws)
    for problem in ws.problems:
        assert problem.message
        assert problem.severity in ("error", "warning", "info")


@pytest.mark.parametrize("family", FAMILIES)
@settings(max_examples=25)
@given(st.data())
def test_any_value_anywhere(copies: Path, family: str, data: st.DataObject) -> None:
    """Any JSON value in the place of any other one, in any document."""
    name = data.draw(st.sampled_from(documents(family)))
    value = json.loads((SEEDS / family / name).read_text("utf-8"))
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.sampled_from(list(places(value))))
        value = put(value, at, data.draw(JSON))
    opens(copies / family, name, json.dumps(value).encode())


@pytest.mark.parametrize("family", FAMILIES)
@settings(max_examples=10)
@given(st.data())
def test_any_bytes(copies: Path, family: str, data: st.DataObject) -> None:
    """Any document cut short, or replaced by bytes that are no JSON."""
    name = data.draw(st.sampled_from(documents(family)))
    whole = (SEEDS / family / name).read_bytes()
    cut = whole[: data.draw(st.integers(0, len(whole)))]
    opens(copies / family, name, data.draw(st.just(cut) | st.binary(max_size=60)))


@pytest.mark.parametrize("family", FAMILIES)
def test_values_nested_deeply(copies: Path, family: str) -> None:
    """A value nested as deeply as a file may be, in the first places of every document."""
    deep: Any = "end"
    for _ in range(400):
        deep = [deep]
    for name in documents(family)[:6]:
        value = json.loads((SEEDS / family / name).read_text("utf-8"))
        for at in list(places(value))[:8]:
            opens(copies / family, name, json.dumps(put(value, at, deep)).encode())


def one_of_each_kind(family: str, root: Path) -> dict[str, Any]:
    """Copy a golden workspace with one document of each kind: none stands in for another."""
    shutil.copytree(SEEDS / family, root)
    kept: dict[str, str] = {}
    listed = open_workspace(root, cache=False).tables.documents
    for path, kind in zip(listed["path"], listed["kind"], strict=True):
        if kept.setdefault(kind, path) != path:
            (root / path).unlink()
    return {path: json.loads((root / path).read_text("utf-8")) for path in kept.values()}


def lacking(value: dict[str, Any]) -> Iterator[Any]:
    """A document without each of its fields, some pairs of them, all their names, and its form."""
    seen = set()
    for at in places(value):
        names = tuple(key for key in at if isinstance(key, str))
        if at and isinstance(at[-1], str) and names not in seen:
            seen.add(names)
            holder = reduce(getitem, at[:-1], value)
            yield put(value, at[:-1], {k: held for k, held in holder.items() if k != at[-1]})
    pairs = list(combinations(value, 2))
    for gone in Random(1).sample(pairs, min(8, len(pairs))):
        yield {name: held for name, held in value.items() if name not in gone}
    yield {f"my_{name}": held for name, held in value.items()}
    yield [value]


@pytest.mark.parametrize("family", FAMILIES)
def test_a_document_that_lacks_anything_is_told_of(tmp_path: Path, family: str) -> None:
    """At its own path it is read, or listed, or its path has a problem; it never vanishes."""
    root = tmp_path / "root"
    vanished = []
    for path, value in one_of_each_kind(family, root).items():
        for changed in lacking(value):
            (root / path).write_text(json.dumps(changed), "utf-8")
            reader, rows = Reader(list_files(root)), Rows()
            told = {*read_all(reader, rows), *(each.path for each in reader.problems)}
            if path not in {*told, *to_list(rows.finished()["documents"]["path"])}:
                vanished.append((path, changed))
        (root / path).write_text(json.dumps(value), "utf-8")
    assert vanished == []


LISTS = {
    "activation": ("results", "history"),
    "descriptions": ("assertions", "criteria_scores", "entries", "test_cases"),
    "improve": ("cases", "results", "suggestions", "versions"),
    "iterations": ("evals", "expectations", "improvement_suggestions", "iterations", "reviews"),
    "records": ("criteriaIds", "fields"),
    "records_sharded": ("fields",),
    "rubric": ("evals", "expectations", "run_summary", "suggestions"),
}


@pytest.mark.parametrize("family", FAMILIES)
def test_a_document_without_its_list_has_a_problem(tmp_path: Path, family: str) -> None:
    """What it is recognised by in other places is missing, and the check says so at its path."""
    root = tmp_path / "root"
    for path, value in one_of_each_kind(family, root).items():
        for name in {*LISTS[family]} & value.keys():
            changed = {key: held for key, held in value.items() if key != name}
            (root / path).write_text(json.dumps(changed), "utf-8")
            found = check(open_workspace(root, cache=False))
            assert path in {problem.path for problem in found}, (path, name)
        (root / path).write_text(json.dumps(value), "utf-8")
