"""The same outputs on both sides with other grades: that difference is the judge's."""

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from evalcore import open_workspace
from evalcore.comparing.compare import compare
from evalcore.comparing.model import Comparison
from evalcore.comparing.sides import default_sides
from evalcore.views.verdict.method import how
from evalcore.views.verdict.sentence import cautions, rest, sentence

Runs = Sequence[tuple[str | None, int]]
"""The output of each run, None without one, and how many of its four checks passed."""


def compared(root: Path, cases: Sequence[tuple[Runs, Runs]]) -> Comparison:
    """Return the comparison of two iterations, each case with its runs of both."""
    for number, sides in enumerate(cases):
        for iteration, runs in enumerate(sides, 1):
            for run, (output, passed) in enumerate(runs, 1):
                folder = root / f"iteration-{iteration}/eval-{number}/with_skill/run-{run}"
                (folder / "outputs").mkdir(parents=True)
                if output is not None:
                    (folder / "outputs/report.md").write_text(output, "utf-8")
                checks = [
                    {"text": f"check {n}", "passed": n < passed, "evidence": "Seen."}
                    for n in range(4)
                ]
                text = json.dumps({"expectations": checks})
                (folder / "grading.json").write_text(text, "utf-8")
    ws = open_workspace(root, cache=False)
    (suite,) = ws.tables.suites["suite"]
    found = default_sides(ws, suite)
    assert found is not None
    return compare(*found)


def judged_apart(n: int) -> tuple[Runs, Runs]:
    """Return a case whose output stayed, with two more checks passed."""
    return [(f"report {n}", 2)], [(f"report {n}", 4)]


def better(n: int) -> tuple[Runs, Runs]:
    """Return a case whose output changed, with two more checks passed."""
    return [(f"report {n}", 2)], [(f"better report {n}", 4)]


def test_where_all_outputs_are_the_same_nothing_is_better(tmp_path: Path) -> None:
    """14 of 14 cases improved by grades alone: in sentence, cautions, "how" and every criterion."""
    found = compared(tmp_path, [judged_apart(n) for n in range(14)])
    assert found.verdict is not None
    assert (found.verdict.word, found.verdict.kind) == ("can't tell", "same outputs")
    assert found.verdict.these_p is not None
    assert found.verdict.these_p < 0.001
    assert found.same_outputs is not None
    assert (len(found.same_outputs.cases), found.same_outputs.without) == (14, None)
    assert "likely" not in sentence(found)
    assert rest(found).startswith("Can't tell: in 14 of 14 changed cases the outputs are the same")
    (line,) = [text for text in cautions(found) if "Same outputs" in text]
    assert line in how(found)
    assert {one.verdict.word for one in found.slices if one.verdict} == {"can't tell"}


def test_better_holds_without_the_cases_of_the_same_outputs(tmp_path: Path) -> None:
    """Twelve others changed with their outputs; the two are counted in the sentence."""
    found = compared(tmp_path, [*map(judged_apart, range(2)), *map(better, range(2, 14))])
    assert found.same_outputs is not None
    assert (len(found.same_outputs.cases), found.same_outputs.without) == (2, "better")
    assert rest(found) == (
        "Better, for cases like these too, also without the 2 cases whose outputs are the same on "
        "both sides."
    )
    assert "better" in {one.verdict.word for one in found.slices if one.verdict}


def test_only_as_much_is_said_as_holds_without_them(tmp_path: Path) -> None:
    """Four changed outputs can tell nothing, whatever the judge made of ten others."""
    found = compared(tmp_path, [*map(judged_apart, range(10)), *map(better, range(10, 14))])
    assert found.verdict is not None
    assert (found.verdict.word, found.verdict.kind) == ("can't tell", "same outputs")
    assert "in 10 of 14 changed cases" in rest(found)


@pytest.mark.parametrize(
    ("a", "b", "same"),
    [
        ([("x", 2)], [("x", 4)], True),
        ([("x", 2)], [("x ", 4)], False),
        ([("x", 2)], [("x", 2)], False),  # nothing to explain
        ([(None, 2)], [(None, 4)], False),  # nothing is known of either
        ([("x", 2)], [(None, 4)], False),
        ([("x", 2), ("y", 2)], [("y", 4), ("x", 4)], True),
        ([("x", 2), ("x", 2)], [("x", 4)], True),
        ([("x", 2), ("x", 2), ("y", 2)], [("x", 4), ("y", 4), ("y", 4)], True),  # copies count once
        ([("x", 2), ("x", 3), ("y", 2)], [("x", 4), ("y", 4), ("y", 1)], False),
    ],
)
def test_the_same_outputs_are_the_same_files_each_as_often(
    tmp_path: Path, a: Runs, b: Runs, same: bool
) -> None:
    """By their bytes, whatever the order of runs."""
    found = compared(tmp_path, [(a, b), better(1)])
    assert (found.same_outputs is not None) is same
    if found.same_outputs is not None:
        assert found.same_outputs.cases == ("eval-0",)
