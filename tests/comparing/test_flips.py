"""A verdict that flipped: the judge, the version, or nobody can tell."""

from pathlib import Path
from typing import Any

import pytest

from evalcore.comparing.flips import flip_source
from evalcore.comparing.model import Side
from evalcore.counting.digests import output_digest
from evalcore.counting.outcomes import Column
from tests import made
from tests.families.build import write

OUTPUTS = {"page.html": "<p>Hello</p>", "data/rows.csv": "a,b\n1,2\n"}


def sides(root: Path, a: dict[str, Any], b: dict[str, Any]) -> tuple[Side, Side]:
    """Return two sides with one run each, which left these files behind."""
    for name, files in (("a", a), ("b", b)):
        write(root, {f"{name}/outputs/{path}": text for path, text in files.items()})
    rows = [
        made.run(run_id=name, version=f"v{n}", outputs=f"{name}/outputs", passed=bool(n))
        for n, name in enumerate("ab")
    ]
    ws = made.workspace(root, made.suite("iterations"), *rows)
    return Side(ws, made.SUITE, Column("v0", "-")), Side(ws, made.SUITE, Column("v1", "-"))


def test_the_same_output_with_another_verdict_is_the_judge(tmp_path: Path) -> None:
    """Every file is equal, so only who judged can have changed."""
    assert flip_source(*sides(tmp_path, OUTPUTS, OUTPUTS), "a", "b") == "judge"


@pytest.mark.parametrize(
    "other",
    [
        {**OUTPUTS, "page.html": "<p>Hello!</p>"},
        {**OUTPUTS, "more.txt": ""},
        {"index.html": OUTPUTS["page.html"], "data/rows.csv": OUTPUTS["data/rows.csv"]},
    ],
)
def test_another_output_is_the_version(tmp_path: Path, other: dict[str, str]) -> None:
    """A changed text, one file more, or another name."""
    assert flip_source(*sides(tmp_path, OUTPUTS, other), "a", "b") == "version"


def test_without_outputs_nobody_can_tell(tmp_path: Path) -> None:
    """A run that left nothing on disk, and a run that is not known."""
    a, b = sides(tmp_path, OUTPUTS, {})
    assert flip_source(a, b, "a", "b") == "unknown"
    assert flip_source(a, b, "a", "nobody") == "unknown"


def test_two_folders_are_looked_into_each_for_its_own_run(tmp_path: Path) -> None:
    """The same run id in two workspaces means two runs."""
    one, _ = sides(tmp_path / "one", OUTPUTS, {})
    two, _ = sides(tmp_path / "two", OUTPUTS, {})
    other, _ = sides(tmp_path / "other", {"page.html": "else"}, {})
    assert flip_source(one, two, "a", "a") == "judge"
    assert flip_source(one, other, "a", "a") == "version"


def test_an_output_that_a_record_holds_is_compared_as_its_json(tmp_path: Path) -> None:
    """The order of keys says nothing; a record without an output tells nothing."""
    held = [{"text": "Hi", "tone": 1}, {"tone": 1, "text": "Hi"}, {"text": "Ho", "tone": 1}, None]
    for n, output in enumerate(held):
        write(tmp_path, {f"r{n}.json": {"fields": {"actualOutput": output}}})
    rows = [
        made.run(
            run_id=f"r{n}",
            origin="record",
            outputs=f"r{n}.json",
            source=f"r{n}.json",
            pointer="/fields/actualOutput" if n else "",
        )
        for n in range(len(held))
    ]
    ws = made.workspace(tmp_path, made.suite("records"), *rows)
    side = Side(ws, made.SUITE, Column("v0", "-"))
    told = [flip_source(side, side, "r0", f"r{n}") for n in (1, 2, 3)]
    assert told == ["judge", "version", "unknown"]


def test_a_digest_is_taken_once_for_each_snapshot(tmp_path: Path) -> None:
    """Asked again for the same snapshot, no file is opened."""
    a, _ = sides(tmp_path, OUTPUTS, {})
    first = output_digest(a.ws, "a")
    (tmp_path / "a/outputs/page.html").unlink()
    assert first is not None
    assert output_digest(a.ws, "a") == first
