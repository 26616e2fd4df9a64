"""The steps of both sides of a case beside each other, from where they part."""

import json
from pathlib import Path
from typing import Any

import pytest

from evalcore import open_workspace
from evalcore.comparing.compare import compare
from evalcore.comparing.sides import side_of
from evalcore.views.blocks.plain import as_json
from evalcore.views.compare.case import open_case
from evalcore.views.compare.state import View
from evalcore.views.compare.steps import ROWS, step_measure_blocks, step_rows
from tests.stepped import Call, bash, events, read, run_id, workspace


def shown(
    root: Path, a: list[Call] | None, b: list[Call] | None, page: int | None = None
) -> dict[str, Any]:
    """Return the rows of two runs of a case; None for a run without a transcript."""
    files = [{} if calls is None else {"transcript.jsonl": events(*calls)} for calls in (a, b)]
    made = workspace(root, {"iteration-1/one": files[0], "iteration-2/one": files[1]})
    ws = open_workspace(made, cache=False)
    one, other = (side_of(ws, "s", f"iteration-{number}") for number in (1, 2))
    found = compare(one, other)
    opened = open_case(found, one, other, View(case="one"))
    assert opened is not None
    (block,) = as_json([step_rows(opened, page)])
    return block


SAME = [read(f"{number}.md") for number in range(6)]


@pytest.mark.parametrize(
    ("a", "b", "said"),
    [
        (SAME, SAME, "Both runs made the same 6 calls, in the same order."),
        (
            [*SAME, bash("make")],
            [*SAME, read("x.md")],
            "After the same 6 calls, A used Bash make, B used Read x.md.",
        ),
        ([*SAME, bash("make")], SAME, "After the same 6 calls, A used Bash make, B ended."),
        (
            [bash("make -j2")],
            [bash("make")],
            "They part at once: A used Bash make -j2, B used Bash make.",
        ),
        (
            [bash("make")],
            [bash("make", failed=True)],
            "They part at once: the same call again: A did not fail, B failed.",
        ),
        (SAME, None, "B has no transcript that tells its steps; these are those of A."),
        (None, None, "Neither run has a transcript that tells its steps."),
    ],
)
def test_a_sentence_says_where_two_runs_part(
    tmp_path: Path, a: list[Call] | None, b: list[Call] | None, said: str
) -> None:
    """The first call that one of them made otherwise, or that came out otherwise."""
    block = shown(tmp_path, a, b)
    assert block["said"] == said
    assert (block["part"] is not None) == ("part" in said or "After" in said)


def test_the_first_parting_is_marked_and_what_is_the_same_is_folded(tmp_path: Path) -> None:
    """Two rows before it stay."""
    block = shown(tmp_path, [*SAME, bash("make")], [*SAME, bash("make all")])
    assert [row.get("fold") for row in block["rows"]] == [
        "4 more rows that are the same", None, None, None,
    ]  # fmt: skip
    assert block["part"] == 3
    assert block["rows"][3]["a"]["text"] == "make"
    assert block["rows"][3]["b"]["text"] == "make all"


def test_a_step_leads_to_itself_on_gradings(tmp_path: Path) -> None:
    """In the run of its side."""
    row = shown(tmp_path, [read("a")], [read("b")])["rows"][0]
    assert row["b"]["link"] == {
        "page": "gradings",
        "query": {"run": run_id("one", "iteration-2"), "tab": "steps", "step": "2"},
    }


def test_many_rows_are_paged_from_the_parting_on(tmp_path: Path) -> None:
    """The page on which the runs part comes first; another one says where that is."""
    a = [bash(f"a{number}") if number % 2 else read(f"{number}") for number in range(400)]
    b = [bash(f"b{number}") if number % 2 else read(f"{number}") for number in range(400)]
    block = shown(tmp_path, a, b)
    assert (len(block["rows"]), block["page"], block["part"]) == (ROWS, 1, 1)
    later = shown(tmp_path / "again", a, b, 3)
    assert (later["page"], later["part"], later["to"]) == (3, None, 1)
    assert len(json.dumps(later)) < 100_000


def test_what_is_not_told_is_said(tmp_path: Path) -> None:
    """Which measures no case has on both sides, and what is read at all."""
    ws = open_workspace(
        workspace(tmp_path, {"iteration-1/one": {}, "iteration-2/one": {}}), cache=False
    )
    a, b = (side_of(ws, "s", f"iteration-{number}") for number in (1, 2))
    (block,) = as_json(step_measure_blocks(compare(a, b), a, b))
    assert block["text"].startswith("No transcript of either side tells its steps.")
