"""Whatever stands in a workspace's files, opening it raises nothing and loses no other."""

import json
import shutil
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evalcore import Workspace, open_workspace
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
